"""Lost games of a battle: kept when asked, and the move that gave each away."""

import json
from itertools import pairwise
from random import Random

import pytest

import perfectplay
from command_line import output
from perfectplay import DRAW, FIRST, LOSS, SECOND, BadArgument, battle, load
from perfectplay.arena.stop_watch import StopWatch, Times
from perfectplay.players.registry import player_maker
from perfectplay.players.seat import Seat
from perfectplay.solvers.oracle import solved_oracle
from rings import nightly

TIC_TAC_TOE = load("tic-tac-toe")


def values_of(game, lost):
    """The value of each position of a lost game to the player that lost it."""
    lookup, position, side, values = solved_oracle(game).lookup, game.start, FIRST, []
    for move in (*lost.numbers, None):
        values.append(lookup(position).value * (1 if side == lost.side else -1))
        if move is not None:
            position, side = game.play(*position, move), 1 - side
    return values


@pytest.mark.parametrize("name", ["tic-tac-toe", "kingpawns", *nightly("tactic-toe")])
def test_the_first_losses_and_where_they_were_lost(name):
    game = load(name)
    result = battle(name, "wins", "perfect", games=40, seed=5, swap=True, losses=6)
    assert len(result.losses) == min(6, result.wins[1])
    assert [lost.number for lost in result.losses] == sorted({lost.number for lost in result.losses})
    for lost in result.losses:
        match = perfectplay.Match(name, lost.moves)
        assert match.result.winner == 1 - lost.side
        assert lost.side == (SECOND if lost.number % 2 == 0 else FIRST)
        values = values_of(game, lost)
        falls = [ply for ply, (before, after) in enumerate(pairwise(values), 1) if after == LOSS < before]
        assert (lost.given_away.ply if lost.given_away else None) == (falls[-1] if falls else None)
        if lost.given_away is not None:
            assert lost.given_away.before == values[lost.given_away.ply - 1]
            here = perfectplay.analyse(name, *lost.moves[: lost.given_away.ply - 1])
            assert {*lost.given_away.better} == {*here.best}
            assert lost.given_away.move == lost.moves[lost.given_away.ply - 1]


def test_a_forfeited_game_has_its_reason():
    result = battle("tic-tac-toe", lambda board, side: (0, 0), "random", games=3, seed=1, swap=True, losses=3)
    assert all("is not a legal move" in lost.forfeit for lost in result.losses)
    assert all(lost.given_away is None for lost in result.losses)
    assert len(result.losses) == result.forfeits[0] > 0


def test_a_game_that_is_not_solved_has_no_mistake(capsys):
    out = output(capsys, "battle lines:9,9,5 random routes:2 --games 1 --seed 3 --show-losses 1")
    assert "the game is not solved, so the mistake is not known" in out
    assert "??" not in out


def test_losses_are_drawn_with_the_mistake_marked(capsys):
    line = "battle tic-tac-toe random perfect --games 30 --seed 1 --show-losses 1"
    lost = json.loads(output(capsys, f"{line} --json"))["losses"][0]
    out = output(capsys, line)
    given = lost["given_away"]
    side = "XO"[(given["ply"] - 1) % 2]
    assert f"{given['ply']}. {side} {given['move']} ??" in out
    assert out.count("??") == 1
    assert f"gave the {given['before']} away" in out
    assert "perfect lost no game" in output(
        capsys, "battle tic-tac-toe perfect wins --games 5 --seed 1 --show-losses 2"
    )


def test_a_number_of_losses_is_wanted():
    with pytest.raises(BadArgument, match="losses=-1"):
        battle("tic-tac-toe", "random", "random", games=1, losses=-1)


# Time and nodes


def test_times_add_up():
    watch = StopWatch()
    player = watch.timed(lambda position: 4)
    assert [player((0, 0)) for _ in range(3)] == [4, 4, 4]
    watch.searched(10)
    watch.searched(5)
    times = watch.read()
    assert (times.moves, times.nodes, times.mean_nodes) == (3, 15, 5.0)
    assert 0 < times.mean <= times.longest <= times.seconds
    assert watch.read() == Times()
    assert times.plus(Times()) == times
    assert Times(1, 2.0, 2.0).plus(Times(3, 2.0, 1.0, 7)) == Times(4, 4.0, 2.0, 7)


def test_minimax_tells_its_nodes():
    told = []
    seat = Seat(TIC_TAC_TOE, SECOND, Random(1), searched=told.append)
    player_maker("minimax")(seat)(TIC_TAC_TOE.play(*TIC_TAC_TOE.start, 4))
    assert told == [55_505]


@pytest.mark.parametrize("name", ["threats:0.1", "routes:1", "mcts:0.1"])
def test_players_that_search_tell_their_nodes(name):
    game, told = load("connect-four" if name.startswith("mcts") else "lines:7,7,4"), []
    player_maker(name)(Seat(game, FIRST, Random(1), searched=told.append))(game.play(*game.start, 3))
    assert len(told) == 1
    assert told[0] > 0


def test_a_bot_in_a_file_tells_its_nodes(tmp_path, bots_here, capsys):
    file = tmp_path / "bots.py"
    file.write_text(
        "from perfectplay import legal_moves\n"
        "def ai(seat):\n"
        "    def choose(position):\n"
        "        seat.searched(7)\n"
        "        return legal_moves(seat.game, position)[0]\n"
        "    return choose\n"
    )
    facts = json.loads(output(capsys, f"battle tic-tac-toe {file}:ai random --games 3 --seed 1 --json --times"))
    assert 0 < facts["seconds_per_move"][0] <= facts["longest_seconds"][0]
    assert facts["nodes_per_move"] == [7.0, None]
    assert "7 nodes per move" in output(capsys, f"battle tic-tac-toe {file}:ai random --games 3 --seed 1")


def test_results_are_equal_whatever_time_they_took():
    once, again = (battle("tic-tac-toe", "random", "perfect", games=20, seed=2, losses=2) for _ in range(2))
    assert once == again
    assert once.losses[0].given_away.before == DRAW
    plain = battle("tic-tac-toe", "random", "perfect", games=20, seed=2)
    assert (plain.losses, plain.kept, "losses" in plain.to_dict()) == ((), (), False)
