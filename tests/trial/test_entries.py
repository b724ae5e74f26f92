"""The entries of a contest: named on the command line, and the same when it goes on."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from roundsim.base.errors import FolderError, PluginError, StrategyError
from roundsim.tournament.planning.plan import Limits
from roundsim.trial.contest import Named, checked_entries, entries_named, entry_digest, refuse_changed
from roundsim.trial.trial import TrialOptions


def test_a_path_that_is_not_there_is_refused() -> None:
    with pytest.raises((PluginError, StrategyError), match="nowhere"):
        list(entries_named(["nowhere/mine.py"]))


def test_a_folder_that_cannot_be_read_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(path: Path) -> Any:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "iterdir", fail)
    with pytest.raises(PluginError, match="Permission denied"):
        list(entries_named([str(tmp_path)]))


def test_a_contest_goes_on_with_the_same_entries_only(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("one.py", "two.py")]
    for path in paths:
        path.write_text("def act(view):\n    return view.legal[0]\n")
    texts = [*map(str, paths)]
    contest: Any = SimpleNamespace(entries=[SimpleNamespace(file=p.name, sha256=entry_digest(str(p))) for p in paths])
    refuse_changed(tmp_path, contest, texts)
    for other in (texts[::-1], texts[:1]):
        with pytest.raises(FolderError, match="other entries"):
            refuse_changed(tmp_path, contest, other)
    paths[1].write_text("def act(view):\n    return view.legal[-1]\n")
    with pytest.raises(FolderError, match="other entries: two.py"):
        refuse_changed(tmp_path, contest, texts)


def test_an_entry_with_a_bad_name_is_left_out_for_it(tmp_path: Path) -> None:
    named = [Named("book"), Named("_eve.py", "rename it")]
    how = TrialOptions("nap", {}, None, 1, Limits(), tmp_path)
    entries = checked_entries(named, how, 1, lambda done, total: None)
    found = [(each.file, each.name, each.reason) for each in entries]
    assert found == [("book", "book", ""), ("_eve.py", "", "rename it")]
