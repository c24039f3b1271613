"""What compiled values read of a match: characters, cards, attacks, events, checks, the running effect (see `opcodes.X`)."""

from __future__ import annotations

from numba import int64

from .board import distance
from .codes import CharKind, Flag, Frame, Life, Zone
from .compiler import inner
from .dice import roll
from .layout import CARDS, CHARS, COPIES, HEROES, M, P
from .opcodes import X
from .registers import (
    A_CRITICAL,
    A_DICE,
    A_HIGH,
    A_LOW,
    A_MAIN,
    A_TECHNIQUE,
    C_ATTR,
    C_DIFFICULTY,
    C_KNOW,
    C_RESULT,
    R_BOUND,
    R_COUNT,
    R_DAMAGE,
    R_EV,
    R_HP,
    R_INJURY,
    R_MAIN,
    R_MARGIN,
    R_TOTAL,
    R_X,
    W_AMOUNT,
    W_ATTACK,
    W_CHECK,
    W_COST,
    W_DAMAGE,
    W_FROM,
    W_INJURY,
)
from .zones import body_of, has_flag, hero_of


@inner(int64(M, int64))
def attack_of(m, at):
    """Returns the attack frame that a frame stands for or belongs to, -1 none."""
    if at < 0:
        return -1
    kind = int(m.frame[at].kind)
    if kind == Frame.ATTACK:
        return at
    if kind == Frame.WINDOW:
        return int(m.frame[at].reg[W_ATTACK]) - 1
    if kind != Frame.PROGRAM:
        return -1
    event = int(m.frame[at].reg[R_EV]) - 1
    if event < 0:
        return -1
    if m.frame[event].kind == Frame.ATTACK:
        return event
    return int(m.frame[event].reg[W_ATTACK]) - 1 if m.frame[event].kind == Frame.WINDOW else -1


@inner(int64(M, int64, int64))
def is_attacked(m, at, char):
    """Returns 1 if an attack frame's attack is against a character: its target or anybody in its area (R9.1.1, R9.1.12)."""
    if at < 0 or char < 0 or char >= 30:
        return 0
    bits = int(m.frame[at].reg[A_LOW if char < 15 else A_HIGH])
    return 1 if bits & (1 << (char % 15)) != 0 else 0


@inner(int64(M, int64, int64))
def counters_on(m, card, name):
    """Returns the number of counters of a name on a card (R18.3)."""
    for k in range(int(m.counters)):
        if m.counter_card[k] == card and m.counter_name[k] == name:
            return int(m.counter_n[k])
    return 0


@inner(int64(M, P, int64, int64))
def char_has_tag(m, p, char, tag):
    """Returns 1 if a character has a tag: Hero tags of R3.7.10, or those of a Companion's card."""
    word = tag >> 6
    bit = 1 << (tag & 63)
    if char >= HEROES:
        return 1 if m.body[char] >= 0 and int(p.card[m.ident[m.body[char]]].tags[word]) & bit != 0 else 0
    for slot in range(5):
        card = char * COPIES + slot
        if m.ident[card] >= 0 and m.zone[card] == Zone.SHEET and has_flag(m, card, Flag.FACE_DOWN) == 0:
            if int(p.card[m.ident[card]].tags[word]) & bit != 0:
                return 1
    for i in range(int(m.table_n[char])):
        card = int(m.hold[char, COPIES - 1 - i])
        ident = p.card[m.ident[card]]
        if m.zone[card] == Zone.EQUIPMENT and int(ident.traits) & 31 != 0 and int(ident.tags[word]) & bit != 0:
            return 1
    return 0


@inner(int64(M, int64))
def entity_of(m, hero):
    """Returns the copy of a hero's Entity, -1 none."""
    card = hero * COPIES + 4
    return card if m.ident[card] >= 0 and m.zone[card] == Zone.SHEET else -1


@inner(int64(M, P, int64, int64))
def has_path(m, p, char, path):
    """Returns 1 if a Hero has a Class of a path, or a Companion that path."""
    if char >= HEROES:
        return 1 if m.body[char] >= 0 and p.card[m.ident[m.body[char]]].path == path else 0
    for slot in range(1, 4):
        card = char * COPIES + slot
        if m.ident[card] >= 0 and m.zone[card] == Zone.SHEET and p.card[m.ident[card]].path == path:
            return 1
    return 0


@inner(int64(M, int64))
def nearest_ally(m, char):
    """Returns the nearest other living character of the same team, -1 none."""
    best = -1
    for other in range(int(m.chars)):
        if other == char or m.team[other] != m.team[char] or m.life[other] != Life.ALIVE or m.tile[other] < 0:
            continue
        if best < 0 or distance(m, m.tile[char], m.tile[other]) < distance(m, m.tile[char], m.tile[best]):
            best = other
    return best


@inner(int64(M, P, int64, int64, int64))
def read_char(m, p, op, arg, c):
    """Reads a property of a character."""
    if op == X.OWNER_OF:
        return int(m.owner[c])
    if op == X.ATTR:
        return int(m.attr[c, arg])
    if op == X.KNOW:
        return int(m.knowledge[c, arg]) if c < HEROES else 0
    if op == X.HP:
        return int(m.hp[c])
    if op == X.HP_MAX:
        return int(m.max_hp[c])
    if op == X.AP:
        return int(m.ap[c])
    if op == X.CHAR_LEVEL:
        if c < HEROES:
            return int(m.level[c])
        return int(p.card[m.ident[m.body[c]]].level) if m.body[c] >= 0 else 1
    if op == X.IS_HERO:
        return 1 if m.kind[c] == CharKind.HERO else 0
    if op == X.IS_COMPANION:
        return 1 if m.kind[c] == CharKind.COMPANION else 0
    if op == X.COMPANION_TYPE:
        return int(p.card[m.ident[m.body[c]]].companion_type) if c >= HEROES and m.body[c] >= 0 else 0
    if op == X.ALIVE:
        return 1 if m.life[c] == Life.ALIVE and m.kind[c] <= CharKind.DUMMY and m.kind[c] > 0 else 0
    if op == X.DEAD:
        return 1 if m.life[c] != Life.ALIVE and m.kind[c] > 0 else 0
    if op == X.ON_BOARD:
        return 1 if m.tile[c] >= 0 else 0
    if op == X.HAS_MARKER:
        return 1 if int(m.markers[c]) & (1 << arg) != 0 else 0
    if op == X.CHAR_TAG:
        return char_has_tag(m, p, c, arg)
    if op == X.ENTITY_AWAKE:
        card = entity_of(m, int(m.owner[c]))
        return 1 if c < HEROES and card >= 0 and has_flag(m, card, Flag.FACE_DOWN) == 0 else 0
    if op == X.HAS_PATH:
        return has_path(m, p, c, arg)
    if op == X.HAND_COUNT:
        return int(m.hand_n[c]) if c < HEROES else 0
    if op == X.ALTITUDE:
        return int(m.altitude[m.tile[c]]) if m.tile[c] >= 0 else 0
    if op == X.TERRAIN:
        return int(m.terrain[m.tile[c]]) if m.tile[c] >= 0 else -1
    if op == X.MOVED:
        return 1 if int(m.deeds[c]) & 1 != 0 else 0
    if op == X.ATTACKED:
        return 1 if int(m.deeds[c]) & 2 != 0 else 0
    if op == X.IN_TURN:
        return 1 if m.turn_char == c else 0
    if op == X.FREE_SLOTS:
        return max(0, int(m.slots[c, arg]) - int(m.slots_used[c, arg])) if c < HEROES else 0
    if op == X.BODY:
        return int(m.body[c])
    return 0


@inner(int64(M, P, int64, int64, int64))
def read_card(m, p, op, arg, card):
    """Reads a property of a card copy."""
    ident = p.card[m.ident[card]]
    if op == X.C_SUIT:
        return int(ident.suit)
    if op == X.C_LEVEL:
        return int(ident.level)
    if op == X.C_VALUE:
        return int(ident.value)
    if op == X.C_ACTION:
        return int(ident.action)
    if op == X.C_COUNTERS:
        return counters_on(m, card, arg)
    if op == X.C_TAG:
        return 1 if int(ident.tags[arg >> 6]) & (1 << (arg & 63)) != 0 else 0
    if op == X.C_KNOWLEDGE:
        return 1 if int(ident.knowledges) & (1 << arg) != 0 else 0
    if op == X.C_ZONE:
        return int(m.zone[card])
    if op == X.C_EXHAUSTED:
        return has_flag(m, card, Flag.EXHAUSTED)
    if op == X.C_OWNER:
        return hero_of(card) if card < HEROES * COPIES else -1
    if op == X.C_IDENT:
        return int(m.ident[card])
    if op == X.C_LIGNUM:
        return int(ident.lignum)
    if op == X.C_PATH:
        return int(ident.path)
    if op == X.C_HAS_DAMAGE:
        return int(ident.has_damage)
    if op == X.C_TYPE:
        return int(ident.companion_type)
    if op == X.C_TRAIT:
        return 1 if int(ident.traits) & arg != 0 else 0
    if op == X.C_RANGE:
        return int(ident.range_type)
    if op == X.C_HOST:
        return int(m.host[card])
    if op == X.C_ORDER:
        return int(ident.order)
    if op == X.C_ENERGY:
        return int(ident.stamina) * (arg & 1) + int(ident.mana) * (arg >> 1 & 1) + int(ident.essence) * (arg >> 2 & 1)
    return 0


@inner(int64(M, P, int64, int64, int64))
def read_attack(m, p, op, arg, at):
    """Reads a property of an attack frame; 0 where there is no attack."""
    if at < 0:
        return -1 if op == X.ATTACK_CARD or op == X.ATTACK_AGENT or op == X.ATTACK_TARGET else 0
    f = m.frame[at]
    card = int(f.card)
    if op == X.ATTACK_AGENT:
        return int(f.char)
    if op == X.ATTACK_TARGET:
        return int(f.target)
    if op == X.ATTACK_CARD:
        return card
    if op == X.ATTACK_NORMAL:
        return 1 if card < 0 else 0
    if op == X.ATTACK_CRITICAL:
        return int(f.reg[A_CRITICAL])
    if op == X.ATTACK_TECHNIQUE:
        if arg == 0 or f.reg[A_TECHNIQUE] == 0:
            return 1 if f.reg[A_TECHNIQUE] > 0 else 0
        return 1 if f.reg[A_TECHNIQUE] - 1 - p.technique[f.reg[A_TECHNIQUE] - 1].first == arg - 1 else 0
    if card < 0:
        return -1 if op == X.ATTACK_SUIT else 0
    ident = p.card[m.ident[card]]
    if op == X.ATTACK_TAG:
        return 1 if int(ident.tags[arg >> 6]) & (1 << (arg & 63)) != 0 else 0
    if op == X.ATTACK_SUIT:
        return int(ident.suit)
    if op == X.ATTACK_KNOWLEDGE:
        return 1 if int(ident.knowledges) & (1 << arg) != 0 else 0
    if op == X.ATTACK_ATTR:
        return int(ident.damage_attr)
    if op == X.ATTACK_RANGE:
        return int(ident.range_type)
    return 0


@inner(int64(M, P, int64, int64, int64))
def read_event(m, p, op, arg, ev):
    """Reads the event of a window, attack or check frame."""
    if ev < 0:
        return 0 if op == X.EVENT_IS or op == X.EVENT_DAMAGE or op == X.EVENT_INJURY or op == X.EVENT_AMOUNT else -1
    f = m.frame[ev]
    if op == X.EVENT_WHO:
        return int(f.char)
    if op == X.EVENT_OTHER:
        return int(f.target)
    if op == X.EVENT_CARD:
        return int(f.card)
    if op == X.EVENT_CAUSE:
        return int(f.cause)
    if f.kind != Frame.WINDOW:
        return 0
    if op == X.EVENT_IS:
        return 1 if f.event == arg else 0
    if op == X.EVENT_DAMAGE:
        return int(f.reg[W_DAMAGE])
    if op == X.EVENT_INJURY:
        return int(f.reg[W_INJURY])
    if op == X.EVENT_AMOUNT:
        return int(f.reg[W_AMOUNT])
    if op == X.EVENT_FROM:
        return 1 if f.reg[W_FROM] == arg else 0
    return int(f.reg[W_COST])


@inner(int64(M, P, int64, int64, int64))
def read_check(m, p, op, arg, ev):
    """Reads which knowledge or attribute the running check names; 0 where there is none."""
    at = ev
    if at >= 0 and m.frame[at].kind == Frame.WINDOW:
        at = int(m.frame[at].reg[W_CHECK]) - 1
    if at < 0 or m.frame[at].kind != Frame.CHECK:
        return 0
    if op == X.CHECK_KNOWLEDGE:
        return 1 if m.frame[at].reg[C_KNOW] == arg else 0
    return 1 if m.frame[at].reg[C_ATTR] == arg else 0


@inner(int64(M, int64))
def margin_of(m, ev):
    """Returns result minus difficulty of the check that an event is about, 0 where there is none."""
    at = ev
    if at >= 0 and m.frame[at].kind == Frame.WINDOW:
        at = int(m.frame[at].reg[W_CHECK]) - 1
    if at < 0 or m.frame[at].kind != Frame.CHECK:
        return 0
    return int(m.frame[at].reg[C_RESULT]) - int(m.frame[at].reg[C_DIFFICULTY])


@inner(int64(M, P, int64, int64, int64, int64, int64, int64, int64))
def read_context(m, p, op, arg, fr, ev, this, you, it):
    """Reads what belongs to the running effect or the match as a whole."""
    if op == X.SELF:
        return you
    if op == X.HOST:
        if this >= 0 and m.zone[this] == Zone.SCENARIO:
            # nobody owns it there: you are whom it concerns (R23.1, R23.4)
            return int(m.owner[you]) if you >= 0 else -1
        return hero_of(this) if this >= 0 else you
    if op == X.THIS_CHAR:
        body = body_of(m, this)
        for char in range(HEROES, int(m.chars)):
            if body >= 0 and m.body[char] == body:
                return char
        return -1
    if op == X.IT:
        return it
    if op == X.TURN_CHAR:
        return int(m.turn_char)
    if op == X.NEAREST_ALLY:
        return nearest_ally(m, you)
    if op == X.STINT:
        return int(m.stint)
    if op == X.DICE:
        return roll(m, this if this >= 0 else CARDS + max(0, you), arg // 8, arg % 8)
    if fr < 0:
        if op == X.MARGIN:
            return margin_of(m, ev)
        if op == X.ROLL_MAIN and attack_of(m, ev) >= 0:
            return int(m.frame[attack_of(m, ev)].reg[A_MAIN])
        # the text that shapes an attack reads what was chosen and paid for it
        if (op == X.AMOUNT_X or op == X.BOUND) and ev >= 0 and m.frame[ev].kind == Frame.ATTACK:
            return int(m.frame[ev].pc) if op == X.AMOUNT_X else int(m.frame[ev].tile)
        if op == X.TARGET:
            return -2 - fr if fr < -1 else -1
        return 0
    f = m.frame[fr]
    if op == X.TARGET:
        # an attack on an area has no target; its tile is what was paid for it
        return int(f.target) if f.target >= 0 or f.kind == Frame.ATTACK else int(f.tile)
    if op == X.BOUND:
        return int(f.reg[R_BOUND])
    if op == X.AMOUNT_X:
        return int(f.reg[R_X])
    if op == X.LAST_DAMAGE:
        return int(f.reg[R_DAMAGE])
    if op == X.LAST_INJURY:
        return int(f.reg[R_INJURY])
    if op == X.LAST_HP:
        return int(f.reg[R_HP])
    if op == X.LAST_COUNT:
        return int(f.reg[R_COUNT])
    if op == X.MARGIN:
        return int(f.reg[R_MARGIN])
    if op == X.ROLL_TOTAL or op == X.ROLL_MAIN:
        at = attack_of(m, fr)
        if f.reg[R_TOTAL] == 0 and at >= 0:
            return int(m.frame[at].reg[A_DICE]) if op == X.ROLL_TOTAL else int(m.frame[at].reg[A_MAIN])
        return int(f.reg[R_TOTAL]) if op == X.ROLL_TOTAL else int(f.reg[R_MAIN])
    return 0


@inner(int64(M, P, int64, int64, int64, int64, int64, int64, int64, int64))
def read_plain(m, p, op, arg, fr, ev, this, you, it, cit):
    """Reads an item that takes nothing from the stack."""
    if op == X.THIS:
        return this
    if op == X.IT_CARD:
        return cit
    if X.ATTACK_TAG <= op <= X.ATTACK_TARGET:
        return read_attack(m, p, op, arg, attack_of(m, ev if ev >= 0 else fr))
    if op == X.EVENT_WHO or op == X.EVENT_OTHER or op == X.EVENT_CARD or X.EVENT_FROM <= op <= X.EVENT_CAUSE:
        return read_event(m, p, op, arg, ev)
    if op == X.CHECK_KNOWLEDGE or op == X.CHECK_ATTR:
        return read_check(m, p, op, arg, ev)
    return read_context(m, p, op, arg, fr, ev, this, you, it)


@inner(int64(M, P, int64, int64, int64, int64, int64))
def read_one(m, p, op, arg, a, ev_attack, you):
    """Reads an item that takes one value from the stack."""
    if op == X.NEG:
        return -a
    if op == X.NOT:
        return 1 if a == 0 else 0
    if X.C_SUIT <= op <= X.C_ENERGY:
        if 0 <= a < CARDS and m.ident[a] >= 0:
            return read_card(m, p, op, arg, a)
        # what no card is: without tag, knowledge and trait, and of no suit, zone or owner
        return 0 if op == X.C_TAG or op == X.C_KNOWLEDGE or op == X.C_TRAIT or op == X.C_HAS_DAMAGE else -1
    if a < 0 or a >= CHARS:
        return 0
    if op == X.IS_TEAM or op == X.IS_ENEMY:
        same = 1 if 0 <= you < CHARS and m.team[a] == m.team[you] else 0
        return same if op == X.IS_TEAM else 1 - same
    if op == X.IS_ATTACKED:
        return is_attacked(m, ev_attack, a)
    return read_char(m, p, op, arg, a)
