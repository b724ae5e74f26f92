"""The claims of the books about their games, tested by playing: `roundsim claims`."""

from .measures import counters as counters
from .measures import gives as gives
from .measures import subject as subject
