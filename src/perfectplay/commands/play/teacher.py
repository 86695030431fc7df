"""A teacher at the terminal: first an idea, then the move, then the reason, and what every move is worth."""

from collections.abc import Callable
from typing import NamedTuple

from perfectplay.commands.know.analysing import move_lines
from perfectplay.commands.know.verdicts import must
from perfectplay.commands.play.match import analyse, match_at
from perfectplay.game import Game
from perfectplay.insight.hints import Hint, hint
from perfectplay.insight.reasons import why_move
from perfectplay.insight.scene import Scene
from perfectplay.players.seat import Seat
from perfectplay.players.strongest import strongest
from perfectplay.solvers.oracle import oracle_for
from perfectplay.solvers.worth import OPEN
from perfectplay.words import Move, Position

SECONDS = 1.0
"""What a hint may take to prove, where no table tells it."""


class Lesson(NamedTuple):
    """What the teacher has found out about a position."""

    scene: Scene
    hint: Hint
    player: str
    move: Move


class Teacher:
    """Gives hints for a game; it remembers the last position, so that all hints there are about the same move."""

    def __init__(self, game: Game, seat: Callable[[int], Seat]) -> None:
        self.game, self.seat = game, seat
        self.last: Lesson | None = None

    def lesson(self, position: Position, side: int) -> Lesson:
        """What there is to say about the position: the idea, and the move of the strongest player that fits it."""
        if self.last is None or (self.last.scene.position, self.last.scene.side) != (position, side):
            scene = Scene(oracle_for(self.game, SECONDS, threads=self.seat(side).threads), position, side)
            idea = hint(scene)
            name, player = strongest(self.seat(side))
            move = player(position)
            fits = not idea.moves or move in idea.moves
            self.last = Lesson(scene, idea, name, move if fits else idea.moves[0])
        return self.last

    def idea(self, position: Position, side: int) -> str:
        """An idea that does not name the move."""
        return self.lesson(position, side).hint.text

    def move(self, position: Position, side: int) -> str:
        """What the strongest player would play, and what is known of that move."""
        lesson = self.lesson(position, side)
        shown = lesson.scene.name(lesson.move)
        return f"{lesson.player} would play {shown}: {worth(self.game, position, side, shown)}"

    def why(self, position: Position, side: int) -> str:
        """Why it would play that move."""
        lesson = self.lesson(position, side)
        return why_move(lesson.scene, lesson.move).text

    def moves(self, position: Position, side: int) -> str:
        """What every move is worth."""
        return "\n".join(move_lines(analyse(match_at(self.game, position, side), seconds=SECONDS)))


def worth(game: Game, position: Position, side: int, move: str) -> str:
    """What a move is worth, in words, as far as it is proven."""
    analysis = analyse(match_at(game, position, side), seconds=SECONDS)
    moves = {found.move: found for found in analysis.moves}
    text = moves[move].text.replace(OPEN, "not proven, ")
    return f"{text}. {must(game.look.sides[side], analysis, moves)}".rstrip(" .")
