"""The header of a table, and checks that it is consistent."""

import json
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from itertools import pairwise

from perfectplay.solvers.table.grades import Grades, Points, Scale
from perfectplay.words import DRAW, LOSS, WIN, Entry, entry_of

FORMAT = 1
OPTIONAL = ("plies", "parts", "part", "margin", "most")
"""Optional fields, written only if they are set."""
MOST_BYTES = 1 << 20
"""The most bytes of a header, checked before it is read: that of a table in 10,000 parts takes half of it."""
LONGEST_NAME = 10_000
MOST_KEY_BYTES = 255
"""The most bytes of a key: one byte holds the width of a step."""
MOST_KEYS = 1 << 16
"""The most keys in a block."""
MOST_PLIES = 1 << 16
"""The most plies of a book."""
MOST_POINTS = 1 << 40
"""The greatest margin."""
MOST_PARTS = 10_000
"""The most parts: they are numbered by four digits."""
RULES = re.compile("([0-9a-f]{64})?")
"""A fingerprint, or nothing: tables of rules without one are never written to files."""
COUNTS = ("positions", "classes", "wins", "draws", "losses", "endless", "longest", "key_bytes", "grade_bytes", "block")


@dataclass(frozen=True)
class Header:
    """The facts about a table; counts are of positions, except for the number of classes."""

    format: int
    game: str
    rules: str
    value: int
    distance: int | None
    positions: int
    classes: int
    wins: int
    draws: int
    losses: int
    endless: int
    longest: int
    key_bytes: int
    grade_bytes: int
    block: int
    plies: int | None = None
    """Of a book: the number of plies from the start that it covers."""
    parts: list[list[int]] | None = None
    """Of a table in several files: the first key, the classes and the bytes of each; it has no blocks itself."""
    part: int | None = None
    """Of such a file: its number; only its classes are counted."""
    margin: int | None = None
    """Of a game for points: the margin of the start."""
    most: int | None = None
    """Of a game for points: the greatest margin of all positions, either way."""

    @property
    def start(self) -> Entry:
        """The entry of the start."""
        return entry_of(self.value, self.distance, self.margin)

    @property
    def scale(self) -> Scale:
        """The scale of its grades."""
        return Grades(self.longest) if self.most is None else Points(self.most)

    @property
    def name(self) -> str:
        """The game's name, fit for one line of text."""
        return self.game if self.game.isprintable() else ascii(self.game)

    def text(self) -> bytes:
        """The header as written to the file."""
        facts = {name: fact for name, fact in asdict(self).items() if not (name in OPTIONAL and fact is None)}
        return json.dumps(facts).encode()


class Unfit(Exception):
    """The header is inconsistent."""


def parse_header(text: bytes) -> Header | None:
    """The header parsed from these bytes, None if its format is unknown; raises Unfit if it is inconsistent."""
    try:
        facts = json.loads(text)
    except (ValueError, RecursionError):
        raise Unfit("its header is not JSON") from None
    if not isinstance(facts, dict) or not is_number(facts.get("format")) or facts["format"] != FORMAT:
        return None
    if facts.keys() | set(OPTIONAL) != {field.name for field in fields(Header)}:
        raise Unfit("its header has the wrong fields")
    header = Header(**facts)
    for field in unfit_fields(header):
        raise Unfit(f"its header's {field} is wrong")
    return header


def is_number(value: object, most: int | None = None) -> bool:
    """Whether this is an integer from 0, up to `most` if given."""
    return type(value) is int and value >= 0 and (most is None or value <= most)


def unfit_fields(header: Header) -> Iterator[str]:
    """The fields that are of the wrong type, out of range or inconsistent; the first is the one to report."""
    if not isinstance(header.game, str) or not 0 < len(header.game) <= LONGEST_NAME:
        yield "game"
    if not isinstance(header.rules, str) or not RULES.fullmatch(header.rules):
        yield "rules"
    wrong = [name for name in COUNTS if not is_number(getattr(header, name))]
    yield from wrong
    if wrong:
        return
    if type(header.value) is not int or header.value not in (LOSS, DRAW, WIN):
        yield "value"
    if header.most is None:
        endless = header.distance is None and header.value == DRAW and header.endless > 0
        if not endless and not is_number(header.distance, header.longest):
            yield "distance"
        if header.margin is not None:
            yield "margin"
    else:
        yield from unfit_points(header)
    if header.positions != header.wins + header.draws + header.losses:
        yield "positions"
    if not 1 <= header.classes <= header.positions:
        yield "classes"
    if header.endless > header.draws:
        yield "endless"
    if not 1 <= header.key_bytes <= MOST_KEY_BYTES:
        yield "key_bytes"
    if header.grade_bytes != byte_length(header.scale.size - 1) or header.grade_bytes > 8:
        yield "grade_bytes"
    if not 1 <= header.block <= MOST_KEYS:
        yield "block"
    if not (header.plies is None or is_number(header.plies, MOST_PLIES)):
        yield "plies"
    if not (header.part is None or (is_number(header.part, MOST_PARTS - 1) and header.parts is None)):
        yield "part"
    if header.parts is not None and not parts_fit(header):
        yield "parts"


def unfit_points(header: Header) -> Iterator[str]:
    """The fields that a game for points has, or must not have, and that are wrong."""
    margin: object = header.margin
    if not is_number(header.most, MOST_POINTS):
        yield "most"
        return
    if type(margin) is not int or abs(margin) > (header.most or 0) or (margin > 0) - (margin < 0) != header.value:
        yield "margin"
    if header.distance is not None or header.longest or header.endless:
        yield "distance"


def parts_fit(header: Header) -> bool:
    """Whether the parts are possible: sorted keys, whole blocks, all classes."""
    parts: object = header.parts
    if not isinstance(parts, list) or not 1 <= len(parts) <= MOST_PARTS:
        return False
    if not all(isinstance(part, list) and len(part) == 3 and all(is_number(fact) for fact in part) for part in parts):
        return False
    firsts, classes, _ = zip(*parts, strict=True)
    rising = all(before < after for before, after in pairwise(firsts)) and firsts[-1] < 1 << 8 * header.key_bytes
    whole = all(count % header.block == 0 for count in classes[:-1])
    return rising and whole and 0 not in classes and sum(classes) == header.classes


def byte_length(number: int) -> int:
    """The number of bytes that the number takes, at least one."""
    return max(1, (number.bit_length() + 7) // 8)
