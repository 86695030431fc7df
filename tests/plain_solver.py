"""Retrograde analysis in a few lines, for rules written a second time: states are any values, and turns are whole."""

from collections import Counter

LOSS, WIN = -1, 1


def solved(start, follow):
    """{state: (value, turns)} of every state that can be reached; endless draws are left out.

    follow(state) is the list of next states, seen by the other side, or the value of a finished state.
    """
    leads, waiting = {}, [start]
    for state in waiting:
        if state not in leads:
            leads[state] = follow(state)
            waiting += leads[state] if isinstance(leads[state], list) else []
    parents, left = {}, {}
    known = {state: (value, 0) for state, value in leads.items() if isinstance(value, int)}
    for state in leads.keys() - known.keys():
        left[state] = len({*leads[state]})
        for child in {*leads[state]}:
            parents.setdefault(child, []).append(state)
    wave = list(known)
    for child in wave:
        value, turns = known[child]
        for state in parents.get(child, ()):
            left[state] -= 1
            if state not in known and (value == LOSS or left[state] == 0):
                known[state] = (-value, turns + 1)
                wave.append(state)
    return leads, known


def counts(leads, known):
    """How many states are won, lost and endless draws."""
    found = Counter(value for value, _ in known.values())
    return found[WIN], found[LOSS], len(leads) - len(known)
