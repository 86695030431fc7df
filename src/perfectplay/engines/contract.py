"""The contract that every game's rules keep, checked along random games.

Each check takes the game and positions met in play, and returns a line on the first fault it finds, None if there
is none, or SKIPPED where it does not apply.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import NamedTuple

from perfectplay.bits import bit_numbers
from perfectplay.engines.row_rules import rows_fault
from perfectplay.game import COMPILED_BITS, Game, canonical, images, legal_moves
from perfectplay.intervals.facts import as_written
from perfectplay.notation import draw_position, move_name, parse_move, parse_position, show_position
from perfectplay.source import hint_functions
from perfectplay.words import (
    DRAW,
    FIRST,
    LOSS,
    ONGOING,
    SECOND,
    WIN,
    BadGame,
    Move,
    NotCompiled,
    PerfectplayError,
    Position,
)


class Met(NamedTuple):
    """A position met in play, and whose move it is."""

    position: Position
    side: int


Check = Callable[[Game, Sequence[Met]], str | None]

COLOUR = re.compile(r"\x1b\[[0-9;]*m")
"""What colours a terminal."""
SKIPPED = "skipped"
"""What a check returns that does not apply to the game."""


def random_positions(game: Game, walks: int, seed: int, longest: int = 200) -> list[Met]:
    """The positions of random games, each once, in the order in which they were met."""
    rng = Random(seed)
    found: dict[Met, None] = {}
    for _ in range(walks):
        met = Met(game.start, FIRST)
        for _ in range(longest):
            found[met] = None
            legal = legal_moves(game, met.position)
            if not legal:
                break
            met = Met(game.play(*met.position, rng.choice(legal)), SECOND - met.side)
    return list(found)


def words_in_range(game: Game, met: Sequence[Met]) -> str | None:
    """Words are never negative and never wider than `bits`."""
    for (mine, theirs), side in met:
        if not (0 <= mine < 1 << game.bits and 0 <= theirs < 1 << game.bits):
            return f"words ({mine}, {theirs}) do not fit {game.bits} bits ({game.look.sides[side]} to move)"
    return None


def outcome_known(game: Game, met: Sequence[Met]) -> str | None:
    """An outcome is LOSS, DRAW, WIN or ONGOING, and whoever is to move in an ongoing game has a move."""
    for position, side in met:
        outcome = game.outcome(*position)
        if outcome not in (LOSS, DRAW, WIN, ONGOING):
            return f"outcome {outcome!r} of {show_position(game, position, side)} is none of LOSS, DRAW, WIN, ONGOING"
        if outcome == ONGOING and not game.moves(*position):
            return f"{show_position(game, position, side)} is ONGOING without a legal move"
    return None


def moves_named(game: Game, met: Sequence[Met]) -> str | None:
    """Every legal move has a name of its own, which reads back as that move."""
    for position, side in met:
        names: dict[str, int] = {}
        for move in legal_moves(game, position):
            name = move_name(game, position, side, move)
            other = names.setdefault(name.lower(), move)
            if other != move:
                return f"moves {other} and {move} are both called {name!r} in {show_position(game, position, side)}"
        for name in list(names)[:3]:
            if parse_move(game, position, side, name) != names[name]:
                return f"{name!r} reads back as another move in {show_position(game, position, side)}"
    return None


def positions_read_back(game: Game, met: Sequence[Met]) -> str | None:
    """A position shown as text reads back as the same position, and can be drawn."""
    for position, side in met:
        text = show_position(game, position, side)
        if parse_position(game, text) != (position, side):
            return f"{text} reads back as another position than {position}"
        if len(draw_position(game, position, side).splitlines()) != game.shape[1] + 1:
            return f"{text} is not drawn in {game.shape[1]} rows"
    return None


def keys_invert(game: Game, met: Sequence[Met]) -> str | None:
    """A key is a 63-bit number of its own for each position, and unkey undoes it."""
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
    """Images of a position have its outcome, its canonical form, and as many moves, to children of the same classes.

    Every image of every child of every image: on large boards a few positions have to do.
    """
    turns, smallest = images(game), canonical(game)
    most = max(5, 3_000_000 // (turns.count * game.bits) ** 2)

    def classes(position: Position) -> list[Position]:
        return sorted(smallest(*game.play(*position, move)) for move in legal_moves(game, position))

    for position, side in met[:: -(-len(met) // most)]:
        text = show_position(game, position, side)
        if turns.image(*position, 0) != position:
            return f"image 0 of {text} is not the position itself"
        expected = classes(position)
        for i in range(1, turns.count):
            other = turns.image(*position, i)
            if smallest(*other) != smallest(*position):
                return f"image {i} of {text} has another canonical form"
            if game.outcome(*other) != game.outcome(*position):
                return f"image {i} of {text} has another outcome"
            if classes(other) != expected:
                return f"image {i} of {text} has other moves"
    return None


def order_complete(game: Game, met: Sequence[Met]) -> str | None:
    """The order hint, if there is one, names every move once, or rates every move with a whole number."""
    if not game.order:
        return SKIPPED
    if callable(game.order):
        for position, side in met:
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
    """The hints wins, safe, draw_in and hopeless say what trying the moves says."""
    if game.wins is game.safe is game.draw_in is game.hopeless is None or game.bits > COMPILED_BITS:
        return SKIPPED  # no hints, or no search that would use them
    widest = max((len(legal_moves(game, position)) for position, _ in met[:: len(met) // 50 + 1]), default=0)
    most = max(5, 100_000 // (widest + 1) ** 2)  # every reply to every move is tried
    for position, side in met[:: -(-len(met) // most)]:
        fault = hint_fault(game, position)
        if fault is not None:
            return f"{fault} in {show_position(game, position, side)}"
    return None


def hint_fault(game: Game, position: Position) -> str | None:
    """What is wrong with a hint in this position, if anything is."""
    outcome = game.outcome(*position)
    if game.draw_in is not None and outcome != WIN and outcome != LOSS:
        left = game.draw_in(*position)
        if (left == 0) != (outcome == DRAW):
            return f"draw_in is {left}, but the game is {'drawn' if outcome == DRAW else 'not over'}"
        after = {game.draw_in(*game.play(*position, move)) for move in legal_moves(game, position)}
        if after - {left - 1}:
            return f"draw_in goes from {left} to {max(after - {left - 1})} with one move"
    if outcome != ONGOING:
        return None
    won = winning_moves(game, position)
    if game.wins is not None and game.wins(*position) != mask_of(won):
        return f"wins is {game.wins(*position):#b}, but the moves that win are {mask_of(won):#b}"
    if game.hopeless is not None and won and game.hopeless(*position):
        return "hopeless is true, but a move wins"
    if game.safe is None or won:
        return None
    children = {move: game.play(*position, move) for move in legal_moves(game, position)}
    if any(game.outcome(*child) == WIN for child in children.values()):
        return "safe is given, but a move loses at once; leave safe out for such a game"
    right = mask_of([move for move, child in children.items() if not winning_moves(game, child)])
    found = game.safe(*position)
    return None if found == right else f"safe is {found:#b}, but the safe moves are {right:#b}"


def winning_moves(game: Game, position: Position) -> list[Move]:
    """The moves that win at once, found by trying them all."""
    return [move for move in legal_moves(game, position) if game.outcome(*game.play(*position, move)) == LOSS]


def mask_of(moves: Sequence[Move]) -> int:
    """The moves as bits."""
    return sum(1 << move for move in moves)


def rows_right(game: Game, met: Sequence[Met]) -> str | None:
    """The rows, if there are any, are what ends the game, and every empty square may be taken."""
    return SKIPPED if game.rows is None else rows_fault(game) or None


def compiled_agrees(game: Game, met: Sequence[Met]) -> str | None:
    """The compiled rules give the same answers as the interpreted ones; wider words than 63 bits do not compile."""
    from perfectplay.engines.compiled import compiled  # numba takes a second to import: only when it is wanted

    try:
        fast = compiled(game)
    except NotCompiled:
        raise
    except BadGame:
        return SKIPPED
    turns, fast_turns = images(game), images(fast)
    hints, fast_hints = hint_functions(game), hint_functions(fast)
    for position, side in met:
        text = show_position(game, position, side)
        ongoing = game.outcome(*position) == ONGOING
        for name, hint in hints.items():
            fast_hint = fast_hints[name]
            if hint is None or fast_hint is None or not ongoing:
                continue
            asked = [(*position, move) for move in legal_moves(game, position)] if name == "order" else [position]
            if any(fast_hint(*words) != hint(*words) for words in asked):
                return f"{name} of {text} differs when compiled"
        if fast.outcome(*position) != game.outcome(*position):
            return f"outcome of {text} is {fast.outcome(*position)} when compiled, {game.outcome(*position)} else"
        if any(fast_turns.image(*position, i) != turns.image(*position, i) for i in range(turns.count)):
            return f"an image of {text} differs when compiled"
        if game.key and game.unkey and fast.key and fast.unkey:
            number = game.key(*position)
            if fast.key(*position) != number or fast.unkey(number) != position:
                return f"the key of {text} differs when compiled"
        if game.outcome(*position) == ONGOING:
            if fast.moves(*position) != game.moves(*position):
                return f"moves of {text} differ when compiled"
            for move in legal_moves(game, position):
                if fast.play(*position, move) != game.play(*position, move):
                    return f"{move_name(game, position, side, move)} in {text} plays differently when compiled"
    return None


CHECKS: tuple[Check, ...] = (
    words_in_range,
    outcome_known,
    moves_named,
    positions_read_back,
    keys_invert,
    images_alike,
    order_complete,
    hints_true,
    rows_right,
    compiled_agrees,
)


def broken_checks(game: Game, walks: int, seed: int) -> Iterator[tuple[Check, str | None]]:
    """Each check and the fault it found, or None, one after another."""
    met = random_positions(game, walks, seed)
    for check in CHECKS:
        try:
            yield check, check(game, met)
        except Exception as fault:
            yield check, in_one_line(fault)


def in_one_line(fault: Exception) -> str:
    """The fault in a line; of what numba says, what it could not compile and where."""
    text = COLOUR.sub("", str(fault))
    if isinstance(fault, PerfectplayError):
        return text
    if not type(fault).__module__.startswith("numba"):
        return " ".join(f"{type(fault).__name__}: {text}".split())
    said = [line.strip() for line in text.splitlines() if line.strip() and "nopython" not in line]
    lines = re.findall(r'File "[^"]+", line \d+:\n(?:.*\n)*?(.*)\n\s*\^', text)
    where = f" ({as_written(lines[-1].strip())})" if lines else ""
    return f"does not compile{where}: {said[0] if said else text}; the game still runs interpreted"
