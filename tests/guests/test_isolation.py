"""`--isolate off`: no command starts or imports a strategy in the sandbox, not even to ask what it is."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from conftest import Shell, Write
from helpers.command import command, environment, seldom

BOT = """
    read -r hello
    cat SECRET > /dev/null || exit 9
    echo '{"roundsim":1}'
    while read -r line; do
      case $line in
      '["ask",'*) number=${line#*,}; echo "[${number%%,*},0]" ;;
      esac
    done
    """
MODULE = """
    open("SECRET").close()
    def act(view):
        return view.legal[0]
    """
OFF = "--isolate", "off"


@pytest.fixture(params=["bot", *seldom("module")])
def outside(
    request: pytest.FixtureRequest, shell: Shell, write: Write, tmp_path_factory: pytest.TempPathFactory
) -> str:
    """A strategy that can only be used where it reads a file that is not its own."""
    secret = tmp_path_factory.mktemp("elsewhere") / "secret"
    secret.write_text("")
    bot = request.param == "bot"
    path = write("mine.sh" if bot else "mine.py", (BOT if bot else MODULE).replace("SECRET", str(secret)))
    return f"mine=cmd:sh {path}" if bot else f"mine={path}"


@pytest.mark.usefixtures("guests_once")
def test_a_flag_or_a_file_switches_the_sandbox_off(outside: str, shell: Shell, write: Write) -> None:
    assert shell("play", "nap", outside, "random", "--deals", 8, *OFF, "--out", "run").code == 0
    game = '[[games]]\ngame = "nap"\ndeals = 8\n'
    write("few.toml", f'[tournament]\nstrategies = ["{outside}", "random"]\n[limits]\nisolate = "off"\n{game}')
    assert shell("run", "few.toml", "--out", "other").code == 0


@pytest.mark.soak
def test_every_command_takes_it(outside: str, shell: Shell, write: Write, tmp_path: Path) -> None:
    code = 2 if "cmd:" in outside else 66  # a bot is not started before the run
    assert shell("play", "nap", outside, "random", "--deals", 8, "--out", "other").code == code
    assert shell("play", "nap", outside, "random", "--deals", 8, *OFF, "--out", "run").code == 0
    assert shell("grow", "run", "--deals", 16, "--strategy", outside, *OFF).code == 0
    assert shell("verify", "run", "--strategies", "--strategy", outside, *OFF).code == 0
    other = write("other.py", "def act(view):\n    return view.legal[-1]\n")
    assert shell("gate", "nap", outside, "random", "--deals", 320, *OFF, "--out", "gate").code in (0, 1, 3)
    assert shell("check", other, "--against", outside, "--game", "nap", "--deals", 4, *OFF).code == 0
    if "cmd:" in outside:  # `check` reports a module that reads what it does not name
        assert shell("check", outside, "--game", "nap", "--deals", 4, *OFF).code == 0
    for words in (["nap", outside, *OFF, "--out", "table"], ["table", outside, *OFF]):
        line = command("sit", *words)
        done = subprocess.run(line, input="q\n", cwd=tmp_path, env=environment(), capture_output=True, text=True)
        assert done.returncode == 0 and "nothing is lost" in done.stdout, done
