"""Catalogs of games and of formats: ours, those that other packages install, and those of files that the user names.

Ours are a file or a package each. A name is its file's with hyphens: `draw-poker` is draw_poker. A package installs
others under an entry point. A file is named on the command line, `old_maid.py:OldMaid`. No file can make us import
another file: code that reads files asks by name (`find`), or by the hash of the source (`by_source`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar

from .errors import DeclarationError, InputError, PluginError, StrategyError, did_you_mean
from .files import real
from .finding import display_path, entry_points, is_path, module_file, sha256, sources_in, split_attribute
from .importing import module_at

OURS = __name__.partition(".")[0]


class Origin(NamedTuple):
    """The origin of a third-party game or format: the path of its source, its class, and the sha256 of the source."""

    path: str
    attribute: str
    sha256: str

    @property
    def place(self) -> str:
        """The text by which another process finds it."""
        return f"{self.path}:{self.attribute}"


class CatalogClass(Protocol):
    """The attributes that a catalog needs of a class."""

    origin: ClassVar[Origin | None]


T = TypeVar("T", bound=CatalogClass)


class Catalog(Generic[T]):
    """The classes of a kind, by name.

    `kind`: "game". `key`: the attribute that holds a class's name; a class that only inherits it does not count.
    `package` and `paths`: where ours are. `check`: raises DeclarationError if something is wrong with a third-party
    class. `unknown`: the error for a name that is not known; `flag`: the option that names a file; `help`: how the user
    finds the others. `family`: the attribute that holds the name of a class's family, if there are families."""

    def __init__(
        self,
        kind: str,
        base: type[T],
        key: str,
        package: str,
        paths: Iterable[str],
        check: Callable[[type[T], str], None],
        unknown: type[InputError],
        flag: str,
        help: Callable[[], str],
        family: str = "",
    ) -> None:
        self.kind, self.base, self.key, self.package, self.paths = kind, base, key, package, paths
        self.check, self.unknown, self.flag, self.help = check, unknown, flag, help
        self.family = family
        self.group = f"roundsim.{kind}s"  # of entry points
        self.found: dict[str, type[T]] = {}  # by name: those of ours, and the installed ones, that are loaded
        self.outside: dict[str, type[T]] = {}  # by name: those loaded from files
        self.files: dict[str, tuple[Path, str]] = {}  # that the user has named, as written: the path, the class or ""

    @cached_property
    def _ours(self) -> tuple[str, ...]:
        return tuple(sorted(module.name.replace("_", "-") for module in iter_modules(self.paths)))

    @cached_property
    def _installed(self) -> dict[str, str]:
        return dict(entry_points(self.group))

    def ours(self) -> tuple[str, ...]:
        """Return the names of those that come with roundsim."""
        return self._ours

    def installed(self) -> dict[str, str]:
        """Return those of other packages: by name, the module and class, "old_maid:OldMaid"."""
        return self._installed

    def names(self) -> list[str]:
        """Return the names of all that are known."""
        return sorted({*self.ours(), *self.installed(), *self.outside})

    def allow(self, text: str) -> None:
        """Let runs, scripts and tournament files use the classes of a file, `old_maid.py` or `old_maid.py:OldMaid`.

        It is loaded when one of them needs it. InputError if there is no such file or package."""
        path, attribute = self.source_at(text)
        self.files[text] = path.resolve(), attribute

    def allowed(self) -> list[str]:
        """Return the files that the user has named."""
        return [*self.files]

    def find(self, name: str) -> type[T]:
        """Return the class of this name: ours, an installed one, or one of a file that the user has named.

        InputError if there is none, PluginError if it cannot be loaded."""
        if name not in self.outside and name not in self.ours() and name not in self.installed():
            for path, attribute in self.files.values():
                self.at_path(f"{path}:{attribute}")
        if name in self.outside:
            return self.outside[name]
        if name not in self.found:
            ours = name in self.ours() or name not in self.installed()
            self.found[name] = self.one_of_ours(name) if ours else self.one_installed(name)
        return self.found[name]

    def every(self) -> list[type[T]]:
        """Return all classes: ours, the installed ones, and those of files that the user has named. PluginError."""
        for path, attribute in self.files.values():
            self.at_path(f"{path}:{attribute}")
        return [self.find(name) for name in self.names()]

    def named(self, text: str) -> type[T]:
        """Return the class that a user names: by its name, its file, or as `module:Name`. InputError, PluginError."""
        place, attribute = split_attribute(text)
        if is_path(place):
            return self.at_path(text)
        if place == text:
            return self.find(text)
        try:
            path = module_file(place)
        except StrategyError:
            raise self.unknown(f"no module {place!r}, in which {self.kind} {attribute} would be") from None
        return self.at_path(f"{path}:{attribute}")

    def by_source(self, name: str, attribute: str, sha: str) -> type[T] | None:
        """Return the class with this name, class name and sha256 of its source; None if no such source may be loaded.

        No other source is imported for it. PluginError if it cannot be loaded."""
        if name in self.installed():
            return self.find(name) if sha256(self.installed_at(name)) == sha else None
        known = self.outside.get(name)
        if known and known.origin and known.origin[1:] == (attribute, sha):
            return known
        for path, _ in self.files.values():
            if sha256(path) == sha and self.name_of(thing := self.at_path(f"{path}:{attribute}")) == name:
                return thing
        return None

    def sha_of(self, name: str, file: str) -> str:
        """Return the sha256 of the source that is here instead of a missing one: of this name, or in a file of this
        name that the user has named; "" if there is none."""
        if name in self.installed():
            return sha256(self.installed_at(name))
        here = [path for path, _ in self.files.values() if path.name == file]
        here += [Path(thing.origin.path) for known, thing in self.outside.items() if known == name and thing.origin]
        return sha256(here[0]) if here else ""

    def name_of(self, thing: type[T]) -> str:
        return str(getattr(thing, self.key))

    def one_of_ours(self, name: str) -> type[T]:
        if name not in self.ours():
            if is_path(split_attribute(name)[0]):
                what = f"{name!r} is a file: write the {self.key} of its {self.kind}"
                raise self.unknown(f"{what}, and name the file with {self.flag} PATH")
            raise self.unknown(f"no {self.kind} {name!r}{self.meant(name)}; {self.help()}")
        module = import_module(f"{self.package}.{name.replace('-', '_')}")
        return next(thing for thing in self.classes_of(vars(module)) if self.name_of(thing) == name)

    def meant(self, name: str) -> str:
        """Return ' (did you mean nap?)', or all of ours that have this name as a word or as their family."""
        ours = [self.find(name) for name in self.ours()]
        several = [self.name_of(thing) for thing in ours if name.casefold() in self.words_of(thing)]
        one_of = "one of " * (len(several) > 1)
        return f" (did you mean {one_of}{', '.join(several)}?)" if several else did_you_mean(name, self.names())

    def words_of(self, thing: type[T]) -> list[str]:
        """Return the words of a class's name, and its family."""
        return [*self.name_of(thing).split("-"), *([getattr(thing, self.family)] if self.family else [])]

    def one_installed(self, name: str) -> type[T]:
        where = f"entry point {name} of {self.group}"
        try:
            thing = self.the_one(self.installed_at(name), self.installed()[name].partition(":")[2], where)
        except InputError as error:  # nobody has asked for what is wrong here
            raise PluginError(str(error)) from None
        if self.name_of(thing) != name:
            problem = f"the {self.key} of {thing.__name__} is {self.name_of(thing)!r}"
            raise DeclarationError(f"{where}: {problem}: give the entry point that name")
        return thing

    def installed_at(self, name: str) -> Path:
        """Return the source of an installed one. PluginError if there is none."""
        module = self.installed()[name].partition(":")[0]
        try:
            return module_file(module)
        except StrategyError:
            raise PluginError(f"entry point {name} of {self.group}: there is no module {module}") from None

    def place_of(self, thing: type[T]) -> str:
        """Return how the user's own program names it: by its name, or by its file and class if it is not installed."""
        name = self.name_of(thing)
        return thing.origin.place if thing.origin and name not in self.installed() else name

    def file_of(self, thing: type[T]) -> Path | None:
        """Return the file that a command must name with the flag; None if there is no need."""
        return Path(thing.origin.path) if thing.origin and self.name_of(thing) not in self.installed() else None

    def source_at(self, text: str) -> tuple[Path, str]:
        """Return the file or package, and the class, "" if none is named, of `old_maid.py:OldMaid`. InputError,
        PluginError."""
        place, attribute = split_attribute(text)
        path = Path(place).expanduser()
        if not path.exists() or next(sources_in(path), None) != path:
            raise self.unknown(f"{place}: there is no such file or package")
        try:
            str(path.resolve()).encode()
        except UnicodeEncodeError:
            problem = f"the path of a {self.kind} is recorded in runs: it must be UTF-8"
            raise PluginError(f"{display_path(path)}: {problem}") from None
        return path, attribute

    def at_path(self, text: str) -> type[T]:
        """Return the class in a file or package, `old_maid.py:OldMaid`. The class may be omitted if there is only one.

        It is imported: only for a source that the user has named. InputError, PluginError."""
        path, attribute = self.source_at(text)
        thing = self.the_one(path, attribute, display_path(path))
        name = self.name_of(thing)
        if name in self.installed() and is_copy(thing, self.find(name)):  # its author has installed it
            return self.find(name)
        if name in self.ours() or name in self.installed():
            problem = f"{thing.__name__} has the {self.key} {name!r}"
            raise DeclarationError(f"{display_path(path)}: {problem}, which another {self.kind} has already")
        self.outside[name] = thing
        return thing

    def the_one(self, path: Path, attribute: str, where: str) -> type[T]:
        """Return the class in a source: the one named, or the only one. Its origin is noted."""
        module = module_at(path)
        every = [kind for kind in self.classes_of(vars(module)) if not kind.__module__.startswith(f"{OURS}.")]
        classes = {kind.__name__: kind for kind in every}
        if not attribute:  # those that it imports are others'
            own = {
                name: kind for name, kind in classes.items() if f"{kind.__module__}.".startswith(f"{module.__name__}.")
            }
            classes = own or classes
        if attribute and attribute not in classes:
            raise self.unknown(f"{where}: no {self.kind} {attribute}{did_you_mean(attribute, classes)} in it")
        if not attribute and len(classes) != 1:
            several = f"the {self.kind}s {', '.join(classes)}: name one, {where}:{next(iter(classes), '')}"
            what = f"a class of {self.base.__name__} with a{'n' * (self.key == 'id')} `{self.key}`"
            raise self.unknown(f"{where}: there is {several if classes else f'no {self.kind}'} in it: {what}")
        thing = classes[attribute or next(iter(classes))]
        self.check(thing, where)
        thing.origin = Origin(str(real(path)), thing.__name__, sha256(path))
        return thing

    def classes_of(self, names: dict[str, Any]) -> list[type[T]]:
        """Return those among the names of a module: classes with a name of their own."""
        classes = [value for value in names.values() if isinstance(value, type) and issubclass(value, self.base)]
        return [kind for kind in classes if self.key in vars(kind)]


def is_copy(one: type[CatalogClass], other: type[CatalogClass]) -> bool:
    """Return whether two from outside have the same source."""
    return one.origin is not None and other.origin is not None and one.origin[1:] == other.origin[1:]
