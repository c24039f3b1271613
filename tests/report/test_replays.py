"""A stored match played again: true to the run, complete, silent about what a seat may not know."""

import json
import re

import pandas as pd
import pytest

from apotheosis.env.errors import InputError
from apotheosis.env.match import Match
from apotheosis.env.observe import observe
from apotheosis.env.picture import HERO_ZONES
from apotheosis.env.rulebook import exists
from apotheosis.env.rules.layout import COPIES
from apotheosis.env.rules.tokens import CardField, Sight
from apotheosis.experiments.cli import main
from apotheosis.experiments.replays import StoredRun, load_replay, text_lines
from apotheosis.experiments.report import replays
from apotheosis.experiments.report.replay_page import replay_page

MATCHES = range(8)


@pytest.fixture(scope="module")
def whole(stored, card_words):
    return {match: stored.replay(match, card_words["en"]) for match in MATCHES}


@pytest.fixture(scope="module")
def seats(stored, card_words):
    return {(match, seat): stored.replay(match, card_words["en"], seat) for match in (0, 5) for seat in "AB"}


def pictures(replay):
    picture = {}
    for step in replay["steps"]:
        picture = {**picture, **step["change"]}
        yield picture


def cards_of(value):
    if value is None or isinstance(value, str):
        return 1
    return 1 + sum(map(cards_of, value.get("attachments", ())))


def test_every_match_of_the_run_comes_out_as_it_was_stored(whole, played_run):
    matches = pd.read_parquet(played_run / "matches.parquet").set_index("match_id")
    for match, replay in whole.items():
        about, row = replay["about"], matches.loc[match]
        for name in ("outcome", "cause", "stints", "turns", "decisions"):
            assert about[name] == row[name]
        assert about["decks"] == [row["seat_a_deck"], row["seat_b_deck"]]
        assert len(replay["origin"]["answers"]) == row["decisions"]
        assert replay["steps"][-1]["kind"] == "end"


def test_a_match_that_would_go_another_way_is_refused(played_run, card_words, tmp_path):
    for name in ("plan.json", "decks.json"):
        (tmp_path / name).write_bytes((played_run / name).read_bytes())
    table = pd.read_parquet(played_run / "matches.parquet")
    table.loc[table["match_id"] == 4, "state_hash"] += 1
    table[["match_id", "state_hash"]].to_parquet(tmp_path / "matches.parquet", index=False)
    changed = StoredRun(tmp_path)
    assert changed.replay(3, card_words["en"])["about"]["match"] == 3
    with pytest.raises(InputError, match="match 4 would go another way now"):
        changed.replay(4, card_words["en"])


def test_no_card_is_lost_or_doubled_in_any_step(whole):
    for replay in whole.values():
        counts = set()
        for picture in pictures(replay):
            listed = sum(cards_of(card) for hero in "AB" for zone in HERO_ZONES for card in picture[f"{hero}.{zone}"])
            listed += sum(map(cards_of, picture["scenario"])) + picture["A.deck"] + picture["B.deck"]
            counts.add(listed)
        assert len(counts) == 1


def test_the_last_picture_is_the_state_the_match_ended_in(stored, whole):
    for match, replay in whole.items():
        source = stored.source(match)
        played = Match(stored.pool, source.lineup, source.seeds)
        while not played.over:
            played.apply(source.choose(played))
        last = list(pictures(replay))[-1]
        for char, name in enumerate("AB"):
            assert last[f"{name}.hp"] == played.state["hp"][char]
            assert last[f"{name}.ap"] == played.state["ap"][char]
            assert last[f"{name}.deck"] == played.state["deck_n"][char]
            assert len(last[f"{name}.discard"]) == played.state["discard_n"][char]


def test_hp_changes_exactly_where_a_step_says_so(whole):
    for replay in whole.values():
        before = None
        for step, picture in zip(replay["steps"], pictures(replay), strict=True):
            if before is not None and step["kind"] in ("lose_hp", "gain_hp"):
                said = re.search(r"(loses|recovers) (\d+) HP, (?:now )?(\d+|−?-?\d+)", step["text"])
                name = re.match(r"(?:.*\((\w+)\)|(\w+)) (?:loses|recovers)", step["text"])
                who = name[1] or name[2]
                sign = -1 if said[1] == "loses" else 1
                assert picture[f"{who}.hp"] - before[f"{who}.hp"] == sign * int(said[2])
                assert picture[f"{who}.hp"] == int(said[3].replace("−", "-"))
            before = picture


def test_each_step_names_a_rule_that_exists_and_each_trigger_its_text(whole):
    triggers = 0
    for replay in whole.values():
        for step in replay["steps"]:
            assert step["text"] and exists(step["rule"])
            if step["kind"] in ("auto", "react"):
                triggers += 1
                assert step["says"] and step["card"] in replay["cards"]
                assert step["rule"].startswith(("R6.4.", "R6.3.", "R8."))
    assert triggers > 5


def test_both_languages_tell_the_same_steps(stored, card_words, whole):
    portuguese = stored.replay(2, card_words["pt"])
    assert [s["rule"] for s in portuguese["steps"]] == [s["rule"] for s in whole[2]["steps"]]
    assert [s["change"].keys() for s in portuguese["steps"]] == [s["change"].keys() for s in whole[2]["steps"]]
    texts = [s["text"] for s in portuguese["steps"]]
    assert "Começa o ciclo 1" in texts and not any(text.startswith(("Stint", "Turn of")) for text in texts)
    assert not any("{" in text for text in texts + [line for card in portuguese["cards"].values() for line in card["lines"]])


# ----- hidden information


def unknown_names(stored, match, seat):
    """Names of the enemy's cards that a seat never saw, by its observations at every question; not those it owns itself."""
    source = stored.source(match)
    played = Match(stored.pool, source.lineup, source.seeds)
    seen = set()
    while True:
        cards = observe(played, seat)["cards"]
        seen |= {int(row[CardField.CARD]) for row in cards if row[CardField.SIGHT] == Sight.KNOWN}
        if played.over:
            break
        played.apply(source.choose(played))
    idents = played.state["ident"]
    enemy = {int(idents[(1 - seat) * COPIES + slot]) for slot in range(COPIES)} - {-1}
    return {stored.pool.cards[number].name for number in enemy - seen}


@pytest.mark.parametrize("match", [0, 5])
@pytest.mark.parametrize("seat", [0, 1])
def test_a_seats_file_never_names_a_card_that_the_seat_did_not_see(stored, seats, match, seat):
    replay = seats[match, "AB"[seat]]
    hidden = unknown_names(stored, match, seat)
    assert len(hidden) > 5
    texts = [json.dumps(replay, ensure_ascii=False), replay_page(replay), "\n".join(text_lines(replay))]
    for name in hidden:
        assert not any(re.search(rf"\b{re.escape(name)}\b", text) for text in texts), name
    assert "origin" not in replay
    assert replay["about"]["decks"] and not any("told" in step for step in replay["steps"])


@pytest.mark.parametrize("seat", ["A", "B"])
def test_a_seats_file_shows_backs_for_the_other_hand(seats, whole, seat):
    other = "B" if seat == "A" else "A"
    backs = 0
    for picture in pictures(seats[5, seat]):
        for card in picture[f"{other}.hand"]:
            assert card is None or card.get("revealed")
            backs += card is None
        assert all(card is not None for card in picture[f"{seat}.hand"])
    assert backs > 100
    draws = [step["text"] for step in seats[5, seat]["steps"] if step["kind"] == "draw" and step["seat"] == other]
    assert draws and set(draws) == {f"{other} draws a card"}


def test_a_whole_file_says_what_each_seat_is_told(whole):
    private = [step for step in whole[5]["steps"] if step["kind"] == "draw"]
    assert all(step["told"] == {"B" if step["seat"] == "A" else "A": f"{step['seat']} draws a card"} for step in private)
    passes = [step for replay in whole.values() for step in replay["steps"] if step["kind"] == "pass"]
    assert all(step["told"] == {"B" if step["seat"] == "A" else "A": None} for step in passes)


# ----- files


def test_a_replay_file_can_be_told_again_in_another_language_and_view(stored, card_words, whole, tmp_path):
    path = tmp_path / "match.json"
    path.write_text(json.dumps(whole[7], ensure_ascii=False), encoding="utf-8")
    assert load_replay(path) == whole[7]
    assert load_replay(path, "B", "pt") == json.loads(json.dumps(stored.replay(7, card_words["pt"], "B")))


def test_a_seats_file_can_only_be_shown_as_it_is(seats, tmp_path):
    path = tmp_path / "seat.json"
    path.write_text(json.dumps(seats[0, "A"]), encoding="utf-8")
    assert load_replay(path)["view"] == "A"
    with pytest.raises(InputError, match="only be shown as it is, with --view A --language en"):
        load_replay(path, "all")


def test_a_file_whose_moves_do_not_fit_is_refused(whole, tmp_path):
    path = tmp_path / "match.json"
    broken = {**whole[1], "origin": {**whole[1]["origin"], "answers": whole[1]["origin"]["answers"][5:]}}
    path.write_text(json.dumps(broken), encoding="utf-8")
    with pytest.raises(InputError, match="cannot be played again"):
        load_replay(path, "A")
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match="is not a replay file"):
        load_replay(path)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["12", "--run", "{run}"], "there is no match 12; the run has the matches 0 to 11"),
        (["abc", "--run", "{run}"], "not 'abc'"),
        (["3"], "match 3 of which run?"),
        (["nothing.json"], "nothing.json: cannot be read"),
        (["3", "--run", "{run}", "--format", "htm"], "did you mean 'html'?"),
        (["3", "--run", "{run}", "--view", "C"], "allowed: A, B, all"),
        (["3", "--run", "elsewhere"], "elsewhere: holds no run"),
    ],
)
def test_mistakes_are_answered_in_a_sentence(played_run, capsys, arguments, message):
    assert main(["replay", *(word.replace("{run}", str(played_run)) for word in arguments)]) == 1
    said = capsys.readouterr().err
    assert message in said and "Traceback" not in said


def test_the_command_writes_text_json_and_a_page(played_run, capsys, tmp_path):
    assert main(["replay", "3", "--run", str(played_run)]) == 0
    text = capsys.readouterr().out
    assert "Stint 1 begins (R16.3)" in text and text.startswith("match 3 of run")
    assert main(["replay", "3", "--run", str(played_run), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    numbered = [line for line in text.splitlines() if re.match(r" *\d+  ", line)]
    assert len(data["steps"]) == len(numbered) and data["kind"] == "apotheosis-replay"
    page = tmp_path / "page.html"
    assert main(["replay", "3", "--run", str(played_run), "--format", "html", "--out", str(page), "--language", "pt"]) == 0
    assert '<html lang="pt">' in page.read_text(encoding="utf-8")
    assert main(["replay", "3", "--run", str(played_run), "--format", "html", "--quiet"]) == 0
    assert (played_run / "replays" / "000003.html").is_file()


# ----- the page


def test_the_page_is_well_formed_holds_every_step_and_needs_nothing_from_elsewhere(whole, read_page):
    for match in (0, 3):
        text = replay_page(whole[match])
        page = read_page(text)
        assert page.errors == []
        addresses = [a[key] for _, a in page.elements for key in ("src", "href") if key in a]
        assert all(address.startswith(("#", "data:")) for address in addresses)
        lines = [a for a in page.all("li") if a.get("id", "").startswith("step-")]
        assert [a["id"] for a in lines] == [f"step-{n}" for n in range(1, len(whole[match]["steps"]) + 1)]
        assert len(text.encode()) < 60_000 + 600 * len(lines)


def test_the_page_uses_only_characters_that_usual_fonts_have(stored, card_words):
    known = "▲▶❚·–−→←↑↓…‹›«»“”’•\u202f\u00a0"
    for language in ("en", "pt"):
        text = replay_page(stored.replay(4, card_words[language]))
        odd = {c for c in text if ord(c) > 0x24F and c not in known}
        assert odd == set()


# ----- from a report


def test_a_report_chooses_the_best_matches_of_the_first_cards_then_covers_the_others():
    rows = [("x", 7, 5), ("x", 3, 4), ("x", 9, 1), ("y", 3, 2), ("y", 8, 9), ("z", 8, 1), ("z", 5, 3)]
    index = replays.ReplayIndex()
    frame = pd.DataFrame(rows, columns=["card_id", "match_id", "activated"]).assign(placed=0, reacted=0)
    index.add(frame.iloc[:4])
    index.add(frame.iloc[4:])
    best = index.matches()
    assert list(best[best["card_id"] == "x"]["match_id"]) == [7, 3, 9]
    assert replays.choose(best, ["x"], 10) == [7, 3, 5]
    assert replays.choose(best, [], 10) == [3, 5]
    assert replays.choose(best, ["x", "y"], 1) == [7]
    assert replays.choose(best, ["x", "y"], 4) == [7, 8, 3]
    assert replays.choose(best, ["x"], 0) == []


def test_each_link_of_a_report_leads_to_a_step_at_which_the_card_is_at_work(played_report, read_page, stored, card_words):
    page = read_page(played_report.page.read_text(encoding="utf-8"))
    links = [a["href"] for a in page.all("a") if a.get("href", "").startswith("replays/")]
    assert len(links) > 30
    written = {name for name in played_report.files if name.startswith("replays/")}
    assert len(written) == 4
    told = {}
    for link in links:
        file, card, step = re.fullmatch(r"(replays/\d{6}\.html)\?card=(\w+)#step-(\d+)", link).groups()
        assert file in written and (played_report.folder / file).is_file()
        match = int(file[8:14])
        if match not in told:
            told[match] = stored.replay(match, card_words["en"])["steps"]
        if int(step) > 1:
            assert told[match][int(step) - 1]["card"] == card
    texts = (played_report.folder / sorted(written)[0]).read_text(encoding="utf-8")
    assert 'href="../report.html"' in texts


def test_a_report_of_the_same_run_shows_the_same_matches_byte_for_byte(played_run, played_report, tmp_path):
    from apotheosis.experiments.report.builder import write_report

    (tmp_path / "replays").mkdir()
    (tmp_path / "replays" / "999999.html").write_text("of an earlier report", encoding="utf-8")
    again = write_report(played_run, "en", tmp_path, replays=4)
    assert [name for name in again.files if "replays/" in name] == [name for name in played_report.files if "replays/" in name]
    for name in again.files:
        if name.startswith("replays/"):
            assert (tmp_path / name).read_bytes() == (played_report.folder / name).read_bytes()
    assert not (tmp_path / "replays" / "999999.html").exists()


def test_a_report_says_why_matches_cannot_be_shown(written):
    page = written.page.read_text(encoding="utf-8")
    assert "No match of this run can be shown: " in page
    assert not [name for name in written.files if name.startswith("replays/")]
