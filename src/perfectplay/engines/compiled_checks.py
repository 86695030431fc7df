"""Whether compiled rules agree with the interpreted ones."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from perfectplay.engines.findings import SKIPPED
from perfectplay.engines.sample_positions import Met
from perfectplay.game import Game, images, legal_moves
from perfectplay.notation import move_name, show_position
from perfectplay.source import hint_functions
from perfectplay.words import ONGOING, BadGame, NotCompiled, Position


def compiled_agrees(game: Game, met: Sequence[Met]) -> str | None:
    """The compiled modules of the solver and the search agree with the interpreted rules, where they compile."""
    from perfectplay.engines.compiled import load_search  # numba takes a second to import

    fault = solver_agrees(game, met)
    return fault if fault not in (None, SKIPPED) else fault_in_module(game, load_search, met)


def solver_agrees(game: Game, met: Sequence[Met]) -> str | None:
    """The same for the solver's module."""
    from perfectplay.engines.compiled import load_kernels

    return fault_in_module(game, load_kernels, met)


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
        for name, asked in optional_calls(game, position, outcome):
            rule, compiled = getattr(game, name), getattr(fast, name, None)
            if compiled is not None and any(compiled(*words) != rule(*words) for words in asked):
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
