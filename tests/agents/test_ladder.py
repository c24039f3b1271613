"""The ladder: a round robin in mirrored pairs, rated jointly."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from apotheosis.agents.base import make_bot
from apotheosis.agents.bots.duel import mirrored, play_all
from apotheosis.agents.ladder import match_columns, play_ladder
from apotheosis.env.arena import Dealer
from apotheosis.env.cards.pool import load_pool
from apotheosis.env.errors import InputError
from apotheosis.env.match import Match
from apotheosis.env.rules.codes import Outcome
from apotheosis.experiments.cli import main


class FirstLegal:
    """A bot outside the kernel: the canonical answer."""

    name = "first"

    def act(self, match, mask, rng):
        return int(np.flatnonzero(mask)[0])

    def act_many(self, arena, rows, rng):
        return arena.masks[rows].argmax(1).astype(np.int64)


@pytest.fixture(scope="module")
def dealer():
    return Dealer(load_pool(), bank=60)


def test_mirrored_lineups_exchange_the_decks_of_the_sides(dealer):
    lineups, _ = dealer.deal(np.random.default_rng(1), 3)
    swapped = mirrored(lineups)
    np.testing.assert_array_equal(swapped["cards"][:, 0], lineups["cards"][:, 1])
    np.testing.assert_array_equal(swapped["cards"][:, 1], lineups["cards"][:, 0])
    np.testing.assert_array_equal(mirrored(swapped)["cards"], lineups["cards"])


def test_matches_stepped_side_by_side_end_like_single_ones(dealer):
    lineups, seeds = dealer.deal(np.random.default_rng(2), 6)
    bots = (FirstLegal(), make_bot("greedy"))
    values = play_all(dealer, lineups, seeds, bots, np.random.default_rng(3))
    for i in range(6):
        match = Match(dealer.pool, lineups[i : i + 1], seeds[i])
        while not match.over:
            match.apply(bots[match.seat].act(match, match.mask(), np.random.default_rng(0)))
        expected = {Outcome.WIN_A: 1, Outcome.WIN_B: -1}.get(match.outcome, 0)
        assert values[i] == expected


def test_kernel_bots_play_the_same_batched_and_stepped(dealer):
    lineups, seeds = dealer.deal(np.random.default_rng(4), 10)
    batched = play_all(dealer, lineups, seeds, (make_bot("greedy"), make_bot("random")), np.random.default_rng(0))
    for i in range(10):
        match = Match(dealer.pool, lineups[i : i + 1], seeds[i])
        while not match.over:
            match.apply(match.choose("greedy" if match.seat == 0 else "random"))
        assert batched[i] == {Outcome.WIN_A: 1, Outcome.WIN_B: -1}.get(match.outcome, 0)


def test_columns_count_each_match_once_with_seats_exchanged(dealer):
    meetings = play_ladder(dealer, ["random", "greedy"], 20, seed=5)
    table = pd.DataFrame(match_columns(meetings))
    assert len(table) == 40
    assert (table.groupby("pair_id")["seat_a_bot"].nunique() == 2).all()
    greedy = np.where(table["seat_a_bot"] == "greedy", table["score_a"], 1 - table["score_a"])
    assert greedy.mean() == pytest.approx(1 - meetings[0].values.mean())
    assert greedy.mean() > 0.8


@pytest.mark.parametrize(
    ("names", "pairs", "message"),
    [(["random"], 5, "two bots"), (["random", "random"], 5, "twice"), (["random", "gredy"], 5, "greedy"),
     (["random", "greedy"], 0, "one pair")],
)  # fmt: skip
def test_wrong_ladders_are_refused(dealer, names, pairs, message):
    with pytest.raises(InputError, match=message):
        play_ladder(dealer, names, pairs, seed=6)


def test_the_command_rates_greedy_above_random_and_writes_its_tables(tmp_path, capsys):
    out = tmp_path / "ladder"
    arguments = ["ladder", "--bots", "random,greedy", "--pairs", "60", "--seed", "3", "--out", str(out), "--json"]
    assert main([*arguments, "--quiet"]) == 0
    found = json.loads(capsys.readouterr().out)
    rating = {row["bot"]: row for row in found["ratings"]}
    assert rating["random"]["elo"] == 0
    assert rating["greedy"]["low"] > 100
    assert {"a", "b", "score_a", "low", "high", "n_pairs"} <= set(found["pairs"][0])
    assert found["pairs"][0]["n_pairs"] == 60
    assert {path.name for path in out.iterdir()} == {"ratings.csv", "pairs.csv", "matches.csv"}


def test_the_command_names_an_unknown_bot(capsys):
    assert main(["ladder", "--bots", "random,gredy", "--quiet"]) == 1
    assert "greedy" in capsys.readouterr().err
