"""What the claims about Nap count."""

from fractions import Fraction
from math import comb


def safe_naps():
    return {"share": Fraction(4, comb(52, 5))}
