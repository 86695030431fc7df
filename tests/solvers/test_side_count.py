"""Positions with the sides kept apart: counted exactly, by interpreted and by compiled rules."""

import pytest
from hypothesis import given

import perfectplay
from graph_games import drawn_games
from perfectplay.game import canonical, legal_moves
from perfectplay.solvers.search import side_count
from perfectplay.solvers.search.side_count import by_compiled_rules, by_interpreted_rules, sides_to_move
from perfectplay.solvers.steps import finished
from rings import nightly


@pytest.mark.parametrize(("name", "count"), [("tic-tac-toe", 765), *nightly(("kingpawns", 22_956))])
def test_positions_by_side(name, count):
    game = perfectplay.load(name)
    assert finished(by_interpreted_rules(game)) == finished(by_compiled_rules(game)) == count
    smallest = canonical(game)
    assert len({(smallest(*position), side) for position, side in walked(game)}) == count


@given(drawn_games())
def test_a_game_without_symmetries_is_walked_through(game):
    pairs = walked(game)
    assert finished(by_interpreted_rules(game)) == len(pairs)
    positions = sorted({position for position, _ in pairs})
    assert set(zip(positions, sides_to_move(game, positions), strict=True)) <= pairs


def walked(game):
    """All pairs of a position and a side to move."""
    seen = {(game.start, 0)}
    waiting = [(game.start, 0)]
    while waiting:
        position, side = waiting.pop()
        for move in legal_moves(game, position):
            pair = game.play(*position, move), 1 - side
            if pair not in seen:
                seen.add(pair)
                waiting.append(pair)
    return seen


def test_a_solve_counts_them_in_a_large_game_when_asked():
    summary = perfectplay.solve("examples/hexapawn.py:3,3").summary()
    assert summary.classes_by_side == summary.to_dict()["classes_by_side"] == 71
    assert perfectplay.summarise("drop:4,4,4").classes_by_side is None
    assert perfectplay.summarise("drop:4,4,4", sides=True).classes_by_side == 80_541


def test_the_marks_tell_who_is_to_move_in_a_large_game(monkeypatch):
    monkeypatch.setattr(side_count, "INTERPRETED", 2_000)
    game = perfectplay.load("lines:4,4,4")
    position, side = game.start, 0
    for move in (5, 6, 9, 10, 0, 15, 3, 12, 1):
        position, side = game.play(*position, move), 1 - side
    assert sides_to_move(game, [position]) == [side]
