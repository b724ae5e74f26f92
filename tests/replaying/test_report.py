"""The data of a run on its page: the command that plays it again, the deals worth a look, and deals step by step."""

from __future__ import annotations

import json
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from conftest import Shell, Write
from helpers.command import DEALS, one_in
from helpers.deals import states

import roundsim
from roundsim.games.nap import Nap
from roundsim.refereeing import script
from roundsim.replaying.deal_data import changes, deal_data
from roundsim.replaying.report import render_run_page
from roundsim.replaying.selection import Choice, deals_data
from roundsim.tournament.judging.standings import compute_standings
from roundsim.tournament.storage.folder import RunFolder
from roundsim.tournament.storage.totals import finished_totals

pytestmark = pytest.mark.usefixtures("here")


@pytest.mark.parametrize("who", one_in(2, [["book", "random", "random"], ["book", "random"]]))
def test_the_deals_that_are_worth_a_look(shell: Shell, who: list[str]) -> None:
    """Those that `roundsim deals` finds, looking for each alone; two at four seats have the same cards more than once."""
    shell("play", "nap", *who, "--seats", {2: 4, 3: 3}[len(who)], "--deals", 120, "--out", "run")
    folder = RunFolder("run")
    tournament = folder.tournament()
    choice = Choice(folder, compute_standings(tournament, finished_totals(tournament, folder)[0]), 0)
    [game] = json.loads(shell("standings", "run", "--format", "json").out)["games"]
    for row in game["rows"]:
        label = row["strategy"]
        for order in "best", "worst", "typical":
            found = json.loads(
                shell("deals", "run", f"--{order}", label, "-n", 1, "--format", "json").out.splitlines()[0]
            )
            link = choice.links()[label][order]
            assert (link.net, link.address, link.seat) == (found["net"], found["deal"], found["seat"]), (label, order)
        assert choice.swings[label][0] == widest(shell, label)
        nets = choice.spread[label]
        assert len(who) * nets.total() == tournament.entries[0].format.table_size(Nap) * game["deals"]
        assert row["net_per_deal"] == pytest.approx(sum(net * n for net, n in nets.items()) / nets.total(), rel=1e-4)


def widest(shell: Shell, label: str) -> int:
    """The largest loss of one against another with the same cards."""
    same: dict[tuple[str, str, int], list[tuple[str, int]]] = {}
    for deal in map(json.loads, shell("log", "run", "--format", "json").out.splitlines()):
        _, block, _, number = deal["deal"].split("/")
        for seat, (who, net) in enumerate(zip(deal["seats"], deal["net"], strict=True)):
            same.setdefault((block, number, seat), []).append((who, net))
    return max(
        theirs - mine
        for each in same.values()
        for who, mine in each
        for other, theirs in each
        if who == label and other != label
    )


def test_the_deals_of_a_shadow_and_those_that_they_play_again(shell: Shell) -> None:
    shell("play", "nap", "new=book(bold=1)", "old=book", "--as", "shadow", "--deals", 160, "--out", "run")
    folder = RunFolder("run")
    tournament = folder.tournament()
    choice = Choice(folder, compute_standings(tournament, finished_totals(tournament, folder)[0]), 0)
    (game,) = json.loads((folder.path / "standings.json").read_text())["games"]
    swings = sorted([*game["origins"]["gained"], *game["origins"]["lost"]], key=lambda each: -abs(each["gained"]))
    wanted = choice.wanted
    assert wanted[: len(swings)] == [each["deal"] for each in swings] != []
    assert not any("swing" in each for each in choice.links().values())
    logged = {deal["deal"]: deal for deal in map(json.loads, shell("log", "run", "--format", "json").out.splitlines())}
    for address, deal in deals_data(folder, tournament, wanted).items():
        entry, block, part, number = address.split("/")
        original = f"{entry}/{block}/1/{number}"
        assert original in wanted
        if part == "1":
            assert "before" not in deal
            continue
        before, (was, now) = (
            deal["before"],
            ([act["action"] for act in logged[each]["actions"]] for each in (original, address)),
        )
        assert (before["addr"], before["net"]) == (original, logged[original]["net"])
        if was == now:
            assert "step" not in before and "a" not in before
            continue
        step = before["step"]
        assert was[:step] == now[:step] and before["a"] == was[step] != now[step] == deal["steps"][step]["a"]


def page_deal(name: str, faults: dict[int, str] | None = None, line: int = 1) -> dict[str, Any]:
    """A scripted deal as data of the page."""
    scripted = script.load_script(DEALS / f"{name}.toml")
    deal = scripted.rules.played_by(scripted.rules, scripted.state, scripted.source(line))
    actions = [said for _, said in scripted.lines(line)]
    seats = [f"s{seat}" for seat in range(scripted.rules.players)]
    return deal_data(deal, actions, "nap", "nap/1/1/1", seats, faults or {})


def test_a_deal_is_shown_step_by_step() -> None:
    """Three made, as tests/deals/nap/01-three-made.toml has it: with its words, the tricks, and why counters move."""
    deal = page_deal("nap/01-three-made", {5: "illegal: call 9"})
    assert deal["start"]["hands"][1] == "As Js Ts Ah 2d" and deal["dealer"] == 3 and deal["options"] == {}
    assert [(step["s"], step["t"]) for step in deal["steps"][:6]] == [
        (0, "passes"),
        (1, "calls three"),
        (2, "passes"),
        (3, "passes"),
        (1, "leads As"),
        (2, "follows with 3s"),
    ]
    assert deal["steps"][4]["e"] == ["spades are trumps"] and deal["steps"][5]["f"] == "illegal: call 9"
    assert deal["steps"][5]["n"] == 2 and deal["steps"][5]["l"] == ["play Qs", "play 3s"]
    assert deal["steps"][6]["n"] == 1 and "l" not in deal["steps"][6]  # the king was the only spade
    assert deal["steps"][7]["e"] == ["seat 1 takes the trick"]
    after = states(deal)
    assert [state["won"] for state in after[8::4]] == [
        [0, 1, 0, 0],
        [0, 1, 1, 0],
        [0, 1, 2, 0],
        [0, 2, 2, 0],
        [0, 3, 2, 0],
    ]
    assert after[4]["trick"] == [] and after[7]["trick"] == ["As", "3s", "Ks"] and after[-1]["hands"] == [""] * 4
    assert deal["steps"][-1]["m"] == [[seat, 1, 3, "the call is made", "p. 8"] for seat in (2, 3, 0)] and deal[
        "net"
    ] == after[-1]["net"] == [-3, 9, -3, -3]


def test_hidden_parts_of_an_answer_are_separate() -> None:
    """Cards put out at six-card nap: how many, to the others."""
    [out, *_] = page_deal("nap/15-six-cards")["steps"]
    assert out["a"].startswith("discard ") and out["o"] == "discard 1" and out["a"].split()[1] not in out["x"]


@pytest.mark.parametrize(
    ("was", "now", "change"),
    [
        ([1], [1, 2], {"a_": {"x": [2]}}),
        ([1, 2, 3], [1, 5, 3], {"k": {"x": {"1": 5}}}),
        ({"a": 1, "b": 2}, {"a": 1, "b": 3}, {"k": {"x": {"b": 3}}}),
        ({"a": 1, "b": 2}, {"b": 2}, {"d": {"x": {"b": 2}}}),
        ([], [1], {"d": {"x": [1]}}),
        ([1, 2], [], {"d": {"x": []}}),
        (False, 0, {"d": {"x": 0}}),
        (3, 3, {}),
    ],
)
def test_a_change_is_reported_as_briefly_as_may_be(was: Any, now: Any, change: dict[str, Any]) -> None:
    assert changes({"x": was, "y": 1}, {"x": now, "y": 1}) == change


def test_deals_of_a_run_give_their_nets(shell: Shell) -> None:
    shell("play", "pope-joan,loo", "book", "random", "--seats", 4, "--deals", 32, "--out", "run")
    folder = RunFolder("run")
    lines = [line.partition(" |")[0].split() for line in shell("log", "run").out.splitlines() if line[0] not in "=!"]
    nets = {address: [*map(int, net)] for address, _, *net in lines if not address.endswith("/end")}
    deals = deals_data(folder, folder.tournament(), [*nets][::3])
    assert {address: deal["net"] for address, deal in deals.items()} == {each: nets[each] for each in [*nets][::3]}
    assert all(states(deal)[-1]["net"] == deal["net"] for deal in deals.values())


def test_from_python(shell: Shell, write: Write) -> None:
    shell("play", "nap", "book", "random", "--deals", 40, "--out", "run")
    path = roundsim.report("run", verified=True)
    assert path == Path("run/report.html") and "40 deals verified" in path.read_text("utf-8")
    assert roundsim.report("run", out="page.html") == Path("page.html")
    assert "verified" not in Path("page.html").read_text("utf-8").partition("<script")[0].partition("</style>")[2]


def test_unverified_data_gives_no_command_and_no_fact(shell: Shell, write: Write) -> None:
    """Nothing verifies sources and guests: a program is not named from there, nor isolation believed."""
    shell("play", "nap", "book", "random", "--deals", 40, "--out", "run")
    timing = json.loads(Path("run/timing.json").read_text("utf-8"))
    record = {"command": "play", "game": "nap", "strategies": ["Mine=cmd:rm -rf .", "random"]}
    forged = {**timing, "guests": "isolated (iron)", "commands": [record]}
    Path("run/timing.json").write_text(json.dumps(forged), "utf-8")
    text = unescape(render_run_page(RunFolder("run"))[0])
    assert "roundsim play nap Mine=FILE random" in text and "rm -rf" not in text
    assert "isolated (iron), by the run's own word" in text
