"""A third-party strategy that does no harm: it asks Python to sort and to draw for it."""

import random
from typing import Any

games = ["nap"]


class Victim:
    def act(self, view: Any) -> Any:
        few = sorted(view.legal)
        return few[0] if random.random() < 0.5 else random.choice(few)
