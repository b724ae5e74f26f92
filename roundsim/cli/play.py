"""Playing tournaments."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import UnknownGameError, did_you_mean
from .completing import ENTRY, GAME, RUN, STRATEGY
from .flags import (
    COUNT,
    AllBut,
    FormatOption,
    amount_of,
    form_option,
    format_option,
    fresh_cards_option,
    game_option,
    isolate_option,
    jobs_option,
    key_value_option,
    out_option,
    outside_options,
    quiet_option,
    reuse_option,
    run_options,
    seats_option,
    seed_of,
    shard_option,
    sitting_option,
    until_option,
    workers_option,
)
from .helping import command, rare_option
from .playing import ContestRequest, Growth, Request, dry_lines, progress_bar, run_and_report, sit_down

if TYPE_CHECKING:
    from ..table.deal import Deal
    from ..tournament.formats import Format
    from ..tournament.planning.file import Amount
    from ..tournament.planning.plan import Tournament

TITLE = "Play"
OWN = "--seats", "--sitting", "--focus"  # flags that give an entry its settings
CHECKED = 200  # deals in which each entry of a contest is checked, as by `check`
NOT_IN_BRACKETS = re.compile(r",(?![^()]*\))")  # the commas between strategies


def game_tables(
    games: Iterable[str], table: dict[str, Any], own: Callable[[type[Deal]], dict[str, Any]]
) -> list[dict[str, Any]]:
    """Return a [[games]] table for each game, with its own keys. Unknown games are reported when the tables are read."""
    from ..games import find

    tables = [{"game": game, **table} for game in games]
    for each in tables:
        with suppress(UnknownGameError):
            each |= own(find(each["game"]))
    return tables


def refuse_games(games: str, strategies: Iterable[str]) -> None:
    """Raise UsageError for a game where a strategy belongs, unless a strategy has its name."""
    from ..contract import plugins
    from ..games import names
    from ..tournament.planning.file import ALL

    named = [each for each in strategies if each in names()]
    known = {each.name for each in plugins.installed(names=named)} if named else set()
    if strays := [each for each in named if each not in known]:
        listed = dict.fromkeys([*games.split(","), *strays])
        hint = f": separate games by commas, {','.join(listed)}" if len(listed) > 1 and ALL not in listed else ""
        raise click.UsageError(f"{strays[0]} is a game, not a strategy{hint}")


def format_of(format: str | None, given: dict[str, Any]) -> tuple[type[Format], dict[str, str]]:
    """Return the format of this name, by default the one for the flags that are given, and its keys by their flags.
    UsageError if there is no such format, or a flag is not of it."""
    from ..loading import is_path
    from ..tournament import formats

    format = format or formats.format_for_flags(given)
    if not is_path(format.partition(":")[0]) and format not in (known := formats.names()):
        raise click.UsageError(f"--as must be one of {', '.join(known)}, not {format!r}{did_you_mean(format, known)}")
    kind = formats.named(format)
    keys = {known.flag: key for key, known in kind.entered_with().items() if known.flag}
    if strays := given.keys() - keys.keys():
        raise click.UsageError(f"{min(strays)} is not of a {kind.name}, which takes {', '.join(keys)}")
    return kind, keys


def settings_words(given: dict[str, Any], options: dict[str, Any]) -> list[str]:
    """Return the words of a command line that give an entry its settings, and its game these options."""
    from ..words import in_toml

    words = [str(word) for flag in OWN if flag in given for word in (flag, given[flag])]
    return words + [word for key, value in options.items() for word in ("--option", f"{key}={in_toml(value)}")]


def play_command(request: Request, dry_run: bool) -> int:
    if request.cluster and request.jobs:
        raise click.UsageError("--jobs are processes of this machine: give it or --workers")
    if request.part and request.page:
        raise click.UsageError("--report is of standings, which a part has not: merge the parts, then roundsim report")
    if request.part and request.form in ("csv", "md"):
        raise click.UsageError(f"--format {request.form} is of standings, which a part has not: table or json")
    if dry_run and request.quiet:
        raise click.UsageError("--dry-run only prints, and --quiet prints nothing: give one of them")
    if dry_run:
        click.echo("\n".join(dry_lines(request)))
        return 0
    return run_and_report(request)


@command(example="roundsim run tournaments/parlour.toml --deals 4000")
@click.argument("file", type=click.Path(path_type=Path))
@until_option
@reuse_option
@shard_option
@format_option
@run_options
def run(
    file: Path,
    seed: int | str | None,
    deals: int | None,
    times: int | None,
    until: str | None,
    fresh_cards: bool,
    dry_run: bool,
    **how: Any,
) -> int:
    """Play a tournament FILE, or continue an interrupted run.

    Finished deals are kept; the same command plays the missing ones."""
    from ..tournament.planning.file import load_tournament

    words = ["roundsim", "run", str(file), *(["--until", until] if until else []), *["--fresh-cards"] * fresh_cards]
    load_so = cache(partial(load_tournament, file, seed, until=until, fresh_cards=fresh_cards, isolate=how["isolate"]))
    return play_command(Request(load_so, shlex.join(words), amount_of(deals, times), **how), dry_run)


@command(cls=AllBut, example="roundsim play nap mine.py book random --deals 4000")
@click.argument("game", type=GAME)
@click.argument("strategies", nargs=-1, type=STRATEGY)
@click.option(
    "--as",
    "format",
    cls=FormatOption,
    metavar="FORMAT",
    help="{}; or the file of your own. [default: by the flags]",
)
@click.option(
    "--seats",
    callback=seats_option,
    metavar="N",
    help="Players at the table, 3-6 for a table of each size; at most this many if tables have several sizes. [default:"
    " one for each strategy, if the game allows it]",
)
@key_value_option("An option of the game; may be repeated.")
@sitting_option
@rare_option("--focus", metavar="NAME", help="This strategy sits in every block.")
@until_option
@reuse_option
@shard_option
@run_options
def play(
    game: str,
    without: list[str],
    strategies: tuple[str, ...],
    format: str | None,
    options: dict[str, Any],
    seats: Any,
    sitting: int | None,
    focus: str | None,
    seed: int | str | None,
    deals: int | None,
    times: int | None,
    until: str | None,
    fresh_cards: bool,
    dry_run: bool,
    **how: Any,
) -> int:
    """Play GAME among STRATEGIES without a tournament file.

    Without strategies, the house strategies play. Separate several games by commas: nap,loo. `all` means all games, and
    `all -loto -nap` all except these. Each strategy plays every game; a tournament file can list strategies per game.

    A strategy is a name, a path, module:Name or git:REVISION:PATH, with parameters in brackets: book, 'book(bold=1)',
    mine.py:Mine. NAME= before it names it: new=mine.py old=git:HEAD~1:mine.py. One that is named twice enters twice.
    --times is for formats that count whole events and not deals, as freeze-outs."""
    from ..contract import plugins
    from ..tournament.planning.file import games_in, read_tournament
    from ..tournament.planning.key_lines import KeyLines

    refuse_games(game, strategies)
    flags = {"--seats": seats, "--sitting": sitting, "--focus": focus, "--deals": deals, "--times": times}
    flags["--fresh-cards"] = fresh_cards or None
    given = {flag: value for flag, value in flags.items() if value is not None}
    kind, keys = format_of(format, given)
    table = {"options": options, **{keys[flag]: given[flag] for flag in OWN if flag in given}}
    listed, name = games_in(game, without)
    tables = game_tables(listed, table, lambda deal: {"strategies": list(strategies) or plugins.field_of(deal.id)})
    data = {"tournament": {"format": kind.name}, "games": tables}
    more = {"until": until, "fresh_cards": fresh_cards, "isolate": how["isolate"]}
    load = partial(read_tournament, data, KeyLines("command line"), Path(), name, seed, **more)
    words = ["roundsim", "play", game, *[f"-{each}" for each in without], *strategies]
    words += ["--as", format] if format else []
    words += settings_words(given, options)
    words += [*(["--until", until] if until else []), *["--fresh-cards"] * fresh_cards]
    return play_command(Request(cache(load), shlex.join(words), amount_of(deals, times), **how), dry_run)


@command(example="roundsim sit nap expert book book")
@click.argument("what", metavar="GAME", type=GAME)
@click.argument("strategies", nargs=-1, type=STRATEGY)
@click.option(
    "--as",
    "format",
    type=click.Choice(["sittings", "freeze-out", "progressive"]),
    help="How you play: sittings, one freeze-out, or one evening. [default: sittings]",
)
@click.option("--seats", type=COUNT, help="Players at the table. [default: as is usual in the game]")
@click.option("--deals", type=COUNT, help="Deals of sittings, rounded up to whole ones. [default: 16]")
@key_value_option("An option of the game; may be repeated.")
@sitting_option
@rare_option("--seed", callback=seed_of, metavar="SEED", help="The seed. [default: a random one]")
@isolate_option
@click.option("--out", type=click.Path(path_type=Path), help="The folder of the run. [default: sit/GAME-N]")
@click.option("--page", is_flag=True, help="At a page in a browser on this machine, and not in the terminal.")
@rare_option("--no-open", is_flag=True, help="With --page: only print its address.")
@game_option
def sit(
    what: str,
    strategies: tuple[str, ...],
    format: str | None,
    seats: int | None,
    deals: int | None,
    options: dict[str, Any],
    sitting: int | None,
    seed: int | str | None,
    isolate: str | None,
    out: Path | None,
    page: bool,
    no_open: bool,
) -> int:
    """Play GAME yourself, against STRATEGIES, or go on in a RUN that you left.

    You sit first; the book takes the seats that are left. Answer with a number of the list, with words or how they
    begin, or with a card: `2`, `call 3`, `c3`, `td`. `?` gives a hint, `h` lists the other commands, `q` leaves. The run
    is an ordinary one: verify, report, deals and replay read it."""
    from itertools import count
    from random import SystemRandom

    from ..games import find
    from ..seat.sit import new_tournament, resumed
    from ..tournament.storage.folder import RunFolder

    there = Path(what)
    if (there / "run.toml").exists():
        new = {"--as": format, "--seats": seats, "--deals": deals, "--sitting": sitting, "--seed": seed, "--out": out}
        if strays := [flag for flag, value in {**new, "--option": options or None}.items() if value is not None]:
            raise click.UsageError(f"{what} goes on as it began: {strays[0]} is for a new run")
        tournament, out = resumed(RunFolder(there), strategies, isolate), there
    else:
        seats = max(seats or find(what).usual[0], len(strategies) + 1)
        format = format or "sittings"
        amount = {"deals": deals or 16, "sitting": sitting} if format == "sittings" else {"times": 1}
        if format != "sittings" and (deals or sitting):
            raise click.UsageError(f"{'--deals' if deals else '--sitting'} is of sittings, not of a {format}")
        given = {key: value for key, value in {"options": options, **amount}.items() if value}
        seed = SystemRandom().randrange(10**9) if seed is None else seed
        tournament = new_tournament(what, strategies, seats, seed, format, isolate, **given)
        out = out or next(free for n in count(1) if not (free := Path("sit", f"{what}-{n}")).exists())
    if no_open and not page:
        raise click.UsageError("--no-open is for --page")
    return sit_down(tournament, out, page, no_open)


@command(cls=AllBut, example="roundsim gate nap new=mine.py old=git:HEAD:mine.py")
@click.argument("what", metavar="GAME", type=GAME)
@click.argument("mine", required=False, type=STRATEGY)
@click.argument("baseline", required=False, type=STRATEGY)
@rare_option("--margin", type=click.FloatRange(0), default=0.0, help="The loss that still passes.")
@click.option(
    "--worth",
    type=click.FloatRange(0, min_open=True),
    metavar="M",
    help="Also end when the difference is surely less than M counters a deal.",
)
@rare_option("--whole", is_flag=True, help="Play every sitting again, whether or not MINE answers differently.")
@rare_option("--half", is_flag=True, help="Half of the table plays MINE, and not one seat among BASELINE.")
@rare_option(
    "--among",
    type=STRATEGY,
    metavar="STRATEGY",
    multiple=True,
    help="Others at the table: book,random. It may be repeated.",
)
@rare_option("--over-all", is_flag=True, help="Test the score over all games, and not each game.")
@click.option(
    "--seats",
    callback=seats_option,
    metavar="N",
    help="Players at the table, 3-6 for a table of each size. [default: as is usual in the game]",
)
@key_value_option("An option of the game; may be repeated.")
@sitting_option
@format_option
@run_options
def gate(
    what: str,
    mine: str | None,
    baseline: str | None,
    without: list[str],
    margin: float,
    worth: float | None,
    half: bool,
    whole: bool,
    among: tuple[str, ...],
    over_all: bool,
    seats: Any,
    options: dict[str, Any],
    sitting: int | None,
    seed: int | str | None,
    deals: int | None,
    times: int | None,
    fresh_cards: bool,
    dry_run: bool,
    **how: Any,
) -> int:
    """Test whether strategy MINE is better than BASELINE at GAME.

    Separate several games by commas; `all` means all games. A tournament file with a [gate] replaces GAME and both
    strategies. MINE takes the place of BASELINE at one seat after the other, until the result is clear, in at most
    --deals deals of BASELINE. [default: 2000 sittings] The others play BASELINE, or the strategies of --among.

    Exit codes: 0 better, 1 worse, 3 undecided, 4 no difference; 2 if a strategy
    misbehaved."""
    from ..tournament import formats
    from ..tournament.planning.file import GateSettings, games_in, load_tournament, read_tournament
    from ..tournament.planning.key_lines import KeyLines
    from ..tournament.planning.stopping_rule import is_gate
    from ..words import in_toml

    if (whole or among) and (half or fresh_cards):
        other, own = "--half" if half else "--fresh-cards", "--whole" if whole else "--among"
        raise click.UsageError(f"{other} plays every sitting of the two alone: give it or {own}")
    refuse_games(what, filter(None, (mine, baseline)))
    if mine is None or baseline is None:
        strays = mine, without, options, seats is not None, sitting, margin, worth, half, whole, among, over_all
        if any(strays) or not what.endswith(".toml"):
            raise click.UsageError("gate GAME MINE BASELINE, or a tournament file with a [gate] alone")
        loading, words = partial(load_tournament, what, seed), ["roundsim", "gate", what]
    else:
        table = {"options": options, **({"sitting": sitting} if sitting else {})}
        listed, name = games_in(what, without)
        tables = game_tables(listed, table, lambda deal: {"players": deal.usual[0] if seats is None else seats})
        others = [name.strip() for text in among for name in NOT_IN_BRACKETS.split(text)]
        nothing_saved = not whole and not others and all(each.get("players") == 2 for each in tables)
        form = formats.USUAL if half or fresh_cards or nothing_saved else "shadow"
        switches = {**({"sparing": False} if whole else {}), **({"alone": False} if others else {})}
        tables = [{**each, **switches} for each in tables]
        data = {"tournament": {"format": form, "strategies": [mine, baseline, *others]}, "games": tables}
        settings = GateSettings(margin, worth, over_all, len(others))
        loading = partial(read_tournament, data, KeyLines("command line"), Path(), name, seed, gate=settings)
        words = ["roundsim", "gate", what, *[f"-{each}" for each in without], mine, baseline]
        for flag, value in ("--margin", margin), ("--worth", worth), ("--seats", seats), ("--sitting", sitting):
            words += [flag, f"{value:.15g}" if isinstance(value, float) else str(value)] if value else []
        words += ["--half"] * half + ["--whole"] * whole + ["--over-all"] * over_all
        words += [word for text in among for word in ("--among", text)]
        words += [word for key, value in options.items() for word in ("--option", f"{key}={in_toml(value)}")]
    words += ["--fresh-cards"] * fresh_cards
    loading = partial(loading, fresh_cards=fresh_cards, isolate=how["isolate"])
    request = Request(cache(loading), shlex.join(words), amount_of(deals, times), gate=True, **how)
    if not is_gate(request.tournament.stopping):
        raise click.UsageError(f"{what} has no [gate]")
    return play_command(request, dry_run)


@command(example="roundsim grow runs/parlour-8c1f04 --strategy mine.py")
@click.argument("there", metavar="RUN", type=RUN)
@click.option(
    "--strategy", "strategies", type=STRATEGY, multiple=True, metavar="STRATEGY", help="It joins; may be repeated."
)
@click.option("--deals", type=COUNT, help="Deals of each game, with those that were played.")
@click.option("--times", type=COUNT, help="How often in all, in a format that counts so.")
@click.option(
    "--entry", "only", type=ENTRY, multiple=True, metavar="ENTRY", help="Only this game of the run; may be repeated."
)
@outside_options
@jobs_option
@workers_option
@isolate_option
@rare_option("--dry-run", is_flag=True, help="Only say what would be played.")
@form_option("table", "json", "csv", "md")
@quiet_option
def grow(
    there: Path,
    strategies: tuple[str, ...],
    deals: int | None,
    times: int | None,
    only: tuple[str, ...],
    dry_run: bool,
    **how: Any,
) -> int:
    """Let a strategy join a RUN, or play more of it.

    Only missing deals are played; finished ones stay as they are. A strategy that joins sits in every block until it has
    played as often as the others."""

    from ..tournament.growth import grown_tournament as grown
    from ..tournament.storage.folder import RunFolder

    def load(amount: Amount | None) -> Tournament:
        return grown(RunFolder(there), strategies, amount, only, how["isolate"])

    words = ["roundsim", "grow", str(there)]
    words += [word for each in strategies for word in ("--strategy", each)]
    words += [word for each in only for word in ("--entry", each)]
    return play_command(Growth(cache(load), shlex.join(words), amount_of(deals, times), there, **how), dry_run)


@command(example="roundsim merge runs/parlour-8c1f04.*of3")
@click.argument("folders", metavar="FOLDER...", nargs=-1, required=True, type=RUN)
@out_option
@outside_options
@form_option("table", "json", "csv", "md")
@quiet_option
def merge(folders: tuple[Path, ...], **how: Any) -> int:
    """Join the parts of a run, played with --shard into FOLDER...

    The result is the same as if one machine had played all. The parts stay as they are."""
    from ..tournament.merge import whole

    tournament, workers = whole(folders)
    words = shlex.join(["roundsim", "merge", *map(str, folders)])
    return run_and_report(Request(lambda amount: tournament, words, jobs=1, workers=workers, **how))


@command(example="roundsim contest entries/ book --game nap --deals 4000")
@click.argument("entries", nargs=-1, required=True, type=STRATEGY)
@click.option("--game", required=True, type=GAME, help="The game that is played; a path brings a game of your own.")
@click.option(
    "--as",
    "format",
    cls=FormatOption,
    metavar="FORMAT",
    help="{}; or the file of your own. [default: round-robin]",
)
@click.option("--seats", type=COUNT, metavar="N", help="Players at the table. [default: as is usual in the game]")
@key_value_option("An option of the game; may be repeated.")
@sitting_option
@click.option("--seed", callback=seed_of, metavar="HEX", help="A seed of 32 digits that was drawn before.")
@click.option("--deals", type=COUNT, help="Deals, rounded up to whole blocks.")
@click.option("--times", type=COUNT, help="How often, in a format that counts so: freeze-outs, evenings.")
@jobs_option
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="The folder of the contest. [default: runs/contest-GAME]",
)
@fresh_cards_option
@rare_option(
    "--isolate",
    type=click.Choice(["on", "auto", "off"]),
    default="on",
    show_default=True,
    help="Without a sandbox on this machine, on plays nothing; auto plays without one.",
)
@form_option("table", "json")
def contest(
    entries: tuple[str, ...],
    game: str,
    format: str | None,
    seats: int | None,
    options: dict[str, Any],
    sitting: int | None,
    seed: int | str | None,
    deals: int | None,
    times: int | None,
    jobs: int | None,
    out: Path | None,
    fresh_cards: bool,
    isolate: str,
    form: str,
) -> int:
    """Hold a contest of ENTRIES that others have written.

    ENTRIES are folders, in which each Python file and each folder is an entry, and single strategies; a name such as
    book takes part unchecked. The seed is drawn before any entry is opened, and its hash is printed first. Entries that
    do not load or do not pass `check` are left out, with the reason. The others play, and a page shows the results.
    The same command continues a contest that was interrupted."""
    from ..games import named
    from ..processes.start import cores
    from ..sandbox.kinds import demanded
    from ..tournament import formats
    from ..tournament.planning.file import read_tournament
    from ..tournament.planning.key_lines import KeyLines
    from ..tournament.planning.plan import Limits
    from ..tournament.storage.contest import draw_seed
    from ..trial.contest import entries_of, is_known, take_entries
    from ..trial.trial import TrialOptions

    if isinstance(seed, int):
        raise click.UsageError("--seed must be 32 digits 0-9a-f: a number could be guessed from its hash")
    flags = {"--seats": seats, "--sitting": sitting, "--deals": deals, "--times": times}
    given = {flag: value for flag, value in flags.items() if value is not None}
    kind, keys = format_of(format or formats.USUAL, {**given, **({"--fresh-cards": True} if fresh_cards else {})})
    amount, how = amount_of(deals, times), TrialOptions(game, options, seats, CHECKED, Limits(isolate=isolate), Path())
    played = named(game)
    players = how.rules(played).players
    settings = {
        keys[flag]: value for flag, value in {**given, "--seats": players}.items() if flag in OWN and flag in keys
    }

    def load(strategies: Sequence[str], amount: Amount | None) -> Tournament:
        table = {"game": played.id, "options": options, "strategies": strategies, **settings}
        data, places = {"tournament": {"format": kind.name}, "games": [table]}, KeyLines("command line")
        return read_tournament(data, places, Path(), "contest", seed, amount, fresh_cards=fresh_cards, isolate=isolate)

    texts = [*entries_of(entries)]
    substitutes = [text if is_known(text) else "random" for text in texts]
    load([*substitutes, *["random"] * (players + 1 - len(texts))], amount)  # mistakes show before the draw
    if isolate == "on":
        demanded()
    folder = out or Path("runs") / f"contest-{played.id}"
    drawn = draw_seed(folder, seed)
    seed = drawn.seed
    click.echo(f"seed     sha256 {drawn.seed_sha256}", err=form == "json")
    with progress_bar() as show:
        drawn, playing = take_entries(folder, drawn, texts, how, jobs or cores(), show)
    words = ["roundsim", "contest", *entries, "--game", game, *(["--as", format] if format else [])]
    words += [*settings_words(given, options), *["--fresh-cards"] * fresh_cards]
    again = shlex.join([*words, *["--isolate", isolate] * (isolate != "on")])
    loading = cache(partial(load, playing))
    return run_and_report(ContestRequest(loading, again, amount, folder, jobs, form, page=True, contest=drawn))
