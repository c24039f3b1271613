"""Plays the steps of a scenario and judges what must hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from apotheosis.env.errors import InputError, unknown
from apotheosis.env.explain import explain
from apotheosis.env.rules.codes import Act, Decision, Kind, Outcome
from apotheosis.env.rules.layout import SIDE
from apotheosis.env.rules.opcodes import Select
from apotheosis.env.scenario import payments
from apotheosis.env.scenario.expect import expect, sees
from apotheosis.env.scenario.position import Position, build
from apotheosis.env.scenario.read import Scenario
from apotheosis.env.vocabulary import Activation

Key = tuple[str | int, ...]

QUESTIONS = {
    Decision.TURN: "TURN",
    Decision.CARD: "DEC_TARGET",
    Decision.EFFECT: "DEC_EFFECT",
    Decision.CHOOSE: "DEC_EFFECT",
    Decision.PICK: "DEC_TARGET",
    Decision.RECOVER: "DEC_CHANGE",
    Decision.WALK: "DEC_TILE",
}
"""Names of questions where they are not DEC_ and the kernel's own name (ARENA A5.2)."""

DRAFT = (Decision.CARD, Decision.EFFECT, Decision.NUMBER, Decision.TARGET, Decision.TILE, Decision.PAY_ENERGY)


class Failed(Exception):
    """A step that does not hold; its text says what was expected and found."""


@dataclass(frozen=True)
class Verdict:
    """What came of a scenario.

    Attributes:
        holds: whether every step held and all dice were used.
        message: what failed, with file and step; empty when it holds.
        trace: the trace from the start, one line an event.
    """

    scenario: Scenario
    holds: bool
    message: str
    trace: tuple[str, ...] = ()


def run_scenario(scenario: Scenario) -> Verdict:
    """Plays a scenario.

    Raises:
        InputError: the file says something that cannot be.
    """
    player = Player(build(scenario))
    try:
        player.run(scenario.get("steps") or [], ("steps",))
        player.check_dice()
    except Failed as failure:
        return Verdict(scenario, False, str(failure), tuple(player.trace()))
    return Verdict(scenario, True, "", ())


DECLINED: tuple[Any, ...] = ("PASS", "no", [])
"""Ways to write that nothing is chosen."""


class Player:
    """Plays steps on a position."""

    def __init__(self, position: Position):
        self.position = position
        self.match = position.match
        self.scenario = position.scenario
        self.before: Any = None

    def trace(self) -> list[str]:
        """Returns the trace of what has happened so far."""
        from apotheosis.env.trace import trace

        return trace(self.match.events(), self.match.state["ident"], self.position.pool)

    def stopped(self) -> str:
        """Returns what stopped the engine before the rules did, empty in every sound match."""
        if self.match.fault:
            return repr(self.match.fault)
        return repr(self.match.outcome) if self.match.outcome > Outcome.DRAW else ""

    def check_dice(self) -> None:
        """Fails if listed dice were left over, or if more were rolled than listed."""
        state = self.match.state
        if self.stopped():
            raise Failed(f"{self.scenario.path}: the engine stopped with {self.stopped()}")
        left = int(state["forced_n"]) - int(state["forced_at"])
        if left > 0:
            raise Failed(f"{self.scenario.path}: {left} of the listed dice were not rolled")

    def run(self, steps: list[Any], at: Key) -> None:
        """Plays a list of steps."""
        for index, step in enumerate(steps):
            ((kind, body),) = step.items()
            here = (*at, index)
            if not self._answers_order(kind, body):
                self._take_listed_order()
            try:
                getattr(self, f"_{kind}")(body, (*here, kind))
            except Failed as failure:
                text = str(failure)
                if text.startswith(str(self.scenario.path)):
                    raise
                raise Failed(f"{self.scenario.tree.place(here)}: step {_number(here)} ({kind}): {text}") from None
            if self.stopped():
                raise Failed(f"{self.scenario.tree.place(here)}: step {_number(here)}: the engine stopped: {self.stopped()}")

    # ----- naming

    def target(self, body: dict[str, Any], at: Key) -> int:
        """Returns the target of an action: a character, or a tile of a move; -1 none."""
        if "to" in body and not self._is_push(body):
            return self._tile(body["to"], (*at, "to"))
        value = body.get("target")
        if value is None:
            return -1
        if isinstance(value, list):
            return self._tile(value, (*at, "target"))
        if value in self.position.chars:
            return self.position.chars[value]
        made = self.position.made()
        if value in made and not self._selects_card(body):
            return made[value]
        if value not in self.position.copies:
            words = [*self.position.chars, *made, *self.position.copies]
            raise self.scenario.fault(unknown("character or card", str(value), words).message, *at, "target")
        return self.position.copies[value]

    def _selects_card(self, body: dict[str, Any]) -> bool:
        """Tells whether the target of an action is a card: its effect selects one."""
        copy = self.position.copies.get(str(body.get("card")), -1)
        effect = self._effect(body, copy) if copy >= 0 else -1
        return effect >= 0 and int(self.position.pool.record["effect"][0][effect]["select"]) == Select.CARD

    def _is_push(self, body: dict[str, Any]) -> bool:
        """Tells whether an action has both a target and a tile."""
        return str(body["action"]).removeprefix("ACT_") == Kind.PUSH.name

    def _tile(self, value: Any, at: Key) -> int:
        if not isinstance(value, list) or len(value) != 2:
            raise self.scenario.fault("a tile is [x, y]", *at)
        return int(value[1]) * SIDE + int(value[0])

    def _kind(self, body: dict[str, Any], at: Key) -> Kind:
        word = str(body["action"]).removeprefix("ACT_")
        known = {kind.name: kind for kind in Kind if kind <= Kind.CONCEDE}
        if word not in known:
            raise self.scenario.fault(unknown("action", str(body["action"]), [f"ACT_{name}" for name in known]).message, *at)
        return known[word]

    def _effect(self, body: dict[str, Any], card: int) -> int:
        if str(body["action"]).removeprefix("ACT_") == "TECHNIQUE":
            return int(body.get("effect", -2))
        if self._is_push(body):
            return self._tile(body["to"], ("to",)) if "to" in body else -2
        if card < 0:
            return -2
        ident = self.position.pool.record["card"][0][int(self.match.state["ident"][card])]
        first = int(ident["effect_first"])
        if "effect" in body:
            return first + int(body["effect"])
        rows = self.position.pool.record["effect"][0][first : first + int(ident["effect_n"])]
        free = [index for index, row in enumerate(rows) if row["activation"] == Activation.Activate and row["hears"] == 0]
        return first + free[0] if len(free) == 1 else -2

    def options(self) -> dict[str, int]:
        """Returns the codes of the pending question by the names a scenario gives them."""
        return {self.option_name(int(code)): int(code) for code in self.match.legal()}

    def option_name(self, code: int) -> str:
        """Returns the name of an option: a card, a character, a tile, a number, PASS, yes or no."""
        from apotheosis.env.rules.position_door import copy_of_code

        if code >= Act.YES:
            return {int(Act.YES): "yes", int(Act.NO): "no", int(Act.PASS): "PASS"}[code]
        if code >= Act.OPTION:
            return str(code - Act.OPTION)
        if code >= Act.NUMBER:
            return str(code - Act.NUMBER)
        if code >= Act.CHAR:
            return self.position.char_name(code - Act.CHAR)
        if code >= Act.TILE:
            tile = code - int(Act.TILE)
            return str([tile % SIDE, tile // SIDE])
        if code >= Act.CARD:
            return self.position.copy_name(int(copy_of_code(self.match.matches, 0, code)))
        return f"ACT_{Kind(code).name}"

    # ----- steps

    def _why(self, body: dict[str, Any], at: Key) -> Any:
        char = self.position.char(body["who"], *at, "who")
        kind = self._kind(body, (*at, "action"))
        card = self.position.copy(body["card"], *at, "card") if "card" in body else -1
        name = self.position.char_name
        return explain(self.match, char, kind, card, self.target(body, at), self._effect(body, card), name)

    def _legal(self, body: dict[str, Any], at: Key) -> None:
        found = self._why(body, at)
        if not found.legal:
            raise Failed(f"expected legal, found: {found.sentence}")
        rule, sentence = self._why_not_payment(body, at) if "pay" in body else ("", "")
        if rule:
            raise Failed(f"expected legal, found: {sentence} ({rule})")

    def _illegal(self, body: dict[str, Any], at: Key) -> None:
        found = self._why(body, at)
        rule, sentence = found.rule, found.sentence
        if found.legal and "pay" in body:
            rule, sentence = self._why_not_payment(body, at)
        if not rule:
            raise Failed("expected illegal, found legal")
        if "because" in body and str(body["because"]) != rule:
            raise Failed(f"expected the reason {body['because']}, found {rule}: {sentence}")

    def _do(self, body: dict[str, Any], at: Key) -> None:
        char = self.position.char(body["who"], *at, "who")
        if self.match.over:
            raise Failed("the match is over")
        if self.match.decision != Decision.TURN or self.match.asked != char:
            raise Failed(f"{body['who']} is not asked for an action; pending is {self.describe()}")
        found = self._why(body, at)
        if not found.legal:
            raise Failed(f"not legal: {found.sentence}")
        rule, sentence = self._why_not_payment(body, at) if "pay" in body else ("", "")
        if rule:
            raise Failed(f"not legal: {sentence} ({rule})")
        self.declare(body, at)
        self.pay_cards([str(card) for card in body.get("pay", ())])

    def declare(self, body: dict[str, Any], at: Key) -> None:
        """Declares an action with the parameters that are given, up to the first question that none of them answers."""
        kind = self._kind(body, (*at, "action"))
        before = int(self.match.state["actions"])
        self.apply(int(Act.KIND) + int(kind))
        while not self.match.over and self.match.decision in DRAFT and int(self.match.state["d_kind"]) == kind:
            code = self._drafted(body, at)
            if code is None:
                return
            self.apply(code)
            if int(self.match.state["actions"]) != before:
                break

    def pay_cards(self, left: list[str]) -> list[str]:
        """Pays requirement costs with the named cards while they are asked for; returns the names not used."""
        left = list(left)
        char = -1 if self.match.over else self.match.asked
        while left and not self.match.over and self.match.decision == Decision.PAY_CARDS and self.match.asked == char:
            names = self.options()
            card = next((name for name in left if name in names), None)
            if card is None:
                break
            left.remove(card)
            self.apply(names[card])
        return left

    def _drafted(self, body: dict[str, Any], at: Key) -> int | None:
        decision = self.match.decision
        names = self.options()
        if decision == Decision.CARD and "card" in body:
            return self._among(names, body["card"])
        if decision == Decision.EFFECT and "effect" in body:
            return self._among(names, str(body["effect"]))
        if self._is_push(body) and decision in (Decision.TARGET, Decision.TILE):
            key = "to" if decision == Decision.TILE else "target"
            return self._among(names, self._name_of(body[key])) if key in body else None
        if decision in (Decision.TARGET, Decision.TILE) and ("target" in body or "to" in body):
            return self._among(names, self._name_of(body.get("to", body.get("target"))))
        if decision == Decision.PAY_ENERGY and "pay" in body:
            wanted = [self.position.copy(card) for card in body["pay"]]
            skills = payments.skills_among(self.match, wanted, payments.offers(self.match))
            return self._payment([self.position.copy_name(copy) for copy in skills])
        return None

    def _name_of(self, value: Any) -> str:
        return str([int(part) for part in value]) if isinstance(value, list) else str(value)

    def _among(self, names: dict[str, int], wanted: Any) -> int:
        if str(wanted) not in names:
            raise Failed(f"{wanted} is no option; options are {', '.join(sorted(names))}")
        return names[str(wanted)]

    def _payment(self, cards: list[Any]) -> int:
        number = payments.number_of(self.match, [self.position.copy(card) for card in cards])
        if number < 0:
            names = [" + ".join(self.position.copy_name(copy) for copy in offer) for offer in payments.offers(self.match)]
            raise Failed(f"{cards} is no way to pay; ways are {'; '.join(names)}")
        return int(Act.NUMBER) + number

    def _why_not_payment(self, body: dict[str, Any], at: Key) -> tuple[str, str]:
        """Tries an action on a copy of the match: the rule by which the named cards do not pay for it, or empty words."""
        trial = Player(self.position)
        trial.match = self.match.copy()
        before = self.match.state.copy()
        wanted = [self.position.copy(card, *at, "pay") for card in body["pay"]]
        trial.declare({key: value for key, value in body.items() if key != "pay"}, at)
        name = self.position.copy_name
        if payments.asks_for_energy(trial.match):
            sets = payments.offers(trial.match)
            skills = payments.skills_among(trial.match, wanted, sets)
            fault = payments.energy_fault(trial.match, skills, sets, name)
            if fault[0]:
                return fault
            trial.apply(int(Act.NUMBER) + payments.number_of(trial.match, skills))
        left = trial.pay_cards([str(card) for card in body["pay"]])
        stuck = [self.position.copy(card) for card in left if not trial.has_moved(card, before)]
        if payments.asks_for_cards(trial.match) and stuck:
            return "R7.6.1", f"{name(stuck[0])} does not pay for it"
        own = self.position.copy(body["card"]) if "card" in body else -1
        paid = [copy for copy in payments.skills_turned(trial.match, before) if copy != own]
        ready = payments.ready_skills(trial.match, stuck)
        named = [copy for copy in wanted if copy != own and (copy in paid or copy in ready)]
        return payments.energy_fault(trial.match, named, [paid], name) if named and (paid or ready) else ("", "")

    def apply(self, code: int) -> None:
        """Answers the pending question."""
        self.before = self.match.state.copy()
        try:
            self.match.apply(code)
        except InputError:
            raise Failed(f"{self.option_name(code)} is no option; options are {', '.join(sorted(self.options()))}") from None

    def _answer(self, body: dict[str, Any], at: Key) -> None:
        char = self.position.char(body["who"], *at, "who")
        choice = body["choose"]
        if self.before is not None and isinstance(choice, list) and choice and all(self._is_taken(item) for item in choice):
            # the only set there was has been taken without a question (A5.4): its answer may be written down
            self.before = None
            return
        if self.match.over or self.match.asked != char:
            raise Failed(f"{body['who']} is not asked; pending is {self.describe()}")
        if choice in DECLINED:
            declined = next((word for word in ("PASS", "no") if word in self.options()), choice)
            self.apply(self._among(self.options(), str(declined)))
            return
        if choice == "yes" and self._is_single_offer():
            # an optional effect alone in its window: yes takes it, as no declines it (R7.3.3)
            self.apply(next(code for name, code in self.options().items() if name != "PASS"))
            return
        if isinstance(choice, str) and (payments.asks_for_energy(self.match) or self._names_the_price(choice)):
            choice = [choice]
        if isinstance(choice, list) and not all(isinstance(part, int) for part in choice):
            self._answer_list(choice)
            return
        self.apply(self._among(self.options(), self._name_of(choice)))

    def _is_single_offer(self) -> bool:
        """Tells whether the pending question is whether one card reacts or none does."""
        names = self.options()
        return self.match.decision == Decision.REACT and "PASS" in names and len(names) == 2

    def _names_the_price(self, choice: str) -> bool:
        """Tells whether an answer to the question of Divine Salvation is the card that pays for it."""
        return self.match.decision == Decision.SALVATION and choice in self.position.copies

    def _answer_list(self, choice: list[Any]) -> None:
        decision = self.match.decision
        if decision == Decision.PAY_ENERGY:
            self.apply(self._payment(choice))
            return
        if decision in (Decision.REACT, Decision.ORDER):
            self._answer_order([str(card) for card in choice])
            return
        before = self.match.state.copy()
        if decision == Decision.SALVATION:
            self.apply(int(Act.YES))
            decision = self.match.decision
        left = [str(item) for item in choice]
        asked = self.match.asked
        while True:
            # cards that no others could stand for are taken without a question (A5.4)
            left = [item for item in left if not self.has_moved(item, before)]
            if not left:
                break
            names = self.options()
            item = next((name for name in names if name in left), None)
            if item is None or self.match.decision != decision:
                raise Failed(f"{', '.join(left)} cannot be chosen; options are {', '.join(sorted(names))}")
            left.remove(item)
            self.apply(names[item])
        if not self.match.over and self.match.decision == decision and self.match.asked == asked and "PASS" in self.options():
            self.apply(int(Act.PASS))

    def _answer_order(self, cards: list[str]) -> None:
        """Answers an order: of own effects the first takes the window, in a phase the others follow (R8.3.4, R8.7)."""
        asked, decision = self.match.asked, self.match.decision
        self.apply(self._among(self.options(), cards[0]))
        for card in cards[1:]:
            waits = not self.match.over and self.match.decision == decision and self.match.asked == asked
            if not waits or card not in self.options():
                return
            self.apply(self.options()[card])

    def has_moved(self, name: str, before: Any) -> bool:
        """Tells whether a copy is somewhere else, or turned sideways, since an earlier state."""
        copy = self.position.copies.get(name)
        if copy is None:
            return False
        return self.match.state["zone"][copy] != before["zone"][copy] or copy in payments.turned(self.match, before)

    def _is_taken(self, item: Any) -> bool:
        """Tells whether a card has moved or been turned since the last action or answer."""
        return self.has_moved(str(item), self.before)

    def _end_turn(self, body: Any, at: Key) -> None:
        self._do({"who": body, "action": "ACT_END_TURN"}, at)

    def describe(self) -> str:
        """Returns the pending question with who is asked."""
        if self.match.over:
            return f"nothing, the match is over ({self.match.outcome.name})"
        return f"{self.question()} of {self.position.char_name(self.match.asked)}"

    def question(self) -> str:
        """Returns the name of the pending question."""
        decision = self.match.decision
        if self._asks_order():
            return "DEC_ORDER"
        return QUESTIONS.get(decision, f"DEC_{decision.name}")

    def _asks_order(self) -> bool:
        """Tells whether the pending question is an order: of own effects, or of the victims of an attack."""
        if self.match.over:
            return False
        return self.match.decision == Decision.ORDER or (self.match.decision == Decision.REACT and self._is_order())

    def _answers_order(self, kind: str, body: Any) -> bool:
        """Tells whether a step speaks of the order that is pending."""
        if not self._asks_order():
            return False
        if kind == "pending":
            return bool(body["decision"] == "DEC_ORDER")
        if kind != "answer" or body["who"] != self.position.char_name(self.match.asked):
            return False
        choice = body["choose"]
        return str(choice[0] if isinstance(choice, list) and choice else choice) in self.options()

    def _is_order(self) -> bool:
        """Tells whether only mandatory Autos of one Hero compete for the window: which of them is first is an order (R8.4)."""
        if "PASS" in self.options():
            return False
        state, record = self.match.state, self.position.pool.record[0]
        event = int(state["frame"]["event"][int(state["sp"]) - 1])
        for name in self.options():
            card = record["card"][int(state["ident"][self.position.copy(name)])]
            first = int(card["effect_first"])
            for row in record["effect"][first : first + int(card["effect_n"])]:
                if int(row["hears"]) >> event & 1 and (row["activation"] == Activation.Activate or row["optional"]):
                    return False
        return True

    def _take_listed_order(self) -> None:
        """Answers an order that no step answers: the effects come as they are listed."""
        while self._asks_order():
            self.apply(min(self.options().values()))

    def _pending(self, body: dict[str, Any], at: Key) -> None:
        if self.match.over:
            raise Failed("the match is over")
        who = self.position.char(body["who"], *at, "who")
        if self.match.asked != who or self.question() != body["decision"]:
            raise Failed(f"expected {body['decision']} of {body['who']}, found {self.describe()}")
        if "options" in body:
            if payments.asks_for_energy(self.match):
                listed = [option if isinstance(option, list) else [option] for option in body["options"]]
                wanted = {" + ".join(sorted(str(card) for card in option)) for option in listed}
                sets = payments.offers(self.match)
                found = {" + ".join(sorted(self.position.copy_name(copy) for copy in offer)) for offer in sets}
            else:
                wanted = {self._name_of(option) for option in body["options"]}
                found = set(self.options())
            if wanted != found:
                raise Failed(f"expected the options {sorted(wanted)}, found {sorted(found)}")

    def _repeat(self, body: dict[str, Any], at: Key) -> None:
        for _ in range(int(body["times"])):
            self.run(body["steps"], (*at, "steps"))

    def _expect(self, body: dict[str, Any], at: Key) -> None:
        for path, wanted in body.items():
            found = expect(self.position, str(path), (*at, path))
            if str(path).endswith(".markers") and isinstance(wanted, list):
                found, wanted = sorted(found), sorted(map(str, wanted))
            if found != wanted:
                raise Failed(f"{path}: expected {wanted}, found {found}")

    def _sees(self, body: dict[str, Any], at: Key) -> None:
        fault = sees(self.position, body, at)
        if fault:
            raise Failed(fault)


def _number(at: Key) -> str:
    return ".".join(str(part + 1) for part in at if isinstance(part, int))
