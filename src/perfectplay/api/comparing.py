"""The algorithms of the ladder on one game: what each finds and what it costs.

In games with cycles plain minimax never ends; then the usual fixes for it, the repairs, are compared with the solution.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

from perfectplay.api.arguments import GameLike, Progress, check_seconds, game_of, told, whole
from perfectplay.api.match import Match, match_of
from perfectplay.game import Game, canonical, levels
from perfectplay.notation import show_position, value_name
from perfectplay.solvers.ladder import ALGORITHMS, REPAIRS, Algorithm, Measured, Meter, Repair, measure
from perfectplay.solvers.ladder.ladder_truth import solved_classes
from perfectplay.solvers.ladder.symmetric_cache import folded, symmetric_cache
from perfectplay.solvers.tree_size import Cycle, cycle_positions, cycle_text, tree_or_cycle
from perfectplay.words import DRAW, BadPosition, Brief, Entry, Position, TooBig

DRAWN = 8
"""The default depth if the value is a draw, which every depth finds."""
FARTHER = 2
"""How many plies beyond the end of the game to search by default: a right answer may become wrong again."""


@dataclass(frozen=True)
class Comparison(metaclass=Brief):
    """What each algorithm of the ladder finds in one position of a game, and what it costs.

    `rows` has what each algorithm found, its nodes and seconds; `boards` is the number of positions in to_dict().
    """

    game: Game = field(repr=False)
    side: int = field(repr=False)
    rows: Mapping[Algorithm, Measured] = field(repr=False)
    boards: int = field(default=0, repr=False)

    @property
    def position(self) -> str:
        """The position compared from, as text."""
        return show_position(self.game, self.game.start, self.side)

    def found_by(self, search: object) -> Measured:
        """The row of the algorithm with this search function."""
        return next(row for algorithm, row in self.rows.items() if algorithm.search is search)

    def gain(self, row: Measured) -> dict[str, float] | None:
        """How many times fewer nodes and less time than plain minimax; None if the algorithm found nothing."""
        plain = self.rows[ALGORITHMS[0]]
        if row.entry is None:
            return None
        return {"nodes": plain.meter.nodes / row.meter.nodes, "seconds": plain.seconds / row.seconds}

    def __repr__(self) -> str:
        nodes = ", ".join(f"{algorithm.name} {row.meter.nodes:,}" for algorithm, row in self.rows.items())
        return f"<Comparison of {self.game.name} from {self.position}: nodes of {nodes}>"

    def to_dict(self) -> dict[str, object]:
        """The comparison as `perfectplay compare` prints it in JSON."""
        algorithms = [
            {
                "algorithm": algorithm.name,
                "nodes": row.meter.nodes,
                "entries": len(row.meter.cache),
                "seconds": round(row.seconds, 6),
                "speedup": self.gain(row),
                "value": row.entry and value_name(row.entry),
                "distance": row.entry and row.entry.distance,
                "stopped": row.stopped,
            }
            for algorithm, row in self.rows.items()
        ]
        result: dict[str, object] = {"game": self.game.name, "position": self.position, "algorithms": algorithms}
        if self.boards:
            row = self.found_by(symmetric_cache)
            result["cache"] = row.entry and listed(self.game, self.side, row.meter.cache, self.boards)
        return result


@dataclass(frozen=True)
class CyclicComparison(metaclass=Brief):
    """What the usual fixes for minimax, the repairs, find in a game with cycles, depth by depth, and the solution.

    `rows` has what each repair found at each depth; a repair that reached a limit is not run at greater depths.
    """

    game: Game = field(repr=False)
    side: int = field(repr=False)
    cycle: Cycle = field(repr=False)
    truth: Mapping[Position, Entry] = field(repr=False)
    rows: Mapping[int, Mapping[Repair, Measured]] = field(repr=False)
    boards: int = field(default=0, repr=False)

    @property
    def position(self) -> str:
        """The position compared from, as text."""
        return show_position(self.game, self.game.start, self.side)

    @property
    def here(self) -> Entry:
        """The true entry of the position."""
        return self.truth[canonical(self.game)(*self.game.start)]

    def __repr__(self) -> str:
        return f"<CyclicComparison of {self.game.name} from {self.position}: right from depth {right_from(self.here)}>"

    def to_dict(self) -> dict[str, object]:
        """The comparison as `perfectplay compare` prints it in JSON; a repair that was stopped has no value."""
        game, here = self.game, self.here
        result: dict[str, object] = {
            "game": game.name,
            "position": self.position,
            "cycle": list(cycle_positions(game, self.cycle, self.side)),
            "value": value_name(here),
            "distance": here.distance,
            "repairs": [
                {
                    "repair": repair.name,
                    "depth": depth,
                    "value": row.entry and value_name(row.entry),
                    "right": row.entry and row.entry.value == here.value,
                    "nodes": row.meter.nodes,
                }
                for depth, line in self.rows.items()
                for repair, row in line.items()
            ],
            "right_from": right_from(here),
        }
        if self.boards:
            result["cache"] = listed(game, self.side, self.truth, self.boards)
        return result


def compare(
    game: GameLike | Match,
    *,
    position: str | None = None,
    nodes: int = 10**6,
    seconds: float = 20,
    depth: int | None = None,
    boards: int = 0,
    progress: Progress | None = None,
) -> Comparison | CyclicComparison:
    """What each algorithm from plain minimax to a transposition table finds in a position, and how many nodes it takes.

    `nodes` and `seconds` limit each search. For a game with cycles, the usual fixes for minimax are compared instead,
    up to `depth`. `boards` is the number of canonical positions that to_dict() lists.
    """
    whole("nodes", nodes, 1, optional=False)
    check_seconds(seconds, optional=False)
    whole("depth", depth, 0, 10**6)
    whole("boards", boards, 0, optional=False)
    match = match_of(game if isinstance(game, Match) else game_of(game), (), position)
    if match.is_over:
        raise BadPosition(f"position {match.text()}: the game is over, nothing to compare")
    game, side = replace(match.game, start=match.position), match.turn
    cycle = tree_or_cycle(game)
    if isinstance(cycle, Cycle):
        return compared_repairs(game, side, cycle, Effort(nodes, seconds), depth, boards, progress)
    rows = {
        algorithm: measure(algorithm.search, game, game.start, Meter(nodes, seconds))
        for algorithm in told(ALGORITHMS, len(ALGORITHMS), "algorithms", progress)
    }
    return Comparison(game, side, rows, boards)


class Effort(NamedTuple):
    """The limits of a search."""

    nodes: int
    seconds: float


def compared_repairs(
    game: Game, side: int, cycle: Cycle, effort: Effort, depth: int | None, boards: int, progress: Progress | None
) -> CyclicComparison:
    """What the repairs find, and the solution."""
    truth = solved_classes(game)
    if truth is None:
        endless = f"{game.name} can repeat for ever, {cycle_text(game, cycle, side)}"
        raise TooBig(f"{endless}, and has too many positions to compare; solve it instead")
    here = truth[canonical(game)(*game.start)]
    deepest = DRAWN if here.value == DRAW else right_from(here) + FARTHER
    rows = measured_rows(game, deepest if depth is None else depth, effort, progress)
    return CyclicComparison(game, side, cycle, truth, rows, boards)


def right_from(entry: Entry) -> int:
    """The least depth at which a draw at the horizon does no harm: the search sees the end of a decided game."""
    return 0 if entry.value == DRAW or entry.distance is None else entry.distance


def measured_rows(
    game: Game, depth: int, effort: Effort, progress: Progress | None
) -> dict[int, dict[Repair, Measured]]:
    """What the repairs find at depth 0, 1, 2, ... as long as one of them finishes."""
    rows: dict[int, dict[Repair, Measured]] = {}
    waiting = list(REPAIRS)
    for plies in told(range(depth + 1), depth + 1, "depths", progress):
        rows[plies] = {
            repair: measure(partial(repair.find, plies), game, game.start, Meter(*effort)) for repair in waiting
        }
        waiting = [repair for repair, row in rows[plies].items() if row.entry is not None]
        if not waiting:
            break
    return rows


class Shown(NamedTuple):
    """A canonical position to show: the ply at which it is first reached, the side to move there, and its entry."""

    ply: int
    side: int
    position: Position
    entry: Entry


def classes(game: Game, side: int, entries: Mapping[Position, Any]) -> Iterator[Shown]:
    """All canonical positions reachable from the start, where this side is to move, the nearest first."""
    for ply, level in enumerate(levels(folded(game))):
        for position in level:
            yield Shown(ply, (side + ply) % 2, position, entries[position])


def listed(game: Game, side: int, entries: Mapping[Position, Any], most: int) -> list[dict[str, object]]:
    """The first `most` canonical positions, as in JSON."""
    return [
        {
            "position": show_position(game, shown.position, shown.side),
            "value": value_name(shown.entry),
            "distance": shown.entry.distance,
        }
        for shown in islice(classes(game, side, entries), most)
    ]
