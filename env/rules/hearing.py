"""Who hears an event, and which effects could answer it, in which order (R6.4, R8.3)."""

from __future__ import annotations

from numba import int64, types, void

from ..vocabulary import Activation, Scope
from .codes import Change, Life, Trait, Zone
from .compiler import inner, lowest_bit
from .layout import CARDS, COPIES, HEROES, M, P
from .opcodes import PHASE_EVENTS, Ev, Need, Q
from .registers import W_AMOUNT, W_AT, W_COST, W_DAMAGE, W_FROM, W_INJURY
from .requirements import is_unnegatable, why_not_activate
from .standing import ANYWHERE_USERS, CHANGING_NEEDS, DISCARD_USERS, TEAM_USERS, WORD, is_of_the_living
from .values import value
from .zones import hero_of

FROM_ATTACHMENT = (1 << Scope.Attached) | (1 << Scope.Anywhere)
FOUND = 64  # reactions listed at most
EFFECTS = 16  # effects told apart per copy in lists
LAST_CODE = 32767  # beyond every copy and effect
FOUND_ARRAY = types.Array(int64, 1, "C")
CLEAN_UP, PAYMENTS, GAINS = range(3)  # parts of a Start Phase (R16.6)


@inner(int64(M, int64))
def rank_hero(m, k):
    """Returns the k-th Hero in the order of R8.3.2 to R8.3.4, -1 when there are no more.

    Opponents of the turn character by initiative, then its own team by initiative, then the Hero of the turn; all by
    initiative where it is nobody's turn (R8.3.7, R0.11).
    """
    turn = int(m.turn_char)
    own_team = int(m.team[turn]) if turn >= 0 else 0
    own_hero = int(m.owner[turn]) if turn >= 0 else -1
    seen = 0
    last = -1
    for part in range(2):
        for i in range(int(m.order_n)):
            hero = int(m.order[i])
            if hero >= m.heroes:
                continue
            if hero == own_hero:
                last = hero
                continue
            mate = 1 if turn >= 0 and m.team[hero] == own_team else 0
            if mate == part:
                if seen == k:
                    return hero
                seen += 1
        if turn < 0:
            return -1
    return last if seen == k else -1


@inner(int64(M, P, int64, int64, int64, int64))
def is_heard(m, p, card, effect, at, you):
    """Returns 1 if an effect of a copy hears the event of a window and its `when` holds."""
    e = p.effect[effect]
    event = int(m.frame[at].event)
    if int(e.hears) & (1 << event) == 0:
        return 0
    if event == Ev.PLAY and m.zone[card] == Zone.ATTACHED and card == m.frame[at].card and int(e.scopes) & FROM_ATTACHMENT == 0:
        # being attached is entering play only for what works From Attachment (R6.4.1)
        return 0
    # what happens to a card itself is judged with last known information, wherever it went (R6.4.36)
    return 1 if e.when < 0 or value(m, p, e.when, -1, at, card, you, int(m.frame[at].char), int(m.frame[at].card)) != 0 else 0


@inner(int64(M, int64))
def is_nobodys(m, card):
    """Returns 1 for a copy of the scenario or of nobody: how far these are in a moment is kept elsewhere (see `nobody`)."""
    return 1 if card >= HEROES * COPIES or m.zone[card] == Zone.SCENARIO else 0


@inner(int64(M, int64, int64))
def is_done(m, at, code):
    """Returns 1 if an effect (copy * EFFECTS + index) has had its turn in the moment of a phase."""
    f = m.frame[at]
    if PHASE_EVENTS & (1 << int(f.event)) == 0:
        return 0
    if code <= f.reg[W_AT]:
        return 1
    mark = code + 1
    if f.reg[W_DAMAGE] == mark or f.reg[W_INJURY] == mark or f.reg[W_AMOUNT] == mark:
        return 1
    return 1 if f.reg[W_COST] == mark or f.reg[W_FROM] == mark else 0


@inner(void(M, int64, int64))
def mark_done(m, at, code):
    """Notes that an effect has had its turn in the moment of a phase; a phase has no use for these registers otherwise."""
    f = m.frame[at]
    if PHASE_EVENTS & (1 << int(f.event)) == 0 or is_nobodys(m, code // EFFECTS) != 0 or is_done(m, at, code) != 0:
        return
    if f.reg[W_DAMAGE] == 0:
        f.reg[W_DAMAGE] = code + 1
    elif f.reg[W_INJURY] == 0:
        f.reg[W_INJURY] = code + 1
    elif f.reg[W_AMOUNT] == 0:
        f.reg[W_AMOUNT] = code + 1
    elif f.reg[W_COST] == 0:
        f.reg[W_COST] = code + 1
    elif f.reg[W_FROM] == 0:
        f.reg[W_FROM] = code + 1
    else:
        f.reg[W_AT] = LAST_CODE


@inner(int64(P, int64, int64))
def part_of(p, effect, event):
    """Returns in which part of a phase an effect happens: clean-up, payments, gains; at the end payments, then the rest.

    Source: R16.6, R16.8.
    """
    needs = int(p.effect[effect].needs)
    if event == Ev.START_PHASE:
        return CLEAN_UP if needs & Need.CLEANS != 0 else (PAYMENTS if needs & Need.PAYS != 0 else GAINS)
    return 1 if event == Ev.END_PHASE and needs & Need.PAYS == 0 else 0


@inner(int64(M, P, int64, int64, int64, int64))
def why_not_react(m, p, char, card, effect, at):
    """Returns 0 if a character may answer a window with an effect of a copy."""
    if part_of(p, effect, int(m.frame[at].event)) != m.frame[at].pc:
        return 1
    if is_nobodys(m, card) == 0 and is_done(m, at, card * EFFECTS + effect - int(p.card[m.ident[card]].effect_first)) != 0:
        return 1
    if is_heard(m, p, card, effect, at, char) == 0:
        return 1
    if int(p.effect[effect].needs) & Need.NEGATABLE != 0 and is_unnegatable(m, p, at) != 0:
        return 1
    return why_not_activate(m, p, char, card, effect, at, -1, -1)


@inner(int64(M, P, int64, int64, int64))
def reactor(m, p, hero, card, effect):
    """Returns who would answer a window for a Hero with an effect of a copy, -1 nobody.

    The Hero with its own cards; From Team Member whoever of the team has the turn, its Companions included (R6.6.5).
    """
    if int(p.effect[effect].scopes) & (1 << Scope.TeamMember) != 0:
        turn = int(m.turn_char)
        return turn if turn >= 0 and m.owner[turn] == hero and m.team[turn] == m.team[hero_of(card)] else -1
    return hero if hero_of(card) == hero else -1


@inner(int64(M, int64))
def next_hearer(m, card):
    """Returns the next copy from `card` on whose card hears events, or one past the Heroes' copies."""
    hero = card // COPIES
    slot = card - hero * COPIES
    while hero < m.heroes:
        if slot < WORD:
            word = m.hearers[hero, 0] >> slot
            if word != 0:
                return hero * COPIES + slot + lowest_bit(word)
            slot = WORD
        word = m.hearers[hero, 1] >> (slot - WORD)
        if word != 0:
            return hero * COPIES + slot + lowest_bit(word)
        hero += 1
        slot = 0
    return hero * COPIES


@inner(int64(M, P, int64))
def is_away(m, p, card):
    """Returns 1 for a copy nowhere, or in a deck and not From Anywhere: it answers only its own movements (R6.6.1)."""
    if m.zone[card] == Zone.DECK:
        return 1 if m.listening & ANYWHERE_USERS == 0 or int(p.card[m.ident[card]].traits) & Trait.ANYWHERE == 0 else 0
    return 1 if m.zone[card] < Zone.DECK else 0


@inner(int64(M, P, int64, int64))
def heard_of_itself(m, p, hero, card):
    """Returns a bit per event that a copy of a Hero, -1 none, hears of itself wherever it is (R6.4.36)."""
    if card < 0 or card >= HEROES * COPIES or hero_of(card) != hero or m.ident[card] < 0:
        return 0
    return p.card[m.ident[card]].hears


@inner(int64(M, P, int64, int64, int64, FOUND_ARRAY, int64))
def list_cards(m, p, hero, owner, at, out, n):
    """Adds to `n` listed effects those that a Hero could use of its own cards or of a teammate's, see `list_reactions`."""
    event = int(m.frame[at].event)
    if (m.heard[owner] | heard_of_itself(m, p, owner, int(m.frame[at].card))) & (1 << event) == 0:
        return n
    card = owner * COPIES - 1
    while True:
        card = next_hearer(m, card + 1)
        if card >= (owner + 1) * COPIES:
            return n
        if is_away(m, p, card) != 0 and card != m.frame[at].card:
            continue
        ident = p.card[m.ident[card]]
        if int(ident.hears) & (1 << event) == 0 or m.zone[card] == Zone.SCENARIO:
            # what lies in the scenario is nobody's (R23.1)
            continue
        if m.life[owner] != Life.ALIVE and is_of_the_living(m, owner, card) == 0:
            continue
        for index in range(int(ident.effect_n)):
            effect = int(ident.effect_first) + index
            e = p.effect[effect]
            if e.activation == Activation.Permanent or n >= FOUND:
                continue
            char = reactor(m, p, hero, card, effect)
            if char < 0 or why_not_react(m, p, char, card, effect, at) != 0:
                continue
            code = card * EFFECTS + index
            must = e.activation == Activation.Auto and e.optional == 0
            out[n] = -1 - code if must else code
            n += 1


@inner(int64(M, P, int64, int64, FOUND_ARRAY))
def list_reactions(m, p, hero, at, out):
    """Lists a Hero's effects that could take a window, as copy * EFFECTS + index on the card; mandatory ones are negative - 1.

    Returns:
        How many were found.
    """
    n = list_cards(m, p, hero, hero, at, out, 0)
    if m.listening & TEAM_USERS != 0 and m.turn_char >= 0 and m.owner[m.turn_char] == hero:
        # what its team lets it use in its turn (R6.6.5)
        for mate in range(int(m.team[hero]), int(m.heroes), 2):
            if mate != hero:
                n = list_cards(m, p, hero, mate, at, out, n)
    return n


@inner(void(M, P, int64))
def note_copy(m, p, card):
    """Notes what a copy hears and modifies."""
    ident = p.card[m.ident[card]]
    if ident.traits & Trait.FROM_DISCARD != 0:
        m.listening = m.listening | DISCARD_USERS
    if ident.traits & Trait.FROM_TEAM != 0:
        m.listening = m.listening | TEAM_USERS
    if ident.traits & Trait.ANYWHERE != 0:
        m.listening = m.listening | ANYWHERE_USERS
    if ident.needs_attr >= 0 or ident.modifies & (1 << Q.REQUIRE_KNOWLEDGE) != 0:
        m.listening = m.listening | CHANGING_NEEDS
    slot = card % COPIES
    if ident.hears != 0:
        for k in range(int(ident.effect_first), int(ident.effect_first) + int(ident.effect_n)):
            if p.effect[k].activation == Activation.Permanent:
                m.passive = m.passive | p.effect[k].hears
    if card >= HEROES * COPIES:
        return
    if ident.hears != 0:
        m.hearers[card // COPIES, slot // WORD] = m.hearers[card // COPIES, slot // WORD] | (1 << (slot % WORD))
    if ident.modifies != 0:
        m.modifiers[card // COPIES, slot // WORD] = m.modifiers[card // COPIES, slot // WORD] | (1 << (slot % WORD))


@inner(void(M, P))
def listen(m, p):
    """Notes which copies hear events or modify quantities; `standing.gather` says which events are heard now."""
    m.listening = 0
    m.passive = 0
    m.dirty = int(m.dirty) | Change.CARDS
    for hero in range(HEROES):
        for k in range(2):
            m.hearers[hero, k] = 0
            m.modifiers[hero, k] = 0
    for card in range(CARDS):
        if m.ident[card] < 0:
            continue
        note_copy(m, p, card)
