"""King and queen against king: White mates, on a board of any size."""

from perfectplay.game import Game
from perfectplay.rules.chess import KING, SQUARE, between, check_size, diagonal, ending, lines, near, steps, straight
from perfectplay.words import DRAW, LOSS, ONGOING, Position

RULES = """As in chess: White has a king and a queen, Black a king alone. White moves first, from one \
of the positions that take longest.
White wins by checkmate. Stalemate is a draw, and so is the loss of the queen.
A game that never ends is a draw; no rule counts moves or repetitions."""
HISTORY = """Thomas Ströhlein solved it in 1970, backwards from the mates.
On 8 × 8 White needs at most ten moves, 19 plies.
Only one position takes so long, up to symmetry: the game starts there."""
GROUP, ALIASES = "Chess", {"king-and-queen": "", "kqvk": ""}
SOURCE = "T. Ströhlein, *Untersuchungen über kombinatorische Spiele*, 1970"
OEIS = "V. Kotesovec, OEIS A225551, 2013"
RESULTS = {"3": f"First player wins in 1: {OEIS}", "4": f"First player wins in 7: {OEIS}"}
LARGER = {"6": f"First player wins in 13: {OEIS}", "8": f"First player wins in 19: {SOURCE}"}
THERE = 1 << 12  # White's word: the square of the king, that of the queen from bit 6, and whether it is there


def game(size: int = 8) -> Game:
    """The ending on size x size squares, from one of the positions that take longest."""
    check_size(size)
    king_to, queen_to, queen_moves = steps(size, KING), lines(size), 32

    def attacked(at: int, theirs: int) -> bool:  # Black's own king never stands in the way: it is about to leave
        king, queen = theirs & SQUARE, theirs >> 6 & SQUARE
        lined_up = theirs > SQUARE and (straight(at, queen) or diagonal(at, queen))
        return near(at, king) or (lined_up and not between(king, at, queen))

    def moves(mine: int, theirs: int) -> int:
        king, queen, foe, legal = mine & SQUARE, mine >> 6 & SQUARE, theirs & SQUARE, 0
        for move in range(8):
            at = king_to[8 * king + move]
            if at >= 0 and not (mine > SQUARE and at == queen) and not attacked(at, theirs):
                legal |= 1 << move
        for move in range(queen_moves if mine > SQUARE else 0):
            at = queen_to[32 * queen + move]
            free = at >= 0 and at not in (queen, king, foe)
            if free and not between(king, queen, at) and not between(foe, queen, at):
                legal |= 1 << 8 + move
        return legal

    def play(mine: int, theirs: int, move: int) -> Position:
        if move >= 8:
            return theirs, mine & SQUARE | queen_to[32 * (mine >> 6 & SQUARE) + move - 8] << 6 | THERE
        at = king_to[8 * (mine & SQUARE) + move]
        captures = theirs > SQUARE and at == theirs >> 6 & SQUARE
        return theirs & SQUARE if captures else theirs, mine & ~SQUARE | at

    def outcome(mine: int, theirs: int) -> int:
        if max(mine, theirs) <= SQUARE:
            return DRAW
        return ONGOING if moves(mine, theirs) else LOSS if attacked(mine & SQUARE, theirs) else DRAW

    start = "a1 b1 c3" if size < 6 else "a1 b2 e4" if size < 8 else "a1 b2 f5"
    return ending(size, ("Q",), start, moves, play, outcome, "King and queen")
