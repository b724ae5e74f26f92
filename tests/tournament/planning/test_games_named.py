"""The games that a command line names."""

from __future__ import annotations

import pytest

from roundsim.base.errors import TournamentError
from roundsim.tournament.planning.file import games_in


@pytest.mark.parametrize(
    ("text", "without", "words"),
    [
        ("loo", ["nap"], "-nap leaves a game out of all, not of loo"),
        ("all,loo", [], "all is every game, and is named alone, not all,loo"),
        ("nap,nap", [], "nap is named twice"),
    ],
)
def test_a_list_that_contradicts_itself_is_refused(text: str, without: list[str], words: str) -> None:
    with pytest.raises(TournamentError, match=words):
        games_in(text, without)
