"""Games of blocking: the rules agree with a second, plain version of them, and with what has been published."""

from itertools import combinations, product

import pytest

import perfectplay
from perfectplay.game import turn_levels
from perfectplay.words import LOSS, ONGOING, WIN
from plain_solver import counts, solved

NEAR = ((1, 0), (-1, 0), (0, 1), (0, -1))


def our_value(name):
    """The value of the start, and its distance in plies; None if best play never ends."""
    start = perfectplay.analyse(name).entry
    return (start.value, start.distance) if start.distance is not None else None


def around(square, steps=NEAR):
    return {(square[0] + dx, square[1] + dy) for dx, dy in steps}


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
        kept_off = mine if own else theirs
        free = board(width, height) - mine - theirs
        return [(theirs, mine | {at}) for at in free if not around(at) & kept_off] or LOSS

    return (frozenset(), frozenset()), follow


def isolation(width, height):
    king = [(dx, dy) for dx, dy in product((-1, 0, 1), repeat=2) if dx or dy]
    mine, theirs = ((width - 1) // 2, height - 1), (width - 1 - (width - 1) // 2, 0)

    def follow(state):
        pawn, foe, there = state
        steps = (around(pawn, king) & there) - {foe}
        tiles = {step: there - {step, foe, mine, theirs} for step in steps}
        return [(foe, step, there - {tile}) for step in steps for tile in tiles[step] or {None}] or LOSS

    return (mine, theirs, board(width, height)), follow


def dodgem(size):
    """Cars of the side to move, those of the other side, and whether the side to move drives to the right."""

    def follow(state):
        mine, theirs, right = state
        if not theirs:
            return LOSS
        ways = ((1, 0), (0, 1), (0, -1)) if right else ((0, -1), (1, 0), (-1, 0))
        found = []
        for car in mine:
            for number, (dx, dy) in enumerate(ways):
                to = car[0] + dx, car[1] + dy
                if to in board(size, size) - mine - theirs:
                    found.append((theirs, mine - {car} | {to}, not right))
                elif number == 0 and to not in board(size, size):
                    found.append((theirs, mine - {car}, not right))
        return found or WIN

    cars = range(1, size)
    return (frozenset((0, at - 1) for at in cars), frozenset((at, size - 1) for at in cars), True), follow


def slides(lines, start, extra=lambda empty, piece, theirs: True):
    """Move a piece along a line to the one empty point."""
    points = {point for line in lines for point in line}

    def follow(state):
        mine, theirs, first = state
        (empty,) = points - mine - theirs
        movers = [at for at in mine if {at, empty} in lines and extra(empty, at, theirs)]
        return [(theirs, mine - {at} | {empty}, not first) for at in movers] or LOSS

    return start, follow


def mu_torere():
    ring = [{at, (at + 1) % 8} for at in range(8)]
    start = frozenset(range(4)), frozenset(range(4, 8)), True

    def beside_opponent(empty, piece, theirs):
        return empty != "middle" or any({piece, other} in ring for other in theirs)

    return slides([*ring, *({at, "middle"} for at in range(8))], start, beside_opponent)


def pong_hau_ki():
    lines = [{"nw", "sw"}, {"ne", "se"}, {"sw", "se"}, *({corner, "middle"} for corner in ("nw", "ne", "sw", "se"))]
    return slides(lines, (frozenset({"sw", "se"}), frozenset({"nw", "ne"}), True))


TWINS = {
    **{f"domineering:{w},{h}": domineering(w, h) for w, h in ((2, 3), (3, 3), (4, 2))},
    **{f"snort:{w},{h}": snort(w, h) for w, h in ((2, 2), (3, 2))},
    **{f"col:{w},{h}": snort(w, h, own=True) for w, h in ((2, 2), (3, 2))},
    "dodgem:2": dodgem(2),
    "ponghauki": pong_hau_ki(),
}
TWINS_LATER = {
    **{f"domineering:{w},{h}": domineering(w, h) for w, h in ((2, 5), (4, 4))},
    **{f"snort:{w},{h}": snort(w, h) for w, h in ((3, 3), (4, 2))},
    **{f"col:{w},{h}": snort(w, h, own=True) for w, h in ((3, 3), (4, 2))},
    "dodgem:3": dodgem(3),
    "mutorere": mu_torere(),
}


@pytest.mark.parametrize("name", [*TWINS, *(pytest.param(name, marks=pytest.mark.nightly) for name in TWINS_LATER)])
def test_the_same_rules_written_twice(name):
    start, follow = (TWINS | TWINS_LATER)[name]
    leads, known = solved(start, follow)
    assert our_value(name) == known.get(start)
    reached = {(position, side) for level in turn_levels(perfectplay.load(name)) for position, side in level}
    table = perfectplay.solve(name)
    found = [table.lookup(position).value for position, _ in reached]
    sides = 2 if name in ("mutorere", "ponghauki") else 1  # there the twin tells who is to move, and we do not
    if not name.startswith("dodgem"):
        assert [sides * found.count(value) for value in (WIN, LOSS, 0)] == list(counts(leads, known))


@pytest.mark.parametrize(("width", "height"), [(2, 3), pytest.param(2, 4, marks=pytest.mark.nightly)])
def test_isolation_written_twice(width, height):
    start, follow = isolation(width, height)
    value, _ = solved(start, follow)[1][start]
    assert our_value(f"isolation:{width},{height}")[0] == value


def test_mu_torere_as_published():
    """Counted by GamesCrafters, with either side to move: 1,180 positions, 208 won, 128 lost, 844 drawn."""
    leads, known = solved(*mu_torere())
    assert (len(leads), *counts(leads, known)) == (1180, 208, 128, 844)


def test_only_one_position_loses_pong_hau_ki():
    """Up to symmetry there is one position without a move: both pieces stand on the same upright line."""
    leads, _ = solved(*pong_hau_ki())
    stuck = {frozenset(mine) for (mine, theirs, _), following in leads.items() if following == LOSS}
    assert stuck == {frozenset({"nw", "sw"}), frozenset({"ne", "se"})}


def test_col_with_an_even_board_is_won_by_a_half_turn():
    for width, height in ((2, 2), (2, 3), (4, 2)):
        assert our_value(f"col:{width},{height}")[0] == LOSS


def test_snort_with_a_middle_is_won_from_there():
    for width, height in ((1, 3), (3, 3), (5, 1)):
        analysis = perfectplay.analyse(f"snort:{width},{height}")
        assert analysis.value == WIN
        middle = f"{'abc'[width // 2]}{height // 2 + 1}"
        assert next(move for move in analysis.moves if move.move == middle).value == WIN


def word(squares):
    return sum(1 << x + 4 * y for x, y in squares)


def l_positions():
    """The 48 places of an L, and all positions of two Ls and two neutral pieces, as (mine, theirs, neutral)."""
    turns = [(1, 0, 0, 1), (-1, 0, 0, 1), (1, 0, 0, -1), (-1, 0, 0, -1)]
    turns += [(b, a, d, c) for a, b, c, d in turns]
    forms = {
        frozenset((x + a * i + b * j, y + c * i + d * j) for i, j in ((0, 0), (0, 1), (0, 2), (1, 2)))
        for (x, y), (a, b, c, d) in product(board(4, 4), turns)
    }
    forms = [form for form in forms if form <= board(4, 4)]
    pairs = [(mine, theirs) for mine, theirs in product(forms, forms) if not mine & theirs]
    return forms, [(*pair, frozenset(two)) for pair in pairs for two in combinations(board(4, 4).difference(*pair), 2)]


def different(forms):
    """One of each eight places that are turns and mirrors of each other: no two of them are the same for an L."""
    found = set()
    for form in forms:
        if not {*turned(form)} & found:
            found.add(form)
    return found


def turned(form):
    for _ in range(4):
        form = frozenset((3 - y, x) for x, y in form)
        yield form
        yield frozenset((3 - x, y) for x, y in form)


def test_the_l_game_as_published():
    """18,368 positions, 2,296 up to symmetry, of which 15 leave the side to move without a place for its L."""
    game = perfectplay.load("lgame")
    forms, positions = l_positions()
    assert (len(forms), len(positions)) == (48, 18368)
    first = different(forms)
    classes = [one for one in positions if one[0] in first]
    stuck = [one for one in classes if not any(form != one[0] and not form & (one[1] | one[2]) for form in forms)]
    assert (len(classes), len(stuck)) == (2296, 15)
    outcomes = [game.outcome(word(mine) | word(neutral) << 16, word(theirs)) for mine, theirs, neutral in classes]
    assert outcomes == [LOSS if one in stuck else ONGOING for one in classes]


@pytest.mark.nightly
def test_the_l_game_is_lost_in_29_positions():
    """15 are lost at once; in 14 more, every turn lets the other side win."""
    table = perfectplay.solve("lgame")
    forms, positions = l_positions()
    first = different(forms)
    values = [table.lookup((word(a) | word(c) << 16, word(b))).value for a, b, c in positions if a in first]
    assert values.count(LOSS) == 29


def test_dodgem_a_blocked_side_wins():
    assert perfectplay.analyse("dodgem", position="R:.../>../^>.").value == WIN
