"""`routes:3`: looks some plies ahead and counts the lines still open; `easy`, `medium` and `hard` do the same."""

from collections.abc import Callable

from perfectplay.engines.line_rules import lines_fault
from perfectplay.game import legal_moves
from perfectplay.players.line_games.line_position import Field
from perfectplay.players.player_kind import LINE_GAMES, PlayerKind, PlayerName
from perfectplay.players.seat import THINKING_SECONDS, Maker, Seat
from perfectplay.words import Move, Player, Position

Depth = Callable[[int], int]
"""The depth of the search by the number of open squares."""

DEEPEST, DEEPEST_SERVED = 9999, 6
"""The deepest search that a name can ask for, and the deepest that a request to a server can."""


def routes_maker(name: str, depth_of: Depth, seconds: float | None = None) -> Maker:
    """The maker of players that search to this depth, as far as their time allows: their seat's, else these seconds."""

    def make(seat: Seat) -> Player:
        field = Field(seat.game, name)
        time = seconds if seat.seconds is None else seat.seconds

        def choose(position: Position) -> Move:
            moves = legal_moves(seat.game, position)
            best = moves
            field.set_up(position)
            with field.clock.running(time):
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


def routes_of_depth(name: PlayerName) -> Maker:
    """The maker of players that search to the depth in their name."""
    depth = name.whole_number(1, DEEPEST)
    return routes_maker(name.text, lambda squares: min(depth, squares))


def open_lines_kind(name: str, about: str, depth_of: Depth, seconds: float | None = THINKING_SECONDS) -> PlayerKind:
    """The kind of `routes` players whose depth depends on the board."""
    return PlayerKind(
        name,
        about,
        lambda written: routes_maker(written.text, depth_of, seconds),
        games=LINE_GAMES,
        fault=lambda game, solved: lines_fault(game),
    )


ROUTES = PlayerKind(
    "routes",
    "searches that many plies ahead, then counts the lines still open",
    routes_of_depth,
    "routes:3",
    games=LINE_GAMES,
    fault=lambda game, solved: lines_fault(game),
    served=lambda name: name.whole_number(1, DEEPEST) <= DEEPEST_SERVED,
)
EASY = open_lines_kind("easy", "routes:3", lambda squares: min(3, squares), None)
MEDIUM = open_lines_kind(
    "medium",
    "routes, half as deep as there are open squares, as far as its time allows",
    lambda squares: max(1, squares // 2),
)
HARD = open_lines_kind(
    "hard",
    "routes, one ply less deep than there are open squares, as far as its time allows",
    lambda squares: max(1, squares - 1),
)
