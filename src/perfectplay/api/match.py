"""A game in progress: moves by name, undo, the result, positions to and from text."""

from collections.abc import Iterable
from dataclasses import dataclass

from perfectplay.api.analysing import Analysis, analysis_of
from perfectplay.api.arguments import GameLike, Progress, game_of, same_rules
from perfectplay.game import Game, legal_moves
from perfectplay.notation import draw_position, move_name, parse_position, played, show_position
from perfectplay.words import DRAW, FIRST, ONGOING, WIN, BadArgument, BadPosition, Brief, IllegalMove, Position


@dataclass(frozen=True)
class Result(metaclass=Brief):
    """How a match ended: `winner` is FIRST, SECOND, or None for a draw; `name` is the winner's name."""

    winner: int | None
    name: str | None = None

    def __str__(self) -> str:
        return "draw" if self.winner is None else f"{self.name} wins"

    def to_dict(self) -> dict[str, object]:
        """The result as in JSON."""
        return {"winner": self.winner, "name": self.name}


class Match(metaclass=Brief):
    """A game in progress, from the start position or from one given as text.

    >>> match = Match("tic-tac-toe").play("b2", "a1")
    >>> print(match)
      a b c
    1 O . .
    2 . X .
    3 . . .
    >>> match.text()
    'X:O../.X./...'

    Two matches are equal if they are at the same position of the same game, whatever moves led there.
    """

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, game: GameLike, moves: Iterable[str] = (), position: str | None = None) -> None:
        self._game = game_of(game)
        self._history = [(self._game.start, FIRST) if position is None else read_position(self._game, position)]
        self._moves: list[str] = []
        self.play(*checked_names(moves))

    @classmethod
    def from_text(cls, game: GameLike, text: str) -> "Match":
        """A match that starts from the position in the text, such as "O:X../.../..."."""
        return cls(game, position=text)

    @property
    def game(self) -> Game:
        """The game that is played."""
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
        """The result, or None while the game is ongoing."""
        outcome = self.game.outcome(*self.position)
        if outcome == ONGOING:
            return None
        if outcome == DRAW:
            return Result(None)
        winner = self.turn if outcome == WIN else 1 - self.turn
        return Result(winner, self.game.look.sides[winner])

    def legal_moves(self) -> list[str]:
        """The names of the legal moves; empty if the game is over."""
        return [move_name(self.game, *self._history[-1], move) for move in legal_moves(self.game, self.position)]

    def play(self, *moves: str) -> "Match":
        """Plays these moves and returns the match; if one is illegal, raises IllegalMove and plays none of them."""
        history, names = list(self._history), list(self._moves)
        for position, side, move in played(self.game, *history[-1], checked_names(moves)):
            names.append(move_name(self.game, position, side, move))
            history.append((self.game.play(*position, move), 1 - side))
        self._history, self._moves = history, names
        return self

    def undo(self, plies: int = 1) -> "Match":
        """Takes back the last moves and returns the match."""
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
        """The value of the position and of each move: see perfectplay.analyse."""
        return analysis_of(self, seconds, nodes, against, exact)

    def copy(self) -> "Match":
        """An independent match with the same position and moves."""
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
    """The position and the side to move in the text."""
    if not isinstance(text, str):
        raise BadPosition(f"{text!r} is not a position's text, such as {show_position(game, game.start, FIRST)!r}")
    return parse_position(game, text)


def checked_names(moves: Iterable[str]) -> list[str]:
    """The names; raises IllegalMove if one is not a string."""
    if isinstance(moves, str):
        raise IllegalMove(f"{moves!r} is not a list of moves; write [{moves!r}]")
    names = list(moves)
    for name in names:
        if not isinstance(name, str):
            raise IllegalMove(f"{name!r} is not the name of a move, which is a text such as 'b2'")
    return names


def match_of(game: "GameLike | Match", moves: Iterable[str] = (), position: str | None = None) -> Match:
    """A match of this game, or a copy of this match, with these moves played."""
    if not isinstance(game, Match):
        return Match(game, moves, position)
    if position is not None:
        raise BadArgument("a match has its position; leave position out")
    return game.copy().play(*moves)


def match_at(game: Game, position: Position, side: int) -> Match:
    """A match that starts from that position, with that side to move."""
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
    """The value of the position after these moves and of each of its moves, for the side to move.

    Without a table, a search finds the values; `seconds` and `nodes` limit it. `against` adds win probabilities against
    a model of an imperfect opponent, as fractions with exact=True.
    """
    return analysis_of(match_of(game, moves, position), seconds, nodes, against, exact, progress)
