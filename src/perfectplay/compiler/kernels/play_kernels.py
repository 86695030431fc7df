# mypy: ignore-errors
"""The inner loops of games between imperfect players, over the graph of a solved game.

Positions are numbered children first, as far as there are no cycles, so that children lie near their parents. A player
is a noise and a sight: with the probability of its noise it makes any move, else one of those that look best within
its sight. `looks` has a bit for each sight, set on the edges that look best, and `sights` the bit of each player.

Bound by memory: each edge reads or writes the row of its child, a number for each player or for each pair of players.
"""

import numpy as np

from perfectplay.compiler.numba_compat import njit

kernel = njit(nogil=True, cache=True, no_cfunc_wrapper=True)


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


@kernel
def weigh(begin, end, firsts, looks, noises, sights, weights):
    """Fills in the probability of each edge of these positions: a row an edge, from 0 on, a column a player."""
    origin = firsts[begin]
    for here in range(begin, end):
        first, last = firsts[here], firsts[here + 1]
        for player in range(noises.size):
            bit, liked = sights[player], 0
            for edge in range(first, last):
                liked += looks[edge] >> bit & 1
            random, rest = noises[player] / max(last - first, 1), (1.0 - noises[player]) / max(liked, 1)
            for edge in range(first, last):
                weights[edge - origin, player] = random + rest * (looks[edge] >> bit & 1)


@kernel
def meet(begin, end, firsts, children, again, weights, sign, pairs):
    """Improves the numbers of each two players in each of these positions, in ascending order.

    pairs[position, i, j] is a number of player i, if it has just moved and j is to move. It is the mean over the moves
    of j; with the sign -1 a number of j is one of i with the other sign, as scores are, and with 1 it is the same for
    both, as the probability is that a game is undecided.
    """
    players, origin = weights.shape[1], firsts[begin]
    found = np.empty((players, players))
    for here in range(begin, end):
        first, last = firsts[here], firsts[here + 1]
        if first == last:
            continue
        found[:] = 0.0
        for edge in range(first, last):
            child = pairs[children[edge]]
            for i in range(players):
                weight = weights[edge - origin, i]
                if weight != 0.0:
                    if again[edge]:
                        for j in range(players):
                            found[i, j] += sign * weight * child[j, i]
                    else:
                        for j in range(players):
                            found[i, j] += weight * child[i, j]
        for i in range(players):
            for j in range(players):
                if i != j:
                    pairs[here, j, i] = sign * found[i, j]


@kernel
def visit(begin, end, firsts, children, again, weights, alive, waiting, found, endless):
    """Hands on what waits in each of these positions, in descending order, between players of equal strength.

    waiting[position, 0 or 1, player] is how often play comes there with either side to move, and waiting[position, 2,
    player] the same without sides, each time counted as often as plies were made before; once handed on it is added
    to `found`. Where a player's games can never end it is not `alive`, and what comes there is added to `endless`.
    """
    players, origin = weights.shape[1], firsts[begin]
    come = np.empty((3, players))
    for here in range(end - 1, begin - 1, -1):
        idle = True
        for player in range(players):
            for row in range(3):
                come[row, player] = waiting[here, row, player]
                waiting[here, row, player] = 0.0
            if come[0, player] == 0.0 and come[1, player] == 0.0 and come[2, player] == 0.0:
                continue
            if alive[here, player]:
                idle = False
                for row in range(3):
                    found[here, row, player] += come[row, player]
            else:
                endless[player] += come[0, player] + come[1, player]
                come[:, player] = 0.0
        if idle:
            continue
        for edge in range(firsts[here], firsts[here + 1]):
            child, other = children[edge], 0 if again[edge] else 1
            for player in range(players):
                weight = weights[edge - origin, player]
                if weight != 0.0:
                    waiting[child, other, player] += weight * come[0, player]
                    waiting[child, 1 - other, player] += weight * come[1, player]
                    waiting[child, 2, player] += weight * (come[0, player] + come[1, player] + come[2, player])
