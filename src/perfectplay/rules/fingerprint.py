"""A fingerprint of a game that changes when its rules do."""

from collections.abc import Iterable
from hashlib import sha256
from random import Random
from weakref import WeakKeyDictionary

from perfectplay.game import Game, canonical, images, legal_moves, moves_again
from perfectplay.rules.dependencies import Dependencies, Opaque
from perfectplay.rules.source import rule_functions
from perfectplay.words import ONGOING, BadTable, Position

VERSION = "0002"
"""What every fingerprint begins with: another way to take them has another number, so that old tables are known."""
WALKS = 40
"""Random games that a fingerprint plays, besides the positions nearest to the start."""
NEAREST = 200

REFUSALS: WeakKeyDictionary[Game, str] = WeakKeyDictionary()
"""Games without a fingerprint, and why; data that changes while rules run may rest when it is looked at again."""


class NoFingerprint(BadTable):
    """Rules that could change without a trace: no table of them can be told from a table of other rules."""


def fingerprint(game: Game) -> str:
    """A hash that changes when the rules do, but not with names and comments; raises NoFingerprint.

    It is of what the rules do in a few thousand positions, and of how they are written with all data that they can
    reach. The first tells apart what the text cannot show, the second what a sample would miss.
    """
    before = dependencies_of(game)
    digest = sha256()
    for part in behaviour(game):
        digest.update(repr(part).encode())
    if before.mutable and dependencies_of(game).digest != before.digest:
        raise no_fingerprint(game, "their data changes while they run; functools.cache may remember answers")
    digest.update(before.digest.encode())
    return (VERSION + digest.hexdigest())[:64]


def dependencies_of(game: Game) -> Dependencies:
    """The dependencies of the rules; raises NoFingerprint."""
    if game in REFUSALS:
        raise NoFingerprint(REFUSALS[game])
    try:
        return Dependencies({name: rule for name, rule in rule_functions(game).items() if rule is not None})
    except Opaque as why:
        raise no_fingerprint(game, str(why)) from None


def no_fingerprint(game: Game, why: str) -> NoFingerprint:
    """The error for a game without a fingerprint, now and whenever it is asked for again."""
    REFUSALS[game] = f"no table of {game.name} can be trusted once its rules change, since {why}"
    return NoFingerprint(REFUSALS[game])


def why_no_fingerprint(game: Game) -> str | None:
    """What keeps the game from having a fingerprint; None if it has one."""
    try:
        if dependencies_of(game).mutable:
            fingerprint(game)
    except NoFingerprint as why:
        return str(why)
    return None


def rules_of(game: Game) -> str:
    """The fingerprint, or nothing for a game that has none: a table of it stays in memory."""
    try:
        return fingerprint(game)
    except NoFingerprint:
        return ""


def behaviour(game: Game) -> Iterable[object]:
    """The answers of the rules in the positions nearest to the start and along random games."""
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
        if game.again is not None:
            yield [moves_again(game, position, move) for move in legal]
        if game.margin is not None and game.outcome(*position) != ONGOING:
            yield game.margin(*position)
    for position in met[:: max(1, len(met) // 100)]:
        yield smallest(*position)


def nearest(game: Game) -> list[Position]:
    """The positions that a walk from the start in all directions meets first."""
    positions = {game.start: None}
    waiting = [game.start]
    for position in waiting:
        if len(positions) >= NEAREST:
            break
        for move in legal_moves(game, position):
            child = game.play(*position, move)
            if child not in positions:
                positions[child] = None
                waiting.append(child)
    return waiting
