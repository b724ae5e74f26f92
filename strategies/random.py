"""The measure of all others."""

from roundsim.strategy import TableView


class Random:
    """Chooses evenly among the legal actions."""

    name = "random"
    games = ["*"]

    def act(self, view: TableView) -> str:
        return view.chance.choice(view.legal)
