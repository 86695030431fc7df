"""`perfect`: keeps the result, wins quickest and loses slowest, or plays for points; from a table or by search."""

from functools import cache

from perfectplay.players.choice import Choice, MovesAt
from perfectplay.players.line_games.threats_player import threats_player
from perfectplay.players.monte_carlo.mcts_player import mcts_player
from perfectplay.players.player_kind import PlayerKind, suits_searched
from perfectplay.players.seat import PROVING_SECONDS, Seat, told_time
from perfectplay.solvers.lookup_or_solve import best_moves, entries_of_moves, lookup_for
from perfectplay.solvers.search.search_clock import alarm_after
from perfectplay.solvers.search.threat_engine import threats_fault
from perfectplay.words import Move, Position, TooBig


def best_moves_at(seat: Seat) -> MovesAt:
    """The moves that best play may choose among, from a table if there is one."""
    try:
        lookup = lookup_for(seat.game)
    except TooBig:
        return searched_moves_at(seat)
    return lambda position: sorted(best_moves(entries_of_moves(seat.game, lookup, position)))


def searched_moves_at(seat: Seat) -> MovesAt:
    """The same where there is no table: half of the time goes into a proof, the rest into a move where there is none.

    A search that ends without a proof knows nothing of the moves that it did not refute. Then the player chooses among
    them as the strongest player without proofs does.
    """
    from perfectplay.solvers.search.alphabeta import Limits  # numpy: only when it is wanted
    from perfectplay.solvers.search.searcher import searcher_for
    from perfectplay.solvers.steps import finished

    searcher = searcher_for(seat.game)
    if not seat.lazy:
        searcher.prepare()
    thinking = mcts_player if threats_fault(seat.game) else threats_player
    thinker = cache(lambda: thinking(seat, half))  # made when the first move is not proven

    def half(position: Position) -> float:
        return told_time(seat, position, PROVING_SECONDS) / 2

    def moves(position: Position) -> list[Move]:
        searcher.prepare(position)
        limits = Limits(half(position), None, seat.threads)
        with alarm_after(None, limits.stop, seat.stop):
            choice = finished(searcher.choosing(position, limits))
        seat.searched(choice.nodes)
        if choice.proven:
            return sorted(choice.moves)
        seat.say(f"not proven: this is the best move found in {2 * half(position):g} s")
        thought = thinker()(position) if len(choice.unclear) > 1 else None
        return [thought] if thought in choice.unclear else sorted(choice.moves)

    return moves


BEST = Choice(best_moves_at, lambda graph: graph.best(graph.scores))

PERFECT = PlayerKind(
    "perfect",
    "keeps the result, wins quickest and loses slowest; where points count, gets the most",
    BEST.maker,
    policy=BEST.policy,
    fault=suits_searched,
    label="Perfect",
    compiles=True,
)
