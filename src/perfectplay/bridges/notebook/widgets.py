"""The board of a game in a cell of a notebook."""

from typing import TYPE_CHECKING

from perfectplay.commands.matches.match import Match, match_of
from perfectplay.commands.terminal.arguments import GameLike
from perfectplay.words import FIRST, require

if TYPE_CHECKING:
    from perfectplay.bridges.notebook.board_widget import BoardWidget


def widget(
    game: GameLike | Match,
    *,
    opponent: str | None = None,
    side: int = FIRST,
    hints: bool = False,
    seconds: float = 1.0,
    seed: int | None = None,
) -> "BoardWidget":
    """A board to play on in a notebook, of a game or from where a match stands.

    `opponent` is a player's name, or None for two people; `side` is yours. `seconds` limit every answer.
    """
    require("anywidget", "notebook", "perfectplay.widget")
    from perfectplay.bridges.notebook.board_widget import BoardWidget

    return BoardWidget(match_of(game), opponent=opponent, side=side, hints=hints, seconds=seconds, seed=seed)
