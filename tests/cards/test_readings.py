"""What becomes of each effect: the lab's own files, the text reader, overrides, and what nobody could read."""

import json

import pytest

from apotheosis.env.cards.language.effect import TextEffect
from apotheosis.env.cards.loader import load_cards
from apotheosis.env.cards.overrides_file import read_overrides, text_digest
from apotheosis.env.cards.pool import load_pool
from apotheosis.env.cards.readings import STATUSES, card_status, read_card, totals
from apotheosis.env.errors import InputError

UNREADABLE = "Blablablar {DMG}."
OVERRIDE = "- id: A\n  effects: {E0: [{activation: Permanent, mods: [{q: damage.taken, add: -3}]}]}\n"


def entry(text, keywords=()):
    tags = ",".join(f'(TagName="Apt.Effect.{word}")' for word in keywords)
    return {"Name": "", "Keywords": f"(GameplayTags={f'({tags})' if tags else ''})", "Requirements": [], "Text": text}


@pytest.fixture
def pool_of(tmp_path):
    def build(*effects, overrides=None, **fields):
        card = {"Id": "A", "Suit": "Item", "Level": 1, "Rarity": "Common", "Effects": list(effects), **fields}
        file = tmp_path / "cards.json"
        file.write_text(json.dumps([card]), encoding="utf-8")
        if overrides is None:
            return load_pool(file)
        (tmp_path / "overrides.yaml").write_text(overrides, encoding="utf-8")
        return load_pool(file, [tmp_path / "overrides.yaml"])

    return build


def test_what_nobody_can_read_is_inert_and_named(pool_of):
    pool = pool_of(entry(UNREADABLE))
    (reading,) = pool.readings[0]
    assert (reading.status, reading.by, reading.effects) == ("inert", None, ())
    assert reading.clause is not None
    row = pool.record[0]["card"][0]
    assert (row["live"], row["inert"], row["effect_n"]) == (1, 1, 0)


def test_a_text_of_the_database_is_read(pool_of):
    pool = pool_of(entry("Você recebe <p>-3</> de {DMG}.", ["Activation.Permanent"]))
    (reading,) = pool.readings[0]
    assert (reading.status, reading.by) == ("executable", "reader")
    row = pool.record[0]["card"][0]
    assert (row["live"], row["inert"], row["effect_n"]) == (1, 0, 1)


def test_an_override_gives_an_unreadable_text_its_meaning(pool_of):
    (reading,) = pool_of(entry(UNREADABLE), overrides=OVERRIDE).readings[0]
    assert (reading.status, reading.by) == ("executable", "override")
    assert reading.effects[0].mods[0].q == "damage.taken"


def test_an_empty_override_says_that_there_is_nothing_to_do(pool_of):
    (reading,) = pool_of(entry(UNREADABLE), overrides="- {id: A, effects: {E0: []}}\n").readings[0]
    assert (reading.status, reading.by) == ("nothing_to_do", "override")


def test_an_override_that_leaves_something_out_is_partial_and_not_played(pool_of):
    pool = pool_of(entry(UNREADABLE), overrides=OVERRIDE + '  lacks: {E0: "the second sentence"}\n')
    (reading,) = pool.readings[0]
    assert (reading.status, reading.by, reading.effects) == ("partial", "override", ())
    assert reading.reason == "the override leaves out the second sentence"
    assert pool.record["card"][0][0]["effect_n"] == 0
    with pytest.raises(InputError, match="'lacks' speaks of effect E1, which the entry does not override"):
        pool_of(entry(UNREADABLE), overrides=OVERRIDE + '  lacks: {E1: "the second sentence"}\n')


def test_an_override_does_not_outlive_the_text_it_was_written_for(pool_of):
    digest = text_digest(TextEffect(text=UNREADABLE))
    written = OVERRIDE + f"  texts: {{E0: {digest}}}\n"
    (before,) = pool_of(entry(UNREADABLE), overrides=written).readings[0]
    (after,) = pool_of(entry(UNREADABLE + " E mais."), overrides=written).readings[0]
    assert before.status == "executable"
    assert (after.status, after.reason) == ("inert", "the override was written for another text of this effect")


def test_effects_of_techniques_have_labels_of_their_own(pool_of):
    technique = {
        "Requirement": [],
        "Damage": {"Attribute": "None", "Constant": 0, "Dice": "None"},
        "Range": {"Type": "Direct", "Attribute": "None", "Constant": 0},
        "Action": 1,
        "Effects": [entry(UNREADABLE)],
    }
    written = "- {id: A, effects: {T0.0: [{activation: Activate, do: [{op: heal, to: this_char, n: 10}]}]}}\n"
    pool = pool_of(entry(UNREADABLE), overrides=written, Suit="Companion", CompanionType="Human", Techniques=[technique])
    card, of_technique = pool.readings[0]
    assert (card.index, card.technique, card.by) == (0, None, None)
    assert (of_technique.index, of_technique.technique, of_technique.by) == (1, 0, "override")


FAULTS = {
    "- {id: B, effects: {E0: []}}\n": "unknown card 'B'",
    "- {id: A, effects: {E7: []}}\n": "for effect E7, which the card does not have; it has E0",
    "- {id: A, effects: {0: []}}\n": "must be text|must match",
    "- {id: A, effect: {E0: []}}\n": "unknown key 'effect'.*did you mean 'effects'",
    "- {id: A, effects: {E0: [{activation: Permanent}]}}\n": "a Permanent effect needs 'mods'",
    "- {id: A, effects: {E0: [{do: [{op: hael, n: 1}]}]}}\n": "did you mean 'heal'",
    "{}\n": "holds a list of entries",
    OVERRIDE * 2: "effect E0 is overridden twice",
}


@pytest.mark.parametrize("text", FAULTS)
def test_a_faulty_override_is_explained(pool_of, text):
    with pytest.raises(InputError, match=FAULTS[text]):
        assert pool_of(entry(UNREADABLE), overrides=text).readings


def test_card_status_sums_up_its_live_effects(pool_of):
    readable = entry("Você recebe <p>-3</> de {DMG}.", ["Activation.Permanent"])
    assert card_status(pool_of(readable).readings[0]) == "executable"
    assert card_status(pool_of(readable, entry(UNREADABLE)).readings[0]) == "partial"
    assert card_status(pool_of(entry(UNREADABLE)).readings[0]) == "inert"
    assert card_status(pool_of().readings[0]) == "nothing_to_do"


def test_totals_add_up_over_the_database(database):
    readings = {card.id: entries for card, entries in zip(database.cards, database.readings, strict=True)}
    counts = totals(readings)
    assert counts["effects"] == sum(counts[status] for status in STATUSES)
    assert counts["live_effects"] == counts["effects"] - counts["nothing_to_do"]
    assert 0 < counts["read"] <= counts["executable"] <= counts["live_effects"]


def test_live_effects_agree_with_the_published_estimate(database, shared):
    """Cards that the estimate calls irrelevant in battle may differ from ours; the share that does is small."""
    import csv

    with (shared / "cards" / "classify_dev.csv").open(encoding="utf-8") as file:
        rows = {row["id"]: row for row in csv.DictReader(file)}
    relevant = {name for name, row in rows.items() if row["battle_relevant"] != "no" and row["has_text"] == "yes"}
    stats = {name for name, row in rows.items() if row["import_class"] in ("skip", "stats")}
    live = {
        card.id
        for card, entries in zip(database.cards, database.readings, strict=True)
        if any(reading.live for reading in entries)
    }
    assert len(live & stats) <= 0.05 * len(live)
    assert len(relevant - stats - live) <= 0.05 * len(relevant)


def test_readings_do_not_depend_on_how_the_cards_were_stored(database, tmp_path):
    from apotheosis.env.cards.yaml_file import write_yaml

    file = tmp_path / "cards.yaml"
    file.write_text(write_yaml(list(database.cards[:60])), encoding="utf-8")
    for card, again in zip(database.cards, load_cards(file), strict=False):
        assert read_card(again, {}) == read_card(card, {})


def test_the_bundled_overrides_belong_to_cards_of_the_database(database):
    assert all(name in database.index for name, _ in database.overrides)
    assert read_overrides([]) == {}


def typed(tmp_path, effect, bar=""):
    file = tmp_path / "cards.yaml"
    file.write_text(f"- {{id: A, suit: Skill, level: 1, knowledge: Free, rarity: Common, {bar}effects: [{effect}]}}\n")
    ((reading,),) = load_pool(file).readings
    return reading


@pytest.mark.parametrize("word", ["tag: Encounter", "effect_named: Encounter", "any_tag: [Encounter, Combat]"])
def test_what_waits_for_cards_that_no_deck_holds_has_nothing_to_do(tmp_path, word):
    when = f"{{when: {{event: card_activated, card: {{suit: Event, {word}}}}}}}"
    reading = typed(tmp_path, f"{{activation: Activate, requires: [{when}], do: [{{op: negate, what: activation}}]}}")
    assert reading.status == "nothing_to_do"
    assert "A2.5" in str(reading.reason)


def test_what_waits_for_weather_too_is_live(tmp_path):
    when = "{when: {event: card_activated, card: {suit: Event, any_tag: [Weather, Encounter]}}}"
    reading = typed(tmp_path, f"{{activation: Activate, requires: [{when}], do: [{{op: negate, what: activation}}]}}")
    assert reading.status == "executable"


def test_a_change_for_the_own_attack_that_comes_too_late_is_refused(tmp_path):
    bar = "damage: {attribute: STR}, range: {type: Direct, constant: 1}, "
    late = "{activation: Activate, do: [{op: mod, q: cost.salvation, add: 5, on: target, until: this_attack}]}"
    assert typed(tmp_path, late, bar).status == "inert"
    assert typed(tmp_path, late.replace("this_attack", "end_of_turn"), bar).status == "executable"
