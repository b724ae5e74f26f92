"""A person at a table: hears what happens there, one line for each move, and is asked where there is a choice."""

from __future__ import annotations

import re
import signal
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from itertools import groupby
from textwrap import wrap
from typing import Any, Protocol, cast

from ..base.errors import GivenUpError, IllegalError, LogError
from ..base.text import WIDTH, columns_of, padded, second_person, so_many, verb_for_you
from ..coaching.hints import Hint, Hints
from ..replaying.logged import YOU
from ..table.actions import Action
from ..table.cards import CARD, Card
from ..table.deal import Ask, Deal
from ..table.events import EventLog, Moved, Party
from ..table.imagined import copied
from ..table.legal import after
from ..table.view import TableView
from ..tournament.practised import replayed_line
from ..workers.cast import Listener
from .answers import Answers, QuestionPlace
from .practice import GLUE, MARGIN, PRACTICE, Practising
from .shown import OnTable, movements, news
from .stand_in import StandIn
from .understand import UnclearError, as_held, few, numbered_answers, understand

SEAT = re.compile(r"\bseat (\d+)\b")
HELP_WITHOUT_UNDO = "t the table   r the rules of this answer   h help   q leave"
HELP = HELP_WITHOUT_UNDO.replace("h help", "undo   h help")

present: list[AtTable] = []


class AtTable(Listener, Protocol):
    """Whoever answers for the persons of a table."""

    def answer(self, view: TableView) -> str:
        """Return what the person in this seat answers. LeftError when they leave."""


class LeftError(GivenUpError):
    """The person has left the table, by this signal if it was one; or (with a cause) it broke: whatever happens in their
    seat is no fault of theirs."""

    def __init__(self, number: int = signal.SIGINT) -> None:
        super().__init__(number)
        self.number = number


def at_the_table() -> AtTable:
    """Return who answers in this process. RuntimeError if nobody does."""
    if not present:
        raise RuntimeError("nobody sits here: a person plays by roundsim sit")
    return present[-1]


class Person(Practising):
    """A person who reads lines with `say` and types with `read`, which raises EOFError when they leave.

    `answers`: those that were given before are not asked for again. `hint`: what is said about a question, to be asked
    with the names by seat. `stand_in`: plays each deal in this seat afterwards. `name`: in the run; they read of
    themselves as `you`."""

    def __init__(
        self,
        answers: Answers,
        say: Callable[[str], Any],
        read: Callable[[str], str],
        hint: Hints,
        stand_in: StandIn | None = None,
        name: str = YOU,
    ) -> None:
        self.answers, self.say_now, self.read, self.hint, self.stand_in = answers, say, read, hint, stand_in
        self.name = name
        self.nets, self.book_nets = dict[str, int](), dict[str, int]()  # by deal

    @property
    def won(self) -> int:
        return sum(self.nets.values())

    # Listening.

    def practised(self, place: str, deal: Deal) -> Sequence[str]:
        """Return the lines of the deals that were practised in the place of this one. LogError if they are not."""
        lines = self.answers.practised.get(place, ())
        for times, line in enumerate(lines):
            with suppress(IllegalError, LogError):
                if replayed_line(place, deal, times, line) == line:
                    continue
            raise LogError(f"{self.answers.path}: this was not practised in deal {place}: {line[:60]!r}")
        return lines

    def begins(self, place: str, deal: Deal, who: Sequence[str]) -> None:
        self.place, self.who = place, [YOU if name == self.name else name for name in who]
        if not self.here:  # another table of an evening, or after this seat is out
            return
        known = {asked_at for asked_at, _ in self.answers.known} | self.nets.keys()
        self.silent = place in known and place != self.answers.last
        self.seat, self.beginning = self.who.index(YOU), (copied(deal.state, {}), deal.chance.name)
        self.mistake = None
        self.sits(deal, self.who)

    def sits(self, deal: Deal, who: Sequence[str]) -> None:
        """Listen to a deal from its beginning, with these names at its seats."""
        self.deal, self.who = deal, who
        self.width = max(map(columns_of, who)) + 2
        self.events, self.shown, self.players = EventLog(deal), dict[str, str](), dict[Card, int]()
        self.held = [list[Counter[Card]]() for _ in who]
        listen(deal, self.before, self.after)
        sitting, _, number = self.place.split("/")
        dealer = f"{who[deal.dealer]} {'deal' if who[deal.dealer] == YOU else 'deals'}"
        practice = f" · {PRACTICE}" * self.answers.practises(self.place)
        self.say(f"\n{deal.title} · sitting {sitting}, deal {number} · {dealer}{practice}")
        if deal.stacks is not None:
            self.say(f"{MARGIN}stacks   {self.by_name(map(str, deal.stacks))}")

    @property
    def here(self) -> bool:
        """Whether the person sits at the table that is heard."""
        return YOU in self.who

    def ends(self, place: str, deal: Deal) -> None:
        if not self.here:
            return
        self.closes(deal)
        self.settles(place, deal)
        if not self.silent:
            self.pause()

    def closes(self, deal: Deal) -> None:
        """Show the end of a deal."""
        self.happened()
        if opens(deal):
            self.open_cards()
        self.say(f"{MARGIN}net      {self.by_name([f'{net:+d}' for net in deal.net])}")

    def settles(self, place: str, deal: Deal) -> None:
        """Say what the person has won in all, and what the book has; a deal of practice does not count."""
        book = self.stand_in.won(place, deal) if self.stand_in else None
        if counts := not self.answers.practises(place):
            self.nets[place] = deal.net[self.seat]
            self.say(f"{MARGIN}score    {self.won:+d} in {so_many(len(self.nets), 'deal')} since you sat down")
        if book is not None:
            self.book_nets |= {place: book} if counts else {}
            in_all = f"; {sum(self.book_nets.values()):+d} in all" * counts
            self.say(f"{MARGIN}book     {book:+d} in your seat with the same cards{in_all}")

    def open_cards(self) -> None:
        """Say which cards each seat began with, and which came later."""
        if any(self.held):
            self.say(f"{MARGIN}the cards of all")
        for who, (first, *later) in ((who, held) for who, held in zip(self.who, self.held, strict=True) if held):
            drawn = [str(card) for new in later for card in new.elements()]
            self.under(who, "".join([hand_text([*first.elements()]), *["   then ", " ".join(drawn)][: 2 * len(drawn)]]))

    def before(self, ask: Ask) -> None:
        self.happened()

    def after(self, ask: Ask, action: Action) -> None:
        """Describe an answer, as this seat sees it, if it notices it."""
        if self.deal.is_unnoticed(ask, action, self.seat):
            return
        seen = action if ask.seat == self.seat else self.deal.seen(ask, action)
        self.players |= dict.fromkeys(seen.cards, ask.seat)
        sentence = "has answered, unseen" if self.deal.hides(ask, self.seat) else self.deal.says(ask, seen)
        self.line(ask.seat, sentence)

    def happened(self) -> None:
        for held, hand in zip(self.held, self.deal.hands, strict=False):
            if new := Counter(hand) - sum(held, Counter[Card]()):
                held.append(new)
        self.heard(self.events.take())

    def heard(self, events: Sequence[Moved | str]) -> None:
        """Describe why counters have moved, and what has happened without an answer."""
        for is_move, of_one_kind in groupby(events, key=lambda event: isinstance(event, Moved)):
            if is_move:
                for payer, sentence in movements(cast("list[Moved]", [*of_one_kind]), self.party, len(self.who)):
                    self.line(payer, sentence)
            for event in of_one_kind:
                for part in str(event).split("; "):
                    if at := SEAT.match(part):
                        self.line(int(at[1]), part[at.end() :].strip(" ,"))
                    else:
                        self.line("", part)

    def line(self, party: Party, sentence: str) -> None:
        who = self.party(party) if party != "" else ""
        named = SEAT.sub(lambda at: self.party(int(at[1])), second_person(sentence) if who == YOU else sentence)
        self.under(who, re.sub(rf"\b{YOU} (is|has)\b", lambda verb: f"{YOU} {verb_for_you(verb[1])}", named))

    def under(self, who: str, text: str) -> None:
        """Say something about somebody, in as many lines as it needs."""
        head = f"{padded(who, self.width - 2)}  "
        for at, part in enumerate(wrap(text, WIDTH - len(MARGIN) - columns_of(head)) or [""]):
            self.say(f"{MARGIN}{' ' * self.width if at else head}{part}")

    def party(self, party: Party) -> str:
        return self.who[party] if isinstance(party, int) else "the pool" if party == "pool" else party

    def by_name(self, things: Any) -> str:
        return " · ".join(f"{who} {thing}" for who, thing in zip(self.who, things, strict=True))

    def say(self, line: str) -> None:
        if not self.silent:
            self.say_now(line)

    # Answering.

    def answer(self, view: TableView) -> str:
        """Return what the person says. LeftError when they leave."""
        question = self.place, len(self.deal.actions)
        before = self.answers.known.get(question)
        if before is not None and before in view.legal:
            return before
        try:
            self.silent = False
            self.show(view)
            action = self.asked(view)
            self.keep(question, action)
        except (EOFError, KeyboardInterrupt):
            raise LeftError from None
        except Exception as error:
            raise LeftError from error
        return action

    def keep(self, question: QuestionPlace, action: Action) -> None:
        self.answers.add(question, action)

    def asked(self, view: TableView) -> Action:
        """Return the first thing that the person types which is an answer. EOFError when they leave."""
        while True:
            typed = self.next_line()
            if typed == "q":
                raise EOFError
            if typed in ("undo", "again"):
                self.take_back(typed, over=False)
                continue
            if typed == "?":
                self.show_hint(self.hint(view, self.who))
                continue
            if lines := self.command_lines(typed, view):
                self.reply("\n".join(lines))
                continue
            try:
                return understand(typed, view.legal, view.hand)
            except UnclearError as error:
                self.reply(f"{MARGIN}{error}\n{choices_text(view.legal, view.hand)}")

    def reply(self, text: str) -> None:
        """Say something about what was typed."""
        self.say(text)

    def explain(self, texts: Sequence[str]) -> None:
        """Say in a lesson what is asked, and why, a paragraph for each text."""
        for text in texts:
            self.teach(text)

    def teach(self, text: str) -> None:
        """Say in a lesson what an answer was worth, before the deal goes on."""
        for line in wrap(text, WIDTH - len(MARGIN), break_on_hyphens=False):
            self.say(f"{MARGIN}{line}")

    def show_hint(self, hint: Hint) -> None:
        self.reply("\n".join(hint.lines))

    def command_lines(self, typed: str, view: TableView) -> Sequence[str]:
        """Return what a command prints, nothing for an answer."""
        match typed:
            case "t":
                return str(view).splitlines()
            case "r":
                phase = f"{view.phase}: {self.deal.phases[view.phase]}"
                return wrap(phase, WIDTH, initial_indent=MARGIN, subsequent_indent=MARGIN)
            case "h":
                commands = HELP_WITHOUT_UNDO if self.final else HELP
                return [f"{MARGIN}? a hint   {commands}", choices_text(view.legal, view.hand)]
        return ()

    def show(self, view: TableView) -> None:
        """Show what has changed on the table, the cards, and the answers."""
        before, self.shown = self.shown, OnTable(self.who, self.players).values(view)
        for line in wrap(news(self.shown, before).replace(" · ", f"{GLUE}· "), WIDTH - len(MARGIN)):
            self.say(f"{MARGIN}{line.replace(GLUE, ' ')}")
        if view.hand:
            self.say(f"{MARGIN}your cards   {hand_text(view.hand)}")
        self.say(choices_text(view.legal, view.hand, f"{view.phase}?  "))


def choices_text(legal: Sequence[Action], hand: Sequence[Card] = (), head: str = MARGIN) -> str:
    """play?  1 Ac  2 Tc; call?  pass  call 1  call 2; bet?  fold  call  raise 1 to 50"""
    if places := numbered_answers(legal, hand):
        verbs = {action.verb for action in places}
        short = len(verbs) == 1 and all(action == f"{action.verb} {action.card}" for action in places)
        texts = [f"{at} {action.card if short else action}" for at, action in enumerate(places, 1)]
    else:
        texts = [text for verb in after(legal)[0] for text in with_verb(legal, verb, as_held(hand))]
    glued = "  ".join(text.replace(" ", GLUE) for text in texts)
    return "\n".join(wrap(glued, WIDTH, initial_indent=head, subsequent_indent=MARGIN)).replace(GLUE, " ")


def with_verb(legal: Sequence[Action], verb: str, held: Sequence[Card]) -> list[str]:
    """Return the answers with this verb, in short: "raise 1 to 50"; cards of the hand as they are held."""
    following, ends = after(legal, [verb])
    words = [card for card in held if card in following] if all(word in held for word in following) else following
    alone = [verb] * ends
    if not words:
        return alone
    if is_range(words):
        return [*alone, f"{verb} {words[0]} to {words[-1]}"]
    if all(word in CARD for word in words) and not any(after(legal, [verb, word])[0] for word in words):
        return [*alone, f"{verb} {' '.join(words)}"]
    if len(words) <= 12 and not any(after(legal, [verb, word])[0] for word in words):
        return [*alone, *[f"{verb} {word}" for word in words]]
    last = next(action for action in reversed(few(legal)) if action.verb == verb)
    such = " ".join([verb, *sorted(last.words, key=lambda word: held.index(word) if word in held else -1)])
    return [f"{verb} ..., such as `{such}`" + " or none: -" * ends]


def is_range(words: Sequence[str]) -> bool:
    """Return whether words are the numbers from one to another, more than two."""
    ends = [words[at] for at in (0, -1) if len(words) > 2]
    return bool(ends) and all(map(str.isdecimal, ends)) and int(ends[1]) - int(ends[0]) + 1 == len(words)


def opens(deal: Deal) -> bool:
    """Return whether all cards of a deal that is over may be seen: no card of it lies in a pack for later deals."""
    return not any(
        type(card) is Card for thing in deal.carry().values() if type(thing) in (tuple, list) for card in thing
    )


def hand_text(hand: Sequence[Card]) -> str:
    """4s   9h   Ac Tc"""
    return "   ".join(" ".join(cards) for _, cards in groupby(as_held(hand), key=lambda card: card.suit))


def listen(deal: Deal, before: Callable[[Ask], object], after: Callable[[Ask, Action], object]) -> None:
    """Call `before` with each question of a deal that has not started, and `after` with its answer, forced ones too."""
    story = deal.deal()

    def heard() -> Generator[Ask, Action, None]:
        try:
            ask = next(story)
            while True:
                before(ask)
                action = yield ask
                after(ask, action)
                ask = story.send(action)
        except StopIteration:
            return

    vars(deal)["deal"] = heard
