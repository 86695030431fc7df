"""A game under way: moves by name, undo, the result, positions as text both ways."""

from collections.abc import Iterable
from dataclasses import dataclass

from perfectplay.api.analysing import Analysis, analysis_of
from perfectplay.api.arguments import GameLike, Progress, game_of, same_rules
from perfectplay.game import Game, legal_moves
from perfectplay.notation import draw_position, move_name, parse_position, played, show_position
from perfectplay.words import DRAW, FIRST, ONGOING, WIN, BadArgument, BadPosition, Brief, IllegalMove, Position


@dataclass(frozen=True)
class Result(metaclass=Brief):
    """How a match ended: `winner` is FIRST, SECOND, or None for a draw; `name` is what the winner is called."""

    winner: int | None
    name: str | None = None

    def __str__(self) -> str:
        return "draw" if self.winner is None else f"{self.name} wins"

    def to_dict(self) -> dict[str, object]:
        """The result as JSON has it."""
        return {"winner": self.winner, "name": self.name}


class Match(metaclass=Brief):
    """A game under way, from the start position or from one given as text.

    >>> match = Match("tic-tac-toe").play("b2", "a1")
    >>> print(match)
      a b c
    1 O . .
    2 . X .
    3 . . .
    >>> match.text()
    'X:O../.X./...'

    Two matches are equal when they are at the same position of the same game, whatever led there.
    """

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, game: GameLike, moves: Iterable[str] = (), position: str | None = None) -> None:
        self._game = game_of(game)
        self._history = [(self._game.start, FIRST) if position is None else read_position(self._game, position)]
        self._moves: list[str] = []
        self.play(*checked_names(moves))

    @classmethod
    def from_text(cls, game: GameLike, text: str) -> "Match":
        """The match that begins at the position that the text describes, such as "O:X../.../..."."""
        return cls(game, position=text)

    @property
    def game(self) -> Game:
        """The rules that are played by."""
        return self._game

    @property
    def position(self) -> Position:
        """The position as two integers, (mine, theirs), seen by the side to move."""
        return self._history[-1][0]

    @property
    def turn(self) -> int:
        """The side to move, FIRST or SECOND."""
        return self._history[-1][1]

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves played so far, by name."""
        return tuple(self._moves)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.game.outcome(*self.position) != ONGOING

    @property
    def result(self) -> Result | None:
        """Who won, or None while the game goes on."""
        outcome = self.game.outcome(*self.position)
        if outcome == ONGOING:
            return None
        if outcome == DRAW:
            return Result(None)
        winner = self.turn if outcome == WIN else 1 - self.turn
        return Result(winner, self.game.look.sides[winner])

    def legal_moves(self) -> list[str]:
        """The names of the legal moves; none when the game is over."""
        return [move_name(self.game, *self._history[-1], move) for move in legal_moves(self.game, self.position)]

    def play(self, *moves: str) -> "Match":
        """Plays the moves of these names and returns the match; raises IllegalMove, and then plays none of them."""
        history, names = list(self._history), list(self._moves)
        for position, side, move in played(self.game, *history[-1], checked_names(moves)):
            names.append(move_name(self.game, position, side, move))
            history.append((self.game.play(*position, move), 1 - side))
        self._history, self._moves = history, names
        return self

    def undo(self, plies: int = 1) -> "Match":
        """Takes the last moves back and returns the match."""
        if not isinstance(plies, int) or not 0 <= plies <= len(self._moves):
            raise BadArgument(f"cannot undo {plies!r} plies; {len(self._moves)} have been played")
        if plies:
            del self._history[-plies:], self._moves[-plies:]
        return self

    def text(self) -> str:
        """The position as one line of text, which from_text reads back."""
        return show_position(self.game, *self._history[-1])

    def analyse(
        self, *, seconds: float | None = None, nodes: int | None = None, against: str | None = None, exact: bool = False
    ) -> Analysis:
        """What the position and each of its moves are worth: see perfectplay.analyse."""
        return analysis_of(self, seconds, nodes, against, exact)

    def copy(self) -> "Match":
        """A match of its own at the same position, with the same moves behind it."""
        other = Match(self.game)
        other._history, other._moves = list(self._history), list(self._moves)
        return other

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Match):
            return NotImplemented
        return self._history[-1] == other._history[-1] and same_rules(self.game, other.game)

    def __str__(self) -> str:
        return draw_position(self.game, *self._history[-1])

    def __repr__(self) -> str:
        begin = self._history[0]
        where = "" if begin == (self.game.start, FIRST) else f", position={show_position(self.game, *begin)!r}"
        return f"Match({self.game.name!r}{f', {self._moves!r}' if self._moves else ''}{where})"


def read_position(game: Game, text: str) -> tuple[Position, int]:
    """The position and the side to move that the text means."""
    if not isinstance(text, str):
        raise BadPosition(f"{text!r} is not a position's text, such as {show_position(game, game.start, FIRST)!r}")
    return parse_position(game, text)


def checked_names(moves: Iterable[str]) -> list[str]:
    """The names; raises IllegalMove for what is no text."""
    if isinstance(moves, str):
        raise IllegalMove(f"{moves!r} is not a list of moves; write [{moves!r}]")
    names = list(moves)
    for name in names:
        if not isinstance(name, str):
            raise IllegalMove(f"{name!r} is not the name of a move, which is a text such as 'b2'")
    return names


def match_of(game: "GameLike | Match", moves: Iterable[str] = (), position: str | None = None) -> Match:
    """The match that is meant, with these moves played on it; a match that was given stays as it is."""
    if not isinstance(game, Match):
        return Match(game, moves, position)
    if position is not None:
        raise BadArgument("a match has its position; leave position out")
    return game.copy().play(*moves)


def match_at(game: Game, position: Position, side: int) -> Match:
    """The match that begins at that position, with that side to move."""
    match = Match(game)
    match._history = [(position, side)]
    return match


def analyse(
    game: GameLike | Match,
    *moves: str,
    position: str | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    against: str | None = None,
    exact: bool = False,
    progress: Progress | None = None,
) -> Analysis:
    """What the position after these moves, and each of its moves, is worth to the side to move.

    Where there is no table a search finds out, within so many `seconds` or `nodes` if they are given. `against` adds
    win probabilities against a model of an imperfect opponent, as fractions with exact=True.
    """
    return analysis_of(match_of(game, moves, position), seconds, nodes, against, exact, progress)
