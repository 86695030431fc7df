"""King, bishop and knight against king: White mates, on a board of any size."""

from perfectplay.game import Game
from perfectplay.rules.chess import (
    KING,
    KNIGHT,
    SQUARE,
    between,
    check_size,
    diagonal,
    ending,
    jump,
    lines,
    near,
    steps,
)
from perfectplay.words import DRAW, LOSS, ONGOING, Position

RULES = """As in chess: White has a king, a bishop and a knight, Black a king alone. White moves first, from one \
of the positions that take longest.
White wins by checkmate. Stalemate is a draw, and so is the loss of the bishop or of the knight.
A game that never ends is a draw; no rule counts moves or repetitions."""
HISTORY = """The hardest of the elementary mates: it can be forced only in a corner of the bishop's colour.
On 8 × 8 White needs at most 33 moves, 65 plies."""
GROUP, ALIASES = "Chess", {"bishop-and-knight": "", "king-bishop-and-knight": "", "kbnvk": ""}
SOURCE = "E. Nalimov, G. Haworth, E. Heinz, *Space-Efficient Indexing of Chess Endgame Tables*, 2000"
OEIS = "V. Kotesovec, OEIS A225556, 2013"
RESULTS = {"3": f"First player wins in 13: {OEIS}"}
LARGER = {"4": f"First player wins in 27: {OEIS}", "8": f"First player wins in 65: {SOURCE}"}
STARTS = {3: "b1 c1 a2 b3", 4: "a1 b4 a4 c4", 5: "a1 e3 b4 c3", 6: "a1 e5 a6 c4", 7: "a1 c7 d6 c5", 8: "a1 c1 b1 c2"}
BOTH = 1 << 12 | 1 << 20  # White's word: the squares of king, bishop and knight, from bits 0, 6 and 14, and these bits


def game(size: int = 8) -> Game:
    """The ending on size x size squares, from one of the positions that take longest."""
    check_size(size)
    king_to, knight_to, bishop_to = steps(size, KING), steps(size, KNIGHT), lines(size)

    def attacked(at: int, theirs: int) -> bool:  # Black's own king never stands in the way: it is about to leave
        king, bishop, knight = theirs & SQUARE, theirs >> 6 & SQUARE, theirs >> 14 & SQUARE
        if theirs <= SQUARE or near(at, king) or jump(at, knight):
            return near(at, king) or theirs > SQUARE
        return diagonal(at, bishop) and not between(king, at, bishop) and not between(knight, at, bishop)

    def moves(mine: int, theirs: int) -> int:
        king, bishop, knight, foe, legal = mine & SQUARE, mine >> 6 & SQUARE, mine >> 14 & SQUARE, theirs & SQUARE, 0
        for move in range(8):
            at = king_to[8 * king + move]
            if at >= 0 and not (mine > SQUARE and at in (bishop, knight)) and not attacked(at, theirs):
                legal |= 1 << move
        for move in range(8 if mine > SQUARE else 0):
            at = knight_to[8 * knight + move]
            if at >= 0 and at not in (king, bishop, foe):
                legal |= 1 << 8 + move
        for move in range(16, 32 if mine > SQUARE else 16):  # the diagonals among the lines
            at = bishop_to[32 * bishop + move]
            free = at >= 0 and at not in (bishop, king, knight, foe) and not between(knight, bishop, at)
            if free and not between(king, bishop, at) and not between(foe, bishop, at):
                legal |= 1 << move
        return legal

    def play(mine: int, theirs: int, move: int) -> Position:
        king, bishop, knight = mine & SQUARE, mine >> 6 & SQUARE, mine >> 14 & SQUARE
        if move >= 16:
            return theirs, king | bishop_to[32 * bishop + move] << 6 | knight << 14 | BOTH
        if move >= 8:
            return theirs, king | bishop << 6 | knight_to[8 * knight + move - 8] << 14 | BOTH
        at = king_to[8 * king + move]
        if theirs > SQUARE and at == theirs >> 6 & SQUARE:
            return theirs & (SQUARE | 255 << 14), at
        if theirs > SQUARE and at == theirs >> 14 & SQUARE:
            return theirs & (SQUARE | 255 << 6), at
        return theirs, mine & ~SQUARE | at

    def outcome(mine: int, theirs: int) -> int:
        if max(mine, theirs) & BOTH != BOTH:
            return DRAW
        return ONGOING if moves(mine, theirs) else LOSS if attacked(mine & SQUARE, theirs) else DRAW

    title = "King, bishop and knight"
    return ending(size, ("B", "N"), STARTS[size], moves, play, outcome, title)
