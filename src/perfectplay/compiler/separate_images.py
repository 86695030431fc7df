"""Finds out from the source of `image` whether it maps each word by itself.

Children often share a word: the one that the move does not change. Where words are mapped separately, the images of
that word are compared once, and only those that tie are made of the other one.
"""

import ast
from collections.abc import Callable
from typing import Any

from perfectplay.rules.source import gather

NAMED_INSIDE = (ast.Lambda, ast.NamedExpr, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
"""Expressions that name things of their own."""
Needs = dict[str, set[str]]
"""The parameters that each name depends on."""


def maps_words_separately(image: Callable[..., Any]) -> bool:
    """Whether the first word of an image depends only on the first word and the number, and the second likewise."""
    names, trees = gather({"image": image})
    tree = next(tree for tree in trees if isinstance(tree, ast.FunctionDef) and tree.name == names["image"])
    mine, theirs, number = (argument.arg for argument in tree.args.args)
    returned = tree.body[-1]
    if not isinstance(returned, ast.Return) or not isinstance(returned.value, ast.Tuple):
        return False
    needs: Needs = {name: {name} for name in (mine, theirs, number)}
    try:
        while True:  # until nothing is added, since loops carry values on
            before = sum(map(len, needs.values()))
            add_needs(tree.body[:-1], set(), needs)
            if sum(map(len, needs.values())) == before:
                break
        first, second = (needed(word, needs) for word in returned.value.elts)
    except ValueError:
        return False
    return theirs not in first and mine not in second


def add_needs(statements: list[ast.stmt], control: set[str], needs: Needs) -> None:
    """Adds what the names that these statements assign depend on; raises ValueError for other statements."""
    for statement in statements:
        match statement:
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)) if len(names) == len(values):
                for name, value in zip(names, values, strict=True):
                    add_need(name, needed(value, needs) | control, needs)
            case ast.Assign(targets=targets, value=value):
                for name in targets:
                    add_need(name, needed(value, needs) | control, needs)
            case ast.AugAssign(target=name, value=value):
                add_need(name, needed(value, needs) | control, needs)
            case ast.If(test=test, body=body, orelse=orelse) | ast.While(test=test, body=body, orelse=orelse):
                add_needs([*body, *orelse], control | needed(test, needs), needs)
            case ast.For(target=name, iter=values, body=body, orelse=orelse):
                add_need(name, needed(values, needs) | control, needs)
                add_needs([*body, *orelse], control | needed(values, needs), needs)
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                pass
            case _:
                raise ValueError


def add_need(target: ast.expr, found: set[str], needs: Needs) -> None:
    """Adds what a target depends on, to each name in it."""
    for node in ast.walk(target):
        if isinstance(node, ast.Name):
            needs.setdefault(node.id, set()).update(found)
        elif not isinstance(node, ast.Tuple | ast.Store):
            raise ValueError


def needed(expression: ast.expr, needs: Needs) -> set[str]:
    """The parameters that an expression depends on; raises ValueError where it names things of its own."""
    found: set[str] = set()
    for node in ast.walk(expression):
        if isinstance(node, NAMED_INSIDE):
            raise ValueError
        if isinstance(node, ast.Name):
            found |= needs.get(node.id, set())
    return found
