"""Whether compiled rules agree with the interpreted ones."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from perfectplay.compiler.checks.sample_positions import SKIPPED, Met
from perfectplay.game import COMPILED_BITS, Game, canonical, images, legal_moves, moves_again
from perfectplay.rules.notation import move_name, show_position
from perfectplay.rules.source import hint_functions
from perfectplay.words import ONGOING, BadGame, NotCompiled, Position


def compiled_agrees(game: Game, met: Sequence[Met]) -> str | None:
    """The compiled modules of the solver and the search agree with the interpreted rules, where they compile."""
    from perfectplay.compiler.compiled import load_search  # numba takes a second to import

    fault = solver_agrees(game, met)
    return fault if fault not in (None, SKIPPED) else fault_in_module(game, load_search, met)


def solver_agrees(game: Game, met: Sequence[Met]) -> str | None:
    """The same for the solver's module."""
    from perfectplay.compiler.compiled import load_kernels

    return fault_in_module(game, load_kernels, met)


def look_agrees(game: Game, met: Sequence[Met]) -> str | None:
    """The same for all rules in one compiled loop, which is cached, while rules that are called alone are not."""
    from perfectplay.compiler.compiled import LOOKING, load_kernels

    try:
        fast = load_kernels(game, LOOKING)
    except NotCompiled:
        raise
    except BadGame:
        return SKIPPED
    compiled, interpreted = compiled_facts(fast, game, met), [interpreted_facts(game, position) for position, _ in met]
    if compiled == interpreted:
        return None
    fault = solver_agrees(game, met)
    if fault is None and compiled is not None:
        place = next(i for i in range(len(met)) if compiled[i] != interpreted[i])
        return f"the rules differ when compiled at {show_position(game, *met[place])}"
    return fault


def compiled_facts(fast: Any, game: Game, met: Sequence[Met]) -> list[list[int]] | None:
    """Outcome, children, images and the like of each position; None if compiled rules break the contract at one."""
    import numpy as np

    assert game.key is not None
    keys, turns = [game.key(*position) for position, _ in met], images(game).count
    if min(keys) < 0 or max(keys) >> COMPILED_BITS:
        return None
    facts, others = np.empty((len(met), 5), np.int64), np.zeros(len(met) * turns, np.int64)
    children = np.empty(len(met) * fast.MOST_MOVES, np.int64)
    if fast.look(np.array(keys, np.int64), facts, children, others, False) < 0:
        return None
    ends = np.cumsum(facts[:, 1]).tolist()
    return [
        [*facts[i].tolist(), *children[end - facts[i, 1] : end].tolist(), *others[i * turns : (i + 1) * turns].tolist()]
        for i, end in enumerate(ends)
    ]


def interpreted_facts(game: Game, position: Position) -> list[int]:
    """The numbers of `compiled_facts` for one position, by the interpreted rules."""
    assert game.key is not None
    outcome, legal = game.outcome(*position), legal_moves(game, position)
    smallest, turns = canonical(game), images(game)
    others = [turns.image(*position, i) for i in range(turns.count)]
    margin = 0 if game.margin is None or outcome == ONGOING else game.margin(*position)
    tier = 0 if game.tier is None else game.tier(*position)
    children = [game.key(*smallest(*game.play(*position, move))) for move in legal]
    again = [moves_again(game, position, move) for move in legal]
    return [
        *(outcome, len(legal), turns.count // others.count(position), margin, tier),
        *(~child if same else child for child, same in zip(children, again, strict=True)),
        *(0, *(game.key(*other) for other in others[1:])),
    ]


def fault_in_module(game: Game, load: Callable[[Game], Any], met: Sequence[Met]) -> str | None:
    """Where a compiled module disagrees with the game's rules; words wider than 126 bits do not compile."""
    try:
        fast = load(game)
    except NotCompiled:
        raise
    except BadGame:
        return SKIPPED
    turns = images(game)
    for position, side in met:
        text = show_position(game, position, side)
        outcome = game.outcome(*position)
        if fast.outcome(*position) != outcome:
            return f"outcome of {text} is {fast.outcome(*position)} when compiled, {outcome} else"
        if any(fast.image(*position, i) != turns.image(*position, i) for i in range(turns.count)):
            return f"an image of {text} differs when compiled"
        if game.key and game.unkey:
            number = game.key(*position)
            if fast.key(*position) != number or fast.unkey(number) != position:
                return f"the key of {text} differs when compiled"
        if outcome == ONGOING and fast.moves(*position) != game.moves(*position):
            return f"moves of {text} differ when compiled"
        for move in legal_moves(game, position):
            if fast.play(*position, move) != game.play(*position, move):
                return f"{move_name(game, position, side, move)} in {text} plays differently when compiled"
        for name, calls in optional_calls(game, position, outcome):
            rule, fast_rule = getattr(game, name), getattr(fast, name, None)
            if fast_rule is not None and any(fast_rule(*words) != rule(*words) for words in calls):
                return f"{name} of {text} differs when compiled"
    return None


def optional_calls(game: Game, position: Position, outcome: int) -> Iterator[tuple[str, list[tuple[int, ...]]]]:
    """The functions that a game may have or not, with the arguments with which they are asked in the position."""
    over = outcome != ONGOING
    by_move: list[tuple[int, ...]] = [(*position, move) for move in legal_moves(game, position)]
    rules = {**hint_functions(game), "again": game.again, "margin": game.margin, "tier": game.tier}
    for name, rule in rules.items():
        if rule is not None and (name == "tier" or over == (name == "margin")):
            yield name, by_move if name in ("order", "again") else [position]
