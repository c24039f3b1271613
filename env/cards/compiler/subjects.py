"""Compiles selectors: characters and cards, as one thing or as a filter over candidates (DSL section 3)."""

from apotheosis.env.cards.compiler.amounts import compile_amount
from apotheosis.env.cards.compiler.code import Names, Refusal, Scene, Value, both, either, negated, number, rare, same
from apotheosis.env.cards.language.selection import Cards, Characters, Objects, Tiles, whole
from apotheosis.env.cards.scalars import LIGNUM_SPACED
from apotheosis.env.rules.codes import Flag, Zone
from apotheosis.env.rules.opcodes import Rare, X
from apotheosis.env.vocabulary import Attribute, CompanionType, Lignum, Specifier, Suit

IT: Value = [(X.IT, 0)]
IT_CARD: Value = [(X.IT_CARD, 0)]

SINGLE = {
    "host_hero": X.HOST,
    "this_char": X.THIS_CHAR,
    "target": X.TARGET,
    "any_target": X.TARGET,
    "attacker": X.ATTACK_AGENT,
    "defender": X.ATTACK_TARGET,
    "event.who": X.EVENT_WHO,
    "event.target": X.EVENT_OTHER,
    "it": X.IT,
    "nearest_ally": X.NEAREST_ALLY,
}
PARTIES = {"event.who": "event.target", "event.target": "event.who"}
"""The two characters of an event, and the other of each."""
FILTERS = (
    "of", "within", "adjacent", "in_area", "on_line", "kind", "tag", "not_tag", "has_marker", "without_marker",
    "entity_awake", "path", "no_knowledge", "level_le", "per_le", "hp_below_max", "free_around", "team", "owner",
    "exclude", "direct", "lignum", "on_linked",
)  # fmt: skip


def one_character(who: Characters, scene: Scene) -> Value | None:
    """Returns the value of a selector that names exactly one character, or None where it names a set."""
    if any(getattr(who, key) is not None for key in FILTERS):
        return None
    if scene.bound and who.chars in scene.bound:
        return scene.bound[who.chars]
    if who.chars == "self":
        return scene.you
    if who.chars == "target_hero":
        return [(X.TARGET, 0), (X.OWNER_OF, 0)]
    if who.chars == "summoned":
        return [rare(Rare.CREATED)]
    if who.chars in PARTIES and scene.dealt is not False:
        if scene.dealt is None:
            raise Refusal("who is meant where Injury that is dealt is one event of several")
        # the kernel tells the Injury of who suffers it
        return [(SINGLE[PARTIES[who.chars]], 0)]
    if who.chars in SINGLE:
        return [(SINGLE[who.chars], 0)]
    return None


def _base(who: Characters, it: Value, scene: Scene, fallen: bool) -> Value:
    alive: Value = number(1) if fallen else [*it, (X.ALIVE, 0), *it, (X.ON_BOARD, 0), (X.AND, 0)]
    chars = who.chars
    if chars in ("all", "any"):
        return alive
    if chars in ("others", "other_on_board"):
        return [*alive, *negated(same(it, scene.here)), (X.AND, 0)]
    if chars == "allies":
        return [*alive, *it, (X.IS_TEAM, 0), (X.AND, 0)]
    if chars == "other_allies":
        return [*alive, *it, (X.IS_TEAM, 0), (X.AND, 0), *negated(same(it, scene.here)), (X.AND, 0)]
    if chars == "enemies":
        return [*alive, *it, (X.IS_ENEMY, 0), (X.AND, 0)]
    if chars == "heroes":
        return [*alive, *it, (X.IS_HERO, 0), (X.AND, 0)]
    if chars == "companions":
        return [*alive, *it, (X.IS_COMPANION, 0), (X.AND, 0)]
    if chars == "own_companions":
        owned = same([*it, (X.OWNER_OF, 0)], scene.hero)
        return [*alive, *it, (X.IS_COMPANION, 0), (X.AND, 0), *owned, (X.AND, 0)]
    if chars in ("dead", "corpses"):
        return [*it, (X.DEAD, 0), *it, (X.ON_BOARD, 0), (X.AND, 0)]
    single = one_character(Characters(chars=chars), scene)
    if single is None:
        raise Refusal(f"the characters '{chars}'")
    return same(it, single)


def _kind(kind: str, it: Value) -> Value:
    if kind == "Hero":
        return [*it, (X.IS_HERO, 0)]
    if kind == "Companion":
        return [*it, (X.IS_COMPANION, 0)]
    if kind in CompanionType.__members__:
        return same([*it, (X.COMPANION_TYPE, 0)], number(CompanionType[kind]))
    raise Refusal(f"characters of the kind {kind}")


def filter_characters(who: Characters, scene: Scene, it: Value = IT, fallen: bool = False) -> Value:
    """Returns the test whether a character (`it`) is one of those a selector speaks of.

    Args:
        who: the selector.
        scene: what its words mean.
        it: the character.
        fallen: it is one an event happened to, who may have fallen by now.

    Raises:
        Refusal: the kernel cannot tell.
    """
    out: Value | None = _base(who, it, scene, fallen)
    centre = scene.here if who.of is None else one_character(who.of, scene)
    if centre is None:
        raise Refusal("a place around several characters")
    if who.within is not None:
        reach = compile_amount(who.within, scene)
        out = both(out, [*it, *centre, (X.DISTANCE, 0), *reach, (X.LE, 0)])
    if who.adjacent is not None:
        near: Value = [*it, *centre, (X.ADJACENT, 0)]
        out = both(out, near if who.adjacent else negated(near))
    if who.in_area:
        # an area is around its agent, not of it (R15.20)
        out = both(out, [*it, *centre, (X.TILE_DISTANCE, 0), rare(Rare.REACH), (X.LE, 0)])
        out = both(out, negated(same(it, centre)))
    if who.on_line:
        out = both(out, [*it, rare(Rare.ON_LINE)])
    if who.kind is not None:
        out = both(out, _kind(who.kind, it))
    for word, wanted in [(who.tag, True), *((word, False) for word in who.not_tag or ())]:
        if word is not None:
            has = tag_test(word, it, X.CHAR_TAG, scene.names)
            out = both(out, has if wanted else negated(has))
    if who.has_marker is not None:
        out = both(out, [*it, (X.HAS_MARKER, scene.names.marker(who.has_marker))])
    if who.without_marker is not None:
        out = both(out, negated([*it, (X.HAS_MARKER, scene.names.marker(who.without_marker))]))
    if who.entity_awake is not None:
        awake: Value = [*it, (X.ENTITY_AWAKE, 0)]
        out = both(out, awake if who.entity_awake else negated(awake))
    if who.path is not None:
        out = both(out, [*it, (X.HAS_PATH, int(who.path))])
    if who.no_knowledge is not None:
        out = both(out, same([*it, (X.KNOW, int(who.no_knowledge))], number(0)))
    if who.level_le is not None:
        out = both(out, [*it, (X.CHAR_LEVEL, 0), (X.PUSH, who.level_le), (X.LE, 0)])
    if who.per_le is not None:
        out = both(out, [*it, (X.ATTR, int(Attribute.PER)), (X.PUSH, who.per_le), (X.LE, 0)])
    if who.hp_below_max:
        out = both(out, [*it, (X.HP, 0), *it, (X.HP_MAX, 0), (X.LT, 0)])
    if who.free_around is not None:
        out = both(out, [*it, rare(Rare.FREE_AROUND, int(who.free_around == "others"))])
    if who.direct is not None:
        if who.of is not None and who.of.chars not in ("self", "this_char"):
            raise Refusal("a direct range from somebody else")
        reach = compile_amount(who.direct, scene)
        from_piece = centre == [(X.THIS_CHAR, 0)]
        out = both(out, [*it, *centre, (X.TILE_DISTANCE, 0), *reach, (X.LE, 0)])
        out = both(out, [*it, rare(Rare.IN_SIGHT, int(from_piece))])
    if who.lignum is not None:
        out = both(out, _of_lignum([*it, rare(Rare.LIGNUM_OF)], who.lignum))
    if who.on_linked:
        out = both(out, [*it, rare(Rare.LINKED)])
    if who.team is not None:
        out = both(out, [*it, (X.IS_TEAM if who.team == "ally" else X.IS_ENEMY, 0)])
    if who.owner is not None:
        holder: Value = [(X.TARGET, 0)] if who.owner == "target" else scene.hero
        owned = same([*it, (X.OWNER_OF, 0)], holder)
        out = both(out, negated(owned) if who.owner == "not_self" else owned)
    if who.exclude is not None:
        out = both(out, negated(filter_characters(who.exclude, scene, it, fallen)))
    assert out is not None
    return out


def filter_tiles(tiles: Tiles, scene: Scene) -> Value:
    """Returns the test whether an empty tile (IT) is one of those a selector speaks of.

    Raises:
        Refusal: the kernel cannot tell.
    """
    centre = scene.here if tiles.of is None else one_character(tiles.of, scene)
    if centre is None:
        raise Refusal("tiles around several characters")
    if tiles.tile in ("in_range", "in_area"):
        reach: Value = [(X.IT, 0), *centre, (X.FROM_TILE, 0), rare(Rare.REACH), (X.LE, 0)]
        return reach
    away: Value = [(X.IT, 0), *centre, (X.FROM_TILE, 0)]
    if tiles.tile in ("adjacent_to", "adjacent_empty"):
        out: Value | None = [*away, (X.PUSH, 1), (X.EQ, 0)]
    elif tiles.tile == "in_front" and tiles.of is not None:
        # pieces have no front (R15.9): it is the side from which you look at it
        nearer = [(X.IT, 0), *scene.here, (X.FROM_TILE, 0), *scene.here, *centre, (X.TILE_DISTANCE, 0), (X.LT, 0)]
        out = both([*away, (X.PUSH, 1), (X.EQ, 0)], nearer)
    elif tiles.tile == "any":
        out = None
    else:
        raise Refusal(f"the tiles '{tiles.tile}'")
    if tiles.within is not None:
        out = both(out, [*away, *compile_amount(tiles.within, scene), (X.LE, 0)])
    if tiles.type is not None or tiles.altitude is not None:
        raise Refusal("tiles told apart by what they are")
    return number(1) if out is None else out


def made_by_this(objects: Objects, it: Value = IT) -> Value:
    """Returns the test whether a character (`it`) is one of the objects that this card has placed.

    Raises:
        Refusal: objects of others are meant.
    """
    if objects.owner == "any":
        raise Refusal("objects of other cards")
    return [*it, rare(Rare.MADE)]


def tag_test(word: str, subject: Value, op: X, names: Names) -> Value:
    """Returns the test whether a subject has a tag; no card of the pool having it, the test is false."""
    bit = names.tag_bit(word)
    return number(0) if bit < 0 else [*subject, (op, bit)]


ZONES = {
    "inventory": (Zone.HAND,),
    "equipment": (Zone.EQUIPMENT,),
    "memento": (Zone.MEMENTO,),
    "support": (Zone.SUPPORT,),
    "sheet": (Zone.SHEET,),
    "table": (Zone.EQUIPMENT, Zone.MEMENTO, Zone.SUPPORT, Zone.EXTRA),
    "attachments": (Zone.ATTACHED,),
    "scenario": (Zone.SCENARIO,),
    "discard": (Zone.DISCARD,),
    "deck": (Zone.DECK,),
    "extra": (Zone.EXTRA,),
    "banished": (Zone.BANISHED,),
}


def zone_test(zones: list[str], it: Value) -> Value:
    """Returns the test whether a card is in one of some zones.

    Raises:
        Refusal: a zone that is no set of cards (the top of a deck).
    """
    tests: list[Value] = []
    for zone in zones:
        if zone == "entity_slot":
            # a Skill that acts as an Entity (text META) stands in the Extra Zone
            for place, suit in ((Zone.SHEET, Suit.Entity), (Zone.EXTRA, Suit.Skill)):
                there = same([*it, (X.C_ZONE, 0)], number(place))
                tests.append([*there, *same([*it, (X.C_SUIT, 0)], number(suit)), (X.AND, 0)])
            continue
        if zone not in ZONES:
            raise Refusal(f"the zone {zone} as a set of cards")
        tests += [same([*it, (X.C_ZONE, 0)], number(place)) for place in ZONES[zone]]
    return either(tests)


def one_card(cards: Cards, scene: Scene) -> Value | None:
    """Returns the value of a selector that names one card, or None where it is a filter."""
    if cards.card == "this":
        return [(X.THIS, 0)]
    if cards.card == "event.card":
        return [(X.EVENT_CARD, 0)]
    if cards.card == "target":
        return [(X.TARGET, 0)]
    if cards.card == "event.body":
        return [(X.EVENT_WHO, 0), (X.BODY, 0)]
    if cards.card is not None:
        return scene.binding(cards.card)
    return None


def _owner(cards: Cards, it: Value, scene: Scene) -> Value | None:
    owner: Value = [*it, (X.C_OWNER, 0)]
    if cards.of is None:
        own = same(owner, scene.hero)
        if cards.zone and "scenario" in cards.zone:
            # what lies there belongs to nobody (R23.1)
            return either([zone_test(["scenario"], it), own]) if len(cards.zone) > 1 else None
        return own if cards.zone else None
    if cards.of in ("team", "allies"):
        return [*owner, (X.IS_TEAM, 0)]
    if cards.of == "enemies":
        return [*owner, (X.IS_ENEMY, 0)]
    if cards.of in ("any", "all", "heroes"):
        return None
    if cards.of == "other_allies":
        return [*owner, (X.IS_TEAM, 0), *negated(same(owner, scene.hero)), (X.AND, 0)]
    who = one_character(Characters(chars=cards.of), scene)
    if who is None:
        raise Refusal(f"cards of '{cards.of}'")
    owned = same(owner, [*who, (X.OWNER_OF, 0)])
    if cards.of in ("self", "host_hero") or not cards.zone:
        return owned
    # a Companion has no hand and no table: its cards are its own and what is attached to that (R19.7, R19.9)
    body: Value = [*who, (X.BODY, 0)]
    own = either([same(it, body), same([*it, (X.C_HOST, 0)], body)])
    return both(owned, either([[*who, (X.IS_HERO, 0)], own]))


def filter_cards(cards: Cards, scene: Scene, it: Value = IT_CARD) -> Value:
    """Returns the test whether a card copy (`it`) is one of those a selector speaks of.

    Raises:
        Refusal: the kernel cannot tell.
    """
    single = one_card(cards, scene)
    out: Value | None = None if single is None else same(it, single)
    if cards.zone:
        out = both(out, zone_test(cards.zone, it))
    out = both(out, _owner(cards, it, scene))
    if cards.suit:
        out = both(out, either([same([*it, (X.C_SUIT, 0)], number(suit)) for suit in cards.suit]))
    if cards.category is not None:
        sheet: Value = [*it, (X.C_SUIT, 0), (X.PUSH, int(Suit.Entity)), (X.LE, 0)]
        out = both(out, sheet if cards.category == "sheet" else negated(sheet))
    if cards.knowledge:
        out = both(out, either([[*it, (X.C_KNOWLEDGE, int(known))] for known in cards.knowledge]))
    words = [cards.tag] if cards.tag is not None else []
    if words or cards.any_tag:
        tests = [tag_test(word, it, X.C_TAG, scene.names) for word in [*words, *(cards.any_tag or ())]]
        out = both(out, either(tests))
    if cards.craft is not None:
        out = both(out, tag_test(cards.craft, it, X.C_TAG, scene.names))
    for bound, op in ((cards.level, X.EQ), (cards.level_le, X.LE), (cards.level_ge, X.GE)):
        if bound is not None:
            out = both(out, [*it, (X.C_LEVEL, 0), *compile_amount(bound, scene), (op, 0)])
    if cards.value_le is not None:
        out = both(out, [*it, (X.C_VALUE, 0), *compile_amount(cards.value_le, scene), (X.LE, 0)])
    out = both(out, _printed(cards, it))
    for known in ("summus", "from_", "to"):
        if getattr(cards, known) is not None:
            raise Refusal(f"cards told apart by '{known.rstrip('_')}'")
    if cards.top is not None:
        out = both(out, [*it, rare(Rare.DEPTH), (X.PUSH, cards.top), (X.LT, 0)])
    if cards.rarity is not None:
        out = both(out, same([*it, rare(Rare.RARITY)], number(cards.rarity)))
    if cards.face_down is not None:
        out = both(out, same([*it, rare(Rare.FLAG, int(Flag.FACE_DOWN))], number(int(cards.face_down))))
    if cards.usable is not None:
        out = both(out, same([*it, rare(Rare.FLAG, int(Flag.USABLE))], number(int(cards.usable))))
    if cards.copy_of is not None:
        out = both(out, [*it, rare(Rare.TEAM_COPY)])
    if cards.effect_named is not None:
        # the names of effects count as tags (see `traits`)
        out = both(out, tag_test(cards.effect_named, it, X.C_TAG, scene.names))
    if cards.has_counter is not None:
        out = both(out, [*it, (X.C_COUNTERS, scene.names.counter(cards.has_counter)), (X.PUSH, 0), (X.GT, 0)])
    if cards.same_as is not None:
        out = both(out, same([*it, (X.C_IDENT, 0)], [(X.THIS, 0), (X.C_IDENT, 0)]))
    if cards.exclude is not None:
        other: Value = [(X.THIS, 0)] if cards.exclude == "this" else scene.binding(cards.exclude)
        out = both(out, negated(same(it, other)))
    return number(1) if out is None else out


def _of_lignum(printed: Value, lignum: str) -> Value:
    if lignum == "same":
        return same(printed, [(X.THIS, 0), (X.C_LIGNUM, 0)])
    return same(printed, number(Lignum[LIGNUM_SPACED.get(lignum, lignum)]))


def count_op(cards: Cards) -> X:
    """Returns the count that looks at all the copies a filter may fit."""
    return X.COUNT_ALL if cards.zone and "deck" in cards.zone else X.COUNT_CARDS


def _printed(cards: Cards, it: Value) -> Value | None:
    out: Value | None = None
    if cards.has_damage is not None:
        out = both(out, same([*it, (X.C_HAS_DAMAGE, 0)], number(int(cards.has_damage))))
    if cards.range is not None:
        out = both(out, same([*it, (X.C_RANGE, 0)], number(cards.range)))
    if cards.path is not None:
        out = both(out, same([*it, (X.C_PATH, 0)], number(cards.path)))
    if cards.kind is not None:
        out = both(out, same([*it, (X.C_TYPE, 0)], number(cards.kind)))
    if cards.order is not None:
        out = both(out, same([*it, (X.C_ORDER, 0)], number(cards.order)))
    if cards.specifier is not None:
        out = both(out, [*it, (X.C_TRAIT, int(Specifier[cards.specifier]))])
    if cards.lignum is not None:
        out = both(out, _of_lignum([*it, (X.C_LIGNUM, 0)], cards.lignum))
    if cards.exhausted is not None:
        out = both(out, same([*it, (X.C_EXHAUSTED, 0)], number(int(cards.exhausted))))
    if cards.cost is not None:
        for bound, op, what in (
            (cards.cost.ap_le, X.LE, (X.C_ACTION, 0)),
            (cards.cost.ap_ge, X.GE, (X.C_ACTION, 0)),
            (cards.cost.energy_le, X.LE, (X.C_ENERGY, 7)),
            (cards.cost.energy_ge, X.GE, (X.C_ENERGY, 7)),
            (cards.cost.sp_le, X.LE, (X.C_ENERGY, 1)),
            (cards.cost.sp_ge, X.GE, (X.C_ENERGY, 1)),
        ):
            if bound is not None:
                out = both(out, [*it, what, (X.PUSH, bound), (op, 0)])
    return out


def is_all(cards_or_characters: Cards | Characters) -> bool:
    """Tells whether a selector means everything its filter fits, not a choice of some."""
    count = cards_or_characters.n
    return count is None or whole(count)
