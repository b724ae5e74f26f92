"""The modules whose names are promised: docs, examples and authors import nothing else, and old imports keep working."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from conftest import Shell, Write
from helpers.command import ROOT, environment

from roundsim.base.faces import MOVED
from roundsim.base.finding import module_file
from roundsim.base.importing import module_at
from roundsim.base.promised import FACES, inner_imports

FENCE = "```python\n"
OLD = """from roundsim.toolkit import say
from roundsim.table.cards import (
    PACK,
    Card,
)
import roundsim.refereeing.sitting
from roundsim.native import native
from roundsim import errors, strategy

def act(view):
    return say(view, "pass")
"""


def blocks(page: Path) -> Iterator[str]:
    """Yield the blocks of Python of a page; those that show only a part of a module may not parse."""
    for block in page.read_text("utf-8").split(FENCE)[1:]:
        yield block.partition("```")[0]


def sources() -> Iterator[tuple[str, str]]:
    """Yield what authors write: the name and the text of each module, and of each block of a page."""
    for pattern in "docs/*.md", "*.md":
        for page in ROOT.glob(pattern):
            yield from ((f"{page.name}, block {number}", block) for number, block in enumerate(blocks(page), 1))
    for folder in "examples", "strategies", "claims", "tests/outside":
        yield from ((str(path.relative_to(ROOT)), path.read_text("utf-8")) for path in (ROOT / folder).rglob("*.py"))


def test_authors_import_only_what_is_promised() -> None:
    every = dict(sources())
    assert len(every) > 100
    assert [(name, str(each)) for name, text in every.items() for each in inner_imports(text.encode())] == []


def test_games_are_written_as_an_author_would_write_them() -> None:
    """They import names of `roundsim.game`; Cassino has a part in C."""
    for path in (ROOT / "roundsim" / "games").rglob("*.py"):
        if path == ROOT / "roundsim" / "games" / "__init__.py":
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.level or (node.module or "").startswith("roundsim")):
                package = ["roundsim", *path.relative_to(ROOT / "roundsim").parent.parts]
                base = package[: len(package) - node.level + 1] if node.level else []
                module = ".".join([*base, *(node.module or "").split(".")]).rstrip(".")
                assert (
                    module == "roundsim.game"
                    or module.startswith("roundsim.games")
                    or ((path.name, module) == ("cassino.py", "roundsim.native"))
                ), f"{path.name}:{node.lineno}: {module}"


@pytest.mark.parametrize(("page", "lines"), [("games.md", 110), ("formats.md", 40)])
def test_an_example_has_one_import_of_ours(page: str, lines: int) -> None:
    example = next(blocks(ROOT / "docs" / page))
    assert sum(line.startswith(("from roundsim", "import roundsim")) for line in example.splitlines()) == 1
    assert len(example.splitlines()) <= lines


@pytest.mark.parametrize("face", [*FACES, ""])
def test_a_face_has_the_names_that_it_lists(face: str) -> None:
    module = import_module(f"roundsim.{face}" if face else "roundsim")
    assert len(module.__all__) == len({*module.__all__}) > 5
    assert all(hasattr(module, name) for name in module.__all__) and {*module.__all__} <= {*dir(module)}
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = module.nothing


def test_an_inner_import_is_found_with_its_new_place(write: Write, shell: Shell) -> None:
    found = [(each.line, str(each)) for each in inner_imports(OLD.encode())]
    assert found == [
        (1, "roundsim.toolkit may change at any time: import say from roundsim.strategy"),
        (2, "roundsim.table.cards may change at any time: import PACK, Card from roundsim.strategy"),
        (6, "roundsim.refereeing.sitting may change at any time"),
        (7, "roundsim.native may change at any time"),
        (8, "roundsim.errors may change at any time: import its names from roundsim"),
    ]
    path = write("old.py", OLD)
    with pytest.warns(DeprecationWarning) as warned:
        module_at(path)
    ours = [(each.lineno, str(each.message)) for each in warned if each.filename == str(path)]
    assert {*found} <= {*ours} and (1, "roundsim.toolkit has moved: import from roundsim.strategy") in ours
    done = shell("check", path, "--game", "nap", "--deals", 4)
    assert (
        f"{path.name}:2: roundsim.table.cards may change at any time: import PACK, Card from roundsim.strategy"
        in done.out
    )


@pytest.mark.parametrize("old", MOVED)
def test_a_module_that_has_moved_is_the_one_at_its_new_place(old: str) -> None:
    """In a fresh process, whichever of the two is imported first."""
    place, face = MOVED[old]
    program = (
        f"import warnings\nwarnings.simplefilter('always')\nimport {old} as old, {place} as new\nprint(old is new)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment(), capture_output=True, text=True, check=True
    )
    assert done.stdout == "True\n" and done.stderr.count("DeprecationWarning") == 1
    assert f"{old} has moved: import from {face}\n" in done.stderr


def test_a_face_has_the_modules_that_have_moved_and_a_star_takes_what_it_promises() -> None:
    program = (
        "import roundsim\nassert roundsim.errors.InputError is roundsim.InputError\nfrom roundsim.game import *\nPACK"
    )
    subprocess.run([sys.executable, "-c", program], env=environment(), check=True)
    assert not [*inner_imports(b"from roundsim import *\nfrom roundsim.games import nap\n")]
    assert module_file("roundsim.toys") == module_file("roundsim.bridges.toys")
