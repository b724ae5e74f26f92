"""The open cards of a run at the games of stops, and the sentences about it: scripted deals, followed by hand."""

from __future__ import annotations

from helpers.command import DEALS

from roundsim.mechanics.stops import Stops
from roundsim.refereeing import script
from roundsim.table.actions import Action
from roundsim.table.chance import Chance
from roundsim.table.deal import Ask, Deal
from roundsim.table.events import EventLog
from roundsim.table.playthrough import run_deal

Look = tuple[str, bool, int | None]


def followed(name: str) -> tuple[list[Look], list[str]]:
    """The run, whether it is stopped and who leads it, at each question and at the end; and the sentences."""
    scripted = script.load_script(DEALS / f"{name}.toml")
    deal = scripted.rules.played_by(scripted.rules, scripted.state, scripted.source(1))
    written, hearing = script.ScriptLines(scripted.lines(1)), EventLog(deal)
    seen, words = list[Look](), list[str]()

    def answer(ask: Ask) -> Action | None:
        words.extend(sentences(hearing))
        seen.append(look(deal, ask.seat))
        said = written.answer(ask)
        assert said is not None
        words.append(f"{ask.seat} {deal.says(ask, said)}")
        return said

    assert run_deal(deal, answer)
    return [*seen, look(deal, 0)], [*words, *sentences(hearing)]


def sentences(hearing: EventLog) -> list[str]:
    return [each for each in hearing.take() if isinstance(each, str)]


def look(deal: Deal, seat: int) -> Look:
    view = deal.View(deal, seat, "", (), Chance())
    assert isinstance(view, Stops.View)
    return " ".join(view.run), view.stopped, view.leader


def test_a_run_lies_until_the_next_is_led() -> None:
    """The stop is seen, and a run of one card; what Pope goes on with in lieu of a card is the same run."""
    seen, words = followed("pope-joan/pope-in-lieu-of-a-stop")
    names = ["3s", "4s", "5s", "9d", "7s", "8s", "9s"]  # at the fourth question: whether Pope is played
    runs: list[Look] = [(" ".join(names[:at]), at == 0, 0) for at in range(7)]
    ends: list[Look] = [
        (" ".join(names), True, 3),
        ("Ah", True, 3),
        ("5h", False, 3),
        ("5h 6h", True, 3),
        ("6d", True, 3),
    ]
    assert seen == [*runs, *ends]
    assert words == [
        *["2h is turned up: hearts are trumps", "0 leads 3s", "1 follows with 4s", "0 follows with 5s"],
        *["5s is a stop: 6s is in no hand", "1 plays 9d in lieu of 6s"],
        *["2 follows with 7s", "2 follows with 8s", "3 follows with 9s", "9s is a stop: Ts is in no hand"],
        *["3 leads Ah", "Ah is a stop: 2h is turned up"],
        *["3 leads 5h", "3 follows with 6h", "6h is a stop: 7h is in no hand", "3 leads 6d", "seat 3 is out of cards"],
    ]


EXAMPLES = "../../roundsim/games/examples"
BEGINNINGS = {
    "spin/all-stakes": [
        *["0 leads Qc", "1 follows with Kc and Ad", "Spin makes Kc a stop", "1 leads Ks", "Ks is a stop"]
    ],
    f"{EXAMPLES}/jig": [
        *[
            "0 leads 3s: Snip",
            "1 follows with 4s: Snap",
            "2 follows with 5s: Snorum",
            "3 follows with 6s: Hicockalorum",
        ],
        *["1 follows with 7s: Jig", "7s is Jig, and ends the run", "1 leads 9h: Snip"],
    ],
    f"{EXAMPLES}/newmarket": [
        *["0 places 1 counter on As", "1 places 1 counter on Kc", "2 places 1 counter on Kc"],
        *["3 places 1 counter on Qh", "3 places 1 counter on Jd", "0 leads 8s", "0 follows with 9s"],
        *["0 follows with Ts", "0 follows with Js", "0 follows with Qs", "0 follows with Ks", "Ks is a stop"],
        *["0 leads Td", "Td is a stop: Jd lies on the table", "0 leads Qc", "Qc is a stop: Kc lies on the table"],
    ],
}
ENDS = {
    "pope-joan/stake-for-game-only": [
        *["seat 3 is out of cards", "4 places one on queen, one on game, two on pope"],
        *["seat 0 holds 9d, and pays nothing", "1 places one on pope, one on matrimony, one on ace"],
        "2 places four on king",
    ],
    f"{EXAMPLES}/spin": ["seat 0 is out of cards", "seat 3 holds Ad, and pays double"],
}


def test_a_stop_is_reported_once_and_a_card_that_changes_the_price_in_its_turn() -> None:
    for name, expected in BEGINNINGS.items():
        assert followed(name)[1][: len(expected)] == expected
    for name, expected in ENDS.items():
        assert followed(name)[1][-len(expected) :] == expected
