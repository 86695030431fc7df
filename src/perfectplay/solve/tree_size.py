"""How big is the tree, and has it an end: a forecast before anything walks it."""

from random import Random
from typing import NamedTuple

from perfectplay.game import Game, legal_moves
from perfectplay.notation import show_position
from perfectplay.words import FIRST, Position, TooBig

WALKABLE = 1_000_000
"""The most positions that a plain walk should meet: some seconds. Tic-tac-toe has 549,946."""

COUNTED = 50_000
"""The most moves that the forecast looks at one by one, each position once: a tenth of a second or two."""


BEYOND = 10**60
"""Big enough to stop counting."""


class Cycle(NamedTuple):
    """Two positions of a game without end: from `back` play comes to `last`, and one ply later to `back` again."""

    back: Position
    last: Position
    plies: int
    """From the start to `back`; whether they are odd says which side is to move."""


def check_walkable(game: Game, instead: str) -> None:
    """Refuses a game whose tree is too big to walk or has no end, and says what to use instead."""
    size = counted_tree(game, instead)
    if size is None:
        size = estimated_tree(game)
    if size > WALKABLE:
        tree = f"a tree of {about(size)} positions, counted for each way to get there"
        raise TooBig(f"{game.name} has {tree}: too big for plain minimax, which walks {WALKABLE:,}; use {instead}")


def counted_tree(game: Game, instead: str) -> int | None:
    """The number of positions in the tree, or None if it has too many different ones to count."""
    size = tree_or_cycle(game)
    if isinstance(size, Cycle):
        endless = f"{game.name} can go on for ever, {cycle_text(game, size)}"
        raise TooBig(f"{endless}: plain minimax would never end; use {instead}")
    return size


def cycle_positions(game: Game, cycle: Cycle, side: int = FIRST) -> tuple[str, str]:
    """The two positions as text, when this side is to move at the start."""
    mover = (side + cycle.plies) % 2
    return show_position(game, cycle.back, mover), show_position(game, cycle.last, 1 - mover)


def cycle_text(game: Game, cycle: Cycle, side: int = FIRST) -> str:
    """How play comes back, in words."""
    back, last = cycle_positions(game, cycle, side)
    return f"from {back} to {last} and back"


def tree_or_cycle(game: Game) -> int | Cycle | None:
    """The number of positions in the tree; or a cycle, if there is one; or None if there is too much to look at."""
    sizes: dict[Position, int] = {}
    path = [(game.start, children(game, game.start), 1)]
    on_path = {(game.start, 0): 0}  # with who is to move: the same position with sides exchanged is not yet a cycle
    looked_at = 0
    while path:
        position, waiting, size = path.pop()
        while waiting and waiting[-1] in sizes:
            size += sizes[waiting.pop()]
        if not waiting:
            sizes[position] = size
            del on_path[position, len(path) % 2]
            continue
        child = waiting[-1]
        path.append((position, waiting, size))
        mover = len(path) % 2
        if (child, mover) in on_path:
            return Cycle(child, position, on_path[child, mover])
        on_path[child, mover] = len(path)
        path.append((child, children(game, child), 1))
        looked_at += len(path[-1][1])
        if looked_at > COUNTED:
            return None
    return sizes[game.start]


def children(game: Game, position: Position) -> list[Position]:
    """The positions one ply on."""
    return [game.play(*position, move) for move in legal_moves(game, position)]


def estimated_tree(game: Game, walks: int = 100, longest: int = 10_000) -> int:
    """The expected number of positions in the tree, from random walks (Knuth 1975): exact on average.

    A walk that sees b1, b2, ... legal moves stands for a tree of 1 + b1 + b1 * b2 + ... positions. A walk that goes
    beyond all bounds ends the matter.
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
