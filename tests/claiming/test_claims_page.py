"""The page of verdicts, from rows made by hand: what it shows of each, and that it loads nothing."""

from __future__ import annotations

import re
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from conftest import Shell, addresses
from helpers.claim_rows import CASE, ROW, exact_row

from roundsim.claiming import rows
from roundsim.claiming.page import chapters_of, claim_view, claims_page, in_run, like_printed, page_with, tallies
from roundsim.claiming.report import ORDER, open_reason
from roundsim.running import Run

VOID = "meta", "path", "text", "input", "br"


class WellFormed(HTMLParser):
    """Every element is closed where it was opened; the text by the id of the article around it."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open, self.ids, self.links, self.texts = list[str](), list[str](), list[str](), dict[str, str]()
        self.policy, self.article = "", ""
        self.feed(page)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag not in VOID:
            self.open.append(tag)
        self.ids += filter(None, [given.get("id")])
        self.links += [value for key, value in attrs if key in ("href", "src") and value]
        if tag == "article":
            self.article = given.get("id") or ""
        if given.get("http-equiv"):
            self.policy = given["content"] or ""
        assert not {"style", "onclick", "onload"} & {*given}

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag
        if tag == "article":
            self.article = ""

    def handle_data(self, data: str) -> None:
        self.texts[self.article] = f"{self.texts.get(self.article, '')} {data.strip()}".strip()


def claims_in(*rows: dict[str, Any]) -> dict[str, str]:
    """The texts of the claims on a page, by their anchors."""
    return WellFormed(claims_page(rows)).texts


def test_every_verdict_has_its_mark_its_word_and_its_place_in_the_tally() -> None:
    rows = [{**ROW, "id": f"nap/{no}", "verdict": word} for no, word in enumerate(ORDER, 1)]
    page = WellFormed(claims_page(rows))
    for no, (mark, word) in enumerate(zip("✓✗=~≡?–", ORDER, strict=True), 1):
        assert f"{no} The deal is a disadvantage. {mark} {word} Baxter-Wray, p. 8" in page.texts[f"nap-{no}"]
    assert (
        "7 claims: 1 right, 1 wrong, 1 no difference, 1 depends, 1 as its program says, 1 open, 1 untestable"
        in page.texts[""]
    )


def test_the_page_loads_nothing_and_all_its_links_lead_somewhere() -> None:
    rows = [ROW, {**ROW, "id": "my claims/1"}, exact_row(id="nap/7", exact={"": "1/4"}, printed="25 %")]
    text = claims_page(rows)
    page = WellFormed(text)
    assert page.policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "http" not in text.partition("</style>")[2].partition("<script>")[0]
    assert {link.removeprefix("#") for link in page.links} <= {*page.ids}
    assert all(link.startswith("#") for link in page.links)
    assert len(page.ids) == len({*page.ids})
    assert {"chapter-my-claims", "my-claims-1", "nap-5", "nap-7"} <= {*page.ids}
    assert text == claims_page(rows)


def test_text_goes_in_as_text() -> None:
    nasty = "<b>bold</b> & </script><script>alert(1)</script>"
    names = "says", "author", "page", "tests", "unit"
    row = {**ROW, **dict.fromkeys(names, nasty), "cases": [{**CASE, "among": nasty, "at": nasty, "shows": nasty}]}
    text = claims_page([row, exact_row(id="nap/6", exact={nasty: "1/4"}, printed={nasty: ".25"})])
    page = WellFormed(text)
    assert text.count("<script>") == 1
    assert "alert(1)</script>" not in text
    assert page.texts["nap-5"].count(nasty) >= 6
    assert nasty in page.texts["nap-6"]


def test_a_case_has_its_figure_and_its_interval_next_to_the_bound() -> None:
    (chapter,) = chapters_of([ROW, {**ROW, "id": "nap/6", "true_if": "dealer < 0.5", "unit": "share"}], ())
    first, second = chapter.claims
    (case,) = first.cases
    assert (case.value, case.error, case.deals) == ("-1.000", "0.500", "2 000")
    # the axis has a margin of 4 % about -1.5 to 0, the bound
    assert first.bound == "M96.3 0V30"
    assert case.interval
    assert case.interval.dot == "M34.6 15h0"
    assert case.interval.line.startswith("M3.7 15H65.4")
    assert case.reach == "M0 15H80.9"  # beyond the axis on the left
    assert second.bound == "M96.3 0V30"  # 0.5 is its right end now
    assert second.cases[0].value == "-1.0000"
    assert claims_in(ROW)["nap-5"].endswith("dealer −0.2500, eldest 0.7500")


def test_companies_are_next_to_each_other_on_one_axis() -> None:
    other = {**CASE, "among": "expert", "verdict": "wrong", "value": 2.0, "low": 1.0, "high": 3.0}
    both = [ROW, {**ROW, "among": ["expert"], "verdict": "wrong", "cases": [other]}]
    (chapter,) = chapters_of(both, ())
    (claim,) = chapter.claims
    assert claim.verdict == "depends"
    assert [(case.among, case.verdict) for case in claim.cases] == [("book", "right"), ("expert", "wrong")]
    dots = [float(re.findall(r"M([\d.]+)", case.interval.dot)[0]) for case in claim.cases if case.interval]
    bound = float(re.findall(r"M([\d.]+)", claim.bound)[0])
    assert dots[0] < bound < dots[1]
    ((_, authors), _, (_, (total,))) = tallies(both, [chapter])
    assert (authors[0].name, authors[0].counts) == ("Baxter-Wray", {"depends": 1})
    assert total.claims == 1


def experts_row(verdict: str, **changes: Any) -> dict[str, Any]:
    case = {**CASE, "among": "expert", "verdict": verdict, "value": 2.0, "low": 1.0, "high": 3.0}
    return {**ROW, "among": ["expert"], "verdict": verdict, "cases": [case], **changes}


@pytest.mark.parametrize(
    ("experts", "verdict", "otherwise"),
    [
        (experts_row("wrong"), "depends", True),
        (experts_row("right"), "right", False),
        (experts_row("open"), "right", False),
        (experts_row("as its program says"), "right", False),
        (experts_row("wrong", definition="of another claim"), "right", False),
    ],
)
def test_the_verdict_of_experts_is_shown_next_to_the_others(
    experts: dict[str, Any], verdict: str, otherwise: bool
) -> None:
    """A claim that experts decide differently is first on the page; an open verdict of theirs takes nothing back."""
    row = rows.with_experts(ROW, {(experts["id"], ("expert",)): experts})
    assert row["verdict"] == verdict and rows.is_otherwise(row) == otherwise
    page = claims_page([row])
    before, _, after = page.partition('id="tally"')
    assert ("Decided differently by experts" in before) == otherwise and "Decided differently" not in after
    if otherwise:
        assert 'href="#nap-5"' in before and "right among book" in before and "wrong among expert" in before


def test_missing_figures_are_not_drawn() -> None:
    bare = {**CASE, "verdict": "open", "value": None, "error": None, "low": None, "high": None, "figures": {}, "n": 0}
    short = {**CASE, "verdict": "open", "error": None, "low": -3, "high": 1.5, "needs": 40000}
    (chapter,) = chapters_of([{**ROW, "verdict": "open", "cases": [bare, short]}], ())
    nothing, few = chapter.claims[0].cases
    assert (nothing.interval, nothing.reach, nothing.value, nothing.error) == (None, "", "never came up", "")
    assert few.interval
    assert (few.interval.line, few.value, few.error) == ("", "-1.000", "")
    text = claims_in({**ROW, "verdict": "open", "cases": [bare, short]})["nap-5"]
    assert "it came up 0 times: too rarely to be decided" in text
    assert open_reason({**bare, "n": 2000}) == "too few deals differ to decide it"
    assert open_reason({**short, "needs": None}) == "surely between -3.000 and 1.500; more deals may decide it"
    assert "surely between −3.000 and 1.500; some 40\N{NARROW NO-BREAK SPACE}000 deals would decide it" in text
    untestable = exact_row(verdict="untestable", tests="nobody can look into a bag", author="", page="")
    assert claims_in(untestable)["nap-5"].endswith("– untestable nobody can look into a bag")


def test_an_exact_number_is_next_to_the_printed_one() -> None:
    row = exact_row(
        exact={"single": "1/6", "american": "2/5", "rare": "1/3873"},
        printed={"single": "16.67 %", "american": "40.07 %"},
        verdict="wrong",
    )
    (chapter,) = chapters_of([row], ())
    assert [tuple(line) for line in chapter.claims[0].exact] == [
        ("single", "16.6667 %", "16.67 %", "right"),
        ("american", "40 %", "40.07 %", "wrong"),
        ("rare", "1 in 3 873", "", ""),
    ]
    assert "single 16.6667 % 16.67 % ✓ right american 40 % 40.07 % ✗ wrong" in claims_in(row)["nap-5"]


@pytest.mark.parametrize(
    ("value", "printed", "shown"),
    [
        (Fraction(1, 8), ".13", "0.1250"),
        (Fraction(1, 3), "1 in 3", "1 in 3"),
        (Fraction(2, 7747), "1 in 3 873", "1 in 3 873.50"),
        (Fraction(0), "1 in 9", "0"),
        (Fraction(3, 1), "4", "3"),
        (Fraction(181, 100_000), "0.18 %", "0.1810 %"),
    ],
)
def test_an_exact_number_has_the_form_of_the_printed_one(value: Fraction, printed: str, shown: str) -> None:
    assert like_printed(value, printed) == shown


def test_without_verdicts_the_page_says_so() -> None:
    page = WellFormed(claims_page([]))
    assert "There are no verdicts." in page.texts[""]
    assert {"tally", "main"} <= {*page.ids}


def test_a_deal_is_in_the_file_if_its_run_is_there(parlour: Run, tmp_path: Path) -> None:
    address = addresses(parlour)[3]
    here = f"{parlour.folder}:{address}"
    cases = [
        {**CASE, "shows": shows} for shows in (here, f"{tmp_path}/my runs:{address}", f"{parlour.folder}:loo/1/1/1")
    ]
    text = claims_page([{**ROW, "cases": cases}])
    assert re.findall(r'data-deal="(.*?)">play a deal', text) == [here]
    assert f'"addrs":["{here}"]' in text
    code = WellFormed(text).texts["nap-5"]
    assert f"roundsim replay '{tmp_path}/my runs:{address}'" in code
    assert f"roundsim replay {parlour.folder}:loo/1/1/1" in code
    assert len(text) > len(page_with([{**ROW, "cases": cases}], []))


def test_a_deal_has_its_run_in_front() -> None:
    deal = {"entry": "nap", "addr": "nap/1/2/1", "net": [0, 0], "before": {"addr": "nap/1/1/1", "net": [1, -1]}}
    again = {"addr": "runs/a:nap/1/1/1", "net": [1, -1]}
    assert in_run(deal, "runs/a") == {"entry": "runs/a", "addr": "runs/a:nap/1/2/1", "net": [0, 0], "before": again}


def test_the_command_writes_the_page(shell: Shell, tmp_path: Path) -> None:
    done = shell("claims", "nap/1", "--again", "--page", "page.html")
    assert (done.code, done.err) == (0, "roundsim: wrote page.html\n")
    assert "1 in 649" in WellFormed((tmp_path / "page.html").read_text("utf-8")).texts["nap-1"]
    assert shell("claims", "--page", "all.html").code == 0
    assert (tmp_path / "all.html").exists()
    refused = shell("claims", "nap/1", "--page", "no/such/folder.html")
    assert refused.code == 73
    assert "cannot write no/such/folder.html" in refused.err


def test_only_the_words_of_a_book_are_quoted() -> None:
    quoted, ours = (claims_page([{**ROW, "author": author}]) for author in ("Baxter-Wray", "roundsim"))
    assert "<q>" in quoted and "<q>" not in ours


def test_a_printed_number_is_shown_once() -> None:
    """An exact number has it in its own line."""
    plain = {**ROW, "printed": "0.5"}
    exact = exact_row(printed="1 in 4", exact={"": "1/4"})
    assert [claim_view([row], []).printed for row in (plain, exact)] == ["0.5", ""]
