"""Retrograde analysis in a few lines, for rules written a second time: states are any values, and turns are whole."""

LOSS, WIN = -1, 1


def solved(start, follow, again=lambda state, child: False):
    """What each state leads to, and {state: (value, turns)} of every state that is won or lost.

    follow(state) is the list of next states, or the value of a finished state to its side to move, 0 for a draw.
    again(state, child) tells that the same side is to move after a move.
    """
    leads, waiting = {}, [start]
    for state in waiting:
        if state not in leads:
            leads[state] = follow(state)
            waiting += leads[state] if isinstance(leads[state], list) else []
    parents, left = {}, {}
    known = {state: (value, 0) for state, value in leads.items() if value in (LOSS, WIN)}
    for state, children in leads.items():
        if not isinstance(children, list):
            continue
        left[state] = len({*children})
        for child in {*children}:
            parents.setdefault(child, []).append(state)
    wave = list(known)
    for child in wave:
        value, turns = known[child]
        for state in parents.get(child, ()):
            here = value if again(state, child) else -value
            left[state] -= here == LOSS
            if state not in known and (here == WIN or left[state] == 0):
                known[state] = (here, turns + 1)
                wave.append(state)
    return leads, known
