"""Draws the figures of validation.md from the simulators of tests/stats: `python docs/validation_figures.py`.

Each figure shows one trap with known truth and what the lab does about it. Seeds are fixed, so the figures repeat.
"""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT.parent / "tests" / "stats"))

import simulate  # noqa: E402 - the simulators lie beside the tests that use them

from apotheosis.experiments.stats import adjusted, cards, confidence_sequence, sprt  # noqa: E402

BLUE, ORANGE, GREY, GREEN = "#0072B2", "#D55E00", "#777777", "#009E73"
"""Colours of Okabe and Ito, which colour-blind readers can tell apart."""


def confounding(path: Path) -> None:
    """Null cards that a strong bot prefers: raw rates against adjusted effects."""
    world = simulate.card_world(3000, 60, np.zeros(60), seed=7, deck_size=15, bot_strength=(0.0, 1.5), confounding=1.0)
    games = world.counts_a.sum(axis=0) + world.counts_b.sum(axis=0)
    raw = (world.y @ world.counts_a + (1 - world.y) @ world.counts_b) / games - 0.5
    table = adjusted.effects(adjusted.fit(world.design()))
    figure, axes = plt.subplots(1, 2, figsize=(9, 4.2), sharey=True)
    at = np.arange(60)
    for axis, centre, half, colour, title in (
        (axes[0], raw, 1.96 * np.sqrt(0.25 / games), ORANGE, "Raw win rate minus one half"),
        (axes[1], table["effect"], table["high"] - table["effect"], BLUE, "Adjusted effect"),
    ):
        wrong = np.abs(centre) > half
        axis.errorbar(at, 100 * centre, 100 * half, fmt="none", ecolor=GREY, elinewidth=0.8)
        axis.scatter(at[~wrong], 100 * centre[~wrong], s=16, color=colour, marker="o", label="interval holds 0")
        axis.scatter(at[wrong], 100 * centre[wrong], s=26, color="black", marker="x", label="false alarm")
        axis.axhline(0, color=GREY, linewidth=0.8)
        axis.set_title(f"{title}: {wrong.sum()} false alarms of 60", fontsize=10)
        axis.set_xlabel("card, from the strong bot's favourite to its least")
        axis.legend(fontsize=8, frameon=False)
    axes[0].set_ylabel("points")
    _save(figure, path)


def windows(path: Path) -> None:
    """Improvement when drawn against the fixed-window effect, for a null card and a good one."""
    truths, shown = (0.0, 0.086), []
    for truth in truths:
        runs = [
            cards.metrics(cards.tally(*simulate.drawing_world(2000, truth, 300 + run))).set_index("card_id").loc["x"]
            for run in range(60)
        ]
        shown.append(([row["iwd"] for row in runs], [row["window"] for row in runs]))
    figure, axis = plt.subplots(figsize=(7, 3.6))
    for place, (truth, (iwd, window)) in enumerate(zip(truths, shown, strict=True)):
        for offset, values, colour, label in (
            (-0.15, iwd, ORANGE, "improvement when drawn"),
            (0.15, window, BLUE, "window effect"),
        ):
            jitter = np.random.default_rng(1).normal(0, 0.03, len(values))
            axis.scatter(place + offset + jitter, 100 * np.array(values), s=12, color=colour, alpha=0.6,
                         marker="s" if colour == ORANGE else "o", label=label if place == 0 else None)  # fmt: skip
        axis.plot([place - 0.35, place + 0.35], [100 * truth] * 2, color="black", linewidth=1.5)
    axis.set_xticks([0, 1], ["card without effect", "card worth 8.6 points when seen early"])
    axis.set_ylabel("points")
    axis.set_title("60 runs of 2,000 matches; black lines are the truth", fontsize=10)
    axis.legend(fontsize=8, frameon=False)
    _save(figure, path)


def peeking(path: Path) -> None:
    """A watched interval and a watched confidence sequence on the same pairs of equal versions."""
    rng = np.random.default_rng(12)
    pairs, runs = 5000, 400
    scores = simulate.pair_stream(rng, runs, pairs, 0.5)
    n = np.arange(1, pairs + 1)
    mean = np.cumsum(scores, axis=1) / n
    sd = np.sqrt(np.maximum(np.cumsum(scores**2, axis=1) / n - mean**2, 1e-12))
    fixed, band = 1.96 * sd / np.sqrt(n), confidence_sequence.radius(sd, n)
    late = slice(99, None)
    figure, axis = plt.subplots(figsize=(7, 3.6))
    for half, colour, style, label in ((fixed, ORANGE, "--", "95 % interval"), (band, BLUE, "-", "confidence sequence")):
        missed = np.cumsum((np.abs(mean - 0.5) > half)[:, late], axis=1) > 0
        axis.plot(n[late], 100 * missed.mean(axis=0), color=colour, linestyle=style, label=label)
    axis.axhline(5, color=GREY, linewidth=0.8)
    axis.set_xlabel("pairs played, looking after each of them")
    axis.set_ylabel("runs with a false alarm so far (%)")
    axis.set_title("Two equal versions, 400 runs", fontsize=10)
    axis.legend(fontsize=8, frameon=False)
    _save(figure, path)


def lengths(path: Path) -> None:
    """Expected games of the sequential test over the true effect, formula and simulation."""
    rng = np.random.default_rng(13)
    s0, s1 = 0.5, 0.52
    effects = np.linspace(-0.01, 0.04, 26)
    predicted = [2 * sprt.expected_pairs(0.5 + effect, s0, s1)[0] for effect in effects]
    points = np.array([-0.01, 0.0, 0.01, 0.02, 0.03, 0.04])
    played = []
    for effect in points:
        streams = simulate.pair_stream(rng, 250, 20_000, 0.5 + effect)
        played.append(2 * np.mean([sprt.sprt(stream, s0, s1).pairs for stream in streams]))
    figure, axis = plt.subplots(figsize=(7, 3.6))
    axis.plot(100 * effects, predicted, color=BLUE, label="formula")
    axis.scatter(100 * points, played, color=ORANGE, marker="s", zorder=3, label="mean of 250 simulated tests")
    axis.axhline(4906, color=GREEN, linestyle=":", label="fixed number, power 80 %")
    axis.set_xlabel("true effect (points); the test asks 0 against 2 points")
    axis.set_ylabel("games")
    axis.legend(fontsize=8, frameon=False)
    _save(figure, path)


def _save(figure, path: Path) -> None:
    for axis in figure.axes:
        axis.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    figure.savefig(path, dpi=110)
    plt.close(figure)


if __name__ == "__main__":
    folder = ROOT / "images"
    folder.mkdir(exist_ok=True)
    for draw in (confounding, windows, peeking, lengths):
        draw(folder / f"validation_{draw.__name__}.png")
