"""Quixo: take a cube from the edge, turn it to your mark and push it back in at another end; a full row wins."""

from perfectplay.bits import has_run, runs, turns_and_mirrors
from perfectplay.game import Game, Look
from perfectplay.words import LOSS, ONGOING, WIN, BadGame, Position, Sides

RULES = """Take a cube from the edge of the board that is blank or bears your mark, and turn it to your mark.
Push it back into its row or column at another end; the cubes between move up by one.
A full row, column or diagonal of one mark wins for its owner.
Whoever completes one for the opponent loses, even if the same push completes an own one.
A game that never ends is a draw."""
HISTORY = "Invented by Thierry Chapeau in 1995. The usual board of 5 × 5 cubes and smaller ones were solved in 2020."
SOURCE = "S. Tanaka, F. Bonnet, S. Tixeuil, Y. Tamura, *Quixo Is Solved*, 2020"
GROUP = "Rows"
RESULTS = {"3": f"First player wins: {SOURCE}"}
LARGER, REPORTED = {"4": f"First player wins in 21: {SOURCE}"}, {"5": f"Draw: {SOURCE}"}


def game(size: int = 3) -> Game:
    """The game on size x size cubes."""
    if not 2 <= size <= 5:
        raise BadGame(f"size must be 2 to 5, not {size}")
    last, lines = size - 1, runs(size, size, size)
    names: list[str] = []
    # A push: where the cube is taken, where it comes in, the cubes that move, and by how much.
    pushes: list[tuple[int, int, int, int]] = []
    for at in range(size * size):
        x, y = at % size, at // size
        ends = {(x, 0): "up", (x, last): "down", (0, y): "left", (last, y): "right"}
        for (to_x, to_y), way in ends.items():
            if {x, y} & {0, last} and (x, y) != (to_x, to_y):
                step = (1 if to_x > x else -1) if to_y == y else (size if to_y > y else -size)
                to = to_y * size + to_x
                pushes.append((at, to, sum(1 << moved for moved in range(at + step, to + step, step)), step))
                names.append(f"{'abcde'[x]}{y + 1}-{way}")
    sources, put, moving, steps = (tuple(push[i] for push in pushes) for i in range(4))

    def moves(mine: int, theirs: int) -> int:
        legal = 0
        for push in range(len(sources)):
            legal |= (1 - (theirs >> sources[push] & 1)) << push
        return legal

    def pushed(word: int, push: int) -> int:
        moved = word & moving[push]
        moved = moved >> steps[push] if steps[push] > 0 else moved << -steps[push]
        return word & ~moving[push] & ~(1 << sources[push]) | moved

    def play(mine: int, theirs: int, move: int) -> Position:
        return pushed(theirs, move), pushed(mine, move) | 1 << put[move]

    def outcome(mine: int, theirs: int) -> int:
        return WIN if has_run(mine, lines, size) else LOSS if has_run(theirs, lines, size) else ONGOING

    return Game(
        moves=moves,
        play=play,
        outcome=outcome,
        bits=size * size,
        shape=(size, size),
        symmetries=turns_and_mirrors(size, size),
        move_names=names,
        look=Look(title=f"Quixo, {size} × {size}", colours=Sides("red", "blue"), note="a1-down: in at the bottom."),
    )
