"""Ways to forge and damage the files of a run: shards as files, unknown files, `run.toml`, and the results."""

from __future__ import annotations

import datetime
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from helpers.forging import FOREIGN, MISSING, OTHERS, READING, RESULT, RUNS, Forged, Seen, Ways
from helpers.shard_text import parts_of, write_parts
from zstandard import ZstdCompressor, compress, decompress

from roundsim.tournament.storage.layout import RESULTS

WAYS = Ways()
EVENING = ("evening",)
REFUSED = Seen((0,), (65,), "refused")  # to readers as if it were missing; going on with the run is refused
PLACES = ("fifo", "folder", "link", "device", "nowhere")


def on_shard(name: str, change: Callable[[Random, bytes], bytes], apart: bool = False) -> None:
    """Changes the bytes of a shard."""

    def forge(run: Forged) -> str:
        shard = run.shard()
        shard.path.write_bytes(change(run.chance, shard.path.read_bytes()))
        return f"{shard.name}:"

    WAYS.put(f"shard {name}", forge, READING, apart=apart)


def flipped(chance: Random, data: bytes) -> bytes:
    at = chance.randrange(20, len(data))
    return data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :]


def without_a_byte(chance: Random, data: bytes) -> bytes:
    at = chance.randrange(len(data))
    return data[:at] + data[at + 1 :]


def index_and_frame(data: bytes) -> tuple[bytes, bytes]:
    end = 8 + int.from_bytes(data[4:8], "little")
    return data[:end], data[end:]


AFTER = (b"\0", b"more", compress(b""), compress(b"# {}\n"))
BEFORE = (b"\0", compress(b""), b"\x50\x2a\x4d\x18\x04\0\0\0skip")
on_shard("cut off", lambda chance, data: data[: chance.randrange(len(data))])
on_shard("without its last byte", lambda chance, data: data[:-1])
on_shard("without a byte", without_a_byte)
on_shard("with a flipped bit", flipped)
on_shard("with something after it", lambda chance, data: data + chance.choice([*AFTER, data]))
on_shard("with something before it", lambda chance, data: chance.choice(BEFORE) + data)
on_shard("that is empty", lambda chance, data: b"")
on_shard("that unpacks to nothing", lambda chance, data: compress(b""))
on_shard("that is not packed", lambda chance, data: decompress(index_and_frame(data)[1]))
on_shard("with two indexes", lambda chance, data: index_and_frame(data)[0] + data)
on_shard("without an index", lambda chance, data: index_and_frame(data)[1])
on_shard("with its index alone", lambda chance, data: index_and_frame(data)[0])
on_shard("upside down", lambda chance, data: b"".join(index_and_frame(data)[::-1]))


@WAYS.way(Seen((0, 65), (65,), "found"))
def shard_that_is_no_text(run: Forged) -> str:
    """With hashes that are right: only who reads the lines sees it."""
    shard = run.shard()
    head, rows, lines = parts_of(shard.path)
    write_parts(shard.path, head, rows, lines.replace(b"1", run.chance.choice([b"\xff", b"\xc3"])))
    return f"{shard.name}:"


def unsaid(data: bytes) -> bytes:
    """Packed, and it does not say how long it is."""
    return ZstdCompressor(write_content_size=False).compress(data)


def made_by(make: Callable[[], bytes]) -> Callable[[Random, bytes], bytes]:
    """A change into what is made when it is wanted."""
    return lambda chance, data: make()


def bomb(says: int, holds: int) -> bytes:
    """A frame that says that it unpacks to so much, and unpacks to so many times 128 kB."""
    head = b"\x28\xb5\x2f\xfd\xc0\x38" + says.to_bytes(8, "little")
    blocks = ((1 << 17 << 3 | 2 | (at == holds - 1)).to_bytes(3, "little") + b"\n" for at in range(holds))
    return head + b"".join(blocks)


on_shard("that does not say how long it is", lambda chance, data: unsaid(decompress(index_and_frame(data)[1])))
for name, make in {
    "says what it is": lambda: bomb(1 << 35, 1 << 18),
    "says that it is little": lambda: bomb(100, 1 << 15),
    "says that it is little, and is cut": lambda: bomb(100, 1 << 15)[:-1],
    "says that it is less, and is cut": lambda: bomb(1 << 27, 1 << 17)[:-1],
    "is as long as may be": lambda: bomb(1 << 30, 1 << 13),
    "says that it is more": lambda: bomb(1 << 30, 1),
    "says nothing": lambda: unsaid(bytes(1 << 28)),
}.items():
    on_shard(f"that is a bomb and {name}", made_by(make), apart=True)


def on_place(name: str, seen: Seen, path: Callable[[Forged], Path]) -> None:
    """Something else is in the place of a file."""
    for what in PLACES:

        def forge(run: Forged, what: str = what) -> str:
            run.shard()
            run.put(place := path(run), what)
            return place.name

        WAYS.put(f"{name} that is a {what}", forge, seen, apart=True)


on_place("shard", READING, lambda run: run.shard().path)


@WAYS.way(READING, apart=True)
def shard_of_a_terabyte(run: Forged) -> str:
    shard = run.shard()
    os.truncate(shard.path, 1 << 40)
    return f"{shard.name}:"


@WAYS.way(Seen((0, 65), (65,), ""), ("moving", "frozen"), apart=True)
def shard_of_a_far_block(run: Forged) -> str:
    """To find out who sits there takes as long as to lay out all blocks before it."""
    shard = run.shard()
    run.edit_run(lambda data: game_of(run, data).update(blocks=10**12))
    shard.path.rename(shard.path.with_name(f"{10**11 + 1}.zst"))
    return "log/"


def exchanged(run: Forged, *entries: str) -> str:
    one, other = [
        next(each for each in run.shards()[::way] if each.entry == entry)
        for entry, way in zip(entries, (1, -1), strict=True)
    ]
    one.path.rename(run.run / "aside")
    other.path.rename(one.path)
    (run.run / "aside").rename(other.path)
    run.deal = one.deal_at(0)
    return run.chance.choice([one, other]).name


@WAYS.way(READING)
def two_shards_exchanged(run: Forged) -> str:
    entry = run.chance.choice(run.shards()).entry
    return exchanged(run, entry, entry)


@WAYS.way(READING, EVENING)
def shards_of_two_games_exchanged(run: Forged) -> str:
    return exchanged(run, "nap", "loo")


@WAYS.way(READING)
def two_shards_that_say_the_same(run: Forged) -> str:
    one, other = run.chance.sample([each for each in run.shards() if each.entry != "nap"], 2)
    shutil.copy(one.path, other.path)
    run.deal = other.deal_at(0)
    return other.name


def of_another_run(what: str) -> None:
    def forge(run: Forged) -> str:
        shard = run.shard()
        shutil.copy(run.other(what) / shard.path.relative_to(run.run), shard.path)
        return f"{shard.name}:"

    WAYS.put(f"shard of a run with another {what}", forge, READING, ("moving",))


for what in OTHERS:
    of_another_run(what)


@WAYS.way(MISSING)
def shard_missing(run: Forged) -> str:
    run.shard().path.unlink()
    return "standings.json"


@WAYS.way(MISSING, ("moving", "frozen"))
def log_missing(run: Forged) -> str:
    run.shard()
    shutil.rmtree(run.run / "log")
    return "standings.json"


@WAYS.way(Seen((0,), (65,), "found"))
def shard_under_another_name(run: Forged) -> str:
    path = run.shard().path
    path.rename(path.with_name(run.chance.choice(["0000000.zst", "9999999.zst", f"{path.stem}.ZST", path.stem])))
    return "log/"


@WAYS.way(REFUSED)
def log_that_is_a_file(run: Forged) -> str:
    log_missing(run)
    (run.run / "log").touch()
    return "standings.json"


@WAYS.way(REFUSED)
def game_that_is_a_file(run: Forged) -> str:
    folder = run.shard().path.parent
    shutil.rmtree(folder)
    folder.touch()
    return f"log/{folder.name}"


def copied(path: Path) -> None:
    shutil.copy(next(iter(path.parent.glob("0*.zst"))), path)


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def on_unknown(what: str, put: Callable[[Path], object], name: str, place: str) -> None:
    """Something of a name that no file of the run has."""

    def forge(run: Forged) -> str:
        shard = run.shard().path
        put(run.run / "log" / name if place == "log" else shard.with_name(name))
        return name.split("\n")[0]

    WAYS.put(f"unknown {what} {name!r} under {place}", forge, FOREIGN)


NAMES = (
    *("1.zst", "\u0660" * 6 + "\u0661.zst", "0004567.zst", "+000001.zst", " 0000001.zst", "00000001.zst"),
    *("0000001.zst.bak", "0000001", "0000001\n.zst", "0000001.ZST", "1e6.zst", ".0000001.zst", ".zst", "notes"),
)
for name in NAMES:
    on_unknown("copy", copied, name, "a game")
for place in "log", "a game":
    on_unknown("file", Path.touch, "unknown.zst", place)
    on_unknown("folder", Path.mkdir, "unknown.zst", place)
    on_unknown("device", device, "unknown.zst", place)


Data = dict[str, Any]
Change = Callable[[Random, Data, Data], object]
KEYED = "with another seed, limits, rules, options or strategies"  # the words for a block of another run


def on_run(
    name: str, change: Change, seen: Seen = READING, where: str = "run.toml", runs: tuple[str, ...] = RUNS
) -> None:
    """Changes the data of run.toml: the whole, and the game of the deal at hand.  `where`: what verify must say."""

    def forge(run: Forged) -> str:
        run.shard()
        run.edit_run(lambda data: change(run.chance, data, game_of(run, data)))
        return where

    WAYS.put(f"run.toml {name}", forge, seen, runs)


def game_of(run: Forged, data: Data) -> Data:
    """The game of the deal at hand."""
    found: Data = next(each for each in data["games"] if each["name"] == run.deal.partition("/")[0])
    return found


TABLES: dict[str, Callable[[Data, Data], Data]] = {
    "top": lambda data, game: data,
    "limits": lambda data, game: data["limits"],
    "game": lambda data, game: game,
    "strategy": lambda data, game: game["strategies"][-1],
}
KEYS = {
    "top": ("schema", "roundsim", "name", "format", "seed", "limits", "games"),
    "limits": ("seconds", "memory", "on_fault", "faults_allowed"),
    "game": ("name", "game", "rules", "options", "strategies", "blocks", "sitting", "players"),
    "strategy": ("name", "parameters", "sha256"),
}
VALUES: tuple[Any, ...] = (-1, 10**30, 1.5, float("nan"), "", "x", [], {}, [[]], True)


def on_key(level: str, key: str) -> None:
    """A key is missing, or of another type."""

    def mistyped(chance: Random, data: Data, game: Data) -> None:
        table = TABLES[level](data, game)
        table[key] = chance.choice([each for each in VALUES if type(each) is not type(table[key])])

    runs = EVENING if key in ("sitting", "players") else RUNS
    on_run(f"without {key} of {level}", lambda chance, data, game: TABLES[level](data, game).pop(key), runs=runs)
    on_run(f"with {key} of {level} of another type", mistyped, runs=runs)


def on_level(level: str) -> None:
    def unread(chance: Random, data: Data, game: Data) -> None:
        TABLES[level](data, game)[chance.choice(["more", "seeds", "Seed", ""])] = chance.choice(VALUES)

    on_run(f"with an unread key of {level}", unread)
    for key in KEYS[level]:
        on_key(level, key)


for level in TABLES:
    on_level(level)


def setting(key: str, *values: Any) -> Change:
    """Gives a key of the run another value."""

    def change(chance: Random, data: Data, game: Data) -> None:
        data[key] = chance.choice([value for value in values if value != data[key]])

    return change


def of_game(key: str, *values: Any) -> Change:
    """Gives a key of the game another value."""
    return lambda chance, data, game: setting(key, *values)(chance, game, game)


def limit(key: str, *values: Any) -> Change:
    return lambda chance, data, game: setting(key, *values)(chance, data["limits"], game)


FORMATS = ("round-robin", "freeze-out", "progressive", "knock-out", "none", "")
OUTSIDE: tuple[Data, ...] = ({}, {"module": 7, "sha256": ""}, {"sha256": ""}, {"module": "x.py:X"})
NO_NAMES = ("..", ".", "...", "", "a/b", "../../x", "/etc", "a\\b", "a\nb", "a\0b")
NO_GAMES = ("whist", "", "../nap", "nap.py", "x/y.py:Z", "evil.py:Evil", "__init__", "nap\n")
MORE = {"nap": {"stake": 1}, "loo": {"club_law": False}, "draw-poker": {"straddle": True}}  # as usual
OTHER = {"nap": {"misery": False}, "loo": {"deal_stake": 5}, "draw-poker": {"jack_ante": 1}}
DATE = datetime.date(1891, 1, 1)
SIZES = ("stack", "max_seats", "max_deals", "rounds", "stake", "players", "sitting")


def a_date(chance: Random, data: Data, game: Data) -> None:
    where = chance.choice([game["options"], game["strategies"][0]["parameters"]])
    where["when"] = chance.choice([DATE, [DATE], {"deep": DATE}])


def a_parameter(chance: Random, data: Data, game: Data) -> None:
    for strategy in game["strategies"]:
        strategy["parameters"]["more"] = chance.choice([0, "x", [], {"deep": [[[]]]}, float("nan")])


def a_long_parameter(chance: Random, data: Data, game: Data) -> None:
    chance.choice(game["strategies"])["parameters"]["more"] = 10**4000


def renamed(game: Data, **changes: str) -> None:
    for strategy in game["strategies"]:
        strategy.update(changes)


def none_imagines(chance: Random, data: Data, game: Data) -> None:
    for strategy in game["strategies"]:
        strategy.pop("imagines", None)


def sizes(*values: int) -> Change:
    """Another of its sizes; none of these: one more."""

    def change(chance: Random, data: Data, game: Data) -> None:
        key = chance.choice([key for key in SIZES if key in game])
        game[key] = chance.choice(values) if values else game[key] + 1

    return change


on_run("of another seed", setting("seed", 2, 0), where=KEYED)
on_run("of another limit", limit("seconds", 2.0, 0.5, float("inf"), float("nan")), where=KEYED)
on_run("of another memory", limit("memory", 2048, 0, -1, 10**30), where=KEYED)
on_run("that aborts", limit("on_fault", "abort"), where=KEYED)
on_run("that does neither", limit("on_fault", "", "Forfeit"))
on_run("with other faults allowed", limit("faults_allowed", 99, -1, 10**30), RESULT, "standings.json")
on_run("of another name", setting("name", "other", "x" * 10_000), RESULT, "standings.json")
on_run("of another version", setting("roundsim", "0.0.1"), FOREIGN)
on_run("of no version", setting("roundsim", "", "x" * 10_000, "1.0\n"))
on_run("of no name", setting("name", *NO_NAMES))
on_run("of another format", setting("format", *FORMATS))
on_run("without games", setting("games", []))
on_run("with a game twice", lambda chance, data, game: data["games"].append(game))
on_run("with a game of no name", of_game("name", *NO_NAMES))
on_run("with a game of a long name", of_game("name", "x" * 300), REFUSED, "nothing of this run")
on_run("with no game", of_game("game", *NO_GAMES))
on_run("with a broken game from outside", lambda chance, data, game: game.update(source=chance.choice(OUTSIDE)))
on_run("with other rules", of_game("rules", 0, -1, 99, 10**30))
on_run("with an unknown option", lambda chance, data, game: game["options"].update({chance.choice(["more", ""]): True}))
on_run("with another option", lambda chance, data, game: game["options"].update(OTHER[game["game"]]), where=KEYED)
on_run("with an option more", lambda chance, data, game: game["options"].update(MORE[game["game"]]), where=KEYED)
on_run("with an option less", lambda chance, data, game: game["options"].popitem(), where=KEYED, runs=EVENING)
on_run("with a date", a_date)
on_run("with other strategies", lambda _, data, game: renamed(game, name="x | y"), where=KEYED)
on_run("with other sources", lambda _, data, game: renamed(game, sha256="0" * 64), where=KEYED)
on_run("with a parameter more", a_parameter, where=KEYED)
on_run("with a parameter of thousands of digits", a_long_parameter, where="run.toml")
on_run("with strategies exchanged", lambda chance, data, game: game["strategies"].reverse(), where=KEYED)
on_run("with a strategy more", lambda _, data, game: game["strategies"].append(game["strategies"][0]), where="log/")
on_run("without strategies", of_game("strategies", []))
on_run("in which nobody imagines", none_imagines, Seen((0, 65), (0, 65), "refused"), "log/")
on_run("with another size", sizes(), Seen((0, 65), (0, 65), "refused"), "log/")
on_run("with a size that is none", sizes(-1, 0, 10**22))
on_run("of fewer blocks", of_game("blocks", 1, 2), Seen((0, 65), (0, 65), "repaired"), "log/")
on_run("of more blocks", of_game("blocks", 100, 10**11), Seen((0,), (0,), ""), "standings.json")  # as if it went on
on_run("of no number of blocks", of_game("blocks", 10**22, 0, -1, 10**12 + 1))


@WAYS.way(FOREIGN)
def shards_of_another_version(run: Forged) -> str:
    for shard in run.shards():
        shard.tail["roundsim"] = "0.0.1"
        shard.write()
    run.shard()
    return "run.toml"


def on_run_text(name: str, change: Callable[[bytes], bytes], where: str = "run.toml") -> None:
    def forge(run: Forged) -> str:
        run.shard()
        path = run.run / "run.toml"
        path.write_bytes(change(path.read_bytes()))
        return where

    WAYS.put(f"run.toml {name}", forge, READING)


on_run_text("that is empty", lambda text: b"")
on_run_text("that is cut", lambda text: text[: text.index(b"=", len(text) // 2) + 1])
on_run_text("that is nonsense", lambda text: b"nonsense")
on_run_text("that is no text", lambda text: b"\xff\xfe")
on_run_text("with a nul", lambda text: text + b"\0")
on_run_text("with deep brackets", lambda text: b"x = " + b"[" * 20_000)
on_run_text("with deep braces", lambda text: b"x = " + b"{x=" * 20_000)
on_run_text("with deep keys", lambda text: b".".join([b"x"] * 20_000) + b" = 1\n" + text)
on_run_text("with a huge number", lambda text: text.replace(b"seed = 1", b"seed = " + b"9" * 5000))
on_run_text("with a deep parameter", lambda text: text + b"deep = " + b"[" * 300 + b"]" * 300, "run")
on_place("run.toml", READING, lambda run: run.run / "run.toml")


def on_result(name: str, change: Callable[[Random, bytes], bytes]) -> None:
    """Changes the bytes of each of the results."""
    for result in RESULTS:

        def forge(run: Forged, result: str = result) -> str:
            run.shard()
            path = run.run / result
            before = path.read_bytes()
            path.write_bytes(change(run.chance, before))
            assert path.read_bytes() != before, "nothing is forged"
            return result

        WAYS.put(f"{result} {name}", forge, RESULT)


def other_byte(chance: Random, data: bytes, kind: Callable[[str], bool], values: bytes) -> bytes:
    """One of the bytes of a kind is another of these."""
    at = chance.choice([at for at, byte in enumerate(data) if kind(chr(byte))])
    return data[:at] + bytes([chance.choice([value for value in values if value != data[at]])]) + data[at + 1 :]


def lines_exchanged(chance: Random, data: bytes) -> bytes:
    lines = data.splitlines(keepends=True)
    at = chance.choice([at for at in range(1, len(lines)) if lines[at] != lines[at - 1]])
    lines[at - 1], lines[at] = lines[at], lines[at - 1]
    return b"".join(lines)


on_result("with another number", lambda chance, data: other_byte(chance, data, str.isdecimal, b"0123456789"))
on_result("with another word", lambda chance, data: other_byte(chance, data, str.isalpha, b"xyz"))
on_result("cut", lambda chance, data: data[: chance.randrange(len(data))])
on_result("with more", lambda chance, data: data + chance.choice([b"\n", b" ", b"\0", b"\xff", data]))
on_result("with lines exchanged", lines_exchanged)
on_place("result", FOREIGN, lambda run: run.run / run.chance.choice(RESULTS))


@WAYS.way(RESULT)
def results_missing(run: Forged) -> str:
    """One of them, or some."""
    run.shard()
    gone = run.chance.sample(RESULTS, run.chance.randrange(1, 5))
    for name in gone:
        (run.run / name).unlink()
    return gone[0]
