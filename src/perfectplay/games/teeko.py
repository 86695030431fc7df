"""Teeko: drop four men, then move them; four in a line or in a square win."""

from perfectplay.bits import run_masks, runs, turns_and_mirrors
from perfectplay.game import Game, Look
from perfectplay.words import LOSS, ONGOING, Position, Sides

RULES = """Players take turns to put a man on an empty point until each has four.
Then they take turns to move one of their men to an empty point next to it, also diagonally.
Four neighbours in a line or in a square win. In advanced Teeko the corners of any larger upright square win, too.
A game that never ends is a draw."""
HISTORY = "Invented by John Scarne in 1937. Guy Steele solved it and 15 variants in 1998."
SOURCE = "G. L. Steele, *Summary of the Solving of the Game of Teeko*, 1999"
GROUP, ALIASES = "Rows", {"advanced-teeko": "true"}
REPORTED = {"": f"Draw, endless: {SOURCE}", "true": f"First player wins: {SOURCE}"}
BOARD, MEN, WAYS = (1 << 25) - 1, 4, (-6, -5, -4, -1, 1, 4, 5, 6)
INSIDE = tuple(  # for each way the points from which it does not lead off the board
    sum(1 << at for at in range(25) if 0 <= at % 5 + (way + 7) % 5 - 2 < 5 and 0 <= at + way < 25) for way in WAYS
)
LINES = tuple((at, at + way) for i, way in enumerate(WAYS) for at in range(25) if way > 0 and INSIDE[i] >> at & 1)


def squares(side: int) -> tuple[int, ...]:
    """The corners of all upright squares of that side, each as a word."""
    corners = 1 | 1 << side | 1 << 5 * side | 1 << 6 * side
    return tuple(corners << 5 * y + x for y in range(5 - side) for x in range(5 - side))


def man(mine: int, number: int) -> int:
    """The man of that number, in the order of the points."""
    for _ in range(number):
        mine &= mine - 1
    return mine & -mine


def game(advanced: bool = False) -> Game:
    """The game; moves 0 to 24 put a man there, 25 and more move one, eight ways each."""
    wins = (*run_masks(runs(5, 5, 4), 4), *(four for side in range(1, 5 if advanced else 2) for four in squares(side)))
    names = [f"{'abcde'[at % 5]}{at // 5 + 1}" for at in range(25)]

    def moves(mine: int, theirs: int) -> int:
        free = BOARD & ~(mine | theirs)
        if mine.bit_count() < MEN:
            return free
        legal = 0
        for number in range(MEN):
            one = man(mine, number)
            for way in range(8):
                to = one << WAYS[way] if WAYS[way] > 0 else one >> -WAYS[way]
                legal |= (1 if one & INSIDE[way] and to & free else 0) << 25 + 8 * number + way
        return legal

    def play(mine: int, theirs: int, move: int) -> Position:
        if move < 25:
            return theirs, mine | 1 << move
        one, way = man(mine, (move - 25) // 8), WAYS[(move - 25) % 8]
        return theirs, mine & ~one | (one << way if way > 0 else one >> -way)

    def outcome(mine: int, theirs: int) -> int:
        for four in wins:
            if theirs & four == four:
                return LOSS
        return ONGOING

    def name(mine: int, theirs: int, move: int) -> str:
        at = man(mine, (move - 25) // 8).bit_length() - 1
        return names[move] if move < 25 else f"{names[at]}-{names[at + WAYS[(move - 25) % 8]]}"

    return Game(
        moves=moves,
        play=play,
        outcome=outcome,
        tier=lambda mine, theirs: (mine | theirs).bit_count(),
        bits=25,
        shape=(5, 5),
        symmetries=turns_and_mirrors(5, 5),
        move_names=name,
        look=Look(title="Teeko", board="points", colours=Sides("black", "red"), lines=LINES),
    )
