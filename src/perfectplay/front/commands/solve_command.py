"""`perfectplay solve`: the truth about a game."""

import json
import sys
import time
from argparse import Namespace
from collections.abc import Iterator, Mapping
from contextlib import redirect_stdout
from functools import partial
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

from perfectplay.fingerprint import why_no_fingerprint
from perfectplay.front.parser import MISUSED
from perfectplay.game import Game
from perfectplay.loading import load_game
from perfectplay.notation import value_name
from perfectplay.words import DRAW, FIRST, LOSS, WIN, BadTable, Entry

if TYPE_CHECKING:
    from perfectplay.solve.complete import Written
    from perfectplay.solve.engine import Options
    from perfectplay.solve.steps import Steps
    from perfectplay.table.table_file import Header


def show_solve(options: Namespace) -> int:
    """Solves the game, keeps the table if one is wanted, and prints what came out."""
    from perfectplay.front.progress import resumable, watch
    from perfectplay.solve.engine import AUTO, Options
    from perfectplay.solve.engine_table import NUMBA, OUT_OF_CORE_OPTIONS, check_options, engine_named
    from perfectplay.solve.steps import Clock

    game = load_game(options.game)
    begin = time.perf_counter()
    how = Options(
        options.engine,
        memory=options.memory,
        threads=options.threads,
        resume=options.resume,
        saved_after=options.save_after,
        **{name: getattr(options, name) for name in OUT_OF_CORE_OPTIONS},
    )
    check_options(how)
    work = work_for(options, game, how)
    clock = Clock()
    engine = engine_named(how.engine) if how.engine != AUTO else NUMBA
    saved = partial(engine.has_checkpoint, game, how)
    broken_off = resumable(saved, options.game, options.resume, again(options))
    with broken_off, redirect_stdout(sys.stderr):  # standard output is for results, whatever rules print
        written = watch(clock.timed(work), logged=engine.out_of_core)
    times = (clock.solving(), time.perf_counter() - begin)
    show_solution(options, game, written, times)
    if written.fault is not None:
        code = tell_unwritten("the table", written.fault, f"{again(options)} --resume" if saved() else "")
        return code if options.table is not None else 0
    return 0


def work_for(options: Namespace, game: Game, how: "Options") -> "Steps[Written]":
    """The solve, to the file that is wanted, to where tables are kept, or without a table."""
    from perfectplay.solve.complete import keeping, without_table, writing
    from perfectplay.table.table import check_target

    if options.no_table:
        return without_table(game, how)
    if options.table is None:
        return keeping(game, how)
    check_target(Path(options.table))
    if (why := why_no_fingerprint(game)) is not None:
        raise BadTable(why)
    return writing(game, how, Path(options.table))


def show_solution(options: Namespace, game: Game, written: "Written", times: tuple[float, float]) -> None:
    """Prints what came out."""
    (header, counts, engine), table = written.solution, written.table
    path = None if table is None else table.reader.name
    if options.json:
        kept = {"table": path} if written.fault is None else {"table": None, "why": why_unwritten(written.fault)}
        more = {"histogram": histogram(counts)} if options.no_table else kept
        print(json.dumps({**facts(options.game, header), **in_seconds(*times), "engine": engine, **more}))
        return
    print(f"{options.game}: {verdict(game, FIRST, Entry(header.value, header.distance))}\n")
    print("\n".join(summary(header)))
    if options.no_table:
        print("\n".join(["", *distances(counts)]))
    where = "" if table is None else f"; {8 * table.reader.size / header.classes:.1f} bits a class in {path}"
    print(f"\nsolved in {times[0]:.2f} s by the {engine} engine, {times[1]:.2f} s in all{where}")


def tell_unwritten(what: str, fault: OSError | BadTable, resume: str) -> int:
    """Says why a file is not there, and how to write it later if that can be; returns the exit code for it."""
    later = f"; when that is put right, {resume} writes it" if resume else ""
    print(f"perfectplay: {what} {why_unwritten(fault)}{later}", file=sys.stderr)
    return MISUSED


def why_unwritten(fault: OSError | BadTable) -> str:
    """What became of a file that is not there."""
    if isinstance(fault, OSError):
        return f"could not be written: {fault.strerror or fault}" + (f": {fault.filename}" if fault.filename else "")
    return f"is not kept: {fault}"


def again(options: Namespace) -> str:
    """The command that does the same work again."""
    given = [("--table", options.table), ("--workdir", options.workdir), ("--scheduler", options.scheduler)]
    engine = f" --engine {options.engine}" if options.engine != "auto" else ""
    more = "".join(f" {name} {value}" for name, value in given if value is not None)
    return f"perfectplay solve {options.game}{engine}{more}{' --no-table' * options.no_table}"


def facts(name: str, header: "Header") -> dict[str, object]:
    """What scripts want to know of a solved game."""
    return {
        "game": name,
        **fields(Entry(header.value, header.distance)),
        "positions": header.positions,
        "classes": header.classes,
        "wins": header.wins,
        "draws": header.draws,
        "losses": header.losses,
        "longest": header.longest,
    }


def in_seconds(solving: float, in_all: float) -> dict[str, object]:
    """How long it took, for scripts."""
    return {"seconds": round(solving, 4), "seconds_in_all": round(in_all, 4)}


def summary(header: "Header") -> Iterator[str]:
    """How many positions are won, drawn and lost, in lines."""
    endless = (
        f"{'all' if header.endless == header.draws else f'{header.endless:,}'} without end" if header.endless else ""
    )
    for label, count, more in (
        ("positions", header.positions, f"{header.classes:,} up to symmetry"),
        ("won", header.wins, "for the side to move"),
        ("drawn", header.draws, endless),
        ("lost", header.losses, ""),
    ):
        yield f"{label:<10} {count:>15,}   {more}".rstrip()
    yield f"{'longest':<10} {header.longest:>15,}   plies to the end"


def histogram(counts: Mapping[Entry, int]) -> list[dict[str, object]]:
    """How many positions have each entry, for scripts."""
    return [{**fields(entry), "positions": counts[entry]} for entry in sorted(counts, key=by_distance)]


def distances(counts: Mapping[Entry, int]) -> Iterator[str]:
    """How many positions are won, drawn and lost in so many plies, as a table in lines."""
    yield f"{'plies':<10}" + "".join(f" {label:>15}" for label in ("won", "drawn", "lost"))
    for distance in dict.fromkeys(entry.distance for entry in sorted(counts, key=by_distance)):
        cells = [counts.get(Entry(value, distance), 0) for value in (WIN, DRAW, LOSS)]
        label = "endless" if distance is None else f"{distance:,}"
        yield f"{label:<10}" + "".join(f" {cell:>15,}" if cell else " " * 16 for cell in cells).rstrip()


def by_distance(entry: Entry) -> tuple[float, int]:
    """The order of entries in a list: the nearest first, those without end last."""
    return (inf if entry.distance is None else entry.distance, -entry.value)


def verdict(game: Game, side: int, entry: Entry) -> str:
    """Who wins and how soon, in a sentence."""
    mover, other = game.look.sides[side], game.look.sides[1 - side]
    if entry.distance is None:
        return f"{mover} moves and draws: with best play the game goes on for ever."
    plies = f"{entry.distance} {'ply' if entry.distance == 1 else 'plies'}"
    if entry.value == DRAW:
        return f"{mover} moves and draws, in {plies} with best play."
    if entry.distance == 0:
        return f"the game is over: {mover if entry.value == WIN else other} has won."
    return f"{mover} moves; {mover if entry.value == WIN else other} wins in {plies} with best play."


def fields(entry: Entry) -> dict[str, object]:
    """The entry as scripts rely on it."""
    return {"value": value_name(entry), "distance": entry.distance}
