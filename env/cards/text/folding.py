"""Ways of saying the same: sequences of words that are folded into one before the grammar reads them."""

from __future__ import annotations

from collections.abc import Callable

from apotheosis.env.cards.text import lexicon as lex
from apotheosis.env.cards.text.unit import Token

_STATS = frozenset(
    "{" + name + "}"
    for name in ("DMG", "HP", "SP", "MP", "AP", "INJURY", "ENERGY", "RANGE", *lex.ATTRIBUTES, *lex.CURRENCIES, *lex.COLOURS)
)
_AMOUNTS = frozenset({"#", "±", "#+", "#-"})
_PIECES = frozenset({"personagem", "personagens", "heroi", "herois", "{COMPANION}", *("{" + kind + "}" for kind in lex.KINDS)})
_COUNTED = _PIECES | {"carta", "casa", "alvo", "vez", *("{" + suit + "}" for suit in lex.SUITS)}
_ONE_SELF = frozenset({"{ITEM}", "{SKILL}", "{EVENT}", "{CLASS}", "{HOUSE}"})

_PHRASES: tuple[tuple[str, str], ...] = (
    ("pelo resto do batalha", "ate o final do batalha"),
    ("por todo a batalha", "ate o final do batalha"),
    ("por todo batalha", "ate o final do batalha"),
    ("durante todo a batalha", "ate o final do batalha"),
    ("durante o resto do batalha", "ate o final do batalha"),
    ("enquanto durar a batalha", "ate o final do batalha"),
    ("pelo resto do turno", "ate o final do turno"),
    ("pelo resto deste turno", "ate o final do turno"),
    ("durante o resto do turno", "ate o final do turno"),
    ("pelo resto do rodada", "ate o final do rodada"),
    ("ate o seu proximo turno", "ate o inicio do seu proximo turno"),
    ("ate seu proximo turno", "ate o inicio do seu proximo turno"),
    ("um unica vez por", "um vez por"),
    ("do descarte", "do pilha de descarte"),
    ("no descarte", "no pilha de descarte"),
    ("um vez a cada", "um vez por"),
    ("um vez em cada", "um vez por"),
    ("um vez cada", "um vez por"),
    ("do mao", "do {INV}"),
    ("do seu mao", "do seu {INV}"),
    ("no mao", "no {INV}"),
    ("no seu mao", "no seu {INV}"),
    ("em seu mao", "em seu {INV}"),
    ("para a mao", "para o {INV}"),
    ("para a seu mao", "para o seu {INV}"),
    ("para seu mao", "para o seu {INV}"),
    ("ponto de acao", "{AP}"),
    ("ponto de vida", "{HP}"),
    ("com um valor de", "com"),
    ("ao realizar teste", "em teste"),
    ("ao fazer teste", "em teste"),
    ("for o alvo de", "for alvo de"),
    ("ser o alvo de", "ser alvo de"),
    ("fizer um ataque", "realizar um ataque"),
    ("ou superior", "ou mais"),
    ("ou inferior", "ou menos"),
)
"""Phrases of normal words and what they are read as."""


def _split(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_TABLE = sorted(((_split(a), _split(b)) for a, b in _PHRASES), key=lambda pair: -len(pair[0]))
_BY_FIRST = {old[0]: [pair for pair in _TABLE if pair[0][0] == old[0]] for old, _ in _TABLE}


def fold_phrases(tokens: list[Token], make: Callable[[str, Token], Token]) -> list[Token]:
    """Return the tokens with other ways of saying the same folded into one.

    Args:
        tokens: tokens of a text in their normal form.
        make: makes a token for a word that stands where another token stood.
    """
    words: list[Token] = []
    place = 0
    while place < len(tokens):
        token = tokens[place]
        found = _phrase(tokens, place)
        old, new = found or ((token.text,), ())
        words.extend([make(word, token) for word in new] if found else [token])
        place += len(old)
    out: list[Token] = []
    for place in range(len(words)):
        _put(out, words, place, make)
    return out


def _phrase(tokens: list[Token], place: int) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    for old, new in _BY_FIRST.get(tokens[place].text, ()):
        if tuple(t.text for t in tokens[place : place + len(old)]) == old:
            return old, new
    return None


def _put(out: list[Token], tokens: list[Token], place: int, make: Callable[[str, Token], Token]) -> None:
    token = tokens[place]
    after = tokens[place + 1].text if place + 1 < len(tokens) else ""
    before = out[-1].text if out else ""
    if token.text in _STATS and (before in _AMOUNTS or before.startswith("{D_")):
        out.append(make("de", token))
    if token.text in ("aliado", "inimigo"):
        out.extend(make(word, token) for word in _team(out, token))
    elif token.text == "#" and token.value == 1 and after in _COUNTED:
        out.append(make("um", token))
    elif token.text in _ONE_SELF and before in ("este", "deste", "neste"):
        out.append(make("carta", token))
    elif token.text == "ponto" and after == "de" and before in _AMOUNTS:
        pass
    elif token.text == "morto" and before in ("for", "forem", "ser", "seja"):
        out[-1] = make("morrer", token)
    else:
        out.append(token)


def _team(out: list[Token], token: Token) -> tuple[str, ...]:
    """An ally or enemy as a noun, or as a word that describes one."""
    team = ("do", "seu", "time") if token.text == "aliado" else ("de", "outro", "time")
    if out and out[-1].text in _PIECES:
        return team
    if out and out[-1].text == "time":
        out.pop()
        return team[1:]
    if out and out[-1].text == "seu":
        out.pop()
    return ("personagens" if token.value == "many" else "personagem", *team)
