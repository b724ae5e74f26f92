"""The command that seats a person at a table."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from .completing import GAME_ID, STRATEGY
from .flags import COUNT, form_option, game_option, isolate_option, rule_option, seed_of, sitting_option
from .helping import command, rare_option
from .playing import echo, print_report
from .progress import SEPARATOR

TITLE = "Play"

if TYPE_CHECKING:
    from ..seat.server import SeatPage
    from ..tournament.planning.plan import Tournament


class Pages(NamedTuple):
    """Whether persons play at pages; whether these are served in the local network, and none is opened. `wait`: seconds
    until the book answers for one of several."""

    page: bool
    lan: bool
    no_open: bool
    wait: int | None

    def of(self, several: bool) -> Pages:
        """Return the same, with pages for `several` persons. UsageError for a flag that says how, but no page is served."""
        pages = self._replace(page=self.page or several)
        if not pages.page and (pages.lan or pages.no_open):
            raise click.UsageError(f"{'--lan' if pages.lan else '--no-open'} is for --page or --persons")
        if self.wait and not several:
            raise click.UsageError("--wait is for --persons")
        return pages


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
@click.option("--persons", metavar="NAME,NAME", help="Several persons at the table, a page each; you are the first.")
@rare_option("--lan", is_flag=True, help="With a page: serve it in the local network, and not on this machine alone.")
@rare_option("--wait", type=COUNT, metavar="SECONDS", help="With --persons: when the book answers. [default: 180]")
@click.option("--history", is_flag=True, help="Print what you have won by game and opponent, in the runs of a folder.")
@form_option("table", "json")
@rare_option("--no-open", is_flag=True, help="With --page: only print its address.")
@click.option("--lesson", is_flag=True, help="Play the example of the game, with each question explained.")
@game_option
def sit(
    what: str | None,
    strategies: tuple[str, ...],
    isolate: str | None,
    out: Path | None,
    history: bool,
    lesson: bool,
    **new: Any,
) -> int:
    """Play GAME yourself against STRATEGIES, or go on in a RUN.

    Without GAME you choose one from a list. You sit first; the book takes the seats that are left. Answer with a number of
    the list, with words or how they begin, or with a card: `2`, `call 3`, `c3`, `td`. `?` gives a hint, `h` lists the
    other commands, `q` leaves. The run is an ordinary one: verify, report, deals and replay read it."""
    from ..base.finding import is_path, split_attribute
    from ..games import allow, named
    from ..seat.sit import new_tournament, resumed
    from ..tournament.storage.folder import RunFolder

    how, form = Pages(**{key: new.pop(key) for key in Pages._fields}), new.pop("form")
    if history:
        if strategies or flags_given(new, out=out, isolate=isolate, lesson=lesson, **how._asdict()):
            raise click.UsageError("--history takes a folder of runs, and nothing else")
        return print_history(what, form)
    if form != "table":
        raise click.UsageError("--format is for --history")
    if what is None:
        try:
            what, strategies = choose_table(strategies, lesson)
        except EOFError:
            return 0
    if lesson:
        options = new.pop("options")
        if strategies or flags_given(new, out=out, isolate=isolate):
            raise click.UsageError(f"--lesson plays the example of {what} as it is: it goes with --page and --option")
        return teach(what, options, how.of(several=False))
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
        persons = new["persons"].split(",") if new["persons"] else []
        seats = max(new["seats"] or game.usual[0], len(strategies) + max(1, len(persons)))
        format = new["format"] or "sittings"
        if format != "sittings" and (new["deals"] or new["sitting"]):
            raise click.UsageError(f"{'--deals' if new['deals'] else '--sitting'} is of sittings, not of a {format}")
        amount = {"deals": new["deals"] or 16, "sitting": new["sitting"]} if format == "sittings" else {"times": 1}
        keys = {key: value for key, value in {"options": new["options"], **amount}.items() if value}
        seed = drawn_seed(persons) if new["seed"] is None else new["seed"]
        tournament = new_tournament(game.id, strategies, seats, seed, format, isolate, persons, **keys)
        out = out or free_folder(game.id)
    return sit_down(tournament, out, how)


def drawn_seed(persons: Sequence[str]) -> int | str:
    """Return a random seed; of several persons one that nobody can find by trying, from their hand."""
    from secrets import randbelow, token_hex

    return token_hex(16) if persons else randbelow(10**9)


def free_folder(game: str) -> Path:
    """Return the first folder for a run of a game that is not there yet."""
    from itertools import count

    from ..seat.choosing import SITTINGS_FOLDER

    return next(free for n in count(1) if not (free := Path(SITTINGS_FOLDER, f"{game}-{n}")).exists())


def flags_given(new: dict[str, object], **others: object) -> list[str]:
    """Return the names of the flags that have a value."""
    return [name for name, value in {**new, **others}.items() if value not in (None, {}) and value is not False]


def print_history(folder: str | None, form: str) -> int:
    """Print what a person has won in the runs of a folder, by default of the one in which `sit` keeps them."""
    from ..seat.choosing import SITTINGS_FOLDER
    from ..seat.history import history_in_format, history_of

    history = history_of(Path(folder or SITTINGS_FOLDER))
    print_report(history_in_format(history, form), form)
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


def teach(what: str, options: dict[str, object], how: Pages) -> int:
    """Play the example of a form of a game with a person."""
    from tempfile import TemporaryDirectory

    from ..coaching.hints import Hints
    from ..games import named
    from ..replaying.logged import YOU
    from ..seat.answers import Answers
    from ..seat.lesson import ExampleLesson, advice
    from ..seat.person import HELP_WITHOUT_UNDO, Person
    from ..table.teaching import form_of

    game = named(what)
    lesson, hints = ExampleLesson(form_of(game, None, options)), Hints(game)
    click.echo(f"{game.title}{SEPARATOR}a lesson{SEPARATOR}the rules: roundsim rules {shlex.quote(what)}")
    with ExitStack() as stack:
        nowhere = Path(stack.enter_context(TemporaryDirectory()))
        person = Person(Answers(nowhere), click.echo, read_line, hints)
        facts = {YOU: f"a lesson{SEPARATOR}you have seat {lesson.seat}"}
        pages = stack.enter_context(opened_pages(game.title, facts, Path(), how))
        if pages:
            from ..seat.page import PagePerson

            person = PagePerson(person.answers, hints, pages[0])
        else:
            click.echo(f"? hint   {HELP_WITHOUT_UNDO}")
        stayed = lesson.teach(person, hints)
        ending = f"{advice(game) if stayed else 'You have left.'}\nplay     roundsim sit {shlex.quote(what)}".strip()
        for page in pages:
            page.send("end", ending)
    click.echo(f"\n{ending}")
    return 0


@contextmanager
def opened_pages(title: str, facts: Mapping[str, str], folder: Path, how: Pages) -> Iterator[list[SeatPage]]:
    """Serve a page for each person, if there are to be any, and open the first in a browser. `facts`: by person, in the
    head of their page; `folder`: of the file that leads there."""
    if not how.page:
        yield []
        return
    from ..base.text import columns_of, padded
    from ..seat.server import HERE, PageServer, local_address

    with ExitStack() as stack:
        server = stack.enter_context(PageServer(local_address() if how.lan else HERE).serving())
        pages = {name: server.page(title, of_person) for name, of_person in facts.items()}
        mine, *_ = pages.values()
        width = max(len("page   "), *map(columns_of, pages))
        for name, page in pages.items():
            click.echo(f"{padded('page' if page is mine else name, width)} {page.address}")
        if not how.no_open:
            import webbrowser

            address = stack.enter_context(mine.redirect(folder))
            if click.launch(address):
                webbrowser.open(address)
        yield [*pages.values()]


def sit_down(tournament: Tournament, out: Path, how: Pages) -> int:
    """Play a run in which persons sit, and print how it came out."""
    from ..coaching.hints import Hints
    from ..games import allowed, installed, ours
    from ..replaying.logged import YOU, practice_note
    from ..reports.data import in_format
    from ..seat.answers import Answers
    from ..seat.person import HELP, AtTable, Person
    from ..seat.sit import sit
    from ..seat.stand_in import stand_in
    from ..tournament.growth import persons_in
    from ..tournament.storage.folder import RunFolder

    (entry,) = tournament.entries
    me, *others = persons_in(entry)
    how = how.of(several=bool(others))
    seed = [] if others else [f"seed {tournament.seed}"]  # which says where all cards are
    facts = {
        name: SEPARATOR.join([*(YOU if label == name else label for label in entry.labels), *seed])
        for name in (me, *others)
    }
    folder = shlex.quote(str(out))
    files = [] if entry.game in {*ours(), *installed()} else allowed()
    rules = f"the rules: roundsim rules {shlex.quote(files[0]) if files else entry.game}"
    click.echo(f"{entry.deal.title}{SEPARATOR}{facts[me]}\nkept in {out}/{SEPARATOR}{rules}")
    answers, hints = Answers(out), Hints(entry.deal, dict(zip(entry.labels, entry.strategies, strict=True)))
    with ExitStack() as stack:
        pages = stack.enter_context(opened_pages(entry.deal.title, facts, out.parent, how))
        person: AtTable
        if others:
            from ..seat.persons import THINKING, persons_at

            person = persons_at([me, *others], answers, hints, pages, how.wait or THINKING)
        elif pages:
            from ..seat.page import PagePerson

            person = PagePerson(answers, hints, pages[0], stand_in(tournament))
        else:
            click.echo(f"? hint   {HELP}")
            person = Person(answers, click.echo, read_line, hints, stand_in(tournament))
        result = sit(tournament, RunFolder(out), person)
        of_files = "".join(f" --game {shlex.quote(file)}" for file in files)
        ending = f"You have left; nothing is lost.\ngo on    roundsim sit {folder}{of_files}"
        shown = "The table was closed before its end."
        if result:
            practised = practice_note(result.folder, result.tournament)
            notes = [f"practice {practised}"] if practised else []
            notes += [f"away     {text}" for text in answers.away_notes(facts)]
            shown = "\n".join([in_format(result.standings, "table"), *notes])
            again = f"coach    roundsim coach {folder} --of {me}\nworst    roundsim deals {folder} --worst {me} -n 5"
            ending = f"{shown}\nresults  {out}/\n{again}"
        for page in pages:
            page.send("end", ending if page is pages[0] else shown)
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
