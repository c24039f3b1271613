"""Writes run folders with known truth, so that reports can be built and checked without playing matches.

The folder has the documented files and columns (plan.json, matches, cards, pool). The winner of a match follows a
logistic model whose coefficients are chosen here: an advantage of seat A, one strength per bot, one effect per copy of
each card. Cards, decks and names are invented. As a script: `python simulate_run.py OUT [PAIRS]`.
"""

import json
import sys
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd

SUITS = ["House", "Class", "Entity", "Item", "Skill", "Companion", "Event"]
RARITIES = ["Common", "Uncommon", "Rare", "Epic", "Legendary"]
SHEET = {"House", "Class", "Entity"}
NOUNS = [
    "Lanterna",
    "Coração",
    "Flauta",
    "Açude",
    "Bênção",
    "Trovão",
    "Véu",
    "Órgão",
    "Pássaro",
    "Fênix",
    "Irmã",
    "Lâmina",
]
TAILS = ["do Brejo", "das Três Luas", "à Deriva", "d’Água Funda", "sem Pressa", "da Rã Anciã"]
OPENING_HAND = 6
DECK_SIZE = 30


@dataclass
class Truth:
    """The coefficients a simulated run was drawn from, in logits.

    Args:
        cards: number of invented cards.
        strong: card ids that help their deck, with the effect of one copy.
        side: advantage of seat A.
        bots: strength of each bot.
        unfinished: share of matches that end as timeout or crash.
        initiative: value of the format key; with `random` the first mover is worth `first` logits.
    """

    cards: int = 60
    strong: dict[int, float] = field(default_factory=lambda: {27: 0.42, 41: -0.42})
    side: float = 0.06
    bots: dict[str, float] = field(default_factory=lambda: {"random": 0.0, "greedy": 1.2})
    unfinished: float = 0.004
    initiative: str = "rule"
    first: float = 0.0
    incomplete: dict[int, str] = field(
        default_factory=lambda: {12: "the target may look at the top card", 33: "when it leaves"}
    )


def invent_cards(truth: Truth, rng: np.random.Generator) -> pd.DataFrame:
    """One row per invented card with the columns of the pool table."""
    rows = []
    for k in range(truth.cards):
        suit = SUITS[k % 3] if k < 18 else SUITS[3 + k % 4]
        rarity = RARITIES[min(4, int(rng.geometric(0.42)) - 1)]
        level = 1 if suit == "House" else 1 + k % 3
        bad = k in truth.incomplete
        rows.append(
            {
                "card_id": f"card{k:02d}",
                "name": f"{NOUNS[k % len(NOUNS)]} {TAILS[(k // len(NOUNS)) % len(TAILS)]}",
                "suit": suit,
                "level": level,
                "rarity": rarity,
                "score": float(np.round(2 + 1.1 * level + rng.normal(0, 0.6), 1)),
                "action": int(rng.integers(0, 5)),
                "price": float(5 * level) if suit == "Item" else np.nan,
                "text": "Activate: draw one card." if k % 2 else "Activate, Exhaust: lose 2 AP; recover one Skill.",
                "status": "partial" if bad else "executable",
                "missing": truth.incomplete.get(k),
            }
        )
    return pd.DataFrame(rows).astype({"price": "float64"})


def draw_deck(meta: pd.DataFrame, rng: np.random.Generator) -> np.ndarray:
    """Copies of each card in one random deck: a House, two or three Classes, perhaps an Entity, 30 Resource cards."""
    copies = np.zeros(len(meta), dtype=np.int64)
    by_suit = {s: np.flatnonzero(meta["suit"] == s) for s in SUITS}
    copies[rng.choice(by_suit["House"])] = 1
    copies[rng.choice(by_suit["Class"], size=int(rng.integers(2, 4)), replace=False)] = 1
    if rng.random() < 0.5:
        copies[rng.choice(by_suit["Entity"])] = 1
    resource = np.flatnonzero(~meta["suit"].isin(SHEET))
    cap = np.where(meta["rarity"].isin(["Epic", "Legendary"]), 1, 3)
    slots = np.repeat(resource, cap[resource])
    copies[:] += np.bincount(rng.choice(slots, size=DECK_SIZE, replace=False), minlength=len(meta))
    return copies


def simulate(truth: Truth | None = None, pairs: int = 1500, decks: int = 300, seed: int = 7):
    """Draws a run.

    Returns:
        (plan, matches, cards, meta): a dict and three DataFrames with the documented columns.
    """
    truth = truth or Truth()
    rng = np.random.default_rng(seed)
    meta = invent_cards(truth, rng)
    effect = rng.normal(0, 0.03, len(meta))
    for card, value in truth.strong.items():
        effect[card] = value
    deck = np.array([draw_deck(meta, rng) for _ in range(decks)])
    left = rng.integers(0, decks, pairs)
    right = (left + rng.integers(1, decks, pairs)) % decks
    names = list(truth.bots)
    skill = np.array(list(truth.bots.values()))
    bot_left, bot_right = rng.integers(0, len(names), pairs), rng.integers(0, len(names), pairs)
    n = 2 * pairs
    swap = np.arange(n) % 2 == 1
    a_deck, b_deck = (np.where(swap, np.repeat(x, 2), np.repeat(y, 2)) for x, y in ((right, left), (left, right)))
    a_bot, b_bot = (np.where(swap, np.repeat(x, 2), np.repeat(y, 2)) for x, y in ((bot_right, bot_left), (bot_left, bot_right)))
    first = rng.integers(0, 2, n)
    luck = np.repeat(rng.normal(0, 0.3, pairs), 2) * np.where(swap, -1, 1)
    eta = truth.side + (deck[a_deck] - deck[b_deck]) @ effect + skill[a_bot] - skill[b_bot] + luck
    eta += truth.first * np.where(first == 0, 1, -1)
    won = rng.random(n) < 1 / (1 + np.exp(-eta))
    stints = np.clip(np.round(rng.gamma(11, 0.58, n) + 0.6), 2, 20).astype(np.int64)
    outcome = np.where(won, "win_a", "win_b").astype(object)
    outcome[rng.random(n) < 0.012] = "draw"
    lost = rng.random(n) < truth.unfinished
    outcome[lost] = rng.choice(["timeout", "crash", "cap", "loop"], size=int(lost.sum()))
    score = pd.Series(outcome).map({"win_a": 1.0, "win_b": 0.0, "draw": 0.5}).to_numpy(dtype=float, na_value=np.nan)
    bad = np.array(sorted(truth.incomplete), dtype=int)
    inert = (deck[:, bad] > 0).sum(axis=1) if len(bad) else np.zeros(decks, dtype=np.int64)
    label = np.array([f"deck-{k:04d}" for k in range(decks)])
    matches = pd.DataFrame(
        {
            "match_id": np.arange(n),
            "pair_id": np.arange(n) // 2,
            "chunk": np.arange(n) // 400,
            "seed": np.repeat(np.arange(pairs) + 9000, 2),
            "format": "skirmish-7",
            "seat_a_deck": label[a_deck],
            "seat_b_deck": label[b_deck],
            "seat_a_bot": np.array(names)[a_bot],
            "seat_b_bot": np.array(names)[b_bot],
            "first_team": np.where(first == 0, "a", "b"),
            "outcome": outcome,
            "score_a": score,
            "cause": np.where(stints >= 20, "stint_limit", "elimination"),
            "stints": stints,
            "turns": stints * 2,
            "decisions": stints * rng.integers(18, 40, n),
            "actions": stints * rng.integers(6, 14, n),
            "hp_margin": np.where(won, 1, -1) * np.round(rng.random(n), 3),
            "lead_changes": rng.poisson(1.6, n),
            "legal_options_mean": np.round(rng.normal(9, 2, n).clip(2), 2),
            "replay": None,
            "state_hash": rng.integers(0, 2**62, n),
            "inert_cards_a": inert[a_deck],
            "inert_cards_b": inert[b_deck],
        }
    )
    cards = pd.concat(
        [_card_rows(s, matches, deck[d], won, meta, rng) for s, d in ((0, a_deck), (1, b_deck))], ignore_index=True
    )
    cards = cards.sort_values(["match_id", "seat", "deck_slot"], kind="stable", ignore_index=True)
    plan = _plan(truth, pairs, decks, seed)
    truth_table = {"effect": effect.tolist(), "mean_p": float(np.mean(1 / (1 + np.exp(-eta))))}
    return plan, matches, cards, meta, truth_table


def _card_rows(seat, matches, copies, won, meta, rng) -> pd.DataFrame:
    """The card table of one seat: a row per copy, drawn in shuffle order as far as the match lasted."""
    sheet = meta["suit"].isin(SHEET).to_numpy()
    match, card = np.nonzero(copies)
    times = copies[match, card]
    match, card = np.repeat(match, times), np.repeat(card, times)
    copy = np.concatenate([np.arange(t) for t in times]) if len(times) else np.zeros(0, dtype=int)
    is_sheet = sheet[card]
    key = rng.random(len(card)) + 10 * is_sheet
    order = np.lexsort((key, match))
    rank = np.empty(len(card), dtype=np.int64)
    starts = np.r_[0, np.flatnonzero(np.diff(match)) + 1]
    rank[order] = np.arange(len(card)) - np.repeat(starts, np.diff(np.r_[starts, len(card)]))
    stints = matches["stints"].to_numpy()[match]
    mine = (won if seat == 0 else ~won)[match]
    opening = ~is_sheet & (rank < OPENING_HAND)
    drawn = ~is_sheet & (rank < OPENING_HAND + stints)
    usable = rng.random(len(card)) < 0.85
    placed = is_sheet | (drawn & usable & (rng.random(len(card)) < 0.62 + 0.08 * mine))
    activated = np.where(placed & ~is_sheet, rng.poisson(1.3 + 0.4 * mine), 0)
    drawn_turn = np.where(drawn, np.maximum(0, rank - OPENING_HAND + 1), -1)
    placed_turn = np.where(
        placed & ~is_sheet, np.minimum(stints, drawn_turn + rng.integers(0, 3, len(card))), np.where(placed, 0, -1)
    )
    level = meta["level"].to_numpy()[card]

    def optional(values, keep):
        return pd.Series(values, dtype="Int64").mask(~keep)

    return pd.DataFrame(
        {
            "match_id": matches["match_id"].to_numpy()[match],
            "seat": "ab"[seat],
            "team": seat,
            "hero": seat,
            "card_id": meta["card_id"].to_numpy()[card],
            "copy": copy,
            "deck_slot": rank,
            "usable": usable,
            "suit": meta["suit"].to_numpy()[card],
            "level": level,
            "rarity": meta["rarity"].to_numpy()[card],
            "shuffle_position": optional(rank, ~is_sheet),
            "opening_hand": opening,
            "kept": opening & (rng.random(len(card)) < 0.8),
            "drawn": drawn,
            "drawn_turn": optional(drawn_turn, drawn),
            "placed": placed,
            "placed_turn": optional(placed_turn, placed),
            "activated": activated,
            "reacted": np.where(placed, rng.poisson(0.2, len(card)), 0),
            "discarded_as_cost": drawn & ~placed & (rng.random(len(card)) < 0.2),
            "dead_in_hand_turns": np.where(drawn & ~placed, rng.poisson(2, len(card)), 0),
            "left_play_turn": optional(stints, placed & (rng.random(len(card)) < 0.1)),
            "damage_caused": activated * rng.integers(0, 12, len(card)),
            "hp_removed": activated * rng.integers(0, 9, len(card)),
            "hp_healed": activated * rng.integers(0, 3, len(card)),
        }
    )


def invent_turns(matches: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """One row per turn, hit points falling at random with the winner's falling less, so that swings can be measured."""
    turns = np.repeat(matches["turns"].to_numpy(), matches["turns"].to_numpy())
    match = np.repeat(matches["match_id"].to_numpy(), matches["turns"].to_numpy())
    number = np.concatenate([np.arange(1, n + 1) for n in matches["turns"]])
    lead = np.repeat(matches["score_a"].fillna(0.5).to_numpy() - 0.5, matches["turns"].to_numpy())
    left = 1 - number / (turns + 1)
    wobble = rng.normal(0, 0.12, len(match))
    hand = rng.integers(0, 8, (2, len(match)))
    return pd.DataFrame(
        {
            "match_id": match,
            "stint": (number + 1) // 2,
            "turn": number,
            "actor": np.where(number % 2 == 1, "a", "b"),
            "hp_a": np.clip(left + lead * (1 - left) * 0.6 + wobble, 0, 1),
            "hp_b": np.clip(left - lead * (1 - left) * 0.6 - wobble, 0, 1),
            "hand_a": hand[0],
            "hand_b": hand[1],
            "board_a": rng.integers(0, 9, len(match)),
            "board_b": rng.integers(0, 9, len(match)),
            "options": rng.poisson(6, len(match)) + 1,
            "playable": rng.poisson(2, len(match)),
        }
    )


def _plan(truth: Truth, pairs: int, decks: int, seed: int) -> dict:
    chunk = 200
    return {
        "format": 1,
        "fingerprint": "9b41d0aa83c6f2e1",
        "spec": {
            "run": {"name": "simulated", "seed": seed, "pairs": pairs, "chunk": chunk, "failed_limit": 0.001},
            "format": {
                "profile": "TENS",
                "initiative": truth.initiative,
                "hero_level": 7,
                "stint_limit": 20,
                "opening_hand": OPENING_HAND,
            },
            "cards": {"pool": "starter"},
            "decks": {"source": "random", "generator": "uniform", "n": decks},
            "bots": {"pool": list(truth.bots), "crossing": "balanced"},
            "design": {"kind": "random_decks", "mirror": True, "common_seeds": True},
            "stats": {"band": 0.02, "fdr": 0.10, "cluster": "deck_pair", "shrink_by": ["rarity", "level"]},
        },
        "cards_hash": "5f0c2b7a19e4d311",
        "decks_hash": "77aa01c4be5590d2",
        "code": {"version": "0.1.0", "sources": "c0ffee21d4b7a990"},
        "seeds": {"entropy": seed},
        "pairs": pairs,
        "matches": 2 * pairs,
        "matches_per_pair": 2,
        "chunks": [
            {"chunk": k, "first_pair": chunk * k, "pairs": min(chunk, pairs - chunk * k)} for k in range(-(-pairs // chunk))
        ],
    }


def write_run(
    folder: Path,
    truth: Truth | None = None,
    pairs: int = 1500,
    decks: int = 300,
    seed: int = 7,
    suffix: str = "parquet",
    turns: bool = False,
) -> dict:
    """Writes a simulated run folder and returns its truth (effects in logits per copy, in the order of the cards)."""
    folder.mkdir(parents=True, exist_ok=True)
    plan, matches, cards, meta, truth_table = simulate(truth, pairs, decks, seed)
    (folder / "plan.json").write_text(json.dumps(plan, ensure_ascii=False, indent=1), encoding="utf-8")
    tables = {"matches": matches, "cards": cards, "pool": meta}
    if turns:
        tables["turns"] = invent_turns(matches, np.random.default_rng(seed))
    for name, table in tables.items():
        if suffix == "parquet":
            table.to_parquet(folder / f"{name}.parquet", index=False)
        else:
            table.to_csv(folder / f"{name}.csv", index=False)
    return truth_table


if __name__ == "__main__":
    write_run(Path(sys.argv[1]), pairs=int(sys.argv[2]) if len(sys.argv) > 2 else 1500, turns=True)
