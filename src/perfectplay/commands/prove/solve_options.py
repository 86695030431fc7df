"""The options of the commands that solve, analyse, keep and check."""

from argparse import ArgumentParser

from perfectplay.commands.matches.play_options import (
    add_force,
    add_game,
    add_json,
    add_seed,
    add_threads,
)
from perfectplay.commands.terminal.arguments import engine, memory_size, whole_number

ENGINES = ("auto", "python", "numba", "cuda", "disk", "cluster")


def add_checkpoints(parser: ArgumentParser) -> None:
    """The options of long jobs: --resume and --save-after."""
    parser.add_argument("--resume", action="store_true", help="resume an interrupted run from its last checkpoint")
    parser.add_argument(
        "--save-after",
        type=whole_number(0, 10**9),
        default=60,
        metavar="SECONDS",
        help="seconds between checkpoints (default: 60)",
    )


def solve_options(parser: ArgumentParser) -> None:
    """The options of `solve`."""
    add_game(parser)
    parser.add_argument(
        "--engine",
        choices=ENGINES,
        type=engine,
        default="auto",
        help="python (interpreted), numba (compiled), cuda (GPU), disk (out-of-core) or cluster (Dask); "
        "auto chooses among the first three",
    )
    table = parser.add_mutually_exclusive_group()
    table.add_argument("--table", metavar="FILE", help="write the table here (default: where analyse and play find it)")
    table.add_argument("--no-table", action="store_true", help="print value, distances and counts; write no table")
    add_force(parser)
    parser.add_argument(
        "--memory", type=memory_size, metavar="SIZE", help="memory limit, such as 4G (default: 80%% of free memory)"
    )
    parser.add_argument("--trace", action="store_true", help="print what each iteration of the solve decides")
    parser.add_argument(
        "--longest",
        metavar="N",
        type=whole_number(1, 1000),
        nargs="?",
        const=3,
        help="draw the N positions that are farthest from the end, with their best lines (default: 3)",
    )
    parser.add_argument(
        "--sides",
        action="store_true",
        help="count the positions with the sides kept apart, too (small games: always)",
    )
    add_threads(parser)
    add_checkpoints(parser)
    disk = parser.add_argument_group("with --engine disk or cluster")
    disk.add_argument("--workdir", metavar="URL", help="folder for intermediate files (default: next to the tables)")
    disk.add_argument(
        "--workers", type=whole_number(1, 1024), help="number of worker processes (default: one per core)"
    )
    disk.add_argument("--partitions", type=whole_number(1, 8192), help="number of partitions (default: two per worker)")
    disk.add_argument("--scheduler", metavar="ADDRESS", help="scheduler of a Dask cluster (default: start a local one)")
    add_json(parser)


def book_options(parser: ArgumentParser) -> None:
    """The options of `book`."""
    add_game(parser)
    parser.add_argument("--plies", type=whole_number(0, 60), required=True, help="depth of the book in plies")
    parser.add_argument("--book", metavar="FILE", help="write the book here (default: where analyse and play find it)")
    add_force(parser)
    add_threads(parser)
    add_checkpoints(parser)
    add_json(parser)


def tables_options(parser: ArgumentParser) -> None:
    """The options of `tables`."""
    parser.add_argument(
        "--remove",
        metavar="GAME",
        nargs="+",
        help="remove what is saved for these games, or all tables, books, checkpoints, sweeps or code",
    )
    parser.add_argument("--remove-all", action="store_true", help="remove everything that is saved")
    add_json(parser)


def verify_options(parser: ArgumentParser) -> None:
    """The options of `verify`."""
    parser.add_argument("table", metavar="TABLE", help="a table file, or a game whose table is saved")
    parser.add_argument("--sample", type=whole_number(1, 10**12), metavar="N", help="check N random entries")
    add_seed(parser, "seed for --sample (default: 1)", default=1)


def perft_options(parser: ArgumentParser) -> None:
    """The options of `perft`."""
    add_game(parser)
    parser.add_argument(
        "depth",
        metavar="DEPTH",
        nargs="?",
        type=whole_number(0, 10**6),
        help="depth in plies (default: to the end of a small game)",
    )
    add_json(parser)


def check_options(parser: ArgumentParser) -> None:
    """The options of `check`."""
    add_game(parser)
    parser.add_argument(
        "--walks", type=whole_number(1, 10**6), default=50, help="number of random games to play (default: 50)"
    )
    add_seed(parser, "seed of the random games (default: 1)", default=1)
    add_json(parser)
