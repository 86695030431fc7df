"""King and pawn against king: the pawn becomes a queen or a rook, and White mates, on a board of any size."""

from perfectplay.game import Game
from perfectplay.rules.chess import KING, SQUARE, between, check_size, diagonal, ending, lines, near, steps, straight
from perfectplay.words import DRAW, LOSS, ONGOING, Position

RULES = """As in chess: White has a king and a pawn, Black a king alone. White moves first, from one \
of the positions that take longest.
From the second rank the pawn may step two squares, but not on boards of 3 × 3 and 4 × 4.
On the last rank it becomes a queen or a rook.
White wins by checkmate. Stalemate is a draw, and so is the loss of the pawn or of what it became.
A game that never ends is a draw; no rule counts moves or repetitions."""
HISTORY = """The ending on which all others with pawns rest. On 8 × 8 White needs at most 28 moves, 55 plies.
A bishop or a knight in place of the pawn would be a draw, so the game leaves out these promotions."""
GROUP, ALIASES = "Chess", {"king-and-pawn": "", "kpvk": ""}
SOURCE = "E. Nalimov, G. Haworth, E. Heinz, *Space-Efficient Indexing of Chess Endgame Tables*, 2000"
RESULTS = {"3": "First player wins in 9", "4": "First player wins in 19"}
LARGER = {"6": "First player wins in 31", "8": f"First player wins in 55: {SOURCE}"}
STARTS = {3: "b1 b2 b3", 4: "a1 c2 a4", 5: "a2 c2 a4", 6: "a2 e2 b5", 7: "a2 f2 b5", 8: "a2 g2 b5"}
PAWN, ROOK, QUEEN = 1, 2, 3  # White's word: the king's square, that of the piece from bit 6, and its kind from bit 12
STEP, DOUBLE, TO_ROOK = 40, 41, 42  # moves: the king's eight, the queen's 32, of which 16 are the rook's, the pawn's


def game(size: int = 8) -> Game:
    """The ending on size x size squares, from one of the positions that take longest."""
    check_size(size)
    king_to, queen_to = steps(size, KING), lines(size)

    def attacked(at: int, theirs: int) -> bool:
        king, piece, kind = theirs & SQUARE, theirs >> 6 & SQUARE, theirs >> 12
        if near(at, king) or kind == 0:
            return near(at, king)
        if kind == PAWN:
            return at in (piece - 7, piece - 9) and diagonal(at, piece)
        return (straight(at, piece) or (kind == QUEEN and diagonal(at, piece))) and not between(king, at, piece)

    def moves(mine: int, theirs: int) -> int:
        king, piece, kind, foe, legal = mine & SQUARE, mine >> 6 & SQUARE, mine >> 12, theirs & SQUARE, 0
        for move in range(8):
            at = king_to[8 * king + move]
            if at >= 0 and not (kind and at == piece) and not attacked(at, theirs):
                legal |= 1 << move
        if kind == PAWN and piece - 8 not in (king, foe):
            row = piece >> 3
            double = row == size - 2 and row > 2 and piece - 16 not in (king, foe)
            return legal | 1 << STEP | (row == 1) << TO_ROOK | double << DOUBLE
        for move in range(8, 40 if kind == QUEEN else 24 if kind == ROOK else 8):
            at = queen_to[32 * piece + move - 8]
            if at >= 0 and at not in (piece, king, foe) and not (between(king, piece, at) or between(foe, piece, at)):
                legal |= 1 << move
        return legal

    def play(mine: int, theirs: int, move: int) -> Position:
        king, piece, kind = mine & SQUARE, mine >> 6 & SQUARE, mine >> 12
        if move < 8:
            at = king_to[8 * king + move]
            captures = theirs > SQUARE and at == theirs >> 6 & SQUARE
            return theirs & SQUARE if captures else theirs, mine & ~SQUARE | at
        if move < STEP:
            return theirs, king | queen_to[32 * piece + move - 8] << 6 | kind << 12
        if piece >> 3 == 1:
            kind = ROOK if move == TO_ROOK else QUEEN
        return theirs, king | (piece - 16 if move == DOUBLE else piece - 8) << 6 | kind << 12

    def outcome(mine: int, theirs: int) -> int:
        if max(mine, theirs) <= SQUARE:
            return DRAW
        return ONGOING if moves(mine, theirs) else LOSS if attacked(mine & SQUARE, theirs) else DRAW

    return ending(size, ("PRQ",), STARTS[size], moves, play, outcome, "King and pawn", images=2)
