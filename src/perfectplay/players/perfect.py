"""`perfect`: keeps the result, wins quickest and loses slowest, from a table of the game or by search."""

from perfectplay.players.seat import Seat
from perfectplay.solve.answers import best_moves, entries_of_moves, lookup_for
from perfectplay.words import Move, Player, Position, TooBig


def perfect_player(seat: Seat) -> Player:
    """A player that never errs, or says when it had no time to be sure; by chance among moves equally good."""
    game, rng = seat.game, seat.rng
    try:
        lookup = lookup_for(game)
    except TooBig:
        return searching_player(seat)

    def choose(position: Position) -> Move:
        return rng.choice(sorted(best_moves(entries_of_moves(game, lookup, position))))

    return choose


def searching_player(seat: Seat) -> Player:
    """The same where there is no table."""
    from perfectplay.solve.alphabeta import Limits  # numba takes half a second to import: only when it is wanted
    from perfectplay.solve.searched import searcher_for
    from perfectplay.solve.steps import finished

    searcher = searcher_for(seat.game)

    def choose(position: Position) -> Move:
        if seat.seconds is None:
            return seat.rng.choice(sorted(searcher.best_moves(position)))
        choice = finished(searcher.choosing(position, Limits(seat.seconds)))
        if not choice.proven:
            seat.say(f"not proven: this is the best move found in {seat.seconds:g} s")
        return seat.rng.choice(sorted(choice.moves))

    return choose
