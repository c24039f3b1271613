"""What users read when something is wrong, and the exit code that scripts see."""

import pickle

import pytest

from apotheosis.env import errors


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        (errors.InputError, 1),
        (errors.CheckFailed, 2),
        (errors.FailedMatches, 3),
        (errors.OutOfResources, 4),
        (errors.Interrupted, 5),
        (errors.InternalError, 70),
    ],
)
def test_each_class_has_the_exit_code_of_the_contract(kind, code):
    assert kind("x").exit_code == code
    assert issubclass(kind, errors.LabError)


def test_the_place_comes_before_the_message():
    assert str(errors.InputError("level is 11, allowed are 0 to 10", where="cards.yaml:3")) == (
        "cards.yaml:3: level is 11, allowed are 0 to 10"
    )
    assert str(errors.InputError("no cards given")) == "no cards given"


def test_an_internal_error_names_its_bundle():
    assert "crash-7" in str(errors.InternalError("checksum differs", bundle="crash-7"))


@pytest.mark.parametrize("error", [errors.InputError("m", "w"), errors.InternalError("m", "w", bundle="b")])
def test_errors_survive_the_way_back_from_a_worker_process(error):
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error)
    assert again.exit_code == error.exit_code


def test_nearest_ignores_case_and_stays_silent_without_a_similar_name():
    assert errors.nearest("Gredy", ["random", "greedy"]) == "did you mean 'greedy'?"
    assert errors.nearest("xyz", ["random", "greedy"]) == ""
    assert errors.nearest("xyz", []) == ""


def test_an_unknown_name_is_answered_with_what_is_allowed():
    message = str(errors.unknown("bot", "gredy", ["random", "greedy"], where="spec.toml:4"))
    assert message == "spec.toml:4: unknown bot 'gredy'; allowed: greedy, random; did you mean 'greedy'?"


def test_a_long_list_of_allowed_names_is_cut_with_a_count():
    message = str(errors.unknown("card", "zzz", [f"card_{n:02}" for n in range(30)]))
    assert "card_11" in message
    assert "card_12" not in message
    assert "and 18 more" in message
