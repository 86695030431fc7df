"""Bagh chal, tigers and goats: tigers jump over goats to take them, goats hem the tigers in."""

from perfectplay.bits import turns_and_mirrors
from perfectplay.game import NEVER, Game, Look
from perfectplay.words import LOSS, ONGOING, BadGame, Position, Sides

GROUP, ALIASES, DEFAULTS = "Capture", {"tigers-and-goats": ""}, lambda n: (5, 4, 20, 5) if n == 5 else (n, 2, 5, 2)
RULES = """The tigers begin in corners, two of them in opposite ones. Every second point, from the corners on, has \
diagonal lines.
The goats, which move first, are placed one by one; once all are placed, a goat moves along a line to the next \
point.
A tiger moves in the same way, or jumps over a goat next to it to the empty point straight behind and takes it.
The tigers win as soon as they have taken as many goats as prey says. A side that cannot move has lost.
A game that never ends is a draw."""
HISTORY = "The national game of Nepal, with four tigers and twenty goats on 5 × 5 points; five goats win."
RESULTS = {"3,1,6,1": "First player wins in 13", "3,3,5,1": "Second player wins in 12"}
LARGER = {"3,2,5,2": "Draw, endless", "3,2,6,2": "First player wins in 15"}
REPORTED = {"5,4,20,5": "Draw: Y. J. Lim, J. Nievergelt, *Tigers and Goats Is a Draw*, 2009"}


def game(size: int = 3, tigers: int = 2, goats: int = 5, prey: int = 2) -> Game:
    """The game on size x size points, with tigers in corners, which win by taking `prey` goats."""
    if not (size in (3, 5) and 1 <= tigers <= 4 and 1 <= prey <= goats <= size * size - tigers):
        sizes = f"{size}, {tigers}, {goats} and {prey}"
        raise BadGame(f"size must be 3 or 5, tigers 1 to 4, goats fit the rest, and prey be 1 to goats, not {sizes}")
    # The goats' word has their points, and above them one more than the goats in hand; so it is known from the tigers'.
    # A move places a goat, or is the line along which a piece moves or jumps; only one of its ends can begin it.
    points, board, diagonal = size * size, (1 << size * size) - 1, ((1, 1), (-1, 1))
    ways = [(at, x, y) for at in range(points) for x, y in ((1, 0), (0, 1), *diagonal[at % 2 * 2 :])]
    lines = [(at, at + x + y * size) for at, x, y in ways if 0 <= at % size + x < size and at // size + y < size]
    ends, count = lines + [(to, at) for at, to in lines], len(lines)
    source, target = tuple(1 << at for at, _ in ends), tuple(1 << to for _, to in ends)
    beyond = tuple(1 << 2 * to - at if (to, 2 * to - at) in ends else 0 for at, to in ends)

    def moves(mine: int, theirs: int) -> int:
        legal, free, prey_here = 0, board & ~(mine | theirs), 0 if mine >> points else theirs
        if mine >> points > 1:
            return free
        for i in range(2 * count):
            if mine & source[i] and (free & target[i] or (prey_here & target[i] and free & beyond[i])):
                legal |= 1 << i % count
        return legal

    def play(mine: int, theirs: int, move: int) -> Position:
        if mine >> points > 1:
            return theirs, mine + (1 << move) - (1 << points)
        way = move if mine & source[move] else move + count
        to = beyond[way] if theirs & target[way] else target[way]
        return theirs & ~target[way], mine ^ (source[way] | to)

    def outcome(mine: int, theirs: int) -> int:
        left = (mine & board).bit_count() + (mine >> points) - 1
        return LOSS if moves(mine, theirs) == 0 or (mine >> points and goats - left >= prey) else ONGOING

    def name(mine: int, theirs: int, move: int) -> str:
        if mine >> points > 1:
            return names[move]
        at, to = ends[move if mine & source[move] else move + count]
        return f"{names[at]}x{names[2 * to - at]}" if theirs >> to & 1 else f"{names[at]}-{names[to]}"

    names, hand = [f"{'abcde'[at % size]}{at // size + 1}" for at in range(points)], (goats + 1).bit_length()
    counts, corners = [str(n) for n in range(goats + 1)], (0, points - 1, size - 1, points - size)
    return Game(
        moves=moves,
        play=play,
        outcome=outcome,
        bits=points + hand,
        shape=(size, size),
        start=(goats + 1 << points, sum(1 << at for at in corners[:tigers])),
        symmetries=[(*turn, *range(points, points + hand)) for turn in turns_and_mirrors(size, size)],
        move_names=name,
        cells=[*range(points), [NEVER, *(((1 << hand) - 1 << points, n + 1 << points, 0) for n in range(goats + 1))]],
        look=Look(
            sides=Sides("Goat", "Tiger"),
            pieces=Sides(("G", *counts), ("T", *counts)),
            title=f"Bagh chal, {size} × {size}",
            board="points",
            shapes=Sides(*((shape, *["text"] * len(counts)) for shape in ("man", "text"))),
            colours=Sides("white", "yellow"),
            lines=tuple(lines),
            beside=("goats in hand",),
        ),
    )
