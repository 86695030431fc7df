"""Players do what their names say, in every game."""

import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perfectplay import BadPlayer, IllegalMove, TooBig, legal_moves, load
from perfectplay.arena.battle import match, summed
from perfectplay.arena.referee import play_game
from perfectplay.engines.sample_positions import random_positions
from perfectplay.families import family_names
from perfectplay.game import end_entry, moves_again
from perfectplay.notation import parse_position
from perfectplay.players import KINDS, Seat, in_own_file, plain_name, player_maker
from perfectplay.players.classic_player import classic_player
from perfectplay.players.wins import winning_moves
from perfectplay.words import ONGOING, WIN


def answers(name, text, game_name="tic-tac-toe", tries=40):
    """The moves that the player makes in the position, over many tries."""
    game = load(game_name)
    position, side = parse_position(game, text)
    player = player_maker(name)(Seat(game, side, Random(1)))
    return {player(position) for _ in range(tries)}


@given(
    seed=st.integers(0, 2**32),
    family=st.sampled_from(family_names()),
    name=st.sampled_from(["random", "wins", "blocks"]),
)
def test_players_play_legal_moves(seed, family, name):
    game = load(family)
    players = [player_maker(name)(Seat(game, side, Random(seed))) for side in (0, 1)]
    for position, side in random_positions(game, walks=1, seed=seed, longest=40):
        legal = legal_moves(game, position)
        if legal:
            assert players[side](position) in legal


@given(seed=st.integers(0, 2**32), family=st.sampled_from(family_names()), name=st.sampled_from(["wins", "blocks"]))
def test_a_win_at_hand_is_taken(seed, family, name):
    game = load(family)
    player = player_maker(name)(Seat(game, 0, Random(seed)))
    for position, _ in random_positions(game, walks=1, seed=seed, longest=40):
        if winning_moves(game, position):
            move = player(position)
            after = game.play(*position, move)
            assert game.outcome(*after) != ONGOING
            assert end_entry(game, after).before(moves_again(game, position, move)).value == WIN


def test_random_plays_everything():
    assert answers("random", "X:X../.O./..X", tries=400) == {1, 2, 3, 5, 6, 7}


def test_wins_does_not_see_the_other_sides_win():
    assert answers("wins", "X:XX./OO./...") == {2}
    assert answers("wins", "X:X../OO./..X", tries=400) == {1, 2, 5, 6, 7}


def test_blocks_blocks():
    assert answers("blocks", "X:X../OO./..X") == {5}
    assert answers("blocks", "O:X.X/.O./X.O") == {1, 3}  # two threats: blocks one of them
    assert answers("blocks", "X:.../.../...", tries=400) == set(range(9))


def test_blocks_does_not_hand_over_a_win_in_connect_four():
    assert answers("blocks", "X:..../..../OOO./XXO.", "drop:4,4,4", tries=100) == {0, 1, 2}
    assert answers("blocks", "X:..../..../XXO./OOO.", "drop:4,4,4") == {3}


def test_blocks_does_not_make_the_line_that_loses_in_misere():
    assert 2 not in answers("blocks", "X:XX./OO./...", "misere", tries=200)


def test_minimax_does_not_dawdle():
    assert answers("minimax", "O:X.X/OO./X..") == {5}


def test_minimax_keeps_the_draw_against_a_corner():
    assert answers("minimax", "O:X../.../...") == {4}


def test_minimax_never_loses_to_random():
    makers = (player_maker("random"), player_maker("minimax"))
    tally = summed(match(load("tic-tac-toe"), makers, seed=1)(range(200)))
    assert tally.wins[0] == 0
    assert tally.wins[1] > 150


@pytest.mark.parametrize("name", ["connect-four", "tactic-toe"])
def test_minimax_refuses_at_once_what_it_cannot_walk(name):
    with pytest.raises(TooBig, match="use the player perfect"):
        player_maker("minimax")(Seat(load(name), 0, Random(1)))


def test_every_name_means_one_kind_of_player():
    names = [name for kind in KINDS for name in kind.names]
    assert len(set(names)) == len(names)
    for kind in KINDS:
        assert kind.about
        assert {plain_name(name) for name in kind.names} == {kind.name}
        assert not in_own_file(kind.example or kind.name)


def test_the_old_name_of_noisy_is_accepted_and_not_shown():
    assert plain_name("slips:0.1") == "noisy:0.1"
    assert all(kind.example.partition(":")[0] in ("", kind.name) for kind in KINDS)


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("minmax", "did you mean minimax?"),
        ("zzz", "mcts:0.5, threats:0.5, minimax"),
        ("zzz", "perfect, tricky, streetwise"),
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
    file = tmp_path / "bots.py"
    file.write_text(source)
    game = load("tic-tac-toe")
    with pytest.raises(BadPlayer, match=re.escape(complaint)):
        player_maker(f"{file}:ai")(Seat(game, 0, Random(1)))(game.start)


@pytest.mark.parametrize(
    "answer", ["(0, 0)", "(3, 0)", "(-1, 0)", "None", "5", "'a1'", "'d4'", "(1.0, 2)", "(1, 2, 3)"]
)
def test_a_bad_answer_is_an_illegal_move_with_the_position_drawn(tmp_path, answer):
    file = tmp_path / "bots.py"
    file.write_text(f"def ai(board, side): return {answer}")
    game = load("tic-tac-toe")
    position, side = parse_position(game, "O:X../.../...")
    with pytest.raises(IllegalMove, match=r"is not a legal move for O in\n  a b c\n1 X \. \."):
        player_maker(f"{file}:ai")(Seat(game, side, Random(1)))(position)


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
