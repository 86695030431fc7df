"""What the page is told about a position: its legal moves by the squares to click, and how the game has ended."""

from perfectplay.arena.referee import winner_of
from perfectplay.exports.page.game_data import Fields
from perfectplay.game import Game
from perfectplay.rules.loading import checked_outcome
from perfectplay.rules.notation import move_name
from perfectplay.views.board_squares import changes, going, winning_lines
from perfectplay.words import ONGOING, Position


def here(game: Game, position: Position, side: int) -> Fields:
    """The legal moves of a position, and how the game has ended."""
    outcome = checked_outcome(game, position, side)
    moves = changes(game, position, side)
    points: Fields = {} if game.margin is None or outcome == ONGOING else {"margin": game.margin(*position)}
    return {
        "over": outcome != ONGOING,
        "winner": winner_of(outcome, side),
        **points,
        "rows": winning_lines(game, position, side),
        "going": going(moves.values()),
        "moves": [
            {"move": move_name(game, position, side, move), "to": change.to, "from": [*change.left]}
            for move, change in moves.items()
        ],
    }
