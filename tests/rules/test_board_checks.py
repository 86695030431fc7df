"""A board whose rows and columns are swapped is noticed by what the rules join, and other boards are left alone."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from perfectplay import check
from perfectplay.__main__ import main
from perfectplay.bits import run_masks, runs, turns_and_mirrors
from perfectplay.compiler.checks.contract import SKIPPED, board_as_numbered
from perfectplay.compiler.checks.sample_positions import positions_to_check
from perfectplay.game import Game, Look
from perfectplay.rules.loading import load_game
from perfectplay.words import DRAW, LOSS, ONGOING

SHAPES = st.tuples(st.integers(2, 6), st.integers(2, 6)).filter(lambda shape: shape[0] != shape[1])


def found_in(game, walks=30, most=1_000):
    """What the check finds in some positions of the game."""
    return board_as_numbered(game, positions_to_check(game, walks, 1, most=most))


def swapped(game, **more):
    """The game on a board with rows and columns swapped, its squares numbered as before."""
    names = [str(move) for move in range(3 * game.bits)]
    return replace(game, shape=game.shape[::-1], look=Look(), move_names=names, **more)


def line_game(shape, lines, **more):
    """The game in which a full line of squares wins."""
    full = (1 << shape[0] * shape[1]) - 1

    def outcome(mine, theirs):
        return LOSS if any(theirs & line == line for line in lines) else DRAW if mine | theirs == full else ONGOING

    return Game(
        moves=lambda mine, theirs: full & ~(mine | theirs),
        play=lambda mine, theirs, move: (theirs, mine | 1 << move),
        outcome=outcome,
        bits=shape[0] * shape[1],
        shape=shape,
        **more,
    )


@settings(max_examples=6, deadline=None)
@given(shape=SHAPES, k=st.integers(3, 5), declared=st.booleans())
def test_lines_of_squares(shape, k, declared):
    lines = run_masks(runs(*shape, k), k)
    more = {"winning_lines": lambda: lines} if declared else {}
    game = line_game(shape, lines, **more)
    assert found_in(game) is None
    found = found_in(swapped(game, cells=()))
    if len(lines) > 4:
        assert found.status == "note"
        assert "rows and columns" in found.line
        assert f"shape={shape}" in found.line
    rows, columns = shape  # as the line tells: the board as it is, its squares numbered by columns
    cells = [c * rows + r for r in range(rows) for c in range(columns)]
    assert found_in(swapped(game, cells=cells)) is None


@settings(max_examples=6, deadline=None)
@given(shape=SHAPES)
def test_symmetries(shape):
    game = line_game(shape, [], symmetries=turns_and_mirrors(*shape))
    assert found_in(game, 2) is None
    assert "symmetries" in found_in(swapped(game, cells=()), 2).line


def ends_when_full(game):
    return replace(game, outcome=lambda mine, theirs: ONGOING if game.moves(mine, theirs) else DRAW)


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (load_game("examples/hexapawn.py:3,4"), "moves such as"),
        (load_game("examples/hexapawn.py:5,3"), "moves such as"),
        (ends_when_full(load_game("drop:4,5,5")), "fills in turn"),
    ],
)
def test_moves_of_pieces_and_squares_that_one_move_fills_in_turn(game, words):
    game = replace(game, symmetries=())
    assert found_in(game) is None
    assert words in found_in(swapped(game)).line


def test_boards_that_look_the_same_when_swapped():
    for name in ("lines:4,4,3", "lines:5,1,3", "fading:4,4", "kingpawns"):
        assert found_in(load_game(name), 5) == SKIPPED


def test_any_squares_may_win():
    """Lines that are bent on purpose, or that go on at the other edge, fit no board: no such game is suspected."""
    rng = Random(1)
    for _ in range(6):
        shape = rng.choice([(2, 4), (3, 2), (4, 3), (3, 5), (5, 4)])
        squares = range(shape[0] * shape[1])
        lines = [sum(1 << square for square in rng.sample(squares, 3)) for _ in range(rng.randint(3, 8))]
        assert found_in(line_game(shape, lines), 5, 200) is None
    joined = [sum(1 << row * 5 + (x + i) % 5 for i in range(3)) for row in range(3) for x in range(5)]
    assert found_in(line_game((5, 3), joined)) is None


def test_the_note_is_no_fault(capsys, tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        "from perfectplay import DRAW, LOSS, ONGOING, Game\n"
        "LINES = [1 << a | 1 << b | 1 << c for a, b, c in\n"
        "         [(0, 1, 2), (3, 4, 5), (6, 7, 8), (9, 10, 11), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8)]]\n"
        "def moves(mine, theirs):\n    return 4095 & ~(mine | theirs)\n"
        "def play(mine, theirs, move):\n    return theirs, mine | 1 << move\n"
        "def outcome(mine, theirs):\n"
        "    for line in LINES:\n        if theirs & line == line:\n            return LOSS\n"
        "    return DRAW if mine | theirs == 4095 else ONGOING\n"
        "def game():\n    return Game(moves=moves, play=play, outcome=outcome, bits=12, shape=(4, 3))\n"
    )
    report = check(str(path), walks=5)
    assert report.ok
    (noted,) = [one for one in report.checks if one.note and "swapped" in one.note]
    assert "write shape=(3, 4)" in noted.note
    assert main(["check", str(path), "--walks", "5"]) == 0
    assert "note   The board is drawn" in capsys.readouterr().out
