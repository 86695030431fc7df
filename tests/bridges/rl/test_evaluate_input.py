"""Policies of every kind, and what evaluate() says about bad ones: one line that names the position."""

from fractions import Fraction

import numpy as np
import pytest

from brute_force import edges
from perfectplay import BadArgument, BadPlayer, TooBig, load
from perfectplay.rl import evaluate

START = "X:.../.../..."


def uniform(observations, legal):
    assert observations.dtype == np.float32
    assert observations.shape[1:] == (2, 3, 3)
    assert legal.dtype == bool
    return legal / legal.sum(axis=1, keepdims=True)


def legal_only(observations):
    """The same from the observations alone: empty squares are legal."""
    legal = 1 - observations.sum(axis=1).reshape(-1, 9)
    return legal / legal.sum(axis=1, keepdims=True)


def as_fractions(observations, legal):
    rows = np.zeros(legal.shape, int).astype(object)
    for row, moves in zip(rows, legal, strict=True):
        row[moves] = Fraction(1, int(moves.sum()))
    return rows


def table(value):
    game = load("tic-tac-toe")
    return {position: value(position, moves) for position, moves in edges(game).items() if moves}


def numbers_of(found):
    pairings = [(one.score, one.regret_per_game, one.regret_per_move) for one in found.against.values()]
    return [found.exploitability, found.regret.mean, found.regret.mistake, *(one for row in pairings for one in row)]


def test_one_policy_in_every_form():
    right = numbers_of(evaluate("tic-tac-toe", "uniform"))
    rows = table(lambda _, moves: np.array([(move in moves) / len(moves) for move in range(9)]))
    moves = table(lambda _, moves: dict.fromkeys(moves, 1 / len(moves)))
    for policy in (uniform, legal_only, rows, moves):
        assert numbers_of(evaluate("tic-tac-toe", policy, batch_size=1000)) == pytest.approx(right, abs=1e-12)
    logits = evaluate("tic-tac-toe", lambda observations: np.zeros((len(observations), 9)), outputs="logits")
    assert numbers_of(logits) == pytest.approx(right, abs=1e-12)


def test_fractions_stay_fractions():
    right = evaluate("tic-tac-toe", "uniform", exact=True).to_dict() | {"policy": ""}
    assert evaluate("tic-tac-toe", as_fractions, exact=True).to_dict() | {"policy": ""} == right


def test_a_player_that_always_answers_the_same_is_asked():
    found = evaluate("ponghauki", "minimax", against=("perfect",))
    assert found.regret.largest == 0


def test_texts_and_names_are_understood():
    game = load("ponghauki")
    found = evaluate(game, "uniform")
    frame = found.to_pandas()
    by_text = {text: best.split()[0] for text, best in zip(frame["position"], frame["best"], strict=True)}
    assert evaluate(game, by_text, against="uniform").regret.mean == 0


def spoilt(change):
    def policy(observations, legal):
        rows = uniform(observations, legal)
        change(rows, legal)
        return rows

    return policy


def on_illegal(rows, legal):
    rows[legal.sum(axis=1) == 8] = 1 / 9


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        (spoilt(on_illegal), "illegal in O:"),
        (spoilt(lambda rows, legal: rows.__setitem__((0, 2), np.nan)), f"probability nan for action 2 in {START}"),
        (spoilt(lambda rows, legal: rows.__setitem__((0, 2), np.inf)), f"probability inf for action 2 in {START}"),
        (
            spoilt(lambda rows, legal: rows.__setitem__((0, 2), -1)),
            f"negative probability -1.0 for action 2 in {START}",
        ),
        (spoilt(lambda rows, legal: rows.__setitem__(0, 0.2)), f"add up to 1.8, not 1, in {START}"),
        (lambda observations: np.zeros((len(observations), 8)), "shape (4520, 8), not (4520, 9)"),
        (lambda observations: np.zeros(9), "shape (9,)"),
        (lambda observations: np.full((len(observations), 9), "a"), "where probabilities are numbers"),
        (lambda observations: np.full((len(observations), 9), None), f"no number in {START}"),
        ({}, f"no entry for {START}; 4,520 of 4,520"),
        ({3: 1}, "3 is no position"),
        ({START: {"z9": 1}}, "no entry for"),
    ],
)
def test_bad_outputs_name_the_position(policy, words):
    with pytest.raises(BadArgument) as caught:
        evaluate("tic-tac-toe", policy)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_bad_entries_of_a_table():
    good = table(lambda _, moves: dict.fromkeys(moves, 1 / len(moves)))
    for entry, words in (
        ({"z9": 1}, "'z9' is not a legal move"),
        ({"b2": "much"}, "'much' as a probability"),
        ({"b2": 0.5}, "add up to 0.5"),
        ([0.5, 0.5], "shape (2,)"),
    ):
        with pytest.raises(BadArgument) as caught:
            evaluate("tic-tac-toe", {**good, START: entry})
        assert words in str(caught.value)
        assert START in str(caught.value)


def test_a_policy_that_raises():
    with pytest.raises(BadPlayer, match=r"ZeroDivisionError: division by zero, for a batch of 100 positions from"):
        evaluate("tic-tac-toe", lambda observations: 1 / 0, batch_size=100)
    with pytest.raises(BadPlayer, match="is no policy"):
        evaluate("tic-tac-toe", 5)
    with pytest.raises(BadPlayer, match="called 'nobody'"):
        evaluate("tic-tac-toe", "nobody")


BOTS = """
import random

def legal(seat, position):
    return [move for move in range(63) if seat.game.moves(*position) >> move & 1]

def last(seat):
    return lambda position: max(legal(seat, position))

def any_move(seat):
    return lambda position: random.choice(legal(seat, position))
"""


def test_a_bot_of_ones_own_is_asked_everywhere(tmp_path):
    path = tmp_path / "bots.py"
    path.write_text(BOTS)
    last = {position: max(moves) for position, moves in edges(load("ponghauki")).items() if moves}
    right = evaluate("ponghauki", last)
    assert numbers_of(evaluate("ponghauki", f"{path}:last")) == pytest.approx(numbers_of(right))
    with pytest.raises(BadPlayer, match="answers differently from call to call in X:"):
        evaluate("ponghauki", f"{path}:any_move")


def test_options_that_cannot_be():
    with pytest.raises(BadArgument, match="do not go together"):
        evaluate("tic-tac-toe", "uniform", exact=True, outputs="logits")
    with pytest.raises(BadArgument, match="outputs='scores'"):
        evaluate("tic-tac-toe", "uniform", outputs="scores")
    with pytest.raises(BadArgument, match="games for points"):
        evaluate("tic-tac-toe", "uniform", score="margin")
    with pytest.raises(BadArgument, match="not exactly 1"):
        evaluate("tic-tac-toe", uniform, exact=True)
    with pytest.raises(TooBig, match="need a solved game"):
        evaluate("connect-four", "uniform")


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (lambda observations: np.full(len(observations), 2.0), f"2, which is not a number from -1 to 1, for {START}"),
        (lambda observations: np.full(len(observations), np.nan), "nan"),
        (lambda observations: np.zeros((len(observations), 4)), "shape (4520, 4)"),
        (lambda observations: np.full((len(observations), 2), 0.8), "not probabilities"),
        ({}, f"no entry for {START}"),
    ],
)
def test_bad_values_name_the_position(value, words):
    with pytest.raises(BadArgument) as caught:
        evaluate("tic-tac-toe", "uniform", value=value)
    assert words in str(caught.value)


def test_torch_modules_are_called_as_they_are():
    torch = pytest.importorskip("torch")

    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = torch.nn.Linear(18, 9, dtype=torch.float64)
            self.drop = torch.nn.Dropout(0.5)
            self.grads = set()

        def forward(self, observations):
            self.grads.add(torch.is_grad_enabled())
            return self.drop(self.layer(observations.flatten(1)))

    net = Net().train()
    found = evaluate("tic-tac-toe", net, outputs="logits")
    assert (net.training, net.drop.training, net.grads) == (True, True, {False})
    weights, bias = net.layer.weight.detach().numpy(), net.layer.bias.detach().numpy()
    same = evaluate("tic-tac-toe", lambda seen: seen.reshape(-1, 18) @ weights.T + bias, outputs="logits")
    assert found.exploitability == pytest.approx(same.exploitability)
