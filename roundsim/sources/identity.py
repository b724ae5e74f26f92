"""The identity of a strategy without a file: a digest of its code and of the values that the code reads.

The digest is the same on every Python from 3.11 if the source is available, wherever it is: no file name, line, comment
or docstring is in it. Without the source it is a digest of the bytecode, and names the version of Python."""

from __future__ import annotations

import ast
import copy
import copyreg
import dis
import hashlib
import inspect
import json
import linecache
import os
import random
import sys
from collections.abc import Iterator, Sequence
from enum import Enum
from functools import cache, cached_property
from itertools import groupby
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any, TypeVar

from ..base.errors import StrategyError, exception_words

HINT = "keep it in a file, and name that in files"
STANDARD = os.path.dirname(os.__file__) + os.sep
READS = ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS")
PLAIN = (type(None), bool, int, float, complex, str, type(Ellipsis), type(NotImplemented))
FIELD = ("name", "init", "compare", "kw_only")
DATACLASS = ("init", "repr", "eq", "order", "unsafe_hash", "frozen")
OF_PYTHON = {  # members of a class that say nothing of how it plays
    *("__module__", "__doc__", "__dict__", "__weakref__", "__qualname__", "__annotations__", "__firstlineno__"),
    *("__static_attributes__", "__annotate__", "__annotate_func__", "__annotations_cache__", "__match_args__"),
    *("__dataclass_fields__", "__dataclass_params__", "__abstractmethods__", "_abc_impl", "__parameters__"),
    *("__protocol_attrs__", "__non_callable_proto_members__", "__readonly_keys__", "__mutable_keys__"),
}
Node = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class Identity:
    """The digest of a class or function, `sha256`; its `source` as far as it is available; whether it `draws` from
    Python's module `random`. StrategyError names a value that has no digest."""

    def __init__(self, thing: Any, name: str) -> None:
        self.where, self.seen, self.kept = [name], dict[int, int](), list[Any]()
        self.sources: dict[str, None] = {}
        self.draws = False
        tree = json.dumps(["session", 1, self.plain(thing)])
        self.sha256 = hashlib.sha256(tree.encode("utf-8", "surrogatepass")).hexdigest()

    @property
    def source(self) -> str:
        return "\n\n".join(self.sources)

    def at(self, name: str, value: Any) -> list[Any]:
        """Return a name and its value as JSON. The name appears in the error if the value is refused."""
        self.where.append(name)
        pair = [name, self.plain(value)]
        self.where.pop()
        return pair

    def plain(self, value: Any) -> Any:
        """Return a value as JSON."""
        kind = type(value)
        if kind in PLAIN:
            return [kind.__name__, value if kind is str else repr(value)]
        if kind is bytes:
            return ["bytes", hashlib.sha256(value).hexdigest()]
        if kind is tuple:
            return ["tuple", *map(self.plain, value)]
        if kind is ModuleType:
            return self.module(value)
        if is_of_random(value):
            self.draws = True
            return ["name", "random", value.__name__]
        if isinstance(value, type | FunctionType | BuiltinFunctionType) and is_importable(value):
            return ["name", self.module(sys.modules[value.__module__]), value.__qualname__]
        if id(value) in self.seen:
            return ["seen", self.seen[id(value)]]
        self.seen[id(value)] = len(self.seen)
        self.kept.append(value)
        return self.compound(value)

    def compound(self, value: Any) -> Any:
        """Return a value that may refer to itself."""
        match value:
            case type():
                return self.class_of(value)
            case FunctionType():
                return self.function(value)
            case MethodType():
                return ["method", self.plain(value.__func__), self.plain(value.__self__)]
            case staticmethod() | classmethod():
                return [type(value).__name__, self.plain(value.__func__)]
            case cached_property():
                return ["cached property", self.plain(value.func)]
            case TypeVar():
                bound, of = value.__bound__, value.__constraints__
                return ["type variable", value.__name__, self.plain(bound), self.plain(of)]
            case property():
                return ["property", *map(self.plain, (value.fget, value.fset, value.fdel))]
        if type(value) is list:
            return ["list", *map(self.plain, value)]
        if type(value) is dict:
            return ["dict", *[[self.plain(key), *self.at(repr(key)[:40], item)] for key, item in value.items()]]
        if type(value) in (set, frozenset):
            return [type(value).__name__, *sorted(json.dumps(self.plain(item)) for item in value)]
        if hasattr(value, "cache_parameters"):  # functools.cache
            return ["cache", self.plain(value.cache_parameters()), self.plain(value.__wrapped__)]
        if type(value).__module__ == "numpy" and not value.dtype.hasobject:
            data = hashlib.sha256(value.tobytes()).hexdigest()
            return ["array", type(value).__name__, str(value.dtype), list(value.shape), data]
        return self.made(value)

    def made(self, value: Any) -> Any:
        """Return any other value, by the result of pickling it."""
        try:
            known = copyreg.dispatch_table.get(type(value))
            parts = known(value) if known else value.__reduce_ex__(4)
            if isinstance(parts, str):
                if is_importable(value, parts):
                    return ["name", self.module(sys.modules[value.__module__]), parts]
                raise TypeError(f"pickle knows it only by its name, {parts}")
        except Exception as error:
            self.refuse(exception_words(error))
        return ["made", *[self.plain(list(part) if isinstance(part, Iterator) else part) for part in parts]]

    def refuse(self, problem: str) -> None:
        raise StrategyError(f"{self.where[0]}: {'.'.join(self.where[1:]) or 'it'} has no digest: {problem}; {HINT}")

    def module(self, module: ModuleType) -> Any:
        """Return a module by its name and version; by its source if it has none."""
        name = module.__name__
        top = name.partition(".")[0]
        self.draws = self.draws or top == "random"
        if top in sys.stdlib_module_names or top.startswith("roundsim"):
            return ["module", name]
        version = getattr(sys.modules.get(top), "__version__", None)
        file = getattr(module, "__file__", None)
        if not isinstance(version, str) and file:
            version = hashlib.sha256(Path(file).read_bytes()).hexdigest()
        return ["module", name, str(version)]

    def class_of(self, thing: type) -> Any:
        own, special = vars(thing), [*of_dataclass(thing), *of_enum(thing), *of_named_tuple(thing)]
        members = []
        for key, value in sorted(own.items()):
            function = inspect.unwrap(getattr(value, "fget", None) or getattr(value, "__func__", value))
            is_function = isinstance(function, FunctionType)
            if key in OF_PYTHON or inspect.isdatadescriptor(value) and not isinstance(value, property):
                continue
            if special and (is_generated(function.__code__) if is_function else key[0] == "_" or not special[0][2]):
                continue
            members.append(self.at(key, value))
        bases = [self.plain(base) for base in (type(thing), *thing.__bases__)]
        return ["class", bases, [[kind, self.plain(value)] for kind, value, _ in special], members]

    def function(self, thing: FunctionType) -> Any:
        code, names = thing.__code__, thing.__globals__
        read = sorted(name for name in {*names_read(code)} & names.keys() if not name.startswith("__"))
        return [
            "function",
            self.code(code, thing.__doc__),
            self.plain(thing.__defaults__),
            self.plain(thing.__kwdefaults__),
            [self.at(*item) for item in closure_of(thing)],
            [self.at(name, names[name]) for name in read],
            [self.at(*item) for item in sorted(vars(thing).items()) if item[0] != "__wrapped__"],
        ]

    def code(self, code: CodeType, doc: str | None = None) -> Any:
        if node := node_of(code):
            text = "".join(linecache.getlines(code.co_filename))
            self.sources[class_text(code) or ast.get_source_segment(text, node) or ""] = None
            return shape(without_docs(node))
        constants = [constant for constant in code.co_consts if doc is None or constant != doc]
        inner = [
            self.code(constant) if isinstance(constant, CodeType) else self.plain(constant) for constant in constants
        ]
        version = f"python {sys.version_info[0]}.{sys.version_info[1]}"
        return [version, code.co_code.hex(), inner, code.co_names, code.co_varnames, code.co_freevars]


def is_of_random(value: Any) -> bool:
    """Return whether this is a function of Python's module `random`: a method of an object that must not be copied."""
    return getattr(value, "__self__", None) is vars(random)["_inst"] and isinstance(
        value, MethodType | BuiltinFunctionType
    )


def is_importable(thing: Any, name: str = "") -> bool:
    """Return whether a class or function can be imported by the name of its module, which is not that of the
    session. `name`: its own there, if it is of another type."""
    value: Any = sys.modules.get(thing.__module__ or "")
    for part in (name or thing.__qualname__).split("."):
        value = getattr(value, part, None)
    return thing.__module__ != "__main__" and value is thing


def is_generated(code: CodeType) -> bool:
    """Return whether Python has generated a method itself, as of a dataclass."""
    return code.co_filename == "<string>" or code.co_filename.startswith(STANDARD)


def of_dataclass(thing: type) -> Iterator[tuple[str, Any, bool]]:
    from dataclasses import MISSING

    if "__dataclass_fields__" in vars(thing):
        fields = vars(thing)["__dataclass_fields__"].values()
        values = [
            (
                *[getattr(field, key) for key in FIELD],
                *[None if default is MISSING else (default,) for default in (field.default, field.default_factory)],
            )
            for field in fields
        ]
        params = vars(thing)["__dataclass_params__"]
        yield "dataclass", (tuple(getattr(params, key) for key in DATACLASS), *values), True


def of_enum(thing: type) -> Iterator[tuple[str, Any, bool]]:
    if issubclass(thing, Enum):
        yield "enum", {name: member.value for name, member in thing.__members__.items()}, False


def of_named_tuple(thing: type) -> Iterator[tuple[str, Any, bool]]:
    if issubclass(thing, tuple) and "_fields" in vars(thing):
        yield "tuple", (vars(thing)["_fields"], vars(thing).get("_field_defaults")), False


def closure_of(thing: FunctionType) -> Iterator[tuple[str, Any]]:
    for name, cell in zip(thing.__code__.co_freevars, thing.__closure__ or (), strict=True):
        try:
            yield name, cell.cell_contents
        except ValueError:  # it is not set yet
            yield name, NotImplemented


def names_read(code: CodeType) -> Iterator[str]:
    """Yield the names of globals that a code reads, including all code within it."""
    yield from (str(step.argval) for step in dis.get_instructions(code) if step.opname in READS)
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from names_read(inner)


@cache
def tree_of(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError):
        return None


def node_of(code: CodeType) -> Node | None:
    """Return the node of its source in which a code is written; None if the source is missing, or the node is
    ambiguous."""
    text = "".join(linecache.getlines(code.co_filename))
    tree = tree_of(text) if text else None
    nodes = [node for node in ast.walk(tree) if isinstance(node, Node) and is_of(node, code)] if tree else []
    return min(nodes, key=lambda node: len(ast.unparse(node)), default=None)


def is_of(node: Node, code: CodeType) -> bool:
    """Return whether a code is that of a function that is written here."""
    if not isinstance(node, ast.Lambda):
        first = min([node.lineno, *[decorator.lineno for decorator in node.decorator_list]])
        return (node.name, first) == (code.co_name, code.co_firstlineno)
    if code.co_name != "<lambda>" or node.lineno != code.co_firstlineno:
        return False
    body, places = node.body, [place for place in code.co_positions() if None not in place and place[2] != place[3]]
    start, end = (body.lineno, body.col_offset), (body.end_lineno, body.end_col_offset)
    inner: Sequence[Any] = [((line, column), (last, to)) for line, last, column, to in places]
    return bool(inner) and all(start <= first and last <= end for first, last in inner)


def class_text(code: CodeType) -> str:
    """Return the source of the class in which a method is written; "" if it is not a method."""
    text = "".join(linecache.getlines(code.co_filename))
    for node in ast.walk(tree_of(text) or ast.Module([], [])):
        if isinstance(node, ast.ClassDef) and any(
            isinstance(member, Node) and is_of(member, code) for member in node.body
        ):
            return ast.get_source_segment(text, node) or ""
    return ""


def shape(node: Any) -> Any:
    """Return a tree as JSON, without empty parts: so every Python gives the same, while `ast.unparse` picks other
    quotes."""
    if isinstance(node, ast.JoinedStr):  # whose texts Python 3.12 cuts otherwise
        parts = [str(part.value) if isinstance(part, ast.Constant) else shape(part) for part in node.values]
        runs = groupby([part for part in parts if part], key=type)
        return ["JoinedStr", *["".join(run) if kind is str else [*run] for kind, run in runs]]
    if isinstance(node, ast.AST):
        fields = [(name, value) for name, value in ast.iter_fields(node) if name != "kind" and value not in (None, [])]
        return [type(node).__name__, *[[name, shape(value)] for name, value in fields]]
    return [*map(shape, node)] if isinstance(node, list) else repr(node)


def without_docs(node: Node) -> ast.AST:
    node = copy.deepcopy(node)
    for inner in ast.walk(node):
        if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            match inner.body:
                case [ast.Expr(ast.Constant(str())), *others]:
                    inner.body = others or [ast.Pass()]
    return node
