"""Plays the matches behind `experiments/win_chance.csv`, fits the model, and says how well it fits matches it has not seen.

Run from the root: .venv/bin/python docs/win_chance.py (some minutes). --matches N plays fewer, --dry changes nothing.
"""

from __future__ import annotations

import argparse
import csv
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

from apotheosis.experiments import run, win_chance
from apotheosis.experiments.spec import load_spec

ROOT = Path(__file__).resolve().parent.parent
LEVELS = (1, 4, 7, 10)
SEED = 20_261_201


def turns(folder: Path) -> pd.DataFrame:
    """Returns the turns of decided matches: features, whether A won, and the pair."""
    matches = pd.read_parquet(folder / "matches.parquet", columns=["match_id", "pair_id", "score_a"])
    frame = pd.read_parquet(folder / "turns.parquet").merge(matches[matches["score_a"].isin([0, 1])], on="match_id")
    x = win_chance.features(
        frame["hp_a"], frame["hp_b"], frame["hand_a"] - frame["hand_b"], frame["board_a"] - frame["board_b"],
        np.where(frame["actor"].astype(str) == "a", 1, -1),
    )  # fmt: skip
    return pd.DataFrame(x, columns=list(win_chance.FEATURES)).assign(
        won=frame["score_a"].to_numpy(), pair=frame["pair_id"].to_numpy()
    )


def played(level: int, matches: int) -> pd.DataFrame:
    """Plays greedy matches of a level and returns their turns."""
    with tempfile.TemporaryDirectory() as name:
        settings = {
            "run.matches": matches, "run.turns": True, "run.seed": SEED + level, "bots.pool": ["greedy"],
            "format.hero_level": level,
        }  # fmt: skip
        out, plan, pool = run.start(load_spec(settings=settings), Path(name) / "run")
        run.play(out, plan, pool).check()
        return turns(out).assign(level=level)


def told(name: str, p: np.ndarray, won: np.ndarray) -> None:
    """Prints the Brier score, that of a coin being 0.25, and the largest gap between chance and rate in ten bins."""
    cell = np.minimum((p * 10).astype(int), 9)
    gaps = [abs(p[cell == k].mean() - won[cell == k].mean()) for k in range(10) if (cell == k).sum() >= 200]
    brier = np.mean((p - won) ** 2)
    sys.stdout.write(f"{name}: {len(p):,} turns, Brier {brier:.4f}, largest gap {max(gaps):.3f}\n")


def main() -> None:
    """Fits on half of the pairs, checks on the other half, then fits on all and writes the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=4000, help="matches of each level")
    parser.add_argument("--dry", action="store_true", help="write nothing")
    given = parser.parse_args()
    frame = pd.concat([played(level, given.matches) for level in LEVELS], ignore_index=True)
    x, won = frame[list(win_chance.FEATURES)].to_numpy(), frame["won"].to_numpy()
    half = (frame["pair"] % 2 == 0).to_numpy()
    p = 1 / (1 + np.exp(-(x[~half] @ win_chance.fit(x[half], won[half]))))
    told("matches left out of the fit", p, won[~half])
    for level in LEVELS:
        own = (frame["level"] == level).to_numpy()[~half]
        told(f"level {level}", p[own], won[~half][own])
    beta = win_chance.fit(x, won)
    if not given.dry:
        with (ROOT / "experiments" / "win_chance.csv").open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["feature", "weight"])
            writer.writerows((name, f"{weight:.4f}") for name, weight in zip(win_chance.FEATURES, beta, strict=True))
    sys.stdout.write(f"{dict(zip(win_chance.FEATURES, beta.round(4).tolist(), strict=True))}\n")


if __name__ == "__main__":
    main()
