"""Which codes of the action space answer the pending question (docs/actions.md).

Candidates are enumerated and judged by `legality`; a question's first option is its canonical answer (A5.3).
"""

from __future__ import annotations

from numba import int64

from ..vocabulary import Activation
from .activation import V_LEFT, V_WORTH, is_payable
from .board import is_access, is_empty, neighbour
from .card_codes import OUT, add, card_code, only_set
from .checks import is_spendable, spent_suit
from .codes import Act, CharKind, Decision, Fault, Kind, Trait, Zone
from .compiler import inner, local_array
from .costs import NEED, SETS, energy_sets
from .damage import is_price_card
from .drafts import draft_need
from .energy import is_change, is_recoverable
from .hearing import EFFECTS, FOUND, list_reactions, why_not_react
from .layout import CARDS, COPIES, SIDE, TILES, M, P
from .legality import OPTION_ROWS, why_not, why_not_place
from .opcodes import PHASE_EVENTS, Cost, Select
from .picks import is_char_pickable, next_pickable, next_walkable
from .prices import card_value, fits_cost, payment_sets
from .registers import R_EV
from .requirements import is_free_activation, is_team_effect, why_not_activate
from .standing import counts_as
from .turn_listing import card_options, turn_options
from .values import value
from .victims import order_options
from .zones import hand_card, table_card


@inner(int64(M, P, int64))
def why_not_drafted(m, p, target):
    """Returns 0 if the drafted declaration may select a target."""
    if m.d_kind == Kind.NORMAL_ATTACK or m.d_kind == Kind.ATTACH or m.d_kind == Kind.PUSH:
        return why_not(m, p, int(m.d_char), int(m.d_kind), int(m.d_card), -2, target)
    if m.d_kind == Kind.TECHNIQUE:
        return why_not(m, p, int(m.d_char), int(m.d_kind), -1, int(m.d_technique), target)
    return why_not_activate(m, p, int(m.d_char), int(m.d_card), int(m.d_effect), int(m.d_event), int(m.d_x), target)


@inner(int64(M, P, OUT))
def target_options(m, p, out):
    """Lists the characters, tiles or cards that the drafted declaration may select; ask_a is the opcodes.Select."""
    n = 0
    if m.ask_a == Select.TILE:
        for tile in range(TILES):
            if tile % SIDE < m.width and tile // SIDE < m.height and why_not_drafted(m, p, tile) == 0:
                n = add(out, n, Act.TILE + tile)
    elif m.ask_a == Select.CARD:
        for card in range(CARDS):
            if m.ident[card] >= 0 and why_not_drafted(m, p, card) == 0:
                n = add(out, n, card_code(m, int(m.asked), card))
    else:
        for other in range(int(m.chars)):
            if m.kind[other] != CharKind.NONE and why_not_drafted(m, p, other) == 0:
                n = add(out, n, Act.CHAR + other)
    return n


@inner(int64(M, P, OUT))
def effect_options(m, p, out):
    """Lists the effects of the drafted card that may be activated, by their index on the card (R6.3.5)."""
    n = 0
    card = int(m.d_card)
    if m.d_kind == Kind.TECHNIQUE:
        for index in range(OPTION_ROWS):
            if why_not(m, p, int(m.d_char), Kind.TECHNIQUE, -1, index, -1) == 0:
                n = add(out, n, Act.OPTION + index)
        return n
    ident = p.card[m.ident[card]]
    for index in range(int(ident.effect_n)):
        effect = int(ident.effect_first) + index
        if m.d_event >= 0:
            if p.effect[effect].activation != Activation.Permanent:
                if why_not_react(m, p, int(m.d_char), card, effect, int(m.d_event)) == 0:
                    n = add(out, n, Act.OPTION + index)
        elif m.d_kind == Kind.USE_TEAM and is_team_effect(m, p, effect) == 0:
            continue
        elif is_free_activation(m, p, effect, -1) != 0:
            if why_not_activate(m, p, int(m.d_char), card, effect, -1, -1, -1) == 0:
                n = add(out, n, Act.OPTION + index)
    if n == 0:
        n = add(out, n, Act.OPTION + 15)
    return n


@inner(int64(M, P, OUT))
def number_options(m, p, out):
    """Lists the amounts of X that can be paid in full."""
    n = 0
    e = p.effect[m.d_effect]
    most = min(SETS, value(m, p, e.x_max, -1, int(m.d_event), int(m.d_card), int(m.d_char), -1, -1))
    for x in range(1, most + 1):
        why = why_not_activate(m, p, int(m.d_char), int(m.d_card), int(m.d_effect), int(m.d_event), x, -1)
        if why == 0:
            n = add(out, n, Act.NUMBER + x)
    return n


@inner(int64(M, P, OUT))
def react_options(m, p, out):
    """Lists the cards whose effects may answer the window on top, and PASS unless one of them must (R8.4)."""
    hero = int(m.asked)
    found = local_array(FOUND)
    n = 0
    if m.ask_a >= 0:
        n = add(out, n, card_code(m, hero, int(m.ask_a) // EFFECTS))
        return add(out, n, 0 + Act.PASS)
    count = list_reactions(m, p, hero, int(m.sp) - 1, found)
    last = -1
    for k in range(count):
        code = found[k] if found[k] >= 0 else -1 - found[k]
        if found[k] >= 0 and m.ask_b != 0 and PHASE_EVENTS & (1 << int(m.frame[m.sp - 1].event)) != 0:
            # the order of a phase is one of its mandatory effects
            continue
        if code // EFFECTS != last:
            last = code // EFFECTS
            n = add(out, n, card_code(m, hero, last))
    if m.ask_b == 0:
        n = add(out, n, 0 + Act.PASS)
    return n


@inner(int64(M, P, OUT))
def pick_options(m, p, out):
    """Lists the copies that the PICK of the top program may take; PASS if it is optional."""
    f = m.frame[m.sp - 1]
    pc = int(f.pc)
    n = 0
    if m.ask_a != 0:
        for char in range(int(m.chars)):
            if is_char_pickable(m, p, int(m.sp) - 1, char) != 0:
                n = add(out, n, Act.CHAR + char)
        if p.code[pc + 3] != 0:
            n = add(out, n, 0 + Act.PASS)
        return n
    card = next_pickable(m, p, int(m.sp) - 1, 0)
    while card >= 0:
        n = add(out, n, card_code(m, int(m.asked), card))
        card = next_pickable(m, p, int(m.sp) - 1, card + 1)
    if p.code[pc + 3] != 0:
        return add(out, n, 0 + Act.PASS)
    return only_set(n, 1, n - max(1, int(p.code[pc + 6])))


@inner(int64(M, OUT))
def access_options(m, out):
    """Lists empty access tiles, nearest to the centre of the row first, then left, then right (A3.4)."""
    team = int(m.team[m.asked])
    row = 0 if team == 0 else int(m.height) - 1
    n = 0
    for away in range(2 * m.width):
        for x in range(int(m.width)):
            # twice the distance from the centre, so that even widths stay in integers
            if abs(2 * x - (m.width - 1)) != away:
                continue
            tile = row * SIDE + x
            if is_access(m, team, tile) != 0 and is_empty(m, tile) != 0:
                n = add(out, n, Act.TILE + tile)
    return n


@inner(int64(M, P, OUT))
def step_options(m, p, out):
    """Lists the tiles a character may step to, or a Companion may enter or be summoned to."""
    char = int(m.asked)
    n = 0
    if m.d_kind == Kind.PLACE:
        return access_options(m, out)
    if m.d_kind == Kind.PUSH:
        for direction in range(4):
            tile = neighbour(m, int(m.tile[m.d_target]), direction)
            if tile >= 0 and why_not(m, p, int(m.d_char), Kind.PUSH, -1, tile, int(m.d_target)) == 0:
                n = add(out, n, Act.TILE + tile)
        return n
    if m.d_kind == Kind.SUMMON:
        for tile in range(TILES):
            if tile % SIDE < m.width and tile // SIDE < m.height:
                if why_not(m, p, char, Kind.SUMMON, int(m.d_card), -2, tile) == 0:
                    n = add(out, n, Act.TILE + tile)
        return n
    for direction in range(4):
        tile = neighbour(m, int(m.tile[char]), direction)
        if tile >= 0 and why_not(m, p, char, Kind.MOVE, -1, -2, tile) == 0:
            n = add(out, n, Act.TILE + tile)
    return n


@inner(int64(M, P, OUT))
def walk_options(m, p, out):
    """Lists the tiles a piece may be walked to next; PASS ends the walk."""
    n = 0
    char = int(m.ask_a)
    if m.ask_b == 0:
        n = add(out, n, 0 + Act.PASS)
    tile = next_walkable(m, p, int(m.sp) - 1, char, 0)
    while tile >= 0:
        n = add(out, n, Act.TILE + tile)
        tile = next_walkable(m, p, int(m.sp) - 1, char, tile + 1)
    return n


@inner(int64(M, P, int64, OUT))
def sets_of_draft(m, p, hero, out):
    """Lists the energy payments of the drafted card as masks; returns their number."""
    need = local_array(NEED)
    draft_need(m, p, need)
    if m.d_effect < 0:
        return energy_sets(m, p, hero, need, out)
    return payment_sets(m, p, int(m.d_char), int(m.d_card), int(m.d_effect), int(m.d_event), int(m.d_x), need, out)


@inner(int64(M, P, OUT))
def payment_options(m, p, out):
    """Numbers the payment sets of the drafted card."""
    masks = local_array(SETS)
    count = sets_of_draft(m, p, int(m.asked), masks)
    for k in range(count):
        out[k] = Act.NUMBER + k
    return count


@inner(int64(M, P, OUT))
def table_pick_options(m, p, out):
    """Lists table cards that come back as change or by a recovery; PASS ends the choice."""
    hero = int(m.asked)
    n = add(out, 0, 0 + Act.PASS)
    for i in range(int(m.table_n[hero])):
        fits = is_change(m, p, i) if m.pending == Decision.CHANGE else is_recoverable(m, p, i)
        if fits != 0:
            n = add(out, n, card_code(m, hero, table_card(m, hero, i)))
    return n


@inner(int64(M, P, OUT))
def crowd_options(m, p, out):
    """Lists the cards of a table area that fill a slot of it (R3.7.4); ask_a is the area plus one."""
    hero = int(m.asked)
    n = 0
    for i in range(int(m.table_n[hero])):
        card = table_card(m, hero, i)
        if m.zone[card] == Zone.EQUIPMENT + m.ask_a - 1 and p.card[m.ident[card]].traits & Trait.ULTIMATUM == 0:
            n = add(out, n, card_code(m, hero, card))
    return n


@inner(int64(M, P, OUT))
def cost_options(m, p, out):
    """Lists the cards that may pay for the running cost entry of an activation."""
    hero = int(m.asked)
    f = m.frame[m.sp - 1]
    kind = int(p.code[f.pc])
    first = hero * COPIES
    last = first + COPIES
    if kind == Cost.COUNTER_OF:
        first = 0
        last = int(m.heroes) * COPIES
    n = 0
    left = -int(f.reg[V_LEFT])
    least = 32000
    for card in range(first, last):
        fits = is_payable(m, p, card)
        if fits != 0:
            n = add(out, n, card_code(m, hero, card))
        worth = fits
        if kind == Cost.CURRENCY and m.ident[card] >= 0:
            # cards worth less may follow, though none of them can be the first
            if fits_cost(m, p, int(f.char), int(f.card), int(f.pc), int(f.reg[R_EV]) - 1, card) != 0:
                worth = max(0, card_value(m, p, int(f.char), card))
                worth = worth if worth <= f.reg[V_WORTH] else 0
        if worth > 0:
            left += worth
            least = min(least, worth)
    return n if kind == Cost.COUNTER_OF else only_set(n, least, left)


@inner(int64(M, P, OUT))
def hand_pick_options(m, p, out):
    """Lists hand cards for a muster, a card payment or a discard down to capacity."""
    hero = int(m.asked)
    n = 0
    left = 0
    least = 32000
    if m.pending == Decision.OVERFLOW and m.ask_a < 4:
        return crowd_options(m, p, out)
    if m.pending == Decision.PAY_CARDS:
        if m.ask_b != 0:
            return cost_options(m, p, out)
        left = -int(m.frame[m.sp - 1].reg[0])
    if m.pending == Decision.MUSTER:
        n = add(out, n, 0 + Act.PASS)
    for i in range(int(m.hand_n[hero])):
        card = hand_card(m, hero, i)
        fits = 1
        if m.pending == Decision.MUSTER:
            fits = 1 if why_not_place(m, p, hero, card, 1, -1) == 0 else 0
        elif m.pending == Decision.PAY_CARDS:
            fits = is_price_card(m, p, card)
        if fits != 0:
            n = add(out, n, card_code(m, hero, card))
        if m.pending == Decision.PAY_CARDS and counts_as(m, p, card, int(m.frame[m.sp - 1].reg[2])) != 0:
            worth = card_value(m, p, hero, card)
            if 0 < worth <= m.frame[m.sp - 1].reg[1]:
                left += worth
                least = min(least, worth)
    return only_set(n, least, left) if m.pending == Decision.PAY_CARDS else n


@inner(int64(M, P, OUT))
def spending_options(m, p, out):
    """Lists the cards the checker may spend, PASS first; an XP price that was begun must be finished (R11.9)."""
    hero = int(m.asked)
    n = 0
    if m.ask_a == 0:
        n = add(out, n, 0 + Act.PASS)
    for card in range(hero * COPIES, (hero + 1) * COPIES):
        if is_spendable(m, p, card, spent_suit(int(m.pending))) != 0:
            n = add(out, n, card_code(m, hero, card))
    return n


@inner(int64(M, P, OUT))
def options(m, p, out):
    """Writes all legal codes of the pending question to `out` and returns their number.

    Args:
        out: int64 array of at least OPTIONS entries.
    """
    pending = int(m.pending)
    if pending == Decision.TURN:
        return turn_options(m, p, out)
    if pending == Decision.CARD:
        return card_options(m, p, out)
    if pending == Decision.TARGET:
        return target_options(m, p, out)
    if pending == Decision.REACT:
        return react_options(m, p, out)
    if pending == Decision.EFFECT:
        return effect_options(m, p, out)
    if pending == Decision.NUMBER:
        return number_options(m, p, out)
    if pending == Decision.PICK:
        return pick_options(m, p, out)
    if pending == Decision.CHOOSE:
        for k in range(int(m.ask_a)):
            out[k] = Act.OPTION + k
        return int(m.ask_a)
    if pending == Decision.WALK:
        return walk_options(m, p, out)
    if pending == Decision.ORDER:
        return order_options(m, p, out)
    if Decision.CHECK_XP <= pending <= Decision.CHECK_WILL:
        return spending_options(m, p, out)
    if pending == Decision.TILE:
        return step_options(m, p, out)
    if pending == Decision.PAY_ENERGY:
        return payment_options(m, p, out)
    if pending == Decision.CHANGE or pending == Decision.RECOVER:
        return table_pick_options(m, p, out)
    if pending == Decision.MUSTER or pending == Decision.PAY_CARDS or pending == Decision.OVERFLOW:
        return hand_pick_options(m, p, out)
    if pending == Decision.PLACE_HERO:
        return access_options(m, out)
    if pending == Decision.MULLIGAN or pending == Decision.SALVATION or pending == Decision.MAY or pending == Decision.UPKEEP:
        out[0] = 0 + (Act.NO if pending == Decision.MULLIGAN else Act.YES)
        out[1] = 0 + (Act.YES if pending == Decision.MULLIGAN else Act.NO)
        return 2
    m.fault = Fault.NO_OPTION
    return 0
