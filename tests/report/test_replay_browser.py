"""A replay in a real browser: silent, steered by keys, slider and address, hiding secrets, complete without scripts."""

import pytest

from apotheosis.experiments.report.replay_page import replay_page

pytestmark = pytest.mark.browser

AT = "+document.querySelector('#range').value"
CAPTION = "document.querySelector('#caption').textContent"
KEYS = {
    "ArrowRight": 39,
    "ArrowLeft": 37,
    "ArrowUp": 38,
    "ArrowDown": 40,
    "Home": 36,
    "End": 35,
    "a": 65,
    "b": 66,
    "0": 48,
    " ": 32,
}


@pytest.fixture(scope="module")
def replay(stored, card_words):
    return stored.replay(5, card_words["en"])


@pytest.fixture(scope="module")
def path(replay, tmp_path_factory):
    page = tmp_path_factory.mktemp("replay") / "match.html"
    page.write_text(replay_page(replay, back="report.html"), encoding="utf-8")
    return page


@pytest.fixture(scope="module")
def page(browser, path):
    return browser.open(path)


def press(browser, page, key):
    for kind in ("keyDown", "keyUp"):
        browser.call("Input.dispatchKeyEvent", page.session, type=kind, key=key, windowsVirtualKeyCode=KEYS[key])
    page.settle()


def picture_at(replay, step):
    picture = {}
    for one in replay["steps"][:step]:
        picture.update(one["change"])
    return picture


@pytest.mark.parametrize("width", [390, 768, 1280])
def test_nothing_is_complained_about_and_nothing_is_wider_than_the_page(browser, path, width):
    opened = browser.open(path, width, query="#step-60")
    opened.settle()
    assert opened.complaints() == []
    assert opened.run("document.documentElement.scrollWidth") <= width
    assert opened.run(AT) == 60


def test_keys_step_jump_and_end(browser, page, replay):
    press(browser, page, "Home")
    assert page.run(AT) == 1
    press(browser, page, "ArrowRight")
    press(browser, page, "ArrowRight")
    assert page.run(AT) == 3 and page.run(CAPTION) == replay["steps"][2]["text"]
    press(browser, page, "ArrowLeft")
    assert page.run(AT) == 2
    press(browser, page, "ArrowDown")
    first_stint = next(step["n"] for step in replay["steps"] if step["kind"] == "stint")
    assert page.run(AT) == first_stint
    press(browser, page, "ArrowDown")
    press(browser, page, "ArrowUp")
    assert page.run(AT) == first_stint
    press(browser, page, "End")
    assert page.run(AT) == len(replay["steps"])


def test_the_slider_the_list_and_the_buttons_move_to_a_step(page, replay):
    page.type("#range", "40")
    assert page.run(CAPTION) == replay["steps"][39]["text"]
    page.click("#step-55 span")
    assert page.run(AT) == 55
    page.click("#next")
    assert page.run(AT) == 56
    page.click("#previous")
    page.click("#previous")
    assert page.run(AT) == 54


def test_the_curve_has_the_chance_of_the_step(page, replay):
    assert page.run("document.querySelectorAll('#curve path.chance').length") == 1
    assert page.run("document.querySelectorAll('#curve polyline').length") == 0
    for number in (1, 50, len(replay["steps"])):
        page.type("#range", str(number))
        given = [step["chance"] for step in replay["steps"][:number] if "chance" in step]
        expected = f"A {int(100 * given[-1] + 0.5)} %" if given else ""
        assert page.run("document.querySelector('#chance').textContent") == expected


def test_playing_moves_on_by_itself_and_stops(browser, page):
    page.type("#range", "10")
    page.click("#play")
    page.run("new Promise(done => setTimeout(done, 2600))")
    page.click("#play")
    reached = page.run(AT)
    assert reached >= 12
    page.run("new Promise(done => setTimeout(done, 1300))")
    assert page.run(AT) == reached


@pytest.mark.parametrize("step", [30, 61, 90])
def test_board_and_seats_show_the_state_of_the_step(page, replay, step):
    page.type("#range", str(step))
    state = picture_at(replay, step)
    for name in "AB":
        assert page.run(f"document.querySelector('#seat-{name} [data-x=hp]').textContent") == str(state[f"{name}.hp"])
        for zone in ("hand", "table", "discard"):
            shown = f"document.querySelectorAll('#seat-{name} [data-zone={zone}] > .chips > .chip').length"
            assert page.run(shown) == len(state[f"{name}.{zone}"])
        x, y = state[f"{name}.at"]
        place = f"translate({x * 124 + 60} {(replay['board']['height'] - 1 - y) * 124 + 56})"
        title = f"[...document.querySelectorAll('#pieces .piece')].find(p => p.querySelector('title').textContent === '{name}')"
        assert page.run(f"{title}.getAttribute('transform')") == place


def test_a_seats_view_shows_backs_and_tells_only_what_it_hears(browser, page, replay):
    step = next(s for s in replay["steps"] if s["kind"] == "draw" and s["seat"] == "B" and s["stint"] > 1)
    page.type("#range", str(step["n"]))
    press(browser, page, "a")
    backs = "document.querySelectorAll('#seat-B [data-zone=hand] .chip.hidden').length"
    assert page.run(backs) == len(picture_at(replay, step["n"])["B.hand"]) > 0
    assert page.run("document.querySelectorAll('#seat-A [data-zone=hand] .chip.hidden').length") == 0
    assert page.run(CAPTION) == "B draws a card"
    line = f"[...document.querySelectorAll('#step-{step['n']} [data-told]')].filter(s => !s.hidden).map(s => s.textContent)"
    assert page.run(line) == ["B draws a card"]
    assert replay["cards"][step["card"]]["name"] not in page.run("document.querySelector('#why').textContent")
    press(browser, page, "0")
    assert page.run(backs) == 0 and page.run(CAPTION) == step["text"]


def test_the_address_asks_for_step_view_and_theme(browser, path):
    opened = browser.open(path, query="?step=33&view=B&theme=dark")
    assert opened.run(AT) == 33
    assert opened.run("document.querySelector('[data-view=B]').getAttribute('aria-pressed')") == "true"
    assert opened.run("document.documentElement.classList.contains('dark')") is True
    assert opened.run("document.querySelector('#back').getAttribute('href')") == "report.html"


def test_without_scripts_every_step_is_a_readable_line_with_the_board_of_each_stint(browser, path, replay):
    opened = browser.open(path, 800, scripts=False)
    root = browser.call("DOM.getDocument", opened.session)["root"]["nodeId"]

    def visible(selector):
        count = 0
        for node in browser.call("DOM.querySelectorAll", opened.session, nodeId=root, selector=selector)["nodeIds"]:
            try:
                browser.call("DOM.getBoxModel", opened.session, nodeId=node)
            except RuntimeError:
                continue
            count += 1
        return count

    assert visible("#log > li") == len(replay["steps"])
    assert visible("#log .still svg") == sum(step["kind"] == "stint" for step in replay["steps"])
    assert visible(".controls") == visible("#board") == visible("[data-told=A]") == 0


def test_text_and_seats_stand_out_from_their_ground_in_light_and_dark(browser, path):
    opened = browser.open(path)
    script = """(() => {
      const light = c => c / 255 <= .03928 ? c / 255 / 12.92 : ((c / 255 + .055) / 1.055) ** 2.4;
      const value = name => {
        const e = document.body.appendChild(document.createElement('i'));
        e.style.color = `var(--${name})`;
        const [r, g, b] = getComputedStyle(e).color.match(/[\\d.]+/g).map(Number);
        e.remove();
        return .2126 * light(r) + .7152 * light(g) + .0722 * light(b);
      };
      const grounds = ['field', 'rock', 'sand', 'swamp', 'frost', 'water'];
      const pairs = [...grounds.map(g => ['ink', g]), ...['a', 'b', 'ink', 'soft'].map(t => [t, 'sheet'])];
      return pairs.map(([t, g]) => {
        const [x, y] = [value(t), value(g)].sort((p, q) => q - p);
        return [t, g, (x + .05) / (y + .05)];
      })
        .filter(([, , contrast]) => contrast < 4.5); })()"""
    assert opened.run(script) == []
    opened.click('[data-theme="dark"]')
    assert opened.run(script) == []


def test_a_click_in_the_report_leads_to_the_card_at_work(browser, played_report):
    report = browser.open(played_report.page)
    links = report.run("[...document.querySelectorAll('.pages a[href^=\"replays/\"]')].map(a => a.getAttribute('href'))")
    # the first step is where a card is shown that only lies in the deck
    link = next(link for link in links if not link.endswith("#step-1"))
    step = int(link.partition("#step-")[2])
    card = link.partition("card=")[2].partition("#")[0]
    report.go(link)
    assert report.run(AT) == step
    worked = "[...document.querySelectorAll('#log li.work')].map(l => l.dataset.card)"
    assert set(report.run(worked)) == {card}
    assert report.complaints() == []
