"""Rows of the page of limits: verifying, exporting and looking up what is solved."""

import json
import sys
from pathlib import Path

from limit_rows.row import Found, Row, run, run_program

LARGE, MEDIUM, SMALL = "drop:5,5,4", "drop:5,4,4", "drop:4,4,4"
LOOKUPS = """
import json, random, time
import perfectplay
from perfectplay.solvers.table.table_folder import kept_table

def met(game, count, rng):
    found = []
    while len(found) < count:
        position = game.start
        while game.outcome(*position) == perfectplay.ONGOING:
            found.append(position)
            legal = game.moves(*position)
            position = game.play(*position, rng.choice([m for m in range(game.bits) if legal >> m & 1]))
    return found

def drawn(table, count, rng):
    places = [divmod(rng.randrange(len(table)), table.header.block) for _ in range(count)]
    return [table.unkey(table.reader.cached_block(block).key(place)) for block, place in places]

def microseconds(positions):
    table = kept_table(game)
    found = []
    for part in (positions[: len(positions) // 2], positions[len(positions) // 2 :]):
        begin = time.perf_counter()
        for position in part:
            table.lookup(position)
        found.append((time.perf_counter() - begin) / len(part) * 1e6)
    return found

game = perfectplay.load(NAME)
rng = random.Random(28)
print(json.dumps([microseconds(drawn(kept_table(game), COUNT, rng)), microseconds(met(game, COUNT, rng))]))
"""


def twice(words: list[str], home: Path) -> Found:
    """The second run of a command; in the first, something may have to be compiled."""
    first, again = run(words, home), run(words, home)
    note = f"{first.seconds:.1f} s the first time, {again.cpu:.1f} s of CPU time"
    return Found(again.seconds, again.memory, note=note)


def solved(game: str, home: Path) -> None:
    """Makes the table of a game."""
    run(["solve", game, "--engine", "numba"], home)


def verifying(home: Path) -> Found:
    """Seconds to verify a table."""
    solved(LARGE, home)
    return twice(["verify", LARGE], home)


def exporting(game: str, ending: str, home: Path) -> Found:
    """Seconds to export a solution."""
    solved(game, home)
    return twice(["export", game, "--to", str(home / f"solution.{ending}")], home)


def looking_up(home: Path, count: int = 200_000) -> Found:
    """Microseconds per look-up in one process, classes drawn uniformly, the second half of them."""
    solved(LARGE, home)
    code = LOOKUPS.replace("NAME", repr(LARGE)).replace("COUNT", str(count))
    ran = run_program([sys.executable, "-c", code], home, {"PERFECTPLAY_HOME": str(home)})
    (first, later), (early, after) = json.loads(ran.output)
    note = (
        f"classes drawn uniformly: {first:.0f} for the first {count // 2:,}, then {later:.1f}; "
        f"positions of random games: {early:.1f}, then {after:.1f}"
    )
    return Found(later, ran.memory, note=note)


ROWS: list[Row] = [
    Row("15", f"`verify {LARGE}`, 34.9 million classes", "s", 25, 6, verifying),
    Row("16a", f"`export {MEDIUM}` to JSON", "s", 158, 20, lambda home: exporting(MEDIUM, "json", home)),
    Row("16b", f"`export {SMALL}` to C", "s", 10, 2, lambda home: exporting(SMALL, "c", home)),
    Row("17", f"a look-up at random in the table of `{LARGE}`", "µs", 115, 15, looking_up),
]
