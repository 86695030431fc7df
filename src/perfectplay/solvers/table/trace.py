"""The convergence of retrograde analysis: the positions decided in each iteration.

Iteration n decides the positions that are n plies from the end: first all wins and losses, then, from the drawn ends
backwards, the draws that end. So the trace of a solve follows from how many positions have each entry, whichever
engine solved the game, and in whatever order.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from perfectplay.words import DRAW, LOSS, WIN, BadArgument, Brief, Entry, in_notebook


@dataclass(frozen=True)
class Iteration(metaclass=Brief):
    """What one iteration of retrograde analysis decides: the positions that are `distance` plies from the end.

    `number` counts the iterations; the first ones decide wins and losses, the others draws. `total` counts all
    positions decided so far.
    """

    number: int
    distance: int
    won: int
    drawn: int
    lost: int
    total: int

    @property
    def decided(self) -> int:
        """The positions decided in this iteration."""
        return self.won + self.drawn + self.lost

    def to_dict(self) -> dict[str, object]:
        """The iteration as in JSON."""
        results = {"won": self.won, "drawn": self.drawn, "lost": self.lost}
        return {
            "iteration": self.number,
            "distance": self.distance,
            "decided": self.decided,
            "total": self.total,
            **results,
        }

    _repr_html_ = in_notebook


def trace_of(counts: Mapping[Entry, int]) -> tuple[Iteration, ...]:
    """The iterations of a solve in which so many positions have each entry."""
    if any(entry.margin is not None for entry in counts):
        raise BadArgument("a game for points has no distances, so its solve has no iterations by distance")
    iterations: list[Iteration] = []
    total = 0
    for values in ((WIN, LOSS), (DRAW,)):
        for distance in sorted({e.distance for e in counts if e.value in values and e.distance is not None}):
            won, drawn, lost = (
                counts.get(Entry(value, distance), 0) if value in values else 0 for value in (WIN, DRAW, LOSS)
            )
            total += won + drawn + lost
            iterations.append(Iteration(len(iterations), distance, won, drawn, lost, total))
    return tuple(iterations)


def trace_lines(counts: Mapping[Entry, int]) -> Iterator[str]:
    """The convergence as a table in lines, and what is left at the end."""
    labels = ("won", "drawn", "lost", "decided", "total")
    yield f"{'iteration':<10} {'plies':>5}" + "".join(f" {label:>15}" for label in labels)
    for iteration in trace_of(counts):
        cells = (iteration.won, iteration.drawn, iteration.lost, iteration.decided, iteration.total)
        yield f"{iteration.number:<10,} {iteration.distance:>5,}" + "".join(
            f" {cell:>15,}" if cell else " " * 16 for cell in cells
        )
    yield ending(counts.get(Entry(DRAW, None), 0))


def ending(rest: int) -> str:
    """The last line: the positions that no iteration decides, endless draws."""
    if not rest:
        return "every position is decided"
    return "the rest, " + ("1 position, is an endless draw" if rest == 1 else f"{rest:,} positions, are endless draws")
