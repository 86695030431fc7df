"""Quarto on 3 x 3 squares: place the piece that you are given and give the next; three alike in a row win."""

from perfectplay.bits import run_masks, runs, turns_and_mirrors
from perfectplay.game import Game, Images, Look
from perfectplay.words import DRAW, ONGOING, WIN, Position, Sides

RULES = """There are eight pieces: big or small, square or round, full or hollow. The first player gives one away.
Place the piece that you are given on an empty square, then give one of those left to the other player.
Whoever completes a row of three that are alike in at least one way wins: across, down or diagonally.
When no piece is left it is a draw.
The usual game has 4 × 4 squares and twice as many pieces, and needs four in a row."""
HISTORY = "Invented by Blaise Müller. Luc Goossens found the usual game to be a draw in 1998."
GROUP, LARGER = "Rows", {"": "Second player wins in 10"}
LINES, TURNS = run_masks(runs(3, 3, 3), 3), tuple(to for turn in turns_and_mirrors(3, 3) for to in (*turn, 9))


def game() -> Game:
    """The game on 3 x 3 squares with eight pieces."""
    # The word of the side to move has four layers of ten bits, for the nine squares and the piece that was given: where
    # a piece is, and whether it is small, round, hollow. Moves 0 to 8 place a piece, those from 9 give one.

    def piece(mine: int, spot: int) -> int:
        return mine >> 10 + spot & 1 | (mine >> 20 + spot & 1) << 1 | (mine >> 30 + spot & 1) << 2

    def at(number: int, spot: int) -> int:
        return (1 | (number & 1) << 10 | (number >> 1 & 1) << 20 | (number >> 2 & 1) << 30) << spot

    def moves(mine: int, theirs: int) -> int:
        rest = 255
        for spot in range(9):
            rest &= ~((mine >> spot & 1) << piece(mine, spot))
        return 511 & ~mine if mine >> 9 & 1 else rest << 9

    def play(mine: int, theirs: int, move: int) -> Position:
        if move >= 9:
            return mine | at(move - 9, 9), 0
        return mine & ~at(7, 9) | at(piece(mine, 9), move), 0

    def outcome(mine: int, theirs: int) -> int:
        for line in LINES:
            for way in (10, 20, 30):
                if mine & line == line and mine >> way & line in (0, line):
                    return WIN
        return DRAW if moves(mine, theirs) == 0 else ONGOING

    def image(mine: int, theirs: int, i: int) -> Position:  # the board turned, small exchanged with big and so on
        image_bits = 0
        for spot in range(10):
            image_bits |= at(piece(mine, spot) ^ i >> 3, TURNS[10 * (i & 7) + spot]) if mine >> spot & 1 else 0
        return image_bits, 0

    texts = ("■", "▪", "●", "•", "□", "▫", "○", "◦")
    names = [f"{size}-{form}" for form in ("block", "disc", "frame", "ring") for size in ("big", "small")]
    return Game(
        moves=moves,
        play=play,
        outcome=outcome,
        again=lambda mine, theirs, move: move < 9,
        bits=40,
        shape=(3, 3),
        key=lambda mine, theirs: mine,
        unkey=lambda number: (number, 0),
        key_bits=40,
        symmetries=Images(64, image),
        move_names=[*(f"{column}{row}" for row in "123" for column in "abc"), *names],
        cells=[[(at(7, spot), at(number, spot)) for number in range(8)] for spot in range(10)],
        look=Look(Sides("first", "second"), Sides(texts, texts), title="Quarto, 3 × 3", beside=("given",)),
    )
