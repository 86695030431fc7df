# mypy: ignore-errors
"""Monte Carlo tree search in its tree, for any game: which child to try next (UCB1), and what is proven."""

import numpy as np
from numba import njit

# ---- below this line the text is the same for every game ----

kernel = njit(nogil=True, cache=True, no_cfunc_wrapper=True)
OPEN, LOST, DRAWN, WON = 0, 1, 2, 3
"""What is proven of a node, for the side to move there."""
SIZE, CHANCE, STOP = 0, 1, 2
"""Places in `state`: how many nodes there are, the state of the random numbers, and whether to stop at once."""
BOLD = 1.0
"""The weight of exploration."""


@kernel
def thrown(state, most):
    """A number from 0 up to `most`, not included, at random (xorshift)."""
    dice = state[CHANCE]
    dice ^= (dice << 13) & 0x7FFFFFFFFFFFFFFF
    dice ^= dice >> 7
    dice ^= (dice << 17) & 0x7FFFFFFFFFFFFFFF
    state[CHANCE] = dice
    return (dice >> 11) % most


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
def learn(path, length, value, firsts, counts, visits, points, proven):
    """Counts a game for all nodes on its path; it ended with that value for the side to move at the last."""
    for i in range(length, -1, -1):
        node = path[i]
        if i < length and proven[node] == OPEN and proven[path[i + 1]] != OPEN:
            proven[node] = proof(node, firsts, counts, proven)
        if proven[node] != OPEN:
            value = proven[node] - 2
        visits[node] += 1
        points[node] -= value
        value = -value
