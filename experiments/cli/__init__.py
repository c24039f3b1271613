"""The command `apotheosis`: a static table of commands, each imported only when it is called.

`apotheosis --help` must come in a blink, while single commands need compiled kernels, tables or plots. The table below
says what each command is; its module is imported when the command is called or its own help is asked for. A command is
listed when its module is there. Errors that the lab raises on purpose become one sentence and their exit code.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import typer

from apotheosis.env.errors import InputError, Interrupted, LabError, OutOfResources
from apotheosis.experiments.cli.console import complain

COMMANDS: dict[str, tuple[str, str]] = {
    "init": ("init", "Write a commented spec, a starter card file and a README to begin from."),
    "doctor": ("doctor", "Show versions, cores, memory, disk and the state of the kernel."),
    "cards": ("cards", "Check, show, list and convert cards."),
    "deck": ("deck", "Check deck files, draw random legal decks."),
    "run": ("run", "Play matches by plan."),
    "status": ("status", "Say how far a run is and which chunks miss or are broken."),
    "resume": ("resume", "Finish exactly what is missing or broken in a run."),
    "report": ("report", "Write the report of a run: HTML, CSV, Parquet, PNG."),
    "compare": ("compare", "Compare two runs."),
    "test": ("ab_test", "Test a card change, match by match, until it is decided."),
    "power": ("power", "Say how many games an effect needs."),
    "tune": ("tune", "Search card numbers for a target within guardrails."),
    "train": ("train", "Train a bot by self-play."),
    "ladder": ("ladder", "Rate bots jointly."),
    "play": ("play", "Play against a bot."),
    "replay": ("replay", "Show a stored match as text, JSON or HTML."),
    "scenario": ("scenario", "Run scenario files."),
    "position": ("position", "Show a position: legal actions, bot choice, win estimate."),
    "bench": ("bench", "Measure speed on this machine."),
}
"""Module and summary by command. A module has `app` (a Typer with subcommands) or a function named like the command."""

HELP = "APOTHEOSIS balancing lab: play matches, measure cards, report. Begin with: apotheosis init mylab"

INTERNAL = 70
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
TYPER_INTERRUPT = 130
"""What Typer returns for Ctrl-C during a command that does not handle it."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code.

    Args:
        arguments: the command line without the program's name; by default that of the process.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    _write_any_letter()
    try:
        command = typer.main.get_command(build_app(given))
        code = command.main(args=given, prog_name="apotheosis", standalone_mode=False)
        if code == TYPER_INTERRUPT:
            raise Interrupted("interrupted")
        if sys.stdout is not None:
            sys.stdout.flush()  # here a full disk or a reader that has left can still be told from a success
        return code if isinstance(code, int) else 0
    except SystemExit as error:
        if isinstance(error.__context__, BrokenPipeError):  # so Typer leaves when whoever read has left
            return _unread()
        raise
    except LabError as error:
        if error.exit_code == INTERNAL:
            return _bug(error, given)
        complain(str(error))
        return error.exit_code
    except typer.TyperException as error:
        return _usage(error)
    except (KeyboardInterrupt, typer.Abort):
        complain("interrupted")
        return Interrupted.exit_code
    except BrokenPipeError:
        return _unread()
    except OSError as error:
        return _bug(error, given) if error.filename is None and error.errno not in FULL else _unusable(error)
    except MemoryError:
        complain("out of memory; try fewer workers or smaller chunks")
        return OutOfResources.exit_code
    except Exception as error:
        return _bug(error, given)


def _write_any_letter() -> None:
    """Keeps letters that the output's encoding lacks from ending a command: they are written as `?`."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and not stream.encoding.lower().startswith("utf"):
            stream.reconfigure(errors="replace")


def _unread() -> int:
    """Ends a command whose reader has left, as `head` does: nothing went wrong."""
    _drop_output()
    return 0


def build_app(arguments: Sequence[str]) -> typer.Typer:
    """Returns the application with the called command in full and all others as their line of help.

    Args:
        arguments: the command line; its first word that is no option names the command.
    """
    app = typer.Typer(add_completion=False, no_args_is_help=True, help=HELP)
    app.callback()(_top)
    called = next((word for word in arguments if not word.startswith("-")), None)
    for name, (module, summary) in available().items():
        if name == called:
            _register(app, name, module, summary)
        else:
            app.command(name, help=summary)(_placeholder)
    return app


def available() -> dict[str, tuple[str, str]]:
    """Returns the commands whose modules are there."""
    here = Path(__file__).parent
    return {name: entry for name, entry in COMMANDS.items() if (here / f"{entry[0]}.py").exists()}


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib import metadata

        print(metadata.version("apotheosis-lab"))
        raise typer.Exit


def _top(
    version: bool = typer.Option(
        False, "--version", is_eager=True, callback=_show_version, help="Print the version and leave."
    ),
) -> None:
    """Takes the options that stand before a command."""


def _placeholder() -> None:
    """Stands in for commands that are listed but not called."""


def _register(app: typer.Typer, name: str, module: str, summary: str) -> None:
    found = import_module(f"apotheosis.experiments.cli.{module}")
    group: Any = getattr(found, "app", None)
    if isinstance(group, typer.Typer):
        app.add_typer(group, name=name, help=summary)
    else:
        function: Callable[..., Any] = getattr(found, name)
        app.command(name)(function)


def _usage(error: typer.TyperException) -> int:
    """Prints a usage error as one sentence; a command called with nothing shows its help instead."""
    context: Any = getattr(error, "ctx", None)
    if type(error).__name__ == "NoArgsIsHelpError":
        print(error.format_message())
        return 1
    message = error.format_message().strip()
    where = "" if context is None else f" (see {context.command_path} --help)"
    complain(f"{message.rstrip('.')}{where}")
    return 1


def _unusable(error: OSError) -> int:
    """Says which file or folder the system does not let us use, and why."""
    if error.errno in FULL:
        if error.filename is None:
            _drop_output()
        complain(f"{error.filename or 'the output'}: there is no room left on the disk")
        return OutOfResources.exit_code
    complain(f"{error.filename}: {(error.strerror or str(error)).lower()}")
    return InputError.exit_code


def _drop_output() -> None:
    """Lets go of text that waits for an output nobody can write to, or it would be tried again when the process ends."""
    if sys.stdout is not None:
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _bug(error: BaseException, arguments: Sequence[str]) -> int:
    from apotheosis.experiments.cli.bundle import write_bundle

    first_line = (str(error) or type(error).__name__).splitlines()[0]
    path = write_bundle(error, arguments)
    complain(f"internal error: {first_line}; what is needed to repair it is in {path}")
    return INTERNAL
