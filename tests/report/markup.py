"""Reads a page with the standard library: elements, texts, and whether all tags close in order."""

from html.parser import HTMLParser

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}


class Document(HTMLParser):
    """A parsed page.

    Attributes:
        elements: (tag, attributes) of every element, in order.
        errors: tags that do not close in order.
    """

    def __init__(self, text: str):
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.errors: list[str] = []
        self._open: list[str] = []
        self._words: list[str] = []
        self.feed(text)
        self.close()
        self.errors += [f"<{tag}> stays open" for tag in self._open]

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID and not (self._open and self._open[-1] == "svg" and tag in ("use", "path", "circle")):
            self._open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag):
        if self._open and self._open[-1] == tag:
            self._open.pop()
        else:
            self.errors.append(f"</{tag}> after <{self._open[-1] if self._open else ''}>")

    def handle_data(self, data):
        if not {"script", "style"} & set(self._open):
            self._words.append(data)

    @property
    def text(self) -> str:
        """All words that are shown, with single spaces."""
        return " ".join(" ".join(self._words).split())

    def all(self, tag: str, **wanted: str) -> list[dict[str, str]]:
        """Returns the attributes of all elements of a tag that have these attributes."""
        return [a for name, a in self.elements if name == tag and all(a.get(k) == v for k, v in wanted.items())]
