"""The positions farthest from the end, drawn side by side, and their best lines."""

from collections.abc import Iterator, Sequence

from perfectplay.commands.prove.farthest import FarPosition
from perfectplay.commands.terminal.draw_many import short_text, side_by_side
from perfectplay.game import Game
from perfectplay.rules.notation import draw_position


def farthest_lines(game: Game, found: Sequence[FarPosition]) -> Iterator[str]:
    """The boards, each with who is to move and its value, and below them the best lines."""
    what = "position" if len(found) == 1 else f"{len(found)} positions"
    yield f"the {what} farthest from the end, up to symmetry"
    pictures = []
    for number, far in enumerate(found, 1):
        mover = game.look.sides[far.side]
        board = draw_position(game, far.position, far.side).splitlines()
        pictures.append([f"{number}. {mover} to move", *board, short_text(far.entry)])
    yield from side_by_side(pictures)
    yield ""
    for number, far in enumerate(found, 1):
        yield f"{number}. {far.text}  best line: {far.line}"
