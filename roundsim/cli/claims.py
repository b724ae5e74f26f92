"""The command that settles what the books claim."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .completing import RUN, STRATEGY
from .flags import COUNT, form_option, isolate_option, jobs_option, seed_of
from .helping import command, rare_option
from .playing import echo
from .progress import ProgressLine

if TYPE_CHECKING:
    from ..claiming.ask import Chosen
    from ..claiming.chapter import Chapter, Claim
    from ..claiming.rows import Row
    from ..claiming.runs import ClaimRuns
    from ..tournament.planning.plan import Tournament

SEED = 1


@command(example="roundsim claims loo/2")
@click.argument("which", nargs=-1, metavar="CLAIMS")
@click.option("--all", "every", is_flag=True, help="A line for each claim of all chapters.")
@click.option("--again", is_flag=True, help="Play the claims again. [default: show the kept verdicts]")
@click.option(
    "--among",
    type=STRATEGY,
    multiple=True,
    metavar="NAME",
    help="Strategy that plays, in place of the claim's; may be repeated.",
)
@click.option(
    "--run", type=RUN, metavar="RUN", help="Test the claims in the deals of this run, where they fit its tables."
)
@click.option(
    "--page",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the claims as a page, one file that works offline.",
)
@form_option("table", "json", "md")
@click.option("--check", is_flag=True, help="Play the exact claims and a tenth of the others; compare the verdicts.")
@click.option("--errata", is_flag=True, help="Where the books err: the corrections that the experts play by.")
@rare_option("--budget", type=COUNT, metavar="N", help="Most deals for a claim at one table. [default: 20000]")
@rare_option(
    "--measures",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The Python functions of a FILE's claims, which are run.",
)
@rare_option(
    "--strategy",
    "strategies",
    type=STRATEGY,
    multiple=True,
    metavar="NAME=PATH",
    help="Where a strategy of a FILE's claims is that is not installed; may be repeated.",
)
@isolate_option
@rare_option("--seed", callback=seed_of, metavar="N", help="The seed of the runs and of the drawn tenth. [default: 1]")
@rare_option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Where the runs are kept. [default: runs/claims]",
)
@rare_option("--keep", is_flag=True, help="Keep the verdicts as those that come with roundsim; for its authors.")
@jobs_option
def claims(which: tuple[str, ...], **given: Any) -> int:
    """Whether the claims of the books about their games are true.

    CLAIMS are a chapter, "nap"; one claim of it, "nap/5"; or a file of your own, "mine.toml". Without them, the tally of
    all chapters. A claim is settled by playing, or by an exact count. Verdicts that came with roundsim are shown at once;
    others are played."""
    from ..claiming.ask import Settler, chosen, is_single, rows_in_run, settle_all
    from ..claiming.settle import BUDGET
    from ..processes.start import cores

    refuse_together(which, given)
    chapters = chosen(which, given["measures"], given["strategies"], sealed=given["isolate"] != "off")
    jobs = given["jobs"] or cores()
    if given["errata"]:
        return print_errata([chapter for chapter, _ in chapters])
    if given["check"]:
        return check_kept(chapters, given, jobs)
    runs = claim_runs(given, jobs) if which or given["again"] else None
    if given["run"]:
        rows = rows_in_run([claim for _, claims in chapters for claim in claims], given["run"], jobs)
    else:
        settler = Settler(runs, given["among"], given["budget"] or BUDGET, given["again"])
        rows = settle_all(chapters, settler, jobs)
    if which or given["every"] or given["form"] != "table":
        code = print_rows(rows, given, single=len(which) == 1 and is_single(which[0]))
    else:
        code = print_tally([*rows], given)
    if runs and runs.guests and given["form"] == "table":
        click.echo(f"\nguests   {runs.guests}")
    return code


def print_tally(rows: list[tuple[Claim, Row | None]], given: dict[str, Any]) -> int:
    """Print how many claims of each chapter have which verdict."""
    from ..claiming.report import tally

    click.echo("\n".join(tally((claim.chapter.name, row) for claim, row in rows)))
    write([row for _, row in rows if row], given)
    return 0


def print_rows(rows: Iterator[tuple[Claim, Row | None]], given: dict[str, Any], single: bool) -> int:
    """Print each verdict as soon as it is there; return the exit code."""
    from ..claiming import report
    from ..claiming.rows import located, rows_json
    from ..claiming.verdict import OPEN

    rows_made: list[Row] = []
    chapter = None
    for claim, row in rows:
        if given["form"] == "table" and not single:
            if claim.chapter is not chapter:
                if chapter:
                    click.echo()
                click.echo(report.heading(claim.chapter, given["among"]))
            click.echo(report.row_line(row) if row else report.line([str(claim.no), claim.says, "not tested", ""]))
        elif given["form"] == "table" and row:
            click.echo("\n".join(report.in_full(located(row, folder_of_runs(given)))))
        chapter = claim.chapter
        rows_made += [row] if row else []
    if given["form"] != "table":
        click.echo(
            rows_json(rows_made) if given["form"] == "json" else report.chapters_in_markdown(rows_made), nl=False
        )
    if not rows_made:
        echo("no verdict: --again plays them")
    write(rows_made, given)
    return 3 if single and any(row["verdict"] == OPEN for row in rows_made) else 0


def print_errata(chapters: list[Chapter]) -> int:
    """Print the corrections of the experts; of several chapters the most important ones."""
    from ..claiming.report import MOST, errata

    lines = [line for chapter in chapters for line in errata(chapter, MOST if len(chapters) == 1 else 5)]
    click.echo("\n".join(lines[1:] or ["no errata: no expert has corrected this book"]))
    return 0


def write(rows: list[Row], given: dict[str, Any]) -> None:
    """Write the verdicts where they are wanted: on a page, or with roundsim."""
    if given["keep"]:
        from ..claiming.rows import keep

        keep(rows)
    if given["page"]:
        from ..claiming.page import write_page
        from ..claiming.rows import located

        write_page([located(row, folder_of_runs(given)) for row in rows], given["page"])
        echo(f"wrote {given['page']}")


def folder_of_runs(given: dict[str, Any]) -> Path:
    """Return the folder of the runs that are asked."""
    from ..claiming.ask import FOLDER

    folder: Path = given["run"].parent if given["run"] else given["out"] or FOLDER
    return folder


def refuse_together(which: tuple[str, ...], given: dict[str, Any]) -> None:
    """UsageError for options that would be ignored."""
    own = {"measures", "strategies"}
    fits = {"errata": set[str](), "check": {"seed", "out", "isolate", *own}, "run": {"every", "page", *own}}
    flags = {"every": "all", "strategies": "strategy"}
    for name in [name for name in fits if given[name]]:
        strays = sorted({key for key in given if given[key]} - fits[name] - {name, "form", "jobs"})
        if strays:
            raise click.UsageError(f"--{name} and --{flags.get(strays[0], strays[0])}: give one of them")
    if (given["errata"] or given["check"]) and given["form"] != "table":
        raise click.UsageError(f"--format {given['form']} is of verdicts: --check and --errata print none")


def claim_runs(given: dict[str, Any], jobs: int) -> ClaimRuns:
    from ..claiming.ask import FOLDER
    from ..claiming.runs import ClaimRuns

    return ClaimRuns(given["out"] or FOLDER, given["seed"] or SEED, jobs, watched, given["isolate"])


def check_kept(chapters: list[Chosen], given: dict[str, Any], jobs: int) -> int:
    """Compare some verdicts with the kept ones; the exit code is 1 if one contradicts."""
    from ..claiming.ask import contradictions

    checked = [*contradictions(chapters, claim_runs(given, jobs), given["seed"] or SEED)]
    problems = [problem for problem in checked if problem]
    click.echo("\n".join([*problems, f"{len(checked)} claims checked: {len(problems) or 'none'} contradicted"]))
    return 1 if problems else 0


@contextmanager
def watched(tournament: Tournament) -> Iterator[Any]:
    """Show the progress of a run on one line of a terminal."""
    line = ProgressLine(tournament)
    if not sys.stderr.isatty():
        line.mute()
    try:
        yield line.show
    finally:
        line.clear()
