"""What the claims about progressive play and freeze-outs count."""

from collections import Counter, defaultdict
from itertools import groupby

from roundsim.claim import gives
from roundsim.strategy import ranking_of

THREES = 30  # the position of the class


def less_than_threes(view):
    return ranking_of(view.options).position(view.hand) < THREES


def as_the_book(view):
    return ""  # no legal answer: the strategy's own stands


def place(deal):
    """The table of a deal and its round, or the hand number: both are in its address."""
    table, number = deal.address.split("/")[2:4]
    return int(table), int(number)


def rounds_of(deals):
    """By round, the table of each player."""
    found = defaultdict(dict)
    for deal in deals:
        table, number = place(deal)
        found[number] |= dict.fromkeys(deal.entrants, table)
    return found


def totals(deals):
    """What each player has won."""
    won = Counter()
    for deal in deals:
        for player, net, end in zip(deal.entrants, deal.net, deal.end_net, strict=True):
            won[player] += net + end
    return won


@gives("rounds")
def stay_at_the_head(deals):
    """How many rounds on end the player who is tested stays at the head table, each time."""
    tables = [at[0] for _, at in sorted(rounds_of(deals).items())]
    for table, stay in groupby(tables):
        if table == 1:
            yield "rounds", len([*stay])


@gives("counters", "yellows")
def passed(deals):
    """Which share of the others the player who is tested passes, by counters and by yellows; equal ones count half."""
    yellows = Counter(winner for deal in deals if place(deal)[0] == 1 if (winner := winner_of(deal)) is not None)
    for name, has in ("counters", totals(deals)), ("yellows", yellows):
        others = {player for deal in deals for player in deal.entrants} - {0}
        better = sum((has[0] > has[other]) + (has[0] == has[other]) / 2 for other in others)
        yield name, better / len(others)


def winner_of(deal):
    """The player with the largest net above 0; of equal ones the first from the dealer's left."""
    best = max(deal.net)
    order = [(deal.dealer + 1 + at) % deal.players for at in range(deal.players)]
    return deal.entrants[next(seat for seat in order if deal.net[seat] == best)] if best > 0 else None


@gives("head")
def brought_up(deals):
    """Of those who come up from the last table by more than one table, how many come to the first."""
    rounds = rounds_of(deals)
    last = max(table for at in rounds.values() for table in at.values())
    for number, tables in rounds.items():
        for player, table in rounds.get(number + 1, {}).items():
            if tables[player] == last and table < last - 1:
                yield "head", table == 1


@gives("longer", "times")
def waiting(deals):
    """How long the first to be out waits until the freeze-out is over, against the time that he has played."""
    first = next((at for at, deal in enumerate(deals, 1) if 0 in deal.over.stacks), len(deals))
    yield "times", (len(deals) - first) / first
    yield "longer", len(deals) - first > first


@gives("won")
def wins_all(deals):
    """Whether the player who is tested has all counters at the end."""
    last = deals[-1]
    yield "won", last.entrants[max(range(last.players), key=lambda seat: last.over.stacks[seat])] == 0
