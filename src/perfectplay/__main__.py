"""The program `perfectplay`: the commands of all rooms, in the order in which the help lists them."""

from perfectplay.commands.cli import main, program
from perfectplay.commands.command_table import COMMANDS
from perfectplay.server.serve_options import SERVE

__all__ = ["main", "program"]

COMMANDS.insert(3, SERVE)

if __name__ == "__main__":
    program()
