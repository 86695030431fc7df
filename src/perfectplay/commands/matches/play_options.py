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








