"""A tic-tac-toe bot in 30 lines: takes a win, blocks a loss, else moves at random.

perfectplay play tic-tac-toe --second "cmd:python3 tictactoe.py"
"""

import random
import sys

SQUARES = ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]
LINES = ["a1 b1 c1", "a2 b2 c2", "a3 b3 c3", "a1 a2 a3", "b1 b2 b3", "c1 c2 c3", "a1 b2 c3", "c1 b2 a3"]


def choose(moves):
    """The square to play, given the moves so far: every second one is mine."""
    free = [square for square in SQUARES if square not in moves]
    mine, theirs = moves[len(moves) % 2 :: 2], moves[(len(moves) + 1) % 2 :: 2]
    for marks in (mine, theirs):  # a line that I complete wins; one that the other side would complete must be blocked
        for square in free:
            if any({*line.split()} <= {square, *marks} for line in LINES if square in line):
                return square
    return random.choice(free)


moves = []
for line in sys.stdin:
    command, *words = line.split() or [""]
    if command == "ugi":
        print("id name tictactoe.py\nid author you\nugiok", flush=True)
    if command == "isready":
        print("readyok", flush=True)
    if command == "position":  # position startpos moves b2 a1 ...
        moves = words[2:]
    if command == "go":
        print("bestmove", choose(moves), flush=True)
    if command == "quit":
        break
