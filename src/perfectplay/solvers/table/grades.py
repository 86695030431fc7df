"""An entry as one number, its grade: the better for the side to move, the greater.

With D the greatest distance, the grades are
    1 ... D+1    lost in 0 ... D plies
    D+2          endless draw
    D+3 ... 2D+3 drawn in D ... 0 plies
    2D+4 ... 3D+4  won in D ... 0 plies
and 0 means unknown. Up to D = 83 a grade fits a byte. In a game for points, with M the greatest margin, the grades
    1 ... 2M+1   behind by M ... ahead by M points
take the place of these.
"""

from typing import NamedTuple

from perfectplay.words import DRAW, LOSS, WIN, Entry, PointsEntry


class Grades(NamedTuple):
    """The grades of entries with distances up to `longest`."""

    longest: int

    @property
    def size(self) -> int:
        """One more than the greatest grade."""
        return 3 * self.longest + 5

    def grade(self, entry: Entry) -> int:
        """The grade of the entry."""
        value, distance = entry
        if distance is None:
            return self.longest + 2
        if value == LOSS:
            return 1 + distance
        return (2 + value) * self.longest + 3 + value - distance

    def entry(self, grade: int) -> Entry:
        """The entry of the grade, which is not 0."""
        if grade < self.longest + 2:
            return Entry(LOSS, grade - 1)
        if grade == self.longest + 2:
            return Entry(DRAW, None)
        if grade < 2 * self.longest + 4:
            return Entry(DRAW, 2 * self.longest + 3 - grade)
        return Entry(WIN, 3 * self.longest + 4 - grade)

    def earlier(self, again: bool = False) -> list[int]:
        """For each grade, that of a position one ply earlier with this best child; the longest distance stays.

        With `again`, the side to move there is to move in the child, too.
        """
        far = self.longest
        if again:
            before = (range(2, far + 2), (far + 1, far + 2, far + 3), range(far + 3, 2 * far + 3))
            return [0, *(grade for part in before for grade in part), 2 * far + 4, *range(2 * far + 4, 3 * far + 4)]
        lost = [*range(3 * far + 3, 2 * far + 3, -1), 2 * far + 4]
        drawn = [far + 2, far + 3, *range(far + 3, 2 * far + 3)]
        won = [far + 1, *range(far + 1, 1, -1)]
        return [0, *lost, *drawn, *won]

    def ends(self) -> list[int]:
        """The grades of finished positions: LOSS, DRAW, WIN."""
        return [self.grade(Entry(value, 0)) for value in (LOSS, DRAW, WIN)]


class Points(NamedTuple):
    """The grades of entries with margins up to `most` points either way."""

    most: int

    @property
    def size(self) -> int:
        """One more than the greatest grade."""
        return 2 * self.most + 2

    @property
    def longest(self) -> int:
        """No distance."""
        return 0

    def grade(self, entry: Entry) -> int:
        """The grade of the entry."""
        assert entry.margin is not None
        return entry.margin + self.most + 1

    def entry(self, grade: int) -> Entry:
        """The entry of the grade, which is not 0."""
        return PointsEntry(grade - self.most - 1)

    def earlier(self, again: bool = False) -> list[int]:
        """For each grade, that of a position one ply earlier with this best child."""
        return [0, *(range(1, self.size) if again else range(self.size - 1, 0, -1))]

    def ends(self) -> list[int]:
        """The grades of finished positions: behind by `most` points, even, ahead by `most` points."""
        return [1, self.most + 1, self.size - 1]


Scale = Grades | Points
"""The grades of a game's entries."""

BYTE = Grades(83)
"""As many grades as fit a byte."""
TWO_BYTES = Grades(21_842)
TWO_BYTE_POINTS = Points(32_766)
"""As many margins as fit two bytes."""


def earlier_both_ways(scale: Scale) -> list[int]:
    """For each grade, that of a position one ply earlier: if the sides alternate; then, if the side moves again."""
    return [*scale.earlier(), *scale.earlier(again=True)]
