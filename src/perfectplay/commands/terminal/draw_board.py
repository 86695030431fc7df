"""A board in the terminal: boxed where it is small, dots where it is large, and as laid out where it is no grid."""

from rich.text import Text

from perfectplay.commands.terminal.streams import can_print
from perfectplay.game import Game, legal_moves
from perfectplay.rules.board_layout import fixed_texts, is_grid, layout
from perfectplay.rules.notation import moves_are_squares, pieces_on
from perfectplay.views.board_squares import changes, going
from perfectplay.views.game_pieces import is_new, nobodys
from perfectplay.words import FIRST, SECOND, Position, Turn

STYLES = {FIRST: "bold bright_cyan", SECOND: "bold bright_magenta"}
LAST = "reverse"
GOING = "dim"
"""A mark that vanishes on its owner's next move, in place of bold."""
FAINT = "bright_black"
NOBODYS = "bold"
LINES = str.maketrans("-|", "─│")
PLAIN = str.maketrans("─│┌┬┐├┼┤└┴┘·", "-|+++++++++.")
BOXED = 9
"""The longest side of a board that is drawn with boxes."""


def drawn_board(game: Game, position: Position, side: int, before: Turn | None = None, columns: int = 80) -> Text:
    """The board; squares that changed since the turn before are marked, and pieces about to go are dimmed.

    What is wider than the columns is drawn without boxes, then without blanks between squares, then part by part.
    """
    if game.texts is not None:
        return Text(f"{game.texts.draw(*position)}\n")
    draw = grid_board if is_grid(game) else laid_out
    picture = draw(game, position, side, before, columns)
    if not can_print(picture.plain):
        picture.plain = picture.plain.translate(PLAIN)
    return picture


def laid_out(game: Game, position: Position, side: int, before: Turn | None, columns: int) -> Text:
    """A board with lines, fixed places or squares beside it."""
    texts = (*game.look.columns, *fixed_texts(game).values(), *game.look.pieces.first, *game.look.pieces.second)
    room = max(len(text) for text in texts)
    cells = square_texts(game, position, side, before, room, boxed=False)
    labels = STYLES if game.look.edges else {FIRST: FAINT, SECOND: FAINT}
    lines: list[Text] = []
    for line in layout(game):
        lines.append(Text(" "))
        for part in line:
            if isinstance(part, int):
                lines[-1].append_text(cells[part])
            elif isinstance(part, str):
                if len(part.strip()) > 1 and len(lines[-1]) + len(part) + room > columns:  # a label beside the board
                    lines[-1:] = [*lines[-1:], Text(" ")] if lines[-1].plain.strip() else [Text(" ")]
                    part = part.lstrip()
                lines[-1].append(part.translate(LINES) if game.look.lines else part, labels[SECOND])
            else:
                text = part.text.center(room, part.fill)
                lines[-1].append(text.translate(LINES) if game.look.lines else text, labels[FIRST])
    return in_blocks(lines, columns, 1 + max(map(len, game.look.rows)), room + 1)


def grid_board(game: Game, position: Position, side: int, before: Turn | None, columns: int) -> Text:
    """A board of squares alone."""
    width, height = game.shape
    wide = max(len(text) for text in (*game.look.columns, *game.look.pieces.first, *game.look.pieces.second))
    margin = max(len(label) for label in game.look.rows)
    boxed = max(width, height) <= BOXED and margin + 3 + width * (wide + 3) <= columns
    between = " " if boxed or wide > 1 or margin + 1 + width * 2 <= columns else ""
    room = wide + 2 if boxed else wide
    cells = square_texts(game, position, side, before, room, boxed)
    lines: list[Text] = []

    def line(left: str, parts: list[Text], between: str, right: str) -> None:
        lines.append(Text().append(left, FAINT).append_text(Text(between, FAINT).join(parts)).append(right, FAINT))

    gap = " " * margin
    bars = [Text("─" * room, FAINT)] * width
    heads = [Text(label.center(room), FAINT) for label in game.look.columns]
    line(f" {gap} " + " " * boxed, heads, between, "")
    for row in range(height):
        if boxed:
            line(f" {gap} " + ("├" if row else "┌"), bars, "┼" if row else "┬", "┤" if row else "┐")
        here = cells[row * width : (row + 1) * width]
        label = f" {game.look.rows[row].rjust(margin)} "
        line(label + "│" * boxed, here, "│" if boxed else between, "│" * boxed)
    if boxed:
        line(f" {gap} └", bars, "┴", "┘")
    return in_blocks(lines, columns, margin + 2, room + len(between))


def in_blocks(lines: list[Text], columns: int, margin: int, step: int) -> Text:
    """The lines; if one is too wide, blocks of columns of `step` characters below each other, each with the margin."""
    longest = max(len(line.plain.rstrip()) for line in lines)
    if longest > columns:
        across = max(step, (columns - margin) // step * step)
        parts = [(line, begin) for begin in range(margin, longest, across) for line in (*lines, Text())]
        lines = [line[:margin] + line[begin : begin + across] for line, begin in parts[:-1]]
        for line in lines:
            line.rstrip()
    return Text("\n").join(lines).append("\n")


def square_texts(game: Game, position: Position, side: int, before: Turn | None, room: int, boxed: bool) -> list[Text]:
    """What is drawn on each square: a piece, or the number to type where the square is a legal move, or a dot."""
    now = pieces_on(game, position, side)
    then = now if before is None else pieces_on(game, *before)
    leaving = going(changes(game, position, side).values())
    typed = legal_moves(game, position) if moves_are_squares(game) and len(now) <= BOXED else []
    texts = []
    for square, at in enumerate(now):
        if at is None:
            texts.append(Text((str(square + 1) if square in typed else "" if boxed else "·").center(room), FAINT))
        else:
            owner, kind = at
            style = NOBODYS if kind in nobodys(game) else STYLES[owner]
            style = style.replace("bold", GOING) if square in leaving else style
            style = f"{style} {LAST}" if is_new(game, then[square], at) else style
            texts.append(Text(game.look.pieces[owner][kind].center(room), style))
    return texts
