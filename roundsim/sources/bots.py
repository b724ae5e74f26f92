"""Bots: programs in any language, named by their command or by a `bot.toml`. Finding one executes nothing of it."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import shutil
from collections.abc import Iterator, Sequence
from contextlib import suppress
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

from .. import games
from ..base.errors import PluginError, StrategyError, did_you_mean
from ..base.files import DATA, irregularity, opened, read_regular_file, real
from ..base.finding import digest_of, display_path, files_at, list_folder, stamp, within_limit
from ..base.toml import text_of
from ..base.values import Either, Key, Listed, Text, Values

COMMAND = "cmd:"  # begins the text that names a bot by its command
FILE = "bot.toml"
NEEDED = "name", "command"
STRATEGY_NAME = re.compile(r"[^\W\d_][\w.-]{0,39}")
START = re.compile(r"^[\W\d_]+")  # before the first letter
LONG = 40  # characters of a name that is made of a command
MOST = 1 << 16  # bytes of a bot.toml
LINE = 256  # bytes of the first line of a script that the kernel reads


class Parameters(Values):
    """The parameters of a bot: values that a record of the run, and any language, can hold."""

    def __str__(self) -> str:
        return "a table of texts, numbers, true or false, or lists of them"

    def read(self, value: Any) -> dict[str, Any]:
        if not isinstance(value, dict) or not all(map(str.isidentifier, value)):
            raise ValueError
        return {key: recordable(item) for key, item in value.items()}

    def schema(self) -> dict[str, Any]:
        plain = {"type": ["string", "number", "boolean", "array"]}
        return {"type": "object", "propertyNames": {"pattern": r"^[^\W\d]\w*$"}, "additionalProperties": plain}


KEYS = {  # of a bot.toml
    "name": Key(
        "Its name in standings and files.",
        Text("a letter first, then letters, digits, '.', '_' and '-', 40 in all", STRATEGY_NAME.pattern),
    ),
    "games": Key(
        'The ids of the games that it plays, or "*" for every game, which is the default.',
        Listed(Text(), 'a list of game ids, ["nap"]'),
    ),
    "command": Key(
        "The command that starts it. A word that is a file is found in the folder of the bot.toml.",
        Either(Text(), Listed(Text(), ""), words='a text, "node bot.js", or a list of its words'),
    ),
    "files": Key(
        "Other files that it depends on: they belong to its identity.",
        Listed(Text(), 'a list of file names, ["policy.bin"]'),
    ),
    "parameters": Key("Its parameters with their defaults.", Parameters()),
}


class Bot(NamedTuple):
    """A bot as it was found. `path`: the folder of its `bot.toml`, else its file. `command`: its words, files as
    absolute paths; `files`: all files that it depends on. `usual`: its default parameters."""

    name: str
    games: tuple[str, ...]  # () is every game
    path: Path
    command: tuple[str, ...]
    files: tuple[Path, ...]
    usual: tuple[tuple[str, Any], ...] = ()

    @property
    def sha256(self) -> str:
        """The digest of its words, and of the names and bytes of its files, wherever they lie; of a program without a
        slash the name alone. PluginError if a file cannot be read."""
        own = {str(file): file_digest(file) for file in self.files}
        command = [[self.called(word), own[word]] if word in own else [word] for word in self.command]
        files = sorted([self.called(file), own[file]] for file in own)
        return hashlib.sha256(json.dumps([command, files, self.usual]).encode()).hexdigest()

    def called(self, file: str) -> str:
        """Return the name of a file: from the folder of a bot.toml, else its own."""
        return os.path.relpath(file, self.path) if self.path.is_dir() else os.path.basename(file)


def file_digest(file: Path) -> str:
    try:
        return digest_of(file, *stamp(file))
    except OSError as error:
        raise PluginError(f"{display_path(file)} cannot be read: {error.strerror}") from None


def by_command(place: str, folder: Path) -> Bot:
    """Return the bot of `cmd:./bot --depth 3`: each word that is a file, from this folder, is identified by its bytes.
    StrategyError."""
    try:
        command_words = split_command(place.removeprefix(COMMAND))
        named_files = [file_at(folder, os.path.expanduser(word)) for word in command_words]
        named_files[0] = bot_program(command_words[0], named_files[0], folder)
    except StrategyError as error:
        raise StrategyError(f"{place}: {error}") from None
    command = tuple([str(file or word) for word, file in zip(command_words, named_files, strict=True)])
    files = tuple(dict.fromkeys([file for file in named_files if file]))
    path = files[0] if files else Path(shutil.which(command_words[0]) or command_words[0])
    within_limit(files, path)
    return Bot(bot_name(command, files, path), (), path, command, files)


def bot_name(command: Sequence[str], files: Sequence[Path], path: Path) -> str:
    """Return `bot --depth 3`: the program, or the file that an interpreter is given, and the words after it."""
    start = command.index(str(path)) if files else 0
    parts = [Path(word).name if Path(word) in files else word for word in command[start + 1 :]]
    name = START.sub("", " ".join([path.stem, *parts])) or "bot"
    return name if len(name) <= LONG else f"{name[: LONG - 3]}..."


def split_command(text: str) -> list[str]:
    """Return the words of a command, as a shell reads them. StrategyError."""
    try:
        parts = shlex.split(text)
    except ValueError as error:
        raise StrategyError(f"it cannot be taken apart into words: {error}") from None
    return check_command(parts)


def check_command(parts: list[str]) -> list[str]:
    """Check that words can start a program, and that a log can hold them. Returns them. StrategyError."""
    if not parts or not parts[0]:
        raise StrategyError("there is no command")
    for word in parts:
        if not word.isprintable():
            raise StrategyError(f"{word[:80]!r} has characters that cannot be printed")
    return parts


def file_at(folder: Path, word: str) -> Path | None:
    """Return the file that a word names, if it names one."""
    path = os.path.abspath(folder / word)
    return Path(path) if os.path.isfile(path) else None


def near(word: str) -> str:
    """Return a word of a found command as it would be written here: a file below the current folder from there."""
    own = os.path.relpath(word)
    return f"./{own}" if os.path.isabs(word) and os.path.isfile(word) and not own.startswith("..") else word


def bot_program(word: str, file: Path | None, folder: Path) -> Path | None:
    """Return the file that is executed; None for a program that is found by its name. StrategyError if there is
    none."""
    if "/" not in word:
        if not shutil.which(word):
            meant = f"; the file is ./{word}" if file else ""
            raise StrategyError(f"no program {word!r} on the PATH{meant}")
        return None
    if not file:
        raise StrategyError(f"there is no file {word}: misspelt, or not built yet?")
    if not os.access(file, os.X_OK):
        raise StrategyError(f"{word} cannot be executed: chmod +x {shlex.quote(display_path(file))}")
    if interpreter_line(file).endswith(b"\r\n"):
        raise StrategyError(
            f"{word} cannot be executed: its first line has a Windows line end (CR LF), and so the name of its interpreter"
            f" has a CR: save it with Unix line ends, sed -i 's/\\r$//' {shlex.quote(display_path(file))}"
        )
    return file


def interpreter_line(program: str | Path) -> bytes:
    """Return what the first line of a script has after "#!"; b"" for any other program, and for one that cannot be
    read."""
    with suppress(OSError), opened(program, DATA) as file:
        line = file.readline(LINE)
        return line[2:] if line.startswith(b"#!") else b""
    return b""


def is_bot(source: Path) -> bool:
    """Return whether a source is a bot's, which is never imported."""
    return source.name == FILE


def file_in(path: Path) -> Path | None:
    """Return the bot.toml that a path names: itself, or that of a folder."""
    file = path / FILE if os.path.isdir(path) else path
    return file if is_bot(file) and os.path.lexists(file) else None


def bots_in(folder: Path) -> Iterator[Path]:
    """Yield the bot.toml of each bot in a folder of strategies."""
    for inner in list_folder(folder) if os.path.isdir(folder) else ():
        if os.path.isdir(inner) and (file := file_in(inner)):
            yield file


class BotFile:
    """A bot.toml. Its mistakes are reported with their lines."""

    def __init__(self, path: Path) -> None:
        """Read the file. PluginError if that fails."""
        import tomllib  # of bots alone

        self.path, self.text = path, ""
        try:
            if wrong := irregularity(path, real(path.parent)):
                raise self.wrong(wrong)
            self.text = text_of(read_regular_file(path, MOST))
            self.data = tomllib.loads(self.text)
        except OSError as error:
            raise PluginError(f"{display_path(path)} cannot be read: {error.strerror}") from None
        except RecursionError:
            raise self.wrong("too many brackets inside one another") from None
        except ValueError as error:
            raise self.wrong(f"no TOML: {error}") from None

    def wrong(self, problem: str, key: str = "") -> PluginError:
        return PluginError(f"{self.place(key)}: {problem}")

    def place(self, key: str) -> str:
        """Return 'mine/bot.toml:3', the line of a key or table; the file alone if the line is unknown."""
        match = re.search(rf"^[ \t]*\[?[ \t]*[\"']?{re.escape(key)}\b", self.text, re.M) if key else None
        return (
            f"{display_path(self.path)}:{self.text.count(chr(10), 0, match.start()) + 1}"
            if match
            else display_path(self.path)
        )

    def check(self) -> None:
        """Check it. PluginError if a key is unknown, missing, or has a wrong value."""
        for key in self.data:
            if key not in KEYS:
                raise self.wrong(f"unknown key {key}{did_you_mean(key, KEYS)}: {', '.join(KEYS)}", key)
        for key in NEEDED:
            if key not in self.data:
                raise self.wrong(f"{key} is not there: {KEYS[key].values}")
        for key, value in self.data.items():
            if not KEYS[key].values.fits(value):
                raise self.wrong(f"{key} must be {KEYS[key].values}, not {value!r:.80}", key)
        for game in self.data.get("games", ()):
            if game not in ("*", *games.names()):
                raise self.wrong(f"{game!r} is no game{did_you_mean(game, games.names())}", "games")

    def command(self) -> list[tuple[str, Path | None]]:
        """Return its words, each with the file in its folder that it names. PluginError."""
        command, folder = self.data["command"], self.path.parent
        try:
            parts = check_command(command) if isinstance(command, list) else split_command(command)
            inside = [not os.path.isabs(word) and ".." not in Path(word).parts for word in parts]
            named_files = [
                file_at(folder, word) if within else None for word, within in zip(parts, inside, strict=True)
            ]
            for word, file in zip(parts, named_files, strict=True):
                if file and (wrong := irregularity(file, real(folder))):
                    raise StrategyError(f"{word}: {wrong}")
            if not inside[0]:
                raise StrategyError(f"{parts[0]} must lie in the folder of {FILE}, or be found on the PATH by its name")
            named_files[0] = bot_program(parts[0], named_files[0], folder)
        except StrategyError as error:
            raise self.wrong(f"command: {error}", "command") from None
        return [*zip(parts, named_files, strict=True)]

    def files(self) -> Iterator[Path]:
        """Yield the files that it names. PluginError."""
        for name in self.data.get("files", ()):
            yield from sorted(files_at(self.path.parent, name, f"{self.place('files')}: files", FILE))


def read_bot_file(path: Path) -> Bot:
    """Return the bot of a bot.toml. PluginError says what is wrong with it, and where."""
    page = BotFile(Path(os.path.abspath(path)))
    page.check()
    parts, data = page.command(), page.data
    command = tuple([str(file or word) for word, file in parts])
    files = dict.fromkeys([*[file for _, file in parts if file], *page.files()])
    within_limit(files, page.path)
    listed, usual = data.get("games", ()), tuple(sorted(data.get("parameters", {}).items()))
    plays = () if "*" in listed else tuple(listed)
    return Bot(data["name"], plays, page.path.parent, command, tuple(files), usual)


def recordable(value: Any) -> Any:
    """Return a value in a form that a record of the run can hold; ValueError for others."""
    if isinstance(value, list | tuple):
        return [recordable(item) for item in value]
    if not isinstance(value, str | bool | int | float) or isinstance(value, float) and not isfinite(value):
        raise ValueError
    if isinstance(value, int) and not -(1 << 63) <= value < 1 << 63:
        raise ValueError
    return value


def as_it_lies(path: str, command: Sequence[str]) -> Bot:
    """Return the bot that was found there, as it is now. StrategyError, PluginError."""
    if os.path.isdir(path):
        return read_bot_file(Path(path, FILE))
    return by_command(COMMAND + shlex.join(command), Path(os.devnull))  # in which no other word is a file
