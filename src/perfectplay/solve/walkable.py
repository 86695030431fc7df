"""How big is the tree: a forecast before anything walks it."""

from random import Random

from perfectplay.game import Game, legal_moves
from perfectplay.words import Position, TooBig

WALKABLE = 1_000_000
"""The most positions that a plain walk should meet: some seconds. Tic-tac-toe has 549,946."""

COUNTED = 50_000
"""The most moves that the forecast looks at one by one, each position once: a tenth of a second or two."""


BEYOND = 10**60
"""Big enough to stop counting."""


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
    sizes: dict[Position, int] = {}
    path = [(game.start, children(game, game.start), 1)]
    on_path = {game.start}
    looked_at = 0
    while path:
        position, waiting, size = path.pop()
        while waiting and waiting[-1] in sizes:
            size += sizes[waiting.pop()]
        if not waiting:
            sizes[position] = size
            on_path.discard(position)
            continue
        child = waiting[-1]
        if child in on_path:
            raise TooBig(f"{game.name} can go on for ever, so plain minimax would never end; use {instead}")
        path.append((position, waiting, size))
        path.append((child, children(game, child), 1))
        on_path.add(child)
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
