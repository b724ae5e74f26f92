"""A house strategy for every game: it plays out deals as they may be."""

from math import sqrt
from time import perf_counter

from roundsim.toolkit import Action, Imagined, TableView, table_of


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
        return self.best(self.play_out(view, tried, begun)) if len(tried) > 1 else own

    def candidates(self, view: TableView, own: str) -> list[str]:
        """The guide's answer first, then all others; of too many the first, the last, and some drawn by chance."""
        legal, tried = view.legal, [str(own)]
        if type(legal) is tuple and len(legal) <= self.answers:
            return tried + [each for each in legal if each != own]
        drawn = [view.chance.choice(legal) for _ in range(4 * self.answers)]
        return list(dict.fromkeys([*tried, legal[0], legal[-1], *drawn]))[: self.answers]

    def play_out(self, view: TableView, tried: list[str], begun: float) -> dict[str, list[int]]:
        """The nets that each answer has brought, the guide's first."""
        nets: dict[str, list[int]] = {said: [] for said in tried}
        left = self.playouts
        for rounds in range((len(tried) - 1).bit_length(), 0, -1):
            deals = max(2, left // (rounds * len(nets)))
            left -= deals * len(nets)
            for _ in range(deals):
                late = self.milliseconds and 1000 * (perf_counter() - begun) > self.milliseconds
                imagined = None if late else self.likeliest(view)
                if imagined is None:
                    return nets
                for said, brought in nets.items():
                    deal = imagined.again()
                    deal.answer(said)
                    brought.append(deal.play(self.guides())[view.seat])
            own, *others = nets.items()
            others.sort(key=lambda item: -sum(item[1]))
            nets = dict([own, *others[: max(1, len(others) // 2)]])
        return nets

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

        def watch(view: TableView, said: Action) -> None:
            if view.seat != me:
                otherwise.append(answer(view) != said)

        deal.again(watch)
        return sum(otherwise)

    def best(self, nets: dict[str, list[int]]) -> str:
        """The best mean; the guide's own answer unless the gain over it is sure enough."""
        own, *others = nets
        best, least = own, 0.0
        for said in others:
            gains = [one - other for one, other in zip(nets[said], nets[own], strict=False)]
            if len(gains) > 1:
                mean = sum(gains) / len(gains)
                spread = sqrt(sum((gain - mean) ** 2 for gain in gains) / (len(gains) - 1) / len(gains))
                if mean > max(least, self.sure * spread):
                    best, least = said, mean
        return best
