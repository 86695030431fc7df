"""Reversi, ataxx and capture go: rules that are easily got wrong, and moves that were published."""

from random import Random

import perfectplay
from perfectplay import DRAW, LOSS, ONGOING, WIN, load
from perfectplay.game import after, legal_moves
from perfectplay.notation import move_name, parse_move, parse_position, show_position

FEINSTEIN = "d3 c5 d6 e3 f5 f4 e2 d2 c2 e6 e7 g5"
"""The first moves of perfect play on 6 x 6 by J. Feinstein, 1993, who calls the columns b to g and the rows 2 to 7."""


def played(name, moves, text=None):
    """The position and the side to move after these moves."""
    game = load(name)
    position, side = parse_position(game, text) if text else (game.start, 0)
    for move in moves.split():
        position, side = after(game, position, side, parse_move(game, position, side, move))
    return game, position, side


def test_perfect_play_on_6_by_6_is_legal_here():
    moves = " ".join(f"{chr(ord(move[0]) - 1)}{int(move[1]) - 1}" for move in FEINSTEIN.split())
    game, position, _ = played("reversi:6,6", moves)
    assert (position[0] | position[1]).bit_count() == 4 + len(FEINSTEIN.split())
    assert game.outcome(*position) == ONGOING


def test_a_disc_turns_all_that_it_encloses_and_nothing_else():
    assert show_position(*played("reversi", "b1", "B:..../.OX./.XO./....")) == "W:.X../.XX./.XO./...."


def test_who_cannot_move_misses_a_turn():
    game, rng, passed = load("reversi"), Random(1), 0
    for _ in range(20):
        position, side = game.start, 0
        while game.outcome(*position) == ONGOING:
            mover = side
            position, side = after(game, position, side, rng.choice(legal_moves(game, position)))
            if side == mover:
                passed += 1
                assert game.moves(*position)
                assert not game.moves(*position[::-1])
        assert not game.moves(*position)
        assert not game.moves(*position[::-1])
    assert passed


def test_discs_jump_or_grow_and_turn_those_around():
    assert show_position(*played("ataxx:3,3", "b2")) == "O:X.X/.X./X.X"
    assert show_position(*played("ataxx:5,2", "b1")) == "O:XX..O/X...X"
    assert show_position(*played("ataxx:5,2", "a1-c1")) == "O:..X.O/O...X"


def test_ataxx_ends_when_a_side_has_no_disc_or_nobody_can_move():
    game, position, _ = played("ataxx:3,3", "b2")
    assert game.outcome(*position) == LOSS
    full, _ = parse_position(load("ataxx:4,2"), "X:XXOO/OOXX")
    assert load("ataxx:4,2").outcome(*full) == DRAW


def test_a_capture_comes_before_an_own_chain_without_liberties():
    game, captured, _ = played("capturego", "a1", "B:.OX/OX./X..")
    assert game.outcome(*captured) == LOSS
    game, suicide, _ = played("capturego", "a1", "B:.O./O../X.X")
    assert game.outcome(*suicide) == WIN


def test_small_boards_of_capture_go():
    values = {
        sizes: perfectplay.solve(f"capturego:{sizes}").header.start.value for sizes in ("2,2", "3,2", "3,3", "4,2")
    }
    assert values == {"2,2": LOSS, "3,2": LOSS, "3,3": WIN, "4,2": LOSS}


def test_moves_are_called_by_their_squares():
    game = load("ataxx:5,2")
    assert [move_name(game, game.start, 0, move) for move in (0, 9)] == ["a1", "e2"]
    assert "a1-c2" in game.move_names
