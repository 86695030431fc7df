"""Positions at which to check rules: all of a small game, else those of random games and all near their last plies."""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from random import Random
from typing import NamedTuple, TypeVar

from perfectplay.game import Game, legal_moves, moves_again
from perfectplay.rules.loading import bad_play
from perfectplay.words import FIRST, Move, Position

SMALL = 20_000
"""The most positions, seen by either side, of a game that is checked at all of them."""
MANY = 6_000
"""The least number of positions checked in a larger game."""
LAST_PLIES = 6
"""Plies before the end of a random game from which all moves and all replies are visited."""
LONGEST = 200
MIXED = 2_000
"""More positions than this are mixed."""

T = TypeVar("T")


class Met(NamedTuple):
    """A position from play, and the side to move."""

    position: Position
    side: int


def random_positions(game: Game, walks: int, seed: int, longest: int = LONGEST) -> list[Met]:
    """The positions of random games, each once, in the order of play."""
    trails = random_trails(game, Met(game.start, FIRST), walks, seed, longest)
    return list(dict.fromkeys(met for trail in trails for met in trail))


def random_trails(game: Game, start: Met, walks: int, seed: int, longest: int = LONGEST) -> Iterator[list[Met]]:
    """The positions of random games from there, game by game."""
    rng = Random(seed)
    for _ in range(walks):
        met, trail = start, []
        for _ in range(longest):
            trail.append(met)
            legal = legal_moves(game, met.position)
            if not legal:
                break
            met = following(game, met, rng.choice(legal))
        yield trail


def positions_to_check(
    game: Game, walks: int, seed: int, start: Position | None = None, most: int = SMALL
) -> list[Met]:
    """All positions from the start, or from another position, if there are at most `most`; else some of them.

    Those are the positions of random games, with all moves and replies near the last plies of each: hints and outcomes
    matter most where games end.
    """
    first = Met(game.start if start is None else start, FIRST)
    everything = all_positions(game, first, most)
    if everything is not None:
        return everything
    trails = list(random_trails(game, first, walks, seed))
    positions = dict.fromkeys(met for trail in trails for met in trail)
    for back in range(1, LAST_PLIES + 1):
        for trail in trails:
            for met in next_two_plies(game, trail[max(0, len(trail) - 1 - back)]):
                if len(positions) >= min(most, MANY):
                    return list(positions)
                positions[met] = None
    return list(positions)


def all_positions(game: Game, start: Met, most: int) -> list[Met] | None:
    """All positions from there, or None if there are too many."""
    members = {start}
    waiting = [start]
    for met in waiting:
        for child in child_positions(game, met):
            if child not in members:
                members.add(child)
                waiting.append(child)
        if len(members) > most:
            return None
    return waiting


def next_two_plies(game: Game, met: Met) -> Iterator[Met]:
    """The positions after each move, and after each reply."""
    for child in child_positions(game, met):
        yield child
        yield from child_positions(game, child)


def child_positions(game: Game, met: Met) -> list[Met]:
    """The positions after each move."""
    return [following(game, met, move) for move in legal_moves(game, met.position)]


def following(game: Game, met: Met, move: Move) -> Met:
    """The position after the move, and the side to move; raises BadGame if it is no pair, so that no rule gets it."""
    child = game.play(*met.position, move)
    if not (isinstance(child, tuple) and len(child) == 2):
        raise bad_play(game, *met, move, child)
    return Met(child, met.side if moves_again(game, met.position, move) else 1 - met.side)


def sample_moves(game: Game, met: Sequence[Met], most: int) -> Iterator[tuple[Met, Move, Met]]:
    """Moves in the positions, each with the position before and after it, at most so many; all kinds come early."""
    every = ((one, move) for one in in_any_order(met) for move in legal_moves(game, one.position))
    return ((one, move, following(game, one, move)) for one, move in islice(every, most))


def in_any_order(items: Sequence[T]) -> Sequence[T]:
    """The same items; if there are many, mixed so that the first ones are of all kinds."""
    return items if len(items) <= MIXED else Random(1).sample(items, len(items))


# The findings of checks of the rules.


class Finding(NamedTuple):
    """The result of a check: its status is ok, skipped, note or fault; the line says what to know or to repair."""

    status: str
    line: str | None = None


Check = Callable[[Game, Sequence[Met]], str | Finding | None]
"""Takes positions from play; returns one line on the first fault, None if there is none, SKIPPED, or a Finding."""

SKIPPED = "skipped"
"""The result of a check that does not apply to the game."""


def note(line: str | None) -> Finding | None:
    """A note with this line, if there is one: it is allowed but worth knowing."""
    return None if line is None else Finding("note", line)
