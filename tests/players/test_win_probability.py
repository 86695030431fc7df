"""Win probabilities: those of the definition in every position, reached by the players that play for them."""

import json
from fractions import Fraction
from functools import cache
from itertools import cycle, islice
from math import exp
from random import Random

import pytest
from hypothesis import given, settings, strategies as st

import brute_force
from command_line import complaint, output
from graph_games import drawn_games, graph_game, turn_game, turn_games
from perfectplay import DRAW, LOSS, WIN, Match, analyse, load, odds, win_probability
from perfectplay.game import entries_of_moves, legal_moves
from perfectplay.players.models.game_graph import compiled_graph, graph_for, plain_graph
from perfectplay.players.models.odds import computing_odds
from perfectplay.players.models.policies import Policy, exploit, noisy, perfect, shallow, streetwise, uniform
from perfectplay.players.models.win_probability import WinProbability, computing
from perfectplay.players.named.policy_player import probabilities_by
from perfectplay.players.registry import policy_named
from perfectplay.solvers.memory.interpreted import Reached
from perfectplay.solvers.oracle import solved_oracle
from perfectplay.solvers.steps import finished
from plain_odds import Solved, best_responses, walk
from rings import nightly

load = cache(load)
"""Each game is loaded once, so that its solution and its graph are found again."""

SMALL = ["lines:3,2,2", "dots:2,1", "kalah:2,2"]
MODELS = ["uniform", "noisy:1/3", "shallow:0", "shallow:1", "shallow:3", "perfect", "wins", "blocks", "dawdling"]
WEIGHED = [*MODELS, "weighted:a1=5", "softmax:0.5"]


def probabilities_against(game, model, exact=False):
    policy = policy_named(model, game)
    graph = graph_for(game, policy.symmetric)
    return finished(computing(graph, policy.probabilities(graph, exact)))


def check_everywhere(solved, model):
    """Compares move probabilities and win probabilities in all positions, as fractions where there are any."""
    game, policy = solved.game, policy_named(model, solved.game)
    graph = graph_for(game, policy.symmetric)
    probabilities_at = probabilities_by(game, policy, policy.exact)
    for keeping in (True, False):
        found = finished(computing(graph, policy.probabilities(graph, policy.exact), keeping))
        ours, theirs = solved.best_response(model, keeping)
        for position, moves in solved.edges.items():
            number = graph.number(position)
            if moves:
                assert probabilities_at(position) == pytest.approx(solved.probabilities(model, position), rel=1e-12)
            here = (*found.when_mine(number)[::2], *found.when_theirs(number)[::2])
            right = (*ours(position), *theirs(position))
            assert here == right if policy.exact else here == pytest.approx(right)


def exact_odds(game, first, second, exact=True):
    """(win, draw, loss) of the first player."""
    found = odds(game, first, second, exact=exact).probability
    return found.win, found.draw, found.loss


def check_odds(solved, first, second):
    """Compares the odds of two players, as fractions and as decimals."""
    expected = solved.odds(first, second)
    assert exact_odds(solved.game, first, second) == expected
    assert exact_odds(solved.game, first, second, exact=False) == pytest.approx([*map(float, expected)])


@pytest.mark.parametrize("name", [*SMALL, *nightly("drop:3,3,3", "kalah:3,1")])
def test_models_in_all_positions_are_those_of_plain_recursion(name):
    solved = Solved(load(name))
    for first, second in zip(MODELS, islice(cycle(MODELS), 2, None), strict=False):
        check_everywhere(solved, first)
        check_odds(solved, first, second)


@settings(max_examples=100)
@given(turn_games(), st.sampled_from(WEIGHED), st.sampled_from(MODELS), st.sampled_from(MODELS))
def test_any_game_with_extra_turns_that_ends(game, model, first, second):
    solved = Solved(game)
    if game.margin is None or model != "softmax:0.5":
        check_everywhere(solved, model)
    check_odds(solved, first, second)


def policies_in(game, *policies):
    """For each policy the function from a position to the probabilities of its moves."""
    return [cache(probabilities_by(game, Policy(policy), True)) for policy in policies]


@settings(max_examples=150)
@given(st.one_of(drawn_games(5), turn_games(6, cycles=True)), st.booleans())
def test_probabilities_in_games_with_cycles_are_those_of_the_best_way_to_choose(game, keeping):
    graph = graph_for(game)
    for model in (uniform, noisy(Fraction(1, 3)), shallow(2)):
        [theirs] = policies_in(game, model)
        found = finished(computing(graph, model(graph, False), keeping))
        for (position, mine), (win, loss) in best_responses(game, theirs, keeping).items():
            here = (found.when_mine if mine else found.when_theirs)(graph.number(position))
            assert here[::2] == pytest.approx((float(win), float(loss)), abs=1e-9)
            assert (here.win > 0) == (win > 0)


@settings(max_examples=100)
@given(st.one_of(turn_games(), drawn_games(), turn_games(7, cycles=True)))
def test_the_players_that_choose_so_reach_their_win_probabilities(game):
    graph, edges = graph_for(game), brute_force.edges(game)
    for keeping, response in ((True, streetwise), (False, exploit)):
        found = finished(computing(graph, uniform(graph, False), keeping))
        ours, theirs = policies_in(game, response(uniform), uniform)
        for (position, mine), (win, loss) in walk(game, edges, ours, theirs).items():
            here = (found.when_mine if mine else found.when_theirs)(graph.number(position))
            assert here[::2] == pytest.approx((float(win), float(loss)), abs=1e-9)


@settings(max_examples=100)
@given(st.one_of(drawn_games(), turn_games(7, cycles=True)))
def test_odds_in_games_with_cycles_are_those_of_a_linear_system(game):
    graph, edges = graph_for(game), brute_force.edges(game)
    for pair in ((uniform, noisy(Fraction(1, 4))), (shallow(3), shallow(1)), (uniform, streetwise(uniform))):
        win, loss = walk(game, edges, *policies_in(game, *pair))[game.start, True]
        for exact in (True, False):
            found = finished(computing_odds(graph, *(policy(graph, exact) for policy in pair)))
            expected = WinProbability(win, 1 - win - loss, loss)
            assert found == expected if exact else found == pytest.approx([*map(float, expected)], abs=1e-9)


def test_an_endless_dance_is_never_a_win():
    """From 0 we can only go to 1, from where the other side, who sees nothing, comes back or loses."""
    game = graph_game([[1], [0], [0]], {2: LOSS})
    assert probabilities_against(game, "uniform").when_mine(0) == WinProbability(0.0, 1.0, 0.0)


def test_a_win_that_can_be_put_off_for_ever_is_still_won():
    """From 0 we may go round through 1, or on to 2; the opponent errs at 2 every other time, or goes back to 0."""
    graph = graph_for(graph_game([[1, 2], [0], [3, 0], [0]], {3: WIN}))
    found = finished(computing(graph, uniform(graph, False), keeping=False))
    assert found.mine_win[0] == pytest.approx(1, abs=1e-9)


def test_a_game_to_work_out_by_hand():
    """Moves 0 give another turn, moves 1 pass it on; two of them end the game, ahead for the side then to move."""
    game = turn_game([[(1, True), (1, False)], [(2, True), (2, False)], []], {2: WIN})
    half = Fraction(1, 2)
    for players, expected in (("random random", half), ("perfect random", 1), ("wins wins", half)):
        assert exact_odds(game, *players.split()) == (expected, 0, 1 - expected)
    found = win_probability(game, exact=True)
    assert found.probability.win == 1
    assert [(move.win, move.loss) for move in found.moves.values()] == [(1, 0), (half, half)]
    assert len(found.chosen) == 1
    likes = probabilities_by(game, policy_named("noisy:1/5", game), True)((0, 0))
    assert likes == {0: Fraction(9, 10), 1: Fraction(1, 10)}, "two ways to one place: who moves next tells them apart"


def test_perfect_play_for_points_takes_the_greatest_margin():
    """Three moves win: by 1, by 3 with another turn, and by 2."""
    game = turn_game([[(1, False), (2, True), (3, False)]], {1: -1, 2: 3, 3: -2}, points=True)
    likes = [exp(margin / 2) for margin in (1, 3, 2)]
    for name, expected in (
        *((name, [0, 1, 0]) for name in ("perfect", "streetwise", "shallow:1")),
        ("dawdling", [1, 0, 0]),
        ("softmax:2", [like / sum(likes) for like in likes]),
    ):
        found = probabilities_by(game, policy_named(name, game), False)(game.start)
        assert list(found.values()) == pytest.approx(expected)


def test_win_probabilities_are_about_winning_not_about_points():
    """Both moves lose against the best reply, by 1 or by 5; the one that loses by more wins more often."""
    replies = [[(1, False), (2, False)], [(3, False), (4, False)], [(3, False), (5, False), (6, False)]]
    game = turn_game(replies, {3: 9, 4: -1, 5: -5, 6: 2}, points=True)
    found = win_probability(game, exact=True)
    assert [chance.win for chance in found.moves.values()] == [Fraction(1, 2), Fraction(2, 3)]
    assert exact_odds(game, "streetwise", "random") == (Fraction(2, 3), 0, Fraction(1, 3))
    assert exact_odds(game, "perfect", "random") == (Fraction(1, 2), 0, Fraction(1, 2))


@pytest.mark.parametrize(
    "name",
    [
        *("lines:3,2,3", "fading:3,2"),
        *nightly("tic-tac-toe", "misere", "tactic-toe", "kingpawns", "drop:4,3,3", "examples/hexapawn.py"),
    ],
)
def test_the_result_is_never_given_away(name):
    game = load(name)
    graph, found = graph_for(game), probabilities_against(game, "perfect")
    drawn, lost, won = (graph.values == value for value in (DRAW, LOSS, WIN))
    assert not found.mine_win[drawn | lost].any()
    assert not found.mine_loss[drawn].any()
    assert (found.mine_win[won] == 1).all()
    for model in ("uniform", "noisy:0.1", "shallow:3", "softmax:1"):
        played = policy_named(f"streetwise:{model}", game).probabilities(graph, False) > 0
        assert (-graph.values[graph.children[played]] == graph.values[graph.parents[played]]).all()
        winning = won[graph.parents]
        assert (played[winning] <= graph.best(graph.scores)[winning]).all()


def test_a_risk_is_taken_where_it_pays():
    keeping, exploiting = (
        odds(load("misere"), f"{player}:shallow:1", "shallow:1").probability for player in ("streetwise", "exploit")
    )
    assert (keeping.win, keeping.loss) == (0.375, 0)
    assert (exploiting.win, exploiting.loss) == pytest.approx((229 / 288, 19 / 144))


def plain(game):
    """The graph of the game by interpreted rules, of any size."""
    reached = Reached(game)
    while reached.next_ply():
        pass
    return plain_graph(game, reached)


@pytest.mark.parametrize(
    "name",
    [
        "dots:2,1",
        *nightly("tic-tac-toe", "kalah:3,2", "kingpawns", "tactic-toe", "drop:4,3,3", "dots:2,2", "morris:3,2"),
        *nightly("examples/hexapawn.py"),
    ],
)
def test_classes_by_compiled_rules_have_the_probabilities_of_their_positions(name):
    game = load(name)
    graph, classes = plain(game), finished(compiled_graph(game, symmetric=True))
    sample = Random(3).sample(range(graph.counts.size), min(300, graph.counts.size))
    for model in (uniform, noisy(Fraction(1, 5)), shallow(3)):
        found, folded = (finished(computing(one, model(one, False))) for one in (graph, classes))
        for number in sample:
            place = classes.number(graph.position(number))
            assert classes.entry(place) == graph.entry(number)
            assert folded.when_mine(place) == pytest.approx(found.when_mine(number), abs=1e-9)
            assert folded.when_theirs(place) == pytest.approx(found.when_theirs(number), abs=1e-9)
    both = [finished(computing_odds(one, perfect(one, False), uniform(one, False))) for one in (graph, classes)]
    assert both[0] == pytest.approx(both[1], abs=1e-9)


def test_analyse_with_win_probabilities(capsys):
    line = "analyse tic-tac-toe --position X:OX./XXO/.O. --against uniform --json"
    found = json.loads(output(capsys, line))
    assert found["chance"] == {"win": 0.5, "draw": 0.5, "loss": 0.0}
    assert {move["move"]: move["chance"]["win"] for move in found["moves"]} == {"c1": 0.5, "a3": 0.5, "c3": 0.0}
    exact = json.loads(output(capsys, "analyse tic-tac-toe --against uniform --exact --json"))
    assert exact["moves"][0]["chance"] == {"win": "191/192", "draw": "1/192", "loss": "0"}
    text = output(capsys, "analyse lines:3,2,3 a1 --against noisy:0.1")
    assert "O's win probability against noisy:0.1" in text
    assert "  b1    draw in 5 plies  0.00%  100.00%  0.00%  *" in text


@pytest.mark.parametrize(
    ("model", "said"),
    [
        ("weighted:a1=0", "needs a number from 0.001 to 1000000, such as weighted:centre=3"),
        ("weighted:a1=1e-330", "needs a number from 0.001"),
        ("noisy:1e-99999999", "needs a number from 0 to 1"),
        ("streetwise:" * 3000 + "random", "at most 4 others"),
        ("exploit:streetwise:" * 3 + "random", "at most 4 others"),
        ("weighted:d9=2", "no move is called 'd9'; weigh one of a1 b1 c1"),
        ("weighted:", "needs weights of moves, such as weighted:centre=3"),
        ("noisy:2", "needs a number from 0 to 1, such as noisy:0.1"),
        ("noisy:x", "needs a number from 0 to 1"),
        ("shallow:1.5", "needs a whole number"),
        ("softmax:0", "needs a number from 0.001"),
        ("level:11", "needs a whole number from 1 to 10"),
        ("learned:nowhere.txt", "cannot be read: No such file"),
        ("streetwise:nobody", "no model or player with known move probabilities is called 'nobody'"),
        ("exploit:mcts", "no known move probabilities"),
    ],
)
def test_models_that_cannot_be(capsys, model, said):
    assert said in complaint(capsys, f"analyse tic-tac-toe --against {model}")


def test_where_there_are_no_win_probabilities(capsys):
    for line, said in (
        ("connect-four --against uniform", "need a solved game"),
        ("tic-tac-toe --exact", "is for win probabilities"),
        ("examples/hexapawn.py --against softmax:1 --exact", "are not fractions"),
        ("mutorere --against uniform --exact", "leave out"),
        ("kingpawns --against weighted:a1=2", "have no names that stay the same"),
    ):
        assert said in complaint(capsys, f"analyse {line}")


BOTS = """
import random
from perfectplay.players.registry import player_maker
def same(seat): return player_maker("dawdling")(seat)
def first(seat): return lambda position: [m for m in range(9) if seat.game.moves(*position) >> m & 1][0]
def crashes(seat): return lambda position: 1 // (position[0].bit_count() - 2)
def wavers(seat): return lambda position: random.choice([m for m in range(9) if seat.game.moves(*position) >> m & 1])
"""


@pytest.fixture
def bots(tmp_path):
    (tmp_path / "bots.py").write_text(BOTS)
    return f"{tmp_path}/bots.py"


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("name", "moves"), [("tic-tac-toe", ()), ("tic-tac-toe", ("a1", "b2", "c3")), ("kalah:3,2", ("2", "3"))]
)
def test_a_bot_that_plays_like_a_model_gives_the_probabilities_of_the_model(bots, name, moves):
    bot = f"{bots}:same"
    for exact in (False, True):
        asked, known = (analyse(name, *moves, against=model, exact=exact) for model in (bot, "dawdling"))
        assert asked.against == bot
        assert (asked.probability, asked.moves) == (known.probability, known.moves)
        asked, known = (win_probability(name, *moves, against=model, exact=exact) for model in (bot, "dawdling"))
        assert (asked.probability, asked.moves, asked.chosen) == (known.probability, known.moves, known.chosen)


@pytest.mark.parametrize(
    ("name", "moves"), [("lines:3,2,2", ""), *nightly(("tic-tac-toe", "b1 a3 c2"), ("tic-tac-toe", "a3 b3 c3 b2"))]
)
def test_win_probabilities_against_a_bot_are_those_of_the_definition(bots, name, moves):
    """The bot plays the first free square; we keep the result, then win if we can, then do not lose if we can."""
    game = load(name)
    lookup = solved_oracle(game).lookup

    def ours(position):
        entries = entries_of_moves(game, lookup, position)
        if not entries:
            return game.outcome(*position)
        keeping = [move for move, entry in entries.items() if entry.value == lookup(position).value]
        return max(theirs(game.play(*position, move)) for move in keeping)

    def theirs(position):
        legal = legal_moves(game, position)
        return ours(game.play(*position, legal[0])) if legal else -game.outcome(*position)

    found = analyse(game, *moves.split(), against=f"{bots}:first", exact=True)
    position = Match(game, moves.split()).position
    assert found.probability.win - found.probability.loss == ours(position)
    for move, here in zip(found.moves, entries_of_moves(game, lookup, position), strict=True):
        assert move.probability.win - move.probability.loss == theirs(game.play(*position, here))


@pytest.mark.parametrize(
    ("bot", "said"),
    [
        (":wavers", "bots.py:wavers answers differently from call to call in O:X../...: no win probabilities"),
        ("_none.py:ai", "there is no file"),
        *nightly((":crashes", "bots.py:crashes forfeits in O:X../...: ")),
    ],
)
def test_a_bot_that_forfeits_or_varies_is_refused(bots, bot, said, capsys):
    assert said in complaint(capsys, f"analyse lines:3,2,3 --against {bots}{bot}")
