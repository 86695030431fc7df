"""Programs as newcomers write them in four exercises, right and faulty: each is certified, refuted or explained.

The quick tests ask each program once, in this process; the nightly ones run it as a file and ask three times.
"""

from functools import cache
from itertools import chain
from random import Random
from types import SimpleNamespace

import pytest

from arena.learners.faults import FAULTS, FOLDER, FUNCTIONS
from homes import shared_home
from perfectplay import SECOND, Match, certify, certify_all, classic, compare, load, odds
from perfectplay.__main__ import main
from perfectplay.commands.matches.playing import maker_of
from perfectplay.players.seat import Seat

SAID = {
    # mistakes, slow wins and failures as first and as second
    ("alpha_beta", "right"): ("perfect", (0, 0), (0, 0), (0, 0)),
    ("alpha_beta", "three plies"): ("loses", (6, 24), (0, 0), (0, 0)),
    ("alpha_beta", "bounds kept as values"): ("loses", (0, 4), (0, 0), (0, 0)),
    ("alpha_beta", "wins all alike"): ("perfect", (0, 0), (10, 33), (0, 0)),
    ("win_probability", "right"): ("perfect", (0, 0), (0, 0), (0, 0)),
    ("win_probability", "hopes for mistakes"): ("loses", (1, 36), (10, 58), (0, 0)),
    ("win_probability", "mean of nothing"): ("loses", (0, 0), (0, 0), (1, 9)),
    ("cs50", "right"): ("perfect", (0, 0), (0, 0), (0, 0)),
    ("cs50", "near the end"): ("loses", (0, 46), (0, 0), (0, 0)),
    ("cs50", "no reply to edges"): ("loses", (0, 0), (0, 0), (0, 4)),
    ("tactic_toe", "right"): ("perfect", (0, 0), (0, 0), (0, 0)),
    ("tactic_toe", "wins far away are draws"): ("loses", (0, 6), (0, 0), (0, 0)),
    ("tactic_toe", "wins all alike"): ("lets wins slip", (0, 0), (33, 548), (0, 0)),
}
"""What a certificate says of each program that is asked once."""
QUICK = {
    ("alpha_beta", "bounds kept as values"),
    ("win_probability", "right"),
    ("win_probability", "hopes for mistakes"),
    ("cs50", "no reply to edges"),
}
HALF = (2, 1, 0, 1, 1, 2, 0, 2, 0)
"""The position in which two moves win half of the games against a random player, and one wins none."""


@pytest.fixture(scope="module", autouse=True)
def home(tmp_path_factory, known_rules):
    """One folder of tables for all tests here, so that each game is solved once."""
    with shared_home(tmp_path_factory, known_rules) as folder:
        yield folder


def game_of(exercise):
    return "tactic-toe" if exercise == "tactic_toe" else "tic-tac-toe"


def text_of(exercise, fault):
    """The right program, or the one with this fault."""
    text = (FOLDER / f"{exercise}.py").read_text(encoding="utf-8")
    for right, wrong in FAULTS[exercise].get(fault, {}).items():
        assert text.count(right) == 1, right
        text = text.replace(right, wrong)
    return text


@cache
def module(exercise, fault="right"):
    """The program, loaded here."""
    scope = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(FOLDER)
        exec(text_of(exercise, fault), scope)
    return SimpleNamespace(**scope)


def player(exercise, fault="right"):
    """The function that plays."""
    return getattr(module(exercise, fault), FUNCTIONS[exercise])


@cache
def certificate(exercise, fault="right"):
    return certify(game_of(exercise), player(exercise, fault), repeats=1)


def written(folder, exercise, fault="right"):
    """The player of the program in a file; that of a project is known by its functions."""
    name = f"{exercise}-{fault.replace(' ', '-')}.py"
    (folder / name).write_text(text_of(exercise, fault), encoding="utf-8")
    return f"{folder / name}" + (f":{FUNCTIONS[exercise]}" if exercise != "cs50" else "")


def check(found, exercise, fault):
    """The certificate says of the program what it should, and shows a game that proves it."""
    verdict, mistakes, slow_wins, faults = SAID[exercise, fault]
    assert (found.perfect, verdict) == (verdict == "perfect", verdict)
    if exercise != "tactic_toe":
        assert found.loses == (verdict == "loses")
        assert [side.worst for side in found.sides] == ["draw", "draw"] or not found.perfect
    assert tuple(side.mistake_count for side in found.sides) == mistakes
    assert tuple(side.slow_wins for side in found.sides) == slow_wins
    assert tuple(side.faults for side in found.sides) == faults
    late = f"wins later than it could in {sum(slow_wins)} positions"
    assert any(late in said for said in found.remarks) == (slow_wins != (0, 0))
    if not found.perfect:
        check_counterexample(found)


def check_counterexample(found):
    """The game is legal, ends or repeats as it is said, and the player gives the result away or fails."""
    game = found.counterexample
    own = ("first", "second").index(game.side)
    match, before = Match(found.game), []
    for move in game.moves:
        before.append(match.text())
        match.play(move)
    if game.fault:
        assert match.result is None
        assert match.turn == own
        assert "raised an error" in game.fault
        assert game.result == "loss"
    elif game.repeats is not None:
        assert before[game.repeats] == match.text()
        assert game.result == "draw"
    else:
        assert game.result == {own: "win", None: "draw", 1 - own: "loss"}[match.result.winner]
        given = {(mistake.position, mistake.move) for mistake in found.mistakes}
        slips = [ply for ply in range(own, len(game.moves), 2) if game.values[ply] != game.values[ply + 1]]
        assert slips
        assert {(before[ply], game.moves[ply]) for ply in slips} <= given


@pytest.mark.parametrize(
    "name", [pytest.param(name, id="-".join(name), marks=() if name in QUICK else pytest.mark.nightly) for name in SAID]
)
def test_what_is_said_of_a_program(name):
    check(certificate(*name), *name)


@pytest.mark.nightly
@pytest.mark.parametrize("name", SAID, ids="-".join)
def test_files_that_are_asked_three_times_are_told_the_same(tmp_path, name):
    found = certify(game_of(name[0]), written(tmp_path, *name))
    assert found.varying == 0
    check(found, *name)
    assert all(function.correct for function in found.functions)
    assert [function.name for function in found.functions][-1:] == (["minimax"] if name[0] == "cs50" else [])


@pytest.mark.nightly
def test_a_class_of_learners_is_ranked(tmp_path):
    report = certify_all("tic-tac-toe", [written(tmp_path, *name) for name in SAID if name[0] == "cs50"], repeats=1)
    verdicts = [found.perfect - found.loses - (found.faults > 0) for found in report.certificates]
    assert verdicts == sorted(verdicts, reverse=True)


def test_a_wrong_player_beats_a_random_one_more_often():
    """So a battle cannot replace a certificate."""
    right, wrong = (certificate("win_probability", fault) for fault in ("right", "hopes for mistakes"))
    wins = [found.side("second").against_random.win for found in (right, wrong)]
    assert wins[0] < wins[1]
    assert odds("tic-tac-toe", "random", "streetwise").loss == pytest.approx(wins[0])
    assert odds("tic-tac-toe", "random", "exploit").loss == pytest.approx(wins[1])
    assert odds("tic-tac-toe", "streetwise", "random").win == pytest.approx(right.side("first").against_random.win)


def test_win_probabilities_are_those_of_the_classic_functions():
    right = module("win_probability")
    start = (0,) * 9
    assert [right.win_probability(after) for after in right.next_states(HALF)] == [0.5, 0.5, 0.0]
    states = [after for state in (start, HALF) for after in right.next_states(state)]
    for after in states:
        assert right.win_probability(after) == pytest.approx(classic.win_probability(after))
    for state in chain(states, *map(right.next_states, states)):
        assert right.perfectplay_outcome(state).value == classic.perfectplay_outcome(state)


def test_calls_are_counted_and_the_slow_win_is_marked():
    """After the centre, a well-known text counts 8,465 calls with pruning; we visit the root besides."""
    right, slow = (player("alpha_beta", fault) for fault in ("right", "wins all alike"))
    found = compare("tic-tac-toe", position="O:.../.X./...", players=[right])
    nodes = {row["algorithm"]: row["nodes"] for row in found.to_dict()["algorithms"]}
    assert (nodes["minimax"], nodes["alpha-beta"], found.players[0].calls) == (55_505, 8_466, 8_465)
    assert found.players[0].recursive == ("Computer.minimax",)
    quick, late = compare("tic-tac-toe", position="O:X.X/OO./X..", players=[right, slow]).players
    assert (quick.move, quick.leads_to) == ("c2", quick.best)
    assert (late.move, late.leads_to.distance, late.best.distance) == ("b1", 3, 1)
    assert late.leads_to.value == late.best.value
    assert (late.kept, late.quickest, quick.quickest) == (14, 13, 14)


def test_tactic_toe_has_the_published_number_of_states():
    scores = module("tactic_toe").SCORES
    assert len(scores) == 16_030
    assert {abs(score) for score in scores.values()} == {0, *range(83, 101)}


def test_boards_of_programs_have_the_ages_of_marks():
    """The boards of the programs say what the position says: marks, sides and order; here one mark has vanished."""
    learner, seen = module("tactic_toe"), []
    match, state = Match("tactic-toe"), ((0,) * 9, learner.X)
    for move in ("b1", "b2", "a1", "c1", "a3", "a2", "b3"):
        match.play(move)
        state = learner.result(state, 3 * (int(move[1]) - 1) + "abc".index(move[0]))

    def look(board, side):
        seen.append(tuple(0 if c is None else c.life * (1 if c == "X" else -1) for row in board for c in row))
        return learner.ai(board, side)

    maker_of(look)(Seat(load("tactic-toe"), SECOND, Random(1)))(match.position)
    assert seen == [state[0]]


@pytest.mark.nightly
def test_a_misread_rule_gives_the_win_away_with_the_first_move():
    learner = module("tactic_toe", "oldest goes first")
    assert len(learner.SCORES) == 16_030  # as many
    assert learner.SCORES[(0,) * 9, learner.X] == 0  # by its rules the game is a draw
    (found,) = compare("tactic-toe", position="X:.../.../...", depth=0, players=[learner.ai]).players
    assert (found.leads_to.value, found.best.value) == (0, 1)


@pytest.mark.nightly
def test_the_terminal_tells(tmp_path, capsys):
    repeating = written(tmp_path, "tactic_toe", "wins all alike")
    assert main(["certify", "tactic-toe", repeating, "--side", "first", "--repeats", "1"]) == 1
    out = capsys.readouterr().out
    assert "never loses, but lets wins slip" in out
    assert "the moves can repeat for ever" in out
    wrong = written(tmp_path, "cs50", "near the end")
    mistake = certificate("cs50", "near the end").mistakes[0]
    assert main(["compare", "tic-tac-toe", "--position", mistake.position, "--with", wrong]) == 0
    assert f"{mistake.move}: {mistake.after}" in capsys.readouterr().out
