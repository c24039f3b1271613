"""One function per kind of instruction of an effect program (opcodes.Op): what it does to the match."""

from __future__ import annotations

from numba import int64, void

from ..vocabulary import Attribute, Suit
from .board import neighbour, put_piece
from .codes import OWN_AREA, Change, CharKind, Flag, Frame, Life, Log, Zone
from .compiler import inner, local_array
from .costs import ANY, ESSENCE, MANA, NEED, SETS, STAMINA, energy_sets, total_energy
from .damage import heal, push_death_check
from .entities import entity_level
from .lasting import add_modifier, end_with_marker
from .layout import CARDS, COPIES, HEROES, SIDE, M, P
from .legality import why_no_room
from .movement import can_stand
from .moves import STOPPED as MOVE_STOPPED
from .moves import attach, draw_cards, exhaust_card, relocate, tell, tell_spent, tell_step
from .objects import change_owner, free_copy
from .opcodes import Ev, Negate, Op, Q, Rule, Until
from .pieces import act_last
from .rare import DEATH_STINT, REVIVED
from .readings import attack_of, entity_of, is_attacked
from .registers import A_DAMAGE, A_STOP, R_BOUND, R_EV, R_IT, STOP_ATTACK, STOP_DAMAGE, STOP_TEXT, W_PARENT
from .requirements import is_unnegatable, knows
from .stack import push
from .standing import has_rule_for, is_immune, modify
from .targets import can_be_revived
from .values import value
from .victims import (
    ABOUT_DAMAGE,
    ABOUT_HP,
    ABOUT_INJURY,
    H_DAMAGE,
    H_HP,
    H_INJURY,
    H_PROGRAM,
    ask_order,
    is_order_asked,
    mark_attacked,
    start_hurt,
)
from .zones import has_flag, hero_of, log, move_card, table_card

ANY_HEAL = 10_000  # more than any modifier takes away
V_STOP = 5  # register of an activation frame: see `activation`
STOPPED, NO_TEXT = 1, 2
OWES_DEATHS = 4  # bit of `flags` of a program frame: its loop took HP, the death check follows the loop


@inner(int64(M, P, int64, int64))
def operand(m, p, at, position):
    """Evaluates the value at a position for a program frame; an absent one is -1."""
    if position < 0:
        return -1
    f = m.frame[at]
    return value(m, p, position, at, int(f.reg[R_EV]) - 1, int(f.card), int(f.char), int(f.reg[R_IT]), int(f.reg[R_BOUND]))


@inner(int64(M, P, int64, int64, int64, int64))
def healed(m, p, giver, who, card, amount):
    """Returns the HP that a healing is worth after the modifiers of giver and receiver."""
    amount = modify(m, p, Q.HEAL_DONE, -1, amount, giver, card, -1, who, -1)
    return modify(m, p, Q.HEAL_RECEIVED, -1, amount, who, card, -1, giver, -1)


@inner(void(M, P, int64, int64, int64))
def do_heal(m, p, at, who, amount):
    """Heals a character: modifiers of giver and receiver, up to the maximum (R5.15)."""
    f = m.frame[at]
    if who < 0 or m.life[who] != Life.ALIVE or amount <= 0:
        return
    done = healed(m, p, int(f.char), who, int(f.card), amount)
    if done <= 0 and healed(m, p, int(f.char), who, int(f.card), amount + ANY_HEAL) > 0:
        # lowered by modifiers, not forbidden: at least 1 (R12.3)
        done = 1
    gained = heal(m, p, who, max(0, done))
    if f.card >= 0 and m.ledger_on != 0:
        p.ledger[f.card].hp_healed += gained


@inner(void(M, P, int64, int64, int64, int64))
def do_hurt(m, p, at, op, who, amount):
    """Makes a character suffer DMG, Injury or HP loss, then the death check (R13.8 to R13.10).

    What a loop does to its characters is one action: one death check follows it (R13.14, A7.1).
    """
    f = m.frame[at]
    if who < 0 or m.life[who] != Life.ALIVE or amount <= 0:
        return
    source = int(f.char)
    card = int(f.card)
    if is_immune(m, p, who, card) != 0:
        return
    if f.reg[R_IT] >= 0:
        f.flags = int(f.flags) | OWES_DEATHS
    else:
        push_death_check(m, source, card)
    if op == Op.DAMAGE:
        hurt = start_hurt(m, who, source, card, card, ABOUT_DAMAGE)
        m.frame[hurt].reg[H_DAMAGE] = max(1, modify(m, p, Q.DAMAGE_DEALT, -1, amount, source, card, -1, who, -1))
    elif op == Op.INJURY:
        hurt = start_hurt(m, who, source, card, card, ABOUT_INJURY)
        m.frame[hurt].reg[H_INJURY] = amount
    else:
        hurt = start_hurt(m, who, source, card, card, ABOUT_HP)
        m.frame[hurt].reg[H_HP] = amount
    m.frame[hurt].reg[H_PROGRAM] = at + 1


@inner(void(M, P, int64, int64))
def do_splash(m, p, at, position):
    """Applies the running attack's DMG to whoever passes a filter, in the attacker's order (R15.25, R9.1.15)."""
    attack = attack_of(m, at)
    if attack < 0 or int(m.frame[attack].reg[A_STOP]) & STOP_ATTACK != 0:
        return
    f = m.frame[at]
    push_death_check(m, int(f.char), int(f.card))
    if is_order_asked(m, p, int(m.sp) - 1) != 0:
        ask_order(m, p, int(m.sp) - 1)
        return
    for char in range(int(m.chars) - 1, -1, -1):
        if m.kind[char] == CharKind.NONE or m.life[char] != Life.ALIVE or m.tile[char] < 0:
            continue
        if value(m, p, position, at, int(f.reg[R_EV]) - 1, int(f.card), int(f.char), char, -1) != 0:
            hurt = start_hurt(m, char, int(f.char), int(f.card), int(f.card), ABOUT_DAMAGE)
            m.frame[hurt].reg[H_DAMAGE] = m.frame[attack].reg[A_DAMAGE]


@inner(void(M, P, int64, int64, int64))
def do_recover_energy(m, p, hero, amount, kinds):
    """Lets a Hero recover Skills up to an amount of some kinds of energy (R7.5.7)."""
    if hero < 0 or hero >= HEROES or amount <= 0:
        return
    at = push(m, Frame.RECOVER)
    f = m.frame[at]
    f.char = hero
    f.reg[0] = modify(m, p, Q.RECOVER_AMOUNT, -1, amount, hero, -1, -1, -1, -1)
    f.reg[9] = kinds


@inner(int64(M, P, int64, int64))
def missing_energy(m, p, hero, amount):
    """Returns how much of an amount the energy of a Hero does not reach; nothing is asked of others (R7.5.9)."""
    return max(0, amount - total_energy(m, p, hero)) if 0 <= hero < HEROES else 0


@inner(int64(M, P, int64, int64, int64))
def do_spend_energy(m, p, hero, amount, kinds):
    """Exhausts Skills worth an amount: the canonical set, or all there is (R7.5.6). Returns 1 if it was covered."""
    if hero < 0 or hero >= HEROES:
        return 0
    need = local_array(NEED)
    if kinds == 1:
        need[STAMINA] = amount
    elif kinds == 2:
        need[MANA] = amount
    elif kinds == 4:
        need[ESSENCE] = amount
    else:
        need[ANY] = amount
    masks = local_array(SETS)
    count = 0
    if total_energy(m, p, hero) > 0:
        count = energy_sets(m, p, hero, need, masks)
    chosen = masks[0] if count > 0 else -1
    tell_spent(m, p, hero, kinds, amount)
    for i in range(int(m.table_n[hero])):
        card = table_card(m, hero, i)
        ident = p.card[m.ident[card]]
        worth = ident.stamina * (kinds & 1) + ident.mana * (kinds >> 1 & 1) + ident.essence
        if ident.suit == Suit.Skill and worth > 0 and chosen & (1 << i) != 0:
            exhaust_card(m, p, card, 0)
    return 1 if count > 0 else 0


@inner(void(M, P, int64, int64, int64, int64, int64))
def do_marker(m, p, at, who, marker, until, until_arg):
    """Puts a marker on a character, with its end if it has one (R18.1)."""
    if who < 0 or m.kind[who] == CharKind.NONE or is_immune(m, p, who, int(m.frame[at].card)) != 0:
        return
    if modify(m, p, Q.MARKER_BARRED, marker, 0, who, -1, -1, -1, -1) != 0:
        return
    m.markers[who] = int(m.markers[who]) | (1 << marker)
    m.dirty = int(m.dirty) | Change.MARKERS
    log(m, p, Log.MARKER, who, marker, 1, 0)
    if until != Until.BATTLE:
        add_modifier(m, p, -1, int(m.frame[at].card), int(m.frame[at].char), who, marker, until, until_arg)


@inner(void(M, P, int64, int64))
def do_unmark(m, p, who, marker):
    """Removes a marker, or all for -1 (R18.2)."""
    if who < 0:
        return
    m.markers[who] = 0 if marker < 0 else int(m.markers[who]) & ~(1 << marker)
    m.dirty = int(m.dirty) | Change.MARKERS
    end_with_marker(m, who, marker)
    log(m, p, Log.MARKER, who, marker, 0, 0)


@inner(void(M, P, int64, int64, int64))
def do_move(m, p, at, card, zone):
    """Moves a copy by effect; onto a table only where knowledge and room allow (R5.7, R2.1.12, R3.7.3)."""
    if card < 0 or m.ident[card] < 0 or m.zone[card] == Zone.LIMBO:
        return
    cause = int(m.frame[at].card)
    if card >= HEROES * COPIES and (zone == Zone.HAND or zone == OWN_AREA):
        # what belongs to nobody becomes a card of yours
        hero = int(m.owner[m.frame[at].char])
        if free_copy(m, hero) < 0:
            return
        card = change_owner(m, p, card, hero)
    if zone == Zone.DECK and m.zone[card] == Zone.DECK:
        # from within its deck to the top: it does not leave its zone
        move_card(m, p, card, zone)
        return
    if zone == OWN_AREA:
        suit = int(p.card[m.ident[card]].suit)
        hero = hero_of(card)
        if suit < Suit.Item or suit > Suit.Skill or knows(m, p, hero, card) == 0 or why_no_room(m, p, hero, card) != 0:
            return
        zone = Zone.EQUIPMENT + suit - Suit.Item
    relocate(m, p, card, zone, 0, cause)


@inner(void(M, P, int64, int64))
def do_draw(m, p, hero, amount):
    """Draws cards (R5.8)."""
    if hero < 0 or hero >= HEROES:
        return
    draw_cards(m, p, hero, amount)


@inner(void(M, P, int64, int64, int64, int64, int64, int64))
def do_modifier(m, p, at, standing, this, who, until, rounds):
    """Makes a temporary modifier with its amount fixed now (R12.5).

    Args:
        this: copy that the modifier calls this card: the one of the effect, or the one that it is about.
    """
    f = m.frame[at]
    if who >= 0 and is_immune(m, p, who, int(f.card)) != 0:
        return
    amount = operand(m, p, at, int(p.standing[standing].amount))
    add_modifier(m, p, standing, this, int(f.char), who, amount, until, rounds)


@inner(void(M, P, int64, int64))
def do_negate(m, p, at, what):
    """Negates what the event of this effect is about (R8.8)."""
    ev = int(m.frame[at].reg[R_EV]) - 1
    if ev < 0:
        return
    parent = ev
    if m.frame[ev].kind == Frame.WINDOW:
        parent = int(m.frame[ev].reg[W_PARENT]) - 1
    attack = attack_of(m, at)
    if (what == Negate.ATTACK or what == Negate.ACTIVATION or what == Negate.EFFECT) and is_unnegatable(m, p, ev) != 0:
        return
    log(m, p, Log.NEGATED, int(m.frame[at].char), what, int(m.frame[at].card), 0)
    if attack >= 0:
        stop = int(m.frame[attack].reg[A_STOP])
        if what == Negate.ATTACK or what == Negate.ACTIVATION:
            stop = stop | STOP_ATTACK
        if what == Negate.EFFECT or what == Negate.ACTIVATION:
            stop = stop | STOP_TEXT
        if what == Negate.DAMAGE and parent == attack:
            # before the DMG is there: it will be 0 for the attacked reactor, or for the target that it protects
            char = int(m.frame[at].char)
            whom = char if is_attacked(m, attack, char) != 0 else int(m.frame[attack].target)
            stop = stop % STOP_DAMAGE + STOP_DAMAGE * (1 + whom)
        m.frame[attack].reg[A_STOP] = stop
    if what == Negate.ACTIVATION or what == Negate.EFFECT:
        for k in range(ev - 1, -1, -1):
            if m.frame[k].kind == Frame.ACTIVATION:
                stop = STOPPED if what == Negate.ACTIVATION else NO_TEXT
                m.frame[k].reg[V_STOP] = int(m.frame[k].reg[V_STOP]) | stop
                return
    elif what == Negate.MOVE and parent >= 0 and m.frame[parent].kind == Frame.MOVING:
        m.frame[parent].reg[MOVE_STOPPED] = 1
    elif parent >= 0 and m.frame[parent].kind == Frame.HURT:
        if what == Negate.DAMAGE:
            m.frame[parent].reg[H_DAMAGE] = 0
            m.frame[parent].reg[H_INJURY] = 0
            m.frame[parent].reg[H_HP] = 0
        elif what == Negate.INJURY:
            m.frame[parent].reg[H_INJURY] = 0
            m.frame[parent].reg[H_HP] = 0


@inner(void(M, P, int64, int64))
def do_redirect(m, p, at, who):
    """Gives the running attack, or what a victim is about to suffer, a new target (R9.1.13)."""
    if who < 0 or m.life[who] != Life.ALIVE:
        return
    ev = int(m.frame[at].reg[R_EV]) - 1
    if ev >= 0 and m.frame[ev].kind == Frame.WINDOW:
        parent = int(m.frame[ev].reg[W_PARENT]) - 1
        if parent >= 0 and m.frame[parent].kind == Frame.HURT:
            m.frame[parent].char = who
            return
    attack = attack_of(m, at)
    if attack >= 0:
        m.frame[attack].target = who
        mark_attacked(m, p, attack)
        m.frame[attack].flags = int(m.frame[attack].flags) | 2


@inner(void(M, P, int64, int64, int64))
def do_push(m, p, at, who, count):
    """Pushes a piece away from you along the dominant axis; obstacles stop it (R15.11, R15.24). Negative counts pull."""
    f = m.frame[at]
    if who < 0 or m.tile[who] < 0 or m.tile[f.char] < 0:
        return
    dx = int(m.tile[who]) % SIDE - int(m.tile[f.char]) % SIDE
    dy = int(m.tile[who]) // SIDE - int(m.tile[f.char]) // SIDE
    if count < 0:
        dx = -dx
        dy = -dy
        count = -count
    if abs(dx) >= abs(dy):
        direction = 0 if dx > 0 else 1
    else:
        direction = 2 if dy > 0 else 3
    gone = 0
    while gone < count:
        tile = neighbour(m, int(m.tile[who]), direction)
        if tile < 0 or can_stand(m, p, who, tile) == 0:
            break
        put_piece(m, who, tile)
        gone += 1
        log(m, p, Log.MOVE_PIECE, who, tile, 1, 0)
    back = direction ^ 1
    tile = int(m.tile[who])
    for _ in range(gone):
        # the window of the first step lies on top
        tell_step(m, p, who, tile, int(f.card))
        tile = neighbour(m, tile, back)


@inner(void(M, P, int64, int64, int64))
def do_put(m, p, at, who, tile):
    """Puts a living piece on an empty tile, not step by step (R15.12)."""
    if who >= 0 and tile >= 0 and m.life[who] == Life.ALIVE and can_stand(m, p, who, tile) != 0:
        put_piece(m, who, tile)
        log(m, p, Log.MOVE_PIECE, who, tile, 2, 0)
        tell_step(m, p, who, tile, int(m.frame[at].card))


@inner(void(M, P, int64, int64, int64))
def do_swap(m, p, at, a, b):
    """Swaps the places of two pieces (R15.12)."""
    if a < 0 or b < 0 or m.tile[a] < 0 or m.tile[b] < 0:
        return
    tile_a = int(m.tile[a])
    tile_b = int(m.tile[b])
    put_piece(m, a, -1)
    put_piece(m, b, -1)
    put_piece(m, a, tile_b)
    put_piece(m, b, tile_a)
    log(m, p, Log.MOVE_PIECE, a, tile_b, 3, b)
    tell_step(m, p, b, tile_a, int(m.frame[at].card))
    tell_step(m, p, a, tile_b, int(m.frame[at].card))


@inner(void(M, P, int64, int64))
def do_entity(m, p, hero, awake):
    """Awakens a Hero's Entity, if its level allows it, or puts it to sleep (R20.1, R20.2, R20.4)."""
    if hero < 0 or hero >= HEROES:
        return
    card = entity_of(m, hero)
    if card < 0 or has_flag(m, card, Flag.FACE_DOWN) != awake or (awake != 0 and entity_level(m, p, hero, card) != 0):
        return
    if awake != 0:
        m.flags[card] = int(m.flags[card]) & ~Flag.FACE_DOWN
        tell(m, p, Ev.REVEAL, card, 0, -1)
    else:
        m.flags[card] = int(m.flags[card]) | Flag.FACE_DOWN
        tell(m, p, Ev.CONCEAL, card, 0, -1)
    m.dirty = int(m.dirty) | Change.CARDS


@inner(int64(M, P, int64))
def landing(m, p, who):
    """Returns the tile of a character, or the first empty one next to it, -1 none (R14.6)."""
    tile = int(m.tile[who])
    if can_stand(m, p, who, tile) != 0:
        return tile
    for direction in range(4):
        near = neighbour(m, tile, direction)
        if near >= 0 and can_stand(m, p, who, near) != 0:
            return near
    return -1


@inner(void(M, P, int64, int64))
def do_revive(m, p, who, amount):
    """Revives a dead character whose body is on the board and not in Overkill (R14.6)."""
    if can_be_revived(m, p, who) == 0:
        return
    if int(m.deeds[who]) & REVIVED != 0 and has_rule_for(m, p, who, 0 + Rule.REVIVE_ONCE, -1, -1) != 0:
        return
    tile = landing(m, p, who)
    if tile < 0:
        return
    m.life[who] = Life.ALIVE
    m.deeds[who] = (int(m.deeds[who]) & (DEATH_STINT - 1)) | REVIVED
    m.hp[who] = max(1, min(amount, int(m.max_hp[who])))
    put_piece(m, who, tile)
    m.dirty = int(m.dirty) | Change.CARDS
    if m.acted[who] == 0:
        agi = int(m.attr[who, Attribute.AGI])
        m.ap[who] = max(0, agi - int(m.debt[who]))
        m.debt[who] = max(0, int(m.debt[who]) - agi)
        act_last(m, who)
    else:
        m.ap[who] = 0


@inner(void(M, P, int64, int64))
def do_attach(m, p, card, host):
    """Attaches a card under a host; at most five (R18.4)."""
    if card < 0 or host < 0 or m.ident[card] < 0 or m.ident[host] < 0:
        return
    count = 0
    for other in range(CARDS):
        if m.ident[other] >= 0 and m.zone[other] == Zone.ATTACHED and m.host[other] == host:
            count += 1
    if count < 5:
        attach(m, p, card, host, -1)
