"""Proofs by interval analysis about gathered rules, each called within its contract."""

import ast
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from perfectplay.compiler.intervals.facts import Function, OutsideSubset, Value
from perfectplay.compiler.intervals.interval import Interval
from perfectplay.compiler.intervals.interval_rules import Rules


class Contract(NamedTuple):
    """The arguments of a rule and its possible results."""

    arguments: Sequence[Interval]
    result: Value | None = None


class Proofs:
    """The doubts that intervals leave about gathered functions, each called within its contract."""

    def __init__(self, trees: Sequence[ast.stmt], roots: Mapping[str, Contract], bits: int = 64) -> None:
        self.doubts: dict[ast.AST, set[str]] = {}
        self.numbers: dict[ast.expr, Interval] = {}
        """The values of each expression."""
        self.blind: set[str] = set()
        """Functions not analysed for all their possible arguments."""
        self.broken: set[str] = set()
        """Roots whose results are not proven to keep the contract."""
        for name, contract in roots.items():
            rules = Rules(list(trees), bits=bits)
            try:
                returned = rules.call(name, contract.arguments)[1]
            except OutsideSubset:
                self.blind |= callees_of(name, rules.trees)
                self.broken.add(name)
                continue
            if not within(returned, contract.result):
                self.broken.add(name)
            for function in rules.ordered:
                self.learn(function)

    def learn(self, function: Function) -> None:
        """Adds the doubts about a function, and the values of its expressions."""
        for node, doubts in function.doubts.items():
            self.doubts.setdefault(node, set()).update(doubts)
        for expression, value in function.numbers.items():
            self.numbers[expression] = value.joined(self.numbers.get(expression, value))


def within(value: Value, limits: Value | None) -> bool:
    """Whether a value is proven to be as wanted; None accepts anything."""
    if limits is None:
        return True
    if isinstance(value, Interval) and isinstance(limits, Interval):
        return limits.holds(value)
    if isinstance(value, tuple) and isinstance(limits, tuple) and len(value) == len(limits):
        return all(within(one, other) for one, other in zip(value, limits, strict=True))
    return False


def callees_of(name: str, trees: Mapping[str, ast.FunctionDef]) -> set[str]:
    """The function and all functions that it may call."""
    callees, waiting = {name}, [name]
    while waiting:
        for node in ast.walk(trees[waiting.pop()]):
            if isinstance(node, ast.Name) and node.id in trees and node.id not in callees:
                callees.add(node.id)
                waiting.append(node.id)
    return callees
