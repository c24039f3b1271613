"""Modifiers: quantities that effects change, how, for whom, against what, and until when (DSL sections 5 and 7)."""

from typing import Annotated, Any

from pydantic import Field, PlainSerializer, PlainValidator, model_serializer, model_validator

from apotheosis.env.cards.language import names
from apotheosis.env.cards.language.amounts import Amount
from apotheosis.env.cards.language.conditions import Condition
from apotheosis.env.cards.language.names import wrong
from apotheosis.env.cards.language.selection import Cards, Characters, Open, Source, Zone, one_of
from apotheosis.env.cards.scalars import DICE
from apotheosis.env.cards.validation import Strict, name_error
from apotheosis.env.vocabulary import Attribute, Knowledge, RangeType

FLAGS = (
    "flying", "amphibious", "aquatic_only", "cannot_move", "share_tile", "pass_over", "untargetable", "cannot_target",
    "immune", "ignore_markers", "ignore_domain", "cannot_activate", "cannot_awaken", "cannot_equip", "not_in_support",
    "unique_keyword", "unique_copy", "cannot_detach", "free_attach_detach", "no_revive", "revive_once",
    "no_salvation", "die_only_at_total_loss", "knocked_out_instead_of_dead", "no_response", "no_negation",
    "negated", "move_to", "cannot_obtain_marker",
)  # fmt: skip
"""Rules that a modifier turns on (DSL section 7)."""

NUMBERS = (
    *(f"attr.{name}" for name in Attribute.__members__), "attr.max", "attr.min", "attr.all",
    "attr.raised_by_entity", "knowledge",
    *(f"knowledge.{name}" for name in Knowledge.__members__ if name != "Free"), "hp.max", "damage.dealt",
    "attack.bonus", "attack.damage", "attack.multiplier", "damage.taken", "injury.dealt", "injury.taken",
    "injury.cap", "check.bonus", "check.difficulty", "check.result_floor", "check.knowledge", "contest.bonus",
    "roll.bonus", "roll.dice", "crit.threshold", "heal.done", "heal.received", "recover.amount", "range.value",
    "range.ignore", "cost.ap", "cost.sp", "cost.mp", "cost.essence", "cost.zone_move", "cost.move", "cost.altitude",
    "cost.domain", "cost.enter", "cost.summon", "cost.entity_upkeep", "cost.salvation", "ap.start_of_turn", "ap.recovered",
    "slots.equipment", "slots.memento", "slots.support", "slots.inventory", "slot.weight", "requirement.level",
    "value.multiplier", *(f"value.{name}" for name in names.CURRENCIES), "normal_attack.ap", "tile.alt",
    "access.market", "access.academy", "access.bestiary", "access.sanctuary", "access.tavern",
)  # fmt: skip
"""Quantities that are numbers."""

OTHERS = {
    "attack.tags": "list",
    "attack.dice": "dice",
    "normal_attack.dice": "dice",
    "normal_attack.damage": "damage",
    "damage.attribute": "attribute",
    "range.type": "range",
    "cost.discard": "discard",
    "slots.attachment": "slots",
    "requirement.knowledge": "waived",
    "requirement.attr": "attributes",
    "requirement.place": "place",
    "value.as": "currency",
    "piece.present": "flag",
    "domain.present": "flag",
}
"""Quantities that are set to something that is no number."""

QUANTITIES = (*NUMBERS, *OTHERS, *(f"rule.{flag}" for flag in FLAGS))
HALF = "half"
UNTARGETABLE = ("any_action", "attack", "item", "skill")


class Discard(Strict):
    """Cards that must be discarded to use something (ammunition)."""

    n: Amount = Amount(1)
    filter: Cards | None = None


class Duration(Strict):
    """The end of a modifier: one word, or one of these keys."""

    at: Annotated[str, one_of("duration", names.DURATIONS)] | None = None
    rounds: Amount | None = None
    stints: Amount | None = None
    while_this_in_zone: Zone | None = None
    while_counter: tuple[Annotated[str, one_of("card", ("this",))], Open] | None = None
    marker_lost: tuple[Characters, Open] | None = None
    any_of: "list[Duration] | None" = None

    @model_validator(mode="before")
    @classmethod
    def _from_word(cls, value: Any) -> Any:
        if isinstance(value, str):
            return {"at": value}
        if isinstance(value, dict):
            if len(value) != 1:
                raise wrong("a duration with exactly one key", value)
            return {key: tuple(item) if isinstance(item, list) and key != "any_of" else item for key, item in value.items()}
        return value

    @model_serializer(mode="wrap")
    def _to_word(self, handler: Any) -> Any:
        return self.at if self.at is not None else handler(self)


class Per(Strict):
    """What a modifier is counted by; exactly one of the keys, `empty_slots` with its owner, `counter` of `it` with those of
    its teammates on adjacent tiles (`neighbours`)."""

    cards: Cards | None = None
    chars: Characters | None = None
    counter: Open | None = None
    of: Annotated[str, one_of("owner", ("this", *names.CHARACTERS))] | None = None
    neighbours: bool | None = None
    markers: Characters | None = None
    tiles_between: tuple[Characters, Characters] | None = None
    altitude_diff: tuple[Characters, Characters] | None = None
    empty_slots: Annotated[str, one_of("slot", ("equipment", "memento", "support"))] | None = None
    amount: Amount | None = None
    times: Amount | None = None

    @model_validator(mode="before")
    @classmethod
    def _unfold(cls, value: Any) -> Any:
        if isinstance(value, (str, int)):
            return {"amount": value}
        if not isinstance(value, dict):
            return value
        inner = value.get("count")
        if inner is not None:
            inner = inner if isinstance(inner, dict) else {"chars": inner}
            rest = {key: item for key, item in value.items() if key != "count"}
            if "chars" in inner and not (set(inner) <= {"chars", "of"} and isinstance(inner["chars"], dict)):
                inner = {"chars": inner}
            value = {**rest, **inner}
        return {
            key: tuple(item) if key in ("tiles_between", "altitude_diff") and isinstance(item, list) else item
            for key, item in value.items()
        }

    @model_validator(mode="after")
    def _one(self) -> "Per":
        kinds = ("cards", "chars", "counter", "markers", "tiles_between", "altitude_diff", "empty_slots", "amount")
        if sum(getattr(self, key) is not None for key in kinds) != 1:
            raise ValueError(f"'per' counts exactly one of {', '.join(kinds)}")
        return self


def _factor(given: Any) -> Any:
    return given if given == HALF else Amount.read(given)


def _plain_factor(factor: Amount | str) -> int | str:
    if isinstance(factor, str):
        return factor
    return factor.tree if isinstance(factor.tree, int) else str(factor)


Factor = Annotated[
    Amount | str,
    PlainValidator(_factor, json_schema_input_type=int | str),
    PlainSerializer(_plain_factor, return_type=int | str),
]
"""A multiplier: an amount, or the word half (rounded down, R12.2)."""


class Modifier(Strict):
    """A change of a quantity (DSL section 7); exactly one of `add`, `mul` and `set`."""

    q: Annotated[str, one_of("quantity", QUANTITIES)]
    add: Amount | None = None
    mul: Factor | None = None
    set: Any = None
    on: Characters | None = None
    by: Source | None = None
    against: Characters | None = None
    card: Cards | None = None
    per: Per | None = None
    cap: Amount | None = None
    floor: Amount | None = None
    until: Duration | None = None
    cond: Condition | None = Field(default=None, alias="if")
    lasting: Condition | None = Field(default=None, alias="while")
    when: Annotated[str, one_of("moment", ("target_selection", "placing", "activation", "checking"))] | None = None

    @property
    def set_amount(self) -> Amount | None:
        """The number that the quantity is set to, or None where it is set to none."""
        return Amount.read(self.set) if self.q in NUMBERS and self.set is not None else None

    @model_validator(mode="after")
    def _fits(self) -> "Modifier":
        given = [key for key in ("add", "mul", "set") if key in self.model_fields_set]
        if len(given) != 1:
            raise ValueError(f"a modifier has exactly one of add, mul and set, this one has {', '.join(given) or 'none'}")
        number = self.q in NUMBERS
        if given[0] != "set":
            if not number and OTHERS.get(self.q) not in ("dice", "damage"):
                raise ValueError(f"{self.q} is no number: it can only be set")
            return self
        check_set(self.q, self.set)
        return self


def check_set(quantity: str, value: Any) -> None:
    """Checks the value that a quantity is set to.

    Raises:
        PydanticCustomError: the quantity cannot take it.
    """
    if quantity in NUMBERS:
        Amount.read(value)
        return
    kind = OTHERS.get(quantity, "rule")
    if kind == "rule":
        _check_rule(quantity.removeprefix("rule."), value)
    elif kind == "flag":
        _member(value, (True, False), "true or false")
    elif kind == "dice":
        _named("dice", value, DICE)
    elif kind == "waived":
        _named("value", value, ("waived",))
    elif kind == "currency":
        for name in value if isinstance(value, list) else [value]:
            _named("currency", name, names.CURRENCIES)
    elif kind == "attribute":
        _named("attribute", value, Attribute.__members__)
    elif kind == "range":
        _named("range type", value, RangeType.__members__)
    elif kind == "discard":
        Discard.model_validate(value)
    elif kind in ("list", "damage"):
        if not isinstance(value, (list, dict, int, str)):
            raise wrong("a value", value)
    elif not isinstance(value, dict):
        raise wrong("a mapping of names to numbers", value)


def _check_rule(flag: str, value: Any) -> None:
    if flag == "untargetable":
        _named("kind of action", value, UNTARGETABLE) if value is not True else None
    elif flag in ("unique_keyword", "immune", "cannot_target", "cannot_activate", "cannot_equip", "ignore_markers"):
        if value is not True and not isinstance(value, (str, list, dict)):
            raise wrong("true, a name or a filter", value)
    elif flag == "cannot_obtain_marker":
        if not isinstance(value, str) or not names.OPEN_NAME.match(value):
            raise wrong("the name of a marker in capitals", value)
    elif flag == "move_to":
        _named("zone", value, names.ZONES)
    else:
        _member(value, (True, False), "true or false")


def _member(value: Any, allowed: tuple[Any, ...], expected: str) -> None:
    if not isinstance(value, bool) or value not in allowed:
        raise wrong(expected, value)


def _named(kind: str, value: Any, allowed: Any) -> None:
    if not isinstance(value, str) or value not in allowed:
        raise name_error(kind, value, allowed)
