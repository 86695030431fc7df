"""Openings: each is proven equal, no two are alike, and a seed decides which ones; or a file lists them."""

import json
from functools import cache

import pytest

import brute_force
from perfectplay.arena.tournaments.openings import balanced_openings, opening_file, turn_after
from perfectplay.arena.tournaments.played_game import PlayedGame
from perfectplay.arena.tournaments.tournament_settings import Opening
from perfectplay.game import canonical, legal_moves, moves_again
from perfectplay.rules.loading import load_game
from perfectplay.solvers.oracle import solved_oracle
from perfectplay.words import DRAW, LOSS, ONGOING, WIN, BadArgument, TooBig
from rings import nightly

WITH_DRAWS = ["tic-tac-toe", "kalah:3,2", "dots:2,2", *nightly("wild", "tactic-toe")]


@cache
def truth(name):
    return brute_force.solved(load_game(name))


def classes_of(game, openings):
    return {canonical(game)(*turn_after(game, opening)[0]) for opening in openings}


def can_err(game, known, position):
    """Whether a move gives the draw away."""

    def value(move):
        return known[game.play(*position, move)].value * (1 if moves_again(game, position, move) else -1)

    return any(value(move) < DRAW for move in legal_moves(game, position))


@pytest.mark.parametrize("name", WITH_DRAWS)
@pytest.mark.parametrize("count", [1, 30])
def test_every_opening_is_equal_and_no_two_are_alike(name, count):
    game, known = load_game(name), truth(name)
    found = balanced_openings(game, count, seed=5)
    assert len(found.openings) == count or "only" in found.note.lower()
    assert len(classes_of(game, found.openings)) == len(found.openings)
    for opening in found.openings:
        position, _ = turn_after(game, opening)
        assert opening.balanced
        assert opening.moves
        assert game.outcome(*position) == ONGOING
        assert known[position].value == DRAW
        assert known[position].margin in (None, 0)


@pytest.mark.parametrize("name", ["tic-tac-toe", "kalah:3,2", *nightly("tactic-toe")])
def test_a_mistake_is_possible_and_all_openings_are_as_long(name):
    game, known = load_game(name), truth(name)
    found = balanced_openings(game, 8, seed=2)
    assert all(can_err(game, known, turn_after(game, opening)[0]) for opening in found.openings)
    assert len({len(opening.moves) for opening in found.openings}) == 1
    assert found.note == ""


def test_shorter_openings_come_first():
    game = load_game("tic-tac-toe")
    assert {*balanced_openings(game, 3, seed=1).openings} == {
        Opening((move,), balanced=True) for move in ("b1", "a1", "b2")
    }


def test_all_there_are_with_a_sentence():
    """Independently: the classes of drawn positions of tic-tac-toe that are not over, the start left out."""
    game, known = load_game("tic-tac-toe"), truth("tic-tac-toe")
    same = canonical(game)
    drawn = {same(*at) for at, entry in known.items() if entry.value == DRAW and game.outcome(*at) == ONGOING}
    found = balanced_openings(game, 1000, seed=1)
    assert classes_of(game, found.openings) == drawn - {game.start}
    assert f"only {len(drawn) - 1} different openings" in found.note


def test_the_seed_decides():
    game = load_game("wild")
    sets = [balanced_openings(game, 5, seed).openings for seed in (1, 1, 2, 3)]
    assert sets[0] == sets[1]
    assert len({*sets}) == 3


@pytest.mark.parametrize("name", ["nim", "hexapawn:3,3", "chomp:3,3"])
def test_a_game_without_draws_has_random_openings(name):
    game = load_game(name)
    assert all(entry.value != DRAW for entry in truth(name).values())
    found = balanced_openings(game, 4, seed=3)
    assert "is equal under best play" in found.note
    assert not any(opening.balanced for opening in found.openings)
    assert len(classes_of(game, found.openings)) == len(found.openings)
    for opening in found.openings:
        assert game.outcome(*turn_after(game, opening)[0]) == ONGOING
    assert found == balanced_openings(game, 4, seed=3)


def test_random_openings_leave_no_win_at_once():
    game, known = load_game("nim"), truth("nim")
    found = balanced_openings(game, 3, seed=3)
    assert all(known[turn_after(game, opening)[0]].distance > 1 for opening in found.openings)


@cache
def negamax(game, position):
    """The value of a position of a game without cycles and extra turns, by plain search."""
    outcome = game.outcome(*position)
    if outcome != ONGOING:
        return outcome
    best = LOSS
    for move in legal_moves(game, position):
        best = max(best, -negamax(game, game.play(*position, move)))
        if best == WIN:
            break
    return best


@pytest.mark.parametrize("count", [1, 25])
def test_openings_by_search(count):
    """Too large to be solved on the spot, small enough to check from these openings on."""
    game = load_game("drop:4,4,4")
    with pytest.raises(TooBig):
        solved_oracle(game)
    found = balanced_openings(game, count, seed=4)
    assert len(classes_of(game, found.openings)) == count
    assert all(negamax(game, turn_after(game, opening)[0]) == DRAW for opening in found.openings)
    assert found == balanced_openings(game, count, seed=4)


def test_connect_four():
    """The scores of the first moves are -2 -1 0 1 0 -1 -2: only column 3 and its mirror image are equal."""
    game = load_game("connect-four")
    (opening,) = balanced_openings(game, 1, seed=1).openings
    assert opening in (Opening(("3",), balanced=True), Opening(("5",), balanced=True))


@pytest.mark.parametrize("name", ["lines:10,10,5", *nightly("lines:12,12,5")])
def test_what_nobody_can_prove_is_random(name):
    game = load_game(name)
    found = balanced_openings(game, 3, seed=3)
    assert "could be proven" in found.note
    assert len(classes_of(game, found.openings)) == 3


def test_progress_is_shown():
    steps = []
    balanced_openings(load_game("kalah:3,2"), 5, 1, steps.append)
    assert steps
    assert {step.phase for step in steps} == {"openings"}


def written(folder, *lines):
    path = folder / "openings.txt"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_a_file_of_moves_positions_and_records(tmp_path):
    game = load_game("tic-tac-toe")
    record = PlayedGame(1, "tic-tac-toe", ("A", "B"), ("a3",), "1-0", position="O:X../.../...")
    path = written(
        tmp_path,
        "# some openings",
        "",
        "b2 a1  # the centre",
        "X:X../.O./...  # a position",
        json.dumps(record.to_dict()),
        '{"moves": ["c3", "a1"]}',
        "http://127.0.0.1:8000/?game=tic-tac-toe&moves=a1,b1",
    )
    assert opening_file(path, game) == [
        Opening(("b2", "a1"), balanced=True),
        Opening(("a1", "b2"), balanced=True),
        Opening(("a1", "a3")),
        Opening(("c3", "a1")),
        Opening(("a1", "b1")),
    ]


def test_a_piece_that_looks_like_a_remark(tmp_path):
    game = load_game("domineering:3,3")
    text = "H:#../#../..."
    assert opening_file(written(tmp_path, text + "  # left"), game) == [Opening(("a1",))]
    assert opening_file(written(tmp_path, text), game) == [Opening(("a1",))]


def test_a_position_that_play_does_not_reach_stays_a_position(tmp_path):
    game, text = load_game("tic-tac-toe"), "X:XX./.../..."
    assert opening_file(written(tmp_path, text), game) == [Opening((), text)]


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["b2", "b2 b2"], ["line 2", "'b2'", "not a legal move"]),
        (["# hm", "b2", "zz"], ["line 3", "zz"]),
        (["a1 b1 b2 c1 c3"], ["line 1", "over"]),
        (["a1 a2 b2", "a2 c3", "b2 a2 a1"], ["line 3", "line 1", "again"]),
        (["X:X../..."], ["line 1", "3 rows"]),
        (["a1", "O:XXX/OO./..."], ["line 2", "over"]),
        (["a1", "{"], ["line 2", "JSON"]),
        (["# nothing"], ["no openings"]),
        (['{"game": "hex:3", "moves": ["q9"]}', "a1"], ["line 1", "the record is of hex:3"]),
    ],
)
def test_errors_name_the_line(tmp_path, lines, words):
    path = written(tmp_path, *lines)
    with pytest.raises(BadArgument) as error:
        opening_file(path, load_game("tic-tac-toe"))
    assert all(word in str(error.value) for word in [*words, str(path)])


def test_a_file_that_is_not_there():
    with pytest.raises(BadArgument, match="cannot be read"):
        opening_file("/nowhere/openings.txt", load_game("tic-tac-toe"))
