"""Checks that a game says why counters move, and that it plays the same with and without a listener."""

from __future__ import annotations

from collections import Counter
from re import fullmatch

from ..table.actions import Action
from ..table.deal import Ask, Deal
from ..table.events import EventLog, Moved, Party, stakes_of
from ..table.options import Rules
from ..table.playthrough import Record, run_deal
from .tables import Played, Table, for_any_sitting, play_sitting


def every_counter_moves_for_a_reason(game: type[Deal], examples: int = 24) -> None:
    """Every movement between two answers is reported: from whom, to whom, why and by which rule; each answer is a
    sentence."""

    def check(table: Table, seed: int) -> None:
        deals, end = play_sitting(table, seed)
        for played in deals:
            check_deal(played, table.rules)
        check_end(end, table.rules)

    for_any_sitting(game, examples, check)


def check_deal(played: Played, rules: Rules) -> None:
    deal = played.again(rules)
    heard, record = EventCheck(deal), Record(deal, played.deal.actions)

    def answer(ask: Ask) -> Action:
        heard.check()
        action = record.answer(ask)
        for seen in action, deal.seen(ask, action):
            check_sentence(deal.says(ask, seen), f"{ask.phase}, {seen}")
        return action

    run_deal(deal, answer)
    heard.check()
    assert deal.net == played.deal.net, f"otherwise where somebody listens: {deal.net}, not {played.deal.net}"


def check_end(end: Played, rules: Rules) -> None:
    deal = end.again(rules)
    heard = EventCheck(deal)
    deal.end()
    heard.check()


class EventCheck:
    """Compares what a game reports with the nets and pools as they are."""

    def __init__(self, deal: Deal) -> None:
        self.deal, self.hearing = deal, EventLog(deal)
        self.before = counters_by_party(deal)

    def check(self) -> None:
        heard, now, moved = self.hearing.take(), counters_by_party(self.deal), Counter[Party]()
        for event in heard:
            if isinstance(event, str):
                check_sentence(event, "what happened")
            else:
                check_move(event)
                moved[event.payer] -= event.counters
                moved[event.payee] += event.counters
        middle = {"pool"} if stakes_of(self.deal) else set()  # where stakes lie, too
        changed = {account: now[account] - self.before[account] for account in now}
        unexplained = {key: n - moved[key] for key, n in changed.items() if n != moved[key] and key not in middle}
        assert not unexplained, f"counters moved without an event: {unexplained}; events: {heard}"
        self.before = now


def counters_by_party(deal: Deal) -> dict[Party, int]:
    nets: dict[Party, int] = dict(enumerate(deal.net))
    return nets | {**deal.pools}


def check_move(move: Moved) -> None:
    check_sentence(move.why, f"why {move}")
    assert move.counters > 0, f"nothing moves: {move}"
    assert move.cited, f"by no rule that is cited: {move}"


def check_sentence(text: str, where: str) -> None:
    """Check the end of a sentence: it has no full stop, and nothing of a program in it."""
    assert fullmatch(r"[^\s.<>{}_]([^<>{}_]*[^\s.<>{}_])?", text), f"{where}: no sentence: {text!r}"
