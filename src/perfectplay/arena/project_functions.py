"""The functions of a user's tic-tac-toe project, compared with the rules on every board; runs in the bot's process."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import redirect_stdout
from copy import deepcopy
from functools import cached_property
from itertools import product
from typing import Any, NamedTuple

from perfectplay.arena.bot_protocol import Message
from perfectplay.game import Game, levels
from perfectplay.loading import describe_fault, line_of, split_path
from perfectplay.page.board_squares import changes
from perfectplay.players.classic_board import Grid
from perfectplay.players.classic_player import grid_of, hides, refuse_hidden, tells_all
from perfectplay.players.file_player import project_module
from perfectplay.players.player_functions import PROJECT
from perfectplay.players.square_answers import Square
from perfectplay.words import DRAW, ONGOING, SECOND, WIN, Position, TooBig

MOST_POSITIONS = 200_000
"""The most positions of a game on which functions are checked."""


class Facts(NamedTuple):
    """A board and what the rules say of it: the side to move, the board after each action, the winner if it is over."""

    board: Grid
    side: str
    results: dict[Square, Grid]
    over: bool
    winner: str | None

    @property
    def utility(self) -> int:
        """1 if X has won, -1 if O has won, else 0."""
        return 0 if self.winner is None else 1 if self.winner == "X" else -1

    @property
    def illegal(self) -> list[Square]:
        """Actions that nobody may take: beyond both ends of the board, and a square that cannot be taken."""
        height, width = len(self.board), len(self.board[0])
        inside = product(range(height), range(width))
        return [(-1, -1), (height, width), *[square for square in inside if square not in self.results][:1]]


class Case(NamedTuple):
    """What a function is called with, and what it must return."""

    arguments: tuple[Any, ...]
    right: object
    raises: bool = False
    """Whether it must raise an exception instead."""


CASES: dict[str, Callable[[Facts], Iterable[Case]]] = {
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


def result_cases(at: Facts) -> Iterator[Case]:
    """Each action on the board with the board after it, and actions that are not legal."""
    for action, after in at.results.items():
        yield Case((at.board, action), after)
    for action in at.illegal:
        yield Case((at.board, action), None, raises=True)


class ProjectFunctions:
    """The functions of the project in a user's file, and the boards of the game to check them on."""

    def __init__(self, game: Game, name: str, say: Callable[[str], None]) -> None:
        self.game, self.say = game, say
        self.module, self.path = project_module(name), split_path(name)[0]

    @property
    def names(self) -> list[str]:
        """The functions to check; none if the file is not such a project."""
        return [] if self.module is None else [name for name in PROJECT if hasattr(self.module, name)]

    def checked(self, name: str) -> Message:
        """The number of boards on which the function was checked, and the first fault."""
        checked = 0
        for at in self.boards:
            cases = [*CASES[name](at)]
            for case in cases:
                fault = self.fault(name, case)
                if fault:
                    return {"checked": checked, "fault": fault}
            checked += bool(cases)
        return {"checked": checked, "fault": ""}

    def fault(self, name: str, case: Case) -> str:
        """What is wrong about one call; empty if nothing is."""
        arguments = deepcopy(case.arguments)
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
            said = f"returned {shown(returned)}"
        if arguments != case.arguments:
            return f"{call} changed the board that it was given to {shown(arguments[0])}"
        if case.raises:
            return f"{call} {said}; right is an exception, since nobody can play there"
        return "" if agrees(returned, case.right) else f"{call} {said}; right is {shown(case.right)}"

    @cached_property
    def boards(self) -> list[Facts]:
        """All boards of the game; raises TooBig if there are too many, BadPlayer if they do not tell all."""
        refuse_hidden(self.game)
        found: list[Facts] = []
        for ply, positions in enumerate(levels(self.game)):
            if len(found) + len(positions) > MOST_POSITIONS:
                most = f"at most {MOST_POSITIONS:,} positions"
                raise TooBig(f"functions are checked on games of {most}, and {self.game.name} has more")
            found += [facts_of(self.game, position, ply % 2) for position in positions]
        return found


def facts_of(game: Game, position: Position, side: int) -> Facts:
    """What the rules say of a position."""
    if not tells_all(game, position, side):
        raise hides(game, "the numbers of X and O do not tell which side is to move")
    outcome, sides = game.outcome(*position), game.look.sides
    results: dict[Square, Grid] = {}
    for move, change in changes(game, position, side).items():
        if len(change.to) != 1:
            raise hides(game, "a move must fill one square")
        row, column = divmod(change.to[0], game.shape[0])
        results[row, column] = grid_of(game, game.play(*position, move), 1 - side)
    winner = None if outcome in (ONGOING, DRAW) else sides[side if outcome == WIN else SECOND - side]
    return Facts(grid_of(game, position, side), sides[side], results, outcome != ONGOING, winner)


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


def shown(value: object) -> str:
    """The value as text, sets in order."""
    if isinstance(value, set) and value:
        try:
            return f"{{{', '.join(map(repr, sorted(value)))}}}"
        except TypeError:
            pass
    return repr(value)
