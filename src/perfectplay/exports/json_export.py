"""A solution as JSON, one position per line; docs/how-to/export-to-json.md describes the format."""

import gzip
import json
from functools import lru_cache, partial
from itertools import islice
from typing import BinaryIO

from perfectplay import __version__
from perfectplay.bits import bit_numbers
from perfectplay.exports.export_rows import Report, Row, rows_of
from perfectplay.game import Game
from perfectplay.players.models.game_graph import graphing
from perfectplay.rules.board_layout import separator, squares_by_row
from perfectplay.rules.fingerprint import fingerprint
from perfectplay.rules.notation import (
    example,
    move_name,
    piece_name,
    piece_pattern,
    pieces_on,
    position_from,
    side_letter,
    sides_named,
    spots,
)
from perfectplay.solvers.steps import Step, Steps
from perfectplay.solvers.table.json_reader import FORMAT
from perfectplay.solvers.table.table_file import Sink
from perfectplay.solvers.worth import entry_fields
from perfectplay.words import FIRST, SECOND, BadGame, Position, Sides

encode = json.JSONEncoder().encode
OFTEN = 5_000
"""Rows between two steps."""


def json_writing(game: Game, sink: BinaryIO, compress: bool, everything: bool) -> Steps[Report]:
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
        **entry_fields(start.entry),
        "all": everything,
        "count": count,
    }
    file: Sink = gzip.GzipFile(fileobj=sink, mode="wb", mtime=0, filename="") if compress else sink
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
    """The rows of a game as text, with caches of the parts that many rows share."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.positions = [PositionTexts(game, side) for side in (FIRST, SECOND)]
        self.worth = lru_cache(maxsize=1 << 12)(lambda entry: json.dumps(entry_fields(entry)).removesuffix("}"))
        names = game.move_names if isinstance(game.move_names, Sides) else (game.move_names,)
        self.names_vary = any(map(callable, names))
        """Whether the names of moves depend on the position."""
        self.best = lru_cache(maxsize=1 << 16)(partial(best_text, game, game.start))

    def line(self, row: Row) -> str:
        """The line of a row; raises BadGame if its position cannot be read back."""
        text, readable = self.positions[row.side].text_of(row.position)
        if not readable:
            raise BadGame(f"{self.game.name} cannot be written as text: {text} does not tell the whole position")
        if self.names_vary:
            best = best_text(self.game, row.position, row.side, row.best)
        else:
            best = self.best(row.side, row.best)
        return f'\n{encode(text)}: {self.worth(row.entry)}, "best": {best}}}'


def best_text(game: Game, position: Position, side: int, moves: int) -> str:
    """The names of the best moves."""
    return json.dumps([move_name(game, position, side, move) for move in bit_numbers(moves)])


# Many positions as text: a row of the board is filled in few ways, so the text of each is made and read once.


MOST = 1 << 16
"""The most ways to fill a row that are kept."""

RowText = tuple[str, Position | None]
"""The text of a row, and what it reads back as: None if it cannot be read."""


class PositionTexts:
    """The positions of a game with one side to move, as `show_position` writes and `read_position` reads them."""

    def __init__(self, game: Game, side: int) -> None:
        self.game, self.side, self.between = game, side, separator(game)
        self.head = f"{side_letter(game, side)}:"
        letter, _, rest = "".join(self.head.split()).partition(":")
        self.tells_side = sides_named(game, letter) == [side] and not rest
        """Whether the text says who is to move."""
        places = spots(game, side)
        self.rows: list[tuple[list[int], int, dict[Position, RowText]]] = []
        """For each row its squares, the bits that decide what stands there, and the ways to fill it met so far."""
        for squares in squares_by_row(game):
            decisive = 0
            for square in squares:
                for mask, *_ in places[square]:
                    decisive |= mask
            self.rows.append((squares, decisive, {}))

    def text_of(self, position: Position) -> tuple[str, bool]:
        """The text of a position, and whether it means just this position."""
        mine, theirs = position
        texts, read_mine, read_theirs, readable = [], 0, 0, self.tells_side
        for squares, decisive, ways in self.rows:
            here = mine & decisive, theirs & decisive
            row = ways.get(here)
            if row is None:
                if len(ways) >= MOST:
                    ways.clear()
                row = ways[here] = self.row_text(squares, here)
            text, words = row
            texts.append(text)
            if words is None:
                readable = False
            else:
                read_mine |= words[0]
                read_theirs |= words[1]
        return self.head + "/".join(texts), readable and read_mine == mine and read_theirs == theirs

    def row_text(self, squares: list[int], here: Position) -> RowText:
        """The text of a row in a position, and what it reads back as."""
        pieces = pieces_on(self.game, here, self.side)
        text = self.between.join(piece_name(self.game, pieces[square]) for square in squares)
        compact = "".join(text.split())
        names = piece_pattern(self.game, self.side)[1].findall(compact)
        if "/" in compact or self.between.join(names) != compact or len(names) != len(squares):
            return text, None
        return text, position_from(self.game, self.side, zip(squares, names, strict=True))
