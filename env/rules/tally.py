"""Counts of what long runs of random matches reach: instructions, reasons, events, questions.

Only a kernel built with `APOTHEOSIS_TALLY=1` counts; it has a folder of its own. In every other `note` is nothing.
"""

from __future__ import annotations

from numba import int64, void

from .compiler import counting, inner
from .layout import P

COUNTING = counting()
OPCODES, REASONS, EVENTS, QUESTIONS = range(4)  # rows of `tally`


@inner(void(P, int64, int64))
def note(p, row, code):
    """Counts that a code of an enumeration has occurred."""
    if COUNTING:
        p.tally[row, code] += 1
