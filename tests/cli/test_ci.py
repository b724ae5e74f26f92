"""The output for build servers: annotations, the job summary and JUnit XML; and the jobs of docs/ci.md."""

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
from random import Random
from typing import Any, NamedTuple
from xml.etree import ElementTree

import pytest
import yaml
from conftest import Git, Shell, Write
from helpers.command import PATIENCE, ROOT, WHOLE, environment, roundsim, seldom, seldom_with
from helpers.forging import Forged

from roundsim.base.errors import RulesError, clean
from roundsim.base.text import number
from roundsim.reports.ci import Note
from roundsim.tournament.storage.folder import RunFolder

pytestmark = pytest.mark.usefixtures("here")

STEADY = 'games = ["nap"]\n\ndef act(view):\n    return view.legal[0]\n'
# It calls as much as it can, and loses by it.
RASH = STEADY.replace("legal[0]", 'legal[-1 if view.phase == "call" else 0]')
FAULTY = """
    games = ["nap"]

    def act(view):
        if view.phase == "play":
            return fail(view)
        return view.legal[0]

    def fail(view):
        raise ValueError({words!r})
"""
HOSTILE = "oops\n::error::pwned\r::set-output name=x::y %0A ##[add-mask]z\n# Better <b>`x` </failure>\x1b\ud800"
CLEARED = '    os.path.isdir("gone") and os.rmdir("gone")\n    return'
FEW = "--jobs", 1, "--deals", 1280  # of Nap: 80 blocks, the least that a gate must have


@pytest.fixture(autouse=True)
def on_no_build_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever these tests are run on."""
    for name in "GITHUB_STEP_SUMMARY", "GITHUB_WORKSPACE":
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def summary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The job summary, in which another step has written before."""
    path = tmp_path / "summary.md"
    path.write_text("of another step\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(path))
    return path


@pytest.fixture
def versions(write: Write) -> None:
    """Strategies for gates."""
    for name, text in ("steady", STEADY), ("same", f"{STEADY}# the same\n"), ("rash", RASH):
        write(f"{name}.py", text)


class Command(NamedTuple):
    name: str
    properties: dict[str, str]
    data: str


def commands(text: str) -> list[Command]:
    """The commands that GitHub finds: a line that begins with `::`, after spaces, too; and, in the older form, `##[`
    anywhere in any other line."""
    found = []
    for line in re.split("\r\n|\r|\n", text):
        if new := re.match(r"\s*::([\w-]+)(?: (.*?))?::(.*)", line):
            pairs = [pair.split("=", 1) for pair in (new[2] or "").split(",") if pair]
            properties = {key: plain(value, "%3A", "%2C") for key, value in pairs}
            found.append(Command(new[1], properties, plain(new[3])))
        elif old := re.search(r"##\[([\w-]+)[^]]*\](.*)", line):
            found.append(Command(f"##[{old[1]}]", {}, old[2]))
    return found


def plain(text: str, *more: str) -> str:
    """A text that was escaped: the percent sign comes last, as it is in the others."""
    for code in ("%0D", "%0A", *more, "%25"):
        text = text.replace(code, chr(int(code[1:], 16)))
    return text


def cases(path: Path) -> dict[str, dict[str, list[ElementTree.Element]]]:
    """The elements of each case of each suite; the numbers in the heads are those of the elements."""
    suites = {}
    for suite in ElementTree.parse(path).getroot():
        assert suite.tag == "testsuite"
        suites[suite.attrib["name"]] = {case.attrib["name"]: list(case) for case in suite}
        said = [each.tag for case in suite for each in case]
        counted = {"tests": len(suite)} | {f"{kind}s": said.count(kind) for kind in ("failure", "error")}
        counted["skipped"] = said.count("skipped")
        assert {key: int(suite.attrib[key]) for key in counted} == counted
    return suites


def tags(path: Path) -> dict[str, dict[str, str]]:
    """The same, as far as each has passed, failed, was skipped."""
    return {
        suite: {name: " ".join(each.tag for each in said) for name, said in inner.items()}
        for suite, inner in cases(path).items()
    }


def test_no_character_of_a_text_ends_a_command() -> None:
    text = "a\r\n::error::b,c=d%0A%253A"
    note = Note("error", text, text, {"file": text, "line": "8"})
    assert commands(str(note)) == [Command("error", {"file": text, "line": "8", "title": text}, text)]


@pytest.mark.parametrize(
    ("mine", "baseline", "code", "level", "word", "tag"),
    [
        ("steady", "rash", 0, "notice", "better", ""),
        pytest.param("rash", "steady", 1, "error", "worse", "failure", marks=pytest.mark.soak),
        pytest.param("steady", "same", 3, "warning", "undecided", "skipped", marks=pytest.mark.soak),
    ],
)
def test_a_gate_reports_its_result(
    mine: str, baseline: str, code: int, level: str, word: str, tag: str, versions: None, summary: Path, tmp_path: Path
) -> None:
    words = "gate", "nap", f"new={mine}.py", f"old={baseline}.py", *FEW, "--ci", "github", "--junit", "out.xml"
    done = roundsim(*words, cwd=tmp_path, code=code)
    (command,) = commands(done.stdout + done.stderr)
    figures, _, _ = done.stdout.partition(f"\n{word}\n")
    assert command._replace(data=" ".join(command.data.split())) == Command(
        level, {"title": f"gate: {word}"}, " ".join(figures.split())
    )
    assert all(re.match(r"new - old| {4}\w", line) for line in command.data.splitlines()), "a line for each finding"
    assert tags(tmp_path / "out.xml") == {"nap": {"new": "", "old": "", "new - old > 0": tag}}
    before, first, *rest = summary.read_text().splitlines()
    assert (before, first) == ("of another step", f"# nap: {word}")
    assert "| rank " in "\n".join(rest)
    assert not any(line.startswith("## Faults") for line in rest)


@pytest.mark.parametrize(
    ("rule", "tag"), [("rash - steady > 0", "failure"), *seldom_with(("±0.0001", "skipped"), ("separated", ""))]
)
def test_a_rule_to_stop_by_is_a_case(rule: str, tag: str, versions: None, tmp_path: Path, shell: Shell) -> None:
    words = "play", "nap", "steady.py", "rash.py", "--until", rule, *FEW, "--ci", "github", "--junit", "out.xml"
    done = shell(*words)
    assert done.code == 0 and not commands(done.err)  # nobody has made a gate of it
    assert tags(tmp_path / "out.xml") == {"nap": {"steady": "", "rash": "", rule: tag}}


@pytest.mark.soak
def test_a_gate_of_two_games_has_two_suites(versions: None, tmp_path: Path) -> None:
    for name in "steady", "rash":
        path = tmp_path / f"{name}.py"
        path.write_text(path.read_text().replace('["nap"]', '["nap", "loo"]'))
    words = "gate", "nap,loo", "new=rash.py", "old=steady.py", "--deals", 3000, "--jobs", 1, "--junit", "out.xml"
    roundsim(*words, cwd=tmp_path, code=1)
    assert [*tags(tmp_path / "out.xml")] == ["nap", "loo"]
    for cases in tags(tmp_path / "out.xml").values():
        assert [*cases] == ["new", "old", "new - old > 0"]
    assert tags(tmp_path / "out.xml")["nap"]["new - old > 0"] == "failure"


@pytest.fixture
def hostile(write: Write) -> Path:
    return write("own,100%/bad.py", FAULTY.format(words=HOSTILE))


@pytest.mark.soak
def test_faults_come_first_and_write_no_command_of_their_own(
    hostile: Path, versions: None, summary: Path, tmp_path: Path, shell: Shell
) -> None:
    words = *FEW, "--sitting", 8, "--ci", "github", "--junit", "out.xml"
    done = shell("gate", "nap", "new=own,100%/bad.py", "old=steady.py", *words)
    assert done.code == 2
    (run,) = (tmp_path / "runs").iterdir()
    first = json.loads((run / "faults.jsonl").read_text().splitlines()[0])
    assert "::set-output" in first["words"] and "##[add-mask]" in first["words"]
    gate, fault = commands(done.out + done.err)
    assert (gate.name, gate.properties["title"]) == ("error", "gate: void")
    assert fault.name == "error"
    assert fault.properties["file"] == "own,100%/bad.py" and fault.properties["line"] == "9"
    (rows,) = [game["rows"] for game in json.loads((run / "standings.json").read_text())["games"]]
    ((kind, times),) = next(row["faults"] for row in rows if row["strategy"] == "new").items()
    counted = f"exception {number(times)} times, first in {first['deal']}"
    assert kind == "exception" and times > 20, "more than are reported in full"
    again = f"roundsim replay runs/{run.name}:{first['deal']}"
    assert fault.properties["title"] == f"new: {counted}"
    assert fault.data.splitlines() == [first["words"], *first["where"], again]

    failure, *others = cases(tmp_path / "out.xml")["nap"]["new"]
    assert not others and failure.attrib == {"type": "exception", "message": counted}
    assert again in (failure.text or "")
    assert not cases(tmp_path / "out.xml")["nap"]["old"]

    text = summary.read_text()
    assert text.startswith("of another step\n# nap: a strategy misbehaved\n")
    lines = text.partition("\n## Faults\n")[2].splitlines()
    assert f"    {again}" in lines
    assert all(not line or line.startswith("    ") for line in lines), "only what is set in is shown as it is"
    assert shell(*again.split()[1:]).code == 0


@pytest.mark.parametrize(("allowed", "code", "level", "tag"), [(0, 2, "error", "failure"), (10**6, 0, "warning", "")])
def test_faults_that_are_allowed_are_warnings(
    allowed: int, code: int, level: str, tag: str, write: Write, tmp_path: Path, shell: Shell
) -> None:
    write("bad.py", FAULTY.format(words="no"))
    head = f'[tournament]\nstrategies = ["bad.py", "random"]\n[limits]\nfaults_allowed = {allowed}\n'
    write("t.toml", f'{head}[[games]]\ngame = "nap"\ndeals = 1\n')
    done = shell("run", "t.toml", "--jobs", 1, "--ci", "github", "--junit", "out.xml")
    assert done.code == code
    assert {each.name for each in commands(done.err)} - {"notice"} == {level}
    assert tags(tmp_path / "out.xml") == {"nap": {"bad": tag, "random": ""}}


@pytest.mark.soak
def test_faults_in_several_games_are_counted_together(write: Write, tmp_path: Path, shell: Shell) -> None:
    """As in the exit code: no game alone has more than are allowed."""
    write("bad.py", FAULTY.format(words="no"))
    game = '[[games]]\ngame = "nap"\ndeals = 1\n'
    head = '[tournament]\nstrategies = ["bad.py", "random"]\n[limits]\nfaults_allowed = '

    def played(allowed: int) -> tuple[int, list[str]]:
        write("t.toml", f'{head}{allowed}\n{game}name = "one"\n{game}name = "two"\n')
        code = shell("run", "t.toml", "--jobs", 1, "--out", f"r{allowed}", "--junit", "out.xml").code
        return code, [suite["bad"] for suite in tags(tmp_path / "out.xml").values()]

    assert played(0) == (2, ["failure", "failure"])
    (one, two) = (
        sum(row["faults"].get("exception", 0) for row in entry["rows"])
        for entry in json.loads((tmp_path / "r0" / "standings.json").read_text())["games"]
    )
    assert min(one, two) > 1
    assert played(one + two - 1) == (2, ["failure", "failure"])
    assert played(one + two) == (0, ["", ""])


@pytest.mark.parametrize(("workspace", "file"), [("..", "{}/own,100%/bad.py"), *seldom_with(("runs", None))])
def test_files_are_named_from_the_workspace(
    workspace: str, file: str | None, hostile: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shell: Shell
) -> None:
    (tmp_path / "runs").mkdir()
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path / workspace))
    done = shell("play", "nap", "own,100%/bad.py", "random", "--deals", 1, "--jobs", 1, "--ci", "github")
    wanted = file and file.format(tmp_path.name)
    assert {each.properties.get("file") for each in commands(done.err) if each.name == "error"} == {wanted}


def test_a_fault_without_a_traceback_has_the_file_alone(write: Write, shell: Shell) -> None:
    write("pack/__init__.py", 'def act(view):\n    return "nothing"\n')
    done = shell("play", "nap", "./pack", "random", "--deals", 1, "--jobs", 1, "--ci", "github")
    places = {tuple(each.properties)[:-1] for each in commands(done.err) if each.name == "error"}
    assert places == {("file",)}
    assert {each.properties["file"] for each in commands(done.err)[:9]} == {"pack/__init__.py"}


@pytest.mark.parametrize("name", ["::error::pwned", *seldom("a ##[add-mask]b")])
def test_a_name_that_is_a_command_is_refused(name: str, write: Write, tmp_path: Path, shell: Shell) -> None:
    """As any that does not begin with a letter, or has more than letters, digits, dots, dashes and underscores."""
    write("mine.py", f"class Mine:\n    name = {name!r}\n    def act(self, view):\n        return view.legal[0]\n")
    words = "play", "nap", "mine.py", "random", "--deals", 1, "--jobs", 1
    done = shell(*words, "--ci", "github")
    assert done.code == 64 and not (tmp_path / "runs").exists()
    (command,) = commands(done.out + done.err)
    assert command.name == "error" and name in command.data
    assert shell(*words, "--ci", "github", "--dry-run") == done
    assert shell(*words).code == 64
    assert shell(*words[:2], "ours=mine.py", *words[3:], "--ci", "github").code == 0


def test_the_output_stays_as_it_is(hostile: Path, shell: Shell) -> None:
    words = "play", "nap", "own,100%/bad.py", "random", "--deals", 1, "--jobs", 1, "--format", "json"
    usual = shell(*words)
    assert shell(*words, "--ci", "github").out == usual.out and json.loads(usual.out)
    assert not commands(usual.out + usual.err.replace("##[", ""))


@pytest.mark.parametrize(
    ("words", "code", "place"),
    [
        ("play nap own/broken.py", 66, ("own/broken.py", "2")),
        ("gate nap own/broken.py random", 66, ("own/broken.py", "2")),
        ("play nap syntax.py", 66, ("syntax.py", "2")),
        ("run bad.toml", 64, ("bad.toml", "4")),
        ("run none.toml", 64, ()),
        ("play nap none.py", 64, ()),
        ("play nap steady.py:Nobody", 64, ("steady.py",)),
        ("play napp", 64, ()),
        ("gate nap", 64, ()),
        ("play nap random --as knockout", 64, ()),
        ("run abort.toml", 2, ()),
        ("play nap random --out full", 73, ()),
        ("play nap random --out torn", 65, ("torn/run.toml",)),
    ],
)
def test_why_nothing_is_played_is_reported(
    words: str, code: int, place: Sequence[str], versions: None, write: Write, tmp_path: Path, shell: Shell
) -> None:
    write("own/broken.py", 'def fail():\n    raise ValueError("so\\n::error::pwned")\n')
    (tmp_path / "own" / "broken.py").open("a").write("\n\nfail()\n")
    write("syntax.py", "import os\nclass Mine\n")
    write("bad.toml", '[tournament]\nstrategies = ["random"]\n[[games]]\ngame = "napp"\n')
    write("bad.py", FAULTY.format(words=HOSTILE))
    limits = '[limits]\non_fault = "abort"\n[[games]]\ngame = "nap"\n'
    write("abort.toml", f'[tournament]\nstrategies = ["bad.py", "random"]\n{limits}')
    write("full/something")
    write("torn/run.toml", "no run")
    usual = shell(*words.split())
    done = shell(*words.split(), "--ci", "github", "--junit", "out.xml")
    assert done.code == usual.code == code and not done.out
    (message,) = commands(done.err)
    assert message.name == "error" and message.properties["title"] == "roundsim"
    assert (*(message.properties[key] for key in ("file", "line") if key in message.properties),) == tuple(place)
    said = re.sub(r"\s+", " ", usual.err)
    assert re.sub(r"\s+", " ", clean(message.data)) in said
    ((command, (error,)),) = cases(tmp_path / "out.xml")["roundsim"].items()
    assert command == f"roundsim {words.split()[0]}"
    assert error.tag == "error" and error.text == message.data
    (tmp_path / "out.xml").unlink()
    assert shell(*words.split(), "--junit", "out.xml") == usual
    assert tags(tmp_path / "out.xml") == {"roundsim": {command: "error"}}


def test_a_bug_is_reported_as_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*given: object) -> None:
        raise RulesError("lost\n::error::a")

    monkeypatch.setattr("roundsim.running.play_tournament", fail)
    done = roundsim("play", "nap", "random", "--ci", "github", "--junit", "out.xml", cwd=tmp_path, code=70)
    (command,) = commands(done.stdout + done.stderr)
    assert command == Command("error", {"title": "roundsim"}, "this is a bug of a game:\nlost\n::error::a")
    assert tags(tmp_path / "out.xml") == {"roundsim": {"roundsim play": "error"}}


def test_a_module_writes_no_command_when_it_is_loaded(write: Write, shell: Shell) -> None:
    write("mine.py", 'raise SyntaxError("no\\n::error::a", ("::error::b", 1, 1, "::error::c ##[error]d"))\n')
    done = shell("play", "nap", "mine.py", "--ci", "github")
    assert done.code == 66
    assert [each.properties["title"] for each in commands(done.out + done.err)] == ["roundsim"]


@pytest.mark.soak
def test_of_many_mistakes_the_first_are_annotated_and_the_others_named(write: Write, shell: Shell) -> None:
    names = [f"nobody{n}" for n in range(30)]
    write("t.toml", f'[tournament]\nstrategies = {json.dumps(names)}\n[[games]]\ngame = "nap"\n')
    *first, more = commands(shell("run", "t.toml", "--ci", "github").err)
    assert len(first) == 9 and more.name == "notice" and more.properties["title"] == "21 more"
    for name, words in zip(names, [*(each.data for each in first), *more.data.splitlines()], strict=True):
        assert repr(name) in words


def test_characters_that_xml_forbids_are_escaped(tmp_path: Path, shell: Shell) -> None:
    done = shell("play", "nap", "no\x01\x0b\ufffe]]>&<.py", "--junit", "out.xml")
    assert done.code == 64
    (error,) = cases(tmp_path / "out.xml")["roundsim"]["roundsim play"]
    assert r"no\x01\x0b\ufffe]]>&<.py" in (error.text or "")


@pytest.mark.parametrize("path", ["none/out.xml", "folder", "file/out.xml", ".", "..", "", "/dev/null"])
def test_where_junit_cannot_be_written_nothing_is_played(path: str, write: Write, tmp_path: Path, shell: Shell) -> None:
    write("file", "of somebody else")
    (tmp_path / "folder").mkdir()
    done = shell("play", "nap", "random", "--deals", 1, "--junit", path)
    assert done.code == 64 and "--junit" in done.err
    assert sorted(each.name for each in tmp_path.iterdir()) == ["file", "folder"]
    assert (tmp_path / "file").read_text() == "of somebody else"


@pytest.mark.parametrize("path", [".", "none/summary.md"])
def test_a_summary_that_cannot_be_written_is_reported_last(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shell: Shell
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", path)
    words = "play", "nap", "random", "--deals", 1, "--jobs", 1, "--junit", "out.xml"
    done = shell(*words, "--ci", "github")
    assert done.code == 73 and "results  runs/" in done.out
    (command,) = commands(done.err)
    assert command.name == "error" and command.data.startswith(f"cannot write the job summary {path}: ")
    assert tags(tmp_path / "out.xml") == {"nap": {"random": ""}}
    assert shell(*words).code == 0  # it is GitHub's, and not asked for


@pytest.mark.usefixtures("in_process")  # it writes
@pytest.mark.parametrize("ci", [(), ("--ci", "github")])
def test_a_folder_that_goes_while_it_is_played_is_reported_last(
    ci: Sequence[str], write: Write, summary: Path, tmp_path: Path, shell: Shell
) -> None:
    """And the summary is written all the same."""
    (tmp_path / "gone").mkdir()
    write("mine.py", f"import os\n{STEADY.replace('    return', CLEARED)}")
    done = shell("play", "nap", "mine.py", "random", "--deals", 1, "--jobs", 1, "--junit", "gone/out.xml", *ci)
    assert done.code == 73 and "results  runs/" in done.out
    assert "cannot write gone/out.xml: No such file or directory" in done.err
    assert [each.name for each in commands(done.err)] == ["error"] * bool(ci)
    assert ("# nap: done" in summary.read_text()) == bool(ci)


def test_a_dry_run_writes_nothing(summary: Path, tmp_path: Path, shell: Shell) -> None:
    for words in ("random",), ("none.py",):
        shell("play", "nap", *words, "--dry-run", "--ci", "github", "--junit", "out.xml")
    assert [each.name for each in tmp_path.iterdir()] == [summary.name]
    assert summary.read_text() == "of another step\n"


# The jobs of docs/ci.md, and the action.

PAGE = (ROOT / "docs" / "ci.md").read_text("utf-8")
BLOCKS = dict(re.findall(r"^## ([^\n]+)\n[^#]*?^```\n(.*?)^```", PAGE, re.M | re.S))
GITHUB, ACTION = yaml.safe_load(BLOCKS["GitHub Actions"]), yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
JOBS = {
    "GitHub Actions": next(each["run"] for each in ACTION["runs"]["steps"] if each.get("id") == "gate"),
    "GitLab CI": "\n".join(yaml.safe_load(BLOCKS["GitLab CI"])["gate"]["script"]),
    "Plain shell": BLOCKS["Plain shell"],
}
INSTALL = 'pip install "$ROUNDSIM"'


def asked_of(step: dict[str, Any], given: dict[str, str]) -> dict[str, str]:
    """The environment of a step of the action with some inputs."""
    inputs = {name: str(each.get("default", "")) for name, each in ACTION["inputs"].items()} | given
    known = {f"inputs.{name}": value for name, value in inputs.items()} | {"github.action_path": str(ROOT)}
    return {
        name: re.sub(r"\$\{\{ (\S+) \}\}", lambda found: known[found[1]], each) for name, each in step["env"].items()
    }


def test_the_page_gives_the_action_what_it_takes() -> None:
    (step,) = [each for each in GITHUB["jobs"]["gate"]["steps"] if each["uses"].startswith("OWNER/roundsim@")]
    required = {name for name, each in ACTION["inputs"].items() if each.get("required")}
    assert required == {*step["with"]} == {"game", "mine"}
    rows = re.findall(r"^\| (`.+?) \|", PAGE.partition("| input |")[2].partition("\n\n")[0], re.M)
    assert {name for row in rows for name in re.findall(r"`([\w-]+)`", row)} == {*ACTION["inputs"]}
    assert {*ACTION["outputs"]} == {"code", "verdict", "folder"}


def test_each_job_installs_and_asks_the_gate() -> None:
    for title, script in JOBS.items():
        assert script.count(INSTALL) == (title != "GitHub Actions")
        assert len(re.findall("^roundsim gate ", script, re.M)) == 1
        assert "--isolate on" in script


def test_the_action_installs_its_own_commit(tmp_path: Path) -> None:
    (step,) = [each for each in ACTION["runs"]["steps"] if "SOURCE" in each.get("env", ())]
    program = tmp_path / "python"
    program.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    program.chmod(0o755)
    env = {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}", **asked_of(step, {})}
    done = subprocess.run(["bash", "-c", step["run"]], env=env, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["-P", "-m", "pip", "install", "--quiet", str(ROOT)]


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    return make_desk(tmp_path)


def make_desk(folder: Path) -> Path:
    """Install `roundsim` in a folder."""
    program = folder / "bin" / "roundsim"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m roundsim "$@"\n')
    program.chmod(0o755)
    return folder


OUTCOMES = {
    "better": (RASH, STEADY, 0),
    "worse": (STEADY, RASH, 1),
    "broken": (STEADY, "import nothing_here\n", 66),
    "undecided": (STEADY, STEADY + "# the same\n", 3),  # after all deals that a gate plays at most
}
ASKED = [(title, to) for title in JOBS for to in OUTCOMES if WHOLE or to != "undecided" or title == "Plain shell"]


def run_job(
    title: str,
    old: str,
    new: str,
    desk: Path,
    given: Mapping[str, str] = {},
    bring: Callable[[Path], object] = lambda checkout: None,
) -> subprocess.CompletedProcess[str]:
    """Run a job in a checkout with two versions of mine.py, as a build server does. `bring`: adds files to the second."""
    checkout, temp = desk / "checkout", desk / "temp"
    checkout.mkdir()
    temp.mkdir()
    for version in old, new:
        (checkout / "mine.py").write_text(version)
        if version == new:
            bring(checkout)
        for words in ["init", "-q"], ["add", "-A", "-f"], ["commit", "-q", "-m", "a version"]:
            who = ["-c", "user.name=n", "-c", "user.email=n@example.org", "-c", "commit.gpgsign=false"]
            subprocess.run(["git", *who, *words], cwd=checkout, check=True, timeout=PATIENCE)
    own = {"PATH": f"{desk / 'bin'}{os.pathsep}{os.environ['PATH']}", "XDG_CACHE_HOME": str(desk / "cache")}
    own |= {"RUNNER_TEMP" if title == "GitHub Actions" else "TMPDIR": str(temp)}
    if title == "GitHub Actions":
        (step,) = [each for each in ACTION["runs"]["steps"] if each.get("id") == "gate"]
        own |= {**asked_of(step, {"game": "nap", "mine": "mine.py", **given}), "GITHUB_OUTPUT": str(desk / "output")}
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", JOBS[title].replace(INSTALL, "true")],
        cwd=checkout,
        env={**environment(), **own},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


def folder_of_job(title: str, desk: Path) -> Path:
    """The folder in which a job leaves its run."""
    if title == "GitLab CI":
        return desk / "checkout" / "gate"
    (folder,) = (each for each in (desk / "temp").iterdir() if (each / "junit.xml").exists())
    return folder


@pytest.mark.soak
@pytest.mark.parametrize(("title", "outcome"), ASKED)
def test_a_job_does_what_it_says(title: str, outcome: str, desk: Path) -> None:
    old, new, code = OUTCOMES[outcome]
    done = run_job(title, old, new, desk)
    through = code == 3 and title == "Plain shell"  # which says so, and lets it pass
    assert done.returncode == (0 if through else code), done.stdout + done.stderr
    place = folder_of_job(title, desk)
    if title == "GitHub Actions":
        assert [each.name for each in commands(done.stderr)] == [{0: "notice", 3: "warning"}.get(code, "error")]
        word = {0: "better", 1: "worse", 3: "undecided", 66: "failed"}[code]
        assert (desk / "output").read_text() == f"code={code}\nverdict={word}\nfolder={place}\n"
        badge = json.loads((place / "badge.json").read_text())
        assert badge.pop("color") == {0: "brightgreen", 1: "red", 3: "yellow", 66: "lightgrey"}[code]
        assert badge == {"schemaVersion": 1, "label": "gate", "message": word}  # what shields.io asks of an endpoint
    outcomes = "".join(each for suite in tags(place / "junit.xml").values() for each in suite.values())
    assert outcomes == {0: "", 1: "failure", 3: "skipped", 66: "error"}[code]
    if code != 66:
        assert (place / "run").is_dir()


@pytest.mark.soak
@pytest.mark.parametrize(
    ("given", "verdict", "code"),
    [
        ({"passes": "0 1 3"}, "worse", 0),
        ({"passes": "3", "margin": "1000"}, "not worse", 1),
        ({"margin": "1000"}, "not worse", 0),
        ({"baseline": "git:HEAD:mine.py", "more": "--jobs 1 --worth 0.5"}, "no difference", 4),
        ({"game": "$(touch pwned)"}, "failed", 64),
    ],
)
def test_the_action_heeds_its_inputs(given: dict[str, str], verdict: str, code: int, desk: Path) -> None:
    done = run_job("GitHub Actions", STEADY, RASH, desk, given)
    assert done.returncode == code, done.stdout + done.stderr
    assert f"verdict={verdict}\n" in (desk / "output").read_text()
    assert not (desk / "checkout" / "pwned").exists()


MIDDLING = STEADY.replace("legal[0]", 'legal[1 if view.phase == "call" else 0]')  # STEADY is better, RASH is worse


def forge_gate(checkout: Path) -> Path:
    """The run of a gate in which another strategy has played in the name of mine.py, and is better."""
    (checkout / "good.py").write_text(STEADY)
    for name, code in ("mine", 1), ("good", 0):
        words = "gate", "nap", f"new={name}.py", "old=git:HEAD:mine.py", "--out", f"run-{name}"
        roundsim(*words, cwd=checkout, code=code)
    theirs = tomllib.loads((checkout / "run-mine" / "run.toml").read_text())["games"][0]["strategies"]
    forged = Forged(checkout / "run-good", Random(0), lambda other: Path())
    forged.edit_run(lambda data: data["games"][0].update(strategies=theirs))
    forged.rekey()
    for path in checkout / "run-mine", checkout / "run-good" / "timing.json", checkout / "good.py":
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    return checkout / "run-good"


def bring_folders(checkout: Path) -> None:
    """Forged runs wherever a gate might continue one."""
    run = forge_gate(checkout)
    shutil.copytree(run, checkout / "runs" / RunFolder(run).tournament().folder_name())
    (checkout / "gate").mkdir()
    run.rename(checkout / "gate" / "run")


def bring_links(checkout: Path) -> None:
    """The same by links, and links in the places of what is written."""
    (checkout / "brought").mkdir()
    run = forge_gate(checkout).rename(checkout / "brought" / "run")
    (checkout / "runs").mkdir()
    (checkout / "runs" / RunFolder(run).tournament().folder_name()).symlink_to("../brought/run")
    (checkout / "gate").symlink_to("brought")
    for name in "brought/junit.xml", "brought/badge.json", "junit.xml":
        (checkout / name).symlink_to(checkout.parent / "victim")


@pytest.mark.soak
@pytest.mark.parametrize("bring", [bring_folders, bring_links])
def test_no_job_believes_a_run_that_a_change_brings_along(bring: Callable[[Path], object], tmp_path: Path) -> None:
    for title in JOBS:
        place = tmp_path / title
        make_desk(place)
        (place / "victim").write_text("of the server")
        done = run_job(title, MIDDLING, RASH, place, bring=bring)
        assert done.returncode == 1 and "\nworse\n" in done.stdout, done.stdout + done.stderr
        assert tags(folder_of_job(title, place) / "junit.xml")["nap"]["new - old > 0"] == "failure"
        assert (place / "victim").read_text() == "of the server"


@pytest.mark.soak
def test_the_action_imports_no_module_of_the_checkout(tmp_path: Path) -> None:
    (step,) = [each for each in ACTION["runs"]["steps"] if "SOURCE" in each.get("env", ())]
    (tmp_path / "pip.py").write_text("print('the change runs')\n")
    env = {**os.environ, "SOURCE": str(tmp_path / "nothing")}
    done = subprocess.run(["bash", "-c", step["run"]], cwd=tmp_path, env=env, capture_output=True, text=True)
    assert "the change runs" not in done.stdout


@pytest.fixture
def tracked(versions: None, git: Git, shell: Shell) -> Path:
    """The run of a gate that was committed, under the name `held`."""
    words = "gate", "nap", "new=steady.py", "old=steady.py", "--out"
    assert shell(*words, "inner/held").code == 4
    git("init", "-q")
    git("add", "-f", "inner")
    git("commit", "-q", "-m", "a run")
    Path("linked").symlink_to("inner")
    return Path("inner/held")


def in_a_submodule(run: Path, git: Git) -> None:
    for words in ["init", "-q"], ["add", "-f", "held"], ["commit", "-q", "-m", "a run"]:
        git(*words, folder=run.absolute().parent)
    git("rm", "-q", "-r", "-f", "--cached", "inner")
    git("add", "inner")


def below_a_bare_repository(run: Path, git: Git) -> None:
    """Its files can be committed, and its index is empty."""
    for name in "HEAD", "objects/here", "refs/here", "config":
        path = run.parent / name
        path.parent.mkdir(exist_ok=True)
        path.write_text({"HEAD": "ref: refs/heads/main\n", "config": "[core]\n\tworktree = .\n"}.get(name, ""))


@pytest.mark.parametrize(
    ("change", "place", "code"),
    [
        (lambda run, git: None, "inner/held", 73),
        (lambda run, git: None, "linked/held", 73),
        (in_a_submodule, "inner/held", 73),
        (below_a_bare_repository, "inner/held", 66),  # git refuses to read such a repository
    ],
)
def test_a_gate_does_not_continue_a_run_that_git_tracks(
    change: Callable[[Path, Git], object], place: str, code: int, tracked: Path, git: Git, shell: Shell
) -> None:
    change(tracked, git)
    words = "gate", "nap", "new=steady.py", "old=steady.py", "--out", place
    done = shell(*words)
    assert done.code == code and place in done.err
    if code == 73:
        assert "git tracks files in it" in done.err and "--continue" in done.err
    assert not done.out
    assert shell(*words, "--continue").code == 4
    shutil.copytree(tracked, "untracked")
    assert shell(*words[:-1], "untracked", "--quiet") == (4, "", "")


def test_a_gate_for_ci_continues_no_run(versions: None, tmp_path: Path, shell: Shell) -> None:
    (tmp_path / "new").mkdir()
    words = "gate", "nap", "new=steady.py", "old=steady.py", "--ci", "github", "--junit", "out.xml", "--out", "new"
    assert shell(*words).code == 4
    done = shell(*words)
    (command,) = commands(done.err)
    assert done.code == 73 and not done.out and "there before" in command.data and "--continue" in command.data
    assert tags(tmp_path / "out.xml") == {"roundsim": {"roundsim gate": "error"}}
    assert shell(*words, "--continue").code == 4
    assert shell(*(word for word in words if word not in ("--ci", "github"))).code == 4


def test_a_link_is_not_written_through(tmp_path: Path, write: Write, shell: Shell) -> None:
    """Not that of the file itself, nor one with the name under which it is written at first; a file is replaced."""
    for name in "out.xml", f".out.xml.{os.getpid()}":
        (tmp_path / name).symlink_to("victim")
    (tmp_path / "victim").write_text("of somebody else")
    assert shell("play", "nap", "random", "--deals", 1, "--jobs", 1, "--junit", "out.xml").code == 0
    assert (tmp_path / "victim").read_text() == "of somebody else"
    assert tags(tmp_path / "out.xml") == {"nap": {"random": ""}} and not (tmp_path / "out.xml").is_symlink()
    write("out.xml", "of the run before")
    assert shell("play", "nap", "random", "--deals", 1, "--jobs", 1, "--junit", "out.xml").code == 0
    assert tags(tmp_path / "out.xml") == {"nap": {"random": ""}}


FAILS = """
games = ["nap"]

def act(view):
    if view.dealer in {dealers}:
        raise ValueError("no")
    return view.legal[0]
"""


def test_errors_come_before_warnings(shell: Shell, write: Write) -> None:
    """The first strategy fails in two deals, which is allowed, and the second in all: the second is reported first."""
    write("seldom.py", FAILS.format(dealers="{0}"))
    write("often.py", FAILS.format(dealers="{0, 1}"))
    head = "[tournament]\nstrategies = ['seldom.py', 'often.py']\n[limits]\nfaults_allowed = 2\n"
    write("t.toml", f"{head}[[games]]\ngame = 'nap'\nplayers = 2\ndeals = 4\nsitting = 2\n")
    done = shell("run", "t.toml", "--jobs", 1, "--isolate", "off", "--ci", "github")
    assert done.code == 2
    found = re.findall(r"^::(error|warning) .*?title=(\w+)%3A (\w+ \d) times", done.out + done.err, re.M)
    assert found == [("error", "often", "exception 4"), ("warning", "seldom", "exception 2")]
