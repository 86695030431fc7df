"""`perfectplay solve`: the truth about a game."""

import json
import sys
import time
from argparse import Namespace
from contextlib import redirect_stdout
from pathlib import Path

from perfectplay.game import Game
from perfectplay.loading import load_game
from perfectplay.notation import value_name
from perfectplay.words import DRAW, FIRST, WIN, Entry


def show_solve(options: Namespace) -> int:
    """Solves the game, keeps the table and prints what came out."""
    from perfectplay.front.progress import resumable, watch
    from perfectplay.solve.complete import Options, progress_folder, solving
    from perfectplay.solve.steps import Clock
    from perfectplay.table.shelf import place_of
    from perfectplay.table.table import check_target

    game = load_game(options.game)
    begin = time.perf_counter()
    path = place_of(game) if options.table is None else Path(options.table)
    if options.table is not None:
        check_target(path)
    how = Options(options.engine, path, options.memory, options.threads, options.resume, options.save_after)
    clock = Clock()
    again = f"perfectplay solve {options.game}" + ("" if options.table is None else f" --table {options.table}")
    saved = resumable(progress_folder(game), options.game, options.resume, again)
    with saved, redirect_stdout(sys.stderr):  # standard output is for results, whatever rules print
        table = watch(clock.timed(solving(game, how)))
    seconds, header = time.perf_counter() - begin, table.header
    start = Entry(header.value, header.distance)
    if options.json:
        facts = {
            "game": options.game,
            **fields(start),
            "positions": header.positions,
            "classes": header.classes,
            "wins": header.wins,
            "draws": header.draws,
            "losses": header.losses,
            "longest": header.longest,
            "seconds": round(clock.solving(), 4),
            "seconds_in_all": round(seconds, 4),
            "engine": table.engine,
            "table": str(path),
        }
        print(json.dumps(facts))
        return 0
    size = len(table.reader.data)
    print(f"{options.game}: {verdict(game, FIRST, start)}\n")
    endless = (
        f"{'all' if header.endless == header.draws else f'{header.endless:,}'} without end" if header.endless else ""
    )
    for label, count, more in (
        ("positions", header.positions, f"{header.classes:,} up to symmetry"),
        ("won", header.wins, "for the side to move"),
        ("drawn", header.draws, endless),
        ("lost", header.losses, ""),
    ):
        print(f"{label:<10} {count:>15,}   {more}".rstrip())
    print(f"{'longest':<10} {header.longest:>15,}   plies to the end")
    in_all = f"solved in {clock.solving():.2f} s by the {table.engine} engine, {seconds:.2f} s in all"
    print(f"\n{in_all}; {8 * size / header.classes:.1f} bits a class in {path}")
    return 0


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
