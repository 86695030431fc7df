"""The options of the commands that solve, analyse, keep, check and export."""

from argparse import ArgumentParser

from perfectplay.commands.matches.play_options import (
    add_force,
    add_game,
    add_json,
)
from perfectplay.commands.terminal.arguments import size, whole_number
from perfectplay.exports.formats import ENDINGS
from perfectplay.players.models.levels import LEVELS


def export_options(parser: ArgumentParser) -> None:
    """The options of `export`."""
    add_game(parser)
    parser.add_argument(
        "--to", metavar="FILE", required=True, help="file to write: .json, .json.gz, .h, .c, .html or .parquet"
    )
    add_force(parser)
    parser.add_argument("--format", choices=ENDINGS, help="file format (default: by the file extension)")
    parser.add_argument(
        "--all", action="store_true", help="JSON: export all positions (default: one per symmetry class)"
    )
    parser.add_argument(
        "--budget", metavar="BYTES", type=size, help="C: fit into this much flash memory, such as 4000 or 32K"
    )
    parser.add_argument(
        "--level",
        metavar="N",
        type=whole_number(1, LEVELS),
        help=f"C: export an opponent of level 1 (random) to {LEVELS} (perfect), not best moves and values",
    )
    add_json(parser)


def site_options(parser: ArgumentParser) -> None:
    """The options of `site`."""
    parser.add_argument(
        "opened",
        metavar="GAME",
        nargs="*",
        default=[],
        help="games by name or file (default: all that come with the package and are small enough)",
    )
    parser.add_argument("--to", metavar="DIR", required=True, help="folder to write: new, empty, or an earlier site")
    add_force(parser)
    parser.add_argument(
        "--url", metavar="ADDRESS", help="where the site will be found, such as https://example.org/games"
    )
    add_json(parser)
