"""A match told to people: one sentence per happening, in English or Portuguese, with the rule it rests on.

`trace` tells the same happenings in the terse form that tests compare. A narrator tells one seat at a time and leaves out
what that seat may not know (ARENA A8): a hidden card is "a card", and a sentence that would say nothing is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from apotheosis.env.cards.text.header import KEYWORDS
from apotheosis.env.narration_words import ACTIONS, CAUSES, LANGUAGES, LIVES, NEGATED, RESULTS, SENTENCES
from apotheosis.env.picture import TABLE, Labels, knows
from apotheosis.env.rulebook import rule_ids, title
from apotheosis.env.rules.codes import Cause, Kind, Life, Log, Outcome, Zone
from apotheosis.env.rules.layout import CARDS, COPIES, HEROES, SIDE
from apotheosis.env.rules.opcodes import Negate
from apotheosis.env.trace import CAUSE_RULES, KIND_RULES
from apotheosis.env.vocabulary import Activation, Attribute

if TYPE_CHECKING:
    from apotheosis.env.card_words import CardWords

USES = (
    Kind.USE_TABLE, Kind.USE_HAND, Kind.USE_SHEET, Kind.USE_SCENARIO, Kind.USE_TEAM, Kind.USE_DISCARD, Kind.TECHNIQUE,
)  # fmt: skip
PLACES = (Kind.PLACE, Kind.WITHDRAW, Kind.ATTACH, Kind.DETACH, Kind.DROP_EXTRA)
"""Actions that say by themselves where their card goes."""


@dataclass(frozen=True)
class Sentence:
    """One happening in words.

    Attributes:
        kind: what happened, the key of its words.
        text: the sentence.
        rule: id of the rule, empty where none says more.
        seat: whose happening it is, 0 for A, 1 for B, None for nobody's.
        depth: 0 for stints, turns and turn actions, 1 for what follows from them.
        card: id of the card it is about, None where there is none or the seat may not know it.
        says: rendered text of the effect that acts.
    """

    kind: str
    text: str
    rule: str = ""
    seat: int | None = None
    depth: int = 1
    card: str | None = None
    says: str = ""


@dataclass(frozen=True)
class Moment:
    """A happening with the states around it.

    Attributes:
        args: the row of the event log.
        before, after: match records before and after it.
        final: the record once the answer that brought it is worked off.
        setting_up: whether the match is still being set up.
        declared: whether it declares an action whose card moves only after it.
    """

    args: list[int]
    before: Any
    after: Any
    final: Any
    setting_up: bool = False
    declared: bool = False


@cache
def timing_rules() -> dict[str, str]:
    """Returns the rule of each timing keyword by its name, where the rulebook has one."""
    ids = {title(rule): rule for rule in rule_ids() if rule.startswith("R6.4.")}
    named = {name: words[1] for (group, name), words in KEYWORDS.items() if group == "Timing"}
    found = {name: ids.get(word, ids.get(f"{word} (legacy)")) for name, word in named.items()}
    return {name: rule for name, rule in found.items() if rule is not None}


class Narrator:
    """Tells happenings one after the other to one seat.

    Args:
        words: the cards in the wanted language.
        labels: names of the characters.
        seat: who is told; None is told everything.
    """

    def __init__(self, words: CardWords, labels: Labels, seat: int | None = None):
        self.words, self.labels, self.seat = words, labels, seat
        self._side = LANGUAGES.index(words.language)
        self.action: tuple[Kind, int] | None = None
        self._tellers: dict[Log, Callable[[Moment], Sentence | None]] = {
            Log.STINT: lambda m: Sentence("stint", self.say("stint", n=m.args[0]), "R16.3", depth=0),
            Log.TURN: self._turn,
            Log.ACTION: self._act,
            Log.MOVE_PIECE: self._move_piece,
            Log.MOVE_CARD: self._move_card,
            Log.ATTACK: self._attack,
            Log.ROLL: self._roll,
            Log.DAMAGE: self._damage,
            Log.HP: self._hp,
            Log.DEATH: lambda m: self._of(m, "death", "R14.1", LIVES[Life(m.args[1])]),
            Log.SALVATION: lambda m: self._of(m, "salvation", "R14.5"),
            Log.EXHAUST: lambda m: self._of_card(m, "exhausted", "R5.1"),
            Log.RECOVER: lambda m: self._of_card(m, "recovered", "R5.2"),
            Log.MARKER: self._marker,
            Log.COUNTER: self._counter,
            Log.CHECK: lambda m: self._of(m, "check", "R11.1", n=m.args[1], difficulty=m.args[2]),
            Log.LOOP: lambda m: Sentence("loop", self.say("loop"), "R27.1"),
            Log.MULLIGAN: lambda m: self._of(m, "mulligan", "A3.6"),
            Log.ACTIVATE: self._activate,
            Log.NEGATED: lambda m: self._of(m, "negated", "R8.8", what=NEGATED[Negate(m.args[1])][self._side]),
            Log.END: self._end,
        }

    def tell(self, kind: Log, moment: Moment) -> Sentence | None:
        """Returns the sentence for one happening, None where another one says it already."""
        return self._tellers[kind](moment)

    # ----- words

    def say(self, key: str, **values: object) -> str:
        """Returns the sentence of a key with its places filled."""
        return self.fill(SENTENCES[key], **values)

    def fill(self, pair: tuple[str, str], **values: object) -> str:
        """Returns a pair of texts in the narrator's language with its places filled, beginning with a capital."""
        text = pair[self._side].format(**values)
        return text[:1].upper() + text[1:]

    def word(self, pair: tuple[str, str]) -> str:
        """Returns the text of a pair in the narrator's language."""
        return pair[self._side]

    def listing(self, names: Iterable[str]) -> str:
        """Returns names as `x, y and z`."""
        *first, last = names
        return f"{', '.join(first)}{SENTENCES['and'][self._side]}{last}" if first else last

    def who(self, moment: Moment, char: int) -> str:
        """Returns the name of a character: its label, with the card's name for a Companion."""
        if char < 0:
            return SENTENCES["everyone"][self._side]
        label, body = self.labels.of(moment.after, char), int(moment.after["body"][char])
        if char < HEROES or body < 0 or not self.knows(moment, body):
            return label if char < HEROES or body < 0 else SENTENCES["a_piece"][self._side]
        return f"{self.words.name(int(moment.after['ident'][body]))} ({label})"

    def card(self, moment: Moment, copy: int) -> str:
        """Returns the name of a card copy, or of the character that the number stands for."""
        if copy >= CARDS:
            return self.who(moment, copy - CARDS)
        if copy < 0 or not self.knows(moment, copy):
            return SENTENCES["a_card"][self._side]
        return self.words.name(int(moment.after["ident"][copy]))

    def knows(self, moment: Moment, copy: int) -> bool:
        """Tells whether the seat knows a card copy, where it was or where it is now."""
        if copy < 0 or moment.after["ident"][copy] < 0:
            return False
        if moment.declared and knows(moment.final, copy, self.seat):
            return True
        return knows(moment.before, copy, self.seat) or knows(moment.after, copy, self.seat)

    def card_id(self, moment: Moment, copy: int) -> str | None:
        """Returns the id of a card copy that the seat knows."""
        if not 0 <= copy < CARDS or not self.knows(moment, copy):
            return None
        return self.words.pool.cards[int(moment.after["ident"][copy])].id

    # ----- happenings

    def _of(self, moment: Moment, key: str, rule: str, pair: tuple[str, str] | None = None, **values: object) -> Sentence:
        """Returns a sentence about the character that comes first in the row."""
        char = moment.args[0]
        text = self.fill(pair or SENTENCES[key], who=self.who(moment, char), **values)
        return Sentence(key, text, rule, self._seat_of(moment, char))

    def _of_card(self, moment: Moment, key: str, rule: str, copy: int = -1, **values: object) -> Sentence:
        """Returns a sentence about the card that comes first in the row."""
        copy = moment.args[0] if copy < 0 else copy
        owner = copy // COPIES
        who = self.labels.of(moment.after, owner) if owner < HEROES else "–"
        text = self.say(key, who=who, card=self.card(moment, copy), **values)
        return Sentence(key, text, rule, owner % 2 if owner < HEROES else None, card=self.card_id(moment, copy))

    def _seat_of(self, moment: Moment, char: int) -> int | None:
        team = int(moment.after["team"][char]) if char >= 0 else -1
        return team if team in (0, 1) else None

    def _turn(self, moment: Moment) -> Sentence:
        told = self._of(moment, "turn", "R16.5", n=moment.args[1])
        return Sentence("turn", told.text, told.rule, told.seat, 0)

    def _act(self, moment: Moment) -> Sentence | None:
        char, kind, copy, target = moment.args[0], Kind(moment.args[1]), moment.args[2], moment.args[3]
        self.action = (kind, copy)
        if kind == Kind.MOVE:
            return None
        text = self.fill(ACTIONS[kind], who=self.who(moment, char), card=self.card(moment, copy))
        if target >= 0:
            text += self.say("on", target=self.who(moment, target))
        return Sentence(
            f"action.{kind.name}",
            text,
            KIND_RULES.get(kind, "A5.1"),
            self._seat_of(moment, char),
            0,
            self.card_id(moment, copy),
        )

    def _move_piece(self, moment: Moment) -> Sentence:
        tile, how = moment.args[1], moment.args[2]
        if tile < 0:
            return self._of(moment, "off_board", "R15.12")
        key = "start" if moment.setting_up else {1: "pushed", 2: "put", 3: "swapped"}.get(how, "move")
        rule = "A3.4" if moment.setting_up else "R15.8" if how == 0 else "R15.12" if how in (2, 3) else "R15.11"
        values = {"x": tile % SIDE, "y": tile // SIDE, "target": self.who(moment, moment.args[3])}
        told = self._of(moment, key, rule, **values)
        return Sentence(key, told.text, rule, told.seat, 0 if how == 0 and not moment.setting_up else 1)

    def _move_card(self, moment: Moment) -> Sentence | None:
        copy, before, after = moment.args[0], Zone(moment.args[1]), Zone(moment.args[2])
        if self.action is not None and self.action[0] in PLACES and self.action[1] == copy:
            return None
        key, rule = self._movement(before, after, moment.setting_up)
        return self._of_card(moment, key, rule)

    @staticmethod
    def _movement(before: Zone, after: Zone, setting_up: bool) -> tuple[str, str]:
        """Returns the words and the rule of a card's way from zone to zone."""
        if after in TABLE:
            return ("muster", "A3.7") if setting_up and before == Zone.HAND else ("placed", "R5.7")
        if after == Zone.HAND:
            return ("draw", "R5.8") if before == Zone.DECK else ("taken", "R5.6")
        if after == Zone.DISCARD:
            if before == Zone.RESOLVING:
                return "resolved", "R7.1.8"
            return ("left_table" if before in TABLE else "discarded"), "R5.3"
        if after == Zone.DECK:
            return ("shuffle_back", "A3.6") if setting_up else ("buried", "R5.4")
        return {
            Zone.RESOLVING: ("revealed", "R7.1.2"), Zone.BANISHED: ("banished", "R5.5"), Zone.SCENARIO: ("registered", "R5.12"),
            Zone.ATTACHED: ("attached", "R5.13"), Zone.LIMBO: ("limbo", "R4.7"),
        }.get(after, ("elsewhere", "R5.20"))  # fmt: skip

    def _attack(self, moment: Moment) -> Sentence:
        copy, target = moment.args[1], moment.args[2]
        key = ("attack_card" if target >= 0 else "attack_area") if copy >= 0 else "attack"
        told = self._of(moment, key, "R9.1.2", target=self.who(moment, target), card=self.card(moment, copy))
        return Sentence(key, told.text, told.rule, told.seat, card=self.card_id(moment, copy))

    def _roll(self, moment: Moment) -> Sentence:
        key = "roll" if moment.args[1] > 0 else "roll_none"
        return self._of(moment, key, "R9.1.4", n=moment.args[1], face=moment.args[2])

    def _damage(self, moment: Moment) -> Sentence:
        endurance = int(moment.after["attr"][moment.args[0]][Attribute.END])
        key, rule = ("damage", "R13.3") if moment.args[1] > 0 else ("injury", "R13.8")
        told = self._of(moment, key, rule, n=moment.args[1], injury=moment.args[2], end=endurance)
        return Sentence(key, told.text, rule, told.seat, card=self.card_id(moment, moment.args[3]))

    def _hp(self, moment: Moment) -> Sentence:
        key, rule = ("lose_hp", "R13.4") if moment.args[1] < 0 else ("gain_hp", "R5.15")
        told = self._of(moment, key, rule, n=abs(moment.args[1]), left=moment.args[2])
        return Sentence(key, told.text, rule, told.seat, card=self.card_id(moment, moment.args[3]))

    def _marker(self, moment: Moment) -> Sentence:
        names = self.words.pool.effect_names.markers
        name = next((name for name, bit in names.items() if bit == moment.args[1]), str(moment.args[1]))
        return self._of(moment, "marker_on" if moment.args[2] else "marker_off", "R18.1", marker=name)

    def _counter(self, moment: Moment) -> Sentence:
        names = self.words.pool.effect_names.counters
        name = next((name for name, number in names.items() if number == moment.args[1]), str(moment.args[1]))
        return self._of_card(moment, "counter", "R18.3", n=f"{moment.args[3]:+d}".replace("-", "\u2212"), counter=name)

    def _activate(self, moment: Moment) -> Sentence:
        char, copy, effect, target = moment.args[:4]
        worded = self.words.effect(effect)
        declared = self.action is not None and self.action[0] in USES and self.action[1] == copy
        self.action = None
        if declared or worded is None or worded.effect is None:
            key, rule = ("activate_on" if target >= 0 else "activate"), "R7.1.1"
        elif worded.effect.activation == Activation.Auto:
            key, rule = "auto", self._trigger(worded.effect, "R6.3.2")
        else:
            key, rule = "react", self._trigger(worded.effect, "R8.1")
        told = self._of(moment, key, rule, card=self.card(moment, copy), target=self.who(moment, target))
        known = self.card_id(moment, copy)
        says = worded.text if worded is not None and known is not None else ""
        return Sentence(key, told.text, rule, told.seat, card=known, says=says)

    @staticmethod
    def _trigger(effect: Any, otherwise: str) -> str:
        """Returns the rule of the timing an effect waits for."""
        rules = timing_rules()
        return next((rules[timing.name] for timing in effect.timings if timing.name in rules), otherwise)

    def _end(self, moment: Moment) -> Sentence:
        outcome, cause = Outcome(moment.args[0]), Cause(moment.args[1])
        text = self.say("end", result=RESULTS[outcome][self._side], cause=CAUSES[cause][self._side])
        winner = {Outcome.WIN_A: 0, Outcome.WIN_B: 1}.get(outcome)
        return Sentence("end", text, CAUSE_RULES.get(cause, ""), winner, 0)
