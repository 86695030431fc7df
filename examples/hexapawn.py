"""Pawns only: reach the last rank or leave the other side without a move; hexapawn is 3 by 3.

The mover always plays up the board: after each move the board turns by 180 degrees.
Moves by their target: straight on 0 + target, taking right n + target, taking left 2 * n + target,
where n is the number of squares that a pawn can reach: all but those of its own rank.
"""

from perfectplay import LOSS, ONGOING, BadGame, Game, Images, Look, Sides


def game(width=3, height=3):
    if width < 1 or height < 3 or width * (height - 1) > 21:
        raise BadGame(f"{width} by {height} is not a board of at least 3 ranks and at most 21 squares to go to")
    squares, n = width * height, width * (height - 1)
    rank = (1 << width) - 1
    own_rank = rank << n
    left_file = sum(1 << row * width for row in range(height))

    def moves(mine, theirs):
        straight = mine >> width & ~(mine | theirs)
        right = (mine & ~(left_file << width - 1)) >> (width - 1) & theirs
        left = (mine & ~left_file) >> (width + 1) & theirs
        return straight | right << n | left << 2 * n

    def ends(move):
        target = move % n
        return target + width + (0, -1, 1)[move // n], target

    def turned(word):
        other = 0
        for square in range(squares):
            other |= (word >> square & 1) << (squares - 1 - square)
        return other

    def play(mine, theirs, move):
        origin, target = ends(move)
        return turned(theirs & ~(1 << target)), turned(mine ^ (1 << origin | 1 << target))

    def outcome(mine, theirs):
        return LOSS if theirs & own_rank or moves(mine, theirs) == 0 else ONGOING

    def image(mine, theirs, i):
        new_mine, new_theirs = (mine, theirs) if i == 0 else (0, 0)
        for square in range(squares * i):
            mirrored = square + width - 1 - 2 * (square % width)
            new_mine |= (mine >> square & 1) << mirrored
            new_theirs |= (theirs >> square & 1) << mirrored
        return new_mine, new_theirs

    names = [chr(ord("a") + s % width) + str(height - s // width) for s in range(squares)]
    return Game(
        moves=moves,
        play=play,
        outcome=outcome,
        bits=squares,
        shape=(width, height),
        start=(own_rank, rank),
        symmetries=Images(2, image),
        move_names=Sides(
            lambda mine, theirs, move: "".join(names[s] for s in ends(move)),
            lambda mine, theirs, move: "".join(names[-1 - s] for s in ends(move)),
        ),
        cells=Sides(range(squares), range(squares)[::-1]),
        look=Look(Sides("White", "Black"), Sides(("P",), ("p",)), rows=tuple(str(height - r) for r in range(height))),
    )
