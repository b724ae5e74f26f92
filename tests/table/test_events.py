"""The movements of counters that a listener hears."""

from __future__ import annotations

from roundsim import games
from roundsim.refereeing.sitting import Sitting
from roundsim.table.chance import Source
from roundsim.table.events import EventLog, Moved


def test_each_movement_is_reported_once() -> None:
    game = games.named("pope-joan")
    deal = Sitting(game, game.rules_for(3, None)).next_deal(Source("seed"))
    hearing = EventLog(deal)
    deal.pay(0, 1, 3, "a debt")
    deal.pay(1, 2, 2, "another")
    assert hearing.take() == [Moved(0, 1, 3, "a debt", ""), Moved(1, 2, 2, "another", "")]
    assert hearing.take() == [] and [*deal.net] == [-3, 1, 2]
