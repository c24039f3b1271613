"""The doors: the few compiled functions that Python calls. They take whole arrays and an index (passing a record is slow)."""

from __future__ import annotations

import numba
import numpy as np
from numba import int64, types, void

from .audit import audit
from .bots import choose
from .card_codes import OUT
from .codes import Act, Cause, Kind, Outcome
from .compiler import door, inner
from .dice import mix
from .layout import COPIES, HEROES, LEDGERS, LINEUPS, MATCHES, OPTIONS, POOLS, RESULT, RESULTS, M
from .legality import why_not
from .match import concede, play, settle
from .options import options
from .setup import SEEDS, begin

BOTS = types.Array(int64, 2, "C")
ROW = numba.from_dtype(RESULT)


@inner(void(M, ROW, int64))
def write_result(m, row, trace):
    """Fills a result row from a finished match; the hash covers every decision and the final HP."""
    row.outcome = m.outcome
    row.cause = m.cause
    row.fault = m.fault
    row.first_team = m.first_char % 2 if m.first_char >= 0 else -1
    row.stints = m.stint
    row.turns = m.turns
    row.decisions = m.decisions
    row.actions = m.actions
    row.lead_changes = m.lead_changes
    row.legal_options_sum = m.options_sum
    margin = 0.0
    for hero in range(int(m.heroes)):
        share = m.final_hp[hero] / m.max_hp[hero]
        margin += share if hero % 2 == 0 else -share
        trace = mix(trace * 31 + m.final_hp[hero])
    row.hp_margin = margin / m.team_size
    row.state_hash = trace


@door(int64(MATCHES, int64, POOLS, LINEUPS, int64, SEEDS, int64, int64, OUT))
def start(matches, i, pools, lineups, j, seeds, row, log_on, out):
    """Deals lineup j with seeds[row] into match i and runs it to its first choice; returns the number of options."""
    begin(matches[i], pools[0], lineups[j], seeds, row)
    matches[i].log_on = log_on
    return settle(matches[i], pools[0], out)


@door(int64(MATCHES, int64, POOLS, OUT))
def resume(matches, i, pools, out):
    """Runs match i from a constructed position to its next choice; returns the number of options."""
    return settle(matches[i], pools[0], out)


@door(int64(MATCHES, int64, POOLS, OUT))
def legal(matches, i, pools, out):
    """Lists the legal codes of match i in `out` and returns their number; 0 when it is over."""
    if matches[i].outcome != Outcome.RUNNING:
        return 0
    return options(matches[i], pools[0], out)


@door(int64(MATCHES, int64, POOLS, int64, OUT))
def apply(matches, i, pools, code, out):
    """Applies a code to match i; returns the number of next options, or -1 and changes nothing if it is not legal.

    CONCEDE is taken at any question though never listed.
    """
    m = matches[i]
    if m.outcome != Outcome.RUNNING:
        return -1
    if code == Act.KIND + Kind.CONCEDE:
        return concede(m, pools[0], out)
    n = options(m, pools[0], out)
    for k in range(n):
        if out[k] == code:
            return play(m, pools[0], code, out)
    return -1


@door(int64(MATCHES, int64, POOLS, int64, int64, int64, int64, int64))
def why(matches, i, pools, char, kind, card, effect, target):
    """Returns 0 if a turn action is legal in match i, else the packed reason of `legality.why_not`."""
    return why_not(matches[i], pools[0], char, kind, card, effect, target)


@door(int64(MATCHES, MATCHES, int64, POOLS, int64, OUT))
def decide(scratch, matches, i, pools, bot, out):
    """Returns the code a kernel bot would choose in match i."""
    n = options(matches[i], pools[0], out)
    return choose(scratch, matches[i], pools[0], bot, out, n)


@door(int64(MATCHES, int64))
def check(matches, i):
    """Returns 0 if the record of match i is sound, else the number of the broken invariant (see `audit`)."""
    return audit(matches[i])


@door(int64(MATCHES, POOLS, LINEUPS, SEEDS, BOTS, RESULTS, LEDGERS, int64, int64))
def play_many(work, pools, lineups, seeds, bots, results, ledgers, with_ledger, with_audit):
    """Plays one match per lineup from start to end.

    Args:
        work: at least bots.SCRATCH + 1 match records; work[0] is the match, the rest is for look-ahead.
        lineups, results: one row per match.
        seeds: int64 (n, 5). bots: int64 (n, 2) codes.Bot of sides A and B.
        ledgers: rows of HEROES * COPIES, one per match if `with_ledger`, else at least one row.
        with_audit: 1 checks the record at every decision; a broken invariant ends the match as a crash.

    Returns:
        The number of decisions made.
    """
    p = pools[0]
    m = work[0]
    scratch = work[1:]
    out = np.empty(OPTIONS, np.int64)
    total = 0
    for row in range(len(lineups)):
        begin(m, p, lineups[row], seeds, row)
        m.ledger_on = with_ledger
        n = settle(m, p, out)
        trace = 0
        while n > 0:
            code = choose(scratch, m, p, bots[row, m.team[m.asked]], out, n)
            trace = mix(trace * 31 + code * 512 + n)
            n = play(m, p, code, out)
            if with_audit != 0:
                broken = audit(m)
                if broken != 0:
                    m.outcome = Outcome.CRASH
                    m.cause = Cause.ERROR
                    m.fault = 100 + broken
                    n = 0
        write_result(m, results[row], trace)
        total += m.decisions
        if with_ledger != 0:
            for card in range(HEROES * COPIES):
                ledgers[row, card] = p.ledger[card]
    return total
