"""The command that seats a person at a table."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
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
    from ..seat.page import SeatPage
    from ..tournament.planning.plan import Tournament


@command(example="roundsim sit nap expert book book")
@click.argument("what", metavar="[GAME]", type=GAME_ID, required=False)
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
@click.option("--lesson", is_flag=True, help="Play the example of the game, with each question explained.")
@game_option
def sit(
    what: str | None,
    strategies: tuple[str, ...],
    isolate: str | None,
    out: Path | None,
    page: bool,
    history: bool,
    no_open: bool,
    lesson: bool,
    **new: Any,
) -> int:
    """Play GAME yourself against STRATEGIES, or go on in a RUN.

    Without GAME you choose one from a list. You sit first; the book takes the seats that are left. Answer with a number of
    the list, with words or how they begin, or with a card: `2`, `call 3`, `c3`, `td`. `?` gives a hint, `h` lists the
    other commands, `q` leaves. The run is an ordinary one: verify, report, deals and replay read it."""
    from itertools import count
    from random import SystemRandom

    from ..base.finding import is_path, split_attribute
    from ..games import allow, named
    from ..seat.choosing import SITTINGS_FOLDER
    from ..seat.sit import new_tournament, resumed
    from ..tournament.storage.folder import RunFolder

    if history:
        if strategies or flags_given(new, out=out, isolate=isolate, page=page, no_open=no_open, lesson=lesson):
            raise click.UsageError("--history takes a folder of runs, and nothing else")
        return print_history(Path(what or SITTINGS_FOLDER))
    if no_open and not page:
        raise click.UsageError("--no-open is for --page")
    if what is None:
        try:
            what, strategies = choose_table(strategies, lesson)
        except EOFError:
            return 0
    if lesson:
        options = new.pop("options")
        if strategies or flags_given(new, out=out, isolate=isolate):
            raise click.UsageError(f"--lesson plays the example of {what} as it is: it goes with --page and --option")
        return teach(what, options, page, no_open)
    there = Path(what)
    if (there / "run.toml").exists():
        if names := flags_given(new, out=out):
            flag = {"format": "--as", "options": "--option"}.get(names[0], f"--{names[0]}")
            raise click.UsageError(f"{what} goes on as it began: {flag} is for a new run")
        tournament, out = resumed(RunFolder(there), strategies, isolate), there
    else:
        game = named(what)
        if is_path(split_attribute(what)[0]):
            allow(what)
        seats, format = max(new["seats"] or game.usual[0], len(strategies) + 1), new["format"] or "sittings"
        if format != "sittings" and (new["deals"] or new["sitting"]):
            raise click.UsageError(f"{'--deals' if new['deals'] else '--sitting'} is of sittings, not of a {format}")
        amount = {"deals": new["deals"] or 16, "sitting": new["sitting"]} if format == "sittings" else {"times": 1}
        keys = {key: value for key, value in {"options": new["options"], **amount}.items() if value}
        seed = SystemRandom().randrange(10**9) if new["seed"] is None else new["seed"]
        tournament = new_tournament(game.id, strategies, seats, seed, format, isolate, **keys)
        out = out or next(free for n in count(1) if not (free := Path(SITTINGS_FOLDER, f"{game.id}-{n}")).exists())
    return sit_down(tournament, out, page, no_open)


def flags_given(new: dict[str, object], **others: object) -> list[str]:
    """Return the names of the flags that have a value."""
    return [name for name, value in {**new, **others}.items() if value not in (None, {}) and value is not False]


def print_history(folder: Path) -> int:
    """Print what a person has won in the runs of a folder."""
    from ..seat.history import history_of

    history = history_of(folder)
    click.echo("\n".join(history.lines()))
    for reason in history.broken:
        echo(f"left out: {reason}")
    return 0


def choose_table(strategies: tuple[str, ...], lesson: bool) -> tuple[str, tuple[str, ...]]:
    """Return the game and the opponents that a person chooses from lists. EOFError when they leave."""
    from ..seat.choosing import choose_game, choose_opponents

    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise click.UsageError("name a game, as in `roundsim sit nap`: `roundsim games` lists them")
    game = choose_game(click.echo, read_line)
    if not strategies and not lesson:
        strategies = tuple(choose_opponents(game, click.echo, read_line))
    return game.id, strategies


def teach(what: str, options: dict[str, object], page: bool, no_open: bool) -> int:
    """Play the example of a form of a game with a person."""
    from tempfile import TemporaryDirectory

    from ..coaching.hints import Hints
    from ..games import named
    from ..seat.answers import Answers
    from ..seat.lesson import ExampleLesson, advice
    from ..seat.person import HELP_IN_LESSON, Person
    from ..table.teaching import form_of

    game = named(what)
    lesson, hints = ExampleLesson(form_of(game, None, options)), Hints(game)
    click.echo(f"{game.title}{SEPARATOR}a lesson{SEPARATOR}the rules: roundsim rules {shlex.quote(what)}")
    with ExitStack() as stack:
        nowhere = Path(stack.enter_context(TemporaryDirectory()))
        person = Person(Answers(nowhere), click.echo, read_line, hints)
        if page:
            from ..seat.page import PagePerson

            there = stack.enter_context(
                opened_page(game.title, f"a lesson{SEPARATOR}you have seat {lesson.seat}", Path(), no_open)
            )
            person = PagePerson(person.answers, hints, there)
        else:
            click.echo(f"? hint   {HELP_IN_LESSON}")
        stayed = lesson.teach(person, hints)
        ending = f"{advice(game) if stayed else 'You have left.'}\nplay     roundsim sit {shlex.quote(what)}".strip()
        if page:
            there.send("end", ending)
    click.echo(f"\n{ending}")
    return 0


@contextmanager
def opened_page(title: str, facts: str, folder: Path, no_open: bool) -> Iterator[SeatPage]:
    """Serve a page, and open it in a browser. `folder`: of the file that leads there."""
    from ..seat.page import SeatPage

    with ExitStack() as stack:
        there = stack.enter_context(SeatPage(title, facts).serving())
        click.echo(f"page    {there.address}")
        if not no_open:
            import webbrowser

            address = stack.enter_context(there.redirect(folder))
            if click.launch(address):
                webbrowser.open(address)
        yield there


def sit_down(tournament: Tournament, out: Path, page: bool, no_open: bool) -> int:
    """Play a run in which a person sits, and print how it came out."""
    from ..coaching.hints import Hints
    from ..games import allowed, installed, ours
    from ..replaying.logged import practice_note
    from ..reports.data import in_format
    from ..seat.answers import Answers
    from ..seat.person import HELP, Person
    from ..seat.sit import sit
    from ..seat.stand_in import stand_in
    from ..tournament.storage.folder import RunFolder

    (entry,) = tournament.entries
    facts, folder = SEPARATOR.join([*entry.labels, f"seed {tournament.seed}"]), shlex.quote(str(out))
    files = [] if entry.game in {*ours(), *installed()} else allowed()
    rules = f"the rules: roundsim rules {shlex.quote(files[0]) if files else entry.game}"
    click.echo(f"{entry.deal.title}{SEPARATOR}{facts}\nkept in {out}/{SEPARATOR}{rules}")
    with ExitStack() as stack:
        hints = Hints(entry.deal, dict(zip(entry.labels, entry.strategies, strict=True)))
        person = Person(Answers(out), click.echo, read_line, hints, stand_in(tournament))
        if page:
            from ..seat.page import PagePerson

            there = stack.enter_context(opened_page(entry.deal.title, facts, out.parent, no_open))
            person = PagePerson(person.answers, person.hint, there, person.stand_in)
        else:
            click.echo(f"? hint   {HELP}")
        result = sit(tournament, RunFolder(out), person)
        of_files = "".join(f" --game {shlex.quote(file)}" for file in files)
        ending = f"You have left; nothing is lost.\ngo on    roundsim sit {folder}{of_files}"
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
