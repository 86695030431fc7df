"""`perfectplay check`: what is wrong with rules, and how random games by them go."""

import json
from argparse import Namespace
from collections.abc import Iterator

from perfectplay.commands.prove.checking import RulesReport, checking
from perfectplay.commands.prove.random_play import SampleGame, random_games
from perfectplay.commands.terminal.draw_many import draw_game
from perfectplay.game import Game
from perfectplay.rules.loading import load_game
from perfectplay.words import BadGame

LINES = 32
"""The most lines that the boards of a whole game may take; of a longer game only the last board is drawn."""


def show_check(options: Namespace) -> int:
    """Prints each check, whether the rules pass it, and how random games go; raises BadGame if they fail one."""
    game, checks = load_game(options.game), []
    for check in checking(game, options.walks, options.seed):
        checks.append(check)
        if not options.json:
            print(check, flush=True)
    report = RulesReport(options.game, tuple(checks), random_games(game, options.walks, options.seed))
    if options.json:
        print(json.dumps(report.to_dict()))
    elif report.games is not None:
        print(report.games)
        print("\n".join(drawn_sample(game, report.games.sample)))
    if not report.ok:
        where = "its faults" if options.json else "FAULT above"
        raise BadGame(f"{options.game} breaks the contract, see {where}")
    return 0


def drawn_sample(game: Game, sample: SampleGame) -> Iterator[str]:
    """The random game: all its boards if they take little room, else its moves and the last board."""
    if not sample.moves:
        return
    boards = list(draw_game(game, sample.moves, {}))
    yield f"\n{sample.heading}:"
    yield from boards if len(boards) <= LINES else ["", *str(sample).splitlines()]
