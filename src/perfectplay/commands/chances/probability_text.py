"""Win probabilities as the page gives them."""

from typing import TYPE_CHECKING

from perfectplay.commands.know.probability import Probability

if TYPE_CHECKING:
    from perfectplay.players.models.win_probability import WinProbability


def probability_fields(found: "WinProbability") -> dict[str, object]:
    """The probabilities as scripts rely on them: decimals, or fractions as text."""
    return Probability(*found).to_dict()
