"""Rendering of pages from templates, with a policy that lets a browser load nothing.

Text is escaped unless it is `Markup`. The policy allows style and scripts by their hashes. Data for scripts can contain
no tag."""

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

from ...base.version import __version__

# other versions may make other bytes of the same run
MADE_BY = f"roundsim {__version__}, zlib {zlib.ZLIB_RUNTIME_VERSION}"
NOT_UTF_8 = re.compile("[\ud800-\udfff]")  # in a file's name
BEFORE = "dom", "cards", "deal", "seats", "moves"  # of the player's files; the tables and what shows them follow


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
    """Return a figure for the page: with a true minus, limits with a dash, and no break between its digits."""
    text = re.sub(r"(?<![\w.])-(?=[\d.])", "−", str(text))
    text = re.sub(r"(?<=\d)-(?=\d)", "–", text)
    return re.sub(r"(?<=\d) (?=\d{3}\b)", "\N{NARROW NO-BREAK SPACE}", text).replace("± ", "±\N{NO-BREAK SPACE}")


def net(counters: int) -> str:
    """Return a net: +30, 0, −15."""
    return fig(f"{counters:+d}" if counters else "0")


def pm(error: str) -> str:
    """Return an error with its sign, if it has none: ±0.210, ~0.210, -."""
    return f"±{error}" if error[:1].isdigit() else error


def deal_anchor(address: str, seat: int | None = None) -> str:
    """Return the link that opens a deal in the player: #deal=nap/44/3/4&seat=1."""
    return f"#deal={quote(address, safe='/')}" + ("" if seat is None else f"&seat={seat}")


def render(template: str, *, deals: dict[str, Any] | None = None, server: str = "", **shown: Any) -> str:
    """Return a whole page. `deals`, from `packing.packed_deals`, add the player; the address of a `server` adds a seat at
    its table instead."""
    style, scripts = style_text(), [script_text("page")]
    scripts += [player_text("player")] * bool(deals) + [player_text("seat")] * bool(server)
    policy = "; ".join(
        [
            "default-src 'none'",
            *[f"connect-src {server}"] * bool(server),
            f"style-src '{integrity_digest(style)}'",
            f"script-src {' '.join(repr(integrity_digest(script)) for script in scripts)}",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )
    text = (
        templates()
        .get_template(template)
        .render(
            style=Markup(style),
            scripts=[Markup(script) for script in scripts],
            policy=policy,
            made_by=MADE_BY,
            data=Markup(data_text(deals)) if deals else None,
            server=server,
            **shown,
        )
    )
    return NOT_UTF_8.sub(lambda match: f"\\u{ord(match[0]):x}", text)


def render_part(template: str, view: Any) -> Markup:
    """Return a part of a page: the text of a template, which gets `view`."""
    return Markup(templates().from_string(template).render(view=view))


def integrity_digest(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def data_text(data: Any) -> str:
    """Return JSON that ends no script and begins no comment."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


@cache
def style_text() -> str:
    """Return the style of all pages: page.css, then the other parts."""
    sheets = sorted(resources_in(files(__package__), ".css"), key=lambda file: (file.name != "page.css", file.name))
    return "\n" + "\n".join(file.read_text("utf-8") for file in sheets)


@cache
def script_text(name: str) -> str:
    return enclosed([files(__package__) / f"{name}.js"])


@cache
def player_text(last: str) -> str:
    """Return the files that draw tables, joined in one function with the one that shows them: "player" or "seat"."""
    folder = files(__package__) / "player"
    before = [folder / f"{name}.js" for name in BEFORE]
    tables = sorted(resources_in(folder / "tables", ".js"), key=lambda file: file.name)
    return enclosed([*before, *tables, folder / f"{last}.js"])


def resources_in(folder: Traversable, ending: str) -> Iterator[Traversable]:
    return (file for file in folder.iterdir() if file.name.endswith(ending))


def enclosed(scripts: list[Traversable]) -> str:
    text = "\n".join(file.read_text("utf-8") for file in scripts)
    if "</script" in text.lower() or "<!--" in text:
        raise ValueError("a script of the page would end before its end")
    return f"\n(() => {{\n'use strict';\n{text}}})();\n"
