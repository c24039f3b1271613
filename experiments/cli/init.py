"""`apotheosis init`: writes a folder to begin from."""

from __future__ import annotations

import shutil
from importlib.resources import as_file, files
from pathlib import Path
from typing import Annotated

import typer

from apotheosis.env.errors import InputError
from apotheosis.experiments.cli.console import JsonFlag, QuietFlag, emit

TEMPLATES = ("spec.toml", "README.md")
CARDS = "cards"


def init(
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help="Folder to write into; made if needed.")] = Path("."),
    json: JsonFlag = False,
    quiet: QuietFlag = False,
) -> None:
    """Write a commented spec, the starter cards to change, and a README to begin from.

    Nothing is overwritten. Example: apotheosis init mylab
    """
    from apotheosis.env.cards.loader import STARTER, card_files

    cards = card_files(STARTER)
    targets = [folder / name for name in TEMPLATES] + [folder / CARDS / path.name for path in cards]
    if folder.exists() and not folder.is_dir():
        raise InputError("is a file, not a folder", folder)
    for target in targets:
        if target.exists():
            raise InputError("is there already; nothing was written", target)
    (folder / CARDS).mkdir(parents=True, exist_ok=True)
    for name in TEMPLATES:
        with as_file(files("apotheosis.experiments") / "templates" / name) as source:
            shutil.copyfile(source, folder / name)
    for source in cards:
        shutil.copyfile(source, folder / CARDS / source.name)
    written = [str(target) for target in targets]
    text = "\n".join(f"wrote {path}" for path in written)
    emit({"out": str(folder), "files": written}, f"{text}\nbegin with {folder / 'README.md'}", json, quiet)
