"""The documentation is correct: its code blocks run, the outputs that it shows are real, and it describes every command."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
import pytest
from command_flags import page_with_flags
from conftest import SURROUNDINGS
from helpers.command import PATIENCE, ROOT, environment
from helpers.documents import LEAVES, PAGES, Block, blocks

import roundsim
from roundsim import games
from roundsim.league.rules import league_rules
from roundsim.replaying.selection import deals_data
from roundsim.sources.homes import GROUP
from roundsim.sources.plugins import installed
from roundsim.tournament import formats
from roundsim.tournament.storage.folder import RunFolder

COMMANDS = ROOT / "docs" / "commands.md"
VENV = "python3 -m venv .venv && .venv/bin/pip install"
LANGUAGES = ("sh", "python", "toml", "")  # a block without a language is shown, not run
ALL = [block for page in PAGES for block in blocks(page)]

# Blocks that are not run unchanged.  The key is a page, and words that only that block has.

NOT_RUN = {
    ("README.md", "&& .venv/bin/pytest\n"): "it runs this suite; `.ci/run` ends with it",
    ("CONTRIBUTING.md", "&& .venv/bin/pytest\n"): "the same",
    ("docs/install.md", "pip install .\n"): "the README's first block does the same",
    ("docs/run-folder.md", 'pack = "As Kh ..."'): "the keys of a script, of several games at once: not a deal",
}
LONG = {("README.md", "roundsim run tournaments/parlour.toml"): "it creates an environment and needs a network"}
INSTEAD = {
    ("docs/strategies.md", 'games = ["draw-poker"]'): ('games = ["nap"]', "the blocks of this page are played at Nap"),
    ("docs/tutorial.md", "old=book"): ("old=book || [ $? -eq 1 ]", "the first try is worse"),
    ("docs/tournament-file.md", 'until = "book'): ('# until = "book', "it takes more than a few deals"),
    ("docs/tournament-file.md", "deals = 2000"): ("deals = 20", "the page shows a long run"),
    ("docs/tournament-file.md", "times = 200"): ("times = 2", "the same"),
}
FRAGMENTS = {  # the text before a block that is a part of a file
    ("docs/tournament-file.md", "times = 200"): '[tournament]\nformat = "freeze-out"\nstrategies = ["book", "random"]\n'
}


def keys_of(block: Block, table: Mapping[tuple[str, str], object]) -> list[tuple[str, str]]:
    """Return the keys of a table that mean this block."""
    page = str(block.page.relative_to(ROOT))
    return [(name, words) for name, words in table if name == page and words in block.text]


@pytest.mark.parametrize("table", [NOT_RUN, LONG, INSTEAD, FRAGMENTS], ids=["not run", "long", "instead", "fragments"])
def test_every_exception_names_a_block(table: Mapping[tuple[str, str], object]) -> None:
    meant = {words for block in ALL for words in keys_of(block, table)}
    assert meant == set(table)


def test_every_block_has_a_known_language() -> None:
    assert {block.language for block in ALL} <= set(LANGUAGES)
    for block in ALL:
        if block.language == "toml":
            tomllib.loads(block.text)


# The blocks of a page run in order, in one folder.


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A folder with `roundsim` and `python` on the PATH, and the tournaments and tests of this repository."""
    for name in "tournaments", "tests":
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / "bin").mkdir()
    for name, words in ("roundsim", "-m roundsim"), ("python", ""):
        program = tmp_path / "bin" / name
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" {words} "$@"\n')
        program.chmod(0o755)
    call(tmp_path, "git", "init", "-q")
    return tmp_path


def call(desk: Path, *words: object, answers: Sequence[str] = ()) -> str:
    paths = {"PATH": f"{desk / 'bin'}{os.pathsep}{os.environ['PATH']}", "XDG_CACHE_HOME": str(desk / "cache")}
    done = subprocess.run(
        [*map(str, words)],
        cwd=desk,
        env={**environment(), **SURROUNDINGS, **paths, "COLUMNS": "100"},
        input="\n".join(answers),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, f"{words}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def run_shell(desk: Path, block: Block, text: str) -> str:
    """Run commands.  Each must succeed, also before a pipe."""
    return call(desk, "bash", "-e", "-o", "pipefail", "-c", text)


def run_python(desk: Path, block: Block, text: str) -> None:
    """Run a program or tests.  Save a format for the blocks after it.  Save a game or a strategy, and play it; an outline of
    a strategy must only be found."""
    if game := re.search(r'^    id = "([\w-]+)"$', text, re.M):
        name = f"{game[1].replace('-', '_')}.py"
        (desk / name).write_text(text)
        call(desk, "roundsim", "play", name, "random", "--deals", 4, "--out", f"runs/line-{block.line}")
        return
    if "(MatchFormat):" in text:
        (desk / "king.py").write_text(text)
        return
    if "\ndef test_" in text:
        (desk / "test_page.py").write_text(text)
        call(desk, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_page.py")
        return
    if "import roundsim" in text or "from roundsim.claim " in text:
        (desk / "program.py").write_text(text)
        call(desk, sys.executable, "program.py")
        return
    name = "mine.py"
    (desk / name).write_text(text)
    call(desk, "git", "add", name)
    call(desk, "git", "commit", "-q", "--allow-empty", "-m", f"{block}")
    assert "mine.py" in call(desk, "roundsim", "strategies", name)
    if ": ...\n" not in text and "): ..." not in text:
        call(desk, "roundsim", "play", "nap", name, "random", "--deals", 4, "--out", f"runs/line-{block.line}")


def run_toml(desk: Path, block: Block, text: str) -> None:
    """Play a tournament, settle a scripted deal, test a claim, or install a package with entry points."""
    data = tomllib.loads(text)
    if "deals" in data:
        (desk / "deal.toml").write_text(text)
        own = desk / f"{data['game'].replace('-', '_')}.py"
        named = ["--game", own.name] if own.exists() else []
        assert call(desk, "roundsim", "settle", "deal.toml", *named) == "1 passed, 0 failed\n"
        return
    if "project" in data:
        (entries,) = data["project"]["entry-points"].items()
        assert entries[0] in (GROUP, games.GROUP, formats.FORMATS.group)
        install(desk, *entries)
        return
    if "claim" in data:
        (desk / "mine.toml").write_text(text)
        assert "verdict" in call(desk, "roundsim", "claims", "mine.toml", "--budget", "400")
        return
    if not (desk / "mine.py").exists():
        strategy = next(block.text for block in blocks(ROOT / "README.md") if "class Mine:" in block.text)
        (desk / "mine.py").write_text(strategy)
    if "house" in data:
        (desk / "league.toml").write_text(text)
        assert league_rules(desk).title == data["title"]
        return
    (desk / "tournament.toml").write_text(text)
    assert "results" in call(desk, "roundsim", "run", "tournament.toml", "--out", f"runs/line-{block.line}")


def install(desk: Path, group: str, points: dict[str, str]) -> None:
    """Install a package with strategies, or with a game or a format that exists here.  They must be found by name."""
    lines = [f"[{group}]"]
    for name, module in points.items():
        if group != GROUP:
            lines.append(f"{name} = {module}")
            continue
        path = desk / f"{module.replace('.', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        (path.parent / "__init__.py").touch()
        path.write_text("class Offered:\n    def act(self, view):\n        return view.legal[0]\n")
        lines.append(f"{name} = {module}")
    known = desk / "a_package-1.0.dist-info"
    known.mkdir()
    (known / "METADATA").write_text("Metadata-Version: 2.1\nName: a-package\nVersion: 1.0\n")
    (known / "entry_points.txt").write_text("\n".join(lines))
    paths, what = f"PYTHONPATH={desk}{os.pathsep}{environment()['PYTHONPATH']}", group.rpartition(".")[2]
    if what == "formats":
        for name in points:
            call(desk, "env", paths, "roundsim", "play", "nap", "book", "random", "--as", name, "--dry-run")
        return
    found = call(desk, "env", paths, "roundsim", what)
    wanted = points if group == games.GROUP else ("Offered",)
    assert all(re.search(rf"^ *{name} ", found, re.M) for name in wanted), found


def run_session(desk: Path, block: Block) -> None:
    """Give the answers after "> " to the command after "$ ", then any until the end. It must print what stands between
    them, in this order."""
    command, *lines = block.text.splitlines()
    answers = [line.removeprefix("> ") for line in lines if line.startswith("> ")]
    printed = call(desk, *command.removeprefix("$ ").split(), answers=[*answers, *["p", "1"] * 200])
    shown = "\n".join("..." if line.startswith("> ") else line for line in lines)
    assert_is_output(block._replace(text=without_samples(shown)), without_samples(printed))


def without_samples(text: str) -> str:
    """Leave out what a hint has measured: how many deals it imagines depends on the time."""
    return re.sub(r"^(    \w+(?: \w+)?) .*±.*$", r"\1", text, flags=re.M)


RUN: dict[str, Callable[[Path, Block, str], str | None]] = {"sh": run_shell, "python": run_python, "toml": run_toml}


NEEDED = {
    "export.md": ("pandas", "polars", "pyarrow"),
    "openspiel.md": ("pyspiel",),
    "learning.md": ("pettingzoo", "gymnasium"),
}
# a block without a language is the output of the one before
OUTPUT_SHOWN = "README.md", "contest.md", "tutorial.md", "whole-book.md"
SLOW = {  # these take seconds: CI runs them in the session `docs`
    *("README.md", "claims.md", "cluster.md", "commands.md", "contest.md", "export.md", "formats.md", "games.md"),
    *("learning.md", "notebooks.md", "openspiel.md", "play.md", "python.md", "report.md", "schemas.md"),
    *("strategies.md", "table.md", "tournament-file.md", "tutorial.md", "whole-book.md"),
}


def assert_is_output(block: Block, printed: str | None) -> None:
    """Compare without white space: the page wraps lines at its own width. A line of dots leaves something out."""
    rest = " ".join((printed or "").split())
    for part in filter(str.strip, re.split(r"^\.\.\.$", block.text, flags=re.M)):
        _, found, rest = rest.partition(" ".join(part.split()))
        assert found, f"{block}: the commands before it do not print this:\n{part}\nbut:\n{printed}"


@pytest.mark.parametrize(
    "page",
    [pytest.param(each, marks=[pytest.mark.soak] * (each.name in SLOW)) for each in PAGES],
    ids=lambda page: page.name,
)
def test_the_blocks_of_a_page_run(page: Path, desk: Path) -> None:
    for module in NEEDED.get(page.name, ()):
        pytest.importorskip(module)
    printed: str | None = None
    elsewhere = False  # another test compares the output of a long block
    for block in blocks(page):
        if block.text.startswith("$ roundsim sit") and page.name == "play.md":
            run_session(desk, block)
        if block.language == "" and page.name in OUTPUT_SHOWN and not elsewhere:
            assert_is_output(block, printed)
        if block.language not in RUN or keys_of(block, NOT_RUN):
            continue
        elsewhere = bool(keys_of(block, LONG))
        if elsewhere:
            continue
        text = block.text
        for _, words in keys_of(block, INSTEAD):
            text = text.replace(words, INSTEAD[str(page.relative_to(ROOT)), words][0])
        for key in keys_of(block, FRAGMENTS):
            text = FRAGMENTS[key] + text
        try:
            printed = RUN[block.language](desk, block, text)
        except AssertionError as error:
            raise AssertionError(f"{block}: {error}") from None


@pytest.mark.soak
@pytest.mark.parametrize("block", [block for block in ALL if keys_of(block, LONG)], ids=str)
def test_a_long_block_runs_in_a_fresh_checkout(block: Block, tmp_path: Path) -> None:
    """The block after it shows a part of its output."""
    unwanted = shutil.ignore_patterns(".*", "runs", "build", "dist", "*.egg-info", "__pycache__")
    checkout = Path(shutil.copytree(ROOT, tmp_path / "roundsim", ignore=unwanted))
    env = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    words = ["bash", "-e", "-c", block.text]
    done = subprocess.run(words, cwd=checkout, env=env, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    shown = ALL[ALL.index(block) + 1]
    assert (shown.page, shown.language) == (block.page, "")
    assert_is_output(shown, done.stdout)


def test_the_readme_is_short_and_begins_with_the_commands_of_ci() -> None:
    """`.ci/run` runs the first lines of its first two blocks."""
    page = ROOT / "README.md"
    assert len(page.read_text("utf-8").splitlines()) <= 100
    first, second = [block.text for block in blocks(page) if block.language == "sh"][:2]
    assert first == f"{VENV} -q . && .venv/bin/roundsim run tournaments/parlour.toml\n"
    assert second == f"{VENV} -q -e '.[test]' && .venv/bin/pytest\n"


def test_the_page_about_the_installation_has_the_extras_of_users() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    ours = {"bench", "bridges", "dev", "docs-torch", "site", "test"}
    page = (ROOT / "docs" / "install.md").read_text("utf-8")
    assert keys_in_table(page, "extra | installs | for") == {*extras} - ours


# The command line.


def flags(command: click.Command) -> set[str]:
    return {name for each in command.params if isinstance(each, click.Option) for name in each.opts}


KNOWN_FLAGS = {"--help", "--version"}.union(*map(flags, LEAVES.values()))
SECTIONS = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", COMMANDS.read_text("utf-8"), re.M | re.S))


def test_every_command_has_a_section() -> None:
    assert set(SECTIONS) - {"Shared flags", "Exit codes"} == set(LEAVES)


def test_the_flags_on_the_page_are_those_of_the_help() -> None:
    page = COMMANDS.read_text("utf-8")
    assert page == page_with_flags(page), "`python tools/command_flags.py` writes the flags into docs/commands.md"


@pytest.mark.parametrize("name", LEAVES)
def test_the_section_of_a_command_has_its_call_and_its_flags(name: str) -> None:
    """A flag has its own item, or is one of the shared flags; an option with two names is found by the longer one."""
    section = SECTIONS[name]
    assert re.match(rf"\n    roundsim {name}\b", section)
    marked = section.partition(f"<!-- flags: roundsim {name} -->")[2].partition("<!-- end -->")[0]
    own = re.findall(r"^\* `(-[\w-]+)", marked, re.M)
    shared = re.findall(r"`(-[\w-]+)", marked.partition("[shared flags]")[2])
    options = [each.opts[-1] for each in LEAVES[name].params if isinstance(each, click.Option)]
    assert sorted(own + shared) == sorted(options)
    assert {*shared} <= {
        *re.findall(r"^\* .*?`(--[\w-]+).*?:", SECTIONS["Shared flags"].partition("<!-- end")[0], re.M)
    }


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_name_only_existing_commands_and_flags(page: Path) -> None:
    """Looks at `roundsim ...` in code."""
    text = page.read_text("utf-8")
    first_words = {name.split()[0] for name in LEAVES}
    for called in re.findall(r"(?:`|^\s*|bin/)roundsim ([a-z]\w*)", text, re.M):
        assert called in first_words, called
    for line in re.findall(r"`(?:roundsim )([^`\n]+)`", text):
        assert {*re.findall(r"(?<!\S)--[\w-]+", line)} <= KNOWN_FLAGS, line


def test_the_readme_names_every_command() -> None:
    table = (ROOT / "README.md").read_text("utf-8").partition("## Commands")[2].partition("## ")[0]
    named = " ".join(re.findall(r"`([^`]+)`", table))
    assert all(re.search(rf"\b{name}\b", named) for name in LEAVES)


def test_the_commands_page_is_80_columns_wide() -> None:
    assert not [line for line in COMMANDS.read_text("utf-8").splitlines() if len(line) > 80]


# The report.


def keys_in_table(page: str, heading: str) -> set[str]:
    """Return the keys in the table of a page with this heading."""
    rows = page.partition(f"| {heading} |")[2].partition("\n\n")[0].splitlines()[2:]
    return {key for row in rows for key in re.findall(r"`(\w+)`", row.split("|")[1])}


@pytest.mark.soak
def test_every_key_of_a_deal_in_a_report_is_described(tmp_path: Path) -> None:
    """Speculation has sealed answers, draw poker has actions that others see differently, and a shadow has replays."""
    page, deals = (ROOT / "docs" / "report.md").read_text("utf-8"), list[dict[str, Any]]()
    table = '[tournament]\nformat = "shadow"\nstrategies = ["random", "random"]\n[[games]]\ngame = "nap"\ndeals = 16\n'
    (tmp_path / "t.toml").write_text(table)
    runs = [
        roundsim.play(game, ["random"], seats=4, deals=16, out=tmp_path / game)
        for game in ("speculation", "draw-poker")
    ]
    for played in [*runs, roundsim.run(tmp_path / "t.toml", out=tmp_path / "nap")]:
        folder = RunFolder(played.folder)
        tournament = folder.tournament()
        deals += deals_data(folder, tournament, [found.address for found in played.deals()]).values()
    steps = {key for deal in deals for step in deal["steps"] for key in step}
    assert keys_in_table(page, "key of a step") == steps | {"f"}, "f: only at a fault"
    assert keys_in_table(page, "key of a deal") == {key for deal in deals for key in deal} - {"m", "e"}, (
        "m, e: keys of a step"
    )


def test_every_game_has_one_picture() -> None:
    """docs/tables.md shows each once.  All pictures together stay small."""
    shown = re.findall(r"\]\(pictures/(.+)\.png\)", (ROOT / "docs" / "tables.md").read_text("utf-8"))
    assert sorted(shown) == sorted(games.ours())
    pictures = [*(ROOT / "docs" / "pictures").iterdir()]
    assert {path.stem for path in pictures} == {*shown, "standings", "deal", "phone"}
    assert sum(path.stat().st_size for path in pictures) < 2_500_000


def test_every_game_is_measured() -> None:
    """Also every strategy that plays it.  `python docs/measure.py GAME` measures one again."""
    measured = json.loads((ROOT / "roundsim/reports/measured.json").read_text("utf-8"))["games"]
    assert sorted(measured) == sorted(games.ours())
    for each in installed([]):
        assert all(each.name in measured[game]["strength"] for game in each.games), each


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_have_a_target(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text("utf-8")):
        if "://" in target or target.startswith("reference/"):  # built with the site; test_site.py follows these
            continue
        path, _, part = target.partition("#")
        other = (page.parent / path) if path else page
        assert other.exists(), target
        if part:
            titles = re.findall(r"^#+ (.+)$", other.read_text("utf-8"), re.M)
            assert part in {re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in titles}, target
