"""What is known of rules is not found out twice, and never of other rules."""

import time
from dataclasses import replace
from itertools import count

import pytest

from perfectplay import load
from perfectplay.compiler import known_rules
from perfectplay.compiler.known_rules import digest_of, forget, is_known, remember
from perfectplay.solvers.memory.interpreted import NOT_SMALL, Reached, solved_if_small
from perfectplay.solvers.validity import validation
from perfectplay.words import BadGame

RULES = """
from perfectplay.game import Game
from perfectplay.words import LOSS, ONGOING

def game(size: int = 3) -> Game:
    taken = [1, 2]

    def moves(mine: int, theirs: int) -> int:
        return 3 if mine > 1 else 1

    def play(mine: int, theirs: int, move: int) -> tuple[int, int]:
        return mine - taken[move], 0

    def outcome(mine: int, theirs: int) -> int:
        return LOSS if mine == 0 else ONGOING

    return Game(moves=moves, play=play, outcome=outcome, bits=8, shape=(2, 1), start=(size, 0), move_names=("a", "b"))
"""


@pytest.fixture
def rules(tmp_path):
    """Writes rules to a file, with one text for another, and loads them."""

    numbers = count()

    def write(old="", new="", sizes=""):
        path = tmp_path / f"heap{next(numbers)}.py"
        path.write_text(RULES.replace(old, new) if old else RULES)
        return load(f"{path}{sizes}")

    return write


def test_a_fact_is_remembered_until_it_is_forgotten(rules):
    digest = digest_of(rules())
    assert not is_known(digest, "it is a game")
    remember(digest, "it is a game", "it is small")
    assert is_known(digest_of(rules()), "it is a game")
    assert not is_known(digest, "it is large")
    forget()
    assert not is_known(digest, "it is small")


def test_whatever_changes_in_a_game_changes_its_digest(rules):
    before = digest_of(rules())
    changes = {"[1, 2]": "[1, 3]", "mine > 1": "mine > 2", "bits=8": "bits=9", '("a", "b")': '("a", "c")'}
    assert all(digest_of(rules(old, new)) != before for old, new in changes.items())
    assert digest_of(rules(sizes=":4")) != before


def test_a_name_does_not_matter_but_the_surroundings_do(rules, monkeypatch):
    game = rules()
    before = digest_of(game)
    assert before == digest_of(replace(game, name="another"))
    monkeypatch.setattr(known_rules, "surroundings", lambda: "another version of numba")
    assert digest_of(game) != before
    monkeypatch.undo()
    before = known_rules.surroundings.__wrapped__()
    monkeypatch.setenv("NUMBA_OPT", "0")
    assert known_rules.surroundings.__wrapped__() != before


def test_of_rules_that_cannot_be_looked_into_nothing_is_remembered(rules):
    game = replace(rules(), order=lambda mine, theirs, move: time.time())
    assert digest_of(game) == ""
    remember("", "anything")
    assert not is_known("", "anything")


def test_rules_are_checked_once_but_what_fails_is_checked_again(rules, monkeypatch):
    forget()
    checked = []
    monkeypatch.setattr(validation, "CHECKS", (lambda game, met: checked.append(game),))
    for _ in range(2):
        validation.check_rules(rules(), compiled=False)
    assert len(checked) == 1
    validation.check_rules(rules("mine > 1", "mine >= 2"), compiled=False)
    assert len(checked) == 2
    forget()
    monkeypatch.setattr(validation, "CHECKS", (lambda game, met: "as it always is",))
    for _ in range(2):
        with pytest.raises(BadGame, match="as it always is"):
            validation.check_rules(rules(), compiled=False)


def test_a_walk_ends_in_time_and_a_game_that_is_not_small_is_not_walked_again(monkeypatch):
    game = load("dodgem:3")
    assert solved_if_small(game, seconds=0.0) is None
    assert solved_if_small(game) is not None
    forget()
    monkeypatch.setattr("perfectplay.solvers.memory.interpreted.SMALL", 100)
    monkeypatch.setattr("perfectplay.solvers.memory.interpreted.LOOKED_AT", 10**9)
    assert solved_if_small(game) is None
    assert is_known(digest_of(game), NOT_SMALL)
    monkeypatch.setattr(Reached, "next_ply", None)
    assert solved_if_small(game) is None
    forget()
