"""What the claims about Loto count."""

import random
from fractions import Fraction
from math import comb

from roundsim.claim import counters, gives, subject
from roundsim.games.loto.cards import KNOBS
from roundsim.games.loto.first_method import when_whole
from roundsim.games.loto.second_method import EARNS

PRIZES = "none", "abstract", "ambo", "terne", "quaterne", "quinterne"
ROW, CARD, DRAWN, STAKE = 5, 15, 10, 60  # places, knobs of a drawing, counters for a card (pp. 108-112)
PAID = "what the rows have gained"  # why counters move


def covered():
    """The chance of each prize of a row: ten of ninety knobs are drawn (p. 111)."""
    ways = [comb(ROW, n) * comb(len(KNOBS) - ROW, DRAWN - n) for n in range(ROW + 1)]
    return {name: Fraction(each, comb(len(KNOBS), DRAWN)) for name, each in zip(PRIZES, ways, strict=True)}


def by_prize():
    """What each prize brings a row in a drawing, on the average (p. 111)."""
    return {name: chance * earns for (name, chance), earns in zip(covered().items(), EARNS, strict=True)}


def payment():
    """What a card is paid in a drawing, on the average, and how many drawings its stake lasts (p. 112)."""
    card = 3 * sum(by_prize().values())
    return {"card": card, "drawings": STAKE / card}


def knobs_needed():
    """With which knob a card and a row are whole, on the average, and how often a card needs the last one (p. 110)."""
    when = {places: chances_of_the_last(places) for places in (ROW, CARD)}
    mean = {places: sum(knob * chance for knob, chance in chances.items()) for places, chances in when.items()}
    return {"card": mean[CARD], "row": mean[ROW], "last": when[CARD][len(KNOBS)]}


def chances_of_the_last(places):
    """The chance of each knob to cover the last of so many places: the others are among the knobs before it."""
    return {knob: Fraction(comb(knob - 1, places - 1), comb(len(KNOBS), places)) for knob in KNOBS if knob >= places}


@gives("card", "square")
def by_card(deals):
    """What a card of the tested strategy wins a drawing, and the square of what it wins in a sitting."""
    total = 0
    for deal in deals:
        seat = subject(deal)
        total += counters(deal, seat)
        yield "card", counters(deal, seat) / deal.over.held[seat]
    yield "square", total * total


@gives("card")
def paid_for_cards(deal):
    """What the cards are paid in a drawing, each."""
    yield "card", sum(move.counters for move in deal.moves if move.why == PAID) / sum(deal.over.held)


@gives("bankrupt", "eldest", "last")
def bankrupt(deals):
    """Whether the last drawing of a sitting cannot be paid, and what it owes the eldest hand and the last seat."""
    over, paid = deals[-1].over, dict.fromkeys(deals[-1].over.players_in, 0)
    for move in deals[-1].moves:
        if move.why == PAID:
            paid[move.payee] += move.counters
    owed = [gained(over, seat) - paid[seat] for seat in paid]
    yield "bankrupt", any(owed)
    yield "eldest", owed[0]
    yield "last", owed[-1]


def gained(over, seat):
    """What the rows of a seat have gained."""
    rows = [row for card in over.cards[seat] for row in over.rows[card]]
    return sum(EARNS[len({*over.knobs}.intersection(row))] for row in rows)


@gives("row", "two_rows", "card", "shared", "all")
def prizes(deal):
    """The knobs until each prize is won, and how often the card is shared, and one seat has won all three."""
    firsts = [min(times) for times in deal.over.whole]
    winners = [
        {seat for seat, time in enumerate(times) if time == first}
        for times, first in zip(deal.over.whole, firsts, strict=True)
    ]
    for name, first in zip(("row", "two_rows", "card"), firsts, strict=True):
        yield name, first + 1
    yield "shared", len(winners[2]) > 1
    yield "all", bool(set.intersection(*winners))


@gives("set", "independent")
def spread(deals):
    """The variance of the knobs until a card is whole, as half the square of the difference of two games; of the set,
    and of as many cards with numbers by chance."""
    one, other = [(min(deal.over.whole[2]), first_of_independent(deal)) for deal in deals]
    for name, a, b in zip(("set", "independent"), one, other, strict=True):
        yield name, (a - b) ** 2 / 2


def first_of_independent(deal):
    """When the first of as many independent cards is whole; their rows are of no matter."""
    chance = random.Random(deal.address)
    order = chance.sample(KNOBS, len(KNOBS))
    held = [chance.sample(KNOBS, CARD) for _ in range(deal.players)]
    cards = [[(bytes(card[:5]), bytes(card[5:10]), bytes(card[10:]))] for card in held]
    return min(when_whole(order, cards)[2])
