"""Men's morris: place stones, then slide them along the lines; three in a line are a mill and remove a stone."""

from perfectplay.game import NEVER, Game
from perfectplay.look import Look
from perfectplay.point_boards import ring_board
from perfectplay.stone_keys import stone_keys
from perfectplay.words import LOSS, ONGOING, BadGame, Position, Sides

RULES = """Place your stones, then slide them along the lines. Three in a line, a mill, remove a stone of the opponent.
A stone in a mill is safe while there are others. Whoever has two stones left, or no move, has lost.
From nine men on, a side with three stones left may move one of them to any free point.
On the board of nine points, for three or four men, there is no removing: the first mill wins."""
HISTORY = "Its boards are cut into Roman roofs and cloister seats. Ralph Gasser's computers solved it for nine men in 1993."
GROUP, RESULTS, LARGER = "Rows", {"3": "First player wins"}, {"6": "Draw, endless"}
REPORTED = {"9": "Draw: R. Gasser, *Solving Nine Men's Morris*, 1996"}
NAMES = {3: "Three", 4: "Four", 5: "Five", 6: "Six", 7: "Seven", 9: "Nine", 10: "Ten", 11: "Eleven", 12: "Twelve"}
ALIASES = {f"{NAMES[men].lower()}-mens-morris": f"{men}" for men in (3, 6, 9, 12)} | {"tapatan": "3", "achi": "4"}


def game(men: int = 6, rings: int = 0) -> Game:
    """The game with that many stones a side, on that many rings of points, or as many as usual."""
    rings = rings or (1 if men < 5 else 2 if men < 9 else 3)
    if men not in NAMES or not 1 <= rings <= 3 or men > 4 * rings:
        raise BadGame(f"men must be 3 or 4 on one ring, 3 to 7 on two, 3 to 12 but 8 on three, not {men} on {rings}")
    board = ring_board(rings, slanted=men > 9 or rings == 1)
    ways, mills, flying = board.ways, tuple(row for row in board.rows if row.bit_count() == 3), 3 if men > 8 else 0
    count = len(board.squares)  # a word: the points, the number of stones in hand, and whether to remove a stone
    points, one, hand, removes = (1 << count) - 1, 1 << count, 15 << count, 16 << count

    def in_mills(stones: int) -> int:
        found = 0
        for mill in mills:
            found |= mill if stones & mill == mill else 0
        return found

    def moves(mine: int, theirs: int) -> int:
        free, legal, other = points & ~(mine | theirs), 0, 0
        if mine & removes:
            return theirs & points & ~in_mills(theirs) or theirs & points
        for way in range(0 if flies(mine) else len(ways)):
            legal |= (mine & ways[way] != 0 and free & ways[way] != 0) << way
        for point in range(count if flies(mine) else 0):  # each of three stones to each of 21 other points
            legal |= (free >> point & 1) << other
            other += ~mine >> point & 1
        legal = (legal & (1 << 21) - 1) * (1 | 1 << 21 | 1 << 42) if flies(mine) else legal
        return free if mine & hand else legal

    def flies(mine: int) -> bool:
        return mine & hand == 0 and (mine & points).bit_count() == flying

    def nth(word: int, n: int) -> int:
        for _ in range(n):
            word &= word - 1
        return word & -word

    def way_of(mine: int, move: int) -> int:  # the point that a stone leaves and the one that it reaches
        return nth(mine & points, move // 21) | nth(points & ~mine, move % 21) if flies(mine) else ways[move]

    def play(mine: int, theirs: int, move: int) -> Position:
        if mine & removes:
            return theirs & ~(1 << move), mine & ~removes
        moved = mine - one | 1 << move if mine & hand else mine ^ way_of(mine, move)
        return (moved | removes, theirs) if rings > 1 and in_mills(moved) & moved & ~mine & points else (theirs, moved)

    def again(mine: int, theirs: int, move: int) -> bool:
        following, _ = play(mine, theirs, move)
        return following & removes != 0

    def outcome(mine: int, theirs: int) -> int:
        few = (mine & points).bit_count() + (mine & hand) // one < 3
        return LOSS if few or moves(mine, theirs) == 0 or (rings == 1 and in_mills(theirs)) else ONGOING

    def name(mine: int, theirs: int, move: int) -> str:
        way = 0 if mine & (hand | removes) else way_of(mine, move)
        return f"{names[(way & mine).bit_length() - 1]}-{names[(way & ~mine).bit_length() - 1]}" if way else names[move]

    names, counts, size = board.names, tuple(map(str, range(men + 1))), board.size
    at = [board.squares.index(square) if square in board.squares else " " for square in range(size * size)]
    hands = [[NEVER, *((hand, n * one, side) for n in range(men + 1))] for side in (0, 1)]
    pieces, beside = Sides(("X", *counts), ("O", *counts)), ("X in hand", "O in hand", "mill")
    return Game(
        moves=moves,
        play=play,
        outcome=outcome,
        again=again if rings > 1 else None,
        **stone_keys(count, men, rings > 1)._asdict(),
        bits=count + 5,
        shape=(size, size),
        start=(men * one, men * one),
        symmetries=[(*turn, *range(count, count + 5)) for turn in board.turns],
        move_names=name,
        cells=[*at, *hands, count + 4],
        look=Look(title=f"{NAMES[men]} men's morris", board="points", pieces=pieces, lines=board.lines, beside=beside),
    )
