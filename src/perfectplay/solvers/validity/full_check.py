"""Checks a solution completely by the interpreted rules: at every position that can be reached, not in every class.

So a rule that lies at a single position is found, wherever it lies: symmetries and keys, since the table is looked up
there; tiers; a user's hints; and entries, which must follow from those of the children.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import islice
from operator import gt

from perfectplay.bits import bit_numbers
from perfectplay.compiler.checks.hint_checks import Hints, has_hints
from perfectplay.game import end_entry, images, is_own, moves_again, quick_canonical
from perfectplay.rules.notation import entry_text, number_of
from perfectplay.solvers.memory.interpreted import Reached
from perfectplay.solvers.steps import Step, Steps
from perfectplay.solvers.table.grades import Scale, earlier_both_ways
from perfectplay.solvers.table.table import Table
from perfectplay.solvers.table.table_header import Header
from perfectplay.solvers.validity.sample_check import Fault, PositionChecker
from perfectplay.words import DRAW, LOSS, ONGOING, WIN, BadPosition, BadTable, Entry, Lookup, Position

Grades = list[int]
"""The grade of every position reached, in the same order."""


def fault_in_all(table: Table) -> Steps[Fault | None]:
    """The first fault of a table, looked up at every position that can be reached, or None."""
    most = min(table.header.positions, len(table) * images(table.game).count)
    graph = Reached(table.game, most)
    while graph.next_ply() and len(graph.positions) <= most:
        yield Step("checking", len(graph.outcomes), most)
    grade_by_key: dict[int, int] = {}
    for number in range(len(table.reader.firsts)):
        block = table.reader.block(number)
        grade_by_key.update(zip(block.keys(), block.all_grades(), strict=True))
    keys = keys_in(table, grade_by_key, graph)
    if isinstance(keys, Fault):
        return keys
    if len(graph.positions) > most:
        return Fault(f"more than its {number_of(most, 'position')} can be reached", graph.positions[-1])
    strangers = len(grade_by_key) - len(set(keys))
    if strangers:
        return Fault(f"{number_of(strangers, 'position')} cannot be reached", table.game.start)
    grades = [grade_by_key[key] for key in keys]
    fault = fault_in_solution(graph, keys, grades, table.reader.grades)
    if fault is not None:
        return fault
    counts = {table.entry_of(grade): count for grade, count in Counter(grades).items()}
    text = fault_of_counts(table.header, counts)
    return None if text is None else Fault(text, table.game.start)


def keys_in(table: Table, grade_by_key: dict[int, int], graph: Reached) -> list[int] | Fault:
    """The key of the class of every position; a fault if one is not among the known ones, or these are not in order."""
    key, unkey, smallest = table.key, table.unkey, quick_canonical(table.game)
    if len(grade_by_key) != len(table) or any(map(gt, grade_by_key, islice(grade_by_key, 1, None))):
        return Fault("its keys are not in order", table.game.start)
    keys = []
    for place, position in enumerate(graph.positions):
        number = -1
        for words in (position, smallest(*position)):
            number = key(*words)
            if unkey(number) != words:
                text = f"key: the key of {words} is {number}, and unkey({number}) is {unkey(number)}"
                return Fault(text, position)
        if number not in grade_by_key:
            parent = next((graph.positions[i] for i, below in enumerate(graph.children) if place in below), None)
            return Fault(f"after {parent}, {position} cannot be reached: it has no entry", parent or position)
        keys.append(number)
    return keys


def fault_in_solution(graph: Reached, keys: Sequence[int], grades: Grades, scale: Scale) -> Fault | None:
    """The first fault of a solution: all positions, the keys of their classes, and their grades."""
    fault = fault_of_images(graph, keys) or fault_of_grades(graph, grades, scale)
    return fault or fault_of_tiers(graph, keys) or fault_of_hints(graph, grades, scale)


def fault_of_images(graph: Reached, keys: Sequence[int]) -> Fault | None:
    """The first two positions of a class with different outcomes, or with children of different classes."""
    game, outcomes = graph.game, graph.outcomes
    firsts: dict[int, int] = {}
    children_by_key: dict[int, list[int]] = {}
    for number, (key, below) in enumerate(zip(keys, graph.children, strict=True) if images(game).count > 1 else ()):
        children = [keys[child] for child in below]
        same = graph.again[number]
        if same:
            children = [~child if same >> at & 1 else child for at, child in enumerate(children)]
        children.sort()
        first = firsts.setdefault(key, number)
        if children_by_key.setdefault(key, children) != children or outcomes[number] != outcomes[first]:
            position, other = graph.positions[number], graph.positions[first]
            checker = PositionChecker(game, 1)
            texts = map(checker.fault_of_images, (checker.smallest(*position), position, other))
            unlike = f"symmetries: {other} and {position} are of one class, but not alike"
            return Fault(next(filter(None, texts), unlike), position)
    return None


def fault_of_grades(graph: Reached, grades: Grades, scale: Scale) -> Fault | None:
    """The first position whose grade does not follow from its children's."""
    game, positions, outcomes, earlier = graph.game, graph.positions, graph.outcomes, earlier_both_ways(scale)
    before = [earlier[grade] for grade in grades]
    before_again = [earlier[grade + scale.size] for grade in grades] if game.again is not None else []
    for number, below in enumerate(graph.children):
        if outcomes[number] != ONGOING:
            right = scale.grade(end_entry(game, positions[number]))
        elif graph.again[number]:
            same = graph.again[number]
            right = max((before_again if same >> at & 1 else before)[child] for at, child in enumerate(below))
        else:
            right = max(map(before.__getitem__, below))
        if right != grades[number]:
            entry, best = (entry_text(scale.entry(grade)) for grade in (grades[number], right))
            return Fault(f"{positions[number]} has {entry}, but its moves give {best}", positions[number])
    return None


def fault_of_tiers(graph: Reached, keys: Sequence[int]) -> Fault | None:
    """The first tier that is not a whole number, decreases along a move, or is another one for an image."""
    if graph.game.tier is None:
        return None
    tiers = [graph.game.tier(*position) for position in graph.positions]
    numbers = all(isinstance(tier, int) for tier in tiers)
    for number, tier in enumerate(tiers):
        lower = next((tiers[child] for child in graph.children[number] if numbers and tiers[child] < tier), None)
        if lower is not None or not isinstance(tier, int):
            wrong = f"is {tier!r}, not a whole number" if lower is None else f"decreases from {tier} to {lower}"
            return Fault(f"tier {wrong} at {graph.positions[number]}", graph.positions[number])
    tier_by_key: dict[int, int] = {}
    for position, key, tier in zip(graph.positions, keys, tiers, strict=True):
        if tier_by_key.setdefault(key, tier) != tier:
            return Fault(f"tier is {tier} at {position}, and {tier_by_key[key]} at an image of it", position)
    return None


def fault_of_hints(graph: Reached, grades: Grades, scale: Scale) -> Fault | None:
    """The first hint of a user's game that is false."""
    game, outcomes = graph.game, graph.outcomes
    if is_own(game) or not has_hints(game):
        return None
    hints = Hints(game)
    for number, (position, below) in enumerate(zip(graph.positions, graph.children, strict=True)):
        if outcomes[number] == ONGOING:
            same, won, legal = graph.again[number], 0, game.moves(*position)
            for at, child in enumerate(below):
                bit = legal & -legal
                legal ^= bit
                won |= bit if outcomes[child] == (WIN if same >> at & 1 else LOSS) else 0
            hints.won[position] = won
    for number, position in enumerate(graph.positions):
        fault = hints.fault(position)
        if fault is None and game.hopeless is not None and outcomes[number] == ONGOING:
            wins = scale.entry(grades[number]).value == WIN and game.hopeless(*position)
            fault = "hopeless is true, but the side to move wins" if wins else None
        if fault is not None:
            return Fault(f"a hint is wrong: {fault}, at {position}", position)
    return None


def grades_of(graph: Reached, scale: Scale) -> Grades:
    """The grades of a solution by the interpreted rules."""
    grade_by_entry = {entry: scale.grade(entry) for entry in set(graph.entries)}
    return [grade_by_entry[entry] for entry in graph.entries]


# The conditions that a table must meet: for its start, its counts, and each entry given those of its children.


def check_start(table: Table) -> None:
    """Raises BadTable unless the start has the entry in the header."""
    header = table.header
    try:
        right = table.lookup(table.game.start) == header.start
    except BadPosition:
        right = False
    if not right:
        raise wrong(table, "the start differs from its header")
    if header.wins + header.draws + header.losses != header.positions or header.endless > header.draws:
        raise wrong(table, "its counts do not add up")


def wrong(table: Table, why: str) -> BadTable:
    """The error for a table that is intact but wrong."""
    return BadTable(f"{table.reader.name} is wrong: {why}")


def check_entry(table: Table, key: int, entry: Entry) -> list[int]:
    """The keys of the children; raises BadTable if the position is not canonical or its entry does not follow."""
    position = table.unkey(key)
    if table.smallest(*position) != position or table.key(*position) != key:
        raise wrong(table, f"{position} is not the canonical form of its class")
    return [table.key_of(child) for child in follows(table, position, entry, table.lookup)]


def follows(table: Table, position: Position, entry: Entry, lookup: Lookup) -> list[Position]:
    """The children of the position; raises BadTable unless its entry follows from theirs."""
    game = table.game
    outcome = game.outcome(*position)
    legal = bit_numbers(game.moves(*position)) if outcome == ONGOING else []
    children = [game.play(*position, move) for move in legal]
    repeats = [moves_again(game, position, move) for move in legal]
    try:
        entries = [lookup(child).before(again) for child, again in zip(children, repeats, strict=True)]
    except BadPosition as fault:
        raise wrong(table, f"after {position}, {fault}") from None
    right = max(entries, key=Entry.preference) if outcome == ONGOING else end_entry(game, position)
    if entry != right:
        raise wrong(table, f"{position} has {entry_text(entry)}, but its moves give {entry_text(right)}")
    return children


def fault_of_counts(header: Header, counts: dict[Entry, int]) -> str | None:
    """The fault of the counts of a header, if these are right."""
    wins = sum(count for entry, count in counts.items() if entry.value == WIN)
    draws = sum(count for entry, count in counts.items() if entry.value == DRAW)
    longest = max((entry.distance for entry in counts if entry.distance is not None), default=0)
    totals = (sum(counts.values()), wins, draws, counts.get(Entry(DRAW, None), 0), longest)
    if totals == (header.positions, header.wins, header.draws, header.endless, header.longest):
        return None
    return f"its header has {header.positions:,} positions and {header.wins:,} wins; found: {totals}"
