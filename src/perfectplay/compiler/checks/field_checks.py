"""Checks of the fields that few games need: margin, tier and impartial."""

from collections.abc import Callable, Sequence

from perfectplay.compiler.checks.findings import SKIPPED
from perfectplay.compiler.checks.sample_positions import Met, child_positions, sample_moves
from perfectplay.game import Game
from perfectplay.rules.notation import VALUE_NAMES, move_name, plies_text, show_position
from perfectplay.rules.stone_keys import GRAIN
from perfectplay.words import LOSS, ONGOING, Position, Sides

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
