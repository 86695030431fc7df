"""Whether rule functions return the same every time."""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

from perfectplay.compiler.checks.sample_positions import Met, in_any_order
from perfectplay.game import Game, legal_moves
from perfectplay.rules.notation import show_position
from perfectplay.rules.source import hint_functions
from perfectplay.words import ONGOING, Sides

ASKED = 20_000
"""The most calls that are made twice: less than half a second."""


class Call(NamedTuple):
    """A rule function with its arguments, and where it is called."""

    name: str
    rule: Callable[..., Any]
    given: tuple[int, ...]
    met: Met


def same_every_time(game: Game, met: Sequence[Met]) -> str | None:
    """Rule functions return the same whenever they are called with the same arguments."""
    if len(met) > 1 and met[0].position == game.start and game.outcome(*game.start) != ONGOING:
        return differs(game, Call("outcome", game.outcome, game.start, met[0]), ONGOING, game.outcome(*game.start))
    every = (call for one in in_any_order(met) for call in calls_at(game, one))
    calls = list(islice(every, ASKED))
    results = [call.rule(*call.given) for call in calls]
    for call, before in zip(reversed(calls), reversed(results), strict=True):
        now = call.rule(*call.given)
        if now != before:
            return differs(game, call, before, now)
    return None


def differs(game: Game, call: Call, before: object, now: object) -> str:
    """The line for a function that returns something else later."""
    called = f"{call.name}({', '.join(map(str, call.given))}) at {show_position(game, *call.met)}"
    return (
        f"{called} is {before!r} when called first and {now!r} later; rules must depend on their arguments "
        "alone: no random numbers, no clock, nothing that changes between calls"
    )


def calls_at(game: Game, met: Met) -> Iterator[Call]:
    """The calls of rule functions that can be made in a position."""
    position, over = met.position, game.outcome(*met.position) != ONGOING
    names = game.move_names[met.side] if isinstance(game.move_names, Sides) else game.move_names
    hints = hint_functions(game)
    everywhere = {"outcome": game.outcome, "tier": game.tier, "key": game.key}
    by_position = everywhere | ({"margin": game.margin} if over else {"moves": game.moves, **hints, "order": None})
    by_move = {"play": game.play, "again": game.again, "order": hints.get("order")}
    by_move |= {"move_names": names if callable(names) else None}
    for name, rule in by_position.items():
        if rule is not None:
            yield Call(name, rule, position, met)
    for move in legal_moves(game, position):
        for name, rule in by_move.items():
            if rule is not None:
                yield Call(name, rule, (*position, move), met)
