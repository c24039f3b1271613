"""Tables of what the quantities, rules and durations of the effect language are in the kernel."""

from apotheosis.env.rules.opcodes import Q, Rule, Until
from apotheosis.env.vocabulary import Attribute, Knowledge, Suit

ANY = -1
CURRENCY_SUIT = {"PRICE": Suit.Item, "XP": Suit.Skill, "WILL": Suit.Companion, "FATE": Suit.Event}
NUMBERS: dict[str, tuple[tuple[Q, int], ...]] = {
    **{f"attr.{attribute.name}": ((Q.ATTR, int(attribute)),) for attribute in Attribute},
    "attr.all": ((Q.ATTR, ANY),),
    **{f"knowledge.{known.name}": ((Q.KNOWLEDGE, int(known)),) for known in Knowledge if known.name != "Free"},
    "knowledge": ((Q.KNOWLEDGE, ANY),),
    "hp.max": ((Q.HP_MAX, ANY),),
    "damage.dealt": ((Q.DAMAGE_DEALT, ANY),),
    "attack.bonus": ((Q.ATTACK_BONUS, ANY),),
    "attack.damage": ((Q.ATTACK_BONUS, ANY),),
    "attack.multiplier": ((Q.ATTACK_MULTIPLIER, ANY),),
    "damage.taken": ((Q.DAMAGE_TAKEN, ANY),),
    "injury.dealt": ((Q.INJURY_DEALT, ANY),),
    "injury.taken": ((Q.INJURY_TAKEN, ANY),),
    "check.bonus": ((Q.CHECK_BONUS, ANY),),
    "check.difficulty": ((Q.CHECK_DIFFICULTY, ANY),),
    "check.result_floor": ((Q.CHECK_FLOOR, ANY),),
    "contest.bonus": ((Q.CONTEST_BONUS, ANY),),
    "roll.bonus": ((Q.CHECK_BONUS, ANY), (Q.ATTACK_BONUS, ANY), (Q.ROLL_BONUS, ANY)),
    "crit.threshold": ((Q.CRITICAL, ANY),),
    "heal.done": ((Q.HEAL_DONE, ANY),),
    "heal.received": ((Q.HEAL_RECEIVED, ANY),),
    "recover.amount": ((Q.RECOVER_AMOUNT, ANY),),
    "range.value": ((Q.RANGE, ANY),),
    "cost.ap": ((Q.COST_AP, ANY),),
    "cost.sp": ((Q.COST_STAMINA, ANY),),
    "cost.mp": ((Q.COST_MANA, ANY),),
    "cost.essence": ((Q.COST_ESSENCE, ANY),),
    "cost.entity_upkeep": ((Q.COST_UPKEEP, ANY),),
    "ap.start_of_turn": ((Q.AP_TURN, ANY),),
    "slots.equipment": ((Q.SLOTS, 0),),
    "slots.memento": ((Q.SLOTS, 1),),
    "slots.support": ((Q.SLOTS, 2),),
    "slots.inventory": ((Q.SLOTS, 3),),
    "normal_attack.damage": ((Q.NORMAL_DAMAGE, ANY),),
    "normal_attack.ap": ((Q.NORMAL_AP, ANY),),
    "attr.max": ((Q.BEST_ATTR, ANY),),
    "attr.min": ((Q.LEAST_ATTR, ANY),),
    "injury.cap": ((Q.INJURY_CAP, ANY),),
    "cost.zone_move": ((Q.COST_TABLE, ANY),),
    "cost.move": ((Q.COST_MOVE, ANY),),
    "cost.altitude": ((Q.COST_ALTITUDE, ANY),),
    "cost.domain": ((Q.COST_DOMAIN, ANY),),
    "cost.enter": ((Q.COST_ENTER, ANY),),
    "cost.summon": ((Q.COST_SUMMON, ANY),),
    "cost.salvation": ((Q.SALVATION, ANY),),
    "value.multiplier": ((Q.VALUE, ANY),),
    "check.knowledge": ((Q.CHECK_KNOWLEDGE, ANY),),
    "requirement.level": ((Q.REQUIRE_KNOWLEDGE, ANY),),
    **{f"value.{currency}": ((Q.VALUE, int(suit)),) for currency, suit in CURRENCY_SUIT.items()},
}
"""Quantities of the language and the kernel's quantities that they are."""

RULES = {
    "untargetable": Rule.UNTARGETABLE,
    "cannot_awaken": Rule.CANNOT_AWAKEN,
    "flying": Rule.FLYING,
    "amphibious": Rule.AMPHIBIOUS,
    "aquatic_only": Rule.AQUATIC,
    "cannot_move": Rule.CANNOT_MOVE,
    "ignore_domain": Rule.IGNORE_DOMAIN,
    "share_tile": Rule.SHARE_TILE,
    "pass_over": Rule.PASS_OVER,
    "immune": Rule.IMMUNE,
    "cannot_target": Rule.CANNOT_TARGET,
    "cannot_activate": Rule.CANNOT_ACTIVATE,
    "cannot_equip": Rule.CANNOT_EQUIP,
    "die_only_at_total_loss": Rule.DIE_AT_OVERKILL,
    "knocked_out_instead_of_dead": Rule.KNOCKED_OUT,
    "no_revive": Rule.NO_REVIVE,
    "revive_once": Rule.REVIVE_ONCE,
    "no_salvation": Rule.NO_SALVATION,
    "no_response": Rule.NO_RESPONSE,
    "no_negation": Rule.NO_NEGATION,
    "negated": Rule.NEGATED,
}
OWN_TRAITS = ("rule.unique_copy", "rule.cannot_detach", "rule.free_attach_detach")
"""Rules that the kernel reads as a trait of the card that says them of itself."""
OF_SOURCES = ("untargetable", "immune")
"""Rules whose `by` is about the card that would do something, not about a running attack."""
CAMPAIGN = (
    "requirement.place", "access.market", "access.academy", "access.bestiary", "access.sanctuary", "access.tavern",
)  # fmt: skip
"""Quantities of the journey between battles."""
LENT = {6: 1, 3: 64, 2: 4096}
"""What a lent die of each kind counts, see `dice.lent_dice`."""
LENT_TO = {"attack.dice": [(Q.ATTACK_DICE, ANY)], "roll.dice": [(Q.ATTACK_DICE, ANY), (Q.CHECK_DICE, ANY)]}
AREAS = {"equipment": Suit.Item, "memento": Suit.Skill, "support": Suit.Companion}
CHECKS = (Q.CHECK_BONUS, Q.CHECK_DIFFICULTY, Q.CHECK_FLOOR, Q.CONTEST_BONUS)
CARD_QUANTITIES = (
    Q.COST_AP, Q.COST_STAMINA, Q.COST_MANA, Q.COST_ESSENCE, Q.RANGE, Q.COST_TABLE, Q.VALUE, Q.VALUE_AS, Q.VALUE_IN_CHECKS,
    Q.REQUIRE_KNOWLEDGE, Q.RULE, Q.RANGE_TYPE, Q.COST_SUMMON,
)  # fmt: skip

UNTIL = {
    "this_roll": Until.CHECK,
    "this_check": Until.CHECK,
    "this_attack": Until.ATTACK,
    "end_of_turn": Until.TURN,
    "end_of_round": Until.STINT,
    "start_of_your_next_turn": Until.YOUR_NEXT_START,
    "end_of_next_turn": Until.YOUR_NEXT_END,
    "start_of_target_next_turn": Until.TARGET_NEXT_START,
    "end_of_target_next_turn": Until.TARGET_NEXT_END,
    "end_of_battle": Until.BATTLE,
    "while_this_in_zone": Until.IN_PLAY,
}
