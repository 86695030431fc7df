"""Every game does the same, move by move, as its plain twin; kings and pawns with more pawns, and with queens."""

import json
from random import Random

import pytest

from command_line import output
from perfectplay import load, odds
from perfectplay.arena.referee import winner_of
from perfectplay.game import legal_moves
from perfectplay.rules.fingerprint import fingerprint
from perfectplay.rules.notation import board_rows, move_name
from perfectplay.words import ONGOING
from reference_rules import TWINS
from rings import nightly


def result_of(game, position, side):
    outcome = game.outcome(*position)
    if outcome == ONGOING:
        return None
    winner = winner_of(outcome, side)
    return "draw" if winner is None else winner


@pytest.mark.parametrize("name", TWINS)
def test_rules_agree_with_their_twin_along_random_games(name):
    game, twin = load(name), TWINS[name]
    rng = Random(7)
    for _ in range(1 if "15" in name else 12):
        position, state = game.start, twin.start()
        for _ in range(100):
            side = state[1]
            assert board_rows(game, position, side) == twin.picture(state)
            assert result_of(game, position, side) == twin.result(state)
            if twin.result(state) is not None:
                break
            names = {move_name(game, position, side, move): move for move in legal_moves(game, position)}
            following = twin.moves(state)
            assert set(names) == set(following)
            name = rng.choice(sorted(names))
            position, state = game.play(*position, names[name]), following[name]


@pytest.mark.parametrize("name", ["tic-tac-toe", *nightly("kingpawns")])
def test_reachable_positions_agree_with_the_twin(name):
    game, twin = load(name), TWINS[name]
    seen = {(tuple(map(tuple, twin.picture(twin.start()))), 0): game.start}
    todo = [(game.start, twin.start())]
    while todo:
        position, state = todo.pop()
        names = {move_name(game, position, state[1], move): move for move in legal_moves(game, position)}
        assert result_of(game, position, state[1]) == twin.result(state)
        assert set(names) == (set(twin.moves(state)) if twin.result(state) is None else set())
        for move, following in twin.moves(state).items() if twin.result(state) is None else ():
            child = game.play(*position, names[move])
            key = (tuple(map(tuple, twin.picture(following))), following[1])
            if key not in seen:
                seen[key] = child
                todo.append((child, following))
            assert seen[key] == child


def test_two_pawns_are_the_usual_game():
    assert fingerprint(load("kingpawns")) == fingerprint(load("kingpawns:pawns=2,promotion=false"))
    assert load("kingpawns:3").start != load("kingpawns").start


@pytest.mark.nightly
def test_the_game_with_queens(capsys):
    solved = json.loads(output(capsys, "solve kingpawns:promotion=true --json"))
    assert [solved[fact] for fact in ("value", "distance", "positions", "classes", "longest")] == [
        *("win", 11, 768_777, 641_591, 36)
    ]
    found = odds("kingpawns:promotion=true", "dawdling", "perfect").probability
    assert (found.win, found.draw) == (0, 1)  # won, and never finished
