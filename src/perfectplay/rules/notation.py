"""Text <-> position, move and entry.

A position is written as the side to move and the board row by row from the top: `O:X../.O./..X`.
The side may be shortened as long as it is plain which is meant; an empty square is a dot; blanks do not matter.
Squares beside the board are one more row. Where texts such as 1, 2 and 12 would run together, commas stand between
them: `s:2,.,12/0,1,2`.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from perfectplay.bits import bit_numbers
from perfectplay.game import NEVER, Cells, Game, MoveNames, Spot, after, legal_moves
from perfectplay.rules.board_layout import EMPTY, LinePart, fixed_texts, layout, separator, squares_by_row
from perfectplay.words import (
    DRAW,
    FIRST,
    LOSS,
    ONGOING,
    SECOND,
    WIN,
    BadGame,
    BadPosition,
    Entry,
    IllegalMove,
    Move,
    Position,
    Sides,
)

TERMINAL_WORDS = ("help", "?", "hint", "hint again", "hint why", "moves", "undo", "quit", "exit", "q")
"""What a person at the terminal can type instead of a move."""
NOT_LEGAL = " is not a legal move"
"""What follows the move in the error for one that the rules do not allow."""
VALUE_NAMES = {LOSS: "loss", DRAW: "draw", WIN: "win"}


def show_position(game: Game, position: Position, side: int) -> str:
    """The position as one line of text, which `parse_position` reads back."""
    if game.texts is not None:
        return f"{side_letter(game, side)}:{game.texts.write(*position)}"
    squares, between = squares_by_row(game), separator(game)
    names = [piece_name(game, at) for at in pieces_on(game, position, side)]
    return f"{side_letter(game, side)}:{'/'.join(between.join(names[square] for square in row) for row in squares)}"


def parse_position(game: Game, text: str) -> tuple[Position, int]:
    """The position and the side to move that the text means."""
    position, side = read_position(game, text)
    if show_position(game, position, side).partition(":")[2] != "".join(text.split()).partition(":")[2]:
        raise BadPosition(f"position {text!r} cannot be: a piece is missing or there is one too many")
    return position, side


def read_position(game: Game, text: str) -> tuple[Position, int]:
    """The position and the side to move that the pieces in the text make, even if the position is shown otherwise."""
    side_text, colon, board_text = "".join(text.split()).partition(":")
    sides = sides_named(game, side_text) if colon else []
    if len(sides) != 1:
        letters = " or ".join(side_letter(game, side) + ":" for side in (FIRST, SECOND))
        raise BadPosition(f"position {text!r} does not say who is to move; begin it with {letters}")
    if game.texts is not None:
        return game.texts.read(board_text, sides[0]), sides[0]
    return position_from(game, sides[0], split_board(game, text, board_text, sides[0])), sides[0]


def sides_named(game: Game, text: str) -> list[int]:
    """The sides whose name begins so."""
    return [side for side in (FIRST, SECOND) if named_so(game.look.sides[side], text)]


def position_from(game: Game, side: int, squares: Iterable[tuple[int, str]]) -> Position:
    """The position, seen by this side, that pieces of these names on these squares make."""
    pieces, words, places = named_pieces(game, side), [0, 0], spots(game, side)
    for square, name in squares:
        owner, kind = next((one for one in pieces.get(name, ()) if can_stand(places[square], *one)), (side, -1))
        if kind >= 0:
            words[owner] |= places[square][kind][1]
    return words[side], words[1 - side]


@lru_cache(maxsize=64)
def named_pieces(game: Game, side: int) -> dict[str, list[tuple[int, int]]]:
    """The owners and kinds of pieces that a name can mean, those of the side to move first."""
    pieces: dict[str, list[tuple[int, int]]] = {}
    for owner in (side, 1 - side):
        for kind, name in enumerate(game.look.pieces[owner]):
            pieces.setdefault(name, []).append((owner, kind))
    return pieces


def can_stand(square: Sequence[Spot], owner: int, kind: int) -> bool:
    """Whether this side's piece of this kind can stand on the square."""
    mask, value, *only = square[kind] if kind < len(square) else NEVER
    return value & ~mask == 0 and (not only or only[0] == owner)


@lru_cache(maxsize=64)
def piece_pattern(game: Game, side: int) -> tuple[list[str], re.Pattern[str]]:
    """The names of pieces and empty squares, the longest first, and the pattern that finds them."""
    names = [*sorted(named_pieces(game, side), key=len, reverse=True), EMPTY]
    return names, re.compile("|".join(re.escape(name) for name in names))


def split_board(game: Game, text: str, board_text: str, side: int) -> list[tuple[int, str]]:
    """Each square with the name of what stands there."""
    names, pattern = piece_pattern(game, side)
    between, squares, names_by_row = separator(game), squares_by_row(game), []
    for row in board_text.split("/"):
        here = pattern.findall(row)
        if between.join(here) != row:
            choices = " ".join(names) + (", with commas between them" if between else "")
            raise BadPosition(f"position {text!r}: row {row!r} has something other than {choices}")
        names_by_row.append(here)
    if [*map(len, names_by_row)] != [*map(len, squares)]:
        width, height = game.shape
        alike = {*map(len, squares)} == {width}
        rows = (
            f"{height} rows of {width} squares"
            if alike
            else f"rows of {', '.join(str(len(r)) for r in squares)} squares"
        )
        raise BadPosition(f"position {text!r} is not {rows}, such as {example(game)}")
    return [pair for row, here in zip(squares, names_by_row, strict=True) for pair in zip(row, here, strict=True)]


def example(game: Game) -> str:
    """The start position as text."""
    return show_position(game, game.start, FIRST)


def side_letter(game: Game, side: int) -> str:
    """The first letter of the side's name."""
    return game.look.sides[side][0]


def named_so(name: str, text: str) -> bool:
    """Whether the text is a name or its beginning."""
    return bool(text) and name.lower().startswith(text.lower())


def board_rows(game: Game, position: Position, side: int) -> list[list[str]]:
    """The board row by row, for each square the name of the piece on it or a dot; those beside it come last."""
    width, _ = game.shape
    names = [piece_name(game, at) for at in pieces_on(game, position, side)]
    return [names[i : i + width] for i in range(0, len(names), width)]


def piece_name(game: Game, at: tuple[int, int] | None) -> str:
    """The text of what stands on a square: a piece, given by its owner and kind, or nothing."""
    return EMPTY if at is None else game.look.pieces[at[0]][at[1]]


def not_a_position(game: Game, value: object) -> BadPosition:
    """The error for a value that is not a position of the game."""
    if hasattr(value, "position"):
        return BadPosition("this is a match, not a position; use match.position")
    return BadPosition(f"{value!r} is not a position of {game.name}, two whole numbers of {game.bits} bits")


def pieces_on(game: Game, position: Position, side: int) -> list[tuple[int, int] | None]:
    """For each square in reading order the owner and the kind of the piece on it, or None."""
    pieces: list[tuple[int, int] | None] = []
    for square in spots(game, side):
        here = None
        for kind, (mask, value, *only) in enumerate(square):
            if position[0] & mask == value and only != [1 - side]:
                here = (side, kind)
            elif position[1] & mask == value and only != [side]:
                here = (1 - side, kind)
        pieces.append(here)
    return pieces


@lru_cache(maxsize=64)
def spots(game: Game, side: int) -> list[tuple[Spot, ...]]:
    """For each square in reading order where to look for each kind of piece, when this side is to move."""
    cells: Cells = game.cells[side] if isinstance(game.cells, Sides) else game.cells
    return [
        () if isinstance(cell, str) else ((1 << cell, 1 << cell),) if isinstance(cell, int) else tuple(cell)
        for cell in cells
    ]


def draw_position(game: Game, position: Position, side: int) -> str:
    """The board drawn with its labels, in plain text."""
    if game.texts is not None:
        return game.texts.draw(*position)
    names = [piece_name(game, at) for at in pieces_on(game, position, side)]
    wide = max(len(text) for text in (*game.look.columns, *fixed_texts(game).values(), *names))

    def part_text(part: LinePart) -> str:
        if isinstance(part, str):
            return part
        text, fill = (names[part], " ") if isinstance(part, int) else part
        return text.center(wide, fill)

    return "\n".join("".join(map(part_text, line)).rstrip() for line in layout(game))


def move_name(game: Game, position: Position, side: int, move: Move) -> str:
    """The name of the move, made by this side in this position."""
    names: MoveNames = game.move_names[side] if isinstance(game.move_names, Sides) else game.move_names
    if not callable(names) and move >= len(names):
        raise BadGame(no_name(game, move, len(names)))
    name = names(*position, move) if callable(names) else names[move]
    if not isinstance(name, str):
        raise BadGame(f"move_names must {'return' if callable(names) else 'be'} text, not {name!r}, for move {move}")
    return name


def no_name(game: Game, move: Move, count: int) -> str:
    """The line for a move that is beyond the names."""
    if not moves_are_squares(game):
        return f"move {move} has no name: move_names has {count}, for moves 0 to {count - 1}"
    few = f" of shape {game.shape}, fewer than the {game.bits} bits" if count < game.bits else ""
    change = "change shape, or " if few else ""
    return f"move {move} has no name: only moves 0 to {count - 1} are squares{few}; {change}give move_names=(...)"


def parse_move(game: Game, position: Position, side: int, text: str | Move) -> Move:
    """The legal move with this number or name, or where moves are squares, with this text of a number from 1."""
    legal = bit_numbers(game.moves(*position))
    if not isinstance(text, str):
        if text in legal:
            return text
        some = " ".join(map(str, legal[:20])) + (" ..." if len(legal) > 20 else "")
        raise IllegalMove(f"move number {text} is not legal; legal are {some or 'none, the game is over'}")
    name = text.strip().lower()
    for move in legal:
        if move_name(game, position, side, move).lower() == name:
            return move
    if moves_are_squares(game) and name.isdecimal() and len(name) < 5 and int(name) - 1 in legal:
        return int(name) - 1
    names = [move_name(game, position, side, move) for move in legal]
    some = " ".join(names[:20]) + (" ..." if len(names) > 20 else "")
    raise IllegalMove(f"{text.strip()!r}{NOT_LEGAL}; legal are {some or 'none, the game is over'}")


PAIR = re.compile(r"[(\[]?\s*(-?[0-9]{1,4})(?:\s*,\s*|\s+)(-?[0-9]{1,4})\s*[)\]]?")
"""A square as people write it: `(0, 1)`, `0,1` or `0 1`."""


def typed_move(game: Game, position: Position, side: int, text: str | Move) -> Move:
    """The legal move that a person means: as in `parse_move`, or where moves are squares, row and column from 0."""
    pair = PAIR.fullmatch(text.strip()) if isinstance(text, str) and moves_are_squares(game) else None
    if pair is None:
        return parse_move(game, position, side, text)
    (width, height), row, column = game.shape, int(pair[1]), int(pair[2])
    if not (0 <= row < height and 0 <= column < width):
        ends = f"rows count from 0 to {height - 1}, columns from 0 to {width - 1}"
        raise IllegalMove(f"{pair[0]!r} is not on the board; {ends}")
    name = game.look.columns[column] + game.look.rows[row]
    try:
        return parse_move(game, position, side, name)
    except IllegalMove as fault:
        raise IllegalMove(f"{pair[0]!r} means {name}: {fault}") from None


def replay(
    game: Game, position: Position, side: int, names: Iterable[str | Move]
) -> Iterator[tuple[Position, int, Move]]:
    """The moves of these names or numbers one after another, each with the position in which this side makes it.

    A text may have several names, with blanks or commas between.
    """
    for text in names:
        for name in names_in(game, position, side, text):
            move = move_here(game, position, side, name)
            yield position, side, move
            position, side = after(game, position, side, move)


def names_in(game: Game, position: Position, side: int, text: str | Move) -> list[str | Move]:
    """The names in the text, apart by blanks or commas; one, if that is a legal move's name, or a square as a pair."""
    if not isinstance(text, str) or (moves_are_squares(game) and PAIR.fullmatch(text.strip())):
        return [text]
    legal = {move_name(game, position, side, move).lower() for move in legal_moves(game, position)}
    parts = (text if any("," in name for name in legal) else text.replace(",", " ")).split()
    return [text] if len(parts) < 2 or text.strip().lower() in legal else [*parts]


def move_here(game: Game, position: Position, side: int, name: str | Move) -> Move:
    """The legal move of that name or number; an error says in which position it is none."""
    here = show_position(game, position, side)
    if game.outcome(*position) != ONGOING:
        raise IllegalMove(f"{name!r} cannot be played: the game is over in {here}")
    try:
        return typed_move(game, position, side, name)
    except IllegalMove as fault:
        raise IllegalMove(f"{fault}, in {here}") from None


def value_name(entry: Entry) -> str:
    """The entry's value in a word: loss, draw or win."""
    return VALUE_NAMES[entry.value]


def entry_text(entry: Entry) -> str:
    """The entry in words: win in 13 plies, win by 4, endless draw."""
    name = value_name(entry)
    if entry.margin is not None:
        return f"{name} by {abs(entry.margin)}" if entry.margin else name
    if entry.distance is None:
        return f"endless {name}"
    return f"{name} in {plies_text(entry.distance)}"


def number_of(count: int, one: str, many: str = "") -> str:
    """1 game, 1,000 games; or with another plural than that in s, 1 class, 1,000 classes."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def plies_text(count: int) -> str:
    """1 ply, 13 plies."""
    return f"{count} {'ply' if count == 1 else 'plies'}"


def either(words: Sequence[str]) -> str:
    """a1, b2 or c3."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def in_turn(words: Sequence[str]) -> str:
    """a1, b1, then c2."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])}, then {words[-1]}"


def illegal_move(game: Game, position: Position, side: int, move: str, picture: str = "") -> IllegalMove:
    """The error for a move that the rules do not allow, with the position drawn, or with another drawing of it."""
    name = game.look.sides[side]
    return IllegalMove(f"{move}{NOT_LEGAL} for {name} in\n{picture or draw_position(game, position, side)}")


def refused_move(fault: IllegalMove) -> str:
    """The move as an error shows it, without the drawing; empty if the error is of another kind."""
    move, separator, _ = str(fault).partition(NOT_LEGAL)
    return move if separator else ""


def moves_are_squares(game: Game) -> bool:
    """Whether move i means square i in reading order."""
    look = game.look
    return game.move_names == tuple(column + row for row in look.rows for column in look.columns)


def kinds_of_squares(game: Game) -> dict[str, list[Move]]:
    """The squares in the centre, in the corners and between these on the edge."""
    if not moves_are_squares(game):
        return {}
    width, height = game.shape
    kinds: dict[str, list[Move]] = {"centre": [], "corner": [], "edge": []}
    for move in range(width * height):
        x, y = move % width, move // width
        if 2 * x in (width - 2, width - 1, width) and 2 * y in (height - 2, height - 1, height):
            kinds["centre"].append(move)
        elif x in (0, width - 1) and y in (0, height - 1):
            kinds["corner"].append(move)
        elif x in (0, width - 1) or y in (0, height - 1):
            kinds["edge"].append(move)
    return kinds
