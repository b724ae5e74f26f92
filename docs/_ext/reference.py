"""The generated reference: a page for each game, exit codes, the verdicts about the books' claims, and the Python API.

Everything comes from roundsim itself when the site is built.  The figures are those of roundsim/reports/measured.json."""

from __future__ import annotations

import inspect
import json
import re
import shutil
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from jinja2 import Environment, FileSystemLoader, Undefined
from sphinx.application import Sphinx

from roundsim.base import errors
from roundsim.base.promised import FACES
from roundsim.base.text import in_toml, options_in_words, so_many
from roundsim.claiming.ask import chosen
from roundsim.claiming.report import ORDER, figures
from roundsim.claiming.rows import EXPERTS, Row, definition, is_otherwise, kept_rows, verdict_among, with_experts
from roundsim.claiming.verdict import together
from roundsim.cli import cli
from roundsim.reports import explain
from roundsim.reports.lines import in_markdown
from roundsim.reports.strength import measured

CARD = re.compile(r"\b([AKQJTWE2-9])([shdc])\b")
SUITS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
LINKED_ONLY = "run-folder", "whole-book"
RANKS = {"T": "10", "E": "11", "W": "12"}


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("builder-inited", write_pages)
    app.connect("source-read", unlink)
    app.connect("source-read", leave_out_of_menu)
    app.connect("autodoc-process-docstring", mark_code)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def unlink(app: Sphinx, page: str, source: list[str]) -> None:
    """Keep only the words of a link that leads out of docs/: the site does not have that file."""
    if not page.startswith("reference/"):
        source[0] = re.sub(r"\[([^\]]+)\]\(\.\./[^)]+\)", r"\1", source[0])


def leave_out_of_menu(app: Sphinx, page: str, source: list[str]) -> None:
    """Tell Sphinx that no menu lists this page: only links lead to it."""
    if page in LINKED_ONLY:
        source[0] = f"---\norphan: true\n---\n{source[0]}"


def write_pages(app: Sphinx) -> None:
    """Write the pages into docs/reference/, which git ignores."""
    docs = Path(app.srcdir)
    pages = Environment(loader=FileSystemLoader(docs / "_templates"), trim_blocks=True)
    pages.filters |= {each.__name__: each for each in (pips, cell, signed, interval, percent, thousands, text, figures)}
    reference = docs / "reference"
    shutil.rmtree(reference, ignore_errors=True)
    (reference / "games").mkdir(parents=True)

    def write(page: str, template: str, **data: Any) -> None:
        (reference / page).write_text(pages.get_template(template).render(data), "utf-8")

    games = [game_data(docs, each["game"]) for each in command("games")]
    for game in games:
        write(f"games/{game['game']}.md", "game.md.j2", **game)
    write("games.md", "games.md.j2", games=games)
    write("claims.md", "claims.md.j2", **claims_data([*kept_rows().values()]))
    write("exit-codes.md", "exit-codes.md.j2", errors=[each for each in vars(errors).values() if is_error(each)])
    write("python.md", "python.md.j2", faces=[*faces_data(["roundsim", *(f"roundsim.{each}" for each in FACES)])])


def faces_data(modules: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Yield all that the page of the Python API shows of each face. A name that two of them have is described once."""
    described = set[int]()
    for module in modules:
        face = import_module(module)
        named = {name: getattr(face, name) for name in sorted(face.__all__)}
        things = [(name, kind, id(named[name])) for name in named if (kind := kind_of(named[name]))]
        yield {
            "module": module,
            "about": (face.__doc__ or "").partition("\n\n")[0],
            "things": [(name, kind) for name, kind, known in things if known not in described],
            "again": [f"`{name}`" for name, _, known in things if known in described],
            "constants": [f"`{name}`" for name in named if not kind_of(named[name])],
        }
        described.update(known for _, _, known in things)


def kind_of(thing: Any) -> str:
    """How Sphinx documents a thing; "" for a constant."""
    if isinstance(thing, type):
        return "exception" if issubclass(thing, BaseException) else "class"
    return "function" if inspect.isroutine(thing) or hasattr(thing, "__wrapped__") else ""


def command(*words: str) -> Any:
    """Return the JSON output of a command of roundsim."""
    return json.loads(CliRunner().invoke(cli, [*words, "--format", "json"], catch_exceptions=False).stdout)


def claims_data(kept: list[Row]) -> dict[str, Any]:
    """All that the page of claims shows: kept verdicts, without those about claims that have changed since."""
    by_id = defaultdict[str, list[Row]](list)
    for row in kept:
        by_id[row["id"]].append(row)
    chapters, authors = list[tuple[Any, list[Row]]](), defaultdict[str, Counter[str]](Counter)
    for chapter, claims in chosen(()):
        rows = list[Row]()
        for claim in claims:
            valid = [row for row in by_id[claim.id] if row["definition"] == definition(claim)]
            if valid:
                authors[claim.author][together([row["verdict"] for row in valid])] += 1
            rows += valid
        chapters += [(chapter, rows)] if rows else []
    tally = [*sorted(authors.items()), ("in all", sum(authors.values(), Counter[str]()))]
    rows = [row for _, rows in chapters for row in rows]
    return {
        "chapters": chapters,
        "words": [word for word in ORDER if tally[-1][1][word]],
        "tally": tally,
        "otherwise": [
            *filter(is_otherwise, (with_experts(row, kept_rows()) for row in rows if EXPERTS[0] not in row["among"]))
        ],
        "verdict_among": verdict_among,
    }


def form_data(game: str, form: dict[str, Any]) -> dict[str, Any]:
    """A form as the page of its game shows it."""
    options = [f"--option={key}={in_toml(value)}" for key, value in form["options"].items()]
    wanted = ["rules", game, f"--players={form['players']}", *options]
    example = command(*wanted, "--example")
    return {**command(*wanted), "title": form_title(form), "example": example, "steps": [*steps_of(example)]}


def form_title(form: dict[str, Any]) -> str:
    return options_in_words(form["options"]) or f"{form['players']} players"


def game_data(docs: Path, game: str) -> dict[str, Any]:
    """All that a game's page shows."""
    rules = command("rules", game)
    usual, *others = [form_data(game, form) for form in rules["forms"]]
    return {
        **rules,
        "usual_form": usual,
        "other_forms": others,
        "own": {name: help for name, help in rules["view"].items() if name not in explain.OF_EVERY_VIEW},
        "every": explain.OF_EVERY_VIEW,
        "written": explain.how_written(rules["cards"], rules["packs"]),
        "picture": (docs / "pictures" / f"{game}.png").exists(),
        "strategies": [each for each in command("strategies") if {game, "*"} & {*each["games"]}],
        "measured": measured()["games"].get(game),
        "seed": measured()["seed"],
    }


def steps_of(example: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the events before the first question, and then each step: who does what, the `rule` that applies here first,
    and `lines` for the events that follow, with the hands that have got cards."""
    hands = [""] * len(example["seats"])
    before = {"d": example["start"], **{key: example[key] for key in "em" if key in example}}
    for number, step in enumerate([before, *example["steps"]]):
        changed = step.get("k", {}).get("hands", {})
        now = step.get("d", {}).get("hands") or [changed.get(str(seat), hand) for seat, hand in enumerate(hands)]
        dealt = [seat for seat, hand in enumerate(now) if not {*hand.split()} <= {*hands[seat].split()}]
        moved = [
            f"{so_many(n, 'counter')} from {party(payer)} to {party(payee)}: {why} ({rule})"
            for payer, payee, n, why, rule in step.get("m", ())
        ]
        lines = [*step.get("e", ()), *moved, *(f"seat {seat} holds {now[seat]}" for seat in dealt)]
        rule = example["rules"].get(str(number - 1))
        yield {"number": number, "rule": rule, "seat": step.get("s"), "text": step.get("t"), "lines": lines}
        hands = now


def party(one: int | str) -> str:
    return f"seat {one}" if isinstance(one, int) else "the pool" if one == "pool" else one


def is_error(thing: object) -> bool:
    return isinstance(thing, type) and issubclass(thing, errors.RoundsimError)


def pips(text: str) -> str:
    """The text with its cards as people write them: 10♦ for Td."""
    return CARD.sub(lambda card: f"{RANKS.get(card[1], card[1])}{SUITS[card[2]]}", text)


def cell(text: str) -> str:
    """The text for a cell of a table."""
    return " ".join(text.split()).replace("|", r"\|")


def text(words: str) -> str:
    """The words of others for a cell of a table, none of them markup."""
    return re.sub(r"[*_$\[\]{}]", r"\\\g<0>", in_markdown(" ".join(words.split())))


def signed(number: float, digits: int = 2) -> str:
    return f"{number:+.{digits}f}".replace("-", "−")


def interval(found: list[float] | Undefined) -> str:
    """A mean with half the width of its interval; nothing for a strategy against itself."""
    return f"{signed(found[0])}&nbsp;±&nbsp;{found[1]:.2f}" if found else ""


def percent(share: float) -> str:
    return f"{share:.0%}".replace("%", " %")


def thousands(number: int | Undefined) -> str:
    return f"{number:,}".replace(",", "&nbsp;") if number else ""


def mark_code(app: Sphinx, what: str, name: str, thing: object, options: object, lines: list[str]) -> None:
    """Mark the indented lines of a docstring as code."""
    for at in range(len(lines) - 1, 0, -1):
        if lines[at].startswith("    ") and not lines[at - 1].strip():
            before = next((line for line in reversed(lines[:at]) if line.strip()), "")
            if not before.startswith("    "):
                lines[at:at] = ["::", ""]
