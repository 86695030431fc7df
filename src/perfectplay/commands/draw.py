"""`draw`: a position, or a line of play, as a picture."""

from typing import TYPE_CHECKING, Annotated

from perfectplay.commands.kinds import FORCE, GAME, MOVES, POSITION, Flag, Named, Seconds, Whole
from perfectplay.commands.terminal.arguments import GameLike, MoveLike, Progress
from perfectplay.commands.verb import Call, on_command_line, verb
from perfectplay.processes.folders import PathLike

if TYPE_CHECKING:
    from perfectplay.commands.matches.match import Match


@verb(
    "play",
    "draw a position as SVG or PNG, or a line of play as GIF or animated SVG",
    "draw tic-tac-toe b2 a1 --to board.svg --hints",
    "draw tic-tac-toe b2 a1 c3 --to game.svg --animate --values",
    kept="nothing is written",
    json=False,
)
def draw(
    game: Annotated["GameLike | Match", GAME],
    *moves: Annotated[MoveLike, MOVES],
    position: Annotated[str | None, POSITION] = None,
    to: Annotated[PathLike, Named("picture to write: .svg, .png, or .gif, which shows every move", metavar="FILE")],
    force: Annotated[bool, FORCE] = False,
    hints: Annotated[bool, Flag("show what each move is worth")] = False,
    values: Annotated[bool, Flag("write what the position is worth below the board")] = False,
    animate: Annotated[bool, Flag("show every move in turn, in an .svg, too")] = False,
    delay: Annotated[float, Seconds("seconds per move (default: 1); the last one stays for four times that")] = 1.0,
    size: Annotated[
        int | None, Whole("longer side of the picture (default: by the board)", 16, 8192, metavar="PIXELS")
    ] = None,
    dark: Annotated[bool, Flag("dark colours (default: light)")] = False,
    seconds: Annotated[float | None, Seconds("time limit of a search for hints or values, per position")] = None,
    progress: Progress | None = None,
) -> "Match":
    """Draws the position after these moves, or with animate=True or as .gif all of them, and returns the match.

    hints=True shows what each move is worth, values=True what the position is. A file that perfectplay did not write
    is only replaced with force=True.
    """
    from perfectplay.commands.matches.match import match_of
    from perfectplay.commands.matches.match_pictures import How, write_picture

    match = match_of(game, moves, position)
    write_picture(match, to, How(hints, values, size, dark, delay, seconds, progress), animate, force)
    return match


@on_command_line("draw")
def show(call: Call) -> int:
    """Writes the picture and says what it shows."""
    from pathlib import Path

    from perfectplay.rules.notation import number_of
    from perfectplay.views.board_picture import picture_title

    match, to = call.result(), call.options.to
    moving = call.options.animate or Path(to).suffix.lower() == ".gif"
    frames = f", {number_of(len(match.moves) + 1, 'frame')}" if moving else ""
    return call.finish(match, f"{to}: {picture_title(match.game, match.position, match.turn)}{frames}")
