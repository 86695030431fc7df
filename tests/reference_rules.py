"""The same games written a second time, with boards as dictionaries and no cleverness, to hold the rules to.

A twin has `start()`, `moves(state)` -> {move name: next state}, `result(state)` -> None while the game goes on,
else the winning side (0, 1) or "draw", and `picture(state)` -> rows of piece names.
"""

from itertools import product

DIRECTIONS = [(1, 0), (0, 1), (1, 1), (1, -1)]


def in_a_row(squares, k):
    """Whether the set of (column, row) holds k in a row."""
    return any(all((x + i * dx, y + i * dy) in squares for i in range(k)) for x, y in squares for dx, dy in DIRECTIONS)


class Lines:
    def __init__(self, width, height, k, misere=False):
        self.width, self.height, self.k, self.misere = width, height, k, misere

    def start(self):
        return ((), ()), 0

    def moves(self, state):
        (x, o), side = state
        found = {}
        for column, row in product(range(self.width), range(self.height)):
            if (column, row) not in x + o:
                marks = [x, o]
                marks[side] = (*marks[side], (column, row))
                found["abcdefghijklmnopqrst"[column] + str(row + 1)] = (tuple(marks), 1 - side)
        return found

    def result(self, state):
        marks, side = state
        if in_a_row(set(marks[1 - side]), self.k):
            return side if self.misere else 1 - side
        return "draw" if len(marks[0] + marks[1]) == self.width * self.height else None

    def picture(self, state):
        (x, o), _ = state
        return [
            ["X" if (c, r) in x else "O" if (c, r) in o else "." for c in range(self.width)] for r in range(self.height)
        ]


class Drop(Lines):
    def moves(self, state):
        (x, o), side = state
        found = {}
        for column in range(self.width):
            rows = [row for row in range(self.height) if (column, row) not in x + o]
            if rows:
                marks = [x, o]
                marks[side] = (*marks[side], (column, max(rows)))
                found[str(column + 1)] = (tuple(marks), 1 - side)
        return found


class Fading:
    def __init__(self, size, marks):
        self.size, self.marks = size, marks

    def start(self):
        return ((), ()), 0

    def moves(self, state):
        marks, side = state
        found = {}
        for column, row in product(range(self.size), repeat=2):
            if (column, row) not in marks[0] + marks[1]:
                after = list(marks)
                after[side] = (*marks[side], (column, row))[-self.marks :]
                found["abcdefgh"[column] + str(row + 1)] = (tuple(after), 1 - side)
        return found

    def result(self, state):
        marks, side = state
        return 1 - side if in_a_row(set(marks[1 - side]), self.marks) else None

    def picture(self, state):
        marks, _ = state
        board = [["." for _ in range(self.size)] for _ in range(self.size)]
        for letter, own in zip("XO", marks, strict=True):
            for age, (column, row) in enumerate(reversed(own)):
                board[row][column] = f"{letter}{self.marks - age}"
        return board


class Kingpawns:
    """State: ({square: piece}, side); squares are (file 1-4, rank 1-4), White's pieces are capital letters."""

    def __init__(self, pawns=2, promotion=False):
        self.pawns, self.promotion = pawns, promotion

    def start(self):
        pieces = {(2, 1): "K", (3, 4): "k"}
        for file in range(1, self.pawns + 1):
            pieces |= {(file, 2): "P", (5 - file, 3): "p"}
        return tuple(sorted(pieces.items())), 0

    def slides(self, board, square):
        """The squares that a queen on this one sees, the first piece in each direction included."""
        for i, j in product((-1, 0, 1), repeat=2):
            file, rank = square[0] + i, square[1] + j
            while (i or j) and 1 <= file <= 4 and 1 <= rank <= 4:
                yield file, rank
                if (file, rank) in board:
                    break
                file, rank = file + i, rank + j

    def attacks(self, board, side):
        """The squares that a side attacks."""
        found = set()
        for (file, rank), piece in board.items():
            if piece == "Kk"[side]:
                found |= {(file + i, rank + j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j}
            elif piece == "Pp"[side]:
                found |= {(file + i, rank + (1, -1)[side]) for i in (-1, 1)}
            elif piece == "Qq"[side]:
                found |= set(self.slides(board, (file, rank)))
        return found

    def king(self, board, side):
        return next(square for square, piece in board.items() if piece == "Kk"[side])

    def moves(self, state):
        items, side = state
        board = dict(items)
        forward = (1, -1)[side]
        tries = []
        for (file, rank), piece in board.items():
            if piece == "Kk"[side]:
                for i, j in product((-1, 0, 1), repeat=2):
                    target = (file + i, rank + j)
                    if board.get(target, "").isupper() != (side == 0) or target not in board:
                        tries.append(((file, rank), target))
            elif piece == "Pp"[side]:
                if (file, rank + forward) not in board:
                    tries.append(((file, rank), (file, rank + forward)))
                for i in (-1, 1):
                    target = (file + i, rank + forward)
                    if target in board and board[target].isupper() != (side == 0):
                        tries.append(((file, rank), target))
            elif piece == "Qq"[side]:
                for target in self.slides(board, (file, rank)):
                    if target not in board or board[target].isupper() != (side == 0):
                        tries.append(((file, rank), target))
        found = {}
        for origin, target in tries:
            if origin == target or not all(1 <= n <= 4 for n in target):
                continue
            after = dict(board)
            after[target] = after.pop(origin)
            if self.promotion and after[target] in "Pp" and target[1] == (4, 1)[side]:
                after[target] = "Qq"[side]
            if "Kk"[1 - side] in after.values() and self.king(after, side) not in self.attacks(after, 1 - side):
                name = "".join("abcd"[file - 1] + str(rank) for file, rank in (origin, target))
                found[name] = (tuple(sorted(after.items())), 1 - side)
        return found

    def result(self, state):
        items, side = state
        board = dict(items)
        if any(piece == "P" and rank == 4 for (_, rank), piece in items):
            return 0
        if any(piece == "p" and rank == 1 for (_, rank), piece in items):
            return 1
        if len(board) == 2:
            return "draw"
        if self.moves(state):
            return None
        return 1 - side if self.king(board, side) in self.attacks(board, 1 - side) else "draw"

    def picture(self, state):
        board = dict(state[0])
        return [[board.get((file, rank), ".") for file in (1, 2, 3, 4)] for rank in (4, 3, 2, 1)]


TWINS = {
    "tic-tac-toe": Lines(3, 3, 3),
    "misere": Lines(3, 3, 3, misere=True),
    "lines:5,4,4": Lines(5, 4, 4),
    "lines:4,6,3": Lines(4, 6, 3),
    "lines:15,15,5": Lines(15, 15, 5),
    "connect-four": Drop(7, 6, 4),
    "drop:4,4,3": Drop(4, 4, 3),
    "drop:9,8,5": Drop(9, 8, 5),
    "tactic-toe": Fading(3, 3),
    "fading:5,4": Fading(5, 4),
    "kingpawns": Kingpawns(),
    "kingpawns:pawns=4": Kingpawns(4),
    "kingpawns:promotion=true": Kingpawns(2, promotion=True),
    "kingpawns:3,true": Kingpawns(3, promotion=True),
}
