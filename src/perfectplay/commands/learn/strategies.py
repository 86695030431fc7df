"""The winning strategy of a solved game in words: the shortest list of rules that provably keeps the result."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from perfectplay.commands.kinds import SIDE_WORDS
from perfectplay.commands.know.best_lines import turns
from perfectplay.game import Game
from perfectplay.insight.strategies.kept_result import Goal, Rule
from perfectplay.insight.strategies.strategy_finding import Failing, FoundStrategy
from perfectplay.rules.notation import VALUE_NAMES, in_turn, move_name, number_of, replay, show_position
from perfectplay.solvers.worth import ENTRY
from perfectplay.views.document import Boards, Document, List, Notes, Part, Section, Seen, game_boards
from perfectplay.views.game_pieces import whose_pieces
from perfectplay.views.json_facts import Fact, facts_in, json_facts
from perfectplay.views.result import ResultClass
from perfectplay.words import FIRST, WIN, Entry

Facts = dict[str, object]


@dataclass(frozen=True, kw_only=True)
class StrategyRule(metaclass=ResultClass):
    """A rule of a strategy: its name, and what it says."""

    rule: str
    text: str

    to_dict = json_facts()


@dataclass(frozen=True, kw_only=True)
class FailingList(metaclass=ResultClass):
    """A list of rules that fails, and the shortest game in which it does.

    In `position` the list allows the last of the `moves`, after which the result is `after` for the side. If `repeats`
    is a number, play comes back to the position after that many moves instead, and the win is never reached.
    """

    rules: tuple[StrategyRule, ...]
    moves: tuple[str, ...]
    movers: tuple[str, ...]
    position: str
    after: str
    repeats: int | None
    errors: int
    positions: int
    probability: float

    def to_dict(self) -> Facts:
        """The list as in JSON."""
        errors = {"positions": self.errors, "of": self.positions, "probability": self.probability}
        return {**facts_in(self, "rules", "moves", "movers", "position", "after", "repeats"), "errors": errors}


@dataclass(frozen=True, kw_only=True)
class Strategy(metaclass=ResultClass):
    """The strategy of one side in words: rules in order, each of which keeps the moves that suit it best.

    If `proven`, any move that is left keeps the result against every reply; `shortest`: all shorter lists of the rules
    of the vocabulary fail. `failing` is the nearest shorter list, or where none is proven, the nearest of all.
    `complete`: all lists of up to that many rules fail; `exhausted`: all lists fail, however long they are.
    """

    game: Game = field(compare=False)
    side: str
    entry: Entry
    rules: tuple[StrategyRule, ...]
    proven: bool
    shortest: bool
    positions: int
    moves: int
    replies: int
    given_away: int
    vocabulary: int
    complete: int
    exhausted: bool
    refuted: int
    win_first: bool
    failing: FailingList | None

    def __repr__(self) -> str:
        rules = number_of(len(self.rules), "rule")
        return f"<Strategy of the {self.side} side of {self.game.name}: {rules}, {'' if self.proven else 'not '}proven>"

    def document(self) -> Document:
        """The rules, the proof, and the game that refutes a shorter list."""
        return Document(
            headline(self),
            Notes(HOW_TO_READ if self.rules else ""),
            numbered(self.rules),
            Notes(*proof(self), strong=True),
            None if self.failing is None else failure(self, self.failing),
        )

    def to_html(self) -> str:
        """The strategy as one page that loads nothing else."""
        from perfectplay.views.document_html import page

        return page(self.document())

    def to_dict(self) -> Facts:
        """The strategy as `perfectplay strategy` prints it in JSON."""
        failing = None if self.failing is None else self.failing.to_dict()
        return {
            **facts_in(self, "game", "side", ENTRY, "rules", Fact("rules", "length", len), "proven", "shortest"),
            **facts_in(self, "positions", "moves", "replies", "given_away", "win_first"),
            **facts_in(self, "vocabulary", "complete", "exhausted", "refuted"),
            "shorter": failing,
            "errors": None if self.proven or failing is None else failing["errors"],
        }


def named(found: FoundStrategy) -> Strategy:
    """What was found, with names for moves and squares."""
    goal = found.goal
    shown = found.reach or (found.failing and found.failing.reach)
    rules = found.rules if found.rules is not None or found.failing is None else found.failing.rules
    return Strategy(
        game=goal.game,
        side=SIDE_WORDS[goal.side],
        entry=goal.entry,
        rules=named_rules(rules or ()),
        proven=found.rules is not None,
        shortest=found.shortest,
        positions=shown.positions if shown else 0,
        moves=int(shown.own_edges.sum()) if shown else 0,
        replies=shown.replies if shown else 0,
        given_away=int(shown.erring.sum()) if shown else 0,
        vocabulary=found.vocabulary,
        complete=found.complete,
        exhausted=found.exhausted,
        refuted=found.refuted,
        win_first=found.win_first,
        failing=None if found.failing is None else named_failing(goal, found.failing),
    )


def named_rules(rules: tuple[Rule, ...]) -> tuple[StrategyRule, ...]:
    """The rules without what they say of single moves."""
    return tuple(StrategyRule(rule=rule.name, text=rule.text) for rule in rules)


def named_failing(goal: Goal, found: Failing) -> FailingList:
    """The list with the game that refutes it by the names of its moves."""
    game, edges = goal.game, found.play.edges
    made = [*replay(game, game.start, FIRST, [int(goal.graph.moves[edge]) for edge in edges])]
    return FailingList(
        rules=named_rules(found.rules),
        moves=tuple(move_name(game, *one) for one in made),
        movers=tuple(SIDE_WORDS[side] for _, side, _ in made),
        position=show_position(game, *made[-1][:2]),
        after=VALUE_NAMES[int(goal.graph.results[edges[-1]])] if found.play.repeats is None else "draw",
        repeats=found.play.repeats,
        errors=int(found.reach.erring.sum()),
        positions=found.reach.positions,
        probability=found.probability,
    )


# A strategy as a document: the rules, the proof, and the nearest list that fails.


MOST_BOARDS = 24
"""The boards that are drawn of a game; of a longer one the last."""
HOW_TO_READ = (
    "Begin with all legal moves. Each rule keeps those that suit it best, in this order. "
    "Then play any move that is left."
)


def numbered(rules: Sequence[StrategyRule]) -> List:
    """The rules with their numbers."""
    return List([rule.text for rule in rules], first=1)


def side_names(found: Strategy) -> tuple[str, str]:
    """The names of our side and of the other."""
    own, sides = SIDE_WORDS.index(found.side), found.game.look.sides
    return sides[own], sides[1 - own]


def headline(found: Strategy) -> str:
    """The result that the side keeps, and the number of rules."""
    who = f"{found.game.name}: {side_names(found)[0]}, who moves {found.side},"
    rules, wins = number_of(len(found.rules), "rule"), found.entry.value == WIN
    if found.proven:
        keeps = "wins" if wins else "holds the draw"
        return f"{who} {keeps} {f'with {rules}' if found.rules else 'whatever it plays'}."
    able = "can win" if wins else "can hold the draw"
    best = f"this list of {rules} comes nearest" if found.rules else "none helps"
    return f"{who} {able}, but no list of rules was found; {best}."


def proof(found: Strategy) -> Iterator[str]:
    """The figures of the proof, or how often the nearest list errs; and whether shorter, or all, lists were refuted."""
    which, tried = f"of the {found.vocabulary} rules for this game", number_of(found.complete, "rule")
    if found.proven:
        checked = f"{number_of(found.positions, 'position')} with {side_names(found)[0]} to move"
        replies = f"{number_of(found.moves, 'move')} and {number_of(found.replies, 'reply', 'replies')} followed"
        yield f"Proven: {checked}, {replies}. None gives the result away."
        if found.win_first:
            yield "It stays proven if you take every win at once before anything else."
        if found.shortest and len(found.rules) == 1:
            yield "Shortest: a list needs at least one rule."
        elif found.shortest and found.rules:
            yield f"Shortest: all {found.refuted:,} shorter lists {which} fail."
        elif found.rules:
            left = "longer ones that are still shorter than this were not all tried"
            yield f"All lists of up to {tried} {which} fail; {left}."
        return
    if found.failing is not None:
        errors, of = found.failing.errors, number_of(found.failing.positions, "position")
        yield f"It errs in {errors:,} of {of}: there it allows a move that gives the result away."
        yield f"Against random replies that happens in {100 * found.failing.probability:.2f}% of all games."
    if found.exhausted:
        yield f"No list {which} keeps the result, however long it is: all were refuted."
    else:
        yield f"All {found.refuted:,} lists of up to {tried} {which} fail; of longer ones some were tried."


def failure(found: Strategy, failing: FailingList) -> Section:
    """The list that fails, and the game that refutes it."""
    heading = "The shortest game in which it fails:"
    if found.proven:
        count = number_of(len(failing.rules), "rule")
        heading = f"The nearest list of {count} fails:" if failing.rules else "Without any rule the result can be lost:"
    return Section(
        heading,
        numbered(failing.rules) if found.proven else None,
        *refutation(found, failing),
        Notes(mistake_text(found, failing)),
    )


def refutation(found: Strategy, failing: FailingList) -> Iterator[Part]:
    """The board after each turn of the game; of a long game its moves, and the last boards."""
    wrong = {} if failing.repeats is not None else {len(failing.moves): ""}
    drawn = game_boards(found.game, failing.moves, wrong)
    if len(drawn.boards) > MOST_BOARDS:
        made = turns(failing.movers, failing.moves)
        yield Notes(
            ", ".join(f"{found.game.look.sides[SIDE_WORDS.index(side)]} {in_turn(moves)}" for side, moves in made)
        )
    yield Seen(Notes(whose_pieces(found.game.look)))
    yield Boards(drawn.boards[-MOST_BOARDS:])


def mistake_text(found: Strategy, failing: FailingList) -> str:
    """The mistake in the game that refutes a list."""
    name, other = side_names(found)
    if failing.repeats is not None:
        return f"Then it goes on from move {failing.repeats + 1} again, for ever: {name} never wins."
    lost = f"{other} wins" if failing.after == "loss" else "it is a draw"
    return f"In {failing.position} the list allows {failing.moves[-1]}, and {lost}."
