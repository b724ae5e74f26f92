"""What must be true of every game at every table, however it is played: for those who write games, ours and others.

    import pytest
    from old_maid import OldMaid
    from roundsim.testing import PROPERTIES

    @pytest.mark.parametrize("holds", PROPERTIES)
    def test_old_maid(holds):
        holds(OldMaid)

Each of PROPERTIES is a function of a game, and of how many tables are tried; AssertionError says what does not hold, and
at which table.  `Table`, `play_sitting` and `play_out` are there for tests of one's own.

It needs hypothesis: pip install 'roundsim[testing]'."""

from .properties import PROPERTIES
from .sittings import Played, play_out, play_sitting
from .tables import Table, for_any_sitting

__all__ = ["PROPERTIES", "Played", "Table", "for_any_sitting", "play_out", "play_sitting"]
