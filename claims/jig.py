"""What the claims about Jig count, and the strategies that they compare with the book."""

from roundsim_strategies import stops

from roundsim.claim import counters, gives


class PopeJoan:
    """Leads as the book leads at Pope Joan."""

    name = "pope-joan"
    games = ["jig"]

    def lead(self, view):
        return stops.card_to_lead(view.hand, view.played, dict.fromkeys(view.hand, 0)).play


class Blind(stops.Jig):
    """Leads as the book, as if no card had been played yet."""

    name = "blind"

    @staticmethod
    def run(card, played):
        return stops.Jig.run(card, ())


@gives("more", "fewer")
def by_cards_held(deal):
    """What the seats without the lead win a deal: those with a card more than others, and those with fewer."""
    most = max(map(len, deal.hands))
    for seat, hand in enumerate(deal.hands):
        if seat != deal.eldest:
            yield "more" if len(hand) == most else "fewer", counters(deal, seat)
