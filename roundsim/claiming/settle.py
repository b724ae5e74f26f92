"""Claims settled: asked of runs that grow until the verdict is clear."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from ..base.errors import ClaimError, did_you_mean
from ..base.finding import display_path, sha256
from ..replaying.logged import logged_blocks
from ..sources import plugins
from ..tournament.storage.folder import RunFolder
from .chapter import Call, Claim, Seating, house, name_of
from .measures import word_of
from .runs import Asked, Counted, Measure, Runs, count_blocks, failed
from .verdict import OPEN, RIGHT, UNTESTABLE, WRONG, BlockSums, Condition, Judged, judge, together

ROUNDS = 500, 2000, 8000  # deals after which a claim is looked at, before the budget
BUDGET = 20_000


class Case(NamedTuple):
    """A claim at one table among one company: by label the runs that are compared."""

    seating: Seating
    among: str
    runs: Mapping[str, Asked]


@dataclass(frozen=True)
class CaseResult:
    """The verdict of a case. `deals`: how many were played in each run; `shows`: a deal of it, "loo-5-book:loo/17/2/3"."""

    seating: Seating
    among: str
    judged: Judged
    deals: int
    shows: str = ""


@dataclass(frozen=True)
class Settled:
    """A claim with its verdict: of its cases, or of the exact figures of its function, by name."""

    claim: Claim
    verdict: str
    cases: Sequence[CaseResult] = ()
    exact: Mapping[str, Fraction] = field(default_factory=dict)


def settle(claim: Claim, runs: Runs, budget: int = BUDGET, among: Sequence[str] = ()) -> Settled:
    """Return the verdict about a claim. `among`: the strategies who play, instead of the claim's; `budget`: the most
    deals for a case.

    StrategyError, PluginError, FolderError, LogError, ClaimError."""
    if claim.untestable:
        return Settled(claim, UNTESTABLE)
    if claim.exact:
        return settle_exactly(claim)
    results = [settle_case(claim, case, runs, budget) for case in cases_of(claim, among)]
    return Settled(claim, together([result.judged.verdict for result in results]), results)


def settle_in_run(claim: Claim, folder: RunFolder, jobs: int) -> Settled | None:
    """Return what is true in the tables of a run that was played; None if the claim asks of none of them. LogError."""
    if claim.exact or claim.untestable or claim.labels != [""] or claim.format:
        return None
    tournament, results = folder.tournament(), list[CaseResult]()
    assert claim.condition
    for number, entry in enumerate(tournament.entries):
        seating = Seating(entry.format.table_size(entry.deal), tuple(sorted(entry.options.items())))
        if entry.game != claim.chapter.game.id or seating not in claim.tables or not entry.format.whole_log:
            continue
        counted = count_blocks(measure_of(claim), logged_blocks(folder, tournament, number), jobs)
        judged = judge(claim.condition, [one.sums for one in counted], claim.matters)
        name, deals = claim.condition.names[0], len(counted) * entry.format.units(entry)
        shows = next((one.shows[name] for one in counted if name in one.shows), "")
        results.append(CaseResult(seating, ", ".join(entry.labels), judged, deals, shows))
    return Settled(claim, together([result.judged.verdict for result in results]), results) if results else None


def settle_exactly(claim: Claim) -> Settled:
    """Compare the result of a function with what is printed, to its last digit, or with a condition."""
    function = claim.chapter.function(claim.exact)
    assert function
    try:
        found = function()
        exact = {name: Fraction(value) for name, value in (found if isinstance(found, dict) else {"": found}).items()}
    except Exception as error:  # of the function that the user has named
        raise failed(claim.chapter.functions, claim.exact, error) from None
    printed = {"": claim.printed} if isinstance(claim.printed, str) else claim.printed
    for name in claim.condition.names if claim.condition else printed:
        if name not in exact:
            words = f"{claim.exact} gives no {name or 'single number'}{did_you_mean(name, exact)}: {', '.join(exact)}"
            raise ClaimError([f"{display_path(claim.chapter.path)}:{claim.line}: {words}"])
    if claim.condition:
        true = claim.condition.holds(exact)
    else:
        true = all(is_printed(exact[name], text) for name, text in printed.items())
    return Settled(claim, RIGHT if true else WRONG, exact=exact)


def is_printed(number: Fraction | float, printed: str) -> bool:
    """Return whether a number rounds to one that is printed: "0.181 %", "1 in 3 873", ".782"."""
    text = printed.replace(" ", "").replace(",", "")
    value = Fraction(number)
    if text.startswith("1in"):
        text, value = text[3:], 1 / value
    if text.endswith("%"):
        text, value = text[:-1], value * 100
    digits = len(text.partition(".")[2])
    return bool(abs(value - Fraction(text)) * 2 * 10**digits <= 1)


def cases_of(claim: Claim, among: Sequence[str] = ()) -> Iterator[Case]:
    """Yield the tables and companies at which a claim is tested."""
    for seating in claim.tables:
        for company in among or claim.among:
            yield Case(seating, company, {label: run_of(claim, label, seating, company) for label in claim.labels})


def run_of(claim: Claim, label: str, seating: Seating, company: str) -> Asked:
    """Return the run of one side of a claim."""
    company, options = claim.chapter.placed(company), dict(seating.options)
    first = company
    if claim.versus:
        first = claim.chapter.placed(claim.versus[label])
    elif claim.options:
        options |= claim.options[label]
    elif claim.force:
        first = forced(claim, label, company)
    format = {**claim.format, **({"sitting": claim.sitting} if claim.sitting else {})}
    field = (first, *[company] * (seating.players - 1))
    return Asked(
        claim.chapter.game.id, seating.players, tuple(sorted(options.items())), field, tuple(sorted(format.items()))
    )


def forced(claim: Claim, label: str, company: str) -> str:
    """Return the strategy that gives an answer where the claim says so, as a list of strategies names it."""
    functions, force = claim.chapter.functions, claim.force
    assert functions
    (say,) = (said for said in force["say"] if label == word_of(said))
    parameters = {
        "like": company,
        "functions": functions.stem if functions.parent == house() else str(functions.resolve()),
        "sha256": sha256(functions),
        "where": force["where"],
        "phase": force["phase"],
        "say": say,
    }
    kind = "Imagining" if plugins.find(company, claim.chapter.game.id)[0].imagines else "Forced"
    given = ", ".join(f"{key}={value!r}" for key, value in parameters.items())
    text = f"{label}=roundsim.claiming.forced:{kind}({given})"
    plugins.allow(text)
    return text


def settle_case(claim: Claim, case: Case, runs: Runs, budget: int) -> CaseResult:
    """Let the runs of a case grow until it is decided."""
    condition, measure = claim.condition, measure_of(claim)
    assert condition
    judged, counted, amount = None, dict[str, Sequence[Counted]](), 0
    for amount in [*[few for few in ROUNDS if few < budget], budget]:
        counted = {label: runs.count(asked, measure, amount) for label, asked in case.runs.items()}
        judged = judge(condition, joined(counted), claim.matters)
        if judged.verdict != OPEN:
            break
    assert judged
    return CaseResult(case.seating, case.among, judged, amount, shown(condition, counted))


def measure_of(claim: Claim) -> Measure:
    assert claim.measure and claim.condition
    call = claim.measure
    if claim.force:
        given = {key: claim.force[key] for key in ("where", "phase")}
        call = Call(call.name, tuple(({**given, **dict(call.parameters)}).items()))
    names = claim.condition.names
    if claim.labels != [""]:
        names = [*dict.fromkeys(name.partition(".")[2] for name in names)]
    return Measure(claim.chapter.functions, call, tuple(names), bool(claim.force))


def joined(counted: Mapping[str, Sequence[Counted]]) -> list[BlockSums]:
    """Return the sums of each block, of all runs that are compared."""
    return [
        {key: sums for label, one in zip(counted, block, strict=True) for key, sums in named(label, one.sums)}
        for block in zip(*counted.values(), strict=True)
    ]


def named(label: str, found: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield what was found under the names of the condition; `net` of a run that is compared also by the label alone."""
    for name, value in found.items():
        yield name_of(label, name), value
        if label and name == "net":
            yield label, value


def shown(condition: Condition, counted: Mapping[str, Sequence[Counted]]) -> str:
    """Return a deal that counted in the first figure of the condition: the name of its run, and its address."""
    wanted = condition.names[0]
    for label, blocks in counted.items():
        for block in blocks:
            if deal := dict(named(label, block.shows)).get(wanted):
                return str(deal)
    return ""
