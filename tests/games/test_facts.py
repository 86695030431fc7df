"""Published and twice computed figures about the games."""

import pytest

from perfectplay import perft
from perfectplay.game import canonical, legal_moves, levels, next_ply
from perfectplay.loading import load_game
from perfectplay.notation import move_name, parse_move
from perfectplay.words import DRAW, FIRST, LOSS, SECOND


def test_tic_tac_toe_games():
    game = load_game("tic-tac-toe")
    first_wins = second_wins = draws = 0
    ways = {(game.start, FIRST): 1}
    while ways:
        for (position, side), count in ways.items():
            outcome = game.outcome(*position)
            if outcome == DRAW:
                draws += count
            elif outcome == LOSS and side == SECOND:
                first_wins += count
            elif outcome == LOSS:
                second_wins += count
        ways = next_ply(game, ways.items())
    assert (first_wins, second_wins, draws) == (131_184, 77_904, 46_080)
    assert first_wins + second_wins + draws == 255_168


def test_tic_tac_toe_tree():
    nodes = perft(load_game("tic-tac-toe"), 9)
    assert nodes == [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]
    assert sum(nodes) == 549_946


def test_tic_tac_toe_after_the_centre_is_taken():
    game = load_game("tic-tac-toe")
    ways, total = {(game.play(*game.start, 4), SECOND): 1}, 0
    while ways:
        total += sum(ways.values())
        ways = next_ply(game, ways.items())
    assert total == 55_505


@pytest.mark.parametrize(
    ("name", "positions", "classes"),
    [("tic-tac-toe", 5_478, 765), ("tactic-toe", 73_450, 9_190), ("drop:4,4,4", 161_029, 80_541)],
)
def test_positions(name, positions, classes):
    game = load_game(name)
    seen = {position for level in levels(game) for position in level}
    assert len(seen) == positions == sum(map(len, levels(game)))
    assert len({canonical(game)(*position) for position in seen}) == classes


def test_tactic_toe_positions_with_the_side_kept():
    game = load_game("tactic-toe")
    smallest = canonical(game)
    seen, level, side = {(0, smallest(*game.start))}, [game.start], 0
    while level:
        side = 1 - side
        fresh = {smallest(*game.play(*p, move)) for p in level for move in legal_moves(game, p)}
        level = [position for position in fresh if (side, position) not in seen]
        seen.update((side, position) for position in level)
    assert len(seen) == 16_030


def test_connect_four_sequences():
    assert perft(load_game("connect-four"), 8) == [1, 7, 49, 343, 2401, 16807, 117649, 823536, 5673234]


def test_kings_and_pawns_first_moves():
    game = load_game("kingpawns")
    assert perft(game, 2) == [1, 5, 19]
    assert {move_name(game, game.start, 0, move) for move in legal_moves(game, game.start)} == {
        "b1a1",
        "b1c1",
        "a2a3",
        "b2b3",
        "b2c3",
    }
    after = game.play(*game.start, parse_move(game, game.start, 0, "a2a3"))
    assert {move_name(game, after, 1, move) for move in legal_moves(game, after)} == {
        "c4b3",
        "c4d4",
        "c3c2",
        "d3d2",
        "c3b2",
    }
