"""The size of a game tree, and whether it is finite: a forecast before a search walks it."""

from random import Random
from typing import NamedTuple

from perfectplay.game import Game, after, legal_moves
from perfectplay.rules.notation import show_position
from perfectplay.words import FIRST, Position, TooBig, Turn

WALKABLE = 1_000_000
"""The most positions that plain minimax should visit: a few seconds. Tic-tac-toe has 549,946."""

COUNTED = 50_000
"""The most moves that the forecast examines one by one, each position once: up to 0.2 seconds."""


BEYOND = 10**60
"""Large enough to stop counting."""


class Cycle(NamedTuple):
    """A cycle: play leads from `back` to `last`, and one ply later to `back` again; FIRST moves at the start."""

    back: Turn
    last: Turn


def check_walkable(game: Game, instead: str) -> None:
    """Raises TooBig, with what to use instead, if the game tree is too large or infinite."""
    size = count_tree(game, instead)
    if size is None:
        size = estimate_tree(game)
    if size > WALKABLE:
        tree = f"a game tree of {about(size)} nodes"
        raise TooBig(f"{game.name} has {tree}, too large for plain minimax (at most {WALKABLE:,}); use {instead}")


def count_tree(game: Game, instead: str) -> int | None:
    """The number of nodes of the tree, or None if there are too many positions to count."""
    size = tree_or_cycle(game)
    if isinstance(size, Cycle):
        endless = f"{game.name} has cycles, {cycle_text(game, size)}"
        raise TooBig(f"{endless}: plain minimax would never end; use {instead}")
    return size


def cycle_positions(game: Game, cycle: Cycle, side: int = FIRST) -> tuple[str, str]:
    """The two positions as text, where `side` moves first."""
    (back, first), (last, second) = cycle
    return show_position(game, back, first ^ side), show_position(game, last, second ^ side)


def cycle_text(game: Game, cycle: Cycle, side: int = FIRST) -> str:
    """The cycle in words."""
    back, last = cycle_positions(game, cycle, side)
    return f"from {back} to {last} and back"


def tree_or_cycle(game: Game) -> int | Cycle | None:
    """The number of nodes of the tree; or a cycle, if there is one; or None if there are too many moves to examine."""
    sizes: dict[Position, int] = {}
    start: Turn = game.start, FIRST
    path = [(start, child_turns(game, start), 1)]
    on_path = {start}  # with the side to move: the same position with sides exchanged is no cycle yet
    count = 0
    while path:
        turn, waiting, size = path.pop()
        while waiting and waiting[-1][0] in sizes:
            size += sizes[waiting.pop()[0]]
        if not waiting:
            sizes[turn[0]] = size
            on_path.remove(turn)
            continue
        child = waiting[-1]
        path.append((turn, waiting, size))
        if child in on_path:
            return Cycle(child, turn)
        on_path.add(child)
        path.append((child, child_turns(game, child), 1))
        count += len(path[-1][1])
        if count > COUNTED:
            return None
    return sizes[game.start]


def child_turns(game: Game, turn: Turn) -> list[Turn]:
    """The positions one ply later, each with the side to move."""
    return [after(game, *turn, move) for move in legal_moves(game, turn[0])]


def estimate_tree(game: Game, walks: int = 100, longest: int = 10_000) -> int:
    """The estimated number of nodes of the tree, from random walks (Knuth 1975); the estimate is unbiased.

    A walk that sees b1, b2, ... legal moves stands for a tree of 1 + b1 + b1 * b2 + ... nodes. A walk beyond the
    limit ends the estimate.
    """
    rng = Random(1)
    total = 0
    for _ in range(walks):
        position, width = game.start, 1
        for _ in range(longest):
            total += width
            if width > BEYOND:
                return BEYOND
            legal = legal_moves(game, position)
            if not legal:
                break
            width *= len(legal)
            position = game.play(*position, rng.choice(legal))
    return total // walks


def about(size: int) -> str:
    """The size in words: 549,946 or about 10^21."""
    if size < 10**7:
        return f"{size:,}"
    return f"{'over' if size >= BEYOND else 'about'} 10^{len(str(size)) - 1}"
