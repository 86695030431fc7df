"""The commands of the program, in the order in which the help lists them; a new command is a line here."""

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
        "games",
        "list the built-in games",
        "games",
        play_options.games_options,
        "commands.list_commands:show_games",
        runs_rules=False,
    ),
    Command(
        "players",
        "list the players by name",
        "players",
        play_options.list_options,
        "commands.list_commands:show_players",
        runs_rules=False,
    ),
    Command(
        "play",
        "play a game in the terminal",
        "play tic-tac-toe --first human --second minimax",
        play_options.play_options,
        "commands.matches.play_command:play",
    ),
    Command(
        "battle",
        "play many games between two players",
        "battle tic-tac-toe blocks ./bots.py:my_ai --games 10000 --seed 1",
        play_options.battle_options,
        "commands.matches.battle_command:show_battle",
    ),
    Command(
        "tournament",
        "play many games between several players; ratings, and the exact price of mistakes",
        "tournament tic-tac-toe perfect blocks cmd:./mybot --openings 20",
        tournament_options.tournament_options,
        "commands.compete.tournament_command:show_tournament",
    ),
    Command(
        "bot",
        "let a player take part in other programs' tournaments: a UGI engine on standard input and output",
        "bot connect-four perfect",
        play_options.bot_options,
        "commands.matches.bot_command:speak_ugi",
    ),
    Command(
        "certify",
        "prove that a player is perfect, or show the shortest game that refutes it",
        "certify tic-tac-toe ./bots.py:my_ai",
        play_options.certify_options,
        "commands.compete.certify_command:show_certify",
    ),
    Command(
        "odds",
        "compute the exact win, draw and loss probabilities of two players",
        "odds tic-tac-toe streetwise blocks --exact",
        play_options.odds_options,
        "commands.odds.odds_command:show_odds",
    ),
    Command(
        "export",
        "write a solution for other programs: JSON, C, one HTML page, Parquet",
        "export tactic-toe --to tt.h",
        solve_options.export_options,
        "commands.publish.export_command:show_export",
        kept="nothing is written",
    ),
    Command(
        "site",
        "write a gallery of solved games as a folder for any web server",
        "site tic-tac-toe drop:4,4,4 --to games",
        solve_options.site_options,
        "commands.publish.site_command:show_site",
        kept="nothing is written",
    ),
    Command(
        "completion",
        "print a completion script for bash, zsh or fish",
        "completion bash",
        play_options.completion_options,
        "commands.completion_command:show_completion",
        runs_rules=False,
    ),
    Command(
        "help",
        "show the help of the program or of a command",
        "help solve",
        play_options.help_options,
        "commands.help_command:show_help",
        runs_rules=False,
    ),
]
"""The commands of this room; `perfectplay.__main__` adds those of others."""
