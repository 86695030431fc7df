"""What stands on each square in each position, as arrays, how symmetries move squares, and the rules about squares."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.game import COMPILED_BITS, Game, images, legal_moves, moves_again
from perfectplay.insight.strategies.kept_result import Goal, Mask, OwnMoves, Rule, Scores
from perfectplay.rules.notation import either, kinds_of_squares, move_name, moves_are_squares, spots
from perfectplay.views.game_pieces import nobodys
from perfectplay.words import FIRST, Move, Position

Squares = NDArray[np.int16]
"""For each position a row with the content of each square: 0 for an empty one, a number for each kind of piece."""
SAMPLE = 400
"""From how many positions the symmetries of the squares are read off."""


def kinds_of_pieces(game: Game) -> int:
    """The greatest number of kinds of pieces of a side."""
    return max(len(game.look.pieces.first), len(game.look.pieces.second))


def square_name(game: Game, square: int) -> str:
    """The name of a square: its column and row, or its label if it is beside the board."""
    width, height = game.shape
    if square >= width * height:
        return game.look.beside[square - width * height]
    column, row = game.look.columns[square % width], game.look.rows[square // width]
    return column + row if row else f"{column} in row {height - square // width} from below"


def contents(game: Game, positions: list[Position], mover: int, own: int) -> Squares:
    """The content of each square: 1 + kind for pieces of our side or of nobody, then those of the other side."""
    kinds, free = kinds_of_pieces(game), nobodys(game)
    word: Any = np.int64 if game.bits <= COMPILED_BITS else object
    mine, theirs = (np.array([one[half] for one in positions], word) for half in (0, 1))
    places = spots(game, mover)
    squares: Squares = np.zeros((len(positions), len(places)), np.int16)
    for square, here in enumerate(places):
        for kind, (mask, value, *only) in enumerate(here):
            for owner, word in ((1 - mover, theirs), (mover, mine)):
                if only != [1 - owner]:
                    code = 1 + kind if owner == own or kind in free else 1 + kinds + kind
                    squares[np.asarray((word & mask) == value, bool), square] = code
    return squares


@dataclass(frozen=True, eq=False)
class Board:
    """The squares of all positions of a graph: with our side to move, and with the other side to move."""

    goal: Goal

    @cached_property
    def positions(self) -> list[Position]:
        """All positions, by number."""
        graph = self.goal.graph
        return [graph.position(number) for number in range(graph.counts.size)]

    @cached_property
    def ours(self) -> Squares:
        """The squares when our side is to move."""
        return contents(self.goal.game, self.positions, self.goal.side, self.goal.side)

    @cached_property
    def theirs(self) -> Squares:
        """The squares when the other side is to move."""
        return contents(self.goal.game, self.positions, 1 - self.goal.side, self.goal.side)

    @cached_property
    def kinds(self) -> int:
        """The greatest number of kinds of pieces of a side."""
        return kinds_of_pieces(self.goal.game)

    def is_own(self, squares: Squares) -> NDArray[np.bool_]:
        """The squares with a piece of our side."""
        own: NDArray[np.bool_] = (squares > 0) & (squares <= self.kinds)
        return own

    def is_theirs(self, squares: Squares) -> NDArray[np.bool_]:
        """The squares with a piece of the other side."""
        theirs: NDArray[np.bool_] = squares > self.kinds
        return theirs

    def exchange(self, squares: Squares) -> Squares:
        """The same squares with the pieces of the sides exchanged."""
        swapped: Squares = np.where(
            self.is_own(squares), squares + self.kinds, np.where(self.is_theirs(squares), squares - self.kinds, 0)
        ).astype(np.int16)
        return swapped

    @cached_property
    def turns(self) -> list[tuple[int, ...]]:
        """For each symmetry but the first where it takes each square; those that are not plain are left out."""
        game, size = self.goal.game, len(self.positions)
        samples = [self.positions[number] for number in np.unique(np.linspace(0, size - 1, SAMPLE, dtype=int)).tolist()]
        turned, side = images(game), self.goal.side
        before = contents(game, samples, side, side)
        turns = []
        for i in range(1, turned.count):
            after = contents(game, [turned.image(mine, theirs, i) for mine, theirs in samples], side, side)
            where = permutation(before, after)
            if where is not None and where not in turns and any(to != at for at, to in enumerate(where)):
                turns.append(where)
        return turns

    @cached_property
    def classes(self) -> list[list[int]]:
        """The squares that symmetries take to each other, class by class."""
        return components(self.ours.shape[1], [pair for turn in self.turns for pair in enumerate(turn)])


def permutation(before: Squares, after: Squares) -> tuple[int, ...] | None:
    """Where each square has gone, if that is plain."""
    same = (before[:, :, None] == after[:, None, :]).all(axis=0)
    image: list[int] = []
    for square, targets in enumerate(same):
        places = [int(to) for to in np.flatnonzero(targets) if to not in image]
        if not places:
            return None
        image.append(square if square in places else places[0])
    return tuple(image)


def components(count: int, pairs: list[tuple[int, int]]) -> list[list[int]]:
    """The numbers below count in groups: those of a pair are in the same one."""
    leader = list(range(count))

    def find(number: int) -> int:
        while leader[number] != number:
            number = leader[number]
        return number

    for one, other in pairs:
        low, high = sorted((find(one), find(other)))
        leader[high] = low
    groups: dict[int, list[int]] = {}
    for number in range(count):
        groups.setdefault(find(number), []).append(number)
    return list(groups.values())


# Rules about squares: kinds of squares, the middle, neighbours, captures, symmetric boards, balanced heaps.


MOST_CLASSES = 16
"""A game with more classes of moves or squares gets no rules about single classes."""
NAMED = 12
"""The most moves that a rule names one by one."""
MOVE_SAMPLE = 300
"""In how many positions the classes of moves are looked for."""
PLACES = {"centre": "in the centre", "corner": "in a corner", "edge": "on an edge"}


class Landing:
    """Where each own move puts a piece, square by square, and what stood there before."""

    def __init__(self, moves: OwnMoves, board: Board) -> None:
        self.moves, self.board = moves, board
        self.before: Squares = board.ours[moves.parents]
        self.after: Squares = np.where(moves.again[:, None], board.ours[moves.children], board.theirs[moves.children])

    @cached_property
    def places(self) -> NDArray[np.bool_]:
        """For each move the squares that become our side's."""
        places: NDArray[np.bool_] = self.board.is_own(self.after) & ~self.board.is_own(self.before)
        return places

    def best_of(self, worth: NDArray[Any]) -> Scores:
        """For each move the greatest worth of a square where it puts a piece; the least of all if there is none."""
        least = worth.min(initial=0) - 1
        scores: Scores = np.where(self.places, worth, least).max(axis=1, initial=least)
        return scores


def square_rules(moves: OwnMoves, board: Board) -> Iterator[Rule]:
    """The rules about squares that this game has."""
    landing = Landing(moves, board)
    yield from class_rules(moves, board, landing)
    yield from place_rules(board, landing)
    yield from neighbour_rules(board, landing)
    yield from symmetry_rules(board, landing)
    if moves.goal.game.impartial:
        yield from heap_rules(landing)


def class_rules(moves: OwnMoves, board: Board, landing: Landing) -> Iterator[Rule]:
    """Rules that prefer a class of moves, or of squares to move to; of many classes only for the first move."""
    game = moves.goal.game
    places = {frozenset(squares): kind for kind, squares in kinds_of_squares(game).items()}
    groups, first = move_classes(moves, board), first_moves(moves)
    for group in groups:
        kind = places.get(frozenset(group))
        here = np.isin(moves.moves, group)
        names = names_of_moves(moves, here) if kind is None else []
        if kind is None and not 0 < len(names) <= NAMED:
            continue
        name, where = kind or ",".join(names), either(names) if kind is None else PLACES[kind]
        if len(groups) <= MOST_CLASSES:
            yield Rule(f"play:{name}", f"Play {where}.", 1, here)
            yield Rule(f"not:{name}", f"Do not play {where}.", 1, ~here)
        yield Rule(f"open:{name}", f"As your first move, play {where}.", 1, here & first)
    if not moves_are_squares(game) and 1 < len(board.classes) <= MOST_CLASSES:
        for group in board.classes:
            names = [square_name(game, square) for square in group]
            if 0 < len(names) <= NAMED:
                here = np.asarray(landing.places[:, group].any(axis=1))
                yield Rule(f"to:{','.join(names)}", f"Put a piece on {either(names)}.", 1, here)


def move_classes(moves: OwnMoves, board: Board) -> list[list[Move]]:
    """The numbers of the moves that symmetries take to each other, class by class."""
    game = moves.goal.game
    if moves_are_squares(game):
        return board.classes
    count, turned = int(moves.moves.max(initial=0)) + 1, images(game)
    parents = np.unique(moves.parents)
    samples = parents[np.unique(np.linspace(0, parents.size - 1, MOVE_SAMPLE, dtype=int))]
    pairs: list[tuple[int, int]] = []
    for number in samples.tolist() if turned.count > 1 else ():
        position: Position = board.positions[number]
        for i in range(1, turned.count):
            image = turned.image(*position, i)
            there: dict[tuple[Position, bool], list[Move]] = {}
            for move in legal_moves(game, image):
                there.setdefault((game.play(*image, move), moves_again(game, image, move)), []).append(move)
            for move in legal_moves(game, position):
                child = turned.image(*game.play(*position, move), i)
                same = there.get((child, moves_again(game, position, move)), [])
                pairs += [(move, same[0])] if len(same) == 1 and same[0] < count else []
    used = set(moves.moves.tolist())
    return [group for group in components(count, pairs) if used.intersection(group)]


def first_moves(moves: OwnMoves) -> Mask:
    """Whether a move is our side's first of the game; of none where the position could come up again later."""
    goal, graph = moves.goal, moves.goal.graph
    opening = graph.edges(goal.start)
    begin = np.array([goal.start]) if goal.side == FIRST else graph.children[opening]
    later = np.delete(graph.children, np.arange(opening.start, opening.stop)) if goal.side != FIRST else graph.children
    again = np.isin(begin, later).any() or goal.start in graph.children
    return np.isin(moves.parents, [] if again else begin)


def names_of_moves(moves: OwnMoves, here: Mask) -> list[str]:
    """The names of these moves; more than are named if there are many."""
    goal = moves.goal
    names: dict[str, None] = {}
    for edge in moves.edges[here].tolist():
        position = goal.graph.position(int(goal.graph.parents[edge]))
        names.setdefault(move_name(goal.game, position, goal.side, int(goal.graph.moves[edge])))
        if len(names) > NAMED:
            break
    return sorted(names)


def coordinates(board: Board) -> NDArray[Any]:
    """The place of each square, across and down."""
    game = board.goal.game
    width, _ = game.shape
    places = game.look.places
    count = board.ours.shape[1]
    plain = [(square % width, square // width) for square in range(count)]
    return np.array([places[square] if square < len(places) else plain[square] for square in range(count)], float)


def place_rules(board: Board, landing: Landing) -> Iterator[Rule]:
    """Rules that prefer some part of the board and treat symmetric squares alike."""
    where = coordinates(board)
    on_board = where[: board.goal.game.shape[0] * board.goal.game.shape[1]]
    middle = (on_board.min(axis=0) + on_board.max(axis=0)) / 2
    far = ((where - middle) ** 2).sum(axis=1).round(6)
    ways = (
        ("central", "Play as near to the middle of the board as you can.", -far),
        ("outer", "Play as far from the middle of the board as you can.", far),
        ("low", "Play as low on the board as you can.", where[:, 1]),
        ("high", "Play as high on the board as you can.", -where[:, 1]),
        ("left", "Play as far to the left as you can.", -where[:, 0]),
        ("right", "Play as far to the right as you can.", where[:, 0]),
    )
    for name, text, worth in ways:
        if all(np.allclose(worth[list(turn)], worth) for turn in board.turns):
            yield Rule(name, text, 1, landing.best_of(worth))


def neighbour_rules(board: Board, landing: Landing) -> Iterator[Rule]:
    """Rules about neighbouring squares, and about taking pieces."""
    where = coordinates(board)
    far = np.abs(where[:, None, :] - where[None, :, :]).max(axis=2)
    near = ((far > 0) & (far <= 1)).astype(np.int32)
    own, other = board.is_own(landing.before), board.is_theirs(landing.before)
    ways = (("own", "your own pieces", own), ("other", "the pieces of the other side", other))
    for name, text, pieces in ways:
        beside = (pieces.astype(np.int32) @ near) > 0
        touches = (landing.places & beside).any(axis=1)
        yield Rule(f"near-{name}", f"Play next to one of {text}.", 2, touches)
        yield Rule(f"far-{name}", f"Do not play next to {text}.", 2, ~touches)
    captures = other.sum(axis=1) - board.is_theirs(landing.after).sum(axis=1)
    yield Rule("take", "Take as many pieces as you can.", 1, np.maximum(captures, 0))


def symmetry_rules(board: Board, landing: Landing) -> Iterator[Rule]:
    """Rules that mirror what the other side does."""
    swapped, theirs, own = board.exchange(landing.after), board.is_theirs(landing.before), board.is_own(landing.before)
    for name, text, turns in kinds_of_turns(board):
        alike = np.zeros(len(landing.after), bool)
        mirror, opposite, double = alike.copy(), alike.copy(), alike.copy()
        for turn in turns:
            where = list(turn)
            there = landing.after[:, where]
            moved = (landing.after > 0)[:, [at != to for at, to in enumerate(turn)]].any(axis=1)
            alike |= (there == landing.after).all(axis=1) & moved
            mirror |= (there == swapped).all(axis=1)
            double |= (landing.places & own[:, where] & (np.arange(len(where)) != where)).any(axis=1)
            opposite |= (landing.places & theirs[:, where] & (np.arange(len(where)) != where)).any(axis=1)
        yield Rule(f"alike-{name}", f"Leave a board that stays the same when you {text}.", 2, alike)
        yield Rule(
            f"mirror-{name}",
            f"Copy the other side: leave a board that shows the sides exchanged when you {text}.",
            2,
            mirror,
        )
        yield Rule(
            f"opposite-{name}", f"Play where a piece of the other side comes to lie when you {text}.", 2, opposite
        )
        yield Rule(f"double-{name}", f"Play where a piece of your own comes to lie when you {text}.", 2, double)


def kinds_of_turns(board: Board) -> Iterator[tuple[str, str, list[tuple[int, ...]]]]:
    """The symmetries that undo themselves, equivalent ones together, with a name and with words for them."""
    where = coordinates(board)
    width, height = board.goal.game.shape
    on_board = where[: width * height]
    ends = on_board.min(axis=0) + on_board.max(axis=0)
    motions = {
        "point": ("turn it by half a turn", ends - where),
        "left": ("mirror it left to right", np.stack([ends[0] - where[:, 0], where[:, 1]], axis=1)),
        "top": ("mirror it top to bottom", np.stack([where[:, 0], ends[1] - where[:, 1]], axis=1)),
        "diagonal": ("mirror it in a diagonal", where[:, ::-1]),
        "antidiagonal": ("mirror it in a diagonal", (ends - where)[:, ::-1]),
    }
    kinds: dict[tuple[str, str], list[tuple[int, ...]]] = {}
    for group in equivalent(board.turns):
        words: dict[str, str] = {}
        for turn in group:
            words |= {
                name: text
                for name, (text, image) in motions.items()
                if np.allclose(where[list(turn)][: width * height], image[: width * height])
            }
        label = ("-".join([*words][:1]), " or ".join(dict.fromkeys(words.values())))
        kinds.setdefault(label if words else ("other", "use a symmetry of the game"), []).extend(group)
    return ((name, text, turns) for (name, text), turns in kinds.items())


def equivalent(turns: list[tuple[int, ...]]) -> list[list[tuple[int, ...]]]:
    """The symmetries that undo themselves, in groups: others of the symmetries turn one of a group into another."""
    own = [turn for turn in turns if all(turn[to] == at for at, to in enumerate(turn))]
    place = {turn: number for number, turn in enumerate(own)}
    pairs = []
    for number, turn in enumerate(own):
        for by in turns:
            back = {to: at for at, to in enumerate(by)}
            other = tuple(by[turn[back[at]]] for at in range(len(turn)))
            pairs += [(number, place[other])] if other in place else []
    return [[own[number] for number in group] for group in components(len(own), pairs)]


def heap_rules(landing: Landing) -> Iterator[Rule]:
    """Rules for games in which both sides have the same pieces: numbers of pieces."""
    board, moves = landing.board, landing.moves
    width, height = board.goal.game.shape
    there = (landing.after[:, : width * height] > 0).reshape(-1, height, width)
    for name, axis in (("column", 1), ("row", 2)):
        sums = np.bitwise_xor.reduce(there.sum(axis=axis), axis=1)
        text = (
            f"Leave balanced {name}s: write the number of pieces in each {name} as a sum of different numbers among "
            "1, 2, 4, 8 ...; each of these must occur an even number of times in all."
        )
        yield Rule(f"balance-{name}s", text, 3, sums == 0)
    total = there.sum(axis=(1, 2))
    for number in (2, 3, 4, 5):
        text = f"Leave a number of pieces that is a multiple of {number}."
        yield Rule(f"multiple-{number}", text, 2, total % number == 0)
    counts = moves.goal.graph.counts[moves.children]
    yield Rule("even-moves", "Leave the other side an even number of moves.", 2, counts % 2 == 0)
    yield Rule("odd-moves", "Leave the other side an odd number of moves.", 2, counts % 2 == 1)
