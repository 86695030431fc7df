"""A game as a document: the start position, and what the game is."""

from perfectplay.game import Game, images
from perfectplay.rules.notation import number_of
from perfectplay.views.document import Beside, Board, Code, Document, Line, List, Notes
from perfectplay.views.result import notebook_html
from perfectplay.words import FIRST


def game_document(game: Game) -> Document:
    """The start position, and what the game is."""
    (width, height), look = game.shape, game.look
    turns = images(game).count
    facts = [
        f"{width} by {height} board, {look.sides.first} moves first, then {look.sides.second}",
        number_of(turns, "symmetry", "symmetries") if turns > 1 else "",
        "played for points" if game.margin else "",
        "impartial: both sides have the same moves" if game.impartial else "",
    ]
    title = f"{look.title} " if look.title and look.title != game.name else ""
    return Document(
        Line(title, Code(game.name)),
        Beside(
            Board(game, game.start, FIRST, large=True),
            [Notes(look.summary, strong=True), List([fact for fact in facts if fact]), Notes(look.note)],
        ),
    )


def game_html(game: Game) -> str | None:
    """The same as a notebook shows it; the game finds it by this name, since it lies below."""
    return notebook_html(lambda: game_document(game))
