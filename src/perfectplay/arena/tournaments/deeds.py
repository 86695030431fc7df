"""What a side did in a game, as numbers that can be added up: time, optimal moves, blunders, distance wasted."""

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

Amount = float | None


class Deeds(NamedTuple):
    """Sums over the moves of a side, as numbers of one type; `longest` and `wasted` are greatest values.

    A forfeit is a move, too: it gives away the value of the position and is never optimal. `judged_moves` are those of
    which the regret is proven, `timed_moves` those with a time, `wasted_moves` those with a distance, `point_moves`
    those with points, `blunders` those with regret. A game is `whole` if all moves of the side are judged, and there
    is at least one; `whole_regret` is the regret in it, and `whole_squares` its square.
    """

    moves: float = 0
    timed_moves: float = 0
    seconds: float = 0.0
    longest: float = 0.0
    judged_moves: float = 0
    optimal: float = 0
    blunders: float = 0
    regret: float = 0.0
    win_to_draw: float = 0
    win_to_loss: float = 0
    draw_to_loss: float = 0
    wasted_moves: float = 0
    wasted: float = 0
    point_moves: float = 0
    points: float = 0
    whole: float = 0
    whole_regret: float = 0.0
    whole_squares: float = 0.0


GREATEST = [Deeds._fields.index(name) for name in ("longest", "wasted")]
"""The places of fields that are greatest values; all others are sums."""


def deeds_of(
    movers: Sequence[int],
    clock: Sequence[float],
    regret: Sequence[Amount],
    values: Sequence[Amount],
    wasted: Sequence[int | None],
    points: Sequence[int | None],
    forfeit: tuple[int, Amount] | None = None,
) -> tuple[Deeds, Deeds]:
    """What each side did in a game; each sequence has an entry for each move, or none at all.

    `forfeit` is the side that forfeited the game, and its regret.
    """
    rows: list[tuple[Any, ...]] = [(*row, True) for row in zip_longest(movers, clock, regret, values, wasted, points)]
    if forfeit is not None:
        loser, value = forfeit
        rows.append((loser, None, value, value, None, None, False))
    first, second = (deeds_in([row for row in rows if row[0] == side]) for side in (0, 1))
    return first, second


def deeds_in(rows: Sequence[tuple[Any, ...]]) -> Deeds:
    """The sums over the moves of one side."""
    if not rows:
        return Deeds()
    _, clock, regret, values, wasted, points, legal = zip(*rows, strict=True)
    times, regrets, plies, lost = without_none(clock), without_none(regret), without_none(wasted), without_none(points)
    wrong = [(value, less) for value, less in zip(values, regret, strict=True) if less]
    whole = len(regrets) == len(rows)
    return Deeds(
        len(rows),
        len(times),
        sum(times),
        max(times, default=0.0),
        len(regrets),
        sum(less == 0 and is_legal for less, is_legal in zip(regret, legal, strict=True)),
        len(wrong),
        sum(regrets),
        sum(value == 1 and less < 1 for value, less in wrong),
        sum(less == 1 for _, less in wrong),
        sum(value == 0.5 for value, _ in wrong),
        len(plies),
        max(plies, default=0),
        len(lost),
        sum(lost),
        whole,
        sum(regrets) if whole else 0.0,
        sum(regrets) ** 2 if whole else 0.0,
    )


def without_none(column: Iterable[Amount]) -> list[float]:
    """The entries that are known."""
    return [one for one in column if one is not None]
