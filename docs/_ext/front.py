"""The table of the front page: deal.html, the deal that `roundsim rules nap --example` prints, in the player of a report."""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup
from reference import command
from sphinx.application import Sphinx

from roundsim.reports.page.packing import ShownDeals, packed_deals
from roundsim.reports.page.render import data_text, integrity_digest, player_text, style_text

GAME = "nap"


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("build-finished", write_table)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def write_table(app: Sphinx, failed: Exception | None) -> None:
    """Write the page into the site. As in a report, the browser runs its script and fetches nothing."""
    if failed:
        return
    docs = Path(app.srcdir)
    deal = command("rules", GAME, "--example")
    style, script = style_text() + own(docs, "css"), player_text("player") + own(docs, "js")
    policy = f"default-src 'none'; style-src '{integrity_digest(style)}'; script-src '{integrity_digest(script)}'"
    page = Environment(loader=FileSystemLoader(docs / "_templates"), trim_blocks=True, autoescape=True)
    text = page.get_template("deal.html.j2").render(
        deal=deal,
        policy=policy,
        style=Markup(style),
        script=Markup(script),
        data=Markup(data_text(packed_deals([ShownDeals([deal])]))),
    )
    (Path(app.outdir) / "deal.html").write_text(text, "utf-8")


def own(docs: Path, ending: str) -> str:
    return (docs / "_templates" / f"deal.{ending}").read_text("utf-8")
