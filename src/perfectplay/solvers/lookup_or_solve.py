"""The value of a position, from a table in the table folder or from a small game solved on the spot."""

from contextlib import suppress
from dataclasses import replace
from functools import cached_property, lru_cache
from pathlib import Path

from perfectplay.game import COMPILED_BITS, Game, images, move_entries, start_is_symmetric
from perfectplay.processes.folders import replacing
from perfectplay.rules.loading import absolute_name
from perfectplay.solvers.engine import Options
from perfectplay.solvers.forecast import NEAR, SEARCH, Forecast, refuse
from perfectplay.solvers.memory.interpreted import Reached, reached_if_small, size_of, solved
from perfectplay.solvers.table.table_folder import kept_table, remove_outdated, table_path, tables_stamp
from perfectplay.words import BadPosition, BadTable, Entry, Lookup, Move, Position, TooBig

WORTH_KEEPING = 10_000
"""Solutions of more positions than this go to the table folder: they took a tenth of a second or more."""


@lru_cache(maxsize=8)
def lookup_for(game: Game) -> Lookup:
    """Answers any reachable position of the game; raises TooBig if it is neither solved nor small."""
    lookup = find_lookup(game, WORTH_KEEPING)
    if lookup is None:
        raise TooBig(Unsolved(game))
    return lookup


def is_solved(game: Game) -> bool:
    """Whether every position of the game is known: it has a table, or it is small."""
    try:
        lookup_for(game)
    except TooBig:
        return False
    return True


class Unsolved:
    """`why_unsolved` as the message of an error: the forecast is made, once, only if somebody reads it."""

    def __init__(self, game: Game) -> None:
        self.game = game

    @cached_property
    def text(self) -> str:
        """The message; a forecast asks rules, which may raise anything, and a message may not."""
        try:
            return why_unsolved(self.game)
        except Exception:
            return f"{self.game.name} is not solved yet, and a forecast fails; perfectplay check says why"

    def __str__(self) -> str:
        return self.text

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        return str, (str(self),)


def why_unsolved(game: Game) -> str:
    """Why there is no table of a game, and what to do, by a forecast that may take a second or two.

    It never names a solve that will be refused here.
    """
    if game.bits > COMPILED_BITS:
        wide = f"it needs {game.bits} bits per word of at most {COMPILED_BITS}"
        return f"{game.name} is too large to solve: {wide}; {SEARCH}"
    forecast, memory = forecast_of(game), Options().allowed_memory
    if forecast.memory > memory:
        return str(refuse(game, forecast, memory))
    if forecast.least:
        return f"{game.name} is not solved yet, and may be too large; perfectplay solve {game.name} finds out"
    return f"{game.name} is not solved yet; {advice(game)}"


def advice(game: Game) -> str:
    """The command for questions about the game: a complete solution if that surely fits, else a search."""
    return f"run: perfectplay solve {game.name}" if can_solve(game) else SEARCH


def can_solve(game: Game) -> bool:
    """Whether a complete solution will not be refused here, by the same forecast."""
    if game.bits > COMPILED_BITS:
        return False
    forecast = forecast_of(game)
    return not forecast.least and forecast.memory <= Options().allowed_memory


def is_hopeless(game: Game) -> bool:
    """Whether a complete solution needs far more memory than there is here, by the same forecast."""
    return game.bits > COMPILED_BITS or forecast_of(game).memory > NEAR * Options().allowed_memory


def forecast_of(game: Game) -> Forecast:
    """The forecast of a solve in memory, from the first plies; its time is not known."""
    from perfectplay.solvers.memory.work import memory_at_once, memory_by_layer  # numpy: only when it is wanted
    from perfectplay.solvers.python_engine import BYTES_EACH

    size = size_of(game)
    if game.key is None:  # only interpreted rules can solve it
        return Forecast(size.positions, size.positions * BYTES_EACH, 0.0, size.least)
    classes = -(-size.positions // (images(game).count if start_is_symmetric(game) else 1))
    memory = memory_at_once if size.cyclic else memory_by_layer
    return Forecast(classes, memory(classes, size.moves, 4 if game.key_bits < 32 else 8), 0.0, size.least)


def lookup_or_none(game: Game) -> Lookup | None:
    """The same, None where `lookup_for` raises; it looks again when a table comes or goes, and keeps every solution."""
    return lookup_while(game, tables_stamp(game))


@lru_cache(maxsize=32)
def lookup_while(game: Game, stamp: int) -> Lookup | None:
    """The look-up of the game as long as its tables have this stamp."""
    return find_lookup(game, worth_keeping=0)


def find_lookup(game: Game, worth_keeping: int) -> Lookup | None:
    """The look-up in the game's table, or else in the solution of a small game; None if it is neither.

    A solution of more positions than `worth_keeping` goes to the table folder.
    """
    table = kept_table(game)
    if table is not None:
        return table.lookup
    graph = reached_if_small(game)
    if graph is None:
        return None
    entries = solved(graph)
    if len(entries) > worth_keeping:
        keep_solution(game, graph, entries)

    def lookup(position: Position) -> Entry:
        try:
            return entries[position]
        except (KeyError, TypeError):
            raise BadPosition(f"{position} cannot be reached in {game.name} by legal play from the start") from None

    return lookup


def keep_solution(game: Game, graph: Reached, entries: dict[Position, Entry]) -> None:
    """Writes the solution to the table folder, if possible, and checks it; raises BadGame."""
    from perfectplay.solvers.table.table import tabulate
    from perfectplay.solvers.table.table_file import seal, write_mark
    from perfectplay.solvers.validity.validation import check_positions

    with suppress(OSError, BadTable):
        path, game = table_path(game), replace(game, name=absolute_name(game.name))
        with replacing(path) as sink:
            header, keys = tabulate(game, entries, sink)
            part = check_positions(graph, keys, header.scale)
            sink.flush()
            digest = seal(Path(sink.name))
        remove_outdated(path, header)
        write_mark(path, part, digest)


def entries_of_moves(game: Game, lookup: Lookup, position: Position) -> dict[Move, Entry]:
    """The entry of each legal move, from the mover's view, best first."""
    entries = move_entries(game, position, lookup)
    return dict(sorted(entries.items(), key=lambda item: item[1].preference(), reverse=True))


def best_moves(entries: dict[Move, Entry]) -> list[Move]:
    """The moves as good as the best."""
    best = max(entries.values(), key=Entry.preference)
    return [move for move, entry in entries.items() if entry.as_good_as(best)]
