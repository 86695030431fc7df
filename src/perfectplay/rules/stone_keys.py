"""Tiers, and keys without gaps, for games in which both sides place stones in turn and may lose some of them.

A word holds the points of the board, then four bits for the stones in hand, then a flag. The tier tells the number of
stones placed, of stones lost, the flag, and the difference of the sides. The positions of a stage have the same numbers
of stones, hands and flag. The stones of one side are a set of points, and sets of the same size are numbered by the
combinatorial number system: first those of `mine` on all points, then those of `theirs` on the points that are left.
"""

from collections.abc import Callable
from itertools import accumulate
from math import comb
from typing import NamedTuple

from perfectplay.words import Position

MOST = 24
"""The most points of a board."""
ROW = MOST + 1
CHOOSE = tuple(comb(points, stones) for points in range(ROW) for stones in range(ROW))
"""How many sets of so many stones there are on so many points."""
GRAIN = 1024
"""A stage begins at a multiple of this, so that engines may treat so many keys at once."""


class StoneKeys(NamedTuple):
    """What a game has in the fields of these names."""

    tier: Callable[[int, int], int]
    key: Callable[[int, int], int]
    unkey: Callable[[int], Position]
    keys: int


def rank(stones: int, others: int, points: int) -> int:
    """The number of this set of points among all sets of its size, on the points that are not taken."""
    number, count = 0, 0
    for point in range(points):
        if stones >> point & 1:
            count += 1
            number += CHOOSE[ROW * (point - (others & (1 << point) - 1).bit_count()) + count]
    return number


def unrank(number: int, stones: int, points: int, others: int) -> int:
    """The set with this number among all sets of so many stones on the points that are not taken."""
    word = 0
    for down in range(points):
        point = points - 1 - down
        below = CHOOSE[ROW * (point - (others & (1 << point) - 1).bit_count()) + stones]
        if others >> point & 1 == 0 and stones > 0 and number >= below:
            word |= 1 << point
            number -= below
            stones -= 1
    return word


def samples(points: int, men: int, flags: bool) -> list[Position]:
    """A position of each stage in which both sides have two stones left or more."""
    stages = []
    for placed in range(2 * men + 1):
        for flag in range(1 + flags):
            mine, theirs = men - (placed + flag) // 2, men - (placed + 1 - flag) // 2  # in hand
            for own in range(max(0, 2 - mine), men - mine + 1):
                for other in range(max(0, 2 - theirs), men - theirs + 1):
                    words = (1 << own) - 1, ((1 << other) - 1) << own
                    stages.append((flag << points + 4 | mine << points | words[0], theirs << points | words[1]))
    return stages


def stone_keys(points: int, men: int, flags: bool) -> StoneKeys:
    """The tier and the keys of a game on so many points, with so many stones a side, with or without a flag."""
    board, radix = (1 << points) - 1, men + 1

    def tier(mine: int, theirs: int) -> int:
        hand, other_hand = mine >> points & 15, theirs >> points & 15
        own, other = (mine & board).bit_count() + hand, (theirs & board).bit_count() + other_hand
        placed, lost = 2 * men - hand - other_hand, 2 * men - own - other
        return ((placed * 2 * men + lost) * 2 + (mine >> points + 4)) * radix + abs(own - other)

    stages = sorted(samples(points, men, flags), key=lambda stage: tier(*stage))
    last = len(stages) - 1
    above_mine, above_theirs = (tuple(words[side] & ~board for words in stages) for side in (0, 1))
    stones, others = (tuple((words[side] & board).bit_count() for words in stages) for side in (0, 1))
    widths = tuple(comb(points - own, other) for own, other in zip(stones, others, strict=True))
    sizes = [-(-comb(points, own) * width // GRAIN) * GRAIN for own, width in zip(stones, widths, strict=True)]
    begins = tuple(accumulate(sizes[:-1], initial=0))

    def stage_number(mine: int, theirs: int) -> int:
        placed = 2 * men - (mine >> points & 15) - (theirs >> points & 15)
        own, other = (mine & board).bit_count(), (theirs & board).bit_count()
        return ((placed * 2 + (mine >> points + 4)) * radix + own) * radix + other

    places = {stage_number(*stage): place for place, stage in enumerate(stages)}
    place_of = tuple(places.get(number, 0) for number in range(max(places) + 1))

    def key(mine: int, theirs: int) -> int:
        place, stones_on = place_of[stage_number(mine, theirs)], mine & board
        return begins[place] + rank(stones_on, 0, points) * widths[place] + rank(theirs & board, stones_on, points)

    def unkey(number: int) -> Position:
        low, high = 0, last
        while low < high:
            middle = (low + high + 1) // 2
            if begins[middle] <= number:
                low = middle
            else:
                high = middle - 1
        number -= begins[low]
        mine = unrank(number // widths[low], stones[low], points, 0)
        return above_mine[low] | mine, above_theirs[low] | unrank(number % widths[low], others[low], points, mine)

    return StoneKeys(tier, key, unkey, sum(sizes))
