"""The command that holds a contest."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .completing import GAME, STRATEGY
from .flags import (
    COUNT,
    OWN,
    FormatOption,
    amount_of,
    form_option,
    format_of,
    fresh_cards_option,
    jobs_option,
    rule_option,
    seed_of,
    settings_words,
    sitting_option,
    times_option,
)
from .helping import command, rare_option
from .playing import Request, progress_bar, run_and_report

if TYPE_CHECKING:
    from ..tournament.judging.standings import Standings
    from ..tournament.planning.file import Amount
    from ..tournament.planning.plan import Tournament
    from ..tournament.run import Result
    from ..tournament.storage.contest import Contest

CHECKED = 200  # deals in which each entry of a contest is checked, as by `check`


@dataclass
class ContestRequest(Request):
    """A contest: its entries are shown with the standings, and bad ones are no failure."""

    contest: Contest | None = None

    def results(self, reckoned: Standings) -> str:
        from ..reports.contest import in_format

        assert self.contest
        return in_format(self.contest, reckoned, self.form)

    def exit_code(self, result: Result) -> int:
        return 0


@command(example="roundsim contest entries/ book --game nap --deals 4000")
@click.argument("entries", nargs=-1, required=True, type=STRATEGY)
@click.option(
    "--game", required=True, type=GAME, metavar="GAME", help="The game, or the file of your own: old_maid.py."
)
@click.option(
    "--as",
    "format",
    cls=FormatOption,
    metavar="FORMAT",
    help="{}; or the file of your own. [default: round-robin]",
)
@click.option("--seats", type=COUNT, metavar="N", help="Players at the table. [default: as is usual in the game]")
@rule_option
@sitting_option
@click.option("--seed", callback=seed_of, metavar="HEX", help="A seed of 32 digits, drawn before. [default: draw one]")
@click.option("--deals", type=COUNT, metavar="N", help="Deals of each game, rounded up to whole blocks.")
@times_option
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
    help="Without a sandbox on this machine, on plays nothing and auto plays without one; off never uses it.",
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

    ENTRIES are folders, in which each Python file and each folder is an entry, and single strategies: ann.py, and
    ann=ann/ for a folder that is one entry. A name such as book takes part unchecked. The seed is drawn before any
    entry is opened, and its hash is printed first. Entries that do not load or do not pass `check` are left out, with
    the reason. The others play, and a page shows the results. The same command continues a contest that was
    interrupted."""
    from ..games import named
    from ..processes.start import cores
    from ..sandbox.kinds import demanded
    from ..tournament import formats
    from ..tournament.planning.file import read_tournament
    from ..tournament.planning.key_lines import KeyLines
    from ..tournament.planning.plan import Limits
    from ..tournament.storage.contest import draw_seed
    from ..trial.contest import entries_named, is_known, take_entries
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

    named_entries = [*entries_named(entries)]
    substitutes = [each.text if is_known(each.text) else "random" for each in named_entries]
    load([*substitutes, *["random"] * (players + 1 - len(substitutes))], amount)  # mistakes show before the draw
    if isolate == "on":
        demanded()
    folder = out or Path("runs") / f"contest-{played.id}"
    drawn = draw_seed(folder, seed)
    seed = drawn.seed
    click.echo(f"seed     sha256 {drawn.seed_sha256}", err=form == "json")
    with progress_bar() as show:
        drawn, playing = take_entries(folder, drawn, named_entries, how, jobs or cores(), show)
    words = ["roundsim", "contest", *entries, "--game", game, *(["--as", format] if format else [])]
    words += [*settings_words(given, options), *["--fresh-cards"] * fresh_cards]
    again = shlex.join([*words, *["--isolate", isolate] * (isolate != "on")])
    loading = cache(partial(load, playing))
    return run_and_report(ContestRequest(loading, again, amount, folder, jobs, form, page=True, contest=drawn))
