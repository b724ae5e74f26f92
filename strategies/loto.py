"""A house strategy for Loto."""

from roundsim.games.loto import Loto


class Book:
    """Takes as few cards as he may, and keeps them: it is "purely a game of luck" (Baxter-Wray, "Round Games with
    Cards", 1891, pp. 108-112).

    `cards`: how many he would take, if he may."""

    name = "book"
    games = ["loto"]

    def __init__(self, cards: int = 1) -> None:
        self.wanted = cards

    def cards(self, view: Loto.View) -> str:
        least = view.legal[0]
        takes = [action for action in view.legal if action.amount <= self.wanted] if least.verb == "take" else []
        return takes[-1] if takes else least
