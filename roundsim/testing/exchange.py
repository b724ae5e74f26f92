"""The same deal with two cards exchanged: a seat that has seen neither must not notice a difference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

from ..table.actions import Action
from ..table.cards import Card
from ..table.chance import Source
from ..table.deal import Ask, Deal, Quiet, Sealed
from ..table.events import EventLog
from ..table.exchanged import ExchangeDivergedError, ExchangeSource
from ..table.legal import accept, count
from ..table.options import Rules
from ..table.playthrough import Playthrough
from .sittings import Played, copy_of
from .views import cards_named, view_text


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
