"""Men's morris: place stones, then slide them along the lines; three in a line are a mill and remove a stone."""

from perfectplay.bits import full_masks, nth_bit, squeezed
from perfectplay.game import NEVER, Game, Look
from perfectplay.rules.point_boards import ring_board
from perfectplay.rules.stone_keys import stone_keys
from perfectplay.words import LOSS, ONGOING, BadGame, Position, Sides

RULES = """Place your stones one by one, then slide them along the lines to the next point. Three or four men play on \
one square ring with lines through its middle, up to seven on two rings, more on three; from ten men on, \
lines join the corners of the rings, too.
Whoever closes a mill, a straight line of just three points, or two at once, removes a stone of the opponent, from a \
mill only if there is no other. On one ring nothing is removed: the first mill wins.
Whoever has fewer than three stones left, in hand and on the board, or no move, has lost.
From nine men on, a side with three stones left, and none in hand, may move one of them to any free point.
A game that never ends is a draw."""
HISTORY = """Nine men draw, as Ralph Gasser found in 1993; all 226,350,179,513 positions take one GPU five minutes. \
Of the 28,001,571 of six men, a removal is pending in 3,381,400. The other 24,620,171 are the 42,372,745 of Brian \
Liou, 2026, who counts the sides apart and a removal as part of the move."""
GROUP, RESULTS = "Rows", {"3": "First player wins in 9: folklore", "4": "First player wins in 11"}
LARGER = {"6": "Draw, endless: D. De Clercq, *5-6-7 Men's Morris*, web page; B. Liou 2026"}
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

    def flies(mine: int) -> bool:
        return mine & hand == 0 and (mine & points).bit_count() == flying

    def moves(mine: int, theirs: int) -> int:
        free, slides = points & ~(mine | theirs), 0
        if mine & removes:
            return theirs & points & ~full_masks(theirs, mills) or theirs & points
        if flies(mine):  # each of the three stones to each of the 21 other points
            return (squeezed(free, points & ~mine, count) & (1 << 21) - 1) * (1 | 1 << 21 | 1 << 42)
        for way in range(len(ways)):
            slides |= (mine & ways[way] != 0 and free & ways[way] != 0) << way
        return free if mine & hand else slides

    def way_of(mine: int, move: int) -> int:  # the point that a stone leaves and the one that it reaches
        return nth_bit(mine & points, move // 21) | nth_bit(points & ~mine, move % 21) if flies(mine) else ways[move]

    def play(mine: int, theirs: int, move: int) -> Position:
        if mine & removes:
            return theirs & ~(1 << move), mine & ~removes
        moved = mine - one | 1 << move if mine & hand else mine ^ way_of(mine, move)
        closed = full_masks(moved, mills) & moved & ~mine & points if rings > 1 else 0
        return (moved | removes, theirs) if closed else (theirs, moved)

    def outcome(mine: int, theirs: int) -> int:
        few = (mine & points).bit_count() + (mine & hand) // one < 3
        return LOSS if few or moves(mine, theirs) == 0 or (rings == 1 and full_masks(theirs, mills)) else ONGOING

    def name(mine: int, theirs: int, move: int) -> str:
        way = 0 if mine & (hand | removes) else way_of(mine, move)
        return f"{names[(way & mine).bit_length() - 1]}-{names[(way & ~mine).bit_length() - 1]}" if way else names[move]

    names, counts, size, lines = board.names, tuple(map(str, range(men + 1))), board.size, board.lines
    hands = [[NEVER, *((hand, n * one, side) for n in range(men + 1))] for side in (0, 1)]
    beside, title = ("X in hand", "O in hand", "mill"), f"{NAMES[men]} men's morris"
    lead = f"{NAMES[men]} stones a side on {count} points; three in a line {'win' if rings == 1 else 'take one'}."
    pieces, hues = Sides(("X", *counts), ("O", *counts)), Sides("black", "white")
    return Game(
        moves=moves,
        play=play,
        outcome=outcome,
        again=None if rings == 1 else lambda mine, theirs, move: play(mine, theirs, move)[0] & removes != 0,
        **stone_keys(count, men, rings > 1)._asdict(),
        bits=count + 5,
        shape=(size, size),
        start=(men * one, men * one),
        symmetries=[(*turn, *range(count, count + 5)) for turn in board.turns],
        move_names=name,
        cells=[*board.cells, *hands, count + 4],
        look=Look(board="points", title=title, summary=lead, pieces=pieces, colours=hues, lines=lines, beside=beside),
    )
