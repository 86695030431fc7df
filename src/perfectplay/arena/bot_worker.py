"""The process of a bot: makes the player and answers with its moves; whatever the bot does happens here."""

import json
import mmap
import os
import signal
from contextlib import suppress
from operator import index
from pathlib import Path
from random import Random
from typing import TextIO

from perfectplay.arena.bot_protocol import LONGEST_TEXT, PYTHONS, Dice, Message, so_far_in
from perfectplay.arena.call_counter import CallCounter
from perfectplay.arena.project_functions import ProjectFunctions
from perfectplay.players.bots.classic_player import scored
from perfectplay.players.registry import player_maker
from perfectplay.players.seat import Maker, Seat, SoFar
from perfectplay.rules.loading import describe_fault, line_of, load_file, load_game, split_player
from perfectplay.rules.notation import refused_move
from perfectplay.words import BadPlayer, Cause, IllegalMove, PerfectplayError, Player

MOST_FORKS = 200
"""A bot that forks more often in one move is killed with all that it has forked."""


def main() -> None:
    """Answers until it is told to end, or the other end is closed."""
    commands, answers = os.dup(0), os.dup(1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)  # whatever a bot prints, by whatever means
    forks = Forks(answers)
    with os.fdopen(commands, encoding="utf-8") as source, os.fdopen(answers, "w", encoding="utf-8") as out:
        worker: Worker | None = None
        for line in source:
            message = json.loads(line)
            if "end" in message:
                return  # and Python ends as it does, so that a bot can put away what it has
            if worker is None:
                answer, worker = start_worker(message, out)
            else:
                answer = worker.answer(message, forks)
            forks.leave_if_forked()
            tell(out, answer)


def start_worker(message: Message, out: TextIO) -> tuple[Message, "Worker | None"]:
    """Whether the bot's file loads, and the worker that it then has."""
    worker = None
    try:
        worker = Worker(message["player"], message["game"], out)
    except BaseException as fault:
        return {"error": text_of(fault, message["player"])}, None
    return {"ready": True}, worker


class Worker:
    """A bot at work: its players by side, and its dice."""

    def __init__(self, name: str, game: str, out: TextIO) -> None:
        self.name, self.out = name, out
        self.maker: Maker = player_maker(name)
        self.game = load_game(game)
        self.players: dict[int, Player] = {}
        self.nodes = 0
        self.so_far: SoFar | None = None
        self.rng = Random()
        self.own, self.pythons = Dice(), Dice()
        self.checks: ProjectFunctions | None = None

    def answer(self, message: Message, forks: "Forks") -> Message:
        """The answer to a question."""
        if "sit" in message:
            return self.sit(message["sit"], message["seconds"])
        if "project" in message or "check" in message:
            return self.project(message.get("check"))
        self.so_far = so_far_in(message["so_far"]) if "so_far" in message else None
        own, pythons = message["dice"]
        self.own.learn(self.rng, own)
        self.pythons.learn(PYTHONS, pythons)
        forks.begin()
        choose = self.scores if message.get("scores") else self.count_calls if message.get("count") else self.move
        answer = choose(message["side"], message["position"])
        forks.reap()
        return {**answer, "dice": [self.own.news(self.rng), self.pythons.news(PYTHONS)]}

    def sit(self, side: int, seconds: float | None) -> Message:
        """Whether the bot plays this side."""
        try:
            self.players[side] = self.maker(
                Seat(self.game, side, self.rng, seconds, self.say, self.count, lambda: self.so_far)
            )
        except BaseException as fault:
            return {"error": text_of(fault, self.name)}
        return {"ready": True}

    def move(self, side: int, position: list[int]) -> Message:
        """The bot's move, or its illegal move or fault."""
        self.nodes = 0
        try:
            move = self.players[side]((position[0], position[1]))
            try:
                number = int(index(move))
            except TypeError:
                number = -1
            if 0 <= number < 1 << 32:
                return {"move": number, "nodes": self.nodes}
            return {"illegal": "move " + shorten(repr(move))}
        except IllegalMove as fault:
            text = refused_move(fault)  # empty if the bot has raised it itself
            return {"illegal": shorten(text)} if text else self.fault(fault)
        except BaseException as fault:  # sys.exit, too, and whatever else a bot may raise
            return self.fault(fault)

    def fault(self, fault: BaseException) -> Message:
        """The answer that tells a fault."""
        return {"fault": text_of(fault, self.name), "cause": cause_of(fault)}

    def count_calls(self, side: int, position: list[int]) -> Message:
        """The bot's move, with the calls of functions in its files that it took."""
        path, _ = split_player(self.name)
        assert path is not None
        with CallCounter(vars(load_file(path, BadPlayer))) as counter:
            answer = self.move(side, position)
        return {**answer, "calls": counter.result}

    def scores(self, side: int, position: list[int]) -> Message:
        """What the function `scores` in the bot's file gives the moves; null if there is none, or it fails."""
        path, _ = split_player(self.name)
        assert path is not None
        try:
            function = getattr(load_file(path, BadPlayer), "scores", None)
            return {"scores": function and [*scored(function, self.game, (position[0], position[1]), side).items()]}
        except BaseException:  # whatever a bot may raise
            return {"scores": None}

    def project(self, function: str | None) -> Message:
        """The check of a function of the project; without a name, the functions that there are to check."""
        try:
            self.checks = self.checks or ProjectFunctions(self.game, self.name, self.say)
            return {"functions": self.checks.names} if function is None else self.checks.check(function)
        except BaseException as fault:
            return {"error": text_of(fault, self.name)}

    def count(self, nodes: int) -> None:
        """Adds nodes that the bot has searched for this move."""
        self.nodes += max(0, int(nodes))

    def say(self, text: object) -> None:
        """Passes on what the bot has to say."""
        tell(self.out, {"say": shorten(str(text))})


class Forks:
    """Forks of the bot's own making: few enough, and none of them answers in its place."""

    def __init__(self, answers: int) -> None:
        self.leader = os.getpid()
        self.counter = mmap.mmap(-1, 8)
        """How many there were in this move, in memory that all of them share."""
        if hasattr(os, "register_at_fork"):

            def apart() -> None:
                with suppress(OSError):
                    os.close(answers)

            os.register_at_fork(before=self.count, after_in_child=apart)

    def begin(self) -> None:
        """A move begins."""
        self.counter[:] = bytes(8)

    def count(self) -> None:
        """Counts one more, and ends a bot that does not stop forking."""
        number = int.from_bytes(self.counter[:], "little") + 1
        self.counter[:] = number.to_bytes(8, "little")
        if number > MOST_FORKS:
            os.killpg(0, signal.SIGKILL)

    def reap(self) -> None:
        """Forgets forks that have ended, where the bot has made some."""
        if any(self.counter[:]):
            with suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass

    def leave_if_forked(self) -> None:
        """Ends a process that a bot has forked and that came back out of it."""
        if os.getpid() != self.leader:
            os._exit(0)


def tell(out: TextIO, message: Message) -> None:
    """Writes one line to the referee."""
    try:
        out.write(json.dumps(message) + "\n")
        out.flush()
    except OSError:  # the other end is closed
        os._exit(0)


def cause_of(fault: BaseException) -> Cause:
    """Why the game is forfeited: what was raised, or an answer that is none."""
    match fault.__cause__ or fault:
        case MemoryError():
            return Cause.MEMORY
        case SystemExit(code=None | 0):
            return Cause.EXIT
        case BadPlayer():
            return Cause.NONSENSE
    return Cause.CRASH


def text_of(fault: BaseException, name: str) -> str:
    """What went wrong, in a line."""
    try:
        is_ours = isinstance(fault, PerfectplayError)
        where = line_of(fault, split_player(name)[0] or Path())
        return shorten(str(fault) if is_ours else f"{name} raised an error{where}: {describe_fault(fault)}")
    except BaseException:  # it cannot even say so
        return f"{name} raised an error: {type(fault).__name__}"


def shorten(text: str) -> str:
    """The text, if it is not too long."""
    return text if len(text) <= LONGEST_TEXT else text[:LONGEST_TEXT] + "..."
