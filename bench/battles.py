"""Measures battles: random against random at tic-tac-toe, compared with a hand-written loop for this one game.

python bench/battles.py
"""

import random
import time

from perfectplay.arena.battle import battle_of, sum_of, tallies

GAMES = 10_000
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def by_hand(games: int) -> None:
    """The same games with a list of nine marks, as usually written."""
    for _ in range(games):
        board, side = [None] * 9, "X"
        while True:
            free = [square for square in range(9) if board[square] is None]
            if not free:
                break
            board[random.choice(free)] = side
            if any(all(board[square] == side for square in line) for line in LINES):
                break
            side = "O" if side == "X" else "X"


def seconds(work, *arguments) -> float:
    """The minimum time of three runs."""
    times = []
    for _ in range(3):
        begin = time.perf_counter()
        work(*arguments)
        times.append(time.perf_counter() - begin)
    return min(times)


if __name__ == "__main__":
    hand = seconds(by_hand, GAMES)
    ours = seconds(lambda: sum_of(tallies(battle_of("tic-tac-toe", ("random", "random"), 1, GAMES))))
    print(f"{GAMES:,} games of tic-tac-toe, random against random, one core")
    print(f"  loop by hand   {hand:6.2f} s   1.00")
    print(f"  battle         {ours:6.2f} s   {ours / hand:.2f}   every move judged, dice of its own for every game")
