"""Finds the strategy of one side: the list of rules, its proof, and the nearest list that fails."""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from math import perm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.game import Game
from perfectplay.insight.strategies.kept_result import (
    Goal,
    Mask,
    OwnMoves,
    Reach,
    Rule,
    deeper_rules,
    graphing,
    look_ahead_rules,
    own_moves,
)
from perfectplay.insight.strategies.rule_search import RuleSearch, states_of, way_to
from perfectplay.insight.strategies.square_rules import Board, square_rules
from perfectplay.rules.notation import VALUE_NAMES
from perfectplay.solvers.steps import Step, Steps
from perfectplay.words import DRAW, FIRST, LOSS, SECOND, BadArgument

# Where a list of rules fails: the shortest game in which it does, and how likely that is.


ROUNDS = 10_000
"""The most plies that are followed for a probability."""
Spot = tuple[int, bool]
"""The number of a position, and whether our side is to move."""


@dataclass(frozen=True)
class LostPlay:
    """The edges of a game; the last gives the result away, or leads back to the position after `repeats` of them."""

    edges: tuple[int, ...]
    repeats: int | None


def lost_play(reach: Reach) -> LostPlay | None:
    """The shortest game in which our side gives the result away, or one that never ends; None if there is none."""
    goal = reach.goal
    begin: Spot = (goal.start, goal.side == FIRST)
    before: dict[Spot, tuple[Spot, int] | None] = {begin: None}
    queue = deque([begin])
    while queue:
        here = queue.popleft()
        for edge, child in allowed_moves(reach, here):
            if here[1] and not goal.good[edge]:
                return LostPlay((*(by for _, by in way_to(before, here)), edge), None)
            if child not in before:
                before[child] = (here, edge)
                queue.append(child)
    return endless_play(reach, before) if goal.must_end else None


def allowed_moves(reach: Reach, spot: Spot) -> Iterator[tuple[int, Spot]]:
    """The edges that may be played there, and where they lead."""
    graph, (number, own) = reach.goal.graph, spot
    for edge in range(int(graph.firsts[number]), int(graph.firsts[number + 1])):
        if not own or reach.choice[edge]:
            yield edge, (int(graph.children[edge]), own == bool(graph.again[edge]))


def endless_play(reach: Reach, before: dict[Spot, tuple[Spot, int] | None]) -> LostPlay | None:
    """A game that never ends, if there is one."""
    ours, theirs = reach.endless
    here = next((spot for spot in before if (ours if spot[1] else theirs)[spot[0]]), None)
    if here is None:
        return None
    way, seen = [by for _, by in way_to(before, here)], {}
    while here not in seen:
        seen[here] = len(way)
        edge, here = next(one for one in allowed_moves(reach, here) if (ours if one[1][1] else theirs)[one[1][0]])
        way.append(edge)
    return LostPlay(tuple(way), seen[here])


def probability_of_error(goal: Goal, choice: Mask) -> float:
    """How likely our side gives the result away if it plays any allowed move, and the other side any legal one."""
    graph, size = goal.graph, goal.graph.counts.size
    reach = goal.reach(choice)
    mass: dict[bool, NDArray[Any]] = {True: np.zeros(size), False: np.zeros(size)}
    mass[goal.side == FIRST][goal.start] = 1.0
    own = np.where(reach.own_edges, 1.0, 0.0)
    total = graph.over_edges(np.add, own, np.zeros(size))
    weights = {True: own / np.maximum(total, 1)[graph.parents], False: 1 / graph.counts[graph.parents]}
    lost = 0.0
    for _ in range(ROUNDS):
        flow = {side: mass[side][graph.parents] * weights[side] for side in (True, False)}
        lost += float(flow[True][~goal.good].sum())
        flow[True][~goal.good] = 0
        mass = {
            side: np.bincount(graph.children, np.where(graph.again, flow[side], flow[not side]), size) * graph.going
            for side in (True, False)
        }
        if mass[True].sum() + mass[False].sum() < 1e-9:
            break
    return lost


SECONDS = 10.0
"""How long each of the three searches may take: for near rules, for all rules, and for longer lists."""


@dataclass(frozen=True, eq=False)
class Failing:
    """A list that fails, and the game that refutes it."""

    rules: tuple[Rule, ...]
    reach: Reach
    play: LostPlay

    @cached_property
    def probability(self) -> float:
        """How likely it gives the result away to a random opponent."""
        return probability_of_error(self.reach.goal, self.reach.choice)


@dataclass(frozen=True, eq=False)
class FoundStrategy:
    """The strategy of one side, or that there is none."""

    goal: Goal
    board: Board
    rules: tuple[Rule, ...] | None
    """The list that keeps the result; None if none was found."""
    reach: Reach | None
    """All that can come up under it."""
    shortest: bool
    vocabulary: int
    """The number of rules from which lists are made."""
    complete: int
    """All lists of up to this length fail."""
    exhausted: bool
    """Whether all lists fail, however long they are."""
    win_first: bool
    """Whether the list still keeps the result if it takes every win at once before anything else."""
    failing: Failing | None
    """The nearest shorter list, or the nearest of all where none keeps the result."""

    @property
    def refuted(self) -> int:
        """The number of lists that are proven to fail: all no longer than `complete`, the empty one included."""
        return sum(perm(self.vocabulary, length) for length in range(self.complete + 1))


def strategy_finding(game: Game, side: int | None, seconds: float) -> Steps[FoundStrategy]:
    """The strategy of a side, that of the winner if none is given, and of the first in a draw; raises BadArgument."""
    graph = yield from graphing(game)
    if side is None:
        side = FIRST if graph.entry(graph.number(game.start)).value >= DRAW else SECOND
    goal = Goal(game, graph, side)
    check_side(goal)
    moves, board = own_moves(goal), Board(goal)
    if not moves.edges.size:
        name = game.look.sides[goal.side]
        raise BadArgument(f"{name} never has to move in {game.name}: the game is over before, and there is no strategy")
    yield Step("rules", 0)
    for deeper in (False, True):
        rules = vocabulary(moves, board, deeper)
        search = RuleSearch(states_of(moves, rules), [rule.effort for rule in rules])
        result = yield from search.complete(seconds)
        if result.rules is not None:
            break
    if result.rules is None and not result.exhausted:
        result = yield from search.beam(seconds)
    proven = None if result.rules is None else tuple(rules[rule] for rule in result.rules)
    reach = None if proven is None else goal.reach(moves.choice(proven))
    assert reach is None or reach.proven, "the states do not stand for the game"
    wins = [rule for rule in rules if rule.name == "win"]
    nearest = [one for _, one in result.nearest]
    if result.rules is not None:  # without one of the rules, and the best ones known that are as short
        shorter = [result.rules[:place] + result.rules[place + 1 :] for place in range(len(result.rules))]
        nearest = shorter + [one for one in nearest if len(one) == len(result.rules) - 1]
    return FoundStrategy(
        goal,
        board,
        proven,
        reach,
        result.rules is not None and result.complete + 1 >= len(result.rules),
        len(rules),
        result.complete,
        result.exhausted,
        bool(wins) and proven is not None and goal.reach(moves.choice((*wins, *proven))).proven,
        nearest_failing(moves, [tuple(rules[rule] for rule in one) for one in nearest]),
    )


def check_side(goal: Goal) -> None:
    """Raises BadArgument if the side has nothing to keep, or nothing to do."""
    game, words = goal.game, ("first", "second")
    name, other = game.look.sides[goal.side], game.look.sides[1 - goal.side]
    if goal.value == LOSS:
        ask = f"{other} wins with best play; ask for side={words[1 - goal.side]!r}"
        raise BadArgument(f"{name} has nothing to keep in {game.name}: {ask}")
    if not goal.graph.going[goal.start]:
        result = VALUE_NAMES[goal.entry.value if goal.side == FIRST else -goal.entry.value]
        raise BadArgument(f"{game.name} is over at the start, a {result} for the first player: there is no strategy")


def nearest_failing(moves: OwnMoves, lists: list[tuple[Rule, ...]]) -> Failing | None:
    """The list that fails least often against a random opponent, with the game that refutes it."""
    failing = []
    for rules in lists:
        reach = moves.goal.reach(moves.choice(rules))
        if (play := lost_play(reach)) is not None:
            failing.append(Failing(rules, reach, play))
    return min(failing, key=lambda one: one.probability, default=None)


# The rules that a strategy may be made of, computed for any game: those that tell some moves apart.


def vocabulary(moves: OwnMoves, board: Board, deeper: bool = False) -> list[Rule]:
    """The rules of this game that differ from each other, the easiest first."""
    rules = [*look_ahead_rules(moves), *square_rules(moves, board)]
    return distinct(moves, [*rules, *deeper_rules(moves)] if deeper else rules)


def distinct(moves: OwnMoves, rules: Iterable[Rule]) -> list[Rule]:
    """The rules with scores as ranks within each position; of those that always agree the easiest."""
    easiest: dict[bytes, Rule] = {}
    for rule in sorted(rules, key=lambda one: one.effort):
        scores = np.asarray(rule.scores)
        ranks = moves.ranks(scores.astype(np.int64) if scores.dtype == bool else scores)
        if ranks.any():
            easiest.setdefault(ranks.tobytes(), rule._replace(scores=-ranks))
    return list(easiest.values())
