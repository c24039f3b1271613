"""The tables do not depend on workers, backend or luck, and every issued match ends in exactly one named outcome."""

from dataclasses import replace

import pyarrow.parquet as pq
import pytest

from apotheosis.env.errors import FailedMatches, InternalError
from apotheosis.experiments import backend_local, store
from apotheosis.experiments.plan import Side


def test_one_two_and_seven_workers_give_the_same_bytes(fake, tmp_path):
    found = []
    for workers in (1, 2, 7):
        folder = tmp_path / str(workers)
        state = fake.play_fake(folder, fake.fake_plan(**{"run.workers": workers}))
        state.check()
        assert state.finished == state.planned == 80 and not state.missing_chunks
        found.append(fake.content(folder))
    assert found[0] == found[1] == found[2]


@pytest.mark.ray
def test_ray_gives_the_same_bytes_as_local_processes(fake, tmp_path):
    fake.play_fake(tmp_path / "local", fake.fake_plan(**{"run.workers": 1}))
    fake.play_fake(tmp_path / "ray", fake.fake_plan(**{"run.workers": 2, "run.backend": "ray"}))
    assert fake.content(tmp_path / "local") == fake.content(tmp_path / "ray")


def test_a_match_that_hangs_ends_as_timeout_and_the_others_as_if_it_were_not_there(fake, tmp_path):
    plan = fake.fake_plan(pairs=12, **{"run.match_timeout": 1, "run.failed_limit": 0.5, "run.workers": 2})
    state = fake.play_fake(tmp_path / "hang", plan, fake.FakePool(hang=(9,)))
    state.check()
    assert state.outcomes.get("timeout") == 1 and state.finished == 24 and state.quarantined == 1
    reference = fake.play_fake(tmp_path / "fine", plan)
    assert reference.finished == 24
    hung, fine = (pq.read_table(tmp_path / name / "matches.parquet").to_pylist() for name in ("hang", "fine"))
    assert [row for row in hung if row["match_id"] != 9] == [row for row in fine if row["match_id"] != 9]
    assert hung[9]["outcome"] == "timeout" and hung[9]["score_a"] is None
    cards = pq.read_table(tmp_path / "hang" / "cards.parquet").to_pylist()
    assert sum(card["match_id"] == 9 for card in cards) == 2 * fake.DECK
    reasons = store.read_json(tmp_path / "hang" / "quarantine" / "000001.json")
    assert list(reasons) == ["1"] and "Timeout" in reasons["1"]["reason"]


def test_the_cards_of_matches_set_aside_are_listed_the_rarest_of_the_commonest_first(fake, tmp_path):
    plan = fake.fake_plan(pairs=12, **{"run.failed_limit": 0.5})
    decks = [["A", "X"], ["A", "B"], ["A", "B"], ["A", "B"], ["A", "C"], ["A", "C"]]
    sides = tuple(Side(f"d{at}", ({"cards": dict.fromkeys(cards, 1)},)) for at, cards in enumerate(decks))
    plan = replace(plan, sides=sides)
    rows = plan.schedule.rows(0, 12)
    with_x = [int(match) for match in rows["match_id"] if 0 in (rows["side_a"][match], rows["side_b"][match])]
    state = fake.play_fake(tmp_path, plan, fake.FakePool(raise_=tuple(with_x[:3])))
    assert state.quarantined == 3
    found = store.read_json(tmp_path / "quarantine" / "suspects.json")
    assert [entry["card_id"] for entry in found[:2]] == ["X", "A"]
    assert found[0] == {"card_id": "X", "matches": 3, "of": 3, "share_of_sides": round(1 / 6, 4)}


def test_a_match_that_kills_its_worker_ends_as_crash(fake, tmp_path):
    plan = fake.fake_plan(pairs=8, **{"run.failed_limit": 0.5})
    state = fake.play_fake(tmp_path, plan, fake.FakePool(die=(2, 3)))
    assert state.outcomes["crash"] == 2 and state.finished == 16 and state.quarantined == 2


def test_a_match_that_raises_ends_as_crash_with_its_traceback_kept(fake, tmp_path):
    plan = fake.fake_plan(pairs=8, **{"run.failed_limit": 0.5})
    state = fake.play_fake(tmp_path, plan, fake.FakePool(raise_=(5,)))
    assert state.outcomes["crash"] == 1 and state.finished == 16
    assert "ZeroDivisionError: match 5" in store.read_json(tmp_path / "quarantine" / "000000.json")["5"]["reason"]


def test_failed_matches_above_the_limit_are_an_error_of_their_own(fake, tmp_path):
    state = fake.play_fake(tmp_path, fake.fake_plan(pairs=8), fake.FakePool(raise_=(5,)))
    with pytest.raises(FailedMatches, match=r"1 of 16 matches have no result \(1 crash\)"):
        state.check()


def test_when_every_match_of_a_chunk_raises_the_lab_itself_is_to_blame(fake, tmp_path):
    with pytest.raises(InternalError, match="ZeroDivisionError"):
        fake.play_fake(tmp_path, fake.fake_plan(pairs=8), fake.FakePool(raise_=tuple(range(16))))


def test_a_stopping_rule_sees_chunks_in_issue_order_and_ends_the_run(fake, tmp_path):
    seen = []

    def decide(chunk: int) -> bool:
        seen.append(chunk)
        return chunk == 3

    state = fake.play_fake(tmp_path, fake.fake_plan(**{"run.workers": 2}), fake.FakePool(sleep_s=0.01), decide=decide)
    assert seen == [0, 1, 2, 3] and state.stopped == "decided"
    assert 4 * 8 <= state.finished < state.planned


def test_workers_that_die_before_they_begin_end_the_run_instead_of_holding_it_up(fake, tmp_path, monkeypatch):
    monkeypatch.setattr(backend_local, "serve", fake.leave)
    pool = fake.FakePool(ballast=bytes(2**20))  # more than a pipe holds
    with pytest.raises(FailedMatches, match="workers keep dying"):
        fake.play_fake(tmp_path, fake.fake_plan(pairs=4), pool)
    monkeypatch.undo()
    assert fake.play_fake(tmp_path, fake.fake_plan(pairs=4), pool).finished == 8
