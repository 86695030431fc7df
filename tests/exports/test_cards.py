"""The cards of the gallery: what they tell about a game is what a solve finds."""

import pytest

from perfectplay import load
from perfectplay.exports.page.cards import card, result_text, tags
from perfectplay.exports.page.game_data import about_game
from perfectplay.words import DRAW, LOSS, WIN, Entry


def test_results_in_words():
    entries = [Entry(WIN, 5), Entry(LOSS, 6), Entry(DRAW, 9), Entry(DRAW, None)]
    assert [result_text(entry) for entry in entries] == [
        *("First player wins in 5", "Second player wins in 6", "Draw", "Draw, endless"),
    ]


@pytest.mark.parametrize(
    ("name", "entry", "told", "value"),
    [
        ("gomoku", None, "First player wins", "win"),
        ("lines:5,4,4", None, "Not solved yet", ""),
        ("lines:4,4,4", Entry(DRAW, 16), "Draw", "draw"),
        ("lines:19,19,5", None, "Too big to solve", ""),
        ("examples/hexapawn.py", Entry(LOSS, 6), "Second player wins in 6", "loss"),
    ],
)
def test_a_card_tells_what_is_known(name, entry, told, value):
    game = load(name)
    found = card(name, game, about_game(game), entry, own=False)
    assert (found["known"], found["value"]) == (told, value)
    assert ("solved" in found["tags"]) == (value != "")


def test_games_that_may_never_end_are_found():
    assert "endless" in tags(load("tactic-toe"), True, False)
    assert "endless" not in tags(load("connect-four"), True, False)
    assert "yours" in tags(load("examples/hexapawn.py"), False, True)
