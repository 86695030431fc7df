"""Positions in which rules are easily got wrong: the legal moves, what a move leads to, and who has won."""

from random import Random

import pytest

from perfectplay import DRAW, LOSS, ONGOING, WIN, load
from perfectplay.game import after, legal_moves
from perfectplay.rules.families import load_family
from perfectplay.rules.notation import move_name, parse_move, parse_position, show_position

HARE, KINGS = "hare", "kingpawns:promotion=true"


def played(name, text, moves=""):
    """The game, the position and the side to move after these moves; without a text from the start."""
    game = load(name)
    position, side = parse_position(game, text) if text else (game.start, 0)
    for move in moves.split():
        position, side = after(game, position, side, parse_move(game, position, side, move))
    return game, position, side


def names(name, text):
    game, position, side = played(name, text)
    return {move_name(game, position, side, move) for move in legal_moves(game, position)}


@pytest.mark.parametrize(
    ("name", "text", "moves"),
    [
        ("breakthrough:3,5", "W:.../.../.B./.W./...", "b2-a3 b2-c3"),
        ("breakthrough:3,5", "W:.../.../B../.W./...", "b2xa3 b2-b3 b2-c3"),
        ("konane:5,4", "B:XO.O./...../...../....O", "a1xc1 a1xe1"),
        ("konane:5,4", "B:XO.../..O../...../.....", "a1xc1"),  # a jump goes on in the same direction
        ("konane:4,4", "B:XOXO/OXOX/XOXO/OXOX", "a1 b2 c3 d4"),  # in the middle or in a corner
        ("konane:4,4", "W:XOXO/O.OX/XOXO/OXOX", "b1 a2 c2 b3"),
        ("checkers:6,6", "B:....../w...../.b..../....../...w../....b.", "e1xc3"),
        ("checkers:6,6", "W:.B..../....../....../....../....../b.....", ""),
        ("fox:6", "P:.x...x/x...../.F..../....../....../......", "b6-c5 f6-e5"),
        ("fox:6", "F:.x...x/x...../.F..../....../....../......", "b4-c5 b4-a3 b4-c3"),
        (HARE, "H:.,.,./x,x,x,H,./.,.,./0", "d2-e2 d2-d1 d2-d3"),
        ("oware", "s:0,0,0/3,1,1/4,3", "1 3"),  # the opponent must be fed
        ("morris:6", "X:XXX/.../...O/.../OOO/32X", "e3"),  # who closes a mill takes a stone that is in none
        ("morris:6", "X:XXX/.../..../.../OOO/33X", "a5 c5 e5"),  # or from a mill if there is no other
        ("notakto:2", "first:XXX.../....../......", "d1 e1 f1 d2 e2 f2 d3 e3 f3"),  # a closed board takes no cross
    ],
)
def test_legal_moves(name, text, moves):
    assert names(name, text) == {*moves.split()}


@pytest.mark.parametrize(
    ("name", "text", "start", "targets"),
    [
        ("teeko", "X:X...O/...../..X../...../OX.XO", "c3", "-b2 -c2 -d2 -b3 -d3 -b4 -c4 -d4"),
        (KINGS, "W:Q.../..../k.../..K.", "a4", "a3 b4 c4 d4 b3 c2 d1"),  # no piece takes a king
        (KINGS, "W:...k/q.../Q..p/K...", "a2", "a3"),  # a piece that shields its king
    ],
)
def test_moves_of_a_piece(name, text, start, targets):
    assert {name for name in names(name, text) if name.startswith(start)} == {start + to for to in targets.split()}


@pytest.mark.parametrize(
    ("name", "text", "moves", "following"),
    [
        ("oware", "s:4,1,1/1,0,2/2,1", "3", "n:4,0,0/1,0,0/2,5"),  # twos and threes are captured, the last one first
        ("oware", "s:1,1,3/1,0,2/3,1", "3", "n:1,0,4/1,0,0/3,3"),
        ("oware", "s:4,2,1/1,0,3/1,0", "3", "n:5,3,2/1,0,0/1,0"),
        ("oware", "s:0,1,1/3,0,2/3,2", "3", "n:0,2,2/3,0,0/3,2"),  # a move that would take all takes nothing
        ("oware:2,2", "s:01/60/10", "1", "n:23/02/10"),  # the house itself is left out
        ("kalah", "s:2,0,1/1,0,2/0,0", "1", "n:2,0,1/0,1,2/0,0"),  # captures need seeds opposite
        ("kalah", "s:2,1,1/1,0,2/0,0", "1", "n:2,0,1/0,0,2/0,2"),
        ("reversi", "B:..../.OX./.XO./....", "b1", "W:.X../.XX./.XO./...."),
        ("ataxx:3,3", "", "b2", "O:X.X/.X./X.X"),
        ("ataxx:5,2", "", "b1", "O:XX..O/X...X"),
        ("ataxx:5,2", "", "a1-c1", "O:..X.O/O...X"),
        (KINGS, "W:..k./P..p/..../.K..", "a3a4", "B:Q.k./...p/..../.K.."),
        (KINGS, "B:..K./..../...p/.k..", "d2d1", "W:..K./..../..../.k.q"),
    ],
)
def test_what_a_move_leads_to(name, text, moves, following):
    assert show_position(*played(name, text, moves)) == following


@pytest.mark.parametrize(
    ("name", "text", "moves", "outcome"),
    [
        ("oware", "s:0,0,0/2,1,0/4,5", "", WIN),  # south keeps three: eight against four
        ("oware", "s:0,0,0/1,1,0/6,4", "", DRAW),
        ("oware", "s:0,0,1/1,1,0/6,3", "", ONGOING),
        ("oware", "s:0,0,1/1,1,0/7,2", "", LOSS),
        ("oware", "s:0,0,1/1,1,0/2,7", "", WIN),
        ("ataxx:3,3", "", "b2", LOSS),  # a side has no disc
        ("ataxx:4,2", "X:XXOO/OOXX", "", DRAW),
        ("capturego", "B:.OX/OX./X..", "a1", LOSS),  # a capture comes before an own chain without liberties
        ("capturego", "B:.O./O../X.X", "a1", WIN),
        ("quixo:3", "X:XXX/.../OOO", "", WIN),  # to the side that did not push
        ("popout:3,3,3", "X:X../OXX/XOO", "pop1", LOSS),  # to the side that did not pop
        ("havannah:3", "O:XXX/..../...../..../...", "", LOSS),  # a bridge
        ("havannah:3", "O:XX./..../...../..../...", "", ONGOING),
        ("havannah:3", "O:.X./..XX/..X../.X../.X.", "", LOSS),  # a fork of the top, the bottom and a side between
        ("havannah:3", "O:.X./..X./..X../.X../.X.", "", ONGOING),
        ("havannah:3", "O:XX./.X../XX.../..../...", "", LOSS),
        ("havannah:3", "O:.X./.X../XX.../..../...", "", ONGOING),  # a corner belongs to no side
        ("havannah:3", "O:.../.XX./.X.X./.XX./...", "", LOSS),  # a ring, around nothing, the opponent or oneself
        ("havannah:3", "O:.../.XX./.XOX./.XX./...", "", LOSS),
        ("havannah:3", "O:.../.XX./.XXX./.XX./...", "", LOSS),
        ("havannah:3", "O:.../.XX./.X.X./.X../...", "", ONGOING),
        (KINGS, "B:k.../..../KQ../....", "", DRAW),
        (KINGS, "B:k.../Q.../.K../....", "", LOSS),
        (KINGS, "B:k..Q/..../..K./....", "", ONGOING),
        (HARE, "P:x,.,./.,H,x,.,./x,.,./3", "", ONGOING),  # beside the last hounds
        (HARE, "P:.,x,./.,H,.,x,./.,x,./3", "", LOSS),  # to the left of all
        (HARE, "H:.,x,./.,H,.,x,./.,x,./3", "", ONGOING),
        (HARE, "H:.,x,./.,H,.,x,./.,x,./10", "", WIN),
        (HARE, "H:.,.,x/.,.,.,x,H/.,.,x/10", "", LOSS),  # trapped by the tenth step up or down
    ],
)
def test_outcomes(name, text, moves, outcome):
    game, position, _ = played(name, text, moves)
    assert game.outcome(*position) == outcome


def test_rules_in_prose_tell_them():
    assert "seeds in the house opposite" in load_family("kalah").RULES
    assert "hounds are to move and it is to the left of all" in load_family("hare").RULES
    assert "to move, and can, and the last ten" in load_family("hare").RULES


def test_checkers_go_on_taking_until_a_man_is_crowned():
    for text, takes in (
        ("B:....../..w.../....../..w.../.b..../b.....", [("b2xd4", True), ("d4xb6", False)]),
        ("B:....../..w.w./.b..../....../....../......", [("b4xd6", False)]),
    ):
        game, position, side = played("checkers:6,6", text)
        for expected, more in takes:
            (move,) = legal_moves(game, position)
            assert move_name(game, position, side, move) == expected
            assert game.again(*position, move) is more
            position = game.play(*position, move)


def test_in_tactic_toe_the_square_that_your_oldest_mark_leaves_is_not_yours_to_take():
    game, position, _ = played("tactic-toe", "", "a1 b1 b2 c1 c2 b3")  # a1 goes next
    assert 0 not in legal_moves(game, position)
    assert 0 in legal_moves(game, game.play(*position, 8))  # X c3: a1 goes


def test_who_cannot_move_in_reversi_misses_a_turn():
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


def test_quarto_gives_each_piece_once():
    game = load("quarto")
    assert len(legal_moves(game, game.start)) == 8
    given = game.play(*game.start, 9)
    assert legal_moves(game, given) == list(range(9))
    assert legal_moves(game, game.play(*given, 4)) == list(range(10, 17))


FEINSTEIN = "d3 c5 d6 e3 f5 f4 e2 d2 c2 e6 e7 g5"
"""The first moves of perfect play on 6 x 6 by J. Feinstein, 1993, who calls the columns b to g and the rows 2 to 7."""


def test_perfect_play_of_reversi_on_6_by_6_is_legal_here():
    moves = " ".join(f"{chr(ord(move[0]) - 1)}{int(move[1]) - 1}" for move in FEINSTEIN.split())
    game, position, _ = played("reversi:6,6", "", moves)
    assert (position[0] | position[1]).bit_count() == 4 + len(FEINSTEIN.split())
    assert game.outcome(*position) == ONGOING
