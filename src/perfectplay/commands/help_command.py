"""`perfectplay help`: the help of the program or of one command."""

from argparse import Namespace

from perfectplay.commands.parser import command_named, command_parser, program_help


def show_help(options: Namespace) -> int:
    """Prints the help."""
    print(
        program_help() if options.about is None else command_parser(command_named(options.about)).format_help(), end=""
    )
    return 0
