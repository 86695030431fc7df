"""The functions of a user's tic-tac-toe project, compared with the rules on every board; runs in the bot's process."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import redirect_stdout
from functools import cached_property
from itertools import product
from typing import Any, NamedTuple

from perfectplay.arena.bot_protocol import Message
from perfectplay.game import Game, after, turn_levels
from perfectplay.players.bots.classic_player import grid_of, hides, refuse_hidden, tells_all
from perfectplay.players.bots.file_player import project_module
from perfectplay.players.bots.player_functions import PROJECT
from perfectplay.players.bots.square_answers import Square
from perfectplay.players.named.classic_board import Grid
from perfectplay.rules.loading import describe_fault, line_of, split_player
from perfectplay.views.board_squares import changes
from perfectplay.words import DRAW, ONGOING, WIN, Position, TooBig

MOST_POSITIONS = 200_000
"""The most positions of a game on which functions are checked."""


class ProjectBoard:
    """A position as the project and the rules see it; raises BadPlayer if the board does not tell who is to move."""

    def __init__(self, game: Game, position: Position, side: int) -> None:
        if not tells_all(game, position, side):
            raise hides(game, "the numbers of X and O do not tell which side is to move")
        outcome, sides = game.outcome(*position), game.look.sides
        self.game, self.position, self.number = game, position, side
        self.board, self.side, self.over = grid_of(game, position, side), sides[side], outcome != ONGOING
        self.winner = None if outcome in (ONGOING, DRAW) else sides[side if outcome == WIN else 1 - side]

    @property
    def results(self) -> dict[Square, Grid]:
        """The board after each action."""
        boards: dict[Square, Grid] = {}
        for move, change in changes(self.game, self.position, self.number).items():
            if len(change.to) != 1:
                raise hides(self.game, "a move must fill one square")
            row, column = divmod(change.to[0], self.game.shape[0])
            boards[row, column] = grid_of(self.game, *after(self.game, self.position, self.number, move))
        return boards

    @property
    def utility(self) -> int:
        """1 if X has won, -1 if O has won, else 0."""
        return 0 if self.winner is None else 1 if self.winner == "X" else -1


class Case(NamedTuple):
    """What a function is called with, and what it must return."""

    arguments: tuple[Any, ...]
    right: object
    raises: bool = False
    """Whether it must raise an exception instead."""


CASES: dict[str, Callable[[ProjectBoard], Iterable[Case]]] = {
    "player": lambda at: [] if at.over else [Case((at.board,), at.side)],
    "actions": lambda at: [] if at.over else [Case((at.board,), set(at.results))],
    "result": lambda at: [] if at.over else result_cases(at),
    "winner": lambda at: [Case((at.board,), at.winner)],
    "terminal": lambda at: [Case((at.board,), at.over)],
    "utility": lambda at: [Case((at.board,), at.utility)] if at.over else [],
    "minimax": lambda at: [Case((at.board,), None)] if at.over else [],
    "initial_state": lambda at: [] if any(map(any, at.board)) else [Case((), at.board)],
}
"""The calls of each function on a board: the project asks nothing of the others."""


def result_cases(at: ProjectBoard) -> Iterator[Case]:
    """Each action with the board after it, and three that are not legal: beyond both ends, and a square not open."""
    results = at.results
    for action, board in results.items():
        yield Case((at.board, action), board)
    height, width = len(at.board), len(at.board[0])
    closed = [square for square in product(range(height), range(width)) if square not in results]
    for action in ((-1, -1), (height, width), *closed[:1]):
        yield Case((at.board, action), None, raises=True)


class ProjectFunctions:
    """The functions of the project in a user's file, and the positions to check them on."""

    def __init__(self, game: Game, name: str, say: Callable[[str], None]) -> None:
        self.game, self.say = game, say
        self.module, self.path = project_module(name), split_player(name)[0]

    @property
    def names(self) -> list[str]:
        """The functions to check, with all positions at hand; none if the file is not such a project."""
        return [name for name in PROJECT if hasattr(self.module, name)] if self.module and self.positions else []

    def check(self, name: str) -> Message:
        """The number of boards on which the function was checked, and the first fault."""
        count = 0
        for position, side in self.positions:
            cases = [*CASES[name](ProjectBoard(self.game, position, side))]
            for case in cases:
                fault = self.fault(name, case)
                if fault:
                    return {"checked": count, "fault": fault}
            count += bool(cases)
        return {"checked": count, "fault": ""}

    def fault(self, name: str, case: Case) -> str:
        """What is wrong about one call; empty if nothing is."""
        arguments = tuple([row[:] for row in one] if isinstance(one, list) else one for one in case.arguments)
        call = f"{name}({', '.join(map(repr, case.arguments))})"
        self.say(call)
        try:
            with redirect_stdout(sys.stderr):
                returned = getattr(self.module, name)(*arguments)
        except BaseException as fault:  # sys.exit, too, and whatever else a function may raise
            if case.raises and isinstance(fault, Exception) and arguments == case.arguments:
                return ""
            where = "" if self.path is None else line_of(fault, self.path)
            returned, said = fault, f"raised an error{where}: {describe_fault(fault)}"
        else:
            said = f"returned {value_text(returned)}"
        if arguments != case.arguments:
            return f"{call} changed the board that it was given to {value_text(arguments[0])}"
        if case.raises:
            return f"{call} {said}; right is an exception, since nobody can play there"
        return "" if agrees(returned, case.right) else f"{call} {said}; right is {value_text(case.right)}"

    @cached_property
    def positions(self) -> list[tuple[Position, int]]:
        """All positions of the game with the side to move; raises TooBig if there are too many."""
        refuse_hidden(self.game)
        positions: list[tuple[Position, int]] = []
        for turns in turn_levels(self.game):
            if len(positions) + len(turns) > MOST_POSITIONS:
                most = f"at most {MOST_POSITIONS:,} positions"
                raise TooBig(f"functions are checked on games of {most}, and {self.game.name} has more")
            positions += turns
        return positions


def agrees(returned: object, right: object) -> bool:
    """Whether the function returned what is right; sets and boards may be of other kinds of collections."""
    try:
        if isinstance(right, set):
            returned = {tuple(action) for action in returned}  # type: ignore[attr-defined]
        elif isinstance(right, list):
            returned = [[*row] for row in returned]  # type: ignore[attr-defined]
        return bool(returned == right)
    except Exception:  # it cannot even be compared
        return False


def value_text(value: object) -> str:
    """The value as text, sets in order."""
    if isinstance(value, set) and value:
        try:
            return f"{{{', '.join(map(repr, sorted(value)))}}}"
        except TypeError:
            pass
    return repr(value)
