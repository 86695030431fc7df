"""`routes:3` and `ways:3`: look some plies ahead, and there measure the lines still open to one side alone.

`routes` counts them all, each by its marks. `ways` compares two numbers: the outcome first, where a quicker win and a
later loss are better, and only where that is equal the ways to win, the mover's less the opponent's. A side's ways to
win are the open lines in which it has the most marks, each counted that many times.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from perfectplay.compiler.line_rules import lines_fault
from perfectplay.game import Game, legal_moves
from perfectplay.players.line_games.line_position import Field
from perfectplay.players.player_kind import LINE_GAMES, PlayerKind, PlayerName
from perfectplay.players.seat import Maker, Seat, told_time
from perfectplay.solvers.search.threat_engine import cannot_play
from perfectplay.words import Move, Player, Position

if TYPE_CHECKING:
    from perfectplay.players.models.policies import Policy

Depth = Callable[[int], int]
"""The depth of the search by the number of open squares."""

DEEPEST, DEEPEST_SERVED = 9999, 6
"""The deepest search that a name can ask for, and the deepest that a request to a server can."""


def routes_maker(name: str, depth_of: Depth, seconds: float | None = None, ways: bool = False) -> Maker:
    """The maker of players that search to this depth, as far as their time allows: their seat's, else these seconds."""

    def make(seat: Seat) -> Player:
        field = Field(seat.game, name, ways, seat.stop)

        def choose(position: Position) -> Move:
            moves = legal_moves(seat.game, position)
            best = moves
            field.set_up(position)
            with field.clock.running(told_time(seat, position, seconds)):
                for depth in range(1, depth_of(len(moves)) + 1):
                    scores = scores_after(field, moves, depth)
                    if field.clock.stopped:
                        break
                    best = [move for move in moves if scores[move] == max(scores.values())]
                    moves.sort(key=scores.__getitem__, reverse=True)
            seat.searched(field.clock.nodes)
            return seat.rng.choice(sorted(best))

        return choose

    return make


def scores_after(field: Field, moves: list[Move], depth: int) -> dict[Move, int]:
    """What the moves come to; the best ones exactly, of the others no more than that they are less good."""
    scores: dict[Move, int] = {}
    low = -field.won
    for move in moves:
        scores[move] = field.score_after(move, depth, max(low - 1, -field.won))
        low = max(low, scores[move])
    return scores


def measuring_kind(name: str, about: str, ways: bool) -> PlayerKind:
    """The kind of players that search to the depth in their name and then measure lines."""

    def maker(player_name: PlayerName) -> Maker:
        depth = player_name.whole_number(1, DEEPEST)
        return routes_maker(player_name.text, lambda squares: min(depth, squares), ways=ways)

    def policy(player_name: PlayerName, game: Game) -> "Policy":
        from perfectplay.players.models import line_policies  # numpy: only when it is wanted
        from perfectplay.players.models.policies import Policy

        fault = lines_fault(game)
        if fault:
            raise cannot_play(player_name.text, game, fault)
        measure = line_policies.ways_to_win if ways else line_policies.open_lines
        return Policy(line_policies.best_by_search(player_name.whole_number(1, DEEPEST), measure))

    return PlayerKind(
        name,
        about,
        maker,
        f"{name}:3",
        policy=policy,
        games=LINE_GAMES,
        fault=lambda game, solved: lines_fault(game),
        served=lambda player_name: player_name.whole_number(1, DEEPEST) <= DEEPEST_SERVED,
        compiles=True,
    )


ROUTES = measuring_kind("routes", "searches that many plies ahead, then counts the lines still open", ways=False)
WAYS = measuring_kind(
    "ways",
    "searches that many plies ahead for the outcome; where that is equal, counts ways to win by how close they are",
    ways=True,
)
