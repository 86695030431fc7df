"""Every game does the same, move by move, as its plain twin; kings and pawns with more pawns, and with queens."""

import json
from functools import cache
from random import Random

import pytest

from command_line import output
from perfectplay import load, odds, perft
from perfectplay.arena.referee import winner_of
from perfectplay.fingerprint import fingerprint
from perfectplay.game import legal_moves
from perfectplay.notation import board_rows, move_name, parse_move, parse_position, show_position
from perfectplay.words import LOSS, ONGOING
from reference_rules import TWINS, Kingpawns


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
    for _ in range(1 if "15" in name else 30):
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


@pytest.mark.parametrize("name", ["tic-tac-toe", pytest.param("kingpawns", marks=pytest.mark.nightly)])
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


def test_in_tactic_toe_the_square_that_your_oldest_mark_leaves_is_not_yours_to_take():
    game = load("tactic-toe")
    position = game.start
    for move in (0, 1, 4, 2, 5, 7):  # X a1 b2 c2, O b1 c1 b3; X to move, a1 goes next
        position = game.play(*position, move)
    assert 0 not in legal_moves(game, position)
    position = game.play(*position, 8)  # X c3: a1 goes
    assert 0 in legal_moves(game, position)


SEQUENCES = {"1": Kingpawns(1), "3": Kingpawns(3), "1,true": Kingpawns(1, promotion=True)}
SEQUENCES_LATER = {"2": Kingpawns(2), "4": Kingpawns(4), "2,true": Kingpawns(2, True), "3,true": Kingpawns(3, True)}


@pytest.mark.parametrize(
    ("sizes", "twin"),
    [*SEQUENCES.items(), *(pytest.param(*row, marks=pytest.mark.nightly) for row in SEQUENCES_LATER.items())],
)
def test_sequences_of_kings_and_pawns_are_those_of_the_plain_rules(sizes, twin):
    @cache
    def count(state, left):
        if left == 0:
            return 1
        return 0 if twin.result(state) is not None else sum(count(one, left - 1) for one in twin.moves(state).values())

    assert perft(load(f"kingpawns:{sizes}"), 6) == [count(twin.start(), left) for left in range(7)]


def test_two_pawns_are_the_usual_game():
    assert fingerprint(load("kingpawns")) == fingerprint(load("kingpawns:pawns=2,promotion=false"))
    assert load("kingpawns:3").start != load("kingpawns").start


def after(game, text, *moves):
    """The position after these moves, as text."""
    position, side = parse_position(game, text)
    for move in moves:
        position, side = game.play(*position, parse_move(game, position, side, move)), 1 - side
    return show_position(game, position, side)


def names_in(game, text):
    position, side = parse_position(game, text)
    return {move_name(game, position, side, move) for move in legal_moves(game, position)}


def test_a_pawn_becomes_a_queen_and_moves_like_one():
    game = load("kingpawns:promotion=true")
    assert after(game, "W:..k./P..p/..../.K..", "a3a4") == "B:Q.k./...p/..../.K.."
    assert after(game, "B:..K./..../...p/.k..", "d2d1") == "W:..K./..../..../.k.q"
    names = names_in(game, "W:Q.../..../k.../..K.")
    assert {"a4d4", "a4d1", "a4a3"} <= names
    assert "a4a2" not in names  # no piece takes a king
    pinned = names_in(game, "W:...k/q.../Q..p/K...")
    assert {name for name in pinned if name.startswith("a2")} == {"a2a3"}


def test_only_checkmate_wins_with_queens():
    game = load("kingpawns:promotion=true")
    for text, outcome in (
        ("B:k.../..../KQ../....", 0),  # stalemate
        ("B:k.../Q.../.K../....", LOSS),
        ("B:k..Q/..../..K./....", ONGOING),
    ):
        assert game.outcome(*parse_position(game, text)[0]) == outcome


@pytest.mark.nightly
def test_the_game_with_queens(capsys):
    solved = json.loads(output(capsys, "solve kingpawns:promotion=true --json"))
    assert [solved[fact] for fact in ("value", "distance", "positions", "classes", "longest")] == [
        *("win", 11, 768_777, 641_591, 36)
    ]
    found = odds("kingpawns:promotion=true", "dawdling", "perfect").probability
    assert (found.win, found.draw) == (0, 1)  # won, and never finished
