"""Two runs compared: what was changed is found, what was not is not, and shared matches are used as pairs."""

import json
import shutil

import numpy as np
import pandas as pd
import pytest

from apotheosis.experiments.cli import main
from apotheosis.experiments.report import reading
from apotheosis.experiments.report.analysis import analyse
from apotheosis.experiments.report.compare import write_comparison
from apotheosis.experiments.report.differences import differences
from apotheosis.experiments.report.reading import open_run
from apotheosis.experiments.stats.intervals import cluster_mean


@pytest.fixture(scope="module")
def folders(simulate, tmp_path_factory):
    """Two runs with the same decks, bots and seeds: one strong card was made plain and its AP and Score were raised."""
    folder = tmp_path_factory.mktemp("compare")
    old, new = folder / "old", folder / "new"
    simulate.write_run(old, simulate.Truth(unfinished=0.0), pairs=1500)
    simulate.write_run(new, simulate.Truth(strong={27: 0.0, 41: -0.42}, unfinished=0.0), pairs=1500)
    pool = pd.read_parquet(new / "pool.parquet")
    pool.loc[pool["card_id"] == "card27", ["action", "score"]] += 2
    pool.to_parquet(new / "pool.parquet")
    return old, new


@pytest.fixture(scope="module")
def compared(folders):
    return write_comparison(*folders)


def test_the_changed_card_is_found_and_no_other(compared, read_page):
    assert compared.changed == ["card27"]
    page = compared.page.read_text(encoding="utf-8")
    document = read_page(page)
    assert document.errors == []
    assert "The effect of 1 card was shown to have changed. 1 card differs in print." in document.text
    assert "Before: too strong." in document.text
    assert "AP 4 → 6" in document.text


def test_the_table_holds_both_effects_and_their_difference(compared):
    table = pd.read_csv(compared.page.parent / "changes.csv").set_index("card_id")
    assert len(table) == 60
    row = table.loc["card27"]
    assert row["change"] == pytest.approx(row["effect_new"] - row["effect_old"], abs=1e-5)
    assert row["change_low"] < row["change"] < row["change_high"] < 0
    assert row["q"] < 0.1 and (table.drop("card27")["q"] > 0.1).all()


def test_shared_matches_are_compared_as_pairs(folders):
    old, new = (analyse(open_run(folder)) for folder in folders)
    found = differences(old, new)
    assert found.shared == 3000
    outcome = [pd.read_parquet(folder / "matches.parquet")["outcome"].to_numpy() for folder in folders]
    assert found.other_end == pytest.approx((outcome[0] != outcome[1]).mean())
    side = next(m for m in found.measures if m.name == "side")
    assert side.change.estimate == pytest.approx(side.after - side.before)
    assert side.change.se < 0.6 * old.game.side.se


@pytest.mark.parametrize("rows", [(7, 7), (7, 500), (500, 7)])
def test_pieces_of_any_size_give_the_numbers_of_whole_tables(folders, monkeypatch, rows):
    old, new = (analyse(open_run(folder)) for folder in folders)
    sizes = dict(zip(folders, rows, strict=True))
    pieces = reading.read_parts
    monkeypatch.setattr(reading, "read_parts", lambda path, columns, *_: pieces(path, columns, sizes[path.parent]))
    found = {m.name: m for m in differences(old, new).measures}
    one, two = (pd.read_parquet(folder / "matches.parquet") for folder in folders)
    known = one["score_a"].notna() & two["score_a"].notna()
    for name, before, after in (
        ("side", one["score_a"] - 0.5, two["score_a"] - 0.5),
        ("decisions", one["decisions"], two["decisions"]),
        ("draws", one["outcome"] == "draw", two["outcome"] == "draw"),
    ):
        before, after = before.astype(float)[known], after.astype(float)[known]
        whole = cluster_mean(after - before, one["pair_id"][known])
        change = found[name].change
        numbers = ("estimate", "low", "high", "se", "n")
        assert np.allclose([getattr(change, key) for key in numbers], [getattr(whole, key) for key in numbers])
        assert found[name].before == pytest.approx(before.mean()) and found[name].after == pytest.approx(after.mean())


def test_matches_that_one_run_lacks_are_not_shared(folders, tmp_path):
    old, new = folders
    matches = pd.read_parquet(new / "matches.parquet")
    kept = matches[(matches["match_id"] % 10 != 3) & (matches["match_id"] < 2400)]
    for name in ("plan.json", "pool.parquet"):
        (tmp_path / name).write_bytes((new / name).read_bytes())
    kept.to_parquet(tmp_path / "matches.parquet")
    cards = pd.read_parquet(new / "cards.parquet")
    cards[cards["match_id"].isin(kept["match_id"])].to_parquet(tmp_path / "cards.parquet")
    found = differences(analyse(open_run(old)), analyse(open_run(tmp_path)))
    assert found.shared == len(kept) == 2160


def test_runs_with_other_seeds_are_compared_in_their_averages(simulate, folders, tmp_path):
    simulate.write_run(tmp_path, simulate.Truth(unfinished=0.0), pairs=1500, seed=8)
    matches = pd.read_parquet(tmp_path / "matches.parquet")
    matches.assign(seed=matches["seed"] + 100_000).to_parquet(tmp_path / "matches.parquet")
    done = write_comparison(folders[0], tmp_path, "pt")
    page = done.page.read_text(encoding="utf-8")
    assert done.shared == 0
    assert "Só nas médias" in page and "run.seed" in page


def with_code(folder, target, code):
    shutil.copytree(folder, target)
    plan = json.loads((target / "plan.json").read_text(encoding="utf-8"))
    plan["code"] = {"version": "1", "sources": code}
    (target / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
    return target


def test_runs_under_other_rules_are_said_to_be(folders, tmp_path):
    one, other, same = (with_code(folders[0], tmp_path / name, name[0]) for name in ("a", "b", "a2"))
    page = write_comparison(one, other).page.read_text(encoding="utf-8")
    assert "the rules, bots or readings of cards have changed between the runs" in page
    assert "have changed between the runs" not in write_comparison(one, same).page.read_text(encoding="utf-8")


def test_cards_without_a_list_do_not_differ_in_print(folders, tmp_path, read_page):
    bare = tmp_path / "bare"
    shutil.copytree(folders[1], bare)
    (bare / "pool.parquet").unlink()
    text = read_page(write_comparison(folders[0], bare).page.read_text(encoding="utf-8")).text
    assert "0 cards differ in print" in text


def test_a_run_compared_with_itself_shows_no_change(folders, tmp_path):
    done = write_comparison(folders[0], folders[0], out=tmp_path)
    table = pd.read_csv(tmp_path / "changes.csv")
    assert done.changed == [] and table["change"].abs().max() == 0
    assert "0.0&nbsp;%" in done.page.read_text(encoding="utf-8").replace("\u00a0", "&nbsp;")


def test_the_command_prints_one_object(folders, tmp_path, capsys):
    assert main(["compare", *map(str, folders), "--out", str(tmp_path), "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["changed"] == ["card27"] and printed["shared_matches"] == 3000


@pytest.mark.browser
def test_the_page_is_silent_sortable_and_fits_a_phone(compared, browser):
    page = browser.open(compared.page, 390)
    assert page.complaints() == []
    assert page.run("document.documentElement.scrollWidth") == 390
    page.click('#cards th[data-c="before"] button')
    values = page.run(
        "[...document.querySelectorAll('#cards tbody tr')].map(r => +r.cells["
        "[...document.querySelectorAll('#cards thead th')].findIndex(h => h.dataset.c === 'before')].dataset.v)"
    )
    assert values == sorted(values, reverse=True)
    page.type("#search", "acude a deriva")
    assert page.run("document.querySelector('#count').textContent") == "1 of 60 cards"
