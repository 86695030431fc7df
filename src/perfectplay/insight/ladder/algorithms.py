"""The ladder of algorithms, to be read from top to bottom: each adds one idea to the one before."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from math import inf
from typing import NamedTuple

from perfectplay.game import Game, canonical, end_entry, legal_moves, levels, move_entries, turn_levels
from perfectplay.insight.ladder.bounds import (
    EXACT,
    LONGER,
    LOWER,
    UPPER,
    Meter,
    Search,
    TableEntry,
    bounds,
    children,
    end_score,
    end_value,
    score_entry,
    settles,
    value_entry,
)
from perfectplay.solvers.memory.interpreted import solved_positions
from perfectplay.solvers.oracle import solved_oracle
from perfectplay.words import (
    DRAW,
    LOSS,
    ONGOING,
    REPEATS,
    WIN,
    BadGame,
    BadPosition,
    Entry,
    Lookup,
    Move,
    Position,
    TooBig,
)

# Textbook minimax: one side maximizes, the other minimizes.


def values(game: Game, position: Position, meter: Meter) -> Entry:
    """The value of the position, from every line to its end."""

    def value(position: Position, my_move: bool) -> int:
        meter.visit()
        outcome = game.outcome(*position)
        if outcome != ONGOING:
            return end_value(game, position, outcome) * (1 if my_move else -1)
        legal = list(children(game, position))
        child_values = [value(child, my_move == (sign == 1)) for _, child, sign in legal]
        best = max(child_values) if my_move else min(child_values)
        meter.move = legal[child_values.index(best)][0]
        return best

    return value_entry(game, value(position, True))


# Minimax with depth-aware scores: a quick win is better than a late one, a late loss better than a quick one.


def depth_aware(game: Game, position: Position, meter: Meter) -> Entry:
    """The value of the position, and the distance of a win or a loss."""

    def score(position: Position, depth: int, my_move: bool) -> int:
        meter.visit()
        outcome = game.outcome(*position)
        if outcome != ONGOING:
            return end_score(game, position, outcome, depth) * (1 if my_move else -1)
        legal = list(children(game, position))
        scores = [score(child, depth + 1, my_move == (sign == 1)) for _, child, sign in legal]
        best = max(scores) if my_move else min(scores)
        meter.move = legal[scores.index(best)][0]
        return best

    return score_entry(game, score(position, 0, True))


# Negamax: a score for one side is the negated score for the other, so one rule serves both.


def negamax(game: Game, position: Position, meter: Meter) -> Entry:
    """The value of the position, and the distance of a win or a loss."""

    def score(position: Position, depth: int) -> int:
        meter.visit()
        outcome = game.outcome(*position)
        if outcome != ONGOING:
            return end_score(game, position, outcome, depth)
        legal = list(children(game, position))
        scores = [sign * score(child, depth + 1) for _, child, sign in legal]
        meter.move = legal[scores.index(max(scores))][0]
        return max(scores)

    return score_entry(game, score(position, 0))


# Alpha-beta: once a move is too good for the opponent to allow, its siblings need no search.
#
# `alpha` is the score that the side to move is sure of, `beta` the score that the other side can hold it to. The result
# is exact if it lies between them; otherwise it is a bound.


def alphabeta(game: Game, position: Position, meter: Meter) -> Entry:
    """The value of the position, and the distance of a win or a loss."""

    def score(position: Position, depth: int, alpha: int, beta: int) -> int:
        meter.visit()
        outcome = game.outcome(*position)
        if outcome != ONGOING:
            return end_score(game, position, outcome, depth)
        choice = None
        for move, child, sign in children(game, position):
            # a player needs the exact score of every move, so root moves are searched with a full window
            floor = alpha if depth else -LONGER
            child_score = sign * score(child, depth + 1, *((floor, beta) if sign == 1 else (-beta, -floor)))
            if child_score > alpha or choice is None:
                alpha, choice = max(alpha, child_score), move
            if alpha >= beta:
                break
        meter.move = choice
        return alpha

    return score_entry(game, score(position, 0, -LONGER, LONGER))


# The move that a player with an entry for every position chooses.


def best_move(game: Game, position: Position, lookup: Lookup) -> Move | None:
    """The first of the best moves: quick wins, late losses, short draws; None if the game is over."""
    entries = move_entries(game, position, lookup)
    return max(entries, key=lambda move: Entry.preference(entries[move]), default=None)


# Minimax with a cache of exact values: many lines lead to a position, but it is searched once.
#
# A cached entry must not depend on the path, so the distance counts from the position, not from the root.


def exact_cache(game: Game, position: Position, meter: Meter) -> Entry:
    """The value and distance of the position."""
    cache: dict[Position, Entry] = {}
    meter.cache = cache

    def entry(position: Position) -> Entry:
        meter.visit()
        if position not in cache:
            outcome = game.outcome(*position)
            if outcome != ONGOING:
                cache[position] = end_entry(game, position)
            else:
                cache[position] = max(move_entries(game, position, entry).values(), key=Entry.preference)
        return cache[position]

    result = entry(position)
    meter.move = best_move(game, position, cache.__getitem__)
    return result


# Minimax with a cache under symmetry: one position of each symmetry class is enough.
#
# The cache needs no change: the game itself is folded, so that only canonical positions occur.


def symmetric_cache(game: Game, position: Position, meter: Meter) -> Entry:
    """The value and distance of the position."""
    smallest = canonical(game)
    entry = exact_cache(folded(game), smallest(*position), meter)
    meter.move = best_move(game, position, lambda after: meter.cache[smallest(*after)])
    return entry


def folded(game: Game) -> Game:
    """The game in which every position is replaced by its canonical position."""
    smallest = canonical(game)

    def play(mine: int, theirs: int, move: Move) -> Position:
        return smallest(*game.play(mine, theirs, move))

    return replace(game, start=smallest(*game.start), play=play)


# Alpha-beta with a transposition table: each entry says whether its value is exact, a lower or an upper bound.
#
# An entry is used only if it settles the question of the search that finds it; otherwise the position is searched
# again. Without these flags it has a classic bug: the value after a cutoff is stored as if it were exact. A cutoff
# proves only that the position is at least so good. A later search with another window takes the bound for the value.
# The result depends on the order of moves, and is often right by luck.


def with_table(game: Game, position: Position, meter: Meter, flags: bool) -> Entry:
    """The value of the position; without flags it may be a wrong one."""
    table: dict[Position, TableEntry] = {}
    meter.cache = table

    def value(position: Position, alpha: int, beta: int) -> int:
        meter.visit()
        outcome = game.outcome(*position)
        if outcome != ONGOING:
            return end_value(game, position, outcome)
        entry = table.get(position)
        if entry is None or not settles(entry, alpha, beta):
            best, choice = -LONGER, None
            for move, child, sign in children(game, position):
                low = max(alpha, best)
                child_value = sign * value(child, *((low, beta) if sign == 1 else (-beta, -low)))
                if child_value > best:
                    best, choice = child_value, move
                if best >= beta:
                    break
            meter.move = choice
            bound = EXACT if not flags else LOWER if best >= beta else UPPER if best <= alpha else EXACT
            table[position] = entry = TableEntry(best, bound, inf)
        return entry.value

    return value_entry(game, value(position, -LONGER, LONGER))


naive_table, flagged_table = partial(with_table, flags=False), partial(with_table, flags=True)


# Retrograde analysis: lists all positions, then works backwards from the finished ones.
#
# Each wave decides positions one ply farther from the end: a position with a lost child is won, one whose children
# are all won is lost. Draws follow in the same way. Cycles do no harm; what is never decided is an endless draw. Where
# points count, a position is decided when all its children are.


def retrograde_analysis(game: Game, position: Position, meter: Meter) -> Entry:
    """The value and distance of the position; visits every move twice, once forwards and once backwards."""
    entries: dict[Position, Entry] = {}
    meter.cache = entries
    parents: dict[Position, list[tuple[Position, bool]]] = {position: []}
    undecided: dict[Position, int] = {}
    best: dict[Position, Entry] = {}
    meter.visit()
    positions = [position]
    for here in positions:  # it grows meanwhile
        outcome = game.outcome(*here)
        if outcome != ONGOING:
            entries[here] = end_entry(game, here)
            continue
        legal = list(children(game, here))
        undecided[here] = len(legal)
        for _, child, sign in legal:
            meter.visit()
            if child not in parents:
                parents[child] = []
                positions.append(child)
            parents[child].append((here, sign == 1))

    def decided_by(child: Position) -> Iterator[Position]:
        for parent, again in parents[child]:
            meter.visit()
            if parent not in entries:
                entry = entries[child].before(again)
                undecided[parent] -= 1
                best[parent] = max(best.get(parent, entry), entry, key=Entry.preference)
                if undecided[parent] == 0 or (game.margin is None and entry.value != LOSS):
                    entries[parent] = best[parent]
                    yield parent

    end_values = {here: entry.value for here, entry in entries.items()}
    for ends in ((LOSS, WIN), (DRAW,)) if game.margin is None else ((LOSS, DRAW, WIN),):
        wave = [here for here in positions if end_values.get(here) in ends]
        while wave:
            wave = [parent for child in wave for parent in decided_by(child)]
    if game.margin is not None and len(entries) < len(positions):
        raise BadGame(f"{game.name} {REPEATS}")
    entries.update((here, Entry(DRAW, None)) for here in positions if here not in entries)
    meter.move = best_move(game, position, entries.__getitem__)
    return entries[position]


# No search at all: the position and its moves are looked up in the table of the solved game.


def table_lookup(game: Game, position: Position, meter: Meter) -> Entry:
    """The value and distance of the position; raises TooBig if there is no table and the game is not small."""
    lookup = solved_oracle(game).lookup
    meter.restart()
    for _ in range(1 + len(legal_moves(game, position))):
        meter.visit()
    try:
        meter.move = best_move(game, position, lookup)
        return lookup(position)
    except BadPosition:
        raise TooBig("not in the table: it cannot be reached from the start") from None


class Algorithm(NamedTuple):
    """One way to find the value of a position, with a one-line description; an unsound one may find a wrong value."""

    name: str
    about: str
    search: Search
    sound: bool = True


ALGORITHMS = (
    Algorithm("minimax", "searches every line to its end; values only", values),
    Algorithm("depth-aware", "minimax that prefers quick wins and late losses", depth_aware),
    Algorithm("negamax", "the same with one rule for both sides", negamax),
    Algorithm("alpha-beta", "prunes moves that the opponent avoids; searches each root move in full", alphabeta),
    Algorithm("cache", "visits each position once", exact_cache),
    Algorithm("symmetry", "visits one position of each symmetry class", symmetric_cache),
    Algorithm(
        "naive-table", "WRONG: alpha-beta that caches cutoff values as exact", partial(with_table, flags=False), False
    ),
    Algorithm(
        "flags", "the same, corrected: each entry is exact, a lower or an upper bound", partial(with_table, flags=True)
    ),
    Algorithm("bounds", "flags with iterative deepening", bounds),
    Algorithm("retrograde", "lists all positions, then works backwards from the ends", retrograde_analysis),
    Algorithm("table", "looks up the position and its moves in the solved game", table_lookup),
)


# Looks for a position in which an algorithm is wrong, by running it on one position after another.


CLASSES = 40_000
"""The most classes to solve in plain Python: a few seconds."""


class WrongValue(NamedTuple):
    """A position, the plies to it, the value or margin by an algorithm, and the true one.

    `turned` is 1 if the other side is to move there, not the one to move where the search began, else 0.
    """

    position: Position
    plies: int
    value: int
    true: int
    turned: int


class Trial(NamedTuple):
    """The nearest position with a wrong value, if there is one among those tried; and whether these were all."""

    wrong: WrongValue | None
    tried: int
    complete: bool


def worth(entry: Entry) -> int:
    """The margin, where the game has points, else the value."""
    return entry.value if entry.margin is None else entry.margin


def try_positions(search: Search, game: Game, position: Position, truth: Lookup, meter: Meter) -> Trial:
    """Runs the search on the position and on all that follow it, the nearest first, until it is wrong."""
    count = 0
    try:
        for plies, level in enumerate(turn_levels(replace(game, start=position))):
            for here, turned in level:
                if not legal_moves(game, here):
                    continue
                value, true = worth(search(game, here, meter)), worth(truth(here))
                count += 1
                if value != true:
                    return Trial(WrongValue(here, plies, value, true, turned), count, False)
    except (TooBig, RecursionError):
        return Trial(None, count, False)
    return Trial(None, count, True)


def solved_classes(game: Game) -> dict[Position, Entry] | None:
    """The true entry of every reachable class, by its canonical position; None if there are too many."""
    count = 0
    for layer in levels(folded(game)):
        count += len(layer)
        if count > CLASSES:
            return None
    return solved_positions(folded(game))
