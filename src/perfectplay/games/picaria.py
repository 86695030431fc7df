"""Picaria: put three stones, then slide them along the lines; three neighbours in a line win."""

from perfectplay.bits import turns_and_mirrors
from perfectplay.game import Game, Look
from perfectplay.words import LOSS, ONGOING, BadGame, Position, Sides

RULES = """Players take turns to put a stone on an empty point until each has three.
Then they take turns to slide one of their stones along a line to the next point, if it is empty.
Three neighbouring points in a straight line win: across, down or diagonally.
With nomiddle no stone may be put on the middle; it can still slide there.
A game that never ends is a draw."""
HISTORY = "Played by the Zuni of the American Southwest. The board has 9 points, or 13 where the diagonals cross."
GROUP, SOURCE = "Rows", "U. Larsson, I. Rocha, *Eternal Picaria*, 2017"
RESULTS = {"9": f"Draw, endless: {SOURCE}", "9,true": "First player wins in 7"}
LARGER = {"13": "First player wins in 5", "13,true": "First player wins in 7"}
EDGES = ((0, 2, 4), (10, 12, 14), (20, 22, 24), (0, 10, 20), (2, 12, 22), (4, 14, 24))
SHORT, LONG = ((2, 6, 10), (2, 8, 14), (10, 16, 22), (14, 18, 22)), ((0, 6, 12, 18, 24), (4, 8, 12, 16, 20))


def game(points: int = 9, nomiddle: bool = False) -> Game:
    """The game on a board of 9 or 13 points; with nomiddle no stone may be put on the middle."""
    if points not in (9, 13):
        raise BadGame(f"points must be 9 or 13, not {points}")
    spots = [at for at in range(0, 25, 2) if points == 13 or at // 5 % 2 == 0]  # the points on a board of 5 x 5
    paths = [[spots.index(at) for at in line if at in spots] for line in (*EDGES, *SHORT, *LONG)]
    steps = [(line[i - 1], line[i]) for line in paths for i in range(1, len(line))]
    wins = tuple(1 << a | 1 << b | 1 << c for line in paths for a, b, c in zip(line, line[1:], line[2:], strict=False))
    near = tuple(sum(1 << a + b - point for a, b in steps if point in (a, b)) for point in range(points))
    wide, square = (5, spots) if points == 13 else (3, list(range(9)))
    board, banned = (1 << points) - 1, 1 << spots.index(12) if nomiddle else 0

    def stone(mine: int, number: int) -> int:
        for _ in range(number):
            mine &= mine - 1
        return (mine & -mine).bit_length() - 1

    def moves(mine: int, theirs: int) -> int:
        free = board & ~(mine | theirs)
        if mine.bit_count() < 3:
            return free & ~banned
        slides = 0
        for number in range(3):
            slides |= (near[stone(mine, number)] & free) << points * (number + 1)
        return slides

    def play(mine: int, theirs: int, move: int) -> Position:
        slid = 1 << stone(mine, move // points - 1) if move >= points else 0
        return theirs, mine & ~slid | 1 << move % points

    def outcome(mine: int, theirs: int) -> int:
        for three in wins:
            if theirs & three == three:
                return LOSS
        return ONGOING

    names = [f"{'abcde'[at % wide]}{at // wide + 1}" for at in square]

    def name(mine: int, theirs: int, move: int) -> str:
        to = names[move % points]
        return f"{names[stone(mine, move // points - 1)]}-{to}" if move >= points else to

    return Game(
        moves=moves,
        play=play,
        outcome=outcome,
        tier=lambda mine, theirs: (mine | theirs).bit_count(),
        bits=points,
        shape=(wide, wide),
        symmetries=[tuple(square.index(turn[at]) for at in square) for turn in turns_and_mirrors(wide, wide)],
        move_names=name,
        cells=[square.index(at) if at in square else " " for at in range(wide * wide)],
        look=Look(
            title=f"Picaria, {points} points",
            board="points",
            colours=Sides("black", "white"),
            lines=tuple((square[a], square[b]) for a, b in steps),
        ),
    )
