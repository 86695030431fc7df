# mypy: ignore-errors
"""Monte Carlo tree search in its tree, for any game: which child to try next (UCB1), and what is proven."""

import numpy as np
from numba import njit

# ---- below this line the text is the same for every game ----

kernel = njit(nogil=True, cache=True, no_cfunc_wrapper=True)
OPEN, LOST, DRAWN, WON = 0, 1, 2, 3
"""What is proven of a node, for the side to move there; `same` is 1 where that side also made the move to it."""
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
def seen_before(child, proven, same):
    """What is proven of a child, for the side that moves to it."""
    return proven[child] if same[child] or proven[child] == OPEN else 4 - proven[child]


@kernel
def best_child(node, firsts, counts, visits, points, proven, same):
    """The child to try next: one not tried yet, else the best by its points and by how seldom it was tried."""
    best, most = firsts[node], -1e9
    known = np.log(visits[node] + 1.0)
    for child in range(firsts[node], firsts[node] + counts[node]):
        if seen_before(child, proven, same) == LOST:
            liking = -1e6
        elif visits[child] == 0:
            liking = 1e6
        else:
            liking = points[child] / visits[child] + BOLD * np.sqrt(known / visits[child])
        if liking > most:
            best, most = child, liking
    return best


@kernel
def proof(node, firsts, counts, proven, same):
    """What the node's children prove of it."""
    best = LOST
    for child in range(firsts[node], firsts[node] + counts[node]):
        seen = seen_before(child, proven, same)
        if seen == WON:
            return WON
        if seen == OPEN:
            best = OPEN
        elif seen == DRAWN and best == LOST:
            best = DRAWN
    return best


@kernel
def learn(path, length, value, firsts, counts, visits, points, proven, same):
    """Counts a game for all nodes on its path; it ended with that value for the side to move at the last."""
    for i in range(length, -1, -1):
        node = path[i]
        if i < length and proven[node] == OPEN and proven[path[i + 1]] != OPEN:
            proven[node] = proof(node, firsts, counts, proven, same)
        if proven[node] != OPEN:
            value = proven[node] - 2
        if not same[node]:
            value = -value
        visits[node] += 1
        points[node] += value
