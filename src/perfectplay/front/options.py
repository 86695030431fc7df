"""What the command line understands: a sub-command each, all with an example in their help."""

import argparse
from collections.abc import Callable
from typing import NoReturn

from perfectplay import __version__
from perfectplay.export.formats import ENDINGS
from perfectplay.front.option_types import memory_size, seconds, size, whole_number

MISUSED = 2

Command = Callable[[str, str, str], argparse.ArgumentParser]
"""Adds a sub-command: its name, what it does, an example."""


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line that points to the help."""

    def error(self, message: str) -> NoReturn:
        """Ends the program with one line on what was wrong."""
        self.exit(MISUSED, f"{self.prog}: {message}; see {self.prog} --help\n")


def build_parser(only: str | None = None) -> Parser:
    """The command line: a sub-command each, all with an example in their help; or only one, which is quicker."""
    parser = Parser(
        prog="perfectplay",
        description="Write the rules of a two-player game once, in plain Python; then play it and solve it.",
        epilog="examples:\n  perfectplay play tic-tac-toe\n  perfectplay analyse tactic-toe",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"perfectplay {__version__}")
    commands = parser.add_subparsers(title="commands", dest="command", metavar="COMMAND", prog=parser.prog)

    def command(name: str, about: str, example: str) -> argparse.ArgumentParser:
        return commands.add_parser(
            name,
            help=about,
            description=about[0].upper() + about[1:] + ".",
            epilog=f"example:\n  perfectplay {example}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )

    for add in [ADD[only]] if only in ADD else dict.fromkeys(ADD.values()):
        add(command)
    return parser


def add_lists(command: Command) -> None:
    """The commands `games` and `players`."""
    games = command("games", "list the games that come with perfectplay", "games")
    games.add_argument("--json", action="store_true", help="print JSON")
    players = command("players", "list the players by name", "players")
    players.add_argument("--json", action="store_true", help="print JSON")


def add_game(parser: argparse.ArgumentParser) -> None:
    """The argument GAME."""
    parser.add_argument("game", metavar="GAME", help="a name with sizes, lines:4,4,3, or a file, ./mygame.py:5,5")


def add_seconds(parser: argparse.ArgumentParser) -> None:
    """The option --seconds of those who play."""
    parser.add_argument(
        "--seconds",
        type=seconds,
        help="for a move (default: up to 10 for those who prove it, 1 for those who only think)",
    )


def add_save_after(parser: argparse.ArgumentParser) -> None:
    """The option --save-after of long jobs."""
    parser.add_argument(
        "--save-after",
        type=whole_number(0, 10**9),
        default=60,
        metavar="SECONDS",
        help="save progress so often (default: 60)",
    )


def add_play(command: Command) -> None:
    """The command `play`."""
    play = command("play", "play a game in the terminal", "play tic-tac-toe --first human --second minimax")
    add_game(play)
    play.add_argument("--first", metavar="PLAYER", default="human", help="who moves first (default: human)")
    play.add_argument("--second", metavar="PLAYER", help="who moves second (default: the strongest there is)")
    play.add_argument("--toss", action="store_true", help="draw lots for the first move of each game")
    add_seconds(play)
    play.add_argument("--seed", type=whole_number(0, 2**63), help="make chance repeatable")


def add_serve(command: Command) -> None:
    """The command `serve`."""
    serve = command("serve", "open the page: play and explore games in the browser", "serve ./mygame.py:5,5")
    serve.add_argument(
        "opened", metavar="GAME", nargs="*", help="games to open with, and files of your own (default: tic-tac-toe)"
    )
    serve.add_argument(
        "--player", metavar="FILE:FUNCTION", action="append", help="a player of your own, ./bots.py:my_ai"
    )
    serve.add_argument("--host", default="127.0.0.1", help="the address to listen at (default: this machine only)")
    serve.add_argument("--port", type=whole_number(0, 65535), help="(default: 8000, or the next that is free; 0: any)")
    serve.add_argument("--name", action="append", help="a name by which the server may be called besides its address")
    serve.add_argument("--no-browser", action="store_true", help="do not open a browser")
    serve.add_argument(
        "--connections", type=whole_number(1, 10_000), default=128, help="open at once, at most (default: 128)"
    )
    serve.add_argument(
        "--solves", type=whole_number(1, 10**6), default=60, help="from the page, a client and hour (default: 60)"
    )
    serve.add_argument(
        "--disk", type=size, default=4 << 30, metavar="SIZE", help="for what is solved from the page (default: 4G)"
    )


def add_battle(command: Command) -> None:
    """The command `battle`."""
    battle = command(
        "battle", "let two players fight many games", "battle tic-tac-toe blocks ./bots.py:my_ai --games 10000 --seed 1"
    )
    add_game(battle)
    battle.add_argument(
        "players", metavar="PLAYER", nargs=2, help="a player's name, or a file's function, ./bots.py:ai"
    )
    battle.add_argument("--games", type=whole_number(1, 10**9), default=1000, help="how many (default: 1000)")
    battle.add_argument("--seed", type=whole_number(0, 2**63), help="make the battle repeatable (default: by chance)")
    battle.add_argument("--swap", action="store_true", help="the second player moves first in every second game")
    battle.add_argument("--jobs", type=whole_number(1, 1024), default=1, help="processes (default: 1)")
    battle.add_argument(
        "--most-plies", type=whole_number(1, 10**9), default=1000, help="then a game is drawn (default: 1000)"
    )
    add_seconds(battle)
    battle.add_argument("--json", action="store_true", help="print JSON")


def add_truth(command: Command) -> None:
    """The commands `solve` and `analyse`."""
    solve = command("solve", "solve a game completely and keep the table", "solve drop:5,4,4")
    add_game(solve)
    engines = ("auto", "plain", "compiled", "cuda", "disk", "cluster")
    about = "how the rules run; cuda: on a GPU; disk: over files, in little memory; cluster: on Dask"
    solve.add_argument("--engine", choices=engines, default="auto", help=about)
    table = solve.add_mutually_exclusive_group()
    table.add_argument("--table", metavar="FILE", help="where to write the table (default: kept for analyse and play)")
    table.add_argument("--no-table", action="store_true", help="only tell value, distance and counts")
    solve.add_argument("--memory", type=memory_size, metavar="SIZE", help="such as 4G (default: 80 %% of what is free)")
    solve.add_argument("--threads", type=whole_number(1, 1024), help="(default: one for each core)")
    solve.add_argument("--resume", action="store_true", help="go on where a long solve was broken off")
    add_save_after(solve)
    add_spread(solve)
    solve.add_argument("--json", action="store_true", help="print JSON")
    analyse = command("analyse", "show what a position and its moves are worth", "analyse tic-tac-toe b2 a1")
    add_game(analyse)
    analyse.add_argument("moves", metavar="MOVE", nargs="*", help="moves to play first, before any option")
    analyse.add_argument("--position", metavar="TEXT", help="where to begin, such as 'O:X../.../...'")
    analyse.add_argument("--seconds", type=seconds, help="search no longer; the answer says what is not proven")
    analyse.add_argument("--nodes", type=whole_number(1, 10**15), help="search no more nodes than this")
    analyse.add_argument(
        "--chance", metavar="MODEL", help="add winning chances against such an opponent: uniform, slips:0.1, shallow:2"
    )
    analyse.add_argument("--exact", action="store_true", help="chances as fractions")
    analyse.add_argument("--json", action="store_true", help="print JSON")


def add_spread(solve: argparse.ArgumentParser) -> None:
    """How the engines `disk` and `cluster` spread a solve."""
    spread = solve.add_argument_group("with --engine disk or cluster")
    spread.add_argument("--workdir", metavar="URL", help="the folder to work in (default: beside the tables)")
    spread.add_argument("--workers", type=whole_number(1, 1024), help="processes (default: one for each core)")
    spread.add_argument("--partitions", type=whole_number(1, 8192), help="(default: two for each worker)")
    spread.add_argument("--scheduler", metavar="ADDRESS", help="of a Dask cluster (default: one started here)")


def add_odds(command: Command) -> None:
    """The command `odds`."""
    odds = command(
        "odds", "compute the exact result of two players, without playing", "odds tic-tac-toe streetwise blocks --exact"
    )
    add_game(odds)
    odds.add_argument(
        "players", metavar="PLAYER", nargs=2, help="random, wins, blocks, perfect, streetwise, level:5, slips:0.1 ..."
    )
    odds.add_argument("--exact", action="store_true", help="as fractions")
    odds.add_argument("--json", action="store_true", help="print JSON")


def add_tables(command: Command) -> None:
    """The commands `tables` and `verify`."""
    tables = command("tables", "list what is kept: tables, books, checkpoints, compiled code", "tables")
    tables.add_argument(
        "--remove",
        metavar="GAME",
        nargs="+",
        help="remove what is kept of these games, or all tables, books, checkpoints or code",
    )
    tables.add_argument("--remove-all", action="store_true", help="remove all of it")
    tables.add_argument("--json", action="store_true", help="print JSON")
    verify = command("verify", "check a table independently of the solver that made it", "verify tic-tac-toe")
    verify.add_argument("table", metavar="TABLE", help="a file, or a game whose table is kept")
    verify.add_argument("--sample", type=whole_number(1, 10**12), metavar="N", help="check N classes chosen by chance")
    verify.add_argument("--seed", type=whole_number(0, 2**63), default=1, help="for --sample (default: 1)")


def add_book(command: Command) -> None:
    """The command `book`."""
    book = command("book", "make the opening book of a game too big for a table", "book drop:5,5,4 --plies 4")
    add_game(book)
    book.add_argument("--plies", type=whole_number(0, 60), required=True, help="how deep the book goes")
    book.add_argument("--book", metavar="FILE", help="where to write it (default: kept for analyse and play)")
    book.add_argument("--threads", type=whole_number(1, 1024), help="(default: one for each core)")
    book.add_argument("--resume", action="store_true", help="go on where a book was broken off")
    add_save_after(book)
    book.add_argument("--json", action="store_true", help="print JSON")


def add_export(command: Command) -> None:
    """The command `export`."""
    export = command(
        "export",
        "write a game's solution for other programs: JSON, C, one page, Parquet",
        "export tactic-toe --to tt.h",
    )
    add_game(export)
    export.add_argument(
        "--to", metavar="FILE", required=True, help="ends in .json, .json.gz, .h, .c, .html or .parquet"
    )
    export.add_argument("--format", choices=ENDINGS, help="in place of what the file's name ends in")
    export.add_argument(
        "--all", action="store_true", help="JSON of all positions (default: one of each class of images)"
    )
    export.add_argument(
        "--budget", metavar="BYTES", type=size, help="C that fits into so many bytes of flash, 4000 or 32K"
    )
    export.add_argument("--json", action="store_true", help="print JSON")


def add_rule_checks(command: Command) -> None:
    """The commands `perft` and `check`, for those who write rules."""
    perft = command("perft", "count the move sequences of each length", "perft connect-four 8")
    add_game(perft)
    perft.add_argument("depth", metavar="DEPTH", type=whole_number(0, 10**6), help="the greatest length in plies")
    perft.add_argument("--json", action="store_true", help="print JSON")
    check = command("check", "check that a game's rules keep the contract", "check ./mygame.py:5,5")
    add_game(check)
    check.add_argument("--walks", type=whole_number(1, 10**6), default=50, help="random games (default: 50)")
    check.add_argument("--seed", type=whole_number(0, 2**63), default=1, help="for the random games (default: 1)")


def add_compare(command: Command) -> None:
    """The command `compare`."""
    compare = command(
        "compare",
        "compare ways to search a game: plain minimax, alpha-beta, caches; nodes include the root",
        "compare tic-tac-toe --position O:.../.X./...",
    )
    add_game(compare)
    compare.add_argument("--position", metavar="TEXT", help="where to begin, O:X../.../... (default: the start)")
    compare.add_argument(
        "--nodes", type=whole_number(1, 10**12), default=10**6, help="stop each search after so many (default: 1000000)"
    )
    compare.add_argument(
        "--seconds", type=whole_number(1, 10**6), default=20, help="stop each search after so many (default: 20)"
    )
    compare.add_argument(
        "--depth",
        type=whole_number(0, 10**6),
        help="how deep to look where play can go on for ever (default: a little deeper than the truth)",
    )
    compare.add_argument("--show", action="store_true", help="draw the boards in the cache, one of each class")
    compare.add_argument(
        "--boards", metavar="N", type=whole_number(1, 10**9), default=1000, help="at most so many (default: 1000)"
    )
    compare.add_argument("--json", action="store_true", help="print JSON")


ADD: dict[str | None, Callable[[Command], None]] = {
    "games": add_lists,
    "players": add_lists,
    "play": add_play,
    "serve": add_serve,
    "battle": add_battle,
    "odds": add_odds,
    "solve": add_truth,
    "analyse": add_truth,
    "compare": add_compare,
    "book": add_book,
    "export": add_export,
    "tables": add_tables,
    "verify": add_tables,
    "perft": add_rule_checks,
    "check": add_rule_checks,
}
