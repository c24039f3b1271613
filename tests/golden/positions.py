"""What is seen of the match in every scenario file, one row of short hashes each (`positions.csv`).

The steps of a scenario say what its rule demands; the row says that nothing else has changed, down to log, ledger and reasons.

    python tests/golden/positions.py     # writes positions.csv anew, after a change that is meant
"""

from __future__ import annotations

import csv
from pathlib import Path

from watching import PARTS, WatchedPlayer

from apotheosis.env.scenario.play import Failed
from apotheosis.env.scenario.position import build
from apotheosis.env.scenario.read import Scenario, read_scenario

TESTS = Path(__file__).resolve().parents[1]
FOLDERS = (TESTS / "scenarios", TESTS / "cards" / "rulings")
TABLE = Path(__file__).with_name("positions.csv")


def files() -> dict[str, Path]:
    """Returns the scenario files by name: their path below `tests`, without its ending."""
    found = [file for folder in FOLDERS for file in sorted(folder.rglob("*.yaml"))]
    return {str(file.relative_to(TESTS).with_suffix("")): file for file in found}


def committed() -> dict[str, dict[str, str]]:
    """Returns the rows of the table by the name of their scenario."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        return {row["scenario"]: row for row in csv.DictReader(file)}


def watched(scenario: Scenario) -> tuple[str, dict[str, str]]:
    """Plays a scenario; returns what does not hold, empty if all does, and the hash of each part of what was seen."""
    player = WatchedPlayer(build(scenario))
    try:
        player.run(scenario.get("steps") or [], ("steps",))
        player.check_dice()
    except Failed as failure:
        return str(failure), player.watcher.signs()
    return "", player.watcher.signs()


def main() -> None:
    """Writes the table."""
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, ("scenario", *PARTS), lineterminator="\n")
        writer.writeheader()
        for name, path in files().items():
            fault, signs = watched(read_scenario(path))
            if fault:
                raise SystemExit(fault)
            writer.writerow({"scenario": name, **signs})


if __name__ == "__main__":
    main()
