"""The schema of standings.json: the keys of a game, and of the whole file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ...tournament.judging.standings import Standings
from ...tournament.judging.stopping import Outcome
from ...tournament.planning.record import LIMITS, STOPPING, recorded
from ..json_tables import (
    AMOUNT,
    COUNT,
    FROM_1,
    NUMBER,
    OBJECT,
    OMITTED,
    SHARE,
    TEXT,
    TWO_RANKS,
    Kind,
    StandingsKey,
    listed,
    or_null,
    record_of,
    table_of,
    written,
)
from ..standings_keys import (
    ALL_DIFFERENCES,
    COMPANY,
    COMPARED,
    DIFFERENCE,
    ENTRANT,
    EXTREME,
    OUTCOME,
    PHASE,
    PLACE,
    SWING,
    GameStandings,
    compared,
    figure_keys,
    ranked,
    ranks_of,
)

SCHEMA = 2


def last_type(kind: Kind, type: Any) -> Kind:
    return {**{name: value for name, value in kind.items() if name != "type"}, "type": type}


def error_of(name: str, unit: str) -> StandingsKey:
    return StandingsKey(f"Half the width of the 95 % interval of {name}; null under 10 {unit}.", or_null(AMOUNT))


def share_of(name: str, help: str) -> dict[str, StandingsKey]:
    """Return the keys of a share of blocks that were won, and of its limits."""
    return {
        name: StandingsKey(help, or_null(SHARE)),
        f"{name}_low": StandingsKey(f"The lower 95 % limit of {name} (Clopper and Pearson).", or_null(SHARE)),
        f"{name}_high": StandingsKey(f"The upper 95 % limit of {name}.", or_null(SHARE)),
    }


ROUND_ROBIN = {
    "net_per_deal": StandingsKey("Round-robin: mean net in counters a deal. It ranks.", or_null(NUMBER)),
    "mean_place": StandingsKey(
        "Freeze-out: mean place, 1 the best. It ranks.", {"type": ["number", "null"], "minimum": 1}
    ),
    "error": StandingsKey(
        "Half the width of the 95 % interval of net_per_deal, or of mean_place; null under 10 blocks, or if all are "
        "alike.",
        or_null(AMOUNT),
    ),
    "won": StandingsKey(
        "Round-robin: share of the deals won; freeze-out: of the freeze-outs. Equal players share a win.",
        or_null(SHARE),
    ),
    "won_error": StandingsKey(
        "Round-robin: half the width of the 95 % interval of won; null under 10 blocks, or if all are alike.",
        or_null(AMOUNT),
    ),
    "won_low": StandingsKey("Freeze-out: the lower 95 % limit of won (Clopper and Pearson).", or_null(SHARE)),
    "won_high": StandingsKey("Freeze-out: the upper 95 % limit of won.", or_null(SHARE)),
}
PROGRESSIVE = {
    "yellows": StandingsKey("Progressive: mean number of yellow tokens in an evening. It ranks.", or_null(AMOUNT)),
    "yellows_error": error_of("yellows", "evenings"),
    "counters": StandingsKey(
        "Progressive: mean final count in counters, without the fresh stakes. It ranks among equals.", or_null(NUMBER)
    ),
    "counters_error": error_of("counters", "evenings"),
    "fresh_stakes": StandingsKey(
        "Progressive: mean number of fresh stakes taken. Fewer rank higher among equals.", or_null(AMOUNT)
    ),
    "fresh_stakes_error": error_of("fresh_stakes", "evenings"),
    **share_of("head", "Progressive: share of evenings with the head prize: the most yellows. Equal players share it."),
    **share_of("most", "Progressive: share of evenings with the prize for the most counters. Equal players share it."),
    **share_of(
        "booby", "Progressive: share of evenings with the booby prize: the fewest counters. Equal players share it."
    ),
}
FIGURES = {name: key._replace(optional=True) for name, key in (ROUND_ROBIN | PROGRESSIVE).items()}
OF_FORMATS = [
    {"required": ["net_per_deal", "error", "won", "won_error"]},
    {"required": ["mean_place", "error", "won", "won_low", "won_high"]},
    {"required": [*PROGRESSIVE]},
]
ORIGINS = {
    "phases": StandingsKey(
        "The parts of the difference.",
        listed(PHASE),
        lambda game: [(phase,) for phase in game.verdicts.origins.phases],
        keys=PHASE,
    ),
    "gained": StandingsKey(
        "The replays that gained most, the most first.",
        listed(SWING),
        lambda game: [(game, swing) for swing in game.verdicts.origins.gained],
        keys=SWING,
    ),
    "lost": StandingsKey(
        "The replays that lost most, the most first.",
        listed(SWING),
        lambda game: [(game, swing) for swing in game.verdicts.origins.lost],
        keys=SWING,
    ),
}
EXTREMES = {
    "best": StandingsKey(
        "The best deal of all, the first of equal ones.",
        table_of(EXTREME),
        lambda game: game.extreme("best"),
        True,
        EXTREME,
    ),
    "worst": StandingsKey(
        "The worst deal of all, the first of equal ones.",
        table_of(EXTREME),
        lambda game: game.extreme("worst"),
        True,
        EXTREME,
    ),
}


def rows_of(game: GameStandings) -> list[dict[str, Any]]:
    keys = {**ENTRANT, **figure_keys(game.entry.format.measures), **COMPARED}
    return [written(keys, game, row) for row in game.rows]


GAME = {
    "name": StandingsKey("The name of the entry.", TEXT, lambda game: game.entry.name),
    "game": StandingsKey("The id of the game.", TEXT, lambda game: game.entry.game),
    "title": StandingsKey("Its title.", TEXT, lambda game: game.entry.deal.title),
    "options": StandingsKey(
        "The options that were given.", OBJECT, lambda game: dict(sorted(game.entry.options.items()))
    ),
    "players": StandingsKey(
        "Players at every table; null if tables have several sizes.",
        or_null(FROM_1),
        lambda game: game.entry.format.seats,
    ),
    "blocks": StandingsKey(
        "The blocks that were played. Errors are computed over them.", COUNT, lambda game: game.fold.tally.blocks
    ),
    "deals": StandingsKey("The deals in them.", COUNT, lambda game: game.fold.tally.deals),
    "decisions": StandingsKey(
        "The number of decisions in them, forced ones included.", COUNT, lambda game: game.fold.tally.decisions
    ),
    "rows": StandingsKey(
        "The entrants, the best first.",
        listed({**ENTRANT, **FIGURES, **COMPARED}, "An entrant of the game.", oneOf=OF_FORMATS),
        rows_of,
    ),
    "until": StandingsKey(
        "The result of the stopping rule; null if there is none.",
        last_type(table_of(OUTCOME), ["object", "null"]),
        lambda game: game.outcome and (game.outcome,),
        keys=OUTCOME,
    ),
    "differences": StandingsKey(
        "All pairs that can be compared: each sat in 10 blocks, and they met, directly or through others.",
        listed(DIFFERENCE, "Two entrants that are compared."),
        lambda game: game.pairs(),
        keys=DIFFERENCE,
    ),
    "cycles": StandingsKey(
        "Strategies that each beat the next, and the last beats the first, in the blocks where they sat together.",
        {"type": "array", "items": {"type": "array", "items": TEXT, "minItems": 3, "maxItems": 3}},
        lambda game: [[game.entry.labels[entrant] for entrant in cycle] for cycle in game.verdicts.cycles],
    ),
    "company": StandingsKey(
        "Strategies that have more, or less, than expected if a certain other one sits at the table; the most "
        "significant first. An observation, not a verdict.",
        listed(COMPANY, "Such a pair."),
        lambda game: [(game, pair) for pair in game.verdicts.company],
        keys=COMPANY,
    ),
    "origins": StandingsKey(
        "Where the difference of two strategies comes from, in the format shadow; else null.",
        or_null(table_of(ORIGINS)),
        lambda game: game.verdicts.origins and (game,),
        keys=ORIGINS,
    ),
    "places": StandingsKey(
        "The worth of each place, whoever sits there; none if tables have several sizes, or if blocks have a winner.",
        listed(PLACE, "A place at the table."),
        lambda game: game.verdicts.places,
        keys=PLACE,
    ),
    "extremes": StandingsKey(
        "The best deal and the worst; neither if nothing was played.",
        table_of(EXTREMES),
        lambda game: (game,),
        keys=EXTREMES,
    ),
}
ALL = {
    **ranked("By score, 1 the best.", "Its label."),
    "score": StandingsKey(
        "How far it is above the mean of each game, in standard deviations of one deal there (of one freeze-out's "
        "place, of one evening's yellows); the mean over all games.",
        or_null(NUMBER),
        lambda likely, row: row.first.value,
    ),
    "error": StandingsKey(
        "Half the width of the 95 % interval of score; null if a game has none.",
        or_null(AMOUNT),
        lambda likely, row: row.first.error,
    ),
    "likely": StandingsKey(
        "The best and the worst rank that the data allow, all right at once in 95 of 100 tournaments; null: not "
        "compared.",
        TWO_RANKS,
        lambda likely, row: ranks_of(likely),
    ),
    "faults": StandingsKey("Its faults in all games.", COUNT),
}
ROUND = {
    **ranked("By the round reached, then by the net there, 1 the best; null without figures.", "Its label."),
    "round": StandingsKey("The last round that it played in.", FROM_1, lambda number, row: number),
}
FAULTS = {"faults": StandingsKey("Its faults in all rounds.", COUNT)}
ROUND_FIGURES = {
    "net_per_deal": StandingsKey("Mean net of a deal in that round, in counters.", or_null(NUMBER)),
    "error": StandingsKey(
        "Half the width of the 95 % interval of net_per_deal; null if there is none.", or_null(AMOUNT)
    ),
}
ROUNDS = {
    "name": StandingsKey(
        "Its name; the rounds add .1, .2 and so on.", TEXT, lambda entry, rows: entry.format.in_file(entry.name)
    ),
    "rows": StandingsKey(
        "A row for each entrant, the best first.",
        listed({**ROUND, **ROUND_FIGURES, **FAULTS}, "An entrant."),
        lambda entry, rows: [
            written({**ROUND, **figure_keys(entry.format.measures[:1]), **FAULTS}, *row) for row in rows
        ],
    ),
}


def games_of(standings: Standings) -> list[tuple[GameStandings]]:
    outcomes: Sequence[Outcome | None] = standings.outcomes or [None] * len(standings.games)
    return [(GameStandings(*game, outcome),) for game, outcome in zip(standings, outcomes, strict=True)]


def limits_of(standings: Standings) -> dict[str, Any]:
    """Return the limits. That of being placed is there if it has kept somebody from that."""
    limits = standings.tournament.limits
    anybody = any(row.out is not None for rows in standings.games for row in rows)
    return recorded(LIMITS, limits if anybody else replace(limits, placed_within=None))


def has_overall(standings: Standings) -> bool:
    return len(standings.games) > 1 and not standings.over_rounds


def overall_rows(standings: Standings) -> list[Any] | None:
    if not has_overall(standings):
        return None
    return [*zip(standings.overall_verdicts.likely, standings.overall, strict=True)]


def overall_pairs(standings: Standings) -> list[Any] | None:
    if not has_overall(standings):
        return None
    verdicts = standings.overall_verdicts
    return compared(verdicts, verdicts.labels, range(len(standings.overall)))


RUN = {
    "schema": StandingsKey(
        "The number of this layout. It rises if a name is changed or removed.",
        {"type": "integer", "const": SCHEMA},
        lambda run: SCHEMA,
    ),
    "name": StandingsKey("The name of the tournament.", TEXT, lambda run: run.tournament.name),
    "format": StandingsKey(
        "How entrants meet.",
        {"type": "string", "enum": ["round-robin", "freeze-out", "progressive", "knock-out"]},
        lambda run: run.tournament.format,
    ),
    "seed": StandingsKey(
        "The seed; 128 bits as text if it was drawn.",
        {"type": ["integer", "string"], "minimum": 0, "pattern": "^[0-9a-f]{32}$"},
        lambda run: run.tournament.seed,
    ),
    "limits": StandingsKey("The limits of a strategy, and the cost of its faults.", record_of(LIMITS), limits_of),
    "stopping": StandingsKey(
        "When the run may stop early; null if it may not.",
        or_null(record_of(STOPPING)),
        lambda run: run.tournament.stopping and recorded(STOPPING, run.tournament.stopping),
    ),
    "games": StandingsKey(
        "The games, in the order of the tournament.",
        {**listed(GAME, "A game of the tournament."), "minItems": 1},
        games_of,
        keys=GAME,
    ),
    "over_all": StandingsKey(
        "The result of a gate over all games, as a score; not there for any other rule.",
        last_type(table_of(OUTCOME), "object"),
        lambda run: (run.pooled,) if run.pooled else OMITTED,
        True,
        OUTCOME,
    ),
    "all": StandingsKey(
        "The table over all games, the best first; null if there is only one game, and in a knock-out.",
        or_null(listed(ALL, "An entrant that played every game.")),
        overall_rows,
        keys=ALL,
    ),
    "all_differences": StandingsKey(
        "The differences in the table over all games, of all pairs that can be compared in every game; null if there "
        "is no such table.",
        or_null(listed(ALL_DIFFERENCES, "Two entrants that are compared.")),
        overall_pairs,
        keys=ALL_DIFFERENCES,
    ),
    "rounds": StandingsKey(
        "In a knock-out, how far each entrant came; otherwise null. Each round has its table among the games.",
        or_null(listed(ROUNDS, "A game of the tournament.")),
        lambda run: run.over_rounds or None,
        keys=ROUNDS,
    ),
}


def made() -> dict[str, Any]:
    return {
        "title": "standings.json",
        "description": (
            "The standings of a run of roundsim: standings.json, and what standings --format json prints. Numbers are "
            "rounded to six digits."
        ),
        **table_of(RUN),
    }
