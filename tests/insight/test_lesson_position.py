"""The position that the classroom opens with: small and lively in every game, and found from the rules alone."""

import pytest

import perfectplay
from perfectplay.exports.page.lesson_position import FEWEST, LARGE, lesson_position, tree_nodes
from perfectplay.rules.families import shown_names
from perfectplay.rules.loading import load_game
from perfectplay.rules.notation import show_position
from perfectplay.words import ONGOING
from rings import nightly

QUICK = ("tic-tac-toe", "nim", "dots-and-boxes", "tactic-toe")
UNDECIDED = ("kbnk", "kpk", "kqk")
"""Chess endings in which random play does not come near a mate."""


@pytest.mark.parametrize("name", [*QUICK, *nightly(*(name for name in shown_names() if name not in QUICK))])
def test_every_game_has_a_position_to_watch(name):
    game = load_game(name)
    position, side, depth = lesson_position(game)
    assert game.outcome(*position) == ONGOING
    text = show_position(game, position, side)
    minimax, pruned = (
        perfectplay.tree(game, position=text, algorithm=one, depth=depth) for one in ("minimax", "alpha-beta")
    )
    assert FEWEST <= minimax.visited <= LARGE
    assert pruned.visited < minimax.visited or depth == 2
    assert any(node.score for node in minimax.nodes) or name in UNDECIDED, "nobody wins anywhere"


def test_a_small_game_begins_at_its_start_and_others_at_the_same_position_each_time():
    small, large = load_game("lines:2,2,2"), load_game("drop:5,4,4")
    assert lesson_position(small) == (small.start, 0, None)
    found = lesson_position(large)
    lesson_position.cache_clear()
    assert lesson_position(large) == found


@pytest.mark.parametrize(("name", "depth"), [("tactic-toe", 3), ("tic-tac-toe", 2)])
def test_nodes_are_counted_up_to_a_limit(name, depth):
    game = load_game(name)
    assert tree_nodes(game, game.start, depth, 50) == 51
    assert tree_nodes(game, game.start, depth, 10**6) == perfectplay.tree(game, depth=depth).visited
