"""Figures: every letter of every card name is drawn, marks lie where their links are, colours are few and distinct."""

import io
import warnings

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from apotheosis.experiments.report import figures
from apotheosis.experiments.report.canvas import BLUE, GREEN, ORANGE, Canvas, picture
from apotheosis.experiments.report.wording import Words

PORTUGUESE = "ÁÀÂÃÇÉÊÍÓÔÕÚÜ áàâãçéêíóôõúü ñ ō ’ “” – — … → ± ⚠ τ ρ"


def some_cards(count: int = 40) -> pd.DataFrame:
    rng = np.random.default_rng(3)
    effect = rng.normal(0, 0.02, count)
    verdict = np.where(effect > 0.03, "too_strong", np.where(effect < -0.03, "too_weak", "within"))
    return pd.DataFrame(
        {
            "card_id": [f"c{k}" for k in range(count)],
            "name": [f"Bênção {k}" for k in range(count)],
            "suit": "Item",
            "rarity": "Rare",
            "effect": effect,
            "effect_low": effect - 0.01,
            "effect_high": effect + 0.01,
            "verdict": verdict,
        }
    )


def draw_words(words: str):
    def paint(width: int) -> Canvas:
        canvas = Canvas(width, 40)
        canvas.text(4, 20, words)
        return canvas

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return picture("words", "words", paint)


def test_no_glyph_is_missing_for_portuguese():
    draw_words(PORTUGUESE)


def test_no_glyph_is_missing_for_the_names_of_the_game(shared):
    from apotheosis.env.cards.pool import load_pool

    names = {card.name for card in load_pool(shared / "data" / "cards_dev.json").cards}
    assert len(names) > 500
    draw_words("".join(sorted(set("".join(names)))))


def test_a_missing_glyph_would_be_noticed():
    with pytest.raises(UserWarning, match="missing from font"):
        draw_words("\ue123")


@pytest.mark.parametrize("width", ["wide", "narrow"])
def test_links_of_the_forest_cover_the_marks_of_their_cards(width):
    cards = some_cards(12)
    panel = getattr(figures.forest(cards, Words("en"), 0.02), width)
    ordered = cards.sort_values("effect", ascending=False)["card_id"].tolist()
    assert [spot.card for spot in sorted(panel.spots, key=lambda spot: spot.top)] == ordered
    assert all(0 <= s.left and s.left + s.width <= 1 and 0 <= s.top and s.top + s.height <= 1 for s in panel.spots)
    image = np.asarray(Image.open(io.BytesIO(panel.png)).convert("RGB")).astype(int)
    for spot in panel.spots:
        verdict = cards.set_index("card_id").loc[spot.card, "verdict"]
        colour = {"too_strong": ORANGE, "too_weak": BLUE, "within": GREEN}[verdict]
        wanted = np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)])
        top, bottom = (int(edge * image.shape[0]) for edge in (spot.top, spot.top + spot.height))
        assert (np.abs(image[top:bottom] - wanted).max(axis=2) < 40).sum() > 20, spot


def test_a_long_list_shows_both_ends():
    cards = some_cards(80)
    shown = figures.forest_rows(cards)
    assert len(shown) == figures.FOREST_ROWS
    assert shown["effect"].max() == cards["effect"].max() and shown["effect"].min() == cards["effect"].min()


def test_pictures_are_twice_as_dense_as_their_size_and_the_same_each_time():
    one, two = (figures.forest(some_cards(), Words("pt"), 0.02) for _ in range(2))
    assert one.wide.png == two.wide.png and one.narrow.png == two.narrow.png
    assert Image.open(io.BytesIO(one.wide.png)).width == 2 * one.wide.width


def test_nothing_is_drawn_without_effects():
    assert figures.forest(some_cards().assign(effect=np.nan), Words("en"), 0.02) is None


def test_labels_of_the_price_figure_do_not_stand_on_each_other():
    taken = [(10.0, 80.0, 100.0)]
    assert not figures._free(taken, 60, 130, 104) and not figures._free(taken, 0, 12, 95)
    assert figures._free(taken, 60, 130, 100 + figures.LINE) and figures._free(taken, 81, 150, 100)
