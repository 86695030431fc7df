"""Proofs by threats on a large board of lines: wins and losses with the plies they take at most, never an opinion.

Squares tell exactly who wins within four plies: a side with a five wins in 1; one that faces a five anywhere else
loses in 2; a mark that makes an open four, or two fours, wins in 3. Beyond that a search by open threes and fours
proves wins, whose length is the most that they take. What it does not find is open.
"""

from functools import lru_cache
from random import Random

from perfectplay.game import Game, legal_moves
from perfectplay.solvers.scores import TOP, Bounds
from perfectplay.solvers.search.search_clock import NODES
from perfectplay.solvers.search.threat_engine import Engine, set_up
from perfectplay.solvers.worth import Study, Worth, best_first, best_of, worth_of
from perfectplay.words import ONGOING, Move, Position

PROOF_NODES = 1_000_000
"""The nodes of an analysis, if no other limit is set; a second or two."""


class Proofs:
    """The study of one position after another by the engine of the player `threats`."""

    def __init__(self, game: Game) -> None:
        assert game.winning_lines is not None
        self.game, self.lines = game, tuple(game.winning_lines())
        self.engine = Engine(game, Random(1))
        self.board, self.loops = self.engine.board, self.engine.loops
        self.nodes = 0

    def study(self, position: Position, seconds: float | None = None, nodes: int | None = None) -> Study:
        """The study of the position within these limits."""
        outcome = self.game.outcome(*position)
        if outcome != ONGOING:
            return Study(worth_of(Bounds(outcome * TOP, outcome * TOP), 0), {})
        set_up(self.loops, self.board, position)
        self.nodes = budget = PROOF_NODES if nodes is None else nodes
        moves = self.at_a_glance(position)
        with self.engine.clock.running(seconds):
            here = best_of([*moves.values()])
            if here.bounds.low < 0 < here.bounds.high:
                self.look_for_a_win(moves)
            if best_of([*moves.values()]).bounds.low < 0:
                self.look_for_losses(moves)
        return Study(best_of([*moves.values()]), best_first(moves), budget - max(0, self.nodes))

    def at_a_glance(self, position: Position) -> dict[Move, Worth]:
        """The worth of each move by the squares alone: every end within four plies, and lines still open."""
        mine, theirs = position
        hopes = [any(line & word == 0 for line in self.lines) for word in (theirs, mine)]
        fives = [self.squares(side, self.loops.FIVE) for side in (0, 1)]
        empty = self.board.area - self.board.count
        return {move: self.glance(move, fives, hopes, empty) for move in legal_moves(self.game, position)}

    def squares(self, side: int, kind: int) -> set[Move]:
        """The empty squares on which a mark of the side would do at least this."""
        buffer, never = self.engine.stack[0][0], self.loops.NEVER
        count = self.loops.squares_of_kind(self.board, side, kind, never, buffer)
        return {int(square) & self.loops.LOW for square in buffer[:count]}

    def glance(self, move: Move, fives: list[set[Move]], hopes: list[bool], empty: int) -> Worth:
        """The worth of a move by the squares, `empty` of which are left."""
        if move in fives[0]:
            return end_worth(TOP - 1)
        if fives[1] - {move}:
            return end_worth(2 - TOP)
        self.loops.put(self.board, move, 0)
        stops = self.squares(0, self.loops.FIVE)  # the other side must take them all
        wins = self.squares(1, self.loops.WINNING)
        self.loops.take(self.board, move)
        if len(stops) > 1:
            return end_worth(TOP - 3)
        if wins & stops if stops else wins:
            return end_worth(4 - TOP)
        low = 6 - TOP if hopes[1] and empty >= 6 else 0
        high = TOP - 5 if hopes[0] and empty >= 5 else 0
        return worth_of(Bounds(low, high), empty)

    def look_for_a_win(self, moves: dict[Move, Worth]) -> None:
        """Writes down the first move of a win by force, if one is found with half of the nodes."""
        plies = self.plies_to_win(0, self.nodes // 2)
        if plies is not None:
            move = int(self.engine.stack[1][0, self.loops.BEST_MOVE])
            moves[move] = moves[move].narrowed(Worth(Bounds(TOP - plies, TOP)))

    def look_for_losses(self, moves: dict[Move, Worth]) -> None:
        """Writes down after which moves the other side wins by force, if it would win after a pass: no mark harms."""
        candidates = [move for move, worth in moves.items() if worth.value is None]
        if not self.squares(1, self.loops.FIVE) and self.plies_to_win(1, self.nodes // 2) is None:
            return
        for number, move in enumerate(candidates):
            self.loops.put(self.board, move, 0)
            plies = self.plies_to_win(1, self.nodes // (len(candidates) - number))
            self.loops.take(self.board, move)
            if plies is not None:
                moves[move] = moves[move].narrowed(Worth(Bounds(-TOP, plies + 1 - TOP)))

    def plies_to_win(self, side: int, nodes: int) -> int | None:
        """The plies within which a side to move wins by force, if that is found within `nodes`."""
        for mode in (self.loops.FOURS, self.loops.THREES):
            plies = self.engine.plies_to_win(side, mode, nodes // 2)
            self.nodes -= int(self.engine.clock.work[NODES])
            if plies is not None:
                return plies
        return None


def end_worth(score: int) -> Worth:
    """The worth of a move with this score."""
    return worth_of(Bounds(score, score))


@lru_cache(maxsize=2)
def proofs_for(game: Game) -> Proofs:
    """The proofs of a game whose threats can be searched; raises BadPlayer for others."""
    return Proofs(game)
