"""Ultimate tic-tac-toe: three won boards in a row win; your square says on which board the other side plays next.

Bit 9 * board + square of a word is a mark. The upper bits of the word of the side that has just moved are the board
to play on, 9 for any: a board that is won or full sends nobody to it.
"""

from perfectplay import DRAW, LOSS, ONGOING, Game

ALL, ANY, BOARD = (1 << 81) - 1, 9, 511
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
    free, closed, target = ALL & ~(mine | theirs), won(mine) | won(theirs), theirs >> 81
    for board in range(9):
        if closed >> board & 1:
            free &= ~(BOARD << 9 * board)
    if target < ANY and free >> 9 * target & BOARD:
        return free & BOARD << 9 * target
    return free


def play(mine, theirs, move):
    return theirs & ALL, mine & ALL | 1 << move | (move % 9) << 81


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
        bits=85,
        shape=(9, 9),
        start=(0, ANY << 81),
        cells=reading,
        move_names=[names[move] for move in range(81)],
    )
