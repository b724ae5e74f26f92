"""Lines of play in which chance is asked like a seat. They need no OpenSpiel."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable
from copy import deepcopy
from random import Random

import pytest
from conftest import GAMES
from helpers.command import seldom

from roundsim import games
from roundsim.base.errors import IllegalError, InputError, OptionError, RulesError
from roundsim.bridges.openspiel_chance import MAX_LOT, NUMBER, Drawn, DrawnSource, Lot, NotDrawnError, PendingDraw
from roundsim.bridges.openspiel_line import LineOfPlay, Setting, neutral_order, options_of, setting, spoken_action
from roundsim.table.actions import Action
from roundsim.table.cards import CARD, JOKER, PACK, cards
from roundsim.table.legal import any_order, count
from roundsim.table.selections import Subsets
from roundsim.testing.tables import Table, for_any_sitting

FEW = ["draw-poker", "nap", "whiskey-poker"]
ALL = [*FEW, *seldom(*[game for game in GAMES if game not in FEW])]
Look = Callable[[LineOfPlay], object]


def at(game: str, options: str = "", players: int = 0, deals: int = 1) -> Setting:
    """A table at which there is something to decide: Loto's second method, and of Loo more than a single."""
    return setting(game, players, options or {"loto": "method:2"}.get(game, ""), max(deals, 2 if game == "loo" else 1))


def walk(line: LineOfPlay, rng: Random, look: Look = lambda line: None) -> LineOfPlay:
    """Play a line to its end at random.  `look` is shown each question."""
    while line.draw or not line.table.over:
        if draw := line.draw:
            line.take(rng.choice(draw.lot.left))
        else:
            look(line)
            line.say(rng.choice(line.spoken.open))
    return line


def moves(line: LineOfPlay) -> list[int]:
    return [*line.outcomes, *line.tokens]


def test_draws_of_cards_and_of_other_things() -> None:
    draw, ace, two = PendingDraw(Lot(cards("As 2c As")), 2), NUMBER[CARD["As"]], NUMBER[CARD["2c"]]
    assert draw.outcomes() == [(ace, 2 / 3), (two, 1 / 3)]
    draw.take(ace)
    assert draw.outcomes() == [(ace, 1 / 2), (two, 1 / 2)]
    with pytest.raises(NotDrawnError) as wanted:
        DrawnSource(Drawn([])).shuffled(["c", "a", "b"], "knobs")
    assert wanted.value.draw.outcomes() == [(0, 1 / 3), (1, 1 / 3), (2, 1 / 3)]
    assert DrawnSource(Drawn([2, 0])).shuffled(["c", "a", "b"], "knobs") == ["b", "c", "a"]  # the last is not asked for
    draw = PendingDraw(Lot(cards("As 2c")), 1)
    here = sorted(NUMBER[card] for card in cards("As 2c"))
    with pytest.raises(IllegalError, match=re.escape(f"99 cannot be drawn: expected is one of {here}")):
        draw.take(99)
    assert len(draw.outcomes()) == 2
    with pytest.raises(InputError, match=f"one of 200 things is drawn: for OpenSpiel they may be {MAX_LOT} at most"):
        Lot(range(200))
    with pytest.raises(RulesError, match="3 cards are drawn of a pack of 2"):
        DrawnSource(Drawn([])).pack(cards("As 2c")).draw(3)
    assert len({NUMBER[card] for card in (*PACK, JOKER)}) == 53 and max(NUMBER.values()) < MAX_LOT


def test_a_deal_is_twenty_draws_at_nap_and_51_at_speculation() -> None:
    line, rng = LineOfPlay(at("nap", players=4)), Random(1)
    for left in range(52, 32, -1):
        assert line.draw
        outcomes = line.draw.outcomes()
        assert [share for _, share in outcomes] == [1 / left] * left
        line.take(rng.choice(outcomes)[0])
    assert line.draw is None
    held = [card for hand in line.table.deal.hands for card in hand]
    assert sorted(map(NUMBER.__getitem__, held)) == sorted(line.outcomes)
    # The last card of a pack is no draw: at Speculation 51 draws fix the order of the whole pack.
    line, rng = LineOfPlay(at("speculation")), Random(1)
    while line.draw:
        line.take(rng.choice(line.draw.lot.left))
    assert len(line.outcomes) == len({*line.outcomes}) == 51
    assert line.table.over or len(line.spoken.open) > 1


@pytest.mark.parametrize("game", ALL)
def test_outcomes_add_up_to_one_and_each_leads_on(game: str) -> None:
    rng, seen = Random(5), 0
    for _ in range(3):
        line = LineOfPlay(at(game))
        while line.draw or not line.table.over:
            if not line.draw:
                line.say(rng.choice(line.spoken.open))
                continue
            outcomes = line.draw.outcomes()
            assert [number for number, _ in outcomes] == sorted({number for number, _ in outcomes})
            assert sum(share for _, share in outcomes) == pytest.approx(1, abs=1e-12)
            if rng.random() < 0.1:
                for number, _ in outcomes:
                    other = deepcopy(line)
                    other.take(number)
                    assert other.draw or other.table.over or len(other.spoken.open) > 1
                    seen += 1
            line.take(rng.choice(outcomes)[0])
    assert seen


def test_the_end_of_a_sitting_is_drawn_too() -> None:
    """The kitty of Nap goes to the lowest card drawn, one each, and ties draw again (p. 12): the first draw is of 52."""
    line = LineOfPlay(at("nap", "kitty:dealer;kitty_end:draw", players=3, deals=2))
    rng = Random(2)
    while len(line.outcomes) < 30 or line.draw is None:  # two deals of 15 cards
        line.take(rng.choice(line.draw.lot.left)) if line.draw else line.say(rng.choice(line.spoken.open))
    assert line.draw and len(line.draw.outcomes()) == 52 and line.draw.more == 3
    low, high, higher = (NUMBER[card] for card in cards("2s 9s Ks"))
    for drawn in higher, low, high:
        line.take(drawn)
    assert line.draw is None and line.table.over and sum(line.table.nets) == 0
    # two counters lie there, one of each dealer; with the cards in another order another seat takes them
    with_kitty = LineOfPlay(line.at, [*line.outcomes[:-3], low, high, higher], line.actions)
    change = [one - other for one, other in zip(with_kitty.table.nets, line.table.nets, strict=True)]
    assert sorted(change) == [-2, 0, 2]


@pytest.mark.parametrize("game", ALL)
def test_a_copy_goes_on_as_the_line_does(game: str) -> None:
    """Taken at any place: amid a draw, amid an action; and through a pickle."""
    rng = Random(7)
    for deals in 1, 3:
        whole = walk(LineOfPlay(at(game, deals=deals)), Random(11))
        line, due = LineOfPlay(whole.at), [iter(whole.outcomes), iter(whole.tokens)]
        while line.draw or not line.table.over:
            if rng.random() < 0.3:
                line = deepcopy(line) if rng.random() < 0.5 else pickle.loads(pickle.dumps(line))
            line.take(next(due[0])) if line.draw else line.say(next(due[1]))
        assert (moves(line), line.actions, line.table.nets) == (moves(whole), whole.actions, whole.table.nets)


def test_a_copy_leaves_the_line_as_it_is() -> None:
    line = LineOfPlay(at("draw-poker"))
    rng = Random(3)
    while not line.said:  # amid a discard
        line.take(rng.choice(line.draw.lot.left)) if line.draw else line.say(rng.choice(line.spoken.open))
        if not line.draw and line.table.over:
            line = LineOfPlay(line.at)
    before, seen = moves(line), line.seen(line.table.view().seat)
    walk(deepcopy(line), rng)
    assert moves(line) == before and line.seen(line.table.view().seat) == seen


@pytest.mark.parametrize("game", GAMES)
def test_an_action_is_said_by_the_tokens_that_said_it(game: str) -> None:
    def look(line: LineOfPlay) -> None:
        if not line.said:
            assert line.table.ask
            tokens, legal = line.at.tokens, neutral_order(line.table.ask.legal)
            action = legal[rng.randrange(count(legal))]
            text, said = spoken_action(tokens, legal, action)
            copy = deepcopy(line)
            for token in said:
                copy.say(token)
            assert copy.actions[-1] == (text, said) and sorted(text.split()) == sorted(action.split())

    rng = Random(13)
    for _ in range(3):
        walk(LineOfPlay(at(game)), rng, look)


def test_the_order_in_which_a_hand_was_dealt_makes_no_difference() -> None:
    """Two play, and the cards go to them in turn: the first and the third are of one hand.  With these changed the seat
    knows the same, and its discards are named in the same order."""
    found = 0

    def look(line: LineOfPlay) -> None:
        nonlocal found
        ask, (first, second, third, *more) = line.table.ask, [*line.outcomes, 0, 0, 0]
        if ask and ask.phase == "draw" and len(line.outcomes) == 10:
            other = LineOfPlay(line.at, [third, second, first, *more[:-3]], line.actions, line.said)
            hands, changed = line.table.deal.hands, other.table.deal.hands
            if hands[ask.seat] != changed[ask.seat]:
                assert sorted(hands[ask.seat]) == sorted(changed[ask.seat])
                assert other.seen(ask.seat) == line.seen(ask.seat) and other.spoken.open == line.spoken.open
                found += 1

    for seed in range(30):
        walk(LineOfPlay(at("draw-poker", players=2)), Random(seed), look)
    assert found > 10


@pytest.mark.parametrize("game", ALL)
def test_equal_knowledge_means_equal_legal_actions(game: str) -> None:
    """Two outcomes of chance change places: where the seat that is asked knows the same, it may say the same."""
    rng, alike = Random(17), 0

    def look(line: LineOfPlay) -> None:
        nonlocal alike
        seat, seen = line.table.view().seat, line.seen(line.table.view().seat)
        for _ in range(4 if line.outcomes else 0):
            one, two = rng.randrange(len(line.outcomes)), rng.randrange(len(line.outcomes))
            outcomes = [*line.outcomes]
            outcomes[one], outcomes[two] = outcomes[two], outcomes[one]
            other = LineOfPlay(line.at, outcomes, line.actions, line.said)
            try:
                if other.draw or other.table.view().seat != seat or other.seen(seat) != seen:
                    continue
            except ValueError:  # something that was said cannot be said, or drawn, so
                continue
            assert sorted(other.spoken.open) == sorted(line.spoken.open)
            alike += outcomes != line.outcomes

    for _ in range(3):
        walk(LineOfPlay(at(game)), rng, look)
    assert alike or game == "show-down-poker"  # in which all lies open


@pytest.mark.parametrize("game", ["nap", *seldom("draw-poker", "whiskey-poker")])
def test_knowledge_does_not_depend_on_when_it_is_asked_for(game: str) -> None:
    """Also while cards are drawn, and when all is over."""
    for seed in range(2):
        whole, line = walk(LineOfPlay(at(game, deals=2)), Random(seed)), LineOfPlay(at(game, deals=2))
        drawn, said = iter(whole.outcomes), iter(whole.tokens)
        for _ in moves(whole):
            line.take(next(drawn)) if line.draw else line.say(next(said))
            fresh = LineOfPlay(line.at, line.outcomes, line.actions, line.said)
            for seat in range(line.at.rules.players):
                assert line.seen(seat) == fresh.seen(seat) == deepcopy(line).seen(seat)
                assert line.observed(seat) == fresh.observed(seat)
        assert not line.draw and line.table.over


def test_a_seat_knows_what_it_held_and_said() -> None:
    """At draw poker the discards of a seat stay known to this seat alone."""
    checked = 0

    def look(line: LineOfPlay) -> None:
        nonlocal checked
        for ask, action in zip(line.table.deal.asked, line.table.deal.actions, strict=False):
            if ask.phase == "draw" and action.cards:
                checked += 1
                for seat in range(line.at.rules.players):
                    known = [str(card) in line.seen(seat) for card in action.cards]
                    assert all(known) if seat == ask.seat else not any(known)

    rng = Random(19)
    for _ in range(10):
        walk(LineOfPlay(at("draw-poker")), rng, look)
    assert checked > 5


@pytest.mark.parametrize("game", ALL)
def test_no_hidden_card_is_known(game: str) -> None:
    """Another deal that the seat cannot tell from this one is found at every question, and knowing no more it may say the
    same; mostly others hold other cards in it."""
    if game == "loto":
        with pytest.raises(InputError, match="Loto: no other deal is found that seat . could not tell from this one"):
            walk(LineOfPlay(at(game)), Random(1), lambda line: line.otherwise(lambda: 1))
        return
    rng, asked, changed = Random(23), 0, 0

    def look(line: LineOfPlay) -> None:
        nonlocal asked, changed
        if asked < 60 and rng.random() < 0.5:
            seat = line.table.view().seat
            other = line.otherwise(lambda: rng.getrandbits(64))
            assert other.seen(seat) == line.seen(seat) and sorted(other.spoken.open) == sorted(line.spoken.open)
            asked, changed = asked + 1, changed + (moves(other) != moves(line))

    for _ in range(60):
        walk(LineOfPlay(at(game)), rng, look)
    assert asked > 5
    assert changed > asked / 3 or game == "show-down-poker"  # in which all lies open


def test_a_deal_under_way_is_imagined_in_a_sitting_of_several() -> None:
    rng, asked = Random(29), 0

    def look(line: LineOfPlay) -> None:
        nonlocal asked
        if line.table.dealt == 2 and asked < 20:
            other, asked = line.otherwise(lambda: rng.getrandbits(64)), asked + 1
            before = line.outcomes[:20]
            assert other.outcomes[:20] == before and other.outcomes != line.outcomes

    while asked < 20:
        walk(LineOfPlay(at("nap", players=4, deals=2)), rng, look)


def test_options_are_read_as_in_a_tournament_file() -> None:
    assert options_of("") == {}
    assert options_of("limit:1; misery:true;kitty:dealer;") == {"limit": 1, "misery": True, "kitty": "dealer"}
    with pytest.raises(InputError, match="^options: write option:value;option:value, not 'misery'$"):
        options_of("limit:1;misery")
    with pytest.raises(InputError, match="^options: limit is given twice$"):
        options_of("limit:1;limit:2")


@pytest.mark.parametrize(
    ("game", "players", "deals", "words"),
    [
        ("loto", 0, 2, "Loto: nobody has anything to decide in 50 sittings of 2 deals$"),
        ("loo", 0, 1, "Loo: nobody has .* 50 sittings of 1 deal; with deals = 2 or more somebody may have$"),
        ("nap", 0, 0, "deals = 0: at least one is played$"),
        ("nep", 0, 1, r"no game 'nep' \(did you mean nap\?\)"),
        ("nap", 17, 1, "17 players: nap is for 2 to 6$"),
    ],
)
def test_an_impossible_table_is_refused(game: str, players: int, deals: int, words: str) -> None:
    with pytest.raises(OptionError if players else InputError, match=f"^{words}"):
        setting(game, players, "", deals)


def test_whether_nets_add_up_to_nothing() -> None:
    """Counters may be left at the end of a sitting: nobody gets them at Loto's second method (p. 112), Pope Joan's final
    round has no taker for Game, draw poker has a kitty for the house."""
    assert {game for game in GAMES if not at(game).adds_up()} == {"loto", "pope-joan", "draw-poker"}
    assert at("pope-joan", "final_round:false").adds_up()


def test_orders_that_tell_nothing() -> None:
    hand = cards("Ks 2c 7d")
    assert [*neutral_order(Subsets("discard", hand, 2, 2))] == ["discard 2c 7d", "discard 2c Ks", "discard 7d Ks"]
    takes = any_order([Action("take As Kd 2c"), Action("take As 2c")], fixed=1)
    assert [*neutral_order(takes)] == ["take As 2c Kd", "take As 2c"]


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES)
def test_any_table_can_be_played(game: str) -> None:
    def check(table: Table, seed: int) -> None:
        texts = {key: str(value).lower() if isinstance(value, bool) else value for key, value in table.given.items()}
        given = ";".join([f"{key}:{text}" for key, text in texts.items()])
        where = Setting(game, table.players, given, 2)
        if not where.asks(2):
            return
        line = walk(LineOfPlay(where), Random(seed), lambda line: line.seen(line.table.view().seat))
        assert sum(line.table.nets) == 0 or not where.adds_up()

    for_any_sitting(games.find(game), 40, check)
