"""Strategies for the games of stops that deal the unseen cards and play them out: Newmarket, Jig, Pope Joan and Spin."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from roundsim.games import jig, newmarket, pope_joan, spin
from roundsim.strategy import CARD, EACH_SUIT, PACK, Action, Card, Runs, Stops, TableView, mask, singles, table_of

POPE, SPIN, DEUCE = [mask([CARD[text]]) for text in ("9d", "Ad", "2d")]
NOT_IN_NEWMARKET = {CARD[text] for text in ("7s", "7h", "7d", "7c")}
NOT_IN_POPE_JOAN, NOT_IN_SPIN = {CARD["8d"]}, {CARD["2h"], CARD["8d"]}


class _Searching:
    """Leads the card that brings most over many deals, in which the unseen cards lie by chance and all seats play as
    the book does. All other answers are the book's.

    `playouts`: how many deals are played out for an answer; `sure`: by how many standard errors another answer must be
    better than the book's."""

    def __init__(self, playouts: int = 80, sure: float = 1.0) -> None:
        self.playouts, self.sure = playouts, sure

    def begin(self, view: TableView) -> None:
        self.book = table_of("book", view.game)()

    def act(self, view: TableView) -> str:
        return self.book(view)

    def lead(self, view: Any) -> str:
        """Return the best card to lead."""
        own = Action(self.book(view))
        runs = self.runs(view) if own.cards and len(view.legal) > 1 else None
        return self.best(view, runs, runs.worth_trying(mask(own.cards))) if runs else own

    def best(self, view: TableView, runs: Runs, tried: Sequence[int]) -> str:
        """Return the answer that plays the best of these cards."""
        best = runs.best(view.chance, tried, self.playouts, self.sure) if len(tried) > 1 else tried[0]
        return next(action for action in view.legal if mask(action.cards) == best)

    def runs(self, view: Any) -> Runs | None:
        """Return the hands as this seat knows them; None where the options ask for other play."""
        raise NotImplementedError


class Newmarket(_Searching):
    """The book, but it leads the card that brings most in many deals of the unseen cards."""

    name = "expert"
    games = ["newmarket"]

    def runs(self, view: newmarket.Newmarket.View) -> Runs:
        forerunners = {CARD[newmarket.FORERUNNER[card[0]] + card[1]]: won for card, won in view.pools.items()}
        return Runs(view, without(NOT_IN_NEWMARKET, view.pools), forerunners)


class Jig(_Searching):
    """The book, but it leads the card that brings most in many deals of the unseen cards."""

    name = "expert"
    games = ["jig"]

    def runs(self, view: jig.Jig.View) -> Runs:
        runs = JigRuns(view, PACK)
        runs.game = view.pools["pool"]
        return runs


class JigRuns(Runs):
    """Runs of five cards at most. The book leads a card from which the run comes back."""

    def run(self, hands: Sequence[int], held: int, card: int) -> int:
        return held & ~(held + card) & 31 * card

    def lead(self, hand: int, known: int) -> int:
        runs = [(card, known & ~(known + card) & 31 * card) for card in singles(hand)]
        if back := [(card, run) for card, run in runs if run + card >> 1 & hand]:
            return max(back, key=lambda led: ((led[1] & hand).bit_count(), -led[1].bit_count(), -rank(led[0])))[0]
        lengths = [(hand & suit).bit_count() for suit in EACH_SUIT]
        longest = sum([suit for suit, length in zip(EACH_SUIT, lengths, strict=True) if length == max(lengths)])
        return min([((run & ~hand).bit_count(), rank(card), card) for card, run in runs if card & longest])[2]

    def worth_trying(self, own: int) -> list[int]:
        return [own, *singles(self.hand & ~own)]


def rank(card: int) -> int:
    return (card.bit_length() - 1) % 14


class PopeJoan(_Searching):
    """The book, but it leads the card that brings most in many deals of the unseen cards."""

    name = "expert"
    games = ["pope-joan"]

    def runs(self, view: pope_joan.PopeJoan.View) -> Runs | None:
        if view.options.pope_lieu or view.options.winner == "game" or view.looked_at or view.turn_up is None:
            return None
        pools = view.pools
        trumps = view.turn_up.suit
        honours = {CARD[rank + trumps]: pools.get(name, 0) for rank, name in pope_joan.HONOURS.items()}
        runs = Runs(
            view, without(NOT_IN_POPE_JOAN, [view.turn_up, *view.missing]), {CARD["9d"]: pools["pope"]} | honours
        )
        for name, *pair in pope_joan.PAIRS[trumps]:
            if is_own_pair(view, pair):
                runs.gains.append((mask(pair), pools[name]))
        runs.game, runs.then, runs.special_card, runs.special = pools["game"], POPE, POPE, 0
        return runs


class Spin(_Searching):
    """The book, but it leads the card that brings most in many deals of the unseen cards, and so decides on Spin."""

    name = "expert"
    games = ["spin"]

    def follow(self, view: spin.Spin.View) -> str:
        """Return whether to play Spin too."""
        own = Action(self.book(view))
        others = [mask(action.cards) for action in view.legal if action != own]
        return self.best(view, self.runs(view), [mask(own.cards), *others])

    def runs(self, view: spin.Spin.View) -> SpinRuns:
        return SpinRuns(view)


class SpinRuns(Runs):
    """Runs in which Spin may be played, as the book does. `pairs`: what you may declare; `fines`: the cards for which
    you pay if another plays them; `early`: the first run is led or goes on."""

    def __init__(self, view: spin.Spin.View) -> None:
        super().__init__(view, without(NOT_IN_SPIN))
        options = view.options
        paid = dict.fromkeys([CARD["K" + suit] for suit in "shdc"], options.king_stake) | {
            CARD["Ad"]: options.spin_stake
        }
        stakes = [(mask([card]), stake) for card, stake in paid.items()]
        self.gains = [(card, stake * (view.players - 1)) for card, stake in stakes if card & self.hand]
        self.fines = [(card, stake) for card, stake in stakes if card & self.known & ~self.hand]
        self.pairs: int = sum([view.pools[name] for name, pair in spin.PAIRS.items() if is_own_pair(view, pair)])
        self.game, self.special_card, self.special = view.pools["game"], SPIN, 2
        self.early = sum(entry.phase == "lead" and bool(entry.action.cards) for entry in view.history) < 1 + (
            view.phase == "follow"
        )
        for seat, cards in enumerate(view.shown):
            if seat != self.me:
                self.holds(seat, mask(cards))

    def run(self, hands: Sequence[int], held: int, card: int) -> int:
        run = super().run(hands, held, card)
        if held & SPIN & ~card:
            early = self.early and held == self.known
            own = next(hand for hand in hands if hand & SPIN)
            for other in singles(own & run & ~card):
                before = run & other - 1
                fewest = min([(hand & ~before).bit_count() for hand in hands])
                if not fewest:
                    break
                late = fewest <= 5 or not early
                if (own & ~before).bit_count() == 2 or fewest <= 3 or late and held & other << 1:
                    return before | other | SPIN
        return run

    def end(self, hands: Sequence[int], run: int, card: int, again: bool) -> int:
        return super().end(hands, run, card, again or bool(hands[self.me] & run & SPIN & ~card))

    def net(self, hands: Sequence[int], winner: int, again: bool) -> int:
        left = sum(hands)
        fines: int = sum([stake for card, stake in self.fines if not card & left])
        return super().net(hands, winner, again) + again * self.pairs - fines

    def lead(self, hand: int, known: int) -> int:
        stops = hand & ~(known >> 1)
        if not stops and hand & SPIN and hand & DEUCE and known.bit_count() <= 25:
            return SPIN
        return super().lead(hand & ~SPIN or hand, known)


def without(*cards: Iterable[str]) -> list[Card]:
    """Return the pack without these cards."""
    gone = set[str]().union(*cards)
    return [card for card in PACK if card not in gone]


def is_own_pair(view: Stops.View, pair: Sequence[Card]) -> bool:
    """Return whether each of these cards is in the hand, or was played from it."""
    return all(card in view.hand or view.played.get(card) == view.seat for card in pair)
