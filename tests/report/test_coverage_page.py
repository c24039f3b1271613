"""What of the cards is played: totals that add up, every effect with its reason, a page that works in a browser."""

import json

import pytest

from apotheosis.env.cards.coverage import share
from apotheosis.env.cards.readings import STATUSES
from apotheosis.experiments.cli import main

CARDS = """
- id: T_Salve
  name: Salve
  name_pt: Poção
  suit: Item
  level: 1
  rarity: Common
  effects: [{activation: Activate, do: [{op: heal, to: self, n: 10}, {op: draw, n: 1}]}]
- id: T_Band
  name: Band
  suit: Item
  level: 1
  rarity: Rare
  effects: [{activation: Permanent, mods: [{q: attr.STR, add: 1, on: self}]}]
- id: T_Riddle
  name: Riddle
  suit: Skill
  level: 1
  rarity: Rare
  effects: [{text: "Blablablar <mais>isto</> {DMG}.", keywords: []}]
"""


@pytest.fixture(scope="module")
def checked(tmp_path_factory):
    """Returns the object that the command prints, and the page that it writes, in two languages."""
    folder = tmp_path_factory.mktemp("coverage")
    file = folder / "cards.yaml"
    file.write_text(CARDS, encoding="utf-8")
    pages = {language: folder / f"{language}.html" for language in ("en", "pt")}
    for language, page in pages.items():
        assert main(["cards", "check", str(file), "--html", str(page), "--language", language, "--quiet"]) == 0
    return file, pages


def data_of(capsys, file):
    assert main(["cards", "check", str(file), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_effects_are_counted_by_suit_rarity_and_verb(capsys, checked):
    groups = data_of(capsys, checked[0])["groups"]
    assert groups["suit"]["Item"] == {"effects": 2, "executable": 2, "partial": 0, "inert": 0, "nothing_to_do": 0}
    assert groups["suit"]["Skill"]["inert"] == 1
    assert {name: row["effects"] for name, row in groups["rarity"].items()} == {"Rare": 2, "Common": 1}
    assert {name: row["executable"] for name, row in groups["verb"].items()} == {"heal": 1, "draw": 1, "standing modifier": 1}
    assert share(groups["rarity"]["Rare"]) == 0.5
    assert share(dict.fromkeys(("effects", *STATUSES), 0)) is None


def test_the_page_shows_every_effect_with_clause_and_reason(capsys, checked):
    file, pages = checked
    data = data_of(capsys, file)
    (missing,) = [effect for card in data["cards"] for effect in card["effects"] if effect["status"] == "inert"]
    for language, page in pages.items():
        text = page.read_text(encoding="utf-8")
        assert text.count('<tr data-id="T_') == 3
        assert "Blablablar" in text
        assert "<mais>" not in text
        assert ("Poção" in text) == (language == "pt")
        assert missing["clause"]


def test_a_language_that_is_not_there_is_refused(capsys, checked, tmp_path):
    assert main(["cards", "check", str(checked[0]), "--html", str(tmp_path / "x.html"), "--language", "fr"]) == 1
    assert "en, pt" in capsys.readouterr().err
    assert not (tmp_path / "x.html").exists()


@pytest.mark.browser
@pytest.mark.parametrize("width", [390, 1280])
def test_the_page_sorts_and_searches_in_silence(browser, checked, width):
    opened = browser.open(checked[1]["en"], width)
    assert opened.run("document.documentElement.scrollWidth") <= width
    names = "[...document.querySelectorAll('#cards tbody tr')].filter(r => !r.hidden).map(r => r.dataset.id)"
    opened.click('#cards th[data-c="name"] button')
    assert opened.run(names) == ["T_Band", "T_Riddle", "T_Salve"]
    search = "const s = document.querySelector('#search'); s.value = 'ridd'; s.dispatchEvent(new Event('input'))"
    opened.run(f"(() => {{ {search}; return 1 }})()")
    assert opened.run(names) == ["T_Riddle"]
    assert opened.complaints() == []
