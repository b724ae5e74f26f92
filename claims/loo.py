"""What the claims about Loo count."""


def two_trumps(view):
    return sum(card.suit == view.trumps for card in view.hand) == 2
