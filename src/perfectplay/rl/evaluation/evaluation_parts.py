"""What an evaluation consists of, as plain values."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction

from perfectplay.commands.know.probability import Probability
from perfectplay.rules.notation import VALUE_NAMES, entry_text
from perfectplay.views.document import Beside, Board, Code, Document, Line, Notes, Share, Strong, Table, Valued
from perfectplay.views.json_facts import Fact, json_facts
from perfectplay.views.numbers import per_cent
from perfectplay.views.result import ResultClass
from perfectplay.words import Entry

Number = Fraction | float
"""A fraction if the evaluation is exact."""
LONG = 12
"""Fractions with more characters are shown as decimals."""


def score_text(number: Number) -> str:
    """A score with its sign: a short fraction as it is, others to four places."""
    if isinstance(number, float) or len(str(number)) > LONG:
        decimal = float(number)
        return f"{decimal:+.4f}" if abs(decimal) >= 0.00005 else "0"
    return f"{'+' if number > 0 else ''}{number}"


def amount_text(number: Number) -> str:
    """A number that is not negative, without a sign."""
    return score_text(number).removeprefix("+")


def chance(number: Number) -> str:
    """A probability: a short fraction as it is, others in per cent."""
    return per_cent(number if len(str(number)) <= LONG else float(number))


@dataclass(frozen=True)
class Seat(metaclass=ResultClass):
    """The policy on one side against an opponent: the odds, the score, and what its own moves give away in a game.

    `regret` is the loss of value by its moves in a game, `mistakes` the number of its moves that give the result away,
    `moves` the number of its moves, all by expectation. `endless` is the probability that the game never ends, and
    `let_go` what such games are worth to the policy when that becomes certain.
    """

    probability: Probability
    score: Number
    regret: Number
    mistakes: Number
    moves: Number
    endless: Number
    let_go: Number

    to_dict = json_facts(Fact("probability", spread=True), "score", "regret", "mistakes", "moves", "endless", "let_go")


@dataclass(frozen=True)
class Pairing(metaclass=ResultClass):
    """The policy against an opponent, when it moves first and when it moves second."""

    opponent: str
    first: Seat
    second: Seat

    @property
    def score(self) -> Number:
        """The mean score of both sides."""
        return (self.first.score + self.second.score) / 2

    @property
    def regret_per_game(self) -> Number:
        """What its moves give away in a game, the mean of both sides."""
        return (self.first.regret + self.second.regret) / 2

    @property
    def regret_per_move(self) -> Number:
        """What a move of its gives away, each position weighted by how often it gets there."""
        moves = self.first.moves + self.second.moves
        return (self.first.regret + self.second.regret) / moves if moves else 0.0

    @property
    def mistakes_per_game(self) -> Number:
        """How many of its moves in a game give the result away, the mean of both sides."""
        return (self.first.mistakes + self.second.mistakes) / 2

    to_dict = json_facts(
        "opponent", "score", "regret_per_game", "regret_per_move", "mistakes_per_game", "first", "second"
    )


@dataclass(frozen=True)
class Reply(metaclass=ResultClass):
    """A best response to the policy: what it scores, and its main line.

    `line` has the moves of both sides, those of the policy the likeliest in each position; `probability` is that of the
    policy playing so. `moves()` has the reply's move in each position that comes up.
    """

    score: Number
    line: tuple[str, ...]
    probability: Number
    moves: Callable[[], dict[str, str]] = field(repr=False, compare=False)

    to_dict = json_facts("score", "line", "probability")


@dataclass(frozen=True)
class BestResponses(metaclass=ResultClass):
    """The best response that moves first, against the policy as second, and the one that moves second."""

    first: Reply
    second: Reply

    @property
    def nash_conv(self) -> Number:
        """What both sides of the policy against itself could gain by the best response: the sum."""
        return self.first.score + self.second.score

    @property
    def exploitability(self) -> Number:
        """The score of the best response, the mean of both sides: 0 for a perfect policy."""
        return self.nash_conv / 2

    to_dict = json_facts("nash_conv", "exploitability", "first", "second")


@dataclass(frozen=True)
class Regret(metaclass=ResultClass):
    """What the policy gives away over all positions: `mean` of positions, `by_class` of symmetry classes.

    `mistake` is the probability that it gives the result away, the mean of positions, and `positions` the number of
    those in which it may; `largest` is the most that it gives away in one.
    """

    mean: Number
    by_class: Number
    mistake: Number
    positions: int
    largest: Number

    to_dict = json_facts()


@dataclass(frozen=True)
class PolicyMove(metaclass=ResultClass):
    """A move of a position: how likely the policy plays it, and what it is worth to the mover."""

    move: str
    probability: Number
    entry: Entry
    loss: Number
    """What it gives away of the value of the position."""
    number: int = field(default=-1, repr=False)
    """The number of the move."""

    @property
    def keeps(self) -> bool:
        """Whether it keeps the value of the position."""
        return self.loss == 0

    to_dict = json_facts(
        "move",
        "probability",
        Fact("entry", "value", lambda entry: entry.value),
        Fact("entry", "text", entry_text),
        "loss",
    )


def move_text(choice: PolicyMove) -> str:
    """A move with its probability and what it is worth: b2 62% (loss in 3 plies)."""
    return f"{choice.move} {100 * float(choice.probability):.3g}% ({entry_text(choice.entry)})"


@dataclass(frozen=True)
class Mistake(metaclass=ResultClass):
    """A position in which the policy gives something away.

    `regret` is the loss of value by expectation, `reach` how often the policy gets there in a game, the mean of all
    pairings, and `cost` the regret times that, summed over the `images` of the position, which count as one.
    """

    position: str
    entry: Entry
    regret: Number
    reach: Number
    cost: Number
    images: int
    choices: tuple[PolicyMove, ...]
    """The moves, the likeliest first."""
    board: Board = field(repr=False, compare=False)
    """The board, with what the moves are worth and how likely the policy plays them."""

    @property
    def costliest(self) -> PolicyMove:
        """The move that the policy gives away most by: how likely it is, times what it loses."""
        return max(self.choices, key=lambda choice: choice.probability * choice.loss)

    @property
    def best(self) -> tuple[str, ...]:
        """The moves that keep the value."""
        return tuple(choice.move for choice in self.choices if choice.keeps)

    def document(self) -> Document:
        """The board, and what the moves are worth and give away; those that keep the value stand out."""
        images = f", {self.images} images" if self.images > 1 else ""
        rows = [
            (
                Strong(one.move) if one.keeps else one.move,
                chance(one.probability),
                Share(float(one.probability), VALUE_NAMES[one.entry.value]),
                Valued(VALUE_NAMES[one.entry.value], entry_text(one.entry)),
                amount_text(one.loss),
            )
            for one in self.choices
        ]
        return Document(
            Line(Code(self.position), f": {entry_text(self.entry)}"),
            Beside(
                replace(self.board, large=True),
                [
                    Table(rows, ("move", "it plays", "", "value", "gives away"), indent=2),
                    Notes(f"regret {amount_text(self.regret)}, reach {amount_text(self.reach)}{images}"),
                ],
            ),
        )

    to_dict = json_facts("position", Fact("entry", "text", entry_text), "regret", "reach", "cost", "images", "choices")
