"""Every promised function and class has a docstring, and the examples in it hold."""

from __future__ import annotations

import doctest
import inspect
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

FACES = (
    "roundsim",
    "roundsim.strategy",
    "roundsim.game",
    "roundsim.format",
    "roundsim.claim",
    "roundsim.odds",
    "roundsim.testing",
)
NOT_OURS = {
    "roundsim.game.Seat": "another name of int",
    "roundsim.game.pips": "the lookup of a dict, which is faster than a function and has the docstring of Python",
}
LEAST_WORDS = 6
LEAST_EXAMPLES = 35  # docstrings that have some


def promised() -> Iterator[tuple[str, Any]]:
    """Yield the functions and classes of the faces, each under its first name."""
    seen = set[int]()
    for face in FACES:
        module = import_module(face)
        for name in sorted(module.__all__):
            thing = getattr(module, name)
            if (inspect.isclass(thing) or inspect.isroutine(thing)) and id(thing) not in seen:
                seen.add(id(thing))
                yield f"{face}.{name}", thing


PROMISED = dict(promised())


def examples_of(name: str, **known: object) -> list[doctest.DocTest]:
    """Return the docstrings with examples of a function, or of a class and its methods; `known`: their globals."""
    finder = doctest.DocTestFinder(exclude_empty=True)
    return [found for found in finder.find(PROMISED[name], name, module=False, globs=known) if found.examples]


@pytest.mark.parametrize("name", [name for name in PROMISED if name not in NOT_OURS])
def test_docstring_and_its_examples(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    thing = PROMISED[name]
    text = thing.__doc__ or ""
    assert len(text.split()) >= LEAST_WORDS, f"{name}: {text!r}"
    assert not text.startswith(f"{thing.__name__}("), f"{name}: the docstring that Python makes for its fields"

    monkeypatch.chdir(tmp_path)
    report: list[str] = []
    for example in examples_of(name, folder=tmp_path):
        doctest.DocTestRunner(verbose=False).run(example, out=report.append)
    assert not report, "".join(report)


def test_examples_import_from_the_faces_alone() -> None:
    lines = [
        line.strip()
        for name in PROMISED
        if name not in NOT_OURS
        for found in examples_of(name)
        for example in found.examples
        for line in example.source.splitlines()
    ]
    imports = [line.split() for line in lines if line.startswith(("import ", "from "))]
    foreign = {words[1] for words in imports if words[1] not in FACES and not words[1].startswith("roundsim.games.")}
    assert imports and not foreign


def test_many_docstrings_have_examples() -> None:
    having = [name for name in PROMISED if name not in NOT_OURS and examples_of(name)]
    assert len(having) >= LEAST_EXAMPLES, having
