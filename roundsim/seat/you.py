"""The strategy of a person, who answers in `roundsim sit`."""

from __future__ import annotations

from typing import Any

from roundsim.seat.person import at_the_table


class You:
    """A person at the terminal."""

    name = "you"
    imagines = True  # for hints

    def act(self, view: Any) -> str:
        return at_the_table().answer(view)
