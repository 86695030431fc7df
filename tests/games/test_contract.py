"""Every game found in the folder, and every example, keeps the contract."""

import re
from dataclasses import replace
from functools import cache
from random import Random
from types import SimpleNamespace

import pytest
from hypothesis import given, settings, strategies as st

import perfectplay
from perfectplay.compiler import compiled
from perfectplay.compiler.checks.compiled_checks import compiled_agrees, look_agrees
from perfectplay.compiler.checks.contract import (
    CHECKS,
    SKIPPED,
    finding,
    findings,
    hints_true,
    moves_matter,
    order_complete,
)
from perfectplay.compiler.checks.sample_positions import Met, positions_to_check, random_positions
from perfectplay.compiler.compiled import LOOKING
from perfectplay.game import Images, images
from perfectplay.rules.families import family_names
from perfectplay.rules.loading import load_game
from perfectplay.rules.notation import TERMINAL_WORDS, show_position
from perfectplay.solvers.validity.validation import check_hints
from perfectplay.words import DRAW, ONGOING, WIN, BadGame
from rings import nightly

TIC_TAC_TOE = load_game("tic-tac-toe")
CHECKED = [*family_names(), "misere", "lines:1,1,1", "drop:4,4,4", "drop:10,9,4", "fading:8,3"]
CHECKED += ["kingpawns:3,true", "examples/tictactoe.py", "examples/hexapawn.py"]
CHECKED_LATER = ["lines:5,3,3", "lines:7,9,4", "lines:15,15,5", "lines:30,2,4", "drop:1,4,2", "drop:9,6,4"]
CHECKED_LATER += ["fading:2,1", "fading:4,4", "kingpawns:pawns=4", "examples/hexapawn.py:4,5"]
COMPILED = ["fading", "kalah", "examples/tictactoe.py"]
COMPILED_LATER = sorted({*CHECKED, *CHECKED_LATER} - {*COMPILED})


@cache
def sample(name):
    """The game and the positions at which it is checked."""
    game = load_game(name)
    return game, random_positions(game, walks=1 if game.bits > 63 else 2, seed=1)


def keep_the_contract(game, met):
    for check in CHECKS[:-1]:
        assert check(game, met) in (None, SKIPPED), check.__name__


@pytest.mark.parametrize("name", [*CHECKED, *nightly(*CHECKED_LATER)])
def test_contract(name):
    keep_the_contract(*sample(name))


@pytest.mark.parametrize("name", [*COMPILED, *nightly(*COMPILED_LATER)])
def test_compiled_rules_agree(name):
    assert compiled_agrees(*sample(name)) in (None, SKIPPED)


@pytest.mark.nightly
@given(seed=st.integers(0, 2**32), name=st.sampled_from(family_names()))
@settings(max_examples=100)
def test_contract_holds_along_any_walk(seed, name):
    game = load_game(name)
    keep_the_contract(game, random_positions(game, walks=1, seed=seed))


TURN = images(TIC_TAC_TOE).image
BROKEN = [
    ("words_in_range", {"bits": 8}),
    ("outcome_known", {"outcome": lambda mine, theirs: 5}),
    ("outcome_known", {"outcome": lambda mine, theirs: ONGOING}),
    ("outcome_known", {"outcome": lambda mine, theirs: TIC_TAC_TOE.outcome(mine, theirs) or False}),
    ("moves_named", {"move_names": ("a",) * 9}),
    ("moves_named", {"move_names": ("a", "b")}),
    ("positions_read_back", {"cells": (0,) * 9}),
    ("keys_invert", {"key": lambda mine, theirs: mine}),
    ("keys_invert", {"key": lambda mine, theirs: mine << 60}),
    ("images_alike", {"symmetries": [tuple(range(9)), (1, 0, 2, 3, 4, 5, 6, 7, 8)]}),
    ("images_alike", {"symmetries": Images(7, lambda mine, theirs, i: TURN(mine, theirs, i + 1))}),
    ("order_complete", {"order": (0, 1)}),
    ("order_complete", {"order": (0, 0)}),
    ("moves_matter", {"start": (0, 7)}),
    ("moves_matter", {"play": lambda mine, theirs, move: (theirs, mine)}),
]


@pytest.mark.parametrize(("wanted", "change"), BROKEN)
def test_each_way_to_break_a_game_is_found_by_the_check_that_is_there_for_it(wanted, change):
    game = replace(TIC_TAC_TOE, **change)
    for check, found in findings(game, random_positions(game, 20, 1)):
        if check.__name__ == wanted:
            assert found.status == "fault"
            return


def line_of(game, wanted, most=300):
    """What the check says about the game in as many positions."""
    met = positions_to_check(game, 20, 1, most=most)
    return next(found.line for check, found in findings(game, met) if check.__name__ == wanted)


def test_a_pass_is_a_move():
    passing = replace(
        TIC_TAC_TOE,
        play=lambda mine, theirs, move: (theirs, mine) if move == 9 else TIC_TAC_TOE.play(mine, theirs, move),
        moves=lambda mine, theirs: TIC_TAC_TOE.moves(mine, theirs) | 1 << 9,
        move_names=(*TIC_TAC_TOE.move_names, "pass"),
    )
    assert moves_matter(passing, random_positions(passing, 20, 1)) is None


@pytest.mark.parametrize("name", ["up\ndown", "-3", " a", "a ", "", "Quit", *TERMINAL_WORDS])
def test_a_move_has_a_name_that_a_person_can_type(name):
    named = replace(TIC_TAC_TOE, move_names=(name, *TIC_TAC_TOE.move_names[1:]))
    line = line_of(named, "moves_named", most=100)
    assert f"move 0 is called {name!r} in " in line
    assert "\n" not in line


def test_squares_that_both_sides_have_are_named():
    line = line_of(replace(TIC_TAC_TOE, moves=lambda mine, theirs: 511 & ~mine), "positions_read_back")
    mine, theirs = map(int, re.search(r"\((\d+), (\d+)\)", line).groups())
    shared = [TIC_TAC_TOE.move_names[square] for square in range(9) if (mine & theirs) >> square & 1]
    assert f"both sides have {' and '.join(shared)} in " in line
    assert "look at moves and play" in line


def hands(game, change):
    """The game with other cells for the stones in hand, beside the board."""
    *points, first, second, mill = game.cells
    return replace(game, cells=[*points, change(first), change(second), mill])


def test_squares_that_look_otherwise_once_read_are_named():
    """Three stones in hand are not shown, and so read as none at all."""
    line = line_of(hands(load_game("morris:3,2"), lambda hand: hand[:-1]), "positions_read_back")
    assert re.search(r"[XO]:\S+ \(\d+, \d+\) reads back as \(\d+, \d+\); look at the cells of ", line)
    assert re.search(r"[XO] in hand \(shown as \., read as 0\)", line)
    assert "a1" not in line
    assert "mill" not in line


def test_squares_that_show_what_is_read_otherwise_are_named():
    """Counters without a side show the stones of both."""
    line = line_of(hands(load_game("morris:3,2"), lambda hand: [spot[:2] for spot in hand]), "positions_read_back")
    assert re.search(r"look at the cells of X in hand \(shown as (\d)\), O in hand \(shown as \1\)$", line)


def test_of_many_squares_that_may_be_wrong_some_are_named():
    """A stone is shown as long as it is alone, and so every square looks at every stone."""
    alone = replace(TIC_TAC_TOE, cells=[((511, 1 << square),) for square in range(9)])
    line = line_of(alone, "positions_read_back")
    assert re.search(r"look at the cells of a1 \(shown as .\), b1 \(shown as .\), c1 \(shown as .\) and 6 more$", line)


def test_words_out_of_range_are_told_with_the_move_that_makes_them():
    def play(mine, theirs, move):
        return theirs, mine | 1 << (9 if move == 8 and mine else move)

    line = line_of(replace(TIC_TAC_TOE, play=play), "words_in_range")
    assert re.search(r"play leads to \(\d+, \d+\) from [XO]:\S+ \(\d+, \d+\) by move 8 \(c3\)", line)


@pytest.mark.parametrize("result", [None, [1, 2], (1, 2, 3)])
def test_a_late_result_that_is_no_position_is_told_with_the_move_that_leads_there(result):
    def play(mine, theirs, move):
        return result if mine.bit_count() == 3 else TIC_TAC_TOE.play(mine, theirs, move)

    with pytest.raises(BadGame, match=rf"play leads to {re.escape(repr(result))} from X:\S+ \(\d+, \d+\) by move \d"):
        perfectplay.check(replace(TIC_TAC_TOE, play=play))


def test_what_does_not_apply_is_said_to_be_skipped():
    game = load_game("lines:12,12,5")
    found = findings(game, random_positions(game, 1, 1)[:3])
    skipped = {check.__name__ for check, (status, line) in found if status == "skipped" and line is None}
    assert skipped == {
        *("keys_invert", "hints_true", "board_as_numbered", "margin_agrees", "tier_rises", "both_may_move"),
        "compiled_agrees",
    }


def test_what_does_not_compile_is_a_note_in_one_line():
    def outcome(mine, theirs):
        return DRAW if len(bin(mine)) > 3 else 2

    def mixed(mine, theirs):
        found = (1, 2)
        if mine:
            found = 3
        return DRAW if found == 3 else 2

    line = outcome.__code__.co_firstlineno + 1
    for rule, said in ((outcome, f"bin(mine), line {line} of outcome"), (mixed, "")):
        game = replace(TIC_TAC_TOE, outcome=rule)
        found = finding(compiled_agrees, game, random_positions(game, 1, 1))
        assert found.status == "note"
        assert all(word in found.line for word in ("does not compile", "game-record.md", said))
        assert found.line.count("interpreted") == 1
        assert not re.search(r"\n|\x1b", found.line)


def test_rules_that_differ_in_one_compiled_loop_alone_are_told(monkeypatch):
    """A loop is compiled by itself: those that are called alone may be right where it is not."""
    game, met = sample("tic-tac-toe")
    rules = {name: getattr(game, name) for name in ("outcome", "moves", "play", "key", "unkey")}
    alone = SimpleNamespace(**rules, image=images(game).image)
    loop = SimpleNamespace(MOST_MOVES=64, look=lambda keys, facts, *_: facts.fill(0) or 0)
    monkeypatch.setattr(compiled, "load_kernels", lambda game, loops=None: loop if loops == LOOKING else alone)
    start = show_position(game, *met[0])
    assert look_agrees(game, met) == f"the rules differ when compiled at {start}"
    alone.outcome = lambda mine, theirs: DRAW
    assert look_agrees(game, met) == f"outcome of {start} is {DRAW} when compiled, {ONGOING} else"


@pytest.mark.parametrize(
    ("hint", "rule", "said"),
    [
        ("wins", lambda mine, theirs: 0, "wins is 0b0, but the moves that win are"),
        ("safe", lambda mine, theirs: 511 & ~(mine | theirs), "but the safe moves are"),
        ("plies_left", lambda mine, theirs: 9 - mine.bit_count(), "plies_left goes from 9 to 9 with one move"),
        ("plies_left", lambda mine, theirs: 10 - (mine | theirs).bit_count(), "plies_left is 1, but the game is drawn"),
        ("hopeless", lambda mine, theirs: mine.bit_count() > 1, "hopeless is true, but a move wins"),
    ],
)
def test_wrong_hints_are_found(hint, rule, said):
    met = random_positions(TIC_TAC_TOE, walks=20, seed=1)
    assert said in str(hints_true(replace(TIC_TAC_TOE, **{hint: rule}), met))
    with pytest.raises(BadGame, match=f"{hint} must be a function or left out, not 7"):
        replace(TIC_TAC_TOE, **{hint: 7})


def test_hints_that_do_not_apply_are_found():
    misere, plain = load_game("misere"), TIC_TAC_TOE
    met = [Met((0b000_000_011, 0b010_010_000), 0)]  # c1 makes a row
    assert "leave safe out for such a game" in str(hints_true(replace(misere, safe=plain.safe), met))
    assert "no whole number" in str(order_complete(replace(plain, order=lambda mine, theirs, move: 0.5), met))
    assert hints_true(replace(plain, wins=None, safe=None, plies_left=None, hopeless=None), met) == SKIPPED


@pytest.mark.parametrize("name", ["drop:4,3,3", "lines:3,3,3", *nightly("drop:4,4,4", "drop:5,3,4", "lines:4,3,3")])
def test_the_hopeless_do_not_win(name):
    game = load_game(name)
    table = perfectplay.solve(game, "python")
    hopeless = [entry for position, entry in table.entries() if game.hopeless(*position)]
    assert len(hopeless) > 10
    assert all(entry.value <= DRAW for entry in hopeless)


def lying(game, hint, where):
    """The same game with a hint that says nothing, or that all is lost, where it is told to."""
    told = getattr(game, hint)
    wrong = hint == "hopeless"
    return replace(
        game,
        moves=lambda mine, theirs: game.moves(mine, theirs),  # a user's own rules
        **{hint: lambda mine, theirs: wrong if where(mine, theirs) else told(mine, theirs)},
    )


@pytest.mark.parametrize("seed", range(3))
def test_one_lie_in_a_small_game_is_found(seed):
    game = load_game("drop:3,3,3")
    won = [met.position for met in positions_to_check(game, 1, 1) if game.wins(*met.position)]
    one = Random(seed).choice([p for p in won if game.outcome(*p) == ONGOING])
    fault = hints_true(lying(game, "wins", lambda *words: words == one), positions_to_check(game, 1, seed))
    assert "wins is 0" in str(fault)
    later = [p for p, entry in perfectplay.solve(game, "python").entries() if entry.value == WIN and entry.distance > 1]
    one = Random(seed).choice(later)
    fault = hints_true(lying(game, "hopeless", lambda *words: words == one), positions_to_check(game, 1, seed))
    assert "hopeless is true, but the side to move wins" in str(fault)


def test_a_small_game_is_checked_in_all_positions_and_a_large_one_near_its_ends():
    assert len(positions_to_check(TIC_TAC_TOE, 50, 1)) == 5478
    game = load_game("connect-four")
    rare = lying(game, "wins", lambda mine, theirs: mine % 101 == 1)
    assert hints_true(rare, random_positions(game, 50, 1)) is None
    met = positions_to_check(game, 50, 1)
    assert "wins is 0" in str(hints_true(rare, met))
    ended = sum(game.outcome(*position) != ONGOING for position, _ in met)
    assert ended > len(met) // 20


def test_a_search_finds_a_lie_before_it_believes_it():
    game = load_game("drop:4,4,4")
    position = game.start
    for move in (0, 0, 1, 1, 2, 2, 1, 2):
        position = game.play(*position, move)
    below = [met.position for met in positions_to_check(game, 1, 1, start=position)]
    one = next(p for p in reversed(below) if game.outcome(*p) == ONGOING and game.wins(*p))
    liar = lying(game, "wins", lambda *words: words == one)
    with pytest.raises(BadGame, match=r"a hint of .* is wrong: wins is 0b0, but the moves that win are"):
        check_hints(liar, position)
    assert check_hints(replace(liar, wins=game.wins), position) > 100
    assert check_hints(game, position) == 0  # rules that come with perfectplay are tested
