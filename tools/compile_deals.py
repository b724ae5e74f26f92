"""Write the deals of the games for mypyc, into roundsim/native/deals: `setup.py` compiles them for a wheel.

A game plays from copies of its classes, and of the functions that these call, without what only listeners and declarations
need. A copy takes the rest, constants, class methods and views, from the class itself. A class of mypyc has one parent: the
ancestors of a game that has more are copied in a row, in the order in which Python looks for methods."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from functools import cache
from hashlib import sha256
from importlib import import_module
from importlib.util import resolve_name
from pathlib import Path
from types import FunctionType, MemberDescriptorType
from typing import Any

from roundsim import games
from roundsim.native import DEALS, PACKAGE, copy_name

PLAYING = "roundsim.games.", "roundsim.mechanics.", "roundsim.table.deal."  # modules whose functions are copied
METHODS = FunctionType, property, staticmethod
LITERALS = bool, int, str, type(None)
SIMPLE = {"bool", "int", "str"}
TYPING = "TYPE_CHECKING", "Any", "ClassVar", "Final"
HEAD = ["from __future__ import annotations", f"from typing import {', '.join(TYPING)}"]
DEFAULT = "default_"  # before the name of an attribute: its value in the class

Class = Any  # mypy caches nothing by a class
Ancestry = tuple[Class, ...]  # a class, and those that it derives from, in the order in which Python looks for methods


def write() -> list[str]:
    """Write the copies, and `sources` with the digests of the files that they were made of. Return their paths."""
    folder = PACKAGE.joinpath(*DEALS.split(".")[1:])
    folder.mkdir(exist_ok=True)
    ancestries = dict.fromkeys(row[at:] for row in map(ancestry_of, classes()) for at in range(len(row)))
    functions = [*functions_called()]
    texts = {module_of(row): text_of_class(row) for row in ancestries}
    texts |= {
        functions_of(home): text_of_functions(home, functions) for home in {each.__module__ for each in functions}
    }
    files = sorted({file_of(each.__module__) for each in [*classes(), *functions]})
    digests = {file.relative_to(PACKAGE).as_posix(): sha256(file.read_bytes()).hexdigest() for file in files}
    texts[f"{DEALS}.sources"] = f"DIGESTS: dict[str, str] = {digests!r}\n"
    paths = {folder / f"{module.rpartition('.')[2]}.py": text for module, text in texts.items()}
    for path, text in paths.items():
        path.write_text(text, "utf-8")
    return sorted(map(str, paths))


@cache
def classes() -> list[Class]:
    """Return the classes that games are played with."""
    forms = [form for name in games.ours() for form in forms_of(games.find(name))]
    return [*dict.fromkeys(each for form in forms for each in reversed(ancestry_of(form)))]


def forms_of(game: Class) -> Iterator[Class]:
    """Yield a game and all its forms."""
    yield game
    for form in game.__subclasses__():
        yield from forms_of(form)


def ancestry_of(deal: Class) -> Ancestry:
    return tuple(deal.__mro__[:-1])  # without `object`


def module_of(ancestry: Ancestry) -> str:
    """Return the module of a copy. The copy of an ancestor in a row is named after the class that follows, too."""
    first, usual = ancestry[0], ancestry == ancestry_of(ancestry[0])
    return copy_name(first) + ("" if usual else f"_{ancestry[1].__name__}")


def functions_of(module: str) -> str:
    """Return the module of the copied functions of a module."""
    return f"{DEALS}.{module.replace('.', '_')}_functions"


def file_of(module: str) -> Path:
    return Path(str(import_module(module).__file__))


@cache
def tree_of(module: str) -> ast.Module:
    return ast.parse(file_of(module).read_text("utf-8"))


def node_of(thing: Any) -> Any:
    """Return the definition of a class or a function; None if it is not at the top of its module."""
    return next((node for node in tree_of(thing.__module__).body if getattr(node, "name", "") == thing.__name__), None)


# Methods and functions that are copied.


@cache
def methods_of(deal: Class) -> tuple[ast.FunctionDef, ...]:
    """Return the methods of a class that play."""
    methods = [node for node in node_of(deal).body if isinstance(node, ast.FunctionDef)]
    return tuple(bare(node, vars(deal)[node.name]) for node in methods if isinstance(vars(deal)[node.name], METHODS))


def bare(node: ast.FunctionDef, held: Any) -> ast.FunctionDef:
    """Return the definition of a function without its docstring, and without decorators that leave no more than a mark of
    their name on it: they are for listeners."""
    marks, function = getattr(held, "__dict__", {}), copy(node)
    function.decorator_list = [each for each in node.decorator_list if ast.unparse(each).partition("(")[0] not in marks]
    function.body = node.body[ast.get_docstring(node) is not None :] or [ast.Pass()]
    return function


def functions_called() -> Iterator[FunctionType]:
    """Yield the functions to copy: those that methods that play call, and those that these call."""
    seen, todo = set[FunctionType](), [(deal.__module__, methods_of(deal)) for deal in classes()]
    while todo:
        module, nodes = todo.pop()
        for name in sorted(names_in(nodes)):
            function: Any = vars(import_module(module)).get(name)
            if is_copied(function) and function not in seen:
                seen.add(function)
                todo.append((function.__module__, (bare(node_of(function), function),)))
                yield function


def is_copied(thing: Any) -> bool:
    """Return whether a thing is a function that is copied: one of the games and mechanics, without a decorator."""
    if type(thing) is not FunctionType or not f"{thing.__module__}.".startswith(PLAYING):
        return False
    node = node_of(thing)
    return isinstance(node, ast.FunctionDef) and not node.decorator_list


def names_in(nodes: Iterable[ast.AST]) -> set[str]:
    return {each.id for node in nodes for each in ast.walk(node) if isinstance(each, ast.Name)}


# The names of a class besides its methods: constants, which its copy takes from it, and attributes of its deals.


@cache
def names_of(deal: Class) -> list[str]:
    """Return the names that the copy of a class declares: its constants and attributes, and attributes that it assigns and
    a class that derives from it annotates."""
    heirs = [each for each in classes() if deal in each.__mro__]
    narrowed = [name for name in assigned_in(deal) if any(name in annotations_of(heir) for heir in heirs)]
    names = dict.fromkeys([*values_of(deal), *annotations_of(deal), *carried_by(deal), *narrowed])
    return [name for name in names if not name.startswith("__")]


def values_of(deal: Class) -> dict[str, Any]:
    """Return what a class holds besides its methods and slots."""
    return {name: held for name, held in vars(deal).items() if not isinstance(held, (*METHODS, MemberDescriptorType))}


def annotations_of(deal: Class) -> dict[str, str]:
    return {**vars(deal).get("__annotations__", {})}


def carried_by(deal: Class) -> list[str]:
    """Return the names of what passes from deal to deal: a class holds nothing under them."""
    return [*vars(deal).get("carried", ())]


@cache
def assigned_in(deal: Class) -> list[str]:
    """Return the attributes that the methods of a class assign."""
    stored = [
        node
        for method in methods_of(deal)
        for node in ast.walk(method)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
    ]
    return sorted({node.attr for node in stored if isinstance(node.value, ast.Name) and node.value.id == "self"})


@cache
def is_attribute(name: str) -> bool:
    """Return whether a name is that of an attribute of deals: it is carried, assigned, or annotated as one."""
    return any(
        name in carried_by(deal)
        or name in assigned_in(deal)
        or not annotations_of(deal).get(name, "ClassVar").startswith("ClassVar")
        for deal in classes()
    )


def kind_of(deal: Class, name: str) -> str:
    """Return the type of an attribute: as the class annotates it or as its value is, if those that derive from it agree."""
    heirs = [each for each in classes() if deal in each.__mro__]
    kinds = {annotations_of(heir)[name] for heir in heirs if name in annotations_of(heir)}
    if kinds:
        return kinds.pop() if len(kinds) == 1 and name in annotations_of(deal) else "Any"
    kinds = {type(values_of(heir)[name]).__name__ for heir in heirs if name in values_of(heir)}
    return kinds.pop() if len(kinds) == 1 and kinds <= SIMPLE else "Any"


def declaration(ancestry: Ancestry, name: str) -> str:
    """Return the declaration of a name in the copy of a class, "" if an ancestor has made it."""
    deal, inherited = ancestry[0], any(name in names_of(parent) for parent in ancestry[1:])
    is_held, held = name in values_of(deal), values_of(deal).get(name)
    if not is_attribute(name):
        return f"{name}: ClassVar[Any]" + f" = Plain.{name}" * is_held
    kind = "" if inherited else f": {kind_of(deal, name)}"
    if is_held:
        return f"{name}{kind} = {repr(held) if isinstance(held, LITERALS) else DEFAULT + name}"
    return f"{name}{kind}" if kind else ""


# The texts of the copies.


def text_of_class(ancestry: Ancestry) -> str:
    deal, parents, methods = ancestry[0], ancestry[1:], methods_of(ancestry[0])
    declarations = [each for name in names_of(deal) if (each := declaration(ancestry, name))]
    defaults = [each.rpartition(DEFAULT)[2] for each in declarations if DEFAULT in each]
    kinds = [ast.parse(kind_of(deal, name)) for name in names_of(deal) if is_attribute(name)]
    lines = [*HEAD, f"from {deal.__module__} import {deal.__name__} as Plain"]
    lines += imports(deal.__module__, names_in([*methods, *kinds]))
    lines += [f"from {module_of(parents)} import {each.__name__} as Parent" for each in parents[:1]]
    lines += [f"{DEFAULT}{name}: Final[Any] = Plain.{name}" for name in defaults]
    body = [*declarations, *"\n".join(map(ast.unparse, methods)).splitlines()]
    return "\n".join(
        [*lines, f"class {deal.__name__}{'(Parent)' if parents else ''}:", *[f"    {each}" for each in body]]
    )


def text_of_functions(module: str, functions: Sequence[FunctionType]) -> str:
    nodes = [bare(node_of(each), each) for each in functions if each.__module__ == module]
    names = names_in(nodes) - {node.name for node in nodes}
    return "\n".join([*HEAD, *imports(module, names), *map(ast.unparse, nodes)])


def imports(module: str, names: Iterable[str]) -> Iterator[str]:
    """Yield the lines that import these names of a module: what is copied from its copy."""
    for name in sorted({*names} - {*TYPING}):
        thing: Any = vars(import_module(module)).get(name)
        if is_copied(thing):
            yield f"from {functions_of(thing.__module__)} import {thing.__name__} as {name}"
        elif isinstance(thing, type) and thing in classes():
            yield f"from {module_of(ancestry_of(thing))} import {name} as {name}"
        elif name in vars(import_module(module)):
            yield f"from {module} import {name} as {name}"
        elif name in imported_for_types(module):
            yield f"if TYPE_CHECKING:\n    from {imported_for_types(module)[name]} import {name} as {name}"


@cache
def imported_for_types(module: str) -> dict[str, str]:
    """Return the names that a module imports for annotations only, with their modules."""
    blocks = [node for node in tree_of(module).body if isinstance(node, ast.If) and ast.unparse(node.test) == TYPING[0]]
    lines = [line for block in blocks for line in block.body if isinstance(line, ast.ImportFrom)]
    package = import_module(module).__package__
    home = {line: resolve_name("." * line.level + (line.module or ""), package) for line in lines}
    return {each.name: home[line] for line in lines for each in line.names}
