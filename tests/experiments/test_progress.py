"""Progress: all numbers are seen on a narrow terminal, and machines get whole lines."""

import io
import json

from apotheosis.experiments.progress import Progress

DETAILS = {"LLR": -3.37, "bounds": "-2.94..2.94", "effect": "-0.72 (-3.48..+2.05) points"}


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self):
        return True


def test_a_narrow_terminal_cuts_none_of_the_numbers(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "xterm")
    stream = Terminal()
    with Progress("runs/cudgel", 8000, stream=stream) as progress:
        progress.update(3136, **DETAILS)
    shown = stream.getvalue()
    assert "3136/8000" in shown and "…" not in shown
    for part in ("LLR -3.37", "bounds -2.94..2.94", "effect -0.72 (-3.48..+2.05) points"):
        assert part in shown


def test_a_program_gets_one_object_per_line_and_the_last_state():
    stream = io.StringIO()
    with Progress("cudgel", 8000, stream=stream) as progress:
        progress.update(10)
        progress.update(3136, **DETAILS)
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert lines[-1]["done"] == 3136 and lines[-1]["effect"] == DETAILS["effect"] and lines[-1]["total"] == 8000


def test_quiet_says_nothing():
    stream = Terminal()
    with Progress("cudgel", 10, quiet=True, stream=stream) as progress:
        progress.update(10)
    assert stream.getvalue() == ""
