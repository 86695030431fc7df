"""Policies given as a mapping: from a position or its text to a move, or to the probabilities of moves."""

from collections.abc import Mapping
from fractions import Fraction
from operator import index
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.rl.solved_positions import SolvedPositions
from perfectplay.rules.notation import parse_move, parse_position
from perfectplay.words import FIRST, SECOND, BadArgument, IllegalMove, Position

Rows = NDArray[Any]
"""A row of the probabilities of actions for each unfinished position."""


def rows_of(positions: SolvedPositions, policy: Mapping[Any, Any]) -> tuple[Rows, Rows]:
    """The rows of the player that moves first and of the one that moves second: one and the same, if they are."""
    either: dict[Position, Any] = {}
    by_text: tuple[dict[Position, Any], dict[Position, Any]] = ({}, {})
    for key, choice in policy.items():
        if isinstance(key, str):
            position, side = parse_position(positions.game, key)
            by_text[side][position] = choice
        else:
            either[position_of(positions, key)] = choice
    there = [positions.position(number) for number in positions.unfinished.tolist()]
    sides = positions.plies[:, positions.unfinished] >= 0
    rows: list[list[Any]] = [[None] * len(there), [None] * len(there)]
    for place, position in enumerate(there):
        for side in (FIRST, SECOND):
            if sides[side, place]:
                # a text stands for both sides, if the other has none
                tables = by_text[side], either, by_text[1 - side]
                rows[side][place] = next((one[position] for one in tables if position in one), None)
    refuse_missing(positions, rows, sides)
    differ = any(a is not None and b is not None and a is not b for a, b in zip(*rows, strict=True))
    merged = [a if a is not None else b for a, b in zip(*rows, strict=True)]
    first = as_rows(positions, merged, None)
    if not differ:
        return first, first
    return first, as_rows(positions, [b if b is not None else a for a, b in zip(*rows, strict=True)], SECOND)


def position_of(positions: SolvedPositions, key: Any) -> Position:
    """The position that a key means."""
    try:
        mine, theirs = map(index, key)
    except (TypeError, ValueError):
        raise BadArgument(
            f"{key!r} is no position: a mapping has positions (mine, theirs) or texts such as "
            f"{positions.text(positions.graph.number(positions.game.start))!r}"
        ) from None
    return mine, theirs


def refuse_missing(positions: SolvedPositions, rows: list[list[Any]], sides: NDArray[np.bool_]) -> None:
    """Raises BadArgument if a position has no entry."""
    gaps = [
        (place, side)
        for place in range(positions.unfinished.size)
        for side in (FIRST, SECOND)
        if sides[side, place] and rows[side][place] is None
    ]
    if gaps:
        place, side = gaps[0]
        raise BadArgument(
            f"the table has no entry for {positions.text(int(positions.unfinished[place]), side)}; "
            f"{len(gaps):,} of {int(sides.sum()):,} positions are missing"
        )


def as_rows(positions: SolvedPositions, choices: list[Any], side: int | None) -> Rows:
    """The choices as rows: arrays as they are, moves and their probabilities in their places."""
    exact = any(isinstance(one, Fraction) for choice in choices for one in numbers_in(choice))
    rows = np.zeros((len(choices), positions.actions), object if exact else float)
    for place, (number, choice) in enumerate(zip(positions.unfinished.tolist(), choices, strict=True)):
        mover = int(positions.sides[number]) if side is None or positions.plies[side][number] < 0 else side
        rows[place] = row_of(positions, number, mover, choice)
    return rows


def numbers_in(choice: Any) -> Any:
    """The probabilities of a choice."""
    if isinstance(choice, Mapping):
        return choice.values()
    return () if isinstance(choice, (str, int)) else np.ravel(np.asarray(choice)).tolist()


def row_of(positions: SolvedPositions, number: int, side: int, choice: Any) -> Any:
    """The probability of each action by one entry of a mapping; raises BadArgument, naming the position."""
    if isinstance(choice, (str, int, np.integer)):
        choice = {choice: 1}
    if not isinstance(choice, Mapping):
        row = np.asarray(choice)
        if row.shape != (positions.actions,):
            raise BadArgument(
                f"the table has an array of shape {row.shape}, not ({positions.actions},), for "
                f"{positions.text(number, side)}"
            )
        return row
    probabilities: list[Any] = [0] * positions.actions
    for name, probability in choice.items():
        move = name if isinstance(name, str) else int(name)
        try:
            probabilities[parse_move(positions.game, positions.position(number), side, move)] += probability
        except IllegalMove as fault:
            if probability != 0:
                raise BadArgument(f"the table: {fault}, in {positions.text(number, side)}") from None
        except TypeError:
            raise BadArgument(
                f"the table has {probability!r} as a probability in {positions.text(number, side)}"
            ) from None
    return probabilities
