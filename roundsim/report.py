"""What people and programs read of a run: tables, json, csv, markdown, the list of faults."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tabulate import tabulate

from .options import changed, rules_for
from .script import in_toml
from .standings import LEAST_BLOCKS, Row, overall, standings
from .tournament.file import SET_BY_FREEZE_OUT
from .tournament.plan import Entry, Tournament
from .tournament.tally import Fold, Tally

SCHEMA = 1
WIDTH = 100


def number(n: int) -> str:
    """2 000"""
    return f"{n:,}".replace(",", " ")


def so_many(n: int, thing: str) -> str:
    """1 deal, 2 000 deals"""
    return f"{number(n)} {thing}{'s' * (n != 1)}"


def missing_shards(n: int) -> str:
    return f"{so_many(n, 'shard')} {'is' if n == 1 else 'are'} not played yet"


def share(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f} %"


def signed(value: float | None, digits: int = 3) -> str:
    return "-" if value is None else f"{value:+.{digits}f}"


def plain(value: float | None, digits: int = 3) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def columns(entry: Entry, row: Row) -> dict[str, str]:
    """A row of a game's table as people read it."""
    if entry.format == "freeze-out":
        return {
            "rank": row.rank_text(),
            "strategy": row.strategy,
            "mean place": plain(row.mean, 2),
            "± 95 %": plain(row.error, 2),
            "won": share(row.won),
            "± 95 % ": share(row.won_error),
            "faults": str(row.faults),
        }
    return {
        "rank": row.rank_text(),
        "strategy": row.strategy,
        "net/deal": signed(row.mean),
        "± 95 %": plain(row.error),
        "deals won": share(row.won),
        "faults": str(row.faults),
    }


def table(rows: Sequence[dict[str, str]], tablefmt: str = "plain") -> str:
    """Strategies to the left, figures to the right."""
    keys = list(rows[0]) if rows else []
    align = ["left" if key in ("rank", "strategy", "path") else "right" for key in keys]
    cells = [[cell.replace("|", "\\|") if tablefmt == "github" else cell for cell in row.values()] for row in rows]
    return tabulate(cells, keys, tablefmt=tablefmt, colalign=align, disable_numparse=True)


def heading(tournament: Tournament, entry: Entry, tally: Tally) -> list[str]:
    """Nap · 4 seats · 2 000 deals in 125 blocks of 16 (4 seats x 4 deals) · seed 1891"""
    title, seed, deals = title_of(entry), f"seed {tournament.seed}", so_many(tally.deals, "deal")
    if entry.format == "freeze-out":
        tables = f"freeze-out of {len(entry.strategies)}, stack {entry.stack}"
        return [title, tables, f"{so_many(tally.blocks, 'time')}, {deals}", seed]
    seats, blocks = so_many(entry.players, "seat"), so_many(tally.blocks, "block")
    if tally.deals < tally.blocks * entry.block_deals:
        asked = f"{number(entry.asked)} asked for; " if entry.asked else ""
        played = f"{deals} in {blocks} of at most {entry.block_deals} ({asked}sittings may end early)"
        return [title, seats, played, seed]
    more = entry.blocks * entry.block_deals - entry.asked
    if entry.asked and 0 < more < entry.block_deals:
        deals += f" ({number(entry.asked)} rounded up)"
    sittings = f"({seats} x {so_many(entry.sitting, 'deal')})"
    return [title, seats, f"{deals} in {blocks} of {entry.block_deals} {sittings}", seed]


def title_of(entry: Entry) -> str:
    """The game, and what tells this entry from others of it: its own name, else its options, if there is room."""
    if entry.name != entry.game:
        return f"{entry.deal.title} ({entry.name})"
    if not entry.options:
        return entry.deal.title
    options = changed(entry.deal, rules_for(entry.deal, entry.players or max(2, entry.deal.seats[0]), entry.options))
    if entry.format == "freeze-out":
        options = {key: value for key, value in options.items() if key not in SET_BY_FREEZE_OUT}
    title = with_options(entry.deal.title, options)
    return title if len(title) <= WIDTH else entry.deal.title


def with_options(title: str, options: Mapping[str, Any]) -> str:
    """Brag (variant = american)"""
    return f"{title} ({', '.join(f'{key} = {in_toml(value)}' for key, value in options.items())})" if options else title


def joined(parts: Sequence[str]) -> str:
    """The parts of a heading, on as many lines as they need."""
    lines = [parts[0]]
    for part in parts[1:]:
        if len(lines[-1]) + len(part) + 3 <= WIDTH:
            lines[-1] += f" · {part}"
        else:
            lines.append(f"  {part}")
    return "\n".join(lines)


def notes(entry: Entry, tally: Tally, rows: Sequence[Row]) -> list[str]:
    """What a table cannot say by itself."""
    said = []
    if tally.blocks and any(row.error is None and row.mean is not None for row in rows):
        said.append(f"Under {LEAST_BLOCKS} blocks there is no error: play more deals.")
    if tally.blocks == entry.blocks and any(row.mean is None for row in rows):
        said.append("A strategy without figures has not played: there are fewer blocks than tables it could sit at.")
    return said


def tables(tournament: Tournament, folds: Sequence[Fold], tablefmt: str = "plain") -> str:
    """One table for each game, and one for all."""
    mark, parts = "## " * (tablefmt != "plain"), list[str]()
    for entry, fold in zip(tournament.entries, folds, strict=True):
        rows = standings(entry, fold.tally)
        head = heading(tournament, entry, fold.tally)
        body = indented(table([columns(entry, row) for row in rows], tablefmt), tablefmt)
        title = mark + " · ".join(head) if mark else joined(head)
        said = notes(entry, fold.tally, rows)
        parts.append("\n".join([title, "", body, *[""] * bool(mark and said), *said]))
    if len(tournament.entries) > 1:
        rows = overall(list(zip(tournament.entries, [fold.tally for fold in folds], strict=True)))
        what = "mean place, turned round," if tournament.format == "freeze-out" else "net a deal"
        heading_of_all = (
            f"All games · score: {what} in standard deviations of block means, every game weighing the same"
        )
        body = indented(table([score_columns(row) for row in rows], tablefmt), tablefmt)
        parts.append("\n".join([mark + heading_of_all, "", body if rows else "No strategy played every game."]))
    return "\n\n".join(parts) + "\n"


def score_columns(row: Row) -> dict[str, str]:
    """A row of the table over all games."""
    return {
        "rank": row.rank_text(),
        "strategy": row.strategy,
        "score": signed(row.mean),
        "± 95 %": plain(row.error),
        "faults": str(row.faults),
    }


def indented(text: str, tablefmt: str) -> str:
    return text if tablefmt != "plain" else "\n".join(f" {line}".rstrip() for line in text.splitlines())


def rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 9)


def as_data(tournament: Tournament, folds: Sequence[Fold]) -> dict[str, Any]:
    """The standings for programs; its layout is numbered by `schema`."""
    listed = []
    for entry, fold in zip(tournament.entries, folds, strict=True):
        mean = "mean_place" if entry.format == "freeze-out" else "net_per_deal"
        listed.append(
            {
                "name": entry.name,
                "game": entry.game,
                "title": entry.deal.title,
                "options": dict(sorted(entry.options.items())),
                "players": entry.players or None,
                "blocks": fold.tally.blocks,
                "deals": fold.tally.deals,
                "decisions": fold.tally.decisions,
                "rows": [
                    {
                        "rank": row.rank,
                        "tied": row.tied,
                        **who(entry, row),
                        mean: rounded(row.mean),
                        "error": rounded(row.error),
                        "won": rounded(row.won),
                        **({"won_error": rounded(row.won_error)} if entry.format == "freeze-out" else {}),
                        "blocks": row.blocks,
                        "faults": faults_of(entry, row.strategy, fold.tally),
                    }
                    for row in standings(entry, fold.tally)
                ],
            }
        )
    both = list(zip(tournament.entries, [fold.tally for fold in folds], strict=True))
    return {
        "schema": SCHEMA,
        "name": tournament.name,
        "format": tournament.format,
        "seed": tournament.seed,
        "games": listed,
        "all": [
            {
                "rank": row.rank,
                "tied": row.tied,
                "strategy": row.strategy,
                "score": rounded(row.mean),
                "error": rounded(row.error),
                "faults": row.faults,
            }
            for row in overall(both)
        ]
        if len(both) > 1
        else None,
    }


def who(entry: Entry, row: Row) -> dict[str, Any]:
    strategy = entry.strategies[entry.labels.index(row.strategy)]
    return {
        "strategy": row.strategy,
        "name": strategy.name,
        "parameters": dict(strategy.parameters),
        "sha256": strategy.sha256,
    }


def faults_of(entry: Entry, label: str, tally: Tally) -> dict[str, int]:
    entrant = entry.labels.index(label)
    return {kind: n for (other, kind), n in sorted(tally.faults.items()) if other == entrant}


def as_csv(data: dict[str, Any]) -> str:
    """A line for each row of each game's table."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["game", "rank", "strategy", "mean", "error", "won", "blocks", "faults"])
    for game in data["games"]:
        for row in game["rows"]:
            mean = row["mean_place"] if "mean_place" in row else row["net_per_deal"]
            writer.writerow(
                [
                    game["name"],
                    row["rank"],
                    row["strategy"],
                    mean,
                    row["error"],
                    row["won"],
                    row["blocks"],
                    sum(row["faults"].values()),
                ]
            )
    for row in data["all"] or ():
        writer.writerow(["(all)", row["rank"], row["strategy"], row["score"], row["error"], "", "", row["faults"]])
    return out.getvalue()


def in_format(tournament: Tournament, folds: Sequence[Fold], form: str) -> str:
    """The standings as `table`, `json`, `csv` or `md`."""
    if form in ("table", "md"):
        return tables(tournament, folds, tablefmt="plain" if form == "table" else "github")
    data = as_data(tournament, folds)
    return as_csv(data) if form == "csv" else json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def faults(tournament: Tournament, folds: Sequence[Fold]) -> Iterable[dict[str, Any]]:
    """The faults that are told in full, in schedule order."""
    for entry, fold in zip(tournament.entries, folds, strict=True):
        for told in fold.faults_told():
            yield {
                "strategy": entry.labels[told["entrant"]],
                **{key: value for key, value in told.items() if key != "entrant"},
            }


def results(tournament: Tournament, folds: Sequence[Fold]) -> dict[str, bytes]:
    """The files of a finished run, by name; what was asked for and rounded up is no part of them."""
    tournament = replace(tournament, entries=tuple(replace(entry, asked=0) for entry in tournament.entries))
    made = {f"standings.{form}": in_format(tournament, folds, form).encode() for form in ("json", "csv", "md")}
    lines = [json.dumps(fault, ensure_ascii=False) + "\n" for fault in faults(tournament, folds)]
    return {**made, "faults.jsonl": "".join(lines).encode()}
