"""`solve`, `analyse` and `verify` as a user sees them: from a table, by search, and honest about what is not proven."""

import json
from dataclasses import replace
from random import Random

import pytest

import perfectplay
from command_line import complaint, output
from perfectplay import DRAW, BadPosition, Entry, TooBig, load
from perfectplay.game import best_moves, entries_of_moves
from perfectplay.players.registry import player_maker
from perfectplay.players.seat import Seat
from perfectplay.solvers.search.search_clock import Limits
from perfectplay.solvers.search.searcher import Searcher
from perfectplay.solvers.steps import finished
from rings import nightly

MIDDLE = "4 4 4 4 4 2 3 5 1 1 2 6 7 5 5"


def printed(capsys, line):
    """What the command prints in JSON."""
    return json.loads(output(capsys, f"{line} --json"))


# From a table


def test_solve_json(capsys, home):
    found = printed(capsys, "solve mutorere")
    assert found.pop("seconds") > 0
    assert found.pop("seconds_in_all") > 0
    (table,) = (home / "data" / "tables").glob("*.table")
    how = {"engine": "python", "table": str(table), "checked": "all", "longest": 5}
    counts = {"positions": 590, "classes": 43, "wins": 104, "draws": 422, "losses": 64, "classes_by_side": 86}
    assert found == {"game": "mutorere", "value": "draw", "distance": None, **counts, **how}
    out = output(capsys, "analyse mutorere")
    assert "X moves and draws: best play never ends." in out
    assert "c2  endless draw" in out


def test_solve_writes_to_a_given_file_which_can_be_verified(capsys, tmp_path, home):
    out = output(capsys, f"solve lines:3,3,2 --to {tmp_path}/l.table --engine python")
    assert "lines:3,3,2: X moves; X wins in 3 plies with best play." in out
    assert "up to symmetry" in out
    assert not (home / "data" / "tables").exists()
    for sample, said in (("99999999999", "all of them"), ("20", "verified 20 canonical positions chosen at random")):
        out = output(capsys, f"verify {tmp_path}/l.table --sample {sample}")
        assert "is right: verified" in out
        assert said in out


def test_analyse_names_moves_as_players_do(capsys):
    found = printed(capsys, "analyse tic-tac-toe a1 b1")
    assert (found["game"], found["position"]) == ("tic-tac-toe", "X:XO./.../...")
    assert (found["value"], found["distance"], len(found["moves"])) == ("win", 5, 7)
    assert found["moves"][0] == {"move": "a2", "value": "win", "distance": 5}
    found = printed(capsys, "analyse kingpawns b2b3")
    assert (found["value"], found["distance"]) == ("loss", 4)
    assert {move["move"] for move in found["moves"]} == {"c4b4", "c4d4"}


def test_analyse_finished_positions(capsys):
    found = printed(capsys, "analyse tic-tac-toe a1 a2 b1 b2 c1")
    assert (found["value"], found["distance"], found["moves"]) == ("loss", 0, [])
    assert "The game is over: X has won." in output(capsys, "analyse tic-tac-toe a1 a2 b1 b2 c1")
    assert "The game is over: drawn." in output(capsys, "analyse tic-tac-toe b2 a1 a3 c1 b1 b3 c3 a2 c2")


# Rules that do not compile or break the contract

RULES = """
from perfectplay import DRAW, ONGOING, Game
def moves(mine, theirs): return MOVES
def play(mine, theirs, move): return PLAY
def outcome(mine, theirs): return DRAW if END else ONGOING
def game(): return Game(moves=moves, play=play, outcome=outcome, bits=4, shape=(1, 2))
"""


def rules(folder, moves, play, end):
    """The path of a file with these rules."""
    path = folder / "rules.py"
    path.write_text(RULES.replace("MOVES", moves).replace("PLAY", play).replace("END", end))
    return path


def test_rules_that_do_not_compile_are_reported_in_one_line(capsys, tmp_path):
    path = rules(tmp_path, "int(str(1))", "mine + 1, 0", "mine == 3")
    err = complaint(capsys, f"solve {path} --engine numba")
    assert "does not compile" in err
    assert "line 3 of moves; it still runs interpreted" in err
    assert printed(capsys, f"solve {path}")["distance"] == 3


@pytest.mark.parametrize(
    ("engine", "words"),
    [("python", "without a legal move"), *nightly(("numba", "run perfectplay check for details"))],
)
def test_rules_that_break_the_contract_are_refused(capsys, tmp_path, engine, words):
    """One game in 4,096 gets stuck."""
    path = rules(tmp_path, "3 if mine < 12 else 0", "mine + 1, theirs + move", "mine == 12 and theirs < 12")
    assert words in complaint(capsys, f"solve {path} --engine {engine}")


BROKEN = {
    "an image is negative": ("image=lambda m, t, i: (m, t) if i == 0 else (-1, -1)", "break the contract: image 1"),
    "a word too wide, rarely": ("play=lambda m, t, move: (t, m | (1 << 12 if m == 11 and t == 52 else 1 << move))", ""),
    "a negative word, rarely": ("play=lambda m, t, move: (t, -9 if m == 11 and t == 52 else m | 1 << move)", ""),
    "unkey fails, rarely": ("unkey=lambda k: (k >> 9, k & 511) if k != 5684 else (0, 3)", ""),
    "moves without a name, rarely": ("moves=lambda m, t: (1 << 62) - 1 if m == 11 and t == 52 else 511 & ~(m | t)", ""),
}
ENGINES = ["python", pytest.param("numba", marks=pytest.mark.nightly)]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("fault", BROKEN)
def test_broken_rules_never_give_a_wrong_answer(capsys, tmp_path, engine, fault):
    change, words = BROKEN[fault]
    (tmp_path / "broken.py").write_text(
        "from dataclasses import replace\n"
        "from perfectplay import Images, load\n"
        "def game():\n"
        "    good = load('examples/tictactoe.py')\n"
        f"    changes = dict({change})\n"
        "    if 'image' in changes: changes = {'symmetries': Images(2, changes['image'])}\n"
        "    return replace(good, **changes)\n"
    )
    err = complaint(capsys, f"solve {tmp_path}/broken.py --engine {engine}")
    assert words in err
    assert "run perfectplay check for details" in err or "(broken.py, line 5)" in err


# By search


def played(game, columns):
    position = game.start
    for column in columns.split():
        position = game.play(*position, int(column) - 1)
    return position


@pytest.mark.nightly
def test_a_search_answers_like_a_table(capsys):
    line = "analyse drop:5,4,4 1 1 2 3"
    searched = printed(capsys, line)
    assert searched.pop("exact") is True
    assert searched.pop("nodes") > searched.pop("nodes_here") > 1000
    output(capsys, "solve drop:5,4,4 --json")
    assert printed(capsys, line) == searched | {"checked": 0.0}


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


@pytest.mark.nightly
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
    found = printed(capsys, f"analyse connect-four {MIDDLE} --nodes 2000")
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


@pytest.mark.nightly
def test_battles_count_what_is_not_proven(capsys):
    line = "battle lines:6,6,4 perfect random --games 1 --seed 1 --seconds 0.001"
    assert "not proven by perfect, 0.001 s each: the best found was played" in output(capsys, line)
    assert printed(capsys, line)["unproven"][1] == 0


def test_what_a_search_cannot_tell_is_an_error():
    searcher = Searcher(perfectplay.load("connect-four"))
    for words in ((1 << 6, 0), (1, 1), (-1, 0), (2, 0), (1 << 60, 0)):
        with pytest.raises(BadPosition):
            searcher.lookup(words)
    with pytest.raises(TooBig, match="a search needs compiled rules"):
        Searcher(perfectplay.load("lines:15,15,5"))
