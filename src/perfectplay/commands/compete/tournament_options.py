"""The options of the commands in which bots meet: tournament."""

from argparse import ArgumentParser, ArgumentTypeError

from perfectplay.commands.matches.play_options import add_force, add_json, add_record, add_seed
from perfectplay.commands.terminal.arguments import seconds, size, whole_number


def tournament_options(parser: ArgumentParser) -> None:
    """The options of `tournament`."""
    parser.add_argument(
        "game", metavar="GAME", nargs="?", help="a game's name, or your own file; may be left out with a record"
    )
    parser.add_argument(
        "players",
        metavar="PLAYER",
        nargs="*",
        help="a player's name, a program that speaks UGI ('cmd:./mybot --fast'), or your function (./bots.py:my_ai)",
    )
    formats = ("round-robin", "gauntlet", "swiss", "fixed-sides")
    about = "everybody meets (the default); the first player meets the others; rounds of equal scores; A always first"
    parser.add_argument("--format", choices=formats, metavar=f"{{{','.join(formats)}}}", help=about)
    parser.add_argument(
        "--games", metavar="N", type=whole_number(1, 10**7), help="games per pairing (default: 2 per opening, or 100)"
    )
    parser.add_argument("--rounds", metavar="R", type=whole_number(1, 10**4), help="rounds of --format swiss")
    clocks = parser.add_mutually_exclusive_group()
    clocks.add_argument("--time", metavar="S+I", help="clock: seconds per game and increment per move, such as 10+0.1")
    clocks.add_argument("--movetime", metavar="S", type=seconds, help="seconds per move (default: 1)")
    parser.add_argument(
        "--openings",
        metavar="K|FILE",
        type=openings,
        help="K balanced openings, or those of a file; each is played from both sides",
    )
    parser.add_argument(
        "--sprt", nargs=2, type=float, metavar=("ELO0", "ELO1"), help="end a match of two as soon as it is decided"
    )
    add_seed(parser, "make the tournament repeatable (default: a random seed)")
    parser.add_argument("--jobs", type=whole_number(1, 1024), default=1, help="number of processes (default: 1)")
    parser.add_argument(
        "--max-plies", type=whole_number(1, 10**9), help="a game of this length is a draw (default: 1000)"
    )
    parser.add_argument("--memory", metavar="SIZE", type=size, help="memory of each bot (default: 1G)")
    parser.add_argument("--sandbox", action="store_true", help="bots get no network and cannot write files (Linux)")
    parser.add_argument(
        "--seconds",
        type=seconds,
        help="search time per game to judge moves where there is no table (default: none)",
    )
    add_record(parser)
    parser.add_argument("--report", metavar="FILE.html", help="write a report with every game; of a record, too")
    add_force(parser, " (the report; a record is never replaced)")
    parser.add_argument(
        "--times", action="store_true", help="with --json: add the time per move, which no seed repeats"
    )
    add_json(parser)


def openings(text: str) -> int | str:
    """The number of openings, or the file that has them."""
    if not text.removeprefix("-").isdecimal():
        return text
    if not 1 <= int(text) <= 10**5:
        raise ArgumentTypeError(f"{text!r} is not a number of openings from 1 to 100,000, or a file")
    return int(text)
