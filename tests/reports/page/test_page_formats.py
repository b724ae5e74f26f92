"""The sections of the formats and of the stopping rule on the page: figures worked out by hand."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from math import log
from typing import Any

import pytest
from helpers.blocks import DEALS, block_of, fold_of
from helpers.pages import entry_of
from scipy import stats

from roundsim.games.nap import Nap
from roundsim.reports.page import convergence, stopping_rule
from roundsim.reports.page.extras import EntryExtras
from roundsim.reports.page.formats import freeze_out, knock_out, progressive, shadow
from roundsim.reports.page.game import games_of
from roundsim.reports.page.render import templates
from roundsim.reports.stopping_rule import gate_lines
from roundsim.statistics.stopping import Decision, Mixture
from roundsim.tournament.formats.freeze_out import FreezeOut
from roundsim.tournament.formats.knock_out import KnockOut
from roundsim.tournament.formats.progressive import Progressive
from roundsim.tournament.formats.round_robin import RoundRobin
from roundsim.tournament.formats.shadow import NEW, OLD, SCALE, Shadow
from roundsim.tournament.judging.standings import Standings, compute_standings
from roundsim.tournament.judging.stopping import RuleWatch
from roundsim.tournament.planning.plan import Entry, Limits, Stopping, Tournament
from roundsim.tournament.results.totals import BlockRecord

pytestmark = pytest.mark.usefixtures("here")

BREAKING_OUT = "</svg><script>1"


def event(number: int, seats: Sequence[int], *values: Sequence[int]) -> BlockRecord:
    return BlockRecord(number, seats, 60, 9, values, [], [], 0)


def run_of(entry: Entry, rows: Sequence[BlockRecord], rule: str = "") -> Standings:
    stopping = Stopping(rule, 0.05) if rule else None
    tournament = Tournament("parlour", entry.format.name, 7, Limits(), (entry,), stopping)
    return compute_standings(tournament, [fold_of(entry, rows)])


class Checked(HTMLParser):
    """Nothing in it has a style of its own, or a script, and all is closed."""

    OPEN = {"meta", "br", "path", "line", "circle", "rect"}

    def __init__(self, text: str) -> None:
        super().__init__()
        self.left: list[str] = []
        self.feed(text)
        assert not self.left

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        assert tag != "script"
        assert "style" not in dict(attrs)
        self.left += [tag] * (tag not in self.OPEN)

    def handle_endtag(self, tag: str) -> None:
        assert tag in self.OPEN or self.left.pop() == tag


def shown(name: str, view: Any) -> str:
    text = templates().get_template(f"{name}.html.j2").render(view=view)
    Checked(text)
    return text


def freeze_outs(*names: str) -> Standings:
    """Three: a, b, c, d; then b and c share the second place and the third; then d, and the others share what is left."""
    entry = entry_of(names, FreezeOut(100, 5, 10_000, 0), "draw-poker")
    rows = [
        event(1, (3, 0, 1, 2), [8, 2, 4, 6], [0, 12, 0, 0]),
        event(2, (0, 1, 2, 3), [2, 5, 5, 8], [12, 0, 0, 0]),
        event(3, (2, 1, 0, 3), [6, 6, 6, 2], [0, 0, 0, 12]),
    ]
    return run_of(entry, rows)


LASTED = {
    "a": Counter[int | None]({None: 2, 40: 1}),
    "b": Counter[int | None]({30: 2, 8: 1}),
    "c": Counter[int | None]({30: 1, 12: 1, 8: 1}),
    "d": Counter[int | None]({5: 1, 2: 1, None: 1}),
}


def frozen(run: Standings, lasted: dict[str, Counter[int | None]], hands: list[int]) -> freeze_out.FreezeOutView | None:
    """The section of freeze-outs with these hands at which strategies went out, and these numbers of hands."""
    section = freeze_out.Section(run.tournament.entries[0])
    section.lasted, section.hands = lasted, hands
    return section.view(run, 0)


def first_evening(standings: Standings, seen: progressive.EveningTables) -> progressive.ProgressiveView | None:
    section = progressive.Section(standings.tournament.entries[0])
    section.evening = seen
    return section.view(standings, 0)


def rounds(standings: Standings, at: int) -> knock_out.KnockOutView | None:
    return knock_out.Section(standings.tournament.entries[at]).view(standings, at)


def test_places_and_shares_of_freeze_outs_and_survival_after_each_number_of_hands() -> None:
    view = frozen(freeze_outs(*"abcd"), LASTED, [12, 30, 40])
    assert view
    placed = {row.strategy: row.placed.removeprefix("places first to last: ") for row in view.rows}
    assert placed == {"a": "2, 0.3, 0.3, 0.3", "b": "0, 1.8, 0.8, 0.3", "c": "0, 0.8, 1.8, 0.3", "d": "1, 0, 0, 2"}
    assert [row.strategy for row in view.rows] == ["a", "b", "c", "d"]  # 6/3, 7.5/3, 8.5/3, 9/3
    heights = {row.strategy: [bar.height for bar in row.bars] for row in view.rows}
    assert heights["a"] == [18.0, 3.0, 3.0, 3.0]
    assert heights["d"] == [9.0, 0.5, 0.5, 18.0]
    low, high = (100 * each for each in stats.binomtest(2, 3).proportion_ci(0.95, "exact"))
    first = view.rows[0]
    assert (first.won, first.limits) == ("66.7 %", f"{low:.1f}-{high:.1f}")
    assert first.share and first.share.line == f"M{low:.1f} 15H{high:.1f}M{low:.1f} 11v8M{high:.1f} 11v8"
    assert first.share.dot == "M66.7 15h0"
    _, most = stats.binomtest(0, 3).proportion_ci(0.95, "exact")
    assert view.notes[-1] == f"A strategy that won none of 3 may still win {100 * most:.1f} % of all (Clopper–Pearson)."
    assert view.survival
    assert {row.strategy: row.half for row in view.rows} == {"a": "-", "b": "30", "c": "12", "d": "5"}
    assert freeze_out.half_out(Counter({None: 1, 4: 1})) == "4"  # half of them, to the hand
    assert view.survival.words == "After 30 hands still in, in a hundred: a 100, b 0, c 0, d 33."
    assert view.notes[0] == "12 to 40 hands each, half of them over by hand 30."
    ends = {curve.strategy: curve.end for curve in view.survival.curves}
    assert ends == {"a": 93.3, "b": 264.0, "c": 264.0, "d": 178.7}  # from 8, all in, to 264, none
    assert re.fullmatch(r"M0 8H[\d.]+V93.3H1000", view.survival.curves[0].line)
    assert [curve.ahead for curve in view.survival.curves] == [True, False, False, False]  # the middle place is 2.5
    text = shown("freeze_out", view)
    assert "places first to last: 2, 0.3, 0.3, 0.3" in text


def test_without_a_log_a_freeze_out_has_no_curves() -> None:
    view = frozen(freeze_outs(*"abcd"), {}, [])
    assert view and view.survival is None
    assert "Still in" not in shown("freeze_out", view)
    entry = entry_of("ab", FreezeOut(100, 5, 10_000, 0), "draw-poker")
    assert frozen(run_of(entry, []), {}, []) is None


EVENING = [[["a", "b"], ["c", "d", "e"]], [["a", "c"], ["b", "d", "e"]], [["d", "c"], ["b", "a", "e"]]]


def evening(names: Sequence[str]) -> Standings:
    entry, whole = entry_of(names, Progressive(50, 3), "draw-poker"), [12] * 5
    values = [[2, 0, 1, 0, 0], [70, -20, 5, -1200, 0], [0, 1, 0, 24, 0]]
    later = [[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]]
    rows = [event(at, range(5), *each, whole, whole, whole) for at, each in enumerate((values, later), 1)]
    return run_of(entry, rows)


def test_seats_and_promotions_of_an_evening_and_of_one_table() -> None:
    view = first_evening(evening("abcde"), EVENING)
    assert view
    ways = {way.strategy: (way.head, way.up, way.down) for way in view.ways}
    assert ways == {"a": (2, 0, 1), "b": (1, 0, 1), "c": (2, 1, 0), "d": (1, 1, 0), "e": (0, 0, 0)}
    lines = {way.strategy: way.line for way in view.ways}
    assert lines["a"] == "M0 6H666.7V12H1000"  # two rounds of three at the head, on top
    assert lines["e"] == "M0 12H1000" and view.levels == [6.0, 12.0]
    figures = {way.strategy: way.figures for way in view.ways}
    assert view.columns == ["yellows", "counters", "fresh"]
    assert figures["d"] == ["0", "-1 200", "24"]  # of that evening, not of both
    number = {way.strategy: way.number for way in view.ways}
    first = [[(seat.strategy, seat.up) for seat in seats] for seats in view.rounds[0].tables]
    assert first == [[("a", 0), ("b", -1)], [("c", 1), ("d", 0), ("e", 0)]]
    assert [seat.number for seat in view.rounds[1].tables[0]] == [number["a"], number["c"]]
    assert view.sentence == ("a sat at the head table in 2 of 3 rounds; c went up most often, once; e never sat there.")
    text = shown("progressive", view)
    assert f"<b>{number['c']}↑</b>" in text
    assert "−1\N{NARROW NO-BREAK SPACE}200" in text
    assert "RUN:draw-poker/1/TABLE/ROUND" in text
    view = first_evening(evening("abcde"), [[["a", "b", "c", "d", "e"]]] * 3)
    assert view and view.sentence == "One table: nobody moves." and not view.ways
    assert "a, b, c, d, e" in shown("progressive", view)
    assert first_evening(evening("abcde"), []) is None


def knocked(names: Sequence[str], rounds: int) -> Standings:
    """Three at tables of two: a beats b by two counters a deal and c by four, b beats c by one; then b beats a by two."""
    first = KnockOut(2, 2, entrants=3, round=1)
    plays = [
        [block_of(1, (0, 1), (4, -4)), block_of(2, (2, 0), (-8, 8)), block_of(3, (1, 2), (2, -2))],
        [block_of(1, (0, 1), (-4, 4))],
    ]
    final = KnockOut(2, 2, entrants=3, round=2)
    entries = [entry_of(names, first, name="nap.1"), entry_of(names[:2], final, name="nap.2")]
    folds = [fold_of(entry, rows) for entry, rows in zip(entries, plays, strict=True)]
    tournament = Tournament("parlour", "knock-out", 7, Limits(), tuple(entries[:rounds]))
    return compute_standings(tournament, folds[:rounds])


def test_how_far_each_has_come_in_a_knock_out_that_is_over_or_not() -> None:
    standings = knocked("abc", 2)
    assert rounds(standings, 0) is None  # it is shown once, under the last round
    view = rounds(standings, 1)
    assert view
    assert view.heads == ["round 1 · of 3", "final · of 2"]
    came = [(row.rank, row.strategy, row.reached) for row in view.rows]
    assert came == [("1", "b", "winner"), ("2", "a", "final"), ("3", "c", "round 1")]
    cells = [[cell and (cell.figure, cell.on) for cell in row.cells] for row in view.rows]
    assert cells == [
        [("-0.250", True), ("+1.000", True)],  # 2 less 4 in eight deals
        [("+1.500", True), ("-1.000", False)],
        [("-1.250", False), None],
    ]
    assert view.sentence == "3 strategies, then 2: b won the final."
    assert view.ladder
    threads = {each.strategy: (each.line, each.won) for each in view.ladder.threads}
    assert threads == {"a": ("M0 34L1000 53", False), "b": ("M0 53L1000 34", True), "c": ("M0 72", False)}
    assert view.ladder.cuts == [(0.0, 60.0, 62.5)]  # below the second place
    assert 'class="gone"' in shown("knock_out", view)
    view = rounds(knocked("abc", 1), 0)
    assert view and view.sentence == "3 strategies: the 1st of 2 rounds is being played." and view.ladder
    assert not any(each.won for each in view.ladder.threads)
    assert not view.ladder.frame.up  # no strategy has reached the end
    shown("knock_out", view)


PHASES = [*Nap.phases]
# The deal, the action and the phase of a first difference.
CALL, PLAY = (1, 3, PHASES.index("call")), (2, 5, PHASES.index("play"))
ALIKE = (0, 0, 0)


def sitting(number: int, old: Sequence[int], new: Sequence[int], *firsts: Sequence[int]) -> BlockRecord:
    """A sitting of three, with what the new strategy has at each seat, and where it differs first."""
    changed = [0, 0, 0, *[int(any(each)) for each in firsts]]
    gains = [new[at] - old[at] for at in range(3)]
    extra = [each for gain, first in zip(gains, firsts, strict=True) for each in (*first, gain, SCALE * gain)]
    values = [[SCALE * net for net in (*old, *new)], changed]
    return BlockRecord(number, [OLD] * 3 + [NEW] * 3, 2, 9, values, [], [], 0, extra)


def shadows(new: str = "new") -> Standings:
    """Three sittings of two deals: +6 at a seat that begins in the call, -3 and +1 at seats that begin in the play."""
    rows = [
        sitting(1, (4, -2, -2), (10, -2, -5), CALL, ALIKE, PLAY),
        sitting(2, (6, -3, -3), (6, -3, -3), ALIKE, ALIKE, ALIKE),
        sitting(3, (2, -1, -1), (2, 0, -1), ALIKE, PLAY, ALIKE),
    ]
    return run_of(entry_of([new, "old"], Shadow(3, 2)), rows)


def shadowed(standings: Standings, deals: Any = None) -> shadow.ShadowView | None:
    section = shadow.Section(standings.tournament.entries[0])
    section.deals = deals or {}
    return section.view(standings, 0)


def test_in_which_phase_the_difference_of_a_shadow_begins() -> None:
    view = shadowed(shadows())
    assert view
    lines = [(line.phase, line.difference, line.share) for line in view.phases]
    assert lines == [("call", "+0.333", "11.1 %"), ("play", "-0.111", "22.2 %")]  # 6 and -2 of 18 deals, 1 and 2 of 9
    # from -2/18 to 6/18, and a twenty-fifth of that at each end: 0 is at 26.9 of 100
    bars = [("M26.9 8H96.3V22H26.9z", True), ("M26.9 8H3.7V22H26.9z", False)]
    assert [(line.bar, line.up) for line in view.phases] == bars
    said = "call +0.333 counters a deal, in 11.1 %; play -0.111 counters a deal, in 22.2 % of the sittings."
    assert view.words.endswith(said)
    assert "play −0.111 counters a deal" in shown("shadow", view)


def test_the_replays_of_a_shadow_that_gained_and_lost_most() -> None:
    standings = shadows()
    section = shadow.Section(standings.tournament.entries[0])
    assert section.wanted(standings, 0) == ["1/2/1", "1/4/2", "3/3/2"]  # +6, -3, +1
    steps = [{"p": "call", "a": "pass"}, {"p": "call", "a": "call nap"}]
    before = {"addr": "nap/1/1/1", "net": [1, 0, -1], "step": 1, "a": "call 3"}
    view = shadowed(standings, {"nap/1/2/1": {"steps": steps, "before": before, "seats": ["new", "old", "old"]}})
    assert view
    rows = {table.title: [(line.link, line.phase, line.new, line.old) for line in table.lines] for table in view.swings}
    assert rows == {
        "Gained most": [
            ((6, "nap/1/2/1", 0, True), "call", "call nap", "call 3"),
            ((1, "nap/3/3/2", 0, False), *[""] * 3),
        ],
        "Lost most": [((-3, "nap/1/4/2", 0, False), *[""] * 3)],
    }
    text = shown("shadow", view)
    assert '<a href="#deal=nap/1/2/1&amp;seat=0" data-deal="nap/1/2/1">+6</a>' in text
    assert 'data-deal="nap/1/4/2"' not in text


def test_a_shadow_that_never_differs_says_so() -> None:
    entry = entry_of(["new", "old"], Shadow(3, 2))
    view = shadowed(run_of(entry, [sitting(1, (2, -1, -1), (2, -1, -1), ALIKE, ALIKE, ALIKE)]))
    assert view
    assert "new gave the same answer everywhere." in shown("shadow", view)
    assert shadowed(run_of(entry, [])) is None


def two(names: Sequence[str], differences: Sequence[float], rule: str) -> Standings:
    """A round-robin of two strategies with these differences in counters a deal by block."""
    rows = [block_of(at, (0, 1), (int(2 * each), -int(2 * each))) for at, each in enumerate(differences, 1)]
    return run_of(entry_of(names, RoundRobin(2, 2)), rows, rule)


def wavering(n: int, mean: int) -> list[int]:
    return [mean + 3 * (-1) ** at + at % 3 - 1 for at in range(n)]


def of_the_rule(standings: Standings, rule: Any = None) -> stopping_rule.StoppingView:
    view = stopping_rule.stopping_section(standings, 0)
    assert view
    shown("stopping_rule", view)
    return view


def limits_are_right(seen: Sequence[float], limits: tuple[float, float], alpha: float = 0.05) -> bool:
    """Whether the mixture's own inequality is met exactly at both ends."""
    twice = -2 * log(alpha)

    def evidence(delta: float) -> float:
        squares = [(each - delta) ** 2 for each in seen]
        r = sum(squares[:80]) / 80 * 300 / (twice + log(twice) + 1)
        v = sum(squares)
        return log(r / (r + v)) + sum(each - delta for each in seen) ** 2 / (r + v)

    return all(evidence(each) == pytest.approx(twice, abs=1e-6) for each in limits)


def looks_of(standings: Standings, pair: tuple[int, int]) -> list[stopping_rule.At]:
    """The looks at a pair that the section has noted."""
    entry, stopping = standings.tournament.entries[0], standings.tournament.stopping
    assert stopping
    watch = RuleWatch(entry, stopping)
    watch.rule = noted = stopping_rule.Noted(watch.rule, [pair], standings.outcomes[0].block)
    watch.follow(standings.folds[0])
    noted.note()
    return noted.looks[pair]


def test_the_path_of_a_gate_has_the_band_of_every_look(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Mixture, "is_hopeless", lambda self, cap: False)
    differences = wavering(200, 0)
    standings = two(["mine", "old"], differences, "mine - old > 0")
    looks = looks_of(standings, (0, 1))
    assert [each.block for each in looks] == [*range(1, 201)]
    for each in looks:
        seen = differences[: each.block]
        assert each.value == pytest.approx(sum(seen) / len(seen))
        assert (each.limits is None) == (each.block < 80)
        assert each.limits is None or limits_are_right(seen, each.limits)
    view = of_the_rule(standings)
    assert view.verdict == "undecided"
    gained, mean = sum(each > 0 for each in differences), sum(differences) / 200
    said = f"mine - old {view.sentence} blocks 0.0 % alike, {gained / 2:.1f} % gained, {100 - gained / 2:.1f} % lost"
    low, high = map(float, *re.findall(r"\((\S+) to (\S+),", view.sentence))
    assert low < mean < high
    lines = " ".join(gate_lines(standings).split())
    assert lines == f"{said} undecided between {-low} worse and {high} better undecided"
    (path,) = view.paths
    assert path.title == "mine less old"
    assert path.looks[-1].after == "800"  # deals, four a block
    assert path.looks[-1].value == f"{sum(differences) / 200:+.3f}"
    assert path.bound.text == "0"
    assert path.first == 400.0  # block 80 of 200
    across = [float(each.split()[0]) for each in re.split("[ML]", path.line)[1:]]
    assert across == sorted(across) and (across[0], across[-1]) == (5.0, 1000.0)


def test_the_path_ends_where_it_is_decided() -> None:
    """Every sixth block has no difference, so 80 have changed after 95 blocks of four deals."""
    standings = two(["mine", "old"], wavering(150, 2), "mine - old > -0.5")
    rule = standings.outcomes[0].rule
    assert rule and (standings.outcomes[0].block, rule.mixture.changed) == (95, 80)
    view = of_the_rule(standings)
    assert (view.verdict, view.paths[0].looks[-1].after) == ("not worse by 0.5", "380")
    assert view.paths[0].bound.text == "-0.5"
    assert view.paths[0].whisker  # one look, whose band is a line
    assert two(["mine", "old"], wavering(150, -2), "mine - old > 0").outcomes[0].decision is Decision.WORSE
    assert of_the_rule(two(["mine", "old"], wavering(150, -2), "mine - old > 0")).verdict == "worse"


def test_neighbours_that_are_to_be_separated() -> None:
    """a is far below; b and c are alike: the path of these two, and of the worse of them and a."""
    entry = entry_of("abc", RoundRobin(3, 2))
    rows = [block_of(at, (0, 1, 2), (-60, 30 + each, 30 - each)) for at, each in enumerate(wavering(119, 0), 1)]
    view = of_the_rule(run_of(entry, rows, "separated"))
    better, worse = "bc" if sum(wavering(119, 0)) > 0 else "cb"
    assert [path.title for path in view.paths] == [f"{better} less {worse}", f"{worse} less a"]
    assert view.verdict == "not yet"
    away = abs(sum(wavering(119, 0))) / 119
    assert view.paths[0].looks[-1].value == f"{2 * away / DEALS:+.3f}"
    assert view.paths[1].looks[-1].value == f"{(90 - away) / DEALS:+.3f}"
    low, high = map(float, view.paths[1].looks[-1].limits.split(" to "))
    assert low < (90 - away) / DEALS < high


def test_of_many_neighbours_the_closest_are_drawn() -> None:
    """Nine strategies; the first and the last are far from the others."""
    entry = entry_of("abcdefghi", RoundRobin(9, 2))
    worth = [700, 300, 30, 25, 20, 10, 0, -10]
    rows = []
    for at, each in enumerate(wavering(100, 0)):
        shaken = [x + each * (-1) ** place for place, x in enumerate(worth)]
        rows.append(block_of(at + 1, range(9), [*shaken, -sum(shaken)]))
    view = of_the_rule(run_of(entry, rows, "separated"))
    assert len(view.paths) == stopping_rule.PATHS
    assert not {"a less b", "h less i"} & {path.title for path in view.paths}
    assert view.notes[-1] == "2 more pairs of neighbours in the standings are further apart."


def test_the_widest_interval() -> None:
    """The second wavers twice as far as the others."""
    entry, differences = entry_of("abc", RoundRobin(3, 2)), wavering(100, 1)
    rows = [block_of(at, (0, 1, 2), (-2 * each, 4 * each, -2 * each)) for at, each in enumerate(differences, 1)]
    view = of_the_rule(run_of(entry, rows, "±0.1"))
    error = stats.t.ppf(0.975, 99) * stats.sem([4 * each / DEALS for each in differences])
    (path,) = view.paths
    assert path.looks[-1].value == path.label.text == f"{error:.3f}"
    assert path.bound.text == "0.1"
    assert path.looks[0].limits == ""


def test_without_a_rule_or_before_the_first_block_there_is_no_path() -> None:
    assert stopping_rule.stopping_section(two("ab", [1, 2], ""), 0) is None
    assert stopping_rule.stopping_section(two("ab", [], "a - b > 0"), 0) is None


def hostile() -> Iterator[tuple[str, Any]]:
    names = [BREAKING_OUT, "b", "c", "d"]
    lasted = {name: Counter[int | None]({3: 3}) for name in names}
    yield "freeze_out", frozen(freeze_outs(*names), lasted, [3, 3, 3])
    tables = [[[BREAKING_OUT if name == "a" else name for name in seats] for seats in each] for each in EVENING]
    yield "progressive", first_evening(evening([BREAKING_OUT, *"bcde"]), tables)
    yield "knock_out", rounds(knocked([BREAKING_OUT, "b", "c"], 2), 1)
    yield "shadow", shadowed(shadows(BREAKING_OUT))
    gate = two([BREAKING_OUT, "b"], wavering(90, 0), f"{BREAKING_OUT} - b > 0")
    yield "stopping_rule", stopping_rule.stopping_section(gate, 0)


@pytest.mark.parametrize("name, view", [pytest.param(*each, id=each[0]) for each in hostile()])
def test_no_name_breaks_out(name: str, view: Any) -> None:
    text = shown(name, view)
    assert "<script" not in text
    assert "&lt;/svg&gt;&lt;script" in text


def test_the_axis_of_the_means_ends_at_the_last_block() -> None:
    (game,) = games_of(two(["mine", "old"], wavering(12, 0), "mine - old > 0"), [EntryExtras()])
    view = convergence.settled(game)
    assert view and view.last == "12 blocks"
