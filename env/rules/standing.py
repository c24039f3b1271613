"""Standing and temporary modifiers: what changes a quantity, for whom, now (R6.2, R6.9, R12).

`gather` lists the Permanent effects in play whenever a card has moved; `modify` reads a quantity through that list and
through the temporary modifiers. A quantity nobody modifies costs one test of a bit.
"""

from __future__ import annotations

from numba import int64, void

from ..vocabulary import Activation, Scope, Suit
from .codes import Fault, Flag, Life, Trait, Zone
from .compiler import inner, local_array, lowest_bit
from .layout import ACTIVE, CARDS, COPIES, HEROES, M, P
from .opcodes import Mode, Q, Rule, Who
from .values import value
from .zones import body_of, has_flag, hero_of, is_table

DISCARD_USERS = 1 << 61  # bit of `listening`: some card of the match may be used from a discard pile
TEAM_USERS = 1 << 60  # bit of `listening`: some card of the match may be used by its owner's team
ANYWHERE_USERS = 1 << 58  # bit of `listening`: an effect of some card of the match counts in every zone
CHANGING_NEEDS = 1 << 59  # bit of `listening`: what some card of the match requires may change during the match
# quantities that are read ahead
DERIVED = (
    (1 << Q.ATTR) | (1 << Q.KNOWLEDGE) | (1 << Q.SLOTS) | (1 << Q.HP_MAX) | (1 << Q.REQUIRE_KNOWLEDGE)
    | (1 << Q.BEST_ATTR) | (1 << Q.LEAST_ATTR) | (1 << Q.ENTITY_ATTR) | (1 << Q.HELD_KNOWLEDGE)
)  # fmt: skip
RULES = 1 + max(Rule)
WORD = 63  # copies noted in one word of `hearers` and `modifiers`
COSTS_FIRST = 0 + Q.COST_AP
COSTS_LAST = 0 + Q.COST_UPKEEP


@inner(int64(M, int64))
def char_of(m, card):
    """Returns the character whose piece a Companion card has, -1 none."""
    for char in range(HEROES, int(m.chars)):
        if m.body[char] == card:
            return char
    return -1


@inner(int64(M, int64, int64))
def is_of_the_living(m, char, card):
    """Returns 1 if a copy still does something for a character: it lives, or the Companion of the card (R14.1, R14.9)."""
    if m.life[char] == Life.ALIVE:
        return 1
    body = body_of(m, card)
    piece = char_of(m, body) if 0 <= body < CARDS and m.zone[body] == Zone.SUPPORT else -1
    return 1 if piece >= 0 and m.life[piece] == Life.ALIVE else 0


@inner(int64(M, P, int64, int64))
def counts_there(m, p, card, scopes):
    """Returns 1 if the standing effects of a copy count where it is.

    Source: A3.7, R3.7.6, R3.8.4, R4.11, R6.6, R18.5, R22.4, R27.4.
    """
    zone = int(m.zone[card])
    if zone == Zone.LIMBO or zone == Zone.NONE:
        return 0
    if card < HEROES * COPIES and zone != Zone.SCENARIO and zone != Zone.ATTACHED and is_table(zone) == 0:
        # what a dead Hero holds counts no more, wherever it works from (R14.1)
        if m.life[hero_of(card)] != Life.ALIVE:
            return 0
    if scopes & (1 << Scope.Anywhere) != 0:
        return 1
    if is_table(zone) != 0:
        if has_flag(m, card, Flag.FACE_DOWN | Flag.MUSTERED) != 0 or (scopes != 0 and scopes & (1 << Scope.Table) == 0):
            return 0
        if int(p.card[m.ident[card]].traits) & Trait.COLLEGIUM != 0 and has_flag(m, card, Flag.EXHAUSTED) != 0:
            return 0
        if p.card[m.ident[card]].suit == Suit.Companion:
            char = char_of(m, card)
            return 1 if char < 0 or m.life[char] == Life.ALIVE else 0
        return 1 if m.life[hero_of(card)] == Life.ALIVE else 0
    if zone == Zone.SCENARIO:
        return 1 if scopes == 0 or scopes & (1 << Scope.Scenario) != 0 else 0
    if zone == Zone.ATTACHED:
        return 1 if scopes & (1 << Scope.Attached) != 0 else 0
    if zone == Zone.HAND:
        shown = has_flag(m, card, Flag.REVEALED)
        return 1 if shown != 0 or scopes & (1 << Scope.Hand) != 0 else 0
    return 1 if zone == Zone.DISCARD and scopes & (1 << Scope.DiscardPile) != 0 else 0


@inner(int64(P, int64))
def ruled_by(p, k):
    """Returns a bit for the rule flag that standing modifier `k` sets, all bits if it sets every one, else 0."""
    s = p.standing[k]
    if s.quantity != Q.RULE:
        return 0
    return 1 << int(s.attribute) if s.attribute >= 0 else (1 << RULES) - 1


@inner(void(M, P, int64))
def gather_card(m, p, card):
    """Adds the Permanent effects of a copy that count where it is."""
    ident = p.card[m.ident[card]]
    for k in range(int(ident.effect_first), int(ident.effect_first) + int(ident.effect_n)):
        effect = p.effect[k]
        if effect.activation != Activation.Permanent or effect.mod_n == 0 or effect.hears != 0:
            continue
        if counts_there(m, p, card, int(effect.scopes)) == 0:
            continue
        if m.active >= ACTIVE:
            m.fault = Fault.ZONE_FULL
            return
        m.active_card[m.active] = card
        m.active_effect[m.active] = k
        m.active_modifies[m.active] = effect.modifies
        m.active += 1
        m.modified = m.modified | effect.modifies
        if effect.modifies & (1 << Q.RULE) != 0:
            for row in range(int(effect.mod_first), int(effect.mod_first) + int(effect.mod_n)):
                m.ruled = m.ruled | ruled_by(p, row)
        if effect.modifies & DERIVED != 0 or m.ruled & (1 << Rule.NEGATED) != 0:
            m.reads = int(m.reads) | int(effect.reads)


@inner(void(M, P, int64))
def note_lasting(m, p, k):
    """Notes that a temporary modifier of standing entry `k` is there."""
    m.lasting = m.lasting | (1 << int(p.standing[k].quantity))
    m.modified = m.modified | m.lasting
    m.ruled = m.ruled | ruled_by(p, k)


@inner(void(M, P))
def gather(m, p):
    """Lists the Permanent effects in play, what they change, and which events a card outside the decks hears."""
    m.active = 0
    m.modified = 0
    m.lasting = 0
    m.ruled = 0
    m.reads = 0
    listening = m.listening & (DISCARD_USERS | TEAM_USERS | CHANGING_NEEDS | ANYWHERE_USERS)
    for hero in range(int(m.heroes)):
        heard = 0
        for k in range(2):
            word = m.modifiers[hero, k] | m.hearers[hero, k]
            while word != 0:
                card = hero * COPIES + WORD * k + lowest_bit(word)
                word = word & (word - 1)
                if m.zone[card] == Zone.DECK and listening & ANYWHERE_USERS == 0:
                    continue
                ident = p.card[m.ident[card]]
                if m.zone[card] != Zone.DECK or ident.traits & Trait.ANYWHERE != 0:
                    heard = heard | ident.hears
                    if ident.modifies != 0:
                        gather_card(m, p, card)
        m.heard[hero] = heard
        listening = listening | heard
    for card in range(HEROES * COPIES, CARDS):
        if m.ident[card] >= 0:
            listening = listening | p.card[m.ident[card]].hears
            gather_card(m, p, card)
    m.listening = listening
    for k in range(int(m.mods)):
        if m.modifier[k].mod >= 0:
            s = p.standing[m.modifier[k].mod]
            note_lasting(m, p, int(m.modifier[k].mod))
            if DERIVED & (1 << int(s.quantity)) != 0 or s.keeps >= 0:
                m.reads = int(m.reads) | int(s.reads)


@inner(int64(M, P, int64, int64, int64, int64, int64))
def may_concern(m, p, k, this, you, only, char):
    """Returns 0 if standing modifier `k` concerns another character for certain; see `concerns`."""
    if only >= 0:
        return 1 if only == char else 0
    on = int(p.standing[k].on)
    if on >= 0:
        return 1
    if on == Who.YOU:
        return 1 if char == you else 0
    return 1 if char == (hero_of(this) if on == Who.HOST else char_of(m, body_of(m, this))) else 0


@inner(int64(M, P, int64, int64, int64, int64, int64, int64, int64, int64))
def concerns(m, p, k, this, you, only, char, card, ev, other):
    """Returns 1 if standing modifier `k` concerns a character, card and attack.

    Args:
        this: copy that gives it. you: whom it calls you. only: the one character a temporary modifier was put on, or -1.
        char: whose quantity is read. card: whose cost or value is read, -1 none. ev: attack, window or check frame, -1 none.
        other: the other side of the attack, -1 none.
    """
    s = p.standing[k]
    if may_concern(m, p, k, this, you, only, char) == 0:
        return 0
    if only < 0 and s.on >= 0 and value(m, p, s.on, -1, ev, this, you, char, card) == 0:
        return 0
    if s.by >= 0 and value(m, p, s.by, -1, ev, this, you, char, card) == 0:
        return 0
    if s.against >= 0 and (other < 0 or value(m, p, s.against, -1, ev, this, you, other, card) == 0):
        return 0
    return 1 if s.condition < 0 or value(m, p, s.condition, -1, ev, this, you, char, card) != 0 else 0


@inner(int64(int64, int64, int64, int64, int64, int64, int64))
def compose(quantity, base, has_set, set_to, added, times, over):
    """Applies set, sum, product and quotient in the order of the quantity (R12.4; costs: R7.6.8)."""
    result = set_to if has_set != 0 else base
    if times == 1 and over == 1:
        return result + added
    if COSTS_FIRST <= quantity <= COSTS_LAST or quantity == Q.NORMAL_AP or quantity == Q.SALVATION:
        return result * times // over + added
    return (result + added) * times // over


@inner(int64(M, P, int64, int64, int64, int64, int64, int64, int64, int64, int64))
def modify_by_rows(m, p, quantity, attribute, base, char, card, ev, other, effect, own):
    """Returns a quantity after the modifiers in play, the temporary ones and the `own` ones of an effect; see `modify`."""
    has_set = 0
    set_to = 0
    added = 0
    times = 1
    over = 1
    low = -32768
    high = 32767
    lasting = int(m.mods) if m.lasting & (1 << quantity) != 0 else 0
    for row in range(int(m.active) + lasting + (1 if own > 0 else 0)):
        only = -1
        param = 0
        fixed = 0
        condition = -1
        if row < m.active:
            if m.active_modifies[row] & (1 << quantity) == 0:
                continue
            this = int(m.active_card[row])
            e = int(m.active_effect[row])
            first = int(p.effect[e].mod_first)
            last = first + int(p.effect[e].mod_n)
            you = char if m.zone[this] == Zone.SCENARIO else hero_of(this)
            condition = int(p.effect[e].condition)
        elif row < m.active + lasting:
            entry = m.modifier[row - m.active]
            if entry.mod < 0 or p.standing[entry.mod].quantity != quantity:
                continue
            this = int(entry.card)
            you = int(entry.owner)
            only = int(entry.char)
            first = int(entry.mod)
            last = first + 1
            param = int(entry.value)
            fixed = 1
        else:
            this = card
            you = char
            first = int(p.effect[effect].mod_first)
            last = first + own
        for k in range(first, last):
            s = p.standing[k]
            if s.quantity != quantity or (s.attribute >= 0 and s.attribute != attribute):
                continue
            if concerns(m, p, k, this, you, only, char, card, ev, other) == 0:
                continue
            if condition >= 0 and value(m, p, condition, -1, ev, this, you, char, card) == 0:
                break
            amount = param if fixed != 0 else value(m, p, s.amount, -1, ev, this, you, char, card)
            if s.mode == Mode.SET:
                has_set = 1
                set_to = amount
            elif s.mode == Mode.ADD:
                # a bound of an added amount caps the running result, not what others add
                if s.high < 32767 and base + added + amount > s.high:
                    amount = max(0, s.high - base - added)
                added += amount
            elif s.mode == Mode.MUL:
                times *= amount
            else:
                over *= max(1, amount)
            if s.mode != Mode.ADD:
                low = max(low, int(s.low))
                high = min(high, int(s.high))
    return max(low, min(high, compose(quantity, base, has_set, set_to, added, times, over)))


@inner(int64(M, P, int64, int64, int64, int64, int64, int64, int64, int64))
def modify(m, p, quantity, attribute, base, char, card, ev, other, effect):
    """Returns a quantity after all modifiers that concern it.

    Args:
        quantity: opcodes.Q. attribute: its sub-index. base: value before modifiers.
        char: character whose quantity it is. card: card copy whose cost or value it is, -1 none.
        ev: running attack, window or check frame, -1 none. other: the other side, -1 none.
        effect: effect whose own modifiers shape the running attack (R9.1.14), -1 none.
    """
    own = 0
    if effect >= 0 and p.effect[effect].activation != Activation.Permanent:
        own = int(p.effect[effect].mod_n)
    if m.modified & (1 << quantity) == 0 and own == 0:
        return base
    return modify_by_rows(m, p, quantity, attribute, base, char, card, ev, other, effect, own)


@inner(int64(M, P, int64, int64))
def has_rule(m, p, char, rule):
    """Returns 1 if a rule flag is on for a character."""
    if m.ruled & (1 << rule) == 0:
        return 0
    return 1 if modify(m, p, Q.RULE, rule, 0, char, -1, -1, -1, -1) != 0 else 0


@inner(int64(M, P, int64, int64, int64, int64))
def has_rule_for(m, p, char, rule, card, other):
    """Returns 1 if a rule flag is on for a character as to a card copy and another character, -1 none."""
    if m.ruled & (1 << rule) == 0:
        return 0
    return 1 if modify(m, p, Q.RULE, rule, 0, char, card, -1, other, -1) != 0 else 0


@inner(int64(M, P, int64))
def is_negated(m, p, card):
    """Returns 1 if a running negation covers the effects of a copy where it is now (R7.6.9)."""
    if m.ruled & (1 << Rule.NEGATED) == 0 or card < 0:
        return 0
    hero = hero_of(card) if card < HEROES * COPIES else -1
    return 1 if modify(m, p, Q.RULE, 0 + Rule.NEGATED, 0, hero, card, -1, -1, -1) != 0 else 0


@inner(void(M, P))
def drop_negated(m, p):
    """Takes the Permanent effects that a running negation covers off the list; the negations themselves stay."""
    if m.ruled & (1 << Rule.NEGATED) == 0:
        return
    covered = local_array(ACTIVE)
    for row in range(int(m.active)):
        e = int(m.active_effect[row])
        keep = 0
        for k in range(int(p.effect[e].mod_first), int(p.effect[e].mod_first) + int(p.effect[e].mod_n)):
            if p.standing[k].quantity == Q.RULE and p.standing[k].attribute == Rule.NEGATED:
                keep = 1
        if keep == 0 and is_negated(m, p, int(m.active_card[row])) != 0:
            covered[row] = 1
    kept = 0
    for row in range(int(m.active)):
        if covered[row] != 0:
            continue
        m.active_card[kept] = m.active_card[row]
        m.active_effect[kept] = m.active_effect[row]
        m.active_modifies[kept] = m.active_modifies[row]
        kept += 1
    m.active = kept


@inner(int64(M, P, int64, int64))
def destination(m, p, card, place):
    """Returns where a copy goes that would go to a place (codes.Zone, see `moves`): a running text may redirect it (R7.6.1)."""
    if m.modified & (1 << Q.MOVE_TO) == 0 or card >= HEROES * COPIES:
        return place
    return modify(m, p, Q.MOVE_TO, place, place, hero_of(card), card, -1, -1, -1)


@inner(int64(M, P, int64, int64))
def is_immune(m, p, char, card):
    """Returns 1 if a character ignores what a card does to it (text IMUNIDADE)."""
    return has_rule_for(m, p, char, 0 + Rule.IMMUNE, card, -1) if card >= 0 else 0


@inner(int64(M, P, int64, int64))
def counts_as(m, p, card, suit):
    """Returns 1 if a copy is of a suit, or counts as its currency too."""
    if p.card[m.ident[card]].suit == suit:
        return 1
    if m.modified & (1 << Q.VALUE_AS) == 0 or card >= HEROES * COPIES:
        return 0
    return 1 if modify(m, p, Q.VALUE_AS, suit, 0, hero_of(card), card, -1, -1, -1) != 0 else 0
