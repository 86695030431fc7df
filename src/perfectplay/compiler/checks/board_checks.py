"""Whether the drawn board fits the rules, or rows and columns have been swapped.

Rules for 3 columns number squares with a step of 3 from row to row. Drawn in rows of 4, their lines look broken. So
what the rules join is compared on the board as drawn and on the same board with rows and columns swapped: winning
squares, moves of a piece, squares that one move fills in turn, and symmetries. Only what is whole on the swapped board
and broken on the drawn one counts, if that is no accident and nothing tells the opposite.
"""

import dis
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import islice, pairwise
from random import Random
from typing import NamedTuple

from perfectplay.bits import Permutation, bit_numbers, turns_and_mirrors
from perfectplay.compiler.checks.sample_positions import Finding, Met, following, in_any_order, sample_moves
from perfectplay.game import Game, images, legal_moves
from perfectplay.rules.board_layout import EMPTY
from perfectplay.rules.notation import board_rows, move_name, pieces_on, show_position, spots
from perfectplay.words import DRAW, FIRST, ONGOING, SECOND, Move, Sides

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


# Whether `play` returns the position as the next side sees it, on a board that stands still.
#
# A move changes little. So the board after it is drawn as the rules say, as it would be if the other side were to move,
# and turned or mirrored. Where a drawing that the rules do not mean changes at most half as much, over and over, the
# words have not been swapped, `again` and `play` disagree, or the board turns. Single moves tell nothing.


FEWEST = 200
"""The moves looked at in any case."""
LEAST = 5
"""The least number of moves that must speak against the rules."""
OFTEN, NEARLY_ALWAYS = 0.25, 0.9
"""The part of the telling moves that must do so for a fault, and for a board that turns; with less there is a note."""
TURNS = ("mirrored", "upside down", "turned by 180 degrees", "transposed", *["turned by 90 degrees"] * 2, "transposed")
"""The turns and mirror images of a board but the board itself; boards that are not square have three."""


class Change(NamedTuple):
    """A move, and how much it changes: as the rules say, for the other side to move, and on turned boards."""

    before: Met
    move: Move
    after: Met
    changes: tuple[int, ...]

    def tells(self, against: int, of: int) -> bool:
        """Whether much more changes in the one way to draw boards than in the other."""
        more, less = self.changes[against], self.changes[of]
        return more >= 2 * less and more >= less + 2


def next_side_sees(game: Game, met: Sequence[Met]) -> str | Finding | None:
    """Play returns the position as seen by the side that moves next, and the board stands still."""
    moves = list(sample_moves(game, met, max(LOOKED_AT // places_to_look(game), FEWEST)))
    if game.again is not None:
        for before, move, _ in moves:
            answer: object = game.again(*before.position, move)
            if not isinstance(answer, int):
                return f"again is {answer!r} {of_move(game, before, move)}; it must be True or False"
    if not (reads_theirs(game.moves) or reads_theirs(game.outcome)):
        return None  # all that there is belongs to nobody, or to the side to move
    turns, boards = turns_and_mirrors(*game.shape)[1:], cache(lambda one: square_contents(game, one))
    return finding_of_moves(game, [change_of_move(boards, turns, *one) for one in moves])


def finding_of_moves(game: Game, moves: Sequence[Change]) -> str | Finding | None:
    """What speaks against the rules: a fault, a note, or None."""
    for again in (False, True):
        here = [one for one in moves if (one.before.side == one.after.side) is again]
        ways = range(2, len(here[0].changes)) if here and not again else range(0)
        turn = min(ways, key=lambda way: total(here, way), default=1)
        if total(here, turn) < total(here, 1) and part_against(here, turn) >= NEARLY_ALWAYS:
            return Finding("note", turning(game, next(one for one in here if one.tells(0, turn)), TURNS[turn - 2]))
        if part_against(here, 1):
            clearest = min((one for one in here if one.tells(0, 1)), key=lambda one: one.changes[0])
            sure = part_against(here, 1) >= OFTEN
            line = wrong_side(game, clearest, sure)
            if sure or unusual(here):
                return line if sure else Finding("note", line)
    return None


def unusual(moves: Sequence[Change]) -> bool:
    """Whether moves that speak against the rules change more than all that speak for them; mere pushes do not."""
    most = max((one.changes[0] for one in moves if one.tells(1, 0)), default=0)
    return sum(one.tells(0, 1) and one.changes[0] > most for one in moves) >= LEAST


def total(moves: Sequence[Change], way: int) -> int:
    """The changes in all, if boards are drawn in that way."""
    return sum(one.changes[way] for one in moves)


def part_against(moves: Sequence[Change], way: int) -> float:
    """The part of the telling moves that tell that boards are to be drawn in that way; 0 if these are few."""
    wrong, right = (sum(one.tells(*ways) for one in moves) for ways in ((0, way), (way, 0)))
    return wrong / (wrong + right) if wrong >= LEAST else 0.0


def change_of_move(
    boards: Callable[[Met], list[str]], turns: Sequence[Permutation], before: Met, move: Move, after: Met
) -> Change:
    """The move with what it changes; a turned board is turned for the second side."""
    here, there, other = (boards(one) for one in (before, after, Met(after.position, 1 - after.side)))
    still, turned = (here, there) if after.side == SECOND else (there, here)
    pairs = [(here, there), (here, other)]
    pairs += [(still, [*(turned[at] for at in turn), *turned[len(turn) :]]) for turn in turns]
    return Change(before, move, after, tuple(sum(map(apart, *pair)) for pair in pairs))


def square_contents(game: Game, met: Met) -> list[str]:
    """The pieces by square, as text."""
    return [name for row in board_rows(game, *met) for name in row]


@cache
def apart(one: str, other: str) -> int:
    """The difference between two texts of a square: between numbers, where no piece is 0, else 1."""
    if one == other:
        return 0
    numbers = [0 if text == EMPTY else int(text) for text in (one, other) if text == EMPTY or text.isdecimal()]
    return abs(numbers[0] - numbers[1]) if len(numbers) == 2 else 1


def reads_theirs(rule: Callable[[int, int], int]) -> bool:
    """Whether the function looks at its second argument."""
    code = getattr(rule, "__code__", None)
    if code is None or code.co_argcount < 2:
        return False
    values = [step.argval for step in dis.get_instructions(code)]  # a step may load two names at once
    return any(code.co_varnames[1] in (value if isinstance(value, tuple) else (value,)) for value in values)


def wrong_side(game: Game, one: Change, sure: bool) -> str:
    """The line for a position that is not seen by the side that moves next, or only seems not to be."""
    returns = "play returns" if sure else "play seems to return"
    where, mover = of_move(game, one.before, one.move), one.before.side
    if mover == one.after.side:
        fault = f"{returns} the position seen by {game.look.sides[1 - mover]}"
        return f"again is true {where}, but {fault}; return (mine, theirs) there, or let again be false"
    if game.again is not None:
        fault = f"{returns} the position seen by {game.look.sides[mover]}"
        return f"again is false {where}, but {fault}; {SWAP}, or let again be true"
    leads = f"{where}, it leads to {show_position(game, *one.after)}"
    swaps = "does not swap" if sure else "may not swap"
    otherwise = "if the same side moves again, give again; if pieces belong to nobody, give both sides the same texts"
    return f"play {swaps} the sides: {leads}; {SWAP}; {otherwise}"


SWAP = "return (theirs, mine) as they are after the move"


def of_move(game: Game, met: Met, move: Move) -> str:
    """`for a1 in X:.../.../...`."""
    return f"for {move_name(game, *met, move)} in {show_position(game, *met)}"


def turning(game: Game, one: Change, how: str) -> str:
    """The line for a board that turns."""
    name, here, there = (
        move_name(game, *one.before, one.move),
        *(show_position(game, *at) for at in (one.before, one.after)),
    )
    return (
        f"the board seems to be {how} for {game.look.sides.second}: {name} leads from {here} to {there}; "
        "if play turns the board, give cells=Sides(first, second), the squares as each side sees them"
    )
