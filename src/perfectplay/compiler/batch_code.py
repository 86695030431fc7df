"""The rules of a game, compiled into the loops of a batch of games, for the CPU or for a GPU."""

from typing import Any

from perfectplay.compiler.byte_vectors import vector_width
from perfectplay.compiler.compilable import check_compiles, count_moves
from perfectplay.compiler.compiled import CPU, HEAD, NO_RULES, SHORT, RuleSet, Way, load_pattern, rule_set
from perfectplay.game import Game

RULES = ("moves", "play", "outcome", "again", "margin", "tier")
"""The functions that a batch may call; of `tier` the loops only ask if there is one."""
VECTORS = CPU._replace(head=f"{HEAD}from perfectplay.compiler.byte_vectors import spread\n\n")
"""The way to compile loops that write sixteen bytes at once."""
WORDS = ("mine", "theirs", "moves", "final_mine", "final_theirs", "margins")
SMALL = ("side", "results", "rewards", "done", "truncated", "final_side")
TALLIES = ("first", "drawn", "second", "truncated", "plies", "margin")
"""The rows of a batch's arrays, and what it counts, in the order of `batch_rules.py`."""


def batch_rules(game: Game) -> RuleSet:
    """The rules to compile, with guards that check their results."""
    check_compiles(game)
    rules = rule_set(game, checked=True, turns=True)
    functions = {name: rules.functions[name] for name in RULES}
    return rules._replace(functions=functions, contracts={name: rules.contracts[name] for name in RULES})


def load_batch(game: Game, planes: int, loops: str = "compiler/kernels/batch_kernels", way: Way | None = None) -> Any:
    """The loops of this pattern file for a game whose planes have so many entries; on the CPU if no way is given."""
    mine, theirs = game.start
    facts = (count_moves(game), planes, mine, theirs, game.moves(mine, theirs))
    constants = f"MOVES, PLANES, START_MINE, START_THEIRS, START_MOVES = {facts}\n"
    patterns = ["compiler/kernels/default_turns", "compiler/batch_rules", loops]
    return load_pattern(patterns, batch_rules(game), constants, way or CPU._replace(longest_tuple=SHORT))


def load_planes(masks: list[int], values: list[int]) -> Any:
    """The loop that writes planes with these masks and values in vectors of bytes; None if they do not allow it."""
    if not vector_width(masks):  # type: ignore[no-untyped-call]
        return None
    constants = f"MASKS, VALUES = {tuple(masks)}, {tuple(values)}\n"
    return load_pattern(["compiler/kernels/plane_kernels"], NO_RULES, constants, VECTORS).write_planes
