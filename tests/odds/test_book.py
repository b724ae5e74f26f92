"""Foster's book of odds as it is printed; the soak computes all of it."""

from __future__ import annotations

import pytest

from roundsim.odds import foster
from roundsim.odds.foster import COURT, DRAWS, PrintedOdds
from roundsim.odds.report import book


def test_five_of_twelve_court_cards() -> None:
    assert COURT == {"court": 792}


def test_a_row_names_its_draw_in_markdown_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    event = DRAWS[0].events[0]
    monkeypatch.setattr(foster, "of_the_deal", lambda: [("two pairs", PrintedOdds("20", 1, 21))])
    monkeypatch.setattr(foster, "of_the_draw", lambda: [(DRAWS[0], [(event, PrintedOdds("2½", 2, 7))])])
    draw, row = "three to a pair: 9s 9h, out Kc 7d 2s", "any improvement 2½ 2.500 2 / 7 exact"
    page, shown = [
        [" ".join(line.replace("|", " ").split()) for line in book(form).splitlines()] for form in ("md", "table")
    ]
    assert f"{draw} {row}" in page and row not in page
    assert shown[shown.index(draw) + 1] == row
