"""How good a move was: best, good, an inaccuracy, a mistake or a blunder."""

from functools import lru_cache
from typing import TYPE_CHECKING

from perfectplay.game import Game
from perfectplay.players.named.policy_player import USUAL
from perfectplay.players.registry import policy_named
from perfectplay.solvers.memory.interpreted import SMALL
from perfectplay.solvers.oracle import table_oracle
from perfectplay.solvers.steps import finished
from perfectplay.solvers.table.table_folder import kept_table
from perfectplay.solvers.worth import Study
from perfectplay.words import DRAW, LOSS, WIN, Entry, Move, Position

if TYPE_CHECKING:
    from perfectplay.players.models.win_probability import WinProbabilities


# Win probabilities against the usual opponent, the one that the player `streetwise` expects: a random one.


Chances = dict[Move, float]
"""The win probability of the side to move after each of its moves, if all its later moves keep the result."""


def chances_at(game: Game, position: Position) -> Chances | None:
    """The win probabilities after the moves of a position; None in games where they are not cheap to compute."""
    if not is_cheap(game):
        return None
    from perfectplay.players.models.win_probability import move_probabilities  # numpy: only when it is wanted

    chances = move_probabilities(game, probabilities(game), position)
    return {move: float(probability.win) for move, probability in chances.moves.items()}


@lru_cache(maxsize=8)
def is_cheap(game: Game) -> bool:
    """Whether the game is solved and has few enough positions to compute all win probabilities in a second or two."""
    table = kept_table(game)
    return table_oracle(game) is not None and (table is None or table.header.positions <= SMALL)


@lru_cache(maxsize=4)
def probabilities(game: Game) -> "WinProbabilities":
    """The win probabilities in all positions."""
    from perfectplay.players.models.win_probability import win_probabilities_against

    return finished(win_probabilities_against(game, policy_named(USUAL, game)))


BEST, GOOD, INACCURACY, MISTAKE, BLUNDER = "best", "good", "inaccuracy", "mistake", "blunder"
COSTS = {BEST: 0.0, GOOD: 0.1, INACCURACY: 0.25, MISTAKE: 0.5, BLUNDER: 1.0}
"""The judgements, the best first, and what each costs in accuracy: a mistake is half a game, a blunder a whole one."""
SERIOUS = (MISTAKE, BLUNDER)
"""The judgements of moves that worsen the result."""
PART = 3
"""A move that gives away more than a third of the distance, the points or the win probability is an inaccuracy."""

ALIKE = 1e-9
"""Win probabilities that differ by less are taken for equal."""


def judge(study: Study, move: Move, chances: Chances | None = None) -> str | None:
    """The judgement of a move; None if it is not proven.

    `chances` are the win probabilities against the usual opponent; they tell moves apart that keep a draw.
    """
    before, after = study.here, study.moves[move]
    if len(study.moves) == 1:
        return BEST
    if after.most < before.least:
        return BLUNDER if before.least - after.most == WIN - LOSS else MISTAKE
    if before.value is None or after.least < before.value:
        return None
    if before.value == DRAW:
        return INACCURACY if chances and is_timid(study, move, chances) else BEST
    if before.entry is None or after.entry is None:
        return None
    if after.entry.as_good_as(before.entry):
        return BEST
    cost, whole = given_away(before.entry, after.entry)
    return INACCURACY if PART * cost > whole else GOOD


def given_away(best: Entry, entry: Entry) -> tuple[int, int]:
    """The plies or points that are given away by a move that keeps the result, and those of the best move."""
    if best.margin is not None and entry.margin is not None:
        return best.margin - entry.margin, abs(best.margin)
    return abs((best.distance or 0) - (entry.distance or 0)), best.distance or 0


def is_timid(study: Study, move: Move, chances: Chances) -> bool:
    """Whether a move that keeps the draw gives away more than a third of the win probability."""
    return PART * chances[move] < (PART - 1) * max(chances[one] for one in study.keeping) - ALIKE


def better_moves(study: Study, move: Move, judgement: str | None, chances: Chances | None = None) -> list[Move]:
    """The moves that were better, the best first; none if the move was best, or if nothing is proven.

    Of a move that worsens the result, these are the moves that keep it.
    """
    after = study.moves[move]
    if judgement in SERIOUS:
        keeping = study.keeping or [one for one, worth in study.moves.items() if worth.least > after.most]
        return [one for one in keeping if one != move]
    if judgement in (None, BEST) or after.entry is None:
        return []
    if after.value == DRAW and chances:
        bold = [one for one in study.keeping if not is_timid(study, one, chances)]
        return sorted(bold, key=lambda one: -chances[one])
    return [one for one in study.keeping if is_better(study.moves[one].entry, after.entry)]


def is_better(one: Entry | None, other: Entry) -> bool:
    """Whether one is proven to be better than the other, with the same result."""
    return one is not None and not one.as_good_as(other) and one.preference() > other.preference()
