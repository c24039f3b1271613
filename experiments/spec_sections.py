"""The sections of a run spec: every key with its type, its limits, its default and what it means.

They stand apart from `spec`, which reads files and explains mistakes, so that the keys can be read as one list.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationInfo, field_validator, model_validator

from apotheosis.env.arena import BOARDS

MOST_PAIRS = 10_000_000
"""A plan lists its chunks; more pairs than this would take gigabytes before the first match."""

MOST_WORKERS = 4096

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
        raise ValueError(f"{text!r} is not a duration; write for instance 90s, 20m, 2h or 1d")
    return float(match[1]) * SECONDS[unit]


def parse_board(value: Any) -> Any:
    """Returns (width, height) from `"3x4"` or a list of two numbers; other values are left to the model to refuse."""
    if isinstance(value, str):
        match = re.fullmatch(r"\s*(\d+)\s*[x×]\s*(\d+)\s*", value)
        if match is None:
            raise ValueError(f"{value!r} is not a board; write width x height, for instance 3x4")
        return int(match[1]), int(match[2])
    return value


def parse_workers(value: Any) -> Any:
    """Returns a number of workers; `auto` and digits in quotes are allowed.

    Raises:
        ValueError: it is neither.
    """
    number = int(value) if isinstance(value, str) and value.isdecimal() else value
    if number != "auto" and not (isinstance(number, int) and not isinstance(number, bool) and 1 <= number <= MOST_WORKERS):
        raise ValueError(f"{value!r} is not allowed; give a whole number from 1 to {MOST_WORKERS}, or auto")
    return number


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

    @field_validator("*", mode="before")
    @classmethod
    def _no_truth_as_number(cls, value: Any, info: ValidationInfo) -> Any:
        """Refuses true and false where the key takes none: pydantic would read them as 1 and 0."""
        if isinstance(value, bool) and cls.model_fields[info.field_name or ""].annotation is not bool:
            raise ValueError(f"{str(value).lower()} is not allowed; the key takes no true or false")
        return value


class RunSection(Section):
    """How much is played, where, and by how many workers."""

    name: str = Field(default="run", description="name of the run; also of its folder when `out` is not given")
    seed: int = Field(default=1, ge=0, description="seed of the whole run; the same spec and seed give the same tables")
    pairs: int | None = Field(default=None, ge=1, le=MOST_PAIRS, description="pairs of matches to play (default 1000)")
    matches: int | None = Field(
        default=None, ge=1, le=2 * MOST_PAIRS, description="the same as a number of matches; give one of the two"
    )
    chunk: int | None = Field(
        default=None,
        ge=1,
        description="pairs in one chunk, the unit of work, of storage and of resuming (default 200; 10 for slow bots)",
    )
    workers: Annotated[int | Literal["auto"], BeforeValidator(parse_workers)] = Field(
        default="auto", description="worker processes, or auto for one on each core"
    )
    backend: Literal["local", "ray"] = Field(default="local", description="local processes, or Ray")
    address: str | None = Field(default=None, description="address of a running Ray cluster; without it Ray starts here")
    max_time: Duration = Field(default=None, description="stop issuing chunks after this time, for instance 2h; resumable")
    out: str | None = Field(default=None, min_length=1, description="run folder (default runs/NAME)")
    turns: bool = Field(default=False, description="also write the table of turns")
    dry_run: bool = Field(default=False, description="only say what the run would cost and show")
    match_timeout: Duration = Field(
        default=60.0, gt=0, description="a match that takes longer is ended with the outcome timeout"
    )
    failed_limit: Share = Field(default=0.001, description="share of failed matches above which the run ends with code 3")


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

    pool: str = Field(
        default="starter", min_length=1, description="card file, folder or cards.json, or starter for the bundled set"
    )
    overrides: Names = Field(default_factory=list, description="override files for effects that the reader cannot read")


class DecksSection(Section):
    """Which decks meet."""

    source: Literal["random", "files", "starter"] = "random"
    generator: Literal["coherent", "uniform"] = Field(default="coherent", description="how random decks are drawn (ARENA A2.9)")
    n: int | None = Field(
        default=None,
        ge=2,
        description="random decks in the run (default 5 for each card of the pool, 400 in designs that list their pairings)",
    )
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
    against: Literal["twin", "field"] = Field(
        default="twin", description="swap: both versions meet each other, or the same other decks on the same seeds"
    )
    partner: str | None = Field(
        default=None,
        description="swap: a second card; what both are worth together beyond each alone, always against the same other decks",
    )

    @property
    def pairing(self) -> str:
        """The kind as schedules tell it apart: a swap of one card on the `field`, or of `both` cards, is paired otherwise."""
        if self.kind != "swap":
            return self.kind
        return "both" if self.partner is not None else "field" if self.against == "field" else "swap"


class TestSection(Section):
    """The sequential test of `apotheosis test`; bounds are win-rate shares above or below one half."""

    kind: Literal["sprt", "three_way", "fixed"] = "three_way"
    lower: float = Field(default=0.0, ge=-0.5, le=0.5)
    upper: float = Field(default=0.02, ge=-0.5, le=0.5)
    inner: float = Field(default=0.01, ge=0, lt=0.5)
    outer: float = Field(default=0.03, gt=0, lt=0.5)
    alpha: Chance = 0.05
    beta: Chance = 0.05
    max_pairs: int = Field(default=40_000, ge=1, le=MOST_PAIRS)

    @model_validator(mode="after")
    def _bounds_in_order(self) -> TestSection:
        if not self.lower < self.upper:
            raise ValueError(f"lower ({self.lower}) must be below upper ({self.upper})")
        if not self.inner < self.outer:
            raise ValueError(f"inner ({self.inner}) must be below outer ({self.outer})")
        return self


class StatsSection(Section):
    """How the report judges cards."""

    band: float = Field(default=0.02, gt=0, lt=0.5, description="effects within this many win-rate shares count as balanced")
    fdr: Chance = Field(default=0.10, description="share of false alarms allowed among the flagged cards")
    cluster: Literal["deck_pair", "pair"] = "deck_pair"
    shrink_by: list[Literal["rarity", "level", "suit"]] = Field(default_factory=lambda: ["rarity", "level"])


class ReportSection(Section):
    """What the report writes."""

    formats: list[Literal["html", "csv", "parquet", "png"]] = Field(default_factory=lambda: ["html", "csv", "parquet", "png"])
    language: Literal["en", "pt"] = "en"
    replays: int = Field(default=12, ge=0, description="matches to watch that are written beside the report, at most")


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

    @field_validator("first_player")
    @classmethod
    def _in_order(cls, value: tuple[float, float]) -> tuple[float, float]:
        if not value[0] < value[1]:
            raise ValueError(f"the lower share comes first; got {value[0]} and {value[1]}")
        return value
