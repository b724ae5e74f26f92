"""Texts of this project are in plain, current English: what `tools/plain_english.py` finds, and the glossary."""

from __future__ import annotations

import re
from typing import Any

import pytest
from plain_english import DATA, ROOT, avoid_of, findings_in

from roundsim import games


@pytest.mark.parametrize("entry", DATA["avoid"], ids=lambda entry: entry["bad"])
def test_a_pattern_finds_what_it_is_for(entry: dict[str, Any]) -> None:
    pattern = avoid_of(entry).pattern
    assert pattern.search(entry["bad"])
    assert pattern.search(entry["bad"].replace(" ", "\n"))
    assert not pattern.search(entry.get("fine", ""))


def test_a_quotation_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    page = 'He says: "hence it is\ntold" and is told.\n'
    assert [each.text for each in findings_in("some.md", page)] == ["hence", "told", "told"]
    monkeypatch.setattr("plain_english.QUOTATIONS", [{"file": "some.md", "text": "hence it is told"}])
    assert [each.text for each in findings_in("some.md", page)] == ["told"]
    assert len(findings_in("other.md", page)) == 3


def test_only_prose_is_read() -> None:
    code = '"""Says `told`."""\ntold = {"told": anew}  # a comment\n# anew,\n# and so\nraise E(f"it was told {anew}")\n'
    assert [(each.line, each.text) for each in findings_in("some.py", code)] == [(3, "anew"), (5, "told")]
    page = "# What is told\n\n* it is\n  told `told`\n\n```\nanew\n```\n| a | anew |\n"
    assert [(each.line, each.text) for each in findings_in("some.md", page)] == [(4, "told"), (9, "anew")]


def test_the_glossary_is_in_order_and_links_to_pages() -> None:
    page = (ROOT / "docs" / "words.md").read_text("utf-8")
    seen = set[str]()
    for group in page.split("\n## ")[1:]:
        rows = [row.strip("| ").split(" | ") for row in group.splitlines() if row.startswith("| ")][2:]
        terms = [term for term, *_ in rows]
        assert terms == sorted(terms)
        assert not seen & {*terms}
        seen |= {*terms}
        for term, meaning, more in rows:
            assert meaning.endswith("."), term
            link = re.fullmatch(r"\[(.+)\]\(([\w.-]+)\)|`roundsim rules (\S+)`", more)
            assert link, f"{term}: {more}"
            title, file, game = link.groups()
            if game:
                assert game in games.names(), f"{term}: {more}"
            else:
                assert (ROOT / "docs" / file).read_text("utf-8").startswith(f"# {title}\n"), f"{term}: {more}"
