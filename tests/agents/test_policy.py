"""Learned bots: trained by self-play, saved as one file, the same bot when loaded again."""

from __future__ import annotations

import json

import numpy as np
import pytest

from apotheosis.agents.base import Bot, make_bot
from apotheosis.agents.bots.duel import play_pairs
from apotheosis.env import observe
from apotheosis.env.arena import Dealer
from apotheosis.env.cards.pool import load_pool
from apotheosis.env.errors import InputError
from apotheosis.env.match import Match
from apotheosis.env.rules.codes import Act
from apotheosis.env.vector import VectorArena

torch = pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")

from apotheosis.agents.policy import policy_file  # noqa: E402
from apotheosis.agents.policy.network import ArenaNetwork  # noqa: E402
from apotheosis.agents.policy.self_play import SelfPlayEnv  # noqa: E402
from apotheosis.agents.policy.training import TrainingSettings, train  # noqa: E402

QUICK = {"minutes": None, "matches": 8, "horizon": 32, "batch": 64, "epochs": 2, "self_every": 1}


@pytest.fixture(scope="module")
def pool():
    return load_pool()


@pytest.fixture(scope="module")
def trained(pool, tmp_path_factory):
    path = tmp_path_factory.mktemp("policy") / "bot.pt"
    states = []
    train(path, TrainingSettings(steps=1024, seed=3, **QUICK), pool, show=states.append)
    return path, states


def observations(pool, n=16, moves=12):
    arena = VectorArena(n, pool, seed=4)
    rng = np.random.default_rng(5)
    for _ in range(moves):
        arena.step((rng.random(arena.masks.shape) * arena.masks).argmax(1))
    return {name: array.copy() for name, array in arena.observe().items()}, arena.masks.copy()


def test_training_reports_its_progress_and_adds_past_selves(trained):
    _, states = trained
    assert [state.updates for state in states] == list(range(1, len(states) + 1))
    assert states[-1].steps >= 1024 - 8 * 32
    assert set(states[-1].scores) == {"random", "greedy", "self"}
    assert all(0 <= score <= 1 for score in states[-1].scores.values())


def test_a_reloaded_policy_gives_the_same_answers(trained, pool):
    path, _ = trained
    first, second = policy_file.load_policy(path, pool), policy_file.load_policy(path, pool)
    assert isinstance(first, Bot)
    seen, masks = observations(pool)
    rng = np.random.default_rng(0)
    np.testing.assert_array_equal(first.scores(seen), second.scores(seen))
    np.testing.assert_array_equal(first.answers(seen, masks, rng), second.answers(seen, masks, rng))


def test_training_changes_the_network_and_the_same_seed_changes_it_the_same_way(trained, pool, tmp_path):
    path, _ = trained
    again = tmp_path / "again.pt"
    train(again, TrainingSettings(steps=1024, seed=3, **QUICK), pool)
    one, two = policy_file.read_policy(path).network, policy_file.read_policy(again).network
    assert all(torch.equal(one[name], two[name]) for name in one)
    other = tmp_path / "other.pt"
    train(other, TrainingSettings(steps=1024, seed=4, **QUICK), pool)
    assert any(not torch.equal(weight, one[name]) for name, weight in policy_file.read_policy(other).network.items())


def test_training_goes_on_from_a_file(trained, pool, tmp_path):
    path, _ = trained
    longer = tmp_path / "longer.pt"
    train(longer, TrainingSettings(steps=512, seed=6, **QUICK), pool, resume=path)
    before, after = policy_file.read_policy(path), policy_file.read_policy(longer)
    assert after.notes["steps"] > before.notes["steps"]
    assert any(not torch.equal(weight, before.network[name]) for name, weight in after.network.items())


def test_answers_are_legal_alone_and_in_batches(trained, pool):
    path, _ = trained
    bot = make_bot(f"ppo:{path}", pool)
    rng = np.random.default_rng(7)
    arena = VectorArena(12, pool, seed=8)
    for _ in range(20):
        codes = bot.act_many(arena, np.arange(12), rng)
        assert (arena.masks[np.arange(12), codes] == 1).all()
        arena.step(codes)
    lineups, seeds = Dealer(pool).deal(rng)
    match = Match(pool, lineups, seeds[0])
    for _ in range(20):
        match.apply(bot.act(match, match.mask(), rng))


def test_empty_rows_do_not_change_scores(pool):
    network = ArenaNetwork().eval()
    seen, _ = observations(pool)
    bot = policy_file.PolicyBot("bot", network)
    alone = np.concatenate([bot.scores({name: array[i : i + 1] for name, array in seen.items()}) for i in range(16)])
    np.testing.assert_allclose(bot.scores(seen)[:, : Act.CARD], alone[:, : Act.CARD], atol=1e-4)


def test_scores_follow_the_row_of_the_card(pool):
    """Two own cards that change places in the table change places in the scores: the network points at rows."""
    torch.manual_seed(1)
    network = ArenaNetwork().eval()
    network.plain.weight.data.zero_()
    network.plain.bias.data.zero_()
    seen, _ = observations(pool, n=1)
    rows = [row for row in range(5, 35)]
    swapped = {name: array.copy() for name, array in seen.items()}
    swapped["cards"][0, rows] = seen["cards"][0, rows[::-1]]
    bot = policy_file.PolicyBot("bot", network)
    one, two = bot.scores(seen)[0, Act.CARD :][rows], bot.scores(swapped)[0, Act.CARD :][rows[::-1]]
    np.testing.assert_allclose(one, two, atol=1e-4)
    assert one.std() > 0


def test_a_policy_of_another_schema_is_refused(trained, tmp_path):
    path, _ = trained
    policy = policy_file.read_policy(path)
    policy.schema = "0" * 16
    policy_file.save_policy(tmp_path / "old.pt", policy)
    with pytest.raises(InputError, match="another schema"):
        make_bot(f"ppo:{tmp_path / 'old.pt'}")


def test_what_is_no_policy_is_refused_in_one_sentence(tmp_path):
    (tmp_path / "bad.pt").write_bytes(b"not a policy")
    with pytest.raises(InputError, match="not a policy file"):
        make_bot(f"ppo:{tmp_path / 'bad.pt'}")
    torch.save({"a": 1}, tmp_path / "dict.pt")
    with pytest.raises(InputError, match="not a policy file"):
        make_bot(f"ppo:{tmp_path / 'dict.pt'}")
    with pytest.raises(InputError, match="no such policy file"):
        make_bot("ppo:nowhere.pt")
    with pytest.raises(InputError, match="ppo:PATH"):
        make_bot("ppo")


def test_the_card_numbers_of_other_cards_are_hidden_from_a_policy(trained, pool):
    path, _ = trained
    stranger = policy_file.load_policy(path)
    stranger.knows_cards = False
    seen, _ = observations(pool)
    renumbered = {name: array.copy() for name, array in seen.items()}
    cards = renumbered["cards"][..., 3]
    cards[cards >= 0] = (cards[cards >= 0] + 7) % len(pool)
    np.testing.assert_array_equal(stranger.scores(seen), stranger.scores(renumbered))
    acquainted = policy_file.load_policy(path, pool)
    assert not np.array_equal(acquainted.scores(seen), acquainted.scores(renumbered))


def test_the_learner_is_always_asked_and_its_results_are_counted(pool):
    env = SelfPlayEnv(16, [make_bot("random"), make_bot("greedy")], pool, shaping=0.0, seed=9)
    env.add_opponent(policy_file.PolicyBot("self-0", ArenaNetwork(), sample=True))
    rng = np.random.default_rng(10)
    total, ended = 0.0, 0
    for _ in range(150):
        assert (env.arena.seats == env.learner).all()
        masks = env.action_masks()
        _, rewards, done, _ = env.step((rng.random(masks.shape) * masks).argmax(1))
        assert (rewards[~done] == 0).all()
        total += rewards.sum()
        ended += int(done.sum())
    assert ended == sum(opponent.matches for opponent in env.opponents)
    assert {0, 1} == set(env.learner.tolist())
    assert total < 0
    assert all(opponent.matches > 0 for opponent in env.opponents)


def test_stronger_opponents_are_drawn_more_often(pool):
    env = SelfPlayEnv(8, [make_bot("random"), make_bot("greedy")], pool, seed=11)
    env.opponents[0].score, env.opponents[1].score = 0.95, 0.05
    drawn = []
    for _ in range(60):
        env._assign(env.arena, np.arange(8))
        drawn += env._next_against.tolist()
    assert np.mean(drawn) > 0.8


def test_shaping_pays_the_change_of_the_hp_margin(pool):
    env = SelfPlayEnv(16, [make_bot("random")], pool, shaping=1.0, seed=12)
    rng = np.random.default_rng(13)
    for _ in range(60):
        before = env._hp_margins()
        masks = env.action_masks()
        _, rewards, done, _ = env.step((rng.random(masks.shape) * masks).argmax(1))
        np.testing.assert_allclose(rewards[~done], (env._hp_margins() - before)[~done], atol=1e-6)


def test_duels_of_a_policy_give_pair_scores(trained, pool):
    path, _ = trained
    dealer = Dealer(pool, bank=20)
    scores = play_pairs(dealer, make_bot(f"ppo:{path}", pool), make_bot("random"), 12, seed=14)
    assert scores.shape == (12, 2)
    assert set(scores.ravel()) <= {0, 0.5, 1}


@pytest.mark.slow
def test_two_minutes_of_training_beat_random_play(pool, tmp_path):
    path = tmp_path / "bot.pt"
    train(path, TrainingSettings(minutes=None, steps=30_000, seed=1), pool)
    scores = play_pairs(Dealer(pool, bank=100), make_bot(f"ppo:{path}", pool), make_bot("random"), 200, seed=15).mean(1)
    assert scores.mean() - 1.96 * scores.std() / 200**0.5 > 0.6


def test_the_command_trains_saves_and_prints_one_json_object(tmp_path, capsys):
    from apotheosis.experiments.cli import main

    out = tmp_path / "cli.pt"
    assert main(["train", "--out", str(out), "--steps", "2100", "--seed", "2", "--json", "--quiet"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["out"] == str(out)
    assert answer["steps"] >= 2048
    assert policy_file.read_policy(out).schema == observe.schema_hash()


def test_the_command_refuses_an_unknown_opponent(tmp_path, capsys):
    from apotheosis.experiments.cli import main

    assert main(["train", "--out", str(tmp_path / "x.pt"), "--opponents", "gredy"]) == 1
    assert "greedy" in capsys.readouterr().err
