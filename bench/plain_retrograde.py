"""Tactic-toe solved in plain Python without the package: the baseline of the benchmark.

A position is (mine, theirs): the squares of each side, oldest first. All 73,450 positions, no symmetry.
"""

LINES = [{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}]


def children(position):
    """The positions one ply later, seen by the other side; none once the other side has its line."""
    mine, theirs = position
    if set(theirs) in LINES:
        return []
    return [(theirs, (*mine, square)[-3:]) for square in range(9) if square not in mine and square not in theirs]


def solve():
    """For each position (value, distance): -1 lost, 1 won, 0 an endless draw."""
    start = ((), ())
    below, above, waiting = {}, {start: []}, [start]
    for position in waiting:
        below[position] = children(position)
        for child in below[position]:
            if child not in above:
                above[child] = []
                waiting.append(child)
            above[child].append(position)
    entries = {position: (-1, 0) for position in waiting if set(position[1]) in LINES}
    undecided = {position: len(moves) for position, moves in below.items()}
    ends = list(entries)
    for position in ends:
        value, distance = entries[position]
        for parent in above[position]:
            if parent in entries:
                continue
            undecided[parent] -= 1
            if value == -1 or undecided[parent] == 0:
                entries[parent] = (-value, distance + 1)
                ends.append(parent)
    return {position: entries.get(position, (0, None)) for position in waiting}


if __name__ == "__main__":
    found = solve()
    print(len(found), found[(), ()])
