"""The run spec: every setting of an experiment, read from TOML and checked; unknown keys are refused by name.

A spec is the one description of a run that a person writes. Flags of the command line are the same keys under another
spelling, so that a run folder's `plan.json` always holds the complete, resolved spec.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from apotheosis.env.arena import BOARDS
from apotheosis.env.errors import InputError, nearest, unknown

SECONDS = {"s": 1, "m": 60, "min": 60, "h": 3600, "d": 86400}


def parse_duration(text: str | float | None) -> float | None:
    """Returns a duration in seconds from `90`, `"90s"`, `"20m"`, `"2h"` or `"1d"`; None stays None.

    Raises:
        ValueError: when the text is none of these.
    """
    if text is None:
        return None
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*", str(text))
    unit = match and (match[2] or "s")
    if match is None or unit not in SECONDS:
        raise ValueError("is not a duration; write for instance 90s, 20m, 2h or 1d")
    return float(match[1]) * SECONDS[unit]


def parse_board(value: Any) -> Any:
    """Returns (width, height) from `"3x4"` or a list of two numbers; other values are left to the model to refuse."""
    if isinstance(value, str):
        match = re.fullmatch(r"\s*(\d+)\s*[x×]\s*(\d+)\s*", value)
        if match is None:
            raise ValueError("is not a board; write width x height, for instance 3x4")
        return int(match[1]), int(match[2])
    return value


def parse_workers(value: Any) -> Any:
    """Returns a number of workers; `auto` and digits in quotes are allowed."""
    return int(value) if isinstance(value, str) and value.isdigit() else value


def split_names(value: Any) -> Any:
    """Returns a list from `"a,b"`; lists are left as they are."""
    return [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else value


Names = Annotated[list[str], BeforeValidator(split_names)]
Duration = Annotated[float | None, BeforeValidator(parse_duration)]
Share = Annotated[float, Field(ge=0, le=1)]
Chance = Annotated[float, Field(gt=0, lt=1)]


class Section(BaseModel):
    """A section of the spec: unknown keys are errors, values do not change after the check."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class RunSection(Section):
    """How much is played, where, and by how many workers."""

    name: str = Field(default="run", description="name of the run; also of its folder when `out` is not given")
    seed: int = Field(default=1, ge=0, description="seed of the whole run; the same spec and seed give the same tables")
    pairs: int | None = Field(default=None, ge=1, description="pairs of matches to play (default 1000)")
    matches: int | None = Field(default=None, ge=1, description="the same as a number of matches; give one of the two")
    chunk: int = Field(
        default=200, ge=1, description="pairs in one chunk: the unit of work, of storage and of resuming"
    )
    workers: Annotated[int | Literal["auto"], BeforeValidator(parse_workers)] = Field(
        default="auto", description="worker processes, or auto for one on each core"
    )
    backend: Literal["local", "ray"] = Field(default="local", description="local processes, or Ray")
    address: str | None = Field(
        default=None, description="address of a running Ray cluster; without it Ray starts here"
    )
    max_time: Duration = Field(
        default=None, description="stop issuing chunks after this time, for instance 2h; resumable"
    )
    out: str | None = Field(default=None, description="run folder (default runs/NAME)")
    turns: bool = Field(default=False, description="also write the table of turns")
    dry_run: bool = Field(default=False, description="only say what the run would cost and show")
    match_timeout: Duration = Field(
        default=60.0, description="a match that takes longer is ended with the outcome timeout"
    )
    failed_limit: Share = Field(
        default=0.001, description="share of failed matches above which the run ends with code 3"
    )


class FormatSection(Section):
    """The match format: every key of ARENA A1."""

    profile: Literal["TENS", "UNITS", "DIRECT"] = "TENS"
    team_size: int = Field(default=1, ge=1, le=3, description="Heroes per team")
    board: Annotated[tuple[int, int] | None, BeforeValidator(parse_board)] = Field(
        default=None, description="width x height, up to 11x11 (default by team size: 3x4, 5x5, 8x8)"
    )
    hero_level: Literal[1, 4, 7, 10] = 7
    deck_size: int = Field(default=30, ge=20, le=60)
    opening_hand: int = Field(default=6, ge=3, le=10)
    muster: int = Field(default=3, ge=0, le=6, description="free placements at set-up")
    draw_per_turn: int = Field(default=1, ge=0, le=3)
    stint_limit: int = Field(default=20, ge=5, le=60)
    loot: bool = False
    terrain: str | None = Field(default=None, description="map file; without it all field, altitude 0")
    nested_reactions: bool = True
    multi_response: bool = False
    score_cap: int | None = Field(default=None, ge=0, description="largest sum of Score over all cards of a deck")
    initiative: Literal["rule", "random"] = Field(default="rule", description="random draws the order of stint 1")

    @model_validator(mode="after")
    def _board_fits(self) -> FormatSection:
        width, height = self.size
        if not (self.team_size <= width <= 11 and 2 <= height <= 11):
            allowed = f"the width is {self.team_size} (team_size) to 11, the height 2 to 11"
            raise ValueError(f"board {width}x{height} does not fit: {allowed}")
        return self

    @property
    def size(self) -> tuple[int, int]:
        """The board's (width, height) in tiles."""
        return self.board or BOARDS[self.team_size]


class CardsSection(Section):
    """Which cards are played with."""

    pool: str = Field(default="starter", description="card file, folder or cards.json, or starter for the bundled set")
    overrides: Names = Field(default_factory=list, description="override files for effects that the reader cannot read")


class DecksSection(Section):
    """Which decks meet."""

    source: Literal["random", "files", "starter"] = "random"
    generator: Literal["coherent", "uniform"] = Field(
        default="coherent", description="how random decks are drawn (ARENA A2.9)"
    )
    n: int = Field(default=400, ge=2, description="random decks in the run")
    files: Names = Field(default_factory=list, description="deck files, when source is files")


class BotsSection(Section):
    """Who plays."""

    pool: Names = Field(default_factory=lambda: ["greedy"], min_length=1)
    crossing: Literal["balanced", "same", "pairs"] = Field(
        default="balanced", description="balanced: every bot meets every bot; same: itself only; pairs: others only"
    )


class DesignSection(Section):
    """How decks, bots and seats are combined."""

    kind: Literal["random_decks", "round_robin", "gauntlet", "pairs", "swap"] = "random_decks"
    mirror: bool = Field(default=True, description="play every pairing twice, with decks and bots changing seats")
    common_seeds: bool = Field(default=True, description="both matches of a pair read the same seeds, seat by seat")
    card: str | None = Field(default=None, description="swap: the card whose worth is measured")
    baseline: str | None = Field(
        default=None, description="swap: the card it is compared with (default: a generated plain one)"
    )


class TestSection(Section):
    """The sequential test of `apotheosis test`; bounds are win-rate shares above or below one half."""

    kind: Literal["sprt", "three_way", "fixed"] = "three_way"
    lower: float = Field(default=0.0, ge=-0.5, le=0.5)
    upper: float = Field(default=0.02, ge=-0.5, le=0.5)
    inner: float = Field(default=0.01, ge=0, lt=0.5)
    outer: float = Field(default=0.03, gt=0, lt=0.5)
    alpha: Chance = 0.05
    beta: Chance = 0.05
    max_pairs: int = Field(default=40_000, ge=1)

    @model_validator(mode="after")
    def _bounds_in_order(self) -> TestSection:
        if not self.lower < self.upper:
            raise ValueError(f"lower ({self.lower}) must be below upper ({self.upper})")
        if not self.inner < self.outer:
            raise ValueError(f"inner ({self.inner}) must be below outer ({self.outer})")
        return self


class StatsSection(Section):
    """How the report judges cards."""

    band: float = Field(
        default=0.02, gt=0, lt=0.5, description="effects within this many win-rate shares count as balanced"
    )
    fdr: Chance = Field(default=0.10, description="share of false alarms allowed among the flagged cards")
    cluster: Literal["deck_pair", "pair"] = "deck_pair"
    shrink_by: list[Literal["rarity", "level", "suit"]] = Field(default_factory=lambda: ["rarity", "level"])


class ReportSection(Section):
    """What the report writes."""

    formats: list[Literal["html", "csv", "parquet", "png"]] = Field(
        default_factory=lambda: ["html", "csv", "parquet", "png"]
    )
    language: Literal["en", "pt"] = "en"


class TuneSection(Section):
    """What `apotheosis tune` may change."""

    params: dict[str, tuple[float, float]] = Field(default_factory=dict, description="card.field = [lowest, highest]")
    target: Literal["within", "stronger", "weaker"] = "within"
    max_changes: int = Field(default=3, ge=1)


class GuardSection(Section):
    """What tuning may not spoil."""

    first_player: tuple[Share, Share] = (0.48, 0.52)
    length_change: Share = 0.10
    loop_rate: Share = 1e-4


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
    def n_random_decks(self) -> int:
        """Random decks to draw for each team: `decks.n`, or fewer where the pairs cannot use that many."""
        if self.design.kind == "random_decks":
            return max(2, min(self.decks.n, 2 * self.pairs))
        return min(self.decks.n, self.pairs) if self.design.kind == "swap" else self.decks.n

    @property
    def matches_per_pair(self) -> int:
        """2 in mirrored designs, 1 otherwise."""
        return 2 if self.design.mirror else 1


PATHS = (("run", "out"), ("format", "terrain"), ("cards", "pool"), ("cards", "overrides"), ("decks", "files"))
"""Keys that hold paths; those of a spec file are relative to its folder."""
NOT_PATHS = {"starter"}


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
        _lay(data, key, value)
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
        return path.read_text(encoding="utf-8")
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
        value = data.get(section, {}).get(key)
        if isinstance(value, str) and value not in NOT_PATHS:
            parts = split_names(value) if key in ("overrides", "files") else [value]
            anchored = [str(folder / part) for part in parts]
            data[section][key] = anchored if key in ("overrides", "files") else anchored[0]
        elif isinstance(value, list):
            data[section][key] = [str(folder / part) if isinstance(part, str) else part for part in value]


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
