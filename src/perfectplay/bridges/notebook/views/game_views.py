"""Views of a game and of a match: the board, who is to move, and the moves so far."""

from typing import TYPE_CHECKING

from markupsafe import Markup

from perfectplay.bridges.notebook.views.frame import (
    LARGE,
    beside,
    board,
    framed,
    listed,
    more,
    note,
    position_note,
    sides_note,
)
from perfectplay.game import Game, images
from perfectplay.rules.notation import number_of, plies_text, replay
from perfectplay.views.charts import joined, tag
from perfectplay.views.scoped_style import changed_squares
from perfectplay.words import FIRST

if TYPE_CHECKING:
    from perfectplay.commands.play.match import Match

LAST = 40
"""The moves of a match that are listed, the last ones."""


def game_view(game: Game) -> Markup:
    """The start position, and what the game is."""
    (width, height), look = game.shape, game.look
    turns = images(game).count
    facts = [
        f"{width} by {height} board, {look.sides.first} moves first, then {look.sides.second}",
        f"{number_of(turns, 'symmetry', 'symmetries')}" if turns > 1 else "",
        "played for points" if game.margin else "",
        "impartial: both sides have the same moves" if game.impartial else "",
    ]
    words = [
        tag("p", look.summary) if look.summary else "",
        listed(fact for fact in facts if fact),
        sides_note(game),
        note(look.note),
    ]
    title = look.title if look.title and look.title != game.name else ""
    name = tag("code", game.name)
    drawn = board(game, game.start, FIRST, size=LARGE)
    return framed(Markup("{} {}").format(title, name) if title else name, beside(drawn, tag("div", *words)))


def match_view(match: "Match") -> Markup:
    """The position with the last move marked, the result or who is to move, and the moves."""
    game, result = match.game, match.result
    before = match.copy().undo(min(1, len(match.moves)))
    changed = changed_squares(game, (before.position, before.turn), (match.position, match.turn))
    ended = "" if result is None else "a draw" if result.winner is None else str(result)
    state = f"{game.look.sides[match.turn]} to move" if result is None else f"The game is over: {ended}."
    return framed(
        f"{game.name}: {plies_text(len(match.moves))}",
        beside(
            board(game, match.position, match.turn, changed, size=LARGE),
            joined((tag("p", tag("strong", state)), sides_note(game), moves_list(match))),
        ),
        position_note(match.text()),
    )


def moves_list(match: "Match") -> Markup:
    """The last moves, numbered, and how many came before."""
    game, begin = match.game, match.copy().undo(len(match.moves))
    steps = zip(replay(game, begin.position, begin.turn, match.moves), match.moves, strict=True)
    names = [f"{game.look.sides[side]} {name}" for (_, side, _), name in steps]
    first = max(0, len(names) - LAST)
    made = tag("ol", *(tag("li", name) for name in names[first:]), start=first + 1) if names else note("no move yet")
    where = "" if (begin.position, begin.turn) == (game.start, FIRST) else f"from {begin.text()}"
    return joined((note(where), more(first, "moves before"), made))
