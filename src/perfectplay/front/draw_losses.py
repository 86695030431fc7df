"""Lost games of a battle, move by move, drawn side by side."""

from collections.abc import Iterator

from perfectplay.api.lost_games import LostGame
from perfectplay.front.draw_many import side_by_side
from perfectplay.game import Game
from perfectplay.notation import VALUE_NAMES, draw_position, either, plies_text
from perfectplay.words import FIRST

MARK = " ??"
"""Behind the move that gave the result away."""


def loss_lines(game: Game, loser: str, lost: LostGame) -> Iterator[str]:
    """One game: who lost it and by which move, and the board after each move."""
    side = game.look.sides[lost.side]
    yield f"game {lost.number}: {loser} played {side} and lost in {plies_text(len(lost.moves))}{why(lost)}"
    if lost.moves:
        yield from side_by_side([*pictures(game, lost)])
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


def pictures(game: Game, lost: LostGame) -> Iterator[list[str]]:
    """The board after each move, under the move."""
    position, side = game.start, FIRST
    for ply, (name, move) in enumerate(zip(lost.moves, lost.numbers, strict=True), 1):
        mark = MARK if lost.given_away is not None and lost.given_away.ply == ply else ""
        head = f"{ply}. {game.look.sides[side]} {name}{mark}"
        position, side = game.play(*position, move), 1 - side
        yield [head, *draw_position(game, position, side).splitlines()]
