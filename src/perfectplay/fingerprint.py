"""A fingerprint of a game that changes when its rules do."""

import ast
from collections.abc import Iterable
from hashlib import sha256
from random import Random
from types import CodeType, FunctionType

from perfectplay.game import Game, canonical, images, legal_moves
from perfectplay.source import NoSource, gather, is_plain, rule_functions
from perfectplay.words import Position

WALKS = 40
"""Random games that a fingerprint plays, besides the positions nearest to the start."""
NEAREST = 200

LEFT_OUT = {"ctx", "type_ignores", "type_comment", "type_params", "kind"}
"""Parts of a syntax tree that say nothing about behaviour, or that not every version of Python has."""


def fingerprint(game: Game) -> str:
    """A hash of what the rules do in a few thousand positions and of how they are written, comments aside.

    The first tells apart what the text cannot show, the second what a sample would miss.
    """
    digest = sha256()
    for part in behaviour(game):
        digest.update(repr(part).encode())
    try:
        parts: Iterable[object] = [shape_of(tree) for tree in gather(rule_functions(game))[1]]
    except NoSource:
        parts = [code_of(f.__code__) for f in rule_functions(game).values() if isinstance(f, FunctionType)]
    for part in parts:
        digest.update(repr(part).encode())
    return digest.hexdigest()


def behaviour(game: Game) -> Iterable[object]:
    """What the rules answer in the positions nearest to the start and along random games."""
    yield game.start, game.bits, images(game).count
    met = nearest(game)
    rng = Random(1)
    for _ in range(WALKS):
        position = game.start
        for _ in range(100):
            legal = legal_moves(game, position)
            if not legal:
                break
            position = game.play(*position, rng.choice(legal))
            met.append(position)
    smallest = canonical(game)
    for position in dict.fromkeys(met):
        legal = legal_moves(game, position)
        key = game.key and game.key(*position)
        yield position, game.outcome(*position), [(m, *game.play(*position, m)) for m in legal], key
    for position in met[:: max(1, len(met) // 100)]:
        yield smallest(*position)


def nearest(game: Game) -> list[Position]:
    """The positions that a walk from the start in all directions meets first."""
    found = {game.start: None}
    waiting = [game.start]
    for position in waiting:
        if len(found) >= NEAREST:
            break
        for move in legal_moves(game, position):
            child = game.play(*position, move)
            if child not in found:
                found[child] = None
                waiting.append(child)
    return waiting


def shape_of(node: object) -> object:
    """A syntax tree as nested tuples, the same in every version of Python."""
    if isinstance(node, ast.AST):
        parts = [(name, shape_of(part)) for name, part in ast.iter_fields(node) if name not in LEFT_OUT]
        return type(node).__name__, *(pair for pair in parts if pair[1] not in ((), None))
    if isinstance(node, list):
        return tuple(shape_of(part) for part in node)
    return node


def code_of(code: CodeType) -> object:
    """What is left of a function without source: its byte code and constants."""
    return code.co_code, code.co_names, [part for part in code.co_consts if is_plain(part)]
