"""The modules whose names are promised, and imports of third-party modules from any other."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from importlib import import_module
from typing import NamedTuple

from .faces import MOVED

FACES = ("strategy", "game", "format", "claim", "odds", "testing")  # besides `roundsim` itself
PACKAGES = ("games", "bridges")  # whose modules are faces, too
BY_NAME = FACES[:-1]  # in the order of advice
USUAL = tuple(f"{face} import ".encode() for face in FACES) + tuple(face.encode() for face in PACKAGES)


class InnerImport(NamedTuple):
    """An import of names that are not promised: its line, the module, and the names, none for the module itself."""

    line: int
    module: str
    names: tuple[str, ...]

    @property
    def face(self) -> str:
        """The face that has all these names, or took the place of a module that has moved; "" if none does."""
        if self.module in MOVED:
            return MOVED[self.module][1]
        if not self.names:
            return ""
        if set(self.names) <= {*import_module("roundsim").__all__}:
            return "roundsim"
        faces = (f"roundsim.{face}" for face in BY_NAME)
        return next((face for face in faces if {*self.names} <= {*import_module(face).__all__}), "")

    def __str__(self) -> str:
        """The message for the author."""
        face = self.face
        advice = f": import {', '.join(self.names) or 'its names'} from {face}" if face else ""
        return f"{self.module} may change at any time{advice}"


def inner_imports(source: bytes) -> Iterator[InnerImport]:
    """Yield the imports of a module's source that take names of ours which are not promised. It is not executed.

    Most sources have none, and are not parsed."""
    after = source.split(b"roundsim.")[1:]
    if b"from roundsim import " not in source and all(text.startswith(USUAL) for text in after):
        return
    import ast

    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # shown when it is loaded
        return
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(level=0, module="roundsim"):
                known = {*FACES, *PACKAGES, *import_module("roundsim").__all__}
                for alias in node.names:
                    if alias.name not in known and alias.name != "*":
                        yield InnerImport(node.lineno, f"roundsim.{alias.name}", ())
            case ast.ImportFrom(level=0, module=str(module)) if is_inner(module):
                yield InnerImport(node.lineno, module, tuple([alias.name for alias in node.names]))
            case ast.Import():
                for alias in node.names:
                    if is_inner(alias.name):
                        yield InnerImport(node.lineno, alias.name, ())


def is_inner(module: str) -> bool:
    """Return whether a module is ours and no face."""
    top, *rest = module.split(".")
    return top == "roundsim" and bool(rest) and rest[0] not in PACKAGES and (rest[0] not in FACES or len(rest) > 1)


def warn_of_inner_imports(path: str, source: bytes) -> None:
    """Warn of each import of a third-party module that takes names which are not promised."""
    for inner in inner_imports(source):
        warnings.warn_explicit(str(inner), DeprecationWarning, path, inner.line)
