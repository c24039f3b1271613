"""Why an activation is not legal: scope, knowledge, limits, costs, conditions, selection, task, completeness (ARENA A6).

The same functions serve the own turn, reactions and automatic effects; `ev` is the window frame an activation answers, -1 in
the own turn. `effect` is an index into the pool's effects, -1 the bare activation bar.
"""

from __future__ import annotations

from numba import int64, void

from ..vocabulary import Activation, Attribute, Limit, RangeType, Scope, Suit, Task
from .board import BLOCKED, TOO_HIGH, is_empty, tile_distance, trajectory
from .codes import BOTTOM, CharKind, Flag, Frame, Life, Reason, Trait, Zone
from .compiler import inner, local_array
from .completeness import is_incomplete
from .costs import ANY, COLOUR, ENERGY_ARRAY, ESSENCE, MANA, NEED, STAMINA, can_pay_energy, energy_total
from .derive import meets_knowledge
from .layout import COPIES, DECK_SLOT, HEROES, SIDE, M, P
from .opcodes import COST_WIDTH, Cost, Ev, Need, Q, Rule, Select
from .registers import W_PARENT
from .standing import char_of, counts_as, destination, has_rule, has_rule_for, modify
from .tally import REASONS, note
from .values import counters_on, value
from .zones import hand_card, has_flag, hero_of, is_listed_table, is_table, table_card

ENERGY_COSTS = (1 << Q.COST_STAMINA) | (1 << Q.COST_MANA) | (1 << Q.COST_ESSENCE)

ULTIMATE = 0  # number of the counter of Ultimatums, see env/cards/compiler/code.py
ULTIMATE_NEED = 3  # R22.3
ULTIMATE_USED = 2  # bit of `salvation`

FREE_OF_AP = -2  # `d_event` of an activation inside an effect that costs no AP


@inner(int64(int64, int64, int64))
def pack(reason, needed, had):
    """Packs a reason with the value needed and the value had (each 0 .. 32,767)."""
    return reason | ((needed & 0x7FFF) << 16) | ((had & 0x7FFF) << 32)


@inner(int64(M, P, int64, int64))
def has_bar(m, p, card, effect):
    """Returns 1 if an activation makes an attack: the card's bar has DMG, and the effect is no Auto or own reaction text."""
    ident = p.card[m.ident[card]]
    if ident.has_damage == 0 or ident.suit == Suit.Companion:
        return 0
    return 1 if effect < 0 or p.effect[effect].activation == Activation.Activate else 0


@inner(int64(M, P, int64, int64))
def range_value(m, p, char, card):
    """Returns the range of a card in the hands of a character (R15.17)."""
    ident = p.card[m.ident[card]]
    reach = int(ident.range_const)
    if ident.range_attr >= 0:
        reach += m.attr[char, ident.range_attr]
    return max(0, modify(m, p, Q.RANGE, -1, reach, char, card, -1, -1, -1))


@inner(int64(M, P, int64, int64))
def range_type_of(m, p, char, card):
    """Returns the range type of a card in the hands of a character (R15.17)."""
    return modify(m, p, Q.RANGE_TYPE, -1, int(p.card[m.ident[card]].range_type), char, card, -1, -1, -1)


@inner(int64(M, P, int64, int64, int64, int64, int64))
def amount_of(m, p, pc, char, card, ev, x):
    """Returns the amount of a cost entry; an amount of X reads as the chosen X, or 1 before it is chosen."""
    if pc < 0:
        return 1
    if pc == 0:
        return max(1, x)
    return value(m, p, pc, -1, ev, card, char, -1, -1)


@inner(int64(M, P, int64, int64, int64, int64, int64))
def ap_cost(m, p, char, card, effect, ev, x):
    """Returns the AP of an activation: the card's `Action` and the effect's AP costs, modified (R7.4.1, R7.6.8)."""
    ident = p.card[m.ident[card]]
    cost = int(ident.action)
    if effect >= 0 and (p.effect[effect].activation != Activation.Activate or p.effect[effect].technique >= 0):
        cost = 0
    if effect >= 0 and p.effect[effect].costs >= 0:
        pc = int(p.effect[effect].costs)
        while p.code[pc] != Cost.END:
            if p.code[pc] == Cost.AP:
                cost += amount_of(m, p, int(p.code[pc + 1]), char, card, ev, x)
            pc += COST_WIDTH
    if m.d_event == FREE_OF_AP and m.d_card == card:
        return 0
    return max(0, modify(m, p, Q.COST_AP, -1, cost, char, card, -1, -1, -1))


@inner(void(M, P, int64, int64, int64, int64, int64, ENERGY_ARRAY))
def energy_need(m, p, char, card, effect, ev, x, need):
    """Writes the energy an activation costs: the Skill's own print and the effect's energy costs (R2.6.3, R7.5)."""
    ident = p.card[m.ident[card]]
    for k in range(NEED):
        need[k] = 0
    need[COLOUR] = ident.colour
    own = ident.suit == Suit.Skill and (effect < 0 or p.effect[effect].activation == Activation.Activate)
    if own:
        need[STAMINA] = ident.stamina
        need[MANA] = ident.mana
        need[ESSENCE] = ident.essence
    if effect >= 0 and p.effect[effect].costs >= 0:
        pc = int(p.effect[effect].costs)
        while p.code[pc] != Cost.END:
            if p.code[pc] == Cost.ENERGY:
                amount = amount_of(m, p, int(p.code[pc + 1]), char, card, ev, x)
                kinds = int(p.code[pc + 3])
                if kinds == 1:
                    need[STAMINA] += amount
                elif kinds == 2:
                    need[MANA] += amount
                elif kinds == 4:
                    need[ESSENCE] += amount
                elif kinds > 7:
                    need[ESSENCE] += amount
                    need[COLOUR] = kinds // 8 - 1
                else:
                    need[ANY] += amount
            pc += COST_WIDTH
    if m.modified & ENERGY_COSTS == 0:
        return
    need[STAMINA] = max(0, modify(m, p, Q.COST_STAMINA, -1, need[STAMINA], char, card, -1, -1, -1))
    need[MANA] = max(0, modify(m, p, Q.COST_MANA, -1, need[MANA], char, card, -1, -1, -1))
    need[ESSENCE] = max(0, modify(m, p, Q.COST_ESSENCE, -1, need[ESSENCE], char, card, -1, -1, -1))


@inner(int64(M, int64, int64, int64))
def why_not_ap(m, char, cost, ev):
    """Returns 0 if a character can pay AP: from its points in its own turn, else also by debt (R7.4.2 to R7.4.6)."""
    if cost == 0:
        return 0
    if ev < 0 or m.turn_char == char:
        return 0 if m.ap[char] >= cost else pack(Reason.AP, cost, int(m.ap[char]))
    if m.acted[char] == 0:
        return 0 if m.ap[char] > 0 else pack(Reason.DEBT, 1, 0)
    if m.debt[char] < m.attr[char, Attribute.AGI]:
        return 0
    return pack(Reason.DEBT, int(m.attr[char, Attribute.AGI]), int(m.debt[char]))


@inner(int64(M, P, int64, int64))
def why_limited(m, p, card, effect):
    """Returns 0 if the limits of an effect admit one more activation (R6.5, R6.5.9)."""
    e = p.effect[effect]
    limits = int(e.limits)
    if limits == 0:
        return 0
    used = int(m.used[m.canon[card]])
    bit = 1 << min(4, int(e.index))
    if limits & (1 << Limit.OncePerTurn) != 0 and used & (bit << 10) != 0:
        return pack(Reason.ONCE_TURN, 1, 1)
    if limits & ((1 << Limit.OncePerStint) | (1 << Limit.OncePerRound)) != 0 and used & (bit << 5) != 0:
        return pack(Reason.ONCE_STINT, 1, 1)
    if limits & (1 << Limit.OncePerBattle) != 0 and used & bit != 0:
        return pack(Reason.ONCE_BATTLE, 1, 1)
    return 0


@inner(void(M, P, int64, int64))
def mark_used(m, p, card, effect):
    """Uses up the limits of an effect (R6.5.10)."""
    if effect < 0 or p.effect[effect].limits == 0:
        return
    limits = int(p.effect[effect].limits)
    bit = 1 << min(4, int(p.effect[effect].index))
    marks = 0
    if limits & (1 << Limit.OncePerTurn) != 0:
        marks = marks | (bit << 10)
    if limits & ((1 << Limit.OncePerStint) | (1 << Limit.OncePerRound)) != 0:
        marks = marks | (bit << 5)
    if limits & (1 << Limit.OncePerBattle) != 0:
        marks = marks | bit
    # the keeper counts for all copies, the copy's own row tells which of them was used
    m.used[m.canon[card]] = int(m.used[m.canon[card]]) | marks
    m.used[card] = int(m.used[card]) | marks


@inner(int64(M, P, int64, int64, int64))
def why_scope(m, p, char, card, effect):
    """Returns 0 if an effect may be used from where its card is (A6 row 3; R6.6, R7.2, R3.8.4)."""
    zone = int(m.zone[card])
    scopes = 0
    auto = 0
    if effect >= 0:
        scopes = int(p.effect[effect].scopes)
        auto = 1 if p.effect[effect].activation != Activation.Activate else 0
    if scopes & (1 << Scope.Anywhere) != 0 and zone != Zone.LIMBO and hero_of(card) == m.owner[char]:
        return 0
    if zone == Zone.SCENARIO:
        return 0 if scopes == 0 or scopes & (1 << Scope.Scenario) != 0 else pack(Reason.WRONG_ZONE, 0, zone)
    if hero_of(card) != m.owner[char] and card != m.body[char] and scopes & (1 << Scope.TeamMember) == 0:
        return pack(Reason.WRONG_ZONE, 0, zone)
    if is_table(zone) != 0:
        if has_flag(m, card, Flag.FACE_DOWN) != 0:
            return pack(Reason.HIDDEN, 0, zone)
        if int(p.card[m.ident[card]].traits) & Trait.COLLEGIUM != 0 and has_flag(m, card, Flag.EXHAUSTED) != 0:
            # a Collegium works only while ready (R22.4)
            return pack(Reason.NOT_READY, 1, 0)
        narrow = (1 << Scope.Hand) | (1 << Scope.DiscardPile) | (1 << Scope.Attached) | (1 << Scope.Scenario)
        wide = (1 << Scope.Table) | (1 << Scope.TeamMember)
        return 0 if scopes & wide != 0 or scopes & narrow == 0 else pack(Reason.WRONG_ZONE, 1, zone)
    if zone == Zone.HAND:
        if p.card[m.ident[card]].suit <= Suit.Entity and scopes & (1 << Scope.Hand) == 0 and auto == 0:
            # Sheet cards are activated from the sheet only (R7.2.2)
            return pack(Reason.WRONG_ZONE, 4, zone)
        if scopes & (1 << Scope.Hand) != 0 or (scopes == 0 and auto == 0):
            return 0
        return 0 if scopes == 0 and has_flag(m, card, Flag.REVEALED) != 0 else pack(Reason.WRONG_ZONE, 2, zone)
    if zone == Zone.DISCARD and scopes & (1 << Scope.DiscardPile) != 0:
        return 0
    if zone == Zone.ATTACHED and scopes & (1 << Scope.Attached) != 0:
        return 0
    return pack(Reason.WRONG_ZONE, 3, zone)


@inner(int64(M, P, int64, int64))
def card_value(m, p, hero, card):
    """Returns the PRICE, XP, WILL or FATE that a card is worth to a hero (R2.1.8)."""
    ident = p.card[m.ident[card]]
    return max(0, modify(m, p, Q.VALUE, int(ident.suit), int(ident.value), hero, card, -1, -1, -1))


@inner(int64(M, int64))
def is_ready(m, card):
    """Returns 1 if a table copy can be exhausted (R5.1)."""
    return 1 if is_table(int(m.zone[card])) != 0 and has_flag(m, card, Flag.EXHAUSTED | Flag.FACE_DOWN) == 0 else 0


@inner(int64(M, P, int64, int64, int64, int64, int64))
def breaks_condition(m, p, char, card, effect, ev, other):
    """Returns 1 if giving a copy away as a cost would make the condition of an effect false (R6.8.6)."""
    if effect < 0 or p.effect[effect].condition < 0:
        return 0
    zone = int(m.zone[other])
    m.zone[other] = Zone.DISCARD
    holds = value(m, p, p.effect[effect].condition, -1, ev, card, char, char, card)
    m.zone[other] = zone
    return 1 if holds == 0 else 0


@inner(int64(int64))
def place_of_cost(kind):
    """Returns where the cards of a cost entry go (codes.Zone, see `moves`), -1 where they stay."""
    if kind == Cost.BURY or kind == Cost.TABLE_BURY:
        return BOTTOM + Zone.DECK
    if kind == Cost.BANISH:
        return 0 + Zone.BANISHED
    if kind == Cost.RETURN:
        return 0 + Zone.HAND
    if kind == Cost.EXHAUST or kind == Cost.REVEAL or kind == Cost.COUNTER_OF:
        return -1
    return 0 + Zone.DISCARD


@inner(int64(int64))
def place_of_task(task):
    """Returns where a task sends its card (codes.Zone, see `moves`), -1 where it stays."""
    if task == Task.Discard:
        return 0 + Zone.DISCARD
    if task == Task.Bury:
        return BOTTOM + Zone.DECK
    if task == Task.Banish:
        return 0 + Zone.BANISHED
    return 0 + Zone.SCENARIO if task == Task.Register else -1


@inner(int64(M, P, int64, int64, int64, int64, int64))
def fits_cost(m, p, char, card, pc, ev, other):
    """Returns 1 if a copy may be given for a cost entry, whether or not the condition of the effect would still hold.

    "A card" is one of the hand or the table; the activated card itself is not given (R2.1.10, R7.7.2).
    """
    kind = int(p.code[pc])
    extra = int(p.code[pc + 3])
    test = int(p.code[pc + 2])
    ident = p.card[m.ident[other]]
    zone = int(m.zone[other])
    if kind == Cost.EXHAUST:
        fits = is_ready(m, other) != 0
    elif kind == Cost.RETURN or kind == Cost.TABLE_DISCARD or kind == Cost.TABLE_BURY:
        fits = is_listed_table(zone) != 0
    elif kind == Cost.ATTACHED:
        fits = zone == Zone.ATTACHED and m.host[other] == card
    elif kind == Cost.COUNTER_OF:
        fits = is_table(zone) != 0 and counters_on(m, other, extra) > 0
    elif kind == Cost.CURRENCY:
        fits = zone == Zone.HAND and other != card and counts_as(m, p, other, extra) != 0
    else:
        fits = zone == Zone.HAND or (extra != 0 and is_listed_table(zone) != 0)
        fits = fits and other != card and ident.suit > Suit.Entity
    if not fits or (test >= 0 and value(m, p, test, -1, ev, card, char, char, other) == 0):
        return 0
    # what a running effect would send elsewhere pays nothing (R7.6.1)
    place = place_of_cost(kind)
    return 1 if place < 0 or destination(m, p, other, place) == place else 0


@inner(int64(M, P, int64, int64, int64, int64, int64, int64, int64))
def payable_worth(m, p, char, card, effect, pc, ev, looking, other):
    """Returns what a copy adds to a cost entry: 0 if it cannot be taken, else 1, or its worth for a currency."""
    kind = int(p.code[pc])
    if fits_cost(m, p, char, card, pc, ev, other) == 0:
        return 0
    given = kind != Cost.EXHAUST and kind != Cost.ATTACHED
    if looking != 0 and given and breaks_condition(m, p, char, card, effect, ev, other) != 0:
        return 0
    return card_value(m, p, int(m.owner[char]), other) if kind == Cost.CURRENCY else 1


@inner(int64(M, P, int64, int64, int64, int64))
def counters_for(m, p, char, card, name, test):
    """Counts the counters of a name on table and sheet cards that pass a filter."""
    total = 0
    for k in range(int(m.counters)):
        other = int(m.counter_card[k])
        if m.counter_name[k] == name and is_table(int(m.zone[other])) != 0:
            if test < 0 or value(m, p, test, -1, -1, card, char, char, other) != 0:
                total += int(m.counter_n[k])
    return total


@inner(int64(M, P, int64, int64, int64, int64, int64, int64, int64))
def payable_cards(m, p, char, card, effect, pc, ev, looking, enough):
    """Counts the cards a cost entry could take, or for a currency their worth; `looking` regards the condition (R6.8.6).

    The count ends at `enough`.
    """
    kind = int(p.code[pc])
    hero = int(m.owner[char])
    total = 0
    if kind == Cost.ATTACHED:
        for slot in range(COPIES):
            other = hero * COPIES + slot
            if m.ident[other] >= 0 and total < enough:
                total += payable_worth(m, p, char, card, effect, pc, ev, looking, other)
        return total
    if char >= HEROES and m.zone[card] != Zone.ATTACHED:
        # a Companion has no hand and no table (R19.7)
        return 0
    on_table = kind == Cost.EXHAUST or kind == Cost.RETURN or kind == Cost.TABLE_DISCARD or kind == Cost.TABLE_BURY
    if not on_table:
        for i in range(int(m.hand_n[hero])):
            if total < enough:
                total += payable_worth(m, p, char, card, effect, pc, ev, looking, hand_card(m, hero, i))
        if kind == Cost.CURRENCY or p.code[pc + 3] == 0:
            return total
    for i in range(int(m.table_n[hero])):
        if total < enough:
            total += payable_worth(m, p, char, card, effect, pc, ev, looking, table_card(m, hero, i))
    if kind == Cost.EXHAUST:
        for slot in range(DECK_SLOT):
            other = hero * COPIES + slot
            if m.ident[other] >= 0 and total < enough:
                total += payable_worth(m, p, char, card, effect, pc, ev, looking, other)
    return total


@inner(int64(M, P, int64, int64, int64, int64, int64, int64))
def why_not_costs(m, p, char, card, effect, pc, ev, x):
    """Returns 0 if every entry of a list of costs can be paid (A6 row 8; R7.6)."""
    if pc <= 0:
        return 0
    given = 0
    while p.code[pc] != Cost.END:
        kind = int(p.code[pc])
        amount = amount_of(m, p, int(p.code[pc + 1]), char, card, ev, x)
        had = amount
        if kind == Cost.HP:
            had = int(m.hp[char])
        elif kind == Cost.AP_PIECE:
            piece = char_of(m, card)
            if piece < 0 or m.life[piece] != Life.ALIVE:
                return pack(Reason.REQUIREMENT, amount, 0)
            why = why_not_ap(m, piece, amount, 0)
            if why != 0:
                return why
        elif kind == Cost.HP_PIECE:
            piece = char_of(m, card)
            had = int(m.hp[piece]) if piece >= 0 and m.life[piece] == Life.ALIVE else -1
        elif kind == Cost.COUNTER:
            had = counters_on(m, card, int(p.code[pc + 3]))
        elif kind == Cost.THIS_COUNTERS:
            had = counters_on(m, card, int(p.code[pc + 3]))
            amount = 1
        elif kind == Cost.COUNTER_OF:
            had = counters_for(m, p, char, card, int(p.code[pc + 3]), int(p.code[pc + 2]))
        elif kind == Cost.MARKER:
            had = 1 if int(m.markers[char]) & (1 << int(p.code[pc + 3])) != 0 else 0
        elif kind != Cost.AP and kind != Cost.ENERGY:
            had = payable_cards(m, p, char, card, effect, pc, ev, 0, amount)
        if had < amount:
            return pack(Reason.REQUIREMENT, amount, had)
        if kind == Cost.DISCARD or kind == Cost.BURY or kind == Cost.BANISH:
            if effect >= 0 and p.effect[effect].condition >= 0:
                had = payable_cards(m, p, char, card, effect, pc, ev, 1, amount)
                if had < amount:
                    return pack(Reason.LOOKAHEAD, amount, had)
            given += amount
            have = int(m.hand_n[m.owner[char]]) - (1 if m.zone[card] == Zone.HAND and hero_of(card) == m.owner[char] else 0)
            if p.code[pc + 3] != 0:
                have += m.table_n[m.owner[char]]
            if given > have:
                return pack(Reason.LOOKAHEAD, given, have)
        pc += COST_WIDTH
    return 0


@inner(int64(M, int64, int64, int64, int64))
def why_not_in_range(m, char, target, range_type, reach):
    """Returns 0 if a character is in range and, for Direct, in sight (R15.18 to R15.23)."""
    origin = int(m.tile[char])
    tile = int(m.tile[target])
    if origin < 0 or tile < 0:
        return pack(Reason.NO_TARGET, 0, 0)
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


@inner(int64(M, P, int64, int64, int64, int64, int64))
def why_not_choice(m, p, char, card, effect, ev, choice):
    """Returns 0 if a character, tile or copy may be selected by an effect (R7.1.1, R15.21, R15.26)."""
    e = p.effect[effect]
    ident = p.card[m.ident[card]]
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
        last = int(m.heroes) * COPIES
    for choice in range(last):
        if select == Select.TILE and choice % SIDE >= m.width:
            continue
        why = why_not_choice(m, p, char, card, effect, ev, choice)
        if why == 0:
            return 0
        if why & 0xFFFF > worst & 0xFFFF:
            worst = why
    return worst


@inner(int64(M, P, int64, int64))
def why_not_task(m, p, card, effect):
    """Returns 0 if the task of an effect can be done on its card (A6 row 12; R6.7)."""
    task = int(p.effect[effect].task)
    if task == Task.Exhaust and (has_flag(m, card, Flag.EXHAUSTED) != 0 or is_table(int(m.zone[card])) == 0):
        return pack(Reason.NOT_READY, 1, 0)
    if task == Task.Recover and has_flag(m, card, Flag.EXHAUSTED) == 0:
        return pack(Reason.TASK, 1, 0)
    if task >= Task.Discard and p.card[m.ident[card]].suit < Suit.Entity:
        # a Hero keeps its House and its Classes; an Entity may go to a pile (R2.1.11)
        return pack(Reason.TASK, 1, 0)
    place = place_of_task(task)
    return pack(Reason.TASK, 1, 0) if place >= 0 and destination(m, p, card, place) != place else 0


@inner(int64(M, int64, int64))
def is_resolving(m, card, effect):
    """Returns 1 while an effect of a copy is on the resolution stack (R8.2)."""
    for at in range(int(m.sp)):
        f = m.frame[at]
        if (f.kind == Frame.ACTIVATION or f.kind == Frame.PROGRAM) and f.card == card and f.effect == effect:
            return 1
    return 0


@inner(int64(M, P, int64, int64))
def knows(m, p, char, card):
    """Returns 1 if the activator meets the card's knowledge or level (R3.6.3, R3.6.4, R7.2.1)."""
    if p.card[m.ident[card]].suit <= Suit.Entity:
        return 1
    if hero_of(card) == m.owner[char]:
        return has_flag(m, card, Flag.USABLE)
    return meets_knowledge(m, p, int(m.owner[char]), card)


@inner(int64(M, P, int64))
def is_unnegatable(m, p, ev):
    """Returns 1 if what a window is about is an activation or attack that cannot be negated (R6.5.6)."""
    if ev < 0 or m.frame[ev].kind != Frame.WINDOW or m.frame[ev].reg[W_PARENT] == 0:
        return 0
    f = m.frame[m.frame[ev].reg[W_PARENT] - 1]
    if f.kind != Frame.ATTACK and f.kind != Frame.ACTIVATION:
        return 0
    if f.effect >= 0 and int(p.effect[f.effect].limits) & (1 << Limit.NoNegation) != 0:
        return 1
    return has_rule(m, p, int(f.char), Rule.NO_NEGATION)


@inner(int64(M, int64, int64))
def is_own_move(m, card, ev):
    """Returns 1 for what happened to the card itself: such triggers need no scope, wherever the card went (R6.4.36)."""
    if ev < 0 or m.frame[ev].kind != Frame.WINDOW or m.frame[ev].card != card or m.zone[card] == Zone.LIMBO:
        return 0
    event = int(m.frame[ev].event)
    return 1 if Ev.PLAY <= event <= Ev.DISCARD_BEFORE else 0


@inner(int64(M, P, int64, int64, int64, int64, int64, int64))
def judge_activation(m, p, char, card, effect, ev, x, target):
    """Returns 0 if a character may activate a card with an effect (-1: the bare bar), in the order of ARENA A6.

    Args:
        ev: window frame it answers, -1 in the own turn.
        x: chosen X, -1 not yet chosen.
        target: what is selected, -1 asks whether anything could be.
    """
    why = 0 if is_own_move(m, card, ev) != 0 else why_scope(m, p, char, card, effect)
    if why != 0:
        return why
    if knows(m, p, char, card) == 0:
        return pack(Reason.KNOWLEDGE, int(p.card[m.ident[card]].level), 0)
    if has_rule_for(m, p, char, 0 + Rule.CANNOT_ACTIVATE, card, -1) != 0:
        return pack(Reason.RULE, 0, 0)
    if effect >= 0:
        limits = int(p.effect[effect].limits)
        if limits & (1 << Limit.YourTurnOnly) != 0 and m.turn_char != char:
            return pack(Reason.YOUR_TURN_ONLY, 0, 0)
        why = why_limited(m, p, card, effect)
        if why == 0 and limits & (1 << Limit.AllIn) != 0 and (m.turn_spoiled != 0 or m.turn_char != char):
            why = pack(Reason.ALL_IN_SPOILED, 0, 0)
        if why != 0:
            return why
        if is_resolving(m, card, effect) != 0:
            return pack(Reason.ON_STACK, 0, 0)
    if int(p.card[m.ident[card]].traits) & Trait.ULTIMATUM != 0 and ev < 0:
        have = counters_on(m, card, ULTIMATE)
        if have < ULTIMATE_NEED or int(m.salvation[m.owner[char]]) & ULTIMATE_USED != 0:
            return pack(Reason.ULTIMATUM, ULTIMATE_NEED, have)
    why = why_not_ap(m, char, ap_cost(m, p, char, card, effect, ev, x), ev)
    if why != 0:
        return why
    need = local_array(NEED)
    energy_need(m, p, char, card, effect, ev, x, need)
    if (char >= HEROES and energy_total(need) > 0) or can_pay_energy(m, p, int(m.owner[char]), need) == 0:
        # a Companion has no energy (R3.5.3, R7.5.9)
        return pack(Reason.ENERGY, energy_total(need), 0)
    if has_bar(m, p, card, effect) != 0 and p.card[m.ident[card]].bar_costs > 0:
        why = why_not_costs(m, p, char, card, -1, int(p.card[m.ident[card]].bar_costs), ev, x)
        if why != 0:
            return why
    if effect >= 0:
        why = why_not_costs(m, p, char, card, effect, int(p.effect[effect].costs), ev, x)
        if why != 0:
            return why
        e = p.effect[effect]
        if e.condition >= 0 and value(m, p, e.condition, -1, ev, card, char, char, card) == 0:
            return pack(Reason.CONDITION, 0, 0)
    if has_bar(m, p, card, effect) != 0:
        range_type = range_type_of(m, p, char, card)
        reach = range_value(m, p, char, card)
        why = why_not_selection(m, p, char, target, card, range_type, reach)
        if why == 0 and effect >= 0 and p.effect[effect].select == Select.CHAR:
            why = why_not_admitted(m, p, char, card, effect, ev, target, range_type, reach)
        if why != 0:
            return why
    elif effect >= 0 and p.effect[effect].select != Select.NONE:
        if target >= 0:
            why = why_not_choice(m, p, char, card, effect, ev, target)
        else:
            why = why_no_choice(m, p, char, card, effect, ev)
        if why != 0:
            return why
    if effect >= 0:
        why = why_not_task(m, p, card, effect)
        if why == 0 and is_incomplete(m, p, char, card, effect, ev, target) != 0:
            why = pack(Reason.INCOMPLETE, 1, 0)
        if why == 0 and target < 0 and has_bar(m, p, card, effect) != 0 and int(p.effect[effect].needs) & Need.OF_TARGET != 0:
            # what is declared now must still be complete once its target is selected; an area selects nobody (R15.20)
            range_type = range_type_of(m, p, char, card)
            if range_type != RangeType.Area:
                if finds_complete(m, p, char, card, effect, ev, range_type, range_value(m, p, char, card)) == 0:
                    why = pack(Reason.INCOMPLETE, 1, 0)
    return why


@inner(int64(M, P, int64, int64, int64, int64, int64, int64))
def why_not_activate(m, p, char, card, effect, ev, x, target):
    """Returns 0 if a character may activate a card with an effect, see `judge_activation`."""
    why = judge_activation(m, p, char, card, effect, ev, x, target)
    note(p, REASONS, why & 0xFFFF)
    return why


@inner(int64(M, P, int64, int64))
def is_free_activation(m, p, k, technique):
    """Returns 1 if effect `k` may be declared in the own turn: an Activate that waits for no event (R6.3.1)."""
    e = p.effect[k]
    if e.technique != technique or e.hears != 0 or e.program < 0 and e.mod_n == 0:
        return 0
    return 1 if e.activation == Activation.Activate or e.activation == Activation.Temp else 0


@inner(int64(M, P, int64))
def is_team_effect(m, p, k):
    """Returns 1 if effect `k` may be declared by any character of its owner's team (R6.6.5)."""
    return 1 if int(p.effect[k].scopes) & (1 << Scope.TeamMember) != 0 and is_free_activation(m, p, k, -1) != 0 else 0


@inner(int64(M, P, int64, int64, int64, int64))
def why_not_use(m, p, char, card, effect, target):
    """Returns 0 if a card may be activated in the own turn with an effect, -1 the bare bar, -2 any way.

    A card with free Activate effects is activated with exactly one of them (R6.3.5); a card with none needs a bar (R27.6).
    """
    ident = p.card[m.ident[card]]
    if effect >= 0 and is_free_activation(m, p, effect, -1) == 0:
        return pack(Reason.WINDOW if p.effect[effect].hears != 0 else Reason.INERT, 0, 0)
    if effect >= -1:
        return why_not_activate(m, p, char, card, effect, -1, -1, target)
    best = pack(Reason.INERT, 0, 0)
    free = 0
    for k in range(int(ident.effect_first), int(ident.effect_first) + int(ident.effect_n)):
        if is_free_activation(m, p, k, -1) == 0:
            if free == 0 and p.effect[k].activation == Activation.Activate and p.effect[k].hears != 0:
                best = pack(Reason.WINDOW, 0, 0)
            continue
        free = 1
        why = why_not_activate(m, p, char, card, k, -1, -1, target)
        if why == 0:
            return 0
        best = why
    if free == 0 and has_bar(m, p, card, -1) != 0:
        return why_not_activate(m, p, char, card, -1, -1, -1, target)
    return best
