"""The formats of exported solutions in one table, chosen by how a file's name ends."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from perfectplay.game import Game
from perfectplay.rules.outputs import C_FILE, HTML, JSON, PACKED_JSON, PARQUET, FileKind
from perfectplay.solvers.steps import Steps
from perfectplay.words import BadArgument, BadTable

if TYPE_CHECKING:
    from perfectplay.exports.export_rows import Report


MOST_ON_PAGE = 4_000_000
"""The most positions of a game whose solution may fit into a page: 500,000 classes of up to 8 images."""


class ExportOptions(NamedTuple):
    """Options that some formats take."""

    all_positions: bool = False
    """All positions, not one of each symmetry class."""
    budget: int | None = None
    """The most bytes that the solution may take where it runs."""
    level: int | None = None
    """The level of an opponent in place of best moves."""


@dataclass(frozen=True)
class ExportFormat:
    """A format: its name, the kinds of its files by ending, and the function that writes one."""

    name: str
    kinds: dict[str, FileKind]
    about: str
    write: "Callable[[Game, BinaryIO, str, ExportOptions], Steps[Report]]"
    """Writes the solution of a game to a file whose name ends so."""
    search: "Callable[[Game, BinaryIO], Steps[Report]] | None" = None
    """Writes a game that is too large for this format, to be searched where the file is used."""
    most: int | None = None
    """The most positions of a game worth solving for this format; a larger one is searched."""
    options: tuple[str, ...] = ()
    """The fields of ExportOptions that it takes."""
    package: str = ""
    """The package that it needs; `pip install perfectplay[EXTRA]` gets it."""
    extra: str = ""

    @property
    def endings(self) -> tuple[str, ...]:
        """The endings of its files' names, without the dot."""
        return tuple(self.kinds)

    def check(self, path: str, ending: str, options: ExportOptions) -> None:
        """Raises BadArgument for an option that the format does not take, BadTable if its package is missing."""
        for option, value in options._asdict().items():
            if value != ExportOptions._field_defaults[option] and option not in self.options:
                taker = next(one for one in FORMATS if option in one.options)
                text = "True" if value is True else "..."
                endings = " or ".join(f".{one}" for one in taker.endings)
                raise BadArgument(f"{option}={text} is for {taker.name}, {endings}, and {path!r} is .{ending}")
        if self.package and find_spec(self.package) is None:
            need = f"{self.name} needs {self.package}, which is not installed"
            raise BadTable(f"{need}; pip install 'perfectplay[{self.extra}]' gets it")


def write_json(game: Game, sink: BinaryIO, ending: str, options: ExportOptions) -> "Steps[Report]":
    """Writes JSON, compressed by gzip or not."""
    from perfectplay.exports import json_export  # numpy: only when it is wanted

    return json_export.json_writing(game, sink, ending == "json.gz", options.all_positions)


def write_c(game: Game, sink: BinaryIO, ending: str, options: ExportOptions) -> "Steps[Report]":
    """Writes a C header or source file."""
    from perfectplay.exports.c import c_file

    return c_file.c_writing(game, sink, ending == "h", options.budget, options.level)


def write_page(game: Game, sink: BinaryIO, ending: str, options: ExportOptions) -> "Steps[Report]":
    """Writes the page that needs no server."""
    from perfectplay.exports.page import page_export

    return page_export.writing(game, sink)


def write_searching_page(game: Game, sink: BinaryIO) -> "Steps[Report]":
    """Writes the page with the rules and the search inside."""
    from perfectplay.exports.page import page_export

    return page_export.writing_search(game, sink)


def write_parquet(game: Game, sink: BinaryIO, ending: str, options: ExportOptions) -> "Steps[Report]":
    """Writes Parquet."""
    from perfectplay.exports import parquet_export

    return parquet_export.parquet_writing(game, sink)


FORMATS = (
    ExportFormat(
        "JSON",
        {"json": JSON, "json.gz": PACKED_JSON},
        "one position a line",
        write_json,
        options=("all_positions",),
    ),
    ExportFormat("C", {"h": C_FILE, "c": C_FILE}, "C99 for a microcontroller", write_c, options=("budget", "level")),
    ExportFormat(
        "HTML",
        {"html": HTML},
        "one page to play and explore the game, without a server",
        write_page,
        search=write_searching_page,
        most=MOST_ON_PAGE,
    ),
    ExportFormat(
        "Parquet",
        {"parquet": PARQUET},
        "for DuckDB, Polars and pandas",
        write_parquet,
        package="pyarrow",
        extra="parquet",
    ),
)
ENDINGS = tuple(ending for one in FORMATS for ending in one.endings)


def ending_of(path: str) -> str:
    """The ending of the file's name that tells its format; raises BadArgument if none does."""
    for ending in ENDINGS:
        if path.lower().endswith(f".{ending}"):
            return ending
    endings = ", ".join(f".{ending}" for ending in ENDINGS[:-1])
    raise BadArgument(f"cannot tell the format from {path!r}; write {endings} or .{ENDINGS[-1]}, or use format=...")


def format_for(ending: str) -> ExportFormat:
    """The format of files whose names end so."""
    return next(one for one in FORMATS if ending in one.endings)
