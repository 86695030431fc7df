"""A solved game as a page can carry it: one position of each class, and every move as an edge to an image of another.

A position is known by its class and by which image of the class's first position it is. So the page needs no rules:
a move leads to a class and an image, and images follow each other by their squares. That the images of a game act so,
on boards, moves and children alike, is checked for every class; where they do not, each position is its own class.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from perfectplay.front.web.squares import winning_rows
from perfectplay.game import Game, Images, canonical, images, legal_moves, start_is_symmetric, unchanged
from perfectplay.notation import move_name, pieces_on, spots
from perfectplay.solve.steps import Step, Steps
from perfectplay.words import FIRST, SECOND, BadGame, Move, Position, TooBig

MOST_CLASSES = 500_000
"""More would make a file that no browser likes."""
EACH = 2_000
"""A step is told after so many classes."""

Squares = tuple[int, ...]
"""Where each square goes: square i to squares[i]."""
Rows = tuple[tuple[int, ...], ...]
"""The rows that have won, in any order."""


class Label(NamedTuple):
    """A move as people know it: its number, by which moves are ordered, and its name for either side."""

    number: Move
    first: str
    second: str


class Edge(NamedTuple):
    """A move: its label, the class it leads to, and which image of that class's position."""

    label: int
    child: int
    image: int


@dataclass
class Carried:
    """The classes of a game in the order in which they are first met, each as it is met."""

    game: Game
    turns: Images
    positions: list[Position]
    labels: dict[Label, int] = field(default_factory=dict)
    edges: list[list[Edge]] = field(default_factory=list)
    boards: list[bytes] = field(default_factory=list)
    """What stands on each square when the first side is to move: 0 for nothing, then its kinds, then the others'."""
    rows: list[tuple[Rows, Rows]] = field(default_factory=list)
    """The rows that have won, as either side sees the board."""
    squares: list[Squares] = field(default_factory=list)
    """For each image where the squares go."""
    labelled: list[list[int]] = field(default_factory=list)
    """For each image what label a label becomes."""
    then: list[list[int]] = field(default_factory=list)
    """then[j][i] is the image that is image i of image j."""

    def label(self, position: Position, move: Move) -> int:
        """The number of the move's label."""
        names = (move_name(self.game, position, side, move) for side in (FIRST, SECOND))
        return self.labels.setdefault(Label(move, *names), len(self.labels))

    def board(self, position: Position) -> bytes:
        """What stands on each square."""
        kinds = len(self.game.look.pieces.first)
        here = pieces_on(self.game, position, FIRST)
        return bytes(0 if at is None else 1 + at[1] + (0 if at[0] == FIRST else kinds) for at in here)

    def won_rows(self, position: Position) -> tuple[Rows, Rows]:
        """The rows that have won."""
        first, second = (tuple(sorted(map(tuple, winning_rows(self.game, position, side)))) for side in (FIRST, SECOND))
        return first, second


def carrying(game: Game) -> Steps[Carried]:
    """The game's classes, in steps; raises TooBig for too many, BadGame for a game whose boards do not tell enough."""
    check_look(game)
    if start_is_symmetric(game) and images(game).count > 1:
        carried = yield from walking(game, images(game))
        if (yield from acts(carried)):
            check_boards(carried)
            return carried
    carried = yield from walking(game, Images(1, unchanged))
    yield from acts(carried)
    check_boards(carried)
    return carried


def check_look(game: Game) -> None:
    """Raises BadGame if a board as people see it does not tell the position."""
    names = [*game.look.pieces.first, *game.look.pieces.second]
    if len(set(names)) < len(names):
        raise BadGame(f"{game.name} does not fit into a page: both sides have a piece called the same")
    if sorted(spots(game, FIRST)) != sorted(spots(game, SECOND)):
        raise BadGame(f"{game.name} does not fit into a page: the second side's squares are not the first's turned")


def seen_by_second(game: Game) -> Squares:
    """For each square where it stands on the first side's board, when the second is to move."""
    first = {spot: square for square, spot in enumerate(spots(game, FIRST))}
    return tuple(first[spot] for spot in spots(game, SECOND))


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
            here.append(Edge(carried.label(position, move), numbers[key], which_image(carried, numbers[key], child)))
        carried.edges.append(here)
        carried.boards.append(carried.board(position))
        carried.rows.append(((), ()) if here else carried.won_rows(position))
        if len(carried.positions) > MOST_CLASSES:
            raise TooBig(f"{game.name} has more than {MOST_CLASSES:,} classes of positions, too many for one page")
        if number % EACH == 0:
            yield Step("walking", number + 1)
    return carried


def which_image(carried: Carried, number: int, position: Position) -> int:
    """Which image of the class's position the position is, the first that is."""
    like, image = carried.positions[number], carried.turns.image
    return next(i for i in range(carried.turns.count) if image(*like, i) == position)


def acts(carried: Carried) -> Steps[bool]:
    """Whether every image of every class moves squares, labels and children as it does in all other classes."""
    count, image = carried.turns.count, carried.turns.image
    for i in range(count):
        boards = [carried.board(image(*position, i)) for position in carried.positions]
        squares = moved_squares(carried.boards, boards)
        if squares is None:
            return False
        carried.squares.append(squares)
        yield Step("images", i + 1, count)
    numbers = {squares: i for i, squares in reversed([*enumerate(carried.squares)])}
    for j in carried.squares:
        after = [numbers.get(tuple(i[square] for square in j)) for i in carried.squares]
        if None in after:
            return False
        carried.then.append(after)  # type: ignore[arg-type]
    for i in range(count):
        if not (yield from labels_act(carried, i)):
            return False
    return True


def moved_squares(before: list[bytes], after: list[bytes]) -> Squares | None:
    """Where the squares of all boards before have gone in those after; None if they were not just moved."""
    there: dict[bytes, list[int]] = {}
    for square, column in enumerate(map(bytes, zip(*after, strict=True))):
        there.setdefault(column, []).append(square)
    columns = [*map(bytes, zip(*before, strict=True))]
    if any(not there.get(column) for column in columns):
        return None
    try:
        return tuple(there[column].pop(0) for column in columns)
    except IndexError:
        return None


def labels_act(carried: Carried, i: int) -> Steps[bool]:
    """Whether the image moves labels alike in all classes, and children and rows with them; notes how."""
    image, play, game = carried.turns.image, carried.game.play, carried.game
    found: dict[int, int] = {}
    several: list[tuple[list[int], list[int]]] = []
    for number, (position, edges) in enumerate(zip(carried.positions, carried.edges, strict=True)):
        turned = image(*position, i)
        expected: dict[Position, list[int]] = {}
        for label, child, j in edges:
            after = image(*carried.positions[child], carried.then[j][i])
            expected.setdefault(after, []).append(label)
        there: dict[Position, list[int]] = {}
        for move in legal_moves(game, turned):
            there.setdefault(play(*turned, move), []).append(carried.label(turned, move))
        if {after: len(labels) for after, labels in there.items()} != {
            a: len(labels) for a, labels in expected.items()
        }:
            return False
        for after, labels in expected.items():
            if len(labels) > 1:
                several.append((labels, there[after]))
            elif found.setdefault(labels[0], there[after][0]) != there[after][0]:
                return False
        if not edges and carried.won_rows(turned) != turned_rows(carried, number, i):
            return False
        if number % EACH == 0:
            yield Step(
                "checking", i * len(carried.positions) + number + 1, carried.turns.count * len(carried.positions)
            )
    if i == 0:
        found = {label: label for label in range(len(carried.labels))}
    if any(sorted(found.get(label, -1) for label in labels) != sorted(after) for labels, after in several):
        return False
    carried.labelled.append([found.get(label, label) for label in range(len(carried.labels))])
    return True


def turned_rows(carried: Carried, number: int, i: int) -> tuple[Rows, Rows]:
    """The rows that have won in the image of a class."""
    first = carried.squares[i]
    seen = seen_by_second(carried.game)
    where = {square: at for at, square in enumerate(seen)}
    second = tuple(where[first[square]] for square in seen)
    found = (
        tuple(sorted(tuple(sorted(squares[square] for square in row)) for row in rows))
        for rows, squares in zip(carried.rows[number], (first, second), strict=True)
    )
    return next(found), next(found)


def check_boards(carried: Carried) -> None:
    """Raises BadGame if two positions look alike: the page knows a position by its looks."""
    seen: set[bytes] = set()
    for position, board in zip(carried.positions, carried.boards, strict=True):
        turned = []
        for i, squares in enumerate(carried.squares):
            there = bytearray(len(board))
            for square, code in enumerate(board):
                there[squares[square]] = code
            turned.append(bytes(there))
            if turned[i] == board and carried.turns.image(*position, i) != position:
                seen.add(board)
        if min(turned) in seen:
            raise BadGame(f"{carried.game.name} does not fit into a page: two of its positions look alike")
        seen.add(min(turned))
