"""Words for amounts: numbers, dice, accessors and arithmetic, and for counts of things."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic_core import PydanticCustomError

from apotheosis.env.cards.language.amounts import Amount, Call
from apotheosis.env.cards.scalars import DICE
from apotheosis.env.cards.text.prose import Book, Leaf, NoPhrase, Reading, Said
from apotheosis.env.cards.text.prose_words import Either

_BINARY = ("add", "sub", "mul", "div")


def _nested(tree: Any) -> Any:
    return (tree.name, *map(_nested, tree.args)) if isinstance(tree, Call) else tree


def _flat(tree: Any) -> Any:
    """Returns an amount as files write it."""
    if isinstance(tree, str) and tree in DICE:
        return f"dice({tree})"
    return f"{tree[0]}({','.join(str(_flat(part)) for part in tree[1:])})" if isinstance(tree, tuple) else tree


def _simple(tree: Any) -> bool:
    """Tells whether an amount is short enough to stand before a noun: numbers, dice, X, and sums and products of them."""
    if isinstance(tree, tuple):
        return tree[0] in _BINARY and all(_simple(part) for part in tree[1:])
    return (isinstance(tree, int) and tree >= 0) or tree == "X" or (isinstance(tree, str) and tree[:1].isdigit())


def _read(tree: Any) -> Any:
    """Returns an amount that files write as nested calls."""
    try:
        return _undiced(_nested(Amount.read(tree).tree))
    except PydanticCustomError:
        raise NoPhrase(tree) from None


class _Amount(Leaf):
    """An amount; a part of another one is put in brackets where it has parts itself."""

    def __init__(self, part: bool, short: bool = False):
        self.part, self.short = part, short

    def write(self, book: Book, tree: Any) -> Said:
        if isinstance(tree, bool) or not isinstance(tree, (int, str, tuple)) or tree == "all":
            raise NoPhrase(tree)
        tree = tree if isinstance(tree, tuple) else _read(tree)
        if self.short and not _simple(tree):
            raise NoPhrase(tree)
        if not (isinstance(tree, tuple) and tree[0] in _BINARY):
            return book.said("unit", tree)
        said = book.said("sum", tree)
        return Said(f"({said.pt})", f"({said.en})") if self.part else said

    def read(self, reading: Reading, place: int) -> Iterator[tuple[int, Any]]:
        if self.part and reading.starts("(", place):
            found = [(end + 1, tree) for end, tree in reading.all("sum", place + 1) if reading.starts(")", end)]
        else:
            found = reading.all("unit", place) + ([] if self.part else reading.all("sum", place))
        for end, tree in found:
            if not self.short or _simple(tree):
                yield end, tree


class _Flat(_Amount):
    """An amount that stands by itself in a tree."""

    def read(self, reading: Reading, place: int) -> Iterator[tuple[int, Any]]:
        yield from ((end, _flat(tree)) for end, tree in super().read(reading, place))


def _undiced(tree: Any) -> Any:
    """Returns a nested amount with `dice(1D6)` as `1D6`, which is the same amount."""
    if isinstance(tree, tuple):
        return tree[1] if tree[0] == "dice" else tuple(_undiced(part) for part in tree)
    return tree


class _Bonus(Leaf):
    """An amount with its sign."""

    def write(self, book: Book, tree: Any) -> Said:
        if isinstance(tree, int):
            return book.said("plus", tree)
        nested = _read(tree)
        if isinstance(nested, int):
            return book.said("plus", nested)
        sign, nested = ("-", nested[1]) if isinstance(nested, tuple) and nested[0] == "neg" else ("+", nested)
        if isinstance(nested, tuple):
            said = book.said("amount", nested)
            return Said(f"{sign}({said.pt})", f"{sign}({said.en})")
        said = book.said("unit", nested)
        return Said(sign + said.pt, sign + said.en)

    def read(self, reading: Reading, place: int) -> Iterator[tuple[int, Any]]:
        yield from reading.all("plus", place)
        for sign in "+-":
            if not reading.starts(sign, place):
                continue
            if reading.starts("(", place + 1):
                found = ((end + 1, tree) for end, tree in reading.all("tree", place + 2) if reading.starts(")", end))
            else:
                found = ((end, tree) for end, tree in reading.all("unit", place + 1) if isinstance(tree, str))
            for end, tree in found:
                yield end, _flat(tree if sign == "+" else ("neg", tree))


def add_amounts(book: Book) -> None:
    """Adds amounts and counts to a book."""
    leaves = book.leaves
    leaves["tree"], leaves["part"] = _Amount(False), _Amount(True)
    leaves["amount"], leaves["num"] = _Flat(False), _Flat(True, short=True)
    leaves["bonus"] = _Bonus()
    leaves["unit"] = Either("int", "minus", "dice", "accessor", "call", "bound")
    book.add("minus", *((-n, f"menos {n}", f"minus {n}") for n in range(1, 100)))
    book.add(
        "sum",
        (("add", "$a:part", "$b:part"), "{a} + {b}", "{a} + {b}"),
        (("add", "$a:part", "$b:part", "$c:part"), "{a} + {b} + {c}", "{a} + {b} + {c}"),
        (("add", "$a:part", "$b:part", "$c:part", "$d:part"), "{a} + {b} + {c} + {d}", "{a} + {b} + {c} + {d}"),
        (("sub", "$a:part", "$b:part"), "{a} menos {b}", "{a} minus {b}"),
        (("mul", "$a:part", "$b:part"), "{a} ✖ {b}", "{a} × {b}"),
        (("div", "$a:part", "$b:part"), "{a} dividido por {b}", "{a} divided by {b}"),
    )  # fmt: skip
    _accessors(book)
    _calls(book)
    _counts(book)


def _accessors(book: Book) -> None:
    book.add(
        "accessor",
        ("X", "X", "X"),
        ("last.damage", "o {DMG} causado", "the damage dealt"),
        ("last.injury", "a {INJURY} causada", "the Injury caused"),
        ("last.hp", "a {HP} perdida com isso", "the HP lost by that"),
        ("event.damage", "aquele {DMG}", "that damage"),
        ("event.injury", "aquela {INJURY}", "that Injury"),
        ("event.hp", "aquela perda de {HP}", "that loss of HP"),
        ("event.dc", "a dificuldade do teste", "the difficulty of the check"),
        ("event.n", "a quantidade do evento", "the amount of the event"),
        ("check.level", "o nível do {KNOWLEDGE} do teste", "the knowledge level of the check"),
        ("roll.main", "o dado principal", "the main die"),
        ("roll.total", "o total da rolagem", "the total of the roll"),
        ("roll.total_dice", "a soma dos dados", "the sum of the dice"),
        ("round", "o número da rodada", "the number of the round"),
        ("stint", "o número do ciclo", "the number of the stint"),
        ("turn", "o número do turno", "the number of the turn"),
    )


def _calls(book: Book) -> None:
    book.add(
        "call",
        (("half", "$a:part"), "metade de {a}", "half of {a}"),
        (("neg", "$a:part"), "o negativo de {a}", "the negative of {a}"),
        (("min", "$a:part", "$b:part"), "o menor entre {a} e {b}", "the lesser of {a} and {b}"),
        (("max", "$a:part", "$b:part"), "o maior entre {a} e {b}", "the greater of {a} and {b}"),
        (("attr", "this", "$b:attr"), "{b} desta carta", "this card's {b}"),
        (("attr", "$a:who", "$b:attr"), "{a's:o valor de {b}}", "{a's:{b}}"),
        (("know", "$a:who", "$b:know"), "{a's:o nível de {b}}", "{a's:{b} level}"),
        (("hp", "$a:who"), "{a's:a {HP} atual}", "{a's:current HP}"),
        (("hp_max", "$a:who"), "{a's:a {HP} máxima}", "{a's:maximum HP}"),
        (("hp_before", "event.attack", "$b:who"), "{b's:a {HP}} antes daquele ataque", "{b's:HP} before that attack"),
        (("hp_before", "this_attack", "$b:who"), "{b's:a {HP}} antes deste ataque", "{b's:HP} before this attack"),
        (("hp_before", "event", "$b:who"), "{b's:a {HP}} antes disso", "{b's:HP} before that"),
        (("ap", "$a:who"), "{a's:os {AP}}", "{a's:AP}"),
        (("level", "this"), "o nível desta carta", "this card's level"),
        (("level", "event.card"), "o nível daquela carta", "that card's level"),
        (("level", ("entity", "$a:who")), "o nível do {ENTITY} de {a}", "the level of the Entity of {a}"),
        (("level", "$k:bound"), "o nível de {k}", "the level of {k}"),
        (("level", "$a:who"), "{a's:o nível}", "{a's:level}"),
        (("distance", "$a:who", "$b:who"), "a distância entre {a} e {b}", "the distance between {a} and {b}"),
        (("tiles_between", "$a:who", "$b:who"), "as casas entre {a} e {b}", "the tiles between {a} and {b}"),
        (("altitude", "$a:who"), "{a's:a {ALT}}", "{a's:altitude}"),
        (("altitude_diff", "$a:who", "$b:who"), "a {ALT} de {a} acima de {b}", "the altitude of {a} above {b}"),
        (("margin", "current"), "a margem do teste", "the margin of the check"),
        (("margin", "last"), "a margem do último teste", "the margin of the last check"),
        (("roll_damage", "$a:bar"), "uma rolagem do {DMG} {a}", "a roll of the damage of {a}"),
        (("roll_damage_times", "$a:bar", "$n:part"), "uma rolagem do {DMG} {a} com {n} ✖ os dados",
         "a roll of the damage of {a} with {n} × its dice"),
        (("slots", "$a:who", "$s:slot"), "os espaços de {s} de {a}", "the {s} slots of {a}"),
    )  # fmt: skip
    book.add(
        "bar",
        ("this", "desta carta", "this card"),
        ("this_technique", "desta técnica", "this technique"),
        ("target_card", "da carta selecionada", "the selected card"),
        ("$k:bound", "da carta {k}", "the card {k}"),
    )
    book.add(
        "call",
        (("count", "$k:bound"), "a quantidade de {k}", "the number of {k}"),
        (("count", ("attachments", "this")), "a quantidade de anexos desta carta", "the number of this card's attachments"),
        (("count", ("attachments", "this", "$t:tag")), "a quantidade de anexos desta carta com {t}",
         "the number of this card's attachments with {t}"),
        (("value", "$v:card_value"), "o valor {v}", "the value {v}"),
        (("counters", "$v:card_counters"), "a quantidade de {v}", "the number of {v}"),
    )  # fmt: skip


class _Dotted(Leaf):
    """A card and one of its currencies or counters, which amounts write with a dot; `call` stands around them."""

    def __init__(self, rule: str, call: str = ""):
        self.rule = rule
        self.head, self.tail = (f"{call}(", ")") if call else ("", "")

    def write(self, book: Book, tree: Any) -> Said:
        text = str(tree)
        if not (text.startswith(self.head) and text.endswith(self.tail)):
            raise NoPhrase(tree)
        holder, _, name = text.removeprefix(self.head).removesuffix(self.tail).partition(".")
        return book.said(self.rule, {"holder": holder, "name": name})

    def read(self, reading: Reading, place: int) -> Iterator[tuple[int, Any]]:
        for end, tree in reading.all(self.rule, place):
            yield end, f"{self.head}{tree['holder']}.{tree['name']}{self.tail}"


def _counts(book: Book) -> None:
    book.leaves["card_value"] = _Dotted("valued")
    book.leaves["card_counters"] = _Dotted("countered")
    book.leaves["counters_of"] = _Dotted("countered", "counters")
    book.add("holder", ("this", "esta carta", "this card"), ("event", "aquela carta", "that card"))
    book.add("holder", ("$k:bound", "a carta {k}", "the card {k}"))
    book.add("valued", ({"holder": "$holder", "name": "$currency"}, "em {name} de {holder}", "in {name} of {holder}"))
    book.add("countered", ({"holder": "$holder", "name": "$counter"}, "{name} em {holder}", "{name} counters on {holder}"))
    book.subject("count", "count_f", "count_card")
    several = (
        ([0, "$b:amount"], "até {b}^", "up to {b}^"),
        (["$a:amount", "$b:amount"], "de {a} a {b}^", "{a} to {b}^"),
        ("$a:amount", "{a}^", "{a}^"),
    )
    book.add("count", ("all", "todos^", "all^"), (1, "1", "1"), *several)
    book.add("count_f", ("all", "todas as^", "all^"), (1, "uma", "one"), *several)
