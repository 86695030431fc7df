"""Lost games of a battle, move by move, drawn side by side."""

from collections.abc import Iterator

from perfectplay.commands.play.lost_games import LostGame
from perfectplay.commands.terminal.draw_many import draw_game
from perfectplay.game import Game
from perfectplay.rules.notation import VALUE_NAMES, either, plies_text


def loss_lines(game: Game, loser: str, lost: LostGame) -> Iterator[str]:
    """One game: who lost it and by which move, and the board after each move."""
    side = game.look.sides[lost.side]
    points = "" if lost.margin is None else f" by {lost.margin}"
    yield f"game {lost.number}: {loser} played {side} and lost{points} in {plies_text(len(lost.moves))}{why(lost)}"
    if lost.moves:
        notes = {} if lost.given_away is None else {lost.given_away.ply: ""}
        yield from draw_game(game, lost.moves, notes)
    if lost.forfeit:
        yield f"\n{lost.forfeit}"


def why(lost: LostGame) -> str:
    """By which move the game was lost, or why that cannot be told."""
    given = lost.given_away
    if given is not None:
        keeps = f"{either(given.better)} would have {'won' if given.before > 0 else 'drawn'}"
        return f"; {given.ply}. {given.move} gave the {VALUE_NAMES[given.before]} away, {keeps}"
    if lost.forfeit:
        return ", by forfeit"
    return "; it was lost from the start" if lost.solved else "; the game is not solved, so the mistake is not known"
