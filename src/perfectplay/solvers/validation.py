"""Checks a user's rules before they are used, and a sample of the solution afterwards."""

from contextlib import suppress

from perfectplay.engines.compiled_checks import look_agrees, solver_agrees
from perfectplay.engines.contract import (
    does_not_compile,
    hints_true,
    images_alike,
    in_one_line,
    keys_invert,
    of_numba,
    outcome_known,
    words_in_range,
)
from perfectplay.engines.findings import SKIPPED, Check
from perfectplay.engines.hint_checks import Hints, has_hints
from perfectplay.engines.known_rules import digest_of, is_known, remember
from perfectplay.engines.sample_positions import Met, positions_to_check, random_positions
from perfectplay.game import Game, is_own, legal_moves
from perfectplay.rule_faults import fault_of_rules
from perfectplay.solvers.sample_check import Entries, Fault, fault_in_sample, size_after_solve
from perfectplay.words import FIRST, BadGame, NotCompiled, Position

WALKS, MOST = 10, 120
"""Random games, and positions of them that are checked: up to 0.2 seconds."""
NEAR, TRIED = 2_000, 60_000
"""Positions near the searched one at which hints are checked, and moves made for that: as long again."""
KEPT = "the check {} finds no fault in random games"
"""What is remembered of rules that are checked."""
CHECKS: tuple[Check, ...] = (words_in_range, outcome_known, keys_invert, images_alike, hints_true)


def check_rules(game: Game, compiled: bool) -> None:
    """Raises BadGame if the rules of a user's game break the contract in random games; checks the same rules once."""
    checks = (*CHECKS, look_agrees) if compiled else CHECKS
    digest = "" if is_own(game) else digest_of(game)
    new = [] if is_own(game) else [check for check in checks if not is_known(digest, KEPT.format(check.__name__))]
    if not new:
        return
    met = random_positions(game, WALKS, seed=1)[:MOST]
    for check in new:
        try:
            fault = check(game, met)
        except NotCompiled:
            raise
        except Exception as error:  # whatever the rules do
            if of_numba(error):
                raise does_not_compile(game.name, error) from error
            fault = str(fault_of_rules(error) or in_one_line(error))
        if fault is not None and fault != SKIPPED:
            raise BadGame(f"the rules of {game.name} break the contract: {fault}; run perfectplay check for details")
    remember(digest_of(game), *(KEPT.format(check.__name__) for check in new))


def check_hints(game: Game, position: Position) -> int:
    """The number of positions near the searched one at which a user's hints hold; raises BadGame if one does not."""
    if is_own(game) or not has_hints(game):
        return 0
    met = positions_to_check(game, WALKS, seed=1, start=position, most=NEAR)
    found = Hints(game).first_fault((near for near, _ in met), TRIED)
    if found is not None:
        fault, where = found
        raise BadGame(f"a hint of {game.name} is wrong: {fault} at {where}; run perfectplay check for details")
    return len(met)


def check_solution(solution: Entries, compiled: bool) -> None:
    """Raises BadGame if a sample of the solution of a user's game contradicts the interpreted rules."""
    game = solution.game
    if is_own(game):
        return
    for _, fault in fault_in_sample(solution, size_after_solve(game), seed=1):
        if fault is not None:
            found = blamed(game, fault) if compiled else fault.text
            raise BadGame(
                f"{game.name} is not solved: its solution is wrong: {found}; run perfectplay check for details"
            )


def blamed(game: Game, fault: Fault) -> str:
    """The fault, with the function that differs when compiled, if any."""
    children = [game.play(*fault.position, move) for move in legal_moves(game, fault.position)]
    met = [Met(position, FIRST) for position in (fault.position, *children)]
    differs = None
    with suppress(Exception):  # whatever the rules do: the fault stands
        differs = solver_agrees(game, met)
    return fault.text if differs in (None, SKIPPED) else f"{differs}; so {fault.text}"
