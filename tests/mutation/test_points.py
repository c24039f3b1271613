"""Mutants of the rules are what they say: one change each, drawn by seed, of every kind."""

import ast
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from points import KINDS, all_points, changes, draw, place_of, replaced, source_of


def test_a_draw_takes_each_kind_and_depends_on_the_seed_alone() -> None:
    points = all_points()
    drawn = draw(points, 1, 30)
    assert [sum(point.kind == kind for point in drawn) for kind in KINDS] == [10, 10, 10]
    assert drawn == draw(points[::-1], 1, 30)
    assert drawn != draw(points, 2, 30)
    assert len({point.key for point in points}) == len(points)


def test_a_mutant_changes_one_place() -> None:
    for point in draw(all_points(), 3, 12):
        place = place_of(point)
        assert place.before != place.after
        assert point.line in place.lines
        _, root = source_of(point)
        one, two = ast.unparse(root).splitlines(), ast.unparse(replaced(root, point)).splitlines()
        assert sum(old != new for old, new in zip(one, two, strict=True)) == 1


def test_what_may_be_changed() -> None:
    def kinds(text: str) -> list[str]:
        tree = ast.parse(text, mode="eval").body
        return [kind for kind, _, _ in changes(tree, tree)]

    assert kinds("a < b <= c") == ["comparison", "comparison"]
    assert kinds("a + b") == ["sign"]
    assert kinds("-a") == ["sign"]
    assert kinds("-1") == ["constant"]
    assert kinds("7") == ["constant"]
    assert kinds("True") == []
    assert kinds("a * b") == []
    assert kinds("a is b") == []
