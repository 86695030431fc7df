"""The advice to a side: the kind of error that cost it most, in a sentence."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from perfectplay.insight.game_review import JudgedMove
from perfectplay.insight.judging import BEST, COSTS, SERIOUS
from perfectplay.insight.puzzles.difficulty import depth_to_see
from perfectplay.insight.threats import allows_win
from perfectplay.rules.notation import plies_text
from perfectplay.words import DRAW, LOSS, spelled

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
