"""The measure of all others."""


class Random:
    """Chooses evenly among the legal actions."""

    name = "random"
    games = ["*"]

    def act(self, view):
        return view.chance.choice(view.legal)
