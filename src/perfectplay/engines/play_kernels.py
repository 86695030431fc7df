# mypy: ignore-errors
"""The inner loops of games between imperfect players, over the graph of a solved game.

A player is a noise and a sight: with the probability of its noise it makes any move, else one of those that look best
within its sight. `looks` has a bit for each sight, set on the edges that look best, and `sights` the bit of each player.

Bound by memory: each edge reads the row of its child, a number for each pair of players or for each player.
"""

import numpy as np

from perfectplay.engines.numba_compat import njit

kernel = njit(nogil=True, cache=True, no_cfunc_wrapper=True)
inner = njit(no_cfunc_wrapper=True, no_cpython_wrapper=True)


@kernel
def children_first(start, firsts, children, order):
    """Lists the positions that follow the start, each behind its children; how many, or less than 0 in a cycle.

    Where play has cycles the order is that of a search that does not turn back, and ~count comes back.
    """
    count = firsts.size - 1
    state = np.zeros(count, np.uint8)  # 1 on the path, 2 listed
    at, path = np.empty(count, np.int64), np.empty(count, np.int64)
    depth, listed, cycles = 1, 0, False
    path[0], at[start], state[start] = start, firsts[start], 1
    while depth:
        here = path[depth - 1]
        if at[here] == firsts[here + 1]:
            order[listed], state[here] = here, 2
            listed += 1
            depth -= 1
            continue
        child = children[at[here]]
        at[here] += 1
        if state[child] == 0:
            path[depth], at[child], state[child] = child, firsts[child], 1
            depth += 1
        elif state[child] == 1:
            cycles = True
    return ~listed if cycles else listed


@inner
def weigh(first, last, looks, noises, sights, weights):
    """Fills in the probability of each edge from `first` to `last`: a row an edge, a column a player."""
    for player in range(noises.size):
        bit, liked = sights[player], 0
        for edge in range(first, last):
            liked += looks[edge] >> bit & 1
        random, rest = noises[player] / (last - first), (1.0 - noises[player]) / max(liked, 1)
        for edge in range(first, last):
            weights[edge - first, player] = random + rest * (looks[edge] >> bit & 1)


@kernel
def score_pairs(order, firsts, children, again, looks, noises, sights, weights, passed):
    """Improves what each pair of players scores in each position of this order; returns the greatest change.

    passed[position, i, j] is the score from -1 to 1 of player i, if it has just moved and j is to move. One pass is
    enough if the order has children first and nothing repeats.
    """
    players = noises.size
    found, most = np.empty((players, players)), 0.0
    for here in order:
        first, last = firsts[here], firsts[here + 1]
        if first == last:
            continue
        weigh(first, last, looks, noises, sights, weights)
        found[:] = 0.0
        for edge in range(first, last):
            child = passed[children[edge]]
            for i in range(players):
                weight = weights[edge - first, i]
                if weight != 0.0:
                    if again[edge]:
                        for j in range(players):
                            found[i, j] -= weight * child[j, i]
                    else:
                        for j in range(players):
                            found[i, j] += weight * child[i, j]
        for i in range(players):
            for j in range(players):
                most = max(most, abs(passed[here, j, i] + found[i, j]))
                passed[here, j, i] = -found[i, j]
    return most


@kernel
def visit(order, firsts, children, again, looks, noises, sights, weights, alive, waiting, found, endless):
    """Hands on what waits in each position of this order, between players of equal strength.

    waiting[position, 0 or 1, player] is how often play comes there with either side to move, and waiting[position, 2,
    player] the same without sides, each time counted as often as plies were made before; once handed on it is added
    to `found`. Where a player's games can never end it is not `alive`, and what comes there is added to `endless`.
    One pass is enough if the order has parents first and nothing repeats; else something waits again after it.
    """
    players = noises.size
    come = np.empty((3, players))  # taken out first: a move may lead back to where it is made
    for here in order:
        first, last = firsts[here], firsts[here + 1]
        come[:] = waiting[here]
        waiting[here] = 0.0
        idle = True
        for player in range(players):
            sides = come[0, player] + come[1, player]
            if sides != 0.0:
                if alive[here, player]:
                    idle = False
                    for row in range(3):
                        found[here, row, player] += come[row, player]
                else:
                    endless[player] += sides
                    come[:, player] = 0.0
        if not idle and first < last:
            weigh(first, last, looks, noises, sights, weights)
            for edge in range(first, last):
                child, other = children[edge], 0 if again[edge] else 1
                for player in range(players):
                    weight = weights[edge - first, player]
                    ours, theirs = come[0, player], come[1, player]
                    waiting[child, other, player] += weight * ours
                    waiting[child, 1 - other, player] += weight * theirs
                    waiting[child, 2, player] += weight * (come[2, player] + ours + theirs)
