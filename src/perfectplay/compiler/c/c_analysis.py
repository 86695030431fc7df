"""Rules analysed for C: called with all that positions and moves can be, and with numbers that C's words hold."""

import ast
from collections.abc import Callable, Mapping
from typing import TypeVar

from perfectplay.compiler.intervals.facts import OVERFLOW, Function, OutsideSubset
from perfectplay.compiler.intervals.interval import Interval
from perfectplay.compiler.intervals.interval_rules import Rules
from perfectplay.compiler.intervals.plain_forms import plain_forms

T = TypeVar("T")


def analysed(trees: list[ast.stmt], calls: Callable[[Rules], T]) -> tuple[Rules, T]:
    """Rules as some calls of them use them, and what came of these.

    A function has the tuples that it is given as constants, until one call gives it different ones.
    """
    plain, loose = plain_forms(trees), frozenset[tuple[str, str]]()
    while True:
        rules = Rules(plain, loose)
        found = calls(rules)
        if rules.varied <= loose:
            return rules, found
        loose |= rules.varied


def check_fits(function: Function) -> None:
    """Raises OutsideSubset for numbers that C's words may not hold, and for calls of more than one function."""
    for node, doubts in function.doubts.items():
        if OVERFLOW in doubts:
            raise function.refusal(node, OVERFLOW)
    for node in function.varied:
        raise function.refusal(node, "different tuples in turn are not handed on")


def called_as_played(rules: Rules, names: Mapping[str, str], bits: int) -> Interval:
    """Calls the rules with all that positions and moves can be; returns how large a word of moves can get."""
    word = Interval(0, (1 << bits) - 1)
    _, legal = rules.call(names["moves"], [word, word])
    if not isinstance(legal, Interval):
        raise OutsideSubset("moves returns a tuple")
    moves = Interval(0, max(legal.most, 1))
    move = Interval(0, moves.most.bit_length() - 1)
    _, after = rules.call(names["play"], [word, word, move])
    if not isinstance(after, tuple) or len(after) != 2:
        raise OutsideSubset("play does not return a position")
    for name in names.keys() - {"moves", "play"}:
        rules.call(names[name], [word, word, move][: 3 if name == "again" else 2])
    return moves
