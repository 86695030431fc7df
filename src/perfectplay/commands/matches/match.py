"""A game in progress: moves by name, undo, the result, positions to and from text."""

from collections.abc import Iterable
from dataclasses import dataclass
from operator import index
from typing import Annotated

from perfectplay.arena.referee import winner_of
from perfectplay.commands.kinds import SEARCH_NODES, SEARCH_SECONDS, SEARCH_THREADS
from perfectplay.commands.know.analysing import Analysis, analysis_of
from perfectplay.commands.terminal.arguments import GameLike, MoveLike, Progress, check_side, game_of, same_rules
from perfectplay.commands.verb import checked
from perfectplay.game import Game, end_entry, legal_moves
from perfectplay.processes.folders import PathLike
from perfectplay.rules.loading import checked_after, checked_outcome
from perfectplay.rules.notation import (
    draw_position,
    move_here,
    move_name,
    parse_position,
    plies_text,
    replay,
    show_position,
)
from perfectplay.rules.rule_faults import rule_faults
from perfectplay.solvers.engine import cores
from perfectplay.solvers.search.search_clock import Limits
from perfectplay.solvers.validity.plausibility import check_before, check_turn
from perfectplay.views.document import Beside, Board, Document, List, Notes, Strong, more
from perfectplay.views.json_facts import Fact, json_facts
from perfectplay.views.result import ResultClass
from perfectplay.words import (
    DRAW,
    FIRST,
    LOSS,
    ONGOING,
    WIN,
    BadArgument,
    BadPosition,
    IllegalMove,
    Move,
    Position,
)

LAST = 40
"""The moves of a match that are listed, the last ones."""

# How a match ended.


@dataclass(frozen=True)
class Result(metaclass=ResultClass):
    """How a match ended: `winner` is FIRST, SECOND, or None for a draw; `name` is the winner's name.

    `margin` has the points by which the winner is ahead; None in a game that has no points.
    """

    winner: int | None
    name: str | None = None
    margin: int | None = None

    def __str__(self) -> str:
        points = f" by {self.margin}" if self.margin else ""
        return "draw" if self.winner is None else f"{self.name} wins{points}"

    to_dict = json_facts("winner", "name", Fact("margin", rare=True))

    def score(self, side: int) -> int:
        """The result for that side, FIRST or SECOND: 1 for a win, 0 for a draw, -1 for a loss."""
        check_side(side)
        return DRAW if self.winner is None else WIN if self.winner == side else LOSS


class Match(metaclass=ResultClass):
    """A game in progress, from the start position or from one given as text.

    >>> match = Match("tic-tac-toe").play("b2", "a1")
    >>> print(match)
      a b c
    1 O . .
    2 . X .
    3 . . .
    >>> match.text()
    'X:O../.X./...'

    A move is given by its name, a text, or by its number, as players and legal_moves(game, position) return it. One
    text may name several moves, with blanks between.
    Two matches are equal if they are at the same position of the same game, whatever moves led there. A match changes
    as it is played, so it is not hashable: use `match.text()` as a key.
    """

    __hash__ = None  # type: ignore[assignment]

    @rule_faults
    def __init__(self, game: GameLike, moves: MoveLike = (), position: str | None = None) -> None:
        self._game = game_of(game)
        self._history = [(self._game.start, FIRST) if position is None else read_position(self._game, position)]
        self._moves: list[str] = []
        self.play(moves)

    @classmethod
    def from_text(cls, game: GameLike, text: str) -> "Match":
        """A match that starts from the position in the text, such as "O:X../.../..."; raises BadPosition.

        A position that no last move can have led to is refused where the rules show it; other positions that cannot be
        reached from the start are accepted.
        """
        match = cls(game)
        match._history = [read_position(match.game, text)]
        return match

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
    @rule_faults
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return checked_outcome(self.game, self.position, self.turn) != ONGOING

    @property
    @rule_faults
    def result(self) -> Result | None:
        """The result, or None while the game is ongoing."""
        outcome = checked_outcome(self.game, self.position, self.turn)
        if outcome == ONGOING:
            return None
        winner, margin = winner_of(outcome, self.turn), end_entry(self.game, self.position).margin
        name = None if winner is None else self.game.look.sides[winner]
        return Result(winner, name, None if margin is None else abs(margin))

    @rule_faults
    def legal_moves(self) -> list[str]:
        """The names of the legal moves; empty if the game is over."""
        return [move_name(self.game, *self._history[-1], move) for move in legal_moves(self.game, self.position)]

    @rule_faults
    def name_of(self, move: Move) -> str:
        """The name of the legal move with that number; raises IllegalMove."""
        return move_name(self.game, *self._history[-1], self.number_of(move))

    @rule_faults
    def number_of(self, move: str | Move) -> Move:
        """The number of the legal move with that name; raises IllegalMove."""
        return move_here(self.game, *self._history[-1], checked_move(move))

    @rule_faults
    def play(self, *moves: MoveLike) -> "Match":
        """Plays these moves and returns the match; if one is illegal, raises IllegalMove and plays none of them.

        A text is a move's name, or several with blanks between; a number is a move's number.
        """
        history, names = list(self._history), list(self._moves)
        for position, side, move in replay(self.game, *history[-1], move_list(moves)):
            names.append(move_name(self.game, position, side, move))
            history.append(checked_after(self.game, position, side, move))
        self._history, self._moves = history, names
        return self

    def undo(self, plies: int = 1) -> "Match":
        """Takes back the last moves and returns the match."""
        if not isinstance(plies, int) or not 0 <= plies <= len(self._moves):
            raise BadArgument(f"cannot undo {plies!r}; the match has {plies_text(len(self._moves))}")
        if plies:
            del self._history[-plies:], self._moves[-plies:]
        return self

    def text(self) -> str:
        """The position as one line of text, which from_text reads back."""
        return show_position(self.game, *self._history[-1])

    @checked
    def analyse(
        self,
        *,
        seconds: Annotated[float | None, SEARCH_SECONDS] = None,
        nodes: Annotated[int | None, SEARCH_NODES] = None,
        against: str | None = None,
        exact: bool = False,
        tie_break: bool = False,
        threads: Annotated[int | None, SEARCH_THREADS] = None,
    ) -> Analysis:
        """The value of the position and of each move: see perfectplay.analyse."""
        return analysis_of(self, Limits(seconds, nodes, threads or cores()), against, exact, tie_break)

    analyze = analyse

    @rule_faults
    def svg(
        self,
        *,
        hints: "bool | Analysis" = False,
        values: bool = False,
        animate: bool = False,
        delay: float = 1.0,
        size: int | None = None,
        dark: bool | None = None,
    ) -> str:
        """The position as SVG, or with animate=True all positions since the first, each for `delay` seconds.

        hints=True shows what each move is worth, values=True what the position is; `size` is the longer side in pixels.
        """
        from perfectplay.commands.matches.match_pictures import How, svg_of

        return svg_of(self, How(hints, values, size, dark, delay), animate)

    @rule_faults
    def save_picture(
        self,
        path: PathLike,
        *,
        hints: "bool | Analysis" = False,
        values: bool = False,
        animate: bool = False,
        delay: float = 1.0,
        size: int | None = None,
        dark: bool | None = False,
        seconds: float | None = None,
        force: bool = False,
        progress: Progress | None = None,
    ) -> None:
        """Writes a picture as svg() draws it: .svg, .png, or .gif, which shows all moves; `seconds` limit a search.

        A file that perfectplay did not write is only replaced with force=True.
        """
        from perfectplay.commands.matches.match_pictures import How, write_picture

        write_picture(self, path, How(hints, values, size, dark, delay, seconds, progress), animate, force)

    def copy(self) -> "Match":
        """An independent match with the same position and moves."""
        other = Match(self.game)
        other._history, other._moves = list(self._history), list(self._moves)
        return other

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Match):
            return NotImplemented
        return self._history[-1] == other._history[-1] and same_rules(self.game, other.game)

    def document(self) -> Document:
        """The position with the last move marked, the result or who is to move, and the moves."""
        from perfectplay.views.scoped_style import changed_squares  # art and styles: only where a match is shown

        game, result = self.game, self.result
        ended = "" if result is None else "a draw" if result.winner is None else str(result)
        state = f"{game.look.sides[self.turn]} to move" if result is None else f"The game is over: {ended}."
        begin, names = self._history[0], self._moves
        movers = [game.look.sides[side] for _, side in self._history]
        first = max(0, len(names) - LAST)
        made = [f"{mover} {name}" for mover, name in zip(movers, names, strict=False)]
        changed = changed_squares(game, *self._history[-2:]) if names else ()
        return Document(
            f"{game.name}: {plies_text(len(names))}",
            Beside(
                Board(game, self.position, self.turn, changed=changed, large=True),
                [
                    Notes(Strong(state), strong=True),
                    Notes(
                        "" if begin == (game.start, FIRST) else f"from {show_position(game, *begin)}",
                        "" if names else "no move yet",
                    ),
                    more(first, "moves before"),
                    List(made[first:], first + 1),
                ],
            ),
        )

    def __str__(self) -> str:
        return draw_position(self.game, *self._history[-1])

    def __repr__(self) -> str:
        begin = self._history[0]
        where = "" if begin == (self.game.start, FIRST) else f", position={show_position(self.game, *begin)!r}"
        return f"Match({self.game.name!r}{f', {self._moves!r}' if self._moves else ''}{where})"


def read_position(game: Game, text: str) -> tuple[Position, int]:
    """The position and the side to move in the text; raises BadPosition where they show that they cannot occur."""
    if not isinstance(text, str):
        raise BadPosition(f"{text!r} is not a position's text, such as {show_position(game, game.start, FIRST)!r}")
    position, side = parse_position(game, text)
    check_turn(game, position, side)
    check_before(game, position, side)
    return position, side


def move_list(moves: Iterable[MoveLike]) -> list[str | Move]:
    """The moves one by one, as texts and numbers; raises IllegalMove if one is neither."""
    found: list[str | Move] = []
    for move in moves:
        if isinstance(move, Iterable) and not isinstance(move, str | bytes) and getattr(move, "ndim", True):
            found += move_list(move)
        else:
            found.append(checked_move(move))
    return found


def checked_move(move: object) -> str | Move:
    """The text or the number; raises IllegalMove if it is neither."""
    if isinstance(move, str):
        return move
    if isinstance(move, bool) or not hasattr(move, "__index__"):
        raise IllegalMove(f"{move!r} is not a move; write its name, such as 'b2', or its number")
    return index(move)


def match_of(game: "GameLike | Match", moves: Iterable[MoveLike] = (), position: str | None = None) -> Match:
    """A match of this game, or a copy of this match, with these moves played."""
    if not isinstance(game, Match):
        return Match(game, move_list(moves), position)
    if position is not None:
        raise BadArgument("a match has its position; leave position out")
    return game.copy().play(*moves)


def match_at(game: Game, position: Position, side: int) -> Match:
    """A match that starts from that position, with that side to move."""
    match = Match(game)
    match._history = [(position, side)]
    return match
