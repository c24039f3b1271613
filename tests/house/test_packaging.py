"""The wheel holds everything the lab needs, and works where only the wheel is installed."""

import os
import shutil
import site
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

FOLDERS = ("env", "agents", "experiments")

# One worker builds and installs for all tests of this file.
pytestmark = pytest.mark.xdist_group("packaging")


def run(*command: str | Path, cwd: Path) -> str:
    """Runs a command without the checkout on its path and returns what it printed; fails the test when it fails."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PIP_"))}
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, env=clean, text=True, capture_output=True, check=False, timeout=300
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def tree(root, tmp_path_factory) -> Path:
    """Returns a copy of the sources, so that building leaves nothing in the checkout."""
    copy = tmp_path_factory.mktemp("tree")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(root / name, copy)
    for folder in FOLDERS:
        shutil.copytree(root / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


def build(tree: Path, out: Path, *options: str) -> zipfile.ZipFile:
    """Builds the package with the installed setuptools, without a network, and returns the wheel."""
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", out, *options, tree, cwd=out)
    (wheel,) = out.glob("*.whl")
    return zipfile.ZipFile(wheel)


@pytest.fixture(scope="module")
def wheel(tree, tmp_path_factory) -> zipfile.ZipFile:
    """Returns the wheel built straight from the sources."""
    return build(tree, tmp_path_factory.mktemp("wheel"), "--wheel")


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory) -> Path:
    """Returns the bin folder of a new environment that has the wheel, and sees the outer packages but not the checkout.

    The outer site-packages come in by a path file. Python does not run the path files of a folder that came in this
    way, so the editable install of the outer environment stays out.
    """
    home = tmp_path_factory.mktemp("venv")
    venv.create(home, with_pip=False, symlinks=True)
    python = home / "bin" / "python"
    inner = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=home).strip())
    outer = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib"), *site.getsitepackages()}
    (inner / "outer.pth").write_text("\n".join(sorted(outer)) + "\n")
    pip = (sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check")
    run(*pip, "install", "--quiet", "--no-deps", "--no-index", "--ignore-installed", str(wheel.filename), cwd=home)
    return home / "bin"


def test_the_wheel_holds_every_file_of_the_packages_and_nothing_else(tree, wheel):
    expected = {
        f"apotheosis/{path.relative_to(tree)}" for folder in FOLDERS for path in (tree / folder).rglob("*") if path.is_file()
    }
    held = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert held == expected
    assert "apotheosis/env/rules_index.csv" in held


def test_the_wheel_made_from_the_source_archive_is_the_same(tree, wheel, tmp_path):
    again = build(tree, tmp_path)
    assert list(tmp_path.glob("*.tar.gz"))
    assert sorted(again.namelist()) == sorted(wheel.namelist())


def test_the_base_install_asks_for_neither_torch_nor_ray(wheel):
    (name,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
    required = [line for line in wheel.read(name).decode().splitlines() if line.startswith("Requires-Dist:")]
    base = {line.split()[1].split(";")[0].lower() for line in required if "extra ==" not in line}
    assert "numba" in base
    assert not base & {"torch", "ray", "stable_baselines3", "sb3_contrib", "pytest"}


def test_imports_come_from_the_wheel(installed, tmp_path):
    code = "import apotheosis.env, apotheosis.agents, apotheosis.experiments as e; print(e.__file__)"
    found = run(installed / "python", "-c", code, cwd=tmp_path).strip()
    assert Path(found).is_relative_to(installed.parent)


def test_the_index_of_rules_is_found_in_the_wheel(installed, tmp_path):
    code = "from apotheosis.env.rulebook import title; print(title('R13.3'))"
    assert run(installed / "python", "-c", code, cwd=tmp_path) == "Injury\n"


def test_the_program_starts_from_another_folder(installed, tmp_path):
    text = run(installed / "apotheosis", "--help", cwd=tmp_path)
    for command in ("run", "report", "cards", "doctor"):
        assert command in text
