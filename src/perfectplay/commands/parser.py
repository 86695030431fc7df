"""The command line: a sub-parser for each command, errors of one line, options and arguments in any order."""

import argparse
import re
from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import Any, NoReturn

from perfectplay import __version__
from perfectplay.commands.command_table import COMMANDS, Command
from perfectplay.commands.terminal.signals import MISUSED

PROGRAM = "perfectplay"
TRACEBACK = "--traceback"
OF_PROGRAM = {"-h", "--help", "--version"}
"""Options of the program, not of a command."""
NEGATIVE = re.compile(r"-\.?[0-9]")
"""How a number below 0 begins, or a list of numbers: no option begins so."""


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line that points to the help; lists such as -1,3,5 are values, not options."""

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        self._negative_number_matcher = NEGATIVE

    def error(self, message: str) -> NoReturn:
        """Exits with one line on what is wrong."""
        pointer = "" if message.endswith("?") else f"; see {self.prog} --help"
        self.exit(MISUSED, f"{self.prog}: {message}{pointer}\n")

    def read(self, arguments: Sequence[str]) -> argparse.Namespace:
        """The options in these arguments, in any order; exits with one line for what is not understood."""
        options, unknown = self.parse_known_intermixed_args(arguments)
        self.refuse(unknown)
        return options

    def refuse(self, unknown: Sequence[str]) -> None:
        """Exits with one line if something is not understood."""
        for text in unknown:
            if text.startswith("-"):
                there = [flag for action in self._actions for flag in shown_flags(action)]
                self.error(f"no option is called {text!r}{did_you_mean(text, there)}")
        if unknown:
            self.error(f"unexpected argument {unknown[0]!r}")


def shown_flags(action: argparse.Action) -> Sequence[str]:
    """The flags of an option, none of an old spelling."""
    return () if action.help == argparse.SUPPRESS else action.option_strings


def did_you_mean(text: str, names: Iterable[str]) -> str:
    """A hint at the name closest to the text; empty if none is close."""
    from difflib import get_close_matches

    bare = {name.lstrip("-"): name for name in names}
    close = get_close_matches(text.lower().lstrip("-"), bare, 1)
    return f"; did you mean {bare[close[0]]}?" if close else ""


def texts(command: Command) -> dict[str, Any]:
    """The description and the example in a command's help."""
    return {
        "description": command.summary[0].upper() + command.summary[1:] + ".",
        "epilog": f"example:\n  {PROGRAM} {command.example}",
        "formatter_class": argparse.RawDescriptionHelpFormatter,
    }


def with_options(parser: Parser, command: Command) -> Parser:
    """The parser with the command's options added."""
    command.options(parser)
    return with_traceback(parser)


def with_traceback(parser: Parser) -> Parser:
    """The parser with the option that all commands have."""
    parser.add_argument(TRACEBACK, action="store_true", help="show the Python traceback of an error")
    return parser


def build_parser() -> Parser:
    """The parser of the whole command line, with a sub-parser for each command."""
    parser = Parser(
        prog=PROGRAM,
        description="Write the rules of a two-player game once, in plain Python; then play it and solve it.",
        epilog=f"examples:\n  {PROGRAM} play tic-tac-toe\n  {PROGRAM} analyse tactic-toe",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}")
    commands = parser.add_subparsers(title="commands", dest="command", metavar="COMMAND", prog=PROGRAM)
    for command in COMMANDS:
        with_options(commands.add_parser(command.name, help=command.summary, **texts(command)), command)
    return with_traceback(parser)


def command_parser(command: Command) -> Parser:
    """The parser of one command alone, which is quicker to build than all."""
    return with_options(Parser(prog=f"{PROGRAM} {command.name}", **texts(command)), command)


def parse(arguments: Sequence[str]) -> tuple[Command | None, argparse.Namespace]:
    """The command, None if there is none, and its options; exits with one line for what is not understood."""
    leading = [*takewhile(lambda text: text.startswith("-"), arguments)]
    if len(leading) == len(arguments) or not OF_PROGRAM.isdisjoint(leading):
        parser = build_parser()
        options, unknown = parser.parse_known_args(leading)
        parser.refuse(unknown)
        return None, options
    first = len(leading)
    if set(leading) - {TRACEBACK}:  # options of the command before it, maybe with values
        first = next((i for i, text in enumerate(arguments) if text in commands_by_name()), first)
    command = command_named(arguments[first])
    return command, command_parser(command).read([*arguments[:first], *arguments[first + 1 :]])


def command_named(name: str) -> Command:
    """The command of that name; exits with one line if there is none."""
    named = commands_by_name()
    if name not in named:
        hint = did_you_mean(name, [*(command.name for command in COMMANDS), "--version"])
        build_parser().error(f"no command is called {name!r}{hint}")
    return named[name]


def commands_by_name() -> dict[str, Command]:
    """Each command under its name and its aliases."""
    return {name: command for command in COMMANDS for name in (command.name, *command.aliases)}
