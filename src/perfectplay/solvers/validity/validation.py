"""Checks a user's rules before they are used, and the solution afterwards."""

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from perfectplay.compiler.checks.compiled_checks import look_agrees, solver_agrees
from perfectplay.compiler.checks.contract import (
    does_not_compile,
    hints_true,
    images_alike,
    in_one_line,
    keys_invert,
    of_numba,
    outcome_known,
    words_in_range,
)
from perfectplay.compiler.checks.hint_checks import Hints, has_hints
from perfectplay.compiler.checks.sample_positions import SKIPPED, Check, Met, positions_to_check, random_positions
from perfectplay.compiler.known_rules import digest_of, is_known, remember
from perfectplay.game import Game, is_own, legal_moves
from perfectplay.rules.rule_faults import fault_of_rules
from perfectplay.solvers.engine import EngineResult
from perfectplay.solvers.memory.interpreted import Reached
from perfectplay.solvers.steps import Steps
from perfectplay.solvers.table.grades import Scale
from perfectplay.solvers.table.table import Table
from perfectplay.solvers.thread_pool import ThreadPool
from perfectplay.solvers.validity.full_check import fault_in_all, fault_in_solution, grades_of
from perfectplay.solvers.validity.sample_check import Entries, Fault, fault_in_sample, in_table, size_after_solve
from perfectplay.words import FIRST, BadGame, NotCompiled, Position

if TYPE_CHECKING:
    from perfectplay.solvers.memory.expansion import Run

WALKS, MOST = 10, 120
"""Random games, and positions of them that are checked: up to 0.2 seconds."""
NEAR, TRIED = 2_000, 60_000
"""Positions near the searched one at which hints are checked, and moves made for that: as long again."""
SMALL, FEW = 30_000, 3_000
"""Positions up to which a compiled engine's table is checked by interpreted rules, a third of a second at most; and of
a user's game, since its rules may be slow.
"""
ALL = 400_000
"""Classes up to which everything is checked: with the default engine about a third of the time of the solve at
most (`bench/NOTES.md`).
"""
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
    failure = Hints(game).first_fault((near for near, _ in met), TRIED)
    if failure is not None:
        fault, where = failure
        raise BadGame(f"a hint of {game.name} is wrong: {fault} at {where}; run perfectplay check for details")
    return len(met)


def check_table(table: Table, result: EngineResult, threads: int) -> Steps[float]:
    """The part of the table's classes that is checked, 1 for all; raises BadGame if the solution is wrong.

    Up to ALL classes everything is checked, by interpreted or compiled rules. Of larger tables of a user's game a
    sample is, and of the library's games none.
    """
    game, header = table.game, table.header
    if result.graph is not None:
        return check_positions(result.graph, result.keys, header.scale)
    if header.positions <= (SMALL if is_own(game) else FEW):
        refuse_wrong(game, (yield from fault_in_all(table)), compiled=True)
        return 1.0
    if header.classes > ALL:
        return check_sample(in_table(table))
    from perfectplay.solvers.validity.verify_compiled import all_blocks  # imports numba

    pool = ThreadPool(threads)
    try:
        run = yield from all_blocks(table, pool)
        complete = yield from check_run(game, run, header.scale, pool)
    finally:
        pool.pool.shutdown(wait=False, cancel_futures=True)
    part = check_sample(in_table(table))
    return 1.0 if complete else part


def check_run(game: Game, run: "Run", scale: Scale, pool: ThreadPool) -> Steps[bool]:
    """Checks all classes by compiled rules; returns whether these could; raises BadGame if the solution is wrong."""
    from perfectplay.solvers.validity.full_check_compiled import COMPILED_FAULTS, fault_in_run  # imports numba

    try:
        fault = yield from fault_in_run(game, run, scale, pool)
    except COMPILED_FAULTS:
        return False
    refuse_wrong(game, fault, compiled=True)
    return True


def check_positions(graph: Reached, keys: Sequence[int], scale: Scale) -> float:
    """The same for a solution by the interpreted rules, whose table has agreed at every position as it was written."""
    refuse_wrong(graph.game, fault_in_solution(graph, keys, grades_of(graph, scale), scale), compiled=False)
    return 1.0


def check_sample(solution: Entries) -> float:
    """The part of the classes in the sample of a user's game; raises BadGame if the interpreted rules contradict it."""
    game = solution.game
    if is_own(game):
        return 0.0
    size = size_after_solve(game)
    for _, fault in fault_in_sample(solution, size, seed=1):
        refuse_wrong(game, fault, compiled=True)
    return min(1.0, size / solution.classes) if solution.classes else 0.0


def refuse_wrong(game: Game, fault: Fault | None, compiled: bool) -> None:
    """Raises BadGame if there is a fault."""
    if fault is not None:
        text = text_with_blame(game, fault) if compiled else fault.text
        raise BadGame(f"{game.name} is not solved: its solution is wrong: {text}; run perfectplay check for details")


def text_with_blame(game: Game, fault: Fault) -> str:
    """The fault, with the function that differs when compiled, if any."""
    children = [game.play(*fault.position, move) for move in legal_moves(game, fault.position)]
    met = [Met(position, FIRST) for position in (fault.position, *children)]
    differs = None
    with suppress(Exception):  # whatever the rules do: the fault stands
        differs = solver_agrees(game, met)
    return fault.text if differs in (None, SKIPPED) else f"{differs}; so {fault.text}"
