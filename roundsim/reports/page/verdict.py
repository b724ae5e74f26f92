"""The head of the page: who is ahead and by at least how much, and the basis of the figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import floor, log10
from typing import NamedTuple

from markupsafe import Markup, escape

from ...base.text import number, plain, signed, so_many
from ...statistics.distributions import LEAST_BLOCKS
from ...statistics.groups import LEVEL
from ...tournament.judging.standings import Standings
from ...tournament.judging.verdicts import MAX_COMPARED, Verdicts
from ...tournament.planning.stopping_rule import gate_of
from ..stopping_rule import stopped_over_all
from ..terminal import difference_text, entry_title, unplaced_in_one
from . import stopping_rule
from .extras import About
from .game import GameResult
from .render import fig

SEVERAL = 3  # games; if there are more, there is one verdict for all
GROUPS = 3  # groups without significant differences that are shown, if there is only one game
NAMED = 3  # strategies in one list


class Group(NamedTuple):
    """Entrants such that none is significantly better than another, and all who come after them."""

    head: list[int]
    rest: list[int]


def sentences(standings: Standings, games: Sequence[GameResult]) -> list[Markup]:
    """Return the verdict, a paragraph each; never more than a screen."""
    if standings.over_rounds:
        return [*of_rounds(standings, games)]
    if len(games) > SEVERAL:
        return [*pooled_sentence(standings), *of_all(standings, games)]
    lines = [*pooled_sentence(standings)]
    for at, game in enumerate(games):
        mine = [*rule_sentence(standings, at), *of_game(game, GROUPS if len(games) == 1 else GROUPS - 1)]
        if len(games) > 1:
            mine[0] = Markup('<a href="#{}">{}</a>: {}').format(game.anchor, game.title, mine[0])
        lines += mine
    return lines


def pooled_sentence(standings: Standings) -> Iterator[Markup]:
    """Yield the result of a gate over all games, if it is one."""
    if (outcome := standings.pooled) and (gate := gate_of(standings.tournament.stopping)):
        what, figures = f"{gate.one} against {gate.other}", stopped_over_all(standings, outcome)
        yield Markup("Over all games {}: <b>{}</b>, {}.").format(what, outcome.decision.value, fig(figures))


def rule_sentence(standings: Standings, at: int) -> Iterator[Markup]:
    """Yield the result of the stopping rule, if there is one: a against b: better, +6.555 ..."""
    if stopping := standings.tournament.stopping:
        word, figures = stopping_rule.describe_decision(standings, at)
        gate = gate_of(stopping)
        what = f"{gate.one} against {gate.other}" if gate else stopping.until
        yield Markup("{}: <b>{}</b>, {}.").format(what, word, fig(figures))


def of_game(game: GameResult, most: int) -> Iterator[Markup]:
    """Yield who is ahead in a game, group by group."""
    yield from placed_sentences(game, most)
    if out := [game.entry.labels.index(row.strategy) for row in game.rows if row.out is not None]:
        verb = "was" if len(out) == 1 else "were"
        sentence = "{} {} at fault too often and {} not placed."
        yield Markup(sentence).format(bold_names(game, out), verb, "is" if len(out) == 1 else "are")


def placed_sentences(game: GameResult, most: int) -> Iterator[Markup]:
    """Yield who is ahead among those that are placed."""
    verdicts = game.verdicts
    if trouble := nothing_to_say(game):
        yield Markup("{}").format(trouble)
        return
    groups = [group for group in ranked_groups(verdicts, game.order) if group.rest or len(group.head) > 1]
    for at, group in enumerate(groups[:most]):
        yield Markup(" ").join(of_group(game, group, first=at == 0))
    if len(groups) > most:
        yield Markup("The table below shows {}.").format(so_many(len(groups) - most, "more step"))
    yield from surprises(game)


def nothing_to_say(game: GameResult) -> str:
    """Return why nobody is compared; "" if somebody is."""
    if len(game.rows) == 1:
        return "One strategy alone: there is nothing to compare."
    if len(game.rows) > MAX_COMPARED:
        return f"Over {MAX_COMPARED} strategies: means and their errors only."
    if len(game.order) < 2 and game.verdicts.out:
        return "Fewer than two strategies are placed: there is nothing to compare."
    if not game.verdicts.differences:
        return f"Nothing can be said yet: two are compared when each has played {LEAST_BLOCKS} blocks."
    return ""


def ranked_groups(verdicts: Verdicts, order: Sequence[int]) -> Iterator[Group]:
    """Yield groups from the best down: those that nobody left is significantly better than, and those left after
    them."""
    left = [*order]
    while left:
        head = [one for one in left if not any(is_better(verdicts, other, one) for other in left)]
        left = [one for one in left if one not in head]
        yield Group(head, left)


def is_better(verdicts: Verdicts, one: int, other: int) -> bool:
    """Whether the difference is significant."""
    difference = verdicts.between(one, other) if verdicts.are_apart(one, other) else None
    return bool(difference and difference.value > 0)


def of_group(game: GameResult, group: Group, first: bool) -> Iterator[Markup]:
    head, verdicts = group.head, game.verdicts
    if len(head) > 1:
        yield tie_sentence(game, head)
    beaten = [other for other in group.rest if all(is_better(verdicts, one, other) for one in head)]
    if not beaten:
        return
    subject = bold_names(game, head) if len(head) == 1 else Markup("Both" if len(head) == 2 else "All")
    whom = bold_names(game, beaten)
    if beaten == group.rest and len(beaten) > NAMED:
        whom = Markup("every other" if first else "all the others")
    least = min(
        difference.limits[0] if difference.limits else difference.value
        for one in head
        for other in beaten
        if (difference := verdicts.between(one, other))
    )
    amount = fig(f"{rounded_down(least)} {game.measure.gain}")
    verb = "is" if len(head) == 1 else "are"
    sentence = Markup('{} {} ahead of {} by at least <span class="n">{}</span>').format(subject, verb, whom, amount)
    open_ones = [other for other in group.rest if other not in beaten]
    if len(head) == 1 and open_ones:
        sentence += Markup(", but not significantly ahead of {}").format(bold_names(game, open_ones))
    yield sentence + "."


def tie_sentence(game: GameResult, head: Sequence[int]) -> Markup:
    """Return a sentence about entrants whose difference is not significant, with the deals that would make it so."""
    one, other = head[0], head[-1]
    difference, more = game.verdicts.between(one, other), game.verdicts.more_deals(one, other)
    lines = "The difference between {} is not" if len(head) == 2 else "No difference between {} is"
    sentence = Markup(lines).format(bold_names(game, head)) + " significant"
    if difference and not (difference.standard or difference.value) and len(head) == 2:
        return sentence + ": they have the same result in every block."
    if not difference:
        return sentence + ": they have met too seldom, or never."
    sentence += ": " if len(head) == 2 else "; the first less the last is "
    sentence += Markup('<span class="n">{}</span>').format(fig(difference_text(difference)))
    if not more:
        return sentence + "."
    unit = f"{game.entry.format.unit}s"
    amount = Markup('<span class="n">{} {}</span>').format(fig(number(more[1])), f"more {unit}")
    return sentence + Markup("; {} {} would be needed.").format(more[0], amount)


def surprises(game: GameResult) -> Iterator[Markup]:
    """Yield findings that the order of the ranks does not show."""
    verdicts = game.verdicts
    if cycles := verdicts.cycles:
        circle = Markup(" over ").join(
            Markup("<b>{}</b>").format(game.label(entrant)) for entrant in (*cycles[0], cycles[0][0])
        )
        more = f", and {so_many(len(cycles) - 1, 'more cycle')}" if len(cycles) > 1 else ""
        yield Markup("They beat each other in a cycle: {}{}.").format(circle, more)
    if pair := verdicts.orders_differ:
        sentence = Markup("<b>{}</b> is more often ahead than <b>{}</b>, which wins more.")
        yield sentence.format(game.label(pair[1]), game.label(pair[0]))


def of_rounds(standings: Standings, games: Sequence[GameResult]) -> Iterator[Markup]:
    """Yield for each game that is played in rounds who has come furthest, and which differences are significant."""
    last = {numbers[-1]: games[numbers[-1]] for numbers in standings.tournament.series}
    rows_of = {id(entry): rows for entry, rows in standings.over_rounds}
    for game in [*last.values()][:SEVERAL]:
        rows = rows_of[id(game.entry)]
        number, first = rows[0]
        end = "the last round" if number == game.entry.format.last_round else f"round {number}, the last that is played"
        if first.rank is not None:
            sentence = '<a href="#{}">{}</a>: of {} strategies <b>{}</b> is first in {}.'
            yield Markup(sentence).format(game.anchor, game.title, len(rows), first.strategy, end)
        yield from of_game(game, GROUPS if len(last) == 1 else 1)
    if len(last) > SEVERAL:
        yield Markup("These are the first of {} games; the others follow below.").format(len(last))


def of_all(standings: Standings, games: Sequence[GameResult]) -> Iterator[Markup]:
    """Yield over many games who has the best score, who is first how often, and which differences are significant per
    game."""
    unit, rows = games[0].entry.format.unit, [row for row in standings.overall if row.rank is not None]
    if rows:
        first = sum(game.rows[0].strategy == rows[0].strategy for game in games)
        ruled = bool(standings.tournament.stopping)  # the error is that of a fixed size
        error = "" if ruled or rows[0].first.error is None else f" ± {plain(rows[0].first.error)}"
        score = fig(f"{signed(rows[0].first.value)}{error}")
        sentence = Markup('<b>{}</b> has the best score over all {} games: <span class="n">{}</span> {}.').format(
            rows[0].strategy, len(games), score, f"standard deviations of one {unit}"
        )
        yield sentence + f" It is first in {first} of them."
        for other in dict.fromkeys(row.strategy for row in (*rows[1:2], *rows[2:][-1:])):
            yield against(games, rows[0].strategy, other)
    elif standings.overall:
        yield Markup("No strategy is placed in every game: there is no best score over all.")
    else:
        yield Markup("No strategy played every game: there is no score over all.")
    yield from map(escape, unplaced_in_one(standings.overall, "game"))
    pairs = sum(len(game.verdicts.differences) for game in games)
    if pairs:
        apart = sum(len(game.verdicts.apart) for game in games)
        yield Markup("Over all games {} of {} {} significantly.").format(
            fig(number(apart)), fig(so_many(pairs, "pair")), "differs" if apart == 1 else "differ"
        )


def against(games: Sequence[GameResult], one: str, other: str) -> Markup:
    """Return how one compares with another game by game, and where its difference is best and worst in units of its
    standard error."""
    counted, sure = Counter[int](), list[tuple[float, GameResult]]()
    for game in games:
        labels, verdicts = game.entry.labels, game.verdicts
        difference = verdicts.between(labels.index(one), labels.index(other))
        if difference:
            apart = verdicts.are_apart(labels.index(one), labels.index(other))
            counted[(1 if difference.value > 0 else -1) if apart else 0] += 1
            sure.append((difference.value / difference.standard if difference.standard else 0.0, game))
    if not sure:
        return Markup("It has met <b>{}</b> too seldom to be compared.").format(other)
    if not counted[1] + counted[-1]:
        return Markup("Its difference from <b>{}</b> is significant in none of {} games.").format(other, len(sure))
    sentence = Markup(
        "Against <b>{}</b> it is significantly ahead in {} of {} games, behind in {}, and neither in {}"
    ).format(other, counted[1], len(sure), counted[-1] or "none", counted[0] or "none")
    sure.sort(key=lambda pair: -pair[0])
    best, worst = (Markup('<a href="#{}">{}</a>').format(game.anchor, game.title) for _, game in (sure[0], sure[-1]))
    return sentence + Markup("; compared with its error the difference is best in {}, worst in {}.").format(best, worst)


def bold_names(game: GameResult, entrants: Sequence[int]) -> Markup:
    """Return names in bold: a; a and b; a, b and 5 more."""
    names = [Markup("<b>{}</b>").format(game.label(entrant)) for entrant in entrants]
    if len(names) > NAMED:
        names = [*names[: NAMED - 1], Markup(f"{len(names) - NAMED + 1} more")]
    return Markup(" and ").join([Markup(", ").join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


def rounded_down(value: float) -> str:
    """Round down to hundredths, or to two digits if it is less than a tenth."""
    if value <= 0:
        return "0"
    digits = 2 if value >= 0.1 else 1 - floor(log10(value))
    return f"{floor(value * 10**digits + 1e-9) / 10**digits:.{digits}f}"


def facts(standings: Standings, games: Sequence[GameResult], about: About) -> list[tuple[str, str]]:
    """Return what was played, and the basis of the figures, each with a keyword."""
    lines = [("Played", played_text(games)), ("Faults", faults_text(games))]
    pairs = "at any look" if standings.tournament.stopping else f"by Holm at {100 * LEVEL:g} %"
    lines.append(("Errors", f"95 %, over blocks; pairs {pairs}"))
    if stopping := standings.tournament.stopping:
        over_all = " over all games" * stopping.over_all
        lines.append(("Stops when", f"{stopping.until}{over_all}, wrong in {100 * stopping.level:.3g} of 100"))
    return [(word, text) for word, text in [*lines, ("Lacking", about.lacking)] if text]


def how_played(standings: Standings, about: About) -> list[tuple[str, str]]:
    """Return how the strategies were kept within limits, and what was verified, each with a keyword."""
    lines = [("Limits", limits(standings)), ("Isolation", about.isolation), ("Verified", about.verified)]
    return [(word, text) for word, text in lines if text]


def played_text(games: Sequence[GameResult]) -> str:
    deals, blocks = (sum(getattr(game.fold.tally, what) for game in games) for what in ("deals", "blocks"))
    decisions = sum(game.fold.tally.decisions for game in games)
    return fig(f"{so_many(deals, 'deal')} in {so_many(blocks, 'block')}; {so_many(decisions, 'decision')}")


def faults_text(games: Sequence[GameResult]) -> str:
    """Return the faults: none; random: 12 illegal, 2 late."""
    kinds = dict[str, Counter[str]]()
    for game in games:
        for (entrant, kind), n in sorted(game.fold.tally.faults.items()):
            kinds.setdefault(game.label(entrant), Counter())[kind] += n
    most = sorted(kinds, key=lambda label: -kinds[label].total())
    parts = [
        f"{label}: {', '.join(f'{number(n)} {kind}' for kind, n in kinds[label].items())}" for label in most[:NAMED]
    ]
    if len(most) > NAMED:
        parts.append(f"{so_many(sum(kinds[label].total() for label in most[NAMED:]), 'fault')} of others")
    return "; ".join(parts) or "none"


def limits(standings: Standings) -> str:
    given = standings.tournament.limits
    bank = f", {given.bank:g} s a sitting" if given.bank else ""
    cost = "a fault forfeits the action" if given.on_fault == "forfeit" else "a fault ends the run"
    return f"{given.seconds:g} s and {fig(number(given.memory))} MB an answer{bank}; {cost}"


def title(standings: Standings, games: Sequence[GameResult], about: About) -> str:
    """Return the title that the page or the tournament is given; else the name of the tournament; else its game."""
    tournament = standings.tournament
    played = [games[numbers[0]].entry for numbers in tournament.series]
    unnamed = len(played) == 1 and tournament.name in (played[0].game, played[0].name)
    return about.title or tournament.title or (entry_title(played[0]) if unnamed else tournament.name)


def subtitle(standings: Standings, games: Sequence[GameResult]) -> str:
    """Return what was played, in a line."""
    tournament = standings.tournament
    if 1 < len(games) <= SEVERAL:
        what = [f"{game.title}, {so_many(game.fold.tally.deals, 'deal')}" for game in games]
    else:
        entrants = len({label for game in games for label in game.entry.labels})
        several = [f"{len(games)} games"] if len(games) > 1 else []
        deals = so_many(sum(game.fold.tally.deals for game in games), "deal")
        what = [tournament.format, *several, deals, f"{entrants} {'strategy' if entrants == 1 else 'strategies'}"]
    return fig(" · ".join([*what, f"seed {tournament.seed}"]))
