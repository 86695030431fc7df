"""Dots and boxes: draw an edge; a player that closes a box owns it and moves again. Most boxes win."""

from perfectplay.bits import turns_and_mirrors
from perfectplay.game import NEVER, Game, Look, square_board
from perfectplay.words import DRAW, LOSS, ONGOING, WIN, BadGame, Position, Sides

RULES = """Players take turns to draw an edge between two neighbouring dots.
Whoever closes one or two boxes owns them and draws another edge.
When all edges are drawn, the one with more boxes wins; equal numbers are a draw."""
HISTORY = "Described by Édouard Lucas in 1889. 4 × 5 boxes are a draw: Barker and Korf, *Solving Dots-And-Boxes*, 2012."
GROUP, ALIASES, DEFAULTS = "Territory", {"dots-and-boxes": "3,3"}, square_board
RESULTS = {"1,1": "Second player wins by 1", "2,1": "Draw", "2,2": "First player wins by 2"}
WILSON = "D. Wilson, *Dots-and-Boxes Analysis Results*, 2010"
LARGER = {"3,2": "Second player wins by 2", "3,3": f"Second player wins by 3: {WILSON}"}
REPORTED = {"4,4": f"Draw: {WILSON}", "4,5": "Draw: J. Barker, R. Korf, *Solving Dots-And-Boxes*, 2012"}


def game(width: int = 2, height: int = 2) -> Game:
    """The game on width x height boxes."""
    if not (1 <= width <= 7 and 1 <= height <= 7):
        raise BadGame(f"width and height must be 1 to 7, not {width} and {height}")
    # Edges belong to nobody: they stand in the word of the side to move. Above them each word counts its side's boxes.
    #   + 0 + 1 +
    #   4   5   6
    #   + 2 + 3 +      2 x 1 boxes: bits 0 to 6 are edges, those from 7 on the number of boxes
    flat, count = width * (height + 1), width * height
    edges, counter_bits = flat + (width + 1) * height, count.bit_length()
    all_edges, counter = (1 << edges) - 1, (1 << counter_bits) - 1 << edges
    boxes = tuple(1 << box | 1 << box + width | 3 << flat + box + box // width for box in range(count))

    def new_boxes(mine: int, move: int) -> int:
        total = 0
        for box in boxes:
            if box >> move & 1 and box & ~(mine | 1 << move) == 0:
                total += 1
        return total

    def moves(mine: int, theirs: int) -> int:
        return all_edges & ~mine

    def play(mine: int, theirs: int, move: int) -> Position:
        gain = new_boxes(mine, move)
        if gain:
            return (mine | 1 << move) + (gain << edges), theirs
        return theirs | mine & all_edges | 1 << move, mine & counter

    def again(mine: int, theirs: int, move: int) -> bool:
        return new_boxes(mine, move) > 0

    def margin(mine: int, theirs: int) -> int:
        return (mine >> edges) - (theirs >> edges)

    def outcome(mine: int, theirs: int) -> int:
        lead = margin(mine, theirs)
        return ONGOING if all_edges & ~mine else WIN if lead > 0 else LOSS if lead < 0 else DRAW

    wide, tall, pieces = 2 * width + 1, 2 * height + 1, ("-", "|", *map(str, range(count + 1)))
    edge = {at: i for i, at in enumerate(sorted(range(1, wide * tall, 2), key=lambda at: at // wide % 2))}
    spots = {at: [*[NEVER] * (at // wide % 2), (1 << i, 1 << i)] for at, i in edge.items()}
    tallies = [[NEVER, NEVER, *((counter, n << edges, side) for n in range(count + 1))] for side in (0, 1)]
    turns = turns_and_mirrors(wide, tall)
    title = f"Dots and boxes, {width} × {height}"
    return Game(
        moves=moves,
        play=play,
        outcome=outcome,
        again=again,
        margin=margin,
        bits=edges + counter_bits,
        shape=(wide, tall),
        symmetries=[(*(edge[turn[at]] for at in edge), *range(edges, edges + counter_bits)) for turn in turns],
        move_names=[f"{'abcdefghijklmno'[at % wide]}{at // wide + 1}" for at in edge],
        cells=[*(spots.get(at, "+ "[at // wide % 2]) for at in range(wide * tall)), *tallies],
        look=Look(pieces=Sides(pieces, pieces), title=title, board="dots", beside=("X", "O")),
    )
