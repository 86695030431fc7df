"""Best lines: every move keeps value and distance, and an endless draw comes back to where it was."""

import json
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

import perfectplay
from command_line import output
from graph_games import drawn_games
from perfectplay import DRAW, LOSS, WIN, Match
from perfectplay.game import legal_moves, levels
from perfectplay.players.tricky import trick
from perfectplay.solvers.best_line import best_line
from perfectplay.solvers.interpreted import solved_positions


def check_line(game, lookup, position, line):
    """Whether the line is best play: each entry follows from the next one, to the end or back to where it was."""
    here, visited = position, [position]
    for move in line.moves:
        assert move in legal_moves(game, here)
        before, here = lookup(here), game.play(*here, move)
        assert lookup(here).before() == before
        visited.append(here)
    if line.repeats is None:
        assert not legal_moves(game, here)
        assert lookup(position).distance == len(line.moves)
    else:
        assert (lookup(position).value, lookup(position).distance) == (DRAW, None)
        assert visited[line.repeats] == visited[-1]
        assert (len(line.moves) - line.repeats) % 2 == 0


@given(drawn_games())
def test_a_best_line_keeps_value_and_distance(game):
    entries = solved_positions(game)
    for position in entries:
        check_line(game, entries.__getitem__, position, best_line(game, entries.__getitem__, position))


@given(st.randoms(use_true_random=False))
def test_best_lines_of_tactic_toe(rng):
    game, (table, positions) = perfectplay.load("tactic-toe"), solved_tactic_toe()
    position = rng.choice(positions)
    check_line(game, table.lookup, position, best_line(game, table.lookup, position))


@cache
def solved_tactic_toe():
    """The table, and all positions."""
    table = perfectplay.solve("tactic-toe")
    return table, [position for level in levels(table.game) for position in level]


def test_an_analysis_has_the_line(capsys):
    found = perfectplay.analyse("tactic-toe")
    assert (found.line.complete, found.line.repeats, len(found.line.moves)) == (True, None, 13)
    assert Match("tactic-toe", found.line.moves).result.winner == perfectplay.FIRST
    assert json.loads(output(capsys, "analyse tactic-toe --json"))["line"] == found.line.to_dict()
    assert f"best line: {' '.join(found.line.moves)}\n" in output(capsys, "analyse tactic-toe")


def test_an_endless_draw_says_where_it_repeats(capsys):
    found = perfectplay.analyse("tactic-toe", "b2")
    first = found.line.moves[found.line.repeats]
    assert f"then again from move {found.line.repeats + 1}, {first}" in output(capsys, "analyse tactic-toe b2")
    once = Match("tactic-toe", ["b2", *found.line.moves])
    assert once == Match("tactic-toe", ["b2", *found.line.moves[: found.line.repeats]])


def test_a_finished_game_has_an_empty_line():
    found = perfectplay.analyse("tic-tac-toe", *"a1 a2 b1 b2 c1".split())
    assert (found.line.moves, found.line.complete) == ((), True)


CONNECTED = "4 4 4 4 4 2 3 5 1 1 2 6".split()


def test_a_search_proves_the_line():
    found = perfectplay.analyse("connect-four", *CONNECTED)
    assert (found.value, found.distance, len(found.line.moves)) == (WIN, 27, 27)
    match = Match("connect-four", [*CONNECTED, *found.line.moves])
    assert match.result.winner == perfectplay.FIRST
    searcher = perfectplay.search("connect-four")
    for plies in (1, 2, 9, 18):
        here = Match("connect-four", [*CONNECTED, *found.line.moves[:plies]])
        assert searcher.lookup(here.position) == (WIN if plies % 2 == 0 else LOSS, 27 - plies)


def test_a_search_that_proves_nothing_has_no_line():
    found = perfectplay.analyse("drop:8,7,4", nodes=1_000)
    assert found.line is None
    assert found.to_dict()["line"] is None


def test_a_line_that_is_proven_in_part_says_so():
    found = perfectplay.analyse("connect-four", nodes=1_000)  # its first plies are in the book
    assert not found.line.complete
    assert str(found.line).startswith("4 4 4 4 4 ")
    assert str(found.line).endswith(" ...")


@pytest.mark.parametrize("position", [None, "X:O../.X./..."])
def test_the_tie_break_is_that_of_tricky(capsys, position):
    match = Match("tic-tac-toe", position=position)
    found = match.analyse(tie_break=True)
    numbers = {move: trick(match.game, match.position, match.number_of(move)) for move in match.legal_moves()}
    assert {move.move: move.tie_break for move in found.moves} == numbers
    best = [move for move in found.best if numbers[move] == max(numbers[name] for name in found.best)]
    tricky = perfectplay.player("tricky", "tic-tac-toe", seed=1)
    assert {match.name_of(tricky(match.position)) for _ in range(20)} <= {*best}
    line = "analyse tic-tac-toe --tie-break" + (f" --position {position}" if position else "")
    facts = json.loads(output(capsys, f"{line} --json"))
    assert {move["move"]: move["tie_break"] for move in facts["moves"]} == numbers
    assert "tie-break: 2 for each threat" in output(capsys, line)


def test_no_tie_break_unless_asked():
    assert all("tie_break" not in move.to_dict() for move in perfectplay.analyse("tic-tac-toe").moves)
