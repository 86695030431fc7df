"""`mcts`: Monte Carlo tree search, with nothing but the rules of the game."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from perfectplay.compiler.line_rules import full_line_outcome, lines_fault
from perfectplay.game import COMPILED_BITS, Game, legal_moves
from perfectplay.players.line_games.line_players import board_with_lines
from perfectplay.players.player_kind import PlayerKind, served_plain
from perfectplay.players.seat import Seat, thinking_for
from perfectplay.solvers.search.search_clock import StopSignal, alarm_after
from perfectplay.solvers.search.threat_engine import set_up
from perfectplay.words import LOSS, Move, NotCompiled, Player, Position

NODES = 1 << 20
"""The most nodes of the tree."""
FEWER_NODES = 1 << 17
"""The same for rules that do not compile."""
AT_ONCE = 1 << 40


def mcts_player(seat: Seat, time_for: Callable[[Position], float]) -> Player:
    """A player that thinks about a position as long as the function says."""
    tree = tree_for(seat.game)

    def choose(position: Position) -> Move:
        move = tree.best_move(position, time_for(position), seat.rng.getrandbits(60) | 1, seat.stop)
        seat.searched(int(tree.state[tree.loops.SIZE]))
        return move

    return choose


def tree_for(game: Game) -> "Tree":
    """The tree of a game: of words if its rules compile, else by the rules as they are.

    Where a word is more than a machine's, a board of lines is faster, if the game is one.
    """
    if game.bits > COMPILED_BITS and not lines_fault(game):
        return warm_up(LinesTree(game))
    with suppress(Exception):  # what a compiler says of rules that it cannot take
        return warm_up(WordsTree(game, compiled=True))
    return warm_up(WordsTree(game, compiled=False) if lines_fault(game) else LinesTree(game))


def warm_up(tree: "Tree") -> "Tree":
    """The tree when it is compiled or loaded, so that no move has to wait for it."""
    tree.best_move(tree.game.start, 0.0, 1)
    return tree


class Tree(ABC):
    """The tree of one position after another, in arrays."""

    def __init__(self, game: Game, loops: Any, size: int) -> None:
        import numpy as np  # only when it is wanted

        self.game, self.loops = game, loops
        self.firsts, self.counts, self.visits = (np.zeros(size, np.int64) for _ in range(3))
        self.points, self.state = np.zeros(size), np.zeros(3, np.int64)
        self.proven, self.same = np.zeros(size, np.int8), np.zeros(size, np.int8)
        self.nodes = (self.firsts, self.counts, self.visits, self.points, self.proven, self.same, self.state)

    @abstractmethod
    def begin(self, position: Position) -> None:
        """Sets up the position at the root."""

    @abstractmethod
    def grow(self, games: int) -> None:
        """Adds `games` random games to the tree, unless it is stopped."""

    def best_move(self, position: Position, seconds: float, dice: int, stop: StopSignal | None = None) -> Move:
        """The move that the most random games went through, or one that is proven to win."""
        used = max(1, int(self.state[self.loops.SIZE]))
        for array in self.nodes[:-1]:
            array[:used] = 0
        self.state[:] = (1, dice, 0)
        self.begin(position)
        self.grow(1)
        with alarm_after(seconds, self.stop, stop):
            self.grow(AT_ONCE)
        first, count = int(self.firsts[0]), int(self.counts[0])
        liking = [self.liking(child) for child in range(first, first + count)]
        return legal_moves(self.game, position)[liking.index(max(liking))]

    def liking(self, child: int) -> tuple[int, int]:
        """How good a child of the root is: proven to win is best, then the most visits, then proven to lose."""
        proven = int(self.proven[child])
        wins = 3 if self.same[child] else 1  # what a win is to the side to move there
        return 2 if proven == wins else 0 if proven == 4 - wins else 1, int(self.visits[child])

    def stop(self) -> None:
        """Ends the search, from another thread."""
        self.state[self.loops.STOP] = 1


class WordsTree(Tree):
    """The tree of any game, by its rules."""

    def __init__(self, game: Game, compiled: bool) -> None:
        from perfectplay.players.monte_carlo.tree_search import Words, load_tree  # numba: only when it is wanted

        size = NODES if compiled else FEWER_NODES
        super().__init__(game, load_tree(game, compiled), size)
        self.words = Words(game, size, compiled)

    def best_move(self, position: Position, seconds: float, dice: int, stop: StopSignal | None = None) -> Move:
        """The same, by interpreted rules from the position on in which compiled ones cannot follow."""
        try:
            return super().best_move(position, seconds, dice, stop)
        except NotCompiled:
            self.__init__(self.game, compiled=False)  # type: ignore[misc]
            return super().best_move(position, seconds, dice, stop)

    def begin(self, position: Position) -> None:
        """Sets up the position at the root."""
        self.words.begin(position)

    def grow(self, games: int) -> None:
        """Adds `games` random games to the tree, unless it is stopped."""
        self.loops.grow(games, self.words.mine, self.words.theirs, *self.nodes)


class LinesTree(Tree):
    """The tree of a line game whose words are too wide to compile."""

    def __init__(self, game: Game) -> None:
        import numpy as np

        from perfectplay.players.monte_carlo.tree_search import load_lines_tree  # numba: only when it is wanted

        super().__init__(game, load_lines_tree(), NODES)
        self.squares = np.zeros(NODES, np.int32)
        self.board = board_with_lines(self.loops, game)
        self.sign = 1 if full_line_outcome(game) == LOSS else -1

    def begin(self, position: Position) -> None:
        """Sets up the position at the root."""
        set_up(self.loops, self.board, position)

    def grow(self, games: int) -> None:
        """Adds `games` random games to the tree, unless it is stopped."""
        self.loops.grow(games, self.board, self.sign, self.squares, *self.nodes)


MCTS = PlayerKind(
    "mcts",
    "Monte Carlo tree search: plays out random games, with that many seconds per move",
    lambda name: thinking_for(mcts_player, name.seconds()),
    "mcts:0.5",
    bare=True,
    label="Monte Carlo",
    timed=True,
    served=served_plain,
    compiles=True,
)
