"""Whether the drawn board fits the rules, or rows and columns have been swapped.

Rules for 3 columns number squares with a step of 3 from row to row. Drawn in rows of 4, their lines look broken. So
what the rules join is compared on the board as drawn and on the same board with rows and columns swapped: winning
squares, moves of a piece, squares that one move fills in turn, and symmetries. Only what is whole on the swapped board
and broken on the drawn one counts, if that is no accident and nothing tells the opposite.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, pairwise
from random import Random
from typing import NamedTuple

from perfectplay.bits import bit_numbers, turns_and_mirrors
from perfectplay.compiler.checks.sample_positions import Met, following, in_any_order
from perfectplay.game import Game, images, legal_moves
from perfectplay.rules.notation import pieces_on, spots
from perfectplay.words import DRAW, FIRST, ONGOING, Move, Sides

LOOKED_AT = 60_000
"""The most places for a piece looked at to find what rules join: half a second."""
CHANCE = 0.001
"""The greatest probability at which squares chosen at random would fit the swapped board as well."""
SAMPLES = 1_000

Shape = tuple[int, int]
Squares = tuple[int, ...]
"""Squares that the rules join, in reading order of the drawn board."""
Law = Callable[[Shape, Squares], bool]


def steps(shape: Shape, squares: Squares) -> list[tuple[int, int]]:
    """The columns and rows from each square to the next."""
    places = [(square % shape[0], square // shape[0]) for square in squares]
    return [(x - before_x, y - before_y) for (before_x, before_y), (x, y) in pairwise(places)]


def is_straight(shape: Shape, squares: Squares) -> bool:
    """Whether the squares are a line without gaps."""
    directions = {*steps(shape, tuple(sorted(squares)))}
    return len(directions) == 1 and all(max(abs(x), abs(y)) == 1 for x, y in directions)


def is_connected(shape: Shape, squares: Squares) -> bool:
    """Whether one comes from each of the squares to all others by steps of a king."""
    component, waiting = {squares[0]}, [squares[0]]
    for square in waiting:
        near = [other for other in squares if other not in component and is_king_step(shape, (square, other))]
        component.update(near)
        waiting += near
    return len(component) == len(squares)


def is_king_step(shape: Shape, squares: Squares) -> bool:
    """Whether the two squares are neighbours, diagonally too."""
    return all(max(abs(x), abs(y)) <= 1 for x, y in steps(shape, squares))


def is_queen_move(shape: Shape, squares: Squares) -> bool:
    """Whether the two squares are in one row, column or diagonal."""
    return all(not x or not y or abs(x) == abs(y) for x, y in steps(shape, squares))


def is_next(shape: Shape, squares: Squares) -> bool:
    """Whether the two squares share an edge."""
    return all(abs(x) + abs(y) == 1 for x, y in steps(shape, squares))


def is_symmetry(shape: Shape, squares: Squares) -> bool:
    """Whether the squares, each in the place of the one that goes there, are the board turned or mirrored."""
    return squares in turns_and_mirrors(*shape)


class Evidence(NamedTuple):
    """Squares that the rules join: what collects them, what holds on the right board, and what they are called."""

    collect: Callable[[Game, Sequence[Met]], Iterable[Squares]]
    laws: tuple[Law, ...]
    words: str


def winning_squares(game: Game, met: Sequence[Met]) -> Iterator[Squares]:
    """The squares of which the last mover needed each to win, where three or more were needed."""
    if game.winning_lines is not None:
        square_of = squares_of_bits(game)
        lines = [tuple(square_of.get(bit, -1) for bit in bit_numbers(line)) for line in game.winning_lines()]
        yield from (tuple(sorted(line)) for line in lines if square_of and len(line) > 2 and min(line) >= 0)
        return
    most = LOOKED_AT // places_to_look(game)
    for position, side in in_any_order(met)[:most]:
        if game.outcome(*position) not in (ONGOING, DRAW):
            needed = squares_needed(game, Met(position, side))
            if len(needed) > 2:
                yield needed


def places_to_look(game: Game) -> int:
    """The number of places for a piece on the board: each kind of piece on each square."""
    return max(1, sum(map(len, spots(game, FIRST))))


def squares_needed(game: Game, met: Met) -> Squares:
    """The squares of the last mover without any of which the game would not have ended; none if it ended otherwise."""
    (mine, _), places = met.position, spots(game, met.side)
    end = game.outcome(*met.position)
    words = {
        square: places[square][piece[1]][1]
        for square, piece in enumerate(pieces_on(game, met.position, met.side)[: game.shape[0] * game.shape[1]])
        if piece is not None and piece[0] != met.side
    }

    def has_same_end(squares: Iterable[int]) -> bool:
        word = 0
        for square in squares:
            word |= words[square]
        try:
            return game.outcome(mine, word) == end
        except Exception:  # not a position that rules expect
            return False

    needed = [*words]
    if not has_same_end(needed):
        return ()
    for square in words:
        fewer = [other for other in needed if other != square]
        needed = fewer if has_same_end(fewer) else needed
    return tuple(needed)


class SingleMove(NamedTuple):
    """A move of a piece, by its number: from a square, None for a new piece, to another."""

    move: Move
    start: int | None
    end: int


def single_move(game: Game, met: Met, move: Move) -> tuple[SingleMove, Met] | None:
    """The move and the position after it, if it puts one piece somewhere, or moves one and changes no other."""
    side, after = met.side, following(game, met, move)
    area = game.shape[0] * game.shape[1]  # what is beside the board does not count
    old_pieces, new_pieces = (
        {at: piece[1] for at, piece in enumerate(pieces_on(game, *one)[:area]) if piece and piece[0] == side}
        for one in (met, after)
    )
    starts, ends = old_pieces.keys() - new_pieces.keys(), new_pieces.keys() - old_pieces.keys()
    if len(ends) != 1 or len(starts) > 1:
        return None
    start, end = next(iter(starts), None), next(iter(ends))
    if start is not None:
        old_pieces[end] = old_pieces.pop(start)
        if old_pieces != new_pieces:
            return None
    return SingleMove(move, start, end), after


def single_moves(game: Game, met: Sequence[Met]) -> Iterator[tuple[SingleMove, Met]]:
    """Single moves in the positions, as many as may be looked at."""
    moves = ((one, move) for one in in_any_order(met) for move in legal_moves(game, one.position))
    for one, move in islice(moves, LOOKED_AT // places_to_look(game)):
        result = single_move(game, one, move)
        if result is not None:
            yield result


def piece_moves(game: Game, met: Sequence[Met]) -> Iterator[Squares]:
    """From where to where pieces move."""
    for one, _ in single_moves(game, met):
        if one.start is not None:
            yield one.start, one.end


def stacks(game: Game, met: Sequence[Met]) -> Iterator[Squares]:
    """The squares that the same move fills one after the other, as where pieces drop into a column."""
    for one, after in single_moves(game, met):
        if one.start is None and one.move in legal_moves(game, after.position):
            then = single_move(game, after, one.move)
            if then is not None and then[0].start is None:
                yield one.end, then[0].end


def symmetries(game: Game, met: Sequence[Met]) -> Iterator[Squares]:
    """The symmetries as permutations of the drawn squares, where they are such."""
    square_of, turns = squares_of_bits(game), images(game)
    for i in range(1, turns.count if square_of else 1):
        images_of_bits = [turns.image(1 << bit, 0, i) for bit in square_of]
        if all(theirs == 0 and mine.bit_count() == 1 for mine, theirs in images_of_bits):
            yield tuple(square_of.get(mine.bit_length() - 1, -1) for mine, _ in images_of_bits)


def squares_of_bits(game: Game) -> dict[int, int]:
    """The square of each bit, in reading order; none where squares have other pieces or differ for the sides."""
    cells = () if isinstance(game.cells, Sides) else game.cells
    return {cell: square for square, cell in enumerate(cells) if isinstance(cell, int)}


EVIDENCE = (
    Evidence(winning_squares, (is_straight, is_connected), "winning squares such as {}"),
    Evidence(piece_moves, (is_king_step, is_queen_move), "moves such as {}"),
    Evidence(stacks, (is_next,), "squares such as {}, which one move fills in turn,"),
    Evidence(symmetries, (is_symmetry,), "the symmetries"),
)


def swapped_board(game: Game, met: Sequence[Met]) -> str | None:
    """The line for a board whose rows and columns are swapped; None if nothing suggests it."""
    shape, swapped = game.shape, game.shape[::-1]
    lines = []
    for evidence in EVIDENCE:
        groups = {*evidence.collect(game, met)}
        for law in evidence.laws:
            broken = sorted(one for one in groups if not law(shape, one))
            whole = all(law(swapped, one) for one in groups)
            if not broken and not whole:
                return None  # this fits the drawn board only
            if broken and whole and by_chance(law, swapped, groups) <= CHANCE:
                lines.append(evidence.words.format(squares_text(game, broken[0])))
    return f"rows and columns seem to be swapped: {lines[0]} {what_to_write(game)}" if lines else None


def by_chance(law: Law, shape: Shape, groups: Iterable[Squares]) -> float:
    """The probability that the law holds for as many squares chosen at random."""
    rng, squares = Random(1), range(shape[0] * shape[1])
    probability = 1.0
    for size, count in Counter(map(len, groups)).items():
        hits = sum(law(shape, tuple(rng.sample(squares, size))) for _ in range(SAMPLES))
        probability *= (max(hits, 1) / SAMPLES) ** count
    return probability


def squares_text(game: Game, squares: Squares) -> str:
    """The squares by their labels, or where several have one label, by their places."""
    labels = [column + row for row in game.look.rows for column in game.look.columns]
    if len({*labels}) < len(labels):
        width = game.shape[0]
        labels = [f"({at % width + 1}, {at // width + 1})" for at in range(len(labels))]
    return " ".join(labels[square] for square in squares)


def what_to_write(game: Game) -> str:
    """On which board the rules are whole, and how to have it."""
    width, height = game.shape
    fits = f"fit {height} columns and {width} rows, not the {width} columns and {height} rows of the board"
    if [*squares_of_bits(game)] != [*range(width * height)]:
        return f"{fits}; list cells row by row, or write shape=({height}, {width})"
    by_columns = f"cells=[c * {height} + r for r in range({height}) for c in range({width})]"
    return f"{fits}; write shape=({height}, {width}), or to keep the board {by_columns}"
