"""What the commands of UGI mean: the position that a manager sets up, its questions, and how long to think.

UGI, the Universal Game Interface, is UCI for any game of two: a line of text a command. Positions and moves are
written in the game's own notation.
"""

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import NamedTuple

from perfectplay.arena.referee import winner_of
from perfectplay.game import Game, after
from perfectplay.players.seat import Clock
from perfectplay.rules.loading import checked_outcome, describe_fault
from perfectplay.rules.notation import parse_position, replay
from perfectplay.solvers.validity.plausibility import check_before, check_turn
from perfectplay.words import FIRST, ONGOING, SECOND, Entry, Move, PerfectplayError, Turn

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
