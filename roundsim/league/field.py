"""The field of a league: the entries in its folder, each version checked once, and kept as it has played."""

from __future__ import annotations

import json
import shutil
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fnmatch import fnmatch
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from ..base import finding
from ..base.errors import DeclarationError, FolderError, LogError, PluginError, StrategyError, UnplayedError
from ..base.files import TEXT
from ..base.toml import toml_of
from ..base.version import __version__
from ..processes import pool
from ..processes.descendants import none_left
from ..sources import bots, plugins
from ..sources.plugins import Strategy
from ..sources.specs import check_name, read_spec
from ..tournament.planning.plan import Entry, Limits, Tournament
from ..tournament.storage.shards import read_file
from ..tournament.storage.writing import make_folders, write_aside
from ..trial.trial import TrialOptions
from .entries import Named, check_entry, check_place, entry_digest, open_entry, readable
from .rounds import VERSION_DIGITS, Entered

CHECKED = 200  # deals in which a version is checked, as by `check`
AUTHORS = "authors.toml"
OWNERS = "CODEOWNERS", ".github/CODEOWNERS", ".gitlab/CODEOWNERS", "docs/CODEOWNERS"


@dataclass
class Candidate:
    """An entry as it lies in the folder: its name, that of its file; how a command names it; the sha256 of all that it
    plays by, "" if that cannot be read. `reasons`: by game, why it cannot play there, "" if it can; `reason`: why it
    cannot take part at all."""

    name: str
    text: str
    sha256: str = ""
    author: str = ""
    reason: str = ""
    reasons: dict[str, str] = field(default_factory=dict)

    @property
    def left_out(self) -> str:
        """Why it does not play at all, "" if it does."""
        plays = any(not reason for reason in self.reasons.values())
        return self.reason or ("" if plays else "\n".join(dict.fromkeys(self.reasons.values())))


def candidates(
    league: Path, named: Iterable[Named], tables: Tournament, jobs: int, tell: Callable[[int, int], object]
) -> list[Candidate]:
    """Return the entries that are named, each with its verdict in each game. Only new versions are tried; their verdicts
    are kept in `checks/` of the league.

    `tables`: what the league plays; `tell` is called with the number of trials that are done, and of all.
    DeclarationError of a game; FolderError."""
    authors, house = authors_of(league), {strategy.name for strategy in plugins.of_house()}
    listed = [candidate_of(entry, authors, house) for entry in named]
    by_game = {entry.game: entry for entry in reversed(tables.entries)}
    fresh = list[tuple[Candidate, Entry]]()
    for candidate in listed:
        for game, entry in by_game.items() if not candidate.reason else ():
            if (reason := kept_verdict(league, candidate.sha256, game)) is None:
                fresh.append((candidate, entry))
            else:
                candidate.reasons[game] = reason
    for (candidate, entry), reason in zip(fresh, verdicts(fresh, tables.limits, jobs, tell), strict=True):
        candidate.reasons[entry.game] = reason
        if candidate.sha256:
            keep_verdict(league, candidate.sha256, entry.game, reason)
    return listed


def candidate_of(named: Named, authors: Mapping[str, str], house: Collection[str]) -> Candidate:
    """Return an entry by its name: that of its file or folder, or one that was given to it."""
    file = Path(named.text)
    name = file.name if file.is_dir() or named.stray else file.stem
    candidate = Candidate(readable(name), named.text, reason=named.stray)
    try:
        spec = read_spec(named.text)
        candidate.name, candidate.text = spec.name or candidate.name, spec.what
        check_name(candidate.name)
        if candidate.name in house:
            raise StrategyError(f"rename it: {candidate.name} is a strategy of the house")
        if spec.attribute or spec.parameters or spec.place.startswith(bots.COMMAND):
            raise StrategyError("an entry is a file or a folder, without a class, parameters or a command")
        check_place(candidate.text)  # of one without a sha256 no verdict is kept: others may have the same bytes
    except StrategyError as error:
        candidate.reason = candidate.reason or str(error)
    if not candidate.reason:
        candidate.sha256, candidate.author = entry_digest(candidate.text), authors.get(candidate.name, "")
    return candidate


def verdicts(
    tried: Sequence[tuple[Candidate, Entry]], limits: Limits, jobs: int, tell: Callable[[int, int], object]
) -> list[str]:
    """Return why each does not play a game as `roundsim check` would have it, "" if it does."""
    reasons, opened = [""] * len(tried), list[tuple[int, tuple[Strategy, Entry]]]()
    plugins.describe_ahead(
        dict.fromkeys(candidate.text for candidate, _ in tried), memory=limits.memory, sealed=limits.seals
    )
    for at, (candidate, entry) in enumerate(tried):
        try:
            opened.append((at, (open_entry(candidate.text, entry.game), entry)))
        except DeclarationError:  # the game's
            raise
        except UnplayedError:
            reasons[at] = f"it does not play {entry.deal.title}"
        except (StrategyError, PluginError) as error:
            reasons[at] = readable(
                str(error).removeprefix(f"{candidate.text}: ").replace(candidate.text, Path(candidate.text).name)
            )
    with none_left(), TemporaryDirectory() as scripts:
        check = partial(trial_verdict, limits, Path(scripts), CHECKED)
        for done, (at, reason) in enumerate(pool.each(check, opened, min(jobs, len(opened))), 1):
            reasons[at] = reason
            tell(done, len(opened))
    return reasons


def trial_verdict(
    limits: Limits, scripts: Path, deals: int, item: tuple[int, tuple[Strategy, Entry]]
) -> tuple[int, str]:
    at, (strategy, entry) = item
    place = entry.home or entry.game
    how = TrialOptions(place, dict(entry.options), entry.format.table_size(entry.deal), deals, limits, scripts)
    return at, check_entry(strategy, how)


def kept_verdict(league: Path, sha256: str, game: str) -> str | None:
    """Return the reason of a verdict that this version of roundsim has kept, "" if it plays; None if there is none."""
    with suppress(FileNotFoundError, LogError, ValueError, RecursionError):
        data = json.loads(read_file(verdict_path(league, sha256, game), TEXT))
        same = (data.get("sha256"), data.get("game"), data.get("roundsim")) == (sha256, game, __version__)
        return str(data["reason"]) if same and sha256 else None
    return None


def keep_verdict(league: Path, sha256: str, game: str, reason: str) -> None:
    data = {"sha256": sha256, "game": game, "roundsim": __version__, "reason": reason}
    path = verdict_path(league, sha256, game)
    make_folders(path.parent)
    write_aside(path, f"{json.dumps(data, indent=1, ensure_ascii=False)}\n".encode())


def verdict_path(league: Path, sha256: str, game: str) -> Path:
    return league / "checks" / f"{sha256[:VERSION_DIGITS]}.{game}.json"


def refuse_some(listed: Sequence[Candidate], before: Mapping[str, str], an_author: int) -> None:
    """Note why entries that could play do not, because of others.

    `before`: by sha256 the name under which a version has played. If the same bytes have two names, the one that has
    played plays; if an author has too many entries, those that have played come first."""
    names, taken = {candidate.name for candidate in listed}, dict[str, str]()
    by_author = defaultdict[str, list[str]](list)
    able = [candidate for candidate in listed if not candidate.left_out]
    for candidate in sorted(able, key=lambda candidate: before.get(candidate.sha256) != candidate.name):
        others = by_author[candidate.author] if candidate.author else []
        if candidate.name in taken.values():
            candidate.reason = f"another entry is called {candidate.name}: give it a name, NAME=PATH"
        elif (twin := taken.get(candidate.sha256, before.get(candidate.sha256, ""))) in names - {candidate.name}:
            candidate.reason = f"the same as {twin}"
        elif len(others) >= an_author:
            candidate.reason = f"{candidate.author} has {an_author} entries already: {', '.join(others)}"
        else:
            others.append(candidate.name)
            taken[candidate.sha256] = candidate.name


def keep_version(league: Path, candidate: Candidate, sources: Mapping[str, str]) -> Entered:
    """Copy what an entry plays by into `versions/`, unless it is there, and return how it enters. `sources`: by the sha256
    of what has played, its source there.

    PluginError if the copy would be another version; FolderError. Only one process may do so at a time."""
    source = entry_source(candidate.text)
    entered = Entered(candidate.name, candidate.sha256, sources.get(candidate.sha256, source.name), candidate.author)
    there = (league / entered.version).parent
    if candidate.sha256 in sources:
        return entered
    aside = league / "versions" / ".new"
    home, copy = (source, aside / source.name) if source.is_dir() else (source.parent, aside)
    try:
        for left in aside, there:  # of a call that was killed
            shutil.rmtree(left, ignore_errors=True)
        for file in own_files(source):
            place = copy / file.relative_to(home)
            make_folders(place.parent)
            shutil.copy(file, place)
        if entry_digest(str(aside / source.name)) != candidate.sha256:
            raise PluginError(f"{candidate.name}: it has changed while it was read: the next round may take it")
        aside.rename(there)
    except OSError as error:
        raise FolderError(f"cannot write {there}: {error.strerror}") from None
    return entered


def entry_source(text: str) -> Path:
    """Return the file or the folder of an entry: of a bot the folder of its bot.toml. StrategyError, PluginError."""
    (source,) = map(Path.absolute, plugins.spec_sources(read_spec(text), None))
    return source.parent if bots.is_bot(source) else source


def own_files(source: Path) -> Iterable[Path]:
    """Return the files that the sha256 of a source is of."""
    if bot := bots.file_in(source):
        return [bot, *bots.read_bot_file(bot).files]
    return [*finding.modules_of(source), *finding.files_of(source)]


def authors_of(league: Path) -> dict[str, str]:
    """Return the author of each entry, as authors.toml says, `ann = "Ann Smith"`, or else CODEOWNERS."""
    try:
        listed = toml_of(read_file(league / AUTHORS, TEXT).decode())
        return {name: author for name, author in listed.items() if isinstance(author, str)}
    except FileNotFoundError:
        pass
    except ValueError as error:
        raise PluginError(f"{league / AUTHORS}: {error}") from None
    for name in OWNERS:
        with suppress(FileNotFoundError):
            return owners_in(read_file(league / name, TEXT).decode(errors="replace"), league)
    return {}


def owners_in(text: str, league: Path) -> dict[str, str]:
    """Return the first owner of each entry by a file CODEOWNERS, in which the last line counts that names it, or some
    of the entries by a pattern. An owner of all entries is no author."""
    owners = dict[str, str]()
    lines = [line.partition("#")[0].split() for line in text.splitlines()]
    for path in sorted((league / "entries").iterdir()) if (league / "entries").is_dir() else ():
        for pattern, *who in filter(None, lines):
            inside = pattern.strip("/").removesuffix("/**").removesuffix("/*")
            if who and inside.startswith("entries/") and fnmatch(f"entries/{path.name}", inside):
                owners[path.stem if path.is_file() else path.name] = who[0]
    return owners
