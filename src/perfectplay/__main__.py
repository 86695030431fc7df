"""The program `perfectplay`."""

from perfectplay.commands.cli import main, program

__all__ = ["main", "program"]

if __name__ == "__main__":
    program()
