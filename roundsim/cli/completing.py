"""Values that the shell completes: the types of parameters whose values are names or files that are there.

No strategy, and no third-party game, is imported for it: their files are only listed, and names read from their text."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import BashComplete, CompletionItem, FishComplete, ZshComplete, add_completion_class

if TYPE_CHECKING:
    Complete = Callable[[click.Context, str], Iterable[str | CompletionItem[str]]]

BREAKS = ":="  # bash splits words there
PLAIN = re.compile(r"[\w.,:=/~@%+-]*")  # in a word that no shell takes for more than a word
TITLE = re.compile(r'^    title = "(.+)"$', re.M)
NAME = re.compile(r'^    name = "(.+)"$', re.M)


class Completed(click.ParamType):  # type: ignore[type-arg,unused-ignore]  # generic since click 8.4
    """Texts, or paths, that a function completes."""

    name = "text"

    def __init__(self, complete: Complete, kind: Callable[[str], Any] = str) -> None:
        self.complete, self.kind = complete, kind

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Any:
        """Return the value as the command takes it."""
        return self.kind(value)

    def shell_complete(
        self, context: click.Context, parameter: click.Parameter, incomplete: str
    ) -> list[CompletionItem[str]]:
        """Return what the word may become; nothing if anything goes wrong, because the shell is at a prompt."""
        with suppress(Exception):
            items = [as_item(value) for value in self.complete(context, incomplete)]
            return [item for item in items if fits(item.value, incomplete)]
        return []


def as_item(value: str | CompletionItem[str]) -> CompletionItem[str]:
    """Return a value as an item, if it is none."""
    return CompletionItem(value) if isinstance(value, str) else value


def fits(value: str, incomplete: str) -> bool:
    """Return whether a word may become this: a run is also found by its own name.

    Somebody's file may have a name that a shell would execute."""
    if not PLAIN.fullmatch(value):
        return False
    return value.startswith(incomplete) or "/" not in incomplete and value.startswith(f"runs/{incomplete}")


@add_completion_class
class Bash(BashComplete):
    """Completion in bash, which splits words at : and =, and replaces only what follows these."""

    source_template = BashComplete.source_template.replace(
        "COMPREPLY+=($value)\n", "COMPREPLY+=($value)\n            [[ $value == *[=:/] ]] && compopt -o nospace\n"
    )
    kept = ""  # of the word

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the words as they were written."""
        typed = list[str]()
        before, word = super().get_completion_args()
        for last, text in pairwise(["", *before, word]):
            joins = typed and text and (is_break(last) or is_break(text))
            begun = typed.pop() if joins else ""
            self.kept = begun + text * is_break(text) if joins else ""
            typed.append(begun + text)
        return typed[:-1], typed[-1]

    def format_completion(self, item: CompletionItem[str]) -> str:
        """Return what bash puts in the place of the last part of the word."""
        return f"{item.type},{item.value.removeprefix(self.kept)}"


@add_completion_class
class Zsh(ZshComplete):
    """Completion in zsh. A word that ends with one of =:/ goes on, so no space follows it."""

    source_template = (
        ZshComplete.source_template.replace(
            "local -a response\n", "local -a response partial partial_with_descriptions\n"
        )
        .replace(
            'if [[ "$descr" == "_" ]]; then\n',
            'if [[ "$descr" == "_" && "$key" == *[=:/] ]]; then\n                partial+=("$key")\n'
            '            elif [[ "$key" == *[=:/] ]]; then\n                partial_with_descriptions+=("$key":"$descr")\n'
            '            elif [[ "$descr" == "_" ]]; then\n',
        )
        .replace(
            "compadd -U -V unsorted -a completions\n    fi\n",
            "compadd -U -V unsorted -a completions\n    fi\n"
            "    if (( $#partial_with_descriptions )); then\n"
            "        _describe -V unsorted partial_with_descriptions -U -S ''\n    fi\n"
            "    if (( $#partial )); then\n        compadd -U -S '' -V unsorted -a partial\n    fi\n",
        )
    )


@add_completion_class
class Fish(FishComplete):
    """Completion in fish. A word or its help may have a comma in it."""

    source_template = FishComplete.source_template.replace('string split ","', 'string split -m 1 ","')


def is_break(word: str) -> bool:
    """Return whether bash has split a word here."""
    return bool(word) and not word.strip(BREAKS)


# Games and their options.


def complete_games(context: click.Context, word: str) -> Iterator[CompletionItem[str]]:
    """Yield the ids of games, after the last comma, with the titles of ours."""
    from ..games import GAMES

    before = word[: word.rfind(",") + 1]
    for name in GAMES.names():
        yield CompletionItem(before + name, help=title_in_source(name) if name in GAMES.ours() else None)


def title_in_source(game: str) -> str | None:
    """Return the title of one of our games."""
    from ..games import GAMES

    path = Path(next(iter(GAMES.paths)), game.replace("-", "_"))
    file = path / "game.py" if path.is_dir() else path.with_suffix(".py")
    match = TITLE.search(file.read_text("utf-8"))
    return match[1] if match else None


def options(context: click.Context, word: str) -> Iterator[CompletionItem[str]]:
    """Yield the options of our games on the command line, `key=`, or after that their values if they are few."""
    from ..games import GAMES

    key, equals, _ = word.partition("=")
    asked = (context.params.get("game") or first_word(context)).split(",")
    every = [option for name in asked if name in GAMES.ours() for option in GAMES.find(name).rules_type.declared]
    for option in every:
        if not equals:
            yield CompletionItem(f"{option.key}=", help=option.help)
        elif option.key == key:
            schema = option.values.schema()
            values = ["false", "true"] if schema.get("type") == "boolean" else schema.get("enum", [])
            yield from (CompletionItem(f"{key}={value}") for value in values if isinstance(value, str))


# Files, strategies and runs.


def complete_paths(word: str, *endings: str) -> Iterator[str]:
    """Yield the folders where a word leads, with a slash, and the files there with these endings."""
    start, folder = word[: word.rfind("/") + 1], os.path.expanduser(word[: word.rfind("/") + 1]) or "."
    with suppress(OSError):
        for path in sorted(Path(folder).iterdir()):
            if path.name[0] not in "._":
                if path.is_dir():
                    yield f"{start}{path.name}/"
                elif path.name.endswith(endings):
                    yield start + path.name


def python_files(context: click.Context, word: str) -> Iterator[str]:
    """Yield the Python files where a word leads."""
    return complete_paths(word, ".py")


def complete_strategies(context: click.Context, word: str) -> Iterator[str]:
    """Yield installed strategies, Python files and folders, after NAME=; and after `mine.py:` the classes there."""
    before = word[: word.rfind("=") + 1]
    place, colon, _ = word[len(before) :].rpartition(":")
    if colon:
        yield from (f"{before}{place}:{name}" for name in classes_in(Path(place).expanduser()))
        return
    yield from (before + name for name in installed_names())
    yield from (before + path for path in complete_paths(word[len(before) :], ".py"))


def installed_names() -> list[str]:
    """Return the names of the installed strategies, as their sources write them."""
    from ..base.finding import modules_of, sources_in
    from ..sources.homes import entry_sources, house_folder

    ours = {name for source in sources_in(house_folder()) for module in modules_of(source) for name in names_in(module)}
    modules = [module for _, source, _ in entry_sources([]) for module in modules_of(source)]
    return sorted(ours.union(*[names_in(module) or classes_in(module) for module in modules]))


def names_in(module: Path) -> list[str]:
    """Return the names that the classes of a module give themselves."""
    return NAME.findall(module.read_text("utf-8"))


def classes_in(module: Path) -> list[str]:
    """Return the names of the public classes in a Python file, and of its function `act`, in their order."""
    import ast

    from ..base.files import MODULE, read_regular_file

    body = ast.parse(read_regular_file(module, MODULE)).body
    classes = [node.name for node in body if isinstance(node, ast.ClassDef) and node.name[0] != "_"]
    return classes + [node.name for node in body if isinstance(node, ast.FunctionDef) and node.name == "act"]


def runs(context: click.Context, word: str) -> Iterator[str]:
    """Yield the runs in `runs`, the newest first, and the runs and folders where a word leads."""
    from ..tournament.storage.runs import is_run, runs_in

    names = list[str]()
    if "/" not in word:
        with suppress(OSError):
            names = [f"runs/{run.name}" for run in runs_in(Path("runs"))]
    yield from names
    if word or not names:
        yield from (
            path.removesuffix("/") if is_run(Path(path).expanduser()) else path for path in complete_paths(word)
        )


def addresses(context: click.Context, word: str) -> Iterator[str]:
    """Yield runs and the scripts where a word leads; after RUN: its entries."""
    run, colon, _ = word.rpartition(":")
    if colon:
        yield from (f"{run}:{entry}/" for entry in entries_in_run(Path(run)))
        return
    yield from (path if path.endswith("/") else f"{path}:" for path in runs(context, word))
    yield from (path for path in complete_paths(word, ".toml") if not path.endswith("/"))


def entries(context: click.Context, word: str) -> list[str]:
    """Return the entries of the run on the command line."""
    return entries_in_run(run_on(context))


def entries_in_run(run: Path) -> list[str]:
    """Return the entries of a run, by the folders of its log."""
    return sorted(entry.name for entry in (run.expanduser() / "log").iterdir())


def entrants(context: click.Context, word: str) -> list[str]:
    """Return the strategies of the run on the command line, by the names in its record."""
    from ..base.files import TEXT, read_regular_file
    from ..base.toml import toml_of

    data = toml_of(read_regular_file(run_on(context) / "run.toml", TEXT).decode())
    return sorted({str(game_data["name"]) for game in data["games"] for game_data in game["strategies"]})


def run_on(context: click.Context) -> Path:
    """Return the run on the command line; of an address the part before the colon."""
    text = first_word(context)
    return Path(text if os.path.exists(text) else text.rpartition(":")[0]).expanduser()


def first_word(context: click.Context) -> str:
    """Return the first argument on the command line. Click leaves it among the rest if an option lacks its value yet."""
    name = next(parameter.name for parameter in context.command.params if isinstance(parameter, click.Argument))
    return str(context.params.get(str(name)) or context.args[0])


GAME_ID, OPTION = Completed(complete_games), Completed(options)
STRATEGY, SOURCE_FILE = Completed(complete_strategies), Completed(python_files)
RUN, RUN_OR_DEAL, ADDRESS = Completed(runs, Path), Completed(runs), Completed(addresses)
ENTRY, ENTRANT = Completed(entries), Completed(entrants)
