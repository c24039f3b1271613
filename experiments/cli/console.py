"""What every command shares: the flags --json and --quiet, and the one way to print a result.

With --json a command prints exactly one object on the output stream. Progress and messages go to the error stream.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Annotated, Any

import typer

JsonFlag = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
QuietFlag = Annotated[bool, typer.Option("--quiet", help="Print no progress and no text.")]


def emit(data: Mapping[str, Any], text: str, as_json: bool = False, quiet: bool = False) -> None:
    """Prints a command's result.

    Args:
        data: the result for machines.
        text: the result for people.
        as_json: print the data instead of the text; wins over `quiet`.
        quiet: print nothing.
    """
    if as_json:
        print(json.dumps(data, ensure_ascii=False, default=_plain))
    elif not quiet:
        print(text)


def complain(message: str) -> None:
    """Prints one sentence about an error on the error stream."""
    if sys.stderr is not None:
        print(f"Error: {message}", file=sys.stderr)


def _plain(value: Any) -> Any:
    """Turns paths, numpy numbers and arrays into what JSON knows."""
    if hasattr(value, "tolist"):
        return value.tolist()
    return str(value)
