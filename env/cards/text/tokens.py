"""Card text as a stream of tokens, cut into lines and sentences.

The database mixes markup, macros, glyphs with meaning and two notations for thresholds. All of it is folded here once, so
that the grammar above sees only words, verbs, macros, numbers and a few punctuation marks.
"""

from __future__ import annotations

import re
from functools import lru_cache

from apotheosis.env.cards.text.folding import fold_phrases
from apotheosis.env.cards.text.lexicon import EXPANSIONS, FILLERS, NUMBER_WORDS, SPELLING, TEAM_WORDS, VERB_FORMS, fold, normal
from apotheosis.env.cards.text.unit import Token

_NO_VERBS: frozenset[str] = frozenset()
_SCAN = re.compile(
    r"<e>(?P<kw>.*?)</>|<i>(?P<name>.*?)</>|<t>(?P<thing>.*?)</>|<m>(?P<tech>.*?)</>"
    r"|(?P<markup><[pnbr]\d?>|</>)"
    r"|\{(?P<macro>\w+)\}"
    r"|(?P<num>[+\-–]?\d+[✚–+\-]?)"
    r"|(?P<word>[^\W\d_]+(?:-[^\W\d_]+)*)"
    r"|(?P<line>[\r\n]+)"
    r"|(?P<mark>[.,;:()●➥✱➜❙✖❰❱*/|+\-–✚!#])",
    re.S,
)
_INNER = re.compile(r"</?\w*>|[❰❱]")
_ENCLITIC = re.compile(r"^(.*?)-(las?|los?|as?|os?|se|te|lhes?|nas?|nos?)$")


def _number(raw: str) -> tuple[str, int]:
    sign = ""
    if raw[0] in "+-–":
        sign, raw = raw[0], raw[1:]
    bound = raw[-1] if raw[-1] in "✚–+-" else ""
    value = int(raw.rstrip("✚–+-"))
    if sign:
        return "±", value if sign == "+" else -value
    if bound:
        return ("#+" if bound in "✚+" else "#-"), value
    return "#", value


def _word_tokens(raw: str, start: int, end: int) -> list[Token]:
    word = fold(raw)
    first = raw[:1].isupper()
    split = _ENCLITIC.match(word)
    tail = ""
    if split and (split.group(1) in VERB_FORMS or SPELLING.get(split.group(1)) in VERB_FORMS):
        word, tail = split.group(1), "-" + split.group(2)
    word = SPELLING.get(raw.lower(), SPELLING.get(word, word))
    if word in FILLERS:
        return []
    if word in EXPANSIONS:
        return [Token(one, _NO_VERBS, None, start, end, first) for one in EXPANSIONS[word]]
    if word in TEAM_WORDS:
        side, many = TEAM_WORDS[word]
        return [Token(side, _NO_VERBS, "many" if many else None, start, end, first)]
    verbs = VERB_FORMS.get(word, _NO_VERBS)
    tokens = [Token(normal(word), verbs, NUMBER_WORDS.get(word), start, end, first)]
    if tail:
        tokens.append(Token(tail, _NO_VERBS, None, start, end))
    return tokens


@lru_cache(maxsize=4096)
def tokenize(text: str) -> tuple[Token, ...]:
    """Return the tokens of a card text; line ends come as tokens with the text `\\n`."""
    tokens: list[Token] = []
    for match in _SCAN.finditer(text):
        start, end = match.span()
        kind = match.lastgroup
        raw = match.group(kind) if kind else ""
        if kind == "markup":
            continue
        if kind == "word":
            tokens.extend(_word_tokens(raw, start, end))
        elif kind == "macro":
            tokens.append(Token("{" + raw + "}", _NO_VERBS, None, start, end))
        elif kind == "num":
            mark, value = _number(raw)
            tokens.append(Token(mark, _NO_VERBS, value, start, end))
        elif kind == "line":
            tokens.append(Token("\n", _NO_VERBS, None, start, end))
        elif kind == "mark":
            mark = {"(": "lp", ")": "rp", "*": "✖", "–": "-"}.get(raw, raw)
            if mark not in "❰❱":
                tokens.append(Token(mark, _NO_VERBS, None, start, end))
        elif kind == "kw":
            tokens.append(Token("<kw>", _NO_VERBS, fold(raw).upper(), start, end, True))
        else:
            mark = "<tech>" if kind == "tech" else "<name>"
            tokens.append(Token(mark, _NO_VERBS, _INNER.sub("", raw).strip(), start, end, True))
    return tuple(_without_doubles(fold_phrases(tokens, _standing_for)))


def verbs_of(word: str) -> frozenset[str]:
    """Return the verbs that a written word may be a form of."""
    folded = fold(word)
    return VERB_FORMS.get(SPELLING.get(folded, folded), _NO_VERBS)


def _standing_for(word: str, token: Token) -> Token:
    verbs = VERB_FORMS.get(word, _NO_VERBS)
    return Token(word, verbs, NUMBER_WORDS.get(word), token.start, token.end, token.first)


def _without_doubles(tokens: list[Token]) -> list[Token]:
    """Drop a function word that was typed twice in a row."""
    out: list[Token] = []
    for token in tokens:
        if out and token.text == out[-1].text and token.text in {"de", "for", "em", "para", "a", "o"}:
            continue
        out.append(token)
    return out


_OPENERS = {"●", "➥", "✱", "<kw>", "±", "+", "<tech>"}


_NEVER_LAST = frozenset("com de do no em para a ao e ou que ser um o por , +".split())
"""Words that no sentence ends with: the line goes on."""


def lines(tokens: tuple[Token, ...]) -> list[tuple[Token, ...]]:
    """Return the lines of a text; a line end inside a sentence (the next line goes on in lower case) is ignored."""
    out: list[list[Token]] = [[]]
    for place, token in enumerate(tokens):
        if token.text != "\n":
            out[-1].append(token)
            continue
        after = tokens[place + 1] if place + 1 < len(tokens) else None
        before = out[-1][-1] if out[-1] else None
        if after is None or before is None:
            continue
        if before.text in _NEVER_LAST:
            continue
        opens = after.text in _OPENERS or after.first and after.text != "<name>" or before.text in ".;:"
        if opens or after.text.startswith("{") and before.text.startswith(("{", "rp", "#")):
            out.append([])
    return [tuple(line) for line in out if line]


def sentences(line: tuple[Token, ...]) -> list[tuple[Token, ...]]:
    """Return the sentences of a line without their full stops."""
    out: list[list[Token]] = [[]]
    for token in line:
        if token.text in {".", "!"}:
            out.append([])
        else:
            out[-1].append(token)
    return [tuple(sentence) for sentence in out if sentence]


def source(text: str, tokens: tuple[Token, ...]) -> str:
    """Return the words of a text that some tokens stand for, without markup."""
    if not tokens:
        return ""
    piece = text[tokens[0].start : tokens[-1].end]
    return re.sub(r"\s+", " ", re.sub(r"<\w*\d?>|</>", "", piece)).strip()
