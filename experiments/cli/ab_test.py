"""`apotheosis test`: two versions of cards against each other, until the question is decided."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from apotheosis.env.errors import FailedMatches, InputError
from apotheosis.experiments.cli.console import JsonFlag, QuietFlag, emit
from apotheosis.experiments.cli.units import deck_settings, parse_effect

if TYPE_CHECKING:
    from apotheosis.experiments.sequential import Ruling
    from apotheosis.experiments.spec import Spec
    from apotheosis.experiments.versions import Versions

CONFIRMED, NO_DIFFERENCE, OPEN = 0, 10, 11
CHUNK = 64
"""Pairs of a chunk: the test looks at whole chunks, so they are small."""


def test(
    spec: Annotated[Path | None, typer.Argument(help=r"Spec file (TOML); its \[test] section and format apply.")] = None,
    cards_a: Annotated[str | None, typer.Option(help="Card file with the old version (default: cards.pool).")] = None,
    cards_b: Annotated[str | None, typer.Option(help="Card file with the new version.")] = None,
    card: Annotated[str | None, typer.Option(help="Card to change with --set, instead of --cards-b.")] = None,
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="With --card: field=value, e.g. damage.constant=5; repeatable.")
    ] = None,
    bots: Annotated[str | None, typer.Option(help="Bots with commas; each plays both versions. Key: bots.pool")] = None,
    decks: Annotated[
        str | None, typer.Option(help="random, starter, or deck files with commas; those with a changed card are used.")
    ] = None,
    kind: Annotated[str | None, typer.Option(help="three_way, sprt or fixed. Key: test.kind")] = None,
    inner: Annotated[str | None, typer.Option(help="Equal up to here: 1pt, 0.01 or 7elo. Key: test.inner")] = None,
    outer: Annotated[str | None, typer.Option(help="Different from here on. Key: test.outer")] = None,
    lower: Annotated[str | None, typer.Option(help="sprt: effect under H0. Key: test.lower")] = None,
    upper: Annotated[str | None, typer.Option(help="sprt: effect under H1. Key: test.upper")] = None,
    alpha: Annotated[float | None, typer.Option(help="Chance of a false difference. Key: test.alpha")] = None,
    beta: Annotated[float | None, typer.Option(help="Chance of a missed difference. Key: test.beta")] = None,
    max_pairs: Annotated[int | None, typer.Option(help="Pairs at most. Key: test.max_pairs")] = None,
    remeasure: Annotated[
        int | None, typer.Option(help="Fresh pairs that measure a found effect; 0 for none (default: as needed).")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Seed. Key: run.seed")] = None,
    workers: Annotated[str | None, typer.Option(help="Worker processes, or auto. Key: run.workers")] = None,
    backend: Annotated[str | None, typer.Option(help="local or ray. Key: run.backend")] = None,
    address: Annotated[str | None, typer.Option(help="Address of a Ray cluster. Key: run.address")] = None,
    max_time: Annotated[str | None, typer.Option(help="Stop after this time, e.g. 2h. Key: run.max_time")] = None,
    out: Annotated[Path | None, typer.Option(help="Folder of the test; one that exists is continued.")] = None,
    json: JsonFlag = False,
    quiet: QuietFlag = False,
) -> int:
    """Test a card change against the cards as they are. Exit code 0: difference, 10: none, 11: undecided.

    Example: apotheosis test --card OakCudgel --set damage.constant=5 --max-pairs 20000 --out runs/cudgel
    """
    from apotheosis.env.cards.pool import load_pool
    from apotheosis.experiments.spec import load_spec, parse_setting
    from apotheosis.experiments.versions import compare_pools, with_settings

    if (card is None) == (cards_b is None):
        raise InputError("give either --cards-b FILE, or --card ID with --set field=value")
    if card is not None and not set_:
        raise InputError(f"--card {card} needs at least one --set field=value")
    if card is None and set_:
        raise InputError("--set changes a field of the card named by --card")
    settings: dict[str, Any] = {
        "cards.pool": cards_a,
        "bots.pool": bots,
        "run.seed": seed,
        "run.workers": workers,
        "run.backend": backend,
        "run.address": address,
        "run.max_time": max_time,
        "run.chunk": CHUNK,
        "test.kind": kind,
        "test.alpha": alpha,
        "test.beta": beta,
        "test.max_pairs": max_pairs,
    }
    margins = {"inner": inner, "outer": outer, "lower": lower, "upper": upper}
    settings |= {f"test.{key}": parse_effect(text, f"--{key}") for key, text in margins.items() if text is not None}
    settings |= deck_settings(decks)
    checked = load_spec(spec, settings)
    old = load_pool(checked.cards.pool, checked.cards.overrides)
    new = (
        with_settings(old, card, dict(map(parse_setting, set_ or [])))
        if card is not None
        else load_pool(str(cards_b), checked.cards.overrides)
    )
    return _play(checked, compare_pools(old, new), out, remeasure, json, quiet)


def _play(checked: Spec, versions: Versions, out: Path | None, remeasure: int | None, json: bool, quiet: bool) -> int:
    """Plays the test, measures a found effect again, writes and prints the result."""
    from apotheosis.experiments import door, sequential, store
    from apotheosis.experiments import versions as both_versions
    from apotheosis.experiments.progress import Progress
    from apotheosis.experiments.run import folder_for
    from apotheosis.experiments.seeds import Experiment

    folder = folder_for(checked) if out is None else out
    spec = both_versions.located(folder, versions, checked)
    listed = sequential.listed_decks(spec, versions)
    question = spec.test
    plan = sequential.make_plan(versions, spec, listed, question.max_pairs, Experiment.RUN)
    sequential.open_folder(folder, plan, versions)
    door.prepare_kernel(quiet)
    with Progress(folder.name, plan.n_matches, quiet=quiet) as progress:
        ruling, state = sequential.play_until_decided(
            folder, plan, versions, lambda tally, seen: progress.update(tally.finished, **_live(seen))
        )
    result = _result(ruling, versions, question.kind)
    pairs = sequential.confirm_pairs(ruling, question) if remeasure is None else remeasure
    if ruling.verdict in (sequential.STRONGER, sequential.WEAKER) and pairs:
        with Progress(f"{folder.name}, fresh seeds", 2 * pairs, quiet=quiet) as progress:
            result["remeasured"] = sequential.measure_again(
                folder, versions, spec, listed, pairs, lambda tally: progress.update(tally.finished)
            )
    result |= {"out": str(folder), "played": state.finished, "outcomes": state.outcomes}
    store.write_json(folder / sequential.RESULT, result | {"path": ruling.path, "question": question.model_dump()})
    emit(result, _words(result), json, quiet)
    if state.failed > state.failed_limit * max(state.finished, 1):
        raise FailedMatches(f"{state.failed} of {state.finished} matches have no result", folder)
    if ruling.verdict == sequential.UNDECIDED:
        return OPEN
    return NO_DIFFERENCE if ruling.verdict == sequential.WITHIN else CONFIRMED


def _live(ruling: Ruling | None) -> dict[str, Any]:
    """Returns what the progress display shows of a test in progress."""
    if ruling is None:
        return {}
    low, high = ruling.interval
    return {
        "LLR": round(ruling.llr, 3),
        "bounds": f"{ruling.bounds[0]:.2f}..{ruling.bounds[1]:.2f}",
        "effect": f"{100 * ruling.estimate:+.2f} ({100 * low:+.2f}..{100 * high:+.2f}) points",
    }


def _result(ruling: Ruling, versions: Versions, kind: str) -> dict[str, Any]:
    """Returns the object that `test --json` prints."""
    return {
        "verdict": ruling.verdict,
        "kind": kind,
        "llr": ruling.llr,
        "llr_upper": ruling.llr_upper,
        "llr_lower": ruling.llr_lower,
        "bounds": list(ruling.bounds),
        "pairs": ruling.pairs,
        "counts": ruling.counts,
        "estimate": ruling.estimate,
        "interval": list(ruling.interval),
        "unfinished_pairs": ruling.unfinished,
        "variance": ruling.variance,
        "rho": ruling.rho,
        "remeasured": None,
        "changes": versions.changes,
        "not_compared": list(versions.ignored),
        "not_simulated": versions.unsimulated,
    }


def _words(result: dict[str, Any]) -> str:
    """Returns the result in words."""
    said = {
        "stronger": "The new version is stronger.",
        "weaker": "The new version is weaker.",
        "within": "No difference that matters: both versions are equal within the margins.",
        "undecided": "Undecided.",
    }
    if result["kind"] == "sprt":
        said["within"] = "The new version is not better than the lower bound."
    low, high = result["interval"]
    lines = [f"{row['id']}: {row['field']} {_printed(row['old'])} -> {_printed(row['new'])}" for row in result["changes"][:8]]
    if len(result["changes"]) > len(lines):
        lines.append(f"and {len(result['changes']) - len(lines)} more changes")
    lines.append(said[result["verdict"]])
    stopped = "" if result["verdict"] == "undecided" or result["kind"] == "fixed" else ", from a test that stopped on it"
    lines.append(
        f"effect {_points(result['estimate'])} points ({_points(low)} to {_points(high)}){stopped}; {result['pairs']:,} pairs"
    )
    if result["kind"] != "fixed":
        lines.append(
            f"log likelihood ratio {result['llr']:.2f}, bounds {result['bounds'][0]:.2f} and {result['bounds'][1]:.2f}"
        )
    if result["remeasured"]:
        again = result["remeasured"]
        low, high = again["interval"]
        lines.append(
            f"measured again on {again['pairs']:,} fresh pairs: {_points(again['estimate'])} points "
            f"({_points(low)} to {_points(high)})"
        )
    for name, clause in result["not_simulated"].items():
        lines.append(f"warning: {name} is not played in full: {clause}")
    if result["not_compared"]:
        lines.append(f"{len(result['not_compared'])} cards are only in one of the files and were not compared")
    return "\n".join(lines)


def _printed(value: Any) -> str:
    """Returns a value of a card as a person reads it; what a version does not have is a dash."""
    return "\u2013" if value is None else str(value)


def _points(share: float) -> str:
    """Returns an effect in win-rate points."""
    return f"{100 * share:+.2f}".replace("-", "\u2212")
