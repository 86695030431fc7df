"""What a plain function's answer means: (row, column), a pair of these, a move's name or the next state -> move."""

import re
from operator import index

from perfectplay.game import Game, after, legal_moves
from perfectplay.rules.notation import either, illegal_move, move_name, moves_are_squares, parse_move, pieces_on
from perfectplay.views.board_squares import changes
from perfectplay.words import IllegalMove, Move, Position

Square = tuple[int, int]
"""(row, column), both from 0 at the top left."""
State = tuple[int, ...]
"""The squares in reading order, each a number."""
Marks = tuple[int, int, int]
"""The numbers for an empty square, for the side that moves first and for the other."""
MARKS = (0, 1, 2)
BY_TUPLE = "a parameter annotated tuple, as in bestmove(state: tuple), gets the state as one tuple of numbers"
"""What to do about a function that takes a state but is given a board."""


def move_meant(game: Game, position: Position, side: int, answer: object) -> Move:
    """The legal move that the answer means; raises IllegalMove if none or more than one does.

    A square means the move that puts a piece there, and a pair of squares the move from one to the other.
    """
    plain = answer.tolist() if hasattr(answer, "tolist") else answer  # numpy's arrays
    if isinstance(plain, str):
        return named(game, position, side, plain)
    squares = squares_in(plain)
    if squares is None:
        raise illegal_move(game, position, side, f"{answer!r} ({expected(game, position, side, plain)})")
    shown = f"{answer!r} as {'(row, column)' if len(squares) == 1 else 'two squares (row, column)'}"
    moves = fitting(game, position, side, squares)
    if len(moves) != 1:
        names = [move_name(game, position, side, move) for move in moves]
        several = f", which may mean {either(names)} (return one of these names)," if names else ""
        raise illegal_move(game, position, side, shown + (several or misread(game, position, side, squares)))
    return moves[0]


def expected(game: Game, position: Position, side: int, answer: object) -> str:
    """What the answer should have been, and how to get there if it is a number or a state."""
    width, height = game.shape
    size, number = width * height, answer if isinstance(answer, int) and not isinstance(answer, bool) else -1
    if moves_are_squares(game):
        text = f"expected (row, column), from (0, 0) at the top left to {(height - 1, width - 1)}"
        if 0 <= number <= size:
            origin, place = (1, "move - 1") if number == size else (0, "move")
            return f"{text}; {number} counts squares from {origin}: return divmod({place}, {width}), not move"
    else:
        legal = legal_moves(game, position)
        example = move_name(game, position, side, number if number in legal else legal[0])
        text = f"expected (row, column) from the top left, or a move's name such as {example!r}"
    state = isinstance(answer, tuple | list) and len(answer) == size and set(map(repr, answer)) <= {"0", "1", "2"}
    return f"{text}; {BY_TUPLE}" if state else text


def misread(game: Game, position: Position, side: int, squares: list[Square]) -> str:
    """` (...; did you mean (0, 1)?)` if squares with the column first, or from 1, make one legal move; else empty."""
    width, height = game.shape
    readings = {"the row comes first": [(column, row) for row, column in squares]}
    if any(row == height or column == width for row, column in squares):
        readings["rows and columns count from 0"] = [(row - 1, column - 1) for row, column in squares]
    for why, meant in readings.items():
        if len(fitting(game, position, side, meant)) == 1:
            return f" ({why}; did you mean {meant[0] if len(meant) == 1 else tuple(meant)}?)"
    return ""


def state_of(game: Game, position: Position, side: int, marks: Marks = MARKS) -> State:
    """The position as numbers, one for each square."""
    return tuple(marks[0] if at is None else marks[1 + at[0]] for at in pieces_on(game, position, side))


def move_to_state(game: Game, position: Position, side: int, answer: object, marks: Marks = MARKS) -> Move:
    """The legal move after which the position is the state that was answered; raises IllegalMove if there is none."""
    plain = answer.tolist() if hasattr(answer, "tolist") else answer  # numpy's arrays
    states = {move: state_of(game, *after(game, position, side, move), marks) for move in legal_moves(game, position)}
    for move, state in states.items():
        if isinstance(plain, tuple | list) and tuple(plain) == state:
            return move
    wanted = f"expected the state after a move of {marks[1 + side]}, such as {next(iter(states.values()))!r}"
    raise illegal_move(game, position, side, f"{answer!r} ({wanted})")


def named(game: Game, position: Position, side: int, name: str) -> Move:
    """The legal move of that name."""
    try:
        return parse_move(game, position, side, name)
    except IllegalMove:
        found = re.fullmatch(r"\W*([0-9]{1,4})\W+([0-9]{1,4})\W*", name)
        square = (int(found[1]), int(found[2])) if found else (-1, -1)
        numbers = f" (return the numbers {square}, not text)" if fitting(game, position, side, [square]) else ""
        raise illegal_move(game, position, side, repr(name) + numbers) from None


def squares_in(answer: object) -> list[Square] | None:
    """The squares that an answer names, one or two; None if it is not of that form."""
    if (square := square_in(answer)) is not None:
        return [square]
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        return None
    pair = [square for part in answer if (square := square_in(part)) is not None]
    return pair if len(pair) == 2 else None


def square_in(value: object) -> Square | None:
    """The square that a value of two whole numbers names."""
    if not isinstance(value, tuple | list) or len(value) != 2:
        return None
    try:
        return index(value[0]), index(value[1])
    except TypeError:
        return None


def fitting(game: Game, position: Position, side: int, squares: list[Square]) -> list[Move]:
    """The legal moves that put a piece on the square; of two squares, those from one to the other or onto both."""
    width, height = game.shape
    if not all(0 <= row < height and 0 <= column < width for row, column in squares):
        return []
    numbers = [row * width + column for row, column in squares]
    if len(numbers) == 1 and moves_are_squares(game):
        return [move for move in legal_moves(game, position) if move == numbers[0]]
    found = changes(game, position, side)
    if len(numbers) == 1:
        return [move for move, change in found.items() if numbers[0] in change.to]
    origin, target = numbers
    return [
        move
        for move, change in found.items()
        if (origin in change.left and target in change.to) or sorted(numbers) == change.to
    ]
