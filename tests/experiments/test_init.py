"""`apotheosis init` writes a folder that works as it is and says everything there is to say."""

import re
import tomllib
from importlib.resources import files

import pytest

from apotheosis.experiments import cli
from apotheosis.experiments.spec import Spec, load_spec

TEMPLATE = (files("apotheosis.experiments") / "templates" / "spec.toml").read_text(encoding="utf-8")
DIFFERENT = {("run", "name"), ("run", "pairs"), ("cards", "pool")}


def test_the_template_has_every_key_with_its_default_and_the_optional_ones_switched_off():
    active = tomllib.loads(TEMPLATE)
    assert list(active) == list(Spec.model_fields)
    defaults = Spec().model_dump(mode="json")
    read = Spec.model_validate(active).model_dump(mode="json")
    section = ""
    mentioned = set()
    for line in TEMPLATE.splitlines():
        if header := re.match(r"\[(\w+)\]", line):
            section = header[1]
        elif key := re.match(r"(# )?(\w+) = ", line):
            mentioned.add((section, key[2]))
            assert bool(key[1]) == (defaults[section][key[2]] is None) or (section, key[2]) in DIFFERENT, line
    assert mentioned == {(name, key) for name, keys in defaults.items() for key in keys}
    for section, keys in defaults.items():
        for key, value in keys.items():
            assert read[section][key] == value or (section, key) in DIFFERENT, (section, key)


def test_every_switched_off_key_is_valid_when_switched_on():
    for line in TEMPLATE.splitlines():
        if key := re.match(r"# (\w+) = ", line):
            lines = TEMPLATE.replace(line, line[2:])
            if key[1] == "matches":
                lines = lines.replace("pairs = 1000", "")
            if key[1] == "partner":
                lines = lines.replace('kind = "random_decks"', 'kind = "swap"').replace("# card =", "card =")
            if key[1] == "address":
                lines = lines.replace('backend = "local"', 'backend = "ray"')
            Spec.model_validate(tomllib.loads(lines))


def test_a_folder_is_written_once_and_its_spec_loads(tmp_path, capsys):
    assert cli.main(["init", str(tmp_path / "lab")]) == 0
    assert "README.md" in capsys.readouterr().out
    spec = load_spec(tmp_path / "lab" / "spec.toml")
    assert spec.cards.pool == str(tmp_path / "lab" / "cards")
    from apotheosis.env.cards.pool import load_pool

    assert load_pool(spec.cards.pool).hash == load_pool("starter").hash
    before = {path: path.read_bytes() for path in (tmp_path / "lab").rglob("*") if path.is_file()}
    assert cli.main(["init", str(tmp_path / "lab")]) == 1
    assert "nothing was written" in capsys.readouterr().err
    assert before == {path: path.read_bytes() for path in (tmp_path / "lab").rglob("*") if path.is_file()}


def test_a_file_in_the_way_is_named(tmp_path, capsys):
    (tmp_path / "lab").write_text("", encoding="utf-8")
    assert cli.main(["init", str(tmp_path / "lab")]) == 1
    assert "is a file, not a folder" in capsys.readouterr().err


@pytest.mark.parametrize("command", re.findall(r"apotheosis (\w+)", TEMPLATE))
def test_the_template_names_commands_that_exist(command):
    assert command in cli.COMMANDS
