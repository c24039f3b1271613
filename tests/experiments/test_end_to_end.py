"""Runs through the real rules: the tables of the contract, the same on any number of workers and on either backend."""

import json
from itertools import combinations

import numpy as np
import pyarrow.parquet as pq
import pytest

from apotheosis.env.errors import InputError
from apotheosis.experiments import cli, dictionary, run, store
from apotheosis.experiments import plan as plans
from apotheosis.experiments.spec import load_spec

SETTINGS = {"run.pairs": 12, "run.chunk": 1, "bots.pool": ["greedy", "random"], "decks.n": 8, "run.seed": 5}


def play(folder, **settings):
    spec = load_spec(settings={**SETTINGS, "run.workers": 1, **settings})
    out, plan, pool = run.start(spec, folder)
    state = run.play(out, plan, pool)
    state.check()
    return state


def content(folder) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*.parquet"))}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    out = tmp_path_factory.mktemp("run")
    play(out)
    return out


@pytest.fixture(scope="module")
def matches(folder):
    return pq.read_table(folder / "matches.parquet").to_pandas()


@pytest.fixture(scope="module")
def cards(folder):
    return pq.read_table(folder / "cards.parquet").to_pandas()


@pytest.mark.parametrize("workers", [2, 7])
def test_the_number_of_workers_changes_no_byte(folder, tmp_path, workers):
    play(tmp_path, **{"run.workers": workers})
    assert content(tmp_path) == content(folder)


@pytest.mark.ray
@pytest.mark.parametrize("workers", [1, 2, 7])
def test_ray_changes_no_byte(folder, tmp_path, workers):
    play(tmp_path, **{"run.workers": workers, "run.backend": "ray"})
    assert content(tmp_path) == content(folder)


def test_every_issued_match_has_one_row_and_one_named_outcome(folder, matches):
    assert matches["match_id"].tolist() == list(range(24))
    assert matches["outcome"].isin(dictionary.OUTCOMES).all()
    assert run.inspect(folder).outcomes == matches["outcome"].value_counts().to_dict()
    scores = matches["outcome"].map(dictionary.SCORES).astype(float)
    np.testing.assert_array_equal(matches["score_a"], scores)
    assert (matches["decisions"] > 0).all() and (matches["legal_options_mean"] >= 2).all()


def test_the_two_matches_of_a_pair_exchange_seats_share_seeds_and_differ(matches):
    one, two = matches.iloc[0::2].reset_index(drop=True), matches.iloc[1::2].reset_index(drop=True)
    assert (one["pair_id"] == two["pair_id"]).all() and (one["seed"] == two["seed"]).all()
    for what in ("deck", "bot"):
        assert (one[f"seat_a_{what}"].astype(str) == two[f"seat_b_{what}"].astype(str)).all()
        assert (one[f"seat_b_{what}"].astype(str) == two[f"seat_a_{what}"].astype(str)).all()
    assert (one["state_hash"] != two["state_hash"]).all()


def test_every_copy_of_both_decks_has_one_row(folder, matches, cards):
    decks = {side["name"]: side["decks"][0] for side in json.loads((folder / "decks.json").read_text(encoding="utf-8"))}
    for match, rows in cards.groupby("match_id"):
        for seat, copies in rows.groupby("seat", observed=True):
            deck = decks[str(matches.loc[match, f"seat_{seat}_deck"])]
            listed = copies[copies["deck_slot"] >= 0]
            assert listed.groupby("card_id", observed=True).size().to_dict() == deck["cards"]
            assert listed["deck_slot"].tolist() == list(range(30))
            sheet = copies[copies["deck_slot"] < 0]
            extra = [] if deck["entity"] is None else [deck["entity"]]
            assert sheet["card_id"].astype(str).tolist() == [deck["house"], *deck["classes"], *extra]
            for _, same in listed.groupby("card_id", observed=True):
                assert same["copy"].tolist() == list(range(len(same)))


def test_shuffle_positions_are_a_permutation_and_the_opening_hand_is_its_top(cards):
    listed = cards[cards["deck_slot"] >= 0]
    for _, copies in listed.groupby(["match_id", "seat"], observed=True):
        assert sorted(copies["shuffle_position"]) == list(range(30))
        assert set(copies.loc[copies["opening_hand"], "shuffle_position"]) == set(range(6))
    assert cards.loc[cards["deck_slot"] < 0, "shuffle_position"].isna().all()


def test_the_shuffle_belongs_to_the_seat_not_to_the_deck(cards, matches):
    first, second = (cards[(cards["match_id"] == match) & (cards["deck_slot"] >= 0)] for match in (0, 1))
    for seat in "ab":
        places = [rows.loc[rows["seat"] == seat, "shuffle_position"].tolist() for rows in (first, second)]
        assert places[0] == places[1]


def test_the_pool_table_names_every_card_that_was_played(folder, cards):
    pool = pq.read_table(folder / "pool.parquet").to_pandas().set_index("card_id")
    assert set(cards["card_id"].astype(str)) <= set(pool.index)
    assert (pool.loc[cards["card_id"].astype(str), "suit"].astype(str).to_numpy() == cards["suit"].astype(str)).all()


def test_another_seed_gives_other_matches(folder, tmp_path):
    play(tmp_path, **{"run.seed": 6})
    one, two = (pq.read_table(out / "matches.parquet", columns=["state_hash"]) for out in (folder, tmp_path))
    assert not set(one["state_hash"].to_pylist()) & set(two["state_hash"].to_pylist())


def test_a_run_from_before_a_key_of_the_spec_existed_is_still_read(folder, tmp_path):
    for name in (store.PLAN, store.DECKS):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    data = json.loads((tmp_path / store.PLAN).read_text(encoding="utf-8"))
    for section, key, _ in plans.LATER:
        del data["spec"][section][key]
    (tmp_path / store.PLAN).write_text(json.dumps(data), encoding="utf-8")
    assert plans.load(tmp_path).fingerprint == plans.load(folder).fingerprint
    data["spec"]["design"]["common_seeds"] = False
    (tmp_path / store.PLAN).write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(InputError, match="was changed"):
        plans.load(tmp_path)


def test_changed_cards_are_refused_on_resume_and_allowed_when_asked(tmp_path, capsys):
    lab, out = tmp_path / "lab", str(tmp_path / "run")
    assert cli.main(["init", str(lab), "--quiet"]) == 0
    arguments = ["run", "--cards", str(lab / "cards"), "--matches", "8", "--set", "run.chunk=2", "--out", out]
    assert cli.main([*arguments, "--max-time", "0", "--json"]) == 5
    assert json.loads(capsys.readouterr().out)["finished"] == 0
    path = next((lab / "cards").glob("*items*.yaml"))
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("level: 1", "level: 2", 1), encoding="utf-8")
    assert cli.main(["resume", out]) == 1
    assert "have changed" in capsys.readouterr().err
    assert cli.main(["resume", out, "--allow-drift", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["finished"] == result["planned"] == 8 and result["broken_chunks"] == []
    assert "have changed" in json.loads((tmp_path / "run" / "plan.json").read_text(encoding="utf-8"))["drift"][0]


def test_a_run_folder_is_never_overwritten(folder, capsys):
    assert cli.main(["run", "--matches", "8", "--out", str(folder)]) == 1
    assert "apotheosis resume" in capsys.readouterr().err


def test_json_is_one_object_and_progress_stays_out_of_it(tmp_path, capsys):
    assert cli.main(["run", "--matches", "8", "--out", str(tmp_path / "r"), "--json"]) == 0
    captured = capsys.readouterr()
    result = json.loads(captured.out)
    assert {"out", "planned", "finished", "outcomes", "broken_chunks", "matches_per_s"} <= set(result)
    assert cli.main(["status", str(tmp_path / "r"), "--json"]) == 0
    status = json.loads(capsys.readouterr().out)
    assert {key: status[key] for key in ("planned", "finished", "outcomes")} == {
        key: result[key] for key in ("planned", "finished", "outcomes")
    }


def test_a_dry_run_writes_nothing_and_says_cost_and_power(tmp_path, capsys):
    out = tmp_path / "r"
    assert cli.main(["run", "--matches", "5000", "--out", str(out), "--dry-run", "--json", "--workers", "1"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["planned"] == 5000 and result["seconds"] > 0 and result["bytes"] > 0
    assert 0 < result["power"]["interval_95"] < result["power"]["found_80"]
    assert not out.exists()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"decks.source": "starter", "design.kind": "round_robin", "format.hero_level": 10}, "level 10"),
        ({"cards.pool": "absent.yaml"}, "absent.yaml"),
        ({"bots.pool": "gredy"}, "did you mean 'greedy'"),
    ],
)
def test_what_cannot_be_played_is_refused_before_a_folder_is_made(tmp_path, settings, message):
    spec = load_spec(settings={**SETTINGS, **settings})
    with pytest.raises(InputError, match=message):
        run.start(spec, tmp_path / "r")
    assert not (tmp_path / "r").exists()


@pytest.mark.parametrize("kind", ["round_robin", "gauntlet", "pairs"])
def test_designs_with_listed_decks(tmp_path, kind):
    settings = {"decks.source": "starter", "design.kind": kind, "run.pairs": 6, "run.chunk": 6, "bots.pool": ["random"]}
    state = play(tmp_path, **settings)
    assert state.finished == 12
    rows = pq.read_table(tmp_path / "matches.parquet", columns=["seat_a_deck", "seat_b_deck"]).to_pylist()
    met = {frozenset((row["seat_a_deck"], row["seat_b_deck"])) for row in rows}
    names = [side["name"] for side in json.loads((tmp_path / "decks.json").read_text(encoding="utf-8"))]
    expected = {
        "round_robin": {frozenset(pair) for pair in combinations(names, 2)},
        "gauntlet": {frozenset((names[0], other)) for other in names[1:]},
        "pairs": {frozenset(names[at : at + 2]) for at in range(0, len(names), 2)},
    }[kind]
    assert met <= expected and len(met) == min(6, len(expected))


def test_the_table_of_turns_belongs_to_the_same_matches(folder, tmp_path, matches):
    play(tmp_path, **{"run.turns": True})
    assert content(tmp_path)["matches.parquet"] != b"" and run.inspect(tmp_path).finished == 24
    again = pq.read_table(tmp_path / "matches.parquet").to_pandas()
    assert again["state_hash"].tolist() == matches["state_hash"].tolist()
    turns = pq.read_table(tmp_path / "turns.parquet").to_pandas()
    assert set(turns["match_id"]) == set(matches["match_id"])
    last = turns.groupby("match_id").last()
    assert (last["turn"] <= matches["turns"]).all() and (last["stint"] <= matches["stints"]).all()
    assert (turns.groupby("match_id")["turn"].diff().dropna() > 0).all()
    first = turns.groupby("match_id").first()
    # nobody is hurt before the first turn, but a mustered card may have raised the maximum by 20 (R3.2.3)
    whole = [110 / (110 + 20 * k) for k in range(4)]
    assert all(min(abs(share - one) for one in whole) < 1e-6 for share in [*first["hp_a"], *first["hp_b"]])
    assert first["hp_a"].eq(1).any() and first["hp_b"].eq(1).any()
    assert first["actor"].astype(str).tolist() == matches["first_team"].astype(str).tolist()
    assert turns[["hp_a", "hp_b"]].min().min() >= 0 and (turns["options"] >= 2).all()
    assert (turns["playable"] <= turns[["hand_a", "board_a", "hand_b", "board_b"]].sum(axis=1)).all()
    assert turns["playable"].max() > 0


def test_a_run_of_random_decks_stores_the_effect_of_every_card_and_the_report_has_it(tmp_path):
    from apotheosis.experiments.report.analysis import analyse
    from apotheosis.experiments.report.reading import open_run

    play(tmp_path, **{"run.pairs": 300, "run.chunk": 100, "bots.pool": ["random"], "decks.n": 300})
    effects = pq.read_table(tmp_path / "effects.parquet").to_pandas().set_index("card_id")
    known = effects[effects["estimable"]]
    assert len(known) > 150 and known[["effect", "se", "low", "high"]].notna().all(axis=None)
    assert (known["low"] < known["effect"]).all() and (known["effect"] < known["high"]).all()
    assert not (known["p"] < 1e-6).all()
    cards = analyse(open_run(tmp_path)).cards.set_index("card_id")
    np.testing.assert_allclose(cards["deck_effect"], effects["effect"].reindex(cards.index))


def test_a_run_without_random_decks_has_no_effects_of_decks(folder):
    assert not (folder / "effects.parquet").exists()


def test_more_cards_mean_more_random_decks():
    spec = load_spec(settings={"run.pairs": 5000})
    assert (spec.n_random_decks(200), spec.n_random_decks(900), spec.n_random_decks(9000)) == (1000, 4500, 10000)
    assert load_spec(settings={"run.pairs": 5000, "decks.n": 40}).n_random_decks(900) == 40
    assert load_spec(settings={"run.pairs": 3}).n_random_decks(900) == 6
