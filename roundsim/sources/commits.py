"""Strategies in commits of git, `git:HEAD~1:mine.py`: copied to a folder of the cache, and loaded from there."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
from collections.abc import Collection, Iterator
from contextlib import suppress
from io import BytesIO
from pathlib import Path, PurePosixPath
from posixpath import dirname, join, normpath, split
from tempfile import TemporaryDirectory

from ..base.errors import FolderError, PluginError, StrategyError, did_you_mean
from ..base.files import COMMIT, MANY, MODULE, as_size, read_regular_file, real
from ..base.finding import named_in
from ..processes.signals import children_reported

GIT_PLACE = re.compile(r"git:(?P<revision>[^:\s-][^:]*):(?P<path>[^:]+)")
QUIET = {
    "GIT_ALLOW_PROTOCOL": "",  # what a clone has not is not fetched
    "GIT_CONFIG_COUNT": "1",
    "GIT_CONFIG_KEY_0": "safe.bareRepository",  # a commit can have the files of a repository, with programs in its config
    "GIT_CONFIG_VALUE_0": "explicit",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
Files = dict[str, str]  # the git ids of what is in them, by path


def checkout(place: str, folder: Path) -> Path:
    """Return the cached file or folder at `git:REVISION:PATH`, in the repository that contains a folder.

    StrategyError, PluginError, FolderError."""
    match = GIT_PLACE.fullmatch(place)
    if not match or not place.isprintable():
        raise StrategyError(
            f"{place!r} is not git:REVISION:PATH, as git:HEAD~1:mine.py; no revision begins with a dash or a space"
        )
    repository = Repository(place, folder)
    return repository.source(repository.commit(match["revision"]), match["path"])


def committed(path: Path, revision: str) -> tuple[str, Path]:
    """Return `git:REVISION:PATH` of an existing file or folder, from the root of its repository, and this root.
    PluginError."""
    folder = path.absolute() if path.is_dir() else path.absolute().parent
    repository = Repository(revision, folder)
    root = Path(repository.read("rev-parse", "--show-toplevel").removesuffix("\n"))
    return f"{revision}:{repository.prefix}{'' if path.is_dir() else path.name}", root


def is_tracked(folder: Path) -> bool:
    """Return whether git tracks anything in a folder, in the repository or submodule that holds it, all links followed.
    PluginError if git does not say."""
    home = real(folder)
    if not any(os.path.lexists(each / ".git") for each in (home, *home.parents)):
        return False  # without a repository, git need not be installed
    return bool(Repository(str(folder), home).output("ls-files", "-z"))


class Repository:
    """The repository of a place, read with `git`, whatever the environment says. It never prompts, and fetches
    nothing."""

    def __init__(self, place: str, folder: Path) -> None:
        self.place, self.folder = place, folder
        self.prefix = self.read("rev-parse", "--show-prefix").removesuffix("\n")

    def call(self, *arguments: str, given: str = "") -> subprocess.CompletedProcess[bytes]:
        own = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
        command, data = ["git", *arguments], given.encode()
        try:
            with children_reported():  # its exit code counts
                return subprocess.run(command, cwd=self.folder, env={**own, **QUIET}, input=data, capture_output=True)
        except OSError as error:
            raise PluginError(f"{self.place}: git cannot be called, is it installed? ({error.strerror})") from None

    def output(self, *arguments: str, given: str = "") -> bytes:
        done = self.call(*arguments, given=given)
        if done.returncode:
            message = os.fsdecode(done.stderr).strip().partition("\n")[0].removeprefix("fatal: ")
            raise PluginError(f"{self.place}: git says: {message}")
        return done.stdout

    def read(self, *arguments: str, given: str = "") -> str:
        return os.fsdecode(self.output(*arguments, given=given))

    def commit(self, revision: str) -> str:
        """Return the id of a commit."""
        done = self.call("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
        if done.returncode:
            names = self.read("for-each-ref", "--format=%(refname:short)").split()
            raise PluginError(f"{self.place}: no revision {revision} in this repository{did_you_mean(revision, names)}")
        return done.stdout.decode().strip()

    def source(self, commit: str, path: str) -> Path:
        """Return the cached file or folder at a path from this folder, or else from the root."""
        files = self.files(commit)
        for wanted in normpath(join(self.prefix, path)), normpath(path):
            if needed := self.needed(wanted, files):
                home, name = split(wanted)
                return self.kept({each[len(home) :].lstrip("/"): files[each] for each in sorted(needed)}) / name
        modules = [each.removeprefix(self.prefix) for each in files if each.endswith(".py")]
        meant = did_you_mean(path, {*modules, *map(dirname, modules)})
        raise PluginError(f"{self.place}: no file or folder {path} in commit {commit[:10]}{meant}")

    def needed(self, wanted: str, files: Files) -> set[str]:
        """Return the files that a source needs: a file with its neighbouring modules and the files that it names, or
        all files in a folder."""
        needed = {*files_within(wanted, files)}
        if wanted in files:
            home, module = dirname(wanted), self.contents([files[wanted]], MODULE)[files[wanted]]
            needed.update([each for each in files if dirname(each) == home and each.endswith(".py")])
            for name, _ in named_in(module, self.place):
                needed.update(files_within(str(PurePosixPath(home, name)), files))
        return needed

    def files(self, commit: str) -> Files:
        """Return the regular files of a commit, without bytecode and without files that would lie outside a folder."""
        rows = [row.partition("\t") for row in self.read("ls-tree", "-r", "-z", "--full-tree", commit).split("\0")]
        return {
            path: about.split()[2]
            for about, _, path in rows
            if about.startswith("100") and not path.endswith(".pyc") and not {"", ".", ".."} & {*path.split("/")}
        }

    def contents(self, ids: Collection[str], most: int = COMMIT) -> dict[str, bytes]:
        """Return the contents of files by git id. PluginError if there are too many, or if they exceed `most` bytes
        together."""
        contents, given = dict[str, bytes](), "".join([f"{id}\n" for id in ids])
        sizes = re.findall(r" (\d+)$", self.read("cat-file", "--batch-check", given=given), re.M)
        if len(ids) > MANY or sum(map(int, sizes)) > most:
            raise PluginError(f"{self.place}: more than {MANY} files, or larger than {as_size(most)}")
        output = BytesIO(self.output("cat-file", "--batch", given=given))
        for id in ids:
            size = output.readline().split()[2:]  # it says that one is missing in two words
            contents[id] = output.read(int(size[0])) if size else b""
            if not is_object(contents[id], id):
                raise PluginError(f"{self.place}: {id} is missing or damaged in this repository")
            output.read(1)
        return contents

    def kept(self, files: Files) -> Path:
        """Return the folder of the cache that holds exactly these files, each with the contents of its git id."""
        key = hashlib.sha256(os.fsencode("".join([f"{path}\0{id}\0" for path, id in files.items()]))).hexdigest()[:16]
        folder = cache() / "git" / key
        try:
            if not has_files(folder, files):
                fill(folder, files, self.contents(files.values()))
        except OSError as error:
            raise FolderError(f"{self.place} cannot be kept in {folder}: {error.strerror}") from None
        return folder


def files_within(wanted: str, files: Files) -> Iterator[str]:
    """Yield the file of a path, or those in the folder of this path."""
    return (path for path in files if path == wanted or path.startswith(f"{wanted}/"))


def cache() -> Path:
    """Return the folder for data that can be made again."""
    home = os.environ.get("XDG_CACHE_HOME", "")
    return Path(home if os.path.isabs(home) else os.path.expanduser("~/.cache"), "roundsim")


def has_files(folder: Path, files: Files) -> bool:
    """Return whether a folder has exactly these files, with the contents of their git ids; bytecode does not count."""
    there = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.suffix != ".pyc"}
    own = {name: path for name, path in there.items() if not path.is_dir()}
    return own.keys() == files.keys() and all(
        path.is_file() and is_object(read_regular_file(path, COMMIT), files[name]) for name, path in own.items()
    )


def is_object(data: bytes, id: str) -> bool:
    """Return whether a git id is that of these contents."""
    algorithm = "sha1" if len(id) == 40 else "sha256"
    return hashlib.new(algorithm, b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest() == id


def fill(folder: Path, files: Files, contents: dict[str, bytes]) -> None:
    """Replace the folder by these files, all at once, so that nobody finds it half done."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=".", dir=folder.parent) as aside:
        new = Path(aside, "new")
        for name, id in files.items():
            (new / name).parent.mkdir(parents=True, exist_ok=True)
            (new / name).write_bytes(contents[id])
        with suppress(FileNotFoundError):
            folder.rename(Path(aside, "old"))
        try:
            new.rename(folder)
        except OSError:  # somebody else was there first
            if not has_files(folder, files):
                raise
