"""The options of the commands that say why: explain, review, puzzles, strategy."""

from argparse import ArgumentParser

from perfectplay.front.option_types import seconds, whole_number
from perfectplay.front.play_options import add_game, add_json


def explain_options(parser: ArgumentParser) -> None:
    """The options of `explain`."""
    add_game(parser)
    parser.add_argument("moves", metavar="MOVE", nargs="*", default=[], help="moves to play first")
    parser.add_argument("--position", metavar="TEXT", help="explain this position, such as 'O:X../.../...'")
    parser.add_argument("--seconds", type=seconds, help="time limit of a search (default: 10)")
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
    parser.add_argument("--seconds", type=seconds, help="time limit of all searches of a game (default: 6)")
    parser.add_argument("--html", metavar="FILE.html", help="write a page with drawn boards, to step through")
    add_json(parser)


def strategy_options(parser: ArgumentParser) -> None:
    """The options of `strategy`."""
    add_game(parser)
    parser.add_argument(
        "--side",
        choices=("first", "second"),
        help="whose strategy (default: the winner's, and in a draw the first player's)",
    )
    parser.add_argument(
        "--seconds",
        type=seconds,
        default=10,
        help="time limit of each search: near rules, all rules, longer lists (default: 10)",
    )
    parser.add_argument("--to", metavar="FILE", help="write the strategy as one HTML page here")
    add_json(parser)
