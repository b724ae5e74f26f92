"""Playing a tournament from the command line: its progress, its results, and interruptions."""

from __future__ import annotations

import os
import shlex
import signal
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from operator import add
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .. import native
from ..base.errors import BugError, FolderError, RoundsimError, RulesError, SignalError, clean
from ..base.streams import unchecked
from ..base.text import number, so_many
from .helping import usage_text
from .progress import ProgressLine

if TYPE_CHECKING:
    from ..bridges.dask import Cluster
    from ..reports.ci import Report
    from ..tournament.commandline import PlayingCommand
    from ..tournament.judging.standings import Standings
    from ..tournament.planning.parts import Part
    from ..tournament.planning.plan import Tournament
    from ..tournament.results.entry_totals import FaultCount
    from ..tournament.reuse import Reuse
    from ..tournament.run import Result, Workers
    from ..workers.spares import WorkerProcess


KINDS = 9  # of faults that are printed


def echo(text: str) -> None:
    click.echo(
        "\n".join(
            f"roundsim: {line}" if at == 0 else f"          {line}" if not line.startswith(" ") else line
            for at, line in enumerate(text.splitlines())
        ),
        err=True,
    )


def print_report(text: str, form: str = "table") -> None:
    """Print a report in a format; with colour if it is for people and the terminal has it."""
    from ..reports.colour import coloured, has_colour

    if form == "table" and has_colour(sys.stdout, os.environ):
        click.echo(coloured(clean(text)), file=unchecked(sys.stdout), color=True, nl=False)
    else:
        click.echo(text, nl=False)


@dataclass
class Request:
    """A command that plays, and how: the number of processes, the output format, and the CI system to report to.

    `page`: also write the page. `trusted`: a gate also continues a folder that may have been brought along.
    `workers`: they bring the shards of a run that is merged. `reuse`: earlier runs whose blocks are taken.
    `cluster`: the address of a scheduler whose workers play; `wait`: seconds to wait for them. `quiet`: only errors are
    printed."""

    command: PlayingCommand
    jobs: int | None = None
    form: str = "table"
    ci: str | None = None
    junit: Path | None = None
    page: bool = False
    trusted: bool = False
    workers: Workers | None = None
    reuse: tuple[Path, ...] = ()
    cluster: str | None = None
    wait: float | None = None
    quiet: bool = False

    @cached_property
    def tournament(self) -> Tournament:
        tournament = self.command.tournament()
        if self.ci:
            from ..reports.ci import check_names

            check_names(tournament)
        return tournament

    @property
    def gate(self) -> bool:
        """Whether the exit code is the verdict of a rule."""
        return self.command.name == "gate"

    @property
    def folder(self) -> Path:
        return self.command.folder(self.tournament)

    @property
    def processes(self) -> int:
        """How many there will surely be on this machine."""
        from ..processes.start import cores

        if self.workers or self.cluster or self.folder.exists():
            return 0
        return min(self.jobs or cores(), self.tournament.shard_count)

    def check_folder(self) -> None:
        """Raise FolderError if a verdict would be of deals that somebody may have brought along: in a folder that git
        tracks, or for CI in any that was there before; PluginError if git does not say."""
        from ..sources.commits import is_tracked

        if not self.gate or self.trusted:
            return
        try:
            if not os.listdir(self.folder):
                return
        except FileNotFoundError:
            return
        except OSError as error:
            raise FolderError(f"cannot read {self.folder}: {error.strerror}") from None
        why = "it was there before" if self.ci else "git tracks files in it" if is_tracked(self.folder) else ""
        if why:
            reason = "a gate believes the deals in its folder, and a change may bring forged ones along"
            what_to_do = "play into another --out, or give --continue if you trust this one"
            raise FolderError(f"{self.folder}: {why}; {reason}: {what_to_do}")

    def continuing(self) -> str:
        """Return the command that continues this run."""
        seed = None if self.workers else self.tournament.seed
        flags = [word for run in self.reuse for word in ("--reuse", str(run))]
        flags += ["--workers", self.cluster] if self.cluster else []
        flags += ["--wait", f"{self.wait:g}"] if self.wait is not None else []
        flags += ["--continue"] if self.trusted else []
        return " ".join([str(self.command.with_amount(self.command.amount, seed)), shlex.join(flags)]).rstrip()

    def repeat(self, shown: Tournament) -> str:
        """Return the commands that play what the run shows into an empty folder."""
        from ..tournament.commands import recorded_commands
        from ..tournament.storage.folder import RunFolder

        commands = self.command.repeating(shown, recorded_commands(RunFolder(self.folder)))
        return "; ".join(map(str, commands)) or self.command.unrepeatable

    def results(self, standings: Standings) -> str:
        """Return the standings, or the verdict of a gate, in the output format."""
        from ..reports.data import in_format
        from ..reports.stopping_rule import gate_lines

        return gate_lines(standings) if self.gate and self.form == "table" else in_format(standings, self.form)

    def exit_code(self, result: Result) -> int:
        from ..running import EXIT_CODES
        from ..tournament.judging.stopping import verdict

        if result.faults > result.tournament.limits.faults_allowed:
            return 2
        return EXIT_CODES[verdict(result.standings.outcomes)] if self.gate else 0


def run_and_report(request: Request) -> int:
    """Play a tournament and print its results. Processes start while the rest is loaded."""
    from ..workers.spares import start_spare_workers

    if request.quiet and request.form != "table":
        raise click.UsageError(f"--format {request.form} is of what --quiet does not print: give one of them")
    request.check_folder()
    with start_spare_workers(request.processes) as begun:
        return play_on(request, begun)


def play_on(request: Request, begun: list[WorkerProcess]) -> int:
    from ..processes.memory import allowed
    from ..reports.ci import Report
    from ..running import Means, play_tournament
    from ..tournament.reuse import Reuse

    tournament, folder, line = request.tournament, request.folder, ProgressLine(request.tournament)
    if request.quiet:
        line.mute()
    reuse, memory = Reuse(request.reuse), tournament.limits.memory
    if (most := allowed(memory << 20) >> 20) < memory and not request.quiet:
        echo(f"strategies have {most} MB: this shell allows no more (ulimit -v), and memory in [limits] is {memory}")
    try:
        result = play_tournament(
            tournament,
            folder,
            line.show,
            Means(request.jobs, request.workers, reuse, cluster_for(request, line), begun),
            request.command,
        )
    except (SignalError, KeyboardInterrupt) as stop:
        line.clear()
        click.echo(
            f"roundsim: interrupted; what is finished is kept in {folder}\ncontinue {request.continuing()}", err=True
        )
        raise SignalError(getattr(stop, "number", signal.SIGINT)) from None
    except RoundsimError as error:
        line.clear()
        if isinstance(error, BugError) and error.script:
            from ..tournament.storage.writing import write_aside

            path = folder / "bug.toml"
            write_aside(path, error.script.encode())
            echo(f"a deal that shows this bug: {path}")
        raise
    line.clear()
    too_many = result.faults > result.tournament.limits.faults_allowed
    if not request.quiet:
        print_result(request, result, reuse)
    report = Report(result.standings, folder, request.gate)
    if request.ci:
        annotate(report.annotations(repository_root()))
    elif too_many or not request.quiet:
        print_faults(result, folder)
    write_reports(request, report)
    if request.page:
        write_report_page(request)
    return request.exit_code(result)


def cluster_for(request: Request, line: ProgressLine) -> Cluster | None:
    """Return the cluster that plays, if there is one. The machines that it leaves out are named on stderr."""
    if not request.cluster:
        return None
    from ..bridges.dask import Cluster

    def say(text: str) -> None:
        if not request.quiet:
            line.clear()
            echo(text)

    return Cluster(request.cluster, request.wait, say)


def print_result(request: Request, result: Result, reuse: Reuse) -> None:
    """Print the standings or the verdict, how they came about, and the command that repeats them."""
    to_do, did = ("merge", "merged") if request.workers else ("play", "played")
    done = f"nothing left to {to_do}"
    if result.played:
        where = f" of {request.cluster}" if request.cluster else ""
        slowly = "" if native.CORE or request.cluster else ", in plain Python (roundsim --version says why)"
        done = f"{did}   {result.seconds:.1f} s on {processes(result.jobs)}{where}{slowly}"
        if result.guests:
            done += f"\nguests   {result.guests}"
            if result.tournament.limits.isolate == "on" and isinstance(seed := result.tournament.seed, int):
                done += f"\nseed     {seed} can be guessed: for a contest use --seed random"
        if request.reuse:
            done += "\nreused   " + "\n         ".join(reuse.describe(result.tournament))
    standings = result.standings
    if result.tournament.part:
        click.echo(part_lines(request, result, result.tournament.part, done))
    elif request.form == "table":
        print_report(request.results(standings))
        click.echo(f"\n{done}\nresults  {request.folder}/\nrepeat   {request.repeat(result.tournament)}")
    else:
        click.echo(request.results(standings), nl=False)


def part_lines(request: Request, result: Result, part: Part, done: str) -> str:
    """Return the lines that say which part was played, and how to join the parts."""
    from json import dumps

    folder, shown = request.folder, result.tournament
    tallies = [fold.tally for fold in result.folds]
    deals, faults = sum(tally.deals for tally in tallies), sum(sum(tally.faults.values()) for tally in tallies)
    if request.form == "json":
        shards = {"shards": shown.shard_count, "of_shards": shown.only(None).shard_count}
        data = {"part": str(part), **shards, "deals": deals, "faults": faults, "folder": str(folder)}
        return dumps(data, ensure_ascii=False)
    alike = folder.suffix == f".{part.number}of{part.of}"
    start = shlex.quote(str(folder.with_suffix("") if alike else folder))
    every = f"{start}.*of{part.of}" if alike else f"{start} FOLDER..."
    return (
        f"{share_in_words(shown)}, {so_many(deals, 'deal')}\n{done}\nfolder   {folder}/\n"
        f"repeat   {request.repeat(shown)}\nmerge    roundsim merge {every}"
    )


def share_in_words(tournament: Tournament) -> str:
    """part 3 of 8: 5 of 40 shards"""
    assert tournament.part
    every = so_many(tournament.only(None).shard_count, "shard")
    return f"{tournament.part.words}: {number(tournament.shard_count)} of {every}"


def repository_root() -> Path:
    """The folder that GitHub names files from."""
    return Path(os.environ.get("GITHUB_WORKSPACE") or ".").resolve()


def annotate(lines: Iterable[str]) -> None:
    for line in lines:  # GitHub reads stderr, too, and stdout stays what --format says
        click.echo(line, file=unchecked(sys.stderr))


def write_reports(request: Request, report: Report) -> None:
    """The job summary and the JUnit XML that were asked for; one is written if the other cannot be."""
    from ..tournament.storage.writing import write_named

    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    with reporting_to_ci(request.ci), ExitStack() as last:
        if request.junit:
            last.callback(write_named, request.junit, report.junit())
        if request.ci and summary:
            append(Path(summary), report.summary())


def write_report_page(request: Request) -> None:
    """Write the page of the run, as `roundsim report` does."""
    from ..replaying.report import write_report
    from ..tournament.storage.folder import RunFolder

    path = write_report(RunFolder(request.folder)).path
    if request.form == "table" and not request.quiet:
        click.echo(f"report   {path}")


def append(path: Path, text: str) -> None:
    try:
        with path.open("a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
    except OSError as error:
        raise FolderError(f"cannot write the job summary {path}: {error.strerror}") from None


@contextmanager
def reporting_to_ci(ci: str | None, junit: Path | None = None) -> Iterator[None]:
    """Report the failure of a command to CI as well: as JUnit XML, and to GitHub as annotations, which it shows instead of
    our message."""
    try:
        yield
    except (RoundsimError, click.UsageError) as error:
        from ..reports.ci import annotations_of, junit_of
        from ..tournament.storage.writing import write_named
        from . import bug

        message = usage_text(error) if isinstance(error, click.UsageError) else str(error)
        code = 64 if isinstance(error, click.UsageError) else error.code
        if code == RoundsimError.code:
            message = bug(message, isinstance(error, RulesError))
        if junit:
            with suppress(FolderError):
                write_named(junit, junit_of(click.get_current_context().command_path, message))
        if ci is None:
            raise
        annotate(annotations_of(getattr(error, "problems", [message]), repository_root()))
        raise click.exceptions.Exit(code) from None


def processes(jobs: int) -> str:
    return f"{jobs} process{'' if jobs == 1 else 'es'}"


def print_faults(result: Result, folder: Path) -> None:
    """Each kind of fault of each strategy once, with its first in words."""
    both = zip(result.tournament.entries, result.folds, strict=True)
    faults = [(entry, fault) for entry, fold in both for fault in fold.fault_counts()]
    lines = [
        f"faults: {entry.labels[fault.entrant]}: {fault.words}{first_words(fault)}" for entry, fault in faults[:KINDS]
    ]
    lines += [f"faults: {len(faults) - KINDS} more kinds"] * (len(faults) > KINDS)
    if again := next(((entry, fault.first.deal) for entry, fault in faults if fault.first), None):
        address = shlex.quote(f"{folder}:{again[1]}")
        lines.append(f"again: roundsim replay {address}{again[0].flag}")
        lines += [f"all of them: {folder}/faults.jsonl"] * (not result.tournament.part)
    if lines:
        echo("\n".join(lines))


def first_words(fault: FaultCount) -> str:
    """Return the first of some faults in words, and its place in the strategy."""
    if not fault.first:
        return ""
    return f": {fault.first.words}" + "".join(f" ({where})" for where in fault.first.where[-1:])


def dry_lines(request: Request) -> Iterator[str]:
    """Yield the lines of a dry run."""
    from ..base.text import in_toml
    from ..processes.start import cores
    from ..tournament.reuse import Reuse

    tournament, jobs = request.tournament, request.cluster or processes(request.jobs or cores())
    yield f"{tournament.name} · {tournament.format} · seed {tournament.seed} · {jobs} · {request.folder}/"
    if tournament.part:
        yield f"  {share_in_words(tournament)} of these"
    if tournament.stopping:
        yield f"  until {tournament.stopping.until}{' over all games' * tournament.stopping.over_all}; at most"
    if paths := Reuse(request.reuse).paths:
        yield f"  with what there is in {', '.join(map(str, paths))}"
    for entry in tournament.entries:
        yield f"  {entry.format.in_file(entry.name)}: {entry.game}, {entry.format.plan(entry)}"
        if entry.options:
            yield f"    options     {', '.join(f'{key} = {in_toml(value)}' for key, value in entry.options.items())}"
        joining = [f" (from block {since + 1} on)" if since else "" for since in entry.since]
        yield f"    strategies  {', '.join(map(add, entry.labels, joining))}"
