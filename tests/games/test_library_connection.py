"""Connection games: Hex, Y and Havannah, held to plain definitions on coordinates."""

from random import Random

import pytest

from perfectplay import LOSS, ONGOING, load
from perfectplay.bits import bit_numbers

AROUND = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))


def places(game):
    """The cells of the board as (column, row)."""
    width, height = game.shape
    board = game.moves(0, 0)
    return {(at % width, at // width) for at in range(width * height) if board >> at & 1}


def joined(cells, start):
    """The cells that can be reached from the start by steps to neighbours."""
    found, waiting = {start}, [start]
    for x, y in waiting:
        near = [(x + dx, y + dy) for dx, dy in AROUND if (x + dx, y + dy) in cells - found]
        found.update(near)
        waiting += near
    return found


def chains(cells):
    return [joined(cells, one) for one in cells]


def on_board(game, word):
    return {(at % game.shape[0], at // game.shape[0]) for at in bit_numbers(word)}


def hex_winner(size, stones, axis):
    """Whether stones join both ends of an axis: 0 for left and right, 1 for top and bottom."""
    return any({0, size - 1} <= {cell[axis] for cell in chain} for chain in chains(stones))


def y_winner(size, stones):
    sides = [lambda x, y: y == size - 1, lambda x, y: x == size - 1, lambda x, y: x + y == size - 1]
    return any(all(any(side(*cell) for cell in chain) for side in sides) for chain in chains(stones))


def havannah_winner(cells, stones):
    """Whether there is a bridge, a fork or a ring; inside a ring is a cell that is cut off from the border."""
    degree = {cell: sum((cell[0] + dx, cell[1] + dy) in cells for dx, dy in AROUND) for cell in cells}
    corners, border = ({cell for cell in cells if degree[cell] in few} for few in ((3,), (3, 4)))
    sides = {frozenset(joined(border - corners, cell)) for cell in border - corners}
    for chain in chains(stones):
        if len(chain & corners) > 1 or sum(bool(chain & side) for side in sides) > 2:
            return True
    return any(not joined(cells - stones | {cell}, cell) & border for cell in cells)


@pytest.mark.parametrize("name", ["hex:4", "y:5", "havannah:3"])
def test_a_chain_wins_as_its_definition_says(name):
    game, rng = load(name), Random(1)
    cells, size, family = places(game), game.shape[0], name.partition(":")[0]
    for _ in range(6):
        position, side = game.start, 0
        while game.outcome(*position) == ONGOING:
            position = game.play(*position, rng.choice(bit_numbers(game.moves(*position))))
            stones, side = on_board(game, position[1]), 1 - side
            if family == "hex":
                won = hex_winner(size, stones, side)
            else:
                won = y_winner(size, stones) if family == "y" else havannah_winner(cells, stones)
            assert (game.outcome(*position) == LOSS) is won
