"""Win probabilities: exact, never too high, and reached by the players that play for them."""

import json
from fractions import Fraction
from functools import cache
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings

from command_line import complaint, output
from graph_games import all_choices, drawn_games, graph_game, solved_exactly
from perfectplay import DRAW, LOSS, WIN, Match, analyse, load, win_probability
from perfectplay.arena.battle import match, summed
from perfectplay.game import legal_moves
from perfectplay.models.game_graph import compiled_graph, graph_for
from perfectplay.models.policies import noisy, shallow, uniform
from perfectplay.models.win_probability import WinProbability, computing
from perfectplay.players import player_maker, policy_named
from perfectplay.solvers.lookup_or_solve import entries_of_moves, lookup_for
from perfectplay.solvers.steps import finished

load = cache(load)
"""Each game is loaded once, so that its solution and its graph are found again."""

MODELS = ["uniform", "weighted:a1=5", "noisy:1/10", "shallow:2", "softmax:0.5", "blocks", "level:4"]
SOLVED = ["tic-tac-toe", "misere", "tactic-toe", "kingpawns", "drop:4,3,3", "lines:3,2,3", "examples/hexapawn.py"]


def probabilities_against(game, model, exact=False):
    policy = policy_named(model, game)
    graph = graph_for(game, policy.symmetric)
    return finished(computing(graph, policy.probabilities(graph, exact)))


def brute_force(game, model):
    """The win and loss probabilities of a game that ends, position by position, straight from the definition."""
    policy, lookup = policy_named(model, game), lookup_for(game)
    graph = graph_for(game, policy.symmetric)
    probabilities = policy.probabilities(graph, policy.exact)

    def probability_of(position, move):
        edges = graph.edges(graph.number(position))
        return next(s for s, m in zip(probabilities[edges], graph.moves[edges], strict=True) if m == move)

    @cache
    def theirs(position):
        legal = legal_moves(game, position)
        if not legal:
            return Fraction(game.outcome(*position) == LOSS), Fraction(game.outcome(*position) == WIN)
        parts = [(probability_of(position, move), mine(game.play(*position, move))) for move in legal]
        return sum(probability * win for probability, (win, _) in parts), sum(
            probability * loss for probability, (_, loss) in parts
        )

    @cache
    def mine(position):
        value = lookup(position).value
        if value == WIN:
            return Fraction(1), Fraction(0)
        entries = entries_of_moves(game, lookup, position)
        if not entries:
            return Fraction(0), Fraction(value == LOSS)
        kept = [theirs(game.play(*position, move)) for move, entry in entries.items() if entry.value == value]
        return max(kept, key=lambda probability: (round(probability[0], 12), -probability[1]))

    return mine, theirs


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("name", ["tic-tac-toe", pytest.param("misere", marks=pytest.mark.nightly), "drop:4,3,3"])
def test_win_probabilities_are_those_of_all_games_that_can_be_played(name, model):
    game = load(name)
    if name.startswith("drop"):
        model = model.replace("a1", "2")
    found, (mine, theirs) = probabilities_against(game, model), brute_force(game, model)
    for number in range(0, found.graph.counts.size, 7):
        position = found.graph.position(number)
        for probability, (win, loss) in (
            (found.when_mine(number), mine(position)),
            (found.when_theirs(number), theirs(position)),
        ):
            assert probability.win == pytest.approx(float(win), abs=1e-12)
            assert probability.loss == pytest.approx(float(loss), abs=1e-12)
            assert sum(probability) == pytest.approx(1, abs=1e-12)


def test_a_corner_against_a_random_player():
    game = load("tic-tac-toe")
    found = probabilities_against(game, "uniform", exact=True)
    after = [found.when_theirs(found.graph.number(game.play(0, 0, move))) for move in range(9)]
    assert after[0] == after[2] == WinProbability(Fraction(191, 192), Fraction(1, 192), Fraction(0))
    assert max(after[1].win, after[4].win) < Fraction(191, 192)
    assert found.when_mine(found.graph.number(game.start)) == after[0]


def probabilities_by_enumeration(graph, probabilities):
    """The same for any small game: all ways to choose are tried, each solved exactly, the best taken.

    Two places stand for each position: we are to move, and they are.
    """
    size, going = graph.counts.size, np.flatnonzero(graph.going).tolist()
    children = {i: graph.children[graph.edges(i)].tolist() for i in going}
    won = [i for i in range(size) if graph.values[i] == WIN]
    ends = {
        WIN: [i in won for i in range(size)] + [i not in going and graph.values[i] == LOSS for i in range(size)],
        LOSS: [i not in going and graph.values[i] == LOSS for i in range(size)]
        + [i not in going and graph.values[i] == WIN for i in range(size)],
    }
    theirs = [dict[int, Fraction]() for _ in range(size)]
    for i in going:
        for child, probability in zip(children[i], probabilities[graph.edges(i)].tolist(), strict=True):
            theirs[i][child] = theirs[i].get(child, Fraction(0)) + probability
    kept = {
        i: [child for child in children[i] if -graph.values[child] == graph.values[i]] for i in going if i not in won
    }
    found = []
    for choice in all_choices(kept):
        steps = [{size + choice[i]: Fraction(1)} if i in choice else {} for i in range(size)]
        found.append([solved_exactly(2 * size, steps + theirs, ends[value]) for value in (WIN, LOSS)])
    wins = [max(columns) for columns in zip(*(win for win, _ in found), strict=True)]
    losses = [min(columns) for columns in zip(*(loss for win, loss in found if win == wins), strict=True)]
    return wins, losses


@settings(max_examples=150)
@given(drawn_games())
def test_win_probabilities_in_games_with_cycles_are_those_of_the_best_way_to_choose(game):
    graph = graph_for(game)
    for model in (uniform, noisy(Fraction(1, 3)), shallow(2)):
        wins, losses = probabilities_by_enumeration(graph, model(graph, True))
        found = finished(computing(graph, model(graph, False)))
        numbers = np.concatenate([found.mine_win, found.theirs_win, found.mine_loss, found.theirs_loss])
        size = graph.counts.size
        expected = [*wins[:size], *wins[size:], *losses[:size], *losses[size:]]
        assert numbers == pytest.approx([float(number) for number in expected], abs=1e-9)
        assert [number > 0 for number in found.mine_win] == [win > 0 for win in wins[:size]]


@settings(max_examples=150)
@given(drawn_games())
def test_the_player_that_chooses_so_has_these_win_probabilities(game):
    graph = graph_for(game)
    probabilities = uniform(graph, True)
    found = finished(computing(graph, uniform(graph, False)))
    chosen = graph.normalised(found.chosen.astype(int), exact=True)
    size = graph.counts.size
    steps = [{} for _ in range(2 * size)]
    for side, weights, there in ((0, chosen, size), (size, probabilities, 0)):
        for i in range(size):
            for child, probability in zip(
                graph.children[graph.edges(i)].tolist(), weights[graph.edges(i)].tolist(), strict=True
            ):
                place = there + child
                steps[side + i][place] = steps[side + i].get(place, Fraction(0)) + probability
    ended = ~graph.going
    ends = [bool(e and v == WIN) for e, v in zip(ended, graph.values, strict=True)]
    ends += [bool(e and v == LOSS) for e, v in zip(ended, graph.values, strict=True)]
    wins = solved_exactly(2 * size, steps, ends)
    assert list(found.mine_win) == pytest.approx([float(win) for win in wins[:size]], abs=1e-9)


def test_an_endless_dance_is_never_a_win():
    # From 0 we can only go to 1, from where the other side, who sees nothing, comes back or loses.
    game = graph_game([[1], [0], [0]], {2: LOSS})
    found = probabilities_against(game, "uniform")
    assert found.when_mine(0) == WinProbability(0.0, 1.0, 0.0)


@pytest.mark.parametrize("name", SOLVED)
def test_nobody_wins_against_the_perfect_player(name):
    game = load(name)
    found = probabilities_against(game, "perfect")
    drawn, lost = found.graph.values == DRAW, found.graph.values == LOSS
    assert not found.mine_win[drawn | lost].any()
    assert not found.mine_loss[drawn].any()
    assert (found.mine_win[found.graph.values == WIN] == 1).all()


@pytest.mark.parametrize(
    "model", ["uniform", pytest.param("noisy:0.1", marks=pytest.mark.nightly), "shallow:3", "softmax:1"]
)
@pytest.mark.parametrize("name", SOLVED)
def test_streetwise_never_gives_the_result_away(name, model):
    game = load(name)
    graph = graph_for(game)
    probabilities = policy_named(f"streetwise:{model}", game).probabilities(graph, False)
    played = probabilities > 0
    assert (-graph.values[graph.children[played]] == graph.values[graph.parents[played]]).all()
    winning = graph.values[graph.parents] == WIN
    assert (played[winning] <= graph.best(graph.scores)[winning]).all()


@pytest.mark.parametrize(
    "name",
    [
        "tic-tac-toe",
        "examples/hexapawn.py",
        *(pytest.param(name, marks=pytest.mark.nightly) for name in ("kingpawns", "tactic-toe", "drop:4,3,3")),
    ],
)
def test_classes_have_the_win_probabilities_of_their_positions(name):
    game = load(name)
    graph, classes = graph_for(game), finished(compiled_graph(game, symmetric=True))
    for model in (uniform, noisy(Fraction(1, 5)), shallow(2)):
        found, folded = (
            finished(computing(graph, model(graph, False))),
            finished(computing(classes, model(classes, False))),
        )
        for number in Random(2).sample(range(graph.counts.size), min(300, graph.counts.size)):
            place = classes.number(graph.position(number))
            assert folded.when_mine(place) == pytest.approx(found.when_mine(number), abs=1e-10)
            assert folded.when_theirs(place) == pytest.approx(found.when_theirs(number), abs=1e-10)


@pytest.mark.parametrize(
    ("name", "model"), [("tic-tac-toe", "uniform"), ("misere", "noisy:0.3"), ("kingpawns", "shallow:2")]
)
def test_a_long_battle_has_the_win_probabilities_computed(name, model):
    game, games = load(name), 4_000
    found = probabilities_against(game, model)
    number = found.graph.number(game.start)
    for first in (True, False):
        names = (f"streetwise:{model}", model) if first else (model, f"streetwise:{model}")
        tally = summed(match(game, (player_maker(names[0]), player_maker(names[1])), seed=1)(range(games)))
        expected = (found.when_mine(number) if first else found.when_theirs(number)).win
        spread = (expected * (1 - expected) * games) ** 0.5
        assert abs(tally.wins[0 if first else 1] - expected * games) <= 3 * spread + 1e-9


def test_analyse_with_win_probabilities(capsys):
    line = "analyse tic-tac-toe --position X:OX./XXO/.O. --chance uniform --json"
    found = json.loads(output(capsys, line))
    assert found["chance"] == {"win": 0.5, "draw": 0.5, "loss": 0.0}
    assert {move["move"]: move["chance"]["win"] for move in found["moves"]} == {"c1": 0.5, "a3": 0.5, "c3": 0.0}
    exact = json.loads(output(capsys, "analyse tic-tac-toe --chance uniform --exact --json"))
    assert exact["moves"][0]["chance"] == {"win": "191/192", "draw": "1/192", "loss": "0"}
    text = output(capsys, "analyse tic-tac-toe a1 b2 --against noisy:0.1")
    assert "X's win probability against noisy:0.1" in text
    assert "  c3  draw in 7 plies" in text


@pytest.mark.parametrize(
    ("model", "said"),
    [
        ("weighted:a1=-2", "needs a number from 0.001 to 1000000, such as weighted:centre=3"),
        ("weighted:a1=0", "needs a number from 0.001"),
        ("weighted:a1=1e-330", "needs a number from 0.001"),
        ("noisy:1e-99999999", "needs a number from 0 to 1"),
        ("streetwise:" * 3000 + "random", "at most 4 others"),
        ("weighted:d9=2", "no move is called 'd9'; weigh one of a1 b1 c1"),
        ("weighted:", "needs weights of moves, such as weighted:centre=3"),
        ("noisy:2", "needs a number from 0 to 1, such as noisy:0.1"),
        ("noisy:x", "needs a number from 0 to 1"),
        ("shallow:1.5", "needs a whole number"),
        ("softmax:0", "needs a number from 0.001"),
        ("level:11", "needs a whole number from 1 to 10"),
        ("learned:nowhere.txt", "cannot be read: No such file"),
        ("nobody", "no model or player with known move probabilities is called 'nobody'"),
        ("streetwise:nobody", "called 'nobody'"),
    ],
)
def test_models_that_cannot_be(capsys, model, said):
    assert said in complaint(capsys, f"analyse tic-tac-toe --chance {model}")


def test_where_there_are_no_win_probabilities(capsys):
    assert "need a solved game" in complaint(capsys, "analyse connect-four --chance uniform")
    assert "is for win probabilities" in complaint(capsys, "analyse tic-tac-toe --exact")
    assert "leave out" in complaint(capsys, "analyse tactic-toe --chance uniform --exact")
    assert "are not fractions" in complaint(capsys, "analyse tic-tac-toe --chance softmax:1 --exact")
    assert "have no names that stay the same" in complaint(capsys, "analyse kingpawns --chance weighted:a1=2")


BOTS = """
import random
from perfectplay.players import player_maker
def same(seat): return player_maker("dawdling")(seat)
def first(seat): return lambda position: [m for m in range(9) if seat.game.moves(*position) >> m & 1][0]
def crashes(seat): return lambda position: 1 // (position[0].bit_count() - 2)
def wavers(seat): return lambda position: random.choice([m for m in range(9) if seat.game.moves(*position) >> m & 1])
"""


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("moves", [(), ("b2",), ("a1", "b1"), ("a1", "b2", "c3")])
def test_a_bot_that_plays_like_a_model_gives_the_probabilities_of_the_model(tmp_path, moves, exact):
    """Dawdling plays the first move that keeps the value."""
    (tmp_path / "bots.py").write_text(BOTS)
    bot = f"{tmp_path}/bots.py:same"
    asked, known = (analyse("tic-tac-toe", *moves, against=name, exact=exact) for name in (bot, "dawdling"))
    assert asked.against == bot
    assert asked.probability == known.probability
    assert asked.moves == known.moves
    there = win_probability("tic-tac-toe", *moves, against=bot, exact=exact)
    assert there.probability == known.probability


@pytest.mark.parametrize("moves", [(), ("b2",), ("a1", "b1"), ("b1", "a3", "c2"), ("a3", "b3", "c3", "b2")])
def test_win_probabilities_against_a_bot_are_those_of_the_definition(tmp_path, moves):
    """The bot plays the first free square; we keep the result, then win if we can, then do not lose if we can."""
    game = load("tic-tac-toe")
    lookup = lookup_for(game)

    def ours(position):
        entries = entries_of_moves(game, lookup, position)
        if not entries:
            return game.outcome(*position)
        keeping = [move for move, entry in entries.items() if entry.value == lookup(position).value]
        return max(theirs(game.play(*position, move)) for move in keeping)

    def theirs(position):
        legal = legal_moves(game, position)
        return ours(game.play(*position, legal[0])) if legal else -game.outcome(*position)

    (tmp_path / "bots.py").write_text(BOTS)
    found = analyse(game, *moves, against=f"{tmp_path}/bots.py:first")
    position = Match(game, moves).position
    assert found.probability.win - found.probability.loss == ours(position)
    for move, here in zip(found.moves, entries_of_moves(game, lookup, position), strict=True):
        assert move.probability.win - move.probability.loss == theirs(game.play(*position, here))


def test_a_bot_that_forfeits_or_varies_is_refused(tmp_path, capsys):
    (tmp_path / "bots.py").write_text(BOTS)
    said = complaint(capsys, f"analyse tic-tac-toe --against {tmp_path}/bots.py:wavers")
    assert "bots.py:wavers answers differently from call to call in O:X../.../...: no win probabilities" in said
    said = complaint(capsys, f"analyse tic-tac-toe b2 a1 --against {tmp_path}/bots.py:crashes")
    assert "bots.py:crashes forfeits in O:OX./.X./...: " in said
    assert complaint(capsys, f"analyse tic-tac-toe --against {tmp_path}/none.py:ai").count("there is no file") == 1
