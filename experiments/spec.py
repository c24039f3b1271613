"""The run spec: every setting of an experiment, read from TOML and checked; unknown keys are refused by name.

A spec is the one description of a run that a person writes. Flags of the command line are the same keys under another
spelling, so that a run folder's `plan.json` always holds the complete, resolved spec.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

from pydantic import Field, ValidationError, model_validator

from apotheosis.env.errors import InputError, nearest, unknown
from apotheosis.experiments.spec_sections import (
    BotsSection,
    CardsSection,
    DecksSection,
    DesignSection,
    FormatSection,
    GuardSection,
    ReportSection,
    RunSection,
    Section,
    StatsSection,
    TestSection,
    TuneSection,
    split_names,
)

FAST_CHUNK, SLOW_CHUNK = 200, 10
"""Pairs in one chunk with bots that answer at once, and with bots that search or evaluate a network."""

DECKS_PER_CARD = 5
"""Random decks for each card of the pool where the spec does not say how many."""
VERSIONS = {"field": 2, "both": 4}
"""Versions of a deck that meet the same opponent on the same seeds, by `DesignSection.pairing`."""
LISTED_DECKS = 400
"""Random decks in designs whose pairings grow with the square of the decks, and of two cards, which few decks hold."""
MANY_DECKS = ("random_decks", "swap", "field")


class Spec(Section):
    """A complete run spec; its fields are the sections of the TOML file."""

    run: RunSection = Field(default_factory=RunSection)
    format: FormatSection = Field(default_factory=FormatSection)
    cards: CardsSection = Field(default_factory=CardsSection)
    decks: DecksSection = Field(default_factory=DecksSection)
    bots: BotsSection = Field(default_factory=BotsSection)
    design: DesignSection = Field(default_factory=DesignSection)
    test: TestSection = Field(default_factory=TestSection)
    stats: StatsSection = Field(default_factory=StatsSection)
    report: ReportSection = Field(default_factory=ReportSection)
    tune: TuneSection = Field(default_factory=TuneSection)
    guard: GuardSection = Field(default_factory=GuardSection)

    @model_validator(mode="after")
    def _sections_agree(self) -> Spec:
        run, design, decks = self.run, self.design, self.decks
        if run.pairs is not None and run.matches is not None:
            raise ValueError("run.pairs and run.matches say the same; give one of them")
        if run.matches is not None and design.mirror and run.matches % 2:
            raise ValueError(
                f"run.matches is {run.matches}, but matches come in mirrored pairs: give an even number, "
                "or set design.mirror = false"
            )
        if run.backend == "local" and run.address is not None:
            raise ValueError('run.address is for backend = "ray"')
        if decks.source == "files" and not decks.files:
            raise ValueError('decks.source is "files", but decks.files names none')
        if decks.source != "files" and decks.files:
            raise ValueError(f'decks.files is given, but decks.source is "{decks.source}", not "files"')
        if design.kind == "swap" and design.card is None:
            raise ValueError("design.kind is swap, which needs design.card: the card to measure")
        if design.against == "field" and not (design.kind == "swap" and design.mirror):
            raise ValueError('design.against is "field", which is for design.kind = "swap" with design.mirror = true')
        if design.partner is not None:
            if not (design.kind == "swap" and design.mirror):
                raise ValueError('design.partner is for design.kind = "swap" with design.mirror = true')
            if design.partner in (design.card, design.baseline):
                raise ValueError(f"design.partner is {design.partner}, which is exchanged already; name another card")
        if self.bots.crossing == "pairs" and len(set(self.bots.pool)) < 2:
            raise ValueError("bots.crossing is pairs, which needs two different bots in bots.pool")
        return self

    @property
    def pairs(self) -> int:
        """Pairs to play; a pair is one match where the design is not mirrored."""
        if self.run.matches is not None:
            return self.run.matches // self.matches_per_pair
        return self.run.pairs or 1000

    @property
    def chunk(self) -> int:
        """Pairs in one chunk: `run.chunk`, or a number that takes seconds with the bots of this run."""
        slow = any(":" in bot for bot in self.bots.pool)  # search:1000, ppo:FILE
        return self.run.chunk or (SLOW_CHUNK if slow else FAST_CHUNK)

    def n_random_decks(self, cards: int) -> int:
        """Returns the number of random decks to draw for each team: `decks.n`, or fewer where the pairs cannot use them.

        Args:
            cards: cards in the pool; more cards need more decks to be told apart.
        """
        kind = self.design.kind
        wanted = self.decks.n or (DECKS_PER_CARD * cards if self.design.pairing in MANY_DECKS else LISTED_DECKS)
        if kind == "random_decks":
            return max(2, min(wanted, 2 * self.pairs))
        if self.design.pairing in VERSIONS:
            return max(2, min(wanted, self.pairs // VERSIONS[self.design.pairing]))
        return min(wanted, self.pairs) if kind == "swap" else wanted

    @property
    def matches_per_pair(self) -> int:
        """2 in mirrored designs, 1 otherwise."""
        return 2 if self.design.mirror else 1


PATHS = (
    ("run", "out"), ("format", "terrain"), ("cards", "pool"), ("cards", "overrides"), ("decks", "files"), ("bots", "pool"),
)  # fmt: skip
"""Keys that hold paths (of bots, those made from a file); those of a spec file are relative to its folder, settings to the
working folder.

They are kept in full, so that a run can be resumed and replayed from anywhere; only the run folder is used as it is given.
"""
NOT_PATHS = {"starter"}
FROM_FILE = "ppo"
"""Family of the bots that are made from a file."""


def load_spec(path: str | Path | None = None, settings: Mapping[str, Any] | None = None) -> Spec:
    """Reads a spec file and lays single settings over it.

    Args:
        path: TOML file, or None to begin from the defaults. Relative paths in it are relative to its folder.
        settings: values by dotted key (`"run.seed"`), which win over the file; a value of None is left out.

    Returns:
        The checked spec.

    Raises:
        InputError: when the file cannot be read, a key is unknown or a value is not allowed; it names file and line.
    """
    text, data, where = "", {}, None
    if path is not None:
        where = Path(path)
        text = _read(where)
        try:
            data = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise InputError(f"is not valid TOML: {error}", where) from error
    _refuse_unknown(data, text, where)
    if where is not None:
        _anchor_paths(data, where.resolve().parent)
    given = {key: value for key, value in (settings or {}).items() if value is not None}
    for key, value in given.items():
        _lay(data, key, _anchored(key, value, Path.cwd()) if key != "run.out" else value)
    for key, other in (("pairs", "matches"), ("matches", "pairs")):
        if f"run.{key}" in given and f"run.{other}" not in given:
            data["run"].pop(other, None)  # the setting replaces the file's number, however that was written
    try:
        return Spec.model_validate(data)
    except ValidationError as error:
        raise _explained(error, text, where) from error


def spec_from(data: Mapping[str, Any], where: str = "plan.json") -> Spec:
    """Rebuilds a spec from its JSON form.

    Args:
        data: the JSON form.
        where: where it comes from, for the message.

    Raises:
        InputError: when the data do not fit this version of the lab.
    """
    try:
        return Spec.model_validate(data)
    except ValidationError as error:
        raise _explained(error, "", Path(where)) from error


def parse_setting(text: str) -> tuple[str, Any]:
    """Returns (dotted key, value) of a `--set key=value`; values are TOML, a bare word is text.

    Raises:
        InputError: when there is no equals sign.
    """
    key, sign, value = text.partition("=")
    if not sign or not key.strip():
        raise InputError(f"--set takes section.key=value, for instance run.seed=7; got {text!r}")
    try:
        return key.strip(), tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return key.strip(), value.strip()


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise InputError("there is no such spec file", path) from error
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read as UTF-8 text: {error}", path) from error


def _section_models() -> dict[str, type[Section]]:
    return {name: field.annotation for name, field in Spec.model_fields.items()}  # type: ignore[misc]


def _keys(section: str) -> list[str]:
    return list(_section_models()[section].model_fields)


def _refuse_unknown(data: dict[str, Any], text: str, path: Path | None) -> None:
    models = _section_models()
    for section, values in data.items():
        if section not in models:
            raise unknown("section", section, models, _place(path, text, section, None))
        if not isinstance(values, dict):
            raise InputError(f"[{section}] is a section, but a value is given", _place(path, text, section, None))
        for key in values:
            if key not in models[section].model_fields:
                place = _place(path, text, section, key)
                raise unknown(f"key in [{section}]", key, models[section].model_fields, place)


def _lay(data: dict[str, Any], dotted: str, value: Any) -> None:
    section, dot, key = dotted.partition(".")
    models = _section_models()
    if not dot:
        homes = [name for name, model in models.items() if section in model.model_fields]
        hint = f"; did you mean {homes[0]}.{section}?" if homes else _nearest_dotted(section)
        raise InputError(f"unknown setting {dotted!r}; settings are written section.key{hint}")
    if section not in models:
        raise unknown("section", section, models, f"setting {dotted}")
    if key not in models[section].model_fields:
        raise unknown(f"key in [{section}]", key, models[section].model_fields, f"setting {dotted}")
    data.setdefault(section, {})[key] = value


def _nearest_dotted(name: str) -> str:
    hint = nearest(name, [key for section in _section_models() for key in _keys(section)])
    return f"; {hint}" if hint else ""


def _anchor_paths(data: dict[str, Any], folder: Path) -> None:
    for section, key in PATHS:
        if key in data.get(section, {}):
            data[section][key] = _anchored(f"{section}.{key}", data[section][key], folder)


def _anchored(dotted: str, value: Any, folder: Path) -> Any:
    """Returns the value of a key, its relative paths taken from a folder; other keys and words like starter stay."""
    section, _, key = dotted.partition(".")
    if (section, key) not in PATHS or (isinstance(value, str) and (value in NOT_PATHS or not value)):
        return value
    if isinstance(value, str) and (key in ("overrides", "files") or section == "bots"):
        value = split_names(value)
    if section == "bots":
        return [_anchored_bot(name, folder) for name in value] if isinstance(value, list) else value
    if isinstance(value, list):
        return [str(folder / part) if isinstance(part, str) else part for part in value]
    return str(folder / value) if isinstance(value, str) else value


def _anchored_bot(name: Any, folder: Path) -> Any:
    """Returns the name of a bot with the path of its file in full; other bots keep their names."""
    family, colon, path = name.partition(":") if isinstance(name, str) else ("", "", "")
    return f"{family}:{folder / path}" if family == FROM_FILE and colon and path else name


def _place(path: Path | None, text: str, section: str, key: str | None) -> str | None:
    """Returns `file:line` of a section or key; the file alone when the line is not found."""
    if path is None:
        return None
    inside = key is None
    pattern = re.compile(rf"\s*{re.escape(key)}\s*=") if key else re.compile(rf"\s*(\[\s*)?{re.escape(section)}\b")
    for number, line in enumerate(text.splitlines(), 1):
        header = re.match(r"\s*\[\s*([\w.-]+)\s*\]", line)
        if header and key:
            inside = header[1] == section
            continue
        if inside and pattern.match(line):
            return f"{path}:{number}"
    return str(path)


def _explained(error: ValidationError, text: str, path: Path | None) -> InputError:
    """Turns the first problem that pydantic found into one sentence."""
    first = error.errors(include_url=False)[0]
    section, key = ([str(part) for part in first["loc"]] + ["", ""])[:2]
    if first["type"] == "value_error":
        reason = str(first.get("ctx", {}).get("error", first["msg"]))
    elif first["type"] == "literal_error":
        allowed = _literals(section, key)
        hint = nearest(str(first["input"]), allowed)
        reason = f"{first['input']!r} is not allowed; allowed: {', '.join(allowed)}" + (f"; {hint}" if hint else "")
    elif first["type"] == "too_short":
        reason = "is empty; name at least one"
    elif first["type"] == "string_too_short":
        reason = "is empty; leave it out or give a value"
    else:
        reason = f"{first['input']!r} is not allowed: {first['msg'][0].lower()}{first['msg'][1:]}"
    name = ".".join(part for part in (section, key) if part)
    where = _place(path, text, section, key or None) if section else (str(path) if path else None)
    return InputError(f"{name}: {reason}" if name else reason, where)


def _literals(section: str, key: str) -> list[str]:
    annotation = _section_models()[section].model_fields[key].annotation
    options, stack = [], [annotation]
    while stack:
        for inner in get_args(stack.pop()):
            if get_args(inner):
                stack.append(inner)
            elif isinstance(inner, (str, int)):
                options.append(str(inner))
    return options
