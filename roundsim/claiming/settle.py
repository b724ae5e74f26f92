"""Claims settled: asked of runs that grow until the verdict is clear."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import isfinite
from typing import Any

from ..base.errors import ClaimError, did_you_mean
from ..base.finding import display_path, sha256
from ..replaying.logged import logged_blocks
from ..reports.views import rounded
from ..sources import plugins
from ..sources.homes import claims_folder
from ..tournament.storage.folder import RunFolder
from .chapter import Call, Claim, Seating
from .measures import name_of_answer
from .rows import Row, verdict_row
from .runs import Asked, ClaimRuns, Counted, MeasureCall, count_blocks, failed
from .verdict import OPEN, RIGHT, UNTESTABLE, WRONG, Judged, judge_blocks, name_of, together

ROUNDS = 500, 2000, 8000  # deals after which a claim is looked at, before the budget
BUDGET = 20_000


def settle_claim(claim: Claim, runs: ClaimRuns, budget: int = BUDGET, among: Sequence[str] = ()) -> Row:
    """Return the verdict about a claim. `among`: the strategies who play, instead of the claim's; `budget`: the most
    deals for a case, which is a claim at one table among one company.

    Raises StrategyError, PluginError, FolderError, LogError or ClaimError."""
    if claim.untestable:
        return verdict_row(claim, UNTESTABLE)
    if claim.exact:
        return settle_exactly(claim)
    companies = among or claim.among
    cases = [settle_case(claim, table, company, runs, budget) for table in claim.tables for company in companies]
    return verdict_row(claim, together([case["verdict"] for case in cases]), companies, cases)


def settle_in_run(claim: Claim, folder: RunFolder, jobs: int) -> Row | None:
    """Return what is true in the tables of a run that was played; None if the claim asks of none of them.

    Raises LogError if the log cannot be read."""
    if claim.exact or claim.untestable or claim.labels != [""] or claim.format:
        return None
    tournament, cases = folder.tournament(), list[Row]()
    for number, entry in enumerate(tournament.entries):
        seating = Seating(entry.format.table_size(entry.deal), tuple(sorted(entry.options.items())))
        if entry.game != claim.chapter.game.id or seating not in claim.tables or not entry.format.whole_log:
            continue
        counted = count_blocks(measure_of(claim), logged_blocks(folder, tournament, number), jobs)
        deals = len(counted) * entry.format.units(entry)
        cases.append(case_of(claim, seating, ", ".join(entry.labels), {"": counted}, deals))
    verdict = together([case["verdict"] for case in cases])
    return verdict_row(claim, verdict, [case["among"] for case in cases], cases) if cases else None


def settle_exactly(claim: Claim) -> Row:
    """Compare the result of a function with what is printed, to its last digit, or with a condition."""
    function = claim.chapter.function(claim.exact)
    assert function
    try:
        result = function()
        figures = result if isinstance(result, dict) else {"": result}
        exact = {name: Fraction(value) for name, value in figures.items()}
    except Exception as error:  # of the function that the user has named
        raise failed(claim.chapter.functions, claim.exact, error) from None
    printed = {"": claim.printed} if isinstance(claim.printed, str) else claim.printed
    for name in claim.condition.names if claim.condition else printed:
        if name not in exact:
            problem = f"{claim.exact} gives no {name or 'single number'}{did_you_mean(name, exact)}: {', '.join(exact)}"
            raise ClaimError([f"{display_path(claim.chapter.path)}:{claim.line}: {problem}"])
    if claim.condition:
        true = claim.condition.holds(exact)
    else:
        true = all(is_printed(exact[name], text) for name, text in printed.items())
    return verdict_row(claim, RIGHT if true else WRONG, exact=exact)


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


def run_of(claim: Claim, label: str, seating: Seating, company: str) -> Asked:
    """Return the run of one side of a claim."""
    company, options = claim.chapter.placed(company), dict(seating.options)
    first = company
    if claim.versus:
        first = claim.chapter.placed(claim.versus[label])
    elif claim.options:
        options |= claim.options[label]
    elif claim.force:
        first = forced_strategy(claim, label, company)
    format = {**claim.format, **({"sitting": claim.sitting} if claim.sitting else {})}
    field = (first, *[company] * (seating.players - 1))
    return Asked(
        claim.chapter.game.id, seating.players, tuple(sorted(options.items())), field, tuple(sorted(format.items()))
    )


def forced_strategy(claim: Claim, label: str, company: str) -> str:
    """Return the strategy that gives an answer where the claim says so, as a list of strategies names it."""
    functions, force = claim.chapter.functions, claim.force
    assert functions
    (say,) = (answer for answer in force["say"] if label == name_of_answer(answer))
    parameters = {
        "like": company,
        "functions": functions.stem if functions.parent == claims_folder() else str(functions.resolve()),
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


def settle_case(claim: Claim, seating: Seating, company: str, runs: ClaimRuns, budget: int) -> Row:
    """Let the runs of a case grow until it is decided."""
    asked, measure = {label: run_of(claim, label, seating, company) for label in claim.labels}, measure_of(claim)
    case: Row = {}
    for amount in [*[fewer for fewer in ROUNDS if fewer < budget], budget]:
        counted = {label: runs.count(run, measure, amount) for label, run in asked.items()}
        case = case_of(claim, seating, company, counted, amount)
        if case["verdict"] != OPEN:
            break
    return case


def case_of(claim: Claim, seating: Seating, among: str, counted: Mapping[str, Sequence[Counted]], deals: int) -> Row:
    """Return the verdict of a case as data. `counted`: by label what was counted in its runs; `deals`: how many were
    played in each."""
    assert claim.condition
    first = claim.condition.names[0]
    blocks = [
        dict(pair for label, block in zip(counted, side_by_side, strict=True) for pair in named(label, block.sums))
        for side_by_side in zip(*counted.values(), strict=True)
    ]
    shows = (dict(named(label, block.shows)).get(first) for label, blocks in counted.items() for block in blocks)
    judged = judge_blocks(claim.condition, blocks, claim.matters)
    return {
        "at": str(seating),
        "among": among,
        "verdict": judged.verdict,
        "value": rounded(judged.value),
        "error": finite(judged.error),
        "low": finite(judged.low),
        "high": finite(judged.high),
        "figures": {name: rounded(value) for name, value in judged.figures.items()},
        "n": judged.n,
        "deals": deals,
        "needs": deals_needed(judged, claim.condition.bound, deals),
        "shows": next(filter(None, shows), ""),
    }


def finite(number: float) -> float | None:
    return rounded(number) if isfinite(number) else None


def deals_needed(judged: Judged, bound: float, deals: int) -> int | None:
    """Return how many deals would probably decide an open case, if the value of these is the true one."""
    if judged.verdict != OPEN or judged.value is None or not isfinite(judged.high - judged.low):
        return None
    distance, half = abs(judged.value - bound), (judged.high - judged.low) / 2
    return int(float(f"{deals * (half / distance) ** 2:.2g}")) if 0 < distance < half else None


def measure_of(claim: Claim) -> MeasureCall:
    assert claim.measure and claim.condition
    call = claim.measure
    if claim.force:
        given = {key: claim.force[key] for key in ("where", "phase")}
        call = Call(call.name, tuple({**given, **dict(call.parameters)}.items()))
    names = claim.condition.names
    if claim.labels != [""]:
        names = [*dict.fromkeys(name.partition(".")[2] for name in names)]
    return MeasureCall(claim.chapter.functions, call, tuple(names), bool(claim.force))


def named(label: str, figures: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield figures under the names of the condition; `net` of a run that is compared also by the label alone."""
    for name, value in figures.items():
        yield name_of(label, name), value
        if label and name == "net":
            yield label, value
