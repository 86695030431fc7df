"""Fox and hounds on a chessboard: the fox wants to get through, the hounds, which never go back, to trap it."""

from perfectplay.game import NEVER, Game, Look
from perfectplay.words import LOSS, ONGOING, BadGame, Position, Sides

GROUP = "Capture"
RULES = """The hounds begin on all dark squares of one rank, the fox on the opposite one, on c1, or on e1 on 8 × 8.
All move one square diagonally to an empty square: the fox, which moves first, forward or back, a hound only \
forward.
Nothing is taken. The fox wins on the rank from which the hounds came.
Otherwise a side that is to move and cannot has lost."""
HISTORY = """An old game, also called wolf and sheep. *Winning Ways* by Berlekamp, Conway and Guy, 1982, shows how the
hounds always win on 8 × 8, even if the fox may pass once."""
RESULTS = {"4": "Second player wins in 8", "6": "First player wins in 25"}
LARGER = {"8": "Second player wins in 44: E. Berlekamp, J. Conway, R. Guy, *Winning Ways*, 1982"}
ALIASES = {"fox-and-hounds": "8", "wolf-and-sheep": ""}


def game(size: int = 6) -> Game:
    """The game on size x size squares, with half as many hounds."""
    if size not in (4, 6, 8):
        raise BadGame(f"size must be 4, 6 or 8, not {size}")
    # The side with one piece is the fox. A move is the pair of squares that it joins, one with a piece, one empty.
    dark = [at for at in range(size * size) if (at // size + at % size) % 2]
    squares, bit = len(dark), {at: 1 << i for i, at in enumerate(dark)}
    steps = [(at, side) for at in dark for side in (-1, 1) if 0 <= at % size + side < size and at // size < size - 1]
    pairs = [(at, at + size + side) for at, side in steps]
    upper, lower = tuple(bit[at] for at, _ in pairs), tuple(bit[at] for _, at in pairs)
    board, top = (1 << squares) - 1, (1 << size // 2) - 1

    def is_fox(word: int) -> bool:
        return word & word - 1 == 0

    def moves(mine: int, theirs: int) -> int:
        legal, free, fox = 0, board & ~(mine | theirs), is_fox(mine)
        for i in range(len(upper)):
            if (mine & upper[i] and free & lower[i]) or (fox and mine & lower[i] and free & upper[i]):
                legal |= 1 << i
        return legal

    def play(mine: int, theirs: int, move: int) -> Position:
        return theirs, mine ^ (upper[move] | lower[move])

    def outcome(mine: int, theirs: int) -> int:
        return LOSS if (is_fox(theirs) and theirs & top) or moves(mine, theirs) == 0 else ONGOING

    def key(mine: int, theirs: int) -> int:
        fox, hounds = (mine, theirs) if is_fox(mine) else (theirs, mine)
        return hounds | fox.bit_length() - 1 << squares | (64 << squares if is_fox(mine) else 0)

    def unkey(number: int) -> Position:
        hounds, fox = number & board, 1 << (number >> squares & 31)
        return (fox, hounds) if number >> squares + 6 else (hounds, fox)

    def name(mine: int, theirs: int, move: int) -> str:
        ends = pairs[move] if mine & upper[move] else pairs[move][::-1]
        return "-".join(f"{'abcdefgh'[at % size]}{size - at // size}" for at in ends)

    return Game(
        moves=moves,
        play=play,
        outcome=outcome,
        bits=squares,
        shape=(size, size),
        start=(bit[size * (size - 1) + size // 4 * 2], top),
        key=key,
        unkey=unkey,
        key_bits=squares + 7,
        move_names=name,
        cells=[dark.index(at) if at in bit else [NEVER] for at in range(size * size)],
        look=Look(
            sides=Sides("Fox", "Pack"),
            pieces=Sides(("F",), ("x",)),
            title=f"Fox and hounds, {size} × {size}",
            board="checks",
            shapes=Sides(("text",), ("stone",)),
            colours=Sides("red", "black"),
            rows=tuple(str(size - row) for row in range(size)),
        ),
    )
