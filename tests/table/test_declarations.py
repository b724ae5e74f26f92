"""Options that contradict themselves are reported where they are declared."""

from __future__ import annotations

import pytest

from roundsim.base.errors import DeclarationError
from roundsim.table.options import Rules, option


def test_a_default_out_of_range() -> None:
    with pytest.raises(
        DeclarationError, match=r"test_declarations.py:17: the default of an option: cards must be .* 17"
    ):

        class TooMany(Rules):
            cards: int = option(18, "dealt", "p. 1", high=17)


def test_a_default_that_depends_on_others_and_says_no_words() -> None:
    with pytest.raises(DeclarationError, match="cards: its default depends on others"):

        class Silent(Rules):
            cards: int = option(lambda rules: rules.players, "dealt", "p. 1")
