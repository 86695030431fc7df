"""King and rook against king: White mates, on a board of any size."""

from perfectplay.game import Game
from perfectplay.rules.chess import KING, SQUARE, between, check_size, ending, lines, near, steps, straight
from perfectplay.words import DRAW, LOSS, ONGOING, Position

RULES = """As in chess: White has a king and a rook, Black a king alone. White moves first, from one \
of the positions that take longest.
White wins by checkmate. Stalemate is a draw, and so is the loss of the rook.
A game that never ends is a draw; no rule counts moves or repetitions."""
HISTORY = """Thomas Ströhlein solved it in 1970, backwards from the mates.
On 8 × 8 White needs at most 16 moves, 31 plies."""
GROUP, ALIASES = "Chess", {"king-and-rook": "", "krvk": ""}
SOURCE = "T. Ströhlein, *Untersuchungen über kombinatorische Spiele*, 1970"
OEIS = "V. Kotesovec, OEIS A225552, 2013"
RESULTS = {"3": f"First player wins in 5: {OEIS}", "4": f"First player wins in 13: {OEIS}"}
LARGER = {"6": f"First player wins in 23: {OEIS}", "8": f"First player wins in 31: {SOURCE}"}
THERE = 1 << 12  # White's word: the square of the king, that of the rook from bit 6, and whether it is there


def game(size: int = 8) -> Game:
    """The ending on size x size squares, from one of the positions that take longest."""
    check_size(size)
    king_to, rook_to, rook_moves = steps(size, KING), lines(size), 16

    def attacked(at: int, theirs: int) -> bool:  # Black's own king never stands in the way: it is about to leave
        king, rook = theirs & SQUARE, theirs >> 6 & SQUARE
        lined_up = theirs > SQUARE and straight(at, rook)
        return near(at, king) or (lined_up and not between(king, at, rook))

    def moves(mine: int, theirs: int) -> int:
        king, rook, foe, legal = mine & SQUARE, mine >> 6 & SQUARE, theirs & SQUARE, 0
        for move in range(8):
            at = king_to[8 * king + move]
            if at >= 0 and not (mine > SQUARE and at == rook) and not attacked(at, theirs):
                legal |= 1 << move
        for move in range(rook_moves if mine > SQUARE else 0):
            at = rook_to[32 * rook + move]
            free = at >= 0 and at not in (rook, king, foe)
            if free and not between(king, rook, at) and not between(foe, rook, at):
                legal |= 1 << 8 + move
        return legal

    def play(mine: int, theirs: int, move: int) -> Position:
        if move >= 8:
            return theirs, mine & SQUARE | rook_to[32 * (mine >> 6 & SQUARE) + move - 8] << 6 | THERE
        at = king_to[8 * (mine & SQUARE) + move]
        captures = theirs > SQUARE and at == theirs >> 6 & SQUARE
        return theirs & SQUARE if captures else theirs, mine & ~SQUARE | at

    def outcome(mine: int, theirs: int) -> int:
        if max(mine, theirs) <= SQUARE:
            return DRAW
        return ONGOING if moves(mine, theirs) else LOSS if attacked(mine & SQUARE, theirs) else DRAW

    start = "a1 d4 c3" if size in (4, 5) else "a1 b2 c3"
    return ending(size, ("R",), start, moves, play, outcome, "King and rook")
