"""A house strategy for every game: it plays out deals as they may be."""

from collections.abc import Iterable
from time import perf_counter

from roundsim.strategy import Action, Imagined, TableView, best_answer, table_of


class Sampler:
    """Imagines deals that fit all it has seen (`view.imagine`), plays each of its answers out in them with every seat
    playing as the game's book does, and gives the answer with the best mean net.

    It draws a few deals and takes the one in which the book would most often have answered as the others did. It tries
    all answers in the same deals; after every few of these it drops the worse half. In the end it gives the book's answer
    unless another is better by `sure` standard errors.

    `playouts`: how many deals are played out for a decision, for all answers together.  `answers`: how many are tried at
    most, the book's and others drawn by chance.  `read`: how many deals are drawn to take one.  `guide`: who plays them out,
    "random" for instance.  `milliseconds`: a budget of time instead of playouts; only a budget of playouts keeps a run
    the same bytes."""

    name = "sampler"
    imagines = True

    def __init__(
        self,
        playouts: int = 48,
        answers: int = 12,
        sure: float = 1.0,
        read: int = 3,
        guide: str = "book",
        milliseconds: float = 0,
    ) -> None:
        self.playouts, self.answers, self.sure, self.read, self.guide = playouts, answers, sure, max(1, read), guide
        self.milliseconds = milliseconds

    def begin(self, view: TableView) -> None:
        self.guides = table_of(self.guide, view.game)  # a table of them, fresh ones each time

    def act(self, view: TableView) -> str:
        begun = perf_counter() if self.milliseconds else 0
        own = self.guides()(view)
        tried = self.candidates(view, own)

        def play_out(answers: Iterable[str]) -> dict[str, int] | None:
            late = self.milliseconds and 1000 * (perf_counter() - begun) > self.milliseconds
            imagined = None if late else self.likeliest(view)
            return {answer: self.net(imagined, answer, view.seat) for answer in answers} if imagined else None

        return best_answer(tried, play_out, self.playouts, self.sure) if len(tried) > 1 else own

    def candidates(self, view: TableView, own: str) -> list[str]:
        """The guide's answer first, then all others; of too many the first, the last, and some drawn by chance."""
        legal, tried = view.legal, [str(own)]
        if type(legal) is tuple and len(legal) <= self.answers:
            return tried + [action for action in legal if action != own]
        drawn = [view.chance.choice(legal) for _ in range(4 * self.answers)]
        return list(dict.fromkeys([*tried, legal[0], legal[-1], *drawn]))[: self.answers]

    def net(self, imagined: Imagined, answer: str, seat: int) -> int:
        """The net that an answer brings a seat in an imagined deal."""
        deal = imagined.again()
        deal.answer(answer)
        return deal.play(self.guides())[seat]

    def likeliest(self, view: TableView) -> Imagined | None:
        """Return the one of a few deals in which the guide would most often have answered as the others did.

        If a deal is not found soon, no more are tried, because such searches take long."""
        deals: list[Imagined] = []
        while len(deals) < self.read and (deal := view.imagine()):
            deals.append(deal)
        if len(deals) < self.read:
            return None
        return min(deals, key=lambda deal: self.surprises(deal, view.seat)) if self.read > 1 else deals[0]

    def surprises(self, deal: Imagined, me: int) -> int:
        """How often the guide would have said something else."""
        answer, otherwise = self.guides(), list[bool]()

        def watch(view: TableView, action: Action) -> None:
            if view.seat != me:
                otherwise.append(answer(view) != action)

        deal.again(watch)
        return sum(otherwise)
