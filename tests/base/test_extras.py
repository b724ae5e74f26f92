"""The command that installs an extra fits how roundsim was installed."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from helpers.command import ROOT

from roundsim.base import extras

COMMIT = {"vcs": "git", "commit_id": "8c1f04"}


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of installed packages, with the Python and the pip of an environment."""
    monkeypatch.setattr(extras, "PACKAGE", tmp_path / "site-packages" / "roundsim")
    bin = tmp_path / "work" / ".venv" / "bin"
    for folder in (tmp_path / "site-packages" / "roundsim-0.1.0.dist-info", tmp_path / "checkout", bin):
        folder.mkdir(parents=True)
    for name in "python", "pip":
        (bin / name).touch(0o755)
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.setattr(sys, "executable", str(bin / "python"))
    monkeypatch.setenv("PATH", str(bin))
    return tmp_path / "site-packages"


@pytest.mark.parametrize(
    ("origin", "command"),
    [
        (None, "pip install 'roundsim[export]'"),
        ({"url": "file:///roundsim-0.1.0.whl", "archive_info": {}}, "pip install 'roundsim[export]'"),
        ({"url": "file://CHECKOUT", "dir_info": {}}, "pip install 'CHECKOUT[export]'"),
        ({"url": "file:///no/longer/there", "dir_info": {}}, "pip install 'roundsim[export]'"),
        ({"url": "https://h/r", "vcs_info": COMMIT}, "pip install 'roundsim[export] @ git+https://h/r@8c1f04'"),
    ],
)
def test_the_command_is_that_of_the_recorded_origin(origin: dict[str, Any] | None, command: str, site: Path) -> None:
    checkout = str(site.parent / "checkout")
    if origin:
        text = json.dumps(origin).replace("CHECKOUT", checkout)
        (site / "roundsim-0.1.0.dist-info" / "direct_url.json").write_text(text)
    assert extras.install_command("export") == command.replace("CHECKOUT", checkout)


def test_an_editable_checkout_is_named_from_the_current_folder(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checkout = site.parent / "checkout"
    (checkout / "pyproject.toml").touch()
    monkeypatch.setattr(extras, "PACKAGE", checkout / "roundsim")
    for folder, named in (checkout, "."), (site.parent, "./checkout"), (site, str(checkout)):
        monkeypatch.chdir(folder)
        assert extras.install_command("dask") == f"pip install -e '{named}[dask]'"


def test_without_an_active_environment_its_python_is_named(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/usr/bin")
    assert extras.install_command("export") == "./.venv/bin/python -m pip install 'roundsim[export]'"


def test_no_other_text_says_how_to_install_an_extra() -> None:
    """The page about the installation does; with the address of a commit it is right everywhere."""
    pages = [
        *ROOT.glob("*.md"),
        *ROOT.glob("docs/*.md"),
        *ROOT.glob("examples/**/*.md"),
        *ROOT.glob("roundsim/**/*.py"),
    ]
    found = [
        page.name
        for page in pages
        if page not in (ROOT / "docs" / "install.md", ROOT / "roundsim" / "base" / "extras.py")
        and re.search(r"install [^\n]*'roundsim\[\w+\](?! @ git)", page.read_text("utf-8"))
    ]
    assert not found
