"""The packages are found, not listed: a game, a format, a room or a strategy is a folder or a file, and nothing else.

The description of the package is the README, with absolute links. A wheel has the manual pages.

The native module is optional: without a C compiler everything is played by its definitions in Python. With
ROUNDSIM_COMPILE=1 the deals of the games are compiled, too, by mypyc. It takes three minutes, so only wheels have them."""

import os
import re
import sys
import time
import tomllib
from hashlib import sha256
from pathlib import Path
from runpy import run_path

from setuptools import Extension, find_namespace_packages, setup
from setuptools.command.build import build

VERSION = run_path("roundsim/base/version.py")["__version__"]
SOURCE = tomllib.loads(Path("pyproject.toml").read_text("utf-8"))["project"]["urls"]["Source"]


class BuildWithManual(build):
    """The build, with a manual page of each command, made from its help."""

    def run(self) -> None:
        super().run()
        from click_man.core import write_man_pages

        sys.path.insert(0, os.getcwd())
        from roundsim.cli import cli

        pages, day = Path(self.build_base, "man"), time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", time.time())))
        pages.mkdir(parents=True, exist_ok=True)
        write_man_pages("roundsim", cli, version=VERSION, target_dir=str(pages), date=time.strftime("%Y-%m-%d", day))
        self.distribution.data_files = [("share/man/man1", sorted(map(str, pages.glob("*.1"))))]


def compiled_deals() -> list[Extension]:
    """Return the modules with the compiled deals. Their sources are not part of the wheel."""
    from mypyc.build import mypycify

    os.environ["ROUNDSIM_NATIVE"] = "off"  # also what C replaces is looked at
    sys.path.insert(0, os.getcwd())
    options = "--config-file=", "--explicit-package-bases", "--follow-imports=silent", "--ignore-missing-imports"
    try:
        paths = [os.path.relpath(path) for path in run_path("tools/compile_deals.py")["write"]()]
        return list(mypycify([*options, *paths], opt_level="1", debug_level="0", group_name="roundsim"))
    finally:
        for path in Path("roundsim/native/deals").glob("*.py"):
            path.unlink()


def packages(name: str, folder: str) -> list[str]:
    """Return a package and those in its folder, also folders that have only data."""
    return [name, *(f"{name}.{each}" for each in find_namespace_packages(folder, exclude=["*__pycache__"]))]


def with_absolute_links(text: str) -> str:
    """Return a page whose links to files of this version work anywhere."""
    text = re.sub(r"(!\[[^]]*\]\()(?!\w+:)", rf"\g<1>{SOURCE}/raw/v{VERSION}/", text)
    return re.sub(r"(\]\()(?!\w+:|#)", rf"\g<1>{SOURCE}/blob/v{VERSION}/", text)


sources = sorted(Path("roundsim/native").glob("*.c"))  # core.c includes the others
digest = sha256(b"".join(each.read_bytes() for each in sources)).hexdigest()
twins = [each for each in sorted(Path("roundsim").rglob("*.py")) if b"@native\n" in each.read_bytes()]
definitions = [f"{each.relative_to('roundsim').as_posix()}={sha256(each.read_bytes()).hexdigest()}" for each in twins]
core = Extension(
    "roundsim.native._core",
    ["roundsim/native/core.c"],
    depends=[str(each) for each in (*sources, *twins)],
    define_macros=[("SOURCE", f'"{digest}"'), ("DEFINITIONS", f'"{" ".join(definitions)}"')],
    # Floats are added and multiplied as Python does. Debug information contains the path of the build: only on request.
    extra_compile_args=["-ffp-contract=off", *(["-g0"] if "-g" not in os.environ.get("CFLAGS", "").split() else [])],
    optional=True,
)
compiles = os.environ.get("ROUNDSIM_COMPILE") == "1"
builds = not {"bdist_wheel", "build_ext", "editable_wheel"}.isdisjoint(sys.argv)
setup(
    cmdclass={"build": BuildWithManual},
    ext_modules=[core, *(compiled_deals() if compiles and builds else [])],
    setup_requires=["mypy[mypyc]>=2.4"] if compiles else [],
    long_description=with_absolute_links(Path("README.md").read_text("utf-8")),
    long_description_content_type="text/markdown",
    packages=[
        *packages("roundsim", "roundsim"),
        *packages("roundsim_bots", "examples/bots"),
        "roundsim_claims",
        *packages("roundsim_strategies", "strategies"),
    ],
)
