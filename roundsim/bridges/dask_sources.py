"""Third-party strategies, games and formats for other machines: their sources, with all files that they need."""

from __future__ import annotations

import os
import pickle
from collections.abc import Iterable
from dataclasses import replace
from hashlib import sha256 as hash_function
from pathlib import Path
from typing import Any, NamedTuple

from ..base.catalog import Origin
from ..base.errors import ClusterError, PluginError, StrategyError
from ..base.files import DATA, read_regular_file, real
from ..base.finding import display_path, files_of, modules_of, sha256
from ..sources import bots
from ..sources.homes import house_folder, in_house
from ..sources.plugins import Strategy
from ..tournament.formats import Sent
from ..tournament.planning.plan import Entry, Tournament

FILE = "\0"  # begins a word of a bot's command that is a file; no other word begins so
HOUSE = "house"


class SourceFiles(NamedTuple):
    """The content of a path, "source-1/mine.py": files by their names within its folder, with their bytes.

    For each file it also has whether it is executable. `program`: for a bot, the path and the sha256 of the program
    that executes it, if that is a file. `reader_path`: how a user here would write the path."""

    path: str
    files: dict[str, tuple[bool, bytes]]
    sha256: str
    reader_path: str
    program: tuple[str, str] = ("", "")


class PackedTournament(NamedTuple):
    """A tournament for other machines: its paths point to its sources, or to the house strategies."""

    tournament: Tournament
    sources: list[SourceFiles]

    def localized(self, message: str) -> str:
        """Translate a message about sources there into the paths of this machine."""
        for source in self.sources:
            message = message.replace(source.path, source.reader_path)
        return message


def sha256_of(data: bytes) -> str:
    return hash_function(data).hexdigest()


def as_sent(data: bytes, expected: str) -> bytes:
    """Return the data if it is what was sent. ClusterError."""
    if sha256_of(data) != expected:
        raise ClusterError(
            f"what arrived is not what was sent: its sha256 is {sha256_of(data)[:8]}, not {expected[:8]}"
        )
    return data


def pack_tournament(tournament: Tournament) -> PackedTournament:
    """Pack the sources as they are now. PluginError if one has changed since it was found."""
    packing = Packing()
    return PackedTournament(replace(tournament, entries=tuple(map(packing.entry, tournament.entries))), packing.sources)


class Packing:
    """Sources as they are collected: one for each path here."""

    def __init__(self) -> None:
        self.sources: list[SourceFiles] = []
        self.known: dict[tuple[str, ...], tuple[str, tuple[str, ...]]] = {}

    def entry(self, entry: Entry) -> Entry:
        strategies = tuple(map(self.strategy, entry.strategies))
        game, format = entry.deal.origin, entry.format
        sent: Any = format.sent()._replace(place=self.outside(format.origin)) if format.origin else format
        return replace(entry, strategies=strategies, home=self.outside(game) if game else "", format=sent)

    def strategy(self, strategy: Strategy) -> Strategy:
        """Return the strategy with a path, and words of a command, that hold there."""
        if not strategy.command and in_house(path := Path(strategy.path)):
            return replace(strategy, path=f"{HOUSE}/{real(path).relative_to(house_folder())}")
        key = (strategy.path, *strategy.command)
        if key not in self.known:
            added = self.bot(strategy) if strategy.command else (self.module(strategy.path, strategy.sha256), ())
            self.known[key] = added
        path_there, command = self.known[key]
        return replace(strategy, path=path_there, command=command)

    def outside(self, origin: Origin) -> str:
        """Return where a third-party game or format is there, and its class."""
        key = (origin.path,)
        if key not in self.known:
            self.known[key] = self.module(origin.path, origin.sha256), ()
        return f"{self.known[key][0]}:{origin.attribute}"

    def module(self, text: str, sha: str) -> str:
        """Add a file or package, with the files that it names."""
        path = Path(text)
        if sha256(path) != sha:
            raise PluginError(f"{display_path(path)} or a file that it names has changed since the run began")
        return self.add(path, path.parent, [*modules_of(path), *files_of(path)], sha)

    def bot(self, strategy: Strategy) -> tuple[str, tuple[str, ...]]:
        """Add the folder of a bot.toml with all that it names, or the files that are words of a command."""
        path, bot = Path(strategy.path), bots.as_it_lies(strategy.path, strategy.command)
        if bot.sha256 != strategy.sha256:
            raise PluginError(f"{display_path(path)} or a file that it plays by has changed since the run began")
        if path.is_dir():
            return self.add(path, path.parent, [path / bots.FILE, *bot.files], bot.sha256), bot.command
        if not bot.files:
            return str(path), bot.command
        folder = Path(os.path.commonpath([file.parent for file in bot.files]))
        whole = {str(file): f"{FILE}{file.relative_to(folder)}" for file in bot.files}
        command = tuple([whole.get(word, word) for word in bot.command])
        first = bot.command[0] if command[0].startswith(FILE) else ""
        program = (first, bots.file_digest(Path(first))) if first else ("", "")
        return self.add(path, folder, bot.files, bot.sha256, program), command

    def add(
        self, path: Path, folder: Path, files: Iterable[Path], sha: str, program: tuple[str, str] = ("", "")
    ) -> str:
        """Add a source of these files, named from a folder; return its path there."""
        there, data = f"source-{len(self.sources) + 1}", dict[str, tuple[bool, bytes]]()
        for file in files:
            try:
                data[str(file.relative_to(folder))] = os.access(file, os.X_OK), read_regular_file(file, DATA)
            except OSError as error:
                raise PluginError(f"{display_path(file)} cannot be read: {error.strerror}") from None
        self.sources.append(SourceFiles(f"{there}/{path.relative_to(folder)}", data, sha, display_path(path), program))
        return self.sources[-1].path


# From here on: on the other machine.


def unpack_tournament(packed: PackedTournament, folder: Path) -> Tournament:
    """Write the sources into a folder; return the tournament as it can be played there.

    ClusterError for a source that has changed, PluginError if a bot cannot play."""
    for source in packed.sources:
        for name, (executed, data) in source.files.items():
            path = folder / Path(source.path).parts[0] / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            path.chmod(0o755 if executed else 0o644)
    known = {source.path: source for source in packed.sources}

    def strategy(there: Strategy) -> Strategy:
        if there.path.startswith(f"{HOUSE}/"):
            return check_files(replace(there, path=str(house_folder() / there.path.removeprefix(f"{HOUSE}/"))))
        if there.command:
            return check_files(bot_here(there, known.get(there.path), folder))
        return check_files(replace(there, path=str(folder / there.path)))

    def entry(there: Entry) -> Entry:
        home = str(folder / there.home) if there.home else ""
        format = there.format
        if isinstance(format, Sent):
            format = format._replace(place=str(folder / format.place)).restored()
        own = replace(there, strategies=tuple(map(strategy, there.strategies)), home=home, format=format)
        if own.deal.origin and own.deal.origin.sha256 != known[there.home.rpartition(":")[0]].sha256:
            raise ClusterError(f"the game {own.game} has changed on the way")
        return own

    return replace(packed.tournament, entries=tuple(map(entry, packed.tournament.entries)))


def bot_here(strategy: Strategy, source: SourceFiles | None, folder: Path) -> Strategy:
    """Return a bot as it is here. PluginError if its program is not on this machine, or cannot be executed."""
    try:
        if source and (folder / source.path).is_dir():
            bot = bots.read_bot_file(folder / source.path / bots.FILE)
        else:
            root = folder / Path(source.path).parts[0] if source else folder
            command = [str(root / word[1:]) if word.startswith(FILE) else word for word in strategy.command]
            if source and is_same_program(*source.program):
                command[0] = source.program[0]
            bot = bots.as_it_lies("", command)
    except StrategyError as error:
        raise PluginError(f"the bot {strategy.name} cannot be started: {error}") from None
    return replace(strategy, path=str(bot.path), command=bot.command)


def is_same_program(program: str, sha: str) -> bool:
    """Whether a program is at the same path as at home, and is the same: an interpreter needs all that is around it."""
    return os.access(program, os.X_OK) and os.path.isfile(program) and bots.file_digest(Path(program)) == sha


def check_files(strategy: Strategy) -> Strategy:
    """Return the strategy if its files match its sha256. ClusterError."""
    path = Path(strategy.path)
    sha = bots.as_it_lies(strategy.path, strategy.command).sha256 if strategy.command else sha256(path)
    if sha != strategy.sha256:
        raise ClusterError(f"{strategy} has changed on the way: sha256 {sha[:8]}, not {strategy.sha256[:8]}")
    return strategy


def bytes_of(packed: PackedTournament) -> bytes:
    return pickle.dumps(packed)
