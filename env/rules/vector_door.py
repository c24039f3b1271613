"""Many matches, one code each per call: the compiled half of `env/vector.py`.

Seats whose bot is EXTERNAL are asked; every other choice is made here, so a call returns only when each match waits for
an external seat or is over.
"""

from __future__ import annotations

from numba import int8, int64, types

from .bots import choose
from .card_codes import OUT
from .codes import Act, Bot, Outcome
from .compiler import door, inner
from .doors import BOTS, write_result
from .layout import LINEUPS, MATCHES, POOLS, RESULTS, M, P
from .match import play, settle
from .options import options
from .setup import SEEDS, begin

MASKS = types.Array(int8, 2, "C")

LEAVE = -1  # the match stays as it is
FRESH = -2  # the match is dealt anew


@inner(int64(MATCHES, M, P, SEEDS, int64, OUT, int64))
def run_bots(scratch, m, p, bots, row, out, n):
    """Lets kernel bots choose until an external seat is asked or the match is over; returns the number of options."""
    while n > 0 and bots[row, m.team[m.asked]] != Bot.EXTERNAL:
        n = play(m, p, choose(scratch, m, p, bots[row, m.team[m.asked]], out, n), out)
    return n


@door(int64(MATCHES, POOLS, LINEUPS, SEEDS, BOTS, OUT, MATCHES, RESULTS, MASKS, OUT, OUT))
def step_many(matches, pools, lineups, seeds, bots, codes, scratch, results, masks, seats, out):
    """Applies one code to each match and runs it to the next choice of an external seat.

    Args:
        matches: n match records. lineups, seeds, bots: one row per match, read when it is dealt; bots at every choice.
        codes: int64 (n,) a legal code, LEAVE or FRESH.
        scratch: bots.SCRATCH records.
        results: filled for the matches that end in this call.
        masks: int8 (n, Act.SIZE), rewritten for the matches that move.
        seats: int64 (n,) the seat asked, -1 when the match is over.
        out: int64 (OPTIONS,) to work in.

    Returns:
        -1, or the row of the first illegal code; then no match is changed.
    """
    p = pools[0]
    for i in range(len(matches)):
        code = codes[i]
        if code != LEAVE and code != FRESH and (code < 0 or code >= Act.SIZE or masks[i, code] == 0):
            return i
    for i in range(len(matches)):
        code = codes[i]
        if code == LEAVE:
            continue
        m = matches[i]
        if code == FRESH:
            begin(m, p, lineups[i], seeds, i)
            n = settle(m, p, out)
        else:
            n = play(m, p, code, out)
        n = run_bots(scratch, m, p, bots, i, out, n)
        for k in range(0 + Act.SIZE):
            masks[i, k] = 0
        for k in range(n):
            masks[i, out[k]] = 1
        seats[i] = m.team[m.asked] if n > 0 else -1
        if m.outcome != Outcome.RUNNING:
            write_result(m, results[i], 0)
    return -1


@door(int64(MATCHES, MATCHES, POOLS, int64, OUT, OUT, OUT))
def choose_many(scratch, matches, pools, bot, rows, codes, out):
    """Writes to `codes` what a kernel bot would choose in the matches listed in `rows`; returns their number."""
    p = pools[0]
    for row in range(len(rows)):
        i = rows[row]
        n = options(matches[i], p, out)
        codes[i] = choose(scratch, matches[i], p, bot, out, n)
    return len(rows)
