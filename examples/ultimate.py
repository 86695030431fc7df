"""Ultimate tic-tac-toe: three won boards in a row win; your square says on which board the other side plays next.

Bit 9 * board + square of a word is a mark. Bit 81 + board of the side that has just moved says where to play; a board
that is won or full sends nobody to it, and then any board will do.
"""

from perfectplay import DRAW, LOSS, ONGOING, Game, Look

ALL, BOARD = (1 << 81) - 1, 511
LINES = (7, 56, 448, 73, 146, 292, 273, 84)


def has_line(board):
    found = False
    for line in LINES:
        found |= board & line == line
    return found


def won(word):  # the boards that are won, as bits
    found = 0
    for board in range(9):
        if has_line(word >> 9 * board & BOARD):
            found |= 1 << board
    return found


def moves(mine, theirs):
    free, closed, aimed = ALL & ~(mine | theirs), won(mine) | won(theirs), 0
    for board in range(9):
        part = free & BOARD << 9 * board
        if closed >> board & 1:
            free ^= part
        elif theirs >> 81 + board & 1:
            aimed = part
    return aimed or free


def play(mine, theirs, move):
    return theirs & ALL, mine & ALL | 1 << move | 1 << 81 + move % 9


def outcome(mine, theirs):
    if has_line(won(theirs)):
        return LOSS
    return ONGOING if moves(mine, theirs) else DRAW


def game():
    reading = [27 * (y // 3) + 9 * (x // 3) + 3 * (y % 3) + x % 3 for y in range(9) for x in range(9)]
    names = {cell: f"{chr(ord('a') + i % 9)}{i // 9 + 1}" for i, cell in enumerate(reading)}
    return Game(
        moves=moves,
        play=play,
        outcome=outcome,
        bits=90,
        shape=(9, 9),
        cells=[*reading, *range(81, 90)],
        move_names=[names[move] for move in range(81)],
        look=Look(title="Ultimate tic-tac-toe", beside=tuple(f"board {board + 1}" for board in range(9))),
    )
