"""Games written once more as plain programs, with sets and strings, have as many moves and the same value.

A program is a start, and what follows a state: a list of states, or the value of a finished one to the side to move. In
most of them a state is seen by the side to move; in konane and checkers it begins with that side.
"""

from collections import Counter
from itertools import product
from random import Random

import pytest

from perfectplay import load, perft, solve
from perfectplay.bits import bit_numbers
from perfectplay.words import DRAW, LOSS, WIN
from plain_solver import solved
from rings import nightly

NEAR = ((1, 0), (-1, 0), (0, 1), (0, -1))
DIAGONALS = ((-1, -1), (1, -1), (-1, 1), (1, 1))
THREES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
SWAPPED = str.maketrans("xo", "ox")
EMPTY = "." * 9


def board(width, height):
    return frozenset(product(range(width), range(height)))


def domineering(width, height):
    def follow(state):
        free, upright = state
        step = (0, 1) if upright else (1, 0)
        pairs = [{(x, y), (x + step[0], y + step[1])} for x, y in free]
        return [(free - pair, not upright) for pair in pairs if pair <= free] or LOSS

    return (board(width, height), True), follow


def snort(width, height, own=False):
    def follow(state):
        mine, theirs = state
        kept_off = {(x + dx, y + dy) for x, y in (mine if own else theirs) for dx, dy in NEAR}
        free = board(width, height) - mine - theirs
        return [(theirs, mine | {at}) for at in free - kept_off] or LOSS

    return (frozenset(), frozenset()), follow


def frozen(squares):
    return frozenset(squares.items())


def listed(follow):
    """The rules, where a side without moves has lost."""
    return lambda position: [*follow(position)] or LOSS


def konane(width, height):
    full = {(x, y): (x + y) % 2 for x in range(width) for y in range(height)}
    middle = {(x, y) for x in (width // 2, (width - 1) // 2) for y in (height // 2, (height - 1) // 2)}
    corners = {(x, y) for x in (0, width - 1) for y in (0, height - 1)}

    def follow(position):
        side, here = position[0], dict(position[1])
        gaps = [at for at in full if at not in here]
        if len(gaps) < 2:
            near = [(gaps[0][0] + dx, gaps[0][1] + dy) for dx, dy in NEAR] if gaps else corners | middle
            for gone in near:
                if here.get(gone) == side:
                    yield 1 - side, frozen({at: one for at, one in here.items() if at != gone})
            return
        for x, y in [at for at in here if here[at] == side]:
            for dx, dy in NEAR:
                left, here_x, here_y = dict(here), x, y
                while left.get((here_x + dx, here_y + dy)) == 1 - side:
                    to = (here_x + 2 * dx, here_y + 2 * dy)
                    if to not in full or to in left:
                        break
                    del left[here_x + dx, here_y + dy], left[here_x, here_y]
                    left[to] = side
                    here_x, here_y = to
                    yield 1 - side, frozen(left)

    return (0, frozen(full)), listed(follow)


def checkers(width, height, ranks=1):
    dark = {(x, y) for x in range(width) for y in range(height) if (x + y) % 2}
    start = {at: "w" for at in dark if at[1] < ranks} | {at: "b" for at in dark if at[1] >= height - ranks}

    def jumps(here, at):
        kind, (x, y) = here[at], at
        for dx, dy in DIAGONALS:
            over, to = (x + dx, y + dy), (x + 2 * dx, y + 2 * dy)
            ahead = kind.isupper() or dy == (-1 if kind == "b" else 1)
            if ahead and here.get(over, kind).lower() != kind.lower() and to in dark and to not in here:
                yield over, to

    def follow(position):
        side, here, runner = position[0], dict(position[1]), position[2]
        own = [at for at in here if here[at].lower() == "bw"[side]] if runner is None else [runner]
        taking = [(at, over, to) for at in own for over, to in jumps(here, at)]
        for at, over, to in taking or [(one, None, to) for one in own for to in steps(here, one)]:
            after = {one: kind for one, kind in here.items() if one not in (at, over)} | {to: here[at]}
            crowned = here[at].islower() and to[1] == (0 if side == 0 else height - 1)
            after[to] = after[to].upper() if crowned else after[to]
            more = over is not None and not crowned and any(jumps(after, to))
            yield (side, frozen(after), to) if more else (1 - side, frozen(after), None)

    def steps(here, at):
        for dx, dy in DIAGONALS:
            to = (at[0] + dx, at[1] + dy)
            if to in dark and to not in here and (here[at].isupper() or dy == (-1 if here[at] == "b" else 1)):
                yield to

    return (0, frozen(start), None), listed(follow)


def has_three(board, mark):
    return any(all(board[at] == mark for at in three) for three in THREES)


def put(board, at, mark):
    return board[:at] + mark + board[at + 1 :]


def wild(misere):
    def after(board):
        if has_three(board, "X") or has_three(board, "O"):
            return WIN if misere else LOSS
        return [put(board, at, mark) for at in range(9) if board[at] == "." for mark in "XO"] or 0

    return after


def order_and_chaos(board):
    order_moves = board.count(".") % 2 == 1
    if has_three(board, "X") or has_three(board, "O"):
        return WIN if order_moves else LOSS
    return [put(board, at, mark) for at in range(9) if board[at] == "." for mark in "XO"] or (
        LOSS if order_moves else WIN
    )


def notakto(board):
    return WIN if has_three(board, "X") else [put(board, at, "X") for at in range(9) if board[at] == "."]


def pushes(board, size):
    """Takes a row or column as a list, removes a cube at its edge, and puts it back at an end; x moves."""
    across = [[size * y + x for x in range(size)] for y in range(size)]
    found = []
    for line in [*across, *map(list, zip(*across, strict=True))]:
        for i, taken in enumerate(line):
            if board[taken] == "o" or not {taken % size, taken // size} & {0, size - 1}:
                continue
            others = [board[at] for at in line if at != taken]
            for pushed, end in ((["x", *others], 0), ([*others, "x"], size - 1)):
                if end != i:
                    cubes = list(board)
                    for at, cube in zip(line, pushed, strict=True):
                        cubes[at] = cube
                    found.append("".join(cubes).translate(SWAPPED))
    return found


def quixo(board):
    if has_three(board, "o") or has_three(board, "x"):
        return WIN if has_three(board, "x") else LOSS
    return pushes(board, 3)


def popout(columns):
    """Columns as strings from the bottom up, x to move, three in a row on 3 x 3."""
    board = "".join(column.ljust(3, ".") for column in columns)
    if has_three(board, "o") or has_three(board, "x"):
        return LOSS if has_three(board, "o") else WIN
    found = []
    for c, column in enumerate(columns):
        changed = [column + "x"] * (len(column) < 3) + [column[1:]] * column.startswith("x")
        found += [(*columns[:c], new, *columns[c + 1 :]) for new in changed]
    return [tuple(column.translate(SWAPPED) for column in state) for state in found] or 0


def picaria(nomiddle):
    def after(board):
        if has_three(board, "o"):
            return LOSS
        empty = [at for at in range(9) if board[at] == "."]
        if board.count("x") < 3:
            found = [put(board, at, "x") for at in empty if at != 4 or not nomiddle]
        else:
            mine = [at for at in range(9) if board[at] == "x"]
            near = [(a, b) for a in mine for b in empty if abs(a % 3 - b % 3) <= 1 and abs(a // 3 - b // 3) <= 1]
            found = [put(put(board, a, "."), b, "x") for a, b in near]
        return [state.translate(SWAPPED) for state in found]

    return after


def counts(start, follow, plies):
    """How many sequences of moves there are, by their length."""
    found, ways = [1], Counter([start])
    for _ in range(plies):
        ways, before = Counter(), ways
        for state, count in before.items():
            children = follow(state)
            for child in children if isinstance(children, list) else ():
                ways[child] += count
        found.append(ways.total())
    return found


PROGRAMS = {
    "domineering:2,3": domineering(2, 3),
    "domineering:3,3": domineering(3, 3),
    "snort:3,2": snort(3, 2),
    "col:3,2": snort(3, 2, own=True),
    "konane:4,4": konane(4, 4),
    "checkers:4,4": checkers(4, 4),
    "wild:3,3,3": (EMPTY, wild(False)),
    "notakto:1": (EMPTY, notakto),
    "popout:3,3,3": (("", "", ""), popout),
    "picaria:9": (EMPTY, picaria(False)),
    "picaria:9,true": (EMPTY, picaria(True)),
}
LATER = {
    "domineering:4,4": domineering(4, 4),
    "snort:4,2": snort(4, 2),
    "col:4,2": snort(4, 2, own=True),
    "konane:7,2": konane(7, 2),
    "checkers:4,6": checkers(4, 6),
    "checkers:6,4": checkers(6, 4),
    "wild:3,3,3,true": (EMPTY, wild(True)),
    "orderchaos:3,3,3": (EMPTY, order_and_chaos),
    "quixo:3": (EMPTY, quixo),
}


@pytest.mark.parametrize("name", [*PROGRAMS, *nightly(*LATER)])
def test_a_plain_program_has_as_many_sequences_of_moves_and_the_same_value(name):
    start, follow = (PROGRAMS | LATER)[name]
    turns = name.startswith(("konane", "checkers"))
    assert perft(load(name), 5) == counts(start, follow, 5)
    entry = solve(name).header.start
    _, known = solved(start, follow, again=lambda state, child: turns and state[0] == child[0])
    assert known.get(start, (DRAW, entry.distance)) == tuple(entry)


@pytest.mark.parametrize("size", [4, 5])
def test_pushes_of_large_quixo(size):
    game, rng = load(f"quixo:{size}"), Random(size)
    for _ in range(50):
        board = "".join(rng.choice("xo.") for _ in range(size * size))
        mine, theirs = (sum(1 << at for at, cube in enumerate(board) if cube == mark) for mark in "xo")
        after = [game.play(mine, theirs, move) for move in bit_numbers(game.moves(mine, theirs))]
        boards = ["".join(".xo"[(a >> at & 1) + 2 * (b >> at & 1)] for at in range(size * size)) for a, b in after]
        assert sorted(boards) == sorted(pushes(board, size))
