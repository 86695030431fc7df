"""The invented game: its 96 small variants follow the rules in prose, and some of them are games of the library."""

from itertools import product
from random import Random

import pytest

import perfectplay
from perfectplay import DRAW, LOSS, ONGOING, WIN, BadGame
from perfectplay.bits import bit_numbers
from perfectplay.game import images, levels
from perfectplay.notation import move_name, parse_position, show_position

VARIANTS = [*product((3, 4), (2, 3, 4), (2, 3), (False, True), (False, True), (False, True))]
SWITCHES = [*product((False, True), repeat=3)]
MOST_PLIES = 60


def invented(*sizes):
    return perfectplay.load(f"examples/invent.py:{','.join(str(size).lower() for size in sizes)}")


class Prose:
    """The rules as the file tells them: the marks of each side are a list of squares (column, row), oldest first."""

    def __init__(self, width, height, k, gravity, fading, misere):
        self.width, self.height, self.k = width, height, k
        self.gravity, self.fading, self.misere = gravity, fading, misere

    def empty(self, marks):
        board = [(column, row) for row in range(self.height) for column in range(self.width)]
        return [square for square in board if square not in marks["X"] + marks["O"]]

    def moves(self, marks):
        empty = self.empty(marks)
        lowest = {column: (column, row) for column, row in empty}  # rows count from the top, so the last one stays
        return sorted(lowest.values() if self.gravity else empty)

    def play(self, marks, side, square):
        placed = [*marks[side], square]
        return {**marks, side: placed[-self.k :] if self.fading else placed}

    def has_row(self, squares):
        for column, row in squares:
            for right, down in ((1, 0), (0, 1), (1, 1), (1, -1)):
                if all((column + n * right, row + n * down) in squares for n in range(self.k)):
                    return True
        return False

    def outcome(self, marks, mover):
        """The outcome for the other side, after a move of the mover."""
        if self.has_row(marks[mover]):
            return WIN if self.misere else LOSS
        return ONGOING if self.empty(marks) else DRAW

    def text(self, marks, side):
        """The position as text, with the own moves until each mark vanishes if marks fade."""
        rows = [["."] * self.width for _ in range(self.height)]
        for owner in "XO":
            for age, (column, row) in enumerate(reversed(marks[owner])):
                rows[row][column] = f"{owner}{self.k - age}" if self.fading else owner
        return f"{side}:{'/'.join(''.join(row) for row in rows)}"


@pytest.mark.parametrize("sizes", VARIANTS)
def test_random_games_follow_the_rules_in_prose(sizes):
    game, prose, rng = invented(*sizes), Prose(*sizes), Random(str(sizes))
    for _ in range(8):
        position, marks, side, other = game.start, {"X": [], "O": []}, "X", "O"
        for ply in range(MOST_PLIES):
            text = prose.text(marks, side)
            assert show_position(game, position, ply % 2) == text
            assert parse_position(game, text) == (position, ply % 2)
            assert game.outcome(*position) == prose.outcome(marks, other)
            if game.outcome(*position) != ONGOING:
                break
            legal = prose.moves(marks)
            assert sorted(divmod(move, prose.width)[::-1] for move in bit_numbers(game.moves(*position))) == legal
            column, row = rng.choice(legal)
            move = row * prose.width + column
            assert move_name(game, position, ply % 2, move) == "abcd"[column] + ("" if prose.gravity else str(row + 1))
            position, marks = game.play(*position, move), prose.play(marks, side, (column, row))
            side, other = other, side


@pytest.mark.parametrize("switches", SWITCHES)
def test_all_positions_of_a_small_board_are_those_of_the_rules_in_prose(switches):
    game, prose = invented(3, 2, 3, *switches), Prose(3, 2, 3, *switches)
    found, waiting = {"X:.../..."}, [({"X": [], "O": []}, "X", "O")]
    while waiting:
        marks, side, other = waiting.pop()
        if prose.outcome(marks, other) != ONGOING:
            continue
        for square in prose.moves(marks):
            after = prose.play(marks, side, square)
            if prose.text(after, other) not in found:
                found.add(prose.text(after, other))
                waiting.append((after, other, side))
    seen = {text.translate({ord("X"): "O", ord("O"): "X"}) if text[0] == "O" else text for text in found}
    # a position is the same with the sides exchanged: each is seen as if X were to move
    assert {show_position(game, position, 0) for level in levels(game) for position in level} == seen


def solution(game):
    """All that a solution counts, and the value, without the name of the game and the time."""
    facts = perfectplay.summarise(game).to_dict()
    return {name: fact for name, fact in facts.items() if name not in ("game", "seconds", "seconds_in_all", "engine")}


@pytest.mark.parametrize(
    ("sizes", "same"),
    [
        ("3,3,3", "lines:3,3,3"),
        ("3,3,3,misere=true", "lines:3,3,3,misere=true"),
        ("4,2,2", "lines:4,2,2"),
        ("3,4,2,misere=true", "lines:3,4,2,misere=true"),
        ("3,3,3,gravity=true", "drop:3,3,3"),
        ("4,3,3,gravity=true", "drop:4,3,3"),
        ("3,2,2,gravity=true", "drop:3,2,2"),
        ("3,3,2,fading=true", "fading:3,2"),
        ("3,3,3,fading=true", "fading:3,3"),
        *(
            pytest.param(*pair, marks=pytest.mark.nightly)
            for pair in [
                ("4,4,2,fading=true", "fading:4,2"),
                ("4,4,3", "lines:4,4,3"),
                ("4,4,3,misere=true", "lines:4,4,3,misere=true"),
                ("4,4,3,gravity=true", "drop:4,4,3"),
                ("4,4,3,fading=true", "fading:4,3"),
            ]
        ),
    ],
)
def test_some_variants_are_games_of_the_library(sizes, same):
    assert solution(f"examples/invent.py:{sizes}") == solution(same)


@pytest.mark.parametrize("sizes", VARIANTS)
def test_a_square_board_has_eight_images_and_gravity_leaves_two(sizes):
    width, height, _, gravity, _, _ = sizes
    assert images(invented(*sizes)).count == (2 if gravity else 8 if width == height else 4)


@pytest.mark.parametrize(
    "switches", [pytest.param(some, marks=[] if any(some) == all(some) else pytest.mark.nightly) for some in SWITCHES]
)
def test_the_rules_keep_the_contract(switches):
    report = perfectplay.check(invented(3, 4, 3, *switches), walks=10)
    assert {check.status for check in report.checks} == {"ok", "skipped"}


def test_marks_above_one_that_vanishes_stay_and_the_next_one_fills_the_gap():
    match = perfectplay.Match("examples/invent.py:4,3,3,gravity=true,fading=true").play(*"bbbcaa")
    assert match.text() == "X:.X2../O3O1../X3X1O2."
    assert match.play("d").text() == "O:.X1../O3O1../X2.O2X3"
    assert match.play("b").text() == "X:.X1../O2.../X2O3O1X3"


@pytest.mark.parametrize("sizes", ["0,3,3", "3,8,3", "3,3,4", "3,3,0", "-3,-3,1"])
def test_impossible_sizes_are_refused_in_a_line(sizes):
    with pytest.raises(BadGame, match=r"^[^\n]*must be 1 to [0-9][^\n]*$"):
        perfectplay.load(f"examples/invent.py:{sizes}")
