"""Random rules do on a GPU what they do interpreted: here a few on the simulated one, many under `make test-gpu`."""

import warnings

import pytest

from fuzz import FAULTS, RAISES, answer_of, compiled_rules, on_gpu, questions, written_game
from perfectplay.words import NotCompiled

SEED, GAMES = 50_000, 200


@pytest.mark.gpu
@pytest.mark.timeout(1800)
def test_random_rules_on_a_gpu(tmp_path):
    warnings.simplefilter("ignore")
    asked = refused = 0
    for seed in range(SEED, SEED + GAMES):
        game = written_game(tmp_path, seed)
        processor = compiled_rules({seed: game})[seed]
        if processor is None:
            refused += 1
            continue
        known = [
            one
            for one in questions(game, seed, 100)
            if answer_of(processor[one.rule], one.given, (*FAULTS, NotCompiled)) != RAISES
        ]
        assert not known or on_gpu(game)(known) == [one.answer for one in known], game.name
        asked += len(known)
    print(f"{GAMES} random games, {refused} refused, {asked:,} answers the same")
    assert asked > 50 * GAMES
