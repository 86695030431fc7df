"""Notakto: both players put crosses; three in a row close a board, and whoever closes the last one loses."""

from perfectplay.bits import has_run, runs, turns_and_mirrors
from perfectplay.game import Game, Look
from perfectplay.words import ONGOING, WIN, BadGame, Position, Sides, spelled

RULES = """Both players put crosses, on any empty square of any board that is still open.
Three in a row close a board: across, down or diagonally. Whoever closes the last board loses."""
HISTORY = "Suggested by Bob Koca. On one board only the middle wins; all others lose to the square opposite."
SOURCE = "T. E. Plambeck, G. Whitehead, *The Secrets of Notakto*, 2013"
GROUP, ALIASES = "Rows", {"neutral-tic-tac-toe": "1"}
RESULTS = {"1": f"First player wins: {SOURCE}"}
LARGER, REPORTED = {"2": f"Second player wins: {SOURCE}"}, {"3": f"First player wins: {SOURCE}"}


def game(boards: int = 1) -> Game:
    """The game on that many boards of 3 x 3 squares."""
    if not 1 <= boards <= 4:
        raise BadGame(f"boards must be 1 to 4, not {boards}")
    rows = runs(3, 3, 3)

    def moves(mine: int, theirs: int) -> int:
        legal = 0
        for board in range(boards):
            crosses = mine >> 9 * board & 511
            legal |= (0 if has_run(crosses, rows, 3) else 511 & ~crosses) << 9 * board
        return legal

    def play(mine: int, theirs: int, move: int) -> Position:
        return mine | 1 << move, 0  # crosses belong to nobody: they stand in the word of the side to move

    def outcome(mine: int, theirs: int) -> int:
        return ONGOING if moves(mine, theirs) else WIN

    wide, letters = 4 * boards - 1, "abcdefghijkl"
    bits = [None if x % 4 == 3 else 9 * (x // 4) + 3 * y + x % 4 for y in range(3) for x in range(wide)]
    ways = [[(first + way * i) % boards for i in range(boards)] for first in range(boards) for way in (1, -1)]
    orders, turns = ways[:: 1 if boards > 2 else 2], turns_and_mirrors(3, 3)
    return Game(
        moves=moves,
        play=play,
        outcome=outcome,
        bits=9 * boards,
        shape=(wide, 3),
        key=lambda mine, theirs: mine,
        unkey=lambda number: (number, 0),
        key_bits=9 * boards,
        symmetries=[tuple(9 * to + at for to in order for at in turn) for order in orders for turn in turns],
        move_names=[f"{letters[3 * board + at % 3]}{at // 3 + 1}" for board in range(boards) for at in range(9)],
        cells=[" " if bit is None else [(1 << bit, 1 << bit)] for bit in bits],
        look=Look(
            Sides("first", "second"),
            Sides(("X",), ("X",)),
            columns=tuple(" " if x % 4 == 3 else letters[x - x // 4] for x in range(wide)),
            title="Notakto" if boards == 1 else f"Notakto, {spelled(boards)} boards",
            board="paper" if boards == 1 else "squares",
        ),
    )
