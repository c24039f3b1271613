"""Fills the virtual environment, and compiles the rules kernel meanwhile.

Compiling the kernel takes longer than anything else in a fresh checkout and needs only NumPy and Numba. So those come
first, the compilation starts as soon as they are in, and the rest is installed while it runs. Only the standard library
is used, since nothing else is there yet.

    python -m venv .venv && .venv/bin/python .ci/install.py [EXTRA ...]
"""

import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--progress-bar", "off")
CONSTRAINTS = ("-c", str(ROOT / "constraints.txt"))
KERNEL = (sys.executable, "-m", "apotheosis.env.rules.compiler")
START = time.monotonic()


def say(text: str) -> None:
    """Prints a line with the seconds since the start, over the progress line of the kernel where one is shown."""
    clear = "\r\033[K" if sys.stdout.isatty() else ""
    print(f"{clear}[install {time.monotonic() - START:4.0f} s] {text}", flush=True)


def pip(*arguments: str) -> None:
    """Runs pip, prints the name of each package as pip gets to it, and ends the program when pip fails.

    Args:
        arguments: what follows `pip install`.
    """
    command = [*PIP, *CONSTRAINTS, *arguments]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        lines = process.stdout or ()
        count = report(lines)
    if process.returncode:
        sys.exit(f"pip failed with exit code {process.returncode}: {' '.join(command)}")
    if count:
        say(f"{count} packages are in")


def report(lines: Iterable[str]) -> int:
    """Prints one line for each package that pip collects and for the final installation.

    Args:
        lines: the output of pip.

    Returns:
        The number of packages collected.
    """
    count = 0
    for line in lines:
        if line.startswith(("Collecting ", "Processing ")):
            count += 1
            say(f"{count}: {Path(line.split()[1]).name}")
        elif line.startswith("Installing collected packages"):
            say("unpacking the packages")
    return count


def main(extras: list[str]) -> None:
    """Installs the lab in editable form with the extras named, and compiles its kernel.

    Args:
        extras: names of optional dependencies (`train`, `ray`, `dev`).
    """
    say("NumPy and Numba first")
    pip("numpy", "numba")
    pip("--no-deps", "--editable", ".")
    say("compiling the rules kernel while the rest installs")
    kernel = subprocess.Popen(KERNEL, cwd=ROOT)
    try:
        pip("--editable", f".[{','.join(extras)}]" if extras else ".")
        if kernel.poll() is None:
            say("waiting for the rules kernel")
        code = kernel.wait()
    finally:
        if kernel.poll() is None:
            kernel.terminate()
    if code:
        sys.exit(f"compiling the rules kernel failed with exit code {code}")
    say("everything is installed and compiled")


if __name__ == "__main__":
    main(sys.argv[1:])
