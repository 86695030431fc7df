"""A program that speaks UGI as a player: the handshake, the position and the clock, and its answer."""

import time

from perfectplay.game import Game
from perfectplay.players.bots.bot_fault import Allowance, fault_in
from perfectplay.players.bots.bot_program import BotProgram, close_bots, printed_by
from perfectplay.players.seat import THINKING_SECONDS, BotLimits, Seat, SoFar
from perfectplay.players.ugi.told_game import ToldGame
from perfectplay.players.ugi.ugi_answers import check_text, chosen_move, nodes_in
from perfectplay.processes.running_program import Program, ProgramFault
from perfectplay.words import FIRST, BotFault, BotSilent, Cause, IllegalMove, Move, Player, Position

TO_START = 10.0
"""Seconds that a program has to be ready."""
TO_LEAVE = 1.0
"""Seconds that a program has to end once it is told to."""
QUIT = b"quit\n"


class UgiMaker:
    """Makes the players of a command; all of one game share a process."""

    def __init__(self, name: str, command: list[str]) -> None:
        self.name, self.command = name, command
        self.into: list[str] | None = None
        """Takes what the program has written to standard error, at the end; None if it is shown instead."""
        self.bots: dict[tuple[str, BotLimits], UgiBot] = {}

    def __call__(self, seat: Seat) -> Player:
        """The player in that seat; the program is started for its first move, or before that by `new_game`."""
        kind = (seat.game.name, seat.limits)
        if kind not in self.bots:
            program = BotProgram(self.command, seat.limits, self.into is not None)
            self.bots[kind] = UgiBot(self.name, seat.game, program)
        bot = self.bots[kind]
        return lambda position: bot.move(seat, position)

    def new_game(self, seed: int | None = None) -> None:
        """Makes the programs ready for a new game; what goes wrong is told when they are to move.

        A program that offers an option Seed is told the seed, so that its games can be repeated.
        """
        for bot in self.bots.values():
            bot.new_game(seed)

    def printed(self) -> str:
        """The beginning of what the programs have written to standard error since the last call."""
        return printed_by(self.bots.values())

    def close(self) -> None:
        """Ends the programs; one that is asked for a move again is started again."""
        close_bots(self.bots.values(), self.into)


class UgiBot:
    """A program that plays one game, on either side."""

    def __init__(self, name: str, game: Game, program: BotProgram) -> None:
        self.name, self.game, self.program = name, game, program
        self.told, self.allowance = ToldGame(game), Allowance()
        self.options: set[bytes] = set()
        """The options that the program offers."""
        self.seed: int | None = None
        """What the program is to seed its dice with."""
        self.under_way = False
        """Whether the program is in the middle of a game, or ready for a new one."""
        self.fault: ProgramFault | None = None
        """Why the program is not ready."""

    def new_game(self, seed: int | None) -> None:
        """Makes the program ready for a new game; a fault is kept for its first move."""
        self.told.begin_at((self.game.start, FIRST))
        self.begin(seed)

    def begin(self, seed: int | None = None) -> None:
        """The same, wherever the game begins."""
        self.seed = seed
        self.allowance, self.fault, self.under_way = Allowance(), None, True
        try:
            if self.program.running is not None:
                try:
                    self.get_ready(self.program.running)
                    return
                except ProgramFault:  # it has ended since the last game, or hangs: it gets a new start
                    self.program.end()
            self.program.started(self.greet)
        except ProgramFault as fault:
            self.fault = fault

    def greet(self, program: Program) -> None:
        """Goes through the handshake."""
        deadline = time.monotonic() + TO_START
        program.send(b"ugi\n", deadline)
        settings, self.options = b"", set()
        while (line := heard(program, deadline, b"ugiok")) != b"ugiok":
            words = line.split()
            if words[:2] == [b"option", b"name"]:
                self.options.update(words[2:3])
        if b"Game" in self.options:
            settings = f"setoption name Game value {self.game.name}\n".encode()
        self.get_ready(program, settings)

    def get_ready(self, program: Program, before: bytes = b"") -> None:
        """Waits until the program has done what it is told before, and is ready for a new game."""
        deadline = time.monotonic() + TO_START
        if self.seed is not None and b"Seed" in self.options:
            before += f"setoption name Seed value {self.seed}\n".encode()
        program.send(before + b"uginewgame\nisready\n", deadline)
        while heard(program, deadline, b"readyok") != b"readyok":
            pass

    def move(self, seat: Seat, position: Position) -> Move:
        """The program's move; raises IllegalMove or BotFault."""
        so_far = seat.so_far()
        fresh = self.under_way and not self.told.moves
        if (not self.told.follow((position, seat.side), so_far) and not fresh) or not self.under_way:
            self.begin()
        self.under_way = False
        try:
            if self.fault is not None:
                raise self.fault
            move = self.answer(seat, position, so_far)
        except ProgramFault as fault:
            self.program.end()
            text = f"{self.name} {self.program.told(fault)}"
            raise fault_in(self.game, position, seat.side, text, kind_of(fault.cause), fault.cause) from None
        except IllegalMove:
            raise
        except BaseException:  # Ctrl-C, too: it will not answer the next question before it has answered this one
            self.program.end()
            raise
        self.under_way = True
        self.told.add(move)
        return move

    def answer(self, seat: Seat, position: Position, so_far: SoFar | None) -> Move:
        """The program's answer to the position; all that it wrote before it was asked is ignored."""
        program = self.program.running
        assert program is not None
        begin = time.monotonic()
        deadline = begin + self.allowance.seconds(seat, so_far)
        question = f"position {self.told.text}\nisready\n{go(seat, so_far)}\n"
        asked, info = False, b""
        try:
            program.send(question.encode(), deadline)
            while True:
                line = program.line(deadline).strip()
                word, _, rest = line.partition(b" ")
                if word == b"readyok":
                    asked = True
                elif word == b"bestmove" and asked:
                    break
                elif word == b"info" and b"nodes" in rest:
                    info = rest
                else:
                    check_text(line)
        except TimeoutError:
            raise ProgramFault(Cause.TIME, self.allowance.late(seat, so_far)) from None
        self.allowance.spend(seat, so_far, time.monotonic() - begin)
        if (nodes := nodes_in(info)) is not None:
            seat.searched(nodes)
        return chosen_move(self.game, position, seat.side, rest)

    def close(self) -> None:
        """Ends the program, which may put away what it has."""
        self.program.close(QUIT, TO_LEAVE)


def heard(program: Program, deadline: float, wanted: bytes) -> bytes:
    """The next line of the program, which should be or come before the wanted one."""
    try:
        line = program.line(deadline).strip()
    except TimeoutError:
        raise ProgramFault(Cause.TIME, f"sent no {wanted.decode()} within {TO_START:g} s") from None
    check_text(line)
    return line


def go(seat: Seat, so_far: SoFar | None) -> str:
    """The command to search, with the clock or the time for this move."""
    if so_far is not None and so_far.clock is not None:
        (p1, p2), (more1, more2) = so_far.clock
        return f"go p1time {in_ms(p1)} p2time {in_ms(p2)} p1inc {in_ms(more1)} p2inc {in_ms(more2)}"
    return f"go movetime {max(1, in_ms(THINKING_SECONDS if seat.seconds is None else seat.seconds))}"


def in_ms(seconds: float) -> int:
    """The seconds in whole milliseconds."""
    return max(0, round(1_000 * seconds))


def kind_of(cause: Cause) -> type[BotFault]:
    """The error for the cause: a program that has answered nonsense can still be asked again."""
    return BotFault if cause == Cause.NONSENSE else BotSilent
