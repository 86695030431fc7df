"""Kayles: knock down one pin, or two that stand side by side; whoever knocks down the last one wins."""

from perfectplay.game import Game, Look
from perfectplay.words import LOSS, ONGOING, BadGame, Position, Sides

GROUP = "Impartial"
RULES = """Knock down one pin, or two pins that stand side by side with no gap between them.
Whoever knocks down the last pin wins."""
HISTORY = """Henry Dudeney set it as a puzzle in *The Canterbury Puzzles*, 1907: thirteen pins, the second one down.
Richard Guy and Cedric Smith solved it: from 71 pins on, the Grundy values of a row repeat every 12 pins."""
SOURCE = "R. Guy, C. Smith, *The G-Values of Various Games*, 1956"
FIRST, SECOND = f"First player wins: {SOURCE}", f"Second player wins: {SOURCE}"
RESULTS = {"": FIRST, "12": FIRST, "5,5": SECOND, "4,8": SECOND, "1,2,3": SECOND, "1,11": FIRST}


def game(*rows: int) -> Game:
    """The game with rows of that many pins; one row of 7 if none are given."""
    rows = rows or (7,)
    if not (len(rows) <= 5 and min(rows) >= 1 and max(rows) <= 26 and 2 * sum(rows) - len(rows) <= 63):
        raise BadGame(f"rows must be 1 to 26 pins each, at most 5 rows and 31 pins, not {', '.join(map(str, rows))}")
    # Pins belong to nobody, so they are always `mine`.
    pins, wide = [(at, row) for row, size in enumerate(rows) for at in range(size)], max(rows)
    names, pairs = [f"{chr(ord('a') + at)}{row + 1}" for at, row in pins], [i for i, (at, _) in enumerate(pins) if at]
    shots = (*(1 << i for i in range(len(pins))), *(3 << i - 1 for i in pairs))

    def moves(mine: int, theirs: int) -> int:
        legal = 0
        for move, shot in enumerate(shots):
            legal |= (mine & shot == shot) << move
        return legal

    def play(mine: int, theirs: int, move: int) -> Position:
        return mine & ~shots[move], 0

    return Game(
        moves=moves,
        play=play,
        outcome=lambda mine, theirs: ONGOING if mine else LOSS,
        impartial=True,
        bits=len(pins),
        shape=(wide, len(rows)),
        start=((1 << len(pins)) - 1, 0),
        symmetries=[
            tuple(pins.index((rows[row] - 1 - at if turned >> row & 1 else at, row)) for at, row in pins)
            for turned in range(1 << len(rows))
        ],
        key=lambda mine, theirs: mine,
        unkey=lambda key: (key, 0),
        key_bits=len(pins),
        move_names=[*names, *(names[i - 1] + names[i] for i in pairs)],
        cells=[pins.index((at, row)) if at < size else " " for row, size in enumerate(rows) for at in range(wide)],
        look=Look(
            sides=Sides("First", "Second"),
            pieces=Sides(("i",), ("i",)),
            shapes=Sides(("pawn",), ("pawn",)),
            title=f"Kayles, {'rows' if len(rows) > 1 else 'a row'} of {', '.join(map(str, rows))}",
        ),
    )
