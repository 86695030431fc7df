"""The command `serve`, as the help shows it; what it does is imported when it runs."""

from argparse import ArgumentParser

from perfectplay.commands.command_table import Command
from perfectplay.commands.terminal.arguments import size, whole_number


def serve_options(parser: ArgumentParser) -> None:
    """The options of `serve`."""
    parser.add_argument(
        "opened", metavar="GAME", nargs="*", default=[], help="games to open, by name or file (default: tic-tac-toe)"
    )
    parser.add_argument(
        "--player",
        "--bot",
        metavar="PLAYER",
        action="append",
        help="a player of your own: a function (./bots.py:my_ai) or a program (cmd:./mybot)",
    )
    parser.add_argument(
        "--watch", metavar="FILE", help="follow the tournament that writes this record, and open its live page"
    )
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: this machine only)")
    parser.add_argument(
        "--port", type=whole_number(0, 65535), help="port (default: 8000 or the next free port; 0: any free port)"
    )
    parser.add_argument(
        "--name",
        action="append",
        help="a host name under which browsers may reach the server, such as games.example.org",
    )
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser")
    parser.add_argument(
        "--connections",
        type=whole_number(1, 10_000),
        default=128,
        help="maximum number of open connections (default: 128)",
    )
    parser.add_argument(
        "--disk",
        type=size,
        default=4 << 30,
        metavar="SIZE",
        help="disk space for tables solved from the page (default: 4G)",
    )


SERVE = Command(
    "serve",
    "play and explore games in the browser",
    "serve ./mygame.py:5,5",
    serve_options,
    "server.serve_command:serve",
    runs_rules=False,  # the server handles signals itself, and its workers run the rules
    kept="tables that were solved from the page are kept",
)
