"""Companions: recruiting, summoning, attachments, techniques (R19, R18.4, R17.8, R17.9, R17.19)."""

from __future__ import annotations

from numba import int64

from ..vocabulary import CompanionType, RangeType
from .board import is_access, is_empty, tile_distance
from .codes import CharKind, Flag, Life, Reason, Trait, Zone
from .compiler import inner, local_array
from .costs import MANA, NEED, can_pay_energy
from .derive import level_hp
from .layout import CARDS, HEROES, SIDE, M, P
from .opcodes import Q, Select
from .pieces import enter, leave_piece, sheet_of
from .prices import pack, why_not_ap
from .standing import char_of, modify
from .targets import ANY_REACH, why_not_selection
from .unlocking import ATTACHMENTS, is_unlocked
from .zones import has_flag, hero_of

TABLE_COST = 2  # R17.19
SUMMON_MANA = 2  # per level, R17.8
MOVABLE = 16  # bit of `deeds`: an Object or Container that may be pushed (R15.14)


@inner(int64(M, P, int64))
def has_piece(m, p, card):
    """Returns 1 for Companions that enter the board: Humans and Creatures that are no Mount (R19.2, R19.13)."""
    ident = p.card[m.ident[card]]
    if ident.traits & (Trait.MOUNT | Trait.NO_PIECE) != 0:
        return 0
    return 1 if ident.companion_type == CompanionType.Human or ident.companion_type == CompanionType.Creature else 0


@inner(int64(M, int64))
def free_access(m, team):
    """Returns a team's empty access tile nearest to the centre of its row, -1 none (R15.15, A3.4)."""
    row = 0 if team == 0 else int(m.height) - 1
    for away in range(2 * m.width):
        for x in range(int(m.width)):
            tile = row * SIDE + x
            if abs(2 * x - (m.width - 1)) == away and is_access(m, team, tile) != 0 and is_empty(m, tile) != 0:
                return tile
    return -1


@inner(int64(M, P, int64, int64))
def enter_piece(m, p, card, tile):
    """Puts the piece of a Companion card on a tile with full HP; it acts last in this stint. Returns its row."""
    ident = int(m.ident[card])
    body = char_of(m, card)
    if body >= 0:
        # a card has one piece: the body of a dead one leaves the board
        leave_piece(m, body)
    hp = level_hp(m, CharKind.COMPANION, int(p.card[ident].level))
    m.flags[card] = int(m.flags[card]) | Flag.SUMMONED
    return enter(m, p, hero_of(card), CharKind.COMPANION, card, ident, hp, tile)


@inner(int64(M, int64))
def attachments_of(m, host):
    """Counts the cards attached to a host (R18.4); the forms it evolved from are none."""
    count = 0
    for card in range(CARDS):
        if m.ident[card] >= 0 and m.zone[card] == Zone.ATTACHED and m.host[card] == host:
            count += 1 - has_flag(m, card, Flag.BENEATH)
    return count


@inner(int64(M, P, int64, int64))
def technique_at(m, p, card, k):
    """Returns the row of the k-th technique of a Companion card, then of the forms beneath it (R19.8); -1 none."""
    ident = p.card[m.ident[card]]
    if k < ident.technique_n:
        return ident.technique_first + k
    if has_flag(m, card, Flag.EVOLVED) == 0:
        return -1
    k -= ident.technique_n
    for other in range(CARDS):
        if m.ident[other] >= 0 and m.zone[other] == Zone.ATTACHED and m.host[other] == card:
            if has_flag(m, other, Flag.BENEATH) != 0:
                under = p.card[m.ident[other]]
                if k < under.technique_n:
                    return under.technique_first + k
                k -= under.technique_n
    return -1


@inner(int64(M, P, int64, int64, int64))
def technique_of(m, p, char, card, k):
    """Returns the row of the k-th technique of a piece: of its card, or of the sheet it was created from; -1 none."""
    if card >= 0:
        return technique_at(m, p, card, k)
    sheet = sheet_of(m, char)
    return int(p.card[sheet].technique_first) + k if sheet >= 0 and k < p.card[sheet].technique_n else -1


@inner(int64(M, P, int64, int64))
def why_not_recruit(m, p, hero, card):
    """Returns 0 if a Companion may be placed as to text and access tile (R19.2; text TOLO)."""
    if p.card[m.ident[card]].traits & Trait.SILLY != 0:
        return pack(Reason.SILLY, 0, 0)
    if has_piece(m, p, card) != 0 and free_access(m, int(m.team[hero])) < 0:
        return pack(Reason.ACCESS, 0, 0)
    return 0


@inner(int64(M, P, int64))
def why_not_dismiss(m, p, card):
    """Returns 0 if a Companion may go back to the hand: off the board, or standing on an access tile (R19.3)."""
    char = char_of(m, card)
    if char < 0 or m.life[char] != Life.ALIVE:
        return 0
    if m.owner[char] != hero_of(card):
        # controlled by another Hero (R19.15)
        return pack(Reason.WRONG_ZONE, 0, 0)
    if has_piece(m, p, card) == 0:
        return pack(Reason.ACCESS, 0, 0)
    return 0 if is_access(m, int(m.team[char]), int(m.tile[char])) != 0 else pack(Reason.ACCESS, 0, 0)


@inner(int64(M, P, int64, int64))
def summon_mana(m, p, hero, card):
    """Returns the MP of a summon (R17.8)."""
    base = SUMMON_MANA * int(p.card[m.ident[card]].level)
    return max(0, modify(m, p, Q.COST_SUMMON, -1, base, hero, card, -1, -1, -1))


@inner(int64(M, P, int64, int64, int64))
def why_not_summon(m, p, hero, card, tile):
    """Returns 0 if a hero may summon a Summon to a tile, or to any for -1 (ACT_SUMMON; R19.4, R19.9)."""
    if card < 0 or m.ident[card] < 0 or hero >= HEROES or hero_of(card) != hero or m.zone[card] != Zone.SUPPORT:
        return pack(Reason.WRONG_ZONE, 0, 0)
    if p.card[m.ident[card]].companion_type != CompanionType.Summon:
        return pack(Reason.WRONG_SUIT, 0, 0)
    if has_flag(m, card, Flag.DIED) != 0:
        return pack(Reason.SUMMON_DIED, 0, 0)
    if has_flag(m, card, Flag.SUMMONED) != 0:
        return pack(Reason.WRONG_ZONE, 0, 0)
    need = local_array(NEED)
    need[MANA] = summon_mana(m, p, hero, card)
    if can_pay_energy(m, p, hero, need) == 0:
        return pack(Reason.ENERGY, need[MANA], 0)
    if tile >= 0:
        if m.tile[hero] < 0 or tile_distance(int(m.tile[hero]), tile) != 1:
            return pack(Reason.NOT_ADJACENT, 0, 0)
        return 0 if is_empty(m, tile) != 0 else pack(Reason.OCCUPIED, 0, 0)
    for near in range(SIDE * SIDE):
        if near % SIDE < m.width and near // SIDE < m.height and m.tile[hero] >= 0:
            if tile_distance(int(m.tile[hero]), near) == 1 and is_empty(m, near) != 0:
                return 0
    return pack(Reason.OCCUPIED, 0, 0)


@inner(int64(M, int64, int64))
def why_not_unsummon(m, hero, card):
    """Returns 0 if a hero may dismiss a summoned Summon (ACT_UNSUMMON; R17.9)."""
    if card < 0 or m.ident[card] < 0 or hero >= HEROES or hero_of(card) != hero or m.zone[card] != Zone.SUPPORT:
        return pack(Reason.WRONG_ZONE, 0, 0)
    char = char_of(m, card)
    if char < 0 or m.life[char] != Life.ALIVE or m.owner[char] != hero:
        return pack(Reason.WRONG_ZONE, 0, 0)
    return 0


@inner(int64(M, int64, int64))
def is_own_companion(m, hero, char):
    """Returns 1 for a living Companion piece of a hero."""
    if char < HEROES or char >= m.chars or m.kind[char] != CharKind.COMPANION:
        return 0
    return 1 if m.owner[char] == hero and m.life[char] == Life.ALIVE else 0


@inner(int64(M, P, int64))
def attaching_cost(m, p, host):
    """Returns the AP of attaching to a host card and of detaching from it (R17.19)."""
    return 0 if int(p.card[m.ident[host]].traits) & Trait.FREE_ATTACH != 0 else TABLE_COST


@inner(int64(M, P, int64, int64, int64))
def why_not_attach(m, p, hero, card, target):
    """Returns 0 if a hero may attach a hand card to an adjacent Companion, to any for -1 (ACT_ATTACH; R18.4, R17.19)."""
    if card < 0 or m.ident[card] < 0 or hero >= HEROES or hero_of(card) != hero or m.zone[card] != Zone.HAND:
        return pack(Reason.WRONG_ZONE, 0, 0)
    worst = pack(Reason.NO_TARGET, 0, 0)
    for char in range(HEROES, int(m.chars)):
        if (target >= 0 and char != target) or is_own_companion(m, hero, char) == 0:
            continue
        cost = attaching_cost(m, p, int(m.body[char]))
        if m.ap[hero] < cost:
            worst = pack(Reason.AP, cost, int(m.ap[hero]))
            continue
        if m.tile[char] < 0 or m.tile[hero] < 0 or tile_distance(int(m.tile[hero]), int(m.tile[char])) != 1:
            worst = max(worst, pack(Reason.NOT_ADJACENT, 0, 0))
            continue
        if attachments_of(m, int(m.body[char])) >= ATTACHMENTS:
            worst = pack(Reason.ATTACHMENTS_FULL, ATTACHMENTS + 1, ATTACHMENTS)
            continue
        return 0
    return worst


@inner(int64(M, P, int64, int64))
def why_not_detach(m, p, hero, card):
    """Returns 0 if a hero may take an attachment of an adjacent Companion back to its hand (ACT_DETACH)."""
    if card < 0 or m.ident[card] < 0 or hero >= HEROES or hero_of(card) != hero or m.zone[card] != Zone.ATTACHED:
        return pack(Reason.WRONG_ZONE, 0, 0)
    if has_flag(m, card, Flag.BENEATH) != 0:
        return pack(Reason.WRONG_SUIT, 0, 0)
    char = char_of(m, int(m.host[card])) if 0 <= m.host[card] < CARDS else -1
    cost = attaching_cost(m, p, int(m.host[card])) if char >= 0 else 0
    if m.ap[hero] < cost:
        return pack(Reason.AP, cost, int(m.ap[hero]))
    if int(p.card[m.ident[card]].traits) & Trait.NO_DETACH != 0:
        return pack(Reason.RULE, 0, 0)
    if char < 0 or m.tile[char] < 0 or tile_distance(int(m.tile[hero]), int(m.tile[char])) != 1:
        return pack(Reason.NOT_ADJACENT, 0, 0)
    if m.hand_n[hero] >= m.hand_limit[hero]:
        return pack(Reason.HAND_FULL, int(m.hand_n[hero]) + 1, int(m.hand_limit[hero]))
    return 0


@inner(int64(M, P, int64, int64))
def technique_reach(m, p, char, technique):
    """Returns the range of a technique (R15.17)."""
    t = p.technique[technique]
    reach = int(t.range_const)
    if t.range_attr >= 0:
        reach += m.attr[char, t.range_attr]
    elif reach == 0 and t.range_type != RangeType.Area and t.effect >= 0 and p.effect[t.effect].select == Select.CHAR:
        # a text that names whom it is on without a range (R15.21)
        return 0 + ANY_REACH
    return max(0, reach)


@inner(int64(M, P, int64, int64, int64))
def why_not_bar(m, p, char, technique, target):
    """Returns 0 if a Companion may use a technique as to lock, AP and target of its attack (ACT_TECHNIQUE; R19.6)."""
    t = p.technique[technique]
    locked = t.requires_n > 0 if m.body[char] < 0 else is_unlocked(m, p, int(m.body[char]), technique) == 0
    if locked:
        return pack(Reason.LOCKED, int(t.requires_n), 0)
    why = why_not_ap(m, char, int(t.action), -1)
    if why != 0 or t.has_damage == 0:
        return why
    return why_not_selection(m, p, char, target, int(m.body[char]), int(t.range_type), technique_reach(m, p, char, technique))
