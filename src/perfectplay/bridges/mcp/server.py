"""`mcp`: a server of the Model Context Protocol on standard input and output."""

import sys
from typing import Annotated, Any

from perfectplay.commands.kinds import Memory, Seconds, enough
from perfectplay.commands.verb import Call, on_command_line, verb
from perfectplay.words import require

INSTRUCTIONS = """Exact answers about two-player games with perfect information.
A game is given by its name (`games` lists them), or as `rules`: the text of a Python file such as this one, in which
three in a row win on any board.

from perfectplay import DRAW, LOSS, ONGOING, Game
from perfectplay.bits import has_run, runs

def game(width=4, height=4):
    full, lines = (1 << width * height) - 1, runs(width, height, 3)
    def moves(mine, theirs):  # bit m is set if move m is legal; here a move is the number of a square
        return full & ~(mine | theirs)
    def play(mine, theirs, move):  # the next position, as the other side sees it
        return theirs, mine | 1 << move
    def outcome(mine, theirs):  # LOSS, DRAW or WIN of the side to move, or ONGOING
        return LOSS if has_run(theirs, lines, 3) else DRAW if mine | theirs == full else ONGOING
    return Game(moves=moves, play=play, outcome=outcome, bits=width * height, shape=(width, height))

A position is two whole numbers of so many bits: `mine` of the side to move, and `theirs`. On a board they are sets of
squares, numbered in reading order: bit 0 is at the top left. Game(start=(mine, theirs)) begins elsewhere than on the
empty board; move_names=[...] names moves that are not squares. With rules, game="mygame:5,4" gives their sizes.
Call `check` first: it says which rule is wrong, and in which position."""


@verb(
    "publish",
    "let a language model ask about games: an MCP server on standard input and output",
    "mcp",
    "mcp --seconds 20 --memory 4G",
    runs_rules=False,
    json=False,
    kept="tables that were solved are kept",
)
def mcp(
    *,
    seconds: Annotated[float, Seconds("time limit of each call (default: 60)")] = 60.0,
    memory: Annotated[int | str, Memory("memory limit of each call (default: 2G)", metavar="SIZE")] = "2G",
) -> int:
    """Answers until standard input ends, each call in a process of its own with these limits; returns the exit code."""
    anyio = require("anyio", "mcp", "an MCP server")
    require("mcp.server.lowlevel", "mcp", "an MCP server")
    from perfectplay.bridges.mcp.answers import serve

    if sys.stdin.isatty():
        print("perfectplay mcp waits for a client on standard input; Ctrl-C ends it", file=sys.stderr)
    try:
        anyio.run(serve, seconds, enough(memory), INSTRUCTIONS)
    except* BrokenPipeError:  # the client has gone
        pass
    return 0


@on_command_line("mcp")
def run(call: Call) -> int:
    """Serves; standard output is the client's."""
    limits: dict[str, Any] = call.arguments()[1]
    return mcp(**limits)
