"""`perfect`: keeps the result, wins quickest and loses slowest, from a table of the game or by search."""

from collections.abc import Callable
from functools import cache

from perfectplay.players.line_games.threats_player import threats_fault, threats_maker
from perfectplay.players.monte_carlo.mcts_player import mcts_maker
from perfectplay.players.seat import PROVING_SECONDS, Seat
from perfectplay.solve.lookup_or_solve import best_moves, entries_of_moves, lookup_for
from perfectplay.words import Move, Player, Position, TooBig

Choices = Callable[[Position], list[Move]]
"""The moves that best play may choose among."""


def perfect_player(seat: Seat) -> Player:
    """A player that never errs, or says when it had no time to be sure; by chance among moves equally good."""
    choices = choices_of(seat)
    return lambda position: seat.rng.choice(sorted(choices(position)))


def choices_of(seat: Seat) -> Choices:
    """The best moves of a position, from a table if there is one."""
    try:
        lookup = lookup_for(seat.game)
    except TooBig:
        return searched_choices(seat)
    return lambda position: best_moves(entries_of_moves(seat.game, lookup, position))


def searched_choices(seat: Seat) -> Choices:
    """The same where there is no table: half of the time goes into a proof, the rest into a move where there is none.

    A search that ends without a proof knows nothing of the moves that it did not refute. Then the player chooses among
    them that is best without one.
    """
    from perfectplay.solve.alphabeta import Limits  # numba takes half a second to import: only when it is wanted
    from perfectplay.solve.searcher import searcher_for
    from perfectplay.solve.steps import finished

    searcher = searcher_for(seat.game)
    seconds = PROVING_SECONDS if seat.seconds is None else seat.seconds
    maker = mcts_maker if threats_fault(seat.game) else threats_maker
    thinker = cache(lambda: maker(seconds / 2)(seat))  # made when the first move is not proven

    def choices(position: Position) -> list[Move]:
        choice = finished(searcher.choosing(position, Limits(seconds / 2)))
        if choice.proven:
            return choice.moves
        seat.say(f"not proven: this is the best move found in {seconds:g} s")
        thought = thinker()(position) if len(choice.unclear) > 1 else None
        return [thought] if thought in choice.unclear else choice.moves

    return choices
