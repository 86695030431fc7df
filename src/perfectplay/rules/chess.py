"""Chess on boards of up to 8 x 8, for rules: what pieces reach, and how an ending against a king alone is drawn.

Square (column, row) is 8 * row + column on a board of any size; row 0, the highest rank, is at the top. A word has the
king's square in bits 0 to 5, then eight bits for each piece: its square, and above it its kind from 1, or 0 if it was
taken. Black's word is a square and nothing more.
"""

from collections.abc import Callable, Sequence

from perfectplay.bits import turns_and_mirrors
from perfectplay.game import Game, Images, Look, Spot
from perfectplay.words import BadGame, Position, Sides

SQUARE = 63
"""The bits of a square."""
KING = tuple((x, y) for y in (-1, 0, 1) for x in (-1, 0, 1) if x or y)
KNIGHT = tuple((x, y) for y in (-2, -1, 1, 2) for x in (-2, -1, 1, 2) if abs(x) != abs(y))
"""The eight steps of pieces that do not slide, in columns and rows."""


def near(one: int, other: int) -> bool:
    """Whether a king steps from one square to the other; also if they are the same."""
    return abs((one & 7) - (other & 7)) <= 1 and abs((one >> 3) - (other >> 3)) <= 1


def straight(one: int, other: int) -> bool:
    """Whether two squares share a column or a row, as for a rook."""
    return one != other and ((one ^ other) & 7 == 0 or (one ^ other) & 56 == 0)


def diagonal(one: int, other: int) -> bool:
    """Whether two squares share a diagonal, as for a bishop."""
    return one != other and abs((one & 7) - (other & 7)) == abs((one >> 3) - (other >> 3))


def jump(one: int, other: int) -> bool:
    """Whether a knight jumps from one square to the other."""
    return abs(((one & 7) - (other & 7)) * ((one >> 3) - (other >> 3))) == 2


def between(square: int, one: int, other: int) -> bool:
    """Whether a square lies between two that share a line."""
    x, y = (square & 7) - (one & 7), (square >> 3) - (one >> 3)
    across, down = (other & 7) - (one & 7), (other >> 3) - (one >> 3)
    return x * down == y * across and 0 < x * across + y * down < across * across + down * down


def steps(size: int, ways: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    """For each square the targets of the eight steps, -1 beside the board."""
    return tuple(on_board(size, at % 8 + x, at // 8 + y) for at in range(8 * size) for x, y in ways)


def lines(size: int) -> tuple[int, ...]:
    """For each square its row, its column and its two diagonals: eight squares each, -1 beside the board."""
    squares = []
    for at in range(8 * size):
        x, y = at % 8, at // 8
        ways = [[(i, y) for i in range(8)], [(x, i) for i in range(8)]]
        ways += [[(i, y + i - x) for i in range(8)], [(i, y + x - i) for i in range(8)]]
        squares += [on_board(size, column, row) for way in ways for column, row in way]
    return tuple(squares)


def on_board(size: int, column: int, row: int) -> int:
    """The square, or -1 if it is beside the board."""
    return 8 * row + column if 0 <= column < size and 0 <= row < size else -1


def check_size(size: int) -> None:
    """Refuses a board on which there is no such ending."""
    if not 3 <= size <= 8:
        raise BadGame(f"size must be 3 to 8, not {size}")


def ending(
    size: int,
    pieces: Sequence[str],
    start: str,
    moves: Callable[[int, int], int],
    play: Callable[[int, int, int], Position],
    outcome: Callable[[int, int], int],
    title: str,
    images: int = 8,
) -> Game:
    """The game in which White has a king and these pieces, each with the letters of its kinds, and Black a king alone.

    The start names the squares of White's king and pieces and of Black's king. With a pawn the board has two images.
    """
    names = {8 * y + x: f"{'abcdefgh'[x]}{size - y}" for y in range(size) for x in range(size)}
    of_name = {name: at for at, name in names.items()}
    king, *white, foe = (of_name[name] for name in start.split())

    def move_name(mine: int, theirs: int, move: int) -> str:
        after = play(mine, theirs, move)[1]
        if (mine ^ after) & SQUARE:
            return f"K{names[after & SQUARE]}"
        i = ((mine ^ after).bit_length() - 7) // 8
        old, new = (pieces[i][(word >> 8 * i + 12 & 3) - 1] for word in (mine, after))
        return f"{old.strip('P')}{names[after >> 8 * i + 6 & SQUARE]}{f'={new}' if new != old else ''}"

    def spots(at: int) -> list[Spot]:
        kinds = [(i, kind) for i, letters in enumerate(pieces) for kind in range(1, len(letters) + 1)]
        return [(SQUARE, at), *((255 << 8 * i + 6, (kind << 6 | at) << 8 * i + 6, 0) for i, kind in kinds)]

    def key(mine: int, theirs: int) -> int:
        return (mine | theirs) >> 6 << 13 | (mine > theirs | SQUARE) << 12 | (mine & SQUARE) << 6 | theirs & SQUARE

    def unkey(number: int) -> Position:
        kings = number >> 6 & SQUARE, number & SQUARE
        white = number >> 13 << 6
        return (kings[0] | white, kings[1]) if number >> 12 & 1 else (kings[0], kings[1] | white)

    return Game(
        moves=moves,
        play=play,
        outcome=outcome,
        bits=6 + 8 * len(pieces),
        shape=(size, size),
        start=(king | sum((64 | at) << 8 * i + 6 for i, at in enumerate(white)), foe),
        key=key,
        unkey=unkey,
        key_bits=13 + 8 * len(pieces),
        symmetries=turns(size, len(pieces), images),
        move_names=move_name,
        cells=[spots(at) for at in names],
        look=Look(
            Sides("White", "Black"),
            Sides(("K", *"".join(pieces)), ("k",)),
            rows=tuple(str(size - row) for row in range(size)),
            title=title if size == 8 else f"{title}, {size} × {size}",
            summary=f"{title} against a king alone: White mates in as few moves as possible.",
            board="checks",
            colours=Sides("white", "black"),
        ),
    )


def turns(size: int, pieces: int, images: int) -> Images:
    """The symmetries of the board for words with that many pieces: all eight, or only the mirror from left to right."""
    turned = tuple(
        turn[at // 8 * size + at % 8] // size * 8 + turn[at // 8 * size + at % 8] % size if at % 8 < size else 0
        for turn in turns_and_mirrors(size, size)[:images]
        for at in range(8 * size)
    )

    def moved(word: int, i: int) -> int:
        image_word = turned[8 * size * i + (word & SQUARE)]
        for piece in range(6, 6 + 8 * pieces, 8):
            kind = word >> piece + 6 & 3
            image_word |= (kind << 6 | turned[8 * size * i + (word >> piece & SQUARE)]) << piece if kind else 0
        return image_word

    def image(mine: int, theirs: int, i: int) -> Position:
        return moved(mine, i), moved(theirs, i)

    return Images(images, image)
