"""Policies of every kind, and what evaluate() says about bad ones: one line that names the position."""

from fractions import Fraction

import numpy as np
import pytest

from brute_force import edges
from perfectplay import BadArgument, BadPlayer, TooBig, load
from perfectplay.rl import evaluate

SMALL = "lines:2,3,2"
"""A game of 57 positions with moves."""
START = "X:../../.."


def uniform(observations, legal):
    assert observations.dtype == np.float32
    assert legal.dtype == bool
    return legal / legal.sum(axis=1, keepdims=True)


def legal_only(observations):
    """The same from the observations alone: empty squares are legal."""
    legal = 1 - observations.sum(axis=1).reshape(len(observations), -1)
    return legal / legal.sum(axis=1, keepdims=True)


def as_fractions(observations, legal):
    rows = np.zeros(legal.shape, int).astype(object)
    for row, moves in zip(rows, legal, strict=True):
        row[moves] = Fraction(1, int(moves.sum()))
    return rows


def table(value, name=SMALL):
    return {position: value(moves) for position, moves in edges(load(name)).items() if moves}


def equally(moves):
    return dict.fromkeys(moves, 1 / len(moves))


def numbers_of(found):
    pairings = [(one.score, one.regret_per_game, one.regret_per_move) for one in found.against.values()]
    return [found.exploitability, found.regret.mean, found.regret.mistake, *(one for row in pairings for one in row)]


@pytest.mark.parametrize(
    ("policy", "options"),
    [
        (uniform, {"batch_size": 10}),
        (legal_only, {}),
        (table(lambda moves: np.array([(move in moves) / len(moves) for move in range(6)])), {}),
        (table(equally), {}),
        (lambda observations: np.zeros((len(observations), 6)), {"outputs": "logits"}),
    ],
)
def test_one_policy_in_every_form(policy, options):
    right = numbers_of(evaluate(SMALL, "uniform"))
    assert numbers_of(evaluate(SMALL, policy, **options)) == pytest.approx(right, abs=1e-12)


def test_fractions_stay_fractions():
    right = evaluate(SMALL, "uniform", exact=True).to_dict() | {"policy": ""}
    assert evaluate(SMALL, as_fractions, exact=True).to_dict() | {"policy": ""} == right


def test_texts_and_names_and_players_that_always_answer_the_same_are_understood():
    frame = evaluate("ponghauki", "uniform").to_pandas()
    by_text = {text: best.split()[0] for text, best in zip(frame["position"], frame["best"], strict=True)}
    assert evaluate("ponghauki", by_text, against="uniform").regret.mean == 0
    assert evaluate("ponghauki", "minimax", against=("perfect",)).regret.largest == 0


def spoilt(number, column=2):
    """A uniform policy with another number at the start: the probability of one action, or of all."""

    def policy(observations, legal):
        rows = uniform(observations, legal)
        rows[0, column] = number
        return rows

    return policy


def illegal(observations, legal):
    rows = uniform(observations, legal)
    rows[legal.sum(axis=1) == 5] = 1 / 6
    return rows


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        (illegal, "illegal in O:"),
        (spoilt(np.nan), f"probability nan for action 2 in {START}"),
        (spoilt(np.inf), f"probability inf for action 2 in {START}"),
        (spoilt(-1), f"negative probability -1.0 for action 2 in {START}"),
        (spoilt(0.2, slice(None)), f"add up to 1.2, not 1, in {START}"),
        (lambda observations: np.zeros((len(observations), 8)), "shape (57, 8), not (57, 6)"),
        (lambda observations: np.zeros(9), "shape (9,)"),
        (lambda observations: np.full((len(observations), 6), "a"), "where probabilities are numbers"),
        (lambda observations: np.full((len(observations), 6), None), f"no number in {START}"),
        ({}, f"no entry for {START}; 57 of 57"),
        ({3: 1}, "3 is no position"),
        ({START: {"z9": 1}}, "no entry for"),
        (table(equally) | {START: {"z9": 1}}, "'z9' is not a legal move"),
        (table(equally) | {START: {"b2": "much"}}, "'much' as a probability"),
        (table(equally) | {START: {"b2": 0.5}}, "add up to 0.5"),
        (table(equally) | {START: [0.5, 0.5]}, "shape (2,)"),
    ],
)
def test_bad_outputs_name_the_position(policy, words):
    with pytest.raises(BadArgument) as caught:
        evaluate(SMALL, policy)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


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
    right = evaluate("ponghauki", table(max, "ponghauki"))
    assert numbers_of(evaluate("ponghauki", f"{path}:last")) == pytest.approx(numbers_of(right))
    with pytest.raises(BadPlayer, match="answers differently from call to call in X:"):
        evaluate("ponghauki", f"{path}:any_move")


@pytest.mark.parametrize(
    ("policy", "options", "error", "words"),
    [
        ("uniform", {"exact": True, "outputs": "logits"}, BadArgument, "do not go together"),
        ("uniform", {"outputs": "scores"}, BadArgument, "outputs='scores'"),
        ("uniform", {"score": "margin"}, BadArgument, "games for points"),
        (uniform, {"exact": True}, BadArgument, "not exactly 1"),
        (lambda seen: 1 / 0, {"batch_size": 10}, BadPlayer, "ZeroDivisionError: .*, for a batch of 10 positions from"),
        (5, {}, BadPlayer, "is no policy"),
        ("nobody", {}, BadPlayer, "called 'nobody'"),
        ("mcts", {}, BadPlayer, "thinks by the clock"),
    ],
)
def test_players_and_options_that_cannot_be(policy, options, error, words):
    with pytest.raises(error, match=words):
        evaluate("lines:3,2,3", policy, **options)
    with pytest.raises(TooBig, match="need a solved game"):
        evaluate("connect-four", "uniform")


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (lambda observations: np.full(len(observations), 2.0), f"2, which is not a number from -1 to 1, for {START}"),
        (lambda observations: np.full(len(observations), np.nan), "nan"),
        (lambda observations: np.zeros((len(observations), 4)), "shape (57, 4)"),
        (lambda observations: np.full((len(observations), 2), 0.8), "not probabilities"),
        ({}, f"no entry for {START}"),
    ],
)
def test_bad_values_name_the_position(value, words):
    with pytest.raises(BadArgument) as caught:
        evaluate(SMALL, "uniform", value=value)
    assert words in str(caught.value)


def test_torch_modules_are_called_as_they_are():
    torch = pytest.importorskip("torch")

    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = torch.nn.Linear(12, 6, dtype=torch.float64)
            self.drop = torch.nn.Dropout(0.5)
            self.grads = set()

        def forward(self, observations):
            self.grads.add(torch.is_grad_enabled())
            return self.drop(self.layer(observations.flatten(1)))

    net = Net().train()
    found = evaluate(SMALL, net, outputs="logits")
    assert (net.training, net.drop.training, net.grads) == (True, True, {False})
    weights, bias = net.layer.weight.detach().numpy(), net.layer.bias.detach().numpy()
    same = evaluate(SMALL, lambda seen: seen.reshape(-1, 12) @ weights.T + bias, outputs="logits")
    assert found.exploitability == pytest.approx(same.exploitability)
