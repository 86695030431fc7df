"""`check` in games with extra turns, points and tiers: right rules pass, lies are found; how random games go."""

import json
import re
from dataclasses import replace
from itertools import pairwise
from random import Random
from types import SimpleNamespace

import pytest

import perfectplay
from graph_games import graph_game
from perfectplay.engines.compiled_checks import fault_in_module
from perfectplay.engines.contract import hints_true, images_alike
from perfectplay.engines.field_checks import margin_agrees, tier_rises
from perfectplay.engines.findings import SKIPPED
from perfectplay.engines.sample_positions import positions_to_check, random_trails
from perfectplay.engines.side_checks import next_side_sees
from perfectplay.front.cli import main
from perfectplay.game import after, legal_moves, moves_again
from perfectplay.loading import load_game
from perfectplay.words import LOSS, ONGOING, WIN


def said(check, game):
    """What the check says about the game."""
    return str(check(game, positions_to_check(game, 50, 1)))


@pytest.mark.parametrize("name", ["dots", "kalah:2,3", "morris:3,2"])
def test_walks_and_samples_know_who_moves_next(name):
    game = load_game(name)
    for trail in random_trails(game, positions_to_check(game, 1, 1)[0], walks=5, seed=3):
        for here, there in pairwise(trail):
            assert there in [after(game, *here, move) for move in legal_moves(game, here.position)]
    met = positions_to_check(game, 5, 1)
    kept = {moves_again(game, position, move) for position, _ in met for move in legal_moves(game, position)}
    assert kept == {False, True}


LIES = {
    "never again": ({"again": lambda mine, theirs, move: False}, "again is false"),
    "always again": ({"again": lambda mine, theirs, move: True}, "again is true"),
}


@pytest.mark.parametrize("lie", LIES)
@pytest.mark.parametrize("name", ["dots:1,2", "kalah", pytest.param("morris:3,2", marks=pytest.mark.nightly)])
def test_an_again_that_lies_is_found(name, lie):
    changes, words = LIES[lie]
    line = said(next_side_sees, replace(load_game(name), **changes))
    assert words in line
    assert re.search("but play (returns|seems to return) the position seen by", line)


@pytest.mark.parametrize("name", ["kalah", pytest.param("morris", marks=pytest.mark.nightly)])
def test_a_play_that_never_or_always_swaps_is_found(name):
    game = load_game(name)

    def keeps(mine, theirs, move):
        child = game.play(mine, theirs, move)
        return child if moves_again(game, (mine, theirs), move) else child[::-1]

    def swaps(mine, theirs, move):
        child = game.play(mine, theirs, move)
        return child[::-1] if moves_again(game, (mine, theirs), move) else child

    assert "again is false" in said(next_side_sees, replace(game, play=keeps))
    assert "again is true" in said(next_side_sees, replace(game, play=swaps))
    assert "does not swap" in said(next_side_sees, replace(game, play=keeps, again=None))


def test_an_again_that_is_wrong_now_and_then_is_found():
    """Only two boxes at once give another turn, says again; play gives it for one."""
    game = load_game("dots:3,3")

    def gained(mine, theirs, move):
        return (game.play(mine, theirs, move)[0] >> 24) - (mine >> 24)

    twice = replace(game, again=lambda m, t, move: game.again(m, t, move) and gained(m, t, move) > 1)
    assert "again is false" in said(next_side_sees, twice)


def test_again_is_true_or_false():
    forgetful = replace(load_game("dots"), again=lambda mine, theirs, move: None)
    assert "again is None" in said(next_side_sees, forgetful)
    assert "must be True or False" in said(next_side_sees, forgetful)


@pytest.mark.parametrize("name", ["dots:1,1", "kalah:2,2"])
def test_a_margin_has_the_sign_of_the_outcome(name):
    game = load_game(name)
    assert said(margin_agrees, game) == "None"
    line = said(margin_agrees, replace(game, margin=lambda mine, theirs: -game.margin(mine, theirs)))
    assert "margin is" in line
    assert "but outcome is" in line
    assert "for the side to move" in line
    assert "must be a whole number" in said(margin_agrees, replace(game, margin=lambda mine, theirs: None))
    assert "must be a whole number" in said(margin_agrees, replace(game, margin=lambda mine, theirs: 0.5))
    assert said(margin_agrees, load_game("tic-tac-toe")) == SKIPPED


@pytest.mark.parametrize("seed", range(2))
def test_one_wrong_margin_in_a_small_game_is_found(seed):
    game = load_game("dots:2,1")
    ends = [met.position for met in positions_to_check(game, 1, 1) if game.outcome(*met.position) in (LOSS, WIN)]
    one = Random(seed).choice(ends)
    wrong = replace(game, margin=lambda *words: 0 if words == one else game.margin(*words))
    assert "margin is 0, but outcome is" in said(margin_agrees, wrong)
    assert str(one) in said(margin_agrees, wrong)


def test_points_and_repetition_do_not_go_together():
    def margin(mine, theirs):
        return -2

    around = graph_game([[1], [2, 3], [0], []], {3: LOSS})
    line = said(margin_agrees, replace(around, margin=margin))
    assert "can come again after 3 plies" in line
    assert "leave margin out" in line
    straight = graph_game([[1], [2, 3], [3], []], {3: LOSS})
    assert said(margin_agrees, replace(straight, margin=margin)) == "None"


def test_a_tier_never_decreases():
    game = load_game("morris:3,2")
    assert said(tier_rises, game) == "None"
    falling = replace(game, tier=lambda mine, theirs: -game.tier(mine, theirs))
    assert "tier falls from" in said(tier_rises, falling)
    assert "never decrease along a move" in said(tier_rises, falling)
    stones = replace(game, tier=lambda mine, theirs: (mine & 0xFFFF).bit_count() + (theirs & 0xFFFF).bit_count())
    assert "tier falls from" in said(tier_rises, stones)  # a mill removes one
    assert "must be a whole number" in said(tier_rises, replace(game, tier=lambda mine, theirs: None))
    assert said(tier_rises, load_game("tic-tac-toe")) == SKIPPED


def test_a_tier_is_the_same_for_all_images():
    game = load_game("dots:2,1")
    edges = replace(game, tier=lambda mine, theirs: mine & 1)
    assert "another tier" in said(images_alike, edges)
    assert said(images_alike, replace(game, tier=lambda mine, theirs: (mine & 127).bit_count())) == "None"


def winning_moves(game, mine, theirs):
    """The moves that win at once, as bits: the game is over, and the side that moves has won."""
    found = 0
    for move in legal_moves(game, (mine, theirs)):
        child, again = game.play(mine, theirs, move), moves_again(game, (mine, theirs), move)
        found |= (game.outcome(*child) == (WIN if again else LOSS)) << move
    return found


@pytest.mark.parametrize("name", ["dots:1,1", "kalah:2,2"])
def test_a_move_that_wins_may_leave_the_winner_to_move(name):
    game = load_game(name)
    assert said(hints_true, replace(game, wins=lambda *words: winning_moves(game, *words))) == "None"
    naive = replace(game, wins=lambda *words: winning_moves(replace(game, again=None), *words))
    assert "but the moves that win are" in said(hints_true, naive)
    assert said(hints_true, replace(game, hopeless=lambda mine, theirs: False)) == "None"


def test_a_side_that_is_to_win_by_extra_turns_is_not_hopeless():
    game = load_game("dots:2,1")
    solved = perfectplay.solve(game, "python")
    lost = {position for position, entry in solved.entries() if entry.value != WIN}
    hopeless = replace(game, hopeless=lambda mine, theirs: (mine, theirs) in lost)
    assert said(hints_true, replace(hopeless, symmetries=())) == "None"
    won = next(p for p, entry in solved.entries() if entry.value == WIN and game.outcome(*p) == ONGOING)
    wrong = replace(game, hopeless=lambda *words: words == won)
    assert "hopeless is true" in said(hints_true, wrong)


@pytest.mark.parametrize("field", ["again", "margin", "tier"])
def test_compiled_fields_are_compared(field):
    name = {"again": "dots:1,1", "margin": "dots:1,1", "tier": "morris:3,2"}[field]
    game = load_game(name)
    fields = {f: getattr(game, f) for f in ("moves", "play", "outcome", "key", "unkey", "again", "margin", "tier")}
    image = perfectplay.game.images(game).image
    met = positions_to_check(game, 2, 1, most=300)
    same = SimpleNamespace(image=image, **fields)
    assert fault_in_module(game, lambda _: same, met) is None
    other = SimpleNamespace(image=image, **{**fields, field: lambda *words: 1 - fields[field](*words)})
    assert f"{field} of" in fault_in_module(game, lambda _: other, met)


# Random games


def test_points_of_random_games(capsys):
    report = perfectplay.check("dots:1,1", walks=20)
    margins = report.to_dict()["games"]["margins"]
    assert -1 <= margins["least"] <= margins["average"] <= margins["greatest"] <= 1
    assert f"X's margin {margins['least']} to {margins['greatest']}, {margins['average']:.1f} on average" in str(report)
    assert perfectplay.check("drop:2,2,2", walks=5).to_dict()["games"]["margins"] is None


def test_the_report_has_lengths_choices_and_a_game():
    games = perfectplay.check("examples/tictactoe.py").games
    assert (games.plies.least, games.plies.greatest) == (games.shortest, games.longest) == (5, 9)
    assert (games.choices.least, games.choices.greatest) == (1, 9)
    assert 5 < games.plies.average < 9
    assert str(games).startswith("50 random games: 29 won by X, 16 by O, 5 drawn; 5 to 9 plies, 7.4 on average")
    game, sample = load_game("examples/tictactoe.py"), games.sample
    match = perfectplay.Match(game, sample.moves)
    assert len(sample.moves) == 5
    assert sample.movers == ("X", "O", "X", "O", "X")
    assert sample.result == "X wins"
    assert match.result.name == "X"
    assert sample.board in str(sample)


def test_the_command_draws_the_shortest_game_and_prints_json(capsys):
    assert main(["check", "dots:1,1", "--walks", "9"]) == 0
    out = capsys.readouterr().out
    shown = out.partition("9 random games: ")[2]
    assert "legal moves 1 to 4" in shown
    assert "the shortest game, " in shown
    assert "1. X " in shown
    assert main(["check", "dots:1,1", "--walks", "9", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["ok"] is True
    assert len(facts["games"]["sample"]["moves"]) == facts["games"]["shortest"]
    assert facts["games"]["sample"]["result"] in shown


def test_a_game_without_end_is_shown_from_its_beginning():
    game = replace(load_game("tic-tac-toe"), moves=lambda mine, theirs: 511, outcome=lambda mine, theirs: ONGOING)
    from perfectplay.api.random_play import random_games

    sample = random_games(game, 2, 1).sample
    assert sample.heading == "how a game begins"
    assert len(sample.moves) == 12
