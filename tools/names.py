"""Count the top-level names that two or more modules define: `python tools/names.py`.

One name should mean one thing. A name counts if two or more modules define it, with these exceptions:

* names with a leading underscore, and `__all__` and the like: they are private to their module;
* an alias, `find = GAMES.find`: only definitions count;
* a Click command: it is named after the function that it calls;
* a constant that no other module reads, and a type variable: they are read next to their definition only;
* constants with equal values;
* words of the card games: a name counts once for `games/`, `mechanics/`, `strategy/` and `strategies/` together. A strategy
  or a game reads like its book, and none of them imports names from another.

Prints each name with its modules, most common first, and the total. `--words` prints the words of the card games instead."""

from __future__ import annotations

import argparse
import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROOMS = "roundsim", "strategies"
CARD_GAMES = "roundsim.games", "roundsim.mechanics", "roundsim.strategy", "strategies"
COMMAND_DECORATORS = "command", "group"

Names = dict[str, dict[str, str]]  # by name and module: the value of a constant, "" of anything else


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def is_command(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return whether a decorator makes this function a Click command: `@command(...)` or `@new.command(...)`."""
    for decorator in function.decorator_list:
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        name = called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""
        if name in COMMAND_DECORATORS:
            return True
    return False


def pairs_of(target: ast.expr, value: ast.expr | None) -> Iterator[tuple[str, ast.expr | None, str]]:
    """Yield each name that an assignment sets, with its own value and the text to compare it by."""
    if isinstance(target, ast.Name):
        yield target.id, value, ast.unparse(value) if value else ""
    elif isinstance(target, ast.Tuple):
        values = value.elts if isinstance(value, ast.Tuple) and len(value.elts) == len(target.elts) else None
        for at, each in enumerate(target.elts):
            for name, own, text in pairs_of(each, values[at] if values else value):
                yield name, own, text if values else f"{text}[{at}]"


def definitions(module: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield each public top-level name that a module defines, and the value of a constant ("" of anything else)."""
    for node in module.body:
        if isinstance(node, ast.ClassDef):
            yield node.name, ""
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if not is_command(node):
                yield node.name, ""
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                for name, value, text in pairs_of(target, node.value):
                    if not isinstance(value, ast.Name | ast.Attribute):
                        yield name, text


def is_type_variable(value: str) -> bool:
    return value.startswith(("TypeVar(", "ParamSpec("))


def reads_in(path: Path) -> Iterator[tuple[str, str]]:
    """Yield each module and name of it that a file reads: `from .x import NAME`, or `x.NAME` of an imported `x`."""
    imported: dict[str, str] = {}
    package = module_name(path).split(".") if path.stem == "__init__" else module_name(path).split(".")[:-1]
    tree = ast.parse(path.read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            for alias in node.names:
                yield module, alias.name
                imported[alias.asname or alias.name] = f"{module}.{alias.name}"
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in imported:
            yield imported[node.value.id], node.attr


def names_in(root: Path) -> Names:
    """Return every public top-level name under a folder with the modules that define it."""
    paths = [path for room in ROOMS for path in sorted((root / room).rglob("*.py"))]
    read = {each for path in paths for each in reads_in(path)}
    names: Names = {}
    for path in paths:
        module = module_name(path)
        for name, value in definitions(ast.parse(path.read_text("utf-8"))):
            local = value and (is_type_variable(value) or (module, name) not in read)
            if not name.startswith("_") and not local:
                names.setdefault(name, {})[module] = value
    return names


def is_card_game(module: str) -> bool:
    return module.startswith(CARD_GAMES)


def is_shared(modules: dict[str, str]) -> bool:
    """Return whether a name counts: two or more modules define it, as different things."""
    senses = {"the card games" if is_card_game(module) else module for module in modules}
    return len(senses) > 1 and (len(set(modules.values())) > 1 or "" in modules.values())


def is_card_word(modules: dict[str, str]) -> bool:
    return len(modules) > 1 and all(map(is_card_game, modules))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--words", action="store_true", help="print the words of the card games instead")
    counts = is_card_word if parser.parse_args().words else is_shared
    shared = {name: modules for name, modules in names_in(ROOT).items() if counts(modules)}
    for name, modules in sorted(shared.items(), key=lambda item: (-len(item[1]), item[0])):
        print(f"{name:<20} {len(modules):>2}  {', '.join(module.removeprefix('roundsim.') for module in modules)}")
    print(f"{len(shared)} names")


if __name__ == "__main__":
    main()
