"""Dodgem: drive your cars across the board and off its far edge, and never block the other side completely."""

from perfectplay.game import Game, Look, MoveNames
from perfectplay.words import LOSS, ONGOING, WIN, BadGame, Position, Sides

GROUP = "Blocking"
RULES = """Blue's cars fill the left edge, Red's the bottom edge, but for the corner between them. Blue begins.
Blue's cars move one square to the right, up or down, Red's one square up, left or right, to an empty square.
A car leaves the board over the far edge, Blue's on the right, Red's at the top. Nothing is captured.
Whoever has all cars off the board wins. So does a side that is to move and cannot: do not block it completely.
A game that never ends is a draw."""
HISTORY = "Colin Vout invented it in 1972. David desJardins found that on larger boards best play never ends."
RESULTS = {"3": "First player wins: E. Berlekamp, J. Conway, R. Guy, *Winning Ways*, 1982"}
LARGER, REPORTED = {"4": "Draw, endless: D. desJardins 1996"}, {"5": "Draw, endless: D. desJardins 1996"}


def game(size: int = 3) -> Game:
    """The game on size x size squares, with one car a side fewer than that."""
    if not 2 <= size <= 7:
        raise BadGame(f"size must be 2 to 7, not {size}")
    # The side to move drives up: after each move the board is mirrored, so that its right edge is at the top.
    squares, start = size * size, (1 << size - 1) - 1 << size * size - size + 1
    mirror = tuple(squares - 1 - (at % size * size + at // size) for at in range(squares))
    board, top, left = (1 << squares) - 1, (1 << size) - 1, sum(1 << row * size for row in range(size))

    def mirrored(word: int) -> int:
        other = 0
        for at in range(squares):
            other |= (word >> at & 1) << mirror[at]
        return other

    def moves(mine: int, theirs: int) -> int:  # the cars in the order of their squares, three ways each
        free, legal, car = board & ~(mine | theirs), 0, 0
        up, to_left, to_right = free << size | top, free << 1 & ~left, (free & ~left) >> 1
        for at in range(squares):
            if mine >> at & 1:
                legal |= (up >> at & 1 | (to_left >> at & 1) << 1 | (to_right >> at & 1) << 2) << 3 * car
                car += 1
        return legal

    def car_at(mine: int, number: int) -> int:
        for _ in range(number):
            mine &= mine - 1
        return mine & -mine

    def play(mine: int, theirs: int, move: int) -> Position:
        car = car_at(mine, move // 3)
        to = car >> size if move % 3 == 0 else car >> 1 if move % 3 == 1 else car << 1
        return mirrored(theirs), mirrored(mine & ~car | to)

    def outcome(mine: int, theirs: int) -> int:
        return LOSS if theirs == 0 else WIN if moves(mine, theirs) == 0 else ONGOING

    def namer(names: list[str]) -> MoveNames:
        def name(mine: int, theirs: int, move: int) -> str:
            at = car_at(mine, move // 3).bit_length() - 1
            to = at + (-size, -1, 1)[move % 3]
            return f"{names[at]}-{names[to] if to >= 0 else 'off'}"

        return name

    names = [f"{'abcdefg'[at % size]}{size - at // size}" for at in range(squares)]
    return Game(
        moves=moves,
        play=play,
        outcome=outcome,
        bits=squares,
        shape=(size, size),
        start=(start, mirrored(start)),
        move_names=Sides(namer([names[at] for at in mirror]), namer(names)),
        cells=Sides(mirror, range(squares)),
        look=Look(
            sides=Sides("Blue", "Red"),
            pieces=Sides((">",), ("^",)),
            colours=Sides("blue", "red"),
            rows=tuple(str(size - row) for row in range(size)),
            title=f"Dodgem on {size} × {size}",
        ),
    )
