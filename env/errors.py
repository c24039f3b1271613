"""The named errors of the lab, one class for each exit code of the command line.

They stand in one small module so that every layer can raise them without importing the command line, and so that the
command line can turn any of them into one sentence and an exit code without knowing who raised it. A message says what
was given, where, what is allowed and, through `nearest`, the closest allowed name.
"""

from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path

LISTED_AT_MOST = 12
"""How many allowed names a message spells out before it only counts the rest."""


class LabError(Exception):
    """The base of every error that the lab raises on purpose.

    Args:
        message: one sentence, shown to the user as it is.
        where: the place that the message is about (`file:line`, a card id, a flag), or None.
    """

    exit_code = 1
    """The exit code of a command that ends with this error."""

    def __init__(self, message: str, where: str | Path | None = None):
        super().__init__(message, where)
        self.message = message
        self.where = None if where is None else str(where)

    def __str__(self) -> str:
        return self.message if self.where is None else f"{self.where}: {self.message}"


class InputError(LabError):
    """A file, a value or the usage of a command is wrong (exit code 1)."""

    exit_code = 1


class CheckFailed(LabError):
    """A check ran to its end and found violations (exit code 2)."""

    exit_code = 2


class FailedMatches(LabError):
    """A run finished with more failed matches than its limit allows (exit code 3)."""

    exit_code = 3


class OutOfResources(LabError):
    """The disk or the memory is used up (exit code 4)."""

    exit_code = 4


class Interrupted(LabError):
    """The user stopped the work, which can be resumed (exit code 5)."""

    exit_code = 5


class InternalError(LabError):
    """The lab itself is wrong (exit code 70).

    Args:
        message: one sentence on what went wrong.
        where: the place that the message is about, or None.
        bundle: the folder or file that reproduces the error, or None where there is nothing to keep.
    """

    exit_code = 70

    def __init__(self, message: str, where: str | Path | None = None, bundle: str | Path | None = None):
        super().__init__(message, where)
        self.args = (message, where, bundle)
        self.bundle = None if bundle is None else str(bundle)

    def __str__(self) -> str:
        text = super().__str__()
        return text if self.bundle is None else f"{text} (a bundle that reproduces it: {self.bundle})"


def closest(name: str, allowed: Iterable[str]) -> str | None:
    """Returns the allowed name most similar to the given one, letter case aside, or None when none is similar.

    Args:
        name: what was given.
        allowed: the names that exist.
    """
    by_folded = {str(option).casefold(): str(option) for option in allowed}
    matches = get_close_matches(str(name).casefold(), by_folded, n=1, cutoff=0.6)
    return by_folded[matches[0]] if matches else None


def nearest(name: str, allowed: Iterable[str]) -> str:
    """Returns "did you mean 'x'?" for the allowed name most similar to the given one, or "" when none is similar.

    Args:
        name: what was given.
        allowed: the names that exist.
    """
    match = closest(name, allowed)
    return "" if match is None else f"did you mean {match!r}?"


def unknown(kind: str, name: str, allowed: Iterable[str], where: str | Path | None = None) -> InputError:
    """Builds the error for a name that does not exist, with what is allowed and the nearest match.

    Args:
        kind: what the name stands for, as a noun ("bot", "key", "card").
        name: what was given.
        allowed: the names that exist; long lists are cut after `LISTED_AT_MOST` names.
        where: the place of the name, or None.

    Returns:
        The error, to be raised by the caller.
    """
    options = sorted(str(option) for option in allowed)
    listed = ", ".join(options[:LISTED_AT_MOST])
    if len(options) > LISTED_AT_MOST:
        listed += f" and {len(options) - LISTED_AT_MOST} more"
    hint = nearest(name, options)
    message = f"unknown {kind} {name!r}; allowed: {listed or 'none'}" + (f"; {hint}" if hint else "")
    return InputError(message, where)
