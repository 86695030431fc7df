"""The contract of every game's rules, checked at all positions of a small game and at many of a large one.

Each check takes the game and positions from play, and returns one line on the first fault, None if there is none,
SKIPPED where it does not apply, or a Finding of its own.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from perfectplay.bits import bit_numbers
from perfectplay.engines.board_checks import swapped_board
from perfectplay.engines.hint_checks import Hints, falsely_hopeless, has_hints
from perfectplay.engines.line_rules import lines_fault
from perfectplay.engines.sample_positions import SMALL, Met, in_any_order
from perfectplay.engines.text_checks import moves_named, positions_read_back
from perfectplay.game import WIDE_BITS, Game, canonical, images, is_position, legal_moves
from perfectplay.intervals.facts import as_written
from perfectplay.notation import move_name, show_position
from perfectplay.rule_results import bad_play, checked_moves, checked_outcome
from perfectplay.source import hint_functions
from perfectplay.words import FIRST, ONGOING, SECOND, BadGame, NotCompiled, PerfectplayError, Position


class Finding(NamedTuple):
    """The result of a check: its status is ok, skipped, note or fault; the line says what to know or to repair."""

    status: str
    line: str | None = None


Check = Callable[[Game, Sequence[Met]], str | Finding | None]

COLOUR = re.compile(r"\x1b\[[0-9;]*m")
"""Terminal colour codes."""
SKIPPED = "skipped"
"""The result of a check that does not apply to the game."""
WHAT_COMPILES = "docs/reference/game-record.md"
FEW_RATED = 500
"""The number of positions at which the order hint rates every move."""
TRIED = 300_000
"""The most moves made to check hints: a second or two."""
TURNED, FEW = 3_000_000, 5
"""The most squares moved to check images: a second or two; and the least number of positions."""


def words_in_range(game: Game, met: Sequence[Met]) -> str | None:
    """Words are never negative and never wider than `bits`."""
    wrong = next((one for one in met if not is_position(one.position, game.bits)), None)
    return None if wrong is None else words_fault(game, met, wrong)


def words_fault(game: Game, met: Sequence[Met], wrong: Met) -> str:
    """The line for words out of range, with the position and the move that lead there, if they are among these."""
    for position, side in met:
        for move in legal_moves(game, position):
            if Met(game.play(*position, move), SECOND - side) == wrong:
                return str(bad_play(game, position, side, move, wrong.position))
    mover = game.look.sides[wrong.side]
    return f"words {wrong.position} are not two whole numbers of at most {game.bits} bits ({mover} to move)"


def outcome_known(game: Game, met: Sequence[Met]) -> str | None:
    """An outcome is LOSS, DRAW, WIN or ONGOING, and an ongoing position has a legal move."""
    try:
        for position, side in met:
            if checked_outcome(game, position, side) == ONGOING:
                checked_moves(game, position, side)
    except BadGame as fault:
        return str(fault)
    return None


def moves_matter(game: Game, met: Sequence[Met]) -> str | None:
    """The start position is ongoing, and not every move is a pass."""
    if game.outcome(*game.start) != ONGOING:
        return f"the game is over at the start, {show_position(game, game.start, FIRST)}; look at start and outcome"
    passes = (game.play(*at, move) == at[::-1] for at, _ in met for move in legal_moves(game, at))
    if not next(passes, False) or not all(passes):
        return None
    return "play returns (theirs, mine) for every move, so nothing ever changes; return mine as it is after the move"


def keys_invert(game: Game, met: Sequence[Met]) -> str | None:
    """Every position has its own 63-bit key, and unkey inverts key."""
    if game.key is None or game.unkey is None:
        return SKIPPED
    for position, side in met:
        key = game.key(*position)
        if not 0 <= key < 1 << game.key_bits:
            return (
                f"key {key} of {show_position(game, position, side)} is not a number of key_bits = {game.key_bits} bits"
            )
        if game.unkey(key) != position:
            return f"unkey(key(...)) of {show_position(game, position, side)} is {game.unkey(key)}, not {position}"
    return None


def images_alike(game: Game, met: Sequence[Met]) -> str | None:
    """Images of a position have its outcome, its canonical form and as many moves, with the same canonical children.

    This visits every image of every child of every image, so large boards check a few positions only.
    """
    turns = images(game)
    smallest = cache(canonical(game))
    most = TURNED // (turns.count * game.bits)

    @cache
    def classes(position: Position) -> list[Position]:
        return sorted(smallest(*game.play(*position, move)) for move in legal_moves(game, position))

    for number, (position, side) in enumerate(in_any_order(met)):
        if number >= FEW and smallest.cache_info().misses > most:
            break
        if turns.image(*position, 0) != position:
            return f"image 0 of {show_position(game, position, side)} is not the position itself"
        for i in range(1, turns.count):
            other = turns.image(*position, i)
            differs = (
                "another canonical form" if smallest(*other) != smallest(*position)
                else "another outcome" if game.outcome(*other) != game.outcome(*position)
                else "other moves" if classes(other) != classes(position)
                else None
            )  # fmt: skip
            if differs:
                return f"image {i} of {show_position(game, position, side)} has {differs}"
    return None


def order_complete(game: Game, met: Sequence[Met]) -> str | None:
    """The order hint, if there is one, names every move once, or rates every move with an integer."""
    if not game.order:
        return SKIPPED
    if callable(game.order):
        for position, side in in_any_order(met)[:FEW_RATED]:
            for move in legal_moves(game, position):
                rating: object = game.order(*position, move)
                if not isinstance(rating, int):
                    return f"order rates {move_name(game, position, side, move)} with {rating!r}, no whole number"
        return None
    if len(set(game.order)) != len(game.order):
        return "order names a move twice"
    for position, _ in met:
        missing = set(bit_numbers(game.moves(*position))) - set(game.order)
        if missing:
            return f"order leaves out move {min(missing)}"
    return None


def hints_true(game: Game, met: Sequence[Met]) -> str | None:
    """The hints wins, safe, plies_left and hopeless agree with trying the moves."""
    if not has_hints(game) or game.bits > WIDE_BITS:
        return SKIPPED  # no hints, or no search to use them
    sides = dict(met)
    found = Hints(game).first_fault(in_any_order(list(sides)), TRIED)
    if found is None and len(sides) <= SMALL:
        won = falsely_hopeless(game, list(sides))
        found = None if won is None else ("hopeless is true, but the side to move wins", won)
    return found and f"{found[0]} in {show_position(game, found[1], sides[found[1]])}"


def winning_lines_true(game: Game, met: Sequence[Met]) -> str | None:
    """The winning lines, if there are any, are what ends the game, and every empty square may be taken."""
    return SKIPPED if game.winning_lines is None else lines_fault(game) or None


def board_as_numbered(game: Game, met: Sequence[Met]) -> str | Finding | None:
    """The board is drawn as the rules number its squares: rows are rows, and columns are columns."""
    if game.shape[0] == game.shape[1] or 1 in game.shape:
        return SKIPPED
    line = swapped_board(game, met)
    return line and Finding("note", line)


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
    hints = [(name, hint) for name, hint in hint_functions(game).items() if hint and getattr(fast, name, None)]
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
        if outcome != ONGOING:
            continue
        if fast.moves(*position) != game.moves(*position):
            return f"moves of {text} differ when compiled"
        for move in legal_moves(game, position):
            if fast.play(*position, move) != game.play(*position, move):
                return f"{move_name(game, position, side, move)} in {text} plays differently when compiled"
        for name, hint in hints:
            asked = [(*position, move) for move in legal_moves(game, position)] if name == "order" else [position]
            if any(getattr(fast, name)(*words) != hint(*words) for words in asked):
                return f"{name} of {text} differs when compiled"
    return None


CHECKS: tuple[Check, ...] = (
    words_in_range,
    outcome_known,
    moves_matter,
    moves_named,
    positions_read_back,
    keys_invert,
    images_alike,
    order_complete,
    hints_true,
    winning_lines_true,
    board_as_numbered,
    compiled_agrees,
)


def findings(game: Game, met: Sequence[Met]) -> Iterator[tuple[Check, Finding]]:
    """Each check with what it finds in these positions, in order."""
    for check in CHECKS:
        try:
            found = check(game, met)
        except Exception as error:
            yield check, found_by(error)
        else:
            yield check, found if isinstance(found, Finding) else found_as(found)


def found_as(line: str | None) -> Finding:
    """What a check has found that returns this line."""
    return Finding("ok") if line is None else Finding("skipped") if line == SKIPPED else Finding("fault", line)


def found_by(error: Exception) -> Finding:
    """A note if the rules only do not compile, else a fault."""
    line = in_one_line(error)
    if not (isinstance(error, NotCompiled) or of_numba(error)):
        return Finding("fault", line)
    from perfectplay.engines.compiled import INTERPRETED

    line = line.removesuffix(f"; {INTERPRETED}")
    return Finding("note", f"{line}; the rules still run interpreted; {WHAT_COMPILES} lists what compiles")


def of_numba(error: Exception) -> bool:
    """Whether numba raised it."""
    return type(error).__module__.startswith("numba")


def in_one_line(fault: Exception) -> str:
    """The fault in one line; of numba's message, what did not compile and where."""
    text = COLOUR.sub("", str(fault))
    if isinstance(fault, PerfectplayError):
        return text
    if not of_numba(fault):
        return " ".join(f"{type(fault).__name__}: {text}".split())
    said = [line.strip() for line in text.splitlines() if line.strip() and "nopython" not in line]
    lines = re.findall(r'File "[^"]+", line \d+:\n(?:.*\n)*?(.*)\n\s*\^', text)
    where = f" ({as_written(lines[-1].strip())})" if lines else ""
    return f"does not compile{where}: {said[0] if said else text}"


def does_not_compile(name: str, fault: Exception) -> NotCompiled:
    """The error for a game whose rules numba refuses."""
    from perfectplay.engines.compiled import INTERPRETED

    return NotCompiled(f"{name} {in_one_line(fault)}; {INTERPRETED}")
