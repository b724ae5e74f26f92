"""The commands for those who organise: a contest, and a league."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..base.errors import FolderError, SignalError, clean
from .completing import GAME_ID, STRATEGY
from .flags import COUNT, Within, form_option, fresh_cards_option, game_option, jobs_option, rule_option, sitting_option
from .helping import command, rare_option
from .playing import echo, print_report
from .progress import ProgressLine, progress_bar

if TYPE_CHECKING:
    from ..league.entries import Named
    from ..league.field import Candidate
    from ..league.results import League
    from ..league.rounds import RoundFolder
    from ..tournament.run import Progress

RULES = "league.toml"
THICK = 50  # newest rounds whose lines stay
WATCHED = 60  # seconds between two looks of --watch
FOLDER = click.Path(file_okay=False, path_type=Path)

salt_option = rare_option(
    "--salt-from",
    "beacon",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Draw the seed from the text of FILE, a public value that nobody could know when the field was fixed.",
)


@dataclass
class Holder:
    """Holds rounds of a league.

    `jobs`: processes; `beacon`: the salt, "" if one is drawn; `until`: the moment at which a round is left for the next
    call; `data`: its output is JSON; `entries`: those of a contest, None for a league, whose entries are in its folder."""

    folder: Path
    jobs: int | None
    beacon: str
    data: bool
    until: float = math.inf
    entries: Sequence[Named] | None = None

    def say(self, text: str) -> None:
        print_report(f"{clean(text)}\n") if not self.data else echo(clean(text))

    def hold(self, site_only: bool = False) -> bool:
        """Play the next round, or what is missing of the last, and write the site. Return whether anything was played."""
        from ..league.play import TimeUpError
        from ..league.report import league_data, league_text
        from ..league.results import League
        from ..league.site import write_site
        from ..reports.explain import json_text
        from ..tournament.storage.writer import RunWriter

        league, played = League(self.folder), False  # before anything is written where no league is
        with RunWriter(self.folder).locked():
            try:
                played = not site_only and self.play_next(league)
            except TimeUpError:
                echo("the time is up; what is finished is kept, and the next call goes on")
                return True
            if not played and not site_only:
                return False
            league = League(self.folder)
            page = write_site(league)
        if self.data:
            click.echo(json_text(league_data(league)), nl=False)
        else:
            print_report(f"\n{league_text(league)}\nsite     {page}\n")
        return played

    def play_next(self, league: League) -> bool:
        """Play the rounds that are not finished, else the next one. Return False if there is none to play."""
        from ..base.text import so_many
        from ..league.entries import entries_in
        from ..league.field import candidates
        from ..league.play import is_due, is_idle, next_round
        from ..league.report import one_line
        from ..league.rounds import rounds_of
        from ..processes.start import cores
        from ..sandbox.kinds import demanded

        if league.rules.limits["isolate"] == "on":
            demanded()
        if unfinished := rounds_of(self.folder, unfinished=True):
            for folder in unfinished:
                self.say(f"round    {folder.record.number}, which was interrupted, goes on")
                self.play(folder)
            return True
        named = entries_in(self.folder / "entries") if self.entries is None else self.entries
        with progress_bar() as show:
            listed = candidates(self.folder, named, league.rules.tables, self.jobs or cores(), show)
        if self.entries is not None and league.rounds:
            self.refuse_changed(league, listed)
            self.say("nothing left to play")
            return True
        if is_idle(league, listed) and not is_due():
            self.say(f"nothing has changed in {so_many(league.rules.idle, 'round')}: one call in ten plays another")
            return False
        record = next_round(league, listed)
        for one in record.left_out:
            self.say(f"left out {one.name}: {one_line(one.reason)}")
        if not record.field:
            self.say("no entry can play")
            return False
        more = f"; more for {', '.join(record.focus)}" if record.focus else ""
        self.say(f"round    {record.number}: {len(record.field)} of {len(listed)} entries{more}")
        self.say(f"field    sha256 {record.field_sha256}, before the draw")
        self.play(record.draw(self.beacon).write(self.folder))
        return True

    def refuse_changed(self, league: League, listed: Sequence[Candidate]) -> None:
        """FolderError if these are not the entries of the round of a contest."""
        record = league.rounds[0].record
        there = {entry[:2] for entry in (*record.field, *record.left_out)}
        if changed := sorted({name for name, _ in there ^ {(one.name, one.sha256) for one in listed}}):
            names = ", ".join(changed[:5])
            raise FolderError(
                f"{self.folder} holds a contest with other entries: {names}; --out DIR is for another one"
            )

    def play(self, folder: RoundFolder) -> None:
        """Play a round, or what is missing of it, and show how far it is. TimeUpError when the time is up."""
        from ..league.play import TimeUpError, play_round

        tournament = folder.record.tournament(self.folder)
        line = ProgressLine(tournament)

        def tell(progress: Progress) -> None:
            line.show(progress)
            if time.monotonic() > self.until:
                raise TimeUpError

        try:
            play_round(tournament, folder, self.jobs, tell)
        except (SignalError, KeyboardInterrupt):
            line.clear()
            echo("interrupted; what is finished is kept, and the same command goes on")
            raise
        finally:
            line.clear()


def beacon_text(beacon: Path | None) -> str:
    return beacon.read_text("utf-8", "replace").strip() if beacon else ""


@command(example="roundsim contest entries/ book --game nap --deals 4000")
@click.argument("entries", nargs=-1, required=True, type=STRATEGY)
@click.option(
    "--game", required=True, type=GAME_ID, metavar="GAME", help="The game, or the file of your own: old_maid.py."
)
@click.option("--seats", type=COUNT, metavar="N", help="Players at the table. [default: as is usual in the game]")
@rule_option
@sitting_option
@click.option(
    "--deals", type=COUNT, default=2000, show_default=True, metavar="N", help="Deals, rounded up to whole blocks."
)
@click.option("--title", metavar="TEXT", help="The title of the site. [default: GAME contest]")
@jobs_option
@click.option("--out", type=FOLDER, metavar="DIR", help="The folder of the contest. [default: runs/contest-GAME]")
@fresh_cards_option
@salt_option
@rare_option(
    "--isolate",
    type=click.Choice(["on", "auto", "off"]),
    default="on",
    show_default=True,
    help="Without a sandbox on this machine, on plays nothing and auto plays without one; off never uses it.",
)
@form_option("table", "json")
def contest(entries: tuple[str, ...], game: str, out: Path | None, jobs: int | None, form: str, **asked: Any) -> int:
    """Hold a contest of ENTRIES that others have written.

    A contest is a league of one round. ENTRIES are folders, in which each Python file and each folder is an entry,
    and single entries: ann.py, and ann=ann/ for a folder that is one entry. A name such as book takes part
    unchecked; without one, book and random do. Entries that do not load or do not pass `check` are left out, with
    the reason. The field is fixed and hashed before the seed is drawn. The same command continues a contest that
    was interrupted."""
    from .. import games
    from ..league.contest import begin_contest

    folder = out or Path("runs") / f"contest-{games.named(game).id}"
    asked["players"], asked["duplicate"] = asked["seats"], False if asked["fresh_cards"] else None
    settings = {
        key: asked[key] for key in ("players", "sitting", "duplicate", "options") if asked[key] not in (None, {})
    }
    played = games.named(game), asked["deals"], asked["isolate"], settings
    named = begin_contest(folder, entries, *played, asked["title"])
    Holder(folder, jobs, beacon_text(asked["beacon"]), form == "json", entries=named).hold()
    return 0


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
@rare_option("--thin", is_flag=True, help="Drop the lines of all but the newest 50 rounds, and play nothing.")
@click.option("--watch", is_flag=True, help="Play one round after another, until interrupted.")
@rare_option(
    "--minutes",
    type=Within(0.01, kind=float),
    metavar="N",
    help="Stop after N minutes; the next call goes on.",
)
@salt_option
@jobs_option
@form_option("table", "json")
@game_option
def league(folder: Path, form: str, jobs: int | None, **asked: Any) -> int:
    """Play the next round of the league in DIR, and make its site.

    New entries are checked; each version is kept by its hash; the field is fixed and hashed before the seed is drawn. The
    rounds are all that a league consists of: standings and site follow from them, and `roundsim verify DIR` verifies
    them. A round that was interrupted is finished first. `roundsim new league DIR --game nap` begins a league."""
    of_check = [asked[key] for key in ("entries", "comment", "author")]
    if any(of_check) and not asked["check"]:
        raise click.UsageError("--entries, --comment and --author go with --check")
    if sum(asked[mode] for mode in ("check", "thin", "site_only", "watch")) > 1:
        raise click.UsageError("--check, --thin, --site-only and --watch: give one of them")
    if (asked["check"] or asked["thin"]) and (asked["beacon"] or asked["minutes"] or form != "table"):
        raise click.UsageError("--salt-from, --minutes and --format are of rounds: --check and --thin play none")
    if asked["check"]:
        return check_entries(folder, jobs, *of_check)
    if asked["thin"]:
        return drop_lines(folder)
    until = time.monotonic() + 60 * asked["minutes"] if asked["minutes"] else math.inf
    holder = Holder(folder, jobs, beacon_text(asked["beacon"]), form == "json", until)
    while True:
        played = holder.hold(asked["site_only"])
        if not asked["watch"] or time.monotonic() > until:
            return 0
        if not played:
            time.sleep(WATCHED)


def drop_lines(folder: Path) -> int:
    """Drop the lines of all rounds of a league but the newest ones."""
    from ..base.text import so_many
    from ..league.results import League
    from ..league.thin import is_thin, make_thin
    from ..tournament.storage.writer import RunWriter

    with RunWriter(folder).locked():
        thick = [done.run for done in League(folder).finished[:-THICK] if not is_thin(done.run)]
        for run in thick:
            make_thin(run)
    click.echo(f"dropped the lines of {so_many(len(thick), 'round')}")
    return 0


def check_entries(
    folder: Path, jobs: int | None, entries: Path | None, comment: Path | None, author: str | None
) -> int:
    """Check the entries in a folder that are not in the league like that, and say what is found, also as Markdown."""
    from ..league.check import comment as markdown
    from ..league.check import judge_entries
    from ..league.report import one_line
    from ..league.results import League
    from ..processes.start import cores
    from ..sandbox.kinds import demanded
    from ..tournament.storage.writing import write_named

    league = League(folder)
    if league.rules.limits["isolate"] == "on":
        demanded()
    with progress_bar() as show:
        judged = judge_entries(league, entries or folder / "entries", jobs or cores(), author, show)
    for one in judged:
        verdict = f"cannot play: {one_line(one.reason)}" if one.reason else "plays"
        print_report(clean(f"{one.entry.name}: {verdict}") + "\n")
        for game, against, text in one.gates:
            print_report(clean(f"\n{game}, against {against}:\n{text}") + "\n")
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
        checked = verify_league(league, jobs, tell, again, isolate or "on")
    verdict = "verified, and played again: the same" if again else "verified"
    parts = [so_many(checked.rounds, "round"), so_many(checked.deals, "deal"), so_many(checked.versions, "version")]
    click.echo(f"{', '.join(parts)} {verdict}")
    if checked.unfinished:
        click.echo("the last round is not finished")
    if checked.thin:
        click.echo(f"{number(checked.thin)} of the rounds have no lines: --strategies plays them again")
    if checked.foreign:
        click.echo(f"{number(checked.foreign)} of the rounds were played by other rules, and are not verified")
    return 0
