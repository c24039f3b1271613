"""Builds the page: fills the templates with the sections and inlines styles, script and pictures."""

from __future__ import annotations

import base64
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from apotheosis.experiments.report.canvas import Panel, Picture
from apotheosis.experiments.report.wording import Words

if TYPE_CHECKING:
    from jinja2 import Template

DARK = (
    "--paper: #14171a; --sheet: #1b1f23; --ink: #eceff1; --soft: #a3adb7; --line: #31373e; "
    "--grid: #262b31; --band: #1f2e2b; --strong: #f08a4b; --weak: #64b9ec; --within: #3cc79b; --accent: #64b9ec; "
    "--pick: #20303b; --shade: 0 1px 2px rgba(0, 0, 0, .4); --picture: invert(1) hue-rotate(180deg); --blend: screen; "
    "color-scheme: dark"
)
"""Dark values of the style sheet's properties; they stand there twice, so they are written once here."""

REPLAY_DARK = (
    "--a: #64b9ec; --b: #f08a4b; --field: #23282d; --rock: #3a3833; --sand: #443b25; --swamp: #29392c; --frost: #223a48; "
    "--water: #1d4560; --wall: #57534c; --off: #14171a"
)
"""The same for the board and the seats of a replay."""


def template_text(name: str) -> str:
    """Returns the text of a file among the templates."""
    return files("apotheosis.experiments.report").joinpath("templates", name).read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def environment() -> Environment:
    """Returns the template engine; undefined names are errors and everything is escaped."""
    return Environment(
        loader=FunctionLoader(template_text),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def template(name: str) -> Template:
    """Returns a template."""
    return environment().get_template(name)


def macros(words: Words) -> Any:
    """Returns the small pieces that Python code writes into cells: icons, verdicts, intervals."""
    return template("macros.html.j2").make_module({"t": words})


def style(name: str = "report") -> Markup:
    """Returns the style sheet of a kind of page, after what all pages share."""
    own = template_text(f"{name}.css").replace("REPLAY_DARK", REPLAY_DARK)
    return Markup(template_text("base.css").replace("DARK", DARK) + own)


def script(name: str = "report") -> Markup:
    """Returns the script of a kind of page."""
    return Markup(template_text(f"{name}.js"))


def inline(picture: Picture | None, anchor: dict[Any, str], file: str) -> dict | None:
    """Returns a picture as the template shows it: both versions in base64, links as percentages.

    Args:
        picture: the picture.
        anchor: address of each card's page by card id.
        file: address of the PNG file beside the page.
    """
    if picture is None:
        return None

    def panel(p: Panel) -> dict:
        spots = [
            {
                "card": anchor[s.card],
                "title": s.title,
                "left": f"{100 * s.left:.2f}",
                "top": f"{100 * s.top:.2f}",
                "width": f"{100 * s.width:.2f}",
                "height": f"{100 * s.height:.2f}",
            }
            for s in p.spots
            if s.card in anchor
        ]
        return {"base64": base64.b64encode(p.png).decode("ascii"), "width": p.width, "height": p.height, "spots": spots}

    return {"alt": picture.alt, "file": file, "wide": panel(picture.wide), "narrow": panel(picture.narrow)}


def render(name: str, words: Words, **values: Any) -> str:
    """Returns a filled page; a replay has a style sheet and a script of its own."""
    kind = "replay" if name.startswith("replay.") else "report"
    return template(name).render(t=words, css=style(kind), js=script(kind), **values)
