"""Bots of a user's own, each in a process that can be ended: a fault costs the game, never the match."""

import json
import time
from collections.abc import Callable
from contextlib import suppress

from perfectplay.arena import bot_worker
from perfectplay.arena.bot_protocol import PYTHONS, Dice, Message, so_far_text
from perfectplay.arena.call_counter import Calls
from perfectplay.game import Game, legal_moves
from perfectplay.players.bots.bot_fault import Allowance, fault_in
from perfectplay.players.bots.bot_program import BotProgram, ProgramMaker
from perfectplay.players.bots.file_player import BEHIND
from perfectplay.players.seat import USUAL_LIMITS, BotLimits, Seat, nobody
from perfectplay.processes.child_processes import python_command
from perfectplay.processes.running_program import Program, ProgramFault
from perfectplay.rules.notation import illegal_move
from perfectplay.words import BadPlayer, BotFault, BotSilent, Cause, IllegalMove, Move, Player, Position

TO_LOAD = 60.0
"""Seconds that a bot has to load its file, and to sit down."""
TO_LEAVE = 2.0
"""Seconds that a bot has to clean up at the end of a match."""
END = b'{"end": true}\n'

CAUSES = frozenset(map(str, Cause))
NONSENSE = "answers with nonsense"
"""The fault of a bot that has written what only its worker may write."""


class BotMaker(ProgramMaker["Bot"]):
    """Makes the players of a user's own function, which all run in one process a game."""

    def __call__(self, seat: Seat) -> Player:
        """The player in that seat; raises BadPlayer if the bot cannot be used."""
        return self.bot(seat).sit(seat)

    def bot(self, seat: Seat) -> "Bot":
        """The bot that plays in that seat."""
        kind = (seat.game.name, seat.seconds, seat.limits)
        if kind not in self.bots:
            self.bots[kind] = Bot(self.name, *kind, capture=self.into is not None)
        return self.bots[kind]

    def calls(self, seat: Seat, position: Position) -> Calls | None:
        """The calls of the bot's functions for one move; None if they could not be counted in the seat's time."""
        self(seat)
        bot = self.bot(seat)
        with suppress(BotFault, IllegalMove):
            bot.move(seat, position, count=True)
        return bot.calls

    def scores(self, seat: Seat, position: Position) -> dict[Move, float] | None:
        """The bot's scores of moves, by `scores(board, side)` in its file; None if it has none, or they fail."""
        with suppress(ProgramFault, BadPlayer):
            self(seat)
            match self.bot(seat).answer(seat, position, "scores"):
                case {"scores": list(pairs)}:
                    return {int(move): float(score) for move, score in pairs}
        return None


class Bot:
    """A bot that plays one game by name, on either side; its process is started when it is wanted."""

    def __init__(
        self,
        name: str,
        game: str,
        seconds: float | None,
        limits: BotLimits = USUAL_LIMITS,
        capture: bool = False,
    ) -> None:
        self.name, self.game, self.seconds = name, game, seconds
        self.program = BotProgram(python_command(bot_worker.__name__), limits, capture)
        self.sides: set[int] = set()
        self.own, self.pythons = Dice(), Dice()
        self.allowance = Allowance()
        self.fault: ProgramFault | None = None
        """Why it is not ready for the game."""
        self.calls: Calls | None = None
        """The calls that were counted for the latest move."""

    def sit(self, seat: Seat) -> Player:
        """The player in that seat; raises BadPlayer if the bot cannot be used, and has never been ready before."""
        was_ready = bool(self.sides)
        self.sides.add(seat.side)
        try:
            self.open_program()
            self.take_seat(seat.side)
        except ProgramFault as fault:
            if not was_ready:
                raise BadPlayer(f"{self.name} {fault}") from None
            self.fault = fault
        return lambda position: self.move(seat, position)

    def new_game(self, seed: int | None) -> None:
        """Starts the process if it has ended; a fault is kept for the first move. Functions have no option Seed."""
        self.allowance, self.fault = Allowance(), None
        try:
            self.open_program()
        except ProgramFault as fault:
            self.fault = fault
        except BadPlayer as fault:
            self.fault = ProgramFault(Cause.START, str(fault))

    def open_program(self) -> Program:
        """The bot's process, which is started if it is not there."""
        return self.program.started(self.greet)

    def greet(self, program: Program) -> None:
        """Lets the bot load its file and take its seats."""
        self.own, self.pythons = Dice(), Dice()
        message = {"player": self.name, "game": self.game}
        self.prepare(message, f"did not load within {TO_LOAD:g} s ({BEHIND})")
        for side in sorted(self.sides):
            self.take_seat(side)

    def close(self) -> None:
        """Ends the process, if there is one."""
        self.program.close(END, TO_LEAVE)

    def take_seat(self, side: int) -> None:
        """Tells the bot which side it plays."""
        self.prepare({"sit": side, "seconds": self.seconds}, f"was not ready within {TO_LOAD:g} s")

    def prepare(self, message: Message, late: str) -> None:
        """Tells the bot something that it must be ready for; raises BadPlayer if it is not."""
        answer = self.ask(message, TO_LOAD, late)
        if "ready" not in answer:
            self.program.end()
            raise BadPlayer(str(answer.get("error", f"{self.name} {NONSENSE}")))

    def ask(
        self, message: Message, seconds: float, late: str, say: Callable[[str], None] = nobody, each: bool = False
    ) -> Message:
        """The answer of the bot; raises ProgramFault, its process ended, if there is none within `seconds`.

        With `each`, the time begins again whenever the bot has something to say.
        """
        program = self.program.running
        assert program is not None
        deadline = time.monotonic() + seconds
        try:
            program.send(json.dumps(message).encode() + b"\n", deadline)
            while "say" in (answer := read(program.line(deadline))):
                say(str(answer["say"]))
                deadline = time.monotonic() + seconds if each else deadline
            return answer
        except TimeoutError:
            self.program.end()
            raise ProgramFault(Cause.TIME, late) from None
        except BaseException:  # Ctrl-C, too: it will not answer the next question before it has answered this one
            self.program.end()
            raise

    def move(self, seat: Seat, position: Position, count: bool = False) -> Move:
        """The bot's move, its calls counted if that is wanted; raises IllegalMove or BotFault."""
        self.calls = None
        try:
            answer = self.answer(seat, position, "count" if count else "")
        except ProgramFault as fault:
            text = f"{self.name} {self.program.told(fault)}"
            raise fault_in(seat.game, position, seat.side, text, BotSilent, fault.cause) from None
        except BadPlayer as fault:
            raise fault_in(seat.game, position, seat.side, str(fault), BotSilent, Cause.START) from None
        match answer:
            case {"calls": [int(calls), list(functions)]}:
                self.calls = Calls(calls, [str(function) for function in functions])
        match answer:
            case {"move": int(move), **more}:
                if isinstance(nodes := more.get("nodes"), int) and nodes > 0:
                    seat.searched(nodes)
                return move
            case {"illegal": str(text)}:
                raise illegal_move(seat.game, position, seat.side, text)
            case {"fault": str(text), "cause": str(cause)} if cause in CAUSES:
                try_rules(seat.game, position)
                raise fault_in(seat.game, position, seat.side, text, cause=Cause(cause))
        raise fault_in(seat.game, position, seat.side, f"{self.name} {NONSENSE}", cause=Cause.NONSENSE)

    def answer(self, seat: Seat, position: Position, more: str) -> Message:
        """What the bot answers to the position; `more` is "count", "scores" or empty."""
        if self.fault is not None:
            fault, self.fault = self.fault, None
            raise fault
        self.open_program()
        so_far, begin = seat.so_far(), time.monotonic()
        dice = [self.own.news(seat.rng), self.pythons.news(PYTHONS)]
        question = {"side": seat.side, "position": position, "dice": dice}
        question |= {} if so_far is None else {"so_far": so_far_text(so_far)}
        question |= {more: True} if more else {}
        limit, late = self.allowance.seconds(seat, so_far), self.allowance.late(seat, so_far)
        answer = self.ask(question, limit, late, seat.say)
        self.allowance.spend(seat, so_far, time.monotonic() - begin)
        self.learn(seat, answer)
        return answer

    def learn(self, seat: Seat, answer: Message) -> None:
        """Sets the dice here as the bot has left them."""
        try:
            own, pythons = answer.get("dice", (None, None))
            self.own.learn(seat.rng, own)
            self.pythons.learn(PYTHONS, pythons)
        except (ValueError, TypeError):
            self.program.end()
            raise ProgramFault(Cause.NONSENSE, NONSENSE) from None


def read(line: bytes) -> Message:
    """The message in a line; raises ProgramFault if there is none."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict):
        raise ProgramFault(Cause.NONSENSE, NONSENSE)
    return message


def try_rules(game: Game, position: Position) -> None:
    """Tries all moves: an error of the rules is not the bot's fault."""
    for move in legal_moves(game, position):
        game.play(*position, move)
