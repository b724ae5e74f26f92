"""The command that holds a league."""

from __future__ import annotations

import math
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..base.errors import SignalError
from .flags import form_option, jobs_option
from .helping import command, rare_option
from .playing import echo, print_report
from .progress import ProgressLine, progress_bar

if TYPE_CHECKING:
    from ..league.results import League
    from ..league.rounds import RoundFolder
    from ..tournament.run import Progress

RULES = "league.toml"
WATCHED = 60  # seconds between two looks of --watch
FOLDER = click.Path(file_okay=False, path_type=Path)


@command(example="roundsim league my-league")
@click.argument("folder", metavar="DIR", type=FOLDER)
@click.option("--check", is_flag=True, help="Check the entries, and play nothing; exit code 2 if one cannot play.")
@click.option("--entries", type=FOLDER, metavar="DIR", help="With --check: the entries of a pull request.")
@click.option(
    "--comment",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="With --check: write Markdown here.",
)
@rare_option("--author", metavar="NAME", help="With --check: who may change no entry of anybody else.")
@click.option("--site-only", is_flag=True, help="Only make the site again.")
@click.option("--watch", is_flag=True, help="Play one round after another, until interrupted.")
@rare_option(
    "--minutes",
    type=click.FloatRange(0, min_open=True),
    metavar="N",
    help="Stop after N minutes; the next call goes on.",
)
@rare_option(
    "--salt-from",
    "beacon",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Draw the seed from the text of FILE, a public value that nobody could know when the field was fixed.",
)
@jobs_option
@form_option("table", "json")
def league(folder: Path, form: str, jobs: int | None, **asked: Any) -> int:
    """Play the next round of the league in DIR, and make its site.

    New entries are checked; what plays is kept by its hash; who plays is fixed and hashed before the seed is drawn. The
    rounds are all that a league consists of: standings and site follow from them, and `roundsim verify DIR` verifies
    them. A round that was interrupted is finished first. `roundsim new league DIR --game nap` begins a league."""
    of_check = [asked[key] for key in ("entries", "comment", "author")]
    if asked["check"]:
        return check_entries(folder, jobs, *of_check)
    if any(of_check):
        raise click.UsageError("--entries, --comment and --author go with --check")
    until = time.monotonic() + 60 * asked["minutes"] if asked["minutes"] else math.inf
    beacon = asked["beacon"].read_text("utf-8", "replace").strip() if asked["beacon"] else ""
    while True:
        played = hold_round(folder, jobs, until, beacon, asked["site_only"], form == "json")
        if not asked["watch"] or asked["site_only"] or time.monotonic() > until:
            return 0
        if not played:
            time.sleep(WATCHED)


def hold_round(folder: Path, jobs: int | None, until: float, beacon: str, site_only: bool, data: bool) -> bool:
    """Play the next round, or what is missing of the last, and write the site. Return whether anything was played."""
    from ..league.play import TimeUpError
    from ..league.report import league_data, league_text
    from ..league.results import League
    from ..league.site import write_site
    from ..reports.explain import json_text
    from ..tournament.storage.writer import RunWriter

    league, played = League(folder), False  # before anything is written where no league is
    with RunWriter(folder).locked():
        try:
            played = not site_only and play_next(league, jobs, until, beacon, data)
        except TimeUpError:
            echo("the time is up; what is finished is kept, and the next call goes on")
            return True
        if not played and not site_only:
            return False
        league = League(folder)
        page = write_site(league)
    if data:
        click.echo(json_text(league_data(league)), nl=False)
    else:
        print_report(f"\n{league_text(league)}\nsite     {page}\n")
    return played


def play_next(league: League, jobs: int | None, until: float, beacon: str, data: bool) -> bool:
    """Play the rounds that are not finished, else the next one. Return False if nothing has changed for long."""
    from ..base.text import so_many
    from ..league.field import candidates
    from ..league.play import is_due, is_idle, next_round
    from ..league.rounds import rounds_of
    from ..processes.start import cores
    from ..reports.contest import one_line
    from ..sandbox.kinds import demanded

    def say(text: str) -> None:
        print_report(f"{text}\n") if not data else echo(text)

    if league.rules.limits["isolate"] == "on":
        demanded()
    if unfinished := rounds_of(league.folder, unfinished=True):
        for folder in unfinished:
            say(f"round    {folder.record.number}, which was interrupted, goes on")
            play_shown(league, folder, jobs, until)
        return True
    with progress_bar() as show:
        listed = candidates(league.folder, league.folder / "entries", league.rules.tables, jobs or cores(), show)
    if is_idle(league, listed) and not is_due():
        say(f"nothing has changed in {so_many(league.rules.idle, 'round')}: one call in ten plays another")
        return False
    record = next_round(league, listed)
    for one in record.left_out:
        say(f"left out {one.name}: {one_line(one.reason)}")
    if not record.field:
        say(f"no entry can play: put one into {league.folder / 'entries'}/")
        return False
    more = f"; more for {', '.join(record.focus)}" if record.focus else ""
    say(f"round    {record.number}: {len(record.field)} of {len(listed)} entries{more}")
    say(f"field    sha256 {record.field_sha256}, before the draw")
    play_shown(league, record.draw(beacon).write(league.folder), jobs, until)
    return True


def play_shown(league: League, folder: RoundFolder, jobs: int | None, until: float) -> None:
    """Play a round, or what is missing of it, and show how far it is. TimeUpError when the time is up."""
    from ..league.play import TimeUpError, play_round

    tournament = folder.record.tournament(league.folder)
    line = ProgressLine(tournament)

    def tell(progress: Progress) -> None:
        line.show(progress)
        if time.monotonic() > until:
            raise TimeUpError

    try:
        play_round(tournament, folder, jobs, tell)
    except (SignalError, KeyboardInterrupt):
        line.clear()
        echo("interrupted; what is finished is kept, and the same command goes on")
        raise
    finally:
        line.clear()


def check_entries(
    folder: Path, jobs: int | None, entries: Path | None, comment: Path | None, author: str | None
) -> int:
    """Check the entries in a folder that are not in the league like that, and say what is found, also as Markdown."""
    from ..league.check import comment as markdown
    from ..league.check import judge_entries
    from ..league.results import League
    from ..processes.start import cores
    from ..reports.contest import one_line
    from ..sandbox.kinds import demanded
    from ..tournament.storage.writing import write_named

    league = League(folder)
    if league.rules.limits["isolate"] == "on":
        demanded()
    with progress_bar() as show:
        judged = judge_entries(league, entries or folder / "entries", jobs or cores(), author, show)
    for one in judged:
        print_report(f"{one.entry.name}: {f'cannot play: {one_line(one.reason)}' if one.reason else 'plays'}\n")
        for game, against, text in one.gates:
            print_report(f"\n{game}, against {against}:\n{text}\n")
    if not judged:
        print_report("no entry is changed\n")
    if comment:
        write_named(comment, markdown(judged).encode())
    return 2 if any(one.reason for one in judged) else 0


def verify_rounds(league: Path, again: bool, sources: tuple[str, ...], jobs: int | None, isolate: str | None) -> int:
    """Verify a league, and say what was verified."""
    from ..base.text import number, so_many
    from ..league.verify import verify_league

    if sources:
        raise click.UsageError("--strategy goes with a run: a league keeps the versions that played")
    with progress_bar() as tell:
        checked = verify_league(league, jobs, tell, again, isolate)
    verdict = "verified, and played again: the same" if again else "verified"
    parts = [so_many(checked.rounds, "round"), so_many(checked.deals, "deal"), so_many(checked.versions, "version")]
    click.echo(f"{', '.join(parts)} {verdict}")
    if checked.unfinished:
        click.echo("the last round is not finished")
    if checked.foreign:
        click.echo(f"{number(checked.foreign)} of the rounds were played by other rules, and are not verified")
    return 0
