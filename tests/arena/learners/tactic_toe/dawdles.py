"""Tactic-toe, solved backwards: a state is decided once, and the first winning move that is found is kept.

Every win leads to a loss that was decided before it, so no win is lost; but the first one found need not be quick.
"""

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
WIN, LOSS = "win", "loss"


class State:
    """A position: the marks of the side to move and those of its opponent, the newest first."""

    def __init__(self, mine=(), theirs=()):
        self.mine, self.theirs = mine, theirs

    @property
    def key(self):
        return self.mine, self.theirs

    def moves(self):
        return [square for square in range(9) if square not in self.mine + self.theirs]

    def after(self, square):
        return State(self.theirs, (square, *self.mine[:2]))

    def is_over(self):
        return any(all(square in self.theirs for square in line) for line in LINES)


class Solver:
    """What is known of every state: its result, and the move to play there."""

    def __init__(self):
        self.children, self.result, self.move = {}, {}, {}
        waiting = [State()]
        while waiting:
            state = waiting.pop()
            if state.key in self.children:
                continue
            after = {} if state.is_over() else {move: state.after(move) for move in state.moves()}
            self.children[state.key] = [(move, child.key) for move, child in after.items()]
            waiting += after.values()
        self.result = {key: LOSS for key, after in self.children.items() if not after}
        while self.improve():
            pass
        for key, after in self.children.items():
            drawn = [move for move, child in after if child not in self.result]
            if key not in self.result:
                self.move[key] = drawn[0]
            elif self.result[key] == LOSS and after:
                self.move[key] = after[0][0]

    def improve(self):
        """Decides what can be decided now; whether there was something."""
        before = len(self.result)
        for key, after in self.children.items():
            if key in self.result:
                continue
            winning = [move for move, child in after if self.result.get(child) == LOSS]
            if winning:
                self.result[key], self.move[key] = WIN, winning[0]
            elif all(self.result.get(child) == WIN for _, child in after):
                self.result[key] = LOSS
        return len(self.result) > before


SOLVER = Solver()


def ai(board, side):
    marks = {"X": [], "O": []}
    for r in range(3):
        for c in range(3):
            if board[r][c]:
                marks[str(board[r][c])].append((board[r][c].life, 3 * r + c))
    order = {name: tuple(square for _, square in sorted(found, reverse=True)) for name, found in marks.items()}
    other = "O" if side == "X" else "X"
    square = SOLVER.move[order[side], order[other]]
    return square // 3, square % 3
