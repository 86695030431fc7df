"""k in a row on a board of any size; tic-tac-toe is lines:3,3,3. Misere: making such a row loses."""

from perfectplay.bits import has_run, run_gaps, run_masks, runs, runs_through, turns_and_mirrors
from perfectplay.game import Game, Look, check_sizes
from perfectplay.words import DRAW, LOSS, ONGOING, WIN, Position, Sides

ON_PAPER = Look(board="paper", colours=Sides("red", "blue"))
WITH_STONES = Look(board="points", shapes=Sides(("stone",), ("stone",)), colours=Sides("black", "white"))
LARGE = 9
ALIASES = {"tic-tac-toe": "3,3,3", "misere": "3,3,3,misere=true", "gomoku": "15,15,5"}


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
        look=WITH_STONES if max(width, height) >= LARGE else ON_PAPER,
        **hints,  # type: ignore[arg-type]
    )
