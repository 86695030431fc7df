# mypy: ignore-errors
"""The inner loop of a search by random games (Monte Carlo tree search): a pattern like `kernels.py`.

A tree grows in arrays: for each node its position, its children, which stand side by side in the order of the legal
moves, how many games went through it, and their points for the side that moved there. A node whose result is proven
says so: then its parent need not ask again.
"""

import numpy as np
from numba import njit

from perfectplay.engines.machine import lowest, ones
from perfectplay.engines.stand_ins import MOVES, moves, outcome, play

# ---- below this line the text is the same for every game ----

kernel = njit(nogil=True, cache=True)
OPEN, LOST, DRAWN, WON = 0, 1, 2, 3
"""What is proven of a node, for the side to move there."""
SIZE, CHANCE, STOP = 0, 1, 2
"""Places in `state`: how many nodes there are, the state of the dice, and whether to stop at once."""
BOLD = 1.0
"""How much a node that was tried less often is given a chance."""
LONGEST = 400
"""A random game of more plies is drawn."""


@kernel
def thrown(state, most):
    """A number from 0 up to `most`, not included, by chance (xorshift)."""
    dice = state[CHANCE]
    dice ^= (dice << 13) & 0x7FFFFFFFFFFFFFFF
    dice ^= dice >> 7
    dice ^= (dice << 17) & 0x7FFFFFFFFFFFFFFF
    state[CHANCE] = dice
    return (dice >> 11) % most


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
def best_child(node, firsts, counts, visits, points, proven):
    """The child to try next: one not tried yet, else the best by its points and by how seldom it was tried."""
    best, most = firsts[node], -1e9
    known = np.log(visits[node] + 1.0)
    for child in range(firsts[node], firsts[node] + counts[node]):
        if proven[child] == WON:  # for the other side
            liking = -1e6
        elif visits[child] == 0:
            liking = 1e6
        else:
            liking = points[child] / visits[child] + BOLD * np.sqrt(known / visits[child])
        if liking > most:
            best, most = child, liking
    return best


@kernel
def proof(node, firsts, counts, proven):
    """What the node's children prove of it."""
    worst = LOST
    for child in range(firsts[node], firsts[node] + counts[node]):
        if proven[child] == LOST:
            return WON
        if proven[child] == OPEN:
            worst = OPEN
        elif proven[child] == DRAWN and worst == LOST:
            worst = DRAWN
    return worst


@kernel
def grow(rounds, mine, theirs, firsts, counts, visits, points, proven, state):
    """Adds so many random games to the tree, as long as there is room; the games that were played."""
    path = np.empty(LONGEST + 2, np.int64)
    for game in range(rounds):
        if state[STOP] != 0 or proven[0] != OPEN or state[SIZE] + MOVES >= visits.size:
            return game
        node, length = 0, 0
        path[0] = 0
        while counts[node] and length < LONGEST and proven[node] == OPEN:
            node = best_child(node, firsts, counts, visits, points, proven)
            length += 1
            path[length] = node
        if proven[node] == OPEN and visits[node] and not counts[node]:
            expand(node, mine, theirs, firsts, counts, proven, state)
            proven[node] = proof(node, firsts, counts, proven)
            if proven[node] == OPEN:
                node = best_child(node, firsts, counts, visits, points, proven)
                length += 1
                path[length] = node
        value = played_out(mine[node], theirs[node], state) if proven[node] == OPEN else proven[node] - 2
        for i in range(length, -1, -1):
            here = path[i]
            if counts[here] and proven[here] == OPEN:
                proven[here] = proof(here, firsts, counts, proven)
            if proven[here] != OPEN:
                value = proven[here] - 2
            visits[here] += 1
            points[here] -= value
            value = -value
    return rounds
