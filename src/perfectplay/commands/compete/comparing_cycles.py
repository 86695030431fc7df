"""The usual fixes for minimax in a game with cycles, the repairs: what they find, depth by depth, and the solution."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from perfectplay.commands.compete.compared_players import ComparedPlayer, labels, move_text, player_notes
from perfectplay.commands.terminal.arguments import Progress, told
from perfectplay.commands.terminal.draw_many import drawn_classes, listed, short_text, title_of
from perfectplay.game import Game, canonical, unequal_scores
from perfectplay.insight.ladder import REPAIRS, Measured, Meter, Repair, measure
from perfectplay.insight.ladder.algorithms import solved_classes
from perfectplay.rules.notation import move_name, number_of, show_position, value_name
from perfectplay.solvers.search.tree_size import Cycle, cycle_positions, cycle_text
from perfectplay.solvers.unsolved import advice
from perfectplay.views.document import Beside, Board, Cell, Document, Folded, Notes, Seen, Table, Valued
from perfectplay.views.result import ResultClass
from perfectplay.words import DRAW, Entry, Position, TooBig

DRAWN = 8
"""The default depth if the value is a draw, which every depth finds."""
FARTHER = 2
"""How many plies beyond the end of the game to search by default: a right answer may become wrong again."""


@dataclass(frozen=True)
class CyclicComparison(metaclass=ResultClass):
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

    def document(self) -> Document:
        """What the repairs find, depth by depth, whether that is right, and how the players do."""
        game, here = self.game, self.here
        right = [right_from(entry) for entry in self.truth.values()]
        wide = max(len(f"{row.meter.nodes:,}") for line in self.rows.values() for row in line.values())
        rows = [
            (
                str(depth),
                *(repair_cell(line.get(repair), here, wide) for repair in REPAIRS),
                f"{sum(one > depth for one in right):,}",
            )
            for depth, line in self.rows.items()
        ]
        return Document(
            title_of(self.game, self.side),
            Notes(
                f"can repeat for ever, {cycle_text(game, self.cycle, self.side)}:",
                f"plain minimax would never end; use perfectplay solve {game.name}; the truth here: {short_text(here)}",
                strong=True,
            ),
            Beside(
                Seen(Board(game, game.start, self.side)),
                [
                    Table(rows, ("depth", *(repair.name for repair in REPAIRS), "wrong")),
                    Notes(
                        "✓ right, ✗ wrong value, or wrong distance; then the nodes, the root included",
                        f"wrong: the canonical positions in which horizon is wrong at that depth, of {len(right):,}",
                        f"horizon is right here from depth {right_from(here)} on, "
                        f"everywhere from depth {max(right)} on",
                        "a win or loss that is found is real; a draw may be a win or a loss beyond the horizon",
                    ),
                ],
            ),
            Folded("the repairs", Table([(repair.name, repair.about) for repair in REPAIRS])),
            Notes(*unequal_lines(self)),
            Notes(*map(played_text, self.players, labels(self.players))),
            *player_notes(self.players),
            *(drawn_classes(game, self.side, self.truth, self.boards) if self.boards else ()),
        )

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


# Repairs as people read them: a table, depth by depth.


def repair_cell(row: Measured | None, truth: Entry, wide: int) -> Cell:
    """What a repair found, whether that is right, and the nodes."""
    if row is None:
        return "-"
    mark = "" if row.entry is None else "✓" if is_right(row.entry, truth) else "✗"
    words = "stopped" if row.entry is None else f"{value_name(row.entry):<4} {mark}"
    return Valued(row.entry and value_name(row.entry), f"{words:<7}{row.meter.nodes:>{wide + 1},}")


def unequal_lines(found: CyclicComparison) -> Iterator[str]:
    """Which repairs give symmetric moves different scores, and at which depths."""
    for repair in REPAIRS:
        rows = {depth: line[repair] for depth, line in found.rows.items() if repair in line}
        unequal = {depth: scores for depth, row in rows.items() if (scores := found.unequal(row))}
        if unequal:
            depths = f"depth{'s' * (len(unequal) > 1)} {', '.join(map(str, unequal))}"
            first = ", ".join(f"{move} {score}" for move, score in next(iter(unequal.values())).items())
            yield f"{repair.name} gives symmetric moves different scores at {depths}, first {first}"


def played_text(player: ComparedPlayer, name: str) -> str:
    """The move of a player, what it leads to, and the nodes if they were counted; or why it has none."""
    if not player.move:
        return f"{player.player} {player.fault}"
    nodes = "" if player.calls is None else f"; {number_of(player.calls, 'node')}"
    return f"{name} plays {move_text(player.move, player.leads_to, player.best)}{nodes}"
