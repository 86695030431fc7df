"""Exact evaluation of policies: how good is my policy, by the solution of the game."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

import numpy as np

from perfectplay.arena.examination import SECONDS
from perfectplay.commands.kinds import MOVE_SECONDS, Choice, Whole
from perfectplay.commands.terminal.arguments import GameLike, Progress, game_of
from perfectplay.commands.verb import checked
from perfectplay.rl.evaluation.calibration import Calibration, calibration_of, predicting
from perfectplay.rl.evaluation.evaluation_numbers import (
    Rows,
    Worth,
    costliest,
    gifts_of,
    overall,
    pairing,
    responses,
    rows_for,
    worst_by_regret,
)
from perfectplay.rl.evaluation.evaluation_parts import (
    BestResponses,
    Mistake,
    Number,
    Pairing,
    Regret,
    Reply,
    amount_text,
    chance,
    move_text,
    score_text,
)
from perfectplay.rl.evaluation.policy_tables import BATCH, OUTPUTS, TOLERANCE, PolicyTable, Reading, tabulating
from perfectplay.rl.solved_positions import SolvedPositions, solved_positions
from perfectplay.rules.notation import VALUE_NAMES, entry_text, number_of
from perfectplay.solvers.steps import Steps, finished
from perfectplay.views.document import Board, Boards, Cell, Code, Document, Line, Notes, Section, Seen, Table
from perfectplay.views.json_facts import json_facts
from perfectplay.views.result import ResultClass
from perfectplay.words import BadArgument, require

SCORES = Choice("what is counted", ("result", "margin"), wanted="neither 'result' nor 'margin'")
ITSELF = "itself"
"""The policy as its own opponent, in results."""
SHOWN = 6
"""The mistakes that are shown."""
LISTED = 4
"""The moves of a mistake that are listed."""


@dataclass(frozen=True, repr=False)
class PolicyEvaluation(metaclass=ResultClass):
    """What a policy is worth, exactly. Scores are by expectation: win 1, draw 0, loss -1; an endless game is a draw.

    `against` has the pairings by opponent, the policy itself last. `best_responses` are what exploits it most.
    `regret` is what it gives away over all positions. `mistakes` are the positions where it gives away most in a game,
    and `worst` those where it gives away most when it gets there. `calibration` is that of the value function.
    """

    game: str
    policy: str
    score: str
    """What is counted: the result, or the margin in games for points."""
    positions: int
    """The unfinished positions."""
    classes: int
    """Their symmetry classes."""
    against: dict[str, Pairing]
    best_responses: BestResponses
    regret: Regret
    mistakes: tuple[Mistake, ...]
    worst: tuple[Mistake, ...]
    calibration: Calibration | None
    rows: Rows = field(repr=False, compare=False)

    @property
    def exploitability(self) -> Number:
        """The score of the best response, the mean of both sides: 0 for a perfect policy."""
        return self.best_responses.exploitability

    @property
    def nash_conv(self) -> Number:
        """Twice the exploitability: what both sides of the policy against itself could gain by the best response."""
        return self.best_responses.nash_conv

    @property
    def itself(self) -> Pairing:
        """The policy against itself."""
        return self.against[ITSELF]

    def __repr__(self) -> str:
        return f"<PolicyEvaluation of {self.policy} in {self.game}: exploitability {float(self.exploitability):.6g}>"

    def document(self) -> Document:
        """The pairings, what exploits the policy, what it gives away and where, and the errors of its values."""
        counts = f"{number_of(self.positions, 'position')}, {number_of(self.classes, 'class', 'classes')}"
        margin = "; scores are margins" if self.score == "margin" else ""
        return Document(
            f"{self.policy} in {self.game}: {counts}{margin}",
            Table(
                [row for one in self.against.values() for row in pairing_rows(one)],
                ("against", "moving", "win", "draw", "loss", "score", "regret a game"),
            ),
            Notes(*self.exploits(), strong=True),
            Notes(*self.gifts(), strong=True),
            self.costliest() if self.mistakes else None,
            None if self.calibration is None else Section("Value function:", self.calibration.table()),
        )

    def exploits(self) -> Iterator[str]:
        """What exploits the policy, in lines."""
        replies = self.best_responses
        yield f"Exploitability: {amount_text(replies.exploitability)} (NashConv {amount_text(replies.nash_conv)})"
        for reply, seat in ((replies.first, "first"), (replies.second, "second")):
            yield f"  A best response scores {score_text(reply.score)} as {seat}{line_text(reply)}"

    def gifts(self) -> Iterator[str]:
        """What the policy gives away over all positions and in games, in lines."""
        regret = self.regret
        yield f"Regret: {amount_text(regret.mean)} a position, {amount_text(regret.by_class)} a class"
        for name, one in self.against.items():
            game, move = amount_text(one.regret_per_game), amount_text(one.regret_per_move)
            yield f"  {game} a game and {move} a move against {name}"
        where = f"{number_of(regret.positions, 'position')}, with probability {chance(regret.mistake)}"
        yield f"  Gives the result away in {where} over all positions"

    def costliest(self) -> Section:
        """The positions where the policy gives away most in a game, as lines and as boards."""
        mistakes = self.mistakes[:SHOWN]
        return Section(
            "Gives away most in a game:",
            Table(
                [mistake_row(one) for one in mistakes],
                ("position", "plays", "better", "regret", "reach", "images"),
                indent=2,
            ),
            Seen(
                Notes("Signs show what moves are worth, numbers how often it plays them."),
                Boards([mistake_board(one) for one in mistakes]),
            ),
        )

    to_dict = json_facts(
        *("game", "policy", "score", "positions", "classes", "against"),
        *("best_responses", "regret", "mistakes", "worst", "calibration"),
    )

    def to_pandas(self) -> Any:
        """A DataFrame with a row for each unfinished position: value, regret, reach by opponent, moves."""
        pandas = require("pandas", "notebook", "to_pandas()")
        rows = self.rows
        numbers, sides, texts, graph = rows.numbers, rows.sides, rows.positions, rows.positions.graph
        likeliest, best, chances = [], [], []
        for number, side in zip(numbers.tolist(), sides.tolist(), strict=True):
            edges = graph.edges(number)
            edge = edges.start + int(np.argmax(rows.probabilities[side][edges]))
            likeliest.append(texts.move_name(edge, side))
            chances.append(rows.probabilities[side][edge])
            keeping = np.flatnonzero(rows.worth.losses[edges] == 0)
            best.append(" ".join(texts.move_name(edges.start + int(place), side) for place in keeping))
        columns: dict[str, Any] = {
            "position": [
                texts.text(number, side) for number, side in zip(numbers.tolist(), sides.tolist(), strict=True)
            ],
            "class": rows.classes,
            "ply": rows.plies,
            "value": [VALUE_NAMES[one] for one in graph.values[numbers].tolist()],
        }
        if graph.margins is None:
            distances = pandas.array(graph.distances[numbers], dtype="Int64")
            distances[graph.distances[numbers] < 0] = pandas.NA
            columns["distance"] = distances
        else:
            columns["margin"] = graph.margins[numbers]
        columns |= {"move": likeliest, "probability": chances, "best": best, "regret": rows.regrets}
        columns |= {"mistake": rows.mistaken, **{f"reach {name}": reach for name, reach in rows.reach.items()}}
        return pandas.DataFrame(columns if rows.predicted is None else {**columns, "predicted": rows.predicted})

    def plot(self) -> Any:
        """A matplotlib Figure: scores, regret by ply, and the calibration curve if there is a value function."""
        pyplot = require("matplotlib.pyplot", "notebook", "plot()")
        count = 2 if self.calibration is None else 3
        figure, axes = pyplot.subplots(1, count, figsize=(4.5 * count, 3.6), layout="constrained")
        draw_scores(axes[0], self)
        draw_regret(axes[1], self)
        if self.calibration is not None:
            draw_calibration(axes[2], self)
        figure.suptitle(f"{self.policy} in {self.game}")
        pyplot.close(figure)  # or a notebook shows it twice
        return figure


def pairing_rows(pairing: Pairing) -> Iterator[tuple[Cell, ...]]:
    """The policy against an opponent as rows of a table: when it moves first, and when it moves second."""
    for name, moving, seat in ((pairing.opponent, "first", pairing.first), ("", "second", pairing.second)):
        odds = [chance(number) for number in (seat.probability.win, seat.probability.draw, seat.probability.loss)]
        yield name, moving, *odds, score_text(seat.score), amount_text(seat.regret)


def line_text(reply: Reply) -> str:
    """The main line of a best response, with how likely the policy plays its part."""
    return f", main line {' '.join(reply.line)} ({100 * float(reply.probability):.3g}%)" if reply.line else ""


def mistake_row(one: Mistake) -> tuple[Cell, ...]:
    """A mistake as a row of a table: the move that costs most, a better one, and how much and how often."""
    right = max(one.choices, key=lambda choice: (-choice.loss, choice.entry.preference()))
    better, images = f"{right.move} ({entry_text(right.entry)})", f"{one.images}" if one.images > 1 else ""
    plays = move_text(one.costliest)
    return Code(one.position), plays, better, amount_text(one.regret), amount_text(one.reach), images


def mistake_board(one: Mistake) -> Board:
    """A mistake as a board, with its likeliest moves below."""
    moves: list[Cell] = [move_text(choice) for choice in one.choices[:LISTED]]
    if len(one.choices) > LISTED:
        moves.append(f"{len(one.choices) - LISTED} more")
    words = [cell for move in moves for cell in (", ", move)][1:]
    return replace(one.board, caption=Line(Code(one.position), f": {entry_text(one.entry)}"), note=Line(*words))


@checked
def evaluate(
    game: GameLike,
    policy: Any,
    *,
    against: Any = ("perfect", "uniform"),
    exact: bool = False,
    outputs: Annotated[str, OUTPUTS] = OUTPUTS.choices[0],
    value: Any = None,
    score: Annotated[str, SCORES] = "result",
    batch_size: Annotated[int, Whole("positions that a function is called with at a time", 1)] = BATCH,
    tolerance: float = TOLERANCE,
    worst: Annotated[int, Whole("number of the worst positions", 0, 10**6)] = 10,
    seconds: Annotated[float | None, MOVE_SECONDS] = SECONDS,
    progress: Progress | None = None,
) -> PolicyEvaluation:
    """What a policy is worth in a solved game, by the solution: nothing is played, nothing is estimated.

    A policy is the name of a player whose move probabilities are known or that always answers the same; a function
    from a batch of observations, and of legal moves if it takes two arguments, to the probabilities of actions; a torch
    module, called the same way; or a mapping from positions or their texts to a move or to probabilities of moves.
    Opponents are given the same way. `value` is a value function of observations. With exact=True everything is in
    fractions. `score="margin"` counts points instead of results. TooBig is raised if the game is not solved.
    """
    if exact and outputs == "logits":
        raise BadArgument("exact=True and outputs='logits' do not go together: a softmax gives no fractions")
    if not 0 <= tolerance < 1:
        raise BadArgument(f"tolerance={tolerance!r} is not a number from 0 to below 1")
    game = game_of(game)
    if score == "margin" and game.margin is None:
        raise BadArgument(f"score='margin' is for games for points, and {game.name} is none")
    positions = solved_positions(game, "exact evaluations", progress)
    reading = Reading(exact, outputs, batch_size, tolerance, seconds)
    worth = Worth(positions.graph, score == "margin", exact)

    def computing() -> Steps[PolicyEvaluation]:
        table = yield from tabulating(positions, policy, reading)
        gifts, pairings, reaches = gifts_of(worth, table), {}, {}
        opponents = yield from opposing(positions, against, reading)
        for name, opponent in {**opponents, ITSELF: table}.items():
            pairings[name], reaches[name] = yield from pairing(worth, table, gifts, opponent, name)
        replies = yield from responses(worth, positions, table)
        rows = rows_for(worth, positions, table, gifts, reaches)
        if value is not None:
            predicted = yield from predicting(positions, value, batch_size, worth.margin)
            everywhere = np.zeros(positions.graph.counts.size)
            everywhere[positions.unfinished] = predicted
            rows = replace(rows, predicted=everywhere[rows.numbers])
        return PolicyEvaluation(
            game.name,
            table.name,
            score,
            positions.unfinished.size,
            int(np.unique(positions.classes[positions.unfinished]).size),
            pairings,
            replies,
            overall(rows),
            costliest(rows, worst),
            worst_by_regret(rows, worst),
            None if value is None else calibration_of(rows, worst),
            rows,
        )

    return finished(computing(), progress)


def opposing(positions: SolvedPositions, against: Any, reading: Reading) -> Steps[dict[str, PolicyTable]]:
    """The opponents by name."""
    single = isinstance(against, (str, PolicyTable)) or not isinstance(against, Iterable) or hasattr(against, "keys")
    tables: dict[str, PolicyTable] = {}
    for opponent in [against] if single else against:
        table = yield from tabulating(positions, opponent, reading)
        name, count = table.name, 1
        while name in tables or name == ITSELF:
            count += 1
            name = f"{table.name} ({count})"
        tables[name] = table
    return tables


# An evaluation as plots.


def draw_scores(axes: Any, evaluation: "PolicyEvaluation") -> None:
    """The score against each opponent, as first and as second, and against the best response."""
    names = [*evaluation.against, "best response"]
    replies = evaluation.best_responses
    first = [float(one.first.score) for one in evaluation.against.values()] + [-float(replies.second.score)]
    second = [float(one.second.score) for one in evaluation.against.values()] + [-float(replies.first.score)]
    places = np.arange(len(names))
    axes.barh(places - 0.2, first, 0.38, label="as first")
    axes.barh(places + 0.2, second, 0.38, label="as second", hatch="//", alpha=0.7)
    axes.set_yticks(places, names)
    axes.invert_yaxis()
    axes.axvline(0, color="grey", linewidth=0.8)
    axes.set_xlabel("margin" if evaluation.score == "margin" else "score: win 1, draw 0, loss -1")
    axes.legend()


def draw_regret(axes: Any, evaluation: "PolicyEvaluation") -> None:
    """The mean regret by ply: over all positions, and weighted by how often the policy gets there."""
    rows, regrets = evaluation.rows, evaluation.rows.regrets.astype(float)
    plies, places = np.unique(rows.plies, return_inverse=True)
    every = np.bincount(places, regrets) / np.maximum(np.bincount(places), 1)
    axes.plot(plies, every, marker="o", label="all positions")
    for (name, reach), line in zip(rows.reach.items(), ("--", "-.", ":", "-") * len(rows.reach), strict=False):
        weights = np.bincount(places, reach.astype(float))
        met = weights > 0
        mean = np.bincount(places, regrets * reach.astype(float))[met] / weights[met]
        axes.plot(plies[met], mean, marker=".", linestyle=line, label=f"against {name}")
    axes.set_xlabel("ply")
    axes.set_ylabel("regret a move")
    axes.legend()


def draw_calibration(axes: Any, evaluation: "PolicyEvaluation") -> None:
    """The true value by what is predicted."""
    assert evaluation.calibration is not None
    for name, errors, mark in (
        ("all positions", evaluation.calibration.all, "o"),
        ("by reach", evaluation.calibration.by_reach, "s"),
    ):
        axes.plot([one.predicted for one in errors.bins], [one.true for one in errors.bins], marker=mark, label=name)
    most = max(1.0, *(abs(end) for one in (axes.get_xlim(), axes.get_ylim()) for end in one))
    axes.plot([-most, most], [-most, most], color="grey", linewidth=0.8, label="exact")
    axes.set_xlabel("predicted value")
    axes.set_ylabel("true value, mean")
    axes.legend()
