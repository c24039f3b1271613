"""Damage, Injury, HP loss, death and Divine Salvation (R13, R14)."""

from __future__ import annotations

from numba import int64, void

from ..vocabulary import CompanionType, Profile, Suit
from .board import put_piece, vacate
from .codes import BOTTOM, Change, CharKind, Decision, Flag, Frame, Life, Log, Zone
from .compiler import inner
from .ending import check_elimination
from .lasting import end_object
from .layout import CARDS, HEROES, M, P
from .moves import relocate, tell
from .opcodes import Ev, Q, Rule
from .pieces import leave_piece
from .prices import card_value
from .rare import DEATH_STINT
from .stack import ask, pop, push
from .standing import counts_as, has_rule, modify
from .windows import action_window, next_action, window
from .zones import hand_card, hero_of, is_table, log

SAVED = 1  # bit of `salvation`


@inner(int64(int64, int64))
def injury_of(damage, endurance):
    """Returns the Injury of DMG suffered against END (R13.3)."""
    if damage <= 0 or damage < endurance // 2:
        return 0
    if damage < endurance:
        return 1
    return 2 + (damage - endurance) // 5


@inner(int64(M, int64, int64))
def injury_hp(m, injury, damage):
    """Returns the HP lost for an Injury of an attack in the match's profile (R13.4, R0.5)."""
    if injury == 0:
        return 0
    if m.profile == Profile.UNITS:
        return injury
    return damage if m.profile == Profile.DIRECT else 10 * injury


@inner(int64(M, int64, int64))
def credited(m, card, source):
    """Returns the copy whose row of the ledger counts what a character did with a card, -1 none.

    What a Companion does without another card, its techniques and Normal Attacks, is counted for its own.
    """
    if 0 <= card < CARDS:
        return card
    return int(m.body[source]) if card < 0 and source >= HEROES and m.body[source] >= 0 else -1


@inner(void(M, P, int64, int64, int64, int64))
def lose_hp(m, p, char, amount, source, card):
    """Lowers a character's HP and keeps the counts of A7.3, A7.4 and the ledger.

    Args:
        source: character that caused it, -1 none.
        card: card copy that caused it, -1 none.
    """
    if amount <= 0:
        return
    m.hp[char] -= amount
    m.dirty = int(m.dirty) | Change.HP
    m.hp_lost_stint = 1
    if source >= 0 and m.team[source] != m.team[char]:
        m.removed[m.team[source]] += amount
    if m.ledger_on != 0 and credited(m, card, source) >= 0:
        p.ledger[credited(m, card, source)].hp_removed += amount
    log(m, p, Log.HP, char, -amount, int(m.hp[char]), card)


@inner(int64(M, P, int64, int64))
def heal(m, p, char, amount):
    """Raises HP up to the maximum and returns the HP gained (R5.15)."""
    gained = max(0, min(amount, int(m.max_hp[char]) - int(m.hp[char])))
    m.hp[char] += gained
    m.dirty = int(m.dirty) | Change.HP
    if gained > 0:
        log(m, p, Log.HP, char, gained, int(m.hp[char]), -1)
    return gained


@inner(int64(M, P, int64))
def fate_in_hand(m, p, hero):
    """Returns the FATE value of the Events in a hero's hand (R2.1.8)."""
    total = 0
    for i in range(int(m.hand_n[hero])):
        card = hand_card(m, hero, i)
        if counts_as(m, p, card, 0 + Suit.Event) != 0:
            total += card_value(m, p, hero, card)
    return total


@inner(int64(M, P, int64))
def salvation_price(m, p, hero):
    """Returns the FATE price of Divine Salvation: 3 plus 2 per point, or per started ten, of negative HP (R14.5)."""
    below = -int(m.hp[hero])
    price = 3 + 2 * (below if m.profile == Profile.UNITS else (below + 9) // 10)
    return max(0, modify(m, p, Q.SALVATION, -1, price, hero, -1, -1, -1, -1))


@inner(int64(M, P, int64))
def can_be_saved(m, p, char):
    """Returns 1 if a character may still pay for Divine Salvation (R14.5)."""
    if char >= HEROES or int(m.salvation[char]) & SAVED != 0 or has_rule(m, p, char, Rule.NO_SALVATION) != 0:
        return 0
    return 1 if fate_in_hand(m, p, char) >= salvation_price(m, p, char) else 0


@inner(int64(M, P, int64))
def has_fallen(m, p, char):
    """Returns 1 if a living character has no HP, or no more than its own death takes (R14.1)."""
    if m.life[char] != Life.ALIVE or m.hp[char] > 0 or m.kind[char] == CharKind.NONE:
        return 0
    return 1 if m.hp[char] <= -int(m.max_hp[char]) or has_rule(m, p, char, Rule.DIE_AT_OVERKILL) == 0 else 0


@inner(void(M, P, int64))
def kill(m, p, char):
    """Gives a character with no HP its state of death (R14.1 to R14.4, R14.11)."""
    m.dirty = int(m.dirty) | Change.CARDS
    below = -int(m.hp[char])
    top = int(m.max_hp[char])
    if below >= 2 * top or m.kind[char] > CharKind.DUMMY:
        # an Object without HP is destroyed (R14.11)
        m.life[char] = Life.GONE
    elif below == 0:
        m.life[char] = Life.KO
    elif below >= top:
        m.life[char] = Life.OVERKILL
    else:
        m.life[char] = Life.DEAD
    m.deeds[char] = (int(m.deeds[char]) & (DEATH_STINT - 1)) | int(m.stint) * DEATH_STINT
    vacate(m, char, int(m.tile[char]))
    if m.life[char] == Life.GONE:
        put_piece(m, char, -1)
    log(m, p, Log.DEATH, char, int(m.life[char]), 0, 0)


@inner(void(M, int64, int64))
def push_death_check(m, source, card):
    """Opens the death check that follows an action that took HP (R9.1.9)."""
    at = push(m, Frame.DEATH)
    m.frame[at].char = source
    m.frame[at].card = card


@inner(void(M, P, int64))
def unsummon_all(m, p, hero):
    """Unsummons the Summons of a dead Hero: their cards are concealed (R14.9, R19.4)."""
    for char in range(HEROES, int(m.chars)):
        card = int(m.body[char])
        if m.kind[char] == CharKind.COMPANION and m.owner[char] == hero and card >= 0:
            if m.life[char] == Life.ALIVE and p.card[m.ident[card]].companion_type == CompanionType.Summon:
                leave_piece(m, char)
                m.flags[card] = int(m.flags[card]) | Flag.FACE_DOWN
                tell(m, p, Ev.CONCEAL, card, 0, -1)


@inner(void(M, P, int64))
def leave_items(m, p, char):
    """Leaves the Items attached to a dead Companion in its body, where they can be taken (R19.9)."""
    for card in range(CARDS):
        if m.ident[card] >= 0 and m.zone[card] == Zone.ATTACHED and m.host[card] == m.body[char]:
            if p.card[m.ident[card]].suit == Suit.Item:
                m.host[card] = CARDS + char


@inner(void(M, P, int64, int64))
def after_death(m, p, char, again):
    """Buries the card of a dead Companion and discards what was attached to it (R19.9); a Summon may return if `again`."""
    card = int(m.body[char])
    m.dirty = int(m.dirty) | Change.CARDS
    if char < HEROES:
        unsummon_all(m, p, char)
    elif m.kind[char] == CharKind.OBJECT:
        end_object(m, char)
    elif card >= 0 and p.card[m.ident[card]].companion_type == CompanionType.Summon:
        # its row stays until whoever hears the death knows which Summon it was, see `forget_summon`
        m.life[char] = Life.GONE
        vacate(m, char, int(m.tile[char]))
        m.flags[card] = int(m.flags[card]) | Flag.FACE_DOWN | (0 if again != 0 else Flag.DIED)
        tell(m, p, Ev.CONCEAL, card, 0, -1)
    elif card >= 0 and is_table(int(m.zone[card])) != 0:
        if m.loot != 0:
            leave_items(m, p, char)
        relocate(m, p, card, BOTTOM + Zone.DECK, 0, -1)


@inner(void(M, P, int64))
def forget_summon(m, p, char):
    """Takes a dead Summon off the board once its death has been heard: it leaves no body (R19.9)."""
    card = int(m.body[char])
    if m.kind[char] == CharKind.COMPANION and m.life[char] == Life.GONE and card >= 0:
        if p.card[m.ident[card]].companion_type == CompanionType.Summon:
            leave_piece(m, char)


@inner(int64(M, P))
def next_fallen(m, p):
    """Returns the next character that has fallen, in the order of initiative and then of the rows; -1 none (R0.11)."""
    for k in range(int(m.order_n)):
        if has_fallen(m, p, int(m.order[k])) != 0:
            return int(m.order[k])
    for char in range(int(m.chars)):
        if has_fallen(m, p, char) != 0:
            return char
    return -1


@inner(void(M, P))
def step_death(m, p):
    """Death check: each victim in turn may be saved, else dies; then elimination (R9.1.9, R13.14, A7.1)."""
    at = int(m.sp) - 1
    f = m.frame[at]
    while True:
        if f.reg[2] > 0:
            forget_summon(m, p, int(f.reg[2]) - 1)
            f.reg[2] = 0
        char = next_fallen(m, p)
        if char < 0:
            break
        if f.reg[0] != char + 1 and can_be_saved(m, p, char) != 0:
            f.reg[0] = char + 1
            ask(m, Decision.SALVATION, char, salvation_price(m, p, char), 0)
            return
        if f.reg[1] != char + 1:
            # the window before the death: what raises HP there prevents it (R9.1.9)
            f.reg[1] = char + 1
            next_action(m, at)
            if action_window(m, p, Ev.DEATH_BEFORE, char, int(f.char), int(f.card), int(f.card), at) >= 0:
                return
        again = has_rule(m, p, char, Rule.KNOCKED_OUT)
        if again != 0 and m.hp[char] > -m.max_hp[char]:
            # treated as KO (R14.10)
            m.hp[char] = 0
        kill(m, p, char)
        after_death(m, p, char, again)
        f.reg[2] = char + 1
        action_window(m, p, Ev.DEATH_AFTER, char, int(f.char), int(f.card), int(f.card), at)
        if m.sp > at + 1:
            # that, and where its cards went, is heard first
            return
    pop(m)
    check_elimination(m, p)


@inner(void(M, P, int64))
def start_salvation(m, p, hero):
    """Opens the payment of Divine Salvation."""
    at = push(m, Frame.SALVATION)
    m.frame[at].char = hero
    m.frame[at].reg[0] = salvation_price(m, p, hero)
    m.frame[at].reg[1] = 32000  # value of the last card paid: sets are taken in falling order of value
    m.frame[at].reg[2] = Suit.Event


@inner(int64(M, P, int64, int64, int64))
def payable_below(m, p, hero, limit, suit):
    """Returns the value of a hero's hand cards of a suit worth at most `limit` each."""
    total = 0
    for i in range(int(m.hand_n[hero])):
        card = hand_card(m, hero, i)
        if counts_as(m, p, card, suit) != 0:
            worth = card_value(m, p, hero, card)
            total += worth if worth <= limit else 0
    return total


@inner(int64(M, P, int64))
def is_price_card(m, p, card):
    """Returns 1 if a hand card may be the next of a minimal payment in card values (R7.5.3 applied to cards).

    Cards are paid in falling order of value, so a set is minimal exactly when it stops as soon as it covers the price; the
    cards worth no more than this one must be able to finish it.
    """
    f = m.frame[m.sp - 1]
    if counts_as(m, p, card, int(f.reg[2])) == 0 or m.zone[card] != Zone.HAND:
        return 0
    worth = card_value(m, p, hero_of(card), card)
    if worth > f.reg[1] or worth <= 0:
        return 0
    return 1 if payable_below(m, p, hero_of(card), worth, int(f.reg[2])) >= f.reg[0] else 0


@inner(void(M, P))
def step_salvation(m, p):
    """Asks for Events until the price is paid; then the hero has 1 HP (R14.5)."""
    f = m.frame[m.sp - 1]
    if f.reg[0] > 0:
        ask(m, Decision.PAY_CARDS, int(f.char), int(f.reg[0]), 0)
        return
    hero = int(f.char)
    m.hp[hero] = 1
    m.salvation[hero] = int(m.salvation[hero]) | SAVED
    log(m, p, Log.SALVATION, hero, 0, 0, 0)
    pop(m)
    window(m, p, Ev.SALVATION, hero, -1, -1, -1)


@inner(void(M, P, int64))
def pay_with_card(m, p, card):
    """Discards a card as part of a cost worth card values (R2.1.9)."""
    f = m.frame[m.sp - 1]
    value = card_value(m, p, hero_of(card), card)
    f.reg[0] = max(0, int(f.reg[0]) - value)
    f.reg[1] = value
    if m.ledger_on != 0:
        p.ledger[card].discarded_as_cost += 1
    relocate(m, p, card, 0 + Zone.DISCARD, 1, -1)
