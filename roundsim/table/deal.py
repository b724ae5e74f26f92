"""The table: what every game shares. A deal is a generator of questions; a view is what one seat sees of it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any, ClassVar, TypeVar

from ..base.catalog import Origin
from ..base.errors import DeclarationError, did_you_mean
from ..base.text import third_person
from ..native import native
from .actions import Action, say
from .cards import PACK, Card
from .chance import OrderedPack, Pack, Source
from .completion import Words, words_in
from .legal import Lazy
from .options import Option, Rules, line_of_story, place_of
from .view import Said, TableView, check_view, inside

ROUNDS = {n: [tuple((seat + i) % n for i in range(n)) for seat in range(n)] for n in range(1, 25)}
TO_THE_RIGHT = {n: [tuple((seat - i) % n for i in range(n)) for seat in range(n)] for n in range(1, 25)}


Moving = TypeVar("Moving", bound=Callable[..., None])


def moves_counters(move: Moving) -> Moving:
    """Mark a method that moves counters, and return it. Its parameter `why` is for listeners: it says why, in
    words."""
    vars(move)["moves_counters"] = True
    return move


@native
class Ask:
    """A question to one seat: the `phase` of the game, and the `legal` actions it may answer with.

    `legal`: a tuple, or a sequence such as `Subsets`; the first action commits to least."""

    __slots__ = ("seat", "phase", "legal")

    def __init__(self, seat: int, phase: str, legal: Sequence[Action]) -> None:
        self.seat, self.phase, self.legal = seat, phase, legal


class Sealed(Ask):
    """A question whose answer no view shows until the deal lifts its veil: see `Deal.veil`. It is made as an `Ask`
    is."""

    __slots__ = ()


class Quiet(Ask):
    """A question that only a seat with certain cards is asked: nobody else notices it if the first legal action is the
    answer."""

    __slots__ = ()


Story = Generator[Ask, Any, Any]  # it receives actions; a part of a deal may return its result


@dataclass(frozen=True)
class Carry:
    """A value that passes from deal to deal, besides dealer, pools and stacks: see `carried`."""

    start: Any
    help: str
    names: str = ""


def carried(start: Any, help: str, *, names: str = "") -> Any:
    """Declare in a class of `Deal` a value that passes from deal to deal: `multiplier: int = carried(1, "...")`.

    `start`: its first value, or a function of (rules, dealer). `help`: what it is, for readers of the sheet. `names`:
    the part that moves with the players when they change seats: "" a plain value, "seat" a seat's number, "each" a list
    by seat, "seats" a list by seat of seats' numbers."""
    return Carry(start, help, names)


class State:
    """The state that passes from deal to deal, as the plain data that a script writes.

    `to_come`: the number of deals in the sitting after this one; None if it is not known."""

    __slots__ = ("dealer", "last_dealer", "pools", "stacks", "carry", "to_come")

    def __init__(self, dealer: int, pools: dict[str, int], stacks: list[int] | None, carry: dict[str, Any]) -> None:
        self.dealer, self.pools, self.stacks, self.carry = dealer, pools, stacks, carry
        self.last_dealer = dealer
        self.to_come: int | None = None


def check_questions(deal: Callable[[Any], Story]) -> Callable[[Any], Story]:
    """Wrap the `deal` of a third-party game: in each process, the first question of each phase is checked.
    DeclarationError."""

    @wraps(deal)
    def checked_deal(self: Deal) -> Story:
        story, seen = deal(self), self.seen_phases
        return story if self.phases.keys() <= seen else checking(self, story, seen)

    return checked_deal


def checking(deal: Deal, story: Story, seen: set[str]) -> Story:
    answer = None
    while True:
        try:
            ask = story.send(answer)
        except StopIteration as end:
            return end.value
        if not isinstance(ask, Ask) or ask.phase not in seen:
            if problem := question_problem(ask):
                raise DeclarationError(f"{line_of_story(story)}: {type(deal).__name__} {problem}")
            seen.add(ask.phase)
        answer = yield ask


def question_problem(ask: Any) -> str:
    """Return what is wrong with a game's question, "" if nothing."""
    if not isinstance(ask, Ask):
        return f"yields {str(ask)[:60]!r}: a question is Ask(seat, phase, legal)"
    where, legal = f"asks in phase {ask.phase!r} with", ask.legal
    if not isinstance(legal, tuple | Lazy):
        sequence = "a sequence such as Amounts or Subsets of roundsim.game"
        return f"{where} a {type(legal).__name__} of legal actions: a tuple, or {sequence}"
    for action in legal if isinstance(legal, tuple) else (legal[0], legal[-1]):
        if type(action) is not Action:
            way = f'make it with say("{action}")' if isinstance(action, str) else 'say("take") makes one'
            return f"{where} {str(action)[:60]!r}, a {type(action).__name__} and no action: {way}, of roundsim.table.actions"
    return ""


class Deal:
    """One deal of a game. A game is a subclass whose `deal()` plays it, and yields an Ask wherever a player decides.

    A game declares, in this order: the facts of its sheet; the deal; the settlement; the end of a sitting; the view of
    the others; what teaches it, `what_wins` and `course`; what strategies meet, `phases` and its `View`; then its
    `Rules` (see `options`). Declaring a subclass raises DeclarationError if it contradicts itself."""

    id: ClassVar[str]
    title: ClassVar[str]
    family: ClassVar[str]
    seats: ClassVar[tuple[int, int]]
    usual: ClassVar[tuple[int, int]]
    source: ClassVar[str]
    silent: ClassVar[dict[str, str]] = {}  # pages and laws of the source that give no rule, and their contents
    as_at: ClassVar[str] = ""  # the game whose pages the steps cite that it shares
    own_places: ClassVar[Mapping[str, str]] = {}  # places in its own book, each with the names of such steps
    what_wins: ClassVar[str] = ""  # the order of cards or hands, and what takes a trick, a pool or a deal, with pages
    course: ClassVar[str] = ""  # how a deal goes: the steps that teach it by their names, or paragraphs with pages
    origin: ClassVar[Origin | None] = None  # of a game from outside
    version: ClassVar[int] = 1  # version of the rules: goes up when the same record settles differently
    options: ClassVar[tuple[Option, ...]] = ()
    played_with: ClassVar[str | Sequence[Card]] = PACK  # its cards, or the name that its rules have for them
    phases: ClassVar[dict[str, str]] = {}  # naming in backticks all words that may be said, see `words`
    public: ClassVar[Mapping[str, str]] = {}  # names and help, as the view declares them
    private: ClassVar[Mapping[str, str]] = {}
    pool_names: ClassVar[tuple[str, ...]] = ()
    carried: ClassVar[dict[str, Carry]] = {}
    keys: ClassVar[tuple[str, ...]] = ()  # of a script's deal, besides those of every game
    reshuffles: ClassVar[bool] = False  # cards come back in the pack by a second shuffle
    end_key: ClassVar[str | None] = None  # the key by which a script asks for the end of a sitting
    rounds: ClassVar[dict[int, list[tuple[int, ...]]]] = ROUNDS
    imaginable: ClassVar[bool] = True  # nothing is hidden but cards
    shows: ClassVar[tuple[str, ...]] = ()  # public names under which cards lie open that were not played
    unseen_verbs: ClassVar[tuple[str, ...]] = ()  # whose cards the others do not see: ("discard",)
    tells_rank: ClassVar[bool] = False  # ranks are announced (naturals, pairs), whatever their suits
    tells_outcome: ClassVar[tuple[str, ...]] = ()  # names that say which of hands compared in private was better
    View = TableView
    seen_phases: ClassVar[set[str]]  # of a game from outside: those whose questions have been checked
    rules_type: ClassVar[type[Rules]] = Rules  # set by the class of its rules, `class NapRules(Rules, of=Nap)`

    # The slots of every deal. Lookups of the game's own names are fast while they number at most 30.
    __slots__ = (
        *("rules", "state", "chance", "players", "dealer", "last_dealer", "pools", "stacks"),
        *("order_from", "eldest", "net", "asked", "actions"),
    )

    rules: Rules
    pack: Pack = OrderedPack(())
    in_the_call: Sequence[int] = ()  # the seats that have taken part in the final show-down, where a game has one
    sides: Sequence[int] | None = None  # by seat, for which side it plays; None: each for himself
    veil: int | None = None  # sealed answers from this one on are not yet shown
    hands: list[list[Card]] = []  # none before the cards are dealt, and no pack
    frozen: dict[object, tuple[int, Any]] = {}  # by its views, see `view.keep`; none before one is looked at

    def __init_subclass__(cls) -> None:
        own = {name: value for name, value in vars(cls).items() if isinstance(value, Carry)}
        for name in own:
            delattr(cls, name)
        cls.carried = {**cls.carried, **own}
        type(f"{cls.__name__}Rules", (cls.rules_type,), {}, of=cls)  # until it declares its own
        check_view(cls, place_of(1))
        if "deal" in vars(cls) and not cls.__module__.startswith("roundsim."):
            cls.seen_phases = set()
            setattr(cls, "deal", check_questions(cls.deal))  # noqa: B010 - mypy knows no other way to replace a method
        helps = {name: carry.help for name, carry in cls.carried.items()}
        cls.public = {name: help or helps[name] for name, help in cls.View.public.items()}
        cls.private = cls.View.private

    @classmethod
    def rules_for(cls, players: int, given: Mapping[str, Any] | None = None) -> Rules:
        """Return the rules of a table. Raises OptionError if the game refuses something, and lists everything."""
        return cls.rules_type(players, given)

    @classmethod
    def cards_at(cls, rules: Rules) -> Sequence[Card]:
        """Return the cards of the pack at a table of these rules."""
        cards = cls.played_with
        if isinstance(cards, str) and not hasattr(rules, cards):
            close = did_you_mean(cards, dir(rules))
            raise DeclarationError(f"{cls.__name__} is played with {cards}, which its rules have not{close}")
        return getattr(rules, cards) if isinstance(cards, str) else cards

    @classmethod
    def words(cls, rules: Rules) -> Words:
        """Return the words that actions may consist of at a table of these rules, as the phases name them."""
        return words_in(rules.played_by.phases.values(), rules.pool_names, cls.cards_at(rules))

    @classmethod
    def bound(cls, rules: Any) -> int | None:
        """Return a limit of what a seat can win or lose in a deal, in counters, at a table of these rules; None if none is
        known, as where stakes or a pool that passes from deal to deal have no end.

        Ask the class that plays the form: `rules.played_by.bound(rules)`."""
        return None

    @classmethod
    def begin(cls, rules: Rules, dealer: int | None = None) -> State:
        """Return the state of a sitting before its first deal."""
        first = rules.first_dealer if dealer is None else dealer
        carry: dict[str, Any] = {}
        for name, value in cls.carried.items():
            carry[name] = value.start(rules, first) if callable(value.start) else value.start
        return State(first, dict.fromkeys(rules.pool_names, 0), rules.first_stacks, carry)

    def __init__(self, rules: Rules, state: State, source: Source) -> None:
        self.rules, self.state, self.chance = rules, state, source
        self.players = players = rules.players
        self.dealer, self.last_dealer = state.dealer, state.last_dealer
        self.pools, self.stacks = state.pools, state.stacks
        self.order_from = order = self.rounds[players]
        self.eldest = order[state.dealer][1 % players]
        self.net = [0] * players
        self.asked: list[Ask] = []
        self.actions: list[Action] = []
        for name, value in state.carry.items():
            setattr(self, name, value)

    def deal(self) -> Story:
        """Play the deal, in the order of the book."""
        raise NotImplementedError

    def next_dealer(self) -> int:
        """Return the seat that deals after this deal: the next in turn."""
        return self.order_from[self.dealer][1 % self.players]

    def over(self) -> bool:
        """Return whether the sitting is over with this deal by the game's own rule."""
        return False

    def end(self) -> None:
        """The end of a sitting: the pools are shared, the odd counters from the left of the last dealer on (ours)."""
        self.share_pools(self.in_the_game(self.next_to(self.last_dealer)), "at the end what is left is shared")

    def refusal(self, ask: Ask, action: Action) -> str:
        """Return why this action is refused, in the words of the sheet."""
        return "not a legal action"

    def seen(self, ask: Ask, action: Action) -> Action:
        """Return an action as the others see it; for `unseen_verbs` only the number of cards."""
        return number_only(action) if action.verb in self.unseen_verbs else action

    def says(self, ask: Ask, action: Action) -> str:
        """Return what a seat does by an answer, to follow its name in a sentence: "plays Kd". Call it before the action
        is done.

        `action` may be as the others see it."""
        return " ".join((third_person(action.verb), *action.words))

    # Methods that every game uses.

    def carry(self) -> dict[str, Any]:
        """Return the values that pass to the next deal, by their names in the sheet."""
        carried: dict[str, Any] = {}
        for name in self.carried:  # a comprehension is a call, and costs more for a few names
            carried[name] = getattr(self, name)
        return carried

    def seen_by(self, seat: int) -> Iterator[Said]:
        """Yield the actions of the deal so far, as this seat saw them."""
        for at, (ask, action) in enumerate(zip(self.asked, self.actions, strict=False)):
            if ask.seat == seat:
                yield Said(seat, ask.phase, action)
            elif type(ask) is Ask or not (self.is_sealed(at, seat) or self.is_unnoticed(ask, action, seat)):
                yield Said(ask.seat, ask.phase, self.seen(ask, action))

    def hides(self, ask: Ask, seat: int) -> bool:
        """Return whether an answer that is given now is in no view of the seat yet."""
        return self.veil is not None and type(ask) is Sealed and ask.seat != seat

    def is_unnoticed(self, ask: Ask, action: Action, seat: int) -> bool:
        """Return whether the seat does not even notice that this was asked and answered."""
        return type(ask) is Quiet and action == ask.legal[0] and ask.seat != seat

    def is_sealed(self, at: int, seat: int) -> bool:
        """Return whether this action is not in any view of the seat yet."""
        return self.veil is not None and at >= self.veil and self.hides(self.asked[at], seat)

    def round_from(self, seat: int) -> tuple[int, ...]:
        """Return the seats once round in the order of play, `seat` first."""
        return self.order_from[seat]

    def next_to(self, seat: int) -> int:
        """Return the seat whose turn comes after this one's."""
        return self.order_from[seat][1 % self.players]

    def in_the_game(self, first: int) -> Sequence[int]:
        """Return the seats still in the game, once round from the first."""
        return self.order_from[first]

    def deal_singly(self, cards: int, seats: Sequence[int]) -> list[list[Card]]:
        """Deal this many cards to each of these seats, one at a time in this order; return the hands by seat.

        The number of players, among the seats, is a hand of no player; it is then the last."""
        hands = self.players + (self.players in seats)
        return in_turn(self.pack.draw(cards * len(seats)), seats, hands, len(seats))

    def deal_packets(self, packets: Sequence[int], seats: Sequence[int]) -> list[list[Card]]:
        """Deal a packet to each of these seats in this order, of each size in turn; return the hands by seat."""
        hands: list[list[Card]] = [[] for _ in range(self.players)]
        for cards in packets:
            drawn = self.pack.draw(cards * len(seats))
            for place, seat in enumerate(seats):
                hands[seat] += drawn[place * cards : (place + 1) * cards]
        return hands

    @moves_counters
    def pay(self, payer: int, payee: int, counters: int, why: str = "") -> None:
        """Pay counters from one seat to another; `why` is for listeners: see `heard`."""
        self.net[payer] -= counters
        self.net[payee] += counters

    def others_pay(self, payee: int, counters: int, why: str = "") -> None:
        """Every other seat pays this amount to one; a negative amount is paid by it to them."""
        for other in self.order_from[payee][1:]:
            self.pay(other, payee, counters, why)

    @moves_counters
    def into_pool(self, payer: int, counters: int, pool: str = "pool", why: str = "") -> None:
        """Pay from a seat into a pool; a negative amount is taken out."""
        self.net[payer] -= counters
        self.pools[pool] += counters

    @moves_counters
    def take_pool(self, taker: int, pool: str = "pool", why: str = "") -> None:
        """Pay everything in a pool to a seat."""
        self.net[taker] += self.pools[pool]
        self.pools[pool] = 0

    @moves_counters
    def share_pools(self, seats: Sequence[int], why: str = "") -> None:
        """Share everything in the pools among these seats; the odd counters go to the first."""
        left = sum(self.pools.values())
        for place, seat in enumerate(seats, 1):
            self.net[seat] += left // len(seats) + (place <= left % len(seats))
        self.pools.update(dict.fromkeys(self.pools, 0))


@native
def in_turn(drawn: list[Card], seats: Sequence[int], players: int, hands: int) -> list[list[Card]]:
    """Return the cards of each seat, when `players` hands are dealt one card at a time and the first are those of these
    seats.

    `drawn`: the cards, top first. `hands`: the number of hands that are dealt, from one card of a hand to its next."""
    dealt: list[list[Card]] = [[] for _ in range(players)]
    for place, seat in enumerate(seats):
        dealt[seat] = drawn[place::hands]
    return dealt


deal_of: Callable[[TableView], Deal] = inside


def number_only(action: Action) -> Action:
    """Return a discard as the others see it: the number of cards. Another action without cards stays as it is.

    >>> from roundsim.game import number_only, say
    >>> number_only(say("discard", "2c", "5d")), number_only(say("discard")), number_only(say("pass"))
    ('discard 2', 'discard 0', 'pass')"""
    return say(action.verb, len(action.cards)) if action.cards or action.verb == "discard" else action
