"""Boards and answers of plain functions: my_ai(board, side) plays every game."""

import copy
import json
import pickle
import random
import re

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from perfectplay import DRAW, ONGOING, Game, IllegalMove, Look, Sides, load
from perfectplay.compiler.checks.sample_positions import random_positions
from perfectplay.players.bots.classic_player import classic_player
from perfectplay.players.bots.square_answers import fitting, move_meant
from perfectplay.players.named.classic_board import Board, Cell, cells_of, unseen
from perfectplay.players.seat import Seat
from perfectplay.rules.families import describe_games, sized_aliases
from perfectplay.rules.notation import move_name, parse_position, show_position
from perfectplay.views.board_squares import changes

SHIPPED = sorted(
    {name for known in describe_games() for name in (known.name, *sized_aliases(known.aliases))} - {"gomoku"}
)


def board_at(name, text):
    game = load(name)
    return Board(game, *parse_position(game, text))


def test_cells_are_marks():
    board = board_at("tic-tac-toe", "O:X.O/.X./...")
    assert board == [["X", None, "O"], [None, "X", None], [None, None, None]]
    assert str(board) == "[['X', None, 'O'], [None, 'X', None], [None, None, None]]"
    cell = board[0][0]
    assert cell in "XO"
    assert cell in {"X"}
    assert {"X": 1}[cell] == 1
    assert "".join(mark or "." for mark in board[0]) == "X.O"
    assert json.loads(json.dumps(board)) == board
    assert (cell.side, cell.piece, cell.kind, cell.life) == ("X", "X", 0, None)


def test_lives_reach_the_function():
    board = board_at("tactic-toe", "X:X1X2O1/.X3./O3O2.")
    assert board == [["X", "X", "O"], [None, "X", None], ["O", "O", None]]
    assert [cell.life for cell in board[0]] == [1, 2, 1]
    assert board[1][1].piece == "X3"
    assert board[2][0].side == "O"
    assert repr(board[0]) == "['X1', 'X2', 'O1']"
    assert f"{board[0][0]}" == "X"


def test_pieces_by_name():
    board = board_at("kingpawns", "Black:..k./..pp/PP../.K..")
    assert board[0] == [None, None, "k", None]
    assert [(cell.side, cell.kind) for cell in board[1][2:]] == [("Black", 1)] * 2
    assert (board[3][1].side, board[3][1].piece) == ("White", "K")
    board = board_at("kingpawns", "White:..k./..pp/PP../.K..")
    assert board.text == "W:..k./..pp/PP../.K.."
    assert "b2b3" in board.moves
    assert len(board.moves) == len(board.move_numbers)


def test_copies_are_plain_lists_with_the_same_cells():
    board = board_at("tactic-toe", "X:X1X2O1/.X3./O3O2.")
    deep = copy.deepcopy(board)
    for again in (deep, copy.copy(board), [*board], board[:], pickle.loads(pickle.dumps(board))):
        assert type(again) is list
        assert again == board
        assert [cell.life for cell in again[0]] == [1, 2, 1]
    deep[0][0] = "spoilt"
    assert board[0][0] == "X"


def test_the_side_is_the_very_mark_on_the_board():
    seen = []

    def ai(board, side):
        seen.append(side)
        return next((r, c) for r in range(3) for c in range(3) if board[r][c] is not side and board[r][c] is None)

    game = load("tic-tac-toe")
    position, side = parse_position(game, "X:XO./.../...")
    classic_player(ai)(Seat(game, side, random.Random(1)))(position)
    assert seen == ["X"]
    assert Board(game, position, side)[0][0] is seen[0]


def counting():
    """A game whose board does not show how often a side has passed: bit 1 of its word."""

    def moves(mine, theirs):
        return 0b11 & ~(mine | theirs) | 0b100 * (mine >> 1 & 1 == 0)

    def play(mine, theirs, move):
        return theirs, mine | (1 if move == 0 else 2)

    def outcome(mine, theirs):
        return DRAW if (mine & theirs) >> 1 or (mine | theirs) & 1 else ONGOING

    return Game(moves=moves, play=play, outcome=outcome, bits=2, shape=(1, 1), move_names=("a1", "b", "pass"))


def test_what_no_cell_shows_is_handed_over():
    board = Board(counting(), (0b10, 0b00), 1)
    assert board == [[None]]
    assert board.unseen == (0b10, 0)
    assert (board.position, board.side) == ((0b10, 0b00), 1)
    assert board_at("tactic-toe", "X:X1X2O1/.X3./O3O2.").unseen == (0, 0)


def check_answers(name, seed, longest):
    """Asserts that the board shows everything, and that every move can be answered, by its name and by its squares.

    By its squares it is that move, or the error names all moves that fit.
    """
    game = load(name)
    width, _ = game.shape
    for position, side in random_positions(game, walks=1, seed=seed, longest=longest):
        assert unseen(game, position, side) == (0, 0)
        for move, change in changes(game, position, side).items():
            assert move_meant(game, position, side, move_name(game, position, side, move)) == move
            if not change.to:  # the first move of quarto hands over a piece
                continue
            target = divmod(change.to[0], width)
            pairs = [(divmod(origin, width), target) for origin in change.left if len(change.left) == 1]
            for squares in ([target], *([*pair] for pair in pairs)):
                fits = fitting(game, position, side, squares)
                assert move in fits
                answer = squares[0] if len(squares) == 1 else tuple(squares)
                if len(fits) == 1:
                    assert move_meant(game, position, side, answer) == move
                else:
                    with pytest.raises(IllegalMove, match=r"may mean .* or .*return one of these names") as caught:
                        move_meant(game, position, side, answer)
                    assert all(move_name(game, position, side, fit) in str(caught.value) for fit in fits)


@given(st.integers(0, 10**9), st.sampled_from(SHIPPED))
@settings(max_examples=15)
def test_every_legal_move_can_be_answered(seed, name):
    check_answers(name, seed, longest=6)


@pytest.mark.nightly
@pytest.mark.parametrize("name", SHIPPED)
def test_every_legal_move_of_a_whole_game_can_be_answered(name):
    for seed in range(3):
        check_answers(name, seed, longest=60)


@pytest.mark.parametrize("answer", [(5, 3), [5, 3], (np.int64(5), np.int8(3)), np.array([5, 3]), "4", " 4 "])
def test_connect_four_takes_the_landing_square_or_the_column(answer):
    game = load("connect-four")
    assert move_meant(game, game.start, 0, answer) == 3
    assert move_meant(game, game.play(*game.start, 3), 1, (4, 3)) == 3
    with pytest.raises(IllegalMove, match=r"\(4, 3\) as \(row, column\) is not a legal move for X"):
        move_meant(game, game.start, 0, (4, 3))


def test_pieces_move_from_square_to_square():
    game = load("kingpawns")

    def meant(text, answer):
        position, side = parse_position(game, f"White:{text}")
        return move_name(game, position, side, move_meant(game, position, side, answer))

    for answer, name in ((((3, 1), (3, 2)), "b1c1"), ([[2, 1], [1, 1]], "b2b3"), ((1, 1), "b2b3")):
        assert meant("..k./..pp/PP../.K..", answer) == name
    with pytest.raises(IllegalMove, match=r"\(\(2, 0\), \(0, 0\)\) as two squares \(row, column\) is not"):
        meant("..k./.p.p/PP../.K..", ((2, 0), (0, 0)))
    with pytest.raises(IllegalMove, match=r"which may mean (b1a2 or a1a2|a1a2 or b1a2) \(return one of these names\)"):
        meant("k.../...p/.P../PK..", (2, 0))


@pytest.mark.parametrize("answer", [4, None, "", 1.5, (1, 2, 3), ((1, 2), 3), {"row": 1}, [], np.int64(4)])
def test_other_answers_are_told_what_is_expected(answer):
    for name, expected in (
        ("tic-tac-toe", "expected (row, column), from (0, 0) at the top left to (2, 2)"),
        ("kingpawns", "expected (row, column) from the top left, or a move's name such as '"),
    ):
        game = load(name)
        with pytest.raises(IllegalMove, match=r"is not a legal move for (X|White) in\n") as caught:
            move_meant(game, game.start, 0, answer)
        assert isinstance(answer, str) or expected in str(caught.value)


START, FOUR = "X:.../.../...", "X:......./......./......./......./......./......."


@pytest.mark.parametrize(
    ("name", "text", "answer", "hint"),
    [
        ("tic-tac-toe", START, (3, 3), "(rows and columns count from 0; did you mean (2, 2)?)"),
        ("tic-tac-toe", START, [1, 3], "(rows and columns count from 0; did you mean (0, 2)?)"),
        ("tic-tac-toe", "O:..O/..X/.X.", (1, 2), ""),
        ("tic-tac-toe", "O:.X./.../...", (0, 1), "(the row comes first; did you mean (1, 0)?)"),
        ("lines:4,3,3", "X:..../..../....", (3, 1), "(the row comes first; did you mean (1, 3)?)"),
        ("lines:4,3,3", "X:..../...O/..X.", (3, 1), "(rows and columns count from 0; did you mean (2, 0)?)"),
        ("connect-four", FOUR, (6, 7), "did you mean (5, 6)?)"),
        ("kingpawns", "W:..k./..pp/PP../.K..", ((4, 2), (4, 3)), "did you mean ((3, 1), (3, 2))?)"),
        ("tic-tac-toe", START, "1,2", "'1,2' (return the numbers (1, 2), not text)"),
        ("tic-tac-toe", START, "(0, 2)", "'(0, 2)' (return the numbers (0, 2), not text)"),
        ("tic-tac-toe", START, "3,3", "'3,3' is not"),
        ("tic-tac-toe", START, 4, "; 4 counts squares from 0: return divmod(move, 3), not move)"),
        ("tic-tac-toe", START, np.int64(9), "from 1: return divmod(move - 1, 3), not move)"),
        ("connect-four", FOUR, 3, "a move's name such as '4')"),
        ("tic-tac-toe", START, (1,) + (0,) * 8, "; a parameter annotated tuple"),
    ],
)
def test_wrong_answers_get_a_hint_at_what_was_meant(name, text, answer, hint):
    game = load(name)
    position, side = parse_position(game, text)
    with pytest.raises(IllegalMove) as caught:
        move_meant(game, position, side, answer)
    line = str(caught.value).partition("\n")[0]
    assert hint in line
    assert ("did you mean" in line) == ("did you mean" in hint)


@given(st.integers(0, 10**9), st.sampled_from(SHIPPED), st.tuples(st.integers(-2, 9), st.integers(-2, 9)))
@settings(max_examples=40)
def test_a_hint_is_always_a_legal_move(seed, name, answer):
    game = load(name)
    for position, side in random_positions(game, walks=1, seed=seed, longest=12):
        try:
            move_meant(game, position, side, answer)
        except IllegalMove as fault:
            meant = re.search(r"did you mean \((\d), (\d)\)", str(fault))
            if meant:
                move_meant(game, position, side, (int(meant[1]), int(meant[2])))


def test_a_move_onto_two_squares():
    def moves(mine, theirs):
        free = 0b1111 & ~(mine | theirs)
        return sum(1 << m for m, mask in enumerate(dominoes) if free & mask == mask)

    def play(mine, theirs, move):
        return theirs, mine | dominoes[move]

    def outcome(mine, theirs):
        return ONGOING if moves(mine, theirs) else DRAW

    dominoes = (0b0011, 0b1100, 0b0101, 0b1010)
    names = ("top", "bottom", "left", "right")
    game = Game(moves=moves, play=play, outcome=outcome, bits=4, shape=(2, 2), move_names=names)
    assert move_meant(game, game.start, 0, ((0, 1), (1, 1))) == 3
    assert move_meant(game, game.start, 0, ((1, 1), (0, 1))) == 3
    with pytest.raises(IllegalMove, match="may mean top or left"):
        move_meant(game, game.start, 0, (0, 0))
    assert move_meant(game, game.play(*game.start, 0), 1, (1, 0)) == 1


def test_a_name_that_both_sides_use_still_has_an_owner():
    look = Look(Sides("Left", "Right"), Sides(("#",), ("#",)))
    rules = load("tic-tac-toe")
    game = Game(moves=rules.moves, play=rules.play, outcome=rules.outcome, bits=9, shape=(3, 3), look=look)
    board = Board(game, (1, 2), 0)
    assert board[0][:2] == ["#", "#"]
    assert [cell.side for cell in board[0][:2]] == ["Left", "Right"]


def test_cells_are_made_once():
    game = load("tactic-toe")
    assert cells_of(game).first[0] is cells_of(game).first[0]
    assert isinstance(cells_of(game).first[0], Cell)
    assert show_position(game, game.start, 0) == Board(game, game.start, 0).text
