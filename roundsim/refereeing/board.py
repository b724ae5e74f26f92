"""The board of a worker: numbers in shared memory that its parent reads at any time, by their places. The board of a
worker that died or is stuck shows which entrant was asked. That of a slow one shows its progress and which entrant is
thinking. Entrants are counted from 1 here."""

from __future__ import annotations

QUESTION = 0  # the number of the question that is being answered, 0 while nobody is asked
STATE = 1  # LATE, LOADING, or 0
DEALS = 2  # of the shard, so far
BLOCKS = 3  # of the shard, whose deals are all played
BEFORE = 4  # deals, or blocks, that were played before this worker took the shard up
ASKED = 5  # the entrant who is being asked, where decisions are timed, or is being loaded
SLOWEST = 6  # the entrant whose decisions take longest
NANOSECONDS = 7  # of one of them
AGAIN = 8  # the entrant that made the shard be played again, 0 if unknown
WHY = 9  # it is, by its place in REASONS
CELLS = 10

LATE = 1  # a strategy has swallowed the interruption
LOADING = 2  # a module is being executed

QUESTIONS = 1 << 40  # more than a piece of a shard has: the questions of each are numbered from a multiple of it on
MOST_PIECES = 16  # of a shard

REASONS = "", "was lost", "took too long", "is not asked any more", "is short of memory"
DIED, SLOW, EXCLUDED, SHORT = range(1, len(REASONS))


def piece_of(question: int) -> int:
    """Return the number of the piece, in its shard, that a question is of; one to a shadow has a larger number."""
    return question // QUESTIONS % MOST_PIECES
