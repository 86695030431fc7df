"""Reversi: enclose discs to turn them; who cannot move misses a turn; the most discs win."""

from perfectplay import DRAW, LOSS, ONGOING, WIN, BadGame, Game, Look, Sides


def game(size=8):
    if size % 2 or not 4 <= size <= 8:
        raise BadGame(f"size must be 4, 6 or 8, not {size}")
    squares, middle = size * size, (size // 2 - 1) * (size + 1)
    full = (1 << squares) - 1
    left = sum(1 << row * size for row in range(size))
    inner = full & ~left & ~(left << size - 1)
    steps = ((1, inner), (size, full), (size + 1, inner), (size - 1, inner))

    def reached(mine, theirs, step, between):  # beyond their discs in a row from mine, up and down the numbers
        theirs &= between
        up, down = mine << step & theirs, mine >> step & theirs
        for _ in range(size - 3):
            up |= up << step & theirs
            down |= down >> step & theirs
        return up, down

    def placements(mine, theirs):
        found = 0
        for step, between in steps:
            up, down = reached(mine, theirs, step, between)
            found |= up << step | down >> step
        return found & full & ~(mine | theirs)

    def turned(mine, theirs, move):  # the discs between the new disc and another one of mine
        disc, found = 1 << move, 0
        for step, between in steps:
            up, down = reached(disc, theirs, step, between)
            found |= up if mine & up << step else 0
            found |= down if mine & down >> step else 0
        return found

    def play(mine, theirs, move):
        discs = turned(mine, theirs, move)
        mine, theirs = mine | discs | 1 << move, theirs & ~discs
        return (theirs, mine) if placements(theirs, mine) or not placements(mine, theirs) else (mine, theirs)

    def again(mine, theirs, move):
        discs = turned(mine, theirs, move)
        mine, theirs = mine | discs | 1 << move, theirs & ~discs
        return placements(theirs, mine) == 0 and placements(mine, theirs) != 0

    def margin(mine, theirs):
        return mine.bit_count() - theirs.bit_count()

    def outcome(mine, theirs):
        if placements(mine, theirs):
            return ONGOING
        lead = margin(mine, theirs)
        return WIN if lead > 0 else LOSS if lead < 0 else DRAW

    return Game(
        moves=placements,
        play=play,
        outcome=outcome,
        again=again,
        margin=margin,
        bits=squares,
        shape=(size, size),
        start=(1 << middle + 1 | 1 << middle + size, 1 << middle | 1 << middle + size + 1),
        look=Look(Sides("Black", "White"), Sides(("X",), ("O",))),
    )
