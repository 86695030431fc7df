"""Bots of a user's own, each in a process that can be ended: a fault costs the game, never the match."""

import time
import weakref
from collections.abc import Callable
from contextlib import suppress

from perfectplay.arena import bot_worker
from perfectplay.arena.bot_protocol import PYTHONS, Dice, Message
from perfectplay.arena.call_counter import Calls
from perfectplay.game import Game, legal_moves
from perfectplay.json_processes import ChildEnded, JsonChild, LineTooLong
from perfectplay.notation import draw_position, illegal_move
from perfectplay.players import Maker, Seat, in_own_file, player_maker
from perfectplay.players.file_player import BEHIND
from perfectplay.players.seat import nobody
from perfectplay.words import BadPlayer, BotFault, BotSilent, IllegalMove, Move, Player, Position

MARGIN = 0.5
"""Seconds that a move may come late: a busy machine is not the bot's fault."""
TO_LOAD = 60.0
"""Seconds that a bot has to load its file, and with a time limit to sit down."""
TO_LEAVE = 2.0
"""Seconds that a bot has to clean up at the end of a match."""
LONGEST_LINE = 1 << 20
"""The most bytes of an answer."""

NONSENSE = "answers with nonsense"
"""What is said of a bot that has written what only its worker may write."""


class Silent(Exception):
    """A bot does not answer, and why; its process has been ended."""


def isolated_maker(name: str, printed: list[str] | None = None) -> Maker:
    """The maker of the players of that name; those of a user's own file play in a process of their own.

    The beginning of what such a player prints is put into the list `printed`; without one, it goes to standard error.
    """
    return BotMaker(name, printed) if in_own_file(name) else player_maker(name)


def close(maker: Maker) -> None:
    """Ends the processes of a maker's players, if it has any."""
    if isinstance(maker, BotMaker):
        maker.close()


class BotMaker:
    """Makes the players of a user's own function, which all run in one process a game."""

    def __init__(self, name: str, printed: list[str] | None = None) -> None:
        self.name, self.printed = name, printed
        self.bots: dict[tuple[str, float | None], Bot] = {}

    def __call__(self, seat: Seat) -> Player:
        """The player in that seat; raises BadPlayer if the bot cannot be used."""
        kind = (seat.game.name, seat.seconds)
        if kind not in self.bots:
            self.bots[kind] = Bot(self.name, *kind, self.printed)
        return self.bots[kind].sit(seat)

    def calls(self, seat: Seat, position: Position) -> Calls | None:
        """The calls of the bot's functions for one move; None if they could not be counted in the seat's time."""
        self(seat)
        bot = self.bots[seat.game.name, seat.seconds]
        with suppress(BotFault, IllegalMove):
            bot.move(seat, position, count=True)
        return bot.counted

    def close(self) -> None:
        """Ends the processes; one that is asked for a move again is started again."""
        for bot in self.bots.values():
            bot.close()


class Bot:
    """A bot that plays one game by name, on either side; its process is started when it is wanted."""

    def __init__(self, name: str, game: str, seconds: float | None, printed: list[str] | None = None) -> None:
        self.name, self.game, self.seconds, self.printed = name, game, seconds, printed
        self.sides: set[int] = set()
        self.own, self.pythons = Dice(), Dice()
        self.line: Line | None = None
        self.counted: Calls | None = None
        """The calls that were counted for the latest move."""

    def sit(self, seat: Seat) -> Player:
        """The player in that seat; raises BadPlayer if the bot cannot be used."""
        try:
            self.take_seat(self.opened(), seat.side)
        except Silent as fault:
            raise BadPlayer(f"{self.name} {fault} before the game began") from None
        self.sides.add(seat.side)
        return lambda position: self.move(seat, position)

    def opened(self) -> "Line":
        """The line to the bot's process, which is started if it is not there."""
        if self.line is None or self.line.closed:
            self.own, self.pythons = Dice(), Dice()
            self.line = Line(self.printed)
            message = {"player": self.name, "game": self.game}
            self.prepare(self.line, message, TO_LOAD, f"did not load within {TO_LOAD:g} s ({BEHIND})")
            for side in sorted(self.sides):
                self.take_seat(self.line, side)
        return self.line

    def close(self) -> None:
        """Ends the process, if there is one."""
        if self.line is not None:
            self.line.close()

    def take_seat(self, line: "Line", side: int) -> None:
        """Tells the bot which side it plays."""
        limit = None if self.seconds is None else TO_LOAD
        self.prepare(line, {"sit": side, "seconds": self.seconds}, limit, f"was not ready within {TO_LOAD:g} s")

    def prepare(self, line: "Line", message: Message, limit: float | None, late: str) -> None:
        """Tells the bot something that it must be ready for; raises BadPlayer if it is not."""
        answer = line.ask(message, limit, late)
        if "ready" not in answer:
            line.close()
            raise BadPlayer(str(answer.get("error", f"{self.name} {NONSENSE}")))

    def move(self, seat: Seat, position: Position, count: bool = False) -> Move:
        """The bot's move, its calls counted if that is wanted; raises IllegalMove or BotFault."""
        self.counted = None
        limit = None if self.seconds is None else self.seconds + MARGIN
        try:
            line = self.opened()
            dice = [self.own.news(seat.rng), self.pythons.news(PYTHONS)]
            question = {"side": seat.side, "position": position, "dice": dice, **({"count": True} if count else {})}
            answer = line.ask(question, limit, f"did not move within {self.seconds} s", seat.say)
            self.learn(seat, answer)
        except (Silent, BadPlayer) as fault:
            text = f"{self.name} {fault}" if isinstance(fault, Silent) else str(fault)
            raise fault_in(seat.game, position, seat.side, text, BotSilent) from None
        match answer:
            case {"calls": [int(calls), list(functions)]}:
                self.counted = Calls(calls, [str(function) for function in functions])
        match answer:
            case {"move": int(move), **more}:
                if isinstance(nodes := more.get("nodes"), int) and nodes > 0:
                    seat.searched(nodes)
                return move
            case {"illegal": str(shown)}:
                raise illegal_move(seat.game, position, seat.side, shown)
        try_rules(seat.game, position)
        raise fault_in(seat.game, position, seat.side, str(answer.get("fault", f"{self.name} {NONSENSE}")))

    def learn(self, seat: Seat, answer: Message) -> None:
        """Sets the dice here as the bot has left them."""
        try:
            own, pythons = answer.get("dice", (None, None))
            self.own.learn(seat.rng, own)
            self.pythons.learn(PYTHONS, pythons)
        except (ValueError, TypeError):
            self.close()
            raise Silent(NONSENSE) from None


def fault_in(game: Game, position: Position, side: int, text: str, kind: type[BotFault] = BotFault) -> BotFault:
    """The error for a bot that has not moved, with the position drawn."""
    return kind(f"{text}; {game.look.sides[side]} was to move in\n{draw_position(game, position, side)}")


def try_rules(game: Game, position: Position) -> None:
    """Tries all moves: an error of the rules is not the bot's fault."""
    for move in legal_moves(game, position):
        game.play(*position, move)


class Line:
    """A process of a bot and the line to it: one question, one answer."""

    def __init__(self, printed: list[str] | None = None) -> None:
        self.process = JsonChild(bot_worker.__name__, LONGEST_LINE, printed=printed)
        self.close = weakref.finalize(self, leave, self.process)
        """Lets the bot put away what it has and ends its process; at the latest when this one ends."""

    @property
    def closed(self) -> bool:
        """Whether the process is gone."""
        return not self.close.alive

    def ask(
        self,
        message: Message,
        seconds: float | None,
        late: str,
        say: Callable[[str], None] = nobody,
        each: bool = False,
    ) -> Message:
        """The answer of the bot; raises Silent, its process ended, if there is none within `seconds`.

        With `each`, the time begins again whenever the bot has something to say.
        """
        begin = time.monotonic()
        try:
            self.process.send(message)
            while True:
                now = time.monotonic()
                begin = now if each else begin
                answer = self.process.receive(None if seconds is None else begin + seconds - now)
                if not isinstance(answer, dict):
                    raise ValueError
                if "say" not in answer:
                    return answer
                say(str(answer["say"]))
        except (TimeoutError, ChildEnded, ValueError, TypeError, RecursionError) as fault:
            self.kill()
            raise Silent(silence(fault, late)) from None
        except BaseException:  # Ctrl-C, too: it will not answer the next question before it has answered this one
            self.kill()
            raise

    def kill(self) -> None:
        """Ends the process and all that it has started, at once."""
        self.close.detach()
        self.process.end()


def silence(fault: Exception, late: str) -> str:
    """Why a bot does not answer, in words."""
    match fault:
        case TimeoutError():
            return late
        case ChildEnded():
            return str(fault)
        case LineTooLong():
            return "answers with too much"
    return NONSENSE


def leave(process: JsonChild) -> None:
    """Tells a bot to end, and ends it if it does not."""
    process.send({"end": True})
    process.end(TO_LEAVE)
