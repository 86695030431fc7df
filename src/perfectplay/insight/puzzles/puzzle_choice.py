"""The choice of puzzles for a set: by kind and difficulty, no two alike, in an order that the seed decides."""

from collections.abc import Iterable, Iterator
from itertools import takewhile
from random import Random
from typing import NamedTuple

import numpy as np

from perfectplay.game import WIDE_BITS, Game, after, legal_moves
from perfectplay.insight.puzzles.puzzle_kinds import PuzzleKind, kind_named
from perfectplay.insight.puzzles.puzzle_lines import (
    MOST_PLIES,
    Guide,
    SolutionLine,
    difficulties,
    line_from,
    success,
    tricks,
)
from perfectplay.insight.puzzles.puzzle_scan import Scan
from perfectplay.players.models.levels import LEVELS
from perfectplay.players.named.one_ply_players import sensible_moves, winning_moves
from perfectplay.rules.notation import move_name, show_position
from perfectplay.solvers.oracle import Oracle
from perfectplay.solvers.steps import Step, Steps, finished
from perfectplay.solvers.worth import entry_fields
from perfectplay.words import FIRST, WIN, Position, TooBig, Turn

TRIED = 20_000
"""Positions of a table that are tried one by one, at most; so few are never exhausted by an ordinary set."""
STEP = 50
"""Candidates between two steps of progress."""


class Candidate(NamedTuple):
    """A position with its solution, and the probability that each level finds it."""

    line: SolutionLine
    success: list[float]
    origin: int | None = None
    """The game that it comes from, if it was played: a set has only one from each."""

    @property
    def difficulty(self) -> int:
        """1 to 10."""
        return int(difficulties(np.array([self.success]))[0])


class Selection(NamedTuple):
    """Puzzles, the easiest first, and whether all candidates were looked at to find them."""

    puzzles: list[Candidate]
    all: bool


class Wish(NamedTuple):
    """A kind of puzzles, wins in so many plies if that is not None, and the least and greatest difficulty."""

    kind: PuzzleKind
    plies: int | None
    least: int
    most: int


def in_table(scan: Scan, wish: Wish, rng: Random) -> Iterator[Candidate | None]:
    """The positions of the graph that fit, in random order, TRIED of them at most."""
    puzzles = scan.puzzles(wish.kind.values, wish.kind.among(scan), wish.plies)
    grades = difficulties(puzzles.success)
    fitting = np.flatnonzero((grades >= wish.least) & (grades <= wish.most))
    for i in shuffled(fitting.size, rng):
        yield Candidate(scan.solution(int(puzzles.places[fitting[i]])), puzzles.success[fitting[i]].tolist())


def shuffled(size: int, rng: Random) -> Iterator[int]:
    """The numbers below `size` in random order, TRIED of them at most."""
    moved: dict[int, int] = {}
    for i in range(min(size, TRIED)):
        j = rng.randrange(i, size)
        yield moved.get(j, j)
        moved[j] = moved.get(i, i)


def choosing(oracle: Oracle, candidates: Iterator[Candidate | None], wish: Wish, count: int) -> Steps[Selection]:
    """So many of the candidates that fit, no two of which share a trick."""
    met: set[object] = set()
    puzzles: list[Candidate] = []
    tried = 0
    for tried, one in enumerate(candidates, 1):
        if tried % STEP == 1:
            yield Step("puzzles", len(puzzles), count)
        if one is None or not wish.least <= one.difficulty <= wish.most:
            continue
        line, mine = one.line, {*tricks(oracle.game, one.line)} | {("game", one.origin)} - {("game", None)}
        if met.intersection(mine) or not wish.kind.holds(oracle, line.position, line.side, line.moves[0]):
            continue
        met.update(mine)
        puzzles.append(one)
        if len(puzzles) == count:
            break
    puzzles.sort(key=lambda one: (one.difficulty, -sum(one.success)))
    return Selection(puzzles, len(puzzles) < count and tried < TRIED)


# Puzzles from games that were played: recorded ones, or random ones of sensible players where no table fits.


GAMES, LONGEST = 300, 120
"""Random games at most, and their plies."""
BARREN = 8
"""Games of which no position is known, one after another, after which there is no hope."""


def random_games(game: Game, rng: Random) -> Iterator[list[Turn]]:
    """The positions of random games in which both sides take wins at once and stop wins at once; raises TooBig."""
    if game.bits > WIDE_BITS:
        raise TooBig(f"{game.name} is too large for puzzles from random games; take recorded ones: games=FILE")
    for _ in range(GAMES):
        turn, turns = (game.start, FIRST), list[Turn]()
        while legal_moves(game, turn[0]) and len(turns) < LONGEST:
            turns.append(turn)
            turn = after(game, *turn, rng.choice(sensible_moves(game, turn[0])))
        yield turns


def candidates(oracle: Oracle, games: Iterable[list[Turn]], wish: Wish) -> Iterator[Candidate | None]:
    """The puzzles in these games, of each the earliest first, as far back as results are known; None for no puzzle."""
    barren = 0
    for number, turns in enumerate(games):
        tail = [*takewhile(lambda turn: oracle.study(turn[0]).here.value is not None, reversed(turns))]
        barren = 0 if tail else barren + 1
        if barren == BARREN:
            return
        for position, side in reversed(tail):
            puzzle = candidate(oracle, position, side, wish)
            yield puzzle and puzzle._replace(origin=number)


def candidate(oracle: Oracle, position: Position, side: int, wish: Wish) -> Candidate | None:
    """The position as a puzzle; None if it is none of this kind."""
    if not is_puzzle(oracle, position, wish):
        return None
    line = line_from(oracle, position, side)
    whole = Guide(oracle, position, side).solved(line.end, line.end_side, line.turns)
    proven = all(oracle.study(here).decided for here, mover in line.before if mover == side)
    return Candidate(line, success(oracle, line)) if whole and proven else None


def is_puzzle(oracle: Oracle, position: Position, wish: Wish) -> bool:
    """Whether exactly one of several moves keeps a result of this kind, and not obviously."""
    study, game = oracle.study(position), oracle.game
    if not study.decided or len(study.keeping) != 1 or len(study.moves) < 2 or study.here.entry is None:
        return False
    value, distance = study.here.value, study.here.distance
    if value not in wish.kind.values:
        return False
    obvious = sensible_moves(game, position) == study.keeping
    if wish.plies is not None:
        return value == WIN and distance == wish.plies and (wish.plies == 1 or not obvious)
    short = value != WIN or distance is None or distance <= MOST_PLIES
    return short and not obvious and not winning_moves(game, position)


# Puzzles as plain fields, and the set of a solved game that every page of it has.


ON_A_PAGE = 100
"""The puzzles of a page, at most."""
SEED = 1
"""The same on every page, so that everybody has the same puzzle of the day."""


def names_in(game: Game, line: SolutionLine) -> tuple[str, ...]:
    """The moves of a solution by name."""
    return tuple(move_name(game, *turn, move) for turn, move in zip(line.before, line.moves, strict=True))


def fields_of(oracle: Oracle, puzzle: Candidate) -> dict[str, object]:
    """A puzzle as in JSON."""
    game, line, names = oracle.game, puzzle.line, names_in(oracle.game, puzzle.line)
    entry = oracle.study(line.position).here.entry
    assert entry is not None
    return {
        "position": show_position(game, line.position, line.side),
        **entry_fields(entry),
        "solution": list(names[:1]),
        "line": list(names),
        "difficulty": puzzle.difficulty,
    }


def page_puzzles(oracle: Oracle, scan: Scan) -> list[dict[str, object]]:
    """The puzzles of a page: of the usual kind and all difficulties, the easiest first."""
    wish = Wish(kind_named(None), None, 1, LEVELS)
    selection = finished(choosing(oracle, in_table(scan, wish, Random(SEED)), wish, ON_A_PAGE))
    return [fields_of(oracle, one) for one in selection.puzzles]
