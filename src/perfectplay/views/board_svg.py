"""A position as SVG: the drawing of the game's board with the pieces that stand there."""

from collections.abc import Collection
from pathlib import Path

from perfectplay.game import Game
from perfectplay.rules.notation import pieces_on
from perfectplay.views.board_art import art_of, text_svg
from perfectplay.views.shared_pieces import is_new
from perfectplay.words import Position, Turn

STYLE = (Path(__file__).parent / "board.css").read_text(encoding="utf-8")
"""The rules of style that the drawings need."""
SCALE = 2
"""The size of drawings among other things: a square is 20 wide."""


def board_size(game: Game) -> tuple[int, int]:
    """The width and the height of a drawn board without labels."""
    _, _, width, height = art_of(game, labels=False).box
    return round(width * SCALE), round(height * SCALE)


def board_svg(game: Game, position: Position, side: int, changed: Collection[int] = ()) -> str:
    """A group with the board without labels, its top left corner at (0, 0); `changed` squares are tinted."""
    x, y, _, _ = art_of(game, labels=False).box
    inner = board_elements(game, position, side, changed, labels=False)
    return f'<g class="art {game.look.board}" transform="scale({SCALE}) translate({-x:g} {-y:g})">{inner}</g>'


def position_svg(game: Game, position: Position, side: int, changed: Collection[int] = (), labels: bool = False) -> str:
    """The board as an SVG element of its own, as large as there is room."""
    box = " ".join(f"{number:.4g}" for number in art_of(game, labels).box)
    inner = board_elements(game, position, side, changed, labels)
    return f'<svg xmlns="http://www.w3.org/2000/svg" class="art {game.look.board}" viewBox="{box}">{inner}</svg>'


def board_elements(game: Game, position: Position, side: int, changed: Collection[int], labels: bool) -> str:
    """The elements of the drawing."""
    art = art_of(game, labels)
    if game.texts is not None:
        return text_svg(game.texts.draw(*position), art.box)
    parts = [art.under]
    for square, at in enumerate(pieces_on(game, position, side)):
        x, y = art.places[square]
        piece = "" if at is None else art.pieces[at[0]][at[1]]
        new = ' class="new"' if square in changed else ""
        parts.append(f'<g{new} transform="translate({x:g} {y:g})">{art.grounds[square]}{piece}</g>')
    return "".join([*parts, art.over])


def changed_squares(game: Game, before: Turn, following: Turn) -> list[int]:
    """The squares that bear something else after a move from one turn to the following, and are not empty."""
    old, new = pieces_on(game, *before), pieces_on(game, *following)
    return [square for square, at in enumerate(new) if is_new(game, old[square], at)]
