"""Boards of any size: a flat list of n * n cells, and a class that keeps a tally of every way to win."""


def routes(n):
    rows = [[n * r + c for c in range(n)] for r in range(n)]
    columns = [[n * r + c for r in range(n)] for c in range(n)]
    return [*rows, *columns, [(n + 1) * i for i in range(n)], [(n - 1) * (i + 1) for i in range(n)]]


def flip(player):
    return "O" if player == "X" else "X"


def flattened(board):
    return [cell for row in board for cell in row]


class Grid:
    """A board that knows, for each way to win, how many cells each player has there."""

    def __init__(self, cells):
        self.cells = cells
        self.n = round(len(cells) ** 0.5)
        self.routes = routes(self.n)

    def open_cells(self):
        return [i for i, cell in enumerate(self.cells) if cell is None]

    def fill(self, cell, player):
        cells = self.cells[:]
        cells[cell] = player
        return Grid(cells)

    def tallies(self, player):
        """Cells of the player in each way to win that is still open to it."""
        found = []
        for route in self.routes:
            marks = [self.cells[i] for i in route]
            if flip(player) not in marks:
                found.append(marks.count(player))
        return found

    def winner(self):
        for player in "XO":
            if self.n in self.tallies(player):
                return player
        return None
