"""k in a row on a board of any size; tic-tac-toe is lines:3,3,3. Misere: making such a row loses."""

from perfectplay.bits import has_run, run_gaps, run_masks, runs, runs_through, turns_and_mirrors
from perfectplay.game import Game, Look, check_sizes, row_board
from perfectplay.words import DRAW, LOSS, ONGOING, WIN, Position, Sides, spelled

LARGE = 9
RULES = {
    "3,3,3": "Players take turns to put a mark on an empty square.\nThe first with three in a row wins: across, down or"
    " diagonally.\nA full board is a draw.",
    "15,15,5": "Players take turns to put a stone where two lines cross.\nThe first with five or more in a row wins:"
    " across, down or diagonally.\nA full board is a draw.",
    "*": "Players take turns to put a mark on an empty square.\nThe first with enough marks in a row wins: across, down"
    " or diagonally. In misère the first such row loses.\nA full board is a draw.",
}
HISTORY = {
    "3,3,3": "Tic-tac-toe is a draw, as everybody finds out; its 255,168 games are the usual first exercise in game"
    " programming.",
    "3,3,3,misere=true": "A draw like tic-tac-toe, but only the middle keeps it: every other first move loses.",
    "15,15,5": "In free gomoku, where longer rows also count, the first player wins: Victor Allis,"
    " *Searching for Solutions in Games and Artificial Intelligence*, 1994.",
    "*": "Small changes matter: three in a row on 4 × 3 is a win, four in a row on 4 × 4 a draw.",
}
GROUP, DEFAULTS = "Rows", row_board
RESULTS = {
    "3,3,3": "Draw: folklore",
    "3,3,3,misere=true": "Draw",
}
LARGER = {
    "4,3,3": "First player wins in 7",
    "5,3,3": "First player wins in 7",
    "4,4,3": "First player wins in 5",
    "6,2,3": "Draw",
    "5,3,4": "Draw",
    "4,4,4": "Draw: J. W. H. M. Uiterwijk, H. J. van den Herik, *The Advantage of the Initiative*, 2000",
    "4,3,3,misere=true": "Second player wins in 11",
    "4,4,3,misere=true": "Second player wins in 15",
    "4,4,4,misere=true": "Draw",
}
REPORTED = {
    "15,15,5": "First player wins: V. Allis, *Searching for Solutions in Games and Artificial Intelligence*, 1994"
}
ALIASES = {"tic-tac-toe": "3,3,3", "misere": "3,3,3,misere=true", "gomoku": "15,15,5"}


def look(width: int, height: int, k: int, misere: bool) -> Look:
    """The board on paper, or a large one with stones, and what people call the game."""
    stones = max(width, height) >= LARGE
    proper_name = {(3, 3, 3): "tic-tac-toe", (15, 15, 5): "gomoku"}.get((width, height, k))
    name = f"{'misère ' if misere else ''}{proper_name}" if proper_name else f"{k} in a row, {width} × {height}"
    row = f"{spelled(k)} in a row on a {width} × {height} board"
    return Look(
        title=f"{name}, misère" if misere and not proper_name else name[0].upper() + name[1:],
        summary=f"Whoever makes {row} loses." if misere else f"{row[0].upper()}{row[1:]}.",
        board="points" if stones else "paper",
        shapes=Sides(("stone",), ("stone",)) if stones else None,
        colours=Sides("black", "white") if stones else Sides("red", "blue"),
    )


def game(width: int = 3, height: int = 3, k: int = 3, misere: bool = False) -> Game:
    """The game on width x height squares; the first with k in a row wins, or in misere loses."""
    check_sizes(width, height, k)
    full = (1 << width * height) - 1  # both words are boards: bit row * width + column, the top left square first
    rows = runs(width, height, k)
    worth = runs_through(rows, k, width * height)
    row_made = WIN if misere else LOSS

    def moves(mine: int, theirs: int) -> int:
        return full & ~(mine | theirs)

    def play(mine: int, theirs: int, move: int) -> Position:
        return theirs, mine | 1 << move

    def outcome(mine: int, theirs: int) -> int:
        if has_run(theirs, rows, k):
            return row_made
        if mine | theirs == full:
            return DRAW
        return ONGOING

    def wins(mine: int, theirs: int) -> int:
        return run_gaps(mine, rows, k) & ~(mine | theirs)

    def safe(mine: int, theirs: int) -> int:
        danger = wins(theirs, mine)
        return 0 if danger & (danger - 1) else danger or moves(mine, theirs)

    def order(mine: int, theirs: int, move: int) -> int:
        return wins(mine | 1 << move, theirs).bit_count() * 64 + worth[move]

    def plies_left(mine: int, theirs: int) -> int:
        return width * height - (mine | theirs).bit_count()

    def hopeless(mine: int, theirs: int) -> bool:
        return not has_run(full & ~theirs, rows, k)

    hints = {} if misere else {"order": order, "wins": wins, "safe": safe, "hopeless": hopeless}
    return Game(
        moves=moves,
        play=play,
        outcome=outcome,
        bits=width * height,
        shape=(width, height),
        symmetries=turns_and_mirrors(width, height),
        plies_left=plies_left,
        winning_lines=lambda: run_masks(rows, k),
        look=look(width, height, k, misere),
        **hints,  # type: ignore[arg-type]
    )
