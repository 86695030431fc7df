"""A player as a UGI engine: a manager's lines come in, the answers go out; searches run in a thread of their own.

UGI, the Universal Game Interface, is UCI for any game of two: a line of text a command. Positions and moves are
written in the game's own notation.
"""

import random
import re
from collections.abc import Callable, Mapping
from itertools import pairwise
from queue import SimpleQueue
from random import Random
from threading import Event, Thread
from time import perf_counter
from typing import NamedTuple

from perfectplay.arena.referee import play_turn, winner_of
from perfectplay.game import Game, after
from perfectplay.players.seat import Clock, Maker, Seat, SoFar, longest
from perfectplay.rules.loading import checked_outcome, describe_fault
from perfectplay.rules.notation import move_name, parse_position, replay, show_position
from perfectplay.solvers.oracle import TableOracle
from perfectplay.solvers.search.search_clock import StopSignal
from perfectplay.solvers.validity.plausibility import check_before, check_turn
from perfectplay.words import FIRST, ONGOING, SECOND, BadPosition, Entry, Move, PerfectplayError, Player, Turn

# What the commands mean: the position that a manager sets up, its questions, and how long to think.


MOVES = re.compile(r"\s+moves(?:\s+|$)")
"""What stands between a position and the moves from there."""
NO_MOVE = "none"
"""Said in place of a move where there is none to make."""
TIMES = ("movetime", "p1time", "p2time", "p1inc", "p2inc")
LONGEST = 10**12
"""The most milliseconds of a time: more than any clock has."""


class Setup(NamedTuple):
    """A position that a manager has set up: where the game began, the moves since, and who is to move where now.

    `fault` says why it cannot be set up; then the moves are those before the fault.
    """

    begin: Turn
    moves: tuple[Move, ...]
    turn: Turn
    fault: str = ""


def start_of(game: Game) -> Setup:
    """The start of the game."""
    return Setup((game.start, FIRST), (), (game.start, FIRST))


def position_in(game: Game, text: str) -> Setup:
    """The position that `startpos`, or `fen` and a position's text, means, after the moves that may follow it."""
    setup = start_of(game)
    kind, _, rest = text.strip().partition(" ")
    where, *names = MOVES.split(f" {rest}", maxsplit=1)
    try:
        if kind not in ("startpos", "fen"):
            return setup._replace(
                fault=f"'position {kind}' is not known; write position startpos, or position fen TEXT"
            )
        if kind == "fen":
            begin = parse_position(game, where.strip())
            check_turn(game, *begin)
            check_before(game, *begin)
            setup = Setup(begin, (), begin)
        for position, side, move in replay(game, *setup.turn, " ".join(names).split()):
            setup = Setup(setup.begin, (*setup.moves, move), after(game, position, side, move))
        checked_outcome(game, *setup.turn)
    except PerfectplayError as fault:
        return setup._replace(fault=str(fault))
    except Exception as fault:  # rules that do not expect such a position
        return setup._replace(fault=f"position {where.strip()!r} cannot be used: {describe_fault(fault)}")
    return setup


def is_over(game: Game, setup: Setup) -> bool:
    """Whether nobody can move: the game has ended, or there is no position."""
    return bool(setup.fault) or game.outcome(*setup.turn[0]) != ONGOING


def answer_to(game: Game, setup: Setup, question: str) -> str | None:
    """The answer to a query about the position; None for a question that is not known.

    Where the position could not be set up, the game is over without a result, so that no manager waits for a move.
    """
    match question.split():
        case ["gameover"]:
            return "true" if is_over(game, setup) else "false"
        case ["p1turn"]:
            return "true" if setup.turn[1] == FIRST else "false"
        case ["result"]:
            return "none" if setup.fault else result_of(game, setup.turn)
    return None


def result_of(game: Game, turn: Turn) -> str:
    """The result of a game in which the position has come up, as UGI writes it."""
    position, side = turn
    outcome = game.outcome(*position)
    return "none" if outcome == ONGOING else {FIRST: "p1win", SECOND: "p2win", None: "draw"}[winner_of(outcome, side)]


class ThinkingLimits(NamedTuple):
    """How long to think: for seconds, by a clock, until told to stop, or without any of these as usual."""

    seconds: float | None = None
    clock: Clock | None = None
    endless: bool = False


def limits_in(text: str) -> ThinkingLimits:
    """The limits in the words behind `go`; those that mean nothing here are ignored."""
    words = text.split()
    times = {word: milliseconds(value) for word, value in pairwise(words) if word in TIMES}
    seconds = {word: time / 1000 for word, time in times.items() if time is not None}
    return ThinkingLimits(seconds.get("movetime"), clock_of(seconds), "infinite" in words)


def milliseconds(text: str) -> int | None:
    """The number in the text, at least 0, since a clock may have run out; None if it is none."""
    return min(max(0, int(text)), LONGEST) if re.fullmatch(r"-?\d{1,15}", text, re.ASCII) else None


def clock_of(times: Mapping[str, float]) -> Clock | None:
    """The clock that these times make; a side without a time has as much as the other."""
    first, second = times.get("p1time"), times.get("p2time")
    each = [time for time in (first, second) if time is not None]
    if not each:
        return None
    increments = times.get("p1inc", 0.0), times.get("p2inc", 0.0)
    return Clock((each[0], each[-1]), increments)


def score_text(entry: Entry) -> str:
    """A value as UGI writes scores: the plies to a forced win or loss, else points in hundredths."""
    if entry.margin is not None or not entry.value or entry.distance is None:
        return f"score cp {100 * (entry.margin or 0)}"
    return f"score mate {entry.distance if entry.value > 0 else -entry.distance}"


# The engine.


AUTHOR = "the perfectplay developers"
MOST_SEED = 2**63 - 1
ENDLESS = 10.0**6
"""The seconds of a search that ends when it is told to."""


class UgiEngine:
    """The engine: `hear` takes a line and returns at once, `tell` gets the answers, also from the searching thread.

    `failed` is called from there when the player cannot be made; `failure` then says why. `truth` looks up the value
    of positions, where the player knows it.
    """

    def __init__(
        self,
        game: Game,
        name: str,
        maker: Maker,
        seed: int,
        tell: Callable[[str], None],
        seconds: float | None = None,
        truth: Callable[[], TableOracle | None] = lambda: None,
        failed: Callable[[], None] = lambda: None,
    ) -> None:
        self.game, self.name, self.maker, self.seconds = game, name, maker, seconds
        self.tell, self.truth, self.failed = tell, truth, failed
        self.failure: PerfectplayError | None = None
        self.setup, self.history = start_of(game), SoFar((game.start, FIRST), ())
        self.players: dict[int, Player] = {}
        self.rng, self.nodes = Random(), 0
        self.seed, self.games = seed, 0
        self.stop, self.released = StopSignal(), Event()
        self.preparing = self.searching = self.endless = False
        self.tasks: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self.thread = Thread(target=self.work, daemon=True)
        self.commands: dict[str, Callable[[str], None]] = {
            "ugi": self.introduce,
            "setoption": self.set_option,
            "isready": self.get_ready,
            "uginewgame": self.begin_game,
            "position": self.set_position,
            "query": self.answer,
            "go": self.go,
            "stop": self.end_search,
        }
        self.throw_dice()
        self.thread.start()

    def hear(self, line: str) -> bool:
        """Does what a line says, and returns whether there may be more: not after `quit`."""
        command, _, rest = line.strip().partition(" ")
        if command in self.commands:
            self.commands[command](rest)
        return command != "quit"

    def end(self, stop: bool = True) -> None:
        """Takes no more commands; a search that runs is stopped, or without `stop` comes to its end if it has one."""
        if stop or self.endless:
            self.end_search()
        self.tasks.put(None)

    def has_ended(self, seconds: float) -> bool:
        """Whether all has been answered within that time."""
        self.thread.join(seconds)
        return not self.thread.is_alive()

    def introduce(self, _: str) -> None:
        """Says who this is, and what can be set."""
        self.say(f"id name perfectplay {self.name}")
        self.say(f"id author {AUTHOR}")
        self.say(f"option name Seed type spin default {self.seed} min 0 max {MOST_SEED}")
        self.say("ugiok")

    def set_option(self, text: str) -> None:
        """Sets the seed, from which all random choices follow."""
        name, _, value = text.removeprefix("name ").partition(" value ")
        if name.strip().lower() != "seed":
            return
        if not value.strip().isdecimal() or int(value) > MOST_SEED:
            self.remark(f"Seed must be a whole number from 0 to {MOST_SEED}, not {value.strip()!r}")
            return
        self.seed, self.games = int(value), 0
        self.throw_dice()

    def throw_dice(self) -> None:
        """Starts the dice of a game afresh; Python's own as well, for players that use them."""
        self.rng.seed(f"{self.seed}/{self.games}")
        random.seed(f"{self.seed}/{self.games}")

    def get_ready(self, _: str) -> None:
        """Says when the player is there; at once during a search."""
        if self.players or self.searching:
            self.say("readyok")
        else:
            self.preparing = True
            self.tasks.put(self.sit_down)

    def begin_game(self, _: str) -> None:
        """Starts a game: at the start, with dice of its own."""
        self.setup = start_of(self.game)
        self.games += 1
        self.throw_dice()

    def set_position(self, text: str) -> None:
        """Sets up a position; says what is wrong with one that cannot be."""
        self.setup = position_in(self.game, text)
        if self.setup.fault:
            self.remark(self.setup.fault)

    def answer(self, question: str) -> None:
        """Answers a question about the position."""
        answer = answer_to(self.game, self.setup, question)
        if answer is None:
            self.remark(f"query {question.strip()} is not known; there are gameover, p1turn and result")
        else:
            self.say(f"response {answer}")

    def go(self, text: str) -> None:
        """Begins to search for a move; where there is none to make, says so at once."""
        if self.searching:
            self.remark("a search is running; stop it before the next")
        elif is_over(self.game, self.setup):
            over = f"the game is over in {show_position(self.game, *self.setup.turn)}"
            self.remark(f"{self.setup.fault or over}; there is no move to make")
            self.say(f"bestmove {NO_MOVE}")
        else:
            setup, limits = self.setup, limits_in(text)
            self.searching, self.endless = True, limits.endless
            self.stop.clear()
            self.released.clear()
            self.tasks.put(lambda: self.search(setup, limits))

    def end_search(self, _: str = "") -> None:
        """Ends the search, if there is one; its move is told."""
        if self.searching:
            self.stop.set()
            self.released.set()

    def remark(self, text: str) -> None:
        """Tells the person who reads along something, in a line."""
        self.say(f"info string {' '.join(text.split())}")

    def say(self, line: str) -> None:
        """Tells the line: at once, or while the player is being made, after `readyok`, which was asked for before."""
        if self.preparing:
            self.tasks.put(lambda: self.tell(line))
        else:
            self.tell(line)

    def work(self) -> None:
        """Does one task after another, in the searching thread."""
        while (task := self.tasks.get()) is not None:
            try:
                task()
            except PerfectplayError as fault:
                self.failure = fault
                self.failed()
                return

    def sit_down(self) -> None:
        """Makes the player for either side, and says that it is ready."""
        self.make_players()
        self.preparing = False  # before it is told: the next command may be there at once
        self.tell("readyok")

    def make_players(self) -> None:
        """Makes the player for either side, unless that is done; this loads tables and compiles searches."""
        for side in (FIRST, SECOND):
            if side not in self.players:
                seat = Seat(self.game, side, self.rng, self.seconds, self.remark, self.count, lambda: self.history)
                self.players[side] = self.maker(seat._replace(stop=self.stop))

    def count(self, nodes: int) -> None:
        """Counts nodes of the search."""
        self.nodes += nodes

    def search(self, setup: Setup, limits: ThinkingLimits) -> None:
        """Tells the player's move; of an endless search, when it is told to stop."""
        self.make_players()
        seconds = ENDLESS if limits.endless else None if limits.seconds is None else longest(limits.seconds)
        self.history = SoFar(setup.begin, setup.moves, limits.clock, seconds)
        self.nodes, begin = 0, perf_counter()
        name = NO_MOVE
        try:
            move = self.players[setup.turn[1]](setup.turn[0])
            play_turn(self.game, *setup.turn, move)
            name = move_name(self.game, *setup.turn, move)
            self.tell(self.findings(setup.turn, move, perf_counter() - begin))
        except Exception as fault:  # a user's own player may raise anything
            is_ours = isinstance(fault, PerfectplayError)
            self.remark(str(fault) if is_ours else f"{self.name} raised an error: {describe_fault(fault)}")
        if limits.endless:
            self.released.wait()
        self.searching = False
        self.tell(f"bestmove {name}")

    def findings(self, turn: Turn, move: Move, seconds: float) -> str:
        """The line on what the search has found: its time, its nodes, the value where it is known, and the move."""
        nodes = f" nodes {self.nodes} nps {int(self.nodes / max(seconds, 1e-6))}" if self.nodes else ""
        table, score = self.truth(), ""
        if table is not None:
            try:
                score = f" {score_text(table.lookup(turn[0]))}"
            except BadPosition:  # one that no game reaches
                score = ""
        return f"info time {round(1000 * seconds)}{nodes}{score} pv {move_name(self.game, *turn, move)}"
