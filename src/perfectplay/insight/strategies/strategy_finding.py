"""Finds the strategy of one side: the list of rules, its proof, the nearest list that fails, and a decision diagram."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import perm

from perfectplay.game import Game
from perfectplay.insight.strategies.decision_diagram import Diagram, decision_diagram
from perfectplay.insight.strategies.kept_result import Followed, Task, graphing, side_with_something
from perfectplay.insight.strategies.lost_play import LostPlay, lost_play, probability_of_error
from perfectplay.insight.strategies.rule_search import Rules, RuleSearch
from perfectplay.insight.strategies.rule_states import states_of
from perfectplay.insight.strategies.rule_types import OwnMoves, Rule, own_moves
from perfectplay.insight.strategies.rule_vocabulary import vocabulary
from perfectplay.insight.strategies.square_contents import Board
from perfectplay.rules.notation import VALUE_NAMES
from perfectplay.solvers.steps import Step, Steps
from perfectplay.words import FIRST, LOSS, BadArgument

SECONDS = 10.0
"""How long each of the three searches may take: for near rules, for all rules, and for longer lists."""


@dataclass(frozen=True, eq=False)
class Failing:
    """A list that fails, and the game that refutes it."""

    rules: tuple[Rule, ...]
    followed: Followed
    play: LostPlay

    @cached_property
    def probability(self) -> float:
        """How likely it gives the result away to a random opponent."""
        return probability_of_error(self.followed.task, self.followed.allowed)


@dataclass(frozen=True, eq=False)
class FoundStrategy:
    """What was found for one side."""

    task: Task
    board: Board
    rules: tuple[Rule, ...] | None
    """The list that keeps the result; None if none was found."""
    followed: Followed | None
    """All that can come up under it."""
    shortest: bool
    vocabulary: int
    """How many rules lists are made of."""
    complete: int
    """All lists of up to this length fail."""
    exhausted: bool
    """Whether all lists fail, however long they are."""
    win_first: bool
    """Whether the list still keeps the result if it takes every win at once before anything else."""
    failing: Failing | None
    """The nearest shorter list, or the nearest of all where none keeps the result."""
    diagram: Diagram | None

    @property
    def refuted(self) -> int:
        """How many lists are proven to fail: all that are no longer than `complete`, the empty one included."""
        return sum(perm(self.vocabulary, length) for length in range(self.complete + 1))


def strategy_finding(game: Game, side: int | None, seconds: float) -> Steps[FoundStrategy]:
    """The strategy of a side, that of the winner if none is given, and of the first in a draw; raises BadArgument."""
    graph = yield from graphing(game)
    task = Task(game, graph, side_with_something(graph.entry(graph.number(game.start))) if side is None else side)
    check_side(task)
    moves, board = own_moves(task), Board(task)
    if not moves.edges.size:
        name = game.look.sides[task.side]
        raise BadArgument(f"{name} never has to move in {game.name}: the game is over before, and there is no strategy")
    yield Step("rules", 0)
    rules = vocabulary(moves, board)
    search = RuleSearch(states_of(moves, rules), [rule.effort for rule in rules])
    found = yield from search.complete(seconds)
    if found.rules is None:
        rules = vocabulary(moves, board, deeper=True)
        search = RuleSearch(states_of(moves, rules), [rule.effort for rule in rules])
        found = yield from search.complete(seconds)
    if found.rules is None and not found.exhausted:
        found = yield from search.beam(seconds)
    proven = None if found.rules is None else tuple(rules[rule] for rule in found.rules)
    followed = None if proven is None else task.followed(moves.allowed(proven))
    assert followed is None or followed.proven, "the states do not stand for the game"
    known = [one for _, one in found.nearest]
    nearest = known if found.rules is None else shorter_lists(found.rules, known)
    yield Step("decision diagram", 0)
    return FoundStrategy(
        task,
        board,
        proven,
        followed,
        found.rules is not None and found.complete + 1 >= len(found.rules),
        len(rules),
        found.complete,
        found.exhausted,
        proven is not None and stays_with_wins(moves, rules, proven),
        nearest_failing(moves, [tuple(rules[rule] for rule in one) for one in nearest]),
        decision_diagram(task, board, None if followed is None else followed.own_edges),
    )


def check_side(task: Task) -> None:
    """Raises BadArgument if the side has nothing to keep, or nothing to do."""
    game, words = task.game, ("first", "second")
    name, other = game.look.sides[task.side], game.look.sides[1 - task.side]
    if task.value == LOSS:
        ask = f"{other} wins with best play; ask for side={words[1 - task.side]!r}"
        raise BadArgument(f"{name} has nothing to keep in {game.name}: {ask}")
    if not task.graph.going[task.start]:
        result = VALUE_NAMES[task.entry.value if task.side == FIRST else -task.entry.value]
        raise BadArgument(f"{game.name} is over at the start, a {result} for the first player: there is no strategy")


def shorter_lists(rules: Rules, nearest: list[Rules]) -> list[Rules]:
    """The lists without one of the rules, and the best ones known that are as short."""
    lists = [rules[:place] + rules[place + 1 :] for place in range(len(rules))]
    return [*lists, *(one for one in nearest if len(one) == len(rules) - 1)]


def stays_with_wins(moves: OwnMoves, rules: Sequence[Rule], proven: tuple[Rule, ...]) -> bool:
    """Whether the list keeps the result with the rule that takes every win before all others."""
    wins = [rule for rule in rules if rule.name == "win"]
    return bool(wins) and moves.task.followed(moves.allowed((*wins, *proven))).proven


def nearest_failing(moves: OwnMoves, lists: list[tuple[Rule, ...]]) -> Failing | None:
    """The list that fails least often against a random opponent, with the game that refutes it."""
    found = []
    for rules in lists:
        followed = moves.task.followed(moves.allowed(rules))
        play = lost_play(followed)
        if play is not None:
            found.append(Failing(rules, followed, play))
    return min(found, key=lambda one: one.probability, default=None)
