"""Turns YAML 1.2 text into plain Python values that remember their lines.

The event stream of the parser is used instead of its object constructor for three reasons: every value keeps its
line, so that an error can point at it; anchors, aliases and tags are refused where they appear, so that no file can
grow in memory; and only the scalars of the YAML 1.2 core schema exist, so that `on`, `no` and `1_000` stay text.
"""

import re
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from apotheosis.env.errors import InputError

MAX_DEPTH = 48
MAX_ENTRIES = 4096
"""Entries of a list; a pool holds half as many cards."""
MAX_VALUES = 8192
"""Values of one entry of the outermost list; the largest cards and scenarios have some hundred."""
MAX_CHARACTERS = 4 * 1024 * 1024
_INT = re.compile(r"[-+]?[0-9]+\Z")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?\Z")
_HALF = re.compile("[\ud800-\udfff]")
"""Half a character, which only an escape can bring into a text."""
_CONSTANTS = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}

Path = tuple[str | int, ...]


class Tree:
    """A parsed document.

    Args:
        value: the document as dicts, lists, text, numbers, booleans and None.
        lines: line (from 1) of each value, by its path of keys and indices from the root.
        where: how messages call the file.
    """

    def __init__(self, value: Any, lines: dict[Path, int], where: str):
        self.value = value
        self.lines = lines
        self.where = where

    def place(self, path: Path) -> str:
        """Returns `file:line` of the value at a path, or of the nearest enclosing value that exists."""
        while path and path not in self.lines:
            path = path[:-1]
        return f"{self.where}:{self.lines.get(path, 1)}"


def scalar(text: str) -> Any:
    """Returns the value of an unquoted scalar by the YAML 1.2 core schema."""
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if _INT.match(text):
        return int(text) if len(text) < 20 else text
    if _FLOAT.match(text) and abs(value := float(text)) != float("inf"):
        return value
    return text


def parse_yaml(text: str, where: str) -> Tree:
    """Parses one YAML document.

    Args:
        text: the document.
        where: how messages call the file.

    Raises:
        InputError: the text is not YAML, is too long or too deep, or uses anchors, aliases, tags or a key twice.
    """
    if len(text) > MAX_CHARACTERS:
        raise InputError(f"the document has {len(text)} characters; at most {MAX_CHARACTERS} are read", where)
    try:
        return _Builder(where).build(YAML(typ="safe", pure=True).parse(text))
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = where if mark is None else f"{where}:{mark.line + 1}"
        raise InputError(f"this is not YAML: {_told(error.problem or error.context or '')}", place) from None
    except (YAMLError, ValueError, RecursionError) as error:
        position = getattr(error, "position", None)
        place = where if position is None else f"{where}:{text.count(chr(10), 0, position) + 1}"
        raise InputError(f"this is not YAML: {str(error).splitlines()[0]}", place) from None


_HINTS = {
    "'\\t'": "lines are indented with spaces, never with tabs",
    "mapping values are not allowed": "is the line indented like its neighbours, and a text with ': ' in quotes?",
    "did not find expected": "is the line indented like its neighbours?",
    "expected <block end>": "is the line indented like its neighbours?",
}
"""Parts of the words of the YAML library, and what the person who wrote the file should look for."""


def _told(problem: str) -> str:
    """Returns what is wrong with a line in the words of the YAML library, with a hint for the usual slips."""
    hint = next((hint for words, hint in _HINTS.items() if words in problem), None)
    return problem if hint is None else f"{problem} ({hint})"


class _Builder:
    """Collects the events of one document into a value and its lines."""

    def __init__(self, where: str):
        self.where = where
        self.lines: dict[Path, int] = {}
        self.root: list[Any] = []
        self.holders: list[Any] = [self.root]
        self.paths: list[Path] = []
        self.keys: list[Any] = [None]
        self.documents = 0
        self.values = 0

    def build(self, events: Any) -> Tree:
        for event in events:
            line = event.start_mark.line + 1 if event.start_mark else 1
            if isinstance(event, DocumentStartEvent):
                self.documents += 1
                if self.documents > 1:
                    raise InputError("one file holds one YAML document, here a second one starts", f"{self.where}:{line}")
            elif isinstance(event, AliasEvent):
                raise InputError(f"aliases are not allowed (*{event.anchor}); write the value out", f"{self.where}:{line}")
            elif isinstance(event, ScalarEvent):
                self._refuse_extras(event, line)
                if _HALF.search(event.value):
                    raise InputError("a text holds half a character: the other half is missing", f"{self.where}:{line}")
                self._add(scalar(event.value) if event.style is None and event.implicit[0] else event.value, line)
            elif isinstance(event, (MappingStartEvent, SequenceStartEvent)):
                self._refuse_extras(event, line)
                self._open({} if isinstance(event, MappingStartEvent) else [], line)
            elif isinstance(event, (MappingEndEvent, SequenceEndEvent)):
                self.holders.pop()
                self.keys.pop()
                self.paths.pop()
        if not self.root:
            raise InputError("the document is empty", self.where)
        return Tree(self.root[0], self.lines, self.where)

    def _refuse_extras(self, event: Any, line: int) -> None:
        place = f"{self.where}:{line}"
        if event.anchor is not None:
            raise InputError(f"anchors are not allowed (&{event.anchor})", place)
        if event.tag is not None and str(event.tag) != "!":
            raise InputError(f"tags are not allowed ({event.tag})", place)
        if len(self.holders) > MAX_DEPTH:
            raise InputError(f"values are nested more than {MAX_DEPTH} deep", place)

    def _count(self, line: int) -> None:
        """Refuses a document that is no card file of any size, before all of it has been read."""
        entries, place = self.holders[-1], f"{self.where}:{line}"
        if isinstance(entries, list) and len(entries) >= MAX_ENTRIES:
            raise InputError(f"a list has at most {MAX_ENTRIES} entries", place)
        outer = next((depth for depth, holder in enumerate(self.holders[1:], 1) if isinstance(holder, list)), 0)
        self.values = 0 if outer == len(self.holders) - 1 else self.values + 1
        if self.values > MAX_VALUES:
            raise InputError(f"one entry has more than {MAX_VALUES} values", place)

    def _add(self, value: Any, line: int) -> Path:
        self._count(line)
        holder, key = self.holders[-1], self.keys[-1]
        path = self.paths[-1] if self.paths else ()
        if isinstance(holder, dict):
            if key is None:
                if isinstance(value, (dict, list)):
                    raise InputError("a key must be a word or a number", f"{self.where}:{line}")
                name = value if isinstance(value, (str, int)) and not isinstance(value, bool) else str(value)
                if name in holder:
                    raise InputError(f"the key {name!r} appears twice", f"{self.where}:{line}")
                self.keys[-1] = (name,)
                self.lines[(*path, name)] = line
                return path
            name = key[0]
            holder[name] = value
            self.keys[-1] = None
            path = (*path, name)
        elif holder is self.root:
            holder.append(value)
            self.lines[()] = line
            return ()
        else:
            path = (*path, len(holder))
            holder.append(value)
        self.lines[path] = line
        return path

    def _open(self, value: Any, line: int) -> None:
        path = self._add(value, line)
        self.holders.append(value)
        self.keys.append(None)
        self.paths.append(path)
