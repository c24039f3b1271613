"""The door of the text reader: effects of the game's database as trees of the effect language.

A text is cut into lines and sentences; each sentence is read by the grammar, and the readings are put together as Appendix
C of the rules says: what is a standing rule, what is an activation, what happens by itself. What is not understood is named
clause by clause and left out; what only matters in travel or crafting is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import ValidationError

from apotheosis.env.cards.language.effect import TypedEffect
from apotheosis.env.cards.text import notation
from apotheosis.env.cards.text.assembly import Assembly
from apotheosis.env.cards.text.base import Context
from apotheosis.env.cards.text.carrier import context_of, keywords_of_effect, unknown_keyword
from apotheosis.env.cards.text.classify import campaign_card, campaign_line, campaign_sentence, names_attributes
from apotheosis.env.cards.text.clauses import G
from apotheosis.env.cards.text.grammar import Parse
from apotheosis.env.cards.text.header import split_header
from apotheosis.env.cards.text.lexicon import fold, normal
from apotheosis.env.cards.text.parts import Keywords, Unreadable
from apotheosis.env.cards.text.statements import on
from apotheosis.env.cards.text.tokens import Token, lines, sentences, source, tokenize


@dataclass(frozen=True, slots=True)
class ReadResult:
    """What the reader made of one effect.

    Args:
        status: `read` (all of it), `partial` (some clauses), `inert` (nothing usable) or `nothing_to_do` (no part in a battle).
        tree: effects in the language, empty unless something was read.
        clause: the first clause that was not understood, empty if all was.
        reason: why that clause was refused.
        refused: every refused clause with its reason.
        typed: the tree as models of the language.
    """

    status: str
    tree: list[dict[str, Any]] = field(default_factory=list)
    clause: str = ""
    reason: str = ""
    refused: tuple[tuple[str, str], ...] = ()
    typed: tuple[TypedEffect, ...] = field(default=(), compare=False, repr=False)


def _read_one(tokens: tuple[Token, ...], rule: str, context: Context) -> Any:
    """Return the one meaning of a sentence; none or several raise `Unreadable`."""
    parse = Parse(G, tokens, context)
    meanings = parse.whole(rule)
    if not meanings:
        place = min(parse.furthest, len(tokens) - 1)
        raise Unreadable("no clause of the grammar fits", tokens[place:])
    if len(meanings) > 1:
        raise Unreadable("the clause can be read in more than one way", tokens)
    return meanings[0]


def _normal(*wordings: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(normal(word) for word in phrase.split()) for phrase in wordings)


_CONTINUES = _normal(
    "se falhar", "se fracassar", "se bem", "se vencer", "se voce vencer", "se vitorioso", "entao", "feito isto", "feito isso",
    "se for bem", "se passar", "se nao passar", "se nao for bem", "se ele falhar", "se o alvo falhar",
    "se ele for bem", "se obtiver sucesso", "se tiver sucesso", "caso falhe", "caso fracasse", "caso passe", "caso seja bem",
    "em caso de falha", "em caso de sucesso", "em caso de vitoria", "caso venca", "se for vitorioso",
    "se fizer isso", "se fizer isto", "se o fizer", "caso faca isso", "se o resultado for",
    "caso contrario", "envie os anexos", "descarte o seu {ENTITY}", "ignore o custo adicional", "o personagem selecionado se",
)  # fmt: skip
"""How sentences begin that only mean something together with the one before."""
_STOP = Token(".", frozenset(), None, 0, 0)
_COMMA = Token(",", frozenset(), None, 0, 0)


def _joined(parts: list[tuple[Token, ...]]) -> list[tuple[Token, ...]]:
    """Put back together sentences that only mean something together."""
    out: list[tuple[Token, ...]] = []
    for one in parts:
        words = tuple(t.text for t in one[:4])
        if out and any(words[: len(head)] == head for head in _CONTINUES):
            out[-1] = (*out[-1], _STOP, *one)
        elif out and out[-1][0].text == "quando" and not any(t.text == "," for t in out[-1]):
            out[-1] = (*out[-1], _COMMA, *one)
        else:
            out.append(one)
    return out


_LISTS = dict(
    zip(
        _normal("receba os seguintes bonus :", "escolha um :", "escolha um dos seguintes efeitos :"),
        ("bonuses", "choices", "choices"),
        strict=True,
    )
)
"""Lines that introduce a list, and what its entries are."""


_SPELT_OUT = frozenset({"VENENOSO", "MIASMA"})
"""Keywords whose paragraph is an ordinary sentence and is read as one."""


class _Text:
    """One pass over the text of an effect."""

    def __init__(self, text: str, context: Context, assembly: Assembly):
        self.text = text
        self.context = context
        self.assembly = assembly
        self.refused: list[tuple[str, str]] = []
        self.list: str | None = None
        self.list_of: Any = None
        self.choices: list[list[dict[str, Any]]] = []

    def _refuse(self, tokens: tuple[Token, ...], error: Unreadable) -> None:
        at = source(self.text, error.tokens) if error.tokens else ""
        detail = f" at '{at}'" if at and error.tokens != tokens else ""
        self.refused.append((source(self.text, tokens), error.reason + detail))
        self.assembly.refused = True

    def read(self) -> None:
        for line in lines(tokenize(self.text)):
            if line[0].text == "<tech>":
                line = line[2:] if len(line) > 1 and line[1].text in (":", "-") else line[1:]
            elif line[0].text == "<name>" and len(line) > 1 and line[1].text == ":" and not campaign_line(line):
                line = line[2:]
            if not line or campaign_line(line):
                continue
            if line[0].text == "<kw>":
                self._paragraph(line)
            elif line[0].text in ("●", "➥", "✱") or line[0].text.startswith("{") and self.assembly.piece is not None:
                self._listed(line)
            elif _LISTS.get(tuple(t.text for t in line if t.text != ".")):
                self.list = _LISTS[tuple(t.text for t in line if t.text != ".")]
            elif line[-1].text == ":" and len(who := Parse(G, line[:-1], self.context).whole("bonus_list_of")) == 1:
                self.list, self.list_of = "bonuses", who[0]
            else:
                self._sentences(line)
        if self.choices:
            self.assembly.add({"do": [{"op": "choose", "of": self.choices}]})

    def _sentences(self, line: tuple[Token, ...]) -> None:
        for one in _joined(sentences(line)):
            if campaign_sentence(one):
                continue
            try:
                self.assembly.add(_read_one(one, "sentence", self.context))
            except Unreadable as error:
                self._refuse(one, error)

    def _paragraph(self, line: tuple[Token, ...]) -> None:
        rule = "kw_" + fold(str(line[0].value)).upper().replace("-", "_")
        rest = line[1:]
        if rule[3:] in _SPELT_OUT:
            self._sentences(rest)
            return
        if rule not in G.productions:
            self._refuse(line, Unreadable("unknown paragraph keyword", line[:1]))
            return
        parse = Parse(G, rest, self.context)
        ends = [(end, piece) for end, piece in parse.all(rule) if end == len(rest) or rest[end].text == "."]
        if not ends:
            self._sentences(rest)
            return
        end, piece = max(ends, key=lambda one: one[0])
        self.assembly.add_piece(piece)
        if rest[end + 1 :]:
            self._sentences(rest[end + 1 :])

    def _listed(self, line: tuple[Token, ...]) -> None:
        try:
            if self.assembly.piece is not None:
                self._piece_line(line)
            elif line[0].text == "➥" and self.assembly.slot is not None:
                self.assembly.slot_mods(_read_one(line, "slotline", self.context))
            elif self.assembly.slot is not None:
                self._sentences(line[1:])
            elif line[0].text == "●" and self.list is not None:
                self._list_line(tuple(t for t in line[1:] if t.text != "."))
            elif line[0].text == "●" and self.assembly.host:
                inner = tuple(t for t in line[1:] if t.text != ".")
                self.assembly.host_mods(_read_one(inner, "sentence", self.context))
            else:
                raise Unreadable("a list without a readable introduction", line)
        except Unreadable as error:
            self._refuse(line, error)

    def _list_line(self, line: tuple[Token, ...]) -> None:
        if self.list == "bonuses":
            parse = Parse(G, line, self.context)
            stats = parse.whole("stats")
            if stats:
                part = {"mods": [{"q": f"attr.{a}", "add": n} for a, n in stats[0]]}
            else:
                part = _read_one(line, "sentence", self.context)
            if self.list_of is not None:
                if set(part) != {"mods"}:
                    raise Unreadable("a listed bonus that is not a modifier", line)
                part = {"mods": on(part["mods"], self.list_of)}
            self.assembly.add(part)
            return
        part = _read_one(line, "sentence", self.context)
        if set(part) != {"do"}:
            raise Unreadable("an option that is not a plain instruction", line)
        self.choices.append(self.assembly.resolved(part)["do"])

    def _piece_line(self, line: tuple[Token, ...]) -> None:
        inner = tuple(t for t in line if t.text != ".")
        self.assembly.piece_line(_read_one(inner, "pieceline", self.context))


def read_effect(effect: Mapping[str, Any], card: Mapping[str, Any], technique: int | None = None) -> ReadResult:
    """Read one effect of a card of the game's database.

    Args:
        effect: an entry of an `Effects` list of cards.json.
        card: the card that carries it.
        technique: index of the technique that carries it, or None.

    Returns:
        The reading; nothing is guessed, so `tree` holds only what every clause of it is certain of.
    """
    text = str(effect.get("Text") or "")
    if text.startswith("«"):
        return _read_rendered(text, effect, card, technique)
    needs = [str(one) for one in effect.get("Requirements") or ()]
    if campaign_card(dict(card)) or names_attributes(text) or not (text.strip() or needs):
        return ReadResult("nothing_to_do")
    if (fault := unknown_keyword(effect)) is not None:
        return ReadResult("inert", [], text, fault, ((text, fault),))
    context = context_of(card, technique)
    assembly = Assembly(context, keywords_of_effect(effect))
    refused = _read_requirements(needs, assembly)
    context = replace(context, referent=_referent(assembly.needs) or _referent_of_timing(assembly.keywords))
    reading = _Text(text, context, assembly)
    reading.refused += refused
    reading.read()
    return _result(reading, assembly)


_BRACKETS = re.compile(r"\s*【([^】]*)】")


def _read_rendered(text: str, effect: Mapping[str, Any], card: Mapping[str, Any], technique: int | None) -> ReadResult:
    """Read a text that `write` has rendered, or one of that form in the words of a card."""
    from apotheosis.env.cards.text.write import PLAIN, read_worded

    def refused(reason: str) -> ReadResult:
        return ReadResult("inert", [], text, reason, ((text, reason),))

    of_technique = {} if technique is None else {"technique": technique}
    plain = f"«{PLAIN['pt']}»"
    if text.startswith(plain):
        try:
            tree = {**of_technique, **notation.read(text[len(plain) :], "pt")}
        except ValueError as error:
            return refused(str(error))
        return _of_one(tree, text)
    names, rest = split_header(text)
    if names is None:
        return refused("unknown keyword at the head of the text")
    worded = read_worded(text)
    if len(worded) > 1:
        return refused("the text can be read in several ways")
    if worded:
        return _of_one({**worded[0], **of_technique}, text)
    needs = []
    while (match := _BRACKETS.match(rest)) is not None:
        needs.append(match.group(1))
        rest = rest[match.end() :]
    tags = "".join(f"Apt.Effect.{group}.{name} " for group, name in names)
    return read_effect({**effect, "Text": rest.strip(), "Keywords": tags, "Requirements": needs}, card, technique)


def _read_requirements(needs: list[str], assembly: Assembly) -> list[tuple[str, str]]:
    """Read the requirement strings of an effect; a refused one blocks the whole effect."""
    refused = []
    for need in needs:
        tokens = tuple(t for t in tokenize(need) if t.text not in (".", "\n"))
        try:
            assembly.require(_read_one(tokens, "requirement", assembly.context))
        except Unreadable as error:
            at = source(need, error.tokens)
            refused.append((source(need, tokens), error.reason + (f" at '{at}'" if at else "")))
            assembly.blocked = True
    return refused


def _referent_of_timing(keywords: Keywords) -> str | None:
    """A phase of others than the owner names the character whose phase it is."""
    own = ("YourStartPhase", "YourEndPhase", "ThisCharacterStartPhase", "ThisCharacterEndPhase")
    others = [name for name in keywords.timings if name.endswith("Phase") and name not in own and name != "ResetPhase"]
    return "event.who" if others else None


def _referent(needs: list[dict[str, Any]]) -> str | None:
    """Whom "that character" in the text means: the one the requirements selected or reacted to."""
    found = set()
    for part in needs:
        for need in part.get("requires", []):
            if "target" in need:
                found.add("target")
            elif isinstance(need.get("when"), dict):
                found.add("event.target" if "target" in need["when"] else "event.who")
    return found.pop() if len(found) == 1 else None


def _typed(effect: dict[str, Any]) -> TypedEffect | str:
    """Return a tree as a model of the language, or what the language has against it."""
    try:
        return TypedEffect.model_validate(effect)
    except ValidationError as error:
        first = error.errors()[0]
        return f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"


def language_fault(effect: dict[str, Any]) -> str:
    """Return what the effect language has against a tree, empty where it is well formed."""
    typed = _typed(effect)
    return typed if isinstance(typed, str) else ""


def _of_one(tree: dict[str, Any], text: str) -> ReadResult:
    """Return the reading of a text that says one effect."""
    typed = _typed(tree)
    if isinstance(typed, str):
        return ReadResult("inert", [], text, typed, ((text, typed),))
    return ReadResult("read", [tree], typed=(typed,))


def _result(reading: _Text, assembly: Assembly) -> ReadResult:
    try:
        tree = assembly.effects()
    except Unreadable as error:
        tree = []
        words = source(reading.text, tuple(t for t in tokenize(reading.text) if t.text != "\n"))
        reading.refused.append((words, error.reason))
    typed: list[TypedEffect] = []
    for effect in tree:
        model = _typed(effect)
        if isinstance(model, str):
            words = source(reading.text, tuple(t for t in tokenize(reading.text) if t.text != "\n"))
            reading.refused.append((words, f"the effect language has no form for it ({model})"))
            tree, typed = [], []
            break
        typed.append(model)
    refused = tuple(reading.refused)
    if refused:
        return ReadResult("partial" if tree else "inert", tree, refused[0][0], refused[0][1], refused, tuple(typed))
    if not tree:
        return ReadResult("nothing_to_do")
    return ReadResult("read", tree, typed=tuple(typed))


def effects_of(card: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any], int | None]]:
    """Return the effects of a card with their labels (`E0`, `T1.0`) and technique indices."""
    found: list[tuple[str, Mapping[str, Any], int | None]] = [
        (f"E{i}", e, None) for i, e in enumerate(card.get("Effects") or ())
    ]
    for number, technique in enumerate(card.get("Techniques") or ()):
        found.extend((f"T{number}.{i}", e, number) for i, e in enumerate(technique.get("Effects") or ()))
    return found


def read_card(card: Mapping[str, Any]) -> dict[str, ReadResult]:
    """Read every effect of a card; keys are `E0` for the card's effects and `T1.0` for those of its techniques."""
    return {label: read_effect(effect, card, technique) for label, effect, technique in effects_of(card)}
