"""The page in a real browser: silent, sortable, searchable, on a phone and on a desk, with and without scripts."""

import pandas as pd
import pytest

pytestmark = pytest.mark.browser

SHOWN = "[...document.querySelectorAll('#cards tbody tr')].filter(r => !r.hidden)"
PLACE = "[...document.querySelectorAll('#cards thead th')].findIndex(h => h.dataset.c === '{}')"
VALUES = SHOWN + ".map(r => r.cells[" + PLACE + "].dataset.v)"


@pytest.fixture(scope="module")
def page(browser, written):
    return browser.open(written.page)


@pytest.fixture(scope="module")
def cards(written):
    return pd.read_parquet(written.folder / "cards.parquet")


def test_nothing_is_complained_about_or_fetched(browser, written, written_pt):
    for done in (written, written_pt):
        for width in (390, 1280):
            opened = browser.open(done.page, width)
            opened.settle()
            assert opened.complaints() == []


@pytest.mark.parametrize("width", [390, 768, 1280])
def test_no_part_is_wider_than_the_page(browser, written, width):
    opened = browser.open(written.page, width)
    assert opened.run("document.documentElement.scrollWidth") <= width
    wide = opened.run(
        "[...document.querySelectorAll('main *')].filter(e => e.offsetParent && !e.closest('.scroll, .hide, details')"
        f" && e.getBoundingClientRect().right > {width} + 1).map(e => e.outerHTML.slice(0, 90))"
    )
    assert wide == []


def test_pictures_are_drawn_for_the_window_and_never_scaled(browser, written):
    for width, wanted, other in ((390, "narrow", "wide"), (1280, "wide", "narrow")):
        opened = browser.open(written.page, width)
        seen = opened.run(
            f"[...document.querySelectorAll('.picture.{wanted} img')]"
            ".map(i => [i.complete, i.naturalWidth, i.width, +i.getAttribute('width')])"
        )
        assert seen and all(done and natural == 2 * given and shown == given for done, natural, shown, given in seen)
        hidden = f"[...document.querySelectorAll('.picture.{other}')].some(p => p.offsetParent)"
        assert opened.run(hidden) is False


def test_a_click_on_a_heading_sorts_and_a_second_one_turns_the_order(page, cards):
    page.click('#cards th[data-c="games"] button')
    games = [int(v) for v in page.run(VALUES.format("games"))]
    assert games == sorted(cards["games"], reverse=True)
    page.click('#cards th[data-c="games"] button')
    assert [int(v) for v in page.run(VALUES.format("games"))] == sorted(games)
    assert page.run("document.querySelector('#cards th[data-c=\"games\"]').getAttribute('aria-sort')") == "ascending"
    page.click('#cards th[data-c="name"] button')
    names = page.run(VALUES.format("name"))
    assert names == page.run(f"{VALUES.format('name')}.sort((a, b) => a.localeCompare(b, 'en'))")
    assert names[0].startswith("Açude")


def test_search_is_blind_to_accents_and_case(page):
    page.type("#search", "BENCAO")
    names = page.run(VALUES.format("name"))
    assert names and all(name.startswith("Bênção") for name in names)
    assert f"{len(names)} of 60 cards" in page.run("document.querySelector('#count').textContent")
    page.type("#search", "recover one skill")
    assert len(page.run(VALUES.format("name"))) == 30
    page.type("#search", "")
    assert len(page.run(SHOWN + ".map(r => 1)")) == 60


def test_filters_narrow_the_table(page, cards):
    page.type('select[data-filter="suit"]', "Skill")
    assert set(page.run(VALUES.format("suit"))) == {"Skill"}
    page.type('select[data-filter="verdict"]', "none")
    expected = cards[(cards["suit"] == "Skill") & (cards["verdict"] == "none")]
    assert page.run(SHOWN + ".map(r => r.dataset.id)") == list(expected["card_id"])
    page.type('select[data-filter="suit"]', "")
    page.type('select[data-filter="verdict"]', "")


def test_columns_can_be_added(page):
    place = PLACE.format("window")
    shown = f"['thead', 'tbody'].map(p => document.querySelector(`#cards ${{p}} tr`).cells[{place}].offsetParent !== null)"
    assert page.run(shown) == [False, False]
    page.click('.menu [data-column="window"]')
    assert page.run(shown) == [True, True]
    page.click('.menu [data-column="window"]')
    assert page.run(shown) == [False, False]


def test_the_copy_holds_raw_values_of_what_is_shown(page, cards):
    page.run("navigator.clipboard.writeText = text => { window.copied = text; return Promise.resolve(); }")
    page.type("#search", "card27")
    page.click("#copy")
    head, row = page.run("window.copied").split("\n")
    page.type("#search", "")
    fields = dict(zip(head.split(","), row.split(","), strict=True))
    card = cards.set_index("card_id").loc["card27"]
    assert float(fields["effect"]) == pytest.approx(card["effect"], abs=1e-5)
    assert fields["name"] == card["name"] and int(fields["games"]) == card["games"]


def test_a_row_opens_the_page_of_its_card_with_an_address(page):
    page.click('#cards tr[data-id="card27"] td:nth-child(3)')
    assert page.run("location.hash") == "#card-card27"
    assert page.run("document.querySelector('#drawer').open") is True
    title = "document.querySelector('#drawer h3').textContent"
    assert page.run(title) == "Açude à Deriva"
    page.click('#drawer [data-step="1"]')
    assert page.run(title) != "Açude à Deriva"
    page.click("#drawer .close")
    assert page.run("document.querySelector('#drawer').open") is False
    assert page.run("document.querySelectorAll('.pages > article').length") == 60


def test_an_address_with_a_card_opens_it_and_escape_closes_it(browser, written):
    opened = browser.open(written.page, query="#card-card41")
    opened.settle()
    assert opened.run("document.querySelector('#drawer article').id") == "card-card41"
    for kind in ("keyDown", "keyUp"):
        browser.call("Input.dispatchKeyEvent", opened.session, type=kind, key="Escape", code="Escape", windowsVirtualKeyCode=27)
    opened.settle()
    assert opened.run("document.querySelector('#drawer').open") is False
    assert opened.run("location.hash") == "#cards-section"


def test_marks_of_a_figure_lead_to_cards(browser, written):
    opened = browser.open(written.page)
    opened.click('.picture.wide a[href="#card-card27"]')
    assert opened.run("document.querySelector('#drawer article').id") == "card-card27"


def test_every_section_link_leads_to_its_section(page):
    assert page.run("[...document.querySelectorAll('nav a')].every(a => document.querySelector('section' + a.hash))")


def test_without_scripts_all_tables_and_pages_are_there(browser, written):
    opened = browser.open(written.page, scripts=False)
    root = browser.call("DOM.getDocument", opened.session)["root"]["nodeId"]

    def visible(selector):
        found = browser.call("DOM.querySelectorAll", opened.session, nodeId=root, selector=selector)["nodeIds"]
        count = 0
        for node in found:
            try:
                browser.call("DOM.getBoxModel", opened.session, nodeId=node)
            except RuntimeError:
                continue
            count += 1
        return count, len(found)

    assert visible("#cards tbody tr") == (60, 60)
    assert visible(".pages article") == (60, 60)
    assert visible(".toolbar")[0] == 0
    assert visible("#drawer")[0] == 0


def test_dark_and_print_restate_the_colours(browser, written):
    opened = browser.open(written.page)
    colour = "getComputedStyle(document.body).backgroundColor"
    light = opened.run(colour)
    opened.click('[data-theme="dark"]')
    assert opened.run(colour) != light
    browser.call("Emulation.setEmulatedMedia", opened.session, media="print")
    assert opened.run(colour) == "rgb(255, 255, 255)"
    assert opened.run("getComputedStyle(document.querySelector('nav')).display") == "none"


def test_text_stands_out_from_its_ground(browser, written):
    """Contrast of at least 4.5 to 1 for every colour of text, in light and dark."""
    opened = browser.open(written.page)
    script = """(() => {
      const light = c => c / 255 <= .03928 ? c / 255 / 12.92 : ((c / 255 + .055) / 1.055) ** 2.4;
      const luminance = ([r, g, b]) => .2126 * light(r) + .7152 * light(g) + .0722 * light(b);
      const colour = name => {
        const e = document.body.appendChild(document.createElement('i'));
        e.style.color = `var(--${name})`;
        const c = getComputedStyle(e).color.match(/[\\d.]+/g).slice(0, 3).map(Number);
        e.remove();
        return luminance(c);
      };
      const found = [];
      for (const ground of ['paper', 'sheet', 'pick', 'grid']) {
        for (const text of ['ink', 'soft', 'strong', 'weak', 'within', 'accent']) {
          const [a, b] = [colour(ground), colour(text)].sort((x, y) => y - x);
          const contrast = (a + .05) / (b + .05);
          if (contrast < 4.5) found.push(`${text} on ${ground}: ${contrast.toFixed(2)}`);
        }
      }
      return found; })()"""
    assert opened.run(script) == []
    opened.click('[data-theme="dark"]')
    assert opened.run(script) == []


def test_the_page_stays_light(written):
    assert written.page.stat().st_size < 300_000 + 10_000 * written.cards
