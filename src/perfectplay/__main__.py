"""`python -m perfectplay` is the program `perfectplay`."""

from perfectplay.commands.cli import program

program()
