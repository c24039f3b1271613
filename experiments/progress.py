"""Shows how far long work is: a bar on a terminal, one JSON object a line otherwise, nothing when asked to be quiet.

Progress goes to the error stream, so that what a command prints as its result stays clean for pipes and files.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from typing import Any

LINE_EVERY_S, SILENCE_S = 2.0, 30.0
"""JSON lines come at most and, where nothing has changed, at least this often, and once at the end."""


class Progress:
    """A display of steps done out of a known number; a context manager.

    Args:
        label: what is being done, for instance the name of a run.
        total: number of steps.
        unit: what one step is, in the plural.
        quiet: show nothing.
        stream: where to write; by default the error stream.
    """

    def __init__(self, label: str, total: int, unit: str = "matches", quiet: bool = False, stream: Any = None):
        self.label, self.total, self.unit = label, total, unit
        self.stream: Any = sys.stderr if stream is None else stream
        if self.stream is None or quiet:  # no stream: it was closed
            self._mode = "quiet"
        else:
            self._mode = "bar" if self.stream.isatty() else "lines"
        self._began = self._last_line = time.monotonic()
        self._first: int | None = None
        self._bar: Any = None
        self._task: Any = None
        self._written: tuple[int, dict[str, Any]] | None = None
        self._shown: tuple[int, dict[str, Any]] | None = None

    def __enter__(self) -> Progress:
        if self._mode == "bar":
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
            from rich.progress import Progress as Bars
            from rich.text import Text

            class Bar(Bars):
                """A bar with its numbers on a line of their own, which a narrow terminal does not cut."""

                def get_renderables(self) -> Iterator[Any]:
                    yield from super().get_renderables()
                    for task in self.tasks:
                        if task.fields["note"]:
                            yield Text(f"  {task.fields['note']}")

            self._bar = Bar(
                TextColumn("{task.description}"),
                BarColumn(bar_width=24),
                MofNCompleteColumn(),
                TimeElapsedColumn(),
                TextColumn("left"),
                TimeRemainingColumn(),
                console=Console(file=self.stream),
            )
            self._bar.start()
            self._task = self._bar.add_task(self.label, total=self.total, note="")
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()
        elif self._mode == "lines" and self._shown is not None and self._shown != self._written:
            self._write_line(*self._shown)

    def update(self, done: int, **details: Any) -> None:
        """Shows the state.

        Args:
            done: steps done.
            details: further numbers or small mappings, shown as they are; None is left out.
        """
        if self._first is None:
            self._first = done
        details = {key: value for key, value in details.items() if value is not None}
        self._shown = (done, details)
        if self._mode == "bar":
            self._bar.update(self._task, completed=done, note=self._note(done, details))
        elif self._mode == "lines":
            changed = self._shown != self._written
            if time.monotonic() - self._last_line >= (LINE_EVERY_S if changed else SILENCE_S):
                self._write_line(done, details)

    def _speed(self, done: int) -> float:
        return (done - (self._first or 0)) / max(time.monotonic() - self._began, 1e-9)

    def _note(self, done: int, details: dict[str, Any]) -> str:
        parts = [f"{self._speed(done):,.0f} {self.unit}/s"]
        for name, value in details.items():
            if isinstance(value, dict):
                parts += [f"{key} {count}" for key, count in value.items()]
            else:
                parts.append(f"{name} {value:.3g}" if isinstance(value, float) else f"{name} {value}")
        return ", ".join(parts)

    def _write_line(self, done: int, details: dict[str, Any]) -> None:
        speed = self._speed(done)
        line = {
            "label": self.label,
            "done": done,
            "total": self.total,
            "unit": self.unit,
            "per_s": round(speed, 2),
            "left_s": round((self.total - done) / speed, 1) if speed > 0 else None,
            **details,
        }
        self.stream.write(json.dumps(line, ensure_ascii=False) + "\n")
        self.stream.flush()
        self._last_line, self._written = time.monotonic(), (done, details)
