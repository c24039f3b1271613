"""The report of a simulated run says what is true of it, in both languages, from the folder alone."""

import json
import re
import shutil

import pandas as pd
import pytest

from apotheosis.experiments import dictionary
from apotheosis.experiments.report.builder import FORMATS, SECTIONS, write_report
from apotheosis.experiments.report.tables import described, description
from apotheosis.experiments.report.wording import Words

INCOMPLETE = ["card12", "card33"]


@pytest.fixture(scope="module")
def cards(written):
    return pd.read_parquet(written.folder / "cards.parquet").set_index("card_id")


def test_the_planted_cards_are_named_first(written, cards):
    page = written.page.read_text(encoding="utf-8")
    first = page[page.index('id="first"') : page.index('id="trust"')]
    named = re.findall(r'<h3><a href="#card-(\w+)">', first)
    assert set(named[:2]) == {"card27", "card41"}
    assert cards.loc["card27", "verdict"] == "too_strong"
    assert cards.loc["card41", "verdict"] == "too_weak"
    assert (cards["verdict"].isin(["too_strong", "too_weak"])).sum() == 2


def test_a_card_that_is_not_fully_simulated_is_badged_and_gets_no_verdict(written, cards):
    page = written.page.read_text(encoding="utf-8")
    assert (cards.loc[INCOMPLETE, "verdict"] == "none").all()
    assert cards.loc[INCOMPLETE, ["shrunk", "rank", "q", "more_games"]].isna().all(axis=None)
    for card in INCOMPLETE:
        section = page[page.index(f'id="card-{card}"') :].partition("</article>")[0]
        assert "no verdict" in section and "Not simulated: " in section
        assert not any(word in section for word in ("Too strong", "Too weak", "Within the band"))
    assert cards.drop(INCOMPLETE)["verdict"].ne("none").all()


def test_outcomes_add_up_to_the_matches_issued(written, run_folder):
    outcomes = pd.read_csv(written.folder / "outcomes.csv")
    matches = pd.read_parquet(run_folder / "matches.parquet")
    assert outcomes["matches"].sum() == len(matches) == written.matches
    assert outcomes.set_index("outcome")["matches"].to_dict() == {
        name: int((matches["outcome"] == name).sum()) for name in outcomes["outcome"]
    }
    assert outcomes["share"].sum() == pytest.approx(1)


def test_sections_come_in_the_order_of_the_method(document):
    assert [s["id"] for s in document.all("section")] == list(SECTIONS)


def test_the_page_is_well_formed_and_needs_nothing_from_elsewhere(document):
    assert document.errors == []
    addresses = [a[key] for _, a in document.elements for key in ("src", "href") if key in a]
    assert [a for a in addresses if re.match(r"(https?:)?//", a)] == []
    assert not document.all("link", rel="stylesheet") and not [s for s in document.all("script") if "src" in s]


def test_links_lead_to_places_that_exist(document, written):
    ids = [a["id"] for _, a in document.elements if "id" in a]
    assert len(ids) == len(set(ids))
    for _, attributes in document.elements:
        target = attributes.get("href", "")
        if target.startswith("#"):
            assert target[1:] in ids, target
        elif target and not target.startswith("data:"):
            assert (written.folder / target).is_file(), target


def test_every_figure_is_inlined_has_a_text_and_lies_beside_the_page(document, written):
    images = document.all("img")
    assert images and all(i["src"].startswith("data:image/png;base64,") and len(i["alt"]) > 20 for i in images)
    files = [name for name in written.files if name.endswith(".png")]
    assert len(images) == 2 * len(files) >= 6
    assert all((written.folder / name).read_bytes().startswith(b"\x89PNG") for name in files)


def test_each_card_has_a_row_a_page_and_a_link_between_them(document, cards):
    rows = [a["data-id"] for a in document.all("tr") if "data-id" in a]
    pages = [a["id"].removeprefix("card-") for a in document.all("article")]
    assert sorted(rows) == sorted(pages) == sorted(cards.index)


def test_both_languages_show_the_same_numbers(written, written_pt):
    english, portuguese = (pd.read_csv(w.folder / "cards.csv") for w in (written, written_pt))
    pd.testing.assert_frame_equal(english, portuguese)
    page = written_pt.page.read_text(encoding="utf-8")
    assert '<html lang="pt">' in page and "O que mudar primeiro" in page and "What to change first" not in page
    assert "Too strong" not in page and "forte demais" in page


def test_names_keep_their_accents(written, document, cards):
    for name in cards["name"]:
        assert name in document.text
    assert "Bênção das Três Luas" in set(cards["name"])
    assert "Bênção das Três Luas" in (written.folder / "cards.csv").read_text(encoding="utf-8")


def test_the_text_never_calls_an_effect_significant(document, written_pt):
    assert not re.search("significan", document.text, re.IGNORECASE)
    assert "significativ" not in written_pt.page.read_text(encoding="utf-8")


@pytest.mark.parametrize("language", ["en", "pt"])
def test_every_column_of_every_table_is_described(written, language):
    for path in written.folder.glob("*.parquet"):
        for column in pd.read_parquet(path).columns:
            meaning, _ = description(path.stem, column, language)
            assert len(meaning) > 2


def test_every_unit_of_a_column_has_its_word_in_both_languages(written_pt):
    units = {row["unit"] for columns in described().values() for row in columns.values()}
    units |= {column.unit for columns in dictionary.tables().values() for column in columns}
    missing = {unit for unit in units - {""} if not Words("pt").has(f"unit.{unit}")}
    assert missing == set() and len(units) > 20
    page = written_pt.page.read_text(encoding="utf-8")
    section = page[page.index('<section id="data">') :]
    assert "<td>parcela</td>" in section and "<td>share</td>" not in section and "<td>times</td>" not in section


def test_csv_and_parquet_hold_the_same(written):
    for path in written.folder.glob("*.csv"):
        text, binary = pd.read_csv(path), pd.read_parquet(path.with_suffix(".parquet"))
        assert list(text.columns) == list(binary.columns) and len(text) == len(binary)


def test_unfinished_matches_above_the_limit_bring_bounds(written, document, cards):
    assert cards["bounds_needed"].any()
    assert "more than the limit of" in document.text
    assert "Counting matches without result as lost or as won" in document.text


def test_the_advantage_of_a_side_is_found_and_the_first_mover_is_not_identified(document):
    feel = document.text[document.text.index("Seat A advantage") :]
    assert "not identified" in feel[:600]


def test_the_first_mover_is_reported_where_its_order_was_drawn(simulate, tmp_path):
    truth = simulate.Truth(initiative="random", first=0.4, unfinished=0.0)
    simulate.write_run(tmp_path, truth, pairs=1500)
    page = write_report(tmp_path, formats=("html",)).page.read_text(encoding="utf-8")
    fact = page[page.index("First mover") :][:400]
    assert "not identified" not in fact
    points = float(re.search(r'class="x ">([+−][\d.]+)<', fact)[1].replace("−", "-"))
    assert 4 < points < 11


def test_a_report_is_made_again_byte_for_byte(run_folder, written, tmp_path):
    again = write_report(run_folder, "en", tmp_path)
    assert again.files == written.files
    for name in written.files:
        assert (tmp_path / name).read_bytes() == (written.folder / name).read_bytes(), name


def test_the_spec_chooses_language_and_formats(run_folder, tmp_path):
    folder = tmp_path / "run"
    shutil.copytree(run_folder, folder, ignore=shutil.ignore_patterns("report"))
    plan = json.loads((folder / "plan.json").read_text(encoding="utf-8"))
    plan["spec"]["report"] = {"language": "pt", "formats": ["html", "csv"]}
    (folder / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
    done = write_report(folder)
    assert {name.rpartition(".")[2] for name in done.files} == {"html", "csv"}
    assert '<html lang="pt">' in done.page.read_text(encoding="utf-8")


def test_all_formats_are_written_by_default(written):
    assert {name.rpartition(".")[2] for name in written.files} == set(FORMATS)


def test_no_effect_is_claimed_where_decks_do_not_differ(simulate, tmp_path):
    plan, matches, cards, meta, _ = simulate.simulate(pairs=60, decks=2)
    cards = cards[cards["team"] == 0]
    other = cards.assign(team=1, seat="b", hero=1)
    cards = pd.concat([cards, other]).sort_values("match_id", kind="stable")
    for name, table in (("matches", matches), ("cards", cards), ("pool", meta)):
        table.to_parquet(tmp_path / f"{name}.parquet", index=False)
    done = write_report(tmp_path)
    page = done.page.read_text(encoding="utf-8")
    assert "the decks differ in no card" in page
    assert set(done.verdicts) - {"none"} == {v for v, n in done.verdicts.items() if n == 0}


def test_too_few_independent_pairs_give_no_effects_but_rates(simulate, tmp_path):
    simulate.write_run(tmp_path, pairs=200, decks=200)
    done = write_report(tmp_path, formats=("html", "csv"))
    page = done.page.read_text(encoding="utf-8")
    assert "independent pairs are too few to tell 60 cards apart without false alarms" in page
    cards = pd.read_csv(tmp_path / "report" / "cards.csv")
    assert cards["effect"].isna().all() and (cards["verdict"] == "none").all()
    assert cards["standardised"].notna().all()


def test_few_decks_cannot_tell_many_cards_apart(simulate, tmp_path):
    simulate.write_run(tmp_path, simulate.Truth(cards=90), pairs=1500, decks=60)
    page = write_report(tmp_path, formats=("html",)).page.read_text(encoding="utf-8")
    assert "60 decks cannot tell 90 cards apart" in page


def test_decks_full_of_incomplete_cards_are_a_warning(simulate, tmp_path):
    truth = simulate.Truth(incomplete={k: "this clause" for k in range(20, 40)})
    simulate.write_run(tmp_path, truth, pairs=300, decks=100)
    page = write_report(tmp_path, formats=("html",)).page.read_text(encoding="utf-8")
    assert "all effects are measured in the company of incomplete cards" in page
    listed = page[page.index("Cards that are not fully simulated") :].partition("</table>")[0]
    assert listed.count("this clause") == 12 and "The 12 most played" in page


def test_swings_and_dead_hands_come_from_the_table_of_turns(simulate, tmp_path, document):
    assert "needs the table of turns" in document.text
    simulate.write_run(tmp_path, pairs=300, decks=60, turns=True)
    done = write_report(tmp_path, formats=("html", "csv", "png"))
    page = done.page.read_text(encoding="utf-8")
    assert all(words in page for words in ("Comebacks", "Decided at", "Dead hands", "When is it decided?"))
    fan = pd.read_csv(tmp_path / "report" / "win_chances.csv")
    assert (fan["p5"] <= fan["p50"]).all() and (fan["p50"] <= fan["p95"]).all()
    assert fan["p50"].iloc[0] < fan["p50"].iloc[-1]
    assert (tmp_path / "report" / "win_chance.png").is_file()


def test_decks_that_meet_often_get_a_matchup_map(simulate, tmp_path, read_page):
    simulate.write_run(tmp_path, pairs=900, decks=5)
    done = write_report(tmp_path, formats=("html", "csv", "png"))
    text = read_page(done.page.read_text(encoding="utf-8")).text
    assert "5 decks met each other" in text and "A perfectly chosen field would hold" in text
    cells = pd.read_csv(tmp_path / "report" / "matchups.csv")
    assert len(cells) == 10 and (tmp_path / "report" / "matchups.png").is_file()
