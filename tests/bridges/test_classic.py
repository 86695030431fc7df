"""The classic exercise: boards of 'X', 'O' and None, and answers (row, column)."""

import doctest
import pickle
import pydoc
import random

import pytest

from perfectplay import BadArgument, BadGame, BadPosition, IllegalMove, TooBig, battle, classic
from perfectplay.classic import (
    GameOutcome,
    Tally,
    bestmove,
    finds_winning_and_losing_moves_ai,
    finds_winning_moves_ai,
    get_winner,
    human_player,
    is_full,
    legal_moves,
    make_move,
    minimax_ai,
    minimax_score,
    new_board,
    perfectplay_outcome,
    play,
    random_ai,
    render,
    repeated_battle,
    street_smart_minimax_ai,
    win_probability,
)
from perfectplay.players.registry import plain_name

EMPTY = [[None, None, None], [None, None, None], [None, None, None]]
PLAYERS = [random_ai, finds_winning_moves_ai, finds_winning_and_losing_moves_ai, minimax_ai, street_smart_minimax_ai]


def board(text):
    return [[None if mark == "." else mark for mark in row] for row in text.split("/")]


@pytest.mark.parametrize("ai", PLAYERS)
def test_answers_are_empty_squares_for_the_side_of_the_argument_and_the_board_is_left_alone(ai):
    given = board("XO./.O./X..")  # O has moved first
    for side, winning in (("X", (1, 0)), ("O", (2, 1))):
        for _ in range(10 if ai is random_ai else 1):
            row, column = ai(given, side)
            assert given == board("XO./.O./X..")
            assert given[row][column] is None
            assert ai is random_ai or (row, column) == ai(tuple(map(tuple, given)), side) == winning


def test_players_block():
    assert finds_winning_and_losing_moves_ai(board("XX./.O./..."), "O") == (0, 2)
    assert minimax_ai(board("X.X/OO./X.."), "O") == (1, 2)


@pytest.mark.parametrize(
    ("text", "side", "score"),
    [
        (".../.../...", "X", 0),
        ("XX./OO./...", "X", 10),
        ("XX./OO./...", "O", -10),
        ("XXX/OO./...", "O", 10),
        ("XX./OOO/...", "X", -10),
        ("XOX/XOO/OXX", "O", 0),
        ("X.X/.O./X.O", "O", 10),
    ],
)
def test_minimax_score_is_for_x(text, side, score):
    assert minimax_score(board(text), side) == score


@pytest.mark.parametrize(
    ("text", "side"), [("X.X/OO./X..", "O"), ("XX./.../.O.", "X"), ("X../.O./..X", "O"), ("OX./XXO/.O.", "X")]
)
def test_street_smart_minimax_never_gives_the_result_away(text, side):
    after = make_move(board(text), street_smart_minimax_ai(board(text), side), side)
    assert minimax_score(after, "O" if side == "X" else "X") == minimax_score(board(text), side)


def test_street_smart_minimax_likes_corners_and_threats():
    assert street_smart_minimax_ai(EMPTY, "X") in {(0, 0), (0, 2), (2, 0), (2, 2)}
    assert street_smart_minimax_ai(board("OX./XXO/.O."), "X") != (2, 2)
    assert street_smart_minimax_ai(board("XX./.../.O."), "X") == (0, 2)  # no game leads there


def test_a_battle_repeats_after_the_same_seed_and_has_a_thousand_games_unless_told():
    def tally(*number):
        random.seed(5)
        return repeated_battle(random_ai, finds_winning_moves_ai, *number)

    assert tally(50) == tally(50)
    assert sum(tally()) == 1000
    with pytest.raises(ValueError, match="at least 1, not -1"):
        tally(-1)
    random.seed(1)
    found = repeated_battle(random_ai, minimax_ai, 20)
    assert found.first == found[1] == 0
    assert found.draws + found.second == found[0] + found[2] == 20
    assert str(found) == repr(found)
    assert found.to_dict().keys() == {"draws", "first", "second"}
    assert repr(pickle.loads(pickle.dumps(Tally(1, 2, 3)))) == "Tally(draws=1, first=2, second=3)"


def test_an_illegal_move_raises_in_a_game_and_loses_in_a_battle():
    def stubborn(board, side):
        return 0, 0

    def second(board, side):
        return 1, 1

    with pytest.raises(IllegalMove, match=r"\(0, 0\) as \(row, column\) is not a legal move for X in\n") as caught:
        play(stubborn, second)
    assert str(caught.value).endswith(f" for X in\n{render(board('X../.O./...'))}")
    tally = repeated_battle(stubborn, random_ai, 10)
    assert tally == (0, 0, 10)
    assert tally.forfeits == (10, 0)
    assert "(0, 0) as (row, column) is not a legal move for X" in tally.reasons[0]
    assert tally.to_dict() == {"draws": 0, "first": 0, "second": 10, "forfeits": [10, 0], "reasons": [*tally.reasons]}
    assert repr(tally) == "Tally(draws=0, first=0, second=10, forfeits=(10, 0))"
    assert str(tally).endswith(f"; the first player forfeited 10 games: {tally.reasons[0]}")


@pytest.mark.parametrize(
    ("player", "complaint"),
    [
        (lambda position: 9, f"move 9 is not a legal move for X in\n{render(EMPTY)}"),
        (lambda board, side: 4, f"return divmod(move, 3), not move) is not a legal move for X in\n{render(EMPTY)}"),
        (lambda board, side: "d4", f"'d4' is not a legal move for X in\n{render(EMPTY)}"),
        (lambda board, side: make_move(board, (3, 3), side), "write (row, column), from (0, 0) to (2, 2)"),
    ],
)
def test_illegal_moves_show_the_board_as_it_is_rendered(player, complaint):
    with pytest.raises(IllegalMove) as caught:
        play(player, random_ai)
    assert str(caught.value).endswith(complaint)


@pytest.mark.parametrize(
    ("text", "side", "complaint"),
    [
        (".../..", "X", "3 rows of 3"),
        ("..../.../...", "X", "3 rows of 3"),
        (".../.x./...", "X", "'X', 'O' or None"),
        (".../.../...", "Y", "neither 'X' nor 'O'"),
        ("XXX/OO./...", "O", "the game is over"),
        ("XXX/OO./...", "X", "the game is over"),
        ("XOX/XOO/OXX", "O", "the game is over"),
        ("XXX/OOO/...", "X", "both sides have their marks in a row"),
    ],
)
def test_bad_boards(text, side, complaint):
    with pytest.raises(BadPosition, match=complaint) as caught:
        random_ai(board(text), side)
    for nothing in (None, 5, "XO./.../...", [1, 2, 3], [], [[None] * 3, [None] * 2]):
        with pytest.raises(BadPosition, match="3 rows of 3"):
            minimax_score(nothing, "X")
    assert ("over" not in complaint) or str(caught.value).endswith(f"\n{render(board(text))}")


def test_a_person_is_asked_until_the_answer_is_an_empty_square(monkeypatch, capsys):
    typed = iter(["", "5", "3 3", "a b", "0 0", "1, 2", "4 0", "3 3"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(typed))
    assert human_player(board("X../.../..."), "O") == (1, 2)
    out = capsys.readouterr().out
    assert out.startswith("  0 1 2\n0 X . .\n1 . . .\n2 . . .\n")
    assert "(0, 0) is taken" in out
    assert human_player(new_board(4), "X") == (3, 3)
    assert "(4, 0) is not on the board" in capsys.readouterr().out


ROWS = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
START = (0,) * 9


def is_over(state):
    return 0 not in state or any(state[a] == state[b] == state[c] != 0 for a, b, c in ROWS)


def states():
    """All states of the game."""
    seen, waiting = {START}, [START]
    for state in waiting:  # it grows meanwhile
        mover = 1 if state.count(1) == state.count(2) else 2
        for square in range(9):
            after = (*state[:square], mover, *state[square + 1 :])
            if not is_over(state) and state[square] == 0 and after not in seen:
                seen.add(after)
                waiting.append(after)
    return waiting


def test_states_of_the_other_exercise():
    assert perfectplay_outcome(START) == 0
    with pytest.raises(ValueError, match="centre must be"):
        win_probability((1, *START[1:]), centre=0)
    assert win_probability((1, *START[1:])) == pytest.approx(191 / 192, abs=1e-15)
    assert bestmove(START).index(1) in (0, 2, 6, 8)
    assert bestmove(START, centre=3) == (0, 0, 0, 0, 1, 0, 0, 0, 0)
    assert [win_probability((2, 1, 1, 1, 1, 2, 0, 2, 0)), win_probability((2, 1, 0, 1, 1, 2, 0, 2, 1))] == [0.5, 0.0]
    assert win_probability((1, 1, 1, 2, 2, 0, 0, 0, 0)) == 1


def test_every_state_has_a_best_move_that_keeps_the_outcome():
    for state in states()[::7]:
        if is_over(state):
            with pytest.raises(BadPosition, match="the game is over"):
                bestmove(state)
            continue
        after = bestmove(state)
        assert sum(a != b for a, b in zip(state, after, strict=True)) == 1
        assert perfectplay_outcome(after) == perfectplay_outcome(state)
        assert 0 <= win_probability(after) <= 1


def test_states_that_cannot_be():
    for state in ((0,) * 8, (1, 1, *START[2:]), (2, *START[1:]), (3, *START[1:])):
        with pytest.raises(BadPosition):
            bestmove(state)


def test_new_boards_are_empty():
    assert new_board() == EMPTY
    assert new_board(width=4, height=2) == [[None] * 4 for _ in range(2)]
    board = new_board(2)
    board[0][0] = "X"
    assert board == [["X", None], [None, None]]
    for size in (0, 65, "3", None):
        with pytest.raises(BadArgument, match="a board has 1 to 64 rows and columns, not"):
            new_board(size)


def test_boards_as_text():
    assert render(board("X.O/.../...")) == "  0 1 2\n0 X . O\n1 . . .\n2 . . ."
    wide = render(new_board(11)).splitlines()
    assert (wide[0][-4:], wide[11][:5]) == ("9 10", "10  .")


def test_making_moves():
    before = board("X../.../...")
    assert make_move(before, (1, 1), "O") == board("X../.O./...")
    assert before == board("X../.../...")
    with pytest.raises(IllegalMove, match=r"\(0, 0\) is taken, by X; take an empty square"):
        make_move(before, (0, 0), "O")
    for move in ((3, 0), (0, -1), None, 4, "a1", (1.0, 1)):
        with pytest.raises(IllegalMove, match=r"is no square; write \(row, column\), from \(0, 0\) to \(2, 2\)"):
            make_move(before, move, "O")
    with pytest.raises(BadPosition, match="neither 'X' nor 'O'"):
        make_move(before, (1, 1), "x")


def test_legal_moves_end_with_the_game():
    assert legal_moves(board("XO./.XO/O.X")) == []
    assert legal_moves(board("XO./..O/X..")) == [(0, 2), (1, 0), (1, 1), (2, 1), (2, 2)]
    assert is_full(board("XOX/XOO/OXX"))
    assert not is_full(EMPTY)


@pytest.mark.parametrize(
    ("text", "k", "side"),
    [
        ("XO./.XO/O.X", None, "X"),
        ("OO./XXO/X..", None, None),
        ("X.../X.../X.../O...", None, None),
        ("X.../X.../X.../O...", 3, "X"),
        ("O.../.O../..O./...O", None, "O"),
        ("XX./O.O", None, "X"),
        (".....", None, None),
    ],
)
def test_the_winner_has_as_many_in_a_row_as_the_shorter_side(text, k, side):
    assert get_winner(board(text), k) == side
    with pytest.raises(BadGame, match="k must be 1 to"):
        get_winner(board(text), 9)


def test_play_shows_the_last_board_and_the_winner(capsys):
    assert play("minimax", minimax_ai) == 0
    out = capsys.readouterr().out
    assert out.startswith("  0 1 2\n0 ")
    assert out.count("\n") == 5
    assert out.endswith("\nDraw.\n")
    random.seed(1)
    assert play(finds_winning_moves_ai, random_ai) is GameOutcome.P1win
    assert capsys.readouterr().out.endswith("X wins.\n")
    assert {play(random_ai, random_ai, show="none") for _ in range(100)} == {0, 1, 2}
    assert capsys.readouterr().out == ""
    play(random_ai, random_ai, size=2, show="all")
    assert capsys.readouterr().out.count("  0 1\n") == 4  # the empty board, and three plies: any two squares are a row
    with pytest.raises(BadArgument, match="'last', 'all' or 'none'"):
        play(random_ai, random_ai, show="every")


def test_who_changes_the_board_is_told(capsys):
    def marks(board, side):
        r, c = classic.legal_moves(board)[0]
        board[r][c] = side
        return r, c

    for show, count in (("last", 1), ("none", 0)):
        play(marks, random_ai, show=show)
        assert capsys.readouterr().err.count("marks: changes the board that it is given") == count


def test_larger_boards():
    random.seed(1)
    assert play(random_ai, finds_winning_moves_ai, size=5, k=4, show="none") in (0, 1, 2)
    assert sum(repeated_battle(finds_winning_moves_ai, finds_winning_and_losing_moves_ai, 5, size=4)) == 5
    assert finds_winning_and_losing_moves_ai(board("XXX./..../.O../...."), "O") == (0, 3)
    assert finds_winning_moves_ai(board("X.../X.../..../O..."), "X", k=3) == (2, 0)


@pytest.mark.nightly
def test_larger_boards_are_searched():
    given = board("XXX./OO../O.../O...")
    assert minimax_ai(given, "X") == (0, 3)
    assert minimax_ai(given, "O") == (0, 3)
    assert minimax_score(given, "X") == 10
    assert minimax_score(given, "O") == 0


@pytest.mark.nightly
def test_minimax_of_empty_larger_boards():
    assert minimax_score(new_board(4), "X") == 0
    assert minimax_score(new_board(4), "X", k=3) == 10
    assert street_smart_minimax_ai(new_board(4), "X") in {(0, 0), (0, 3), (3, 0), (3, 3)}


def test_minimax_refuses_boards_that_are_too_large():
    with pytest.raises(TooBig, match="too large") as caught:
        minimax_ai(new_board(9), "X")
    assert "\n" not in str(caught.value)


@pytest.mark.nightly
def test_minimax_refuses_what_it_cannot_prove(monkeypatch):
    monkeypatch.setattr("perfectplay.classic.ais.SECONDS", 0.0)
    with pytest.raises(TooBig, match="a search of lines:4,4,4 proves no best move"):
        minimax_ai(board("X.../..../..../...O"), "X")


def test_players_know_the_game_that_they_are_asked_to_play():
    """In a battle four in a row win on 5 x 5 squares, and a board that is handed over tells."""
    assert battle("lines:5,5,4", finds_winning_moves_ai, "random", games=4, seed=1).forfeits == (0, 0)
    result = battle("connect-four", random_ai, "random", games=1, seed=1)
    assert "connect-four is not k in a row; use a player by its name" in result.faults[0][1]
    assert battle("misere", minimax_ai, "random", games=5, seed=1).wins[1] == 0


def test_both_spellings_and_the_names_of_outcomes():
    for name in ("finds_winning_moves_ai", "finds_winning_and_losing_moves_ai", "minimax_ai"):
        other = name.replace("finds", "find").replace("minimax", "minmax")
        assert getattr(classic, other) is getattr(classic, name)
        assert plain_name(other) == plain_name(name)
    assert play("find_winning_moves_ai", "finds_winning_moves_ai", show="none") in (0, 1, 2)
    assert perfectplay_outcome((1, 1, 1, 2, 2, 0, 0, 0, 0)) is GameOutcome.P1win
    assert perfectplay_outcome((2, 2, 0, 1, 1, 0, 1, 0, 0)) is GameOutcome.P2win
    assert [outcome.value for outcome in GameOutcome] == [0, 1, 2]
    assert pickle.loads(pickle.dumps(GameOutcome.P2win)) is GameOutcome.P2win


def test_help_reads_as_a_page():
    assert doctest.testmod(classic).failed == 0
    page = pydoc.render_doc(classic, renderer=pydoc.plaintext)
    assert all(f"    {name}(" in page or f"    {name} = " in page for name in classic.__all__ if name.islower())
    assert "Methods inherited" not in page
    assert dir(GameOutcome) == ["Draw", "P1win", "P2win"]
    assert "count" not in dir(Tally)
