"""Every function of a user's tic-tac-toe project, checked against the rules in a process of its own."""

from dataclasses import dataclass
from pathlib import Path

from perfectplay.arena.bot_process import NONSENSE, Bot, Silent
from perfectplay.arena.bot_protocol import Message
from perfectplay.game import Game
from perfectplay.loading import split_path
from perfectplay.players import in_own_file
from perfectplay.players.player_functions import MINIMAX, is_project
from perfectplay.words import BadPlayer, Brief

SECONDS = 60.0
"""Seconds that a function may take for all boards."""


@dataclass(frozen=True)
class FunctionCheck(metaclass=Brief):
    """Whether a function is right on every board: how many were checked, and the first fault."""

    name: str
    correct: bool
    checked: int
    fault: str = ""

    def __str__(self) -> str:
        boards = f"{self.checked:,} {'board' if self.checked == 1 else 'boards'}"
        return f"{self.name}: correct on {boards}" if self.correct else f"{self.name}: wrong: {self.fault}"

    def to_dict(self) -> dict[str, object]:
        """The check as in JSON."""
        return {"name": self.name, "correct": self.correct, "checked": self.checked, "fault": self.fault or None}


def project_name(player: object) -> str:
    """The name of a player that may be `minimax` of a whole project in a file; empty for all others."""
    if isinstance(player, str):
        path, function = split_path(player)
        return player if in_own_file(player) and path is not None and function in ("", MINIMAX) else ""
    names, file = getattr(player, "__globals__", {}), getattr(getattr(player, "__code__", None), "co_filename", "")
    whole = is_project(names) and names[MINIMAX] is player and names.get("__name__") != "__main__"
    return f"{file}:{MINIMAX}" if whole and Path(file).is_file() else ""


def check_project(
    game: Game, name: str, seconds: float = SECONDS, printed: list[str] | None = None
) -> tuple[FunctionCheck, ...]:
    """What came of checking each function of the project that the player `name` is from; none if it is from none.

    Such a project has player, actions, result, winner, terminal, utility and minimax, all of a board of 'X', 'O' and
    None. Each function has so many seconds for all boards of the game.
    """
    bot = Bot(name, game.name, None, printed)
    try:
        functions = Question(bot, {"project": True}, seconds).answer()["functions"]
        return tuple(checked(bot, function, seconds) for function in functions)
    except Silent as fault:
        raise BadPlayer(f"{name} {fault} before its functions were checked") from None
    finally:
        bot.close()


def checked(bot: Bot, function: str, seconds: float) -> FunctionCheck:
    """What came of checking one function; if its process ends, it is started again for the next function."""
    question = Question(bot, {"check": function}, seconds)
    try:
        answer = question.answer()
    except Silent as silent:
        return FunctionCheck(function, False, 0, f"{question.call or function} {silent}")
    fault = str(answer.get("fault", NONSENSE))
    return FunctionCheck(function, not fault, int(answer.get("checked", 0)), fault)


class Question:
    """A question to a bot's process, which tells each call before it makes it: the last is known if it never ends."""

    def __init__(self, bot: Bot, message: Message, seconds: float) -> None:
        self.bot, self.message, self.seconds = bot, message, seconds
        self.call = ""

    def answer(self) -> Message:
        """The answer; raises Silent if there is none, BadPlayer if the functions cannot be checked."""
        late = f"did not return within {self.seconds:g} s"
        answer = self.bot.opened().ask(self.message, self.seconds, late, self.hear)
        if "error" in answer:
            raise BadPlayer(str(answer["error"]))
        return answer

    def hear(self, call: str) -> None:
        """Keeps the call that begins."""
        self.call = call
