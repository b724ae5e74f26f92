from .count import Odds as Odds
from .count import kinds as kinds
from .count import odds as odds
from .count import rules_of as rules_of
from .draws import AllDraws as AllDraws
from .draws import all_draws as all_draws
from .draws import ways as ways
from .foster import of_the_deal as of_the_deal
from .foster import of_the_draw as of_the_draw

__all__: list[str]
