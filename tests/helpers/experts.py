"""The tables of corrections in `strategies/`, and the experts that play by them."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from helpers.command import ROOT

from roundsim import games
from roundsim.sources import plugins

BLUFF = """
    from roundsim.game import PACK, Ask, Deal, say

    class Bluff(Deal):
        '''A card is red or black; bet on it, or bluff.'''

        id, title, family, source = "bluff", "Bluff", "tricks", "Ours"
        seats = usual = (2, 2)
        phases = {"bet": "bet or pass", "call": "call or fold"}

        def deal(self):
            '''A red card wins, a black one loses: one counter, two if a bet is called. A bet that is not called wins one.'''
            self.hands = [self.chance.pack(PACK).draw(1), []]
            sure = self.hands[0][0].suit in "hd"
            bet = (yield Ask(0, "bet", (say("pass"), say("bet")))) == "bet"
            called = bet and (yield Ask(1, "call", (say("fold"), say("call")))) == "call"
            wins = sure or bet and not called
            self.pay(wins, not wins, 1 + called)
    """


def expert_in(name: str) -> tuple[Any, Any]:
    """An expert who passes, without a table, and its game, from the files of the working directory."""
    game = games.named(f"{name}.py:{name.title()}")
    expert = plugins.load_strategy(plugins.find(f"{name}_expert.py:Expert", name)[0])
    plugins.seated_named.cache_clear()
    return expert, game


def trained(trainer: ModuleType, file: str, *words: object) -> str:
    """The table in a file after the command of a trainer."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sys, "argv", [f"{trainer.__name__}.py", *map(str, words)])
        trainer.main()
    return Path(file).read_text("utf-8")


def tables() -> list[Path]:
    return sorted(ROOT.glob("strategies/*/corrections.txt"))


def expert_of(path: Path) -> tuple[Any, Any]:
    """The class of the expert with this table, and its game."""
    (found,) = plugins.find(str(path.parent))
    expert: Any = plugins.load_strategy(found)
    return expert, games.named(found.games[0])
