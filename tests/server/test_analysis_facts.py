"""What the page is told of a position without a table: by the opening book, by a search, and by a short look ahead."""

from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from perfectplay.game import legal_moves
from perfectplay.rules.loading import load_game
from perfectplay.rules.notation import move_name, parse_position, replay, show_position
from perfectplay.server import api_answers
from perfectplay.server.allowed_names import AllowedNames
from perfectplay.server.analysis_facts import by_probability, study_facts
from perfectplay.server.api_answers import RequestHandler
from perfectplay.server.catalogue import about
from perfectplay.solvers.oracle import SearchOracle, solved_oracle
from perfectplay.solvers.scores import TOP, Bounds
from perfectplay.solvers.search.search_clock import Limits
from perfectplay.solvers.steps import finished
from perfectplay.solvers.table.table_folder import book_of
from perfectplay.solvers.worth import Study, best_first, worth_of
from perfectplay.words import LOSS, ONGOING, WIN

MOMENT = 1e-9
"""Seconds in which a search does nothing."""
RANK = {"win": 1, "draw": 0, "loss": -1}


def after(game, moves):
    """The position after these moves, and who is to move."""
    position, side = game.start, 0
    for before, mover, move in replay(game, position, side, moves.split()):
        position, side = game.play(*before, move), 1 - mover
    return position, side


def searched(game, position, side, seconds):
    """What a search of so many seconds proves, as facts."""
    study = finished(SearchOracle(game).studying(position, Limits(seconds)))
    return study_facts(game, position, side, study)


def facts_after(name, moves, seconds=MOMENT):
    game = load_game(name)
    return searched(game, *after(game, moves), seconds)


def by_move(facts):
    return {one["move"]: (one["value"], one["distance"]) for one in facts["moves"]}


def best(facts):
    return [one["move"] for one in facts["moves"] if one["best"]]


def test_on_a_large_board_what_two_plies_decide_is_told():
    facts = facts_after("gomoku", "h8 g8 i8 c1 j8 e1 k8 a1")
    assert (facts["value"], facts["distance"], best(facts)) == ("win", 1, ["l8"])
    assert by_move(facts)["l8"] == ("win", 1)
    assert "Black wins in 1 ply" in facts["verdict"]
    facts = facts_after("gomoku", "h8 g8 i8 c1 j8 e1 k8")
    found = by_move(facts)
    assert (found.pop("l8"), set(found.values()), best(facts)) == ((None, None), {("loss", 2)}, ["l8"])
    assert facts["verdict"].startswith("White must play l8: every other move loses.")
    facts = facts_after("gomoku", "h8 a1 i8 c1 j8 e1 k8")  # an open four
    assert (facts["value"], facts["distance"], facts["exact"]) == ("loss", 2, True)
    facts = facts_after("gomoku", "h8 a1 i8 c1 j8 e1 k8 a2 l8")
    assert (facts["value"], facts["distance"], facts["exact"], facts["moves"]) == ("loss", 0, True, [])


def test_on_a_large_board_an_open_three_wins_and_has_two_answers():
    facts = facts_after("gomoku", "h8 a1 i8 c1 j8 e1")
    assert best(facts) == ["g8", "k8"]
    assert {by_move(facts)[one] for one in ("g8", "k8")} == {("win", 3)}
    facts = facts_after("gomoku", "h8 a1 i8 c1 j8")
    assert [one["move"] for one in facts["moves"][:2]] == ["g8", "k8"]
    assert {value for value, _ in list(by_move(facts).values())[2:]} == {"loss"}


def random_turn(game, seed, plies):
    """A position of a random game that goes on, and who is to move."""
    rng, turn = Random(seed), (game.start, 0)
    for _ in range(plies):
        child = game.play(*turn[0], rng.choice(legal_moves(game, turn[0])))
        if game.outcome(*child) != ONGOING:
            break
        turn = child, 1 - turn[1]
    return turn


@pytest.mark.parametrize("name", ["connect-four", pytest.param("lines:6,6,5", marks=pytest.mark.nightly)])
@given(seed=st.integers(0, 2**32), plies=st.integers(6, 30))
@settings(max_examples=12)
def test_however_short_the_time_ends_within_two_plies_are_told(name, seed, plies):
    game = load_game(name)
    position, side = random_turn(game, seed, plies)
    found = by_move(searched(game, position, side, MOMENT))
    for move in legal_moves(game, position):
        child, name = game.play(*position, move), move_name(game, position, side, move)
        replies = [game.outcome(*game.play(*child, reply)) for reply in legal_moves(game, child)]
        if game.outcome(*child) == LOSS:
            assert found[name] == ("win", 1)
        elif LOSS in replies:
            assert found[name] == ("loss", 2)
        else:
            assert found[name] not in [("win", 1), ("loss", 2)]


HANDLER = RequestHandler(AllowedNames(), lambda game: SearchOracle(game, book=book_of(game)))


def test_in_the_book_every_move_is_exact_at_once():
    values = {"game": "connect-four"}
    assert api_answers.analysis_is_instant(HANDLER, values)
    facts = api_answers.analysis(HANDLER, values)
    assert (facts["source"], facts["book"], facts["exact"]) == ("book", 8, True)
    # Allis 1988, Tromp: the centre wins in 41, its neighbours draw, the others lose
    assert by_move(facts) == {
        "4": ("win", 41),
        "3": ("draw", 42),
        "5": ("draw", 42),
        "2": ("loss", 42),
        "6": ("loss", 42),
        "1": ("loss", 40),
        "7": ("loss", 40),
    }
    assert best(facts) == ["4"]


@given(seed=st.integers(0, 2**32), plies=st.integers(0, 7))
@settings(max_examples=12)
def test_every_position_before_the_last_ply_of_the_book_is_answered_at_once(seed, plies):
    game = load_game("connect-four")
    position, side = random_turn(game, seed, plies)
    values = {"game": "connect-four", "position": show_position(game, position, side)}
    assert api_answers.analysis_is_instant(HANDLER, values)
    facts = api_answers.analysis(HANDLER, values)
    assert facts["exact"]
    entry = book_of(game).find(position)
    assert (RANK[facts["value"]], facts["distance"]) == entry
    if facts["moves"]:
        first = facts["moves"][0]
        assert (first["value"], first["distance"], first["best"]) == (facts["value"], facts["distance"], True)


def test_at_the_end_of_the_book_the_value_is_exact_and_moves_are_searched():
    game = load_game("connect-four")
    values = {"game": "connect-four", "position": show_position(game, *after(game, "4 4 4 4 4 2 2 1"))}
    assert not api_answers.analysis_is_instant(HANDLER, values)
    facts = api_answers.analysis(HANDLER, {**values, "seconds": 0.000001})
    assert (facts["source"], facts["book"]) == ("search", 8)
    assert (facts["value"], facts["distance"], facts["exact"]) == ("win", 29, False)
    assert all(one["at_most"] == {"value": "win", "distance": 29} for one in facts["moves"])


def test_an_open_move_stands_before_a_lost_one_however_long_it_takes():
    moves = {
        1: worth_of(Bounds(40 - TOP, 40 - TOP)),
        2: worth_of(Bounds(6 - TOP, TOP - 5)),
        3: worth_of(Bounds(0, 0), 9),
    }
    assert [*best_first(moves)] == [3, 2, 1]


@given(
    st.dictionaries(
        st.integers(0, 9),
        st.tuples(st.integers(-9, 9), st.integers(-9, 9)).map(lambda two: Bounds(*sorted(two))),
        min_size=1,
    )
)
def test_a_move_called_best_may_be_best_and_has_the_value_of_the_position(bounds):
    moves = best_first({move: worth_of(one) for move, one in bounds.items()})
    here = worth_of(Bounds(max(one.low for one in bounds.values()), max(one.high for one in bounds.values())))
    found = Study(here, moves).leading
    for move in found:
        assert all(moves[move].bounds.high >= known.bounds.low for known in moves.values())
        assert here.value is None or moves[move].value == here.value
    if here.value == WIN:
        assert found
        assert next(iter(moves)) in found or moves[next(iter(moves))].value == WIN


@pytest.mark.parametrize("name", ["tic-tac-toe", pytest.param("kingpawns", marks=pytest.mark.nightly)])
@pytest.mark.parametrize("model", ["uniform", "noisy:0.3"])
def test_with_win_probabilities_too_the_best_move_is_first(name, model):
    game = load_game(name)
    asked = RequestHandler(AllowedNames(), solved_oracle)
    for seed in range(5):
        text = show_position(game, *random_turn(game, seed, seed))
        assert show_position(game, *parse_position(game, text)) == text
        facts = api_answers.analysis(asked, {"game": name, "position": text, "chance": model})
        assert facts["moves"][0]["streetwise"]
        assert facts["moves"][0]["value"] == facts["value"]
        keys = [by_probability(one) for one in facts["moves"]]
        assert keys == sorted(keys, reverse=True)
        values = [RANK[one["value"]] for one in facts["moves"]]
        assert values == sorted(values, reverse=True)


def test_the_published_result_of_gomoku_is_told_of_free_gomoku_on_15_by_15_only():
    asked = RequestHandler(AllowedNames(), SearchOracle)
    assert about(asked, "gomoku")["known"] == "First player wins"  # Allis 1994
    for name in ("lines:15,15,5,misere=true", "lines:19,19,5", "lines:15,15,6", "lines:14,15,5"):
        assert about(asked, name)["known"] == ""
    assert about(asked, "kingpawns")["known"] == "First player wins in 5"
    assert about(asked, "kingpawns:5")["known"] == ""
    assert about(asked, "drop:5,3,4")["known"] == about(asked, "drop:5,3,4")["history"] == ""
    assert "Victor Allis" in about(asked, "gomoku")["history"]
    assert "Victor Allis" not in about(asked, "lines:19,19,5")["history"]
