"""The options of `sweep`."""

from argparse import ArgumentParser, ArgumentTypeError

from perfectplay.commands.matches.play_options import add_force, add_json
from perfectplay.commands.terminal.arguments import memory_size, seconds, whole_number


def sweep_options(parser: ArgumentParser) -> None:
    """The options of `sweep`."""
    parser.add_argument(
        "variants",
        metavar="VARIANTS",
        nargs="+",
        help="a game with ranges (3..5) and lists (3|5, false|true) for its sizes: 'lines:3..5,3..5,3'; or your own "
        "file ('./mygame.py:3..6'); several are swept together",
    )
    parser.add_argument(
        "--measure",
        dest="measures",
        metavar="NAME,...",
        type=names,
        help="what to measure: fairness, decisiveness, depth, length (these are the default), drama, sharpness, traps, "
        "branching, first_moves, classes, longest, or all; value, distance and positions are always there",
    )
    parser.add_argument(
        "--seconds-each", metavar="S", type=seconds, default=60.0, help="time limit of a variant (default: 60)"
    )
    parser.add_argument(
        "--memory",
        type=memory_size,
        metavar="SIZE",
        help="memory limit of a variant, such as 4G (default: what is free)",
    )
    parser.add_argument("--jobs", type=whole_number(1, 1024), help="variants at a time (default: one per core)")
    parser.add_argument(
        "--resume", action="store_true", help="resume interrupted solves, too; finished variants are never done twice"
    )
    parser.add_argument(
        "--map",
        dest="axes",
        metavar="SIZE,SIZE",
        type=pair,
        help="the sizes across and down the maps (default: automatic)",
    )
    parser.add_argument(
        "--to",
        metavar="FILE",
        action="append",
        default=[],
        help="write .csv, .json, .parquet, or .html: a report; may be repeated",
    )
    add_force(parser)
    add_json(parser)


def names(text: str) -> tuple[str, ...]:
    """The names in the text, apart by commas."""
    return tuple(name.strip() for name in text.split(",") if name.strip())


def pair(text: str) -> tuple[str, str]:
    """The two names in the text."""
    found = names(text)
    if len(found) != 2 or found[0] == found[1]:
        raise ArgumentTypeError(f"{text!r} is not two different sizes, such as width,height")
    return found[0], found[1]
