"""Positions counted in other ways: the figures of the page of results, ours and those of publications."""

import re
from pathlib import Path

import pytest

from perfectplay import load
from perfectplay.game import legal_moves
from perfectplay.rules.families import load_family

PAGE = Path("docs/reference/results.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| \[(\S+)\]\(games\.md#\w+\) \| ([\d,]+) \| (.+) \| ([\d,]+) \|$", PAGE, re.MULTILINE)
QUICK = 6_000
"""Positions up to which a row is computed by the quick tests."""


def figure(text):
    return int(text.replace(",", ""))


def reached(game):
    """All positions of a game, seen by the side to move."""
    seen, waiting = {game.start}, [game.start]
    for position in waiting:
        fresh = {game.play(*position, move) for move in legal_moves(game, position)} - seen
        seen |= fresh
        waiting += fresh
    return seen


def whole_jumps(game, mine, theirs):
    squares = (game.bits - 1) // 2
    goes_on = mine >> squares & ~mine & (1 << squares) - 1
    return None if goes_on else (mine, theirs)


def whole_turns(game, mine, theirs):
    """In the L game and in isolation the highest bit tells that a move is not complete."""
    return None if mine >> game.bits - 1 else (mine, theirs)


def edges(game, mine, theirs):
    width, height = game.shape
    return mine & (1 << width * height // 2) - 1  # every second square of the drawn board is an edge


def without_steps(game, mine, theirs):
    points = (1 << game.bits - 4) - 1
    return mine & points, theirs & points


def without_stores(game, mine, theirs):
    houses, _ = game.shape
    row = (1 << game.bits // (houses + 1) * houses) - 1
    return mine & row, theirs & row


OTHER = {
    "within a jump": whole_jumps,
    "between": whole_turns,
    "edges alone": edges,
    "steps up or down": without_steps,
    "without the stores": without_stores,
}
"""What is left of a position by another way to count, by words of the page; None if it does not count."""


def with_owners(width, height):
    """Positions of dots and boxes as edges and the boxes of the side to move and of the other one, written plainly."""
    lying = [((x, y), (x + 1, y)) for x in range(width) for y in range(height + 1)]
    lines = lying + [((x, y), (x, y + 1)) for x in range(width + 1) for y in range(height)]
    corners = [{(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)} for x in range(width) for y in range(height)]
    sides = [sum(1 << i for i, line in enumerate(lines) if {*line} <= box) for box in corners]
    seen = {(0, 0, 0)}
    waiting = [*seen]
    for drawn, mine, theirs in waiting:
        for line in range(len(lines)):
            now = drawn | 1 << line
            closed = sum(1 << i for i, box in enumerate(sides) if box & ~now == 0 and box & ~drawn)
            following = (now, mine | closed, theirs) if closed else (now, theirs, mine)
            if now != drawn and following not in seen:
                seen.add(following)
                waiting.append(following)
    return len(seen)


def test_every_row_is_of_a_known_way():
    assert len(ROWS) == 15
    for name, here, way, _ in ROWS:
        assert "owner" in way or name == "morris:6" or any(words in way for words in OTHER)
        assert re.search(rf"^\| `{name.removesuffix(':')}` \| [^|]+ \| {here} \|", PAGE, re.MULTILINE)


@pytest.mark.parametrize(
    ("name", "here", "way", "then"),
    [
        pytest.param(*row, marks=[pytest.mark.nightly] if figure(row[1]) > QUICK else [])
        for row in ROWS
        if row[0] != "morris:6"
    ],
)
def test_both_figures_are_computed(name, here, way, then):
    game = load(name)
    positions = reached(game)
    assert len(positions) == figure(here)
    if "owner" in way:
        assert with_owners(*map(int, name.partition(":")[2].split(","))) == figure(then)
        return
    other = next(what for words, what in OTHER.items() if words in way)
    assert len({other(game, *position) for position in positions} - {None}) == figure(then)
    if left_out := re.search(r"without the ([\d,]+)", way):
        assert figure(here) - figure(left_out[1]) == figure(then)


@pytest.mark.nightly
def test_six_mens_morris_as_published():
    """Every class with each side that can be to move on it, as keys of compiled rules, and how many images it has."""
    import numpy as np
    from numba import njit

    from perfectplay.compiler.compiled import load_kernels
    from perfectplay.solvers.engine import cores
    from perfectplay.solvers.memory import cyclic
    from perfectplay.solvers.memory.expansion import children_by_mover, start_keys
    from perfectplay.solvers.thread_pool import ThreadPool

    game = load("morris:6")
    kernels, pool = load_kernels(game), ThreadPool(cores())
    newest = start_keys(game, symmetric=True)
    sides = (cyclic.Reached(newest, newest), cyclic.Reached(newest[:0], newest[:0]))
    while any(side.frontier.size for side in sides):
        children = [children_by_mover(kernels, pool, side.frontier) for side in sides]
        for side in (0, 1):
            cyclic.add(sides[side], cyclic.united(pool, children[1 - side].other, children[side].same))
    rules, removes = kernels.module, 1 << game.bits - 1
    unkey, image, images = rules.unkey, rules.image, int(rules.IMAGES)

    @njit
    def positions(keys, left_out):
        found = 0
        for key in keys:
            mine, theirs = unkey(np.int64(key))
            same = 0
            for i in range(images):
                same += image(mine, theirs, i) == (mine, theirs)
            found += 0 if mine & left_out else images // same
        return found

    first, second = (side.known for side in sides)
    together = np.union1d(first, second)
    count, folded = positions(together, 0), positions(together, removes)
    apart = positions(first, removes) + positions(second, removes)
    rows = {way: (figure(here), figure(then)) for name, here, way, then in ROWS if name == "morris:6"}
    assert [*rows.values()] == [(count, folded), (count, apart)]
    figures = {f"{count:,}" for count in (count, folded, apart, count - folded)}
    assert figures - {*re.findall(r"[\d,]*\d", " ".join(load_family("morris").HISTORY.split()))} == set()
    assert f"without the {count - folded:,} before a removal" in rows
