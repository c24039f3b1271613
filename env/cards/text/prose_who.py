"""Words for characters, tiles and objects.

Characters have three forms: `who` words all of a set, `one` one of it ("um personagem do seu time"), `each` the same
without an article. A selector that names a single character reads the same in all three.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from apotheosis.env.cards.text.prose import Book, Leaf, NoPhrase, Reading, Said

_SINGLE = (
    ("self", "você", "you^"),
    ("host_hero", "o Herói", "its Hero"),
    ("this_char", "este personagem", "this character"),
    ("target", "o alvo", "the target"),
    ("attacker", "o atacante", "the attacker"),
    ("defender", "o defensor", "the defender"),
    ("event.who", "o respectivo personagem", "that character"),
    ("event.target", "o alvo daquele ataque", "the target of that attack"),
    ("it", "ele", "it"),
    ("nearest_ally", "o personagem mais próximo do seu time", "the nearest character of your team"),
    ("target_hero", "o Herói do alvo", "the Hero of the target"),
    ("any_target", "qualquer um dos alvos", "any of the targets"),
    ("other_target", "o outro alvo", "the other target"),
    ("summoned", "a peça criada por esta carta", "the piece made by this card"),
    ("$k:bound", "o personagem {k}", "the character {k}"),
)
_KINDS = {
    "Hero": ("Heróis", "Herói", "Heroes", "Hero"),
    "Companion": ("{COMPANION}", "{COMPANION}", "Companions", "Companion"),
    "Human": ("{HUMAN}", "{HUMAN}", "Humans", "Human"),
    "Creature": ("{CREATURE}", "{CREATURE}", "Creatures", "Creature"),
    "Summon": ("{SUMMON}", "{SUMMON}", "Summons", "Summon"),
    "Watcher": ("{WATCHER}", "{WATCHER}", "Watchers", "Watcher"),
    "Dummy": ("bonecos", "boneco", "dummies", "dummy"),
    "Object": ("objetos", "objeto", "objects", "object"),
}
_CHARACTER = ("personagens", "personagem", "characters", "character", "a character")
_FORMS: dict[str, dict[str, tuple[str, str]]] = {
    "who": {
        "all": ("todos os ~", "all ~"),
        "any": ("quaisquer ~", "any ~"),
        "others": ("todos os outros ~", "all other ~"),
        "other_on_board": ("outros ~ no tabuleiro", "other ~ on the board"),
        "allies": ("~ do seu time", "~ of your team"),
        "other_allies": ("outros ~ do seu time", "other ~ of your team"),
        "enemies": ("~ de outros times", "~ of other teams"),
        "dead": ("~ mortos", "dead ~"),
        "corpses": ("corpos de ~", "corpses of ~"),
        "affected": ("~ afetados", "affected ~"),
    },
    "one": {
        "all": ("qualquer ~", "any ~"),
        "any": ("um ~", "@"),
        "others": ("um outro ~", "another ~"),
        "other_on_board": ("um outro ~ no tabuleiro", "another ~ on the board"),
        "allies": ("um ~ do seu time", "@ of your team"),
        "other_allies": ("um outro ~ do seu time", "another ~ of your team"),
        "enemies": ("um ~ de outro time", "@ of another team"),
        "dead": ("um ~ morto", "a dead ~"),
        "corpses": ("um corpo de ~", "a corpse of ~"),
        "affected": ("um ~ afetado", "an affected ~"),
    },
    "each": {
        "all": ("~", "~"),
        "any": ("~ qualquer", "~ whatever"),
        "others": ("outro ~", "other ~"),
        "other_on_board": ("outro ~ no tabuleiro", "other ~ on the board"),
        "allies": ("~ do seu time", "~ of your team"),
        "other_allies": ("outro ~ do seu time", "other ~ of your team"),
        "enemies": ("~ de outro time", "~ of another team"),
        "dead": ("~ morto", "dead ~"),
        "corpses": ("corpo de ~", "corpse of ~"),
        "affected": ("~ afetado", "affected ~"),
    },
}
"""Sets of characters in the three forms; `~` is the noun, `@` the noun with its English article."""
_SUITED = {
    "who": {
        "heroes": ("todos os Heróis da batalha", "all Heroes of the battle"),
        "companions": ("todos os {COMPANION} da batalha", "all Companions of the battle"),
        "own_companions": ("os seus {COMPANION}", "your Companions"),
    },
    "one": {
        "heroes": ("qualquer Herói da batalha", "any Hero of the battle"),
        "companions": ("qualquer {COMPANION} da batalha", "any Companion of the battle"),
        "own_companions": ("um dos seus {COMPANION}", "one of your Companions"),
    },
    "each": {
        "heroes": ("Herói da batalha", "Hero of the battle"),
        "companions": ("{COMPANION} da batalha", "Companion of the battle"),
        "own_companions": ("{COMPANION} seu", "Companion of yours"),
    },
}

_FILTERS: dict[str, Any] = {
    "tag": "$tag?",
    "not_tag": "$nottags?",
    "has_marker": "$marker?",
    "without_marker": "$marker?",
    "entity_awake": "$awake?",
    "path": "$path?",
    "no_knowledge": "$know?",
    "level_le": "$int?",
    "per_le": "$int?",
    "hp_below_max": "$hurt?",
    "team": "$side?",
    "owner": "$keeper?",
    "within": "$tiles?",
    "adjacent": "$near?",
    "in_area": "$area?",
    "on_line": "$line?",
    "free_around": "$free?",
    "direct": "$amount?",
    "lignum": "$lignum?",
    "on_linked": "$tied?",
    "exclude": "$who?",
}
_PT = (
    "[ com {tag}][ sem {not_tag}][ com o {has_marker}][ sem o {without_marker}][ com {entity_awake}][ do Caminho {path}]"
    "[ que não possua<|m> {no_knowledge}][ de até nível {level_le}][ com até {per_le} de {PER}]"
    "[ com {hp_below_max}][ {lignum}][ {team}][ {owner}]~[ a até {direct} de {DIRECT}][ {on_linked}][ {on_line}]"
    "[ {free_around}][, exceto {exclude}]"
)
_EN = (
    "[ with {tag}][ without {not_tag}][ with the marker {has_marker}][ without the marker {without_marker}]"
    "[ with {entity_awake}][ of the Path {path}][ without {no_knowledge}][ up to level {level_le}][ with up to {per_le} PER]"
    "[ with {hp_below_max}][ {lignum}][ {team}][ {owner}]~[ within {direct} Direct][ {on_linked}][ {on_line}][ {free_around}]"
    "[, except {exclude}]"
)
_HERE = ("[ a até {within}][ {adjacent}][ {in_area}]", "[ within {within}][ {adjacent}][ {in_area}]")
_THERE = (
    "[ a até {within} de {of}][ {adjacent} a {of}][ {in_area} a partir de {of}][ em relação a {of}]",
    "[ within {within} of {of}][ {adjacent} {of}][ {in_area} of {of}][ in relation to {of}]",
)


def add_who(book: Book) -> None:
    """Adds characters, tiles and objects to a book."""
    book.subject("who", "one", "each", "single", "many_kind", "one_kind", "a_kind")
    _words(book)
    for form in _FORMS:
        book.add(form, *_SINGLE)
        _sets(book, form)
    book.leaves["another"] = _Another()
    _tiles(book)
    book.add(
        "objects",
        ({"objects": "$name"}, "objetos {objects}", "objects {objects}"),
        ({"objects": "$name", "owner": "self"}, "os seus objetos {objects}", "your objects {objects}"),
        ({"objects": "$name", "owner": "any"}, "quaisquer objetos {objects}", "any objects {objects}"),
        ({"objects": "$name", "n": "$count"}, "{n} entre objetos {objects}", "{n} among objects {objects}"),
        (
            {"objects": "$name", "owner": "self", "n": "$count"},
            "{n} entre os seus objetos {objects}",
            "{n} among your objects {objects}",
        ),
    )


def _sets(book: Book, form: str) -> None:
    several = form == "who"
    kind = "$many_kind" if several else "$one_kind"
    mark = "^" if several else ""
    for there in (False, True):
        pt, en = _PT.replace("~", _THERE[0] if there else _HERE[0]), _EN.replace("~", _THERE[1] if there else _HERE[1])
        filters = {**_FILTERS, "adjacent": f"${'near' if several else 'near_one'}{'_to' if there else ''}?"}
        filters |= {"of": "$who"} if there else {}
        for base, words in _FORMS[form].items():
            noun = _CHARACTER[0 if several else 1], _CHARACTER[2 if several else 3]
            plain = words[0].replace("~", noun[0]), words[1].replace("~", noun[1]).replace("@", "a " + noun[1])
            book.add(form, ({"chars": base, **filters}, plain[0] + pt + mark, plain[1] + en + mark))
            article = "@" in words[1]
            shape = {"chars": base, "kind": "$a_kind" if article else kind, **filters}
            told = words[0].replace("~", "{kind}"), words[1].replace("~", "{kind}").replace("@", "{kind}")
            book.add(form, (shape, told[0] + pt + mark, told[1] + en + mark))
            if form != "each":
                some = _FORMS["who"][base]
                whole = some[0].replace("~", _CHARACTER[0]), some[1].replace("~", _CHARACTER[2])
                book.add(
                    form,
                    ({"chars": base, "n": "$count", **filters}, "{n} entre " + whole[0] + pt, "{n} among " + whole[1] + en),
                )
                whole = some[0].replace("~", "{kind}"), some[1].replace("~", "{kind}")
                shape = {"chars": base, "n": "$count", "kind": "$many_kind", **filters}
                book.add(form, (shape, "{n} entre " + whole[0] + pt, "{n} among " + whole[1] + en))
        for base, words in _SUITED[form].items():
            shape = {"chars": base, "kind": "$one_kind?", **filters}
            book.add(form, (shape, f"{words[0]}[ do tipo {{kind}}]{pt}{mark}", f"{words[1]}[ of the kind {{kind}}]{en}{mark}"))
        shape = {"chars": "$single", "kind": "$one_kind?", **filters}
        book.add(form, (shape, "{chars}[ do tipo {kind}]" + pt, "{chars}[ of the kind {kind}]" + en))


def _words(book: Book) -> None:
    book.add("single", *_SINGLE[1:])
    for name, (many, one, english, english1) in _KINDS.items():
        book.add("many_kind", (name, many + "^", english + "^"))
        book.add("one_kind", (name, one, english1))
        book.add("a_kind", (name, one, ("an " if english1 == "object" else "a ") + english1))
    book.add("tiles", (1, "1 casa", "1 tile"), ("$n:num", "{n} casas", "{n} tiles"))
    book.add("tiles", ("$n:amount", "um número de casas igual a {n}", "a number of tiles equal to {n}"))
    book.add("awake", (True, "o {ENTITY} desperto", "an awake Entity"), (False, "o {ENTITY} adormecido", "a sleeping Entity"))
    book.add("hurt", (True, "menos {HP} que o máximo", "less than full HP"), (False, "toda a {HP}", "full HP"))
    book.add("side", ("ally", "do seu lado", "on your side"), ("enemy", "do outro lado", "on another side"))
    book.add(
        "keeper",
        ("self", "do seu comando", "of yours"),
        ("not_self", "do comando de outros", "of other Heroes"),
        ("target", "do comando do alvo", "of the target"),
    )
    out = (False, "fora de casas adjacentes", "not in adjacent tiles")
    book.add("near", (True, "em casas adjacentes", "in adjacent tiles"), out)
    book.add("near_one", (True, "em uma casa adjacente", "in an adjacent tile"), out)
    book.add(
        "near_one_to",
        (True, "em uma casa adjacente", "in a tile adjacent to"),
        (False, "fora de casas adjacentes", "not in tiles adjacent to"),
    )
    book.add(
        "near_to",
        (True, "em casas adjacentes", "in tiles adjacent to"),
        (False, "fora de casas adjacentes", "not in tiles adjacent to"),
    )
    book.add("area", (True, "ao alcance", "within range"), (False, "fora do alcance", "out of range"))
    book.add("tied", (True, "na casa desta carta", "on the tile of this card"))
    book.add("line", (True, "na linha do ataque", "on the line of the attack"))
    book.add(
        "free",
        ("all", "cercados apenas de casas vazias", "with only empty tiles around"),
        ("others", "sem outras peças em volta além da sua", "with no piece around but yours"),
    )


class _Another(Leaf):
    """Characters other than you."""

    def write(self, book: Book, tree: Any) -> Said:
        if tree == "self":
            raise NoPhrase(tree)
        return book.said("who", tree)

    def read(self, reading: Reading, place: int) -> Iterator[tuple[int, Any]]:
        yield from ((end, tree) for end, tree in reading.all("who", place) if tree != "self")


_TILES: dict[str, tuple[str, str, str, str]] = {
    "adjacent_to": ("ao lado", "ao lado de {of}", "nearby", "next to {of}"),
    "adjacent_empty": (
        "ao lado sem peça",
        "ao lado de {of} sem peça",
        "nearby without a piece",
        "next to {of} without a piece",
    ),
    "in_range": ("no alcance", "no alcance de {of}", "within range", "within range of {of}"),
    "in_area": ("na área", "na área de {of}", "in the area", "in the area of {of}"),
    "on_line": (
        "na linha do ataque",
        "na linha do ataque de {of}",
        "on the line of the attack",
        "on the line of the attack of {of}",
    ),
    "behind": ("atrás", "atrás de {of}", "behind", "behind {of}"),
    "in_front": ("à frente", "à frente de {of}", "in front", "in front of {of}"),
    "any": ("do tabuleiro", "do tabuleiro a partir de {of}", "of the board", "of the board, from {of}"),
    "own": ("de origem", "de origem de {of}", "of origin", "of origin of {of}"),
}
"""Places of tiles: alone and of a character, Portuguese, then English."""
_TILE_FILTERS: dict[str, Any] = {"within": "$tiles?", "type": "$terrain?", "empty": "$emptiness?", "altitude": "$int?"}
_TILE_PT = "[ a até {within}][ de {type}][ {empty}][ de {ALT} {altitude}]"
_TILE_EN = "[ within {within}][ of {type}][ {empty}][ of altitude {altitude}]"


def _tiles(book: Book) -> None:
    book.add("emptiness", (True, "sem peças", "without pieces"), (False, "com peças", "with pieces"))
    book.add(
        "tile",
        ({"tile": "target"}, "a casa selecionada", "the selected tile"),
        ({"tile": "own", "of": "$who"}, "a casa de {of}", "the tile of {of}"),
    )
    for base, (pt, pt_of, en, en_of) in _TILES.items():
        for of in (False, True):
            shape: dict[str, Any] = {"tile": base, **_TILE_FILTERS, **({"of": "$who"} if of else {})}
            words = (pt_of, en_of) if of else (pt, en)
            book.add("tile", (shape, f"alguma casa {words[0]}{_TILE_PT}", f"some tile {words[1]}{_TILE_EN}"))
            shape = {**shape, "n": "$count_f"}
            book.add("tile", (shape, f"{{n}} casa<|s> {words[0]}{_TILE_PT}", f"{{n}} tile<|s> {words[1]}{_TILE_EN}"))
    shape = {"tile": "$bound", **_TILE_FILTERS}
    book.add("tile", (shape, f"a casa {{tile}}{_TILE_PT}", f"the tile {{tile}}{_TILE_EN}"))
