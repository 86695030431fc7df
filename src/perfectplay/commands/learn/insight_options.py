"""The options of `puzzles`."""

from argparse import ArgumentParser, ArgumentTypeError

from perfectplay.commands.matches.play_options import add_force, add_game, add_json, add_seed
from perfectplay.commands.terminal.arguments import whole_number


def puzzles_options(parser: ArgumentParser) -> None:
    """The options of `puzzles`."""
    add_game(parser)
    kinds = ("win", "save", "only", "trap", "fork")
    about = "win, save (a draw), only (either, the default), trap (what looks best is wrong), fork (a double threat)"
    parser.add_argument("--kind", choices=kinds, metavar=f"{{{','.join(kinds)}}}", help=about)
    parser.add_argument("--in", dest="plies", metavar="N", type=whole_number(1, 1000), help="wins in N plies only")
    parser.add_argument("--count", metavar="K", type=whole_number(1, 1000), default=10, help="how many (default: 10)")
    parser.add_argument("--difficulty", metavar="LOW-HIGH", type=grades, default=(1, 10), help="1-10, such as 3-5 or 7")
    add_seed(parser, "number that decides which puzzles are chosen (default: 1)", default=1)
    parser.add_argument("--games", metavar="FILE", help="from these recorded games, one a line, such as: b2 a1 c3")
    parser.add_argument("--to", metavar="FILE", help="write FILE.json, or FILE.html: a page to solve them on")
    add_force(parser)
    parser.add_argument("--solve", action="store_true", help="solve them here, in the terminal")
    add_json(parser)


def grades(text: str) -> tuple[int, int]:
    """The least and greatest difficulty in the text: 3-5, or 7."""
    low, _, high = text.partition("-")
    numbers = [int(part) if part.isdecimal() else 0 for part in (low, high or low)]
    if not 1 <= numbers[0] <= numbers[1] <= 10:
        raise ArgumentTypeError(f"{text!r} is not a difficulty from 1 to 10, or a range such as 3-5, the lower first")
    return numbers[0], numbers[1]
