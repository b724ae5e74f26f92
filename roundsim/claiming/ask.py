"""The work of `roundsim claims`: the verdicts of many claims, kept ones or new ones."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

from ..base.errors import InputError, RoundsimError, StrategyError, did_you_mean
from ..processes.pool import each
from ..sources import plugins
from ..sources.homes import in_house
from ..sources.specs import read_spec
from ..tournament.storage.folder import RunFolder
from .chapter import SUFFIX, Chapter, Claim, chapter_names, find_chapter, read_chapter
from .rows import Row, differs, kept_row, kept_rows, with_experts
from .runs import ClaimRuns
from .settle import BUDGET, settle_claim, settle_in_run

FOLDER = Path("runs") / "claims"
CHECKED = 10  # `--check` plays one of this many claims that need deals
CHECK_BUDGET = BUDGET // 10


Chosen = tuple[Chapter, Sequence[Claim]]


class Settler(NamedTuple):
    """How claims are settled. `runs`: None if nothing is played, and only kept verdicts count. `again`: those do not."""

    runs: ClaimRuns | None
    among: Sequence[str] = ()
    budget: int = BUDGET
    again: bool = False

    def row(self, claim: Claim) -> Row | None:
        """Return the verdict about a claim; None if there is none and nothing is played."""
        among = self.among or claim.among
        kept = None if self.again else kept_row(claim, among, kept_rows())
        if kept or not self.runs:
            return kept if self.among or not kept else with_experts(kept, kept_rows())
        return settle_claim(claim, self.runs, self.budget, self.among)


def chosen(
    names: Sequence[str], functions: Path | None = None, strategies: Sequence[str] = (), sealed: bool = True
) -> list[Chosen]:
    """Return the chapters that these names mean, each with its claims: "nap", "nap/5", "mine.toml"; without names all.

    `functions`: the Python file of a chapter of one's own; `strategies`: those of its strategies that are not installed,
    "mine=mine.py"; `sealed`: they are described in a sandbox. Raises InputError, ClaimError, StrategyError or
    PluginError."""
    own = any(SUFFIX in name for name in names)
    if functions and not own:
        raise InputError(f"{functions} is for a file of claims, mine.toml: a chapter of roundsim has its own functions")
    if strategies and not own:
        raise InputError(f"{strategies[0]} is for a file of claims, mine.toml: --among is for a chapter of roundsim")
    places = dict[str, str]()
    for text in strategies:
        if not (name := read_spec(text).name):
            raise StrategyError(f"{text}: give it the name that the file has for it, NAME={text}")
        places[name] = text.partition("=")[2]
    plugins.describe_ahead(places.values(), sealed=sealed)
    chapters = dict[str, tuple[Chapter, list[Claim]]]()
    for text in names or chapter_names():
        name, _, number = text.rpartition("/") if is_single(text) else (text, "", "")
        if name not in chapters:
            chapters[name] = find_chapter(name, functions, places), []
        chapter, claims = chapters[name]
        claims += [chapter.claim(number)] if number else chapter.claims
    every = [claim for chapter, _ in chapters.values() for claim in chapter.claims]
    used = [read_spec(text).what for claim in every for text in (*claim.among, *claim.versus.values())]
    for name in places:
        if name not in used:
            raise StrategyError(f"no claim has a strategy {name!r}{did_you_mean(name, used)}")
    return [*chapters.values()]


def third_party(claim: Claim, among: Sequence[str]) -> list[str]:
    """Return the strategies that play for a claim and did not come with roundsim. Raises StrategyError or
    PluginError."""
    if claim.exact or claim.untestable or claim.chapter.is_ours and not among:
        return []
    texts = map(claim.chapter.placed, (*(among or claim.among), *claim.versus.values()))
    return [text for text in texts if not is_of_house(text, claim.chapter.game.id)]


@cache
def is_of_house(text: str, game: str) -> bool:
    return all(in_house(Path(strategy.path)) for strategy in plugins.find(text, game))


def settle_all(chapters: Sequence[Chosen], settler: Settler, jobs: int) -> Iterator[tuple[Claim, Row | None]]:
    """Yield each claim with its verdict, in order. Several games are settled at the same time, each in a process, because
    the claims of a game share runs.

    Raises InputError, StrategyError, PluginError, FolderError or LogError."""
    games = defaultdict[str, list[ChapterTask]](list)
    for number, (chapter, claims) in enumerate(chapters):
        task = ChapterTask(number, chapter.path, chapter.functions, chapter.strategies, [claim.no for claim in claims])
        games[chapter.game.id].append(task)
    sandboxed = settler.runs is not None and settler.runs.isolate == "on"
    if settler.runs:
        plugins.describe_ahead(settler.among, sealed=settler.runs.isolate != "off")
        for claim in [claim for _, claims in chapters for claim in claims]:
            others = third_party(claim, settler.among) if claim.force or not sandboxed else []
            sandboxed = sandboxed or bool(others)
            if claim.force and others:  # whoever is forced plays where the cards are
                raise StrategyError(
                    f"{claim.id} forces answers, and so plays {others[0]} outside the sandbox: "
                    "only house strategies are forced"
                )
    if not settler.runs or jobs < 2 or len(games) < 2 or sandboxed:  # in one of our processes there is no sandbox
        for _, claims in chapters:
            yield from ((claim, settler.row(claim)) for claim in claims)
        return
    alone = settler._replace(runs=ClaimRuns(settler.runs.folder, settler.runs.seed, jobs=1))
    done, left = dict[int, Sequence[Row | None] | RoundsimError](), [*enumerate(chapters)]
    for results in each(partial(settle_chapters, alone), games.values(), min(jobs, len(games))):
        done |= results
        while left and left[0][0] in done:
            number, (_, claims) = left.pop(0)
            if isinstance(rows := done.pop(number), RoundsimError):
                raise rows
            yield from zip(claims, rows, strict=True)


class ChapterTask(NamedTuple):
    """Claims of a chapter, by their numbers, that a process settles. `place`: that of the chapter in the list."""

    place: int
    path: Path
    functions: Path | None
    strategies: Mapping[str, str]
    numbers: Sequence[int]


def settle_chapters(settler: Settler, tasks: Sequence[ChapterTask]) -> dict[int, Sequence[Row | None] | RoundsimError]:
    """Return the verdicts of chapters by their places, for one that fails the error."""
    results = dict[int, Sequence[Row | None] | RoundsimError]()
    for task in tasks:
        try:
            chapter = read_chapter(task.path, task.functions, task.strategies)
            results[task.place] = [settler.row(chapter.claim(str(number))) for number in task.numbers]
        except RoundsimError as error:
            results[task.place] = error
    return results


def is_single(name: str) -> bool:
    """Return whether this names one claim: nap/5."""
    return "/" in name and name.rpartition("/")[2].isdecimal()


def rows_in_run(claims: Sequence[Claim], folder: Path, jobs: int) -> Iterator[tuple[Claim, Row | None]]:
    """Yield what is true in a run, of the claims that fit its tables."""
    for claim in claims:
        if row := settle_in_run(claim, RunFolder(folder), jobs):
            yield claim, row


def contradictions(chapters: Sequence[Chosen], runs: ClaimRuns, seed: int | str) -> Iterator[str]:
    """Settle the exact claims, and a tenth of the others with a tenth of the budget. Yield for each how it contradicts its
    kept verdict, "" if it does not."""
    kept, every = kept_rows(), [claim for _, claims in chapters for claim in claims]
    played = [claim for claim in every if not claim.exact and not claim.untestable]
    drawn = random.Random(f"{seed}/claims").sample(played, len(played) // CHECKED)
    before = {claim.id: kept_row(claim, claim.among, kept) for claim in every if claim.exact or claim in drawn}
    picked = [(chapter, [claim for claim in claims if before.get(claim.id)]) for chapter, claims in chapters]
    settler = Settler(runs, (), CHECK_BUDGET, again=True)
    for claim, row in settle_all([(chapter, claims) for chapter, claims in picked if claims], settler, runs.jobs):
        if row and (known := before[claim.id]):
            contradicts = differs(row, known)
            yield f"{claim.id}: {known['verdict']} is kept, {row['verdict']} was found" if contradicts else ""
