"""Change one place of the product, and see whether its tests notice: `python tools/mutants.py`.

A mutant is one small, plausible mistake: `<=` for `<`, a condition negated, a call left out. The tool draws mutants by a
seed, runs the quick tests of the room of each, and prints how many the tests of each room find. Then it lists those that are
alive: no test of the room depends on that place, or the change has no effect. A room, a file or a `FILE:LINE` as argument
takes only these of the draw.

A room is a folder of `roundsim/`; the modules next to the folders are one more, `.`. A room gets mutants in proportion to
its lines, and at least 4; the rooms in `TWICE` count double. `games/` gets at most 30, one of each family before a second
one. The tool draws a line, then a change of it. It changes no texts, type annotations, `__repr__`, decorators or assertions,
no arguments of an error, and nothing that depends on the system.

The tests run in bubblewrap. A copy of the checkout takes its place there, and nothing outside /tmp can be written: a mutant
that deletes files or ends processes does no harm. If the file has `@native`, all plays in Python. A test that hangs, and a
room that takes ten times as long as without the change, count as found."""

from __future__ import annotations

import argparse
import ast
import re
import resource
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise, zip_longest
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
SEED, COUNT, LEAST, MOST_OF_GAMES = 1, 200, 4, 30
TWICE = "guests", "refereeing", "replaying", "sandbox", "statistics", "table"  # limits, verify, seals, figures, hiding
TESTS = {  # of rooms without a folder in tests/, and of one that the games prove
    ".": ["test_api.py", "cli/test_cli.py"],
    "base": ["base", "sources", "table/test_options.py", "cli/test_cli.py"],
    "mechanics": ["mechanics", "games"],
    "processes": ["processes", "workers", "base/test_importing.py", "cli/test_inherited.py"],
    "strategy": ["strategy", "strategies", "test_train.py"],
    "testing": ["games", "outside", "test_outside.py"],
}
HANGS, MEMORY = 120, 4 << 30  # seconds of one test, bytes of one process
OPERATORS: dict[type[ast.AST], tuple[str, str]] = {  # as a pattern, and what takes its place
    **{ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">")},
    **{
        ast.Eq: ("==", "!="),
        ast.NotEq: ("!=", "=="),
        ast.Is: (r"\bis\b", "is not"),
        ast.IsNot: (r"\bis\s+not\b", "is"),
    },
    **{ast.In: (r"\bin\b", "not in"), ast.NotIn: (r"\bnot\s+in\b", "in")},
    **{ast.And: (r"\band\b", "or"), ast.Or: (r"\bor\b", "and")},
    **{ast.Add: (r"\+", "-"), ast.Sub: ("-", "+"), ast.Mult: (r"\*", "//"), ast.FloorDiv: ("//", "*")},
    **{ast.Div: ("/", "*"), ast.Mod: ("%", "//"), ast.BitAnd: ("&", "|")},
}
CALLS = {"min": "max", "max": "min", "any": "all", "all": "any"}


class Mutant(NamedTuple):
    """A part of a file, from a byte on, and what takes its place."""

    path: str
    line: int
    start: int
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {' '.join(self.old.split())} -> {self.new or 'nothing'}"

    @property
    def room(self) -> str:
        parts = self.path.split("/")
        return parts[1] if len(parts) > 2 else "."

    def applied(self, source: bytes) -> bytes:
        """Return the content of its file with this change."""
        return source[: self.start] + self.new.encode() + source[self.start + len(self.old.encode()) :]


class Module:
    """A file and its possible changes."""

    def __init__(self, path: Path) -> None:
        self.path, self.source = path.relative_to(ROOT).as_posix(), path.read_bytes()
        self.starts = [0]
        for line in self.source.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.mutants = [each for node in changeable(ast.parse(self.source)) for each in self.changes_of(node)]

    def change(self, start: int, end: int, new: str) -> Mutant:
        return Mutant(self.path, self.source.count(b"\n", 0, start) + 1, start, self.source[start:end].decode(), new)

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None and node.end_col_offset is not None
        return self.starts[node.lineno - 1] + node.col_offset, self.starts[node.end_lineno - 1] + node.end_col_offset

    def replace(self, node: ast.expr | ast.stmt, new: str) -> Mutant:
        return self.change(*self.span(node), new)

    def operator(self, left: ast.expr, operator: ast.AST, right: ast.expr) -> Iterator[Mutant]:
        pattern, new = OPERATORS.get(type(operator), ("$^", ""))
        start, end = self.span(left)[1], self.span(right)[0]
        if match := re.search(pattern.encode(), self.source[start:end]):
            yield self.change(start + match.start(), start + match.end(), new)

    def negate(self, test: ast.expr) -> Iterator[Mutant]:
        """Negate a condition, unless it has an operator of its own to change."""
        if not isinstance(test, ast.Compare | ast.UnaryOp | ast.Constant):
            yield self.replace(test, f"not ({self.replace(test, '').old})")

    def changes_of(self, node: ast.AST) -> Iterator[Mutant]:
        """Yield the changes of a node that are not changes of the nodes in it."""
        match node:
            case ast.Compare(left=left, ops=ops, comparators=right):
                for (before, after), each in zip(pairwise([left, *right]), ops, strict=True):
                    yield from self.operator(before, each, after)
            case ast.BoolOp(op=op, values=values):
                for before, after in pairwise(values):
                    yield from self.operator(before, op, after)
            case ast.BinOp(left=left, op=op, right=right) if not is_text(node):
                yield from self.operator(left, op, right)
            case ast.AugAssign(target=target, op=op, value=value) if not is_text(value):
                yield from self.operator(target, op, value)
            case ast.UnaryOp(op=ast.Not()):
                start = self.span(node)[0]
                yield self.change(start, start + 3, "")
            case ast.Subscript(slice=ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=1)) as index):
                yield self.replace(index, "0")
            case ast.Subscript(slice=ast.Constant(value=0) as index):
                yield self.replace(index, "-1")
            case ast.Constant(value=bool(value)):
                yield self.replace(node, str(not value))
            case ast.Constant(value=int(value)):
                yield from (self.replace(node, str(each)) for each in (value + 1, value - 1) if each >= 0)
            case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
                yield from self.negate(test)
            case ast.comprehension(ifs=tests):
                yield from (each for test in tests for each in self.negate(test))
            case ast.Call(func=ast.Name(id=name) as called) if name in CALLS:
                yield self.replace(called, CALLS[name])
            case ast.Expr(value=ast.Call()) | ast.Raise():
                yield self.replace(node, "pass")
            case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant) and not is_text(value):
                yield self.replace(value, "None")
            case ast.Break() | ast.Continue():
                yield self.replace(node, "continue" if isinstance(node, ast.Break) else "break")


def is_text(node: ast.AST) -> bool:
    """Return whether an expression is a text, or a list or tuple to be joined to another one."""
    match node:
        case ast.JoinedStr() | ast.List() | ast.Tuple() | ast.Constant(value=str() | bytes()):
            return True
        case ast.BinOp(left=one, right=other) | ast.IfExp(body=one, orelse=other):
            return is_text(one) or is_text(other)
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str()))):
            return True
    return False


def changeable(node: ast.AST) -> Iterator[ast.AST]:
    """Yield each node that may be changed, in the order of the file."""
    left: list[object] = []
    match node:
        case ast.JoinedStr() | ast.Assert() | ast.FunctionDef(name="__repr__" | "__str__"):
            return
        case ast.If(test=test) if re.search(r"\bTYPE_CHECKING\b|\bsys\.platform\b", ast.unparse(test)):
            return
        case ast.FunctionDef(decorator_list=decorators, returns=annotation):
            left = [*decorators, annotation]
        case ast.ClassDef(decorator_list=decorators):
            left = [*decorators]
        case ast.AnnAssign(annotation=annotation) | ast.arg(annotation=annotation):
            left = [annotation]
        case ast.Raise(exc=exc, cause=cause):
            left = [exc, cause]
        case ast.Call(func=ast.Name(id="cast" | "TypeVar" | "NewType"), args=args):
            left = [*args[:1]]
        case ast.Call(keywords=keywords):
            left = [each for each in keywords if each.arg in {"help", "strict"}]
    yield node
    for child in ast.iter_child_nodes(node):
        if not any(child is each for each in left):
            yield from changeable(child)


def shares(lines: Counter[str], count: int) -> dict[str, int]:
    """Return how many mutants each room gets: the least first, then one by one in proportion."""
    given = dict.fromkeys(lines, min(LEAST, count // len(lines)))
    for _ in range(count - sum(given.values())):
        may_get = [room for room in lines if room != "games" or given[room] < MOST_OF_GAMES]
        given[max(may_get, key=lambda room: lines[room] * (2 if room in TWICE else 1) / (given[room] + 1))] += 1
    return given


def draw_from(families: Iterable[list[Mutant]], count: int, chance: Random) -> list[Mutant]:
    """Draw a line of each family in turn, and a change of that line."""
    shuffled = []
    for family in families:
        lines: dict[tuple[str, int], list[Mutant]] = {}
        for each in family:
            lines.setdefault((each.path, each.line), []).append(each)
        shuffled.append([chance.choice(changes) for changes in chance.sample([*lines.values()], len(lines))])
    chance.shuffle(shuffled)
    return sorted([each for turn in zip_longest(*shuffled) for each in turn if each][:count])


def draw(seed: int, count: int) -> list[Mutant]:
    """Return the mutants of a seed, by room."""
    rooms: dict[str, dict[str, list[Mutant]]] = {}
    lines = Counter[str]()
    for module in map(Module, sorted((ROOT / "roundsim").rglob("*.py"))):
        for room in {each.room for each in module.mutants}:
            family = module.path.split("/")[2].removesuffix(".py") if room == "games" else ""
            rooms.setdefault(room, {}).setdefault(family, []).extend(module.mutants)
            lines[room] += len(module.starts)
    given = shares(lines, count)
    drawn = [draw_from(rooms[room].values(), given[room], Random(f"{seed} {room}")) for room in sorted(rooms)]
    return [each for mutants in drawn for each in mutants]


class Copy:
    """A copy of the checkout, in which the tests run as if it were the checkout itself."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.tree = folder, folder / "tree"
        git = ["git", "ls-files", "-zco", "--exclude-standard"]
        names = subprocess.run(git, cwd=ROOT, capture_output=True, check=True, text=True).stdout.split("\0")
        for path in [*(ROOT / name for name in names if name), *ROOT.glob("roundsim/native/*.so")]:
            if path.is_file():
                copied = self.tree / path.relative_to(ROOT)
                copied.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(path, copied)
        self.seconds: dict[str, float] = {}

    def passes(self, room: str, mutant: Mutant | None = None) -> bool:
        """Return whether the quick tests of a room pass: first the tests with the name of the changed module."""
        paths = [self.tree / "tests" / each for each in TESTS.get(room, [room])]
        tests = [each for path in paths for each in (sorted(path.rglob("test_*.py")) if path.is_dir() else [path])]
        tests = [each.relative_to(self.tree) for each in tests]
        box = ["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"]
        box += ["--ro-bind" if mutant else "--bind", str(self.tree), str(ROOT)]  # without a change, keep the bytecode
        if (environment := Path(sys.prefix)).is_relative_to(ROOT):
            (self.tree / environment.relative_to(ROOT)).mkdir(exist_ok=True)
            box += ["--ro-bind", str(environment), str(environment)]
        if mutant:
            tests.sort(key=lambda path: Path(mutant.path).stem not in path.stem)
            changed = self.folder / f"{mutant.path.replace('/', '.')}.{mutant.start}.py"
            source = (self.tree / mutant.path).read_bytes()
            changed.write_bytes(mutant.applied(source))
            if b"@native\n" in source:  # some tests fail if only a part plays natively
                box += ["--setenv", "ROUNDSIM_NATIVE", "off"]
            box += ["--ro-bind", str(changed), str(ROOT / mutant.path)]
        box += ["--unshare-pid", "--die-with-parent", "--chdir", str(ROOT)]
        pytest = ["pytest", "-xq", "-n0", "-p", "no:cacheprovider", f"--timeout={HANGS}"]
        command = [*box, sys.executable, "-m", *pytest, *map(str, tests)]
        patience = 10 * self.seconds[room] + HANGS if mutant else None
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=patience)
        except subprocess.TimeoutExpired:
            return False
        if done.returncode and not mutant:
            sys.exit(f"the tests of {room} fail without a change:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
        return done.returncode == 0

    def measure(self, room: str) -> None:
        """Run the tests of a room without a change: they must pass."""
        began = time.monotonic()
        self.passes(room)
        self.seconds[room] = time.monotonic() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("places", nargs="*", metavar="ROOM|FILE[:LINE]", help="run only these of the draw")
    parser.add_argument("--seed", type=int, default=SEED, help=f"another draw than {SEED}")
    parser.add_argument("--count", type=int, default=COUNT, help=f"how many to draw, instead of {COUNT}")
    parser.add_argument("--jobs", type=int, default=1, help="how many to try at the same time")
    parser.add_argument("--by", nargs="+", metavar="ROOM", help="run the tests of these rooms instead")
    parser.add_argument("--list", action="store_true", help="list the draw, and run nothing")
    given = parser.parse_args()
    drawn = draw(given.seed, given.count)
    if given.places:
        drawn = [m for place in given.places for m in drawn if place in {m.room, m.path, f"{m.path}:{m.line}"}]
    if given.list:
        print(*drawn, sep="\n")
        return
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, resource.getrlimit(resource.RLIMIT_DATA)[1]))
    alive = []
    with TemporaryDirectory() as folder, ThreadPoolExecutor(given.jobs) as pool:
        copy = Copy(Path(folder))
        for room in dict.fromkeys(each.room for each in drawn):
            mutants = [each for each in drawn if each.room == room]
            judges = given.by or [room]
            for each in judges:
                copy.measure(each)
            lives = pool.map(lambda mutant, judges=judges: all(copy.passes(each, mutant) for each in judges), mutants)
            for mutant, is_alive in zip(mutants, lives, strict=True):
                print("alive" if is_alive else "found", mutant, flush=True)
                alive += [mutant] * is_alive
    total, living = (Counter(each.room for each in some) for some in (drawn, alive))
    print(f"\n{'room':<12} drawn found alive")
    for room, all_of, left in [*((room, total[room], living[room]) for room in total), ("", len(drawn), len(alive))]:
        print(f"{room:<12} {all_of:>5} {all_of - left:>5} {left:>5}")
    print("\nalive:", *alive, sep="\n")


if __name__ == "__main__":
    main()
