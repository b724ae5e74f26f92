"""The report of a coach as text and as data."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..base.text import second_person, so_many
from ..reports.lines import broken, joined_heading
from ..reports.terminal import Cells, entry_title, text_table
from ..tournament.planning.plan import Entry
from ..tournament.storage.folder import RunFolder
from .estimate import CoachDecision

INDENT = 8  # columns before the sentence of a decision


@dataclass(frozen=True)
class CoachReport:
    """The result of a coach in a game: of the questions `asked` those that `differ`; of these, how many make
    `no_difference` in any imagined deal, at how many the coach's answer is the `worse` one, and for how many too few deals
    could be imagined (`unknown`). `failures`: what the coach was at fault with. `shown`: the decisions that cost most
    for sure; if `mine_better`, those at which the coach's answer would have cost most."""

    entry: Entry
    mine: str
    coach: str
    guide: str
    mine_better: bool
    deals: int
    asked: int
    differ: int
    no_difference: int
    worse: int
    unknown: int
    failures: Sequence[str]
    shown: Sequence[CoachDecision]

    @property
    def among(self) -> list[str]:
        """The others at the tables of the decisions that are shown: what they cost, they cost among these."""
        return sorted({label for decision in self.shown for label in decision.among})


def coach_text(report: CoachReport, folder: RunFolder) -> str:
    """Return the decisions with their costs, each with a sentence below it, and how to replay the first."""
    entry, by = report.entry, report.coach
    title = [entry_title(entry), so_many(report.deals, "deal"), f"{report.mine} by {by}, guide {report.guide}"]
    title += [f"among {', '.join(report.among)}"] * bool(report.among)
    lines = [joined_heading(title), *broken(f"  {counts_text(report)}", 2)]
    if report.failures:
        times = so_many(len(report.failures), "time")
        lines += [f"  {by} failed {times}, first so:", report.failures[0].strip("\n")]
    if not report.shown:
        lines += ["", "  nothing costs " + ("less than it" if report.mine_better else "anything for sure")] * bool(
            report.differ
        )
        return "\n".join(lines)
    table = text_table([cells(decision, entry.name) for decision in report.shown]).splitlines()
    lines += ["", f" {table[0]}"]
    for row, decision in zip(table[1:], report.shown, strict=True):
        lines += [f" {row}", *broken(f"{'':{INDENT}}{decision_text(decision, report.mine, by)}", INDENT)]
    return "\n".join([*lines, "", f"again: {again(report, report.shown[0], folder)}"])


def counts_text(report: CoachReport) -> str:
    """Return how many questions there are, and what the coach's other answers come to."""
    asked = f"{so_many(report.asked, 'decision')}"
    if not report.differ:
        return f"{asked}, and nothing differs"
    worse = f"at {report.worse} the answer of {report.coach} is the worse one"
    unknown = [f"for {report.unknown} it is not known: too few imagined deals fit"] * bool(report.unknown)
    return "; ".join(
        [f"{asked}, {report.differ} differ: at {report.no_difference} it makes no difference", worse, *unknown]
    )


def cells(decision: CoachDecision, entry: str) -> Cells:
    mean, error = decision.cost.mean, decision.cost.error
    return [
        ("cost", f"{mean:+.2f}"),
        ("± 95 %", "certain" if decision.certain else f"{error:.2f}"),
        ("deal", f"{entry}/{decision.place}"),
        ("action", str(decision.step)),
    ]


def decision_text(decision: CoachDecision, mine: str, by: str) -> str:
    """Return what both do in the words of the game: "with Ks Qs Ts Ah Kh Mine passes; expert calls nap"."""
    hand = f"with {' '.join(decision.hand)} " * bool(decision.hand)
    hand += f"at a bet of {decision.level} " * bool(decision.level)
    fault = " (at fault)" * decision.forfeited
    best = f"; best: {decision.best}" * bool(decision.best)
    rule = f" ({decision.rule})" * bool(decision.rule)
    says = second_person(decision.says[0]) if mine == "you" else decision.says[0]
    return f"{hand}{mine} {says}{fault}; {by} {decision.says[1]}{best}{rule}"


def again(report: CoachReport, decision: CoachDecision, folder: RunFolder) -> str:
    """Return the command that replays the deal of a decision."""
    address = shlex.quote(f"{folder.path}:{report.entry.name}/{decision.place}")
    return f"roundsim replay {address} --seat {decision.seat}{report.entry.flag}"


def to_json(report: CoachReport, folder: RunFolder) -> dict[str, Any]:
    return {
        "game": report.entry.name,
        "strategy": report.mine,
        "coach": report.coach,
        "guide": report.guide,
        "among": report.among,
        "mine_better": report.mine_better,
        "deals": report.deals,
        "decisions": report.asked,
        "differ": report.differ,
        "no_difference": report.no_difference,
        "coach_worse": report.worse,
        "unknown": report.unknown,
        "failures": len(report.failures),
        "shown": [decision_to_json(report, decision, folder) for decision in report.shown],
    }


def decision_to_json(report: CoachReport, decision: CoachDecision, folder: RunFolder) -> dict[str, Any]:
    return {
        "deal": f"{report.entry.name}/{decision.place}",
        "action": decision.step,
        "seat": decision.seat,
        "phase": decision.phase,
        "level": decision.level or None,
        "hand": [*decision.hand],
        "strategy": decision.mine,
        "coach": decision.coach,
        "forfeited": decision.forfeited,
        "cost": round(decision.cost.mean, 6),
        "error": round(decision.cost.error, 6),
        "certain": decision.certain,
        "imagined": decision.cost.n,
        "others": {
            answer: {"gain": round(gain.mean, 6), "error": round(gain.error, 6)}
            for answer, gain in decision.others.items()
        },
        "best": decision.best or None,
        "rule": decision.rule or None,
        "again": again(report, decision, folder),
    }
