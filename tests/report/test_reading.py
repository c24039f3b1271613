"""Run folders and foreign tables are read alike, in pieces that hold whole pairs; what is wrong with them is said."""

import pandas as pd
import pytest

from apotheosis.experiments import run
from apotheosis.experiments.cli import main
from apotheosis.experiments.report import files, reading
from apotheosis.experiments.report.builder import write_report
from apotheosis.experiments.report.reading import open_run
from apotheosis.experiments.spec import load_spec


@pytest.fixture
def small(simulate, tmp_path):
    simulate.write_run(tmp_path, pairs=120, decks=40)
    return tmp_path


@pytest.mark.parametrize("suffix", ["parquet", "csv"])
def test_pieces_hold_whole_pairs_and_lose_no_row(simulate, tmp_path, suffix, monkeypatch):
    monkeypatch.setattr(files, "PIECE_ROWS", 1000)
    simulate.write_run(tmp_path, pairs=60, decks=30, suffix=suffix)
    run = open_run(tmp_path)
    pairs, rows, pieces = [], 0, 0
    for matches, cards in run.chunks():
        assert set(cards["match_id"]) == set(matches["match_id"])
        assert (matches.groupby("pair_id").size() == 2).all()
        pairs += list(matches["pair_id"].unique())
        rows, pieces = rows + len(cards), pieces + 1
    _, _, expected, _, _ = simulate.simulate(pairs=60, decks=30)
    assert rows == len(expected) and pieces > 3
    assert sorted(pairs) == list(range(60))


def test_csv_and_parquet_give_the_same_report(simulate, tmp_path):
    tables = []
    for suffix in ("parquet", "csv"):
        folder = tmp_path / suffix
        simulate.write_run(folder, pairs=300, decks=80, suffix=suffix)
        write_report(folder, "en", formats=("csv",))
        tables.append((folder / "report" / "cards.csv").read_text(encoding="utf-8"))
    assert tables[0] == tables[1]


def test_matches_alone_give_a_report_without_cards(small):
    (small / "cards.parquet").unlink()
    (small / "plan.json").unlink()
    (small / "pool.parquet").unlink()
    done = write_report(small)
    page = done.page.read_text(encoding="utf-8")
    assert done.cards == 0 and "the run holds no table of cards" in page
    assert "Seat A advantage" in page


def test_only_the_columns_of_the_contract_are_needed(small):
    matches = pd.read_parquet(small / "matches.parquet")
    cards = pd.read_parquet(small / "cards.parquet")
    matches[list(reading.NEEDED["matches"])].to_parquet(small / "matches.parquet")
    cards[[*reading.NEEDED["cards"], "seat"]].to_parquet(small / "cards.parquet")
    (small / "pool.parquet").unlink()
    done = write_report(small)
    assert done.cards == cards["card_id"].nunique()


def test_a_card_outside_the_card_list_is_reported(small):
    pool = pd.read_parquet(small / "pool.parquet")
    pool[pool["card_id"] != "card30"].to_parquet(small / "pool.parquet")
    page = write_report(small, formats=("html",)).page.read_text(encoding="utf-8")
    assert "1 card ids of the matches are not in the card list of the run, for instance card30" in page


def test_missing_matches_are_reported(small):
    matches = pd.read_parquet(small / "matches.parquet")
    cards = pd.read_parquet(small / "cards.parquet")
    matches[matches["pair_id"] < 100].to_parquet(small / "matches.parquet")
    cards[cards["match_id"] < 200].to_parquet(small / "cards.parquet")
    page = write_report(small, formats=("html",)).page.read_text(encoding="utf-8")
    assert "240 matches were planned, 200 are in the tables" in page


def test_an_undocumented_outcome_is_reported_and_not_counted_as_a_result(small):
    matches = pd.read_parquet(small / "matches.parquet")
    matches.loc[3, "outcome"] = "rain"
    matches.to_parquet(small / "matches.parquet")
    page = write_report(small, formats=("html",)).page.read_text(encoding="utf-8")
    assert "1 matches have an outcome that is not documented: rain" in page
    assert "add up to 239, not to the 240 matches issued" in page


def damage(folder, table, change):
    frame = pd.read_parquet(folder / f"{table}.parquet")
    change(frame).to_parquet(folder / f"{table}.parquet")


@pytest.mark.parametrize(
    ("table", "change", "message"),
    [
        ("matches", lambda f: f.rename(columns={"outcome": "outcomes"}), "'outcome', which is missing; did you mean"),
        ("cards", lambda f: f.drop(columns=["drawn"]), "the table cards needs a column 'drawn'"),
        ("cards", lambda f: f.drop(columns=["seat", "team"]), "'team' or 'seat'"),
        ("cards", lambda f: f.assign(match_id=f["match_id"] + 5), "which the match table does not have"),
        ("cards", lambda f: f.sort_values("card_id", kind="stable"), "sort the card table by match_id"),
        ("matches", lambda f: pd.concat([f, f.head(1)]), "stands there twice"),
    ],
)
def test_what_is_wrong_with_a_table_is_one_sentence(small, table, change, message, capsys, monkeypatch):
    monkeypatch.setattr(files, "PIECE_ROWS", 1000)
    damage(small, table, change)
    assert main(["report", str(small)]) == 1
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1 and "Traceback" not in error


@pytest.mark.parametrize(
    "table, column, value, message",
    [
        ("matches", "match_id", "x7", "a number is needed"),
        ("matches", "match_id", "3.5", "a whole number is needed"),
        ("matches", "match_id", "", "has no match_id"),
        ("matches", "pair_id", "first", "a number is needed"),
        ("matches", "outcome", "", "a row of match 3 has no outcome"),
        ("matches", "seat_a_deck", "", "has no seat_a_deck"),
        ("cards", "card_id", "", "has no card_id"),
        ("cards", "drawn", "perhaps", "'perhaps' as drawn; write true or false"),
        ("cards", "activated", "often", "'often' as activated; a number is needed"),
        ("cards", "shuffle_position", "top", "a number is needed"),
        ("cards", "seat", "z", "allowed: a, b, A, B, 0, 1"),
    ],
)
def test_a_value_that_its_column_may_not_have_is_named(small, table, column, value, message, capsys):
    """None of these may end as a report without cards, or as a fault of the lab."""
    for name in ("matches", "cards"):
        frame = pd.read_parquet(small / f"{name}.parquet").drop(columns="team", errors="ignore").astype(object)
        if name == table:
            frame.loc[3, column] = value
        (small / f"{name}.parquet").unlink()
        frame.to_csv(small / f"{name}.csv", index=False)
    assert main(["report", str(small)]) == 1
    said = capsys.readouterr().err
    assert message in said and f"{table}.csv" in said and "Traceback" not in said


@pytest.mark.parametrize("written", [{True: "yes", False: "no"}, {True: 1, False: 0}, {True: "TRUE", False: "FALSE"}])
def test_truth_may_be_written_in_several_ways(small, written):
    before = write_report(small, formats=("csv",))
    rates = pd.read_csv(before.folder / "cards.csv")
    frame = pd.read_parquet(small / "cards.parquet")
    for name in ("opening_hand", "drawn", "placed"):
        frame[name] = frame[name].map(written)
    (small / "cards.parquet").unlink()
    frame.to_csv(small / "cards.csv", index=False)
    after = pd.read_csv(write_report(small, formats=("csv",)).folder / "cards.csv")
    pd.testing.assert_frame_equal(rates, after)


@pytest.mark.parametrize("name", ["matches.parquet", "plan.json"])
def test_an_unreadable_file_is_named(small, name, capsys):
    (small / name).write_bytes(b"not a table")
    assert main(["report", str(small)]) == 1
    assert name in capsys.readouterr().err


def test_a_folder_without_matches_is_refused(tmp_path, capsys):
    assert main(["report", str(tmp_path)]) == 1
    assert main(["report", str(tmp_path / "nowhere")]) == 1
    first, second = capsys.readouterr().err.splitlines()
    assert "holds no matches.parquet" in first and "there is no such run folder" in second


def test_a_run_without_matches_is_refused_in_one_sentence(small, capsys):
    matches = pd.read_parquet(small / "matches.parquet")
    matches.iloc[:0].to_parquet(small / "matches.parquet")
    assert main(["report", str(small)]) == 1
    assert "holds no finished match yet" in capsys.readouterr().err


def test_a_csv_table_of_only_its_head_holds_no_match(small, tmp_path, capsys):
    folder = tmp_path / "csv"
    folder.mkdir()
    pd.read_parquet(small / "matches.parquet").iloc[:0].to_csv(folder / "matches.csv", index=False)
    assert main(["report", str(folder)]) == 1
    assert "holds no finished match yet" in capsys.readouterr().err


def test_a_run_that_is_being_played_says_what_to_do_next(small, capsys):
    (small / "matches.parquet").unlink()
    assert main(["report", str(small)]) == 1
    assert f"finish it: apotheosis resume {small}" in capsys.readouterr().err


def test_a_place_that_cannot_be_written_is_named(small, capsys):
    (small / "report").write_text("in the way", encoding="utf-8")
    assert main(["report", str(small)]) == 1
    error = capsys.readouterr().err
    assert str(small / "report") in error and "exists" in error


@pytest.mark.parametrize("command", ["report", "report --synergies 3", "report --choices 2", "replay", "power"])
@pytest.mark.parametrize("fault", ["missing", "cut", "a page is damaged"])
def test_a_damaged_or_missing_match_table_is_one_sentence(tmp_path, capsys, command, fault):
    given = {"run.pairs": 60, "run.workers": 1, "bots.pool": ["random"], "decks.n": 8}
    out, plan, pool = run.start(load_spec(settings=given), tmp_path / "run")
    run.play(out, plan, pool).check()
    path = out / "matches.parquet"
    content = path.read_bytes()
    if fault == "missing":
        path.unlink()
    elif fault == "cut":
        path.write_bytes(content[:700])
    else:  # all that lies before the footer
        path.write_bytes(content[:4] + bytes(len(content) // 2) + content[4 + len(content) // 2 :])
    name, *options = command.split()
    arguments = {"report": [str(out)], "replay": ["1", "--run", str(out)], "power": ["--effect", "2pt", "--from", str(out)]}
    assert main([name, *arguments[name], *options]) == 1
    said = capsys.readouterr().err
    assert said.startswith("Error: ") and said.count("\n") == 1
    assert ("matches.parquet" in said) and ("internal" not in said)
