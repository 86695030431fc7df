"""Pictures of a match: the position, or the whole line of play, as SVG, PNG or GIF."""

from typing import TYPE_CHECKING, NamedTuple

from perfectplay.commands.know.analysing import Analysis, analysis_of, hints_of
from perfectplay.commands.terminal.arguments import Progress, check_seconds, whole
from perfectplay.game import Game
from perfectplay.processes.folders import PathLike
from perfectplay.rules.outputs import GIF, PNG, SVG, output_by_ending
from perfectplay.solvers.engine import cores
from perfectplay.solvers.search.search_clock import Limits
from perfectplay.views.board_picture import LONGEST as USUAL_SIZE, game_title, status_text
from perfectplay.views.board_squares import change_of
from perfectplay.views.game_pictures import HELD, Frame, frame_picture, gif_of, moving_picture
from perfectplay.views.game_pieces import side_names
from perfectplay.views.png import png_of
from perfectplay.views.scoped_style import changed_squares
from perfectplay.words import ONGOING, BadArgument, Turn, require

if TYPE_CHECKING:
    from perfectplay.commands.matches.match import Match

SMALLEST, LARGEST = 16, 8192
"""The longer side of a picture in pixels."""
SHORTEST, LONGEST = 0.02, 600
"""The seconds for which a frame may stay: browsers show no GIF faster."""
MOST_PIXELS = 10**8
"""The pixels of all frames of a GIF together: they take 400 MB while it is made."""
MOST_FRAMES = 1000
"""The longest line of play that is drawn."""


class How(NamedTuple):
    """What pictures show: hints, values in words, in which size and colours, and how long a frame stays."""

    hints: bool | Analysis = False
    values: bool = False
    size: int | None = None
    dark: bool | None = None
    delay: float = 1.0
    seconds: float | None = None
    progress: Progress | None = None


def svg_of(match: "Match", how: How, animate: bool) -> str:
    """The last position as SVG, or all of them in turn."""
    check(match, how, animate)
    if not animate:
        return still(match, how)
    frames = [frame_at(match, ply, how, captioned=True) for ply in range(len(match._history))]
    return moving_picture(match.game, frames, 2, how.delay, how.size, how.dark)


def write_picture(match: "Match", path: PathLike, how: How, animate: bool, force: bool) -> None:
    """Writes the picture in the format that the file's name ends in; a GIF shows all moves."""
    target = output_by_ending(path, (SVG, PNG, GIF), force)
    if animate and target.kind == PNG:
        raise BadArgument(f"{str(path)!r}: a PNG does not move; write a .gif or an .svg")
    if target.kind != SVG and how.dark is None:
        how = how._replace(dark=False)
    if target.kind == SVG:
        content = svg_of(match, how, animate).encode()
    else:
        check(match, how, target.kind == GIF)
        require("resvg_py", "pictures", target.kind.name)
        if target.kind == GIF:
            require("PIL.Image", "pictures", GIF.name)
        content = png_of(still(match, how)) if target.kind == PNG else gif(match, how)
    target.write(content)


def still(match: "Match", how: How) -> str:
    """The last position; its caption says what it is worth, if values are asked for."""
    frame = frame_at(match, len(match._history) - 1, how, captioned=how.values)
    return frame_picture(match.game, frame, 2 if how.values else 0, how.size, how.dark)


def gif(match: "Match", how: How) -> bytes:
    """All positions as an animated GIF."""
    count, side = len(match._history), how.size or USUAL_SIZE
    if count * side**2 > MOST_PIXELS:
        raise BadArgument(f"{count:,} frames of {side} pixels are too many for a GIF; choose a smaller size")
    frames = (frame_at(match, ply, how, captioned=True) for ply in range(count))
    drawn = [frame_picture(match.game, frame, 2, how.size, how.dark) for frame in frames]
    return gif_of(drawn, [*[how.delay] * (count - 1), HELD * how.delay])


def frame_at(match: "Match", ply: int, how: How, captioned: bool) -> Frame:
    """The position after so many plies, with what the last move changed and what is asked for."""
    game, (position, side) = match.game, match._history[ply]
    analysis = None
    if (how.hints or how.values) and game.outcome(*position) == ONGOING:
        analysis = analysed(match.copy().undo(len(match.moves) - ply), how)
    changed = last_move(game, match._history[ply - 1], match._history[ply]) if ply else []
    hints = hints_of(analysis) if analysis is not None and how.hints else None
    return Frame(position, side, changed, hints, caption(match, ply, analysis, how) if captioned else ())


def caption(match: "Match", ply: int, analysis: Analysis | None, how: How) -> tuple[str, str]:
    """The last move, or the game's title at its beginning; below it who is to move, and what that is worth."""
    game, (position, side) = match.game, match._history[ply]
    head, stands = game_title(game), status_text(game, position, side)
    if ply:
        mover = match._history[ply - 1][1]
        head = f"{ply}. {side_names(game.look)[mover]} {match.moves[ply - 1]}"
    if analysis is None or not how.values:
        return head, stands
    return head, f"{stands}: {analysis.text if analysis.value is not None else 'value not proven'}"


def last_move(game: Game, before: Turn, following: Turn) -> list[int]:
    """The squares that a move changed: where something arrived, and those that its piece left."""
    arrived = changed_squares(game, before, following)
    left = change_of(game, before, following).left
    return [*arrived, *(square for square in left if square not in arrived)]


def analysed(at: "Match", how: How) -> Analysis:
    """The analysis of a position: that which was given, or a new one."""
    if not isinstance(how.hints, Analysis):
        return analysis_of(at, Limits(how.seconds, None, cores()), progress=how.progress)
    if how.hints.match.text() != at.text():
        raise BadArgument(f"hints are of {how.hints.match.text()}, but the picture is of {at.text()}")
    return how.hints


def check(match: "Match", how: How, animate: bool) -> None:
    """Raises BadArgument for a size, a time or a length that cannot be drawn."""
    whole("size", how.size, SMALLEST, LARGEST)
    check_seconds(how.seconds)
    delay: object = how.delay
    if isinstance(delay, bool) or not isinstance(delay, int | float) or not SHORTEST <= delay <= LONGEST:
        raise BadArgument(f"delay={delay!r} is not a time from {SHORTEST} to {LONGEST} seconds")
    if animate and len(match._history) > MOST_FRAMES:
        raise BadArgument(f"the line has {len(match.moves):,} moves; at most {MOST_FRAMES - 1} are drawn")
    if animate and isinstance(how.hints, Analysis):
        raise BadArgument("hints=... is of one position; write hints=True to have those of every position")
