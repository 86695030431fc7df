"""Capture go, or atari go: the game of go in which the first capture wins."""

from perfectplay.bits import turns_and_mirrors
from perfectplay.game import Game, Look, square_board
from perfectplay.words import LOSS, ONGOING, WIN, BadGame, Position, Sides

RULES = """Black and White take turns to put a stone on an empty point; nobody may pass. Black begins.
Neighbouring stones of a colour, along the lines, are a chain; the empty points next to a chain are its liberties.
Whoever takes the last liberty of a chain of the opponent captures it and wins.
Whoever only takes the last liberty of an own chain has lost."""
HISTORY = """Yasutoshi Yasuda made it known in Japan as a way to teach children go. Erik van der Werf, Jos Uiterwijk and
Jaap van den Herik solved small boards in 2002, probably that of 3 × 3 as well."""
GROUP, ALIASES, DEFAULTS = "Territory", {"atari-go": "", "ponnuki-go": ""}, square_board
SOURCE = "E. van der Werf, J. Uiterwijk, J. van den Herik, *Solving Ponnuki-Go on Small Boards*, 2002"
RESULTS = {"3,3": "First player wins in 7", "4,2": "Second player wins in 8"}
LARGER = {"4,3": "First player wins in 9", "4,4": f"Second player wins: {SOURCE}"}
REPORTED = {"5,5": f"First player wins: {SOURCE}"}


def game(width: int = 3, height: int = 3) -> Game:
    """The game on width x height points."""
    if not (2 <= width <= 9 and 2 <= height <= 9):
        raise BadGame(f"width and height must be 2 to 9, not {width} and {height}")
    points = width * height
    board, left = (1 << points) - 1, sum(1 << row * width for row in range(height))
    right = left << width - 1

    def spread(stones: int, group: int) -> int:
        """The stones and those next to them, in as many steps as it takes."""
        group, before = group & stones, 0
        while group != before:
            before = group
            across = (group & ~right) << 1 | (group & ~left) >> 1
            group = (group | across | (group & stones >> width) << width | group >> width) & stones
        return group

    def captured(stones: int, empty: int) -> bool:
        beside = (empty & ~right) << 1 | (empty & ~left) >> 1 | (empty & board >> width) << width | empty >> width
        return spread(stones, beside) != stones

    def outcome(mine: int, theirs: int) -> int:
        empty = board & ~(mine | theirs)
        return LOSS if captured(mine, empty) else WIN if captured(theirs, empty) else ONGOING

    def play(mine: int, theirs: int, move: int) -> Position:
        return theirs, mine | 1 << move

    return Game(
        moves=lambda mine, theirs: board & ~(mine | theirs),
        play=play,
        outcome=outcome,
        bits=points,
        shape=(width, height),
        symmetries=turns_and_mirrors(width, height),
        look=Look(
            Sides("Black", "White"),
            title=f"Capture go, {width} × {height}",
            board="points",
            shapes=Sides(("stone",), ("stone",)),
            colours=Sides("black", "white"),
        ),
    )
