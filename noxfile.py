"""The checks of roundsim, a session for each: `nox` runs the quick ones, `nox --list` names all.

Each session makes its own environment. `nox --no-venv` uses the active one, which must have `.[test,dev]` installed and
its `bin` first on the PATH; `.ci/run` does this."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path

import nox
from nox.virtualenv import PassthroughEnv

BRIDGES = ["dask", "export", "gymnasium", "openspiel", "pettingzoo"]  # extras, each of a file in roundsim/bridges
PYTHONS = ["3.11", "3.12", "3.13", "3.14"]
PYTHON = [
    f"tests/{room}" for room in ("base", "guests", "sources", "statistics", "table")
]  # depend on the version of Python
PLAYED = [f"tests/{room}" for room in ("games", "refereeing")]  # depend, with some of these, on the native module
NATIVE = [
    *("tests/native/test_native.py", "tests/native/test_native_hostile.py", "tests/table/test_native_view.py"),
    *("tests/table/test_chance.py", "tests/bridges/test_native_vectors.py"),
]

nox.needs_version = ">=2024.4.15"
nox.options.sessions = ["lint", "types", "docs", "tests"]
nox.options.error_on_missing_interpreters = False  # a Python that is not there is left out


def install(session: nox.Session, *extras: str) -> None:
    """roundsim and what the session needs, unless the environment at hand is used."""
    if not isinstance(session.virtualenv, PassthroughEnv):
        session.install("-q", "-e", f".[{','.join(extras)}]")


@nox.session(python=PYTHONS)
def tests(session: nox.Session) -> None:
    """The quick tests, under every Python that is there."""
    install(session, "test")
    session.run("pytest", *session.posargs)


@nox.session
def lint(session: nox.Session) -> None:
    """The form of the code, of workflows and image, the direction of imports, plain English; and the ratchet."""
    install(session, "test", "dev")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    if "importlinter" in tomllib.loads(Path("pyproject.toml").read_text("utf-8"))["tool"]:
        session.run("lint-imports")
    session.run("zizmor", "--offline", "--quiet", ".")
    session.run("hadolint", "Dockerfile")
    session.run("towncrier", "build", "--draft", "--version", "next", silent=True)  # every fragment has a kind
    session.run("python", "tools/plain_english.py")
    session.notify("ratchet")


@nox.session
def ratchet(session: nox.Session) -> None:
    """Counts that may only fall: tools/ratchet.toml has the limits."""
    install(session, "test")
    session.run("python", "tools/ratchet.py", *session.posargs)


@nox.session
def citation(session: nox.Session) -> None:
    """CITATION.cff, by its schema; in an environment of its own, because cffconvert needs an old jsonschema."""
    session.install("-q", "cffconvert")
    session.run("cffconvert", "--validate")


@nox.session
def types(session: nox.Session) -> None:
    """mypy --strict."""
    install(session, "test")
    session.run("mypy")


@nox.session
def docs(session: nox.Session) -> None:
    """Every block of README, CONTRIBUTING and docs/ does what it says, the long ones too."""
    install(session, "test", "bridges", "dev")
    session.run("pytest", "-m", "soak or not soak", "tests/test_docs.py", *session.posargs)


@nox.session
def site(session: nox.Session) -> None:
    """The site of the docs, in build/site, without a network; warnings are errors.  Then each page in a browser."""
    install(session, "test", "dev", "site")
    shutil.rmtree("build/site", ignore_errors=True)  # Sphinx leaves pages there that no longer exist
    session.run("sphinx-build", "-q", "-W", "--keep-going", "-b", "html", "docs", "build/site")
    session.run("pytest", "-n", "0", "-m", "soak or not soak", "tests/test_site.py", *session.posargs)


@nox.session
def soak(session: nox.Session) -> None:
    """The long tests: more examples, kills at random moments.  The commit says which eighth of the parameters; SOAK_TURN=3
    takes that one, WHOLE_SOAK=1 all.  Those of the docs are in `docs` and `site`."""
    install(session, "test", "dev")
    elsewhere = [f"--ignore=tests/test_{name}.py" for name in ("docs", "site")]
    session.run("pytest", "-m", "soak", *elsewhere, "--durations", "40", *session.posargs)


@nox.session(python=PYTHONS)
def plain(session: nox.Session) -> None:
    """The quick tests of what depends on Python, without the native module; and how much of the code they run."""
    install(session, "test")
    coverage = ["--cov", "--cov-report", "term:skip-covered"]
    session.run("pytest", *PYTHON, *PLAYED, *coverage, *session.posargs, env={"ROUNDSIM_NATIVE": "off"})


@nox.session(python=PYTHONS)
def brief(session: nox.Session) -> None:
    """The quick tests of what depends on Python, and of the native module."""
    install(session, "test")
    session.run("pytest", *PYTHON, *(page for page in NATIVE if not page.startswith("tests/table")), *session.posargs)


@nox.session
def sanitized(session: nox.Session) -> None:
    """The tests of the native module, built with the sanitizers of addresses and of undefined behaviour (gcc, Linux)."""
    install(session, "test")
    place = session.create_tmp()
    flags = "-fsanitize=address,undefined -fno-omit-frame-pointer -g -O1"
    session.run("pip", "install", "-q", "--no-deps", "--target", place, "--upgrade", ".", env={"CFLAGS": flags})
    libraries = [
        session.run("gcc", f"-print-file-name={each}.so", external=True, silent=True)
        for each in ("libasan", "libubsan")
    ]
    checked = {
        "PYTHONPATH": place,
        "LD_PRELOAD": " ".join(str(each).strip() for each in libraries),
        "PYTHONMALLOC": "malloc",
        "ASAN_OPTIONS": "detect_leaks=0",
        "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1",
    }
    session.run("pytest", "-n", "0", *NATIVE, *session.posargs, env=checked)


@nox.session
def compiled(session: nox.Session) -> None:
    """The compiled deals that a wheel has play what the games play: at any table, with each value of each option."""
    install(session, "test")
    place, compiles = session.create_tmp(), {"ROUNDSIM_COMPILE": "1"}
    session.run("pip", "install", "-q", "--no-deps", "--target", place, "--upgrade", ".", env=compiles)
    session.run("pytest", "tests/native/test_compiled.py", *session.posargs, env={**compiles, "PYTHONPATH": place})


@nox.session
@nox.parametrize("bridge", BRIDGES)
def bridges(session: nox.Session, bridge: str) -> None:
    """A bridge to other people's tools, with these; elsewhere its tests are skipped by name."""
    install(session, "test", bridge)
    pages = sorted(map(str, Path("tests/bridges").glob(f"test_{bridge}*.py")))
    session.run("pytest", "-m", "soak or not soak", *pages, *session.posargs)


@nox.session
def bench(session: nox.Session) -> None:
    """The speeds, for bench/README.md.  On a quiet machine."""
    install(session, "bench")
    session.run("python", "bench/bench.py", *session.posargs)
