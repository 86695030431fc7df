"""A game judged move by move: what was better, why, and where it was decided."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from perfectplay.insight.judging import BEST, COSTS, INACCURACY, SERIOUS, Chances, better_moves, chances_at, judge
from perfectplay.insight.puzzles.difficulty import depth_to_see
from perfectplay.insight.scene import Scene
from perfectplay.insight.sentences import Sentence, why_move
from perfectplay.insight.threats import allows_win
from perfectplay.rules.notation import plies_text
from perfectplay.solvers.oracle import Oracle
from perfectplay.solvers.search.best_line import Line
from perfectplay.solvers.steps import Step, Steps
from perfectplay.words import DRAW, LOSS, Move, Position, spelled

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


# The advice to a side: the kind of error that cost it most, in a sentence.


FLAWLESS = "Nothing. No move was better than those that were played."
NEAR = 8
"""The plies that a person can look ahead; deeper mistakes are called deep."""


class ErrorKind(NamedTuple):
    """A kind of error: whether a flaw is of it, and the advice, for the flaws of this kind."""

    fits: Callable[[JudgedMove], bool]
    advice: Callable[[Sequence[JudgedMove]], str]


def is_serious(flaw: JudgedMove) -> bool:
    """Whether it worsened the result."""
    return flaw.judgement in SERIOUS


def depth_of(flaw: JudgedMove) -> int:
    """The plies that one must look ahead to see that another move is better; 0 if that is not known."""
    return depth_to_see(flaw.scene.study, flaw.move) if flaw.scene.study.decided else 0


def overlooks_win(flaw: JudgedMove) -> bool:
    """Whether another move would have won at once."""
    return bool(flaw.scene.wins)


def overlooks_threat(flaw: JudgedMove) -> bool:
    """Whether the other side can win at once now, and could have been stopped."""
    scene = flaw.scene
    return is_serious(flaw) and allows_win(scene.game, scene.position, scene.side, flaw.move)


def times(flaws: Sequence[JudgedMove]) -> str:
    """Once, twice, three times."""
    count = len(flaws)
    return {1: "once", 2: "twice"}.get(count, f"{spelled(count)} times")


def look_ahead(flaws: Sequence[JudgedMove]) -> str:
    """The advice to look as far ahead as the mistakes ask for."""
    depths = [depth for flaw in flaws if (depth := depth_of(flaw))]
    if depths and min(depths) > NEAR:
        return f"Your mistakes were deep: one must look {plies_text(min(depths))} ahead to see the nearest of them."
    near, deep = min(depths, default=0), max(depths, default=0)
    far = (
        f"{plies_text(near) if near == deep else f'{near} to {plies_text(deep)}'} ahead" if depths else "farther ahead"
    )
    return f"Look {far} before you move: you walked into a trap {times(flaws)}."


KINDS = (
    ErrorKind(overlooks_win, lambda flaws: f"Look for a move that wins at once: you overlooked it {times(flaws)}."),
    ErrorKind(
        overlooks_threat,
        lambda flaws: f"Ask what the other side can do after your move: {times(flaws)} you let it win at once.",
    ),
    ErrorKind(
        lambda flaw: flaw.scene.game.margin is not None,
        lambda flaws: f"Count the points: you gave some away {times(flaws)}.",
    ),
    ErrorKind(is_serious, look_ahead),
    ErrorKind(
        lambda flaw: flaw.scene.study.here.value == DRAW,
        lambda flaws: f"In a drawn position, set problems: {times(flaws)} you chose a move that is too easy to answer.",
    ),
    ErrorKind(
        lambda flaw: flaw.scene.study.here.value == LOSS,
        lambda flaws: f"Hold out longer in lost positions: {times(flaws)} you lost sooner than you had to.",
    ),
    ErrorKind(lambda flaw: True, lambda flaws: f"Win sooner: {times(flaws)} you took longer than you had to."),
)
"""The kinds of errors; a flaw is of the first that fits."""


def what_to_practise(moves: Sequence[JudgedMove]) -> str | None:
    """The advice about the kind of error that cost most in these moves; None if none of them is judged."""
    move_costs = [(one, COSTS[one.judgement]) for one in moves if one.judgement is not None]
    if not move_costs:
        return None
    costs: Counter[int] = Counter()
    kinds: dict[int, list[JudgedMove]] = {}
    for flaw, cost in move_costs:
        if flaw.judgement != BEST:
            number = next(number for number, kind in enumerate(KINDS) if kind.fits(flaw))
            costs[number] += round(100 * cost)
            kinds.setdefault(number, []).append(flaw)
    if not kinds:
        return FLAWLESS
    worst = max(sorted(kinds), key=lambda number: costs[number])
    return KINDS[worst].advice(kinds[worst])
