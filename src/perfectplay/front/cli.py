"""The program `perfectplay`: reads the command line, calls what does the work, catches every error once.

argparse, not a larger library, because it costs a hundredth of a second to import: docs/decisions/0003.
Each command imports what it needs when it runs, so that --help and small answers come at once.
"""

import argparse
import atexit
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NoReturn

from perfectplay.front import signals, streams
from perfectplay.front.interrupts import prompt_interrupts
from perfectplay.front.options import MISUSED, build_parser
from perfectplay.loading import describe_fault, line_of, split_path
from perfectplay.system import check_system
from perfectplay.words import PerfectplayError

UNWATCHED = (None, "games", "players", "serve")
"""Commands that run no rules here; the server has its own way with signals."""


def run(options: argparse.Namespace) -> int:
    """Does what the command line asks and returns the exit code."""
    match options.command:
        case "games" | "players":
            from perfectplay.front.commands import list_commands

            return (
                list_commands.show_games(options) if options.command == "games" else list_commands.show_players(options)
            )
        case "play":
            from perfectplay.front.commands import play_command

            return play_command.play(options)
        case "serve":
            from perfectplay.front.commands import serve_command

            return serve_command.serve(options)
        case "battle":
            from perfectplay.front.commands import battle_command

            return battle_command.show_battle(options)
        case "odds":
            from perfectplay.front.commands import odds_command

            return odds_command.show_odds(options)
        case "solve":
            from perfectplay.front.commands import solve_command

            return solve_command.show_solve(options)
        case "analyse":
            from perfectplay.front.commands import analyse_command

            return analyse_command.show_analyse(options)
        case "book":
            from perfectplay.front.commands import book_command

            return book_command.show_book(options)
        case "export":
            from perfectplay.front.commands import export_command

            return export_command.show_export(options)
        case "tables":
            from perfectplay.front.commands import tables_command

            return tables_command.show_tables(options)
        case "verify":
            from perfectplay.front.commands import verify_command

            return verify_command.show_verify(options)
        case "perft" | "check":
            from perfectplay.front.commands import rule_commands

            return (
                rule_commands.show_perft(options) if options.command == "perft" else rule_commands.show_check(options)
            )
        case "compare":
            from perfectplay.front.commands import compare_command

            return compare_command.show_compare(options)
    build_parser().print_help()
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit code of the program: 0, or 2 when what was given cannot be used."""
    streams.prepare()
    try:
        check_system()
    except PerfectplayError as error:
        return complain(str(error))
    arguments = sys.argv[1:] if arguments is None else arguments
    options = build_parser(arguments[0] if arguments else None).parse_args(arguments)
    try:
        with signals.ending_by_signals(), looked_after(options):
            code = run(options)
            if sys.stdout is not None:
                sys.stdout.flush()
        return code
    except PerfectplayError as error:
        return complain(str(error))
    except KeyboardInterrupt as end:
        print(file=sys.stderr)
        return signals.exit_code(end)
    except BrokenPipeError:  # the reader has gone, as in `perfectplay games | head -1`
        streams.abandon()
        return 0
    except OSError as error:
        streams.abandon()
        return complain(f"cannot go on: {error.strerror}" + (f": {error.filename}" if error.filename else ""))
    except (Exception, SystemExit) as fault:  # a user's own file may do anything, at any time
        files = [path for name in names_in(options) if (path := split_path(name)[0]) is not None]
        if not files:
            raise
        where = next((f"{path}{line}" for path in files if (line := line_of(fault, path))), str(files[0]))
        return complain(f"{where} broke down: {describe_fault(fault)}; try perfectplay check")


@contextmanager
def looked_after(options: argparse.Namespace) -> Iterator[None]:
    """Ctrl-C ends whatever is done meanwhile, and rules that do not return are told about."""
    if options.command in UNWATCHED:
        yield
        return
    with prompt_interrupts():
        name = vars(options).get("game") or ""
        if split_path(name)[0] is None:
            yield
            return
        from perfectplay.front.rule_watch import watched_rules

        with watched_rules(name, stop=options.command == "check"):
            yield


def program() -> NoReturn:
    """Runs the program and ends it; once interrupted it does not wait for threads that may never end."""
    code = main()
    if code > 128:
        atexit._run_exitfuncs()
        sys.stderr.flush()
        os._exit(code)
    sys.exit(code)


def complain(line: str) -> int:
    """Says what was wrong, and returns the exit code for it."""
    print(f"perfectplay: {line}", file=sys.stderr)
    return MISUSED


def names_in(options: argparse.Namespace) -> list[str]:
    """The names of games and players on the command line."""
    names = (
        [vars(options).get(name) for name in ("game", "first", "second")]
        + vars(options).get("players", [])
        + vars(options).get("opened", [])
    )
    return [name for name in names if name]
