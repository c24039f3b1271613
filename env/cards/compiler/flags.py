"""Compiles the rules that modifiers turn on (DSL section 7, `rule.*`): which flag, for which cards and characters."""

from apotheosis.env.cards.compiler.code import Refusal, Scene, Value, both, either
from apotheosis.env.cards.compiler.subjects import filter_cards, filter_characters
from apotheosis.env.cards.language.modifiers import Modifier
from apotheosis.env.cards.language.selection import Cards, Source
from apotheosis.env.rules.opcodes import Rule, X
from apotheosis.env.vocabulary import Suit

PLAIN = {
    "cannot_awaken": Rule.CANNOT_AWAKEN,
    "flying": Rule.FLYING,
    "amphibious": Rule.AMPHIBIOUS,
    "aquatic_only": Rule.AQUATIC,
    "cannot_move": Rule.CANNOT_MOVE,
    "ignore_domain": Rule.IGNORE_DOMAIN,
    "no_revive": Rule.NO_REVIVE,
    "no_salvation": Rule.NO_SALVATION,
    "no_response": Rule.NO_RESPONSE,
    "no_negation": Rule.NO_NEGATION,
    "die_only_at_total_loss": Rule.DIE_AT_OVERKILL,
    "knocked_out_instead_of_dead": Rule.KNOCKED_OUT,
}
"""Flags of a character."""

OF_CARDS = {"cannot_activate": Rule.CANNOT_ACTIVATE, "cannot_equip": Rule.CANNOT_EQUIP}
"""Flags of a character and a card: all cards, or those of a filter."""

SELECTIONS = {
    "untargetable": (Rule.UNTARGETABLE, Rule.UNATTACKABLE),
    "cannot_target": (Rule.CANNOT_TARGET, Rule.CANNOT_TARGET_ATTACK),
}
"""Flags about selecting a character: by any action, and by an attack."""

SUITS = {"item": Suit.Item, "skill": Suit.Skill}
OF_A_CARD = ("suit", "knowledge", "tag", "any_tag", "craft", "lignum", "range", "level")
"""Parts of a source that are about the card used."""


def compile_flag(modifier: Modifier, scene: Scene) -> tuple[Rule, Value | None, Value | None]:
    """Returns the rule a modifier turns on, the test of the card used (IT_CARD) and that of the other side (IT).

    Raises:
        Refusal: the kernel does not know the rule in this form.
    """
    flag = modifier.q.removeprefix("rule.")
    against = None if modifier.against is None else filter_characters(modifier.against, scene)
    if flag in PLAIN and modifier.set is True and modifier.by is None and modifier.card is None:
        return PLAIN[flag], None, against
    if flag in OF_CARDS and modifier.set is True and modifier.by is None:
        return OF_CARDS[flag], None if modifier.card is None else filter_cards(modifier.card, scene), against
    if flag in SELECTIONS and modifier.card is None and (modifier.set is True or isinstance(modifier.set, str)):
        cards: Value | None = None
        if modifier.set in SUITS:
            cards = filter_cards(Cards(suit=[SUITS[modifier.set]]), scene)
        if modifier.by is not None:
            test, away = _source(modifier, modifier.by, scene)
            cards, against = both(cards, test), both(against, away)
        return SELECTIONS[flag][int(modifier.set == "attack")], cards, against
    raise Refusal(f"the rule {flag}")


def _source(modifier: Modifier, by: Source, scene: Scene) -> tuple[Value | None, Value | None]:
    """The test of the card used, and that of who uses it, which is about its distance from you."""
    if by.any:
        parts = [_source(modifier, part, scene) for part in by.any]
        if any(test is None or away is not None for test, away in parts):
            raise Refusal("a protection from several kinds of sources")
        return either([test for test, _ in parts if test is not None]), None
    given = set(by.model_dump(exclude_none=True))
    if given <= {"distance_ge", "distance_le"} and modifier.on is None and modifier.q == "rule.untargetable":
        apart: Value = [(X.IT, 0), *scene.you, (X.DISTANCE, 0)]
        away: Value | None = None
        for bound, op in ((by.distance_ge, X.GE), (by.distance_le, X.LE)):
            if bound is not None:
                away = both(away, [*apart, (X.PUSH, bound), (op, 0)])
        return None, away
    if given == {"card"} and by.card is not None:
        return filter_cards(by.card, scene), None
    if given <= set(OF_A_CARD):
        return filter_cards(Cards.model_validate({key: getattr(by, key) for key in given}), scene), None
    raise Refusal("a protection from this kind of source")
