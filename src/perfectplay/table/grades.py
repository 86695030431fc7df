"""An entry as one number, its grade: the better for the side to move, the greater.

With D the greatest distance, the grades are
    1 ... D+1    lost in 0 ... D plies
    D+2          endless draw
    D+3 ... 2D+3 drawn in D ... 0 plies
    2D+4 ... 3D+4  won in D ... 0 plies
and 0 means unknown. Up to D = 83 a grade fits a byte.
"""

from typing import NamedTuple

from perfectplay.words import DRAW, LOSS, WIN, Entry


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

    def earlier(self) -> list[int]:
        """For each grade, that of a position one ply earlier with this best child; the longest distance stays."""
        far = self.longest
        lost = [*range(3 * far + 3, 2 * far + 3, -1), 2 * far + 4]
        drawn = [far + 2, far + 3, *range(far + 3, 2 * far + 3)]
        won = [far + 1, *range(far + 1, 1, -1)]
        return [0, *lost, *drawn, *won]

    def ends(self) -> list[int]:
        """The grades of finished positions: LOSS, DRAW, WIN."""
        return [self.grade(Entry(value, 0)) for value in (LOSS, DRAW, WIN)]


BYTE = Grades(83)
"""As many grades as fit a byte."""
TWO_BYTES = Grades(21_842)
