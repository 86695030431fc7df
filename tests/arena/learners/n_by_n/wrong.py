"""Looks two moves ahead for the outcome and counts ways to win as a tie-break, which is right almost everywhere."""

from grid import Grid, flattened, flip

DEPTH = 2
WIN = 10**6


class ComputerPlayer:
    def __init__(self, mark):
        self.mark = mark

    def traverse(self, grid, depth, player):
        outcomes = []
        for cell in grid.open_cells():
            outcomes.append((self.dig(grid.fill(cell, player), depth - 1, flip(player))[0], cell))
        best = max if player == self.mark else min
        return best(outcomes)

    def dig(self, grid, depth, player):
        winner = grid.winner()
        if winner is None and depth > 0 and grid.open_cells():
            return self.traverse(grid, depth, player)
        flag = 0
        if winner is not None:
            flag = WIN + depth if winner == self.mark else -WIN - depth
        return (flag, self.difference(grid)), None

    def difference(self, grid):
        return self.chances(grid, self.mark) - self.chances(grid, flip(self.mark))

    def chances(self, grid, player):
        tallies = grid.tallies(player)
        closest = max(tallies, default=0)
        return closest * tallies.count(closest)


def ai(board, side):
    grid = Grid(flattened(board))
    return divmod(ComputerPlayer(side).traverse(grid, DEPTH, side)[1], grid.n)
