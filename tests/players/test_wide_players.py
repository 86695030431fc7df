"""Search and Monte Carlo where words have more than 63 bits, a side may move again, or plays for points."""

from dataclasses import replace
from random import Random

import pytest

import brute_force
import perfectplay
from perfectplay import Match, load
from perfectplay.game import after, legal_moves, next_ply
from perfectplay.players.monte_carlo.mcts_player import AT_ONCE, LinesTree, WordsTree, tree_for
from perfectplay.players.registry import by_strength, strongest
from perfectplay.players.seat import Seat
from perfectplay.solvers.oracle import solved_oracle
from perfectplay.words import DRAW, FIRST, ONGOING, WIN, BadGame, Entry
from rings import nightly

REVERSI, ULTIMATE = "reversi:8,8", "./examples/ultimate.py"


def grown(tree, position, games):
    """The tree with that many random games from the position, always the same ones."""
    for array in tree.nodes[:-1]:
        array[:] = 0
    tree.state[:] = (1, 987654321, 0)
    tree.begin(position)
    tree.grow(games)
    return tree


def wandered(game, rng, plies):
    """A position after so many random plies, of a game that is not over."""
    position, side = game.start, FIRST
    for _ in range(plies):
        if not (moves := legal_moves(game, position)):
            return wandered(game, rng, plies)
        position, side = after(game, position, side, rng.choice(moves))
    return position if legal_moves(game, position) else wandered(game, rng, plies)


@pytest.mark.parametrize("name", ["dots:2,1", *nightly(REVERSI, ULTIMATE, "kalah:3,2", "drop:8,7,4")])
def test_compiled_and_interpreted_rules_grow_the_same_tree(name):
    game = load(name)
    for plies in (0, 4):
        position = wandered(game, Random(plies), plies)
        compiled, plain = (grown(WordsTree(game, compiled=one), position, 50) for one in (True, False))
        for one, other in zip(compiled.nodes[:-1], plain.nodes[:-1], strict=True):
            assert (one[: plain.visits.size] == other).all()


@pytest.mark.parametrize("name", ["dots:2,1", "lines:3,3,3", "lines:3,3,3,misere=true", *nightly("kalah:3,2")])
def test_what_a_tree_proves_is_true(name):
    game = load(name)
    lookup, tree = solved_oracle(game).lookup, WordsTree(game, compiled=True) if game.again else LinesTree(game)
    for plies in range(4):
        position = wandered(game, Random(plies), plies)
        grown(tree, position, 5000)
        assert tree.proven[0] in (0, lookup(position).value + 2)
        for child, move in enumerate(legal_moves(game, position), int(tree.firsts[0])):
            assert tree.proven[child] in (0, lookup(game.play(*position, move)).value + 2)
        assert (abs(tree.points) <= tree.visits).all()  # a game is won or lost once
    assert tree.proven[0]
    grown(tree, position, AT_ONCE)  # what is proven is proven: it does not go on


def test_who_can_move_again_and_win_does():
    game = load("dots:2,1")
    position = Match(game, ["b1", "d1", "b3", "d3", "a2"]).position  # O closes a box, and then the other one
    tree = WordsTree(game, compiled=True)
    assert tree.best_move(position, 60, 1) == Match(game).number_of("c2")
    assert tree.proven[0] == WIN + 2


@pytest.mark.nightly
def test_ultimate_tic_tac_toe_is_played_by_compiled_random_games():
    game = load(ULTIMATE)
    tree = tree_for(game)
    assert isinstance(tree, WordsTree)
    assert hasattr(tree.loops.module.grow, "py_func")  # it is compiled
    one_to_win = 0b011 | 0b111 << 9 | 0b111 << 18, 0b11 << 27 | 0b11 << 36 | 1 << 81
    assert tree.best_move(one_to_win, 0.1, 1) == 2


@pytest.mark.nightly
def test_the_largest_boards_of_lines_keep_their_own_tree():
    assert isinstance(tree_for(load("lines:9,9,5")), LinesTree)


def test_the_strongest_player_is_never_one_that_only_blocks():
    for name in (ULTIMATE, REVERSI, "lines:19,19,5"):
        assert by_strength(load(name), solved=False)[-2:] == ["mcts", "blocks"]
    huge = [replace(load(name), bits=200, name="huge") for name in (ULTIMATE, "tic-tac-toe")]
    assert [strongest(Seat(game, FIRST, Random(1), 0.01))[0] for game in huge] == ["mcts", "perfect"]  # one is solved


def small_tree(game, position, most=2000):
    """Whether at most so many positions follow."""
    seen, waiting = {position}, [position]
    while waiting and len(seen) <= most:
        here = waiting.pop()
        fresh = {game.play(*here, move) for move in legal_moves(game, here)} - seen
        seen |= fresh
        waiting += fresh
    return len(seen) <= most


def near_the_end(game, rng):
    """A position from which minimax is quick, on the way of a random game that nobody wins early."""
    position = game.start
    while not small_tree(game, position):
        children = [game.play(*position, move) for move in legal_moves(game, position)]
        going_on = [child for child in children if game.outcome(*child) == ONGOING]
        if not going_on:
            return near_the_end(game, rng)
        position = rng.choice(going_on)
    return position


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["drop:8,7,4", REVERSI, ULTIMATE])
def test_a_search_of_wide_words_finds_what_brute_force_finds(name):
    game = load(name)
    searcher, rng = perfectplay.Searcher(game), Random(3)
    for _ in range(4):
        position = near_the_end(game, rng)
        known = brute_force.solved(game, position)
        best, entries = known[position], brute_force.move_entries(game, known, position)
        assert searcher.lookup(position) == best
        good = [move for move, entry in entries.items() if entry == best or entry.value == best.value == DRAW]
        assert searcher.best_moves(position) == good


def test_positions_of_reversi_are_counted_as_published():
    game = load(REVERSI)
    ways, counts = {(game.start, FIRST): 1}, []
    for _ in range(6):
        ways = next_ply(game, ways.items())
        counts.append(sum(ways.values()))
    assert counts == [4, 12, 56, 244, 1396, 8200]


@pytest.mark.nightly
def test_more_than_63_moves_compile_with_narrow_words():
    game = load("lines:3,3,3")
    game = replace(game, name="many", move_names=[*game.move_names, *(f"never{number}" for number in range(80))])
    assert perfectplay.Searcher(game).lookup((0b11, 0b11000)) == Entry(WIN, 1)
    tree = tree_for(game)
    assert isinstance(tree, WordsTree)
    assert tree.best_move((0b011, 0b110000), 0.1, 1) == 2


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (REVERSI, "reversi:8,8 needs 64 bits a word; this takes up to 63, only search and Monte Carlo take up to 126"),
        *nightly((ULTIMATE, "ultimate.py needs 90 bits a word; this takes up to 63")),
        *nightly(("lines:12,12,5", "needs 144 bits a word; up to 126 compile, more run interpreted")),
    ],
)
def test_what_has_no_table_is_told(name, said):
    with pytest.raises(BadGame, match=said):
        perfectplay.solve(name, "numba")
