"""The decisions that cost a strategy most."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from statistics import mean
from typing import Any

import pytest
from conftest import GAMES, Shell, Write
from helpers.command import WHOLE, in_a_process, one_in, roundsim
from helpers.sealed import in_force

from roundsim import Table, play
from roundsim.coaching import coach as seat_coach
from roundsim.coaching.coach import FRESH, Stage, coach, lessons
from roundsim.coaching.estimate import Estimate, Gain, mean_and_error
from roundsim.coaching.report import CoachReport
from roundsim.running import Run
from roundsim.sources import plugins
from roundsim.sources.strategy import Seated, table_like
from roundsim.strategy import table_of
from roundsim.tournament.storage.folder import RunFolder

pytestmark = pytest.mark.usefixtures("here")

LIKE_BOOK = """
    from roundsim.strategy import table_of

    class Mine:
        games = ["{game}"]
        def begin(self, view):
            self.answer = table_of("book", "{game}")()
        def act(self, view):
            said = self.answer(view)
            {change}
            return said
    """


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer imagined deals, where their number does not matter."""
    for name, value in ("FRESH", Stage(1.8, 16)), ("TRIED", 10), ("FEW", 2):
        monkeypatch.setattr(seat_coach, name, value)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A run of a few deals of Nap."""
    folder = tmp_path_factory.mktemp("small") / "run"
    return str(play("nap", ["book", "random"], deals=8, jobs=1, out=folder).folder)


WINS = """
    def wins(view, said):
        from roundsim.strategy import beats, winning
        if view.phase != "play" or not view.trick:
            return False
        return beats(said.card, winning(view, view.trumps)[0], view.trumps)
    """


def found(shell: Shell, *words: object) -> list[Any]:
    done = shell("coach", *words, "--jobs", 1, "--format", "json")
    assert done.code == 0, done
    return [json.loads(line) for line in done.out.splitlines()]


def report_of(run: str, mine: str, by: str, stream: str = "") -> CoachReport:
    (lesson,) = lessons(RunFolder(run), mine, by, "book", None)
    return coach(replace(lesson, stream=stream), jobs=1)


@pytest.mark.soak
def test_a_sure_trick_that_is_thrown_away_is_found_first(shell: Shell, write: Write) -> None:
    """Last to play, it plays a card that loses instead of one that wins. Else of those that lose it plays another."""
    change = """
            last = len(view.trick) == view.players - 1
            others = [each for each in view.legal if not wins(view, each)]
            if view.phase == "play" and last and wins(view, said) and others:
                return others[0]
            if view.phase == "play" and view.trick and not wins(view, said):
                return others[-1]"""
    write("mine.py", LIKE_BOOK.format(game="nap", change=change.strip()) + WINS)
    shell("play", "nap", "mine.py", "book", "--seats", 3, "--deals", 90, "--out", "run")
    (game,) = found(shell, "run", "--of", "Mine", "--by", "book")
    logged = {deal["deal"]: deal["actions"] for deal in map(json.loads, log_of("run"))}
    first, *_ = shown = game["shown"]
    before = [act for act in logged[first["deal"]][: first["action"] - 1] if act["phase"] == "play"]
    assert len(before) % 3 == 2 and first["cost"] > 1 and first["strategy"] != first["coach"], shown
    assert game["differ"] > game["no_difference"] + len(shown) and game["deals"] == 90


@pytest.mark.soak
@pytest.mark.usefixtures("few")
def test_a_certain_cost_is_that_of_the_true_cards(shell: Shell) -> None:
    """At the end of a deal of two at Cassino every card is known."""
    shell("play", "cassino", "random", "book", "--deals", 40, "--out", "run")
    (game,) = found(shell, "run", "--of", "random", "--by", "book")
    certain = [each for each in game["shown"] if each["certain"]]
    assert len(certain) > 2 and all(each["error"] == 0 for each in certain)
    for each in certain:
        nets = [true_net(each, answer) for answer in (each["coach"], each["strategy"])]
        assert nets[0] - nets[1] == each["cost"], each


def true_net(decision: Any, answer: str) -> int:
    """The net of the seat in the true cards, when the book plays on from this answer."""
    logged = {deal["deal"]: deal for deal in map(json.loads, log_of("run"))}
    _, block, sitting, number = decision["deal"].split("/")
    table, guide = Table("cassino", players=2), table_of("book", "cassino")()
    table.begin(1, int(block))
    for at in range(1, int(number)):
        play_through(table, logged[f"cassino/{block}/{sitting}/{at}"]["actions"])
    play_through(table, logged[decision["deal"]]["actions"][: decision["action"] - 1])
    before, deal = table.nets[decision["seat"]], table.dealt
    table.say(answer)
    while not table.over and table.dealt == deal:
        table.say(guide(table.view()))
    return int(table.nets[decision["seat"]] - before)


def play_through(table: Table, actions: Sequence[Any]) -> None:
    """Give the answers of a log; those that are forced the table gives itself."""
    deal = table.deal
    while table.deal is deal and not table.over and len(deal.actions) < len(actions):
        table.say(actions[len(deal.actions)]["action"])


def log_of(run: str) -> list[str]:
    return roundsim("log", run, "--format", "json", cwd=Path()).stdout.splitlines()


@pytest.mark.parametrize("game", one_in(6, [game for game in GAMES if game != "loto"]))
def test_a_strategy_coached_by_itself_loses_nothing(game: str, random_run: Callable[[str], Run], shell: Shell) -> None:
    """Whoever draws by chance draws the same again."""
    (printed,) = found(shell, random_run(game).folder, "--of", "random", "--by", "random", "--guide", "random")
    assert printed["decisions"] > 0 and printed["differ"] == 0 and printed["shown"] == []


@pytest.mark.soak
def test_a_strategy_at_several_tables_is_asked_as_it_was(shell: Shell) -> None:
    stacks = "--as", "freeze-out", "--times", "1", "--option", "stakes=table"
    shell("play", "draw-poker", *["random"] * 4, *stacks, "--out", "run")
    said = shell("coach", "run", "--of", "random#2", "--by", "random", "--guide", "random", "--jobs", 1).out
    assert said.startswith("Draw Poker (stakes = table) · ") and said.endswith(" decisions, and nothing differs\n")


@pytest.mark.soak
def test_answers_that_make_no_difference_are_not_shown(parlour: Run) -> None:
    report = report_of(str(parlour.folder), "random", "book")
    assert report.no_difference > 0 and report.differ > report.no_difference + report.worse
    assert all(any(each.costs) and each.cost.low > 0 and each.mine != each.coach for each in report.shown)
    assert {each.cost.n for each in report.shown} <= {FRESH.deals}
    lows = [each.cost.low for each in report.shown]
    assert lows == sorted(lows, reverse=True) and len(lows) == 10


@pytest.mark.usefixtures("few")
def test_a_worse_coach_and_the_commands_that_replay(small: str, shell: Shell) -> None:
    words = "coach", small, "--of", "book", "--by", "random", "--mine-better", "-n", 2, "--jobs", 1
    done = shell(*words)
    head, *_ = lines = done.out.splitlines()
    assert head == "Nap · 8 deals · book by random, guide book · among random" and not done.err
    again = lines.pop()
    assert again.startswith("again: roundsim replay ") and max(map(len, lines)) <= 80
    (game,) = map(json.loads, shell(*words, "--format", "json").out.splitlines())
    assert game["coach_worse"] >= 1 and len(game["shown"]) == 2
    assert all(each["cost"] < -each["error"] for each in game["shown"])
    for first, line in zip(game["shown"], [line for line in lines if line.startswith("        with ")], strict=True):
        printed = shell("replay", f"{small}:{first['deal']}").out.splitlines()
        (step,) = [line for line in printed if line.startswith(f"{first['action']:>4}  seat ")]
        assert f" seat {first['seat']}  {first['phase']:<9} {first['strategy']} " in step
        hand = " ".join(first["hand"])
        assert line.startswith(f"        with {hand} book ") and "; random " in line


@pytest.mark.soak
def test_the_usual_coach_and_the_place_of_a_rule(small: str, shell: Shell) -> None:
    """The calls are at pp. 9-10 and 14 of the book."""
    printed = shell("coach", small, "--of", "random", "--jobs", 1).out
    assert (
        printed.startswith("Nap · 8 deals · random by expert, guide book · among book\n")
        and " (pp. 9-10, 14)" in printed
    )


def test_impossible_requests_are_refused(parlour: Run, shell: Shell, write: Write) -> None:
    write("mine.py", LIKE_BOOK.format(game="nap", change="pass"))
    shell("play", "loto", "random", "--deals", 1, "--out", "loto")
    shell("play", "nap", "book", "random", "--as", "shadow", "--deals", 4, "--out", "shadow")
    run = str(parlour.folder)
    for words, code, said in (
        ((run, "--of", "bok"), 64, "no strategy 'bok' in these games (did you mean book?)"),
        ((run, "--of", "book", "--by", "expart"), 64, "(did you mean expert?)"),
        ((run, "--of", "book", "--by", "nowhere.py"), 64, "no such file"),
        ((run, "--of", "book", "--guide", "mine.py"), 64, "name a house strategy"),
        ((run, "--of", "book", "--entry", "nup"), 64, "did you mean nap?"),
        ((run,), 64, "--of"),
        (("loto", "--of", "random"), 64, "loto: nothing can be imagined at Loto: more is hidden than cards"),
        (
            ("shadow", "--of", "random"),
            64,
            "a shadow keeps only the deals that differ: `roundsim play nap ... --out r`, then `roundsim coach r --of random`",
        ),
        (("nowhere", "--of", "random"), 65, "nowhere"),
    ):
        done = shell("coach", *words)
        assert done.code == code and said in done.err and not done.out, done


@pytest.mark.usefixtures("few")
def test_a_coach_that_fails(small: str, shell: Shell, write: Write) -> None:
    write("mine.py", LIKE_BOOK.format(game="nap", change="1 / (len(view.hand) - 5)").replace("random", "Mine"))
    printed = shell("coach", small, "--of", "book", "--by", "mine.py", "--jobs", 1).out
    assert "Mine failed " in printed and "ZeroDivisionError" in printed


@pytest.mark.soak
def test_the_same_bytes_on_any_number_of_processes(shell: Shell, tmp_path: Path) -> None:
    shell("play", "nap", "book", "random", "--deals", 64, "--out", "run")
    printed = {
        roundsim("coach", "run", "--of", "random", "--jobs", jobs, cwd=tmp_path, hash_seed=seed).stdout
        for jobs, seed in ((1, "0"), (2, "1"), (5, "2"))
    }
    assert len(printed) == 1 and "again: " in printed.pop()


@pytest.mark.soak
def test_a_guest_gives_the_same_answers(shell: Shell, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """It remembers in its module, and draws from Python's own chance."""
    change = """
            global asked
            asked = globals().get("asked", 0) + 1
            if asked % 7 == 0:
                return random.choice(view.legal)"""
    write(
        "mine.py",
        LIKE_BOOK.format(game="nap", change=change.strip()).replace("    from", "    import random\n    from", 1),
    )
    shell("play", "nap", "book", "random", "--deals", 16, "--out", "run")
    in_force("landlock")
    words = "coach", "run", "--of", "random", "--by", "mine.py"
    near = in_a_process(*words, "--jobs", 1, cwd=Path()).stdout
    assert near == in_a_process(*words, "--jobs", 2, cwd=Path()).stdout and "again: " in near
    monkeypatch.setenv("ROUNDSIM_SEAL", "none")
    assert near == in_a_process(*words, "--jobs", 1, cwd=Path()).stdout


@pytest.mark.soak
@pytest.mark.parametrize(
    "game, by, players, deals",
    [("nap", "expert", ["mine.py", "book"], 240), *[("cassino", "book", ["random", "book"], 60)] * WHOLE],
)
def test_the_first_ten_are_mostly_the_same_by_other_chance(
    game: str, by: str, players: list[str], deals: int, shell: Shell, write: Write
) -> None:
    write("mine.py", LIKE_BOOK.format(game="nap", change="if view.phase == 'call': return 'pass'"))
    shell("play", game, *players, "--deals", deals, "--out", "run")
    mine = players[0].replace("mine.py", "Mine")
    tops = [
        {(each.place, each.step) for each in report_of("run", mine, by, stream).shown}
        for stream in ("", "/1", "/2", "/3")
    ]
    alike = [len(one & other) for one, other in combinations(tops, 2)]
    assert all(len(top) == 10 for top in tops) and mean(alike) > 7, alike


def test_an_answer_costs_nothing_next_to_itself() -> None:
    table = Table("nap", imagines=True)
    view = table.view()
    (book,) = plugins.find("book", "nap")
    guide = table_like(Seated(plugins.load_strategy(book), {}, table.game))
    one = Estimate(view, [view.legal[0], view.legal[-1], view.legal[0]], guide, "a")
    one.more(10)
    one.more(20)
    assert one.costs(0, 2) == [Gain(0)] * 30 and len({*one.costs(0, 1)}) > 1 and not one.known
    assert one.cost(0, 1).mean == pytest.approx(one.worth(1).mean - one.worth(0).mean)
    later = Estimate(view, one.answers, guide, "a", 10)
    later.more(20)
    assert later.nets == [nets[10:] for nets in one.nets]


def test_the_interval_of_a_mean() -> None:
    """Student's t for 15 degrees of freedom is 2.1314; eight of 0 and eight of 2 have a standard error of 0.2582."""
    mean = mean_and_error([Gain(0), Gain(2)] * 8)
    assert (mean.n, mean.mean) == (16, 1) and mean.error == pytest.approx(0.5504, abs=1e-4)
    assert mean_and_error([Gain(3)] * 9).low == -float("inf") and mean_and_error([Gain(3)] * 10).low == 3


@pytest.mark.usefixtures("few")
def test_few_finalists_are_tried_again(small: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two are wanted: 1.8 times as many get the 16 further deals."""
    tried, estimate = list[int](), seat_coach.Lesson.estimate_block

    def counted(lesson: Any, task: Any) -> Any:
        tried.extend([len(task.decisions)] * (task.deals == 16))
        return estimate(lesson, task)

    monkeypatch.setattr(seat_coach.Lesson, "estimate_block", counted)
    (lesson,) = lessons(RunFolder(small), "random", "book", "book", None)
    coach(lesson, n=2, jobs=1)
    assert sum(tried) == 3
