"""Errors for which the rules of a game are at fault: a function that raises, or returns what it must not."""

import dis
from collections.abc import Callable, Iterable, Iterator
from contextlib import ContextDecorator, suppress
from dataclasses import fields
from functools import partial
from inspect import unwrap
from itertools import chain, islice
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

from perfectplay.bits import bit_numbers
from perfectplay.game import Game, Images, Texts, images, is_own, is_position, turn_levels
from perfectplay.rules.loading import checked_moves, checked_outcome, checked_play, describe_fault, place, turn_text
from perfectplay.rules.notation import show_position
from perfectplay.words import FIRST, ONGOING, SECOND, BadGame, PerfectplayError, Position, Sides, Turn

PACKAGE = __name__.partition(".")[0]
SEARCHED = 2_000
"""Positions in which an impossible result is looked for, where none of those at hand has one."""


class FaultCall(NamedTuple):
    """A call that an error came through, and the line at which it did."""

    frame: FrameType
    line: int

    @property
    def is_ours(self) -> bool:
        """Whether it is a call of a function of this package."""
        return str(self.frame.f_globals.get("__name__")).partition(".")[0] == PACKAGE


class RuleFaults(ContextDecorator):
    """Makes errors for which rules are at fault a BadGame, caused by the error; all others stay what they are."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, fault: BaseException | None, trace: object) -> None:
        wrong = None if fault is None else fault_of_rules(fault)
        if wrong is not None:
            raise wrong from fault


rule_faults = RuleFaults()
"""The decorator of functions that callers give a game."""


def fault_of_rules(fault: BaseException) -> BadGame | None:
    """The error with function, position and line if rules raised this, or returned what broke our code; else None."""
    if isinstance(fault, PerfectplayError | MemoryError) or not isinstance(fault, Exception | SystemExit):
        return None
    steps = steps_of(fault)
    if isinstance(fault, RuntimeError) and isinstance(fault.__cause__, StopIteration):  # one that left a generator
        fault = fault.__cause__
        steps += steps_of(fault)
    ours = [step for step in steps if step.is_ours]
    game = next((game for step in reversed(ours) if (game := game_in(step.frame)) is not None), None)
    if game is None or is_own(game):
        return None
    call, turns = rule_call(game, fault, steps), turns_of(game, ours)
    if call is None and isinstance(fault, OSError):  # a file or a pipe, not what a rule returns
        return None
    words = None if call is None else tuple(arguments(call).values())[:2]
    misled = steps[-1].is_ours if words is None else not is_position(words, game.bits)
    wrong = impossible_result(game, chain(turns, first_turns(game)) if misled else turns)
    return error_in_rule(call, fault, steps) if wrong is None and call is not None else wrong


def steps_of(fault: BaseException) -> list[FaultCall]:
    """The calls that the error came through, the innermost last."""
    steps, trace = [], fault.__traceback__
    while trace is not None:
        steps.append(FaultCall(trace.tb_frame, trace.tb_lineno))
        trace = trace.tb_next
    return steps


def rule_call(game: Game, fault: BaseException, steps: list[FaultCall]) -> FrameType | None:
    """The call of a rule function by our code from which the error came, if it came from one."""
    inner = 1 + max(number for number, step in enumerate(steps) if step.is_ours)
    if inner == len(steps) or steps[inner].frame.f_code not in rule_codes(game):
        return None
    if isinstance(fault, RecursionError) and 2 * inner > len(steps):  # most calls are ours
        return None
    return steps[inner].frame


def error_in_rule(call: FrameType, fault: BaseException, steps: list[FaultCall]) -> BadGame:
    """The error for a rule function that raised one."""
    file = call.f_code.co_filename
    line = next(step.line for step in reversed(steps) if step.frame.f_code.co_filename == file)
    text, where = call_texts(call)
    message = f"raised an error: {describe_fault(fault)}, in {text}{where and f' {where}'}"
    return BadGame(f"{Path(file).name} (line {line}) {message}")


def impossible_result(game: Game, turns: Iterable[Turn]) -> BadGame | None:
    """The error for a rule that returns what it must not in the first of these positions in which one does."""
    for position, side in turns:
        try:
            check_results(game, position, side)
        except BadGame as wrong:
            return wrong
        except (Exception, SystemExit):  # that is another fault
            continue
    return None


def turns_of(game: Game, ours: list[FaultCall]) -> Iterator[Turn]:
    """The positions that calls of ours are busy with, the innermost first."""
    for frame, _ in reversed(ours):
        side = frame.f_locals.get("side")
        for position in positions_in(frame):
            match position:
                case (int(mine), int(theirs)) if is_position(position, game.bits):
                    yield (mine, theirs), side if side in (FIRST, SECOND) else FIRST


def first_turns(game: Game) -> Iterator[Turn]:
    """The positions from the start on, not too many, as far as the rules lead to some."""
    with suppress(Exception, SystemExit):
        yield from islice(chain.from_iterable(turn_levels(game)), SEARCHED)


def check_results(game: Game, position: Position, side: int) -> None:
    """Raises BadGame if a rule returns something impossible at this position."""
    over = checked_outcome(game, position, side) != ONGOING
    for move in () if over else bit_numbers(checked_moves(game, position, side)):
        checked_play(game, position, side, move)
    where = turn_text(game, position, side)
    for name, rule in {"key": game.key, "tier": game.tier, "margin": game.margin if over else None}.items():
        number: object = 0 if rule is None else rule(*position)
        if rule is not None and not isinstance(number, int):
            raise BadGame(f"{name} is {number!r} in {where}; it must be a whole number{place(rule)}")
    count, image = images(game).count, images(game).image
    for i in range(count):
        other = image(*position, i)
        if not is_position(other, game.bits):
            raise BadGame(f"image {i} is {other!r} in {where}; it must be a position of two words{place(image)}")


def game_in(frame: FrameType) -> Game | None:
    """The game that a call of ours is about."""
    values = frame.f_locals.values()
    game = next((value for value in values if isinstance(value, Game)), None)
    game = getattr(frame.f_locals.get("self"), "game", None) if game is None else game
    return game if isinstance(game, Game) else None


def positions_in(frame: FrameType) -> Iterator[object]:
    """The positions that a call of ours is busy with."""
    there = frame.f_locals
    yield there.get("position")
    yield getattr(there.get("met"), "position", None)
    yield there.get("mine"), there.get("theirs")


def rule_codes(game: Game) -> set[CodeType]:
    """The code of all functions that the game has."""
    codes = set()
    for field in fields(game):
        value = getattr(game, field.name)
        for one in vars(value).values() if isinstance(value, Images | Texts | Sides) else (value,):
            if callable(one):
                codes |= {code for function in (one, unwrap(one)) if (code := code_of(function)) is not None}
    return codes


def code_of(function: Callable[..., Any]) -> CodeType | None:
    """The code that runs when the function is called, if it is Python."""
    while isinstance(function, partial):
        function = function.func
    codes = (getattr(one, "__code__", None) for one in (function, type(function).__call__))
    return next((code for code in codes if isinstance(code, CodeType)), None)


def callers(frame: FrameType | None) -> Iterator[FrameType]:
    """The frame, the one that called it, and so on."""
    while frame is not None:
        yield frame
        frame = frame.f_back


def call_texts(call: FrameType) -> tuple[str, str]:
    """A rule call as people read it, `outcome(3, 4)`, and its position, `at X:XX./OO. (3, 4)`, empty if unknown."""
    name, values = call.f_code.co_name, arguments(call)
    changed = {step.argval for step in dis.get_instructions(call.f_code) if step.opname == "STORE_FAST"}
    if values and not changed & {*values}:
        text = position_text(call, [*values.values()])
        return f"{name}({', '.join(map(repr, values.values()))})", text and f"at {text}"
    text = position_text(call, None)
    return f"{name}({', '.join(values)})", text and f"called at {text}"


def arguments(call: FrameType) -> dict[str, object]:
    """What a function was called with, by name, or what it has put in its place since."""
    names = call.f_code.co_varnames[: call.f_code.co_argcount]
    return {name: call.f_locals[name] for name in names if name in call.f_locals}


def position_text(call: FrameType, values: list[object] | None) -> str:
    """The position that a rule function was given, as text; or else the one that its caller was busy with."""
    game = side = None
    position: object = tuple(values[:2]) if values is not None else None
    for step in callers(call.f_back):
        there = step.f_locals
        game = game_in(step) if game is None else game
        side = there.get("side") if side is None else side
        if position is None:
            position = next((one for one in positions_in(step) if isinstance(one, tuple) and None not in one), None)
    match position:
        case (int(mine), int(theirs)):
            with suppress(Exception):  # words that are no position can be drawn by nobody
                if game is not None:
                    return (
                        f"{show_position(game, (mine, theirs), side if side in (0, 1) else FIRST)} ({mine}, {theirs})"
                    )
            return f"({mine}, {theirs})"
    return ""
