"""The options of the commands that play."""

from argparse import ArgumentParser

from perfectplay.commands.terminal.arguments import seconds, whole_number


def add_game(parser: ArgumentParser) -> None:
    """The argument GAME."""
    parser.add_argument(
        "game",
        metavar="GAME",
        help="a game's name, with sizes (lines:4,4,3) or without, or your own file (./mygame.py:5,5)",
    )


def add_moves(parser: ArgumentParser) -> None:
    """The moves to play first, and the position to start from."""
    parser.add_argument("moves", metavar="MOVE", nargs="*", default=[], help="moves to play first")
    parser.add_argument("--position", metavar="TEXT", help="start from this position, such as 'O:X../.../...'")


def add_json(parser: ArgumentParser) -> None:
    """The option --json."""
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def add_force(parser: ArgumentParser, exception: str = "") -> None:
    """The option --force of all commands that write files."""
    help = f"replace a file that perfectplay did not write, too{exception}"  # noqa: A001
    parser.add_argument("--force", action="store_true", help=help)


def add_players(parser: ArgumentParser, examples: str) -> None:
    """The two arguments PLAYER."""
    parser.add_argument("players", metavar="PLAYER", nargs=2, help=examples)


def add_seed(parser: ArgumentParser, about: str, default: int | None = None) -> None:
    """The option --seed."""
    parser.add_argument("--seed", type=whole_number(0, 2**63 - 1), default=default, help=about)


def add_seconds(parser: ArgumentParser) -> None:
    """The option --seconds of the players."""
    parser.add_argument(
        "--seconds",
        type=seconds,
        help="seconds per move (default: 1 for timed players such as mcts, at most 10 for players that search)",
    )


def add_threads(parser: ArgumentParser) -> None:
    """The option --threads."""
    parser.add_argument("--threads", type=whole_number(1, 1024), help="number of threads (default: one per core)")


def add_search_threads(parser: ArgumentParser) -> None:
    """The option --threads of a search."""
    about = "threads of a search, once a position is hard (default: one per core)"
    parser.add_argument("--threads", type=whole_number(1, 1024), help=about)


def add_record(parser: ArgumentParser) -> None:
    """The options --record and --resume."""
    parser.add_argument("--record", metavar="FILE", help="add each game to this file as it ends (JSON lines)")
    parser.add_argument("--resume", action="store_true", help="with --record: resume after an interruption")


def battle_options(parser: ArgumentParser) -> None:
    """The options of `battle`."""
    add_game(parser)
    add_players(parser, "a player's name, a program (cmd:./mybot), or your own function (./bots.py:my_ai)")
    parser.add_argument("--games", type=whole_number(1, 10**9), help="number of games (default: 1000)")
    add_seed(parser, "make the battle repeatable (default: a random seed)")
    parser.add_argument("--swap", action="store_true", help="swap sides in every second game")
    parser.add_argument("--jobs", type=whole_number(1, 1024), default=1, help="number of processes (default: 1)")
    plies = whole_number(1, 10**9)
    parser.add_argument("--max-plies", type=plies, default=1000, help="a game of this length is a draw (default: 1000)")
    parser.add_argument(
        "--show-losses",
        metavar="N",
        type=whole_number(0, 10_000),
        default=0,
        help="draw the first N games that the first-named player lost, move by move",
    )
    parser.add_argument(
        "--times", action="store_true", help="with --json: add the time and the nodes per move, which no seed repeats"
    )
    add_seconds(parser)
    add_record(parser)
    parser.add_argument("--from", dest="source", metavar="FILE", help="play nothing: count their games in this record")
    add_json(parser)


def bot_options(parser: ArgumentParser) -> None:
    """The options of `bot`."""
    add_game(parser)
    parser.add_argument("players", metavar="PLAYER", nargs=1, help="a player's name, or your own (./bots.py:my_ai)")
    add_seed(parser, "make random choices repeatable (default: a random seed)")
    add_seconds(parser)


def odds_options(parser: ArgumentParser) -> None:
    """The options of `odds`."""
    add_game(parser)
    add_players(parser, "random, wins, blocks, perfect, level:5, noisy:0.1 ..., or your own function (./bots.py:my_ai)")
    parser.add_argument("--exact", action="store_true", help="print fractions")
    parser.add_argument(
        "--games", type=whole_number(1, 10**9), help="play this many games and estimate, for players that vary"
    )
    add_seed(parser, "the seed of the games (default: 0)", default=0)
    parser.add_argument("--seconds", type=seconds, default=60, help="maximum seconds per move (default: 60)")
    add_json(parser)


def certify_options(parser: ArgumentParser) -> None:
    """The options of `certify`."""
    add_game(parser)
    parser.add_argument(
        "players",
        metavar="PLAYER",
        nargs="+",
        help="your function (./bots.py:my_ai), several, a pattern ('class/*.py:ai', './bots.py:*_ai'), or a name",
    )
    parser.add_argument(
        "--side", choices=("first", "second", "both"), default="both", help="the side to examine (default: both)"
    )
    parser.add_argument(
        "--repeats",
        type=whole_number(1, 1000),
        default=3,
        help="how often to ask in each position, to see whether answers differ (default: 3)",
    )
    parser.add_argument("--seconds", type=seconds, default=60, help="maximum seconds per move (default: 60)")
    add_seed(parser, "the seed of random choices (default: 0)", default=0)
    parser.add_argument("--jobs", type=whole_number(1, 1024), default=1, help="number of processes (default: 1)")
    parser.add_argument("--report", metavar="FILE.html", help="write a report with drawn boards")
    add_force(parser)
    add_json(parser)
