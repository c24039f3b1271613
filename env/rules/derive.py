"""Values that follow from the cards in play: attributes, knowledges, slots, hand limit, usable cards (R3).

`refresh` recomputes them after something they depend on has changed (`dirty`), not per decision.
"""

from __future__ import annotations

from numba import int64, void

from ..vocabulary import SUMMUS_LEVEL, Knowledge, Profile, Suit
from .codes import Change, CharKind, Flag, Trait, Zone
from .compiler import inner
from .dice import mix
from .lasting import end_broken
from .layout import ATTRIBUTES, COPIES, DECK_SLOT, KNOWLEDGES, POOL_EFFECTS, M, P
from .opcodes import Q, Rule
from .readings import entity_of
from .standing import CHANGING_NEEDS, DERIVED, drop_negated, gather, may_concern, modify
from .zones import hand_card, has_flag, hero_of, is_listed_table, table_card

ENTITY_LEVELS = 3  # Hero Levels that each order of an Entity needs, R20.1
ENTITY_SLOT = 4  # slot of a Hero's Entity


@inner(int64(M, P, int64, int64))
def meets_knowledge(m, p, hero, card):
    """Returns 1 if a hero meets a Resource card's requirement, waived or not (R3.6.3 to R3.6.5, R22.1; text SIMPLES)."""
    ident = p.card[m.ident[card]]
    if ident.needs_attr >= 0 and m.attr[hero, ident.needs_attr] < ident.needs_value:
        return 0
    if ident.traits & Trait.ULTIMATUM != 0 and m.level[hero] < SUMMUS_LEVEL:
        return 0
    if ident.traits & Trait.SIMPLE != 0:
        return 1
    level = modify(m, p, Q.REQUIRE_KNOWLEDGE, -1, int(ident.level), hero, card, -1, -1, -1)
    if level <= 0:
        return 1
    mask = int(ident.knowledges)
    if mask & (1 << Knowledge.Free) != 0:
        needed = 1 if level == 1 else (4 if level == 2 else 6)
        return 1 if m.level[hero] >= needed else 0
    for k in range(KNOWLEDGES - 1):
        if mask & (1 << k) != 0 and m.knowledge[hero, k] >= level:
            return 1
    return 0


@inner(void(M, P, int64, int64))
def add_sheet_card(m, p, hero, card):
    """Adds the bonuses of a House, Class or awake Entity (R2.3.1, R2.4.1, R3.4.2, R6.2.6)."""
    ident = p.card[m.ident[card]]
    if ident.suit == Suit.House:
        return
    for a in range(ATTRIBUTES):
        m.plain_attr[hero, a] += ident.attributes[a]
    if ident.suit == Suit.Class:
        for k in range(3):
            if ident.grants[k] >= 0:
                m.plain_knowledge[hero, ident.grants[k]] += 1
            m.plain_slots[hero, k] += ident.slots[k]


@inner(void(M, P, int64, int64))
def add_bonus(m, p, hero, card):
    """Adds the printed bonuses of an Item or Skill that counts: on the table, or revealed in the hand (R2.5.6, R3.8.4)."""
    ident = p.card[m.ident[card]]
    if ident.suit != Suit.Item and ident.suit != Suit.Skill:
        return
    for a in range(ATTRIBUTES):
        m.plain_attr[hero, a] += ident.bonus[a]
    for k in range(3):
        m.plain_slots[hero, k] += ident.slots[k]
    m.plain_limit[hero] += ident.inventory


@inner(void(M, P, int64, int64))
def add_table_card(m, p, hero, card):
    """Adds the bonuses of an equipped Item or placed Skill and counts the slot it fills (R2.5.6, R2.5.7, R3.7)."""
    ident = p.card[m.ident[card]]
    zone = int(m.zone[card])
    if ident.suit <= Suit.Entity:
        # Sheet cards of the Extra Zone: a Collegium always gives its bonuses, without slots (R22.2, R22.4)
        if ident.suit == Suit.House:
            for a in range(ATTRIBUTES):
                m.plain_attr[hero, a] += ident.attributes[a]
        else:
            add_sheet_card(m, p, hero, card)
        return
    if ident.suit == Suit.Companion or ident.suit == Suit.Event:
        m.slots_used[hero, 2] += 1 if zone == Zone.SUPPORT else 0
        return
    add_bonus(m, p, hero, card)
    if ident.suit == Suit.Item:
        m.specifiers[hero] = int(m.specifiers[hero]) | (int(ident.traits) & 31)
    if zone > Zone.SUPPORT or ident.traits & Trait.ULTIMATUM != 0:
        return
    if ident.lignum != 0:
        m.lignum[hero] += 1
        if m.lignum[hero] <= m.level[hero]:
            return
    m.slots_used[hero, zone - Zone.EQUIPMENT] += 1


@inner(int64(M, int64, int64))
def level_hp(m, kind, level):
    """Returns the maximum HP of a Hero or Companion of a level (R3.2.1, R19.10)."""
    scale = 1 if m.profile == Profile.UNITS else 10
    if kind == CharKind.HERO:
        return scale * (4 + level)
    return scale * 5 * level


@inner(int64(M, P, int64))
def exceeds_level(m, p, hero):
    """Returns 1 if a Hero's awake Entity is of an order that its level does not reach (R20.1)."""
    card = hero * COPIES + ENTITY_SLOT
    if m.ident[card] < 0 or m.zone[card] != Zone.SHEET or has_flag(m, card, Flag.FACE_DOWN) != 0:
        return 0
    return 1 if m.level[hero] < ENTITY_LEVELS * int(p.card[m.ident[card]].order) else 0


@inner(void(M, P, int64))
def mark_usable(m, p, hero):
    """Sets the USABLE flag of every Resource card of a hero; a table card without it must go (R3.7.5)."""
    if exceeds_level(m, p, hero) != 0:
        m.unmet = 1
    for slot in range(5, COPIES):
        card = hero * COPIES + slot
        if m.ident[card] < 0:
            continue
        if meets_knowledge(m, p, hero, card) != 0:
            m.flags[card] = int(m.flags[card]) | Flag.USABLE
            if m.ledger_on != 0:
                p.ledger[card].usable = 1
        else:
            m.flags[card] = int(m.flags[card]) & ~Flag.USABLE
            if is_listed_table(int(m.zone[card])) != 0 and p.card[m.ident[card]].suit >= Suit.Item:
                m.unmet = 1


UNSTEADY = -1  # what the modifiers do depends on more than which they are


@inner(int64(M, P, int64))
def modifiers_of(m, p, quantities):
    """Returns a number that differs when other modifiers change some quantities (bits); UNSTEADY, 0 without any."""
    if m.modified & quantities == 0:
        return 0
    total = 1
    for row in range(int(m.active)):
        if m.active_modifies[row] & quantities != 0:
            if p.effect[m.active_effect[row]].reads != 0:
                return 0 + UNSTEADY
            total = mix(total * 31 + int(m.active_card[row]) * POOL_EFFECTS + int(m.active_effect[row]))
    for row in range(int(m.mods)):
        entry = m.modifier[row]
        if entry.mod >= 0 and quantities & (1 << int(p.standing[entry.mod].quantity)) != 0:
            if p.standing[entry.mod].reads != 0:
                return 0 + UNSTEADY
            source = (int(entry.card) * POOL_EFFECTS + int(entry.mod)) * POOL_EFFECTS + int(entry.char)
            total = mix(mix(total * 31 + source) * 31 + int(entry.owner) * POOL_EFFECTS + int(entry.value))
    return total


@inner(int64(M, int64, int64))
def needs_of(m, hero, needs):
    """Returns a number that differs when a hero meets the requirements of cards in another way.

    Args:
        needs: the modifiers of what cards require, see `modifiers_of`.
    """
    total = int(m.level[hero])
    for k in range(KNOWLEDGES):
        total = total * 7 + int(m.knowledge[hero, k])
    if m.listening & CHANGING_NEEDS == 0 and needs == 0:
        return total
    for a in range(ATTRIBUTES):
        total = mix(total * 31 + int(m.attr[hero, a]))
    return mix(total * 31 + needs)


@inner(int64(M, P, int64, int64))
def modified_members(m, p, quantity, char):
    """Returns a bit for each attribute or other member of a quantity that some modifier in play may change for a character."""
    bits = 0
    if m.modified & (1 << quantity) == 0:
        return bits
    for row in range(int(m.active)):
        if m.active_modifies[row] & (1 << quantity) == 0:
            continue
        effect = p.effect[m.active_effect[row]]
        this = int(m.active_card[row])
        you = char if m.zone[this] == Zone.SCENARIO else hero_of(this)
        for k in range(int(effect.mod_first), int(effect.mod_first) + int(effect.mod_n)):
            if p.standing[k].quantity == quantity and may_concern(m, p, k, this, you, -1, char) != 0:
                a = int(p.standing[k].attribute)
                bits = bits | (1 << a if a >= 0 else -1)
    for row in range(int(m.mods)):
        entry = m.modifier[row]
        if entry.mod >= 0 and p.standing[entry.mod].quantity == quantity:
            if may_concern(m, p, int(entry.mod), int(entry.card), int(entry.owner), int(entry.char), char) != 0:
                a = int(p.standing[entry.mod].attribute)
                bits = bits | (1 << a if a >= 0 else -1)
    return bits


BOUNDS_OF_ATTRIBUTES = (1 << Q.BEST_ATTR) | (1 << Q.LEAST_ATTR)


@inner(void(M, P, int64))
def bound_attributes(m, p, char):
    """Raises the highest attributes, then all to a least value."""
    best = 0
    for a in range(ATTRIBUTES):
        best = max(best, int(m.attr[char, a]))
    more = modify(m, p, Q.BEST_ATTR, -1, 0, char, -1, -1, -1, -1)
    least = modify(m, p, Q.LEAST_ATTR, -1, 1, char, -1, -1, -1, -1)
    for a in range(ATTRIBUTES):
        n = int(m.attr[char, a])
        m.attr[char, a] = max(least, n + more if n == best else n)


@inner(void(M, P, int64))
def modify_attributes(m, p, char):
    """Applies the modifiers of attributes, then the minimum of 1 (R3.4.2, R12.3)."""
    modified = modified_members(m, p, Q.ATTR, char)
    for a in range(ATTRIBUTES):
        n = int(m.attr[char, a])
        if modified & (1 << a) != 0:
            n = modify(m, p, Q.ATTR, a, n, char, -1, -1, -1, -1)
        m.attr[char, a] = max(1, n)
    if m.modified & BOUNDS_OF_ATTRIBUTES != 0:
        bound_attributes(m, p, char)


@inner(void(M, P, int64))
def modify_hero(m, p, hero):
    """Applies the modifiers of knowledges, slots, capacity and maximum HP (R3.2.3)."""
    known = modified_members(m, p, Q.KNOWLEDGE, hero)
    for k in range(KNOWLEDGES - 1):
        level = int(m.knowledge[hero, k])
        if known & (1 << k) != 0:
            level = modify(m, p, Q.KNOWLEDGE, k, level, hero, -1, -1, -1, -1)
        if level > 0:
            level = modify(m, p, Q.HELD_KNOWLEDGE, -1, level, hero, -1, -1, -1, -1)
        m.knowledge[hero, k] = max(0, level)
    for k in range(3):
        m.slots[hero, k] = max(0, modify(m, p, Q.SLOTS, k, int(m.slots[hero, k]), hero, -1, -1, -1, -1))
    m.hand_limit[hero] = max(0, modify(m, p, Q.SLOTS, 3, int(m.hand_limit[hero]), hero, -1, -1, -1, -1))


@inner(int64(M, P, int64))
def scenario_bonus(m, p, attribute):
    """Returns what the Events in the scenario add to an attribute of every character (R2.8.1)."""
    total = 0
    for i in range(int(m.scenario_n)):
        total += p.card[m.ident[m.scenario[i]]].bonus[attribute]
    return total


@inner(void(M, P, int64))
def add_cards(m, p, hero):
    """Adds up what the cards of one Hero's sheet, table and revealed hand give, modifiers left out."""
    for a in range(ATTRIBUTES):
        m.plain_attr[hero, a] = m.base_attr[hero, a]
    for k in range(KNOWLEDGES):
        m.plain_knowledge[hero, k] = m.base_knowledge[hero, k]
    for k in range(3):
        m.plain_slots[hero, k] = m.base_slots[hero, k]
        m.slots_used[hero, k] = 0
    m.plain_limit[hero] = m.level[hero] + 10
    m.specifiers[hero] = 0
    m.lignum[hero] = 0
    for slot in range(DECK_SLOT):
        card = hero * COPIES + slot
        if m.ident[card] >= 0 and m.zone[card] == Zone.SHEET and has_flag(m, card, Flag.FACE_DOWN) == 0:
            add_sheet_card(m, p, hero, card)
    for i in range(int(m.table_n[hero])):
        add_table_card(m, p, hero, table_card(m, hero, i))
    for i in range(int(m.hand_n[hero])):
        if has_flag(m, hand_card(m, hero, i), Flag.REVEALED) != 0:
            add_bonus(m, p, hero, hand_card(m, hero, i))


@inner(void(M, P, int64))
def add_to_entity(m, p, hero):
    """Raises the attributes that a Hero's awake Entity gives by what modifiers add to them."""
    card = entity_of(m, hero)
    if card < 0 or has_flag(m, card, Flag.FACE_DOWN) != 0:
        return
    more = modify(m, p, Q.ENTITY_ATTR, -1, 0, hero, -1, -1, -1, -1)
    for a in range(ATTRIBUTES):
        if p.card[m.ident[card]].attributes[a] > 0:
            m.attr[hero, a] += more


@inner(void(M, P, int64))
def begin_hero(m, p, hero):
    """Sets one Hero's values to what its cards give; modifiers of all but attributes and maximum HP are applied (R3.2.3)."""
    for a in range(ATTRIBUTES):
        m.attr[hero, a] = m.plain_attr[hero, a]
    for k in range(KNOWLEDGES):
        m.knowledge[hero, k] = m.plain_knowledge[hero, k]
    for k in range(3):
        m.slots[hero, k] = m.plain_slots[hero, k]
    m.hand_limit[hero] = m.plain_limit[hero]
    if m.modified & (1 << Q.ENTITY_ATTR) != 0:
        add_to_entity(m, p, hero)
    if m.modified & ((1 << Q.KNOWLEDGE) | (1 << Q.SLOTS) | (1 << Q.HELD_KNOWLEDGE)) != 0:
        modify_hero(m, p, hero)


@inner(void(M, P, int64, int64))
def recompute_char(m, p, char, needs):
    """Recomputes the derived values of one character; `needs`: the modifiers of what cards require, see `modifiers_of`."""
    if char < m.heroes:
        begin_hero(m, p, char)
    else:
        for a in range(ATTRIBUTES):
            m.attr[char, a] = m.base_attr[char, a]
    if m.scenario_n > 0 and m.kind[char] < CharKind.OBJECT:
        for a in range(ATTRIBUTES):
            m.attr[char, a] += scenario_bonus(m, p, a)
    modify_attributes(m, p, char)
    if char < m.heroes:
        met = needs_of(m, char, needs)
        if met != m.needs[char] or needs == UNSTEADY:
            m.needs[char] = met
            mark_usable(m, p, char)
    top = int(m.base_hp[char])
    if m.modified & (1 << Q.HP_MAX) != 0:
        top = max(1, modify(m, p, Q.HP_MAX, -1, top, char, -1, -1, -1, -1))
    m.max_hp[char] = top
    m.hp[char] = min(top, int(m.hp[char]))


@inner(void(M, P))
def recompute(m, p):
    """Recomputes derived values after something that they depend on has changed (R3, R12).

    Where only cards on tables have moved, and the modifiers in play are the same and read nothing of the match, the values
    of Heroes whose cards lie still stand.
    """
    end_broken(m, p)
    if int(m.dirty) & (Change.CARDS | Change.EFFECTS) != 0 or m.ruled & (1 << Rule.NEGATED) != 0:
        gather(m, p)
        drop_negated(m, p)
    needs = modifiers_of(m, p, 1 << Q.REQUIRE_KNOWLEDGE)
    by = 0 + UNSTEADY if m.reads != 0 else modifiers_of(m, p, 0 + DERIVED)
    cards = int(m.dirty) & Change.CARDS != 0
    everybody = by == UNSTEADY or by != m.derived_by or cards
    for char in range(int(m.chars)):
        touched = char < m.heroes and (cards or int(m.touched) & (1 << char) != 0)
        if touched:
            add_cards(m, p, char)
        if touched or everybody:
            recompute_char(m, p, char, needs)
    m.derived_by = by
    m.touched = 0


@inner(void(M, P))
def refresh(m, p):
    """Recomputes the derived values if what has changed can be felt in them (`codes.Change`)."""
    if int(m.dirty) & (Change.CARDS | Change.MOVED | Change.EFFECTS | int(m.reads)) != 0:
        recompute(m, p)
    m.dirty = 0
