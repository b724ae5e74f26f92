"""How a page is made of templates: what is in it besides, and a policy that lets a browser fetch nothing.

Text is escaped wherever it is not `Markup`; style and scripts are told by their hashes; data for scripts can hold no tag."""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64encode
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from ..._version import __version__

MADE_BY = f"roundsim {__version__}, zlib {zlib.ZLIB_RUNTIME_VERSION}"  # others may make other bytes of the same run
BEFORE, AFTER = ("dom", "cards", "deal", "seats"), "player"  # of the player's files; the tables stand between


@cache
def templates() -> Environment:
    made = Environment(
        loader=PackageLoader(__package__),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    made.filters |= {"fig": fig, "net": net, "pm": pm, "place": deal_anchor}
    return made


def fig(text: object) -> str:
    """A figure as it stands on the page: with a true minus, limits with a dash, and not broken between its digits."""
    text = re.sub(r"(?<![\w.])-(?=[\d.])", "−", str(text))
    text = re.sub(r"(?<=\d)-(?=\d)", "–", text)
    return re.sub(r"(?<=\d) (?=\d{3}\b)", "\N{NARROW NO-BREAK SPACE}", text).replace("± ", "±\N{NO-BREAK SPACE}")


def net(counters: int) -> str:
    """+30, 0, −15"""
    return fig(f"{counters:+d}" if counters else "0")


def pm(error: str) -> str:
    """An error with its sign, where it has none: ±0.210, ~0.210, -"""
    return f"±{error}" if error[:1].isdigit() else error


def deal_anchor(address: str, seat: int | None = None) -> str:
    """Where the player opens a deal: #deal=nap/44/3/4&seat=1."""
    return f"#deal={quote(address, safe='/')}" + ("" if seat is None else f"&seat={seat}")


def render(template: str, *, deals: dict[str, Any] | None = None, **shown: Any) -> str:
    """A whole page.  `deals`, as `packing.packed` has them, bring the player with them."""
    style, scripts = style_text(), [script_text("page")] + [player_text()] * bool(deals)
    policy = "; ".join(
        [
            "default-src 'none'",
            f"style-src '{integrity_digest(style)}'",
            f"script-src {' '.join(repr(integrity_digest(each)) for each in scripts)}",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )
    text = (
        templates()
        .get_template(template)
        .render(
            style=Markup(style),
            scripts=[Markup(each) for each in scripts],
            policy=policy,
            made_by=MADE_BY,
            data=Markup(data_text(deals)) if deals else None,
            **shown,
        )
    )
    return text.encode(errors="backslashreplace").decode()  # a file's name need not be UTF-8


def render_part(template: str, view: Any) -> Markup:
    """A part of a page: the text of a template, which is given `view`."""
    return Markup(templates().from_string(template).render(view=view))


def integrity_digest(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def data_text(data: Any) -> str:
    """JSON that ends no script and begins no comment."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


@cache
def style_text() -> str:
    """What all pages look like: page.css, then the other parts."""
    sheets = sorted(resources_in(files(__package__), ".css"), key=lambda each: (each.name != "page.css", each.name))
    return "\n" + "\n".join(each.read_text("utf-8") for each in sheets)


@cache
def script_text(name: str) -> str:
    return enclosed([files(__package__) / f"{name}.js"])


@cache
def player_text() -> str:
    """The player's files, joined in one function."""
    folder = files(__package__) / "player"
    before = [folder / f"{name}.js" for name in BEFORE]
    tables = sorted(resources_in(folder / "tables", ".js"), key=lambda each: each.name)
    return enclosed([*before, *tables, folder / f"{AFTER}.js"])


def resources_in(folder: Traversable, ending: str) -> Iterator[Traversable]:
    return (each for each in folder.iterdir() if each.name.endswith(ending))


def enclosed(scripts: list[Traversable]) -> str:
    text = "\n".join(each.read_text("utf-8") for each in scripts)
    if "</script" in text.lower() or "<!--" in text:
        raise ValueError("a script of the page would end before its end")
    return f"\n(() => {{\n'use strict';\n{text}}})();\n"
