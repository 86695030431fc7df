"""Finds the strategy of one side: the list of rules, its proof, and the nearest list that fails."""

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import perm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.game import Game
from perfectplay.insight.strategies.kept_result import Followed, Mask, Task, graphing, side_with_something
from perfectplay.insight.strategies.look_ahead_rules import deeper_rules, look_ahead_rules
from perfectplay.insight.strategies.rule_search import Rules, RuleSearch
from perfectplay.insight.strategies.rule_states import states_of
from perfectplay.insight.strategies.rule_types import OwnMoves, Rule, own_moves
from perfectplay.insight.strategies.square_contents import Board
from perfectplay.insight.strategies.square_rules import square_rules
from perfectplay.rules.notation import VALUE_NAMES
from perfectplay.solvers.steps import Step, Steps
from perfectplay.words import FIRST, LOSS, BadArgument

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


def lost_play(followed: Followed) -> LostPlay | None:
    """The shortest game in which our side gives the result away, or one that never ends; None if there is none."""
    task, graph = followed.task, followed.task.graph
    begin: Spot = (task.start, task.side == FIRST)
    before: dict[Spot, tuple[Spot, int] | None] = {begin: None}
    left = deque([begin])
    while left:
        here = left.popleft()
        number, own = here
        for edge in range(int(graph.firsts[number]), int(graph.firsts[number + 1])):
            if own and not followed.allowed[edge]:
                continue
            if own and not task.good[edge]:
                return LostPlay((*way_to(before, here), edge), None)
            child = (int(graph.children[edge]), own == bool(graph.again[edge]))
            if child not in before:
                before[child] = (here, edge)
                left.append(child)
    return endless_play(followed, before) if task.must_end else None


def way_to(before: dict[Spot, tuple[Spot, int] | None], here: Spot) -> list[int]:
    """The edges that lead there."""
    way = []
    last = before[here]
    while last is not None:
        way.append(last[1])
        last = before[last[0]]
    return way[::-1]


def endless_play(followed: Followed, before: dict[Spot, tuple[Spot, int] | None]) -> LostPlay | None:
    """A game that never ends, if there is one."""
    graph, (ours, theirs) = followed.task.graph, followed.endless
    here = next((spot for spot in before if (ours if spot[1] else theirs)[spot[0]]), None)
    if here is None:
        return None
    way, seen = way_to(before, here), {}
    while here not in seen:
        seen[here] = len(way)
        number, own = here
        for edge in range(int(graph.firsts[number]), int(graph.firsts[number + 1])):
            child = (int(graph.children[edge]), own == bool(graph.again[edge]))
            if (not own or followed.allowed[edge]) and (ours if child[1] else theirs)[child[0]]:
                way.append(edge)
                here = child
                break
    return LostPlay(tuple(way), seen[here])


def probability_of_error(task: Task, allowed: Mask) -> float:
    """How likely our side gives the result away if it plays any allowed move, and the other side any legal one."""
    graph, size = task.graph, task.graph.counts.size
    followed = task.followed(allowed)
    mass: dict[bool, NDArray[Any]] = {True: np.zeros(size), False: np.zeros(size)}
    mass[task.side == FIRST][task.start] = 1.0
    own = np.where(followed.own_edges, 1.0, 0.0)
    total = graph.gathered(np.add, own, np.zeros(size))
    weights = {True: own / np.maximum(total, 1)[graph.parents], False: 1 / graph.counts[graph.parents]}
    lost = 0.0
    for _ in range(ROUNDS):
        flow = {side: mass[side][graph.parents] * weights[side] for side in (True, False)}
        lost += float(flow[True][~task.good].sum())
        flow[True][~task.good] = 0
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


# The rules that a strategy may be made of, computed for any game: those that tell some moves apart.


def vocabulary(moves: OwnMoves, board: Board, deeper: bool = False) -> list[Rule]:
    """The rules of this game that differ from each other, the easiest first."""
    rules = [*look_ahead_rules(moves), *square_rules(moves, board)]
    return distinct(moves, [*rules, *deeper_rules(moves)] if deeper else rules)


def distinct(moves: OwnMoves, rules: Iterable[Rule]) -> list[Rule]:
    """The rules with scores as ranks within each position; of those that always agree the easiest."""
    found: dict[bytes, Rule] = {}
    for rule in sorted(rules, key=lambda one: one.effort):
        scores = np.asarray(rule.scores)
        ranks = moves.ranks(scores.astype(np.int64) if scores.dtype == bool else scores)
        if ranks.any():
            found.setdefault(ranks.tobytes(), rule._replace(scores=-ranks))
    return list(found.values())
