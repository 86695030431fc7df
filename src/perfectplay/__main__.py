"""`python -m perfectplay` is the program `perfectplay`."""

from perfectplay.front.cli import program

program()
