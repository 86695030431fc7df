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
from perfectplay.__main__ import main
from perfectplay.commands.prove.random_play import random_games
from perfectplay.compiler.checks.board_checks import next_side_sees
from perfectplay.compiler.checks.compiled_checks import fault_in_module
from perfectplay.compiler.checks.contract import hints_true, images_alike, margin_agrees, tier_rises
from perfectplay.compiler.checks.sample_positions import SKIPPED, positions_to_check, random_trails
from perfectplay.game import after, legal_moves, moves_again
from perfectplay.rules.loading import load_game
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


def playing(game, kept):
    """A play that always swaps the words, or never if they are kept."""

    def play(mine, theirs, move):
        child = game.play(mine, theirs, move)
        return child if moves_again(game, (mine, theirs), move) == kept else child[::-1]

    return play


def for_two_boxes(game):
    """Only two boxes of dots:3,3 at once give another turn."""

    def again(mine, theirs, move):
        return game.again(mine, theirs, move) and (game.play(mine, theirs, move)[0] >> 24) - (mine >> 24) > 1

    return again


def winning_moves(game):
    """The moves that win at once, as bits: the game is over, and the side that moves has won."""

    def wins(mine, theirs):
        found = 0
        for move in legal_moves(game, (mine, theirs)):
            child, again = game.play(mine, theirs, move), moves_again(game, (mine, theirs), move)
            found |= (game.outcome(*child) == (WIN if again else LOSS)) << move
        return found

    return wins


def stones(mine, theirs):
    return (mine & 0xFFFF).bit_count() + (theirs & 0xFFFF).bit_count()


SEEN = "but play (returns|seems to return) the position seen by"
LIES = [
    (next_side_sees, "dots:1,2", lambda game: {"again": lambda *at: False}, f"again is false .*{SEEN}"),
    (next_side_sees, "dots:1,2", lambda game: {"again": lambda *at: True}, f"again is true .*{SEEN}"),
    (next_side_sees, "kalah", lambda game: {"again": lambda *at: False}, f"again is false .*{SEEN}"),
    (next_side_sees, "kalah", lambda game: {"again": lambda *at: True}, f"again is true .*{SEEN}"),
    (next_side_sees, "kalah", lambda game: {"play": playing(game, True)}, "again is false"),
    (next_side_sees, "kalah", lambda game: {"play": playing(game, False)}, "again is true"),
    (next_side_sees, "kalah", lambda game: {"play": playing(game, True), "again": None}, "does not swap"),
    (next_side_sees, "dots", lambda game: {"again": lambda *at: None}, "again is None .*must be True or False"),
    (next_side_sees, "dots:3,3", lambda game: {"again": for_two_boxes(game)}, "again is false"),
    (margin_agrees, "dots:1,1", lambda game: {"margin": lambda *at: -game.margin(*at)}, "margin is .* but outcome is"),
    (margin_agrees, "kalah:2,2", lambda game: {"margin": lambda *at: -game.margin(*at)}, "for the side to move"),
    (margin_agrees, "dots:1,1", lambda game: {"margin": lambda *at: None}, "must be a whole number"),
    (margin_agrees, "dots:1,1", lambda game: {"margin": lambda *at: 0.5}, "must be a whole number"),
    (tier_rises, "morris:3,2", lambda game: {"tier": lambda *at: -game.tier(*at)}, "tier falls from .* never decrease"),
    (tier_rises, "morris:3,2", lambda game: {"tier": stones}, "tier falls from"),  # a mill removes one
    (tier_rises, "morris:3,2", lambda game: {"tier": lambda *at: None}, "must be a whole number"),
    (images_alike, "dots:2,1", lambda game: {"tier": lambda mine, theirs: mine & 1}, "another tier"),
    (hints_true, "dots:1,1", lambda game: {"wins": winning_moves(replace(game, again=None))}, "but the moves that win"),
]
TRUTHS = [
    (next_side_sees, "dots", lambda game: {}),
    (next_side_sees, "kalah", lambda game: {}),
    (margin_agrees, "dots:1,1", lambda game: {}),
    (margin_agrees, "kalah:2,2", lambda game: {}),
    (tier_rises, "morris:3,2", lambda game: {}),
    (images_alike, "dots:2,1", lambda game: {"tier": lambda mine, theirs: (mine & 127).bit_count()}),
    (hints_true, "dots:1,1", lambda game: {"wins": winning_moves(game)}),
    (hints_true, "kalah:2,2", lambda game: {"wins": winning_moves(game), "hopeless": lambda *at: False}),
]


@pytest.mark.parametrize(("check", "name", "changes", "words"), LIES)
def test_what_is_wrong_is_found(check, name, changes, words):
    game = load_game(name)
    assert re.search(words, said(check, replace(game, **changes(game))))


@pytest.mark.parametrize(("check", "name", "changes"), TRUTHS)
def test_what_is_right_passes(check, name, changes):
    game = load_game(name)
    assert said(check, replace(game, **changes(game))) == "None"
    assert check in (next_side_sees, images_alike, hints_true) or said(check, load_game("lines:1,1,1")) == SKIPPED


@pytest.mark.parametrize("seed", range(2))
def test_one_wrong_margin_in_a_small_game_is_found(seed):
    game = load_game("dots:2,1")
    ends = [met.position for met in positions_to_check(game, 1, 1) if game.outcome(*met.position) in (LOSS, WIN)]
    one = Random(seed).choice(ends)
    line = said(margin_agrees, replace(game, margin=lambda *words: 0 if words == one else game.margin(*words)))
    assert "margin is 0, but outcome is" in line
    assert str(one) in line


def test_points_and_repetition_do_not_go_together():
    for leads, words in (([[1], [2, 3], [0], []], "can come again after 3 plies"), ([[1], [2, 3], [3], []], "None")):
        assert words in said(margin_agrees, replace(graph_game(leads, {3: LOSS}), margin=lambda mine, theirs: -2))


def test_a_side_that_is_to_win_by_extra_turns_is_not_hopeless():
    game = load_game("dots:2,1")
    solved = perfectplay.solve(game, "python")
    lost = {position for position, entry in solved.entries() if entry.value != WIN}
    hopeless = replace(game, hopeless=lambda mine, theirs: (mine, theirs) in lost, symmetries=())
    assert said(hints_true, hopeless) == "None"
    won = next(p for p, entry in solved.entries() if entry.value == WIN and game.outcome(*p) == ONGOING)
    assert "hopeless is true" in said(hints_true, replace(game, hopeless=lambda *words: words == won))


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


def test_points_of_random_games():
    games = random_games(load_game("dots:2,1"), 20, 1)
    least, average, greatest = games.margins
    assert -2 <= least < average < greatest <= 2
    assert games.line.endswith(f"; X's margin {least} to {greatest}, {average:.1f} on average")
    assert games.to_dict()["margins"] == {"least": least, "average": round(average, 3), "greatest": greatest}
    assert random_games(load_game("drop:2,2,2"), 5, 1).to_dict()["margins"] is None


def test_random_games_have_lengths_choices_and_a_shortest_one():
    game = load_game("examples/tictactoe.py")
    games = random_games(game, 50, 1)
    assert (games.plies.least, games.plies.greatest) == (games.shortest, games.longest) == (5, 9)
    assert (games.choices.least, games.choices.greatest) == (1, 9)
    assert 5 < games.plies.average < 9
    assert games.line.startswith("50 random games: 29 won by X, 16 by O, 5 drawn; 5 to 9 plies, 7.4 on average")
    sample = games.sample
    assert (len(sample.moves), sample.movers, sample.result) == (5, ("X", "O", "X", "O", "X"), "X wins")
    assert perfectplay.Match(game, sample.moves).result.name == "X"
    assert sample.board in str(sample)


def test_the_command_draws_the_shortest_game_and_prints_json(capsys):
    assert main(["check", "dots:1,1", "--walks", "9"]) == 0
    shown = capsys.readouterr().out.partition("9 random games: ")[2]
    assert all(words in shown for words in ("legal moves 1 to 4", "the shortest game, ", "1. X "))
    assert main(["check", "dots:1,1", "--walks", "9", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["ok"] is True
    assert len(facts["games"]["sample"]["moves"]) == facts["games"]["shortest"]
    assert facts["games"]["sample"]["result"] in shown


def test_a_game_without_end_is_shown_from_its_beginning():
    game = replace(load_game("tic-tac-toe"), moves=lambda mine, theirs: 511, outcome=lambda mine, theirs: ONGOING)
    sample = random_games(game, 2, 1).sample
    assert sample.heading == "how a game begins"
    assert len(sample.moves) == 12
