"""Random rules give the same results on a GPU as interpreted, and a GPU stopped by a guard is reported."""

import os
import subprocess
import sys
import warnings

import pytest

from both_gpus import on_both
from far_game import far_game
from fuzz import FAULTS, RAISES, Question, answer_of, compiled_rules, on_gpu, questions, written_game
from homes import ROOT
from perfectplay import LOSS, ONGOING, Game, solve
from perfectplay.compiler.cuda import rules_fault
from perfectplay.compiler.numba_compat import NumbaError
from perfectplay.words import NotCompiled

SEED, GAMES = 50_000, 100


@pytest.mark.gpu
@pytest.mark.timeout(1800)
def test_random_rules_on_a_gpu(tmp_path):
    warnings.simplefilter("ignore")
    asked = refused = 0
    for seed in range(SEED, SEED + GAMES):
        game = written_game(tmp_path, seed)
        cpu = compiled_rules({seed: game})[seed]
        if cpu is None:
            refused += 1
            continue
        known = [
            one
            for one in questions(game, seed, 100)
            if answer_of(cpu[one.rule], one.given, (*FAULTS, NotCompiled, NumbaError)) != RAISES
        ]
        assert not known or on_gpu(game)(known) == [one.answer for one in known], game.name
        asked += len(known)
    print(f"{GAMES} random games, {refused} refused, {asked:,} answers the same")
    assert asked > 50 * GAMES


def rated_game():
    """Rules that once did not compile for a GPU: bit lengths, truth values among numbers, negative divisors."""

    def moves(mine, theirs):
        return 3

    def play(mine, theirs, move):
        return mine + 1 + move, (mine // -3) & 15

    def outcome(mine, theirs):
        over = min(mine.bit_length() > 3, 5) + max(mine > 10, 0) + (~(mine < 9) == -1)
        return LOSS if over > 2 or mine % -7 == -3 else ONGOING

    return Game(moves=moves, play=play, outcome=outcome, bits=5, shape=(2, 1))


@pytest.mark.parametrize("where", on_both([], ["real"], ["simulated"]))
def test_the_documented_subset_compiles_for_a_gpu(where):
    game = rated_game()
    assert list(solve(game, "cuda").entries()) == list(solve(game, "python").entries())


def stopped():
    """The message about a GPU that rules stopped; it is unusable for the rest of this process."""
    game, far, near = far_game(), Question("outcome", (64, 0), LOSS), Question("outcome", (3, 0), ONGOING)
    assert on_gpu(game)([near, near]) == [ONGOING, ONGOING]
    try:
        return f"answered {on_gpu(game)([near, far])}"
    except Exception as fault:  # each driver has its own
        return repr(rules_fault(game, fault))


def test_a_gpu_stopped_by_guards_is_reported():
    """The CPU check that comes before is left out here."""
    said = stopped()
    assert said.startswith("NotCompiled(")
    assert "1 << mine, line" in said


@pytest.mark.gpu
def test_a_real_gpu_stopped_by_guards_is_reported():
    run = [sys.executable, "-c", "from test_random_games import stopped; print(stopped())"]
    path = os.pathsep.join([str(ROOT / "tests"), str(ROOT / "tests" / "solvers" / "gpu")])
    environment = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run(run, env=environment, capture_output=True, text=True, timeout=120)
    assert done.stdout.startswith("NotCompiled("), done.stderr
    assert "1 << mine, line" in done.stdout
    assert "CUDA_ERROR" not in done.stderr


def test_a_solve_on_a_gpu_never_miscounts_silently():
    with pytest.raises(NotCompiled, match="1 << mine, line"):
        solve(far_game(), "cuda")
