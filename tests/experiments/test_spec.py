"""A spec is checked completely, and every refusal names the place, what is allowed and the nearest name."""

from pathlib import Path

import pytest

from apotheosis.env.errors import InputError
from apotheosis.experiments.spec import load_spec, parse_setting, spec_from


def refusal(text: str, tmp_path, settings=None) -> str:
    path = tmp_path / "spec.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load_spec(path, settings)
    return str(caught.value)


def test_the_defaults_are_a_complete_spec():
    spec = load_spec()
    assert spec.pairs == 1000 and spec.matches_per_pair == 2
    assert spec.format.size == (3, 4) and spec.bots.pool == ["greedy"] and spec.cards.pool == "starter"


def test_a_spec_survives_its_json_form():
    settings = {"run.matches": 40, "bots.pool": "greedy, random", "run.max_time": "2h", "format.board": "5x6"}
    spec = load_spec(settings=settings)
    assert spec.bots.pool == ["greedy", "random"] and spec.run.max_time == 7200 and spec.format.size == (5, 6)
    assert spec_from(spec.model_dump(mode="json")) == spec


def test_an_unknown_key_is_refused_with_line_and_nearest_name(tmp_path):
    message = refusal("[run]\nseed = 3\n\n[bots]\nseed = 1\npol = ['greedy']\n", tmp_path)
    assert "spec.toml:5" in message and "unknown key in [bots] 'seed'" in message
    message = refusal("[run]\nseed = 3\n[bots]\npol = ['greedy']\n", tmp_path)
    assert "spec.toml:4" in message and "did you mean 'pool'?" in message


def test_an_unknown_section_is_refused_with_the_nearest_name(tmp_path):
    message = refusal("[run]\nseed = 3\n[bot]\npool = ['greedy']\n", tmp_path)
    assert "spec.toml:3" in message and "did you mean 'bots'?" in message


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("[run]\nbackend = 'rey'\n", ["spec.toml:2", "run.backend", "allowed: local, ray", "did you mean 'ray'?"]),
        ("[run]\nseed = -1\n", ["spec.toml:2", "run.seed", "-1", "greater than or equal to 0"]),
        ("[run]\npairs = 2\nmatches = 4\n", ["give one of them"]),
        ("[run]\nmatches = 5\n", ["even number"]),
        ("[run]\nmax_time = '2 fortnights'\n", ["spec.toml:2", "90s, 20m, 2h"]),
        ("[format]\nhero_level = 5\n", ["spec.toml:2", "allowed: 1, 4, 7, 10"]),
        ("[format]\nteam_size = 3\nboard = '2x4'\n", ["board 2x4 does not fit"]),
        ("[format]\nboard = 'large'\n", ["spec.toml:2", "3x4"]),
        ("[decks]\nsource = 'files'\n", ["decks.files names none"]),
        ("[design]\nkind = 'swap'\n", ["needs design.card"]),
        ("[design]\npartner = 'B'\n", ["design.partner is for design.kind"]),
        ("[design]\nkind = 'swap'\ncard = 'A'\npartner = 'A'\n", ["design.partner is A", "name another card"]),
        ("[bots]\ncrossing = 'pairs'\n", ["two different bots"]),
        ("[test]\nlower = 0.03\n", ["must be below upper"]),
        ("[run]\npairs = 99999999999\n", ["spec.toml:2", "run.pairs", "less than or equal to 10000000"]),
        ("[run]\nworkers = 0\n", ["spec.toml:2", "whole number from 1", "or auto"]),
        ("[run]\nworkers = 'many'\n", ["spec.toml:2", "'many'", "or auto"]),
        ("[run]\nmatch_timeout = 0\n", ["spec.toml:2", "greater than 0"]),
        ("[bots]\npool = ''\n", ["spec.toml:2", "bots.pool: is empty"]),
        ("[run\n", ["is not valid TOML"]),
        ("run = 3\n", ["[run] is a section"]),
    ],
)
def test_a_wrong_value_is_explained(text, parts, tmp_path):
    message = refusal(text, tmp_path)
    assert all(part in message for part in parts), message


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(InputError, match="no such spec file"):
        load_spec(tmp_path / "absent.toml")


def test_settings_win_over_the_file_and_are_checked_alike(tmp_path):
    path = tmp_path / "spec.toml"
    path.write_text("[run]\nseed = 3\npairs = 10\n", encoding="utf-8")
    spec = load_spec(path, {"run.seed": 9, "run.name": None})
    assert spec.run.seed == 9 and spec.pairs == 10
    with pytest.raises(InputError, match="did you mean 'seed'"):
        load_spec(path, {"run.sed": 9})
    with pytest.raises(InputError, match=r"did you mean run\.seed"):
        load_spec(path, {"seed": 9})


def test_paths_of_a_file_are_relative_to_it_and_paths_of_settings_to_the_working_folder(tmp_path):
    path = tmp_path / "spec.toml"
    decks = "[decks]\nsource = 'files'\nfiles = 'a.yaml,b.yaml'\n"
    path.write_text("[cards]\npool = 'mine.yaml'\n" + decks, encoding="utf-8")
    spec = load_spec(path)
    assert spec.cards.pool == str(tmp_path.resolve() / "mine.yaml")
    assert spec.decks.files == [str(tmp_path.resolve() / name) for name in ("a.yaml", "b.yaml")]
    assert load_spec(path, {"cards.pool": "other.yaml"}).cards.pool == str(Path.cwd() / "other.yaml")
    path.write_text("[cards]\npool = 'starter'\n", encoding="utf-8")
    assert load_spec(path).cards.pool == "starter"


@pytest.mark.parametrize(
    "written", ["['greedy', 'ppo:mine.pt', 'ppo:/far/away.pt']", "'greedy, ppo:mine.pt, ppo:/far/away.pt'"]
)
def test_a_bot_from_a_file_is_looked_for_beside_the_spec_that_names_it(written, tmp_path):
    path = tmp_path / "spec.toml"
    path.write_text(f"[bots]\npool = {written}\n", encoding="utf-8")
    beside = tmp_path.resolve() / "mine.pt"
    assert load_spec(path).bots.pool == ["greedy", f"ppo:{beside}", "ppo:/far/away.pt"]
    assert load_spec(path, {"bots.pool": "ppo:mine.pt,search:5"}).bots.pool == [f"ppo:{Path.cwd() / 'mine.pt'}", "search:5"]
    path.write_text("[bots]\npool = 'ppo:'\n", encoding="utf-8")
    assert load_spec(path).bots.pool == ["ppo:"], "what is wrong with it is said where bots are made"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("run.seed=7", ("run.seed", 7)),
        ("bots.pool=['a','b']", ("bots.pool", ["a", "b"])),
        ("run.name=spring", ("run.name", "spring")),
        ("run.max_time=2h", ("run.max_time", "2h")),
        ("design.mirror=false", ("design.mirror", False)),
    ],
)
def test_a_setting_is_a_toml_value_or_a_bare_word(text, expected):
    assert parse_setting(text) == expected


def test_a_setting_without_a_value_is_refused():
    with pytest.raises(InputError, match=r"section\.key=value"):
        parse_setting("run.seed")
