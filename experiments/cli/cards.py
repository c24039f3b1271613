"""`apotheosis cards`: checks, shows, lists and converts cards."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from apotheosis.env.errors import InputError
from apotheosis.experiments.cli.console import JsonFlag, QuietFlag, emit

if TYPE_CHECKING:
    from apotheosis.env.cards.loader import CardSet
    from apotheosis.env.cards.pool import Pool
    from apotheosis.env.cards.readings import Reading
    from apotheosis.env.cards.schema import CardBase

app = typer.Typer(no_args_is_help=True, help="Check, show, list and convert cards.")

CardsOption = Annotated[str, typer.Option("--cards", help="Card file, folder or cards.json, or starter for the bundled set.")]
OverridesOption = Annotated[
    list[Path] | None, typer.Option("--overrides", help="Override file or folder; may be given several times.")
]


@app.command("check")
def check(
    paths: Annotated[list[str], typer.Argument(help="Card files, folders of them, or starter.")],
    against: Annotated[str | None, typer.Option(help="An older card file; lists what has changed since.")] = None,
    overrides: OverridesOption = None,
    exercised: Annotated[
        bool, typer.Option("--exercise", help="See each executable effect at work in generated matches (minutes).")
    ] = False,
    html: Annotated[Path | None, typer.Option(help="Write all of it as a page, too.")] = None,
    language: Annotated[str, typer.Option(help="Language of that page: en or pt.")] = "en",
    json: JsonFlag = False,
    quiet: QuietFlag = False,
) -> int:
    """Load card files and report what of each effect runs, is partial, inert, or has nothing to do in a battle.

    Ends with code 1 when a file or a card is faulty. Example: apotheosis cards check starter
    """
    from apotheosis.env.cards.coverage import breakdown
    from apotheosis.env.cards.language.effect import TextEffect
    from apotheosis.env.cards.loader import read_cards
    from apotheosis.env.cards.overrides_file import bundled_overrides, read_overrides
    from apotheosis.env.cards.readings import card_status, effects_of, read_card, totals

    found = _read_all(paths, read_cards)
    texts = any(isinstance(effect, TextEffect) for card in found.cards for _, _, effect in effects_of(card))
    known = {**(bundled_overrides() if texts else {}), **read_overrides(overrides or [])}
    readings = {card.id: read_card(card, known) for card in found.cards}
    counts = totals(readings)
    data: dict[str, Any] = {
        "totals": counts,
        "groups": breakdown(found.cards, readings),
        "cards": [
            {"id": name, "status": card_status(entries), "effects": [_effect_row(entry) for entry in entries]}
            for name, entries in readings.items()
        ],
        "errors": [{"where": error.where, "message": error.message} for error in found.errors],
    }
    text = _check_text(counts, readings, found) + "\n" + _groups_text(data["groups"])
    if exercised:
        text += "\n" + _exercise(data, found.cards, known)
    if against is not None:
        from apotheosis.env.cards.changes import changes

        data["changes"] = changes(read_cards(against).checked(), found.cards)
        text += "\n" + _changes_text(data["changes"])
    if html is not None:
        from apotheosis.experiments.report.coverage_page import coverage_page
        from apotheosis.experiments.store import write_out

        write_out(html, coverage_page(" ".join(paths), found.cards, data, language).encode())
        text += f"\nwritten to {html}"
    emit(data, text, json, quiet)
    return 1 if found.errors else 0


def _groups_text(groups: dict[str, dict[str, dict[str, int]]]) -> str:
    """Returns the shares of suits and rarities, one line each; those of verbs are in the page and the JSON."""
    from apotheosis.env.cards.coverage import share

    lines = []
    for group in ("suit", "rarity"):
        parts = [(name, row, share(row)) for name, row in groups[group].items()]
        words = [f"{name} {row['executable']} ({100 * part:.0f} %)" for name, row, part in parts if part is not None]
        if words:
            lines.append(f"executable by {group}: {', '.join(words)}")
    return "\n".join(lines)


def _exercise(data: dict[str, Any], cards: list[CardBase], overrides: Any) -> str:
    """Exercises the effects that run; adds to their rows what came of it, and returns it as text."""
    from apotheosis.env.cards.exercise import exercise
    from apotheosis.env.cards.pool import make_pool

    found = exercise(make_pool(cards, "these cards", overrides))
    silent, faults, lines = 0, 0, []
    for card in data["cards"]:
        results = {entry.index: entry for entry in found.get(card["id"], [])}
        for row in card["effects"]:
            result = results.get(row["index"])
            row["exercised"] = result.fired if result else None
            row["evidence"] = result.evidence if result else None
            row["fault"] = result.fault if result else None
            if result and result.fault:
                faults += 1
                lines.append(f"{card['id']}, effect {row['index']}: an error of the rules kernel: {result.fault}")
            if result and not result.fired:
                silent += 1
                lines.append(f"{card['id']}, effect {row['index']}: not seen at work: {result.evidence}")
    every = sum(len(entries) for entries in found.values())
    data["totals"]["exercised"] = every - silent
    data["totals"]["faults"] = faults
    share = f" ({100 * (every - silent) / every:.1f} %)" if every else ""
    return "\n".join([*lines, f"{every - silent} of {every} executable effects seen at work{share}"])


def _read_all(paths: list[str], read_cards: Any) -> CardSet:
    """Reads several card files into one set; a file that cannot be read at all is one of the faults."""
    from apotheosis.env.cards.loader import CardSet

    found = CardSet()
    for path in paths:
        try:
            part = read_cards(path)
        except InputError as error:
            found.errors.append(error)
            continue
        for card in part.cards:
            found.add(card, part.places[card.id])
        found.errors += part.errors
    return found


def _effect_row(reading: Reading) -> dict[str, Any]:
    return {
        "index": reading.index,
        "status": reading.status,
        "by": reading.by,
        "clause": reading.clause,
        "reason": reading.reason,
    }


def _check_text(counts: dict[str, int], readings: dict[str, tuple[Reading, ...]], found: CardSet) -> str:
    lines = [str(error) for error in found.errors]
    for name, entries in readings.items():
        for entry in entries:
            if entry.status in ("partial", "inert"):
                clause = f" at {_short(entry.clause)!r}" if entry.clause else ""
                lines.append(f"{name}, effect {entry.index}: {entry.status}: {entry.reason or 'not read'}{clause}")
    live, runs = counts["live_effects"], counts["executable"]
    share = f" ({100 * runs / live:.1f} %)" if live else ""
    lines.append(
        f"{counts['cards']} cards, {counts['effects']} effects, {live} of them live: {runs} executable{share}, "
        f"{counts['partial']} partial, {counts['inert']} inert; "
        f"{counts['nothing_to_do']} have nothing to do in a battle"
    )
    if found.errors:
        lines.append(f"{len(found.errors)} {'fault' if len(found.errors) == 1 else 'faults'}")
    return "\n".join(lines)


def _short(text: str, width: int = 60) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= width else flat[: width - 3] + "..."


def _changes_text(rows: list[dict[str, Any]]) -> str:
    if not rows:
        return "no changes"
    lines = []
    for row in rows:
        if row["change"] == "changed":
            lines.append(f"{row['id']}: {row['field']}: {_value(row['old'])} -> {_value(row['new'])}")
        else:
            lines.append(f"{row['id']}: {row['change']}")
    return "\n".join(lines)


def _value(value: Any) -> str:
    from apotheosis.env.cards.yaml_file import flow

    return "nothing" if value is None else _short(flow(value))


@app.command("show")
def show(
    name: Annotated[str, typer.Argument(metavar="ID", help="Id of the card.")],
    cards: CardsOption = "starter",
    overrides: OverridesOption = None,
    json: JsonFlag = False,
    quiet: QuietFlag = False,
) -> None:
    """Show a card: its stats, each effect in the language with what becomes of it, and as rules text.

    Example: apotheosis cards show Dawnblade
    """
    from apotheosis.env.cards.pool import load_pool
    from apotheosis.env.cards.yaml_file import authored, flow, write_yaml

    pool = load_pool(cards, overrides or ())
    card = pool.card(name)
    readings = pool.readings[pool.number(name)]
    rows = [{**_effect_row(reading), **_in_words(reading)} for reading in readings]
    data = {"card": authored(card), "effects": rows}
    lines = [write_yaml([card]).rstrip()]
    for reading, row in zip(readings, rows, strict=True):
        reason = f": {reading.reason}" if reading.reason else ""
        by = f" by {reading.by}" if reading.by else ""
        lines.append(f"effect {reading.index}: {reading.status}{by}{reason}")
        lines += [f"  {flow(effect)}" for effect in row["language"] if reading.by != "yaml"]
        lines += [f"  en: {text}" for text in row["en"]]
        lines += [f"  pt: {text}" for text in row["pt"]]
    emit(data, "\n".join(lines), json, quiet)


def _in_words(reading: Reading) -> dict[str, Any]:
    """Returns the effects of a reading in the language and as rules text in both languages."""
    from apotheosis.env.cards.text.write import write_effects

    written = [effect.written() for effect in reading.effects]
    return {
        "language": written,
        "en": write_effects(written, "en"),
        "pt": write_effects(written, "pt"),
    }


@app.command("list")
def list_cards(
    cards: CardsOption = "starter",
    suit: Annotated[str | None, typer.Option(help="Only this suit.")] = None,
    level: Annotated[int | None, typer.Option(help="Only this level.")] = None,
    rarity: Annotated[str | None, typer.Option(help="Only this rarity.")] = None,
    knowledge: Annotated[str | None, typer.Option(help="Only cards that need or grant this knowledge.")] = None,
    tag: Annotated[str | None, typer.Option(help="Only cards with this tag.")] = None,
    json: JsonFlag = False,
    quiet: QuietFlag = False,
) -> None:
    """List cards, one a line.

    Example: apotheosis cards list --suit Skill --level 1
    """
    from apotheosis.env.cards.pool import load_pool
    from apotheosis.env.cards.traits import has_tag
    from apotheosis.env.vocabulary import Knowledge, Rarity, Suit

    _must_be(suit, Suit.__members__, "suit")
    _must_be(rarity, Rarity.__members__, "rarity")
    _must_be(knowledge, Knowledge.__members__, "knowledge")
    pool = load_pool(cards)
    chosen = [
        card
        for card in pool.cards
        if (suit is None or card.suit_code.name == suit)
        and (level is None or card.level == level)
        and (rarity is None or card.rarity.name == rarity)
        and (knowledge is None or knowledge in _knowledges(card))
        and (tag is None or has_tag(card, tag))
    ]
    rows = [_list_row(card, pool) for card in chosen]
    emit({"cards": rows}, "" if json else _table(rows), json, quiet)


def _must_be(given: str | None, allowed: Any, kind: str) -> None:
    from apotheosis.env.errors import unknown

    if given is not None and given not in allowed:
        raise unknown(kind, given, allowed)


def _knowledges(card: CardBase) -> list[str]:
    listed = [knowledge.name for knowledge in getattr(card, "knowledges", None) or []]
    own = getattr(card, "knowledge", None)
    return listed if own is None else [own.name, *listed]


def _list_row(card: CardBase, pool: Pool) -> dict[str, Any]:
    from apotheosis.env.cards.readings import card_status

    return {
        "id": card.id,
        "name": card.name,
        "suit": card.suit_code.name,
        "level": card.level,
        "rarity": card.rarity.name,
        "knowledge": "/".join(_knowledges(card)),
        "status": card_status(pool.readings[pool.number(card.id)]),
    }


def _table(rows: list[dict[str, Any]]) -> str:
    """Returns rows as aligned columns, with a count below."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    if not rows:
        return "no card fits"
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in rows[0]:
        table.add_column(column, no_wrap=True)
    for row in rows:
        table.add_row(*(str(value) for value in row.values()))
    console = Console(width=160, record=False, color_system=None)
    with console.capture() as captured:
        console.print(table)
    lines = [line.rstrip() for line in captured.get().splitlines()]
    return "\n".join([*(line for line in lines if line), f"{len(rows)} cards"])


@app.command("convert")
def convert(
    source: Annotated[Path, typer.Argument(metavar="IN", help="Card file to read (.json or .yaml).")],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="Card file to write (.yaml or .json).")],
    utf16: Annotated[bool, typer.Option("--utf16", help="Write cards.json in UTF-16, as it is published.")] = False,
    json: JsonFlag = False,
    quiet: QuietFlag = False,
) -> None:
    """Convert the game's cards.json to our YAML and back, without losing a field.

    Effects in the effect language exist only in YAML. Example: apotheosis cards convert cards.json cards.yaml
    """
    from apotheosis.env.cards.json_file import write_json
    from apotheosis.env.cards.loader import load_cards
    from apotheosis.env.cards.yaml_file import write_yaml
    from apotheosis.experiments.store import write_out

    kinds = {".json": write_json, ".yaml": write_yaml, ".yml": write_yaml}
    if target.suffix not in kinds:
        raise InputError(f"cards are written as .yaml or .json, not as {target.suffix or 'nothing'!r}", target)
    if target.exists() and source.exists() and target.samefile(source):
        raise InputError("is the file that is read; give another name to write to", target)
    loaded = load_cards(source)
    text = kinds[target.suffix](loaded)
    encoding = "utf-16" if utf16 and target.suffix == ".json" else "utf-8"
    write_out(target, text.encode(encoding))
    emit({"cards": len(loaded), "out": str(target)}, f"{len(loaded)} cards written to {target}", json, quiet)


@app.command("schema")
def schema(
    out: Annotated[Path | None, typer.Argument(help="Where to write; by default it is printed.")] = None,
    json: JsonFlag = False,
    quiet: QuietFlag = False,
) -> None:
    """Write the JSON Schema of card files, with which editors complete and check them.

    Example: apotheosis cards schema cards.schema.json
    """
    from json import dumps

    from apotheosis.env.cards.json_schema import card_file_schema
    from apotheosis.experiments.store import write_out

    found = card_file_schema()
    text = dumps(found, indent=2, ensure_ascii=False)
    if out is None:
        emit(found, text, json, quiet)
        return
    write_out(out, (text + "\n").encode())
    emit({"out": str(out)}, f"schema written to {out}", json, quiet)
