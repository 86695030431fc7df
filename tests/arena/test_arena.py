"""The referee judges, battles count."""

import os
from dataclasses import replace

import pytest

from perfectplay import BadGame, BadPlayer, IllegalMove, load
from perfectplay.arena.battle import add, battle_of, interval, match, sum_of, tallies
from perfectplay.arena.referee import play_game, play_move
from perfectplay.arena.tournaments.game_workers import REPORT, next_size
from perfectplay.players.registry import player_maker

TIC_TAC_TOE = load("tic-tac-toe")


def scripted(*moves):
    script = iter(moves)
    return lambda position: next(script)


@pytest.mark.parametrize("move", [0, 9, -1, 100, None, "a1", 1.0])
def test_an_illegal_move_raises_with_the_position_drawn(move):
    position = TIC_TAC_TOE.play(*TIC_TAC_TOE.start, 0)
    with pytest.raises(IllegalMove, match="is not a legal move for O in\n  a b c\n1 X"):
        play_move(TIC_TAC_TOE, position, 1, move)


def test_records():
    record = play_game(TIC_TAC_TOE, scripted(0, 1, 2), scripted(3, 4))
    assert (record.moves, record.winner, record.forfeit, record.unfinished) == ((0, 3, 1, 4, 2), 0, "", False)
    assert play_game(TIC_TAC_TOE, scripted(0, 1, 8), scripted(3, 4, 5)).winner == 1
    assert play_game(TIC_TAC_TOE, scripted(0, 2, 3, 7, 8), scripted(1, 4, 5, 6)).winner is None
    assert play_game(load("misere"), scripted(0, 1, 2), scripted(3, 4)).winner == 1


@pytest.mark.parametrize("result", ["draw", False, None, 7, 0.0])
def test_the_referee_refuses_an_impossible_outcome(result):
    def outcome(mine, theirs):
        return result if mine | theirs == 511 else TIC_TAC_TOE.outcome(mine, theirs)

    game = replace(TIC_TAC_TOE, outcome=outcome)
    said = rf"outcome is {result!r} in O:XOX/XOO/OXX \(114, 397\); it must be LOSS, DRAW, WIN or ONGOING"
    with pytest.raises(BadGame, match=said):
        play_game(game, scripted(0, 2, 3, 7, 8), scripted(1, 4, 5, 6), forfeits=True)


@pytest.mark.parametrize("player", ["random", "wins"])
def test_the_referee_names_the_position_in_which_nobody_can_move(player):
    game = replace(TIC_TAC_TOE, outcome=lambda mine, theirs: 2)
    play = match(game, (player_maker(player), player_maker("random")), seed=1)
    with pytest.raises(BadGame, match=r"O:[XO/]{11} \(\d+, \d+\) is ONGOING without a legal move; look at moves"):
        sum_of(play(range(1)))


def test_an_illegal_move_can_lose_the_game():
    record = play_game(TIC_TAC_TOE, scripted(0), scripted(0), forfeits=True)
    assert (record.moves, record.winner) == ((0,), 0)
    assert record.forfeit.startswith("move 0 is not a legal move for O in\n  a b c\n1 X")
    with pytest.raises(IllegalMove):
        play_game(TIC_TAC_TOE, scripted(0), scripted(0))


def test_endless_games_are_called_drawn():
    first, second = scripted(*(0, 1, 5, 6) * 10), scripted(*(2, 3, 7, 4) * 10)  # round and round, no row of three
    record = play_game(load("tactic-toe"), first, second, most_plies=60)
    assert (len(record.moves), record.winner, record.unfinished) == (60, None, True)


def test_random_against_random_is_as_computed():
    """First wins 737/1260, drawn 8/63, second wins 121/420: within three standard deviations."""
    games = 4_000
    tally = sum_of(tallies(battle_of("tic-tac-toe", ("random", "random"), 3, games)))
    for count, share in ((tally.wins[0], 737 / 1260), (tally.draws, 8 / 63), (tally.wins[1], 121 / 420)):
        assert abs(count - games * share) < 3 * (games * share * (1 - share)) ** 0.5


def test_a_battle_repeats_whatever_the_number_of_processes():
    contest = battle_of("tic-tac-toe", ("blocks", "random"), 8, 60, swap=True)
    alone = sum_of(tallies(contest))
    assert alone == sum_of(tallies(contest, jobs=2))
    assert alone == sum_of(tallies(contest))
    assert alone != sum_of(tallies(replace(contest, seed=9)))


def test_games_come_out_the_same_in_any_order_and_sides_are_swapped():
    makers = (player_maker("perfect"), player_maker("random"))
    play = match(TIC_TAC_TOE, makers, seed=4, swap=True)
    tally = sum_of(play(range(40)))
    assert add(sum_of(play(range(20, 40))), sum_of(play(range(20)))) == tally
    assert tally.wins[1] == 0
    assert tally.games == 40 == sum(tally.wins) + tally.draws


def test_forfeits_are_counted_for_their_player(tmp_path, bots_here):
    file = tmp_path / "bots.py"
    file.write_text("def ai(board, side): return 0, 0\n")
    tally = sum_of(tallies(battle_of("tic-tac-toe", ("random", f"{file}:ai"), 1, 100, swap=True)))
    assert tally.forfeits[0] == 0
    assert tally.forfeits[1] == tally.wins[0] > 80
    assert tally.faults[0] is None
    assert tally.faults[1][1].startswith("(0, 0) as (row, column) is not a legal move")


def test_parts_of_a_battle_take_about_as_long_as_they_should():
    assert next_size(8, REPORT) == 8
    assert next_size(8, REPORT / 10) == 16
    assert next_size(8, REPORT * 10) == 4
    assert next_size(1, REPORT * 10) == 1


def test_a_process_of_the_battle_that_dies_ends_it_with_one_line(tmp_path):
    file = tmp_path / "dies.py"
    file.write_text(
        "import os\nfrom perfectplay import load\n"
        "def game():\n"
        f"    if os.getpid() != {os.getpid()}:\n        os._exit(1)\n"
        "    return load('tic-tac-toe')\n"
    )
    with pytest.raises(BadPlayer, match="a process that plays the games ended with exit code 1"):
        sum_of(tallies(battle_of(str(file), ("random", "random"), 1, 10), jobs=2))


@pytest.mark.parametrize(
    ("count", "games", "low", "high"), [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1.0)]
)
def test_interval_is_wilsons(count, games, low, high):
    assert interval(count, games) == pytest.approx((low, high), abs=1e-4)
