"""`perfectplay check`: what is wrong with rules, and how random games by them go."""

import json
from argparse import Namespace

from perfectplay.commands.prove.checking import RulesReport, check_rows, checking
from perfectplay.commands.prove.random_play import SampleGame, moves_and_board, random_games
from perfectplay.commands.terminal.streams import show
from perfectplay.game import Game
from perfectplay.rules.loading import load_game
from perfectplay.views.document import Document, Section, Table, game_boards
from perfectplay.views.document_text import text
from perfectplay.words import BadGame

LINES = 32
"""The most lines that the boards of a whole game may take; of a longer game only the last board is drawn."""


def show_check(options: Namespace) -> int:
    """Prints each check, whether the rules pass it, and how random games go; raises BadGame if they fail one."""
    game, checks = load_game(options.game), []
    for check in checking(game, options.walks, options.seed):
        checks.append(check)
        if not options.json:
            show(Document(None, Table([(f"{status.text:<5}", line) for status, line in check_rows(check)])))
    report = RulesReport(options.game, tuple(checks), random_games(game, options.walks, options.seed))
    if options.json:
        print(json.dumps(report.to_dict()))
    elif report.games is not None:
        show(Document(report.games.line, sample_section(game, report.games.sample)))
    if not report.ok:
        where = "its faults" if options.json else "FAULT above"
        raise BadGame(f"{options.game} breaks the contract, see {where}")
    return 0


def sample_section(game: Game, sample: SampleGame) -> Section | None:
    """The random game: all its boards if they take little room, else its moves and the last board."""
    if not sample.moves:
        return None
    boards = game_boards(game, sample.moves, {})
    short = len(text(Document(None, boards)).splitlines()) <= LINES
    return Section(f"{sample.heading}:", *((boards,) if short else moves_and_board(sample)))
