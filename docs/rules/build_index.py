"""Collects the rule ids and titles of RULES.md and ARENA.md into the index that ships with the package.

The rule texts live in this folder and are not part of the wheel; the index is, so that reasons and replays can name a
rule anywhere. Run it after a change of the texts:

    python docs/rules/build_index.py            # writes env/rules_index.csv
    python docs/rules/build_index.py --check    # exit code 2 when the file is out of date
"""

import csv
import io
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
INDEX = HERE.parent.parent / "env" / "rules_index.csv"
SOURCES = ("RULES.md", "ARENA.md")
TITLE_LENGTH = 90

ID = r"(?:[RA]\d+(?:\.\d+)*|C\.\d+|E\d+)"
HEADING = re.compile(rf"#{{2,3}} (?P<id>{ID})(?: -)? (?P<title>.+)")
STATEMENT = re.compile(rf"(?:\d+\. | - )?\*\*(?P<id>{ID})(?P<title>[^*]*)\*\*:?(?P<text>.*)")
CELL = re.compile(rf"(?P<id>{ID})(?: (?P<title>\w.*))?")
SENTENCE_END = re.compile(r"(?<=[^.])[.;](?= |$)| \[RULING")
CLAUSE_END = re.compile(r":(?= )")


def before(ending: re.Pattern[str], text: str) -> str:
    """Returns the text up to the first ending that stands outside brackets, or the whole text.

    Args:
        ending: what ends the part.
        text: a text without markup.
    """
    for match in ending.finditer(text):
        head = text[: match.start()]
        if head.count("(") == head.count(")"):
            return head
    return text


def shortened(text: str) -> str:
    """Returns the first sentence of a rule without markup; a long one is cut at its colon or else at a word.

    Args:
        text: the text of a rule in Markdown.
    """
    sentence = before(SENTENCE_END, re.sub(r"\*+|`", "", text).strip(" .:")).strip()
    if len(sentence) > TITLE_LENGTH:
        sentence = before(CLAUSE_END, sentence)
    if len(sentence) > TITLE_LENGTH:
        sentence = sentence[:TITLE_LENGTH].rsplit(" ", 1)[0].rstrip(" ,(") + " ..."
    return sentence


def table_entry(line: str) -> tuple[str, str] | None:
    """Returns the id and title that a table row defines in one of its first two cells, or None.

    Args:
        line: a row of a Markdown table.
    """
    cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
    for position, cell in enumerate(cells[:2]):
        match = CELL.fullmatch(cell)
        if match and position + 1 < len(cells):
            return match["id"], match["title"] or cells[position + 1]
    return None


def entries(text: str) -> dict[str, str]:
    """Returns the title of each rule id that a rule text defines; the first definition of an id counts.

    Args:
        text: a rule text in Markdown.
    """
    found: dict[str, str] = {}
    for line in text.splitlines():
        if match := HEADING.fullmatch(line):
            entry = match["id"], match["title"]
        elif match := STATEMENT.fullmatch(line):
            entry = match["id"], match["title"].strip(" .:") or match["text"]
        elif not line.startswith("|") or (entry := table_entry(line)) is None:
            continue
        found.setdefault(entry[0], shortened(entry[1]))
    return found


def build() -> str:
    """Returns the index as CSV text with the columns id and title, in the order of the ids."""
    found: dict[str, str] = {}
    for name in SOURCES:
        found |= entries((HERE / name).read_text(encoding="utf-8"))
    key = {rule: (rule[0], [int(part) for part in re.findall(r"\d+", rule)]) for rule in found}
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("id", "title"))
    writer.writerows((rule, found[rule]) for rule in sorted(found, key=key.__getitem__))
    return out.getvalue()


def main(arguments: list[str]) -> int:
    """Writes the index, or compares it with the texts.

    Args:
        arguments: `["--check"]` to compare only.

    Returns:
        The exit code: 0 done, 2 out of date.
    """
    text = build()
    if "--check" in arguments:
        if INDEX.exists() and INDEX.read_text(encoding="utf-8") == text:
            return 0
        sys.stderr.write("env/rules_index.csv is out of date; run: python docs/rules/build_index.py\n")
        return 2
    INDEX.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
