"""`roundsim check` of a bot: it plays through the wire, and is never imported."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from ..base.finding import display_path
from ..base.text import so_many
from ..sources import plugins
from ..sources.plugins import Strategy
from .exchange import FailedError
from .rows import MAX_SAME_FAILURES, CheckRow, RowSink, not_tried
from .scripts import replay_command, script_path, write_script_file
from .trial import TrialOptions
from .wired import Wired

DIFFERENTLY = "the same deals were played differently the second time"


def check_bot(bot: Strategy, names: Sequence[str], how: TrialOptions, report: RowSink) -> int:
    """RowSink what is found of a bot, and return the number of problems. OSError if a script cannot be written."""
    kinds, plays = Counter[str](), ", ".join(bot.games) or "all"
    report(f"{display_path(Path(bot.path))}  {bot}  sha256 {bot.sha256[:8]}  games: {plays}")
    for at, name in enumerate(names):
        if max(kinds.values(), default=0) >= MAX_SAME_FAILURES:
            report(not_tried(len(names) - at))
            break
        if len(names) > 1:
            report(f"  {name}")
        what = f"{so_many(how.deals, 'deal')} {name}"
        try:
            wired = Wired(bot, name, how)
            lines = wired.lines(1)
            report(CheckRow(what, "ok"))
            what = "same twice"
            same = lines == wired.lines(1)
            report(CheckRow(what, "ok") if same else CheckRow(what, "FAILED", (DIFFERENTLY,)))
            kinds[what] += not same
        except FailedError as failed:
            again = [] if kinds[failed.kind] else script_of(bot, name, how, failed)
            report(CheckRow(what, "FAILED", (*failed.words, *again)))
            kinds[failed.kind] += 1
            if failed.kind == "greeting":
                break
        if how.against:
            report(CheckRow(f"against {how.against}", "-", ("not compared: a bot plays in a separate process",)))
    return kinds.total()


def script_of(bot: Strategy, name: str, how: TrialOptions, failed: FailedError) -> list[str]:
    """Write the script of a failure, if a sitting shows it. Returns how to put it to the bot again."""
    if not failed.script:
        return []
    path = script_path(how.scripts, bot, name, failed.deal)
    write_script_file(path, failed.script)
    return [replay_command(path, failed.seat, plugins.spec(bot), how.game)]
