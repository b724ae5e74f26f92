"""The start of a process leaves the program that starts it as it is."""

from __future__ import annotations

import sys

import pytest

from roundsim.processes import start


def test_the_main_module_is_as_before_after_a_start(monkeypatch: pytest.MonkeyPatch) -> None:
    main = sys.modules["__main__"]
    monkeypatch.setattr(main, "__file__", "mine.py", raising=False)
    with start.no_main_module():
        assert not hasattr(main, "__file__")
    assert main.__file__ == "mine.py"
