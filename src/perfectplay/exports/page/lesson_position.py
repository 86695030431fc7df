"""A position to teach the ladder of algorithms on: small, lively, and found from the rules alone."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice, product
from math import log2
from random import Random
from typing import Any, NamedTuple

from perfectplay.game import Game, after, legal_moves
from perfectplay.insight.ladder.recorder import FINISHED, GameSource, Recorder
from perfectplay.insight.ladder.recording import RECORDINGS, record
from perfectplay.words import FIRST, ONGOING, Position, Turn

WALKS, LONGEST = 24, 240
"""Random games to look for a position in, and the most plies of each."""
BEFORE = 10
"""How many plies before the end of such a game to look."""
RATED = 40
"""Positions to choose from, at most."""
FEWEST, USUAL, MOST, LARGE = 24, 60, 130, 400
"""Nodes of plain minimax: few enough to watch them all, and what must do where no such tree has anything to see."""
DEPTHS = (None, 5, 4, 3)
"""How far to look ahead: less where every position has a larger tree."""
ATTEMPTS = (*product(((FEWEST, MOST), (MOST + 1, LARGE)), DEPTHS), ((FEWEST, LARGE), 2))
"""How many nodes and how far ahead, until there is something to see."""


class LessonPosition(NamedTuple):
    """The position, its side to move, and how many plies to look ahead; None: to the end."""

    position: Position
    side: int
    depth: int | None


def tree_nodes(game: Game, position: Position, depth: int | None, most: int) -> int:
    """The nodes of the tree from a position on, to that depth; `most` and one if there are more."""
    count, waiting = 1, [(position, 0)]
    while waiting and count <= most:
        here, plies = waiting.pop()
        if plies != depth and game.outcome(*here) == ONGOING:
            below = [(game.play(*here, move), plies + 1) for move in legal_moves(game, here)]
            count += len(below)
            waiting += below
    return min(count, most + 1)


@lru_cache(maxsize=256)
def lesson_position(game: Game) -> LessonPosition:
    """The start if its tree is small, else the best of the positions that random games come to; the same each time."""
    if tree_nodes(game, game.start, None, MOST) <= MOST:
        return LessonPosition(game.start, FIRST, None)
    turns = list(dict.fromkeys(late_turns(game)))
    dull = LessonPosition(game.start, FIRST, 1)
    for (least, most), depth in ATTEMPTS:
        fitting = (turn for turn in turns if least <= tree_nodes(game, turn[0], depth, most) <= most)
        small = list(islice(fitting, RATED))
        rated = [(liveliness(game, turn, depth), turn) for turn in small]
        best, turn = max(rated, key=lambda one: one[0], default=(0, turns[0]))
        if best > 0:
            return LessonPosition(*turn, depth)
        if small and dull.depth == 1:
            dull = LessonPosition(*small[0], depth)
    return dull


def late_turns(game: Game) -> Iterator[Turn]:
    """The last positions of random games; in every other one nobody ends the game who need not."""
    dice = Random(1)
    for walk in range(WALKS):
        turns = [(game.start, FIRST)]
        while len(turns) <= LONGEST:
            moves = legal_moves(game, turns[-1][0])
            dice.shuffle(moves)
            following = (after(game, *turns[-1], move) for move in (moves if walk % 2 else moves[:1]))
            turn = next((one for one in following if game.outcome(*one[0]) == ONGOING), None)
            if turn is None:
                break
            turns.append(turn)
        yield from turns[-BEFORE:]


class Unnamed(GameSource):
    """A game without names and boards, which take most of the time."""

    def children(self, state: Turn) -> list[tuple[str, Turn]]:
        """The moves without names, and where they lead."""
        position, side = state
        if self.game.outcome(*position) != ONGOING:
            return []
        return [("", after(self.game, position, side, move)) for move in legal_moves(self.game, position)]

    def node_fields(self, state: Turn) -> dict[str, Any]:
        """Nothing."""
        return {}


def liveliness(game: Game, turn: Turn, depth: int | None) -> float:
    """How much there is to see in a position: choices that matter, cuts, and positions met twice; 0 for a dull one."""
    source = Unnamed(game, *turn)
    tree = record(source, "minimax", depth, LARGE)
    size = tree.visits
    root = [node for node in tree.nodes if node.parent == 0]
    sign = 1 if turn[1] == FIRST else -1
    at_once = any(node.kind == FINISHED and sign * (node.score or 0) > 0 for node in root)
    if at_once or not any(node.score for node in tree.nodes):
        return 0

    def visits(algorithm: str) -> int:
        counted = Recorder(source, depth, 0)
        RECORDINGS[algorithm].search(counted, source.root, counted.add(source.root, None, 0, ""), 0)
        return counted.visits

    pruned, cached, folded, flagged = (visits(name) for name in ("alpha-beta", "cache", "symmetry", "flags"))
    if pruned == size and depth != 2:  # each move at the root has a full window: nothing is cut at depth 2
        return 0
    saved = [1 - pruned / size, 1 - cached / size, 1 - folded / cached, 1 - flagged / min(pruned, cached)]
    results = len({node.score for node in root})
    return 1 + 2 * min(results - 1, 2) + 4 * sum(saved) - abs(log2(size / USUAL)) / 2
