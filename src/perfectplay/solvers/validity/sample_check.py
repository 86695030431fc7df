"""Checks a sample of a solution by the interpreted rules, whichever engine made it.

For each position: its key inverts, its entry follows from its children's entries, and a random image of it has the same
outcome, the same canonical form and children of the same canonical forms.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from random import Random
from typing import NamedTuple

from perfectplay.bits import bit_numbers
from perfectplay.game import Game, end_entry, images, legal_moves, moves_again, quick_canonical
from perfectplay.rules.notation import entry_text
from perfectplay.solvers.table.table import Table, keys_of
from perfectplay.words import ONGOING, Entry, Position

SAMPLE = 20_000
"""Entries that every full check of a table samples by the interpreted rules, besides positions met in play."""
MET = 4
"""Entries for each additional position met in play."""
AFTER_SOLVE = 1_000
PLAYED = 10_000
"""The most entries sampled and moves made after a solve: about a second."""
LONGEST = 400
"""Plies after which a random game is abandoned."""
AT_ONCE = 5_000
"""Positions whose children are looked up together in key order, so that each block is unpacked once."""


class Entries(NamedTuple):
    """Entries to check: their number, the keys at given places in order, and the entries of given keys."""

    game: Game
    classes: int
    keys_at: Callable[[list[int]], list[int]]
    entries_of: Callable[[Iterable[int]], dict[int, Entry | None]]


class Fault(NamedTuple):
    """A fault, with the function to blame first if it is known, and its position."""

    text: str
    position: Position


class Node(NamedTuple):
    """A position under the rules: the keys of its class and of its children's classes, and its outcome."""

    position: Position
    key: int
    outcome: int
    margin: int
    tier: int
    children: list[int]
    again: list[bool]
    """Of each child: whether the same side is to move there."""


def in_table(table: Table) -> Entries:
    """The entries of a table."""
    reader = table.reader

    def keys_at(places: list[int]) -> list[int]:
        size = reader.header.block
        return [reader.cached_block(place // size).key(place % size) for place in places]

    def entries_of(keys: Iterable[int]) -> dict[int, Entry | None]:
        grades = {key: reader.grade(key) for key in sorted(keys)}
        return {key: reader.grades.entry(grade) if grade else None for key, grade in grades.items()}

    return Entries(table.game, len(table), keys_at, entries_of)


def no_entries(game: Game) -> Entries:
    """No entries: where a solve keeps none, only the rules are checked."""
    return Entries(game, 0, lambda places: [], lambda keys: {})


def fault_in_sample(solution: Entries, size: int, seed: int) -> Iterator[tuple[int, Fault | None]]:
    """After each batch, the number of positions checked and the fault found; ends at the first fault."""
    checker = PositionChecker(solution.game, seed)
    rng = Random(seed)
    some = solution.classes > 0
    size = min(size, solution.classes) if some else size
    borders = [i * solution.classes // size for i in range(size + 1)]
    places = [rng.randrange(begin, end) for begin, end in pairwise(borders)] if some else []
    count = 0
    for begin in range(0, size, AT_ONCE):
        keys = solution.keys_at(places[begin : begin + AT_ONCE])
        positions = [checker.unkey(key) for key in keys]
        positions += met_in_play(solution.game, -(-min(AT_ONCE, size - begin) // MET), rng)
        fault = checker.fault(positions, keys)
        if fault is None and some:
            fault = checker.fault_of_entries(solution)
        count += len(positions)
        yield count, fault
        if fault is not None:
            return


def met_in_play(game: Game, count: int, rng: Random) -> list[Position]:
    """`count` positions from random games."""
    positions: list[Position] = []
    while len(positions) < count:
        position = game.start
        for _ in range(LONGEST):
            positions.append(position)
            legal = legal_moves(game, position)
            if not legal or len(positions) == count:
                break
            position = game.play(*position, rng.choice(legal))
    return positions


def size_after_solve(game: Game) -> int:
    """The number of entries to sample after a solve; fewer where positions have many moves."""
    met = met_in_play(game, 100, Random(1))
    widest = max(len(legal_moves(game, position)) for position in met)
    return max(50, min(AFTER_SOLVE, PLAYED // (2 * widest + 2)))


class PositionChecker:
    """Checks positions, batch by batch."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game, self.rng = game, Random(seed)
        self.key, self.unkey = keys_of(game)
        self.turns = images(game)
        self.smallest = quick_canonical(game)
        self.nodes: list[Node] = []

    def fault(self, positions: list[Position], keys: list[int]) -> Fault | None:
        """The first fault in rules, keys or symmetries; remembers the positions for `fault_of_entries`."""
        self.nodes = []
        for at, position in enumerate(positions):
            fault = self.fault_of_key(position, keys[at] if at < len(keys) else None)
            if fault is None:
                self.nodes.append(self.look(position))
                if self.turns.count > 1:
                    fault = self.fault_of_image(self.nodes[-1], self.rng.randrange(1, self.turns.count))
            if fault is not None:
                return Fault(fault, position)
        return None

    def look(self, position: Position) -> Node:
        """The position under the rules."""
        game = self.game
        outcome = game.outcome(*position)
        legal = bit_numbers(game.moves(*position)) if outcome == ONGOING else []
        children = [self.key(*self.smallest(*game.play(*position, move))) for move in legal]
        again = [moves_again(game, position, move) for move in legal]
        margin = 0 if game.margin is None or outcome == ONGOING else game.margin(*position)
        tier = 0 if game.tier is None else game.tier(*position)
        return Node(position, self.key(*self.smallest(*position)), outcome, margin, tier, children, again)

    def fault_of_key(self, position: Position, key: int | None) -> str | None:
        """The fault of the key: it does not invert, or the table's key is not canonical."""
        for words in (position, self.smallest(*position)):
            number = self.key(*words)
            if self.unkey(number) != words:
                return f"key: the key of {words} is {number}, and unkey({number}) is {self.unkey(number)}"
        if key is not None and self.key(*self.smallest(*position)) != key:
            return f"symmetries or key: {position} of key {key} is not the canonical form of its class"
        return None

    def fault_of_image(self, here: Node, i: int) -> str | None:
        """The fault of one image of the position."""
        other = self.look(self.turns.image(*here.position, i))
        same = f"symmetries: image {i} of {here.position} is {other.position}, which"
        if other.key != here.key:
            return f"{same} has another canonical form"
        if other.outcome != here.outcome:
            return f"{same} has the outcome {other.outcome}, not {here.outcome}"
        if other.margin != here.margin:
            return f"{same} has the margin {other.margin}, not {here.margin}"
        if other.tier != here.tier:
            return f"{same} has the tier {other.tier}, not {here.tier}"
        if sorted(zip(other.children, other.again, strict=True)) != sorted(zip(here.children, here.again, strict=True)):
            return f"{same} has other moves"
        return None

    def fault_of_class(self, position: Position) -> str | None:
        """The first fault of a canonical position, of its images, or of their children."""
        fault = self.fault_of_key(position, self.key(*position)) or self.fault_of_images(position)
        if fault is not None:
            return fault
        orbit = {self.turns.image(*position, i): i for i in reversed(range(self.turns.count))}
        below = (self.game.play(*one, move) for one in orbit for move in legal_moves(self.game, one))
        faults = (self.fault_of_key(one, None) or self.fault_of_stray(one) for one in (*orbit, *below))
        return next(filter(None, faults), None)

    def fault_of_images(self, position: Position) -> str | None:
        """The first fault of an image of the position."""
        here = self.look(position)
        faults = (self.fault_of_image(here, i) for i in range(1, self.turns.count))
        return next(filter(None, faults), None)

    def fault_of_stray(self, position: Position) -> str | None:
        """The fault of a position that is none of the images of its canonical form."""
        least = self.smallest(*position)
        if any(self.turns.image(*least, i) == position for i in range(self.turns.count)):
            return None
        return f"symmetries: {least} is the canonical form of {position}, which is none of its images"

    def fault_of_entries(self, solution: Entries) -> Fault | None:
        """The first position of the batch whose entry does not follow from its children's."""
        game = self.game
        keys = {key for node in self.nodes for key in (node.key, *node.children)}
        entries = solution.entries_of(keys)
        for node in self.nodes:
            entry, children = entries[node.key], [entries[key] for key in node.children]
            if entry is None:
                return Fault(f"{node.position} is met in play, but has no entry", node.position)
            values = [
                child.before(again) for child, again in zip(children, node.again, strict=True) if child is not None
            ]
            if len(values) < len(children):
                return Fault(f"after {node.position}, a child cannot be reached: it has no entry", node.position)
            right = max(values, key=Entry.preference) if node.outcome == ONGOING else end_entry(game, node.position)
            if entry != right:
                text = f"{node.position} has {entry_text(entry)}, but its moves give {entry_text(right)}"
                return Fault(text, node.position)
        return None
