"""Retrograde analysis in plain Python, for small games with or without cycles.

The forward pass lists every reachable position with its children. The backward pass propagates values from finished
positions, the nearest first: a position with a lost child is won, a position whose children are all won is lost.
Where a side moves again, the child is seen by the same side. In a game for points, which cannot repeat, a position is
decided when all its children are.
"""

import time
from collections.abc import Sequence
from functools import lru_cache
from math import inf
from typing import NamedTuple

from perfectplay.compiler.known_rules import digest_of, is_known, remember
from perfectplay.game import Game, is_position
from perfectplay.rules.loading import bad_play, checked_moves, checked_outcome
from perfectplay.solvers.forecast import expected_positions, expected_with_cycles, longest_game, most_positions
from perfectplay.words import DRAW, FIRST, LOSS, ONGOING, REPEATS, WIN, BadGame, Entry, PointsEntry, Position

SMALL = 100_000
"""Up to this many positions, plain Python takes about a second, as long as loading numba and compiled rules."""
NOT_SMALL = f"more than {SMALL} positions"
"""What is remembered of games that are not small."""
LOOKED_AT = 3_000
"""Positions after which a forecast decides whether a game is small."""

REACHED = 4
"""Of so many keys without gaps, about one is a reachable position: so it is in men's morris with 6 and 9 men."""
WELL_KNOWN = 60_000
"""Positions after which a forecast is right within a factor of ten."""


class Reached:
    """The positions reachable from the start, their outcomes and their children's numbers; stops after `most`.

    It also stops when this thread has worked for so many `seconds`, and then has no further plies.
    """

    def __init__(self, game: Game, most: float = inf, seconds: float = inf) -> None:
        self.game, self.most = game, most
        self.end = inf if seconds == inf else time.thread_time() + seconds
        self.late = False
        self.positions = [game.start]
        self.numbers = {game.start: 0}
        self.outcomes: list[int] = []
        self.children: list[list[int]] = []
        self.again: list[int] = []
        """For each position the places in its list of children, as bits, after which the same side moves again."""
        self.entries: list[Entry] = []
        """The entry of each position, once all are solved."""
        self.sizes: list[int] = []

    def next_ply(self) -> bool:
        """Expands one ply; returns whether there are new positions."""
        moves, play, outcome, again = self.game.moves, self.game.play, self.game.outcome, self.game.again
        positions, numbers, bits = self.positions, self.numbers, self.game.bits
        begin, end = len(self.outcomes), len(positions)
        count = end
        self.sizes.append(end - begin)
        for mine, theirs in positions[begin:end]:
            if count > self.most:
                break
            if len(self.outcomes) & 255 == 255 and time.thread_time() > self.end:
                self.late = True
                return False
            here: list[int] = []
            same = 0
            ended = outcome(mine, theirs)
            legal = moves(mine, theirs) if ended == ONGOING else 0
            if ended.__class__ is not int:
                checked_outcome(self.game, (mine, theirs), FIRST)
            if (ended == ONGOING) != (legal > 0) or not LOSS <= ended <= ONGOING:
                checked_outcome(self.game, (mine, theirs), FIRST)
                checked_moves(self.game, (mine, theirs), FIRST)
                raise BadGame(f"the rules answer differently when they are asked twice, at {(mine, theirs)}")
            while legal:
                move = (legal & -legal).bit_length() - 1
                child = play(mine, theirs, move)
                if again is not None and again(mine, theirs, move):
                    same |= 1 << len(here)
                number = numbers.get(child)
                if number is None:
                    if not is_position(child, bits):
                        raise bad_play(self.game, (mine, theirs), FIRST, move, child)
                    number = numbers[child] = count
                    positions.append(child)
                    count += 1
                here.append(number)
                legal &= legal - 1
            self.outcomes.append(ended)
            self.children.append(here)
            self.again.append(same)
        return count > end

    def expected(self) -> int:
        """The forecast number of positions; the number found so far where no forecast is possible."""
        newest = self.positions[len(self.outcomes) :]
        if len(self.positions) > self.most or not plies_show(self.game, newest, len(self.sizes)):
            return len(self.positions)
        return expected_positions([*self.sizes, len(newest)], longest_game(self.game), most_positions(self.game))


def plies_show(game: Game, positions: Sequence[Position], plies: int) -> bool:
    """Whether each of the positions shows that so many plies were made: by a bit for each, or by its tier."""
    marks, tier = bits_set(game.start) + plies, game.tier
    if all(bits_set(position) == marks for position in positions):
        return True
    return tier is not None and all(tier(*one) == tier(*game.start) + plies for one in positions)


def bits_set(position: Position) -> int:
    """The number of bits set in both words."""
    return position[0].bit_count() + position[1].bit_count()


def solved_positions(game: Game) -> dict[Position, Entry]:
    """The entry of every reachable position."""
    reached = Reached(game)
    while reached.next_ply():
        pass
    return solved(reached)


def solved_if_small(game: Game, seconds: float = inf) -> dict[Position, Entry] | None:
    """The entry of every reachable position, or None where `reached_if_small` gives up."""
    reached = reached_if_small(game, seconds)
    return None if reached is None else solved(reached)


def reached_if_small(game: Game, seconds: float = inf) -> Reached | None:
    """All reachable positions, or None as soon as the game turns out not to be small.

    None also if the forward pass takes more than so many seconds of this thread.
    """
    if is_known(digest_of(game), NOT_SMALL):
        return None
    reached, look = Reached(game, SMALL, seconds), LOOKED_AT
    while reached.next_ply():
        if len(reached.positions) > look:
            if reached.expected() > SMALL:
                return None
            look = 2 * len(reached.positions)
    if reached.late:
        return None
    if len(reached.positions) > SMALL:
        remember(digest_of(game), NOT_SMALL)
        return None
    return reached


def is_larger(game: Game, count: int) -> bool:
    """Whether the game has more positions than this, by a forecast; False where games may not end.

    An early forecast can be a thousand times too high, a later one can be several times too low.
    """
    reached, found, expected = Reached(game, 4 * WELL_KNOWN), 0, 0
    while found <= WELL_KNOWN and reached.next_ply():
        found = len(reached.positions)
        if LOOKED_AT < found <= reached.most:
            expected = reached.expected()
        if expected > 1000 * count:
            return True
    return expected > count


class Size(NamedTuple):
    """About how many positions a game has, exact if small, and how many moves a position has on average.

    If the first plies do not tell, since positions may repeat, it is `cyclic`, and may be a lower bound, `least`.
    """

    positions: int
    moves: float
    cyclic: bool = False
    least: bool = False


def forecast_count(game: Game) -> int | None:
    """About how many positions the game has, exact for a small one; None where the first plies do not tell."""
    size = size_of(game)
    return None if size.cyclic else size.positions


@lru_cache(maxsize=64)
def size_of(game: Game) -> Size:
    """The size of the game, from its first plies."""
    reached = Reached(game, 4 * WELL_KNOWN)
    while reached.next_ply():
        if len(reached.positions) > WELL_KNOWN:
            sizes = [*reached.sizes, len(reached.positions) - len(reached.outcomes)]
            if len(reached.positions) > reached.most:  # the newest ply is not whole
                sizes.pop()
            begin = sum(sizes[:-1])
            moves, most = moves_of(reached), most_positions(game)
            if game.keys:
                return Size(min(game.keys // REACHED, most), moves)
            if plies_show(game, reached.positions[begin : begin + sizes[-1]], len(sizes) - 1):
                return Size(expected_positions(sizes, longest_game(game), most), moves)
            if len(reached.positions) > SMALL:
                _, likely, least = expected_with_cycles(sizes, most)
                return Size(likely, moves, True, least)
    return Size(len(reached.positions), moves_of(reached))


def moves_of(reached: Reached) -> float:
    """The moves of a position on average."""
    return sum(map(len, reached.children)) / len(reached.children)


def solved(reached: Reached) -> dict[Position, Entry]:
    """The entries of the positions reached, which must be all positions; raises BadGame."""
    return dict(zip(reached.positions, entries_of(reached), strict=True))


def entries_of(reached: Reached) -> list[Entry]:
    """The same, in the order in which the positions were reached."""
    reached.entries = best_distances(reached) if reached.game.margin is None else best_margins(reached)
    return reached.entries


def parents_of(reached: Reached) -> list[list[int]]:
    """The parents of each position, by number; ~number where the same side moves again."""
    parents: list[list[int]] = [[] for _ in reached.children]
    for number, (here, again) in enumerate(zip(reached.children, reached.again, strict=True)):
        for place, child in enumerate(here):
            parents[child].append(~number if again >> place & 1 else number)
    return parents


def best_distances(reached: Reached) -> list[Entry]:
    """The entry of each position, by retrograde analysis; positions that stay undecided are endless draws."""
    parents = parents_of(reached)
    ended = {value: Entry(value, 0) for value in (LOSS, DRAW, WIN)}
    entries = [ended.get(outcome) for outcome in reached.outcomes]
    undecided = [len(here) for here in reached.children]

    def propagate_from(ends: list[int]) -> None:
        distance = 0
        while ends:
            distance += 1
            earlier = {value: Entry(value, distance) for value in (LOSS, DRAW, WIN)}
            fresh = []
            for end in ends:
                value = entries[end].value  # type: ignore[union-attr]
                for number in parents[end]:
                    parent, entry = (number, earlier[-value]) if number >= 0 else (~number, earlier[value])
                    if entries[parent] is None:
                        undecided[parent] -= 1
                        if entry.value != LOSS or undecided[parent] == 0:
                            entries[parent] = entry
                            fresh.append(parent)
            ends = fresh

    propagate_from([number for number, outcome in enumerate(reached.outcomes) if outcome in (LOSS, WIN)])
    propagate_from([number for number, outcome in enumerate(reached.outcomes) if outcome == DRAW])
    endless = Entry(DRAW, None)
    return [entry or endless for entry in entries]


def best_margins(reached: Reached) -> list[Entry]:
    """The entry of each position of a game for points: the best of its children's; raises BadGame if it can repeat."""
    game, parents = reached.game, parents_of(reached)
    undecided = [len(here) for here in reached.children]
    best: list[int | None] = [None] * len(parents)
    decided = [number for number, outcome in enumerate(reached.outcomes) if outcome != ONGOING]
    for end in decided:
        best[end] = checked_margin(game, reached.positions[end], reached.outcomes[end])
    for child in decided:
        margin = best[child]
        assert margin is not None
        for number in parents[child]:
            parent, here = (number, -margin) if number >= 0 else (~number, margin)
            known = best[parent]
            best[parent] = here if known is None else max(known, here)
            undecided[parent] -= 1
            if undecided[parent] == 0:
                decided.append(parent)
    if len(decided) < len(parents):
        raise BadGame(f"{game.name} {REPEATS}")
    return [PointsEntry(margin) for margin in best if margin is not None]


def checked_margin(game: Game, position: Position, outcome: int) -> int:
    """The margin of a finished position; raises BadGame unless its sign is the outcome."""
    assert game.margin is not None
    margin = game.margin(*position)
    if not isinstance(margin, int) or (margin > 0) - (margin < 0) != outcome:
        wrong = f"{position} has the outcome {outcome} and the margin {margin}"
        raise BadGame(f"the rules break the contract: {wrong}; run perfectplay check for details")
    return margin
