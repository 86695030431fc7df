"""`mcts`: plays random games to their end and leans to what wins them, knowing nothing but the rules, mcts:0.5."""

from threading import Timer

from perfectplay.game import COMPILED_BITS, Game, legal_moves
from perfectplay.players.seat import Maker, Seat
from perfectplay.words import Move, Player, Position

NODES = 1 << 20
"""The tree has room for so many positions."""
FEWER_NODES = 1 << 17
"""The same for rules that do not compile."""
AT_ONCE = 1 << 40
MARGIN = 0.005


def mcts_maker(seconds: float | None = None) -> Maker:
    """The maker of players that think so long; as long as their seat says if nothing is said."""

    def make(seat: Seat) -> Player:
        tree = Tree(seat.game)
        tree.best_move(seat.game.start, 0.02, 1)  # compiles or loads, so that no move has to wait for it

        def choose(position: Position) -> Move:
            time = seat.seconds if seconds is None else seconds
            return tree.best_move(position, 1.0 if time is None else time, seat.rng.getrandbits(60) | 1)

        return choose

    return make


class Tree:
    """The tree of one position after another."""

    def __init__(self, game: Game) -> None:
        from perfectplay.engines.tree import load_tree, new_tree  # numba: only when it is wanted

        self.game, self.loops = game, load_tree(game)
        self.arrays = new_tree(game, NODES if game.bits <= COMPILED_BITS else FEWER_NODES)

    def best_move(self, position: Position, seconds: float, dice: int) -> Move:
        """The move that the most random games went through, or one that is proven to win."""
        mine, theirs, firsts, counts, visits, _, proven, state = self.arrays
        used = max(1, int(state[self.loops.SIZE]))
        for array in self.arrays[2:-1]:
            array[:used] = 0
        mine[0], theirs[0] = position
        state[:] = (1, dice, 0)
        alarm = Timer(max(0.001, seconds - MARGIN), self.stop)
        alarm.daemon = True
        alarm.start()
        try:
            self.loops.expand(0, mine, theirs, firsts, counts, proven, state)
            while self.loops.grow(AT_ONCE, *self.arrays) == AT_ONCE:
                pass
        finally:
            alarm.cancel()
        first, count = int(firsts[0]), int(counts[0])
        liking = [liked(int(proven[child]), int(visits[child])) for child in range(first, first + count)]
        return legal_moves(self.game, position)[liking.index(max(liking))]

    def stop(self) -> None:
        """Ends the search, from another thread."""
        self.arrays[-1][self.loops.STOP] = 1


def liked(proven: int, visits: int) -> tuple[int, int]:
    """The greater, the better: a child lost for the other side, then what was tried most, then what is lost."""
    return {1: 2, 3: 0}.get(proven, 1), visits
