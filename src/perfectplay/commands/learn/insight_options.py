"""The options of the commands that say why: explain, review."""

from argparse import ArgumentParser

from perfectplay.commands.matches.play_options import add_force, add_game, add_json, add_search_threads
from perfectplay.commands.terminal.arguments import seconds, whole_number


def explain_options(parser: ArgumentParser) -> None:
    """The options of `explain`."""
    add_game(parser)
    parser.add_argument("moves", metavar="MOVE", nargs="*", default=[], help="moves to play first")
    parser.add_argument("--position", metavar="TEXT", help="explain this position, such as 'O:X../.../...'")
    parser.add_argument("--seconds", type=seconds, help="time limit of a search (default: 10)")
    add_search_threads(parser)
    add_json(parser)


def review_options(parser: ArgumentParser) -> None:
    """The options of `review`."""
    add_game(parser)
    parser.add_argument(
        "moves",
        metavar="MOVE",
        nargs="*",
        default=[],
        help="the moves of the game; or one file with recorded games, - for standard input",
    )
    parser.add_argument(
        "--position", metavar="TEXT", help="the game starts from this position, such as 'O:X../.../...'"
    )
    parser.add_argument(
        "--game-number", metavar="N", type=whole_number(1, 10**9), help="review only the Nth game of the file"
    )
    parser.add_argument("--seconds", type=seconds, help="time limit of all searches of a game (default: 7)")
    add_search_threads(parser)
    parser.add_argument("--html", metavar="FILE.html", help="write a page with drawn boards, to step through")
    add_force(parser)
    add_json(parser)
