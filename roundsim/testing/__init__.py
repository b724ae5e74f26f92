"""Properties that hold for every game at every table, however it is played: for authors of games, ours and others.

    import pytest
    from old_maid import OldMaid
    from roundsim.testing import PROPERTIES

    @pytest.mark.parametrize("holds", PROPERTIES)
    def test_old_maid(holds):
        holds(OldMaid)

Each of PROPERTIES is a function of a game, and of the number of tables to try. AssertionError says what does not hold,
and at which table. `Table`, `play_sitting` and `play_out` are there for your own tests.

It needs hypothesis, which the extra `testing` installs."""

from .properties import PROPERTIES
from .tables import Played, Table, for_any_sitting, play_out, play_sitting

__all__ = ["PROPERTIES", "Played", "Table", "for_any_sitting", "play_out", "play_sitting"]
