"""What the claims about Newmarket count."""

from roundsim.claim import counters, gives

RANKS = {"A": "ace", "K": "king", "Q": "queen", "J": "knave"}
STAKED, WON = "placed on a card", "won by the forerunner"  # why counters move


def winners(deal):
    """The seat that won the stake on each card, by the card."""
    return {move.payer: move.payee for move in deal.moves if move.why == WON}


@gives("ace", "king", "queen", "knave", "carried")
def stakes_won(deal):
    """How often the stake on each card is won, and how often one at least stays for the next deal."""
    won = winners(deal)
    for card in deal.over.pools:
        yield RANKS[card[0]], card in won
    yield "carried", len(won) < len(RANKS)


@gives("ace", "king", "queen", "knave")
def counters_back(deal):
    """How often a counter comes back to the seat that placed it, by the card on which it was placed."""
    won = winners(deal)
    for move in deal.moves:
        if move.why == STAKED:
            yield RANKS[move.payee[0]], won.get(move.payee) == move.payer


@gives("dealer", "neighbour")
def dealer_and_neighbour(deal):
    """What the dealer wins a deal, and the seat before, which is on the dealer's right."""
    yield "dealer", counters(deal, deal.dealer)
    yield "neighbour", counters(deal, deal.dealer - 1)


@gives("played", "won")
def played_and_won(deal):
    """The shares of the cards that are played in a deal, and of the stakes that are won."""
    yield "played", len(deal.over.played) / sum(map(len, deal.hands))
    yield "won", len(winners(deal)) / len(RANKS)
