"""`exploit` wins as often as any player can against its model, and then loses as rarely."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings

from command_line import complaint
from graph_games import all_choices, drawn_games, graph_game, solved_exactly
from perfectplay import LOSS, WIN, load, odds
from perfectplay.game import legal_moves
from perfectplay.models.game_graph import graph_for
from perfectplay.models.policies import exploit, noisy, shallow, uniform
from perfectplay.models.win_probability import computing
from perfectplay.players import policy_named
from perfectplay.players.player_kind import PlayerName
from perfectplay.players.policy_player import probabilities_function
from perfectplay.solvers.steps import finished

load = cache(load)
"""Each game is loaded once, so that its solution and its graph are found again."""


def expectimax(game, model):
    """The best (win, -loss) of a game that ends when we are to move, straight from the definition."""
    at = probabilities_function(game, lambda name, game: policy_named(name.text, game), PlayerName(model, "", ""), True)

    @cache
    def mine(position):
        if not legal_moves(game, position):
            return Fraction(game.outcome(*position) == WIN), -Fraction(game.outcome(*position) == LOSS)
        return max(theirs(game.play(*position, move)) for move in legal_moves(game, position))

    @cache
    def theirs(position):
        if not legal_moves(game, position):
            return Fraction(game.outcome(*position) == LOSS), -Fraction(game.outcome(*position) == WIN)
        parts = [(share, mine(game.play(*position, move))) for move, share in at(position).items()]
        return sum(share * win for share, (win, _) in parts), sum(share * loss for share, (_, loss) in parts)

    return mine, theirs


@pytest.mark.parametrize("model", ["uniform", "noisy:1/10", "shallow:2", "blocks", "level:4", "dawdling"])
@pytest.mark.parametrize("name", ["tic-tac-toe", pytest.param("misere", marks=pytest.mark.nightly), "drop:3,3,3"])
def test_no_player_does_better_in_games_that_end(name, model):
    game = load(name)
    mine, theirs = expectimax(game, model)
    first = odds(game, f"exploit:{model}", model, exact=True).probability
    second = odds(game, model, f"exploit:{model}", exact=True).probability
    assert (first.win, -first.loss) == mine(game.start)
    assert (second.loss, -second.win) == theirs(game.start)


def best_by_enumeration(graph, probabilities):
    """Wins and losses of the best of all ways to choose one move per position, each solved exactly."""
    size, going = graph.counts.size, np.flatnonzero(graph.going).tolist()
    children = {i: graph.children[graph.edges(i)].tolist() for i in going}
    ended = {value: [i not in going and graph.values[i] == value for i in range(size)] for value in (WIN, LOSS)}
    ends = {WIN: ended[WIN] + ended[LOSS], LOSS: ended[LOSS] + ended[WIN]}
    theirs = [dict[int, Fraction]() for _ in range(size)]
    for i in going:
        for child, share in zip(children[i], probabilities[graph.edges(i)].tolist(), strict=True):
            theirs[i][child] = theirs[i].get(child, Fraction(0)) + share
    found = []
    for choice in all_choices(children):
        steps = [{size + choice[i]: Fraction(1)} if i in choice else {} for i in range(size)]
        found.append([solved_exactly(2 * size, steps + theirs, ends[value]) for value in (WIN, LOSS)])
    wins = [max(columns) for columns in zip(*(win for win, _ in found), strict=True)]
    return wins, [min(columns) for columns in zip(*(loss for win, loss in found if win == wins), strict=True)]


@settings(max_examples=100)
@given(drawn_games(most=5))
def test_no_player_does_better_in_games_with_cycles(game):
    graph = graph_for(game)
    size = graph.counts.size
    for model in (uniform, noisy(Fraction(1, 3)), shallow(2)):
        wins, losses = best_by_enumeration(graph, model(graph, True))
        found = finished(computing(graph, model(graph, False), keeping=False))
        numbers = np.concatenate([found.mine_win, found.theirs_win, found.mine_loss, found.theirs_loss])
        assert numbers == pytest.approx([float(number) for number in (*wins, *losses)], abs=1e-9)
        chosen = exploit(model)(graph, True).tolist()
        shares = [*chosen], model(graph, True).tolist()
        steps = [{} for _ in range(2 * size)]
        for here, there, weights in ((0, size, shares[0]), (size, 0, shares[1])):
            for i in range(size):
                for child, share in zip(graph.children[graph.edges(i)], weights[graph.edges(i)], strict=True):
                    steps[here + i][there + child] = steps[here + i].get(there + child, Fraction(0)) + share
        for value, best in ((WIN, wins), (LOSS, losses)):
            ends = [not graph.going[i] and graph.values[i] == value for i in range(size)]
            ends += [not graph.going[i] and graph.values[i] == -value for i in range(size)]
            assert solved_exactly(2 * size, steps, ends)[:size] == best[:size]


@pytest.mark.parametrize("name", ["tic-tac-toe", "misere", "kingpawns", "examples/hexapawn.py"])
@pytest.mark.parametrize("model", ["uniform", "noisy:0.3", "shallow:1"])
def test_what_keeps_the_result_never_wins_more_often(name, model):
    for first in (True, False):
        exploiting, keeping = (
            odds(load(name), *((f"{player}:{model}", model) if first else (model, f"{player}:{model}"))).probability
            for player in ("exploit", "streetwise")
        )
        assert (exploiting.win >= keeping.win - 1e-12) if first else (exploiting.loss >= keeping.loss - 1e-12)


def test_a_risk_is_taken_where_it_pays():
    streetwise, exploiting = (
        odds("misere", f"{player}:shallow:1", "shallow:1").probability for player in ("streetwise", "exploit")
    )
    assert (streetwise.win, streetwise.loss) == (0.375, 0)
    assert exploiting.win == pytest.approx(229 / 288)
    assert exploiting.loss == pytest.approx(19 / 144)


def test_a_win_that_can_be_put_off_for_ever_is_still_won():
    # From 0 we may go round through 1, or on to 2; the opponent errs at 2 every other time, and else goes back to 0.
    game = graph_game([[1, 2], [0], [3, 0], [0]], {3: WIN})
    found = finished(computing(graph_for(game), uniform(graph_for(game), False), keeping=False))
    assert found.mine_win[graph_for(game).number(game.start)] == pytest.approx(1, abs=1e-9)


def test_models_that_cannot_be_exploited(capsys):
    assert "no known move probabilities" in complaint(capsys, "odds tic-tac-toe exploit:mcts random")
    assert "called 'nobody'" in complaint(capsys, "odds tic-tac-toe exploit:nobody random")
    assert "at most 4 others" in complaint(capsys, "odds tic-tac-toe " + "exploit:streetwise:" * 3 + "random random")
    assert "odds need a solved game" in complaint(capsys, "odds connect-four exploit random")
