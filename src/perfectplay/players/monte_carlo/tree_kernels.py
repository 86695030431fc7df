# mypy: ignore-errors
"""The inner loop of Monte Carlo tree search: a pattern like `rule_kernels.py`.

A tree grows in arrays: for each node its position, its children, which stand side by side in the order of the legal
moves, how many games went through it, and their points for the side that moved there. A node whose result is proven
says so: then its parent need not ask again. In a game for points, a game won is a game won.
"""

import numpy as np

from perfectplay.compiler.intrinsics import lowest, ones
from perfectplay.compiler.narrow_arrays import WORDS, number, put_word, word_at
from perfectplay.compiler.pattern_stubs import MOVES, again, moves, outcome, play
from perfectplay.players.monte_carlo.ucb import OPEN, SIZE, STOP, best_child, kernel, learn, proof, thrown

# ---- below this line the text is the same for every game ----

LONGEST = 400
"""A random game of more plies is drawn."""


@kernel
def never(mine, theirs, move):
    """The sides alternate."""
    return False


again = again or never


@kernel
def played_out(mine, theirs, state):
    """The outcome of a random game for the side to move at its beginning."""
    sign = 1
    for _ in range(LONGEST):
        ended = number(outcome(mine, theirs))
        if ended != 2:
            return sign * ended
        legal = moves(mine, theirs)
        for _ in range(thrown(state, ones(legal))):
            legal &= legal - 1
        move = lowest(legal)
        if not again(mine, theirs, move):
            sign = -sign
        mine, theirs = play(mine, theirs, move)
    return 0


@kernel
def expand(node, mine, theirs, firsts, counts, proven, same, state):
    """Gives the node its children; one that ends the game is proven."""
    here_mine, here_theirs = word_at(mine, WORDS * node), word_at(theirs, WORDS * node)
    legal = moves(here_mine, here_theirs)
    firsts[node] = state[SIZE]
    while legal:
        child, move = state[SIZE], lowest(legal)
        legal &= legal - 1
        next_mine, next_theirs = play(here_mine, here_theirs, move)
        put_word(mine, WORDS * child, next_mine)
        put_word(theirs, WORDS * child, next_theirs)
        ended = number(outcome(next_mine, next_theirs))
        proven[child] = OPEN if ended == 2 else ended + 2
        same[child] = 1 if again(here_mine, here_theirs, move) else 0
        state[SIZE] += 1
    counts[node] = state[SIZE] - firsts[node]


@kernel
def grow(rounds, mine, theirs, firsts, counts, visits, points, proven, same, state):
    """Adds `rounds` random games to the tree; fewer if it is stopped, or if the result is proven."""
    path = np.empty(LONGEST + 2, np.int64)
    for _ in range(rounds):
        if state[STOP] != 0 or proven[0] != OPEN:
            break
        node, length = 0, 0
        path[0] = 0
        while counts[node] and length < LONGEST and proven[node] == OPEN:
            node = best_child(node, firsts, counts, visits, points, proven, same)
            length += 1
            path[length] = node
        room = state[SIZE] + MOVES < visits.size and length < LONGEST
        if proven[node] == OPEN and room and (visits[node] or length == 0):
            expand(node, mine, theirs, firsts, counts, proven, same, state)
            proven[node] = proof(node, firsts, counts, proven, same)
            if proven[node] == OPEN:
                node = best_child(node, firsts, counts, visits, points, proven, same)
                length += 1
                path[length] = node
        value = proven[node] - 2
        if proven[node] == OPEN:
            value = played_out(word_at(mine, WORDS * node), word_at(theirs, WORDS * node), state)
        learn(path, length, value, firsts, counts, visits, points, proven, same)
