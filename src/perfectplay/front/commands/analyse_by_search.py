"""`perfectplay analyse` where there is no table: what is proven by search or by threats, or how far they came."""

import json
import signal
import sys
import time
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType

from perfectplay.front.progress import waiting, watch
from perfectplay.front.web.sentences import listed as either
from perfectplay.game import Game
from perfectplay.notation import VALUE_NAMES, draw_position, entry_text, move_name, show_position
from perfectplay.players.search_analysis import analysing, ready
from perfectplay.solve.alphabeta import Limits
from perfectplay.solve.analysis import Analysis, Known
from perfectplay.solve.plausibility import check_before, check_turn
from perfectplay.solve.scores import TOP
from perfectplay.words import LOSS, WIN, BadPosition, Entry, Move, Position

OPEN = "open: "
NAMED = 4
"""So many moves that must be chosen among are named one by one."""
MANY = 20
"""More moves of which the same is known are counted, not listed."""


def show_searched(options: Namespace, game: Game, position: Position, side: int) -> int:
    """Searches the position and prints what the position and each of its moves are worth."""
    with waiting(f"loading the search of {options.game}; the first time it is compiled, some seconds"):
        ready(game)
    check_turn(game, position, side)
    check_before(game, position, side)
    begin = time.monotonic()
    limits = Limits(options.seconds, options.nodes)
    try:
        with interrupts_stop(limits):
            analysis = watch(analysing(game, position, limits), "nodes")
    except BadPosition:
        shown = show_position(game, position, side)
        raise BadPosition(f"{shown} cannot be reached in {options.game} by legal play from the start") from None
    if options.json:
        print_json(options, game, position, side, analysis)
    else:
        print_text(game, position, side, analysis, time.monotonic() - begin)
    if limits.stopped:
        print("perfectplay: interrupted; this is what is proven so far", file=sys.stderr)
        raise KeyboardInterrupt
    return 0


@contextmanager
def interrupts_stop(limits: Limits) -> Iterator[None]:
    """Ctrl-C stops the search, so that it tells what it has found; the second time it interrupts as ever."""
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler or current_thread() is not main_thread():
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        limits.stop()

    signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def print_json(options: Namespace, game: Game, position: Position, side: int, analysis: Analysis) -> None:
    """What was found, for scripts."""
    moves = [{"move": move_name(game, position, side, move), **fields(known)} for move, known in analysis.moves.items()]
    facts = {
        "game": options.game,
        "position": show_position(game, position, side),
        **fields(analysis.here),
        "moves": moves,
        "exact": analysis.exact,
        "nodes": analysis.nodes,
    }
    print(json.dumps(facts), flush=True)


def print_text(game: Game, position: Position, side: int, analysis: Analysis, seconds: float) -> None:
    """The same for people."""
    names = {move: move_name(game, position, side, move) for move in analysis.moves}
    print(f"{draw_position(game, position, side)}\n\n{verdict(game, side, analysis, names)}")
    print("\n".join(listed(analysis, names)))
    if analysis.nodes:
        print(f"\nfound by search: {analysis.nodes:,} nodes in {seconds:.2f} s", flush=True)


def listed(analysis: Analysis, names: dict[Move, str]) -> list[str]:
    """A line for each move, behind an empty one; many moves of which the same is known share a line."""
    alike: dict[str, list[Move]] = {}
    for move, known in analysis.moves.items():
        alike.setdefault(known_text(known), []).append(move)
    wide = max((len(name) for name in names.values()), default=0)
    lines = [""] if names else []
    for text, moves in alike.items():
        if len(moves) > MANY:
            lines.append(f"  {len(moves)} {'moves' if len(moves) == len(names) else 'others'}: {text}")
        else:
            lines.extend(f"  {names[move]:<{wide}}  {text}" for move in moves)
    return lines


def fields(known: Known) -> dict[str, object]:
    """What is known as scripts rely on it: value and distance, null where they are not proven, then the bounds."""
    value = None if known.value is None else VALUE_NAMES[known.value]
    facts: dict[str, object] = {"value": value, "distance": known.distance}
    if not known.exact:
        facts["at_least"] = bound_fields(known.bounds.low)
        facts["at_most"] = bound_fields(known.bounds.high)
    return facts


def bound_fields(score: int) -> dict[str, object]:
    """A bound as scripts rely on it."""
    value = (score > 0) - (score < 0)
    return {"value": VALUE_NAMES[value], "distance": TOP - abs(score) if score else None}


def verdict(game: Game, side: int, analysis: Analysis, names: dict[Move, str]) -> str:
    """Who wins and how soon, in a sentence, or what is known of that."""
    from perfectplay.front.commands.solve_command import verdict as exact_verdict

    here, mover = analysis.here, game.look.sides[side]
    if here.value is not None and here.distance is not None:
        return exact_verdict(game, side, Entry(here.value, here.distance))
    if here.value in (WIN, LOSS):
        winner = mover if here.value == WIN else game.look.sides[1 - side]
        return f"{mover} moves; {winner} wins {known_text(here).partition(' ')[2]}; how soon exactly is not proven."
    if here.value is not None:
        return f"{mover} moves and draws; how long that takes is not proven."
    first = must(mover, analysis, names)
    proven = known_text(here).removeprefix(OPEN)
    return f"{first and first + ' '}Not proven within the limit. {mover} moves: {proven}."


def must(mover: str, analysis: Analysis, names: dict[Move, str]) -> str:
    """Which moves the mover must choose among because every other one is proven to lose; nothing if there is none."""
    kept = [names[move] for move, known in analysis.moves.items() if known.value != LOSS]
    if analysis.here.value is not None or len(kept) > NAMED or len(kept) == len(analysis.moves):
        return ""
    return f"{mover} must play {either(kept)}: every other move loses."


def known_text(known: Known) -> str:
    """What is known, in words: `win in 7 plies`, or `open: no win within 12 plies, no loss within 11`."""
    low, high = known.bounds
    if known.value is not None and known.distance is not None:
        return entry_text(Entry(known.value, known.distance))
    if known.value in (WIN, LOSS):
        near, far = sorted((TOP - abs(low), TOP - abs(high)))
        return f"{VALUE_NAMES[known.value]} in {near} to {far} plies"
    if known.value is not None:
        return f"{VALUE_NAMES[known.value]}, of unknown length"
    no_win = f"no win within {TOP - high - 1} plies" if high > 0 else "no win"
    no_loss = f"no loss within {TOP + low - 1} plies" if low < 0 else "no loss"
    return f"{OPEN}{no_win}, {no_loss}"
