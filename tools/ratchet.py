"""Count what must become less: `python tools/ratchet.py`, a part of `nox -s lint`.

The limits are in `ratchet.toml`. A figure above its limit fails, and so does one below it: `--lower` writes the lower
limit. No limit may be higher than in an earlier commit. A figure with a cap may rise up to it. `--show MEASURE` lists the
places that a figure counts."""

from __future__ import annotations

import argparse
import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import names
import plain_english
import tomli_w

ROOT = Path(__file__).resolve().parent.parent
LIMITS = ROOT / "tools" / "ratchet.toml"
PRODUCT = "roundsim", "strategies", "claims"
LONG_FILE, LONG_FUNCTION, MANY_PARAMETERS = 400, 60, 8
BANNED = "said", "found", "words", "reckoned", "told", "beside", "each"  # say nothing of what a name holds
DIALECT = re.compile(r"test_(who|whose|whoever|what|whatever|nobody|nothing)_|_(anew|beside|hangs|told|wanting)(_|$)")

Places = Iterator[str]  # where each thing is that a figure counts


@cache
def tracked(*folders: str) -> list[Path]:
    """Return the files of git in these folders."""
    listed = subprocess.run(["git", "ls-files", "-z", *folders], cwd=ROOT, capture_output=True, check=True, text=True)
    return [path for name in listed.stdout.split("\0") if name and (path := ROOT / name).is_file()]


def modules(*folders: str) -> list[Path]:
    return [path for path in tracked(*folders) if path.suffix == ".py"]


@cache
def text_of(path: Path) -> str:
    return path.read_text("utf-8")


@cache
def nodes_of(path: Path) -> list[ast.AST]:
    return list(ast.walk(ast.parse(text_of(path))))


def place(path: Path, line: int, what: object) -> str:
    return f"{path.relative_to(ROOT)}:{line}: {what}"


def functions(*folders: str) -> Iterator[tuple[Path, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for path in modules(*folders):
        for node in nodes_of(path):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield path, node


def shared_names() -> Places:
    """Names that two or more modules define."""
    for name, homes in sorted(names.names_in(ROOT).items()):
        if names.is_shared(homes):
            yield f"{name}: {', '.join(homes)}"


def long_files() -> Places:
    """Files of the product over 400 lines."""
    for path in modules(*PRODUCT):
        if (lines := text_of(path).count("\n")) > LONG_FILE:
            yield place(path, lines, "lines")


def long_functions() -> Places:
    """Functions of the product over 60 lines."""
    for path, function in functions(*PRODUCT):
        if (lines := (function.end_lineno or 0) - function.lineno + 1) > LONG_FUNCTION:
            yield place(path, function.lineno, f"{function.name}, {lines} lines")


def many_parameters() -> Places:
    """Functions of the product with more than 8 parameters."""
    for path, function in functions(*PRODUCT):
        given = function.args
        if (count := len([*given.posonlyargs, *given.args, *given.kwonlyargs])) > MANY_PARAMETERS:
            yield place(path, function.lineno, f"{function.name}, {count} parameters")


def banned_words() -> Places:
    """Names bound in the product with a word that says nothing of what they hold."""
    for path in modules(*PRODUCT):
        for node in nodes_of(path):
            match node:
                case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                    pass
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                    pass
                case _:
                    continue
            if {*name.lower().split("_")} & {*BANNED}:
                yield place(path, node.lineno, name)


def test_names() -> Places:
    """Names in the tests in the old dialect: `test_who_...`, `..._told`."""
    for path in modules("tests"):
        for node in nodes_of(path):
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and DIALECT.search(node.name):
                yield place(path, node.lineno, node.name)


def test_imports() -> Places:
    """Imports of a test module in another one."""
    for path in modules("tests"):
        for node in nodes_of(path):
            if isinstance(node, ast.ImportFrom) and (node.module or "").rpartition(".")[2].startswith("test_"):
                yield place(path, node.lineno, node.module)


def english_of_tests() -> Places:
    """Texts in the tests that are not in plain English."""
    own = ROOT / "tests" / "test_plain_english.py"  # it has what is to be found
    yield from map(str, plain_english.findings_of(path for path in modules("tests") if path != own))


def english_of_blocks() -> Places:
    """Blocks of code on pages that are not in plain English."""
    pages = [path for path in tracked() if path.suffix == ".md"]
    yield from map(str, plain_english.findings_of(pages, plain_english.texts_of_blocks))


def any_types() -> Places:
    """Uses of `Any` in the product."""
    for path in modules(*PRODUCT):
        for node in nodes_of(path):
            if isinstance(node, ast.Name) and node.id == "Any":
                yield place(path, node.lineno, "Any")


def ignores() -> Places:
    """Comments that silence mypy, ruff or coverage."""
    for path in modules():
        for number, line in enumerate(text_of(path).splitlines(), 1):
            if match := re.search(r"#\s*(type: ignore|noqa|pragma: no)", line):
                yield place(path, number, match[0])


def lines_of_tests() -> Places:
    """Lines of Python in the tests."""
    for path in modules("tests"):
        yield from (place(path, number, "") for number in range(1, text_of(path).count("\n") + 1))


def lines_of_json() -> Places:
    """Lines of JSON."""
    for path in tracked():
        if path.suffix == ".json":
            yield from (place(path, number, "") for number in range(1, text_of(path).count("\n") + 1))


MEASURES: list[Callable[[], Places]] = [
    *(shared_names, long_files, long_functions, many_parameters, banned_words, any_types, ignores),
    *(test_names, test_imports, english_of_tests, english_of_blocks, lines_of_tests, lines_of_json),
]


def lowest_before() -> dict[str, int]:
    """Return the lowest limit of each measure in all commits that this clone has."""
    name = str(LIMITS.relative_to(ROOT))
    git = ["git", "-C", str(ROOT)]
    commits = subprocess.run([*git, "log", "--format=%H", "--", name], capture_output=True, text=True).stdout.split()
    lowest: dict[str, int] = {}
    for commit in commits:
        shown = subprocess.run([*git, "show", f"{commit}:{name}"], capture_output=True, text=True).stdout
        for measure, limit in tomllib.loads(shown).get("limits", {}).items():
            lowest[measure] = min(limit, lowest.get(measure, limit))
    return lowest


def judge(counts: dict[str, int], limits: dict[str, int], caps: dict[str, int], before: dict[str, int]) -> list[str]:
    """Return what is wrong: a figure above its cap, one that is not its limit, and a limit that has risen."""
    wrong = []
    for measure, count in counts.items():
        limit = caps.get(measure, limits.get(measure))
        if limit is None:
            wrong.append(f"{measure}: no limit in ratchet.toml; it is {count}")
        elif count > limit:
            wrong.append(f"{measure}: {count}, limit {limit}; see `python tools/ratchet.py --show {measure}`")
        elif measure in caps:
            continue
        elif count < limit:
            wrong.append(f"{measure}: {count}, limit {limit}; lower it: `python tools/ratchet.py --lower`")
        elif limit > before.get(measure, limit):
            wrong.append(f"{measure}: its limit has risen from {before[measure]} to {limit}")
    return wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--lower", action="store_true", help="write the limits that have become lower")
    parser.add_argument("--show", metavar="MEASURE", choices=[each.__name__ for each in MEASURES])
    given = parser.parse_args()
    if given.show:
        print(*next(each for each in MEASURES if each.__name__ == given.show)(), sep="\n")
        return
    data = tomllib.loads(LIMITS.read_text("utf-8"))
    limits, caps = data["limits"], data["caps"]
    counts = {each.__name__: sum(1 for _ in each()) for each in MEASURES}
    if given.lower:
        data["limits"] = limits = {name: min(limit, counts[name]) for name, limit in limits.items()}
        LIMITS.write_text(tomli_w.dumps(data), "utf-8")
    for each in MEASURES:
        print(f"{counts[each.__name__]:>6}  {each.__name__:<18} {each.__doc__}")
    sys.exit("\n".join(judge(counts, limits, caps, lowest_before())) or None)


if __name__ == "__main__":
    main()
