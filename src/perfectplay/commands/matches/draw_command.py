"""`perfectplay draw`: a position, or a line of play, as a picture."""

import sys
from argparse import Namespace
from contextlib import redirect_stdout
from pathlib import Path

from perfectplay.commands.matches.match import Match
from perfectplay.commands.terminal.progress import shown_progress
from perfectplay.rules.loading import load_game
from perfectplay.rules.notation import number_of
from perfectplay.views.board_picture import picture_title


def draw(options: Namespace) -> int:
    """Plays the moves, writes the picture, and says what it shows."""
    match = Match(load_game(options.game), options.moves, options.position)
    with redirect_stdout(sys.stderr), shown_progress() as progress:  # rules may print
        match.save_picture(
            options.to,
            hints=options.hints,
            values=options.values,
            animate=options.animate,
            delay=options.delay,
            size=options.size,
            dark=options.dark,
            seconds=options.seconds,
            force=options.force,
            progress=progress,
        )
    moving = options.animate or Path(options.to).suffix.lower() == ".gif"
    how = f", {number_of(len(match.moves) + 1, 'frame')}" if moving else ""
    print(f"{options.to}: {picture_title(match.game, match.position, match.turn)}{how}")
    return 0
