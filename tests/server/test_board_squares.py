"""What the page reads off positions: where a click means a move, what fades, which line has won."""

import pytest

from perfectplay.commands.know.verdicts import verdict_by_moves
from perfectplay.game import entries_of_moves, legal_moves
from perfectplay.rules.board_layout import square_names
from perfectplay.rules.loading import load_game
from perfectplay.rules.notation import move_name, parse_position, pieces_on, replay
from perfectplay.solvers.oracle import solved_oracle
from perfectplay.views.board_squares import changes, going, readers, straight_lines, winning_lines


def after(game, moves):
    position, side = game.start, 0
    for before, mover, move in replay(game, position, side, moves.split()):
        position, side = game.play(*before, move), 1 - mover
    return position, side


def named_changes(game, position, side):
    found = changes(game, position, side)
    return {move_name(game, position, side, move): (c.to, sorted(c.left)) for move, c in found.items()}


def test_a_mark_goes_to_its_square():
    game = load_game("tic-tac-toe")
    assert named_changes(game, *after(game, "b2 a1")) == {
        name: ([square], [])
        for square, name in enumerate("a1 b1 c1 a2 b2 c2 a3 b3 c3".split())
        if name not in ("a1", "b2")
    }


def test_a_dropped_mark_lands():
    game = load_game("connect-four")
    assert named_changes(game, *after(game, "4 4"))["4"] == ([3 + 7 * 3], [])


def test_pieces_move_and_take():
    game = load_game("kingpawns")
    found = named_changes(game, game.start, 0)
    assert found == {
        "b1a1": ([12], [13]),
        "b1c1": ([14], [13]),
        "a2a3": ([4], [8]),
        "b2b3": ([5], [9]),
        "b2c3": ([6], [9]),
    }
    black = named_changes(game, *after(game, "b1a1"))
    assert black["c3b2"] == ([9], [6])  # seen by Black, on the same board


@pytest.mark.parametrize("name", ["kingpawns", "tactic-toe", "drop:4,4,4", "lines:19,19,5", "examples/hexapawn.py"])
def test_readers_agree_with_the_drawn_board(name):
    game = load_game(name)
    position, side = game.start, 0
    for _ in range(12):
        legal = legal_moves(game, position)
        if not legal:
            break
        position, side = game.play(*position, legal[len(legal) // 2]), 1 - side
        reader = readers(game)[side]
        drawn = {square: at for square, at in enumerate(pieces_on(game, position, side)) if at}
        mine = {square: (side, kind) for square, kind in reader[side].pieces(position[0]).items()}
        theirs = {square: (1 - side, kind) for square, kind in reader[1 - side].pieces(position[1]).items()}
        assert mine | theirs == drawn


def test_the_mark_that_fades_next():
    game = load_game("tactic-toe")
    assert going(changes(game, *after(game, "a1 b2 b1")).values()) == []
    assert going(changes(game, *after(game, "b1 b2 a1 c1 a3 a2")).values()) == [1]
    assert going(changes(load_game("kingpawns"), load_game("kingpawns").start, 0).values()) == []


def test_lines_that_won():
    game = load_game("tic-tac-toe")
    assert winning_lines(game, *after(game, "a1 b1 b2 c1 c3")) == [[0, 4, 8]]
    assert winning_lines(game, *after(game, "a1 a2 b1 b2 a3 c3")) == []  # goes on
    both = after(game, "a1 b1 a2 b2 b3 c2 c3 c1 a3")
    assert sorted(winning_lines(game, *both)) == [[0, 3, 6], [6, 7, 8]]
    drop = load_game("connect-four")
    assert winning_lines(drop, *after(drop, "1 2 1 2 1 2 1")) == [[14, 21, 28, 35]]
    misere = load_game("misere")
    assert winning_lines(misere, *after(misere, "a1 b1 b2 c1 c3")) == [[0, 4, 8]]  # the line that lost
    fading = load_game("tactic-toe")
    assert winning_lines(fading, *after(fading, "a1 b2 b1 c3 c1")) == [[0, 1, 2]]


def test_pieces_that_got_through_are_no_line():
    game = load_game("examples/hexapawn.py")
    position, side = parse_position(game, "B:P../.../P.p")
    assert winning_lines(game, position, side) == []


def test_longest_lines_only():
    assert sorted(straight_lines((4, 1), [0, 1, 2])) == [[0, 1, 2]]
    assert list(straight_lines((3, 3), [2, 3])) == []  # the end of a row and the beginning of the next
    assert list(straight_lines((3, 3), [2, 4, 6])) == [[2, 4, 6]]


def said(name, moves=""):
    game = load_game(name)
    position, side = after(game, moves)
    lookup = solved_oracle(game).lookup
    return verdict_by_moves(game, position, side, lookup(position), entries_of_moves(game, lookup, position))


@pytest.mark.parametrize(
    ("name", "moves", "sentence"),
    [
        ("tactic-toe", "", "X wins in 13 plies, if X opens on an edge."),
        ("tic-tac-toe", "", "Drawn with best play, whatever X plays."),
        ("tic-tac-toe", "b2", "Drawn with best play, if O plays a1, c1, a3 or c3."),
        ("tic-tac-toe", "a1", "Drawn with best play, if O plays b2."),
        ("tic-tac-toe", "b2 b1", "X wins in 5 plies, if X plays anything but b3."),
        ("tic-tac-toe", "b2 b1 a1", "X wins in 4 plies at the latest, whatever O plays."),
        ("tic-tac-toe", "b2 b1 a1 c3 a3", "X wins in 2 plies at the latest, whatever O plays."),
        ("tic-tac-toe", "b2 b1 a1 c1 c3", "X has won."),
        ("tic-tac-toe", "b2 a1 c1 a3 a2 c2 b3 b1 c3", "The game is drawn."),
        ("misere", "", "Drawn with best play, if X opens in the centre."),
        ("kingpawns", "", "White wins in 5 plies, if White plays b2b3."),
    ],
)
def test_the_verdict_in_a_sentence(name, moves, sentence):
    assert said(name, moves) == sentence


def test_an_endless_draw():
    assert said("tactic-toe", "b2").startswith("Drawn: best play never ends")


@pytest.mark.parametrize(
    ("name", "move", "to"),
    [("nim", "c3", ["c3"]), ("chomp", "b2", ["b2"]), ("domineering", "b2", ["b2"]), ("kayles", "b1c1", ["b1", "c1"])],
)
def test_a_click_means_the_move_that_is_called_like_the_square(name, move, to):
    """Where things belong to nobody, and a move takes or covers several squares; nothing moves there."""
    game = load_game(name)
    squares, left = named_changes(game, game.start, 0)[move]
    assert ([square_names(game)[square] for square in squares], left) == (to, [])
