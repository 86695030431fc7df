"""Who plays while a search is compiled: at once, without missing a win, and saying so."""

import subprocess
import sys
from random import Random

import pytest

from perfectplay import Match, load
from perfectplay.players.seat import Seat
from perfectplay.players.stand_in import REMARK, needs_compiler, stand_in
from perfectplay.table.opening_books import book_of


def chosen(game, moves):
    """The move after these, and the remarks on it."""
    match, remarks = Match(game, moves.split()), []
    seat = Seat(match.game, match.turn, Random(1), say=remarks.append)
    return stand_in(seat)(match.position), remarks


@pytest.mark.parametrize(
    ("game", "moves", "best"),
    [
        ("connect-four", "1 7 2 7 3 7", {3}),  # wins
        ("connect-four", "1 7 2 7 3 6", {3}),
        ("connect-four", "1 7 1 7 2 7", {6}),  # stops a win
        ("gomoku", "h8 a1 i8 a2 j8 a3 k8 a4", None),
    ],
)
def test_it_takes_wins_and_stops_wins(game, moves, best):
    move, remarks = chosen(game, moves)
    match = Match(game, moves.split())
    if best is None:
        assert load(game).outcome(*load(game).play(*match.position, move)) == -1
    else:
        assert move in best
    assert remarks == [REMARK]


def test_it_plays_near_the_other_mark_on_a_large_board():
    move, _ = chosen("gomoku", "h8")
    width = load("gomoku").shape[0]
    assert abs(move % width - 7) <= 2
    assert abs(move // width - 7) <= 2


def test_who_needs_a_compiler():
    game = load("connect-four")
    book, far = book_of(game), Match(game, "4 4 4 4 4 1 3 2 2".split()).position
    assert needs_compiler(game, "perfect", far, False, book)
    assert not needs_compiler(game, "perfect", game.start, False, book)
    assert needs_compiler(game, "perfect", game.start, False, None)
    assert needs_compiler(game, "level:5", game.start, False, book)
    assert not needs_compiler(game, "perfect", far, True, None)
    assert not needs_compiler(game, "blocks", far, False, None)


@pytest.mark.parametrize(("game", "player"), [("connect-four", "perfect"), ("gomoku", "threats")])
def test_a_quick_reply_compiles_nothing(game, player):
    code = f"""
import sys
from perfectplay.front.web.allowed_names import AllowedNames
from perfectplay.front.web.api_answers import RequestHandler, reply
handler = RequestHandler(AllowedNames(), lambda game: None, False)
said = reply(handler, {{"game": {game!r}, "player": {player!r}, "quick": "yes"}})
assert "compiled" in said["note"], said
sys.exit("numba" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=120, text=True)
    assert done.returncode == 0, done.stderr


def test_it_begins_in_the_middle():
    assert chosen("gomoku", "")[0] == 7 * 15 + 7
