"""`perfectplay help`: the help of the program or of one command."""

from argparse import Namespace

from perfectplay.commands.parser import build_parser, command_named, command_parser


def show_help(options: Namespace) -> int:
    """Prints the help."""
    parser = build_parser() if options.about is None else command_parser(command_named(options.about))
    parser.print_help()
    return 0
