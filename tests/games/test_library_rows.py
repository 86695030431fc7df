"""Games of rows: each is written down here once more, with plain lists and strings, and solved by brute force."""

from itertools import combinations
from random import Random

import pytest

from perfectplay import analyse, load, solve
from perfectplay.bits import bit_numbers
from perfectplay.game import legal_moves, levels
from perfectplay.notation import move_name, parse_position
from perfectplay.words import DRAW, LOSS, WIN
from plain_solver import solved

THREES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
SWAPPED = str.maketrans("xo", "ox")


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


@pytest.mark.parametrize(
    ("name", "start", "after"),
    [
        ("wild:3,3,3", "." * 9, wild(False)),
        pytest.param("wild:3,3,3,true", "." * 9, wild(True), marks=pytest.mark.nightly),
        pytest.param("orderchaos:3,3,3", "." * 9, order_and_chaos, marks=pytest.mark.nightly),
        ("notakto:1", "." * 9, notakto),
        pytest.param("quixo:3", "." * 9, quixo, marks=pytest.mark.nightly),
        ("popout:3,3,3", ("", "", ""), popout),
        ("picaria:9", "." * 9, picaria(False)),
        ("picaria:9,true", "." * 9, picaria(True)),
    ],
)
def test_the_rules_written_twice_agree(name, start, after):
    leads, known = solved(start, after)
    header = solve(name, "python").header
    assert header.positions == len(leads)
    assert known.get(start, (DRAW, header.start.distance)) == tuple(header.start)


def test_only_the_middle_wins_notakto():
    assert [move.move for move in analyse("notakto").moves if move.value == WIN] == ["b2"]


def test_a_closed_board_of_notakto_takes_no_cross():
    game = load("notakto:2")
    position, _ = parse_position(game, "first:XXX.../....../......")
    assert [move_name(game, position, 0, move)[0] for move in legal_moves(game, position)] == [*"def"] * 3


def test_a_push_that_completes_both_rows_loses():
    assert load("quixo:3").outcome(0b000000111, 0b111000000) == WIN  # to the side that did not push


def test_a_pop_that_completes_both_rows_wins():
    game = load("popout:3,3,3")
    position, side = parse_position(game, "X:X../OXX/XOO")
    pop = next(move for move in legal_moves(game, position) if move_name(game, position, side, move) == "pop1")
    mine, theirs = game.play(*position, pop)
    assert game.outcome(mine, theirs) == LOSS  # to the side that did not pop
    assert game.outcome(mine, 0) == WIN  # though it has a row


def test_cubes_of_the_opponent_stay():
    game = load("quixo:3")
    position, side = parse_position(game, "X:O.O/.../O.O")
    names = [move_name(game, position, side, move) for move in legal_moves(game, position)]
    assert {name[:2] for name in names} == {"b1", "a2", "c2", "b3"}


@pytest.mark.parametrize("size", [4, 5])
def test_pushes_of_large_quixo(size):
    game, rng = load(f"quixo:{size}"), Random(size)
    for _ in range(50):
        board = "".join(rng.choice("xo.") for _ in range(size * size))
        mine, theirs = (sum(1 << at for at, cube in enumerate(board) if cube == mark) for mark in "xo")
        after = [game.play(mine, theirs, move) for move in bit_numbers(game.moves(mine, theirs))]
        boards = ["".join(".xo"[(a >> at & 1) + 2 * (b >> at & 1)] for at in range(size * size)) for a, b in after]
        assert sorted(boards) == sorted(pushes(board, size))


@pytest.mark.parametrize(("name", "rows"), [("teeko", 44), ("advanced-teeko", 58)])
def test_teeko_has_as_many_winning_places_as_scarne_says(name, rows):
    game = load(name)
    words = (sum(1 << at for at in four) for four in combinations(range(25), 4))
    assert sum(game.outcome(0, word) == LOSS for word in words) == rows


def test_men_of_teeko_move_like_kings():
    game = load("teeko")
    position, side = parse_position(game, "X:X...O/...../..X../...../OX.XO")
    names = {move_name(game, position, side, move) for move in legal_moves(game, position)}
    assert {name for name in names if name.startswith("c3")} == {f"c3-{to}" for to in "b2 c2 d2 b3 d3 b4 c4 d4".split()}


def test_quarto_gives_each_piece_once():
    game = load("quarto")
    assert len(legal_moves(game, game.start)) == 8
    given = game.play(*game.start, 9)
    assert legal_moves(game, given) == list(range(9))
    placed = game.play(*given, 4)
    assert legal_moves(game, placed) == list(range(10, 17))
    assert [len(level) for _, level in zip(range(4), levels(game), strict=False)] == [1, 8, 72, 504]
