"""A solution as JSON, one position per line; docs/how-to/export-to-json.md describes the format."""

import gzip
import json
from functools import lru_cache, partial
from itertools import islice
from typing import BinaryIO

from perfectplay.bits import bit_numbers
from perfectplay.exports.export_report import Report
from perfectplay.exports.export_rows import Row, rows_of
from perfectplay.exports.position_texts import PositionTexts
from perfectplay.game import Game
from perfectplay.players.models.game_graph import graphing
from perfectplay.rules.fingerprint import fingerprint
from perfectplay.rules.notation import example, move_name, value_name
from perfectplay.solvers.steps import Step, Steps
from perfectplay.solvers.table.json_reader import FORMAT
from perfectplay.solvers.table.table_file import Sink
from perfectplay.version import __version__
from perfectplay.words import FIRST, SECOND, BadGame, Entry, Position, Sides

encoded = json.JSONEncoder().encode
OFTEN = 5_000
"""Rows between two steps."""


def writing(game: Game, sink: BinaryIO, packed: bool, everything: bool) -> Steps[Report]:
    """Writes the solution, packed by gzip or not, of all positions or of one per symmetry class; returns a report."""
    graph = yield from graphing(game, not everything)
    count, rows = rows_of(game, graph, everything)
    start = next(rows)
    head = {
        "format": FORMAT,
        "perfectplay": __version__,
        "game": game.name,
        "rules": fingerprint(game),
        "start": example(game),
        **worth(start.entry),
        "all": everything,
        "count": count,
    }
    file: Sink = gzip.GzipFile(fileobj=sink, mode="wb", mtime=0, filename="") if packed else sink
    file.write((json.dumps(head, indent=1).removesuffix("\n}") + ',\n "positions": {').encode())
    texts = Texts(game)
    file.write(texts.line(start).encode())
    done = 1
    while some := [texts.line(row) for row in islice(rows, OFTEN)]:
        file.write(("," + ",".join(some)).encode())
        done += len(some)
        yield Step("writing", done, count)
    file.write(b"\n }\n}\n")
    if isinstance(file, gzip.GzipFile):
        file.close()
    what = "positions" if everything else "canonical positions"
    return Report([f"{game.name}: {count:,} {what}"], {"rows": count})


class Texts:
    """The rows of a game as text; what many of them share is made once."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.positions = [PositionTexts(game, side) for side in (FIRST, SECOND)]
        self.worth = lru_cache(maxsize=1 << 12)(worth_text)
        names = game.move_names if isinstance(game.move_names, Sides) else (game.move_names,)
        self.names_vary = any(map(callable, names))
        """Whether the names of moves depend on the position."""
        self.best = lru_cache(maxsize=1 << 16)(partial(best_text, game, game.start))

    def line(self, row: Row) -> str:
        """The line of a row; raises BadGame if its position cannot be read back."""
        text, readable = self.positions[row.side].written(row.position)
        if not readable:
            raise BadGame(f"{self.game.name} cannot be written as text: {text} does not tell the whole position")
        if self.names_vary:
            best = best_text(self.game, row.position, row.side, row.best)
        else:
            best = self.best(row.side, row.best)
        return f'\n{encoded(text)}: {self.worth(row.entry)}, "best": {best}}}'


def best_text(game: Game, position: Position, side: int, moves: int) -> str:
    """The names of the best moves."""
    return json.dumps([move_name(game, position, side, move) for move in bit_numbers(moves)])


def worth_text(entry: Entry) -> str:
    """What a position is worth; the end of the record is left open."""
    return json.dumps(worth(entry)).removesuffix("}")


def worth(entry: Entry) -> dict[str, object]:
    """What a position is worth."""
    points = {} if entry.margin is None else {"margin": entry.margin}
    return {"value": value_name(entry), "distance": entry.distance, **points}
