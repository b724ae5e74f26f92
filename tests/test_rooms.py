"""The README in each room of the package is correct, and CONTRIBUTING.md lists the rooms."""

from __future__ import annotations

import ast
import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from itertools import takewhile
from pathlib import Path

import mutants
import pytest
from helpers.command import ROOT

from roundsim.base.faces import places_in

PACKAGE = ROOT / "roundsim"
MODULES = [file for kind in ("py", "c") for file in PACKAGE.rglob(f"*.{kind}")]
ROOMS = sorted(
    folder
    for folder, modules in Counter(file.parent for file in MODULES).items()
    if modules > 1 and folder != PACKAGE and folder.parent != PACKAGE / "games"
)
LAYERS = [  # from above
    name.removeprefix("roundsim.")
    for layer in tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"][0][
        "layers"
    ]
    for name in layer.split(" | ")
]
MANY = 5  # modules that import from a room: its README names their room
USED_BY_ALL = "It is used by every room above it."
USED = re.compile(r"It is used by ([^.]*(?:`[^`]*`[^.]*)*)\.\s*\Z")
QUOTED = re.compile(r"`([^`]+)`")


def text_of(room: Path) -> str:
    file = room / "README.md"
    return file.read_text("utf-8") if file.is_file() else ""


def module_of(path: Path) -> str:
    """The name by which a file or a folder of the checkout is imported."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def within(module: str, package: str) -> bool:
    return f"{module}.".startswith(f"{package}.")


@cache
def imported() -> dict[str, set[str]]:
    """The modules that each module of the package imports. A name from a face is imported from where its stub has it."""
    grimp = pytest.importorskip("grimp", reason="import-linter, of the extra dev, brings it")
    graph = grimp.build_graph("roundsim", cache_dir=None)
    found = {each: graph.find_modules_directly_imported_by(each) for each in graph.modules}
    files = {module_of(file): file for file in MODULES}
    for stub in PACKAGE.glob("*.pyi"):
        face = module_of(stub)
        places = {name: f"roundsim{module}" for name, (module, _) in places_in(stub.read_text("utf-8")).items()}
        found[face] |= {*places.values()}
        for user in graph.find_modules_that_directly_import(face):
            found[user] |= {
                places[name.name]
                for node in ast.walk(ast.parse(files[user].read_bytes()))
                if isinstance(node, ast.ImportFrom) and node.module == face
                for name in node.names
            }
    return found


def users_of(room: Path) -> dict[str, set[str]]:
    """The modules that import from a room, by their room at the top."""
    inside, users = module_of(room), defaultdict[str, set[str]](set)
    for module, others in imported().items():
        if not within(module, inside) and any(within(each, inside) for each in others):
            users[".".join(module.split(".")[:2])].add(module)
    return users


def imports_outside(folder: Path, room: Path) -> bool:
    """Whether a folder next to the package imports from a room."""
    line = re.compile(rf"^\s*(?:from|import) {re.escape(module_of(room))}\b", re.MULTILINE)
    return any(line.search(file.read_text("utf-8")) for file in folder.rglob("*.py"))


def wrong_users(room: Path) -> Iterator[str]:
    """Users that a README names and that import nothing from the room, and users that it should name."""
    text, users = text_of(room), users_of(room)
    if text.endswith(f"{USED_BY_ALL}\n"):
        above = [each for each in takewhile(lambda each: each != room.name, LAYERS) if (PACKAGE / each).is_dir()]
        if len(above) < 15:
            yield f"{len(above)} rooms are above it: name those that use it"
        yield from (f"{each} does not use it" for each in above if f"roundsim.{each}" not in users)
        return
    modules, named = set[str]().union(*users.values()), set[str]()
    for name in QUOTED.findall(text.partition("It is used by")[2]):
        if (PACKAGE / name).exists():
            using = {each for each in modules if within(each, module_of(PACKAGE / name))}
            named |= using
            if not using:
                yield f"{name} does not use it"
        elif not imports_outside(ROOT / name, room):
            yield f"{name} does not use it"
    most = min(MANY, max(map(len, users.values()), default=0))
    yield from (f"{top} uses it" for top, using in users.items() if len(using) >= most and not using <= named)


def missing_names(room: Path) -> Iterator[str]:
    """Names in backticks and links of a README that mean nothing."""
    text = text_of(room)
    for name in QUOTED.findall(text):
        if name.endswith((".py", ".c", "/", "*")) and not any(any(at.glob(name)) for at in (room, PACKAGE, ROOT)):
            yield f"{name} is not there"
    yield from (f"{link} is not there" for link in re.findall(r"\]\(([^)#]+)", text) if not (room / link).exists())


def wrong_form(room: Path) -> Iterator[str]:
    text = text_of(room)
    if not text.startswith(f"# {room.relative_to(PACKAGE)}/\n\n") or len(text.splitlines()) > 14:
        yield "it has no README of at most 14 lines with its name as heading"
    if not re.search(r"\nBegin with `[^`]+\.(py|c)`", text):
        yield "its README does not say where to begin"
    if not (text.endswith(f" {USED_BY_ALL}\n") or QUOTED.search((USED.search(text) or [""])[0])):
        yield "its README does not end with its users"


def problems(check: Callable[[Path], Iterator[str]]) -> list[str]:
    return [f"{room.relative_to(PACKAGE)}: {each}" for room in ROOMS for each in check(room)]


def test_each_room_has_a_readme() -> None:
    assert {PACKAGE / "base", PACKAGE / "native", PACKAGE / "guests" / "inside"} < {*ROOMS}
    assert not problems(wrong_form)


def test_readmes_name_what_is_there() -> None:
    assert not problems(missing_names)


def test_readmes_name_the_users_of_a_room() -> None:
    assert {"roundsim.cli.sit", "roundsim.game"} < imported().keys()
    assert not problems(wrong_users)


def test_contributing_lists_the_rooms_from_above() -> None:
    table = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("| room | holds |\n")[2].partition("\n\n")[0]
    listed = [name for row in table.splitlines() for name in QUOTED.findall(row.split("|")[1])]
    assert [name.removesuffix("/").removesuffix(".py") for name in listed] == LAYERS
    folders = {f"{file.parent.name}/" for file in MODULES if file.parent.parent == PACKAGE}
    assert folders == {name for name in listed if name.endswith("/")}


def test_mutants_know_the_tests_of_each_room() -> None:
    rooms = {room.name for room in ROOMS if room.parent == PACKAGE}
    assert mutants.TESTS.keys() - {"."} <= rooms
    assert all((ROOT / "tests" / test).exists() for room in rooms for test in mutants.TESTS.get(room, [room]))
