"""`perfectplay tree`: the search tree of an algorithm, as text or drawn."""

import json
from argparse import Namespace

from perfectplay.commands.learn.trees import SearchTree, tree
from perfectplay.commands.terminal.streams import show
from perfectplay.insight.trees.tree_words import counts
from perfectplay.rules.loading import load_game
from perfectplay.rules.outputs import HTML, SVG, output_by_ending
from perfectplay.words import BadArgument, TooBig

PRINTED = 200
"""The most nodes of a tree that is printed: some screens."""
DRAWINGS = {SVG: SearchTree.to_svg, HTML: SearchTree.to_html}
"""The kinds of drawings."""


def show_tree(options: Namespace) -> int:
    """Prints the tree, or writes a drawing of it."""
    target = None if options.to is None else output_by_ending(options.to, [*DRAWINGS], options.force)
    found = tree(
        None if options.game is None else load_game(options.game),
        *options.moves,
        position=options.position,
        algorithm=options.algorithm,
        depth=options.depth,
        leaves=None if options.leaves is None else numbers_in(options.leaves),
        branching=options.branching,
        minimise=options.minimise,
    )
    if target is not None:
        target.write(DRAWINGS[target.kind](found).encode())
    if options.json:
        print(json.dumps(found.to_dict()))
    elif options.to is not None:
        print(f"{options.to}: {counts(found)}")
    else:
        count = len(found.nodes)
        if count > PRINTED:
            instead = "write --to tree.html, play more moves first, or set a smaller --depth"
            raise TooBig(f"the tree has {count:,} nodes, too many to print (at most {PRINTED}); {instead}")
        show(found.document())
    return 0


def numbers_in(text: str) -> list[float]:
    """The numbers in a text such as 3,5,6,9; raises BadArgument."""
    try:
        return [float(part) if "." in part else int(part) for part in text.split(",")]
    except ValueError:
        raise BadArgument(f"--leaves {text!r} is not a list of numbers, such as 3,5,6,9,1,2,0,-1") from None
