"""The contract of every game's rules, checked at all positions of a small game and at many of a large one.

Each check takes the game and positions from play: see Check.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

from perfectplay.bits import bit_numbers
from perfectplay.compiler.checks.board_checks import next_side_sees, swapped_board
from perfectplay.compiler.checks.compiled_checks import compiled_agrees
from perfectplay.compiler.checks.hint_checks import Hints, falsely_hopeless, has_hints
from perfectplay.compiler.checks.outcome_checks import last_move_decides
from perfectplay.compiler.checks.sample_positions import (
    SKIPPED,
    SMALL,
    Check,
    Finding,
    Met,
    child_positions,
    following,
    in_any_order,
    note,
    sample_moves,
)
from perfectplay.compiler.checks.text_checks import moves_named, positions_read_back, shape_fits
from perfectplay.compiler.intervals.interval import as_written
from perfectplay.compiler.line_rules import lines_fault
from perfectplay.game import WIDE_BITS, Game, canonical, images, is_position, legal_moves, moves_again
from perfectplay.rules.loading import NeverReturns, bad_play, checked_moves, checked_outcome
from perfectplay.rules.notation import VALUE_NAMES, move_name, plies_text, show_position
from perfectplay.rules.source import hint_functions
from perfectplay.rules.stone_keys import GRAIN
from perfectplay.words import FIRST, LOSS, ONGOING, BadGame, Move, NotCompiled, PerfectplayError, Position, Sides

# Checks of the fields that few games need: margin, tier and impartial.


MOVES_TRIED = 300_000
"""The most moves made: a second or two."""
BLOCKS = 300
"""The number of blocks of keys that are looked at."""


def margin_agrees(game: Game, met: Sequence[Met]) -> str | None:
    """At the end the margin has the sign of the outcome, and a game for points cannot repeat."""
    if game.margin is None:
        return SKIPPED
    for position, side in met:
        outcome = game.outcome(*position)
        if outcome == ONGOING:
            continue
        margin = game.margin(*position)
        where = f"in {show_position(game, position, side)} {position}"
        if not is_whole(margin):
            return f"margin is {margin!r} {where}; it must be a whole number"
        if (margin > 0) - (margin < 0) != outcome:
            name = VALUE_NAMES[outcome].upper()
            return f"margin is {margin}, but outcome is {name}, {where}; both are meant for the side to move"
    return repetition(game, met)


def repetition(game: Game, met: Sequence[Met]) -> str | None:
    """The line for a position that can come again, where that is found."""
    sides = dict(met)
    leads = {at: [to for to, _ in child_positions(game, Met(at, side)) if to in sides] for at, side in sides.items()}
    cycle = some_cycle(leads)
    if not cycle:
        return None
    text = show_position(game, cycle[0], sides[cycle[0]])
    return (
        f"{text} can come again after {plies_text(len(cycle))}, and a game for points must not repeat; "
        "leave margin out, or end the game by a count of moves"
    )


def some_cycle(leads: dict[Position, list[Position]]) -> list[Position]:
    """Positions that lead one to the next and at last to the first; none if that cannot be."""
    parents: dict[Position, list[Position]] = {at: [] for at in leads}
    for at, targets in leads.items():
        for to in targets:
            parents[to].append(at)
    exits = {at: len(targets) for at, targets in leads.items()}
    ends = [at for at, count in exits.items() if count == 0]
    for at in ends:
        for before in parents[at]:
            exits[before] -= 1
            if exits[before] == 0:
                ends.append(before)
    endless = dict.fromkeys(at for at, count in exits.items() if count)
    way = list(endless)[:1]
    while way:
        to = next(one for one in leads[way[-1]] if one in endless)
        if to in way:
            return way[way.index(to) :]
        way.append(to)
    return []


def tier_rises(game: Game, met: Sequence[Met]) -> str | None:
    """A tier is a whole number and never decreases along a move."""
    if game.tier is None:
        return SKIPPED
    for before, move, after in sample_moves(game, met, MOVES_TRIED):
        old, new = game.tier(*before.position), game.tier(*after.position)
        if not (is_whole(old) and is_whole(new) and old <= new):
            where = f"{move_name(game, *before, move)} in {show_position(game, *before)}"
            if is_whole(old) and is_whole(new):
                return f"tier falls from {old} to {new} by {where}; it must never decrease along a move"
            return f"tier is {old!r} before {where} and {new!r} after it; it must be a whole number"
    return tiers_apart(game, game.tier) if game.keys else None


def tiers_apart(game: Game, tier: Callable[[int, int], int]) -> str | None:
    """The fault in the order of keys without gaps: lower tiers come first, and each begins a block of keys."""
    unkey, step = game.unkey, GRAIN * max(1, game.keys // GRAIN // BLOCKS)
    if unkey is None or game.keys % GRAIN:
        return f"keys = {game.keys:,} needs key and unkey, and must be a multiple of {GRAIN:,}"
    highest = tier(*unkey(0))
    for first in range(0, game.keys, step):
        for key in (first, first + GRAIN // 2, first + GRAIN - 1):
            here = tier(*unkey(key))
            if here < highest or (key > first and here != highest):
                return (
                    f"tier is {highest} before key {key:,} and {here} there; keys of lower tiers must come first, and "
                    f"each tier must begin at a multiple of {GRAIN:,}"
                )
            highest = here
    return None


def both_may_move(game: Game, met: Sequence[Met]) -> str | None:
    """An impartial game is the same for both sides, and whoever cannot move has lost."""
    if not game.impartial:
        return SKIPPED
    if isinstance(game.cells, Sides) or isinstance(game.move_names, Sides):
        return "impartial is True, but cells or move_names differ between the sides; leave impartial out"
    for position, side in met:
        where = f"in {show_position(game, position, side)} {position}"
        if position[1]:
            return f"impartial is True, but theirs is not 0 {where}; what is on the board must be mine for both sides"
        if game.outcome(*position) not in (LOSS, ONGOING):
            return f"impartial is True, but the game ends otherwise than by a LOSS {where}; leave impartial out"
    return None


def is_whole(value: object) -> bool:
    """Whether this is a whole number, and not a truth value."""
    return isinstance(value, int) and not isinstance(value, bool)


# Whether rule functions return the same every time.


ASKED = 20_000
"""The most calls that are made twice: less than half a second."""


class Call(NamedTuple):
    """A rule function with its arguments, and where it is called."""

    name: str
    rule: Callable[..., Any]
    arguments: tuple[int, ...]
    met: Met


def same_every_time(game: Game, met: Sequence[Met]) -> str | None:
    """Rule functions return the same whenever they are called with the same arguments."""
    if len(met) > 1 and met[0].position == game.start and game.outcome(*game.start) != ONGOING:
        return differs(game, Call("outcome", game.outcome, game.start, met[0]), ONGOING, game.outcome(*game.start))
    every = (call for one in in_any_order(met) for call in calls_at(game, one))
    calls = list(islice(every, ASKED))
    results = [call.rule(*call.arguments) for call in calls]
    for call, before in zip(reversed(calls), reversed(results), strict=True):
        now = call.rule(*call.arguments)
        if now != before:
            return differs(game, call, before, now)
    return None


def differs(game: Game, call: Call, before: object, now: object) -> str:
    """The line for a function that returns something else later."""
    call_text = f"{call.name}({', '.join(map(str, call.arguments))}) at {show_position(game, *call.met)}"
    return (
        f"{call_text} is {before!r} when called first and {now!r} later; rules must depend on their arguments "
        "alone: no random numbers, no clock, nothing that changes between calls"
    )


def calls_at(game: Game, met: Met) -> Iterator[Call]:
    """The calls of rule functions that can be made in a position."""
    position, over = met.position, game.outcome(*met.position) != ONGOING
    names = game.move_names[met.side] if isinstance(game.move_names, Sides) else game.move_names
    hints = hint_functions(game)
    everywhere = {"outcome": game.outcome, "tier": game.tier, "key": game.key}
    by_position = everywhere | ({"margin": game.margin} if over else {"moves": game.moves, **hints, "order": None})
    by_move = {"play": game.play, "again": game.again, "order": hints.get("order")}
    by_move |= {"move_names": names if callable(names) else None}
    for name, rule in by_position.items():
        if rule is not None:
            yield Call(name, rule, position, met)
    for move in legal_moves(game, position):
        for name, rule in by_move.items():
            if rule is not None:
                yield Call(name, rule, (*position, move), met)


COLOUR = re.compile(r"\x1b\[[0-9;]*m")
"""Terminal colour codes."""
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
            if following(game, Met(position, side), move) == wrong:
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
    outcome = game.outcome(*game.start)
    if outcome in VALUE_NAMES:
        over = f"{show_position(game, game.start, FIRST)} {game.start}: outcome is {VALUE_NAMES[outcome].upper()}"
        return f"the game is over at the start, {over} where it must be ONGOING; look at start and outcome"
    passes = (is_pass(game, at, move) for at, _ in met for move in legal_moves(game, at))
    if not next(passes, False) or not all(passes):
        return None
    return "play returns (theirs, mine) for every move, so nothing ever changes; return mine as it is after the move"


def is_pass(game: Game, position: Position, move: Move) -> bool:
    """Whether the move only hands over the turn, or not even that."""
    return game.play(*position, move) == (position if moves_again(game, position, move) else position[::-1])


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
        if game.keys and key >= game.keys:
            return f"key {key:,} of {show_position(game, position, side)} is not below keys = {game.keys:,}"
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
    def classes(position: Position) -> list[tuple[Position, bool]]:
        return sorted(
            (smallest(*game.play(*position, move)), moves_again(game, position, move))
            for move in legal_moves(game, position)
        )

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
                else "another margin" if game.margin and final_margin(game, other) != final_margin(game, position)
                else "another tier" if game.tier and game.tier(*other) != game.tier(*position)
                else "other moves" if classes(other) != classes(position)
                else None
            )  # fmt: skip
            if differs:
                return f"image {i} of {show_position(game, position, side)} has {differs}"
    return None


def final_margin(game: Game, position: Position) -> int | None:
    """The margin, where a game for points is over."""
    return None if game.margin is None or game.outcome(*position) == ONGOING else game.margin(*position)


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
        omissions = set(bit_numbers(game.moves(*position))) - set(game.order)
        if omissions:
            return f"order leaves out move {min(omissions)}"
    return None


def hints_true(game: Game, met: Sequence[Met]) -> str | None:
    """The hints wins, safe, plies_left and hopeless agree with trying the moves."""
    if not has_hints(game) or game.bits > WIDE_BITS:
        return SKIPPED  # no hints, or no search to use them
    sides = dict(met)
    fault = Hints(game).first_fault(in_any_order(list(sides)), TRIED)
    if fault is None and len(sides) <= SMALL:
        won = falsely_hopeless(game, list(sides))
        fault = None if won is None else ("hopeless is true, but the side to move wins", won)
    return fault and f"{fault[0]} in {show_position(game, fault[1], sides[fault[1]])}"


def winning_lines_true(game: Game, met: Sequence[Met]) -> str | None:
    """The winning lines, if there are any, are what ends the game, and every empty square may be taken."""
    return SKIPPED if game.winning_lines is None else lines_fault(game) or None


def board_as_numbered(game: Game, met: Sequence[Met]) -> str | Finding | None:
    """The board is drawn as the rules number its squares: rows are rows, and columns are columns."""
    if game.shape[0] == game.shape[1] or 1 in game.shape or isinstance(shape_fits(game, ()), Finding):
        return SKIPPED
    return note(swapped_board(game, met))


CHECKS: tuple[Check, ...] = (
    same_every_time,
    words_in_range,
    outcome_known,
    moves_matter,
    next_side_sees,
    last_move_decides,
    moves_named,
    shape_fits,
    positions_read_back,
    keys_invert,
    images_alike,
    order_complete,
    hints_true,
    winning_lines_true,
    margin_agrees,
    tier_rises,
    both_may_move,
    board_as_numbered,
    compiled_agrees,
)


def findings(game: Game, met: Sequence[Met]) -> Iterator[tuple[Check, Finding]]:
    """Each check with its finding in these positions, in order; without rules to rely on, the others are skipped."""
    for check in CHECKS:
        result = finding(check, game, met)
        yield check, result
        if check is same_every_time and result.status == "fault":
            yield from ((other, Finding("skipped")) for other in CHECKS if other is not check)
            return


def finding(check: Check, game: Game, met: Sequence[Met]) -> Finding:
    """An error of the rules is a finding, but for a call that does not return."""
    try:
        result = check(game, met)
    except NeverReturns:
        raise
    except Exception as error:
        return finding_of_error(error)
    if isinstance(result, Finding):
        return result
    return Finding("ok") if result is None else Finding("skipped") if result == SKIPPED else Finding("fault", result)


def finding_of_error(error: Exception) -> Finding:
    """A note if the rules only do not compile, else a fault."""
    line = in_one_line(error)
    if not (isinstance(error, NotCompiled) or of_numba(error)):
        return Finding("fault", line)
    from perfectplay.compiler.compiled import INTERPRETED

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
    message = [line.strip() for line in text.splitlines() if line.strip() and "nopython" not in line]
    lines = re.findall(r'File "[^"]+", line \d+:\n(?:.*\n)*?(.*)\n\s*\^', text)
    where = f" ({as_written(lines[-1].strip())})" if lines else ""
    return f"does not compile{where}: {message[0] if message else text}"


def does_not_compile(name: str, fault: Exception) -> NotCompiled:
    """The error for a game whose rules numba refuses."""
    from perfectplay.compiler.compiled import INTERPRETED

    return NotCompiled(f"{name} {in_one_line(fault)}; {INTERPRETED}")
