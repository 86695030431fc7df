"""Every game does the same, move by move, as its plain twin."""

from random import Random

import pytest

from perfectplay.arena.referee import winner_of
from perfectplay.game import legal_moves
from perfectplay.loading import load_game
from perfectplay.notation import board_rows, move_name
from perfectplay.words import ONGOING
from reference_rules import TWINS


def result_of(game, position, side):
    outcome = game.outcome(*position)
    if outcome == ONGOING:
        return None
    winner = winner_of(outcome, side)
    return "draw" if winner is None else winner


@pytest.mark.parametrize("name", TWINS)
def test_rules_agree_with_their_twin_along_random_games(name):
    game, twin = load_game(name), TWINS[name]
    rng = Random(7)
    for _ in range(2 if "15" in name else 40):
        position, state = game.start, twin.start()
        for _ in range(100):
            side = state[1]
            assert board_rows(game, position, side) == twin.picture(state)
            assert result_of(game, position, side) == twin.result(state)
            if twin.result(state) is not None:
                break
            names = {move_name(game, position, side, move): move for move in legal_moves(game, position)}
            assert set(names) == set(twin.moves(state))
            name = rng.choice(sorted(names))
            position, state = game.play(*position, names[name]), twin.moves(state)[name]


@pytest.mark.parametrize("name", ["tic-tac-toe", pytest.param("kingpawns", marks=pytest.mark.nightly)])
def test_reachable_positions_agree_with_the_twin(name):
    game, twin = load_game(name), TWINS[name]
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


def test_in_tactic_toe_the_square_that_your_oldest_mark_leaves_is_not_yours_to_take():
    game = load_game("tactic-toe")
    position = game.start
    for move in (0, 1, 4, 2, 5, 7):  # X a1 b2 c2, O b1 c1 b3; X to move, a1 goes next
        position = game.play(*position, move)
    assert 0 not in legal_moves(game, position)
    position = game.play(*position, 8)  # X c3: a1 goes
    assert 0 in legal_moves(game, position)
