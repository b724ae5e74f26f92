"""The games, a file or a package each (see `catalog`)."""

from __future__ import annotations

from ..base.catalog import Catalog
from ..base.errors import DeclarationError, UnknownGameError, did_you_mean
from ..table.deal import Deal


def check_facts(game: type[Deal], where: str) -> None:
    """DeclarationError where a fact of a game is lacking, or of another kind."""
    facts = {"id": str, "title": str, "family": str, "seats": tuple, "usual": tuple, "source": str, "phases": dict}
    for name, kind in {**facts, "pool_names": tuple, "keys": tuple}.items():
        if not isinstance(getattr(game, name, None), kind):
            close = did_you_mean(name, [key for key in vars(game) if key not in facts and key[0] != "_"])
            raise DeclarationError(f"{where}: {game.__name__} must say its {name}, a {kind.__name__}{close}")
    if game.deal is Deal.deal:
        close = did_you_mean("deal", vars(game))
        raise DeclarationError(f"{where}: {game.__name__} has no `deal()`, which tells the deal{close}")


GAMES = Catalog(
    *("game", Deal, "id", __name__, __path__, check_facts, UnknownGameError, "--game"),
    lambda: "`roundsim games` lists them",
    family="family",
)
GROUP = GAMES.group
ours, installed, names, allow, allowed = GAMES.ours, GAMES.installed, GAMES.names, GAMES.allow, GAMES.allowed
find, named, by_source, at_path = GAMES.find, GAMES.named, GAMES.by_source, GAMES.at_path
place_of, games_of = GAMES.place_of, GAMES.classes_of


def parents_of(name: str) -> tuple[str, ...]:
    """The id of a game, and of those that it varies without another phase: their strategies play it, too."""
    if name in ours():
        return (name,)
    game = find(name)
    kin = [parent for parent in game.__mro__ if issubclass(parent, Deal) and "id" in vars(parent)]
    return tuple([parent.id for parent in kin if parent.phases == game.phases])
