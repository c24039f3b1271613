"""The dependency arrows of the house: experiments -> agents -> env, and a kernel that knows nothing around it."""

import ast
import tomllib
from pathlib import Path

import pytest

OUTSIDE_THE_KERNEL = {"gymnasium", "pettingzoo", "pandas", "pyarrow", "ray", "torch", "matplotlib", "pydantic", "typer"}

FOLDER_NAMES = {"env", "agents", "experiments"}
"""Other programs have packages of these names; ours are apotheosis.env and so on."""

FORBIDDEN = [
    ("env", {"apotheosis.agents", "apotheosis.experiments"}),
    ("agents", {"apotheosis.experiments"}),
    ("env/rules", OUTSIDE_THE_KERNEL | {"apotheosis.agents", "apotheosis.experiments"}),
    ("env", {"ray", "torch", "matplotlib"}),
    ("agents", {"ray"}),
    ("env", FOLDER_NAMES),
    ("agents", FOLDER_NAMES),
    ("experiments", FOLDER_NAMES),
    ("tests", FOLDER_NAMES),
]


def imported(source: str, package: str) -> set[str]:
    """Returns the absolute names of all modules that a source imports, inside functions too.

    Args:
        source: the text of a module.
        package: the dotted name of the package that holds it, for relative imports.
    """
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*parents, *([node.module] if node.module else [])])
            found |= {base} | {f"{base}.{alias.name}" for alias in node.names}
    return found


def crossings(source: str, package: str, forbidden: set[str]) -> set[str]:
    """Returns the imports of a source that are forbidden modules or lie inside one."""
    return {
        name
        for name in imported(source, package)
        if any(name == banned or name.startswith(f"{banned}.") for banned in forbidden)
    }


def package_of(path: Path, root: Path) -> str:
    """Returns the dotted name of the package that holds a module of the checkout."""
    return ".".join(("apotheosis", *path.parent.relative_to(root).parts))


@pytest.mark.parametrize(("folder", "forbidden"), FORBIDDEN)
def test_no_import_goes_against_the_arrows(root, folder, forbidden):
    modules = sorted((root / folder).rglob("*.py"))
    assert modules
    wrong = {
        str(path.relative_to(root)): found
        for path in modules
        if (found := crossings(path.read_text(encoding="utf-8"), package_of(path, root), forbidden))
    }
    assert wrong == {}


@pytest.mark.parametrize(
    "source",
    [
        "import apotheosis.agents.bots",
        "from apotheosis import agents",
        "from apotheosis.agents import bots",
        "def late():\n    from apotheosis.agents.bots import greedy",
        "from ..agents import bots",
        "from .. import agents",
    ],
)
def test_every_spelling_of_an_import_is_seen(source):
    assert crossings(source, "apotheosis.env", {"apotheosis.agents"})


def test_every_folder_with_code_is_a_listed_package(root):
    listed = set(tomllib.loads((root / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"])
    folders = {path.parent for name in ("env", "agents", "experiments") for path in (root / name).rglob("*.py")}
    assert {".".join(("apotheosis", *folder.relative_to(root).parts)) for folder in folders} == listed
