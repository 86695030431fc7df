"""Rules that look a few plies ahead: wins, threats, double threats, and how many moves are left."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.insight.strategies.kept_result import Mask
from perfectplay.insight.strategies.rule_types import OwnMoves, Rule
from perfectplay.models.game_graph import Graph
from perfectplay.words import LOSS, WIN

MANY = 1 << 20
"""More moves than any position has."""


def forced(graph: Graph, plies: int) -> list[tuple[Mask, Mask]]:
    """For 0, 1, ... plies the positions in which the mover can win by force within so many, and must lose in them."""
    won, lost = (~graph.going & (graph.values == value) for value in (WIN, LOSS))
    found = [(won, lost)]
    for _ in range(plies):
        wins = graph.gathered(np.maximum, graph.after(*found[-1]), won)
        loses = graph.gathered(np.minimum, graph.after(*found[-1][::-1]), lost)
        found.append((wins, loses))
    return found


def look_ahead_rules(moves: OwnMoves) -> Iterator[Rule]:
    """The rules that every game has."""
    graph = moves.task.graph
    within = forced(graph, 3)
    ended = ~graph.going[moves.children]
    lost_at_once = ended & (graph.results[moves.edges] == LOSS)
    no = np.zeros(graph.counts.size, bool)

    def kept_from(plies: int) -> Mask:
        found: Mask = ~moves.after(no, within[plies][0]) & ~lost_at_once
        return found

    beaten = graph.after(no, within[1][0]) | graph.ended_as(LOSS)
    losing_replies = graph.gathered(np.add, beaten.astype(np.int64), np.zeros(graph.counts.size))
    threatens = moves.after(within[1][0], losing_replies > 0) & ~ended
    yield Rule("win", "Win at once if you can.", 1, graph.ended_as(WIN)[moves.edges])
    yield Rule("stop", "Leave the other side no move that wins at once.", 1, kept_from(1))
    yield Rule("threat", "Make a threat: some reply would let you win at once.", 2, threatens)
    yield Rule(
        "fork",
        "Win at once, or make a double threat: whatever the reply is, you then win at once.",
        2,
        moves.after(*within[2]),
    )
    yield Rule("no-fork", "Leave the other side no win at once and no double threat.", 3, kept_from(3))
    threats = threatening(graph, moves, within)
    yield Rule("no-threat", "Leave the other side no move that makes a threat.", 3, threats == 0)
    yield Rule("few-threats", "Leave the other side as few moves as you can that make a threat.", 3, -threats)
    safe = moves.after(np.zeros_like(losing_replies), graph.counts - losing_replies)
    safe = np.where(ended & (graph.results[moves.edges] != WIN), MANY, safe)
    yield Rule(
        "few-safe",
        "Leave the other side as few safe replies as you can. A reply is safe if you cannot win at once after it.",
        3,
        -safe,
    )
    yield from mobility_rules(moves, lost_at_once)


def threatening(graph: Graph, moves: OwnMoves, within: list[tuple[Mask, Mask]]) -> NDArray[Any]:
    """For each move how many replies make a threat or win at once."""
    no = np.zeros(graph.counts.size, bool)
    beaten = graph.after(no, within[1][0]) | graph.ended_as(LOSS)
    can_lose = graph.gathered(np.maximum, beaten, no)
    threatens = (graph.after(within[1][0], can_lose) & graph.going[graph.children]) | graph.ended_as(WIN)
    count = graph.gathered(np.add, threatens.astype(np.int64), np.zeros(graph.counts.size))
    return moves.after(np.zeros_like(count), count)


def mobility_rules(moves: OwnMoves, lost_at_once: Mask) -> Iterator[Rule]:
    """Rules about the number of moves."""
    graph = moves.task.graph
    few: NDArray[Any] = -moves.after(np.zeros_like(graph.counts), graph.counts)
    yield Rule("few-moves", "Leave the other side as few moves as you can.", 2, np.where(lost_at_once, -MANY, few))
    no = np.zeros(graph.counts.size, bool)
    safe = ~graph.after(no, forced(graph, 1)[1][0]) & ~graph.ended_as(LOSS)
    ways = (
        ("moves", "moves", graph.counts),
        ("safe", "safe moves", graph.gathered(np.add, safe.astype(np.int64), np.zeros(graph.counts.size))),
    )
    for name, what, counts in ways:
        following = counts[graph.children]
        following[~graph.going[graph.children] | graph.again] = MANY
        least = graph.gathered(np.minimum, following, np.full(graph.counts.size, MANY))
        meaning = " A move is safe if the other side cannot win at once after it." if what != "moves" else ""
        yield Rule(
            f"many-{name}",
            f"Keep as many {what} as you can for your next turn, whatever the reply is.{meaning}",
            3,
            np.where(lost_at_once, -MANY, moves.after(counts, least)),
        )


def deeper_rules(moves: OwnMoves) -> Iterator[Rule]:
    """The same two plies further, for games in which nothing nearer is enough."""
    graph = moves.task.graph
    within = forced(graph, 5)
    no = np.zeros(graph.counts.size, bool)
    yield Rule(
        "attack",
        "Win by force within three moves of yours: one that leads to a double threat against every reply.",
        4,
        moves.after(*within[4]),
    )
    beaten = graph.after(no, within[3][0]) | graph.ended_as(LOSS)
    safe = graph.counts - graph.gathered(np.add, beaten.astype(np.int64), np.zeros(graph.counts.size))
    ended = ~graph.going[moves.children] & (graph.results[moves.edges] != WIN)
    yield Rule(
        "few-escapes",
        "Leave as few replies as you can after which you can neither win at once nor make a double threat.",
        4,
        -np.where(ended, MANY, moves.after(np.zeros_like(safe), safe)),
    )
    yield Rule(
        "no-attack",
        "Leave the other side no win by force within three moves of its own.",
        5,
        ~moves.after(no, within[5][0]),
    )
