"""Players for boards of lines of any size: `squares`, `routes:3`, `ways:3` and `threats`.

`routes` and `ways` look some plies ahead, and there measure the lines still open to one side alone. `routes` counts
them all, each by its marks. `ways` compares two numbers: the outcome first, where a quicker win and a later loss are
better, and only where that is equal the ways to win, the mover's less the opponent's. A side's ways to win are the open
lines in which it has the most marks, each counted that many times.
"""

from collections.abc import Callable
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from perfectplay.bits import bit_numbers
from perfectplay.compiler.line_rules import full_line_outcome, lines_fault
from perfectplay.game import Game, legal_moves
from perfectplay.players.player_kind import ANY_MOVE, LINE_GAMES, Liking, PlayerKind, PlayerName, served_plain
from perfectplay.players.seat import Maker, Seat, thinking_for, told_time
from perfectplay.solvers.search.search_clock import Clock, StopSignal
from perfectplay.solvers.search.threat_engine import Engine, cannot_play, set_up, threats_fault
from perfectplay.words import LOSS, Move, Player, Position

if TYPE_CHECKING:
    from perfectplay.players.models.policies import Policy

Depth = Callable[[int], int]
"""The depth of the search by the number of open squares."""
PATTERNS = ("players/line_games/line_board", "players/line_games/open_lines_search")
"""The loops for boards of lines, compiled once for all of them: patterns without a game's rules."""
DEEPEST, DEEPEST_SERVED = 9999, 6
"""The deepest search that a name can ask for, and the deepest that a request to a server can."""


def check_lines(player: str, game: Game) -> None:
    """Raises BadPlayer for a game that is not a line game."""
    fault = lines_fault(game)
    if fault:
        raise cannot_play(player, game, fault)


class Field:
    """The board of a game, the side to move always 0; with `ways` only the ways to win are measured."""

    def __init__(self, game: Game, player: str, ways: bool = False, stop: StopSignal | None = None) -> None:
        check_lines(player, game)
        from perfectplay.compiler.compiled import NO_RULES, load_pattern  # numba: only when it is wanted

        self.clock, self.loops = Clock(stop), load_pattern(PATTERNS, NO_RULES, "")
        self.board = board_with_lines(self.loops, game)
        self.stack = self.loops.new_stack(self.board.area)
        self.won: int = self.loops.WON
        self.sign = 1 if full_line_outcome(game) == LOSS else -1
        self.measure: int = self.loops.WAYS if ways else self.loops.OPEN_LINES
        self.set_up(game.start)
        self.score_after(0, 1)  # compiles or loads, so that no move has to wait for it

    def set_up(self, position: Position) -> None:
        """Puts the marks of a position on the board."""
        set_up(self.loops, self.board, position)
        self.stack[-1][:] = 0

    def score_after(self, move: Move, depth: int, low: int | None = None) -> int:
        """What a move of side 0 comes to, looked at to that depth, the move counted; at most `low` if it is no more."""
        high = self.won if low is None else -low
        self.loops.put(self.board, move, 0)
        how = self.sign, self.measure, *self.stack, self.clock.work
        score = self.loops.search(self.board, 1, depth - 1, -self.won, high, *how)
        self.loops.take(self.board, move)
        return -int(score)


def board_with_lines(loops: Any, game: Game) -> Any:
    """The empty board with the game's lines."""
    assert game.winning_lines is not None
    return loops.new_board(game.shape[0] * game.shape[1], [bit_numbers(line) for line in game.winning_lines()])


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
        from perfectplay.players.models import policies  # numpy: only when it is wanted

        check_lines(player_name.text, game)
        measure = policies.ways_to_win if ways else policies.open_lines
        return policies.Policy(policies.best_by_search(player_name.whole_number(1, DEEPEST), measure))

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


# `threats`: an engine for large boards: searches near marks, and for wins by fours and open threes.


def threats_player(seat: Seat, time_for: Callable[[Position], float]) -> Player:
    """A player that thinks about a position as long as the function says."""
    engine = Engine(seat.game, seat.rng, seat.stop)

    def choose(position: Position) -> Move:
        move = engine.choose(position, time_for(position))
        seat.searched(engine.clock.nodes)
        return move

    return choose


THREATS = PlayerKind(
    "threats",
    "an engine for large boards, with that many seconds per move",
    lambda name: thinking_for(threats_player, name.seconds()),
    "threats:0.5",
    bare=True,
    games=LINE_GAMES,
    fault=lambda game, solved: threats_fault(game),
    label="Threats",
    timed=True,
    served=served_plain,
    compiles=True,
)


# `squares`: takes a square that most winning lines go through: on 3x3 the centre, then corners, then edges.


@lru_cache(maxsize=8)
def square_values(game: Game) -> list[int]:
    """For each square how many winning lines go through it; the negative where a full line loses."""
    assert game.winning_lines is not None
    values, sign = [0] * (game.shape[0] * game.shape[1]), 1 if full_line_outcome(game) == LOSS else -1
    for line in game.winning_lines():
        for square in bit_numbers(line):
            values[square] += sign
    return values


def value_of(game: Game, position: Position, move: Move) -> int:
    """What the square that the move takes is worth, whatever stands on the board."""
    return square_values(game)[move]


A_GOOD_SQUARE = ANY_MOVE._replace(suits=partial(check_lines, "squares")).preferring(Liking(value_of))

SQUARES = PlayerKind(
    "squares",
    "takes the square that the most winning lines go through, whatever stands on the board",
    A_GOOD_SQUARE.maker,
    policy=A_GOOD_SQUARE.policy,
    games=LINE_GAMES,
    fault=lambda game, solved: lines_fault(game),
)
