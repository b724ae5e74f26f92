"""The published packages: the wheel, the sdist, and their pages."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from email import message_from_bytes
from email.message import Message
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple
from zipfile import ZipFile

import pytest
from helpers.command import PATIENCE, ROOT
from helpers.documents import LEAVES

from roundsim import __version__

SKIP = shutil.ignore_patterns(".git", ".venv", ".nox", ".*_cache", "build", "runs", "*.egg-info", "*.so", "__pycache__")
SOURCE = "https://roundsim.example/roundsim"


class Built(NamedTuple):
    """The files of two builds from copies of the checkout, and what the first one printed."""

    sdist: Path
    wheel: Path
    again: Path
    printed: str

    @property
    def metadata(self) -> Message:
        with ZipFile(self.wheel) as wheel:
            return message_from_bytes(wheel.read(f"roundsim-{__version__}.dist-info/METADATA"))


def python(*words: object, cwd: Path, **env: str) -> str:
    """The output of a module of this Python, run in a folder that is not on its path."""
    outside = {name: value for name, value in os.environ.items() if name != "CFLAGS"}
    done = subprocess.run(
        [sys.executable, "-P", "-m", *map(str, words)],
        cwd=cwd,
        env={**outside, **env},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def build(place: Path) -> Built:
    """An sdist and the wheel of it; and another wheel, from a folder elsewhere."""
    epoch = {"SOURCE_DATE_EPOCH": "1700000000"}
    one, other = (shutil.copytree(ROOT, place / folder, ignore=SKIP) for folder in ("one", "deeper/down/a-longer-name"))
    printed = python("build", "--outdir", place / "first", ".", cwd=one, **epoch)
    python("build", "--wheel", "--outdir", place / "second", ".", cwd=other, **epoch)
    (sdist,), (wheel,), (again,) = (place.glob(each) for each in ("first/*.tar.gz", "first/*.whl", "second/*.whl"))
    return Built(sdist, wheel, again, printed)


def test_the_version_and_the_source_are_the_same_everywhere() -> None:
    citation = dict(re.findall(r"^([\w-]+): (.+)$", (ROOT / "CITATION.cff").read_text("utf-8"), re.M))
    urls = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["urls"]
    assert citation["version"] == __version__ and citation["repository-code"] == urls["Source"] == SOURCE
    assert all(url.startswith(SOURCE) for url in urls.values())


def test_actions_are_pinned_by_hash() -> None:
    """With the version next to it; zizmor, in `nox -s lint`, finds the rest."""
    for file in ROOT / "action.yml", *(ROOT / ".github" / "workflows").glob("*.yml"):
        for used in re.findall(r"uses: (.*)", file.read_text("utf-8")):
            assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", used), (file, used)


@pytest.mark.soak
def test_published_packages(tmp_path: Path) -> None:
    """In one test, as the builds take long."""
    for tool in "build", "twine", "validate_pyproject":
        pytest.importorskip(tool)
    built = build(tmp_path / "packages")
    a_build_says_nothing_and_is_the_same_anywhere(built)
    the_metadata_stands_alone(built)
    the_tools_of_the_index_accept_it(built)
    the_wheel_has_what_it_plays_with(built)
    the_sdist_is_a_checkout(built, tmp_path / "sdist")


def a_build_says_nothing_and_is_the_same_anywhere(built: Built) -> None:
    """An `exclude` of MANIFEST.in for which there is no file is as it should be."""
    warnings = [line for line in built.printed.splitlines() if re.search("warning|deprecated", line, re.I)]
    expected = r"warning: no previously-included files .*|warning: \w+: byte-compiling is disabled, skipping\."
    assert not [line for line in warnings if not re.fullmatch(expected, line)]
    assert built.wheel.name == built.again.name
    assert sha256(built.wheel.read_bytes()).hexdigest() == sha256(built.again.read_bytes()).hexdigest()


def the_metadata_stands_alone(built: Built) -> None:
    page = built.metadata.get_payload()
    assert isinstance(page, str)
    links = re.findall(r"\]\(([^)]*)\)", page)
    assert len(links) == (ROOT / "README.md").read_text("utf-8").count("](")
    assert all(link.startswith("https://") for link in links)
    assert f"{SOURCE}/blob/v{__version__}/docs/tutorial.md" in links
    assert f"{SOURCE}/raw/v{__version__}/docs/pictures/nap.png" in links
    files = [link.removeprefix(f"{SOURCE}/").split("/", 2)[2].partition("#")[0] for link in links if SOURCE in link]
    assert all((ROOT / file).exists() for file in files)
    urls = dict(each.split(", ") for each in built.metadata.get_all("Project-URL", []))
    assert {*urls} == {"Changelog", "Documentation", "Issues", "Source"}


def the_tools_of_the_index_accept_it(built: Built) -> None:
    assert python("twine", "check", "--strict", built.sdist, built.wheel, cwd=ROOT).count("PASSED") == 2
    assert "Valid" in python("validate_pyproject", "pyproject.toml", cwd=ROOT)


def the_wheel_has_what_it_plays_with(built: Built) -> None:
    """All modules and data files, a manual page of each command, and the C of a bot alone."""
    with ZipFile(built.wheel) as wheel:
        names = {*wheel.namelist()}
        points = wheel.read(f"roundsim-{__version__}.dist-info/entry_points.txt").decode()
        manual = wheel.read(f"roundsim-{__version__}.data/data/share/man/man1/roundsim-play.1").decode()
    assert "[pytest11]\nroundsim = roundsim.bridges.pytest_scripts\n" in points
    data = [each for each in (ROOT / "roundsim").rglob("*") if each.suffix not in (".c", ".md", ".pyc", ".so")]
    assert {str(each.relative_to(ROOT)) for each in data if each.is_file()} <= names
    others = {name for name in names if name.endswith((".c", ".md"))}
    assert others == {"roundsim/league/scaffold/entries.md", "roundsim_bots/README.md", "roundsim_bots/c/bot.c"}
    pages = {Path(name).stem for name in names if name.endswith(".1")}
    assert {f"roundsim-{name.replace(' ', '-')}" for name in LEAVES} | {"roundsim", "roundsim-new"} == pages
    assert manual.startswith('.TH "ROUNDSIM PLAY" "1" "2023-11-14"') and r"\-\-deals" in manual


def the_sdist_is_a_checkout(built: Built, place: Path) -> None:
    """It has every file that git has, and its tests run with the wheel."""
    with tarfile.open(built.sdist) as sdist:
        sdist.extractall(place, filter="data")
    (source,) = place.iterdir()
    if (ROOT / ".git").exists():
        kept = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
        assert not [name for name in kept if (ROOT / name).exists() and not (source / name).exists()]
    python("pip", "install", "-q", "--no-deps", "--target", place / "there", built.wheel, cwd=place)
    words = "pytest", "-n", "0", "-p", "no:cacheprovider", "tests/mechanics", "tests/refereeing/test_table.py"
    printed = python(*words, cwd=source, PYTHONPATH=str(place / "there"))
    assert int(re.findall(r"(\d+) passed", printed)[-1]) >= 50
