"""The figures on the games' pages, measured again: seeded deals are played, and roundsim/reports/measured.json is written.

    python docs/measure.py                all games; twenty minutes for the field, an hour more with `sampler`
    python docs/measure.py nap loto       only these games; the figures of the others stay
    python docs/measure.py --field        without the sampler, whose figures stay

The same version of roundsim writes the same bytes.  docs/_templates/game.md.j2 says what each figure means."""

from __future__ import annotations

import csv
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Container, Hashable, Iterator, Sequence
from math import sqrt
from pathlib import Path
from statistics import fmean, median_low, pvariance, variance
from tempfile import TemporaryDirectory
from typing import Any

from click.testing import CliRunner

import roundsim
from roundsim.cli import cli
from roundsim.reports.strength import MEASURED, measured

SEED = 1891
BLOCKS = 200
SLOW = {"sampler": 10}  # blocks, for strategies that take a tenth of a second to decide
YARDSTICKS = "random", "book"
Json = dict[str, Any]
Row = dict[str, str]


def main(wanted: Sequence[str]) -> None:
    games: Json = measured()["games"]
    named = {*wanted} - {"--field"}
    tables = {each["game"]: each["usual"][0] for each in command("games") if not named or each["game"] in named}
    measures = [with_the_field, with_slow_strategies]
    for measure in measures[: 1 if "--field" in wanted else 2]:
        for game, seats in tables.items():
            print(f"{game}: {measure.__name__}", flush=True)
            with TemporaryDirectory() as folder:
                measure(games, game, seats, Path(folder))
            MEASURED.write_text(text_of(games), "utf-8")


def text_of(games: Json) -> str:
    """Return the file as JSON, a figure of a game a line."""
    texts = []
    for name, figures in sorted(games.items()):
        lines = (f'"{key}": {json.dumps(value, sort_keys=True)}' for key, value in sorted(figures.items()))
        texts.append(f'"{name}": {{\n  ' + ",\n  ".join(lines) + "\n}")
    return f'{{"roundsim": "{roundsim.__version__}", "seed": {SEED}, "games": {{\n' + ",\n".join(texts) + "\n}}\n"


def command(*words: str) -> Any:
    """Return the JSON output of a command of roundsim."""
    return json.loads(CliRunner().invoke(cli, [*words, "--format", "json"], catch_exceptions=False).stdout)


def with_the_field(games: Json, game: str, seats: int, folder: Path) -> None:
    """Measure everything except slow strategies: by a round-robin, and by a table with `book` in every seat."""
    names = others(game)
    field = play(game, seats, [*YARDSTICKS, *sorted(names - {*SLOW})], folder / "field")
    equal = play(game, seats, ["book"] * seats, folder / "equal", fresh_cards=True)
    slow = {name: found for name, found in games.get(game, {}).get("strength", {}).items() if name in SLOW}
    games[game] = {
        "seats": seats,
        "strength": {**slow, **strength(field)},
        "cards": {"all": share_of_cards(field, {*YARDSTICKS, *names}), "book": share_of_cards(field, {"book"})},
        "equal": {"deals": entry_of(equal)["deals"], "deviation": rounded(deviation(equal)), "places": places(equal)},
        "decisions": decisions(equal, seats),
    }


def with_slow_strategies(games: Json, game: str, seats: int, folder: Path) -> None:
    """Measure the strength of slow strategies: by a round-robin of each with `random` and `book`."""
    for name in sorted(others(game) & {*SLOW}):
        run = play(game, seats, [*YARDSTICKS, name], folder / name, SLOW[name])
        games[game]["strength"][name] = strength(run)[name]


def others(game: str) -> set[str]:
    """Return the strategies that play a game, without `random` and `book`."""
    return {each["name"] for each in command("strategies") if {game, "*"} & {*each["games"]}} - {*YARDSTICKS}


def play(game: str, seats: int, names: list[str], out: Path, blocks: int = BLOCKS, **how: Any) -> roundsim.Run:
    deals = blocks * seats * roundsim.Table(game, seats).deals
    return roundsim.play(game, names, seats=seats, deals=deals, seed=SEED, out=out, **how)


def entry_of(run: roundsim.Run) -> Json:
    return dict(run.standings["games"][0])


def strength(run: roundsim.Run) -> Json:
    """Return how far each strategy is above each yardstick, in standard deviations, with half the width of its interval."""
    entry, unit = entry_of(run), deviation(run)
    above: Json = {row["strategy"]: {"deals": entry["deals"]} for row in entry["rows"]}
    for pair in entry["differences"]:
        gain, error = rounded(pair["difference"] / unit), rounded(pair["error"] / unit)
        for one, other, ahead in (pair["one"], pair["other"], gain), (pair["other"], pair["one"], -gain):
            if other in YARDSTICKS:
                above[one][other] = [ahead + 0.0, error]  # no -0.0
    return above


def deviation(run: roundsim.Run) -> float:
    """Return the standard deviation of the net of a deal, within strategies."""
    return sqrt(fmean(map(pvariance, nets_by(run, lambda row: row["strategy"]))))


def share_of_cards(run: roundsim.Run, of: Container[str]) -> float | None:
    """Return the share of the variance of a net that the rotations of a deal have in common: one-way analysis of variance.

    `of`: the strategies whose nets these are; None if each has every place once, with the same cards."""
    places = nets_by(run, lambda row: row["strategy"] in of and (row["block"], row["deal"], row["seat"]))
    groups = [nets for nets in places if len(nets) > 1]
    if not groups:
        return None
    within = fmean(map(variance, groups))
    common = max(0.0, variance(map(fmean, groups)) - within / fmean(map(len, groups)))
    return rounded(common / (common + within)) if common else 0.0


def places(run: roundsim.Run) -> list[Json]:
    """Return the worth of each place, in counters above the mean of all places, with half the width of its interval."""
    found = entry_of(run)["places"]
    middle = fmean(each["net_per_deal"] for each in found)
    return [{**each, "net_per_deal": rounded(each["net_per_deal"] - middle)} for each in found]


def decisions(run: roundsim.Run, seats: int) -> Json:
    """Return by phase how many questions with a choice a seat gets in a deal, and how many legal answers they have."""
    legal = defaultdict[str, list[int]](list)
    for row in rows(run, "decisions"):
        if int(row["legal"]) > 1:
            legal[row["phase"]].append(int(row["legal"]))
    asked = entry_of(run)["deals"] * seats
    return {
        phase: {
            "each": rounded(len(found) / asked),
            "median": median_low(found),
            "mean": rounded(fmean(found)),
            "most": max(found),
        }
        for phase, found in legal.items()
    }


def nets_by(run: roundsim.Run, key: Callable[[Row], Hashable]) -> Iterator[list[int]]:
    groups = defaultdict[Hashable, list[int]](list)
    for row in rows(run, "deals"):
        if row["deal"] != "0" and (group := key(row)):  # deal 0 is the end of a sitting
            groups[group].append(int(row["net"]))
    yield from groups.values()


def rows(run: roundsim.Run, what: str) -> Iterator[Row]:
    with roundsim.export(run.folder, "csv", what, out=run.folder, force=True).open(
        encoding="utf-8", newline=""
    ) as file:
        yield from csv.DictReader(file)


def rounded(number: float) -> float:
    return float(f"{number:.4g}")


if __name__ == "__main__":
    main(sys.argv[1:])
