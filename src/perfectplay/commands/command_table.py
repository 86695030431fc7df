"""The commands of the program that are not verbs yet."""

import argparse
from collections.abc import Callable
from importlib import import_module
from typing import NamedTuple

from perfectplay.commands.compete import tournament_options
from perfectplay.commands.matches import play_options
from perfectplay.commands.prove import solve_options


class Command(NamedTuple):
    """A command: its name, what its help says, its options, and the function that does the work.

    `function` is MODULE:FUNCTION within `perfectplay`; the module is imported when the command runs, so that --help and
    small answers come at once. `runs_rules`: rules run in this process, so calls that do not return are reported.
    `kept` says what an interruption leaves; a command that can resume says more by setting `kept` of its options.
    """

    name: str
    summary: str
    example: str
    options: Callable[[argparse.ArgumentParser], None]
    function: str
    aliases: tuple[str, ...] = ()
    runs_rules: bool = True
    kept: str = "nothing is kept"

    def run(self, options: argparse.Namespace) -> int:
        """Does the work and returns the exit code."""
        module, _, function = self.function.partition(":")
        code: int = getattr(import_module(f"perfectplay.{module}"), function)(options)
        return code


COMMANDS = [
    Command(
        "solve",
        "solve a game completely and keep the table",
        "solve drop:5,4,4",
        solve_options.solve_options,
        "commands.prove.solve_command:show_solve",
    ),
    Command(
        "book",
        "make an opening book for a game too large for a table",
        "book drop:5,5,4 --plies 4",
        solve_options.book_options,
        "commands.prove.book_command:show_book",
    ),
    Command(
        "tables",
        "list or remove saved tables, books, checkpoints, results of sweeps and compiled code",
        "tables",
        solve_options.tables_options,
        "commands.prove.tables_command:show_tables",
    ),
    Command(
        "verify",
        "check a table independently of the solver that made it",
        "verify tic-tac-toe",
        solve_options.verify_options,
        "commands.prove.verify_command:show_verify",
        kept="the table is as it was",
    ),
    Command(
        "perft",
        "count the move sequences of each length",
        "perft connect-four 8",
        solve_options.perft_options,
        "commands.prove.perft_command:show_perft",
    ),
    Command(
        "check",
        "check that a game's rules satisfy the contract",
        "check ./mygame.py:5,5",
        solve_options.check_options,
        "commands.prove.check_command:show_check",
    ),
]
"""The commands that are not verbs yet."""
