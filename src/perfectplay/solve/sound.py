"""A look at rules that nobody has tested, before a solution that they would make wrong."""

from perfectplay.engines.contract import (
    SKIPPED,
    Check,
    compiled_agrees,
    hints_true,
    images_alike,
    in_one_line,
    keys_invert,
    outcome_known,
    random_positions,
    words_in_range,
)
from perfectplay.game import Game
from perfectplay.words import BadGame, NotCompiled

WALKS, MOST = 10, 120
"""Random games, and positions of them that are looked at: a tenth of a second or two."""
CHECKS: tuple[Check, ...] = (words_in_range, outcome_known, keys_invert, images_alike, hints_true)


def is_own(game: Game) -> bool:
    """Whether the rules come with perfectplay, and so have been tested."""
    return str(getattr(game.moves, "__module__", "")).startswith("perfectplay.games.")


def check_sound(game: Game, compiled: bool) -> None:
    """Raises BadGame if the rules of a user's game break the contract in some random games."""
    if is_own(game):
        return
    met = random_positions(game, WALKS, seed=1)[:MOST]
    for check in (*CHECKS, compiled_agrees) if compiled else CHECKS:
        try:
            fault = check(game, met)
        except NotCompiled:
            raise
        except Exception as error:  # whatever the rules do
            fault = in_one_line(error)
            if check is compiled_agrees:
                raise BadGame(f"{game.name} {fault} with --engine plain") from error
        if fault is not None and fault != SKIPPED:
            raise BadGame(f"the rules of {game.name} break the contract: {fault}; perfectplay check tells more")
