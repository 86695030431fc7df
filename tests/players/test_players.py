"""Players do what their names say, in every game; the stand-in plays while a search is compiled."""

import re
import subprocess
import sys
from random import Random

import pytest
from hypothesis import given, strategies as st

from perfectplay import BadPlayer, IllegalMove, Match, TooBig, legal_moves, load
from perfectplay.arena.referee import play_game
from perfectplay.compiler.checks.sample_positions import random_positions
from perfectplay.game import end_entry, moves_again
from perfectplay.players.bots.classic_player import classic_player
from perfectplay.players.line_games.line_players import square_values
from perfectplay.players.named.one_ply_players import winning_moves
from perfectplay.players.registry import KINDS, in_own_file, plain_name, player_maker
from perfectplay.players.seat import Seat
from perfectplay.players.stand_in import REMARK, needs_compiler, stand_in
from perfectplay.rules.families import family_names
from perfectplay.rules.notation import parse_position
from perfectplay.solvers.oracle import Cost, SearchOracle, solved_oracle
from perfectplay.solvers.table.table_folder import book_of
from perfectplay.words import ONGOING, WIN


@given(
    seed=st.integers(0, 2**32),
    family=st.sampled_from(family_names()),
    name=st.sampled_from(["random", "wins", "blocks"]),
)
def test_players_play_legal_moves_and_take_a_win_at_hand(seed, family, name):
    game = load(family)
    players = [player_maker(name)(Seat(game, side, Random(seed))) for side in (0, 1)]
    for position, side in random_positions(game, walks=1, seed=seed, longest=40):
        if legal := legal_moves(game, position):
            move = players[side](position)
            assert move in legal
            if name != "random" and winning_moves(game, position):
                after = game.play(*position, move)
                assert game.outcome(*after) != ONGOING
                assert end_entry(game, after).before(moves_again(game, position, move)).value == WIN


@pytest.mark.parametrize(
    ("name", "game", "text", "moves"),
    [
        ("random", "tic-tac-toe", "X:X../.O./..X", {1, 2, 3, 5, 6, 7}),
        ("wins", "tic-tac-toe", "X:XX./OO./...", {2}),
        ("wins", "tic-tac-toe", "X:X../OO./..X", {1, 2, 5, 6, 7}),  # it does not see the other side's win
        ("blocks", "tic-tac-toe", "X:X../OO./..X", {5}),
        ("blocks", "tic-tac-toe", "O:X.X/.O./X.O", {1, 3}),  # two threats: it blocks one of them
        ("blocks", "tic-tac-toe", "X:.../.../...", {*range(9)}),
        ("blocks", "drop:4,4,4", "X:..../..../OOO./XXO.", {0, 1, 2}),  # column 4 hands over a win
        ("blocks", "drop:4,4,4", "X:..../..../XXO./OOO.", {3}),
        ("blocks", "misere", "X:XX./OO./...", {5, 6, 7, 8}),  # there lines lose
        ("minimax", "tic-tac-toe", "O:X.X/OO./X..", {5}),
        ("minimax", "tic-tac-toe", "O:X../.../...", {4}),
        ("dawdling", "tic-tac-toe", "O:X.X/OO./X..", {1}),  # c2 would win at once; b1 wins later
        ("squares", "tic-tac-toe", "X:.../.../...", {4}),
        ("squares", "tic-tac-toe", "O:.../.X./...", {0, 2, 6, 8}),
        ("squares", "tic-tac-toe", "O:X.O/.X./X.O", {1, 3, 5, 7}),
        ("squares", "misere", "X:.../.../...", {1, 3, 5, 7}),
        ("ways:3", "tic-tac-toe", "X:XX./OO./...", {2}),
        ("ways:2", "tic-tac-toe", "X:X../OO./..X", {5}),
    ],
)
def test_all_moves_that_a_player_makes(name, game, text, moves):
    game = load(game)
    position, side = parse_position(game, text)
    player = player_maker(name)(Seat(game, side, Random(1)))
    assert {player(position) for _ in range(60)} == moves


def test_squares_are_worth_the_lines_through_them():
    assert square_values(load("tic-tac-toe")) == [3, 2, 3, 2, 4, 2, 3, 2, 3]
    game = load("gomoku")
    assert player_maker("squares")(Seat(game, 0, Random(1)))(game.start) in range(225)


def test_minimax_refuses_at_once_what_it_cannot_walk():
    for name in ("connect-four", "tactic-toe"):
        with pytest.raises(TooBig, match="use the player perfect"):
            player_maker("minimax")(Seat(load(name), 0, Random(1)))


def test_every_name_means_one_kind_of_player():
    names = [name for kind in KINDS for name in kind.names]
    assert len(set(names)) == len(names)
    for kind in KINDS:
        assert kind.about
        assert {plain_name(name) for name in kind.names} == {kind.name}
        assert not in_own_file(kind.example or kind.name)
        assert kind.example.partition(":")[0] in ("", kind.name)


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("minmax", "did you mean minimax?"),
        ("zzz", "mcts:0.5, threats:0.5, minimax"),
        ("zzz", "perfect, tricky, streetwise"),
        *((name, "no player is called") for name in ("squares:3", "dawdling:2", "easy:1")),
        ("level:11", "needs a whole number from 1 to 10"),
        ("human", "only play in the terminal"),
        ("./nowhere.py:ai", "no file './nowhere.py'"),
        ("examples/bots.py:nobody", "there are my_ai, last_move"),
    ],
)
def test_bad_names_get_one_line(name, complaint):
    with pytest.raises(BadPlayer, match=re.escape(complaint)) as caught:
        player_maker(name)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("def ai(): pass", "takes 0 arguments"),
        ("def ai(a, b, c): pass", "takes 3 arguments"),
        ("def ai(board, side):\n    return 1 / 0", "raised an error (line 2): ZeroDivisionError"),
        ("def ai(board, side):\n    raise SystemExit(0)", "raised an error (line 2): SystemExit"),
        ("def ai(seat): return 5", "must return a function"),
        ("def ai(seat): return lambda position: 1 / 0", "raised an error (line 1): ZeroDivisionError"),
    ],
)
def test_bad_players_get_one_line(tmp_path, source, complaint):
    (tmp_path / "bots.py").write_text(source)
    game = load("tic-tac-toe")
    with pytest.raises(BadPlayer, match=re.escape(complaint)):
        player_maker(f"{tmp_path}/bots.py:ai")(Seat(game, 0, Random(1)))(game.start)


@pytest.mark.parametrize("answer", [(0, 0), (3, 0), (-1, 0), None, 5, "a1", "d4", (1.0, 2), (1, 2, 3)])
def test_a_bad_answer_is_an_illegal_move_with_the_position_drawn(tmp_path, answer):
    (tmp_path / "bots.py").write_text(f"def ai(board, side): return {answer!r}")
    game = load("tic-tac-toe")
    position, side = parse_position(game, "O:X../.../...")
    with pytest.raises(IllegalMove, match=r"is not a legal move for O in\n  a b c\n1 X \. \."):
        player_maker(f"{tmp_path}/bots.py:ai")(Seat(game, side, Random(1)))(position)


def test_a_classic_player_is_told_its_side_and_a_board_of_its_own():
    seen = []

    def ai(board, side):
        seen.append((side, [row[:] for row in board]))
        row, column = next((r, c) for r in range(3) for c in range(3) if board[r][c] is None)
        board[row][column] = "spoilt"
        return row, column

    game = load("tactic-toe")
    players = [classic_player(ai)(Seat(game, side, Random(1))) for side in (0, 1)]
    record = play_game(game, *players, most_plies=7)
    assert [side for side, _ in seen] == ["X", "O", "X", "O", "X", "O", "X"][: len(seen)]
    assert seen[2] == ("X", [["X", "O", None], [None, None, None], [None, None, None]])
    assert record.moves[:3] == (0, 1, 2)


def stand_in_move(game, moves):
    """The stand-in's move after these, on which it makes its remark."""
    match, remarks = Match(game, moves.split()), []
    move = stand_in(Seat(match.game, match.turn, Random(1), say=remarks.append))(match.position)
    assert remarks == [REMARK]
    return move


def test_the_stand_in_takes_wins_and_stops_wins():
    assert stand_in_move("connect-four", "1 7 2 7 3 7") == 3  # wins
    assert stand_in_move("connect-four", "1 7 2 7 3 6") == 3
    assert stand_in_move("connect-four", "1 7 1 7 2 7") == 6  # stops a win
    match = Match("gomoku", "h8 a1 i8 a2 j8 a3 k8 a4".split())
    assert match.play(stand_in_move("gomoku", " ".join(match.moves))).is_over
    two_fours = "a1 c8 b1 d8 c1 e8 d1 f8 a15 h8 c15 i8 e15 j8 g15 k8"  # of the other side, and g8 would stop both
    assert stand_in_move("gomoku", two_fours) == 4


def test_the_stand_in_plays_in_the_middle_and_near_the_other_mark_on_a_large_board():
    assert stand_in_move("gomoku", "") == 7 * 15 + 7
    y, x = divmod(stand_in_move("gomoku", "h8"), 15)
    assert max(abs(x - 7), abs(y - 7)) <= 2


def test_who_needs_a_compiler():
    game = load("connect-four")
    booked, far = SearchOracle(game, book=book_of(game)), Match(game, "4 4 4 4 4 1 3 2 2".split()).position
    assert needs_compiler(booked, "perfect", far)
    assert not needs_compiler(booked, "perfect", game.start)
    assert needs_compiler(SearchOracle(game), "perfect", game.start)
    assert needs_compiler(booked, "level:5", game.start)
    assert not needs_compiler(solved_oracle(load("tic-tac-toe")), "perfect", (0, 0))
    assert not needs_compiler(SearchOracle(game), "blocks", far)


def test_what_a_study_costs_is_known_before_it_is_asked():
    game = load("connect-four")
    booked, far = SearchOracle(game, book=book_of(game)), Match(game, "4 4 4 4 4 1 3 2 2".split()).position
    assert [booked.cost(game.start), booked.cost(far)] == [Cost.INSTANT, Cost.COMPILER]
    booked.ready(far)
    assert booked.cost(far) == Cost.COMPILER  # not of any position
    booked.ready()
    booked.ready(far)
    assert booked.cost(far) == Cost.SEARCH
    assert solved_oracle(load("tic-tac-toe")).cost((0, 0)) == Cost.INSTANT


def test_a_quick_reply_compiles_nothing():
    code = """
import sys
from perfectplay.server.allowed_names import AllowedNames
from perfectplay.server.api_answers import RequestHandler, reply
from perfectplay.solvers.oracle import SearchOracle
handler = RequestHandler(AllowedNames(), SearchOracle)
for game, player in (("connect-four", "perfect"), ("gomoku", "threats")):
    said = reply(handler, {"game": game, "player": player, "quick": "yes"})
    assert "compiled" in said["note"], said
sys.exit("numba" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=120, text=True)
    assert done.returncode == 0, done.stderr
