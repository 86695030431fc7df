"""An evaluation as text."""

from perfectplay.rl.evaluation.evaluated import EvaluationFields
from perfectplay.rl.evaluation.evaluation_numbers import move_text
from perfectplay.rl.evaluation.evaluation_parts import Mistake, Number, Pairing, Reply
from perfectplay.rules.notation import entry_text, number_of
from perfectplay.views.numbers import per_cent

SHOWN = 5
"""Positions that are printed."""
HEADS = ("against", *("win", "draw", "loss", "score") * 2, "regret a game")
GROUPS = "as first", "as second"
LONG = 12
"""Fractions with more characters are shown as decimals."""


def score_text(number: Number) -> str:
    """A score with its sign: a short fraction as it is, others to four places."""
    if isinstance(number, float) or len(str(number)) > LONG:
        decimal = float(number)
        return f"{decimal:+.4f}" if abs(decimal) >= 0.00005 else "0"
    return f"{'+' if number > 0 else ''}{number}"


def chance(number: Number) -> str:
    """A probability: a short fraction as it is, others in per cent."""
    return per_cent(number if len(str(number)) <= LONG else float(number))


def amount_text(number: Number) -> str:
    """A number that is not negative, without a sign."""
    return score_text(number).removeprefix("+")


def cells(pairing: Pairing) -> list[str]:
    """A pairing as a row of the table."""
    seats = []
    for seat in (pairing.first, pairing.second):
        odds = seat.probability
        seats += [chance(odds.win), chance(odds.draw), chance(odds.loss), score_text(seat.score)]
    return [pairing.opponent, *seats, amount_text(pairing.regret_per_game)]


def evaluation_text(evaluation: EvaluationFields) -> str:
    """The evaluation in a few lines."""
    lines = [title(evaluation), "", *table_text(evaluation), "", *replies_text(evaluation), ""]
    lines += regret_text(evaluation)
    if evaluation.mistakes:
        lines += ["", "Gives away most in a game:", *(f"  {mistake_text(one)}" for one in evaluation.mistakes[:SHOWN])]
    return "\n".join(line.rstrip() for line in [*lines, *calibration_text(evaluation)])


def table_text(evaluation: EvaluationFields) -> list[str]:
    """The pairings as a table."""
    rows = [[*HEADS], *map(cells, evaluation.against.values())]
    wide = [max(len(row[column]) for row in rows) for column in range(len(HEADS))]
    first, second = (sum(wide[begin : begin + 4]) + 3 * 2 for begin in (1, 5))
    groups = f"{'':{wide[0]}}  {GROUPS[0]:^{first}}  {GROUPS[1]:^{second}}"
    return [
        groups,
        *("  ".join([row[0].ljust(wide[0]), *map(str.rjust, row[1:], wide[1:])]) for row in rows),
    ]


def title(evaluation: EvaluationFields) -> str:
    """The policy, the game, and the numbers of positions and classes."""
    counts = f"{number_of(evaluation.positions, 'position')}, {number_of(evaluation.classes, 'class', 'classes')}"
    margin = "; scores are margins" if evaluation.score == "margin" else ""
    return f"{evaluation.policy} in {evaluation.game}: {counts}{margin}"


def replies_text(evaluation: EvaluationFields) -> list[str]:
    """What exploits the policy."""
    replies = evaluation.best_responses
    return [
        f"Exploitability: {amount_text(replies.exploitability)} (NashConv {amount_text(replies.nash_conv)})",
        f"  A best response scores {score_text(replies.first.score)} as first{line_text(replies.first)}",
        f"  A best response scores {score_text(replies.second.score)} as second{line_text(replies.second)}",
    ]


def line_text(reply: Reply) -> str:
    """The main line of a best response, with how likely the policy plays its part."""
    percentage = f"{100 * float(reply.probability):.3g}%"
    return f", main line {' '.join(reply.line)} ({percentage})" if reply.line else ""


def regret_text(evaluation: EvaluationFields) -> list[str]:
    """What the policy gives away over all positions."""
    regret = evaluation.regret
    moves = [f"{amount_text(one.regret_per_move)} a move against {name}" for name, one in evaluation.against.items()]
    return [
        f"Regret: {amount_text(regret.mean)} a position, {amount_text(regret.by_class)} a class; {', '.join(moves)}",
        f"  Gives the result away in {regret.positions:,} positions, with probability {chance(regret.mistake)} "
        "over all positions",
    ]


def mistake_text(one: Mistake) -> str:
    """A mistake in a line."""
    right = max(one.choices, key=lambda choice: (-choice.loss, choice.entry.preference()))
    images = f", {one.images} images" if one.images > 1 else ""
    return (
        f"{one.position}  {move_text(one.costliest)}, better {right.move} ({entry_text(right.entry)}); "
        f"regret {amount_text(one.regret)}, reach {amount_text(one.reach)}{images}"
    )


def calibration_text(evaluation: EvaluationFields) -> list[str]:
    """How far the value function is off."""
    if evaluation.calibration is None:
        return []
    rows = (("all positions", evaluation.calibration.all), ("where it gets", evaluation.calibration.by_reach))
    return [
        "",
        *(
            f"Value function, {name}: mean absolute error {one.absolute:.4f}, squared {one.squared:.4f}, "
            f"bias {one.bias:+.4f}, result right {100 * one.correct:.2f}%"
            for name, one in rows
        ),
    ]
