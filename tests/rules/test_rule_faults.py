"""Rules that raise, or return what they must not, are named with function, position and line; other errors stay raw."""

from pathlib import Path

import pytest

import perfectplay
from perfectplay import DRAW, LOSS, ONGOING, BadGame, Game, Match
from perfectplay.__main__ import main
from perfectplay.rules.rule_faults import rule_faults

RULES = """
import sys
from perfectplay import DRAW, LOSS, ONGOING, Game

def moves(mine, theirs):
    return 15 & ~(mine | theirs)

def play(mine, theirs, move):
    return theirs, mine | 1 << move

def outcome(mine, theirs):
    if theirs & 3 == 3:
        return LOSS
    return DRAW if mine | theirs == 15 else ONGOING

def recurses(mine, theirs):
    return recurses(mine, theirs)

def game():
    return Game(moves=moves, play=play, outcome=outcome, bits=4, shape=(2, 2))
"""
"""Fill two by two squares; two in the first row win."""


def played(match):
    """The match after one more move, unless the game is over."""
    return match if match.is_over else match.play("a2").is_over


OPERATIONS = {
    "python": lambda game: perfectplay.solve(game, "python"),
    "auto": perfectplay.solve,
    "analyse": perfectplay.analyse,
    "odds": lambda game: perfectplay.odds(game, "perfect", "uniform"),
    "explain": perfectplay.explain,
    "perft": lambda game: perfectplay.perft(game, 4),
    "match": lambda game: played(Match(game).play("a1", "b1")),
    "battle": lambda game: perfectplay.battle(game, "perfect", "perfect", games=1, seed=1),
    "check": lambda game: perfectplay.check(game).faults or pytest.fail("nothing was found"),
}
RAISES = {
    "1 // 0": "ZeroDivisionError",
    "[][0]": "IndexError",
    "recurses(mine, theirs)": "RecursionError",
    "next(iter(()))": "StopIteration",
    "sys.exit(3)": "SystemExit: 3",
    "int('x')": "ValueError",
}
RETURNS = {
    "moves": ("None", "1.5", "-5", "'x'", "[1, 2]"),
    "play": ("None", "-5", "(theirs, mine, 1)", "(1.5, mine)", "(-1, mine)", "[theirs, mine]", "(theirs, 1 << 80)"),
    "outcome": ("None", "1.0", "-5", "10**40", "True", "'x'"),
}


@pytest.fixture
def faulty(tmp_path):
    """The file of a game of which a rule has this value after two moves, and the number of the line."""

    def write(rule, value):
        lines = RULES.splitlines()
        place = next(i for i, line in enumerate(lines) if line.startswith(f"def {rule}(")) + 1
        lines.insert(place, f"    if (mine | theirs).bit_count() == 2: return {value}")
        (tmp_path / "faulty.py").write_text("\n".join(lines))
        return str(tmp_path / "faulty.py"), place + 1

    return write


def game_in(file):
    """The game of the file; not loaded by name, which plays a game and so finds some faults at once."""
    names = {}
    exec(compile(Path(file).read_text(), file, "exec"), names)
    return names["game"]()


def names_the_call(game, run, rule, line, error):
    with pytest.raises(BadGame, match=rf"^faulty\.py \(line {line}\) raised an error: {error}") as caught:
        run(game)
    assert error.partition(":")[0] in repr(caught.value.__cause__)
    assert f"in {rule}(" in str(caught.value)
    assert " at X:" in str(caught.value) or " at O:" in str(caught.value)


@pytest.mark.parametrize("name", OPERATIONS)
def test_whatever_runs_rules_names_the_one_that_raises_with_its_position_and_line(faulty, name):
    file, line = faulty("moves", "1 // 0")
    names_the_call(game_in(file), OPERATIONS[name], "moves", line, "ZeroDivisionError")


@pytest.mark.parametrize(
    ("rule", "value"), [("play", "1 // 0"), ("outcome", "1 // 0"), *(("moves", value) for value in RAISES)]
)
def test_whatever_a_rule_raises_is_told(faulty, rule, value):
    file, line = faulty(rule, value)
    if value.startswith("recurses"):
        line = 1 + Path(file).read_text().splitlines().index("    return recurses(mine, theirs)")
    for name in ("python", "match"):
        names_the_call(game_in(file), OPERATIONS[name], rule, line, RAISES[value])


@pytest.mark.parametrize(("rule", "value"), [(rule, value) for rule, values in RETURNS.items() for value in values])
def test_a_rule_that_returns_what_it_must_not_is_named_with_its_position_and_line(faulty, rule, value):
    file, line = faulty(rule, value)
    for name in ("python", "auto", "analyse", "odds", "explain", "match") if value == "None" else ("python", "match"):
        with pytest.raises(BadGame, match=rf"(?s){rule} .* X:\S+ \(\d+, \d+\)") as caught:
            OPERATIONS[name](game_in(file))
        assert f"(faulty.py, line {line - 1})" in str(caught.value)
        assert "\n" not in str(caught.value)


def test_the_command_line_says_the_same(faulty, capsys, monkeypatch):
    file, line = faulty("moves", "1 // 0")
    monkeypatch.setattr("perfectplay.rules.loading.walk", lambda game: None)  # which would play into the fault
    assert main(f"solve {file} --engine python --no-table".split()) == 2
    err = capsys.readouterr().err
    assert f"perfectplay: faulty.py (line {line}) raised an error: ZeroDivisionError" in err
    assert "in moves(" in err


def mine(outcome=lambda mine, theirs: LOSS if theirs & 3 == 3 else DRAW if mine | theirs == 15 else ONGOING):
    return Game(
        moves=lambda mine, theirs: 15 & ~(mine | theirs),
        play=lambda mine, theirs, move: (theirs, mine | 1 << move),
        outcome=outcome,
        bits=4,
        shape=(2, 2),
    )


def test_errors_of_our_own_and_of_callers_stay_what_they_are(monkeypatch):
    def progress(step):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        perfectplay.solve(mine(), "python", progress=progress)
    monkeypatch.setattr("perfectplay.solvers.memory.interpreted.parents_of", lambda reached: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        perfectplay.solve(mine(), "python")


@pytest.mark.parametrize("kind", [KeyboardInterrupt, MemoryError])
def test_interrupts_and_a_lack_of_memory_are_not_the_fault_of_rules(kind):
    def outcome(mine, theirs):
        raise kind

    with pytest.raises(kind):
        perfectplay.solve(mine(outcome), "python")


def test_a_fault_far_from_the_call_is_found(faulty):
    """A position without its origin: `play` is named, not `outcome`, which cannot take what it is given."""
    file, _ = faulty("play", "None")
    with pytest.raises(BadGame, match="play leads to None from"):
        perfectplay.count_games(game_in(file), 4)


def test_a_recursion_of_ours_is_not_the_fault_of_rules():
    names = {"__name__": "perfectplay.deep"}
    exec("def deep(game, position):\n    game.outcome(*position)\n    deep(game, position)", names)
    with pytest.raises(RecursionError), rule_faults:
        names["deep"](mine(), (0, 0))


def test_a_pipe_that_breaks_is_not_the_fault_of_rules():
    """No rule is asked, since slow ones would keep the program that only wants to end."""
    asked = []

    def outcome(mine, theirs):
        asked.append((mine, theirs))
        return DRAW

    names = {"__name__": "perfectplay.printing"}
    exec("def shown(game, position):\n    raise BrokenPipeError", names)
    with pytest.raises(BrokenPipeError), rule_faults:
        names["shown"](mine(outcome), (0, 0))
    assert asked == []
