"""The page of known troubles answers each of them and names files that exist."""

import re

TROUBLES = 73


def test_every_trouble_is_answered_or_said_not_to_be(root):
    text = (root / "docs" / "needs.md").read_text(encoding="utf-8")
    rows = [cell for line in text.splitlines() if (cell := re.match(r"\| ([\d, ]+) \|", line))]
    listed = [int(number) for row in rows for number in row[1].split(",")]
    assert len(listed) == len(set(listed)), "a trouble has one row"
    open_ = text[text.index("## Not answered") :]
    left = {
        int(number) for line in re.findall(r"(?:^- |\. )((?:\d+, )*\d+):", open_, re.MULTILINE) for number in line.split(",")
    }
    assert set(listed) | left == set(range(1, TROUBLES + 1))


def test_what_it_names_is_there(root):
    text = (root / "docs" / "needs.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:tests|docs|notebooks)/[\w./-]+)`", text)
    assert len(named) > 40
    assert [name for name in named if not (root / name).is_file()] == []
    rows = [line for line in text.splitlines() if line.startswith("| ") and line[2].isdigit()]
    assert all(re.search(r"`[^`]+`[^|]*\|$", row) for row in rows), "each row names what shows it"
