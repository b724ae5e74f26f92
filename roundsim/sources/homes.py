"""The places of strategies that need no path: the folders of the house, and the entry points of installed packages."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from .. import games
from ..base.errors import StrategyError
from ..base.files import real
from ..base.finding import entry_points, module_file, modules_of, source_text, sources_in, stamp
from ..base.importing import PACKAGE_FOLDER

GROUP = "roundsim.strategies"
PACKAGE = Path(PACKAGE_FOLDER).resolve()


def house_folder() -> Path:
    """Return the folder of the house strategies."""
    return package_folder("roundsim_strategies", "strategies")


def claims_folder() -> Path:
    """Return the folder of the chapters of claims, whose functions and strategies are the house's."""
    return package_folder("roundsim_claims", "claims")


@cache
def package_folder(package: str, name: str) -> Path:
    """Return a folder that is installed as a package of its own; in a checkout it has another name."""
    spec = find_spec(package)
    if spec and spec.submodule_search_locations:
        return Path(list(spec.submodule_search_locations)[0]).resolve()
    return Path(__file__).resolve().parents[2] / name


def in_house(path: Path) -> bool:
    """Return whether a source is part of roundsim."""
    return any(real(path).is_relative_to(folder) for folder in (house_folder(), claims_folder(), PACKAGE))


def may_hold(source: Path, names: Collection[str], game: str | None) -> bool:
    """Return whether a source of the house may hold one of these strategies. All write their names as texts, and also
    their games if they do not play every game."""
    text = b"".join([source_text(module, *stamp(module)) for module in modules_of(source)]).decode() if names else ""
    ids = ["*", *(games.parents_of(game) if game else ())]
    says = game is None or any([f'"{game_id}"' in text for game_id in ids]) or "games = " not in text
    return not names or says and any([f'name = "{name}"' in text for name in names])


def entry_sources(broken: list[str]) -> Iterator[tuple[str, Path, str]]:
    """Yield the sources of each entry point, with its name and attribute; one that leads nowhere is added to
    `broken`."""
    for name, value in entry_points(GROUP):
        module, _, attribute = value.partition(":")
        try:
            yield from [(name, source, attribute) for source in sources_in(module_file(module))]
        except StrategyError as error:
            broken.append(f"entry point {name}: {error}")
