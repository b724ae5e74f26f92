"""A plugin of pytest: each deal of a script, and each comparison of hands, is a test.

pytest loads it wherever roundsim is installed, so it imports nothing before it finds a script. It finds none unless the
configuration says `roundsim_scripts = true`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    purpose = "collect the scripted deals of roundsim in *.toml files, those with [[deals]] or [[compare]]"
    parser.addini("roundsim_scripts", purpose, type="bool", default=False)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    wanted = file_path.suffix == ".toml" and parent.config.getini("roundsim_scripts")
    return ScriptFile.from_parent(parent, path=file_path) if wanted else None


class ScriptFile(pytest.File):
    """A file with deals or comparisons; any other has no tests."""

    def collect(self) -> Iterator[pytest.Item]:
        from ..base.errors import ScriptError
        from ..refereeing.script import load_toml

        try:
            self.data = load_toml(self.path)
        except ScriptError as error:
            raise self.CollectError(str(error)) from None
        for key, word in ("deals", "deal"), ("compare", "compare"):
            entries = self.data.get(key)
            for number in range(1, 1 + len(entries) if isinstance(entries, list) else 1):
                yield ScriptItem.from_parent(self, name=f"{word} {number}")

    @cached_property
    def settled(self) -> dict[str, str]:
        """How each part that was played differs from what the file expects, "" if it does not."""
        from ..replaying.settle import settle_parts

        return dict(settle_parts(self.data, str(self.path)))


class ScriptItem(pytest.Item):
    """A deal of a script, played after those before it, or a comparison."""

    parent: ScriptFile

    def runtest(self) -> None:
        if self.name not in self.parent.settled:
            pytest.skip("a deal before it differs, or ends the sitting")
        if difference := self.parent.settled[self.name]:
            pytest.fail(difference, pytrace=False)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        from ..base.errors import RoundsimError

        known = isinstance(excinfo.value, RoundsimError)
        return str(excinfo.value) if known else super().repr_failure(excinfo, style)
