"""A house strategy for every game: it plays out deals as they may be."""

from math import sqrt
from time import perf_counter

from roundsim.games import find as game_of
from roundsim.plugins import find, load
from roundsim.strategy import Seated, random_answer


class Sampler:
    """Imagines deals that fit all it has seen (`view.imagine`), plays each of its answers out in them with every seat
    playing as the game's book does, and gives the answer with the best mean net.

    All answers are tried in the same deals.  After every few the worse half is dropped; in the end the book's answer
    stands unless another is better by `sure` standard errors.

    `playouts`: how many deals are played out for a decision, of all answers together.  `answers`: how many are tried at
    most, the book's and others drawn by chance.  `guide`: who plays them out, "random" for instance.  `milliseconds`: a
    budget of time instead of playouts; only a budget of playouts keeps a run the same bytes."""

    name = "sampler"
    imagines = True

    def __init__(
        self, playouts: int = 96, answers: int = 12, sure: float = 1.0, guide: str = "book", milliseconds: float = 0
    ) -> None:
        self.playouts, self.answers, self.sure, self.guide = playouts, answers, sure, guide
        self.milliseconds = milliseconds
        self.seated = None

    def act(self, view):
        seated = self.guide_for(view)
        own = seated.take_seat()[0][view.phase](view)
        tried = self.candidates(view, own)
        if len(tried) > 1:
            nets = self.play_out(view, tried, seated)
            return self.choose(nets)
        return own

    def guide_for(self, view):
        """The guide as it plays this game."""
        if self.seated is None:
            game = game_of(view.game)
            found = [each for each in find(self.guide, view.game) if each.plays(view.game)]
            self.seated = Seated(load(found[0]) if found else random_answer, {}, game)
        return self.seated

    def candidates(self, view, own):
        """The guide's answer first, and others drawn by chance where there are too many."""
        legal, tried = view.legal, [str(own)]
        if type(legal) is tuple and len(legal) <= self.answers:
            return tried + [each for each in legal if each != own]
        for each in legal[0], legal[-1]:
            if each not in tried:
                tried.append(each)
        for _ in range(4 * self.answers):
            each = view.chance.choice(legal)
            if len(tried) < self.answers and each not in tried:
                tried.append(each)
        return tried

    def play_out(self, view, tried, seated):
        """The nets that each answer has brought, in the same deals for all; the worse half drops out in rounds."""
        nets = {said: [] for said in tried}
        left, begun = self.playouts, perf_counter()
        rounds = max(1, (len(tried) - 1).bit_length())
        for more in range(rounds, 0, -1):
            deals = max(2, left // (more * len(nets)))
            for _ in range(deals):
                if self.milliseconds and 1000 * (perf_counter() - begun) > self.milliseconds:
                    return nets
                imagined = view.imagine()
                if imagined is None:
                    return nets
                for said, brought in nets.items():
                    brought.append(self.net(view, imagined.again(), said, seated))
            left -= deals * len(nets)
            own, *others = nets.items()
            others.sort(key=lambda item: -sum(item[1]))
            nets = dict([own, *others[: len(others) // 2]]) if more > 1 else nets
        return nets

    def net(self, view, deal, said, seated):
        """What one deal brings after this answer."""
        guides = {}

        def answer(view):
            if view.seat not in guides:
                guides[view.seat] = seated.take_seat()[0]
            return guides[view.seat][view.phase](view)

        deal.answer(said)
        return deal.play(answer)[view.seat]

    def choose(self, nets):
        """The best mean; the guide's own answer unless the gain over it is sure enough."""
        own, best, least = next(iter(nets)), None, 0.0
        for said, brought in nets.items():
            gains = [one - other for one, other in zip(brought, nets[own], strict=False)]
            if said == own or len(gains) < 2:
                continue
            mean = sum(gains) / len(gains)
            spread = sqrt(sum((gain - mean) ** 2 for gain in gains) / (len(gains) - 1) / len(gains))
            if mean > self.sure * spread and mean > least:
                best, least = said, mean
        return best or own
