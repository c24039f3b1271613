"""Puts a report together and writes it: the page, the pictures and the tables."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
from markupsafe import Markup

from apotheosis.experiments.report import figures
from apotheosis.experiments.report.analysis import Analysis, analyse
from apotheosis.experiments.report.bots import bots_section
from apotheosis.experiments.report.canvas import Picture
from apotheosis.experiments.report.card_pages import (
    RARITIES,
    SUITS,
    VERDICTS,
    cell_reach,
    column_styles,
    pages,
    table_columns,
    table_rows,
)
from apotheosis.experiments.report.decks import decks_section
from apotheosis.experiments.report.exchange import changes_section, stored_test
from apotheosis.experiments.report.feel import feel_section
from apotheosis.experiments.report.files import find_table
from apotheosis.experiments.report.grids import grid
from apotheosis.experiments.report.page import inline, macros, render
from apotheosis.experiments.report.rarity import rarity_section
from apotheosis.experiments.report.reading import open_run
from apotheosis.experiments.report.replays import FOLDER, Shown, Table, show_matches
from apotheosis.experiments.report.sentences import first_section, lede
from apotheosis.experiments.report.suggest import Advice
from apotheosis.experiments.report.tables import dictionary_grid, run_dictionary_grid, write_table
from apotheosis.experiments.report.trust import outcome_counts, trust_section
from apotheosis.experiments.report.weighing import Weighed
from apotheosis.experiments.report.wording import Words
from apotheosis.experiments.store import write_bytes

FORMATS = ("html", "csv", "parquet", "png")
REPLAYS = 12
"""Matches to watch where a folder has no spec."""
MORE = 3
"""Further matches that a card's page names."""
SECTIONS = ("first", "trust", "cards-section", "rarity", "decks", "feel", "bots", "changes", "method", "data")


@dataclass(frozen=True)
class Written:
    """What a report wrote.

    Attributes:
        folder: the report folder.
        page: the HTML page, None where it was not asked for.
        files: all files, relative to the report folder.
        verdicts: number of cards by verdict.
        cards: number of cards.
        matches: number of issued matches.
    """

    folder: Path
    page: Path | None
    files: list[str]
    verdicts: dict[str, int]
    cards: int
    matches: int


def write_report(
    folder: Path,
    language: str | None = None,
    out: Path | None = None,
    formats: tuple[str, ...] | None = None,
    replays: int | None = None,
    weighed: Weighed | None = None,
) -> Written:
    """Writes the report of a run folder.

    Args:
        folder: run folder, or a folder with a match table and perhaps a card table of the documented columns.
        language: `en` or `pt`; the run's own choice, else English, without it.
        out: where to write, `report` inside the run folder by default.
        formats: which of `FORMATS` to write; the run's own choice, else all.
        replays: matches to watch that are written beside it, at most; the run's own choice, else 12.
        weighed: what there was to decide at a sample of its decisions (`weighing.weigh`).

    Raises:
        InputError: the folder holds no readable tables, or the language does not exist.
    """
    run = open_run(folder)
    wanted = run.spec.get("report", {})
    words = Words(language or wanted.get("language", "en"))
    formats = tuple(formats or wanted.get("formats", FORMATS))
    target = out or folder / "report"
    target.mkdir(parents=True, exist_ok=True)
    limit = wanted.get("replays", REPLAYS) if replays is None else replays
    found = analyse(run)
    found.weighed = weighed
    return _write(found, words, target, formats, limit if "html" in formats else 0)


def _write(found: Analysis, words: Words, target: Path, formats: tuple[str, ...], replays: int) -> Written:
    reason = words(found.reason[0], **found.reason[1]) if found.reason else None
    cards, run = found.cards, found.run
    anchor = dict(zip(cards["card_id"], cards["anchor"], strict=True))
    pictures: list[Picture] = []

    def shown(section: dict, *names: str) -> dict:
        for name in names:
            if section[name] is not None:
                pictures.append(section[name])
                section[name] = inline(section[name], anchor, f"{section[name].name}.png")
        return section

    files: list[tuple[list[str], Any, int | None]] = []
    dictionaries = []
    for name, table in _tables(found):
        files.append((write_table(target, name, table, formats), words(f"file.{name}"), len(table)))
        dictionaries.append((dictionary_grid(name, list(table.columns), words), words("data.dictionary", table=name)))
    ids = dict(zip(cards["anchor"], cards["card_id"], strict=True))
    table = Table.of(run.folder, words)
    advice = Advice(table.cards.pool if table.cards else None, run.spec)
    changes = changes_section(found.exchange, stored_test(run), words)
    first = first_section(cards, found.band, words, reason, advice)
    named = [str(ids[row["id"]]) for row in first["rows"]]
    shown_matches = show_matches(run, table, found.replays, named, target, words, replays)
    for row in first["rows"]:
        row["watch"] = next(iter(shown_matches.links.get(str(ids[row["id"]]), [])), None)
    silent = [str(card) for card in cards.loc[cards["text"].isna(), "card_id"]]
    cards["text"] = cards["text"].fillna(cards["card_id"].map(table.texts(silent)))
    if shown_matches.files:
        files.append(([f"{FOLDER}/"], words("file.replays"), len(shown_matches.files)))
    sections = {
        "first": {**first, "answer": changes["says"] if changes["answer"] else [], "answer_verdict": changes["verdict"]},
        "trust": trust_section(run, found.tally, cards, words, len(shown_matches.files)),
        "cards": shown(_cards_section(found, words, reason, shown_matches), "forest"),
        "rarity": shown(rarity_section(found, words), "strips", "price"),
        "decks": shown(decks_section(found, words), "heat"),
        "feel": shown(feel_section(found, words), "lengths", "fan"),
        "bots": shown(bots_section(found, words), "ladder"),
        "changes": shown(changes, "course"),
    }
    if "png" in formats:
        for picture in pictures:
            write_bytes(target / f"{picture.name}.png", picture.wide.png)
            files.append(([f"{picture.name}.png"], words("file.picture"), None))
    names = [name for group, _, _ in files for name in group if name != f"{FOLDER}/"]
    counts = cards["verdict"].value_counts()
    page = None
    if "html" in formats:
        page = target / "report.html"
        text = render(
            "report.html.j2",
            words,
            run={"name": run.name},
            sections=SECTIONS,
            suits=SUITS,
            band=words.band(found.band),
            lede=changes["answer"] or lede(cards, found.band, words, reason),
            tally=[(v, int(counts.get(v, 0))) for v in VERDICTS if counts.get(v, 0)],
            method=_method(found, words),
            data=_data_section(found, files, dictionaries, words),
            **sections,
        )
        write_bytes(page, text.encode())
    names += [*shown_matches.files, *(["report.html"] if page else [])]
    return Written(target, page, names, {v: int(counts.get(v, 0)) for v in VERDICTS}, len(cards), found.tally.issued)


def _cards_section(found: Analysis, words: Words, reason: Any, matches: Shown) -> dict:
    """Returns section 3."""
    t, cards = words, found.cards
    draw = macros(words)
    note = t("forest.reading", band=t.band(found.band))
    known = int(cards["effect"].notna().sum())
    if known > figures.FOREST_ROWS:
        note += " " + t("forest.cut", shown=figures.FOREST_ROWS, n=known)
    filters = [
        ("suit", [(s, t.term("suit", s)) for s in SUITS if (cards["suit"] == s).any()]),
        ("rarity", [(r, t.term("rarity", r)) for r in RARITIES if (cards["rarity"] == r).any()]),
        ("verdict", [(v, t.term("verdict", v)) for v in VERDICTS if (cards["verdict"] == v).any()]),
    ]
    return {
        "forest": figures.forest(cards, words, found.band),
        "forest_note": note,
        "filters": filters,
        "columns": table_columns(words),
        **column_styles(table_columns(words), cell_reach(cards, found.band), found.band),
        "rows": table_rows(cards, found.band, words, draw),
        "pages": pages(cards, found.by_bot, matches.links, found.band, words, reason, _more_matches(found, matches)),
        "replays_note": t("pages.replays_none", why=matches.why)
        if matches.why
        else t("pages.replay_how")
        if matches.files
        else None,
    }


def _more_matches(found: Analysis, matches: Shown) -> dict[str, list[int]]:
    """Returns matches with a card that can be shown on request, by card id; none where matches cannot be shown."""
    if matches.why or not matches.files:
        return {}
    written = {int(Path(name).stem) for name in matches.files}
    others = found.replays[~found.replays["match_id"].isin(list(written))]
    return {str(card): [int(match) for match in rows["match_id"][:MORE]] for card, rows in others.groupby("card_id")}


def _tables(found: Analysis) -> list[tuple[str, pd.DataFrame]]:
    """Returns the tables that are written, by name."""
    game = found.game
    lengths = None if game.length is None else game.length.rename_axis("stints").reset_index(name="matches")
    tables = [
        ("cards", found.cards.drop(columns=["anchor"])),
        ("groups", found.groups),
        ("outcomes", outcome_counts(found.tally)),
        ("lengths", lengths),
        ("decks", game.decks),
        ("matchups", game.cells),
        ("equilibrium", game.equilibrium),
        ("rarities", found.rarity_means),
        ("price_line", found.price_curve),
        ("bots", None if game.ladder is None else game.ladder.ratings),
        ("bot_pairs", None if game.ladder is None else game.ladder.pairs),
        ("by_bot", found.by_bot),
        ("skill", found.skill),
        ("win_chances", game.fan),
        ("choices", None if found.weighed is None else found.weighed.table),
    ]
    return [(name, table) for name, table in tables if table is not None and len(table)]


def _method(found: Analysis, words: Words) -> list:
    t = words
    values = {"verdict": {"band": t.band(found.band)}, "many": {"fdr": t.percent(found.fdr, 0)}}
    return [
        t(f"method.{key}", **values.get(key, {})) for key in ("pair", "effect", "verdict", "many", "rates", "none", "dropped")
    ]


def _data_section(found: Analysis, files: list, dictionaries: list, words: Words) -> dict:
    """Returns section 10: every file with its content, every column with its meaning."""
    t = words
    for name in ("matches", "cards", "turns", "pool"):
        path = find_table(found.run.folder, name)
        if path is not None:
            files.append(([f"../{path.name}"], t("file.run"), found.tally.issued if name == "matches" else None))
            dictionaries.append((run_dictionary_grid(name, words), t("data.dictionary", table=f"../{name}")))
    link = Markup('<a href="{0}">{0}</a>')
    rows = [
        [
            Markup(", ").join(name if name.endswith("/") else link.format(name) for name in group),
            text,
            "" if n is None else t.count(n),
        ]
        for group, text, n in files
        if group
    ]
    return {
        "files": grid([t("data.file"), t("data.content"), t("data.rows")], rows, numbers=(2,)),
        "dictionaries": dictionaries,
    }
