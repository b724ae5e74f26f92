"""The plugin of pytest: scripted deals of a project are its tests, if it says so."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from helpers.command import DEALS, environment

pytest_plugins = ["pytester"]

PASSED = """
[[deals]]
pack = "As 2h Ks 3h Qs 4h Js 5h Ts 6h"
actions = [
  "0 call nap", "0 play As", "1 play 2h", "0 play Ks", "1 play 3h", "0 play Qs", "1 play 4h", "0 play Js", "1 play 5h",
]
[deals.expect]
net = [10, -10]
"""
DIFFERS = PASSED.replace("[10, -10]", "[9, -9]")
HEAD = 'game = "nap"\nplayers = 2\ndealer = 1\n'
HANDS = """
[[compare]]
hands = ["As Ad 2c 3c 4c", "Ks Qd 2c 3c 4c"]
order = [[{}], [{}]]
"""


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A project whose scripts are tests; in it only this plugin is loaded."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    pytester.makeini("[pytest]\nroundsim_scripts = true\naddopts = -p roundsim.bridges.pytest_scripts\n")
    return pytester


def write(project: pytest.Pytester, **texts: str) -> None:
    for name, text in texts.items():
        (project.path / f"{name}.toml").write_text(text)


def test_a_deal_is_a_test(project: pytest.Pytester) -> None:
    """Each is settled in its sitting: after one that differs nothing is known of the others."""
    second = PASSED.replace('"0 ', '"x ').replace('"1 ', '"0 ').replace('"x ', '"1 ').replace("[10, -10]", "[-10, 10]")
    hands = HANDS.format(0, 1) + HANDS.format(1, 0)
    write(project, good=HEAD + PASSED + second, bad=HEAD + DIFFERS + PASSED, hands=hands)
    done = project.runpytest("-v", "-rs")
    done.assert_outcomes(passed=3, failed=2, skipped=1)
    done.stdout.fnmatch_lines(["bad.toml::deal 1 FAILED*", "bad.toml::deal 2 SKIPPED*", "good.toml::deal 2 PASSED*"])
    done.stdout.fnmatch_lines(["*expected  net = *9, -9*", "*found     net = *10, -10*"])
    done.stdout.fnmatch_lines(["*expected  order = *", "*found     order = *"])
    done.stdout.no_fnmatch_line("*Traceback*")
    assert "settle.py" not in done.stdout.str()
    project.runpytest("bad.toml::deal 2").assert_outcomes(skipped=1)
    project.runpytest("good.toml::deal 2").assert_outcomes(passed=1)


def test_an_error_in_a_script_is_one_message(project: pytest.Pytester) -> None:
    write(project, torn="[[deals", nobody=PASSED.replace("[[deals]]", 'game = "napp"\n[[deals]]', 1))
    done = project.runpytest()
    done.assert_outcomes(errors=1)
    done.stdout.fnmatch_lines(["*torn.toml: no TOML: *"])
    done = project.runpytest("nobody.toml")
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(["*nobody.toml: no game 'napp' (did you mean nap*"])
    assert "Error" not in done.stdout.str() and "settle.py" not in done.stdout.str()


def test_a_conftest_names_the_game_of_a_project(project: pytest.Pytester) -> None:
    (project.path / "mynap.py").write_text(
        'from roundsim.games.nap import Nap\n\n\nclass MyNap(Nap):\n    id = "mynap"\n    title = "My Nap"\n'
    )
    project.makeconftest('import roundsim\n\nroundsim.allow_game("mynap.py")\n')
    write(project, deal=HEAD.replace("nap", "mynap") + PASSED)
    project.runpytest().assert_outcomes(passed=1)


def test_it_ignores_other_files_and_is_off_by_default(project: pytest.Pytester) -> None:
    write(project, pyproject='[project]\nname = "a"\n', tournament='[[games]]\ngame = "nap"\n', number="deals = 4\n")
    project.runpytest().assert_outcomes()
    project.makeini("[pytest]\naddopts = -p roundsim.bridges.pytest_scripts\n")
    write(project, bad=HEAD + DIFFERS)
    project.runpytest().assert_outcomes()


def test_it_loads_nothing_before_it_finds_a_script() -> None:
    """Every pytest of an environment in which roundsim is installed imports it."""
    shown = "print([m for m in sys.modules if m.startswith('roundsim')])"
    script = f"import sys, roundsim.bridges.pytest_scripts; {shown}"
    done = subprocess.run([sys.executable, "-c", script], env=environment(), capture_output=True, text=True, check=True)
    ground = [f"roundsim.base{each}" for each in ("", ".faces", ".version")]
    expected = [*ground, "roundsim", "roundsim.bridges", "roundsim.bridges.pytest_scripts"]
    assert done.stdout == f"{expected}\n"


@pytest.mark.soak
def test_it_agrees_with_settle_on_our_own(project: pytest.Pytester) -> None:
    os.symlink(DEALS, project.path / "deals")
    done = project.runpytest("deals/nap", "deals/poker-hands", "-q")
    assert done.ret == 0
    assert done.parseoutcomes()["passed"] >= len([*(DEALS / "nap").glob("*.toml")])
