"""Who and what may be selected: range, sight, reach, what a text demands of its target (A6 rows 9 and 10; R15)."""

from __future__ import annotations

from numba import int64

from ..vocabulary import Activation, RangeType, Suit
from .board import BLOCKED, TOO_HIGH, is_empty, tile_distance, trajectory
from .codes import CharKind, Flag, Life, Reason, Zone
from .compiler import inner
from .completeness import is_incomplete
from .layout import CARDS, SIDE, M, P
from .opcodes import Need, Q, Rule, Select
from .prices import pack
from .standing import has_rule, has_rule_for, modify
from .values import is_within, places_of, value
from .zones import has_flag

ANY_REACH = 30_000  # of a text that names its target without a range (R15.21)


@inner(int64(M, P, int64, int64))
def has_bar(m, p, card, effect):
    """Returns 1 if an activation makes an attack: the card's bar has DMG, and the effect is no Auto or own reaction text."""
    ident = p.card[m.ident[card]]
    if ident.has_damage == 0 or ident.suit == Suit.Companion:
        return 0
    if effect < 0:
        return 1
    # without a range, and with nobody selected by the text, there is nobody to attack (R15.21, R9.1.17)
    e = p.effect[effect]
    return 1 if e.activation == Activation.Activate and int(e.needs) & Need.NO_ATTACK == 0 else 0


@inner(int64(M, P, int64, int64))
def range_value(m, p, char, card):
    """Returns the range of a card in the hands of a character (R15.17)."""
    ident = p.card[m.ident[card]]
    reach = int(ident.range_const)
    if ident.range_attr >= 0:
        reach += m.attr[char, ident.range_attr]
    return max(0, modify(m, p, Q.RANGE, -1, reach, char, card, -1, -1, -1))


@inner(int64(M, P, int64, int64, int64))
def bar_range(m, p, char, card, effect):
    """Returns the range of the attack of a card with an effect: any where its text names whom it is on without one (R15.21)."""
    reach = range_value(m, p, char, card)
    ident = p.card[m.ident[card]]
    if reach > 0 or effect < 0 or ident.range_const > 0 or ident.range_attr >= 0 or ident.range_type == RangeType.Area:
        return reach
    return 0 + ANY_REACH if p.effect[effect].select == Select.CHAR else 0


@inner(int64(M, P, int64, int64))
def range_type_of(m, p, char, card):
    """Returns the range type of a card in the hands of a character (R15.17)."""
    return modify(m, p, Q.RANGE_TYPE, -1, int(p.card[m.ident[card]].range_type), char, card, -1, -1, -1)


@inner(int64(M, int64, int64, int64, int64))
def why_not_in_range(m, char, target, range_type, reach):
    """Returns 0 if a character is in range and, for Direct, in sight (R15.18 to R15.23)."""
    origin = int(m.tile[char])
    tile = int(m.tile[target])
    if origin < 0 or tile < 0:
        return pack(Reason.NO_TARGET, 0, 0)
    if reach == ANY_REACH:
        return 0
    away = tile_distance(origin, tile)
    if range_type == RangeType.Arcing:
        away = max(1, away + int(m.altitude[tile]) - int(m.altitude[origin]))
        return 0 if away <= reach else pack(Reason.RANGE_ARCING, away, reach)
    if away > reach:
        return pack(Reason.RANGE_DIRECT, away, reach)
    shot = trajectory(m, origin, tile, int(m.team[char]))
    if shot == BLOCKED:
        return pack(Reason.TRAJECTORY, 0, 0)
    return pack(Reason.HEIGHT, 0, 0) if shot == TOO_HIGH else 0


@inner(int64(M, P, int64, int64, int64, int64))
def is_out_of_reach(m, p, char, target, card, attack):
    """Returns 1 if a rule keeps a character from selecting another one with a card (R9.1.17, R15.26)."""
    if m.modified & (1 << Q.RULE) == 0:
        return 0
    if has_rule_for(m, p, target, 0 + Rule.UNTARGETABLE, card, char) != 0:
        return 1
    if attack != 0 and has_rule_for(m, p, target, 0 + Rule.UNTARGETABLE_ATTACK, card, char) != 0:
        return 1
    if attack != 0 and has_rule_for(m, p, char, 0 + Rule.CANNOT_TARGET_ATTACK, card, target) != 0:
        return 1
    return has_rule_for(m, p, char, 0 + Rule.CANNOT_TARGET, card, target)


@inner(int64(M, P, int64, int64, int64, int64, int64))
def why_not_target(m, p, char, target, card, range_type, reach):
    """Returns 0 if a character may be selected by an attack with a card (-1: Normal Attack) and this range.

    Source: R9.1.17, R15.18 to R15.23.
    """
    if target == char:
        return pack(Reason.OWN_AGENT, 0, 0)
    if target < 0 or target >= m.chars or m.life[target] != Life.ALIVE or m.tile[target] < 0:
        return pack(Reason.NO_TARGET, 0, 0)
    if is_out_of_reach(m, p, char, target, card, 1) != 0:
        return pack(Reason.UNTARGETABLE, 0, 0)
    if has_rule_for(m, p, target, 0 + Rule.IN_REACH, -1, char) != 0:
        return 0
    return why_not_in_range(m, char, target, range_type, reach)


@inner(int64(M, int64, int64))
def why_not_area(m, char, reach):
    """Returns 0 if an area attack would affect a piece (R15.20)."""
    for other in range(int(m.chars)):
        if other != char and m.life[other] == Life.ALIVE and m.tile[other] >= 0:
            if tile_distance(int(m.tile[char]), int(m.tile[other])) <= reach:
                return 0
    return pack(Reason.NO_TARGET, 0, reach)


@inner(int64(M, P, int64, int64, int64, int64, int64))
def why_not_selection(m, p, char, target, card, range_type, reach):
    """Returns 0 if `target` may be attacked, or for target -1 if anybody may (A6 rows 9, 10). Card -1: Normal Attack."""
    if m.tile[char] < 0:
        return pack(Reason.NO_TARGET, 0, 0)
    if range_type == RangeType.Area:
        return why_not_area(m, char, reach)
    if target >= 0:
        return why_not_target(m, p, char, target, card, range_type, reach)
    worst = pack(Reason.NO_TARGET, 0, 0)
    for other in range(int(m.chars)):
        if other == char or m.life[other] != Life.ALIVE:
            continue
        why = why_not_target(m, p, char, other, card, range_type, reach)
        if why == 0:
            return 0
        if why & 0xFFFF > worst & 0xFFFF:
            worst = why
    return worst


@inner(int64(M, P, int64, int64, int64, int64, int64, int64, int64))
def why_not_admitted(m, p, char, card, effect, ev, target, range_type, reach):
    """Returns 0 if what an effect demands of the target of its own attack holds for `target`, -1 for anybody in reach."""
    test = int(p.effect[effect].filter)
    for other in range(int(m.chars)):
        if target >= 0 and other != target:
            continue
        if test >= 0 and value(m, p, test, -1, ev, card, char, other, -1) == 0:
            continue
        if why_not_target(m, p, char, other, card, range_type, reach) == 0:
            return 0
    return pack(Reason.NO_TARGET, 0, 0)


@inner(int64(M, P, int64, int64, int64, int64, int64, int64))
def finds_complete(m, p, char, card, effect, ev, range_type, reach):
    """Returns 1 if an effect could be executed completely with some target that its own attack may select (R7.7.1)."""
    for other in range(int(m.chars)):
        if is_incomplete(m, p, char, card, effect, ev, other) == 0:
            if why_not_admitted(m, p, char, card, effect, ev, other, range_type, reach) == 0:
                return 1
    return 0


@inner(int64(M, P, int64))
def can_be_revived(m, p, who):
    """Returns 1 for a dead character whose body is on the board and not in Overkill (R14.3, R14.6)."""
    if who < 0 or (m.life[who] != Life.DEAD and m.life[who] != Life.KO) or m.tile[who] < 0:
        return 0
    return 1 if has_rule(m, p, who, Rule.NO_REVIVE) == 0 else 0


@inner(int64(M, P, int64, int64, int64, int64))
def why_out_of_sight(m, p, char, card, effect, choice):
    """Returns 0 if no text keeps an effect from selecting a character, and it is in the range of its card (R15.17, R15.26)."""
    e = p.effect[effect]
    ident = p.card[m.ident[card]]
    if m.team[choice] != m.team[char] and is_out_of_reach(m, p, char, choice, card, 0) != 0:
        return pack(Reason.UNTARGETABLE, 0, 0)
    reach = range_value(m, p, char, card)
    range_type = int(ident.range_type)
    if e.technique >= 0:
        t = p.technique[p.card[e.card].technique_first + e.technique]
        reach = int(t.range_const)
        range_type = int(t.range_type)
        if t.range_attr >= 0:
            reach += m.attr[char, t.range_attr]
    if has_rule_for(m, p, choice, 0 + Rule.IN_REACH, -1, char) != 0:
        return 0
    if reach > 0 and choice != char and e.activation == Activation.Activate and ident.suit >= Suit.Item:
        return why_not_in_range(m, char, choice, range_type, reach)
    return 0


@inner(int64(M, P, int64, int64, int64, int64, int64))
def is_lost(m, p, char, card, effect, ev, choice):
    """Returns 1 for a selection that has become illegal: fallen, gone, out of range, or a card that left (R7.7.5, R5.21).

    What the effect demanded of it beside is not judged again (R7.1.5).
    """
    e = p.effect[effect]
    if choice < 0 or e.select == Select.NONE or e.select == Select.TILE:
        return 0
    if e.select == Select.CARD:
        return 1 if e.filter >= 0 and is_within(m, p, choice, places_of(p, int(e.filter)), char) == 0 else 0
    if m.life[choice] != Life.ALIVE or m.tile[choice] < 0:
        return 1 if e.filter < 0 or value(m, p, e.filter, -1, ev, card, char, choice, -1) == 0 else 0
    return 1 if why_out_of_sight(m, p, char, card, effect, choice) != 0 else 0


@inner(int64(M, P, int64, int64, int64, int64, int64))
def why_not_choice(m, p, char, card, effect, ev, choice):
    """Returns 0 if a character, tile or copy may be selected by an effect (R7.1.1, R15.21, R15.26)."""
    e = p.effect[effect]
    if e.select == Select.CHAR:
        if choice < 0 or choice >= m.chars or m.kind[choice] == CharKind.NONE:
            return pack(Reason.NO_TARGET, 0, 0)
        if e.filter < 0 and (m.life[choice] != Life.ALIVE or m.tile[choice] < 0):
            return pack(Reason.NO_TARGET, 0, 0)
        if e.filter >= 0 and value(m, p, e.filter, -1, ev, card, char, choice, -1) == 0:
            return pack(Reason.NO_TARGET, 0, 0)
        if int(e.needs) & Need.REVIVABLE != 0 and can_be_revived(m, p, choice) == 0:
            return pack(Reason.NO_TARGET, 0, 0)
        if int(e.needs) & Need.OF_TARGET != 0 and is_incomplete(m, p, char, card, effect, ev, choice) != 0:
            return pack(Reason.INCOMPLETE, 1, 0)
        return why_out_of_sight(m, p, char, card, effect, choice)
    if e.select == Select.TILE:
        if choice < 0 or is_empty(m, choice) == 0:
            return pack(Reason.TILE_STATE, 0, 0)
        if e.filter >= 0 and value(m, p, e.filter, -1, ev, card, char, choice, -1) == 0:
            return pack(Reason.NO_TARGET, 0, 0)
        return 0
    if choice < 0 or m.ident[choice] < 0 or m.zone[choice] == Zone.LIMBO or has_flag(m, choice, Flag.FACE_DOWN) != 0:
        # neither what is in limbo nor a hidden card (R15.26)
        return pack(Reason.NO_TARGET, 0, 0)
    if e.filter >= 0 and value(m, p, e.filter, -1, ev, card, char, -1, choice) == 0:
        return pack(Reason.NO_TARGET, 0, 0)
    return 0


@inner(int64(M, P, int64, int64, int64, int64))
def why_no_choice(m, p, char, card, effect, ev):
    """Returns 0 if an effect has something to select, else the reason that came closest."""
    select = int(p.effect[effect].select)
    worst = pack(Reason.NO_TARGET, 0, 0)
    if select == Select.CHAR:
        last = int(m.chars)
    elif select == Select.TILE:
        last = int(m.height) * SIDE
    else:
        last = 0 + CARDS
    for choice in range(last):
        if select == Select.TILE and choice % SIDE >= m.width:
            continue
        why = why_not_choice(m, p, char, card, effect, ev, choice)
        if why == 0:
            return 0
        if why & 0xFFFF > worst & 0xFFFF:
            worst = why
    return worst
