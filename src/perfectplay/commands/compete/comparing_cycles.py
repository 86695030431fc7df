"""The usual fixes for minimax in a game with cycles, the repairs: what they find, depth by depth, and the solution."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from perfectplay.commands.compete.compared_players import ComparedPlayer
from perfectplay.commands.terminal.arguments import Progress, told
from perfectplay.commands.terminal.draw_many import listed
from perfectplay.game import Game, canonical, unequal_scores
from perfectplay.insight.ladder import REPAIRS, Measured, Meter, Repair, measure
from perfectplay.insight.ladder.algorithms import solved_classes
from perfectplay.rules.notation import move_name, show_position, value_name
from perfectplay.solvers.lookup_or_solve import advice
from perfectplay.solvers.search.tree_size import Cycle, cycle_positions, cycle_text
from perfectplay.words import DRAW, Brief, Entry, Position, TooBig, in_notebook

DRAWN = 8
"""The default depth if the value is a draw, which every depth finds."""
FARTHER = 2
"""How many plies beyond the end of the game to search by default: a right answer may become wrong again."""


@dataclass(frozen=True)
class CyclicComparison(metaclass=Brief):
    """What the usual fixes for minimax, the repairs, find in a game with cycles, depth by depth, and the solution.

    `rows` has what each repair found at each depth; a repair that reached a limit is not run at greater depths.
    `players` has what players of your own do there.
    """

    game: Game = field(repr=False)
    side: int = field(repr=False)
    cycle: Cycle = field(repr=False)
    truth: Mapping[Position, Entry] = field(repr=False)
    rows: Mapping[int, Mapping[Repair, Measured]] = field(repr=False)
    boards: int = field(default=0, repr=False)
    players: tuple[ComparedPlayer, ...] = field(default=(), repr=False)

    @property
    def position(self) -> str:
        """The position compared from, as text."""
        return show_position(self.game, self.game.start, self.side)

    @property
    def here(self) -> Entry:
        """The true entry of the position."""
        return self.truth[canonical(self.game)(*self.game.start)]

    def unequal(self, row: Measured) -> dict[str, int] | None:
        """The first two symmetric moves with the different scores that a repair gives them; None if there are none."""
        game, start = self.game, self.game.start
        moves = unequal_scores(game, start, row.meter.scores) if row.entry else None
        return moves and {move_name(game, start, self.side, move): row.meter.scores[move] for move in moves}

    def __repr__(self) -> str:
        return f"<CyclicComparison of {self.game.name} from {self.position}: right from depth {right_from(self.here)}>"

    def __str__(self) -> str:
        return cyclic_text(self.to_dict())

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
                    "distance": row.entry and row.entry.distance,
                    "right": row.entry and is_right(row.entry, here),
                    "nodes": row.meter.nodes,
                    "unequal": self.unequal(row),
                }
                for depth, line in self.rows.items()
                for repair, row in line.items()
            ],
            "right_from": right_from(here),
        }
        if self.players:
            result["players"] = [player.to_dict() for player in self.players]
        if self.boards:
            result["cache"] = listed(game, self.side, self.truth, self.boards)
        return result

    _repr_html_ = in_notebook


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
        raise TooBig(f"{endless}, and has too many positions to compare; {advice(game)}")
    here = truth[canonical(game)(*game.start)]
    deepest = DRAWN if here.value == DRAW else right_from(here) + FARTHER
    rows = measured_rows(game, deepest if depth is None else depth, effort, progress)
    return CyclicComparison(game, side, cycle, truth, rows, boards)


def is_right(found: Entry, true: Entry) -> bool:
    """Whether a repair found the true value, and the true distance if it found one."""
    return found.value == true.value and found.distance in (None, true.distance)


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


# Comparisons as people read them in a terminal: a table of algorithms, or of repairs depth by depth.


Facts = dict[str, Any]


def comparison_text(facts: Facts) -> str:
    """A line for each algorithm and each player: its nodes, its time, what it finds and the move it plays."""
    rows = [["algorithm", "nodes", "ms", "finds", "plays"]]
    for one in facts["algorithms"]:
        finds = one["stopped"] or found_text(one)
        rows.append([one["algorithm"], f"{one['nodes']:,}", milliseconds(one), finds, one["move"] or "-"])
    for one in facts.get("players", ()):
        calls = "-" if one["calls"] is None else f"{one['calls']:,}"
        rows.append([one["player"], calls, milliseconds(one), "-", one["move"] or one["fault"] or "-"])
    return "\n".join([f"{facts['game']} from {facts['position']}", "", *aligned(rows, right=(1, 2))])


def cyclic_text(facts: Facts) -> str:
    """A line for each depth: what each repair finds there, whether it is right, and its nodes."""
    names = list(dict.fromkeys(one["repair"] for one in facts["repairs"]))
    cells = {(one["depth"], one["repair"]): repair_text(one) for one in facts["repairs"]}
    depths = dict.fromkeys(one["depth"] for one in facts["repairs"])
    rows = [["depth", *names], *([str(depth), *(cells.get((depth, name), "-") for name in names)] for depth in depths)]
    truth = f"the truth is a {found_text(facts)}, and the horizon is right from depth {facts['right_from']} on"
    heading = f"{facts['game']} from {facts['position']} can repeat for ever; {truth}"
    return "\n".join([heading, "", *aligned(rows, right=(0,))])


def repair_text(one: Facts) -> str:
    """What a repair finds at a depth."""
    if one["value"] is None:
        return f"stopped after {one['nodes']:,}"
    return f"{one['value']}, {'right' if one['right'] else 'wrong'}, {one['nodes']:,} nodes"


def found_text(one: Facts) -> str:
    """A value with its distance or its points."""
    if one.get("margin"):
        return f"{one['value']} by {abs(one['margin'])}"
    return one["value"] if one["distance"] is None else f"{one['value']} in {one['distance']}"


def milliseconds(one: Facts) -> str:
    """A time in milliseconds."""
    return f"{1000 * one['seconds']:,.1f}"


def aligned(rows: Sequence[Sequence[str]], right: Sequence[int]) -> list[str]:
    """The rows as lines, columns below each other."""
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(f"{cell:>{wide[i]}}" if i in right else f"{cell:<{wide[i]}}" for i, cell in enumerate(row)).rstrip()
        for row in rows
    ]
