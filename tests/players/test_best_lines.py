"""Best lines: every move keeps value and distance, and an endless draw comes back to where it was."""

import json

import pytest
from hypothesis import given

import brute_force
import perfectplay
from command_line import output
from graph_games import drawn_games, turn_games
from perfectplay import FIRST, LOSS, WIN, Match
from perfectplay.game import after, legal_moves, moves_again
from perfectplay.players.named.minimax_player import minimax
from perfectplay.players.named.perfect import trick
from perfectplay.solvers.search.best_line import best_line
from perfectplay.solvers.search.tree_size import Cycle, tree_or_cycle


def check_line(game, lookup, position):
    """Asserts that the line is best play: each entry follows from the next one, to the end or back to where it was."""
    line, turn, met = best_line(game, lookup, position), (position, FIRST), [(position, FIRST)]
    for move in line.moves:
        assert move in legal_moves(game, turn[0])
        again, before = moves_again(game, turn[0], move), lookup(turn[0])
        turn = after(game, *turn, move)
        assert lookup(turn[0]).before(again) == before
        met.append(turn)
    if line.repeats is None:
        assert not legal_moves(game, turn[0])
        assert lookup(position).distance in (None, len(line.moves))
    else:
        assert lookup(position).endless
        assert met[line.repeats] == met[-1]


@given(drawn_games() | turn_games() | turn_games(cycles=True))
def test_best_lines_minimax_and_cycles_of_any_game(game):
    entries, cycle = brute_force.solved(game), tree_or_cycle(game)
    for position in entries:
        check_line(game, entries.__getitem__, position)
    if isinstance(cycle, Cycle):
        assert cycle.back in [after(game, *cycle.last, move) for move in legal_moves(game, cycle.last[0])]
    else:
        assert minimax(game, game.start) == entries[game.start]


def test_an_analysis_has_the_line(capsys):
    found = perfectplay.analyse("drop:3,3,2")
    assert (found.line.complete, found.line.repeats, len(found.line.moves)) == (True, None, found.distance)
    assert Match("drop:3,3,2", found.line.moves).result.winner == FIRST
    assert json.loads(output(capsys, "analyse drop:3,3,2 --json"))["line"] == found.line.to_dict()
    assert f"best line: {' '.join(found.line.moves)}\n" in output(capsys, "analyse drop:3,3,2")


def test_an_endless_draw_says_where_it_repeats(capsys):
    found = perfectplay.analyse("mutorere")
    first = found.line.moves[found.line.repeats]
    assert f"then again from move {found.line.repeats + 1}, {first}" in output(capsys, "analyse mutorere")
    once = Match("mutorere", found.line.moves)
    assert once == Match("mutorere", found.line.moves[: found.line.repeats])


def test_a_finished_game_has_an_empty_line():
    found = perfectplay.analyse("tic-tac-toe", *"a1 a2 b1 b2 c1".split())
    assert (found.line.moves, found.line.complete) == ((), True)


CONNECTED = "4 4 4 4 4 2 3 5 1 1 2 6".split()


def test_a_search_proves_the_line():
    found = perfectplay.analyse("connect-four", *CONNECTED)
    assert (found.value, found.distance, len(found.line.moves)) == (WIN, 27, 27)
    match = Match("connect-four", [*CONNECTED, *found.line.moves])
    assert match.result.winner == perfectplay.FIRST
    searcher = perfectplay.Searcher(perfectplay.load("connect-four"))
    for plies in (9, 18):
        here = Match("connect-four", [*CONNECTED, *found.line.moves[:plies]])
        assert searcher.lookup(here.position) == (WIN if plies % 2 == 0 else LOSS, 27 - plies)


@pytest.mark.nightly
def test_a_search_that_proves_nothing_has_no_line():
    found = perfectplay.analyse("drop:8,7,4", nodes=1_000)
    assert found.line is None
    assert found.to_dict()["line"] is None


def test_a_line_that_is_proven_in_part_says_so():
    found = perfectplay.analyse("connect-four", nodes=1_000)  # its first plies are in the book
    assert not found.line.complete
    assert str(found.line).startswith("4 4 4 4 4 ")
    assert str(found.line).endswith(" ...")


def test_the_tie_break_is_that_of_tricky(capsys):
    match = Match("tic-tac-toe", position="X:O../.X./...")
    found = match.analyse(tie_break=True)
    numbers = {move: trick(match.game, match.position, match.number_of(move)) for move in match.legal_moves()}
    assert {move.move: move.tie_break for move in found.moves} == numbers
    best = [move for move in found.best if numbers[move] == max(numbers[name] for name in found.best)]
    tricky = perfectplay.player("tricky", "tic-tac-toe", seed=1)
    assert {match.name_of(tricky(match.position)) for _ in range(20)} <= {*best}
    line = "analyse tic-tac-toe --tie-break --position X:O../.X./..."
    facts = json.loads(output(capsys, f"{line} --json"))
    assert {move["move"]: move["tie_break"] for move in facts["moves"]} == numbers
    assert "tie-break: 2 for each threat" in output(capsys, line)
    assert all("tie_break" not in move.to_dict() for move in perfectplay.analyse("tic-tac-toe").moves)
