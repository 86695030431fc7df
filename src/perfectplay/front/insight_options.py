"""The options of the commands that say why: explain, review, puzzles, strategy."""

from argparse import ArgumentParser

from perfectplay.front.option_types import seconds
from perfectplay.front.play_options import add_game, add_json


def explain_options(parser: ArgumentParser) -> None:
    """The options of `explain`."""
    add_game(parser)
    parser.add_argument("moves", metavar="MOVE", nargs="*", default=[], help="moves to play first")
    parser.add_argument("--position", metavar="TEXT", help="explain this position, such as 'O:X../.../...'")
    parser.add_argument("--seconds", type=seconds, help="time limit of a search (default: 10)")
    add_json(parser)
