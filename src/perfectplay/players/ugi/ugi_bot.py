"""A program that speaks UGI as a player: the handshake, the position and the clock, and its answer."""

import re
import time

from perfectplay.game import Game, after, legal_moves
from perfectplay.players.bots.bot_fault import Allowance, as_written, fault_in
from perfectplay.players.bots.bot_program import BotProgram, ProgramMaker
from perfectplay.players.seat import THINKING_SECONDS, Seat, SoFar
from perfectplay.processes.running_program import Program, ProgramFault
from perfectplay.rules.notation import illegal_move, move_name, parse_move, show_position
from perfectplay.words import FIRST, BotFault, BotSilent, Cause, IllegalMove, Move, Player, Position, Sides, Turn

TO_START = 10.0
"""Seconds that a program has to be ready."""
TO_LEAVE = 1.0
"""Seconds that a program has to end once it is told to."""
QUIT = b"quit\n"


class UgiMaker(ProgramMaker["UgiBot"]):
    """Makes the players of a command; all of one game share a process."""

    def __init__(self, name: str, command: list[str]) -> None:
        super().__init__(name)
        self.command = command

    def __call__(self, seat: Seat) -> Player:
        """The player in that seat; the program is started for its first move, or before that by `new_game`."""
        kind = (seat.game.name, seat.limits)
        if kind not in self.bots:
            program = BotProgram(self.command, seat.limits, self.into is not None)
            self.bots[kind] = UgiBot(self.name, seat.game, program)
        bot = self.bots[kind]
        return lambda position: bot.move(seat, position)


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
        if (nodes := NODES.search(info)) is not None:
            seat.searched(int(nodes[1]))
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


# What a UGI program has written: the move that a text means, or what is wrong with it.


NODES = re.compile(rb"(?:^|\s)nodes\s+(\d{1,18})(?:\s|$)")
CONTROLS = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]")
KNOWN = (b"id", b"option", b"info", b"response", b"ugiok", b"uciok", b"readyok", b"bestmove")


def chosen_move(game: Game, position: Position, side: int, answer: bytes) -> Move:
    """The move in what follows `bestmove`; raises IllegalMove, or ProgramFault for what is no move of the game."""
    text = answer.decode(errors="backslashreplace").strip()
    for words in dict.fromkeys((text, text.partition(" ")[0])):
        try:
            return parse_move(game, position, side, words)
        except IllegalMove:
            if is_a_name(game, position, side, words):
                raise illegal_move(game, position, side, as_written(words)) from None
    raise ProgramFault(Cause.NONSENSE, f"answered {as_written(f'bestmove {text}'.strip())}, which is no move")


def is_a_name(game: Game, position: Position, side: int, text: str) -> bool:
    """Whether the text names some move of the game, or where names depend on the position, looks like one."""
    names = game.move_names[side] if isinstance(game.move_names, Sides) else game.move_names
    if not callable(names):
        return text.lower() in (name.lower() for name in names)
    return shape(text) in {shape(move_name(game, position, side, move)) for move in legal_moves(game, position)}


def shape(text: str) -> str:
    """The text with all letters and all numbers made the same."""
    return re.sub(r"\d+", "0", re.sub(r"[a-z]", "a", text.lower()))


def check_text(line: bytes) -> None:
    """Raises ProgramFault if a line is neither known nor text."""
    if line.split(b" ", 1)[0] in KNOWN:
        return
    text = line.decode(errors="backslashreplace")
    if CONTROLS.search(line) or (not line.isascii() and text.encode() != line):
        raise ProgramFault(Cause.NONSENSE, f"wrote {as_written(text)}")


# The game as a UGI program is told it: a beginning and the names of the moves since.


MOST_TRIED = 2_000
"""The positions that are looked at to find the moves of the opponent."""


class ToldGame:
    """What a program was told last: where the game began, the moves since, and where they have led."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.begin_at((game.start, FIRST))

    def begin_at(self, begin: Turn) -> None:
        """Forgets all moves."""
        self.begin = self.turn = begin
        self.moves: list[Move] = []
        self.names: list[str] = []

    def add(self, move: Move) -> None:
        """Adds a move."""
        position, side = self.turn
        self.names.append(move_name(self.game, position, side, move))
        self.moves.append(move)
        self.turn = after(self.game, position, side, move)

    def follow(self, turn: Turn, so_far: SoFar | None) -> bool:
        """Makes this the game that has led to the turn; whether it is the same game as before."""
        same = self.follow_told(so_far) if so_far is not None else self.follow_found(turn)
        if self.turn != turn:
            same = False
            self.begin_at(turn)
        return same

    def follow_told(self, so_far: SoFar) -> bool:
        """Follows the game that somebody has kept; whether it goes on from what was told."""
        known, goes_on = len(self.moves), so_far.begin == self.begin
        goes_on = goes_on and len(so_far.moves) >= known and list(so_far.moves[:known]) == self.moves
        if not goes_on:
            self.begin_at(so_far.begin)
        for move in so_far.moves[len(self.moves) :]:
            self.add(move)
        return goes_on

    def follow_found(self, turn: Turn) -> bool:
        """Looks for the moves of the opponent, from what was told last, else from the start."""
        moves = found_moves(self.game, self.turn, turn)
        goes_on = moves is not None
        if moves is None:
            self.begin_at((self.game.start, FIRST))
            moves = found_moves(self.game, self.turn, turn)
        for move in moves or ():
            self.add(move)
        return goes_on

    @property
    def text(self) -> str:
        """What follows `position`: `startpos moves a1 b2`, or `fen TEXT`."""
        fresh = self.begin == (self.game.start, FIRST)
        begin = "startpos" if fresh else f"fen {show_position(self.game, *self.begin)}"
        return f"{begin} moves {' '.join(self.names)}" if self.names else begin


def found_moves(game: Game, begin: Turn, end: Turn) -> list[Move] | None:
    """The moves of one side that lead from one turn to the other, none if they are the same; None if there are none."""
    if begin == end:
        return []
    lines: list[tuple[Turn, list[Move]]] = [(begin, [])]
    tried = 0
    for (position, side), moves in lines:
        for move in legal_moves(game, position):
            turn = after(game, position, side, move)
            if turn == end:
                return [*moves, move]
            tried += 1
            if turn[1] == side:  # the same side moves again
                lines.append((turn, [*moves, move]))
        if tried > MOST_TRIED:
            return None
    return None
