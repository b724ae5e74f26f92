"""The data and the feed of a league's site: valid by their schema and by RFC 4287."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from uuid import UUID
from xml.etree import ElementTree

import pytest
from conftest import Shell, Write
from helpers.schemas import Page

pytestmark = pytest.mark.usefixtures("here")

ATOM = "{http://www.w3.org/2005/Atom}"
RULES = """
    title = "A <b>title</b> &amp; ]]> \\uFFFE"
    [round]
    deals = 24
    least = 10
    [limits]
    isolate = "off"
    [[games]]
    game = "nap"
    players = 3
    """


@pytest.fixture
def site(shell: Shell, write: Write, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The site of a league after two rounds, one of them played in another clone from the same field."""
    monkeypatch.setattr("roundsim.league.field.CHECKED", 16)
    write("lg/league.toml", RULES)
    write("lg/entries/ann.py", "games = ['nap']\n\ndef act(view):\n    return view.legal[0]\n")
    write("lg/entries/ben.py", "def act(view:\n")
    write("other/league.toml", RULES)
    write("other/entries/ann.py", Path("lg/entries/ann.py").read_text())
    write("other/entries/ben.py", "def act(view:\n")
    for folder in "other", "lg":
        assert shell("league", folder, "--jobs", 1).code == 0
    (theirs,) = Path("other/rounds").iterdir()
    theirs.rename(Path("lg/rounds") / theirs.name)
    assert shell("league", "lg", "--site-only").code == 0
    return Path("lg/site")


def test_the_feed_has_what_rfc_4287_demands(site: Path) -> None:
    feed = ElementTree.fromstring((site / "feed.xml").read_bytes())
    entries = feed.findall(f"{ATOM}entry")
    assert feed.tag == f"{ATOM}feed" and feed.findtext(f"{ATOM}author/{ATOM}name") and len(entries) == 2
    assert str(feed.findtext(f"{ATOM}title")).startswith("A <b>title</b> &amp; ]]> ")
    for part in feed, *entries:
        for name in "id", "title", "updated":
            (element,) = part.findall(ATOM + name)
            assert element.text and not len(element)
        assert datetime.fromisoformat(str(part.findtext(f"{ATOM}updated"))).tzinfo
    ids = [str(part.findtext(f"{ATOM}id")) for part in (feed, *entries)]
    assert len({UUID(each.removeprefix("urn:uuid:")) for each in ids}) == 3, "each identifies one thing"
    assert feed.findtext(f"{ATOM}updated") == max(str(entry.findtext(f"{ATOM}updated")) for entry in entries)
    assert all(entry.findtext(f"{ATOM}content") for entry in entries)


def test_the_standings_are_valid_by_their_schema(site: Path, shell: Shell) -> None:
    page, data = Page("league-standings"), json.loads((site / "standings.json").read_text())
    page.must_describe_every_key()
    assert page.wrong(data) == [] and data["left_out"] and data["tables"][0]["rows"]
    for part in data, data["tables"][0], data["tables"][0]["rows"][0], data["left_out"][0]:
        part["more"] = 1
        assert page.wrong(data)
        del part["more"]
