"""Playing tournaments."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..base.errors import UnknownGameError
from .completing import ENTRY, GAME, RUN, STRATEGY
from .flags import (
    COUNT,
    OWN,
    AllBut,
    FormatOption,
    amount_of,
    form_option,
    format_of,
    format_option,
    isolate_option,
    jobs_option,
    out_option,
    outside_options,
    quiet_option,
    reuse_option,
    rule_option,
    run_options,
    seats_option,
    settings_words,
    shard_option,
    sitting_option,
    until_option,
    wait_option,
    workers_option,
)
from .helping import command, rare_option
from .playing import Growth, Request, dry_lines, run_and_report

if TYPE_CHECKING:
    from ..table.deal import Deal
    from ..tournament.planning.file import Amount
    from ..tournament.planning.plan import Tournament

TITLE = "Play"
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
    from ..games import names
    from ..sources import plugins
    from ..tournament.planning.file import ALL

    named = [each for each in strategies if each in names()]
    known = {each.name for each in plugins.installed(names=named)} if named else set()
    if strays := [each for each in named if each not in known]:
        listed = dict.fromkeys([*games.split(","), *strays])
        hint = f": separate games by commas, {','.join(listed)}" if len(listed) > 1 and ALL not in listed else ""
        raise click.UsageError(f"{strays[0]} is a game, not a strategy{hint}")


def play_command(request: Request, dry_run: bool) -> int:
    if request.cluster and request.jobs:
        raise click.UsageError("--jobs are processes of this machine: give it or --workers")
    if request.wait is not None and not request.cluster:
        raise click.UsageError("--wait is for workers of a cluster: give --workers, too")
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

    if (file / "run.toml").exists():
        more = f"repeat the command that began it to finish it, or play more: roundsim grow {shlex.quote(str(file))}"
        raise click.UsageError(f"{file} is the folder of a run: {more}")
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
    help="{}; or the file of your own. [default: round-robin, or one that takes the given flags]",
)
@click.option(
    "--seats",
    callback=seats_option,
    metavar="N",
    help="Players at the table; 3-6 plays a game for each size; in a freeze-out the most. [default: one for each strategy,"
    " if the game allows it]",
)
@rule_option
@sitting_option
@rare_option("--focus", metavar="NAME", help="This strategy sits in every block, and the others share the other seats.")
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
    from ..sources import plugins
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


@command(cls=AllBut, example="roundsim gate nap new=mine.py old=git:HEAD:mine.py")
@click.argument("what", metavar="GAME", type=GAME)
@click.argument("mine", required=False, type=STRATEGY)
@click.argument("baseline", required=False, type=STRATEGY)
@rare_option(
    "--margin",
    type=click.FloatRange(0),
    default=0.0,
    metavar="M",
    help="Exit code 0 also if MINE is worse by less than M counters a deal.",
)
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
    help="The others at the table, in place of BASELINE: book,random; may be repeated.",
)
@rare_option("--over-all", is_flag=True, help="Make one test, of the score over all games, which ends all of them.")
@click.option(
    "--seats",
    callback=seats_option,
    metavar="N",
    help="Players at the table; 3-6 plays a game for each size. [default: as is usual in the game]",
)
@rule_option
@sitting_option
@format_option
@rare_option(
    "--continue",
    "trusted",
    is_flag=True,
    help="Also continue a run folder that git tracks or, with --ci, any existing one.",
)
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
    from ..base.text import in_toml
    from ..tournament.planning.file import GateSettings, games_in, gate_data, load_tournament, read_tournament
    from ..tournament.planning.key_lines import KeyLines
    from ..tournament.planning.stopping_rule import is_gate

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
        listed, name = games_in(what, without)
        others = [name.strip() for text in among for name in NOT_IN_BRACKETS.split(text)]
        data = gate_data(listed, [mine, baseline, *others], options, seats, sitting, half or fresh_cards, whole)
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
    "--strategy",
    "strategies",
    type=STRATEGY,
    multiple=True,
    metavar="STRATEGY",
    help="Joins the run; may be repeated, then one joins after the other.",
)
@click.option(
    "--deals",
    type=COUNT,
    metavar="N",
    help="Deals of each game, including those already played. [default: until the last to join has played as often as the"
    " others]",
)
@click.option("--times", type=COUNT, metavar="N", help="The same for freeze-outs or evenings.")
@click.option(
    "--entry", "only", type=ENTRY, multiple=True, metavar="ENTRY", help="Only this game of the run; may be repeated."
)
@outside_options
@jobs_option
@workers_option
@wait_option
@isolate_option
@rare_option("--dry-run", is_flag=True, help="Only print what would be played.")
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
    return run_and_report(Request(lambda amount: tournament, words, workers=workers, **how))
