"""The best moves in a file that `perfectplay export` wrote: read line by line, one position each."""

import gzip
import json
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from perfectplay.game import Game, canonical
from perfectplay.rules.fingerprint import fingerprint
from perfectplay.rules.notation import parse_move, parse_position
from perfectplay.words import ONGOING, BadTable, PerfectplayError, Position

FORMAT = "perfectplay-solution-1"
BEGIN, END = '"positions": {', "}"
PACKED = b"\x1f\x8b"
"""The first bytes of what gzip has packed."""
Facts = dict[str, Any]
"""The fields of a position in the file."""
AGAIN = "write it again with perfectplay export"


FAULTS = (
    *(ValueError, LookupError, TypeError, AttributeError, EOFError, RecursionError),
    *(zlib.error, PerfectplayError),
)
"""What reading a damaged file may raise."""


class JsonEntry(NamedTuple):
    """The best moves of a position, as bits, and the position for which they stand: this or an image of it."""

    position: Position
    best: int


def best_moves_in(path: Path, game: Game) -> dict[Position, JsonEntry]:
    """The entry of each class, by its canonical position; raises BadTable if it does not fit the game."""
    smallest = canonical(game)
    by_class: dict[Position, JsonEntry] = {}
    try:
        with open_solution(path) as (head, entries):
            check_head(path, head, game)
            count = 0
            for text, facts in entries:
                position, side = parse_position(game, text)
                best = 0
                for name in facts["best"]:
                    best |= 1 << parse_move(game, position, side, name)
                if (best == 0) != (game.outcome(*position) != ONGOING):
                    raise ValueError(f"{text} has the best moves {facts['best']}")
                least = smallest(*position)
                if least in by_class and not head["all"]:
                    raise ValueError(f"{text} is there twice, or an image of it")
                by_class[least] = JsonEntry(position, best)
                count += 1
        if count != head["count"]:
            raise ValueError(f"{count:,} positions of {head['count']:,} are there")
    except OSError as fault:
        raise BadTable(f"{str(path)!r} cannot be read: {fault.strerror or fault}") from None
    except BadTable:
        raise
    except FAULTS as fault:
        raise BadTable(f"{str(path)!r} cannot be used: {fault}; {AGAIN}") from None
    return by_class


@contextmanager
def open_solution(path: Path) -> Iterator[tuple[dict[str, Any], Iterator[tuple[str, Facts]]]]:
    """The head of a file, and its positions one by one."""
    with path.open("rb") as file:
        opener = gzip.open if file.read(2) == PACKED else open
    with opener(path, "rt", encoding="utf-8") as lines:
        text = ""
        for line in lines:
            text += line
            if line.strip() == BEGIN:
                break
        first = next(lines, "")
        if first.startswith('"'):
            yield json.loads(text + "}}"), entries_in(chain([first], lines))
        else:  # its lines were broken differently
            whole = json.loads(text + first + lines.read())
            yield (
                whole,
                iter(whole["positions"].items()) if isinstance(whole, dict) and "positions" in whole else iter(()),
            )


def entries_in(lines: Iterable[str]) -> Iterator[tuple[str, Facts]]:
    """The positions of a file, of which these lines are the rest."""
    lines = iter(lines)
    for line in lines:
        if line.strip() == END:
            if "".join(lines).split() != [END]:
                raise ValueError("there is something behind its end, or no end")
            return
        yield from json.loads(f"{{{line.strip().removesuffix(',')}}}").items()


def check_head(path: Path, head: dict[str, Any], game: Game) -> None:
    """Raises BadTable if the file is not of this game."""
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise BadTable(f"{str(path)!r} is not an exported solution; export {game.name} as JSON to get one")
    if head.get("rules") != fingerprint(game):
        raise BadTable(f"{str(path)!r} is the solution of {head.get('game')}, and not of {game.name} as it is now")
