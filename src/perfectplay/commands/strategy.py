"""`strategy`: the winning strategy in words, the shortest list of rules that provably keeps the result."""

from typing import TYPE_CHECKING, Annotated

from perfectplay.commands.kinds import FORCE, GAME, SIDE_WORDS, Choice, Named, Seconds
from perfectplay.commands.terminal.arguments import GameLike, Progress, game_of
from perfectplay.commands.verb import Call, on_command_line, verb

if TYPE_CHECKING:
    from perfectplay.commands.learn.strategies import Strategy

SECONDS = 10.0
"""The time of each search."""


@verb(
    "know",
    "find the winning strategy in words: the shortest list of rules that provably works",
    "strategy tic-tac-toe --side second",
    "strategy nim --to nim.html",
    counted="done",
)
def strategy(
    game: Annotated[GameLike, GAME],
    side: Annotated[
        str | None,
        Choice(
            "whose strategy (default: the winner's, and in a draw the first player's)",
            SIDE_WORDS,
            "neither 'first' nor 'second'",
        ),
    ] = None,
    *,
    seconds: Annotated[
        float, Seconds("time limit of each search: near rules, all rules, longer lists (default: 10)")
    ] = SECONDS,
    progress: Progress | None = None,
) -> "Strategy":
    """The shortest list of rules that keeps the result for a side, "first" or "second".

    Without a side, it is that of the winner, and of a drawn game the first. Each of the three searches, for near rules,
    for all rules and for longer lists, ends after so many seconds.
    """
    from perfectplay.commands.learn.strategies import named
    from perfectplay.insight.strategies.strategy_finding import strategy_finding
    from perfectplay.solvers.steps import finished

    number = None if side is None else SIDE_WORDS.index(side)
    return named(finished(strategy_finding(game_of(game), number, seconds), progress))


@on_command_line("strategy")
def show(
    call: Call,
    *,
    to: Annotated[str | None, Named("write the strategy as one HTML page here", metavar="FILE")] = None,
    force: Annotated[bool, FORCE] = False,
) -> int:
    """Finds the strategy, writes the page if one is wanted, and prints it."""
    from perfectplay.commands.learn.strategies import headline
    from perfectplay.rules.outputs import HTML, output_by_ending

    target = None if to is None else output_by_ending(to, [HTML], force)
    found = call.result()
    if target is None:
        return call.finish(found)
    target.write(found.to_html().encode())
    return call.finish(found, f"{to}: {headline(found)}")
