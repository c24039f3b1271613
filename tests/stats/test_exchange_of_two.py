"""The 2 x 2 exchange of two cards, on coins of known bias and from spec to report (METHOD section 2d)."""

import numpy as np
import pandas as pd
import pytest

from apotheosis.experiments import cli, plan, run
from apotheosis.experiments.report.analysis import analyse
from apotheosis.experiments.report.exchange_of_two import Together, together_section
from apotheosis.experiments.report.reading import open_run
from apotheosis.experiments.report.wording import Words
from apotheosis.experiments.spec import load_spec
from apotheosis.experiments.stats import power, synergy

CARD, PARTNER, TRUTH = "OakCudgel", "ReedBow", 0.06
PAIRS = 24_000


@pytest.fixture(autouse=True)
def same_code(monkeypatch):
    """Keeps the fingerprint of a plan the same when a source file is saved while the tests run."""
    monkeypatch.setattr(plan, "code_version", lambda *_: {"version": "0", "sources": "fixed"})


def play(folder, coin, name, pairs, **settings):
    given = {
        "run.name": name, "run.workers": 1, "run.pairs": pairs, "run.chunk": 1000, "run.failed_limit": 1.0,
        "design.kind": "swap", "design.card": CARD, "design.partner": PARTNER, "decks.n": 12, **settings,
    }  # fmt: skip
    out, made, pool = run.start(load_spec(settings=given), folder)
    run.play(out, made, pool, player=coin.PLAYER)
    return out


def answer(folder):
    found = analyse(open_run(folder)).exchange
    assert isinstance(found, Together)
    return found


def test_the_worth_of_two_cards_together_and_alone_is_found(tmp_path, coin, capsys):
    out = play(tmp_path / "run", coin, f"pair+{TRUTH}", PAIRS)
    found = answer(out)
    effects = found.found
    assert effects.units == PAIRS // 4 and effects.unfinished == 0
    assert effects.together.covers(TRUTH) and effects.first.covers(coin.FIRST) and effects.second.covers(coin.SECOND)
    assert effects.both.covers(coin.FIRST + coin.SECOND + TRUTH)
    assert effects.together.estimate == pytest.approx(
        effects.both.estimate - effects.first.estimate - effects.second.estimate, abs=1e-12
    )
    assert found.verdict == "too_strong" and effects.p < 1e-6
    assert effects.together.se < power.standard_error(2 * PAIRS, "contrast"), "shared seeds save matches"
    assert cli.main(["report", str(out), "--replays", "0", "--quiet"]) == 0
    page = (out / "report" / "report.html").read_text(encoding="utf-8")
    head = page[page.index('<section id="first">') : page.index('<section id="trust">')]
    assert "p = 0.000" in head and "worth more together" in head and "beyond what each is worth alone" in head
    assert cli.main(["report", str(out), "--replays", "0", "--quiet", "--language", "pt"]) == 0
    assert "valem mais juntas" in (out / "report" / "report.html").read_text(encoding="utf-8")
    capsys.readouterr()


def test_cards_that_merely_add_up_are_not_called_a_pair(tmp_path, coin):
    found = answer(play(tmp_path, coin, "pair+0.0000001", PAIRS))
    together = found.found.together
    assert abs(together.estimate) < 3 * together.se and found.verdict in ("within", "undecided")
    assert found.found.first.low > 0 and found.found.second.low > 0


def test_a_card_that_the_bots_do_not_use_decides_nothing(tmp_path, coin):
    """All arms are the same coin on the same seeds: every difference is zero, and no width can be claimed for it."""
    found = answer(play(tmp_path, coin, "coin", 400))
    section = together_section(found, Words("en"))
    assert found.found.together.estimate == found.found.together.se == 0
    assert "says nothing" in section["answer"] and "no more and no less" not in " ".join(section["says"])


def test_matches_without_result_leave_the_effect_and_widen_its_bounds(tmp_path, coin):
    found = answer(play(tmp_path, coin, f"pair+{TRUTH} crash0.01", 4000)).found
    assert 0 < found.unfinished < found.units and found.units + found.unfinished == 1000
    assert found.low_bound < found.together.estimate < found.high_bound


def test_chunks_that_cut_a_comparison_in_two_change_nothing(tmp_path, coin):
    one, two = (answer(play(tmp_path / str(chunk), coin, f"pair+{TRUTH}", 1200, **{"run.chunk": chunk})) for chunk in (7, 1200))
    assert one.found == two.found


def test_the_dry_run_says_how_well_a_pair_would_be_known(tmp_path, capsys):
    argv = ["run", "--dry-run", "--bots", "random", "--pairs", "4000", "--out", str(tmp_path / "never")]
    argv += ["--set", "design.kind=swap", "--set", f"design.card={CARD}", "--set", f"design.partner={PARTNER}"]
    assert cli.main(argv) == 0
    said = capsys.readouterr().out
    assert f"{CARD} with {PARTNER}, beyond both alone: win rate known to about ±4.4 points" in said


def test_precision_that_is_promised_is_kept():
    """Independent matches of even strength: the standard error of the contrast is the one that `power` states."""
    rng, units = np.random.default_rng(3), 40_000
    arms = []
    for _ in range(4):
        score = rng.integers(0, 2, (units, 2)).mean(axis=1)
        arms.append(pd.DataFrame({"score": score, "low": score, "high": score}))
    found = synergy.pair_effect(arms)
    assert found.together.se == pytest.approx(power.standard_error(8 * units, "contrast"), rel=0.02)
    assert found.low_bound == found.high_bound == pytest.approx(found.together.estimate)
