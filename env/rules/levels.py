"""Levels of success and failure of checks (R11.6, R11.7)."""

from __future__ import annotations

from numba import int64

from .compiler import inner


@inner(int64(int64, int64))
def success_level(result, difficulty):
    """Returns the level of a check: 0 and up for success, -1 - level for failure (R11.6, R11.7)."""
    if result >= difficulty:
        return 0 if difficulty <= 10 else result // difficulty - 1
    half = difficulty // 2
    if result > half:
        return -1
    return -2 - (half - result) // 5
