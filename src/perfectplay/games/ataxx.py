"""Ataxx: grow or jump, and turn all discs around the new one; the most discs win."""

from perfectplay.bits import turns_and_mirrors
from perfectplay.game import Game, Look, square_board
from perfectplay.words import DRAW, LOSS, ONGOING, WIN, BadGame, Position, Sides

RULES = """Each side begins with discs in two opposite corners.
Put a new disc on an empty square next to one of yours, also diagonally, or jump with one of yours, over anything, \
to an empty square two king's steps away.
All discs of the opponent next to the new place, also diagonally, become yours.
Whoever cannot move misses a turn. When nobody can, or a side has no disc left, the one with more discs wins.
Equal numbers are a draw, and so is a game that never ends."""
HISTORY = "Made by Dave Crummack and Craig Galley in 1988 as Infection; as Ataxx, on 7 × 7, it came to arcades in 1990."
GROUP, ALIASES, DEFAULTS = "Territory", {"infection": "7,7"}, square_board
RESULTS = {"3,3": "First player wins in 1", "4,2": "Second player wins in 4", "6,2": "First player wins in 10"}
LARGER = {"7,2": "Second player wins in 17"}


def game(width: int = 6, height: int = 2) -> Game:
    """The game on width x height squares."""
    if not (2 <= width <= 7 and 2 <= height <= 7 and width * height > 4):
        raise BadGame(f"width and height must be 2 to 7, and not both 2, not {width} and {height}")
    squares = range(width * height)
    full, last = (1 << len(squares)) - 1, len(squares) - 1
    steps = {(a, b): max(abs(a % width - b % width), abs(a // width - b // width)) for a in squares for b in squares}
    near = tuple(sum(1 << b for b in squares if steps[a, b] == 1) for a in squares)
    far = tuple(sum(1 << b for b in squares if 0 < steps[a, b] <= 2) for a in squares)
    jumps = [pair for pair in steps if steps[pair] == 2]
    origins, targets = tuple(a for a, _ in jumps), tuple(b for _, b in jumps)

    def moves(mine: int, theirs: int) -> int:
        legal, empty = 0, full & ~(mine | theirs)
        for square in range(len(near)):
            if empty >> square & 1 and mine & near[square]:
                legal |= 1 << square
        for jump in range(len(origins)):
            if mine >> origins[jump] & empty >> targets[jump] & 1:
                legal |= 1 << len(near) + jump
        return legal

    def can_move(mine: int, empty: int) -> bool:
        around = 0
        for square in range(len(far)):
            around |= far[square] if mine >> square & 1 else 0
        return around & empty != 0

    def moved(mine: int, theirs: int, move: int) -> Position:
        to = move if move < len(near) else targets[move - len(near)]
        origin = 0 if move < len(near) else 1 << origins[move - len(near)]
        return mine & ~origin | 1 << to | theirs & near[to], theirs & ~near[to]

    def again(mine: int, theirs: int, move: int) -> bool:
        mine, theirs = moved(mine, theirs, move)
        empty = full & ~(mine | theirs)
        return theirs != 0 and can_move(mine, empty) and not can_move(theirs, empty)

    def play(mine: int, theirs: int, move: int) -> Position:
        new_mine, new_theirs = moved(mine, theirs, move)
        return (new_mine, new_theirs) if again(mine, theirs, move) else (new_theirs, new_mine)

    def outcome(mine: int, theirs: int) -> int:
        if mine and theirs and can_move(mine, full & ~(mine | theirs)):
            return ONGOING
        lead = mine.bit_count() - theirs.bit_count()
        return WIN if lead > 0 else LOSS if lead < 0 else DRAW

    title, names = f"Ataxx, {width} × {height}", [f"{'abcdefg'[at % width]}{at // width + 1}" for at in squares]
    return Game(
        moves=moves,
        play=play,
        outcome=outcome,
        again=again,
        bits=len(squares),
        shape=(width, height),
        start=(1 | 1 << last, 1 << width - 1 | 1 << len(squares) - width),
        symmetries=[turn for turn in turns_and_mirrors(width, height) if turn[0] in (0, last)],
        move_names=[*names, *(f"{names[a]}-{names[b]}" for a, b in jumps)],
        look=Look(title=title, colours=Sides("red", "blue"), shapes=Sides(("stone",), ("stone",))),
    )
