"""The legal action that a person means by what they type."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from ..base.errors import did_you_mean
from ..base.text import ordinal
from ..table.actions import Action
from ..table.cards import CARD, Card
from ..table.completion import Numbers
from ..table.legal import accept, after, count

LISTED = 9  # answers that get a number, at most
MANY = 400  # answers that are looked through for a card
NONE = "-"
SUITS = "shcd"  # as cards are held, black and red in turn; as in reports/page/player/cards.js


class UnclearError(ValueError):
    """Raised for a text that means no legal action, or could mean several."""


def as_held(hand: Iterable[Card]) -> list[Card]:
    """Return cards as they are held: by suit, the highest first."""
    return sorted(hand, key=lambda card: (SUITS.find(card.suit), -card.rank))


def in_hand_order(answers: Iterable[Action], hand: Sequence[Card]) -> list[Action]:
    """Return answers by verb, in the order of these verbs; those with cards of a hand as these are held."""
    listed, places = [*answers], {card: at for at, card in enumerate(as_held(hand))}
    verbs = [*dict.fromkeys(action.verb for action in listed)]
    return sorted(
        listed, key=lambda answer: (verbs.index(answer.verb), [places.get(card, len(places)) for card in answer.cards])
    )


def numbered_answers(legal: Sequence[Action], hand: Sequence[Card] = ()) -> Sequence[Action]:
    """Return the answers that may be given by their place, in the order of the hand: none where there are too many, or
    where a number is an amount."""
    has_places = count(legal) <= LISTED and sum(bool(action.amount) for action in legal) < 2
    return in_hand_order(legal, hand) if has_places else ()


def understand(text: str, legal: Sequence[Action], hand: Sequence[Card] = ()) -> Action:
    """Return the action that is meant: by its words or what they begin with, its card, its amount, or its place in the
    list. UnclearError says what is unclear."""
    typed = [as_card(word) for word in re.sub(r"(?<=[a-z])(?=\d+$)", " ", text.replace(",", " ").strip()).split()]
    if not typed:
        raise UnclearError("nothing was said")
    if (places := numbered_answers(legal, hand)) and len(typed) == 1 and typed[0].isdecimal():
        return by_number(typed[0], legal, places)
    verbs = after(legal)[0]
    for words in typed, *([verb, *typed] for verb in verbs), *([verb] for verb in verbs if typed == [NONE]):
        if actions := dict.fromkeys(meant(legal, words)):
            return only(actions)
    if actions := dict.fromkeys([*of_rank(legal, typed)] or continuing(legal, typed)):
        return only(actions)
    raise UnclearError(f"{' '.join(typed)} is no answer here{did_you_mean(' '.join(typed), few(legal))}")


def by_number(number: str, legal: Sequence[Action], places: Sequence[Action]) -> Action:
    """Return the answer with the card of this rank, or at this place. UnclearError if these are two."""
    at = place_typed(number, len(places))
    placed = places[at - 1 : at] if at else ()
    if not (of_cards := [*of_rank(legal, [number])]):
        if not placed:
            raise UnclearError(f"{number} is no answer here; there are {len(places)}")
        return placed[0]
    if placed and placed[0] not in of_cards:
        raise UnclearError(
            f"{number} is {' or '.join(of_cards)}, and the {ordinal(at)} answer is {placed[0]}: name the card"
        )
    return only(dict.fromkeys(of_cards))


def place_typed(text: str, places: int) -> int:
    """Return the place from 1 that a text is the number of; 0 if it is none."""
    at = int(text) if text.isdecimal() and len(text) <= 3 else 0
    return at if at <= places else 0


def as_card(word: str) -> str:
    """Return a card as it is written: "Td" for td and 10d; any other word as it is."""
    card = f"{word[:-1].upper().replace('10', 'T')}{word[-1:].lower()}"
    return card if card in CARD else word


def meant(legal: Sequence[Action], typed: Sequence[str]) -> Iterator[Action]:
    """Yield the legal actions of these words: of exactly these, else of those that begin so."""
    whole = [[verb, *typed[1:]] for verb in fitting(after(legal)[0], typed[0])]
    actions = [action for words in whole if (action := accepted(legal, " ".join(words)))]
    yield from actions or [Action(" ".join(words)) for words in word_paths(legal, typed)]


def accepted(legal: Sequence[Action], text: str) -> Action | None:
    try:
        return accept(legal, Action(text))
    except ValueError:
        return None


def word_paths(
    legal: Sequence[Action], typed: Sequence[str], before: tuple[str, ...] = ()
) -> Iterator[tuple[str, ...]]:
    """Yield the actions whose words begin with those that were typed, one for one."""
    words, ends = after(legal, before)
    if not typed:
        yield from [before] * ends
        return
    for word in fitting(words, typed[0]):
        yield from word_paths(legal, typed[1:], (*before, word))


def fitting(words: Sequence[str], typed: str) -> list[str]:
    """Return the words that begin as it was typed; only the word itself, if it is one."""
    if isinstance(words, Numbers):
        return [typed] * (typed in words)
    same = [word for word in words if word.lower() == typed.lower()]
    begun = [word for word in words if word.lower().startswith(typed.lower())]
    return same or [word for word in begun if not (typed.isdecimal() and word.isdecimal())]


def of_rank(legal: Sequence[Action], typed: Sequence[str]) -> Iterator[Action]:
    """Yield the actions with one card, of the rank that was typed."""
    rank = typed[-1].upper().replace("10", "T")
    if len(typed) <= 2 and count(legal) <= MANY:
        fits = [action for action in legal if len(action.cards) == 1 and action.cards[0][0] == rank]
        yield from [action for action in fits if len(typed) == 1 or action.verb in fitting(after(legal)[0], typed[0])]


def continuing(legal: Sequence[Action], typed: Sequence[str]) -> Iterator[Action]:
    """Yield the actions that go on where the person stopped."""
    for action in few(legal):
        words = [action.verb, *action.words]
        if len(words) > len(typed) and all(fitting([word], start) for word, start in zip(words, typed, strict=False)):
            yield action


def only(actions: dict[Action, None]) -> Action:
    """Return the one action that was found. UnclearError for several."""
    if len(actions) > 1:
        raise UnclearError(f"which of {', '.join([*actions][:LISTED])}?")
    return next(iter(actions))


def few(legal: Sequence[Action]) -> list[Action]:
    return [legal[at] for at in range(min(count(legal), MANY))]
