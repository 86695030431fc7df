"""`tree`: the search tree of an algorithm, as text or drawn."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from perfectplay.commands.kinds import FORCE, MOVES, POSITION, Choice, Flag, Kind, Named, Whole
from perfectplay.commands.terminal.arguments import GameLike, game_of
from perfectplay.commands.verb import Call, on_command_line, verb
from perfectplay.words import BadArgument, Move, TooBig

if TYPE_CHECKING:
    from perfectplay.commands.learn.trees import SearchTree
    from perfectplay.commands.matches.match import Match

ALGORITHMS = ("minimax", "alpha-beta", "cache", "symmetry", "flags", "table")
PRINTED = 200
"""The most nodes of a tree that is printed: some screens."""


@dataclass(frozen=True)
class Numbers(Kind):
    """Numbers, apart by commas on the command line."""

    def read(self, text: str) -> list[float]:
        """The numbers in a text such as 3,5,6,9; raises BadArgument."""
        try:
            return [float(part) if "." in part else int(part) for part in text.split(",")]
        except ValueError:
            raise BadArgument(f"{text!r} is not a list of numbers, such as 3,5,6,9,1,2,0,-1") from None

    def schema(self) -> dict[str, object]:
        """A list of numbers."""
        return {"type": "array", "items": {"type": "number"}}


@verb(
    "check",
    "draw the search tree of an algorithm: boards, scores, cut branches, cache hits",
    "tree tic-tac-toe --position O:X.X/OO./X.. --algorithm alpha-beta --to tree.html",
    "tree --leaves 3,5,6,9,1,2,0,-1 --algorithm alpha-beta",
    kept="nothing is written",
    waits="searching the tree",
)
def tree(
    game: Annotated[
        "GameLike | Match | None",
        Named("a game's name or file; none for a tree of numbers (--leaves)", metavar="GAME", argument=True),
    ] = None,
    *moves: Annotated[str | Move, MOVES],
    position: Annotated[str | None, POSITION] = None,
    algorithm: Annotated[
        str,
        Choice("the algorithm to watch (default: minimax)", ALGORITHMS),
    ] = "minimax",
    depth: Annotated[int | None, Whole("depth limit in plies (default: to the end)", 1, 10**6)] = None,
    leaves: Annotated[
        Iterable[float] | None,
        Numbers("a tree of numbers: those at its leaves, such as 3,5,-1,9", metavar="N,N,...", rare=True),
    ] = None,
    branching: Annotated[
        int, Whole("in a tree of numbers: children of each other node (default: 2)", 2, 100, rare=True)
    ] = 2,
    minimise: Annotated[
        bool, Flag("in a tree of numbers: the root takes the least (default: the greatest)", rare=True)
    ] = False,
) -> "SearchTree":
    """The tree that an algorithm searches from a position, down to `depth` plies.

    The algorithms are "minimax", "alpha-beta", "cache", "symmetry", "flags" and "table", as in compare(). Without a
    game, `leaves` are the numbers at the leaves of a tree in which every other node has `branching` children; the root
    takes the greatest score, or with minimise=True the least.
    """
    from perfectplay.commands.learn.trees import tree_of_game, tree_of_numbers
    from perfectplay.commands.matches.match import Match, match_of

    if (game is None) == (leaves is None):
        raise BadArgument("a tree is that of a game, or of numbers, leaves=...; give one of them")
    if leaves is not None:
        if moves or position is not None or depth is not None:
            raise BadArgument("a tree of leaves has no moves, no position and no depth")
        return tree_of_numbers(leaves, branching, minimise, algorithm)
    assert game is not None
    return tree_of_game(match_of(game if isinstance(game, Match) else game_of(game), moves, position), algorithm, depth)


@on_command_line("tree")
def show(
    call: Call,
    *,
    to: Annotated[
        str | None, Named("write a drawing here: .svg or .html (default: print text)", metavar="FILE")
    ] = None,
    force: Annotated[bool, FORCE] = False,
) -> int:
    """Prints the tree, or writes a drawing of it."""
    from perfectplay.insight.trees.tree_words import counts
    from perfectplay.rules.outputs import HTML, SVG, output_by_ending

    target = None if to is None else output_by_ending(to, [SVG, HTML], force)
    found = call.result()
    if target is not None:
        target.write((found.to_svg() if target.kind == SVG else found.to_html()).encode())
        return call.finish(found, f"{to}: {counts(found)}")
    count = len(found.nodes)
    if count > PRINTED and not call.options.json:
        instead = "write --to tree.html, play more moves first, or set a smaller --depth"
        raise TooBig(f"the tree has {count:,} nodes, too many to print (at most {PRINTED}); {instead}")
    return call.finish(found)
