"""The result of a stopping rule or a gate, in words: the decision, its evidence, and where it comes from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import exp, log

from ..base.text import number, percent, plain, signed, so_many
from ..statistics.differences import Limits
from ..statistics.planning import two_digits
from ..statistics.stopping import EARLIEST, LARGEST_SHARE, Decision, Mixture
from ..tournament.judging.standings import Standings
from ..tournament.judging.stopping import Outcome, verdict
from ..tournament.judging.verdicts import Verdicts
from ..tournament.planning.plan import Entry, Stopping
from ..tournament.planning.stopping_rule import Contrast, PooledContrast, gate_of
from .lines import LABEL, broken
from .strength import guide_notes

SHOWN = 3  # deals, and differences between neighbours; the others are in JSON and in `standings --cross`


def stopped(entry: Entry, outcome: Outcome) -> str:
    """Return +0.312 counters a deal (+0.021 to +0.603, at any look), after 1 408 of 20 000 deals (block 88)."""
    if outcome.rule and outcome.rule.same:
        return f"the same source and parameters{'' if outcome.block else ': nothing is played'}"
    units = entry.format.units(entry)
    block = f" (block {number(outcome.block)})" if entry.format.by_deals else ""
    most = so_many(entry.cap * units, entry.format.unit)
    return f"{gain_text(outcome)}after {number(outcome.block * units)} of {most}{block}"


def stopped_over_all(standings: Standings, outcome: Outcome) -> str:
    """Return +0.112 in score (+0.021 to +0.203, at any look), after 214 of 2 000 blocks of each game."""
    if outcome.rule and outcome.rule.same:
        return "the same source and parameters: nothing is played"
    most = so_many(min(entry.cap for entry in standings.tournament.entries), "block")
    return f"{gain_text(outcome)}after {number(outcome.block)} of {most} of each game"


def gain_text(outcome: Outcome) -> str:
    """Return +0.312 counters a deal (+0.021 to +0.603, at any look), with a comma; "" if there is none."""
    interval = at_any_look(outcome.rule.mixture, outcome.measure.gain) if outcome.rule else ""
    return f"{interval}, " if interval else ""


def contrast_text(outcome: Outcome) -> Iterator[tuple[str, str]]:
    """Yield what a contrast of two strategies says about single blocks, and why it is undecided, if it is."""
    rule = outcome.rule
    if rule is None or not rule.mixture.blocks:
        return
    mixture, blocks = rule.mixture, rule.mixture.blocks
    shares = (blocks - mixture.changed, "alike"), (mixture.gained, "gained"), (mixture.lost, "lost")
    yield "blocks", ", ".join(f"{percent(n / blocks)} {word}" for n, word in shares)
    if evidence := evidence_text(rule):
        yield "evidence", evidence
    if rule.are_alike:
        bound = number(blocks // 3)
        yield "alike", f"in all of {so_many(blocks, 'block')}, different in fewer than 1 of {bound} (95 %)"
    elif outcome.decision is Decision.EQUAL and isinstance(rule, Contrast) and not rule.same:
        yield "ended", why_equal(rule, outcome)
    elif outcome.decision is Decision.UNDECIDED:
        yield from (("undecided", reason) for reason in lacking(rule))


def why_equal(rule: Contrast, outcome: Outcome) -> str:
    """Return why a contrast ends with no difference: it is too small to matter, or nothing more can be found."""
    stopping, limits = rule.stopping, rule.mixture.interval() or (0.0, 0.0)
    largest = f"a difference is at most {plain(max(map(abs, limits)))} {outcome.measure.gain}"
    if rule.is_not_worth_it:
        worth = f"{stopping.worth_sd:g} sd of a block" if stopping.worth_sd else f"{stopping.worth:g}"
        return f"{largest}, less than {worth}"
    return f"{largest}; one that large would not be found in the {so_many(rule.cap - outcome.block, 'block')} left"


def evidence_text(rule: Contrast | PooledContrast) -> str:
    """Return 12 of 20 for better; "" if there is none."""
    evidence, enough = rule.mixture.evidence(rule.delta), 1 / rule.mixture.alpha_against(rule.delta)
    if evidence <= 0:
        return ""
    side = Decision.BETTER if (rule.mixture.mean or 0.0) > rule.delta else Decision.WORSE
    return f"{number(round(exp(min(evidence, log(enough)))))} of {number(round(enough))} for {side.value}"


def lacking(rule: Contrast | PooledContrast) -> Iterator[str]:
    """Yield the reason why a contrast is undecided."""
    mixture, share = rule.mixture, rule.mixture.largest_share(rule.delta)
    if mixture.changed < EARLIEST:
        more = (EARLIEST - mixture.changed) * mixture.blocks / (mixture.changed or 1)
        text = f": about {so_many(two_digits(more), 'more block')}" if mixture.changed else ""
        yield f"{number(mixture.changed)} of {so_many(mixture.blocks, 'block')} differ, {EARLIEST} must{text}"
    elif share > LARGEST_SHARE:
        yield f"one block has {percent(share)} of the squares, {percent(LARGEST_SHARE)} is allowed"
    elif limits := mixture.interval():
        yield f"between {worse_or_better(limits[0])} and {worse_or_better(limits[1])}"


def worse_or_better(difference: float) -> str:
    """Return 0.009 worse, 0.104 better."""
    return f"{plain(abs(difference))} {'worse' if difference < 0 else 'better'}"


def rule_text(standings: Standings, at: int) -> Iterator[tuple[str, str]]:
    """Yield the result of the stopping rule in a game, if there is one."""
    for outcome in standings.outcomes[at : at + 1]:
        entry, stopping = standings.tournament.entries[at], standings.tournament.stopping
        assert stopping
        yield "until", f"{stopping.until}: {rule_answer(entry, outcome, stopping)}, {stopped(entry, outcome)}"
        yield from contrast_text(outcome)


def rule_answer(entry: Entry, outcome: Outcome, stopping: Stopping) -> str:
    """Return whether a rule is met: "yes", "not yet"."""
    answer = {
        Decision.WORSE: "no",
        Decision.UNDECIDED: "not yet" if outcome.block < entry.cap else "undecided",
        Decision.EQUAL: "no difference",
        Decision.BETTER: "yes",
        Decision.VOID: "void",
    }[outcome.decision]
    return f"over all games {answer}" if stopping.over_all else answer


def gate_lines(standings: Standings, width: int | None = None) -> str:
    """Return the result of a gate: a line over all games, if it is one; a line for each game; and a word for all."""
    stopping = standings.tournament.stopping
    gate = gate_of(stopping)
    assert stopping and gate
    who, margin = f"{gate.one} - {gate.other}", gate.number
    several, lines = len(standings.outcomes) > 1, list[str]()
    if pooled := standings.pooled:
        lines += broken(f"over all games: {who}  {stopped_over_all(standings, pooled)}", 4, width)
        lines += labelled(contrast_text(pooled), width)
    both = zip(standings.tournament.entries, standings.outcomes, standings.verdicts, strict=True)
    for entry, outcome, verdicts in both:
        word = f": {word_of(outcome.decision, margin)}" if several and not pooled else ""
        lines += broken(f"{f'{entry.name}: ' * several}{who}  {stopped(entry, outcome)}{word}", 4, width)
        guides = [("note", note) for note in guide_notes(entry)]
        lines += labelled(
            [*contrast_text(outcome), *void_text(outcome, verdicts), *guides, *origins_text(verdicts)], width
        )
    return "\n".join([*lines, word_of(verdict(standings.outcomes), margin)]) + "\n"


def labelled(facts: Iterable[tuple[str, str]], width: int | None) -> list[str]:
    """Return lines of labels and words, below the line of a gate."""
    return [line for label, text in facts for line in broken(f"    {label:<{LABEL - 1}}{text}", LABEL + 3, width)]


def word_of(decision: Decision, margin: str) -> str:
    """Return the decision in words; with a margin "not worse by 0.5" or "worse by more than 0.5"."""
    if decision not in (Decision.WORSE, Decision.BETTER) or margin == "0":
        return decision.value
    sentence = "not worse by" if decision is Decision.BETTER else "worse by more than"
    return f"{sentence} {margin.removeprefix('-')}"


def at_any_look(mixture: Mixture, unit: str = "") -> str:
    """Return the mean of a mixture, such as +0.312 counters a deal (+0.021 to +0.603, at any look); "" if it is empty."""
    return "" if mixture.mean is None else with_limits(mixture.mean, mixture.interval(), unit)


def with_limits(value: float, limits: Limits | None, unit: str = "") -> str:
    """Return +0.312 counters a deal (+0.021 to +0.603, at any look)."""
    both = f"({limits_text(limits)}, at any look)" if limits else ""
    return " ".join(filter(None, [signed(value), unit, both]))


def limits_text(limits: Limits) -> str:
    """Return +0.021 to +0.603."""
    return " to ".join(map(signed, limits))


def void_text(outcome: Outcome, verdicts: Verdicts) -> Iterator[tuple[str, str]]:
    """Yield why a difference is void, if it is: who is not placed because of faults."""
    if outcome.decision is Decision.VOID:
        out = [verdicts.entry.labels[entrant] for entrant in sorted(verdicts.out)]
        yield "not placed", f"because of faults: {', '.join(out)}"


def origins_text(verdicts: Verdicts) -> Iterator[tuple[str, str]]:
    """Yield where a difference comes from, if the format knows: phases, and the deals that gained and lost most."""
    if origins := verdicts.origins:
        name = verdicts.entry.name
        if origins.phases:
            shares = [
                f"in {phase} in {percent(share)} of the sittings ({signed(gain)})"
                for phase, gain, share in origins.phases
            ]
            yield "where", f"the first different answer is {', '.join(shares)}"
        for word, swings in ("most gained", origins.gained), ("most lost", origins.lost):
            if swings:
                yield word, ", ".join(f"{swing.gained:+d} {name}/{swing.place}" for swing in swings[:SHOWN])
