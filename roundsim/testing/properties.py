"""Properties of every game at every table: each is a function of the game, and of the number of tables to try."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any, Protocol

from ..base.values import Whole
from ..table.actions import Action
from ..table.cards import PACK, Card
from ..table.chance import Chance
from ..table.deal import Ask, Deal, State
from ..table.legal import accept, count
from ..table.options import MAX_OPTION, Option, Rules
from ..table.playthrough import replay_deal
from .events import every_counter_moves_for_a_reason
from .exchange import (
    check_exchange,
    check_exchange_imagined,
    check_fits,
    check_sent,
    imagine_at,
    sitting_questions,
    two_packs,
)
from .tables import (
    Played,
    Table,
    as_many_as_go,
    every_seventh,
    for_any_sitting,
    option_values,
    play_sitting,
    some_options,
    table_with,
    usual_table,
)
from .views import all_view_names, check_hidden, immutable

NOISE = [
    *("", "pas", "play", "play Zz", "play As Kh", "raise -1", "raise 1.5", "bet 0", "bet 1000000000000000000000"),
    *("call", "call 0", "discard As As", "discard Zz", "buy", "stake 01", "bid ten", "place", "place nowhere", "PASS"),
    *("As", "\u00e9"),
]


class Property(Protocol):
    """A property of a game. AssertionError if it does not hold."""

    __name__: str

    def __call__(self, game: type[Deal], examples: int = ...) -> None: ...


def counters_are_conserved(game: type[Deal], examples: int = 24) -> None:
    """Counters are conserved in each deal, and in the whole sitting with its end; pools and stacks are never
    negative."""
    for_any_sitting(game, examples, lambda table, seed: check_counters(*play_sitting(table, seed, check_above_nothing)))


def check_above_nothing(deal: Deal, ask: Ask | None) -> None:
    least = min([0, *deal.pools.values(), *(deal.stacks or ())])
    assert least == 0, f"fewer counters than none: pools {deal.pools}, stacks {deal.stacks}"


def check_counters(deals: list[Played], end: Played) -> None:
    for played in [*deals, end]:
        net, before, after = played.deal.net, played.before.pools, played.after.pools
        assert sum(net) == in_pools(played.before) - in_pools(played.after), f"{net} with pools {before} then {after}"
        check_above_nothing(played.deal, None)
    whole = sum(sum(played.deal.net) for played in [*deals, end])
    assert whole == in_pools(deals[0].before) - in_pools(end.after), "counters are lost or made from deal to deal"
    for played in deals:
        check_stacks(played)


def in_pools(state: State) -> int:
    return sum(state.pools.values())


def check_stacks(played: Played) -> None:
    """Check that a stack changes by the net of the deal; only an empty one may be bought again besides."""
    before, after = played.before.stacks, played.after.stacks
    problem = f"stacks {before} then {after}, net {played.deal.net}"
    assert (before is None) == (after is None), problem
    for was, net, now in zip(before or (), played.deal.net, after or (), strict=False):
        bought = now - was - net
        assert now >= 0 and (bought == 0 or bought > 0 == was), problem


def every_card_is_in_one_place(game: type[Deal], examples: int = 24) -> None:
    """No card is at once in two hands, or in a hand and in the stock, or in either after it was played."""
    for_any_sitting(game, examples, lambda table, seed: play_sitting(table, seed, check_places))


def check_places(deal: Deal, ask: Ask) -> None:
    hands = [card for hand in deal.hands for card in hand]
    played = [card for action in deal.actions if action.verb == "play" for card in action.cards]
    places = Counter([*hands, *deal.pack.cards, *played])
    assert all(type(card) is Card for card in places), f"no cards of ours: {places}"
    packs = getattr(deal.rules, "packs", 1)
    assert max(places.values(), default=0) <= packs, f"one card in two places: {places.most_common(3)}"
    if ask.legal[0].verb == "play":
        may_play = {card for action in ask.legal if action.verb == "play" for card in action.cards}
        assert may_play <= {*deal.hands[ask.seat]}, f"seat {ask.seat} may play what it does not hold: {ask.legal}"


def only_what_is_legal_is_accepted(game: type[Deal], examples: int = 8) -> None:
    """A lazy sequence agrees with itself; any other text is refused, and the game says why."""
    refused, asked = Counter[str](), Counter[str]()

    def check(table: Table, seed: int) -> None:
        rng, heard = Random(seed), [*NOISE]

        def question(deal: Deal, ask: Ask) -> None:
            assert ask.phase in game.phases, f"a phase that is not among its phases: {ask.phase}"
            assert ask.seat in range(table.players), f"a seat that is not there: {ask.seat}"
            size = count(ask.legal)
            places = sorted({0, size - 1, rng.randrange(size), rng.randrange(size)})
            for place in places:
                check_accepted(ask.legal, place)
            listed = [str(action) for action in ask.legal] if count(ask.legal) <= 400 else None
            texts = [str(ask.legal[place]) for place in places]
            for text in [*rng.sample(heard, 3), *(altered_action(text, rng) for text in texts)]:
                if not may_be_legal(text, listed, ask):
                    check_refused_texts(deal, ask, text)
                    refused[ask.phase] += 1
            heard.extend(texts[:1])
            asked[ask.phase] += 1

        play_sitting(table, seed, question)

    for_any_sitting(game, examples, check)
    enough = min(20 * examples, asked.total())
    assert refused.total() > enough, f"too little was refused to judge by: {refused} of {asked} questions"


def check_accepted(legal: Any, place: int) -> None:
    action = legal[place]
    assert type(action) is Action and action in legal, f"{action!r} is legal, and not in {legal!r}"
    assert accept(legal, str.__str__(action)) == action, f"{action!r} is legal, and not accepted as it is"
    assert legal.index(action) == place, f"{action!r} is at {place}, and found at {legal.index(action)}"


def check_refused_texts(deal: Deal, ask: Ask, text: str) -> None:
    try:
        action = accept(ask.legal, text)
    except ValueError:
        pass
    else:
        raise AssertionError(f"{text!r} is not legal, and accepted as {action!r} (phase {ask.phase})")
    assert text not in ask.legal, f"{text!r} is not legal, and in {ask.legal!r} (phase {ask.phase})"
    why = deal.refusal(ask, Action(text))
    assert isinstance(why, str) and why.strip(), f"why {text!r} is refused is not said (phase {ask.phase})"


def altered_action(text: str, rng: Random) -> str:
    """Return the text of an action with something else in it."""
    verb, *rest = text.split()
    number = [str(int(word) + rng.choice([-1, 1, 10**6])) if word.isdecimal() else word for word in rest]
    other = [str(rng.choice(PACK)) if len(word) == 2 else word for word in rest]
    ways = [
        [verb, *rest, "x"],
        [verb, *rest, *rest[-1:]],
        [verb, *rest[:-1]],
        [verb, *number],
        [verb, *other],
        [verb.upper(), *rest],
        ["un" + verb, *rest],
    ]
    return " ".join(rng.choice(ways))


def may_be_legal(text: str, listed: Sequence[str] | None, ask: Ask) -> bool:
    """Return whether the list holds it, its words in any order; if the list is too long, only an unknown word
    decides."""
    verb, *rest = text.split() or [""]
    if listed is None:
        return "x" not in rest and verb in {action.verb for action in [*ask.legal[:9], ask.legal[count(ask.legal) - 1]]}
    return any(verb == other[0] and sorted(rest) == sorted(other[1:]) for other in map(str.split, listed))


def a_view_can_be_read_and_changes_nothing(game: type[Deal], examples: int = 6) -> None:
    """Every name at every question, by the seat that is asked and by any other, in play and after the end."""

    def check(table: Table, seed: int) -> None:
        _, end = play_sitting(table, seed, every_seventh(check_readable))
        check_readable(end.deal, Ask(0, next(iter(game.phases)), ()))

    for_any_sitting(game, examples, check)


def check_readable(deal: Deal, ask: Ask) -> None:
    names = all_view_names(deal)
    for seat in range(deal.players):
        view = deal.View(deal, seat, ask.phase, ask.legal, Chance())
        assert deal.title in str(view), f"the view does not print: {view}"
        for name in names:
            thing = getattr(view, name)
            assert name == "legal" or immutable(thing), f"{name} can be changed: {thing!r}"
        hand = [*(deal.hands[seat] if deal.hands else ())]
        assert [*view.hand] == hand, f"the hand of seat {seat} is {hand}, and seen as {view.hand}"
    for name in {*names} - {"seat", "phase", "legal"}:
        try:
            setattr(view, name, None)
        except AttributeError:
            continue
        raise AssertionError(f"{name} of a view can be set")


def a_record_replays_to_the_same(game: type[Deal], examples: int = 8) -> None:
    """From the state before the deal, the name of its chance and the text of its actions alone."""
    for_any_sitting(game, examples, lambda table, seed: check_replay(table.rules, *play_sitting(table, seed)))


def check_replay(rules: Rules, deals: list[Played], end: Played) -> None:
    for played in deals:
        fresh = played.again(rules)
        replay_deal(fresh, ",".join(played.deal.actions).split(",") if played.deal.actions else [])
        check_same(fresh, played)
        assert fresh.over() == played.over, "the sitting is over once, and not again"
    fresh = end.again(rules)
    fresh.end()
    check_same(fresh, end)


def check_same(fresh: Deal, played: Played) -> None:
    deal, after = played.deal, played.after
    pairs = {
        "questions": ([(ask.seat, ask.phase) for ask in one.asked] for one in (deal, fresh)),
        "nets": (deal.net, fresh.net),
        "pools": (after.pools, fresh.pools),
        "stacks": (after.stacks, fresh.stacks),
        "dealers": ((after.last_dealer, after.dealer), (fresh.dealer, fresh.next_dealer())),
        "what is carried": (after.carry, fresh.carry()),
    }
    for what, (was, now) in pairs.items():
        assert was == now, f"played again from its record: {what} {now}, and not {was}"
    assert as_plain_data(after.carry), f"what is carried cannot be written down: {after.carry}"


def as_plain_data(thing: Any) -> bool:
    """Return data as a script can write it."""
    if isinstance(thing, dict):
        return all(type(key) is str and as_plain_data(value) for key, value in thing.items())
    return all(map(as_plain_data, thing)) if isinstance(thing, list | tuple) else isinstance(thing, str | bool | int)


def has_cards(game: type[Deal]) -> bool:
    """Return whether cards are dealt in it, and so something is hidden."""
    return any(played.deal.hands or played.deal.pack.cards for played in play_sitting(usual_table(game), 0)[0])


def no_view_shows_what_is_hidden(game: type[Deal], examples: int = 8) -> None:
    """A view names no card but the seat's own, those played, and those under the names that the game `shows`."""
    hidden = Counter[str]()

    def look(deal: Deal, ask: Ask) -> None:
        hidden[ask.phase] += check_hidden(deal, ask)

    if has_cards(game):
        for_any_sitting(game, examples, lambda table, seed: play_sitting(table, seed, every_seventh(look)))
        assert hidden.total() > 100 * examples, f"too little is hidden to judge by: {hidden}"


def nobody_can_tell_unseen_cards_apart(game: type[Deal], examples: int = 12) -> None:
    """Two cards that a seat has not seen are exchanged: its views stay the same."""
    judged = Counter[int]()

    def check(table: Table, seed: int) -> None:
        rng = Random(seed)
        for played in play_sitting(table, seed)[0]:
            judged[check_exchange(table.rules, played, rng)] += 1

    if has_cards(game):
        for_any_sitting(game, examples, check)
        enough = judged[1] > examples and judged[1] > judged[0] / 4
        assert enough, f"too few deals can be judged: {judged[1]} of {judged.total()}"


def every_value_of_every_option_can_be_played(game: type[Deal], examples: int = 3) -> None:
    """At some table each; and every phase is asked somewhere. `examples`: tables for a value, one for each of a range."""
    asked = Counter[str]()

    def look(deal: Deal, ask: Ask) -> None:
        check_above_nothing(deal, ask)
        check_places(deal, ask)
        asked[ask.phase] += 1

    for option in game.options:
        for value in option_values(option):
            for seed in range(1 if isinstance(option.values, Whole) else examples):
                table = table_with(game, option.key, value, Random(seed))
                if table is None:
                    assert is_far_out(option, value), f"no table takes {option.key} = {value}"
                    continue
                assert getattr(table.rules.options, option.key) == value, f"{option.key} = {value} becomes another"
                deals, end = play_sitting(table, seed, look)
                check_counters(deals, end)
                check_replay(table.rules, deals, end)
    for seed in range(400):  # until what is seldom asked has been asked, too
        if set(asked) == set(game.phases):
            break
        rng = Random(seed)
        wanted = some_options(game, rng, rng.randint(0, len(game.options)))
        play_sitting(as_many_as_go(game, game.usual[0], wanted) or usual_table(game), seed, look)
    assert set(asked) == set(game.phases), f"never asked: {', '.join(set(game.phases) - set(asked))}"


def is_far_out(option: Option, value: Any) -> bool:
    """Return whether a value is too large for the game, in a range without its own upper end."""
    return (
        isinstance(option.values, Whole)
        and option.values.high in (None, MAX_OPTION)
        and bool(value > option.values.low)
    )


def an_imagined_deal_shows_what_was_seen(game: type[Deal], examples: int = 4) -> None:
    """Every name of the view, the history, the legal actions; also when it is sent. That none is found is rare."""
    outcomes = Counter[bool]()

    def check(table: Table, seed: int) -> None:
        rng = Random(seed)
        for deal, ask in sitting_questions(table, seed):
            if rng.random() < 8 / (8 + len(deal.asked)):
                other = imagine_at(deal, ask, rng.random())
                if two_packs(deal):
                    assert other is None or not any(deal.hands), "of two packs one card is as the other"
                    continue
                outcomes[other is not None] += 1
                if other is not None:
                    check_fits(deal, ask, other)
                    check_sent(game, other)

    if game.imaginable:
        for_any_sitting(game, examples, check)
        enough = max(examples, 8 * outcomes[False] - 16)
        assert outcomes[True] > enough, f"found at {outcomes[True]} of {outcomes.total()} questions"


def nothing_unseen_is_imagined(game: type[Deal], examples: int = 8) -> None:
    """With two unseen cards exchanged exactly the same is imagined, by the same chance: hands, stock, record."""
    judged = Counter[int]()

    def check(table: Table, seed: int) -> None:
        rng = Random(seed)
        for played in play_sitting(table, seed)[0][:2]:
            judged[check_exchange_imagined(table.rules, played, rng)] += 1

    if game.imaginable:
        for_any_sitting(game, examples, check)
        assert judged[1] > examples / 3, f"too few deals can be judged: {judged[1]} of {judged.total()}"


def nobody_wins_or_loses_more_than_the_bound(game: type[Deal], examples: int = 24) -> None:
    """In a deal, of a game that has a bound; and in a sitting, with its end, not more than as many deals allow."""

    def check(table: Table, seed: int) -> None:
        bound = table.rules.played_by.bound(table.rules)
        if bound is not None:
            deals, end = play_sitting(table, seed)
            check_bound(bound, [played.deal.net for played in deals], end.deal.net)

    for_any_sitting(game, examples, check)


def check_bound(bound: int, nets: list[list[int]], end: list[int]) -> None:
    for net in nets:
        assert max(map(abs, net)) <= bound, f"more than the bound of {bound}: {net}"
    whole = [sum(by_seat) for by_seat in zip(*nets, end, strict=True)]
    assert max(map(abs, whole)) <= bound * len(nets), f"more than {len(nets)} times the bound of {bound}: {whole}"


PROPERTIES: tuple[Property, ...] = (
    counters_are_conserved,
    every_card_is_in_one_place,
    only_what_is_legal_is_accepted,
    a_view_can_be_read_and_changes_nothing,
    a_record_replays_to_the_same,
    no_view_shows_what_is_hidden,
    nobody_can_tell_unseen_cards_apart,
    every_value_of_every_option_can_be_played,
    an_imagined_deal_shows_what_was_seen,
    nothing_unseen_is_imagined,
    every_counter_moves_for_a_reason,
    nobody_wins_or_loses_more_than_the_bound,
)
