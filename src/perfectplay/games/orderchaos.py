"""Order and chaos: both put crosses and noughts; Order wants a row of the same, Chaos a full board without one."""

from perfectplay.bits import has_run, runs, turns_and_mirrors
from perfectplay.game import Game, Look, check_sizes, row_board
from perfectplay.words import LOSS, ONGOING, WIN, BadGame, Position, Sides, spelled

RULES = """Order moves first. Players take turns to put a cross or a nought, as they like, on an empty square.
Order wins as soon as there is a row of enough like marks, across, down or diagonally, no matter who put them.
Chaos wins when the board is full without one."""
HISTORY = "Invented by Stephen Sniderman, *Games* magazine, 1981, for five in a row on 6 × 6 squares."
GROUP, ALIASES, DEFAULTS = "Rows", {"order-and-chaos": ""}, row_board
RESULTS = {"3,3,3": "First player wins in 5"}
LARGER = {"4,4,3": "First player wins in 5", "4,4,4": "First player wins in 13"}


def game(width: int = 3, height: int = 3, k: int = 3) -> Game:
    """The game on width x height squares; Order wants k like marks in a row."""
    check_sizes(width, height, k)
    squares, rows = width * height, runs(width, height, k)
    if squares > 31:
        raise BadGame(f"the board must have at most 31 squares, not {squares}")
    full = (1 << squares) - 1  # marks belong to nobody: the word of the side to move has the crosses, then the noughts

    def moves(mine: int, theirs: int) -> int:
        free = full & ~(mine | mine >> squares)
        return free | free << squares

    def play(mine: int, theirs: int, move: int) -> Position:
        return mine | 1 << move, 0

    def outcome(mine: int, theirs: int) -> int:
        order = WIN if mine.bit_count() % 2 == 0 else LOSS  # what a row is to the side to move
        if has_run(mine & full, rows, k) or has_run(mine >> squares, rows, k):
            return order
        return ONGOING if full & ~(mine | mine >> squares) else -order

    marks, both = ("X", "O"), (0, squares)
    names = [f"{'abcdefghijklmnopqrstuvwxyzABCDE'[at % width]}{at // width + 1}" for at in range(squares)]
    turns = turns_and_mirrors(width, height)
    return Game(
        moves=moves,
        play=play,
        outcome=outcome,
        bits=2 * squares,
        shape=(width, height),
        key=lambda mine, theirs: mine,
        unkey=lambda number: (number, 0),
        key_bits=2 * squares,
        symmetries=[tuple(to + (i ^ swap) for i in both for to in turn) for swap in both for turn in turns],
        move_names=[f"{mark}{name}" for mark in marks for name in names],
        cells=[[(1 << at + i, 1 << at + i) for i in both] for at in range(squares)],
        look=Look(
            Sides("Order", "Chaos"),
            Sides(marks, marks),
            title=f"Order and chaos, {width} × {height}",
            summary=f"Order wants {spelled(k)} like marks in a row on a {width} × {height} board, Chaos none.",
        ),
    )
