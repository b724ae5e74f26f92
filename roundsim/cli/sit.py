"""The command that seats a person at a table."""

from __future__ import annotations

import shlex
import sys
from contextlib import ExitStack, suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .completing import GAME_ID, STRATEGY
from .flags import COUNT, game_option, isolate_option, rule_option, seed_of, sitting_option
from .helping import command, rare_option
from .playing import echo
from .progress import SEPARATOR

if TYPE_CHECKING:
    from ..tournament.planning.plan import Tournament


@command(example="roundsim sit nap expert book book")
@click.argument("what", metavar="GAME", type=GAME_ID, required=False)
@click.argument("strategies", nargs=-1, type=STRATEGY)
@click.option(
    "--as",
    "format",
    type=click.Choice(["sittings", "freeze-out", "progressive"]),
    help="How you play: sittings, one freeze-out, or one evening. [default: sittings]",
)
@click.option("--seats", type=COUNT, metavar="N", help="Players at the table. [default: as is usual in the game]")
@click.option("--deals", type=COUNT, metavar="N", help="Deals, rounded up to whole sittings. [default: 16]")
@rule_option
@sitting_option
@rare_option("--seed", callback=seed_of, metavar="N", help="The seed. [default: a random one]")
@isolate_option
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR", help="The run folder. [default: sit/GAME-N]")
@click.option("--page", is_flag=True, help="Play on a page in a browser on this machine, and not in the terminal.")
@click.option("--history", is_flag=True, help="Print what you have won by game and opponent, in the runs of a folder.")
@rare_option("--no-open", is_flag=True, help="With --page: only print its address.")
@game_option
def sit(
    what: str | None,
    strategies: tuple[str, ...],
    isolate: str | None,
    out: Path | None,
    page: bool,
    history: bool,
    no_open: bool,
    **new: Any,
) -> int:
    """Play GAME yourself against STRATEGIES, or go on in a RUN.

    You sit first; the book takes the seats that are left. Answer with a number of the list, with words or how they
    begin, or with a card: `2`, `call 3`, `c3`, `td`. `?` gives a hint, `h` lists the other commands, `q` leaves. The run
    is an ordinary one: verify, report, deals and replay read it."""
    from itertools import count
    from random import SystemRandom

    from ..games import find
    from ..seat.sit import new_tournament, resumed
    from ..tournament.storage.folder import RunFolder

    if history:
        given = [name for name, value in {**new, "out": out, "page": page}.items() if value not in (None, {}, False)]
        if strategies or given:
            raise click.UsageError("--history takes a folder of runs, and nothing else")
        return print_history(Path(what or "sit"))
    if what is None:
        raise click.UsageError("Missing argument 'GAME'.")
    there = Path(what)
    if (there / "run.toml").exists():
        given = [name for name, value in {**new, "out": out}.items() if value not in (None, {})]
        if given:
            flag = {"format": "--as", "options": "--option"}.get(given[0], f"--{given[0]}")
            raise click.UsageError(f"{what} goes on as it began: {flag} is for a new run")
        tournament, out = resumed(RunFolder(there), strategies, isolate), there
    else:
        seats, format = max(new["seats"] or find(what).usual[0], len(strategies) + 1), new["format"] or "sittings"
        if format != "sittings" and (new["deals"] or new["sitting"]):
            raise click.UsageError(f"{'--deals' if new['deals'] else '--sitting'} is of sittings, not of a {format}")
        amount = {"deals": new["deals"] or 16, "sitting": new["sitting"]} if format == "sittings" else {"times": 1}
        keys = {key: value for key, value in {"options": new["options"], **amount}.items() if value}
        seed = SystemRandom().randrange(10**9) if new["seed"] is None else new["seed"]
        tournament = new_tournament(what, strategies, seats, seed, format, isolate, **keys)
        out = out or next(free for n in count(1) if not (free := Path("sit", f"{what}-{n}")).exists())
    if no_open and not page:
        raise click.UsageError("--no-open is for --page")
    return sit_down(tournament, out, page, no_open)


def print_history(folder: Path) -> int:
    """Print what a person has won in the runs of a folder."""
    from ..seat.history import history_of

    history = history_of(folder)
    click.echo("\n".join(history.lines()))
    for reason in history.broken:
        echo(f"left out: {reason}")
    return 0


def sit_down(tournament: Tournament, out: Path, page: bool, no_open: bool) -> int:
    """Play a run in which a person sits, and print how it came out."""
    from ..coaching.hints import Hints
    from ..replaying.logged import practice_note
    from ..reports.data import in_format
    from ..seat.answers import Answers
    from ..seat.person import HELP, Person
    from ..seat.sit import sit
    from ..seat.stand_in import stand_in
    from ..tournament.storage.folder import RunFolder

    (entry,) = tournament.entries
    facts, folder = SEPARATOR.join([*entry.labels, f"seed {tournament.seed}"]), shlex.quote(str(out))
    click.echo(f"{entry.deal.title}{SEPARATOR}{facts}\nkept in {out}/{SEPARATOR}the rules: roundsim rules {entry.game}")
    with ExitStack() as stack:
        hints = Hints(entry.deal, dict(zip(entry.labels, entry.strategies, strict=True)))
        person = Person(Answers(out), click.echo, read_line, hints, stand_in(tournament))
        if page:
            from ..seat.page import PagePerson, SeatPage

            there = stack.enter_context(SeatPage(entry.deal.title, facts).serving())
            person = PagePerson(person.answers, person.hint, there, person.stand_in)
            click.echo(f"page    {there.address}")
            if not no_open:
                import webbrowser

                address = stack.enter_context(there.redirect(out.parent))
                if click.launch(address):
                    webbrowser.open(address)
        else:
            click.echo(f"? hint   {HELP}")
        result = sit(tournament, RunFolder(out), person)
        ending = f"You have left; nothing is lost.\ngo on    roundsim sit {folder}"
        if result:
            again = f"coach    roundsim coach {folder} --of you\nworst    roundsim deals {folder} --worst you -n 5"
            practised = practice_note(result.folder, result.tournament)
            left_out = f"practice {practised}\n" * bool(practised)
            ending = f"{in_format(result.standings, 'table')}\n{left_out}results  {out}/\n{again}"
        if page:
            there.send("end", ending)
    click.echo(f"\n{ending}")
    return 0


def read_line(prompt: str) -> str:
    """Return a line from the terminal, with its keys for editing; or from a pipe. EOFError at the end."""
    if sys.stdin.isatty():
        with suppress(ImportError):
            import_module("readline")  # from now on `input` edits lines
        return input(prompt)
    if not (line := sys.stdin.readline()):
        raise EOFError
    return line
