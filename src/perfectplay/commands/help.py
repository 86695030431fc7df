"""`help`: the help of the program or of one command."""

from typing import Annotated

from perfectplay.commands.kinds import Named
from perfectplay.commands.verb import verb


@verb(
    "keep",
    "show the help of the program or of a command",
    "help",
    "help solve",
    name="help",
    prints=True,
    runs_rules=False,
)
def show_help(
    about: Annotated[
        str | None, Named("a command (default: list all commands)", metavar="COMMAND", argument=True)
    ] = None,
) -> int:
    """Prints the help."""
    from perfectplay.commands.parser import command_named, command_parser, program_help

    print(program_help() if about is None else command_parser(command_named(about)).format_help(), end="")
    return 0
