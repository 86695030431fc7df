"""Digs three moves deep wherever it is, also where fewer than three cells are left."""

from grid import Grid, flattened, flip

DEPTH = 3


def traverse(grid, depth, player, mark):
    outcomes = [(dig(grid.fill(cell, player), depth - 1, flip(player), mark), cell) for cell in grid.open_cells()]
    return max(outcomes) if player == mark else min(outcomes)


def dig(grid, depth, player, mark):
    if depth == 0 or grid.winner():
        flag = 0
        if grid.winner():
            flag = 1 + depth if grid.winner() == mark else -1 - depth
        return flag, max(grid.tallies(mark), default=0) - max(grid.tallies(flip(mark)), default=0)
    return traverse(grid, depth, player, mark)[0]


def ai(board, side):
    grid = Grid(flattened(board))
    return divmod(traverse(grid, DEPTH, side, side)[1], grid.n)
