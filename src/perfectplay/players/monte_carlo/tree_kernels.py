# mypy: ignore-errors
"""The inner loop of Monte Carlo tree search: a pattern like `rule_kernels.py`.

A tree grows in arrays: for each node its position, its children, which stand side by side in the order of the legal
moves, how many games went through it, and their points for the side that moved there. A node whose result is proven
says so: then its parent need not ask again.
"""

import numpy as np

from perfectplay.engines.intrinsics import lowest, ones
from perfectplay.engines.pattern_stubs import MOVES, moves, outcome, play
from perfectplay.players.monte_carlo.ucb import OPEN, SIZE, STOP, best_child, kernel, learn, proof, thrown

# ---- below this line the text is the same for every game ----

LONGEST = 400
"""A random game of more plies is drawn."""


@kernel
def played_out(mine, theirs, state):
    """The outcome of a random game for the side to move at its beginning."""
    for ply in range(LONGEST):
        ended = outcome(mine, theirs)
        if ended != 2:
            return -ended if ply & 1 else ended
        legal = moves(mine, theirs)
        for _ in range(thrown(state, ones(legal))):
            legal &= legal - 1
        mine, theirs = play(mine, theirs, lowest(legal))
    return 0


@kernel
def expand(node, mine, theirs, firsts, counts, proven, state):
    """Gives the node its children; one that ends the game is proven."""
    legal = moves(mine[node], theirs[node])
    firsts[node] = state[SIZE]
    while legal:
        child = state[SIZE]
        mine[child], theirs[child] = play(mine[node], theirs[node], lowest(legal))
        legal &= legal - 1
        ended = outcome(mine[child], theirs[child])
        proven[child] = OPEN if ended == 2 else ended + 2
        state[SIZE] += 1
    counts[node] = state[SIZE] - firsts[node]


@kernel
def grow(rounds, mine, theirs, firsts, counts, visits, points, proven, state):
    """Adds `rounds` random games to the tree; fewer if it is stopped, or if the result is proven."""
    path = np.empty(LONGEST + 2, np.int64)
    for _ in range(rounds):
        if state[STOP] != 0 or proven[0] != OPEN:
            break
        node, length = 0, 0
        path[0] = 0
        while counts[node] and length < LONGEST and proven[node] == OPEN:
            node = best_child(node, firsts, counts, visits, points, proven)
            length += 1
            path[length] = node
        room = state[SIZE] + MOVES < visits.size and length < LONGEST
        if proven[node] == OPEN and room and (visits[node] or length == 0):
            expand(node, mine, theirs, firsts, counts, proven, state)
            proven[node] = proof(node, firsts, counts, proven)
            if proven[node] == OPEN:
                node = best_child(node, firsts, counts, visits, points, proven)
                length += 1
                path[length] = node
        value = played_out(mine[node], theirs[node], state) if proven[node] == OPEN else proven[node] - 2
        learn(path, length, value, firsts, counts, visits, points, proven)
