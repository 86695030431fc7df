"""Checks that moves and positions can be written as text and read back."""

from collections.abc import Sequence

from perfectplay.bits import bit_numbers
from perfectplay.compiler.checks.sample_positions import SKIPPED, Finding, Met, in_any_order
from perfectplay.game import Game, legal_moves
from perfectplay.rules.board_layout import layout, square_names
from perfectplay.rules.notation import (
    TERMINAL_WORDS,
    draw_position,
    move_name,
    parse_move,
    piece_name,
    pieces_on,
    read_position,
    show_position,
    spots,
)
from perfectplay.words import Position, Sides

SHOWN = 2_000
"""The number of positions written and read as text."""
NAMED = 3
"""The most squares that a line names."""
NAMES = f"a name is printed on one line, begins with neither - nor a space, and is none of {', '.join(TERMINAL_WORDS)}"


def moves_named(game: Game, met: Sequence[Met]) -> str | None:
    """Every legal move has a unique name that reads back as that move."""
    for position, side in in_any_order(met)[:SHOWN]:
        names: dict[str, int] = {}
        for move in legal_moves(game, position):
            name = move_name(game, position, side, move)
            if not can_be_typed(name):
                return f"move {move} is called {name!r} in {show_position(game, position, side)}; {NAMES}"
            other = names.setdefault(name.lower(), move)
            if other != move:
                return f"moves {other} and {move} are both called {name!r} in {show_position(game, position, side)}"
        for name in list(names)[:3]:
            if parse_move(game, position, side, name) != names[name]:
                return f"{name!r} reads back as another move in {show_position(game, position, side)}"
    return None


def can_be_typed(name: str) -> bool:
    """Whether a person can name the move in a terminal and on a command line."""
    if not name or name != name.strip() or name.startswith("-"):
        return False
    return name.isprintable() and name.lower() not in TERMINAL_WORDS


def positions_read_back(game: Game, met: Sequence[Met]) -> str | None:
    """A position shown as text reads back as the same position, and can be drawn."""
    for position, side in in_any_order(met)[:SHOWN]:
        text = show_position(game, position, side)
        read, _ = read_position(game, text)
        if read != position:
            if shape_fits(game, [Met(position, side)]) not in (None, SKIPPED):
                return SKIPPED  # that has told it
            hidden = shared_squares(game, position, text) or undrawn_bits(game, position, side)
            return hidden or other_squares(game, position, read, side)
        lines = draw_position(game, position, side).splitlines()
        if game.texts is None and len(lines) != len(layout(game)):
            return f"{text} is not drawn in {game.shape[1]} rows"
    return None


def shape_fits(game: Game, met: Sequence[Met]) -> str | Finding | None:
    """Squares and bits fit each other: each square is a bit, unless `cells` says otherwise."""
    squares = game.shape[0] * game.shape[1]
    if game.cells != tuple(range(squares)):
        return SKIPPED
    labels = square_names(game)
    if squares <= game.bits:
        return next(filter(None, (undrawn_bits(game, *one) for one in met)), None)
    free = f"{labels[game.bits]} to {labels[-1]} stay" if squares - game.bits > 1 else f"{labels[-1]} stays"
    return Finding(
        "note",
        f"shape {game.shape} has {squares} squares, but bits = {game.bits}, so {free} empty; "
        f"{shape_advice(game)}, or say with cells which bit each square is",
    )


def shape_advice(game: Game) -> str:
    """The advice where there are more squares than bits."""
    (width, height), bits = game.shape, game.bits
    if bits % height == 0:
        return f"write shape=({bits // height}, {height})"
    return f"write shape=({width}, {bits // width})" if bits % width == 0 else "change shape or bits"


def undrawn_bits(game: Game, position: Position, side: int) -> str | None:
    """The line for a position with bits that no square shows, if it has some."""
    visible = 0
    for square in spots(game, side):
        for mask, *_ in square:
            visible |= mask
    hidden = bit_numbers((position[0] | position[1]) & ~visible)
    if not hidden:
        return None
    squares = game.shape[0] * game.shape[1]
    return (
        f"no square shows bit {hidden[0]} of {position}, where {game.look.sides[side]} is to move: "
        f"shape {game.shape} has {squares} squares, and bits = {game.bits}; change shape, or give cells that show it"
    )


def shared_squares(game: Game, position: Position, text: str) -> str | None:
    """The line for a position in which both sides have the same squares, if a bit of each word is a square."""
    width, height = game.shape
    if tuple(game.cells if not isinstance(game.cells, Sides) else ()) != tuple(range(width * height)):
        return None
    labels = square_names(game)
    common = [label for square, label in enumerate(labels) if (position[0] & position[1]) >> square & 1]
    if not common:
        return None
    return f"both sides have {' and '.join(common)} in {text} {position}; look at moves and play, or at start"


def other_squares(game: Game, position: Position, read: Position, side: int) -> str:
    """The line for a position that reads back as another: squares that look otherwise then, or show what differs."""
    names, text = square_names(game), show_position(game, position, side)
    pieces, pieces_again = ([piece_name(game, at) for at in pieces_on(game, one, side)] for one in (position, read))
    pairs = zip(names, pieces, pieces_again, strict=True)
    differences = [f"{name} (shown as {a}, read as {b})" for name, a, b in pairs if a != b]
    if not differences:
        differ = position[0] ^ read[0], position[1] ^ read[1]
        differences = [
            f"{name} (shown as {piece})"
            for name, piece, square in zip(names, pieces, spots(game, side), strict=True)
            if any(mask & differ[word] for mask, _, *only in square for word in (0, 1) if only in ([], [side ^ word]))
        ]
    more = f" and {len(differences) - NAMED} more" if len(differences) > NAMED else ""
    return f"{text} {position} reads back as {read}; look at the cells of {', '.join(differences[:NAMED])}{more}"
