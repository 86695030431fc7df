"""What the answers of a player come to: its worst result, its mistakes, and the shortest game that refutes it.

All games that the player can play are the paths of a graph of states. A game refutes the player if it ends worse than
what the player could have had at some point of it, or if it never ends although the player could have won.
"""

from collections import deque
from collections.abc import Iterator
from functools import cache, cached_property
from typing import NamedTuple, TypeVar

from perfectplay.arena.examination import Answers, State
from perfectplay.game import Game, after, legal_moves, move_entries
from perfectplay.words import DRAW, FIRST, LOSS, ONGOING, WIN, Lookup, Move, Position

T = TypeVar("T")
Paths = dict[T, tuple[T, Move] | None]
"""The nodes that have been reached, each with the one before it and the move made there; None at the beginning."""


class Mistake(NamedTuple):
    """A move that gives a result away: the position, the move, and the values to the player before and after it."""

    position: Position
    move: Move
    before: int
    after: int


class SlowWin(NamedTuple):
    """A move that keeps a win and delays it: the plies that the win takes after it, and those of the quickest."""

    position: Position
    move: Move
    plies: int
    best: int


class Refutation(NamedTuple):
    """A game that refutes a player, with its result to the player.

    `values` has the value to the player before each move and at the end. `repeats` is the number of moves before those
    that can repeat for ever, None in a game that ends. `fault` is why the player forfeits the game, if it does.
    """

    moves: tuple[Move, ...]
    values: tuple[int, ...]
    result: int
    repeats: int | None = None
    fault: str = ""


class Node(NamedTuple):
    """A state, and the best value to the player of any state on the way there."""

    state: State
    promised: int


class Findings:
    """What the answers of a player on one side of a solved game come to."""

    def __init__(self, game: Game, answers: Answers, lookup: Lookup) -> None:
        self.game, self.answers, self.lookup = game, answers, cache(lookup)

    def edges(self, state: State) -> Iterator[tuple[Move, State]]:
        """The moves that may be played in a state, with the states they lead to."""
        position, turn = state
        own = turn == self.answers.side
        for move in self.answers.moves.get(position, ()) if own else legal_moves(self.game, position):
            yield move, after(self.game, position, turn, move)

    def value(self, state: State) -> int:
        """The value of the state to the player."""
        position, turn = state
        value = self.lookup(position).value
        return value if turn == self.answers.side else -value

    def result(self, state: State) -> int | None:
        """What an ended game is worth to the player, a forfeit included; None for a game that is not over."""
        if self.fault(state):
            return LOSS
        position, turn = state
        outcome = self.game.outcome(*position)
        if outcome == ONGOING:
            return None
        return outcome if turn == self.answers.side else -outcome

    def fault(self, state: State) -> str:
        """Why the player forfeits in this state; empty if it does not."""
        return self.answers.faults.get(state[0], "") if state[1] == self.answers.side else ""

    @cached_property
    def paths(self) -> Paths[State]:
        """All states that can be reached, the nearest first, each with the state and the move it is reached by."""
        start = (self.game.start, FIRST)
        paths: Paths[State] = {start: None}
        waiting = deque([start])
        while waiting:
            state = waiting.popleft()
            for move, child in self.edges(state):
                if child not in paths:
                    paths[child] = (state, move)
                    waiting.append(child)
        return paths

    def path_to(self, position: Position) -> tuple[Move, ...]:
        """The moves of a shortest game that leads to a position in which the player is to move."""
        return tuple(move for _, move in way_to(self.paths, (position, self.answers.side)))

    @cached_property
    def worst(self) -> int:
        """The worst result that an opponent can reach; a game that never ends is a draw."""
        if self.loses:
            return LOSS
        can_draw = any(self.result(state) == DRAW for state in self.paths)
        return DRAW if can_draw or self.can_repeat else WIN

    @cached_property
    def loses(self) -> bool:
        """Whether the player loses a game or fails in one."""
        return any(self.result(state) == LOSS for state in self.paths)

    @cached_property
    def can_repeat(self) -> bool:
        """Whether a game can go on for ever."""
        return bool(cyclic_part({state: [child for _, child in self.edges(state)] for state in self.paths}))

    @cached_property
    def mistakes(self) -> list[Mistake]:
        """The moves that give a result away, those that are reached soonest first."""
        mistakes = []
        for state in self.paths:
            if state[1] == self.answers.side:
                before = self.value(state)
                values = ((move, self.value(child)) for move, child in self.edges(state))
                mistakes += [Mistake(state[0], move, before, value) for move, value in values if value < before]
        return mistakes

    @cached_property
    def slow_wins(self) -> list[SlowWin]:
        """The moves that keep a win and delay it."""
        wins = []
        for position, turn in self.paths:
            here = self.lookup(position)
            if turn == self.answers.side and here.value == WIN and here.distance:
                entries = move_entries(self.game, position, self.lookup)
                for move in self.answers.moves.get(position, ()):
                    value, plies = entries[move]
                    if value == WIN and plies is not None and plies > here.distance:
                        wins.append(SlowWin(position, move, plies, here.distance))
        return wins

    @cached_property
    def refutation(self) -> Refutation | None:
        """The shortest lost game that need not have been lost, or else the shortest that was given away otherwise."""
        start = (self.game.start, FIRST)
        root = Node(start, self.value(start))
        paths: Paths[Node] = {root: None}
        waiting = deque([root])
        slip: Refutation | None = None
        while waiting:
            node = waiting.popleft()
            fault, result = self.fault(node.state), self.result(node.state)
            if fault:
                return self.game_to(node, paths, LOSS, fault=fault)
            if result is not None and result < node.promised:
                if result == LOSS:
                    return self.game_to(node, paths, LOSS)
                slip = slip or self.game_to(node, paths, result)
            for move, child in self.nodes_after(node):
                if child not in paths:
                    paths[child] = (node, move)
                    waiting.append(child)
        return slip or self.endless(paths)

    def nodes_after(self, node: Node) -> Iterator[tuple[Move, Node]]:
        """The moves that may be played, with the nodes they lead to."""
        for move, child in self.edges(node.state):
            yield move, Node(child, max(node.promised, self.value(child)))

    def game_to(self, node: Node, paths: Paths[Node], result: int, fault: str = "") -> Refutation:
        """The game that leads to the node."""
        way = way_to(paths, node)
        values = (*(self.value(here.state) for here, _ in way), self.value(node.state))
        return Refutation(tuple(move for _, move in way), values, result, fault=fault)

    def endless(self, paths: Paths[Node]) -> Refutation | None:
        """The shortest way to a cycle, once around it, where the player could have won."""
        won = {node: [child for _, child in self.nodes_after(node)] for node in paths if node.promised == WIN}
        for node in cyclic_part(won):
            around = self.way_back(node)
            if around is not None:
                to_it = self.game_to(node, paths, DRAW)
                moves, values = around
                return Refutation(to_it.moves + moves, to_it.values + values, DRAW, repeats=len(to_it.moves))
        return None

    def way_back(self, node: Node) -> tuple[tuple[Move, ...], tuple[int, ...]] | None:
        """The moves of the shortest way from the node to itself, and the values after each; None if there is none."""
        paths: Paths[Node] = {node: None}
        waiting = deque([node])
        while waiting:
            here = waiting.popleft()
            for move, child in self.nodes_after(here):
                if child == node:
                    way = [*way_to(paths, here), (here, move)]
                    after = [*(before for before, _ in way[1:]), node]
                    return tuple(made for _, made in way), tuple(self.value(one.state) for one in after)
                if child not in paths:
                    paths[child] = (here, move)
                    waiting.append(child)
        return None

    @property
    def perfect(self) -> bool:
        """Whether the player never fails and never lets a result slip."""
        return not self.answers.stopped and self.refutation is None


def way_to(paths: Paths[T], node: T) -> list[tuple[T, Move]]:
    """The way to the node: each node before it with the move that is made there."""
    way = []
    while (step := paths[node]) is not None:
        way.append(step)
        node = step[0]
    return way[::-1]


def cyclic_part(following: dict[T, list[T]]) -> list[T]:
    """The nodes that lie on cycles or between them, in order: nodes without a way on or a way in are taken off."""
    nodes = peel(following)
    before: dict[T, list[T]] = {node: [] for node in nodes}
    for node in nodes:
        for child in following[node]:
            if child in before:
                before[child].append(node)
    cyclic = set(peel(before))
    return [node for node in nodes if node in cyclic]


def peel(following: dict[T, list[T]]) -> list[T]:
    """The nodes from which a path goes on for ever, in order."""
    before: dict[T, list[T]] = {node: [] for node in following}
    ways = dict.fromkeys(following, 0)
    for node, children in following.items():
        for child in children:
            if child in before:
                before[child].append(node)
                ways[node] += 1
    ended = [node for node, count in ways.items() if count == 0]
    for node in ended:
        for parent in before[node]:
            ways[parent] -= 1
            if ways[parent] == 0:
                ended.append(parent)
    gone = set(ended)
    return [node for node in following if node not in gone]
