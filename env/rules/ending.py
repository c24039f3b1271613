"""The end of a battle: who is eliminated, End of Battle effects, the finish (A7, R6.4.17, R16.2)."""

from __future__ import annotations

from numba import int64, void

from ..vocabulary import CompanionType
from .codes import Cause, CharKind, Flag, Frame, Life, Outcome, Trait, Zone
from .compiler import inner
from .lasting import drop_counters
from .layout import CARDS, COPIES, DECK_SLOT, HEROES, M, P
from .moves import RESOURCE_LIMIT, change_counters
from .opcodes import Ev
from .pieces import leave_piece
from .requirements import ULTIMATE
from .stack import compare_teams, finish, living_heroes, push
from .windows import window
from .zones import is_table, move_card


@inner(int64(M, P, int64))
def is_standing(m, p, team):
    """Returns 1 while a team has a living Hero, Human or Creature (A7.1)."""
    if living_heroes(m, team) > 0:
        return 1
    for char in range(int(m.heroes), int(m.chars)):
        if m.team[char] == team and m.kind[char] == CharKind.COMPANION and m.life[char] == Life.ALIVE:
            if m.body[char] >= 0 and p.card[m.ident[m.body[char]]].companion_type != CompanionType.Summon:
                return 1
    return 0


@inner(void(M, P))
def clean_up(m, p):
    """Cleans up after a battle: Summons leave, counters of Sheet cards go, the scenario is discarded (R16.11, R18.3, R22.3)."""
    for char in range(HEROES, int(m.chars)):
        card = int(m.body[char])
        if m.kind[char] == CharKind.COMPANION and card >= 0 and m.life[char] == Life.ALIVE:
            if p.card[m.ident[card]].companion_type == CompanionType.Summon:
                leave_piece(m, char)
                m.flags[card] = int(m.flags[card]) | Flag.FACE_DOWN
    for card in range(CARDS):
        if m.ident[card] < 0:
            continue
        sheet = card < HEROES * COPIES and card % COPIES < DECK_SLOT
        if sheet and is_table(int(m.zone[card])) != 0:
            drop_counters(m, card)
        elif int(p.card[m.ident[card]].traits) & Trait.ULTIMATUM != 0:
            change_counters(m, card, ULTIMATE, -RESOURCE_LIMIT)
        elif m.zone[card] == Zone.SCENARIO:
            move_card(m, p, card, Zone.DISCARD)


@inner(void(M, P, int64, int64))
def end_battle(m, p, outcome, cause):
    """Ends the match and cleans up (R16.11)."""
    clean_up(m, p)
    finish(m, p, outcome, cause)


@inner(void(M, P, int64, int64))
def conclude(m, p, outcome, cause):
    """Declares the battle over: what runs is dropped, End of Battle effects follow, then the finish (R6.4.17, R16.11).

    Nothing that happens in them changes the outcome.
    """
    if m.sp > 0 and m.frame[0].kind == Frame.FINALE:
        return
    m.sp = 0
    m.pending = 0
    m.d_kind = -1
    at = push(m, Frame.FINALE)
    m.frame[at].reg[0] = outcome
    m.frame[at].reg[1] = cause
    if window(m, p, Ev.BATTLE_END, -1, -1, -1, -1) < 0:
        end_battle(m, p, outcome, cause)


@inner(void(M, P))
def step_finale(m, p):
    """Finishes the match once the End of Battle effects are through."""
    end_battle(m, p, int(m.frame[0].reg[0]), int(m.frame[0].reg[1]))


@inner(void(M, P))
def check_elimination(m, p):
    """Ends the match if a team is eliminated (A7.1, A7.2)."""
    a = is_standing(m, p, 0)
    b = is_standing(m, p, 1)
    if a != 0 and b != 0:
        return
    if a == 0 and b == 0:
        conclude(m, p, 0 + Outcome.DRAW, 0 + Cause.ELIMINATION)
    else:
        conclude(m, p, 0 + (Outcome.WIN_A if a != 0 else Outcome.WIN_B), 0 + Cause.ELIMINATION)


@inner(void(M, P))
def stop_at_limit(m, p):
    """Ends a match at its stint limit or for lack of progress (A7.3, A7.4)."""
    if m.quiet_stints >= 6:
        end_battle(m, p, compare_teams(m), 0 + Cause.NO_PROGRESS)
    elif m.stint >= m.stint_limit:
        end_battle(m, p, compare_teams(m), 0 + Cause.STINT_LIMIT)
