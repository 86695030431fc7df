"""Every function of a user's tic-tac-toe project, checked against the rules in a process of its own."""

import time
from dataclasses import dataclass
from math import inf
from pathlib import Path

from perfectplay.arena.bot_process import NONSENSE, Bot
from perfectplay.arena.bot_protocol import Message
from perfectplay.game import Game
from perfectplay.players.bots.bot_fault import MARGIN
from perfectplay.players.bots.player_functions import MINIMAX, is_project
from perfectplay.players.registry import in_own_file
from perfectplay.processes.running_program import ProgramFault
from perfectplay.rules.loading import split_player
from perfectplay.rules.notation import number_of
from perfectplay.views.json_facts import Fact, json_facts, or_none
from perfectplay.views.result import ResultClass
from perfectplay.words import BadPlayer, Cause

SECONDS = 60.0
"""Seconds that a function may take for all boards, and for one call if nothing else is said."""
SAID = {MINIMAX: "returns None on {boards} where the game is over; its moves are examined separately"}
"""The words for a function that is right on the boards asked about, where this does not mean that it is correct."""


@dataclass(frozen=True)
class FunctionCheck(metaclass=ResultClass):
    """Whether a function is right on every board: how many were checked, and the first fault."""

    name: str
    correct: bool
    checked: int
    fault: str = ""

    def __str__(self) -> str:
        return f"{self.name}: {self.result}"

    @property
    def result(self) -> str:
        """The result in words."""
        if not self.correct:
            return f"wrong: {self.fault}"
        boards = number_of(self.checked, "board")
        return SAID.get(self.name, "correct on {boards}").format(boards=boards)

    to_dict = json_facts("name", "correct", "checked", Fact("fault", encode=or_none), "result")


def project_name(player: object) -> str:
    """The name of a player that may be `minimax` of a whole project in a file; empty for all others."""
    if isinstance(player, str):
        return player if in_own_file(player) and split_player(player)[1] in ("", MINIMAX) else ""
    names, file = getattr(player, "__globals__", {}), getattr(getattr(player, "__code__", None), "co_filename", "")
    whole = is_project(names) and names[MINIMAX] is player and names.get("__name__") != "__main__"
    return f"{file}:{MINIMAX}" if whole and Path(file).is_file() else ""


def check_project(
    game: Game, name: str, seconds: float | None = SECONDS, printed: list[str] | None = None
) -> tuple[FunctionCheck, ...]:
    """The check of each function of the project that the player `name` is from; none if it is from none.

    Such a project has player, actions, result, winner, terminal, utility and minimax, all of a board of 'X', 'O' and
    None. Each call may take `seconds`, and each function SECONDS for all boards of the game.
    """
    bot = Bot(name, game.name, None, capture=printed is not None)
    try:
        functions = Question(bot, {"project": True}, SECONDS).answer()["functions"]
        return tuple(check_function(bot, function, seconds) for function in functions)
    except ProgramFault as fault:
        raise BadPlayer(f"{name} {fault} before its functions were checked") from None
    finally:
        bot.close()
        if printed is not None:
            printed.append(bot.program.printed())


def check_function(bot: Bot, function: str, seconds: float | None) -> FunctionCheck:
    """The check of one function; if its process ends, it is started again for the next function."""
    question = Question(bot, {"check": function}, seconds)
    try:
        Question(bot, {"project": True}, SECONDS).answer()  # a process that was started again lists the positions again
        answer = question.answer()
    except ProgramFault as silent:
        return FunctionCheck(function, False, 0, f"{question.subject or function} {silent}")
    fault = str(answer.get("fault", NONSENSE))
    return FunctionCheck(function, not fault, int(answer.get("checked", 0)), fault)


class Question:
    """A question to a bot's process, which tells each call before it makes it: the last is known if it never ends.

    Each call may take `seconds`, and all together SECONDS.
    """

    def __init__(self, bot: Bot, message: Message, seconds: float | None) -> None:
        self.bot, self.message, self.seconds = bot, message, seconds
        self.end = 0.0
        self.subject = ""
        """The call that has not returned; empty if it is not the fault of one call."""

    def answer(self) -> Message:
        """The answer; raises ProgramFault if there is none, BadPlayer if the functions cannot be checked."""
        limit = inf if self.seconds is None else self.seconds + MARGIN
        self.bot.open_program()
        self.end = time.monotonic() + SECONDS
        answer = self.bot.ask(self.message, limit, f"did not return within {self.seconds} s", self.hear, each=True)
        if "error" in answer:
            raise BadPlayer(str(answer["error"]))
        return answer

    def hear(self, call: str) -> None:
        """Keeps the call that begins; raises ProgramFault if there is no time left."""
        if time.monotonic() > self.end:
            self.subject = ""
            raise ProgramFault(Cause.TIME, f"took more than {SECONDS:g} s for all boards")
        self.subject = call
