"""The results of an evaluation as fields and properties, without texts and pictures."""

from dataclasses import dataclass, field

from perfectplay.rl.evaluation.calibration import Calibration
from perfectplay.rl.evaluation.evaluation_numbers import Rows
from perfectplay.rl.evaluation.evaluation_parts import BestResponses, Mistake, Number, Pairing, Regret

ITSELF = "itself"
"""The policy as its own opponent, in results."""


@dataclass(frozen=True)
class EvaluationFields:
    """The fields of a PolicyEvaluation.

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
