"""The keys of a tournament file. The reader checks by them, and the JSON Schema is made of them.

The keys that a format adds to [[games]] are declared in the format."""

from __future__ import annotations

from ...base.values import Either, Flag, Key, Listed, Number, OneOf, Table, Text, Whole
from ..formats import USUAL
from .entrants import STRATEGIES
from .plan import ISOLATE, ON_FAULT, Limits
from .record import NAME, SEED, TITLE
from .stopping_rule import FORMS, WORTH

TABLES = {
    "tournament": {
        "name": Key("The name of the run folder. Default: the name of the file.", NAME),
        "title": Key("The title of the page. Default: the name.", TITLE),
        "format": Key("The format: how the entrants meet.", Text(), USUAL),
        "seed": Key("The seed, which decides all chance.", SEED, 1),
        "strategies": Key("The strategies that play; a game may list its own.", STRATEGIES),
        "until": Key(
            "Stop each game as soon as this is decided. Default: play it to its end.", Text(f"a text, {FORMS}")
        ),
    },
    "limits": {
        "seconds": Key(
            "CPU seconds for one decision; ten times that by the clock.",
            Number(0.01, 3600, "a number of seconds from 0.01 to 3600"),
            Limits.seconds,
        ),
        "memory": Key(
            "MiB of memory for one worker, and for each process in the sandbox.", Whole(128, 1 << 20), Limits.memory
        ),
        "bank": Key(
            "CPU seconds for all decisions of a sitting; 0: no bank.",
            Either(
                *(Number(0.01, 10**6, ""), Number(0, 0, "")),
                words=f"a number of seconds from 0.01 to {10**6}, or 0 for no bank",
            ),
            Limits.bank,
        ),
        "on_fault": Key(
            "The price of a fault. forfeit: the first legal action is played to the end of the deal; abort: the run ends.",
            OneOf(*ON_FAULT, words=" or ".join(ON_FAULT)),
            Limits.on_fault,
        ),
        "faults_allowed": Key(
            "The exit code is 2 if a strategy has more faults.", Whole(0, 10**12), Limits.faults_allowed
        ),
        "placed_within": Key(
            "A strategy with faults in a larger share of its deals is not placed. Default: 0.01; in a gate 0.",
            Number(0, 1, "a share from 0 to 1, such as 0.01"),
        ),
        "isolate": Key(
            "The strategies that play in the sandbox. auto: third-party strategies, if the machine has a sandbox; on: all;"
            " off: none.",
            OneOf(*ISOLATE, words=" or ".join(ISOLATE)),
            Limits.isolate,
        ),
    },
    "gate": {
        "mine": Key("The strategy that should be better, by its label in the standings.", Text()),
        "baseline": Key("The strategy that it is compared with.", Text()),
        "margin": Key(
            "Pass a strategy that is worse by less than this, in counters a deal.",
            Number(0, 10**18, "a number, 0 or more"),
            0.0,
        ),
        "worth": Key(
            "The least difference that matters, in counters a deal, or as 0.2sd in standard deviations of a block: the"
            " gate also ends when it is surely smaller.",
            WORTH,
        ),
        "over_all": Key("Test the score over all games, and not each game.", Flag(), False),
    },
}
GAME = {  # of each of the [[games]], in every format
    "game": Key("The id of the game.", Text()),
    "name": Key("The name of the entry, if the game has several. Default: the id of the game.", NAME),
    "strategies": Key("The strategies that play this game. Default: those of the tournament.", STRATEGIES),
    "options": Key("The options of the game.", Table(), {}),
}
LEAGUE = {  # of a league.toml, above its tables
    "title": Key("The title of the league.", TITLE, "League"),
    "house": Key(
        "Strategies that always play, by the names under which they are installed. The worth of the first is 0.",
        Listed(Text(), "a list of the names of strategies, the anchor first", least=1),
        ["book", "random"],
    ),
    "memory": Key("How many rounds count, the newest ones; 0: all.", Whole(0, 10**6), 0),
    "an_author": Key("How many entries of one author take part at most.", Whole(1, 1000), 2),
}
ROUND = {
    "deals": Key("Deals of each game in a round, rounded up to whole blocks.", Whole(1, 10**12), 2000),
    "least": Key("Blocks after which a version is ranked.", Whole(10, 10**6), 40),
    "idle": Key("Rounds without a change, after which one call in ten plays another.", Whole(1, 10**6), 10),
}
LEAGUE_GAME = ("game", "name", "options", "players", "sitting", "duplicate")  # of its [[games]]
