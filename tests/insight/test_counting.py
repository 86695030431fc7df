"""Finished games are counted exactly, whoever counts them."""

import json

import pytest
from hypothesis import given, strategies as st

import perfectplay
from command_line import output
from graph_games import drawn_games
from perfectplay.commands.prove import counting
from perfectplay.game import legal_moves
from perfectplay.words import DRAW, LOSS, ONGOING, WIN


def played_out(game, position, side, depth):
    """The results of all games from here on within the depth, one by one; None for a game that is not over."""
    outcome = game.outcome(*position)
    if outcome != ONGOING:
        return [{WIN: side, LOSS: 1 - side, DRAW: "draw"}[outcome]]
    if depth == 0:
        return [None]
    children = [game.play(*position, move) for move in legal_moves(game, position)]
    return [result for child in children for result in played_out(game, child, 1 - side, depth - 1)]


@given(drawn_games(), st.integers(0, 5))
def test_counts_are_those_of_games_played_one_by_one(game, depth):
    results = played_out(game, game.start, 0, depth)
    found = perfectplay.count_games(game, depth)
    assert found.wins == (results.count(0), results.count(1))
    assert (found.draws, found.ongoing) == (results.count("draw"), results.count(None))


def test_games_that_are_not_over_are_said_to_go_on():
    found = perfectplay.count_games("tactic-toe", 6)
    assert (found.games, found.wins, found.draws, found.ongoing) == (6_768, (1_440, 5_328), 0, 49_392)
    assert not found.complete
    assert "49,392 sequences are not over" in str(found)
    assert str(perfectplay.count_games("tactic-toe", 4)) == "no game is over within 4 plies"


def test_the_games_of_tic_tac_toe(capsys):
    found = perfectplay.count_games("tic-tac-toe", 9)
    assert (found.games, found.wins, found.draws) == (255_168, (131_184, 77_904), 46_080)
    assert found.complete
    assert perfectplay.count_games("tic-tac-toe") == found
    assert perfectplay.count_games("tic-tac-toe", 12).games == found.games
    out = output(capsys, "perft tic-tac-toe")
    assert out == output(capsys, "perft tic-tac-toe 9")
    assert "255,168 games, all that can be played" in out
    assert [line.split()[-3] for line in out.splitlines()[-3:]] == ["131,184", "46,080", "77,904"]
    facts = json.loads(output(capsys, "perft misere --json"))
    assert (facts["depth"], len(facts["nodes"])) == (9, 10)
    assert facts["finished"] == {
        "games": 255_168,
        "wins": [77_904, 131_184],
        "draws": 46_080,
        "ongoing": 0,
        "complete": True,
    }


def test_small_games_are_counted_to_their_end_others_need_a_depth(monkeypatch):
    assert perfectplay.perft("drop:3,2,2") == [1, 3, 9, 24, 14, 4]
    with pytest.raises(perfectplay.BadArgument, match="depth=-1"):
        perfectplay.count_games("tic-tac-toe", -1)
    monkeypatch.setattr(counting, "SMALL", 1000)
    for game, depth in (("lines:4,4,4", 2), ("tactic-toe", 3)):
        with pytest.raises(perfectplay.TooBig, match=f"too large to count to its end: .* such as {depth}$"):
            perfectplay.perft(game)
        assert len(perfectplay.perft(game, depth + 1)) == depth + 2  # a depth that is given is counted, however large
