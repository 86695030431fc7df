"""Balanced openings: different positions near the start that are proven to be draws under best play.

Equal means a draw; in a game for points, a margin of 0. An opening has at least one move. Openings are preferred in
which the next move can be a mistake, and those of one ply, so that none is the continuation of another. Where the game
is not solved, positions are searched for a number of nodes, not of seconds: the same seed has the same openings on
every machine. Where nothing is proven equal, openings are random moves; games from both sides make these fair, too.
"""

import json
import re
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from random import Random
from typing import NamedTuple

from perfectplay.arena.tournaments.host import move_names
from perfectplay.arena.tournaments.tournament_settings import Opening
from perfectplay.game import Game, after, canonical, legal_moves
from perfectplay.players.named.one_ply_players import sensible_moves, winning_moves
from perfectplay.rules.game_records import STDIN, GameRecord, games_in, text_of
from perfectplay.rules.notation import move_name, named_so, number_of, parse_position, replay, show_position
from perfectplay.solvers.oracle import NODES, SearchOracle, TableOracle, table_oracle
from perfectplay.solvers.steps import Step, Steps, finished
from perfectplay.solvers.worth import Study, exact_worth
from perfectplay.words import DRAW, FIRST, ONGOING, BadArgument, BadPosition, IllegalMove, Move, Position, Turn

# The ways into a game, ply by ply, no two to positions that are alike by symmetry.


MOST_WAYS = 5_000
"""Ways of one ply that are listed; of more, some are drawn at random."""
MOST_GAMES = 300
"""Random games of one ply at most."""
MOST_PLIES = 100
FEW_MOVES = 12
"""Up to this many moves, a random game leaves out those that overlook a win at once."""


class Way(NamedTuple):
    """A position that is not over, the side to move, and the moves that lead there from the start."""

    position: Position
    side: int
    moves: tuple[Move, ...]

    def names(self, game: Game) -> tuple[str, ...]:
        """The moves by name."""
        return move_names(game, (game.start, FIRST), self.moves)


class Ply(NamedTuple):
    """The ways of one ply in random order; `complete` if there are no others."""

    number: int
    ways: Iterator[Way]
    complete: bool


def plies(game: Game, rng: Random) -> Iterator[Ply]:
    """The plies one after another, from the first move on; each position comes at the ply at which it is first met."""
    same = canonical(game)
    met, level = {same(*game.start)}, [Way(game.start, FIRST, ())]
    for number in count(1):
        if sum(len(legal_moves(game, way.position)) for way in level) > MOST_WAYS:
            break
        fresh = next_level(game, level, met)
        met |= fresh.keys()
        level = [way for way in fresh.values() if game.outcome(*way.position) == ONGOING]
        if not level:
            return
        rng.shuffle(level)
        yield Ply(number, iter(level), complete=True)
    for deeper in range(number, MOST_PLIES):
        dice = Random(rng.random())  # the ways are made when they are wanted: others must not change them
        yield Ply(deeper, random_ways(game, deeper, dice), complete=False)


def next_level(game: Game, level: list[Way], met: set[Position]) -> dict[Position, Way]:
    """The ways that are one move longer, by the canonical position; none to a position that has been seen."""
    same, fresh = canonical(game), dict[Position, Way]()
    for way in level:
        for move in legal_moves(game, way.position):
            position, side = after(game, way.position, way.side, move)
            key = same(*position)
            if key not in met:
                fresh.setdefault(key, Way(position, side, (*way.moves, move)))
    return fresh


def random_ways(game: Game, plies: int, rng: Random) -> Iterator[Way]:
    """Ways of so many plies, from random games that last longer."""
    same, met = canonical(game), set[Position]()
    for _ in range(MOST_GAMES):
        turn, moves = (game.start, FIRST), list[Move]()
        while len(moves) < plies and game.outcome(*turn[0]) == ONGOING:
            legal = legal_moves(game, turn[0])
            moves.append(rng.choice(sensible_moves(game, turn[0]) if len(legal) <= FEW_MOVES else legal))
            turn = after(game, *turn, moves[-1])
        key = same(*turn[0])
        if game.outcome(*turn[0]) == ONGOING and key not in met:
            met.add(key)
            yield Way(*turn, tuple(moves))


HOPELESS = 3
"""Searches of a ply that prove nothing, after which the ply is left; the next plies are easier."""
PATIENCE = 12
"""Searches of a ply for each position that is found equal, and one time more."""
MOST_SEARCHES = 60
"""Searches without an equal position, after which no more are made: most such games have no draws."""
STEP = 50
"""Positions of a table between two steps of progress."""


class OpeningSet(NamedTuple):
    """Openings, and a note if there are fewer than asked for or they are not balanced; else it is empty."""

    openings: tuple[Opening, ...]
    note: str = ""


class EqualWays(NamedTuple):
    """Ways to equal positions: those with a possible mistake, and those without, among so many that were tried."""

    sharp: list[Way]
    dull: list[Way]
    tried: int
    all: bool
    """Whether there are no others."""


Prover = Callable[[Position], Study]
"""What is proven of a position; of its moves only where it is equal."""


def balanced_openings(game: Game, count: int, seed: int, look: Callable[[Step], object] | None = None) -> OpeningSet:
    """So many different openings by a seed, proven equal where that is possible; `look` sees the progress."""
    return finished(finding_openings(game, count, seed), look)


def finding_openings(game: Game, count: int, seed: int) -> Steps[OpeningSet]:
    """The same as steps of work."""
    equal = yield from equal_ways(game, count, Random(f"{seed}/openings"))
    ways = [*equal.sharp, *equal.dull][:count]
    if not ways:
        return random_openings(game, count, seed, equal.all)
    there = number_of(len(ways), "different opening")
    few = f"{game.name} has only {there} that" if equal.all else f"Only {there} of {game.name}"
    note = "" if len(ways) == count else f"{few} {'is' if len(ways) == 1 else 'are'} proven equal."
    return OpeningSet(tuple(Opening(way.names(game), balanced=True) for way in ways), note)


def equal_ways(game: Game, count: int, rng: Random) -> Steps[EqualWays]:
    """Ways to equal positions, with a possible mistake of the first ply that has enough of them, else of all plies.

    Where nothing of a ply was found by search, some of the next are left out.
    """
    table = table_oracle(game)
    prove = SearchOracle(game, nodes=NODES).study if table is None else table_prover(table)
    equal, deeper = EqualWays([], [], 0, table is not None), 0
    for ply in plies(game, rng):
        equal = equal._replace(all=equal.all and ply.complete)
        if ply.number < deeper:
            continue
        here = yield from equal_in(ply, prove, count, table is None)
        if len(here.sharp) == count:
            return here
        equal = EqualWays(equal.sharp + here.sharp, equal.dull + here.dull, equal.tried + here.tried, equal.all)
        is_empty = not (equal.sharp or equal.dull)
        if here.tried == 0 or (table is None and is_empty and equal.tried >= MOST_SEARCHES):
            break
        if not (here.sharp or here.dull or equal.all):
            deeper = ply.number * 3 // 2 + 1
    return equal


def equal_in(ply: Ply, prove: Prover, count: int, by_search: bool) -> Steps[EqualWays]:
    """The ways to equal positions in a ply, until enough have a possible mistake, or there is no hope for a search."""
    sharp, dull, proven, tried = list[Way](), list[Way](), 0, 0
    for tried, way in enumerate(ply.ways, 1):
        if by_search or tried % STEP == 1:
            yield Step("openings", len(sharp), count)
        study = prove(way.position)
        proven += study.here.value is not None
        if study.here.value == DRAW:
            (sharp if study.failing else dull).append(way)
        patience = PATIENCE * (1 + len(sharp) + len(dull)) if proven else HOPELESS
        if len(sharp) == count or (by_search and tried >= patience):
            break
    return EqualWays(sharp, dull, tried, ply.complete)


def table_prover(oracle: TableOracle) -> Prover:
    """What the table proves."""

    def study(position: Position) -> Study:
        entry = oracle.lookup(position)
        return oracle.study(position) if entry.value == DRAW else Study(exact_worth(entry), {})

    return study


def random_openings(game: Game, count: int, seed: int, none_equal: bool) -> OpeningSet:
    """Openings of random moves, after which nobody wins at once if possible, and why they are not balanced."""
    quiet, others = list[Way](), list[Way]()
    for ply in plies(game, Random(f"{seed}/random openings")):
        here = list[Way]()
        for way in ply.ways:
            (others if winning_moves(game, way.position) else here).append(way)
            if len(here) == count:
                break
        if len(here) == count:
            quiet = here
            break
        quiet += here
        if not ply.complete:
            break
    ways = [*quiet, *others][:count]
    equal = "is equal under best play" if none_equal else "could be proven equal"
    few = "" if len(ways) == count else f", and there are only {len(ways)}"
    note = f"No opening of {game.name} {equal}; the openings are random moves, not balanced{few}."
    return OpeningSet(tuple(Opening(way.names(game)) for way in ways), note)


# Openings from a file, one a line: moves by name, the text of a position, or a record of a game that is not over.


MOST_TRIED = 50_000
"""The positions that are looked at to find moves to a position."""
REMARK = re.compile(r"\s#.*")


def opening_file(path: str | Path, game: Game) -> list[Opening]:
    """The openings in a file, no two to the same position; `balanced` are those that the game's table proves equal.

    Raises BadArgument, which names the line, for what is no opening.
    """
    table, openings, met = table_oracle(game), list[Opening](), dict[Turn, str]()
    for record in records_in(path, game):
        try:
            opening = Opening(record.moves, record.position)
            turn = turn_after(game, opening)
        except (BadPosition, IllegalMove) as fault:
            other = f"; the record is of {record.game}" if record.game not in ("", game.name) else ""
            raise BadArgument(f"{record.source}: {fault}{other}") from None
        here = show_position(game, *turn)
        if game.outcome(*turn[0]) != ONGOING:
            raise BadArgument(f"{record.source}: the game is over in {here}; an opening leaves something to play")
        if turn in met:
            raise BadArgument(f"{record.source}: {here} is the opening of {met[turn]} again; leave one of them out")
        met[turn] = record.source
        if opening.position:  # a program may know only games from the start
            opening = moves_to(game, turn) or opening
        openings.append(opening._replace(balanced=table is not None and is_equal(table, turn[0])))
    if not openings:
        raise BadArgument(f"{file_name(path)} has no openings; write one a line, such as: {example(game)}")
    return openings


def moves_to(game: Game, target: Turn) -> Opening | None:
    """Moves from the start that lead to the position, if a short look finds some."""
    start: Turn = (game.start, FIRST)
    ways: dict[Turn, tuple[Turn, Move] | None] = {start: None}
    for turn in (turns := [start]):
        if turn == target or len(ways) > MOST_TRIED:
            break
        if game.outcome(*turn[0]) == ONGOING:
            for move in legal_moves(game, turn[0]):
                child = after(game, *turn, move)
                if child not in ways:
                    ways[child] = turn, move
                    turns.append(child)
    names: list[str] = []
    here = target
    while (way := ways.get(here)) is not None:
        here, move = way
        names.insert(0, move_name(game, *here, move))
    return Opening(tuple(names)) if names else None


def is_equal(table: TableOracle, position: Position) -> bool:
    """Whether the position is a draw by the table; a position that cannot be reached from the start is in none."""
    try:
        return table.lookup(position).value == DRAW
    except BadPosition:
        return False


def turn_after(game: Game, opening: Opening) -> Turn:
    """The position after the opening and the side to move; raises BadPosition or IllegalMove."""
    turn = parse_position(game, opening.position) if opening.position else (game.start, FIRST)
    for position, side, move in replay(game, *turn, opening.moves):
        turn = after(game, position, side, move)
    return turn


def records_in(path: str | Path, game: Game) -> list[GameRecord]:
    """The records of the file, with a record without moves for each line that is the text of a position."""
    name = file_name(path)
    try:
        text = text_of(path)
    except BadArgument as fault:
        why = str(fault).partition(": ")[2]
        raise BadArgument(f"the openings {str(path)!r} cannot be read: {why}; give their number, or a file") from None
    lines = [record_of_line(line.strip(), game, f"{name}, line {n}") for n, line in enumerate(text.splitlines(), 1)]
    if lines != [line.strip() for line in text.splitlines()]:
        text = "\n".join([*lines, "#"])  # which is not JSON as a whole, even if there is only one line
    return [*games_in(text, name)]


def record_of_line(line: str, game: Game, where: str) -> str:
    """The line, or if it is the text of a position, its record; raises BadArgument."""
    side, colon, _ = line.partition(":")
    if not colon or not any(named_so(name, "".join(side.split())) for name in game.look.sides):
        return line
    try:
        turn = parse_position(game, line)  # a piece may be shown as #
    except BadPosition:
        try:
            turn = parse_position(game, REMARK.sub("", line))
        except BadPosition as fault:
            raise BadArgument(f"{where}: {fault}") from None
    return json.dumps({"moves": [], "position": show_position(game, *turn)})


def file_name(path: str | Path) -> str:
    """The file's name in errors."""
    return "standard input" if str(path) == STDIN else str(path)


def example(game: Game) -> str:
    """The moves of some opening."""
    return " ".join(next(next(plies(game, Random(0))).ways).names(game))
