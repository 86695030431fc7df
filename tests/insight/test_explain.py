"""Explanations: every claim of every sentence is true, and the sentences are few and plain."""

import json
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from random import Random

import pytest

import perfectplay
from claims import Checker
from command_line import output
from perfectplay.game import Game, after, canonical, legal_moves, turn_levels
from perfectplay.insight.explanation import MOST, sentences_about
from perfectplay.insight.scene import Scene
from perfectplay.insight.sentences import why_move
from perfectplay.insight.threats import may_pass
from perfectplay.rules.families import family_names
from perfectplay.rules.loading import load_game
from perfectplay.solvers.oracle import Oracle, SearchOracle, TableOracle, solved_oracle
from perfectplay.words import FIRST, Position, TooBig
from rings import nightly


@lru_cache(maxsize=8)
def known(name: str) -> tuple[Game, Oracle, Checker]:
    """A game, its oracle, and what checks it."""
    game = load_game(name)
    lookup = perfectplay.solve(game).lookup
    return game, TableOracle(game, lookup), Checker(game, lookup)


def classes(game: Game) -> Iterator[tuple[Position, int]]:
    """One position of each symmetry class, with a side that can be to move."""
    smallest, met = canonical(game), set()
    for level in turn_levels(game, FIRST):
        for position, side in level:
            least = smallest(*position)
            if least not in met:
                met.add(least)
                yield position, side


EVERY = {"tic-tac-toe": 16, "kingpawns": 500}
"""Games of which every so many-th class of positions is explained."""
WHOLE = {"tic-tac-toe": 1, "tactic-toe": 2, "kingpawns": 2, "drop:4,4,4": 8}
"""In how many parts every class is explained, which can run side by side."""


@pytest.mark.parametrize(
    ("name", "every", "first"),
    [
        *((name, every, 0) for name, every in EVERY.items()),
        *nightly(*((name, parts, part) for name, parts in WHOLE.items() for part in range(parts))),
    ],
)
def test_every_claim_is_true(name: str, every: int, first: int) -> None:
    game, oracle, checker = known(name)
    for position, side in islice(classes(game), first, None, every):
        scene = Scene(oracle, position, side)
        sentences = sentences_about(scene)
        assert 1 <= len(sentences) <= MOST
        for sentence in (*sentences, *(why_move(scene, move) for move in legal_moves(game, position))):
            checker.check(sentence.claims)
    kinds = {"result", "threat", "only_move", "safe_moves", "worsens", "refutation", "line", "trap"}
    assert kinds <= checker.checked.keys()


QUICK = ("lines", "drop", "dots", "hexapawn", "nim", "ponghauki")
"""Rows, points, extra turns, cycles, and a side that loses from the start; the other families are nightly."""


def walked(game: Game, seed: int, plies: int) -> tuple[Position, int]:
    """An unfinished position of a random game, so many plies from its start or fewer."""
    rng, turn = Random(seed), (game.start, FIRST)
    for _ in range(plies):
        following = after(game, *turn, rng.choice(legal_moves(game, turn[0])))
        if not legal_moves(game, following[0]):
            break
        turn = following
    return turn


@pytest.mark.parametrize("family", [*QUICK, *nightly(*(name for name in family_names() if name not in QUICK))])
def test_claims_about_every_family_are_true(family: str) -> None:
    """Games with points, extra turns, cycles, roles, and sides that see the board differently."""
    game = load_game(family)
    try:
        lookup = solved_oracle(game).lookup
    except TooBig:
        pytest.skip("a search is needed")
    oracle, checker = TableOracle(game, lookup), Checker(game, lookup)
    for seed in range(4):
        scene = Scene(oracle, *walked(game, seed, 5 * seed))
        for sentence in (
            *sentences_about(scene),
            *(why_move(scene, move) for move in legal_moves(game, scene.position)),
        ):
            checker.check(sentence.claims)


def test_claims_about_a_searched_game_are_true() -> None:
    game = load_game("connect-four")
    oracle, checker = SearchOracle(game, 60.0), Checker(game, perfectplay.Searcher(game).lookup)
    for seed in range(6):
        for sentence in sentences_about(Scene(oracle, *walked(game, seed, 30))):
            checker.check(sentence.claims)
    assert checker.checked["result"] >= 6


def test_explanation_names_threats_and_lines(capsys: pytest.CaptureFixture[str]) -> None:
    found = perfectplay.explain("tic-tac-toe", "a1", "b2", "c1")
    assert found.threats is not None
    assert (found.threats.moves, found.threats.lines) == (("b1",), {"b1": ["a1-b1-c1"]})
    assert (found.only_move, found.value, found.distance, found.source) == ("b1", "draw", 6, "table")
    shown = output(capsys, "explain tic-tac-toe a1 b2 c1")
    assert "Only b1 keeps the draw" in shown
    assert "a1-b1-c1" in shown
    assert json.loads(output(capsys, "explain tic-tac-toe a1 b2 c1 --json")) == found.to_dict()


def test_double_threat() -> None:
    found = perfectplay.explain("tic-tac-toe", *"a1 b1 b2 c3 a2".split())
    assert found.threats is not None
    assert found.threats.double
    assert (set(found.threats.moves), found.value) == ({"c2", "a3"}, "loss")


def test_zugzwang() -> None:
    found = perfectplay.explain("hexapawn")
    assert (found.zugzwang, "zugzwang" in str(found)) == (True, True)


def test_traps_have_the_depth_at_which_one_sees_them() -> None:
    found = {move.move: move for move in perfectplay.explain("tic-tac-toe", "a1", "b2", "c3").moves}
    assert {name: move.trap for name, move in found.items()} == {
        **dict.fromkeys(("b1", "a2", "c2", "b3")),
        **dict.fromkeys(("c1", "a3"), 4),
    }
    assert found["c1"].refutation[0] == "a3"
    assert {move.trap for move in perfectplay.explain("dots").moves} == {None}  # points have no depth


def test_a_pass_that_exchanges_roles_makes_no_threat() -> None:
    assert [may_pass(load_game(name)) for name in ("hex", "orderchaos", "tic-tac-toe")] == [False, False, True]
    assert perfectplay.explain("hex", "b2", "a1").threats is None


def test_what_is_not_proven_is_called_an_opinion() -> None:
    found = perfectplay.explain("gomoku", "h8", seconds=0.1)
    assert found.value is None
    assert found.source != "table"
    assert "not proven" in found.sentences[0].text
    assert "opinion" in found.sentences[-1].text


def test_a_finished_game() -> None:
    found = perfectplay.explain("tic-tac-toe", *"a1 a2 b1 b2 c1".split())
    assert [sentence.text for sentence in found.sentences] == ["The game is over: X has won."]


def test_nonsense_is_refused() -> None:
    with pytest.raises(perfectplay.BadPosition, match="cannot be reached"):
        perfectplay.explain("tic-tac-toe", position="X:OO./.../...")
    with pytest.raises(perfectplay.BadArgument, match="seconds"):
        perfectplay.explain("tic-tac-toe", seconds=-1)
