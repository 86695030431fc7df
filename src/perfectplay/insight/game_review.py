"""A game judged move by move: what was better, why, and where it was decided."""

from collections.abc import Sequence
from typing import NamedTuple

from perfectplay.insight.judging import INACCURACY, SERIOUS, better_moves, judge
from perfectplay.insight.reasons import why_move
from perfectplay.insight.scene import Scene
from perfectplay.insight.sentences import Sentence
from perfectplay.insight.usual_opponent import Chances, chances_at
from perfectplay.solvers.oracle import Oracle
from perfectplay.solvers.search.best_line import Line
from perfectplay.solvers.steps import Step, Steps
from perfectplay.words import DRAW, Move, Position

GameMove = tuple[Position, int, Move]
"""A move, with the position in which it was made and the side that made it."""


class JudgedMove(NamedTuple):
    """A move of a game, the scene in which it was made, and how good it was.

    `judgement` is None if it is not proven. `better` are the moves that were better, the best first, and `line` is best
    play with the first of them.
    """

    scene: Scene
    move: Move
    judgement: str | None
    better: tuple[Move, ...]
    line: Line
    why: Sentence


def reviewing(oracle: Oracle, moves: Sequence[GameMove]) -> Steps[list[JudgedMove]]:
    """The moves of a game, judged.

    A search begins with the last position, so that its transposition table helps with those before.
    """
    for done, (position, _, _) in enumerate(reversed(moves)):
        yield Step("looking at positions", done, len(moves))
        oracle.study(position)
    review = []
    for done, move in enumerate(moves):
        yield Step("judging moves", done, len(moves))
        review.append(judge_move(oracle, move))
    return review


def judge_move(oracle: Oracle, game_move: GameMove) -> JudgedMove:
    """One move, judged."""
    position, side, move = game_move
    scene = Scene(oracle, position, side)
    chances = chances_of(scene)
    judgement = judge(scene.study, move, chances)
    better = better_moves(scene.study, move, judgement, chances)
    line = line_with(scene, better[0]) if better else Line(())
    return JudgedMove(scene, move, judgement, tuple(better), line, reason(scene, move, judgement, better, chances))


def chances_of(scene: Scene) -> Chances | None:
    """The win probabilities against the usual opponent, where they tell moves apart: several keep a draw."""
    if not scene.oracle.proves or scene.study.here.value != DRAW or len(scene.study.keeping) < 2:
        return None
    return chances_at(scene.game, scene.position)


def line_with(scene: Scene, move: Move) -> Line:
    """The move and best play after it, as far as it is proven."""
    moves, repeats = scene.oracle.line(scene.after(move).position)
    return Line((move, *moves), None if repeats is None else repeats + 1)


def reason(
    scene: Scene, move: Move, judgement: str | None, better: Sequence[Move], chances: Chances | None
) -> Sentence:
    """Why the move was good or bad, in a sentence."""
    if judgement == INACCURACY and chances and better:
        name, bold = scene.name(move), scene.name(better[0])
        often = f"{chances[better[0]]:.0%} of the time, after {name} {chances[move]:.0%}"
        return Sentence(f"{name} keeps the draw, but after {bold} a random opponent loses {often}.")
    return why_move(scene, move)


def turning_point(moves: Sequence[JudgedMove]) -> int | None:
    """The number of the last move that changed the result, from 1; None if nobody gave anything away."""
    return max((ply for ply, one in enumerate(moves, 1) if one.judgement in SERIOUS), default=None)
