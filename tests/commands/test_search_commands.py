"""`analyse`, `play` and `battle` where there is no table: exact by search, or honest about what is not."""

import json
from dataclasses import replace
from random import Random

import pytest

import perfectplay
from command_line import complaint, output
from perfectplay import DRAW, BadPosition, Entry, TooBig, load
from perfectplay.front.cli import main
from perfectplay.players import Seat, player_maker
from perfectplay.solvers.alphabeta import Limits
from perfectplay.solvers.lookup_or_solve import best_moves, entries_of_moves
from perfectplay.solvers.searcher import Searcher
from perfectplay.solvers.steps import finished

MIDDLE = "4 4 4 4 4 2 3 5 1 1 2 6 7 5 5"


def played(game, columns):
    position = game.start
    for column in columns.split():
        position = game.play(*position, int(column) - 1)
    return position


def test_a_search_answers_like_a_table(capsys):
    moves = "1 1 2 3"
    searched = json.loads(output(capsys, f"analyse drop:5,4,4 {moves} --json"))
    assert searched.pop("exact") is True
    assert searched.pop("nodes") > searched.pop("nodes_here") > 1000
    output(capsys, "solve drop:5,4,4 --json")
    assert json.loads(output(capsys, f"analyse drop:5,4,4 {moves} --json")) == searched | {"checked": 0.0}


def test_every_move_of_many_positions_is_worth_what_the_table_says():
    game = load("drop:4,4,4")
    table, searcher = perfectplay.solve(game), Searcher(game)
    for position, entry in Random(3).sample(list(table.entries()), 150):
        analysis = searcher.analyse(position)
        known = {move: (known.value, known.distance) for move, known in analysis.moves.items()}
        assert analysis.exact
        assert known == entries_of_moves(game, table.lookup, position)
        assert (analysis.here.value, analysis.here.distance) == entry == searcher.lookup(position)
        if known:
            best = best_moves(entries_of_moves(game, table.lookup, position))
            assert sorted(searcher.best_moves(position)) == sorted(best)
            choice = finished(searcher.choosing(position, Limits(seconds=60)))
            assert choice.proven
            assert set(choice.moves) <= set(best)


@pytest.mark.nightly
def test_the_length_of_a_draw_is_found_without_a_hint():
    game = replace(load("tic-tac-toe"), plies_left=None)
    searcher = Searcher(game)
    position = game.start
    for move in (4, 0, 1, 7):
        position = game.play(*position, move)
    assert searcher.lookup(position) == perfectplay.solve(game).lookup(position) == Entry(DRAW, 5)


def test_a_draw_without_end_is_not_proven():
    game = load("tactic-toe")
    corner = game.play(*game.start, 0)
    searcher = Searcher(game)
    analysis = searcher.analyse(corner, nodes=50_000)
    assert analysis.here.bounds == (-25, 24)  # no loss and no win within a hundred plies: all that a search looks at
    assert (analysis.here.value, analysis.exact) == (None, False)
    assert analysis.nodes < 50_000
    with pytest.raises(TooBig, match="does not find a result within a hundred plies"):
        searcher.lookup(corner)


def test_limited_answers_say_so(capsys):
    found = json.loads(output(capsys, f"analyse connect-four {MIDDLE} --nodes 2000 --json"))
    assert found["exact"] is False
    assert 2000 <= found["nodes"] < 2500
    open_moves = [move for move in found["moves"] if move["value"] is None]
    assert open_moves
    assert all({"at_least", "at_most"} <= move.keys() for move in open_moves)
    assert found["value"] == "win"  # three plies deep is deep enough for that
    text = output(capsys, "analyse connect-four 4 4 4 4 4 2 3 5 1 1 2 6 --nodes 2000")
    assert "Not proven within the limit. X moves: no win within" in text
    assert "found by search: 2,0" in text


def test_bounds_hold_whatever_the_limit():
    game = load("connect-four")
    position, searcher = played(game, MIDDLE), Searcher(game)
    right = searcher.analyse(position).moves
    for nodes in (1, 10, 100, 1_000, 10_000, 100_000):
        searcher.search.forget()
        for move, known in searcher.analyse(position, nodes=nodes).moves.items():
            assert known.bounds.low <= right[move].bounds.low <= known.bounds.high
            assert known.value in (None, right[move].value)
            assert known.distance in (None, right[move].distance)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("analyse connect-four 4 4 9", "'9' is not a legal move; legal are 1 2 3 4 5 6 7, in X:"),
        ("analyse connect-four 4 4 4 4 4 4 4", "legal are 1 2 3 5 6 7, in X:...O.../...X..."),
        ("analyse connect-four 1 2 1 2 1 2 1 2", "the game is over in O:......./......./X......"),
        (
            "analyse connect-four --position O:X....../......./......./......./......./.......",
            "no move of X leads there",
        ),
        ("book gomoku --plies 2", "gomoku needs 225 bits a word"),
        ("book tactic-toe --plies 2", "tactic-toe has no hint plies_left"),
    ],
)
def test_bad_input(capsys, line, said):
    assert said in complaint(capsys, line)


@pytest.mark.parametrize("option", ["--seconds 0", "--seconds soon", "--nodes 0", "--nodes 1.5"])
def test_bad_limits(capsys, option):
    with pytest.raises(SystemExit):
        main(f"analyse connect-four {option}".split())
    assert option.split()[1] in capsys.readouterr().err


def test_perfect_says_what_is_not_proven():
    game, said = load("connect-four"), []
    position = played(game, MIDDLE)
    perfect = player_maker("perfect")
    assert perfect(Seat(game, 1, Random(1), 60.0, said.append))(position) == 5
    assert perfect(Seat(game, 1, Random(1)))(position) == 5
    assert said == []
    hard = played(game, "4 4 4 4 4 2 3 5 1 1")
    perfect(Seat(game, 0, Random(1), 1e-9, said.append))(hard)
    assert said == ["not proven: this is the best move found in 1e-09 s"]


def test_battles_count_what_is_not_proven(capsys):
    line = "battle lines:6,6,4 perfect random --games 1 --seed 1 --seconds 0.001"
    assert "not proven by perfect, 0.001 s each: the best found was played" in output(capsys, line)
    assert json.loads(output(capsys, f"{line} --json"))["unproven"][1] == 0


def test_words_of_no_position_are_refused():
    searcher = perfectplay.search(load("connect-four"))
    for words in ((1 << 6, 0), (1, 1), (-1, 0), (2, 0), (1 << 60, 0)):
        with pytest.raises(BadPosition):
            searcher.lookup(words)


def test_what_a_search_cannot_tell_is_an_error():
    game = load("lines:15,15,5")
    with pytest.raises(TooBig, match="a search needs compiled rules"):
        perfectplay.search(game)


def test_whose_turn_it_is_must_fit_the_board(capsys):
    board = "/".join(["......."] * 5)
    said = complaint(capsys, f"analyse connect-four --position X:{board}/X......")
    assert "cannot be reached: after 1 ply it is O's turn" in said
