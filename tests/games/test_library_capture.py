"""Games of capture: their rules against plain programs of another kind, and positions that players know.

A plain position is (side, pieces): the pieces as a frozenset of (x, y, kind), y = 0 at the top, and more after it where
the game needs it. A plain program is a function that returns all positions one ply on; a side without any has lost.
"""

import pytest

import perfectplay
from perfectplay import LOSS, ONGOING, WIN, load, perft
from perfectplay.families import load_family
from perfectplay.game import legal_moves
from perfectplay.notation import move_name, parse_position
from perfectplay.page.cards import result_text
from perfectplay.words import DRAW, Entry
from plain_solver import solved

DIAGONALS = [(-1, -1), (1, -1), (-1, 1), (1, 1)]
STRAIGHT = [(0, -1), (-1, 0), (1, 0), (0, 1)]


def board(pieces):
    return {(x, y): kind for x, y, kind in pieces}


def frozen(squares):
    return frozenset((x, y, kind) for (x, y), kind in squares.items())


def hexapawn(width, height, breakthrough=False):
    ranks = 2 if breakthrough else 1
    start = {(x, y): 0 if y >= height - ranks else 1 for x in range(width) for y in range(height)}
    start = {at: side for at, side in start.items() if not ranks <= at[1] < height - ranks}

    def following(position):
        side, here = position[0], board(position[1])
        if any(kind != side and y == (height - 1 if side == 0 else 0) for (x, y), kind in here.items()):
            return
        for (x, y), kind in here.items():
            for dx in (-1, 0, 1) if kind == side else ():
                to = (x + dx, y + (1 if side else -1))
                taken, inside = here.get(to), 0 <= to[0] < width and 0 <= to[1] < height
                if inside and (taken is None if dx == 0 else taken == 1 - side or (taken is None and breakthrough)):
                    yield 1 - side, frozen({at: one for at, one in here.items() if at != (x, y)} | {to: side})

    return (0, frozen(start)), following


def clobber(width, height):
    def following(position):
        side, here = position[0], board(position[1])
        for x, y in [at for at in here if here[at] == side]:
            for dx, dy in STRAIGHT:
                if here.get((x + dx, y + dy)) == 1 - side:
                    after = {at: one for at, one in here.items() if at != (x, y)} | {(x + dx, y + dy): side}
                    yield 1 - side, frozen(after)

    return (0, frozen({(x, y): (x + y) % 2 for x in range(width) for y in range(height)})), following


def konane(width, height):
    full = {(x, y): (x + y) % 2 for x in range(width) for y in range(height)}
    middle = {(x, y) for x in (width // 2, (width - 1) // 2) for y in (height // 2, (height - 1) // 2)}
    corners = {(x, y) for x in (0, width - 1) for y in (0, height - 1)}

    def following(position):
        side, here = position[0], board(position[1])
        gaps = [at for at in full if at not in here]
        if len(gaps) < 2:
            near = [(gaps[0][0] + dx, gaps[0][1] + dy) for dx, dy in STRAIGHT] if gaps else corners | middle
            for gone in near:
                if here.get(gone) == side:
                    yield 1 - side, frozen({at: one for at, one in here.items() if at != gone})
            return
        for x, y in [at for at in here if here[at] == side]:
            for dx, dy in STRAIGHT:
                left, here_x, here_y = dict(here), x, y
                while left.get((here_x + dx, here_y + dy)) == 1 - side:
                    to = (here_x + 2 * dx, here_y + 2 * dy)
                    if to not in full or to in left:
                        break
                    del left[here_x + dx, here_y + dy], left[here_x, here_y]
                    left[to] = side
                    here_x, here_y = to
                    yield 1 - side, frozen(left)

    return (0, frozen(full)), following


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

    def following(position):
        side, here, runner = position[0], board(position[1]), position[2]
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

    return (0, frozen(start), None), following


def fox(size):
    dark = {(x, y) for x in range(size) for y in range(size) if (x + y) % 2}
    start = {at: "hound" for at in dark if at[1] == 0} | {(size // 4 * 2, size - 1): "fox"}

    def following(position):
        side, here = position[0], board(position[1])
        if any(kind == "fox" and y == 0 for (x, y), kind in here.items()):
            return
        for (x, y), kind in here.items():
            for dx, dy in DIAGONALS if kind == ("fox", "hound")[side] else ():
                to = (x + dx, y + dy)
                if to in dark and to not in here and (side == 0 or dy == 1):
                    yield 1 - side, frozen({at: one for at, one in here.items() if at != (x, y)} | {to: kind})

    return (0, frozen(start)), following


ELEVEN = """a2-b1 a2-b2 a2-b3 b1-b2 b2-b3 b1-c1 b1-c2 b2-c2 b3-c2 b3-c3 c1-c2 c2-c3 c1-d1 c2-d1 c2-d2 c2-d3 c3-d3
d1-d2 d2-d3 d1-e2 d2-e2 d3-e2"""


def hare():
    joined = [line.split("-") for line in ELEVEN.split()]
    joined = {(a, b) for one in joined for a, b in (one, one[::-1])}

    def following(position):
        side, hounds, hare, stalls = position
        if side == 0 and hare[0] < min(hounds)[0]:
            return
        if side == 1 and stalls == 10 and any(at == hare and to not in hounds for at, to in joined):
            yield None  # the hare has won
            return
        for at, to in joined:
            if side == 1 and at == hare and to not in hounds:
                yield 0, hounds, to, stalls
            if side == 0 and at in hounds and to not in {*hounds, hare} and to[0] >= at[0]:
                yield 1, hounds - {at} | {to}, hare, stalls + 1 if to[0] == at[0] else 0

    return (0, frozenset({"a2", "b1", "b3"}), "e2", 0), following


def baghchal(tigers, goats, prey):
    points = {(x, y) for x in range(3) for y in range(3)}
    start = dict.fromkeys([(0, 0), (2, 2), (2, 0), (0, 2)][:tigers], "T")

    def ways(at):
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                to = (at[0] + dx, at[1] + dy)
                if to in points and (dx or dy) and (dx * dy == 0 or sum(at) % 2 == 0):
                    yield to, (to[0] + dx, to[1] + dy)

    def following(position):
        side, here, hand = position[0], board(position[1]), position[2]
        if side == 0 and goats - hand - list(here.values()).count("G") >= prey:
            return
        if side == 0 and hand:
            for to in points - here.keys():
                yield 1, frozen(here | {to: "G"}), hand - 1
            return
        for at in [at for at in here if here[at] == "GT"[side]]:
            rest = {one: kind for one, kind in here.items() if one != at}
            for to, beyond in ways(at):
                if to not in here:
                    yield 1 - side, frozen(rest | {to: here[at]}), hand
                elif side == 1 and here[to] == "G" and beyond in points - here.keys():
                    left = {one: kind for one, kind in rest.items() if one != to}
                    yield 0, frozen(left | {beyond: "T"}), hand

    return (0, frozen(start), goats), following


def plain_result(start, following):
    """The entry of the start; a side without moves has lost, None is a position just won."""

    def follow(position):
        children = list(following(position))
        return WIN if children == [None] else children or LOSS

    _, known = solved(start, follow, again=lambda position, child: position[0] == child[0])
    return Entry(*known.get(start, (DRAW, None)))


def plain_counts(start, following, plies):
    """How many sequences of moves there are, by their length."""
    counts, ways = [], {start: 1}
    for _ in range(plies):
        fresh = {}
        for position, count in ways.items():
            for child in following(position):
                if child is not None:
                    fresh[child] = fresh.get(child, 0) + count
        ways = fresh
        counts.append(sum(ways.values()))
    return counts


PLAIN = {
    "hexapawn": (hexapawn(3, 3), 7),
    "breakthrough:2,5": (hexapawn(2, 5, True), 8),
    "breakthrough:3,5": (hexapawn(3, 5, True), 5),
    "clobber:4,3": (clobber(4, 3), 5),
    "konane:4,4": (konane(4, 4), 12),
    "konane:5,4": (konane(5, 4), 6),
    "checkers:4,4": (checkers(4, 4), 12),
    "checkers:6,6,2": (checkers(6, 6, 2), 6),
    "fox:6": (fox(6), 6),
    "hare": (hare(), 6),
    "baghchal": (baghchal(2, 5, 2), 5),
    "baghchal:3,1,3,1": (baghchal(1, 3, 1), 7),
}
PLAIN_LATER = {
    "hexapawn:4,4": (hexapawn(4, 4), 8),
    "clobber:3,3": (clobber(3, 3), 7),
    "konane:7,2": (konane(7, 2), 9),
    "checkers:4,6": (checkers(4, 6), 7),
    "fox:4": (fox(4), 8),
    "baghchal:3,3,5,1": (baghchal(3, 5, 1), 5),
}
LATER = [pytest.param(name, marks=pytest.mark.nightly) for name in PLAIN_LATER]
SOLVED = ["hexapawn", "breakthrough:2,5", "konane:4,4", "checkers:4,4", "baghchal:3,1,3,1"]
SOLVED_LATER = [pytest.param(name, marks=pytest.mark.nightly) for name in ("clobber:4,3", "fox:6", "hare", "baghchal")]


@pytest.mark.parametrize("name", [*PLAIN, *LATER])
def test_a_plain_program_counts_as_many_sequences_of_moves(name):
    (start, following), plies = (PLAIN | PLAIN_LATER)[name]
    assert perft(load(name), plies)[1:] == plain_counts(start, following, plies)


@pytest.mark.parametrize("name", [*SOLVED, *LATER, *SOLVED_LATER])
def test_a_plain_program_finds_the_same_result(name):
    (start, following), _ = (PLAIN | PLAIN_LATER)[name]
    assert perfectplay.solve(name).header.start == plain_result(start, following)


def moves_in(name, text):
    """The names of the legal moves in a position."""
    game = load(name)
    position, side = parse_position(game, text)
    return {move_name(game, position, side, move) for move in legal_moves(game, position)}


def test_breakthrough_takes_diagonally_only():
    assert moves_in("breakthrough:3,5", "W:.../.../.B./.W./...") == {"b2-a3", "b2-c3"}
    assert moves_in("breakthrough:3,5", "W:.../.../B../.W./...") == {"b2xa3", "b2-b3", "b2-c3"}


def test_konane_jumps_go_on_in_the_same_direction():
    assert moves_in("konane:5,4", "B:XO.O./...../...../....O") == {"a1xc1", "a1xe1"}
    assert moves_in("konane:5,4", "B:XO.../..O../...../.....") == {"a1xc1"}


def test_konane_begins_in_the_middle_or_in_a_corner():
    assert moves_in("konane:4,4", "B:XOXO/OXOX/XOXO/OXOX") == {"a1", "b2", "c3", "d4"}
    assert moves_in("konane:4,4", "W:XOXO/O.OX/XOXO/OXOX") == {"b1", "a2", "c2", "b3"}


def test_checkers_must_take_and_go_on():
    assert moves_in("checkers:6,6", "B:....../w...../.b..../....../...w../....b.") == {"e1xc3"}
    game = load("checkers:6,6")
    position, side = parse_position(game, "B:....../..w.../....../..w.../.b..../b.....")
    for expected, more in (("b2xd4", True), ("d4xb6", False)):
        (move,) = legal_moves(game, position)
        assert move_name(game, position, side, move) == expected
        assert game.again(*position, move) is more
        position = game.play(*position, move)
    assert moves_in("checkers:6,6", "W:.B..../....../....../....../....../b.....") == set()


def test_a_new_king_does_not_go_on_taking():
    game = load("checkers:6,6")
    position, side = parse_position(game, "B:....../..w.w./.b..../....../....../......")
    (move,) = legal_moves(game, position)
    assert move_name(game, position, side, move) == "b4xd6"
    assert not game.again(*position, move)


def test_roles_are_told_by_the_pieces():
    assert moves_in("fox:6", "P:.x...x/x...../.F..../....../....../......") == {"b6-c5", "f6-e5"}
    assert moves_in("fox:6", "F:.x...x/x...../.F..../....../....../......") == {"b4-c5", "b4-a3", "b4-c3"}
    assert moves_in("hare", "H:.,.,./x,x,x,H,./.,.,./0") >= {"d2-e2"}


def test_the_hare_wins_when_the_hounds_are_to_move_and_not_when_it_is_trapped():
    game = load("hare")
    for text, outcome in (
        ("P:x,.,./.,H,x,.,./x,.,./3", ONGOING),  # beside the last hounds
        ("P:.,x,./.,H,.,x,./.,x,./3", LOSS),  # to the left of all
        ("H:.,x,./.,H,.,x,./.,x,./3", ONGOING),
        ("H:.,x,./.,H,.,x,./.,x,./10", WIN),
        ("H:.,.,x/.,.,.,x,H/.,.,x/10", LOSS),  # trapped by the tenth step up or down
    ):
        assert game.outcome(*parse_position(game, text)[0]) == outcome
    rules = load_family("hare").RULES
    assert "hounds are to move and it is to the left of all" in rules
    assert "to move, and can, and the last ten" in rules


def test_a_row_of_six_is_the_only_even_row_that_clobber_loses():
    lost = [n for n in range(2, 11, 2) if perfectplay.solve(f"clobber:{n},1").header.value < 0]
    assert lost == [6]
    assert result_text(perfectplay.solve("clobber:6,1").header.start).startswith("Second player wins")
