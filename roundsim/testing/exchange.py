"""What depends on cards that a seat has not seen: the same deal with two of them exchanged, and imagined deals."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

from ..refereeing.sitting import Sitting
from ..table.actions import Action
from ..table.cards import Card
from ..table.chance import Chance, Source
from ..table.deal import Ask, Deal, Quiet, Sealed
from ..table.events import EventLog
from ..table.exchanged import ExchangeDivergedError, ExchangeSource
from ..table.imagine import remember
from ..table.imagined import ImaginedRecord, record_behind, replayed_behind
from ..table.legal import accept, count
from ..table.options import Rules
from ..table.playthrough import Playthrough
from ..table.view import Imagined, WatchCallback
from .tables import Played, RandomPlayer, Table, copy_of
from .views import cards_named, view_text

Answer = Callable[[Sequence[Action]], Action]


def sitting_questions(
    table: Table, seed: object, deals: int = 2, answer: Answer | None = None
) -> Iterator[tuple[Deal, Ask]]:
    """Yield the questions of a sitting with a choice; at each the deal may be imagined. All play at random, unless
    `answer` says otherwise."""
    answer = answer or RandomPlayer(Random(str(seed))).answer
    sitting = Sitting(table.game, table.rules, deals=deals)
    for number in range(deals):
        deal = sitting.next_deal(Source(f"{seed}/{number}"))
        remember(deal, range(deal.players))
        telling = Playthrough(deal)
        while (ask := telling.ask) is not None:
            if count(ask.legal) > 1:
                yield deal, ask
            telling.answer(answer(ask.legal))
        if sitting.settle(deal):
            return


def imagine_at(deal: Deal, ask: Ask, name: object) -> Imagined | None:
    """Return what the asked seat imagines, with a chance of this name."""
    view = deal.View(deal, ask.seat, ask.phase, ask.legal, Chance(str(name)))
    return view.imagine()


def by_chance(rng: Random) -> Callable[[Any], Any]:
    return lambda view: view.legal[rng.randrange(count(view.legal))]


def everything_in(imagined: Imagined) -> str:
    """Return everything in an imagined deal, hidden or not, and what would be sent of it."""
    deal, sent = replayed_behind(imagined).deal, record_behind(imagined).to_json()
    seats = [deal.View(deal, seat, "", (), Chance()) for seat in range(deal.players)]
    shown = [str(getattr(view, name)) for view in seats for name in (*deal.public, *deal.private)]
    return f"{imagined.view} {deal.hands} {deal.pack.cards} {deal.actions} {deal.net} {deal.pools} {shown} {sent}"


def two_packs(deal: Deal) -> bool:
    """Return whether a card may lie in two places."""
    return getattr(deal.rules, "packs", 1) > 1


def check_fits(deal: Deal, ask: Ask, imagined: Imagined) -> None:
    """Check that an imagined deal shows the seat what it has seen, and has every card once."""
    other, there = replayed_behind(imagined).deal, replayed_behind(imagined).ask
    assert there is not None and (there.seat, there.phase) == (ask.seat, ask.phase)
    assert count(there.legal) == count(ask.legal), f"other legal actions: {there.legal!r}, not {ask.legal!r}"
    if count(ask.legal) <= 400:
        assert [*there.legal] == [*ask.legal], f"other legal actions: {there.legal!r}, not {ask.legal!r}"
    shown, seen = view_text(other, there), view_text(deal, ask)
    assert shown == seen, f"the imagined deal looks different:\n{shown}\n{seen}"
    lies = Counter([*(card for hand in other.hands for card in hand), *other.pack.cards])
    assert max(lies.values(), default=1) == 1, f"one card in two places: {lies.most_common(3)}"


def check_sent(game: type[Deal], imagined: Imagined) -> None:
    """Check that an imagined deal, sent as JSON and replayed with nothing else, shows the same, and goes on to the same
    end; and so does the one that was found."""
    sent = ImaginedRecord.from_json(game, json.loads(json.dumps(record_behind(imagined).to_json())))
    heard, heard_there = list[str](), list[str]()
    again, there = imagined.again(recording_answers(heard)), sent.replay(recording_answers(heard_there))
    assert heard == heard_there, "a watcher sees another deal where it was sent to"
    here = story_of(again)
    for problem, other in (
        ("it goes on differently where it was sent to", there),
        ("it goes on differently when replayed", imagined),
    ):
        for one, two in zip(here, story_of(other), strict=True):
            assert one == two, f"{problem}:\n{one}\n{two}"


def recording_answers(heard: list[str]) -> WatchCallback:
    """Return a function that notes what is seen and said, and draws from the chance of each view."""
    return lambda view, action: heard.append(f"{view} {action} {view.chance.random()}")


def story_of(imagined: Imagined) -> list[str]:
    """Return all of an imagined deal at each question to its end, with every seat answering by the chance of its
    view."""
    story = [everything_in(imagined)]
    while (view := imagined.view) is not None:
        imagined.answer(view.chance.choice(view.legal))
        story.append(everything_in(imagined))
    return story


def check_exchange_imagined(rules: Rules, played: Played, rng: Random) -> int:
    """With two cards exchanged that the seat has not seen, the same is imagined. Returns 1 if it could be judged: if
    the seat sees the same after the exchange."""
    asked = asked_in(played.deal)
    if not asked:
        return 0
    until = max(rng.choice(asked), rng.choice(asked))  # at first the cards are often not dealt
    source = ExchangeSource(played.name)
    deal, ask = replay_until(deal_from(source, rules, played), played.deal.actions, until)
    unseen = unseen_by(text := view_text(deal, ask), source, played)
    if len(unseen) < 2:
        return 0
    top = unseen[: 5 * deal.players]  # those on top were dealt
    one, other = rng.sample(top if len(top) > 1 else unseen, 2)
    swapped = source.swapped(one, other)
    try:
        actions = actions_from(swapped, ask.seat, played.deal)
        otherwise, again = replay_until(deal_from(swapped, rules, played), actions, until)
    except ExchangeDivergedError:
        return 0
    if (again.seat, view_text(otherwise, again)) != (ask.seat, text):
        return 0
    ours, theirs = imagine_at(deal, ask, until), imagine_at(otherwise, again, until)
    problem = f"seat {ask.seat} can tell {one} from {other}, which it has not seen"
    assert (ours is None) == (theirs is None), problem
    if ours is None or theirs is None:
        return 0
    assert everything_in(ours) == everything_in(theirs), problem
    assert ours.play(by_chance(Random(until))) == theirs.play(by_chance(Random(until))), problem
    assert everything_in(ours) == everything_in(theirs), problem
    return 1


def replay_until(deal: Deal, actions: Sequence[Action], until: int) -> tuple[Deal, Ask]:
    """Return a deal at the question `until` of its record; ExchangeDivergedError if it takes another course."""
    remember(deal, range(deal.players))
    telling = Playthrough(deal)
    for written in actions[:until]:
        telling.answer(waiting(telling, written)[1])
    if telling.ask is None:
        raise ExchangeDivergedError("the deal is over")
    return deal, telling.ask


def asked_in(deal: Deal) -> list[int]:
    """Return the places in a deal at which there was a choice."""
    return [at for at, ask in enumerate(deal.asked) if count(ask.legal) > 1]


def deal_from(source: ExchangeSource, rules: Rules, played: Played) -> Deal:
    """Return the deal before it was played, with the cards of what was carried exchanged as well."""
    state = copy_of(played.before)
    state.carry = source.exchanged(state.carry)
    game: type[Deal] = rules.played_by
    return game(rules, state, source)


def actions_from(source: ExchangeSource, seat: int, deal: Deal) -> list[Action]:
    """Return the actions of a deal in which the others hold the exchanged cards."""
    answers = zip(deal.asked, deal.actions, strict=True)
    return [action if ask.seat == seat else source.exchanged(action) for ask, action in answers]


def unseen_by(text: str, source: ExchangeSource, played: Played) -> list[Card]:
    """Return the cards of a deal that do not occur in what was seen, in the order in which they are dealt."""
    orders = [Source(source.name).pack(cards, what).draw(len(cards)) for what, cards in source.packs.items()]
    seen, dealt = {*cards_named(text)}, cards_named([*orders, played.before.carry])
    return [card for card in dict.fromkeys(dealt) if card not in seen]


def waiting(telling: Playthrough, text: str) -> tuple[Ask, Action]:
    """Return the question, and the answer that the record has to it; ExchangeDivergedError if it is not possible."""
    if telling.ask is None:
        raise ExchangeDivergedError("the deal is over")
    try:
        return telling.ask, accept(telling.ask.legal, text)
    except ValueError:
        raise ExchangeDivergedError(f"{text} is not legal") from None


def seen_before(deal: Deal, actions: Sequence[str], until: int) -> list[tuple[int, str, str, str]]:
    """Replay a record up to its question `until`. Returns for each question the seat, the phase, all that the view
    shows, and all that is said openly."""
    hearing, heard = EventLog(deal), list[str]()
    seen, telling = [], Playthrough(deal)
    for at, written in enumerate(actions[: until + 1]):
        ask, action = waiting(telling, written)
        outcomes = [str(getattr(deal, name)) for name in deal.tells_outcome]
        heard += map(str, hearing.take())
        seen.append((ask.seat, " ".join([ask.phase, *outcomes]), view_text(deal, ask), "\n".join(heard)))
        if not isinstance(ask, Sealed | Quiet):
            heard.append(deal.says(ask, deal.seen(ask, action)))
        if at < until:
            telling.answer(action)
    return seen


def looked_on(seat: int, deal: Deal, actions: Sequence[str], until: int) -> str:
    """Return all that a seat could see while others were asked, too, and at its own question."""
    seen, telling = list[str](), Playthrough(deal)
    for written in actions[:until]:
        ask, action = waiting(telling, written)
        seen.append(view_text(deal, ask if ask.seat == seat else Ask(seat, ask.phase, ())))
        telling.answer(action)
    assert telling.ask
    return "\n".join([*seen, view_text(deal, telling.ask)])


def check_exchange(rules: Rules, played: Played, rng: Random) -> int:
    """Exchange two cards that a seat has not seen: its views must stay the same. Returns 1 if it could be judged."""
    deal, source, asked = played.deal, ExchangeSource(played.name), asked_in(played.deal)
    if not asked:
        return 0
    until = rng.choice(asked)
    seat = deal.asked[until].seat
    first = seen_before(deal_from(source, rules, played), deal.actions, until)
    unseen = unseen_by(looked_on(seat, played.again(rules), deal.actions, until), source, played)
    if deal.tells_rank:
        ranks = Counter(card.rank for card in unseen)
        unseen = [card for card in unseen if ranks[card.rank] > 1]
    if len(unseen) < 2:
        return 0
    one = unseen[int(rng.random() ** 2 * len(unseen))]  # those on top were dealt: they matter most
    other = rng.choice([card for card in unseen if card is not one and (card.rank == one.rank or not deal.tells_rank)])
    swapped = source.swapped(one, other)
    try:
        second = seen_before(deal_from(swapped, rules, played), actions_from(swapped, seat, deal), until)
    except ExchangeDivergedError:
        return 0
    for (was_seat, was_phase, *was), (now_seat, now_phase, *now) in zip(first, second, strict=True):
        if (was_seat, was_phase) != (now_seat, now_phase):
            return 0
        for before, after in zip(was, now, strict=True) if was_seat == seat else ():
            problem = f"seat {seat} can tell {one} from {other}, which it has not seen"
            assert before == after, f"{problem}\n{before}\n{after}"
    return 1
