"""`perfect`: keeps the result, wins quickest and loses slowest, or plays for points; from a table or by search."""

from functools import cache
from typing import TYPE_CHECKING

from perfectplay.game import Game, moves_again
from perfectplay.players.line_games.line_players import threats_player
from perfectplay.players.monte_carlo.mcts_player import mcts_player
from perfectplay.players.named.one_ply_players import winning_moves
from perfectplay.players.player_kind import (
    SOLVED_GAMES,
    Liking,
    MovesAt,
    MoveSet,
    PlayerKind,
    PlayerName,
    suits_searched,
    suits_solved,
)
from perfectplay.players.seat import PROVING_SECONDS, Seat, told_time
from perfectplay.rules.notation import moves_are_squares
from perfectplay.solvers.oracle import SearchOracle, solved_oracle, table_oracle
from perfectplay.solvers.search.search_clock import Limits, alarm_after
from perfectplay.solvers.search.threat_engine import threats_fault
from perfectplay.solvers.steps import finished
from perfectplay.words import Move, Player, Position, Sides

if TYPE_CHECKING:
    from perfectplay.players.models.policies import Policy


def best_moves_at(seat: Seat) -> MovesAt:
    """The moves that best play may choose among, from a table if there is one."""
    table = table_oracle(seat.game)
    return searched_moves_at(seat) if table is None else lambda position: sorted(table.study(position).best)


def searched_moves_at(seat: Seat) -> MovesAt:
    """The same where there is no table: half of the time goes into a proof, the rest into a move where there is none.

    A search that ends without a proof knows nothing of the moves that it did not refute. Then the player chooses among
    them as the strongest player without proofs does.
    """
    oracle = SearchOracle(seat.game)
    oracle.prepare(seat.game.start if seat.lazy else None)  # raises where nothing can be searched: no such player
    thinking = mcts_player if threats_fault(seat.game) else threats_player
    thinker = cache(lambda: thinking(seat, half))  # made when the first move is not proven

    def half(position: Position) -> float:
        return told_time(seat, position, PROVING_SECONDS) / 2

    def moves(position: Position) -> list[Move]:
        oracle.prepare(position)
        limits = Limits(half(position), None, seat.threads)
        with alarm_after(None, limits.stop, seat.stop):
            choice = finished(oracle.choosing(position, limits))
        seat.searched(choice.nodes)
        if choice.proven:
            return sorted(choice.moves)
        seat.say(f"not proven: this is the best move found in {2 * half(position):g} s")
        thought = thinker()(position) if len(choice.unclear) > 1 else None
        return [thought] if thought in choice.unclear else sorted(choice.moves)

    return moves


BEST = MoveSet(best_moves_at, lambda graph: graph.best(graph.scores))

PERFECT = PlayerKind(
    "perfect",
    "keeps the result, wins quickest and loses slowest; where points count, gets the most",
    BEST.maker,
    policy=BEST.policy,
    fault=suits_searched,
    label="Perfect",
    compiles=True,
)


# `dawdling`: minimax without regard to distance, as it is often written first.
#
# It keeps the result, and takes the first such move. A win in one ply is no better to it than a win in nine, so it may
# put a win off again and again; in games with cycles it may never win a won game.


def dawdling_player(seat: Seat) -> Player:
    """A player that takes the first move of the best value."""
    oracle = solved_oracle(seat.game)
    return lambda position: min(oracle.study(position).keeping)


def dawdling(name: PlayerName, game: Game) -> "Policy":
    """The first move of the best value; images of a position have other first moves."""
    from perfectplay.players.models import policies  # numpy: only when it is wanted

    return policies.Policy(policies.first_of(lambda graph: graph.best(graph.results)), symmetric=False)


DAWDLING = PlayerKind(
    "dawdling",
    "minimax without regard to distance: the first move that keeps the result, so it may never finish a won game",
    lambda name: dawdling_player,
    policy=dawdling,
    games=SOLVED_GAMES,
    fault=suits_solved,
)


# `tricky`: perfect, and among moves that are worth the same prefers threats and corners.
#
# The classic hand-made tie-break of street-smart players, a number that only decides between equally good moves.


def trick(game: Game, position: Position, move: Move) -> int:
    """How tricky the move is: the threats that it leaves on the board, then whether it takes a corner."""
    return 2 * threats(game, position, move) + is_corner(game, move)


def threats(game: Game, position: Position, move: Move) -> int:
    """How many moves would win at once if the side that makes this move could move again, or does."""
    child = game.play(*position, move)
    if moves_again(game, position, move):
        return len(winning_moves(game, child))
    if not words_alike(game):
        return 0
    theirs, mine = child
    return len(winning_moves(game, (mine, theirs)))


def words_alike(game: Game) -> bool:
    """Whether both sides see the board the same way, so that the words can change places."""
    if isinstance(game.cells, Sides):
        return False
    return not any(len(spot) == 3 for cell in game.cells if not isinstance(cell, int) for spot in cell)


def is_corner(game: Game, move: Move) -> bool:
    """Whether the move takes a corner of the board."""
    width, height = game.shape
    return moves_are_squares(game) and move in (0, width - 1, (height - 1) * width, height * width - 1)


TRICKIEST = BEST.preferring(Liking(trick))

TRICKY = PlayerKind(
    "tricky",
    "perfect, and among moves that are worth the same prefers threats and corners",
    TRICKIEST.maker,
    policy=TRICKIEST.policy,
    aliases=("street_smart_minimax_ai", "street_smart_minmax_ai"),
    fault=suits_searched,
)
