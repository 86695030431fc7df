"""`compare`: the algorithms of the ladder on one game, what each finds and what it costs."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from perfectplay.commands.kinds import GAME, MOVES, POSITION, Flag, Named, Seconds, Whole
from perfectplay.commands.terminal.arguments import GameLike, Progress, game_of
from perfectplay.commands.verb import Call, on_command_line, verb
from perfectplay.words import BadArgument, BadPosition, Move

if TYPE_CHECKING:
    from perfectplay.commands.compete.comparing import Comparison
    from perfectplay.commands.compete.comparing_cycles import CyclicComparison
    from perfectplay.commands.matches.match import Match
    from perfectplay.commands.matches.playing import Contestant

BOARDS = 1000
"""The boards to draw, unless a number is given."""


@verb(
    "check",
    "compare search algorithms on a game: minimax, alpha-beta, transposition tables",
    "compare tic-tac-toe --position O:.../.X./...",
    "compare tic-tac-toe b2 a1 --with blocks",
    counted="searches",
)
def compare(
    game: Annotated["GameLike | Match", GAME],
    *moves: Annotated[str | Move, MOVES],
    position: Annotated[str | None, POSITION] = None,
    nodes: Annotated[int, Whole("node limit per search (default: 1,000,000)", 1)] = 10**6,
    seconds: Annotated[float, Seconds("time limit per search in seconds (default: 20)")] = 20,
    depth: Annotated[
        int | None,
        Whole("search depth in games with cycles (default: a little deeper than the solution)", 0, 10**6),
    ] = None,
    players: Annotated[
        "Sequence[Contestant]",
        Named(
            "compare a player, too: your own function (./bots.py:my_ai), or a name; may be repeated",
            metavar="PLAYER",
            flag="--with",
            repeats=True,
        ),
    ] = (),
    boards: Annotated[int, Whole("number of boards to draw with --show (default: 1000)", metavar="N")] = 0,
    progress: Progress | None = None,
) -> "Comparison | CyclicComparison":
    """What each algorithm from plain minimax to table lookup finds after these moves, its nodes, and its own move.

    `nodes` and `seconds` limit each search. For a game with cycles, the usual fixes for minimax are compared instead,
    up to `depth`. `boards` is the number of canonical positions that to_dict() lists. `players` are compared, too:
    names such as "./bots.py:my_ai", or functions; `seconds` limits each move of a bot in a file of its own.
    """
    from perfectplay.commands.compete.comparing import compared
    from perfectplay.commands.compete.comparing_cycles import Effort
    from perfectplay.commands.matches.match import Match, match_of

    if isinstance(players, str) or callable(players):
        raise BadArgument(f"players={players!r} is one player; write a list, [{players!r}]")
    match = match_of(game if isinstance(game, Match) else game_of(game), moves, position)
    if match.is_over:
        raise BadPosition(f"position {match.text()}: the game is over, nothing to compare")
    return compared(match, Effort(nodes, seconds), depth, players, boards, progress)


@on_command_line("compare")
def show(
    call: Call,
    *,
    draw: Annotated[bool, Flag("draw the positions in the cache, one per symmetry class", flag="--show")] = False,
) -> int:
    """Prints what each algorithm finds; where play can repeat for ever, what the usual repairs find instead."""
    from perfectplay.commands.compete.comparing import Comparison

    boards = call.options.boards
    if boards and not draw:
        print("perfectplay: --boards has no effect without --show", file=sys.stderr)
    found = call.result(boards=(boards or BOARDS) if draw else 0)
    if call.options.depth is not None and isinstance(found, Comparison):
        print("perfectplay: --depth has no effect in a game without cycles", file=sys.stderr)
    return call.finish(found)
