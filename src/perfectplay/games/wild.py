"""Wild tic-tac-toe: put a cross or a nought, as you like; three of the same in a row win. In misere they lose."""

from perfectplay.bits import has_run, runs, turns_and_mirrors
from perfectplay.game import Game, Look, check_sizes, row_board
from perfectplay.words import DRAW, LOSS, ONGOING, WIN, BadGame, Position, Sides, spelled

RULES = """Players take turns to put a cross or a nought, as they like, on an empty square.
Whoever completes a row of the same marks wins, no matter who put them: across, down or diagonally.
In misère whoever completes such a row loses. A full board is a draw."""
HISTORY = "The first player takes the middle and wins. In misère each side can mirror the other with the other mark."
SOURCE = "R. A. Epstein, *The Theory of Gambling and Statistical Logic*, 2009"
GROUP, ALIASES, DEFAULTS = "Rows", {"wild-tic-tac-toe": "3,3,3", "misere-wild-tic-tac-toe": "3,3,3,true"}, row_board
RESULTS = {"3,3,3": f"First player wins: {SOURCE}", "3,3,3,true": f"Draw: {SOURCE}"}


def game(width: int = 3, height: int = 3, k: int = 3, misere: bool = False) -> Game:
    """The game on width x height squares; a row of k like marks wins, or in misere loses."""
    check_sizes(width, height, k)
    squares, rows, row_made = width * height, runs(width, height, k), WIN if misere else LOSS
    if squares > 31:
        raise BadGame(f"the board must have at most 31 squares, not {squares}")
    full = (1 << squares) - 1  # marks belong to nobody: the word of the side to move has the crosses, then the noughts

    def moves(mine: int, theirs: int) -> int:
        free = full & ~(mine | mine >> squares)
        return free | free << squares

    def play(mine: int, theirs: int, move: int) -> Position:
        return mine | 1 << move, 0

    def outcome(mine: int, theirs: int) -> int:
        if has_run(mine & full, rows, k) or has_run(mine >> squares, rows, k):
            return row_made
        return ONGOING if full & ~(mine | mine >> squares) else DRAW

    marks, both = ("X", "O"), (0, squares)
    names = [f"{'abcdefghijklmnopqrstuvwxyzABCDE'[at % width]}{at // width + 1}" for at in range(squares)]
    turns = turns_and_mirrors(width, height)
    title = "Wild tic-tac-toe" if (width, height, k) == (3, 3, 3) else f"Wild {k} in a row, {width} × {height}"
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
            Sides("first", "second"),
            Sides(marks, marks),
            title=f"{title}, misère" if misere else title,
            summary=f"Any mark, {spelled(k)} alike in a row {'lose' if misere else 'win'}.",
            board="paper",
        ),
    )
