"""The Game record and what follows from it: legal moves, images, canonical form, counts of positions."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pkgutil import resolve_name
from typing import TypeVar

from perfectplay.bits import Permutation, bit_numbers, mover
from perfectplay.words import (
    FIRST,
    ONGOING,
    BadGame,
    Brief,
    Entry,
    Lookup,
    Move,
    PointsEntry,
    Position,
    Sides,
    Turn,
)

# How a board is drawn: the sides' names, the text, shape and colour of each kind of piece, labels, a note.


X_AND_O = Sides("X", "O")
ONE_KIND: Sides[tuple[str, ...]] = Sides(("X",), ("O",))
INK_AND_PLUM = Sides("ink", "plum")


BOARDS = ("squares", "paper", "checks", "points", "frame", "pits", "dots", "felt", "hexagons")
"""How a board is drawn: squares, lines as on paper, two shades of squares, points on lines, a frame with holes, pits
for seeds, edges between dots, green squares, hexagons in rows of which each begins half a cell right of that above."""
FIGURES = ("king", "queen", "rook", "bishop", "knight", "pawn")
SHAPES = ("cross", "ring", "disc", "stone", "man", "block", "bar", "seeds", "text", *FIGURES)
"""How a piece is drawn; "text" is its text on a disc, "seeds" as many seeds as its text says, "man" a smaller stone,
"block" a full square, "bar" an edge from dot to dot, which stands if its text is |."""
ROUND = ("disc", "stone", "man", "block")
"""Shapes that differ in nothing but their colour."""
COLOURS = ("ink", "plum", "red", "yellow", "black", "white", "blue", "green")
"""The colours that a side may have; what they look like is up to the theme."""


@dataclass(frozen=True)
class Look(metaclass=Brief):
    """How a board is drawn: the sides' names, a text for each kind of piece, labels, and a note to explain it all.

    title: what people call the game. summary: its rules in a sentence. The rest is for pictures. board: one of BOARDS.
    shapes: for each side one of SHAPES per kind of piece; X and O are a cross and a ring if they are left out. colours:
    one of COLOURS for each side. fades: pieces whose text has a lower number are paler. places: the centre of each
    square, in squares from the top left. lines: pairs of squares that a line joins, where the board has points.
    beside: the labels of squares that are not on the board but beside it, such as a counter; their cells come last.
    edges: whether the top and bottom of a board of hexagons have the first side's colour, left and right the second's.
    """

    sides: Sides[str] = X_AND_O
    pieces: Sides[tuple[str, ...]] = ONE_KIND
    columns: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()
    note: str = ""
    title: str = ""
    board: str = "squares"
    shapes: Sides[tuple[str, ...]] | None = None
    colours: Sides[str] = INK_AND_PLUM
    fades: bool = False
    places: tuple[tuple[float, float], ...] = ()
    lines: tuple[tuple[int, int], ...] = ()
    summary: str = ""
    beside: tuple[str, ...] = ()
    edges: bool = False

    def __post_init__(self) -> None:
        beside: object = self.beside
        if isinstance(beside, str):
            raise BadGame(f"beside={self.beside!r} must be a tuple of texts, one for each square beside the board")
        if self.board not in BOARDS:
            raise BadGame(f"board={self.board!r} is not one of {', '.join(BOARDS)}")
        for side in (0, 1):
            if self.colours[side] not in COLOURS:
                raise BadGame(f"colours: {self.colours[side]!r} is not one of {', '.join(COLOURS)}")
            shapes = self.shapes[side] if self.shapes else ()
            for shape in shapes:
                if shape not in SHAPES:
                    raise BadGame(f"shapes: {shape!r} is not one of {', '.join(SHAPES)}")
            if self.shapes and len(shapes) != len(self.pieces[side]):
                raise BadGame(f"shapes has {len(shapes)} entries for {len(self.pieces[side])} kinds of pieces")


PLAIN_LOOK = Look()


COMPILED_BITS = 63
"""The widest word that compiles to a machine word, signed 64-bit integers, never negative; and that tables hold."""

WIDE_BITS = 126
"""The widest word that compiles at all: two halves of 63 bits."""

MOST_IMAGES = 10_000
"""More images than any board has; a canonical form looks at them all."""

MOST_COMPOSED = 100
"""The most permutations of which all pairs are composed: some hundredths of a second."""

T = TypeVar("T")

Spot = tuple[int, int] | tuple[int, int, int]
"""(mask, value): the piece stands here if word & mask == value; (mask, value, side): only in the word of that side."""

NEVER: Spot = (0, 1)
"""The spot of a kind of piece that never stands on a square: no word matches it."""


@dataclass(frozen=True)
class Images(metaclass=Brief):
    """Symmetries given by a function: image(mine, theirs, i) for i below count; image 0 changes nothing."""

    count: int
    image: Callable[[int, int, int], Position]


@dataclass(frozen=True)
class Texts(metaclass=Brief):
    """Positions as text where squares cannot show them: a line, which is read back, and a drawing of several lines.

    write(mine, theirs) has no blanks; read(text, side) raises BadPosition.
    """

    write: Callable[[int, int], str]
    read: Callable[[str, int], Position]
    draw: Callable[[int, int], str]


MoveNames = Sequence[str] | Callable[[int, int, int], str]
"""A name for each move, or where a name depends on the position, a function of (mine, theirs, move)."""

Cells = Sequence[int | str | Sequence[Spot]]
"""For each square in reading order its bit; its spots, one for each kind of piece; or a text if it is no square."""


Order = Sequence[Move] | Callable[[int, int, int], int]
"""All moves in the order in which to try them, or a function of (mine, theirs, move): the greater, the sooner."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Game(metaclass=Brief):
    """The rules of one game: three pure functions over two integers, and data to draw and name things.

    moves(mine, theirs) has bit m set when move m is legal; play(mine, theirs, move) is the next position, seen by
    the other side; outcome(mine, theirs) is LOSS, DRAW or WIN for the side to move, or ONGOING.
    A position that is ONGOING has a legal move. What differs for the second side is given as Sides(first, second).

    bits: how many bits each of the two integers uses. shape: (columns, rows) of the board. name: set when it is loaded.
    start: the start position, (0, 0) for an empty board. symmetries: permutations of the squares, or Images.
    key, unkey, key_bits: a position as one integer, its inverse, and how many bits keys use; made if left out.
    keys: how many keys there are, if they have few gaps and those of lower tiers come first, as stone_keys makes them.
    move_names: a name for each move, or a function of (mine, theirs, move); the squares if left out.
    cells: for each square in reading order its bit, or a (mask, value) for each kind of piece, or a text where nothing
    ever stands; bit i if left out. Squares beside the board, which the look names, follow.
    look: a Look, which says how the board is drawn. docs/reference/game-record.md has the details.

    Five hints make a search faster and change no answer; docs/how-to/hints.md says when they are right.
    order: the moves, the most promising first, or a function of (mine, theirs, move): the greater, the sooner.
    wins: the moves that win at once. safe: where none does, the moves after which the other side cannot win at once.
    plies_left: the plies until the game is drawn if neither side wins. hopeless: the side to move can no longer win.

    Four fields say what other games do not need. again(mine, theirs, move): after this move the same side moves again,
    and play returns the position still seen by that side. margin(mine, theirs): at the end, by how many points the side
    to move is ahead; best play then goes for points, in games that cannot repeat. tier(mine, theirs): a number that
    never decreases along a move; a hint that lets engines solve the game tier by tier, the highest first. impartial:
    both sides have the same moves, all that is on the board is `mine`, and whoever cannot move has lost.

    winning_lines: where any empty square may be taken and a full line ends the game, a function that returns all
    lines, each as a word; players for large boards count them. texts: how positions are written and drawn where
    squares cannot show them.
    """

    moves: Callable[[int, int], int]
    play: Callable[[int, int, int], Position]
    outcome: Callable[[int, int], int]
    bits: int
    shape: tuple[int, int]
    name: str = "game"
    start: Position = (0, 0)
    key: Callable[[int, int], int] | None = None
    unkey: Callable[[int], Position] | None = None
    key_bits: int = COMPILED_BITS
    keys: int = 0
    symmetries: Sequence[Permutation] | Images = ()
    move_names: MoveNames | Sides[MoveNames] = ()
    cells: Cells | Sides[Cells] = ()
    look: Look = PLAIN_LOOK
    order: Order = ()
    wins: Callable[[int, int], int] | None = None
    safe: Callable[[int, int], int] | None = None
    plies_left: Callable[[int, int], int] | None = None
    hopeless: Callable[[int, int], bool] | None = None
    winning_lines: Callable[[], Sequence[int]] | None = None
    again: Callable[[int, int, int], bool] | None = None
    margin: Callable[[int, int], int] | None = None
    tier: Callable[[int, int], int] | None = None
    impartial: bool = False
    texts: Texts | None = None

    def __repr__(self) -> str:
        width, height = self.shape
        return f"<Game {self.name}: {width} by {height}, {self.look.sides.first} against {self.look.sides.second}>"

    def __str__(self) -> str:
        return f"{self.name}: {self.look.summary}" if self.look.summary else repr(self)

    def __post_init__(self) -> None:
        self.refuse_nonsense()
        width, height = self.shape
        columns = self.look.columns or tuple(column_letters(i) for i in range(width))
        rows = self.look.rows or tuple(str(i + 1) for i in range(height))
        fill: dict[str, object] = {"look": replace(self.look, columns=columns, rows=rows)}
        if not self.move_names:
            fill["move_names"] = tuple(column + row for row in rows for column in columns)
        if not self.cells:
            fill["cells"] = tuple(range(width * height))
        if self.keys:
            fill["key_bits"] = self.keys.bit_length()
        if self.bits > COMPILED_BITS:
            fill["key"] = fill["unkey"] = None
        elif self.key is None and 2 * self.bits <= COMPILED_BITS:
            fill["key"], fill["unkey"] = side_by_side(self.bits)
            fill["key_bits"] = 2 * self.bits
        for field, value in fill.items():
            object.__setattr__(self, field, value)

    def refuse_nonsense(self) -> None:
        """Raises BadGame if a field is not of its form."""
        if not (isinstance(self.bits, int) and self.bits >= 1):
            raise BadGame(f"bits must be a whole number from 1, not {self.bits!r}")
        if not is_position(self.shape, 16) or 0 in self.shape:
            raise BadGame(f"shape must be two whole numbers from 1, (columns, rows), not {self.shape!r}")
        if not is_position(self.start, self.bits):
            raise BadGame(f"start must be two whole numbers of at most {self.bits} bits, not {self.start!r}")
        if (self.key is None) != (self.unkey is None):
            raise BadGame("key and unkey go together; one of them is missing")
        if not isinstance(self.look, Look):
            raise BadGame(f"look must be a Look, not {self.look!r}")
        if isinstance(self.symmetries, Images):
            if not 1 <= self.symmetries.count <= MOST_IMAGES:
                raise BadGame(f"Images has 1 to {MOST_IMAGES:,} images, the position itself first")
        elif any(sorted(one) != list(range(len(self.symmetries[0]))) for one in self.symmetries):
            raise BadGame("symmetries must be permutations of the squares 0, 1, 2, ..., all of the same length")
        elif self.symmetries and list(self.symmetries[0]) != sorted(self.symmetries[0]):
            raise BadGame("the first of the symmetries must leave every square where it is")
        self.refuse_lengths()
        if not (isinstance(self.key_bits, int) and 1 <= self.key_bits <= COMPILED_BITS):
            raise BadGame(f"key_bits must be a whole number from 1 to {COMPILED_BITS}, not {self.key_bits!r}")
        for name in ("moves", "play", "outcome"):
            if not callable(getattr(self, name)):
                raise BadGame(f"{name} must be a function, not {getattr(self, name)!r}")
        for name in ("wins", "safe", "plies_left", "hopeless", "winning_lines", "again", "margin", "tier"):
            if not (getattr(self, name) is None or callable(getattr(self, name))):
                raise BadGame(f"{name} must be a function or left out, not {getattr(self, name)!r}")
        if self.impartial and (self.again or self.margin or self.start[1]):
            raise BadGame("an impartial game has no again and no margin, and all that is on the board is mine: (n, 0)")

    def refuse_lengths(self) -> None:
        """Raises BadGame if cells or symmetries leave squares out."""
        squares = self.shape[0] * self.shape[1]
        beside = len(self.look.beside)
        shape = f"shape {self.shape} has {squares} squares"
        more = f"{shape} and {beside} are beside the board" if beside else shape
        for cells in (self.cells.first, self.cells.second) if isinstance(self.cells, Sides) else (self.cells,):
            if (cells or beside) and len(cells) != squares + beside:
                raise BadGame(f"cells must have {squares + beside} entries, not {len(cells)}, since {more}")
        if self.look.places and len(self.look.places) not in (squares, squares + beside):
            raise BadGame(f"places must have {squares} entries, not {len(self.look.places)}, since {shape}")
        if any(not 0 <= end < squares for line in self.look.lines for end in line):
            raise BadGame(f"lines must join squares 0 to {squares - 1}, since {shape}")
        if isinstance(self.symmetries, Images) or not self.symmetries:
            return
        count = len(self.symmetries[0])
        if count < min(squares, self.bits):
            raise BadGame(f"each of the symmetries must list all {min(squares, self.bits)} squares, not {count}")

    def _repr_html_(self) -> str | None:
        html: str | None = resolve_name("perfectplay.views.game_document:game_html")(self)
        return html


def is_position(value: object, bits: int) -> bool:
    """Whether the value is a tuple of two words of at most `bits` bits."""
    if not (isinstance(value, tuple) and len(value) == 2):
        return False
    mine, theirs = value
    return isinstance(mine, int) and isinstance(theirs, int) and mine >> bits == 0 == theirs >> bits


def is_own(game: Game) -> bool:
    """Whether the rules come with perfectplay, and so have been tested."""
    return str(getattr(game.moves, "__module__", "")).startswith("perfectplay.games.")


def check_sizes(width: int, height: int, k: int) -> None:
    """Refuses a board on which no row of k squares fits, or that is too large to be meant."""
    if not (1 <= width <= 64 and 1 <= height <= 64):
        raise BadGame(f"width and height must be 1 to 64, not {width} and {height}")
    if not 1 <= k <= max(width, height):
        raise BadGame(f"k must be 1 to {max(width, height)}, the longer side, not {k}")


def square_board(width: int, height: int | None = None) -> tuple[int, ...]:
    """The width and the height; a board whose height is left out is square."""
    return width, width if height is None else height


def row_board(width: int, height: int | None = None) -> tuple[int, ...]:
    """Width, height and length of a row: that of the shorter side, and five from nine on, as in gomoku."""
    sides = square_board(width, height)
    return *sides, min(sides) if min(sides) < 9 else 5


def connect_board(width: int, height: int = 6) -> tuple[int, ...]:
    """Width, height and length of a row: six high as in connect four, with four in a row where there is room."""
    return width, height, min(width, height, 4)


def column_letters(i: int) -> str:
    """a to z for columns 0 to 25, then aa, ab and so on."""
    letters = ""
    while i >= 0:
        letters = chr(ord("a") + i % 26) + letters
        i = i // 26 - 1
    return letters


def side_by_side(bits: int) -> tuple[Callable[[int, int], int], Callable[[int], Position]]:
    """The key that writes the two words side by side, and its inverse."""
    low = (1 << bits) - 1

    def key(mine: int, theirs: int) -> int:
        return mine << bits | theirs

    def unkey(number: int) -> Position:
        return number >> bits, number & low

    return key, unkey


def has_made_key(game: Game) -> bool:
    """Whether the key is made by writing the two words side by side."""
    key = side_by_side(game.bits)[0]
    return getattr(game.key, "__code__", None) is key.__code__ and game.key(1, 0) == key(1, 0)  # type: ignore[misc]


def legal_moves(game: Game, position: Position) -> list[Move]:
    """The legal moves by number; none when the game is over."""
    if game.outcome(*position) != ONGOING:
        return []
    return bit_numbers(game.moves(*position))


def unchanged(mine: int, theirs: int, i: int) -> Position:
    """The position itself: the only image in a game without symmetries."""
    return mine, theirs


def images(game: Game) -> Images:
    """The symmetries of the game as a function, whichever way they were given."""
    if isinstance(game.symmetries, Images):
        return game.symmetries
    if not game.symmetries:
        return Images(1, unchanged)
    count, squares = len(game.symmetries), len(game.symmetries[0])
    where = tuple(place for permutation in game.symmetries for place in permutation)

    def image(mine: int, theirs: int, i: int) -> Position:
        new_mine, new_theirs = 0, 0
        for square in range(squares):
            place = where[i * squares + square]
            new_mine |= (mine >> square & 1) << place
            new_theirs |= (theirs >> square & 1) << place
        return new_mine, new_theirs

    return Images(count, image)


def canonical(game: Game) -> Callable[[int, int], Position]:
    """The function that maps a position to the smallest of its images: one for each class."""
    count, image = images(game).count, images(game).image

    def smallest(mine: int, theirs: int) -> Position:
        best_mine, best_theirs = mine, theirs
        for i in range(1, count):
            other_mine, other_theirs = image(mine, theirs, i)
            less = (other_mine < best_mine) | (other_mine == best_mine) & (other_theirs < best_theirs)
            best_mine = other_mine if less else best_mine
            best_theirs = other_theirs if less else best_theirs
        return best_mine, best_theirs

    return smallest


def quick_images(game: Game) -> list[Callable[[int, int], Position]]:
    """A function for each image but the first, as fast as plain Python can: permutations move eight bits at a time."""
    if isinstance(game.symmetries, Images):
        image = game.symmetries.image
        return [lambda mine, theirs, i=i: image(mine, theirs, i) for i in range(1, game.symmetries.count)]  # type: ignore[misc]
    movers = [mover(tuple(permutation)) for permutation in game.symmetries[1:]]
    return [lambda mine, theirs, move=move: (move(mine), move(theirs)) for move in movers]  # type: ignore[misc]


def quick_canonical(game: Game) -> Callable[[int, int], Position]:
    """A faster canonical(game), which takes some milliseconds to make."""
    others = quick_images(game)

    def smallest(mine: int, theirs: int) -> Position:
        least_mine, least_theirs = mine, theirs
        for image in others:
            other_mine, other_theirs = image(mine, theirs)
            if other_mine < least_mine or (other_mine == least_mine and other_theirs < least_theirs):
                least_mine, least_theirs = other_mine, other_theirs
        return least_mine, least_theirs

    return smallest


def is_group(game: Game) -> bool:
    """Whether an image of an image is certainly an image: the symmetries are permutations of all bits, closed."""
    turns = game.symmetries
    if isinstance(turns, Images) or len(turns) > MOST_COMPOSED:
        return False
    group = {tuple(turn) for turn in turns}
    closed = all(tuple(map(one.__getitem__, other)) in group for one in group for other in group)
    return closed and all(len(turn) >= game.bits for turn in group)


def start_is_symmetric(game: Game) -> bool:
    """Whether all images of the start are the start, so that all images of reachable positions are reachable."""
    turns = images(game)
    return all(turns.image(*game.start, i) == game.start for i in range(turns.count))


def moves_again(game: Game, position: Position, move: Move) -> bool:
    """Whether the side that makes this move also makes the next one."""
    return game.again is not None and bool(game.again(*position, move))


def after(game: Game, position: Position, side: int, move: Move) -> Turn:
    """The position after the move, and the side that sees it: the one to move next."""
    return game.play(*position, move), side if moves_again(game, position, move) else 1 - side


def end_entry(game: Game, position: Position) -> Entry:
    """The entry of a finished position."""
    return Entry(game.outcome(*position), 0) if game.margin is None else PointsEntry(game.margin(*position))


def move_entries(game: Game, position: Position, lookup: Lookup) -> dict[Move, Entry]:
    """The entry of each legal move, seen by the side to move: what the position would have if it were the only one."""
    return {
        move: lookup(game.play(*position, move)).before(moves_again(game, position, move))
        for move in legal_moves(game, position)
    }


def entries_of_moves(game: Game, lookup: Lookup, position: Position) -> dict[Move, Entry]:
    """The entry of each legal move, from the mover's view, best first."""
    entries = move_entries(game, position, lookup)
    return dict(sorted(entries.items(), key=lambda item: item[1].preference(), reverse=True))


def best_moves(entries: dict[Move, Entry]) -> list[Move]:
    """The moves as good as the best."""
    best = max(entries.values(), key=Entry.preference)
    return [move for move, entry in entries.items() if entry.as_good_as(best)]


def next_ply(game: Game, ways: Iterable[tuple[Turn, int]]) -> dict[Turn, int]:
    """The positions one ply on, with the side to move, each with the number of move sequences that lead there."""
    following: dict[Turn, int] = {}
    for (position, side), count in ways:
        for move in legal_moves(game, position):
            child = after(game, position, side, move)
            following[child] = following.get(child, 0) + count
    return following


def symmetric_moves(game: Game, position: Position) -> list[list[Move]]:
    """The legal moves that differ only by a symmetry of the position, in groups of two or more."""
    turns = images(game)
    own = [i for i in range(turns.count) if turns.image(*position, i) == position]
    groups: dict[tuple[Position, bool], list[Move]] = {}
    for move in legal_moves(game, position) if len(own) > 1 else ():
        child = game.play(*position, move)
        least = min(turns.image(*child, i) for i in own)
        groups.setdefault((least, moves_again(game, position, move)), []).append(move)
    return [moves for moves in groups.values() if len(moves) > 1]


def unequal_scores(game: Game, position: Position, scores: Mapping[Move, float]) -> tuple[Move, Move] | None:
    """The first two symmetric moves with different scores; None if there are none."""
    for moves in symmetric_moves(game, position):
        for move in moves:
            if moves[0] in scores and move in scores and scores[moves[0]] != scores[move]:
                return moves[0], move
    return None


def levels(game: Game) -> Iterator[list[Position]]:
    """The reachable positions, ply by ply, each at the ply at which it is first met."""
    seen = {game.start}
    level = [game.start]
    while level:
        yield level
        fresh = {game.play(*position, move) for position in level for move in legal_moves(game, position)}
        level = sorted(fresh - seen)
        seen.update(level)


def turn_levels(game: Game, side: int = FIRST) -> Iterator[list[Turn]]:
    """The same positions ply by ply, each with a side that can be to move there; `side` moves first."""
    seen = {game.start}
    level = [(game.start, side)]
    while level:
        yield level
        fresh: dict[Position, int] = {}
        for position, moving in level:
            for move in legal_moves(game, position):
                child, following = after(game, position, moving, move)
                if child not in seen:
                    fresh.setdefault(child, following)
        level = sorted(fresh.items())
        seen.update(fresh)
