"""Rules wording in Portuguese and English for the common shapes of the effect language.

Each phrase stands beside its translation, so that both say the same. The Portuguese follows the game's own style (macros,
requirement brackets) and is what the reader understands; a shape without wording raises `NoWording`, and the caller falls
back to the plain notation.
"""

from __future__ import annotations

from typing import Any

from apotheosis.env.cards.text import lexicon as lex

Pair = tuple[str, str]


class NoWording(Exception):
    """A tree has no rulebook wording."""


def need(condition: Any) -> Any:
    """Return a value that the wording at hand needs, or give up on the tree where it is missing or false."""
    if not condition:
        raise NoWording
    return condition


def only(tree: dict[str, Any], *keys: str) -> None:
    """Give up on a tree with keys that a phrase would silently drop."""
    need(set(tree) <= set(keys))


_TAG_MACROS = {tag: macro for macro, tag in lex.TAG_MACROS.items()}
_EFFECT_WORDS = {
    "Weather": "CLIMA", "Consumable": "CONSUMÍVEL", "Projectile": "PROJÉTIL", "Countable": "CONTÁVEL", "Encounter": "ENCONTRO",
    "Explosive": "EXPLOSIVO",
}  # fmt: skip


def tag(name: Any) -> Pair:
    """Return the macro and the name of a tag."""
    need(isinstance(name, str))
    macro: Any = _TAG_MACROS.get(name, name.upper())
    need(macro and lex.macro_tag(macro) == name)
    return "{" + macro + "}", name


def _one_item(item: dict[str, Any]) -> Pair:
    need(len(item) == 1)
    ((key, value),) = item.items()
    if key == "tag":
        return tag(value)
    need(key in ("attr", "knowledge", "craft", "range", "specifier", "kind", "path") and isinstance(value, str))
    return "{" + value.upper() + "}", value


def items(tree: dict[str, Any]) -> list[Pair]:
    """Return the members of a filter that holds when any of them does."""
    if set(tree) == {"any_tag"}:
        return [tag(one) for one in tree["any_tag"]]
    if set(tree) == {"any"}:
        need(len(tree["any"]) > 1 and not all(set(one) == {"tag"} for one in tree["any"]))
        return [_one_item(one) for one in tree["any"]]
    return [_one_item(tree)]


def listing(pairs: list[Pair]) -> Pair:
    """Return names joined by "or"."""
    if len(pairs) == 1:
        return pairs[0]
    head, last = pairs[:-1], pairs[-1]
    return (
        ", ".join(p for p, _ in head) + " ou " + last[0],
        ", ".join(e for _, e in head) + " or " + last[1],
    )


def signed(n: Any) -> str:
    """Return a bonus with its sign."""
    if isinstance(n, int) and not isinstance(n, bool):
        need(n != 0)
        return f"{n:+d}"
    if not isinstance(n, str):
        raise NoWording
    need(n.startswith("dice(") and n.count("(") == 1)
    return "+{D_" + n[5:-1] + "}"


def plain(n: Any) -> str:
    """Return an amount of something: a number or dice."""
    if isinstance(n, int) and not isinstance(n, bool):
        need(n >= 0)
        return str(n)
    if not isinstance(n, str):
        raise NoWording
    if n.startswith("dice(") and n.count("(") == 1:
        return "{D_" + n[5:-1] + "}"
    if n.startswith("mul(") and n.endswith(")") and n[4:-1].split(",", 1)[0].isdigit():
        times, inner = n[4:-1].split(",", 1)
        return f"( {times} ✖ {plain(inner)} )"
    need(n.startswith("add(") and n.count("(") == 2 and n.endswith("))"))
    number, dice = n[4:-1].split(",", 1)
    need(number.isdigit() and dice.startswith("dice("))
    return f"( {number} + {{D_{dice[5:-1]}}} )"


def english_amount(text: str) -> str:
    """Return an amount as an English reader writes it."""
    return text.replace("{D_", "").replace("}", "")


# ------------------------------------------------------------------------------------------------------------- characters

_WHO: dict[str, tuple[str, str, str, str]] = {
    "self": ("você", "de você", "a você", "you"),
    "this_char": ("este personagem", "deste personagem", "a este personagem", "this character"),
    "host_hero": ("o Herói", "do Herói", "ao Herói", "its Hero"),
    "target": ("o alvo", "do alvo", "ao alvo", "the target"),
    "attacker": ("o atacante", "do atacante", "ao atacante", "the attacker"),
    "event.who": ("o respectivo personagem", "do respectivo personagem", "ao respectivo personagem", "that character"),
    "event.target": ("o alvo daquele ataque", "do alvo daquele ataque", "ao alvo daquele ataque", "the target of that attack"),
}
_GROUPS: dict[str, Pair] = {
    "allies": ("personagens do seu time", "characters of your team"),
    "other_allies": ("outros personagens do seu time", "other characters of your team"),
    "enemies": ("personagens de outros times", "characters of other teams"),
    "all": ("todos os personagens", "all characters"),
    "others": ("todos os outros personagens", "all other characters"),
}
_KIND_WORDS = {"Hero": ("Heróis", "Heroes"), "Companion": ("{COMPANION}", "Companions"), "Summon": ("{SUMMON}", "Summons"),
               "Creature": ("{CREATURE}", "Creatures"), "Human": ("{HUMAN}", "Humans")}  # fmt: skip
_TEAMS = {"allies": ("do seu time", "of your team"), "enemies": ("de outros times", "of other teams")}


def group(tree: Any) -> Pair:
    """Return a set of characters as a subject."""
    if isinstance(tree, str):
        need(tree in _GROUPS)
        return _GROUPS[tree]
    only(tree, "chars", "kind", "tag", "has_marker", "adjacent", "of", "within")
    base = tree["chars"]
    if "has_marker" in tree:
        need(base == "all" and len(tree) == 2)
        name = tree["has_marker"]
        return f"personagens com {{MARKER_{name}}}", f"characters with the marker {name.title()}"
    if "tag" in tree:
        need(base == "all" and len(tree) == 2)
        return f"personagens com {tag(tree['tag'])[0]}", f"characters with {tree['tag']}"
    if "kind" in tree:
        need(base in (*_TEAMS, "all") and tree["kind"] in _KIND_WORDS)
        word = _KIND_WORDS[tree["kind"]]
        team = _TEAMS.get(base, ("", ""))
        words = (f"{word[0]} {team[0]}".strip(), f"{word[1]} {team[1]}".strip())
    else:
        need(base in _GROUPS)
        words = _GROUPS[base]
    return _where(tree, words)


def _where(tree: dict[str, Any], words: Pair) -> Pair:
    near = tree.get("of", "self")
    need(near in ("self", "this_char"))
    if tree.get("adjacent") is True:
        need("within" not in tree)
        return f"{words[0]} em casas adjacentes", f"{words[1]} in adjacent tiles"
    if "within" in tree:
        return f"{words[0]} a até {plain(tree['within'])} casas", f"{words[1]} within {tree['within']} tiles"
    need("of" not in tree)
    return words


def subject(tree: Any) -> Pair:
    """Return one or several characters as a subject."""
    if isinstance(tree, str) and tree in _WHO:
        return _WHO[tree][0], _WHO[tree][3]
    return group(tree)


_PLURAL_VERBS = {"is": "are", "has": "have", "dies": "die"}
_SINGULAR_SUBJECTS = ("this ", "the ", "its ", "that ", "a ", "an ", "another ", "your ")


def clause(who: str, verb: str) -> str:
    """Return an English clause; `verb` begins with the form of the third person."""
    first, space, rest = verb.partition(" ")
    if not who.startswith(_SINGULAR_SUBJECTS):
        first = _PLURAL_VERBS.get(first, first.removesuffix("s"))
    return f"{who} {first}{space}{rest}"


def oration(tree: Any, verb: str) -> str:
    """Return a Portuguese clause; `verb` begins with a present form of the third person in -a, -e or -i."""
    first, space, rest = verb.partition(" ")
    negation = ""
    if first == "não":
        negation, (first, space, rest) = "não ", rest.partition(" ")
    many = not (isinstance(tree, str) and tree in _WHO)
    return f"{subject(tree)[0]} {negation}{first}{'em' if many and first.endswith('i') else 'm' if many else ''}{space}{rest}"


def counted(n: Any, word: str) -> str:
    """Return a number of things in English."""
    return f"{n} {word}" + ("" if n == 1 else "s")


def of_whom(tree: Any) -> Pair:
    """Return one character as an owner or patient."""
    need(isinstance(tree, str) and tree in _WHO)
    return _WHO[tree][1], _WHO[tree][3]


def to_whom(tree: Any) -> Pair:
    """Return one character as a receiver."""
    need(isinstance(tree, str) and tree in _WHO)
    return _WHO[tree][2], _WHO[tree][3]


_DURATIONS: dict[str, Pair] = {
    "end_of_battle": ("até o final da batalha", "until the end of the battle"),
    "end_of_turn": ("até o final do turno", "until the end of the turn"),
    "end_of_round": ("até o final da rodada", "until the end of the round"),
    "start_of_your_next_turn": ("até o início do seu próximo turno", "until the start of your next turn"),
    "end_of_next_turn": ("até o final do seu próximo turno", "until the end of your next turn"),
    "start_of_target_next_turn": ("até o início do próximo turno do alvo", "until the start of the target's next turn"),
    "end_of_target_next_turn": ("até o final do próximo turno do alvo", "until the end of the target's next turn"),
}


def duration(tree: Any) -> Pair:
    """Return the end of a modifier."""
    need(isinstance(tree, str) and tree in _DURATIONS)
    return _DURATIONS[tree]


# ------------------------------------------------------------------------------------------------------------------ cards

_SUIT_WORDS = {name: ("{" + name.upper() + "}", name) for name in lex.SUITS.values()}


def cards(tree: dict[str, Any]) -> Pair:
    """Return a kind of cards by its filter."""
    only(tree, "suit", "knowledge", "tag", "craft", "kind", "level", "level_le", "level_ge", "effect_named", "lignum")
    pt, en = [], []
    if tree.get("suit") is not None:
        need(isinstance(tree["suit"], str))
        word = _SUIT_WORDS[tree["suit"]]
        if "kind" in tree:
            need(tree["suit"] == "Companion" and tree["kind"] in ("Summon", "Creature", "Human"))
            word = ("{" + tree["kind"].upper() + "}", tree["kind"])
        pt.append(word[0])
        en.append(word[1] + " cards")
    else:
        need("kind" not in tree)
        pt.append("cartas")
        en.append("cards")
    filters = {key: tree[key] for key in ("knowledge", "craft") if key in tree}
    need(len(filters) <= 1)
    for key, value in filters.items():
        need(isinstance(value, str))
        pt.append(f"de {_one_item({key: value})[0]}")
        en.append(f"of {value}")
    if "tag" in tree:
        pt.append(f"com a propriedade {tag(tree['tag'])[0]}")
        en.append(f"with {tree['tag']}")
    if "effect_named" in tree:
        need(tree["effect_named"] in _EFFECT_WORDS)
        pt.append(f"com o efeito {_EFFECT_WORDS[tree['effect_named']]}")
        en.append(f"with the effect {tree['effect_named']}")
    for key, words in (("level", ("de nível", "of level")), ("level_le", ("de até nível", "of level at most"))):
        if key in tree:
            pt.append(f"{words[0]} {plain(tree[key])}")
            en.append(f"{words[1]} {tree[key]}")
    if "level_ge" in tree:
        pt.append(f"de nível {plain(tree['level_ge'])}✚")
        en.append(f"of level {tree['level_ge']} or more")
    if "lignum" in tree:
        pt.append("deste Lignum")
        en.append(f"of the {tree['lignum']} family")
    return " ".join(pt), " ".join(en)


_ZONE_NAMES = {
    "inventory": ("do {INV}", "para o {INV}", "the inventory"),
    "equipment": ("do {EQUIP}", "para o {EQUIP}", "the equipment"),
    "memento": ("do {MEM}", "para o {MEM}", "the memento"),
    "support": ("do {SUPPORT}", "para o {SUPPORT}", "the support"),
    "table": ("da {TABLE}", "para a {TABLE}", "the table"),
    "discard": ("da pilha de descarte", "para a pilha de descarte", "the discard pile"),
    "scenario": ("do {SCENARIO}", "para o {SCENARIO}", "the scenario"),
    "entity_slot": ("", "para o espaço de {ENTITY}", "the Entity slot"),
}


def from_zone(zone: Any) -> Pair:
    """Return the place that cards come from."""
    need(isinstance(zone, str) and zone in _ZONE_NAMES and _ZONE_NAMES[zone][0])
    return _ZONE_NAMES[zone][0], f"from {_ZONE_NAMES[zone][2]}"


DECK_MACROS = {deck: "{" + macro + "}" for macro, deck in lex.DECKS.items()}
FEMININE_DECKS = frozenset({"academy", "tavern", "rift"})


def from_deck(deck: Any) -> str:
    """Return the Portuguese words for the deck that cards come from."""
    need(isinstance(deck, str) and deck in DECK_MACROS)
    return f"{'da' if deck in FEMININE_DECKS else 'do'} {DECK_MACROS[deck]}"


def to_zone(zone: Any) -> Pair:
    """Return the place that cards go to."""
    need(isinstance(zone, str) and zone in _ZONE_NAMES)
    return _ZONE_NAMES[zone][1], f"to {_ZONE_NAMES[zone][2]}"


def some_cards(tree: dict[str, Any]) -> Pair:
    """Return a number of cards from a place, the owner's where nobody else is named."""
    inner = {key: value for key, value in tree.items() if key not in ("n", "zone", "of", "by")}
    n = need(tree.get("n"))
    need(isinstance(n, int) and not isinstance(n, bool) and n >= 1)
    if inner:
        kind = cards(inner)
        pt, en = f"{n} {kind[0]}", f"{n} {kind[1]}"
        if n == 1:
            pt, en = pt.replace("cartas", "carta", 1), en.replace("cards", "card", 1)
    else:
        pt, en = f"{n} carta" + ("s" if n > 1 else ""), counted(n, "card")
    if "zone" in tree:
        place = from_zone(tree["zone"])
        pt, en = f"{pt} {place[0]}", f"{en} {place[1]}"
    return pt, en
