"""Best moves and values of any board: by minimax on few squares, else by search, never without a proof."""

from functools import cache, lru_cache

from perfectplay.bits import bit_numbers
from perfectplay.game import COMPILED_BITS, Game, legal_moves
from perfectplay.solvers.lookup_or_solve import best_moves
from perfectplay.words import ONGOING, Entry, Move, Position, TooBig

FEW = 9
"""The most squares of a board whose positions are all looked at."""
SECONDS = 10.0
"""Seconds in which a search must prove its answer."""
INSTEAD = "use random_ai, or the players mcts and threats"


@cache
def entry(game: Game, position: Position) -> Entry:
    """The value and distance of a position of a small game, from all games that can follow."""
    outcome = game.outcome(*position)
    return Entry(outcome, 0) if outcome != ONGOING else max(entries(game, position).values(), key=Entry.preference)


def entries(game: Game, position: Position) -> dict[Move, Entry]:
    """The entry of each move, from the mover's view."""
    return {move: entry(game, game.play(*position, move)).before() for move in bit_numbers(game.moves(*position))}


@lru_cache(maxsize=1 << 16)
def best(game: Game, position: Position) -> list[Move]:
    """The best moves: the quickest wins, else draws, else the latest losses; raises TooBig if none is proven.

    A search that runs out of time leaves out moves that it has not proven to be as good.
    """
    if game.bits <= FEW:
        return best_moves(entries(game, position))
    search = Proof(game)
    good = search.best(position)
    if not good:
        raise search.too_large()
    return good


def value(game: Game, position: Position) -> int:
    """The value of the position to the side to move; raises TooBig if it is not proven."""
    if game.bits <= FEW:
        return entry(game, position).value
    search = Proof(game)
    low, high = search.bounds(position)
    if low != high and low <= 0 <= high:
        raise search.too_large()
    return (low > 0) - (high < 0)


class Proof:
    """A search of a game, limited in time."""

    def __init__(self, game: Game) -> None:
        from perfectplay.solvers.search.alphabeta import Limits, Question  # numba takes half a second to import
        from perfectplay.solvers.search.searcher import searcher_for

        self.game = game
        if game.bits > COMPILED_BITS:
            raise TooBig(f"{game.name} is too large to search; {INSTEAD}")
        self.question = Question(searcher_for(game).search)
        self.limits = Limits(SECONDS)

    def bounds(self, position: Position) -> tuple[int, int]:
        """The bounds of the position's score, as far as they are proven in time."""
        self.question.ask(position)
        while (budget := self.limits.budget()) and not self.question.pursue(budget):
            pass
        return self.question.bounds

    def best(self, position: Position) -> list[Move]:
        """The moves that are proven to be best."""
        from perfectplay.solvers.scores import TOP, Bounds, later

        low, high = self.bounds(position)
        if low != high:
            return []
        least, found = later(low), []
        for move in self.promising(position):
            self.question.ask(self.game.play(*position, move)).expect(Bounds(least, TOP))
            while self.question.bounds.high > least >= self.question.bounds.low and (budget := self.limits.budget()):
                self.question.pursue(budget)
            if self.question.bounds.high <= least:
                found.append(move)
        return sorted(found)

    def promising(self, position: Position) -> list[Move]:
        """The legal moves, the most promising first."""
        order = self.game.order
        moves = legal_moves(self.game, position)
        return sorted(moves, key=lambda move: order(*position, move), reverse=True) if callable(order) else moves

    def too_large(self) -> TooBig:
        """The error for a board that is too large."""
        return TooBig(f"within {SECONDS:g} s a search of {self.game.name} proves no best move; {INSTEAD}")
