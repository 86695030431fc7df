"""Reversi, or Othello: enclose discs to turn them; who cannot move misses a turn; the most discs win."""

from perfectplay.bits import turns_and_mirrors
from perfectplay.game import Game, Look, square_board
from perfectplay.words import DRAW, LOSS, ONGOING, WIN, BadGame, Position, Sides

RULES = """Each side begins with two discs in the middle, Black's at its upper right and lower left. Black moves first.
Place a disc so that it and another of yours enclose discs of the opponent, in a row, a column or a diagonal.
All discs that the new one encloses are turned and become yours.
Whoever cannot do so misses a turn. When neither side can, the one with more discs wins; empty squares count for \
nobody.
Equal numbers are a draw."""
HISTORY = """Lewis Waterman and John Mollett both claimed to have invented it in 1883. Othello, with this start, is by \
Goro Hasegawa, 1971. Joel Feinstein solved the board of 6 × 6 in 1993, Hiroki Takizawa that of 8 × 8 in 2023."""
GROUP, ALIASES, DEFAULTS = "Territory", {"othello": "8,8"}, square_board
LARGER = {"4,4": "Second player wins by 8: reversi-nxn.blogspot.com, 2008"}
REPORTED = {
    "6,6": "Second player wins by 4: J. Feinstein, *Amenor Wins World 6x6 Championships!*, 1993",
    "8,8": "Draw: H. Takizawa, *Othello Is Solved*, 2023",
}


def game(width: int = 4, height: int = 4) -> Game:
    """The game on width x height squares."""
    if width % 2 or height % 2 or not (4 <= width <= 8 and 4 <= height <= 8):
        raise BadGame(f"width and height must be 4, 6 or 8, not {width} and {height}")
    squares, middle = width * height, (height // 2 - 1) * width + width // 2 - 1
    start = (1 << middle + 1 | 1 << middle + width, 1 << middle | 1 << middle + width + 1)
    full, left = (1 << squares) - 1, sum(1 << row * width for row in range(height))
    inner, longest = full & ~left & ~(left << width - 1), max(width, height) - 2
    steps = ((1, inner), (width, full), (width + 1, inner), (width - 1, inner))

    def reached(mine: int, theirs: int, step: int, between: int) -> Position:
        theirs &= between  # all of them in a row from mine, up and down the numbers
        up, down = mine << step & theirs, mine >> step & theirs
        for _ in range(longest - 1):
            up |= up << step & theirs
            down |= down >> step & theirs
        return up, down

    def placements(mine: int, theirs: int) -> int:
        targets = 0
        for step, between in steps:
            up, down = reached(mine, theirs, step, between)
            targets |= up << step | down >> step
        return targets & full & ~(mine | theirs)

    def placed(mine: int, theirs: int, move: int) -> Position:
        disc, turned = 1 << move, 0
        for step, between in steps:
            up, down = reached(disc, theirs, step, between)
            turned |= up if mine & up << step else 0
            turned |= down if mine & down >> step else 0
        return mine | turned | disc, theirs & ~turned

    def again(mine: int, theirs: int, move: int) -> bool:
        mine, theirs = placed(mine, theirs, move)
        return not placements(theirs, mine) and placements(mine, theirs) != 0

    def play(mine: int, theirs: int, move: int) -> Position:
        mine, theirs = placed(mine, theirs, move)
        return (theirs, mine) if placements(theirs, mine) or not placements(mine, theirs) else (mine, theirs)

    def outcome(mine: int, theirs: int) -> int:
        lead = mine.bit_count() - theirs.bit_count()
        return ONGOING if placements(mine, theirs) else WIN if lead > 0 else LOSS if lead < 0 else DRAW

    black = [at for at in range(squares) if start[0] >> at & 1]
    return Game(
        moves=placements,
        play=play,
        outcome=outcome,
        again=again,
        margin=lambda mine, theirs: mine.bit_count() - theirs.bit_count(),
        bits=squares,
        shape=(width, height),
        start=start,
        symmetries=[turn for turn in turns_and_mirrors(width, height) if {turn[at] for at in black} == {*black}],
        look=Look(
            Sides("Black", "White"),
            title=f"Reversi, {width} × {height}",
            board="felt",
            shapes=Sides(("stone",), ("stone",)),
            colours=Sides("black", "white"),
        ),
    )
