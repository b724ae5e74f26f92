"""A lesson: the scripted example of a game, in which a person is asked at one seat, and hears what the book answers."""

from __future__ import annotations

from collections import Counter
from textwrap import fill

from ..base.text import WIDTH
from ..coaching.hints import Hint, Hints
from ..refereeing.script import Script, ScriptLines
from ..replaying.example import deal_with_rules, example_error, example_of, new_deal
from ..replaying.logged import YOU
from ..sources.plugins import field_of, find
from ..table.actions import Action
from ..table.chance import Chance
from ..table.citations import BookRule
from ..table.deal import Ask, Deal
from ..table.imagine import remember
from ..table.legal import count
from ..table.options import Rules
from ..table.playthrough import Playthrough
from ..table.teaching import taught
from .person import LeftError, Person

PLACE = "1/1/1"


class ExampleLesson:
    """The example of a form of a game, and the seat in it that is asked most often. InputError if the game has no
    example."""

    def __init__(self, table: Rules) -> None:
        self.script, self.watch = example_of(table)
        self.seat = most_asked(self.script)
        self.who = [YOU if seat == self.seat else f"seat {seat}" for seat in range(self.script.rules.players)]
        self.known = set[str]()  # the rules that were explained

    def teach(self, person: Person, hints: Hints) -> bool:
        """Play it with a person: the deal goes on as the example does, whatever they answer. Returns whether they stayed
        to its end."""
        (deal, rule_of_question), written = deal_with_rules(self.script), ScriptLines(self.script.lines(1))
        remember(deal, range(deal.players))
        person.final = "nothing is taken back in a lesson"
        person.begins(PLACE, deal, self.who)
        playing = Playthrough(deal)
        try:
            while ask := playing.ask:
                action = written.answer(ask)
                if action is None:
                    raise example_error(self.script)
                if ask.seat == self.seat and count(ask.legal) > 1:
                    self.ask(person, hints, deal, ask, action, rule_of_question())
                playing.answer(action)
        except LeftError:
            return False
        person.ends(PLACE, deal)
        return True

    def ask(self, person: Person, hints: Hints, deal: Deal, ask: Ask, action: Action, rule: BookRule | None) -> None:
        """Explain a question, take an answer, and say what the book and the example answer. LeftError."""
        view = deal.View(deal, ask.seat, ask.phase, ask.legal, Chance())
        person.show(view)
        person.explain(self.explanation(deal, ask, rule))
        try:
            answer = person.asked(view)
        except (EOFError, KeyboardInterrupt):
            raise LeftError from None
        hint = hints(view, also=[answer, action])
        person.show_hint(hint._replace(rows=[row for row in hint.rows if row.who or row.answer in (answer, action)]))
        person.teach(compared_answers(hint, answer, action))

    def explanation(self, deal: Deal, ask: Ask, rule: BookRule | None) -> list[str]:
        """Return what is asked, and by which rule, only its place if it was explained before; at first what to watch."""
        texts = [self.watch] * (not self.known) + [f"{ask.phase}: {deal.phases[ask.phase]}"]
        if rule:
            known = rule.line in self.known
            texts.append(f"the rule: {rule.cited}" if known else taught(type(deal), rule.function, self.script.rules))
        self.known.add(rule.line if rule else "")
        return texts


def most_asked(script: Script) -> int:
    """Return the seat that has a choice most often, the first of equals."""
    choices, written, playing = Counter[int](), ScriptLines(script.lines(1)), Playthrough(new_deal(script))
    while ask := playing.ask:
        choices[ask.seat] += count(ask.legal) > 1
        action = written.answer(ask)
        if action is None:
            raise example_error(script)
        playing.answer(action)
    return max(range(script.rules.players), key=lambda seat: choices[seat])


def compared_answers(hint: Hint, answer: Action, action: Action) -> str:
    """Return what the book answers, next to the person, what that is worth, and how the example goes on."""
    of_book = next((row.answer for row in hint.rows if "book" in row.who), None)
    like = [who for who, theirs in (("the book", of_book), ("the example", action)) if theirs == answer]
    alike = f", as {' and '.join(like)} {'do' if like[1:] else 'does'}" if like else ""
    book = f"; the book answers {of_book}" if of_book not in (None, answer) else ""
    cost = next((row.cost for row in hint.rows if row.answer == answer and row.cost and row.cost.low > 0), None)
    worth = f" In imagined deals yours wins {cost.mean:.1f} counters less than the best." if cost else ""
    return f"You answer {answer}{alike}{book}.{worth}{f' The example goes on with {action}.' * (action != answer)}"


def advice(game: type[Deal]) -> str:
    """Return how the book plays, and why, as it describes itself; "" where there is none."""
    if "book" not in field_of(game.id):
        return ""
    (book,) = find("book", game.id)
    paragraphs = [fill(" ".join(text.split()), WIDTH, break_on_hyphens=False) for text in book.help.split("\n\n")]
    return "\n\n".join(["How the book plays, and why", *paragraphs, ""])
