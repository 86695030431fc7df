"""The ways into a game, ply by ply, no two to positions that are alike by symmetry."""

from collections.abc import Iterator
from itertools import count
from random import Random
from typing import NamedTuple

from perfectplay.game import Game, after, canonical, legal_moves
from perfectplay.players.named.hasty import sensible_moves
from perfectplay.rules.notation import move_name
from perfectplay.words import FIRST, ONGOING, Move, Position, Turn

LISTED = 5_000
"""Ways of one ply that are listed; of more, some are drawn at random."""
DRAWN = 300
"""Random games of one ply at most."""
MOST_PLIES = 100
FEW_MOVES = 12
"""Up to this many moves, a random game leaves out those that overlook a win at once."""


class Way(NamedTuple):
    """A position that is not over, the side to move, and the moves that lead there from the start."""

    position: Position
    side: int
    moves: tuple[Move, ...]


class Ply(NamedTuple):
    """The ways of one ply in random order; `listed` if there are no others."""

    number: int
    ways: Iterator[Way]
    listed: bool


def plies(game: Game, rng: Random) -> Iterator[Ply]:
    """The plies one after another, from the first move on; each position comes at the ply at which it is first met."""
    same = canonical(game)
    seen, level = {same(*game.start)}, [Way(game.start, FIRST, ())]
    for number in count(1):
        if sum(len(legal_moves(game, way.position)) for way in level) > LISTED:
            break
        fresh = next_level(game, level, seen)
        seen |= fresh.keys()
        level = [way for way in fresh.values() if game.outcome(*way.position) == ONGOING]
        if not level:
            return
        rng.shuffle(level)
        yield Ply(number, iter(level), listed=True)
    for deeper in range(number, MOST_PLIES):
        dice = Random(rng.random())  # the ways are made when they are wanted: others must not change them
        yield Ply(deeper, drawn(game, deeper, dice), listed=False)


def next_level(game: Game, level: list[Way], seen: set[Position]) -> dict[Position, Way]:
    """The ways that are one move longer, by the canonical position; none to a position that has been seen."""
    same, fresh = canonical(game), dict[Position, Way]()
    for way in level:
        for move in legal_moves(game, way.position):
            position, side = after(game, way.position, way.side, move)
            key = same(*position)
            if key not in seen:
                fresh.setdefault(key, Way(position, side, (*way.moves, move)))
    return fresh


def drawn(game: Game, plies: int, rng: Random) -> Iterator[Way]:
    """Ways of so many plies, from random games that last longer."""
    same, seen = canonical(game), set[Position]()
    for _ in range(DRAWN):
        turn, moves = (game.start, FIRST), list[Move]()
        while len(moves) < plies and game.outcome(*turn[0]) == ONGOING:
            moves.append(rng.choice(fair_moves(game, turn)))
            turn = after(game, *turn, moves[-1])
        key = same(*turn[0])
        if game.outcome(*turn[0]) == ONGOING and key not in seen:
            seen.add(key)
            yield Way(*turn, tuple(moves))


def fair_moves(game: Game, turn: Turn) -> list[Move]:
    """The moves of a random game: where there are few, those that take or stop a win at once."""
    legal = legal_moves(game, turn[0])
    return sensible_moves(game, turn[0]) if len(legal) <= FEW_MOVES else legal


def names_of(game: Game, way: Way) -> tuple[str, ...]:
    """The moves by name."""
    turn, names = (game.start, FIRST), list[str]()
    for move in way.moves:
        names.append(move_name(game, *turn, move))
        turn = after(game, *turn, move)
    return tuple(names)
