"""A solved game for a page: one position of each symmetry class, and every move as an edge to an image of another.

A position is a class and the number of an image of the class's first position, so the page needs no rules: a move
leads to a class and an image, and images compose. That images act so on boards, moves and children is checked for every
class; if they do not, each position is its own class.
"""

import json
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.game import (
    Game,
    Images,
    MoveNames,
    canonical,
    images,
    legal_moves,
    moves_again,
    start_is_symmetric,
    unchanged,
)
from perfectplay.players.models.game_graph import Graph
from perfectplay.players.models.level_policies import ladder
from perfectplay.players.models.levels import USUAL
from perfectplay.players.models.policies import streetwise, uniform
from perfectplay.rules.notation import (
    move_name,
    moves_are_squares,
    parse_position,
    pieces_on,
    show_position,
    side_letter,
    spots,
)
from perfectplay.solvers.steps import Step, Steps
from perfectplay.views.board_squares import winning_lines
from perfectplay.words import FIRST, SECOND, BadGame, Move, Position, Sides, TooBig

MOST_CLASSES = 500_000
"""More would make the file too large for browsers."""
MOST_KINDS = 127
"""Kinds of pieces of a side: those of both, and nothing, are numbered in a byte."""
EACH = 2_000
"""Classes between two progress steps."""

Squares = tuple[int, ...]
"""A permutation: square i goes to squares[i]."""
Spots = tuple[tuple[int, ...], ...]
"""Where each kind of piece is seen: mask, value, and 0 or 1 if only in the word of the side to move or of the other."""
Rows = tuple[tuple[int, ...], ...]
"""Winning lines, in any order."""
ByChild = dict[tuple[Position, bool], list[int]]
"""The labels of moves, by the position they lead to and whether the same side moves again there."""


class Label(NamedTuple):
    """A move as people know it: its number, by which moves are ordered, and its name for either side."""

    number: Move
    first: str
    second: str


class Edge(NamedTuple):
    """A move: its label, the class it leads to, which image of that class's position, and whether to move again."""

    label: int
    child: int
    image: int
    again: bool


@dataclass
class Carried:
    """The classes of a game in the order of discovery."""

    game: Game
    turns: Images
    positions: list[Position]
    labels: dict[Label, int] = field(default_factory=dict)
    by_move: dict[Move, int] = field(default_factory=dict)
    """The newest label of each move."""
    edges: list[list[Edge]] = field(default_factory=list)
    boards: list[bytes] = field(default_factory=list)
    """What stands on each square when the first side is to move: 0 for nothing, then its kinds, then the others'."""
    rows: list[tuple[Rows, Rows]] = field(default_factory=list)
    """The winning lines, as either side sees the board."""
    squares: list[Squares] = field(default_factory=list)
    """The permutation of each image."""
    labelled: list[list[int]] = field(default_factory=list)
    """For each image, the image of each label."""
    then: list[list[int]] = field(default_factory=list)
    """then[j][i] is image i of image j."""

    def label(self, position: Position, move: Move) -> int:
        """The number of the move's label."""
        if self.fixed and move in self.by_move:
            return self.by_move[move]
        names = (move_name(self.game, position, side, move) for side in (FIRST, SECOND))
        self.by_move[move] = self.labels.setdefault(Label(move, *names), len(self.labels))
        return self.by_move[move]

    @cached_property
    def fixed(self) -> bool:
        """Whether a move has the same name in all positions."""
        return not any(map(callable, names_of(self.game)))

    def board(self, position: Position) -> bytes:
        """What stands on each square."""
        kinds = max(len(self.game.look.pieces[side]) for side in (FIRST, SECOND))
        here = pieces_on(self.game, position, FIRST)
        return bytes(0 if at is None else 1 + at[1] + (0 if at[0] == FIRST else kinds) for at in here)

    def won_rows(self, position: Position) -> tuple[Rows, Rows]:
        """The winning lines."""
        first = tuple(sorted(map(tuple, winning_lines(self.game, position, FIRST))))
        if not isinstance(self.game.cells, Sides):
            return first, first
        return first, tuple(sorted(map(tuple, winning_lines(self.game, position, SECOND))))


def names_of(game: Game) -> tuple[MoveNames, MoveNames]:
    """The names of moves for each side."""
    names = game.move_names
    return (names.first, names.second) if isinstance(names, Sides) else (names, names)


def carrying(game: Game) -> Steps[Carried]:
    """The game's classes, in steps; raises TooBig for too many, BadGame if boards do not show the whole position."""
    check_look(game)
    folds = start_is_symmetric(game) and images(game).count > 1
    carried = yield from walking(game, images(game) if folds else Images(1, unchanged))
    if not (yield from acts(carried)) and folds:
        carried = yield from walking(game, Images(1, unchanged))
        yield from acts(carried)
    check_boards(carried)
    if any("," in label.first + label.second for label in carried.labels):  # they could not be read in a list
        raise BadGame(f"{game.name} does not fit into a page: a move has a comma in its name")
    return carried


def check_look(game: Game) -> None:
    """Raises BadGame if a board does not show the whole position."""
    kinds = max(len(game.look.pieces[side]) for side in (FIRST, SECOND))
    if kinds > MOST_KINDS:
        raise TooBig(f"{game.name} has {kinds} kinds of pieces, too many for one page; it takes {MOST_KINDS}")
    if side_letter(game, FIRST).lower() == side_letter(game, SECOND).lower():
        raise BadGame(f"{game.name} does not fit into a page: the names of both sides begin with the same letter")
    if sorted(seen_spots(game, FIRST)) != sorted(seen_spots(game, SECOND)):
        raise BadGame(f"{game.name} does not fit into a page: the second side's squares are not the first's turned")


def check_size(game: Game, classes: int) -> None:
    """Raises TooBig if there are too many."""
    if classes > MOST_CLASSES:
        raise TooBig(f"{game.name} has more than {MOST_CLASSES:,} canonical positions, too many for one page")


def seen_by_second(game: Game) -> Squares:
    """For each square where it stands on the first side's board, when the second is to move."""
    first: dict[Spots, list[int]] = {}
    for square, here in enumerate(seen_spots(game, FIRST)):
        first.setdefault(here, []).append(square)
    return tuple(first[here].pop(0) for here in seen_spots(game, SECOND))


def seen_spots(game: Game, side: int) -> list[Spots]:
    """For each square where to look for each kind of piece in the words of the side to move and of the other."""
    return [
        tuple((mask, value, *(one ^ side for one in only)) for mask, value, *only in square)
        for square in spots(game, side)
    ]


def walking(game: Game, turns: Images) -> Steps[Carried]:
    """All classes and the edges between them, from the start on."""
    smallest: Callable[[int, int], Position] = (
        canonical(game) if turns.count > 1 else lambda mine, theirs: (mine, theirs)
    )
    carried = Carried(game, turns, [game.start])
    numbers = {smallest(*game.start): 0}
    for number, position in enumerate(carried.positions):  # which grow as we go
        here = []
        for move in legal_moves(game, position):
            child = game.play(*position, move)
            key = smallest(*child)
            if key not in numbers:
                numbers[key] = len(carried.positions)
                carried.positions.append(child)
            like, again = carried.positions[numbers[key]], moves_again(game, position, move)
            image = next((i for i in range(turns.count) if turns.image(*like, i) == child), -1)  # -1: no group
            here.append(Edge(carried.label(position, move), numbers[key], image, again))
        carried.edges.append(here)
        carried.boards.append(carried.board(position))
        carried.rows.append(((), ()) if here else carried.won_rows(position))
        check_size(game, len(carried.positions))
        if number % EACH == 0:
            yield Step("walking", number + 1)
    return carried


def acts(carried: Carried) -> Steps[bool]:
    """Whether every image of every class moves squares, labels and children as it does in all other classes."""
    carried.squares = [tuple(range(len(carried.boards[0])))]
    carried.labelled = [[*range(len(carried.labels))]]
    count, image = carried.turns.count, carried.turns.image
    if any(edge.image < 0 for edges in carried.edges for edge in edges):
        return False
    for i in range(1, count):
        squares = moved_squares(carried.boards, [carried.board(image(*position, i)) for position in carried.positions])
        if squares is None:
            return False
        carried.squares.append(squares)
        yield Step("images", i + 1, count)
    numbers = {squares: i for i, squares in reversed([*enumerate(carried.squares)])}
    composed = [[numbers.get(tuple(i[square] for square in j), -1) for i in carried.squares] for j in carried.squares]
    if -1 in {k for row in composed for k in row}:
        return False
    carried.then = composed
    for i in range(1, count):
        labels = yield from moved_labels(carried, i)
        if labels is None:
            return False
        carried.labelled.append(labels)
    return True


def moved_squares(before: list[bytes], after: list[bytes]) -> Squares | None:
    """Where the squares of all boards before have gone in those after; None if they were not just moved."""
    there: dict[bytes, list[int]] = {}
    for square, column in enumerate(map(bytes, zip(*after, strict=True))):
        there.setdefault(column, []).append(square)
    found = [there[column].pop(0) if there.get(column) else -1 for column in map(bytes, zip(*before, strict=True))]
    return None if -1 in found else tuple(found)


def moved_labels(carried: Carried, i: int) -> Steps[list[int] | None]:
    """What each label becomes in the image; None if labels, children or rows do not become the same in all classes."""
    found: dict[int, int] = {}
    several: list[tuple[list[int], list[int]]] = []
    total = len(carried.positions)
    for number in range(total):
        before, after = labels_by_child(carried, number, i)
        if {child: len(labels) for child, labels in before.items()} != {c: len(there) for c, there in after.items()}:
            return None
        for child, labels in before.items():
            there = after[child]
            if len(labels) > 1:  # several moves lead to the same: any of them may have become any
                several.append((labels, there))
            elif found.setdefault(labels[0], there[0]) != there[0]:
                return None
        turned = carried.turns.image(*carried.positions[number], i)
        if not before and carried.won_rows(turned) != turned_rows(carried, number, i):
            return None
        if number % EACH == 0:
            yield Step("checking images", (i - 1) * total + number + 1, (carried.turns.count - 1) * total)
    if any(sorted(found.get(label, -1) for label in labels) != sorted(there) for labels, there in several):
        return None
    return [found.get(label, label) for label in range(len(carried.labels))]


def labels_by_child(carried: Carried, number: int, i: int) -> tuple[ByChild, ByChild]:
    """The labels of moves by where they lead in the image: as the edges of the class say, and as the rules say."""
    game, image = carried.game, carried.turns.image
    turned = image(*carried.positions[number], i)
    before: ByChild = {}
    for label, child, j, again in carried.edges[number]:
        before.setdefault((image(*carried.positions[child], carried.then[j][i]), again), []).append(label)
    after: ByChild = {}
    for move in legal_moves(game, turned):
        there = game.play(*turned, move), moves_again(game, turned, move)
        after.setdefault(there, []).append(carried.label(turned, move))
    return before, after


def turned_rows(carried: Carried, number: int, i: int) -> tuple[Rows, Rows]:
    """The rows that have won in the image of a class."""
    if carried.rows[number] == ((), ()):
        return carried.rows[number]
    first, seen = carried.squares[i], seen_by_second(carried.game)
    where = {square: at for at, square in enumerate(seen)}
    second = tuple(where[first[square]] for square in seen)
    found = (
        tuple(sorted(tuple(sorted(squares[square] for square in row)) for row in rows))
        for rows, squares in zip(carried.rows[number], (first, second), strict=True)
    )
    return next(found), next(found)


def count_positions(carried: Carried) -> int:
    """How many positions there are in all classes; as many in a class as its position has different images."""
    return sum(len({moved(board, squares) for squares in carried.squares}) for board in carried.boards)


def check_boards(carried: Carried) -> None:
    """Raises BadGame if two positions look alike: the page knows a position by its looks, as a drawing and as text."""
    seen: set[bytes] = set()
    image = carried.turns.image
    names = [name for kinds in (carried.game.look.pieces.first, carried.game.look.pieces.second) for name in kinds]
    same = len({*names}) < len(names)
    for position, board in zip(carried.positions, carried.boards, strict=True):
        turned = [moved(board, squares) for squares in carried.squares]
        hidden = any(there == board and image(*position, i) != position for i, there in enumerate(turned))
        if hidden or min(turned) in seen or (same and not reads_back(carried.game, position)):
            raise BadGame(f"{carried.game.name} does not fit into a page: two of its positions look alike")
        seen.add(min(turned))


def reads_back(game: Game, position: Position) -> bool:
    """Whether the text of the position means it again, where several kinds of pieces have one text."""
    return parse_position(game, show_position(game, position, FIRST)) == (position, FIRST)


def moved(board: bytes, squares: Squares) -> bytes:
    """The board with its squares moved."""
    there = bytearray(len(board))
    for square, code in zip(squares, board, strict=True):
        there[square] = code
    return bytes(there)


# A solved game as compressed bytes: planes of small numbers, one after another.
#
# Four bytes hold the length of a JSON header: all short data, and for each plane its name, its length, the bytes of a
# number, and 1 if it holds differences. The planes follow, as numbers or differences, whichever is smaller; wide
# numbers are stored lowest bytes first, which compresses better.


Plane = NDArray[np.uint32]


def packed(carried: Carried, graph: Graph) -> bytes:
    """The game with its values, compressed."""
    numbers = [graph.number(position) for position in carried.positions]
    entries = [
        (one.value, -1 if one.distance is None else one.distance, *(() if one.margin is None else (one.margin,)))
        for one in map(graph.entry, numbers)
    ]
    grades = {entry: i for i, entry in enumerate(sorted(set(entries)))}
    nothing: tuple[Rows, Rows] = ((), ())
    won = {rows: i for i, rows in enumerate(dict.fromkeys([nothing, *carried.rows]))}
    edges = [edge for here in carried.edges for edge in here]
    fresh = first_met(edges)
    planes = {
        "counts": [len(here) for here in carried.edges],
        "labels": [edge.label for edge in edges],
        "fresh": np.packbits(np.array(fresh, bool)).tolist(),
        "children": [edge.child for edge, new in zip(edges, fresh, strict=True) if not new],
        "images": [edge.image for edge, new in zip(edges, fresh, strict=True) if not new],
        "boards": [code for column in zip(*carried.boards, strict=True) for code in column],
        "grades": [grades[entry] for entry in entries],
        "rows": [won[rows] for rows in carried.rows],
        "chosen": np.packbits(np.array(streetwise_choices(carried, graph, numbers), bool)).tolist(),
    }
    if carried.game.again is not None:
        planes["again"] = np.packbits(np.array([edge.again for edge in edges], bool)).tolist()
    about = {
        "squares": carried.squares,
        "second": seen_by_second(carried.game),
        "labels": [list(label) for label in carried.labels],
        "labelled": carried.labelled,
        "grades": [[value, None if distance < 0 else distance, *margin] for value, distance, *margin in grades],
        "rows": list(won),
        "levels": [[float(level.noise), level.sight] for level in ladder(graph)],
        "usual": [[float(level.noise), level.sight] for level in USUAL],
        "numbered": moves_are_squares(carried.game),
        "counted": plies_are_counted(carried),
    }
    return zlib.compress(written(about, planes), 9)


def written(about: dict[str, Any], planes: dict[str, list[int]]) -> bytes:
    """The numbers as bytes."""
    sizes, content = [], []
    for name, numbers in planes.items():
        plane: Plane = np.array(numbers, np.uint32)
        width = max(1, (max(numbers, default=0).bit_length() + 7) // 8)
        steps = np.diff(plane, prepend=np.uint32(0))
        ways = [by_bytes(plane, width), by_bytes(steps, width)]
        sizes_packed = [len(zlib.compress(way, 9)) for way in ways]
        best = sizes_packed.index(min(sizes_packed))
        sizes.append([name, plane.size, width, best])
        content.append(ways[best])
    head = json.dumps({**about, "planes": sizes}, separators=(",", ":")).encode()
    return b"".join([len(head).to_bytes(4, "little"), head, *content])


def by_bytes(plane: Plane, width: int) -> bytes:
    """All lowest bytes of the numbers, then all next, as many as are wanted."""
    return plane.astype("<u4").view(np.uint8).reshape(-1, 4)[:, :width].T.tobytes()


def first_met(edges: list[Edge]) -> list[bool]:
    """For each edge whether it is the first to its class; those lead to class 1, 2, 3 and so on."""
    met, found = 0, []
    for edge in edges:
        found.append(edge.child == met + 1)
        met += found[-1]
    return found


def streetwise_choices(carried: Carried, graph: Graph, numbers: list[int]) -> list[bool]:
    """For each edge whether the street-smart player may choose it."""
    chosen = streetwise(uniform)(graph, False) > 0
    found: list[bool] = []
    for number, position, edges in zip(numbers, carried.positions, carried.edges, strict=True):
        known = graph.edges(number)
        if graph.position(number) == position:  # the same moves in the same order
            found += chosen[known].tolist()
        else:  # an image of it: moves to the same class are chosen alike
            by_target = dict(zip(graph.targets[known].tolist(), chosen[known].tolist(), strict=True))
            targets = ((numbers[edge.child], edge.again) for edge in edges)
            found += [by_target[~child if again else child] for child, again in targets]
    return found


def plies_are_counted(carried: Carried) -> bool:
    """Whether the position tells how many plies were made, and so which side is to move."""
    game = carried.game
    if game.plies_left is None or game.again is not None:
        return False
    left = game.plies_left(*game.start)
    plies = {0: 0}
    for number, edges in enumerate(carried.edges):
        for edge in edges:
            plies.setdefault(edge.child, plies[number] + 1)
    return all(left - game.plies_left(*here) == plies[number] for number, here in enumerate(carried.positions))
