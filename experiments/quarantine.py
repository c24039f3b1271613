"""Matches that must not be played again, and the notes from which a dead worker's last match is known.

A match that hangs or kills its worker would do so on every retry, since the same seeds give the same match. It is set
aside, ends as `timeout` or `crash` in the tables, and the run goes on. `quarantine/NNNNNN.json` says which and why.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from apotheosis.experiments import store
from apotheosis.experiments.store import Folder

if TYPE_CHECKING:
    from apotheosis.experiments.plan import Plan


SUSPECTS = "suspects.json"
"""The cards that occur in the matches set aside, written when a run ends."""


class Quarantine:
    """The quarantine of one chunk.

    Args:
        folder: the run folder.
        chunk: number of the chunk.
    """

    def __init__(self, folder: Folder, chunk: int):
        self.path = folder.quarantine_file(chunk)
        self._note = self.path.with_suffix(".playing")
        self._suspect = self.path.with_suffix(".suspect")
        self._evidence = self.path.with_suffix(".stuck")

    def read(self) -> dict[int, dict[str, Any]]:
        """Returns the matches set aside, by their place in the chunk, each with its outcome and reason."""
        if not self.path.exists():
            return {}
        return {int(at): entry for at, entry in store.read_json(self.path).items()}

    def add(self, at: int, outcome: str, reason: str) -> None:
        """Sets a match aside.

        Args:
            at: its place in the chunk.
            outcome: `timeout` or `crash`.
            reason: what is known, such as a traceback.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        known = self.read()
        known[at] = {"outcome": outcome, "reason": reason}
        store.write_json(self.path, {str(key): known[key] for key in sorted(known)})

    def note(self, at: int) -> None:
        """Notes the match about to be played."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._note.write_text(str(at), encoding="utf-8")

    @contextmanager
    def evidence(self) -> Iterator[IO[str]]:
        """Opens the file that the watchdog writes its traceback to when it ends the process."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self._evidence.open("w", encoding="utf-8") as file:
            yield file
        self._evidence.unlink(missing_ok=True)

    def stuck(self) -> str:
        """Returns the traceback that the watchdog left, "" if it did not end the worker."""
        try:
            return self._evidence.read_text(encoding="utf-8")
        except OSError:
            return ""

    def blame(self) -> bool:
        """Sets aside the match that a dead worker was playing; returns whether there is one to blame.

        A match that the watchdog ended is blamed at once. A worker may also die of causes that lie elsewhere, so one
        that died otherwise makes its match a suspect, and the second death over the same match settles it.
        """
        at, traceback = _number(self._note), self.stuck()
        if at is None:
            return False
        if traceback:
            self.add(at, "timeout", traceback)
        elif _number(self._suspect) == at:
            self.add(at, "crash", "the worker process ended twice while this match was being played")
        else:
            self._suspect.write_text(str(at), encoding="utf-8")
            return False
        self.forget_notes()
        return True

    def forget_notes(self) -> None:
        """Removes the notes of a chunk that is done with."""
        for path in (self._note, self._suspect, self._evidence):
            path.unlink(missing_ok=True)


def _number(path: Path) -> int | None:
    try:
        return int(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def all_quarantined(folder: Folder) -> dict[int, dict[int, dict[str, Any]]]:
    """Returns the matches set aside in the whole run, by chunk and place in the chunk."""
    files = sorted((folder.path / store.QUARANTINE).glob("[0-9]*.json"))
    return {int(path.stem): Quarantine(folder, int(path.stem)).read() for path in files}


def suspects(folder: Folder, plan: Plan) -> list[dict[str, Any]]:
    """Returns the cards that occur in the matches set aside, those that occur there most beyond their share first.

    Args:
        folder: the run folder.
        plan: its plan.

    Returns:
        One entry for each card: its id, in how many of the matches it was in a deck, how many there are, and the share
        of all sides that hold it.
    """
    held = [set(_ids(side.decks)) for side in plan.sides]
    everywhere = Counter(card for cards in held for card in cards)
    found: Counter[str] = Counter()
    total = 0
    for chunk, entries in all_quarantined(folder).items():
        rows = plan.schedule.rows(plan.chunks[chunk].first_pair, plan.chunks[chunk].pairs)
        for at in entries:
            total += 1
            found.update(held[rows["side_a"][at]] | held[rows["side_b"][at]])
    listed = [
        {"card_id": card, "matches": count, "of": total, "share_of_sides": round(everywhere[card] / len(held), 4)}
        for card, count in found.items()
    ]
    return sorted(listed, key=lambda entry: (-entry["matches"], entry["share_of_sides"], entry["card_id"]))


def _ids(decks: Iterable[dict[str, Any]]) -> Iterator[str]:
    for deck in decks:
        sheet = (deck.get("house"), *deck.get("classes", ()), deck.get("entity"))
        yield from (card for card in (*sheet, *deck.get("cards", ())) if card)
