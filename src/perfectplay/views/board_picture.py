"""A position as one picture: SVG that needs nothing else and may stand among others in any page, light or dark."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from html import escape
from math import hypot

from perfectplay.game import Game, end_entry
from perfectplay.rules.board_layout import fixed_texts, square_names
from perfectplay.rules.notation import VALUE_NAMES, move_name, piece_name, pieces_on
from perfectplay.rules.outputs import ATTRIBUTE
from perfectplay.views.board_art import Box, Place, art_of, text_svg
from perfectplay.views.board_squares import Change, changes, winning_lines
from perfectplay.views.document import Hint, Hints
from perfectplay.views.game_pieces import capital, nobodys, side_names, spoken_names
from perfectplay.views.scoped_style import scope_style
from perfectplay.words import DRAW, FIRST, LOSS, ONGOING, SECOND, WIN, Move, Position

# Hints on a board: what each move is worth, by a shape, a pattern and a number, never by colour alone.


ICONS: dict[int | None, str] = {
    WIN: "M0-1.1L1.1 .8H-1.1Z",
    DRAW: "M-1-.75H1V-.25H-1ZM-1 .25H1V.75H-1Z",
    LOSS: "M0 1.1L1.1-.8H-1.1Z",
}
"""Up for a win, level for a draw, down for a loss."""
ALIKE = 63
"""More moves than this that are worth the same are not shown: all of them together say nothing."""
MOST_ARROWS = 6
"""More best moves than this from square to square are not drawn as arrows."""


def best_first(hints: Hints) -> dict[Move, Hint]:
    """The hints, the best first."""
    by_move = {move: Hint(*hint) for move, hint in hints.items()}
    return dict(sorted(by_move.items(), key=lambda one: (not one[1].best, -(one[1].value or DRAW))))


def hints_svg(game: Game, position: Position, side: int, hints: Hints, places: Sequence[Place]) -> str:
    """The hints drawn: on the square where a move goes, or on the piece that moves, with an arrow for a best move."""
    ordered = best_first(hints)
    alike = Counter(ordered.values())
    visible = {move: hint for move, hint in ordered.items() if alike[hint] <= ALIKE}
    by_move = changes(game, position, side) if visible else {}
    moving = len({tuple(change.left) for change in by_move.values()}) > 1
    on: dict[int, Hint] = {}
    for move, hint in visible.items():
        for square in hinted_squares(by_move[move], moving):
            on.setdefault(square, hint)
    standing = pieces_on(game, position, side)
    parts = [*arrows(visible, by_move, places)] if moving else []
    size = min(1.0, 0.42 + 0.08 * max(game.shape))
    for square, hint in sorted(on.items()):
        x, y = places[square]
        parts.append(f'<g transform="translate({x:g} {y:g})">{hint_svg(hint, size, standing[square] is not None)}</g>')
    return "".join(parts)


def hinted_squares(change: Change, moving: bool) -> Sequence[int]:
    """Where a move's hint stands: on the pieces that leave their squares if moves differ there, else where it goes."""
    return [*change.left] if moving and change.left else change.to


def hint_svg(hint: Hint, size: float, small: bool) -> str:
    """A ring, full for a win, dotted for a draw, dashed for a loss, with icon and number; small beside a piece."""
    classes = f"hint {value_text(hint.value)}{' best' if hint.best else ''}"
    icon, text = ICONS.get(hint.value, ""), escape(hint.text)
    if small:
        return small_hint(hint, classes, size)
    if hint.value is None:
        circle = '<circle class="halo" r="3"/>'
        return f'<g class="{classes}" transform="scale({size:g})">{circle}<text font-size="3.4" dy=".35em">?</text></g>'
    high = 2.8 if len(hint.text) < 4 else 2.2
    return (
        f'<g class="{classes}" transform="scale({size:g})"><circle class="halo" r="3.6"/>'
        f'<path class="icon" transform="translate(0 {-1.3 if text else 0:g}) scale(1.05)" d="{icon}"/>'
        f'<text y="2.2" font-size="{high}">{text}</text></g>'
    )


def small_hint(hint: Hint, classes: str, size: float) -> str:
    """The same as a badge at the upper right of a piece."""
    count = len(hint.text)
    wide = 3 + 1.5 * count if hint.value is not None else 3
    icon = (
        f'<path class="icon" transform="translate({1.5 - wide / 2:g} 0) scale(.65)" d="{ICONS.get(hint.value, "")}"/>'
    )
    words = f'<text x="{2.5 + 0.7 * count - wide / 2:g}" font-size="2.3" dy=".35em">{escape(hint.text)}</text>'
    if hint.value is None:
        icon, words = "", '<text font-size="2.3" dy=".35em">?</text>'
    return (
        f'<g class="{classes} small" transform="translate(2.2 -3.4) scale({size:g})">'
        f'<rect class="halo" x="{-wide / 2:g}" y="-1.5" width="{wide:g}" height="3" rx="1.5"/>{icon}{words}</g>'
    )


def value_text(value: int | None) -> str:
    """The value in a word."""
    return "unknown" if value is None else VALUE_NAMES[value]


def arrows(hints: Mapping[Move, Hint], by_move: Mapping[Move, Change], places: Sequence[Place]) -> Iterator[str]:
    """Arrows for the best moves of pieces from square to square, if they are few."""
    best = [(move, hint) for move, hint in hints.items() if hint.best and by_move[move].left and by_move[move].to]
    for move, hint in best if len(best) <= MOST_ARROWS else []:
        target = by_move[move].to[0]
        for square in by_move[move].left:
            if square != target and hint.value is not None:
                shape = arrow(places[square], places[target])
                yield f'<path class="arrow {value_text(hint.value)}" d="{shape}"/>'


def arrow(start: Place, end: Place) -> str:
    """The outline of an arrow between two squares, which begins and ends a little inside them."""
    long = hypot(end[0] - start[0], end[1] - start[1]) or 1.0
    dx, dy = (end[0] - start[0]) / long, (end[1] - start[1]) / long
    tail, tip = 1.5, long - 2.2

    def at(along: float, aside: float) -> str:
        return f"{start[0] + dx * along - dy * aside:.2f} {start[1] + dy * along + dx * aside:.2f}"

    way = ((tail, 0.45), (tip - 1.8, 0.45), (tip - 1.8, 1.3), (tip, 0), (tip - 1.8, -1.3), (tip - 1.8, -0.45))
    return f"M{'L'.join(at(*point) for point in (*way, (tail, -0.45)))}Z"


EDGE = 2.0
"""The space around the board, in units of which a square has 10."""
PIXELS_PER_UNIT, SHORTEST, LONGEST = 4.0, 320, 480
"""The usual size of a picture: 40 pixels for a square of 10 units, with the longer side within these limits."""
INVISIBLE_SQUARES = ("paper", "points", "dots")
"""Boards that draw no background for empty squares."""
PALE = 0.5
"""How much of the other pieces is left beside a line that has won."""


def board_picture(
    game: Game,
    position: Position,
    side: int,
    *,
    changed: Collection[int] = (),
    hints: Hints | None = None,
    size: int | None = None,
    labels: bool = True,
    dark: bool | None = None,
) -> str:
    """The position as a complete <svg>; dark=None follows the page or the notebook around it.

    `changed` squares are marked as the last move's: tinted where something stands, outlined where nothing is left.
    `hints` tell what moves are worth, and `size` is the longer side in pixels.
    """
    box = with_edge(art_of(game, labels).box)
    shapes = board_shapes(game, position, side, changed, hints, labels)
    words = picture_title(game, position, side), picture_description(game, position, side, hints)
    return whole_picture(game, box, shapes, words, size, dark)


def whole_picture(
    game: Game,
    box: Box,
    shapes: str,
    words: tuple[str, str],
    size: int | None,
    dark: bool | None,
    more_style: str = "",
) -> str:
    """The shapes as a picture of their own, with a title and a description for screen readers."""
    x, y, wide, high = box
    longer = max(wide, high)
    scale = (min(max(PIXELS_PER_UNIT * longer, SHORTEST), LONGEST) if size is None else size) / longer
    past, curve = (0.0, EDGE) if dark is None else (EDGE, 0.0)  # beyond the edge, so that rounding leaves no seam
    ground = (
        f'<rect class="paper-ground" x="{x - past:g}" y="{y - past:g}" width="{wide + 2 * past:g}" '
        f'height="{high + 2 * past:g}" rx="{curve:g}"/>'
    )
    classes, style, content = scope_style(ground + shapes, game.look.board, dark, more_style)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {ATTRIBUTE} class="{classes}" role="img" '
        f'width="{round(wide * scale)}" height="{round(high * scale)}" '
        f'viewBox="{x:g} {y:g} {wide:g} {high:g}" style="max-width:100%;height:auto">'
        f"<title>{escape(words[0])}</title><desc>{escape(words[1])}</desc><style>{style}</style>{content}</svg>"
    )


def with_edge(box: Box) -> Box:
    """The box with space around it, to two decimals."""
    x, y, wide, high = box
    return round(x - EDGE, 2), round(y - EDGE, 2), round(wide + 2 * EDGE, 2), round(high + 2 * EDGE, 2)


def board_shapes(
    game: Game, position: Position, side: int, changed: Collection[int], hints: Hints | None, labels: bool
) -> str:
    """The board with its pieces, the last move, the line that has won and the hints."""
    art = art_of(game, labels)
    pieces, marks = piece_layer(game, position, side, changed), mark_layer(game, position, side, hints)
    return art.under + ground_layer(game, labels) + pieces + art.over + marks


def ground_layer(game: Game, labels: bool) -> str:
    """The empty squares."""
    art = art_of(game, labels)
    return "".join(
        f'<g transform="translate({x:g} {y:g})">{ground}</g>'
        for (x, y), ground in zip(art.places, art.grounds, strict=True)
        if ground and not (game.look.board in INVISIBLE_SQUARES and 'class="ground"' in ground)
    )


def piece_layer(game: Game, position: Position, side: int, changed: Collection[int]) -> str:
    """The pieces, and what the last move changed."""
    art = art_of(game)
    if game.texts is not None:
        return text_svg(game.texts.draw(*position), art.box)
    won = {square for row in winning_lines(game, position, side) for square in row}
    parts = []
    for square, at in enumerate(pieces_on(game, position, side)):
        new = square in changed and square not in fixed_texts(game)
        if at is None and not new:
            continue
        x, y = art.places[square]
        piece = vacated(game) if at is None else art.pieces[at[0]][at[1]]
        if at is not None and won and square not in won:
            piece = f'<g opacity="{PALE}">{piece}</g>'
        if new and at is not None:
            ground = art.grounds[square]
            if game.look.board == "paper":  # the lines stay
                ground = f'<g transform="scale(.94)">{ground}</g>'
            parts.append(f'<g class="new" transform="translate({x:g} {y:g})">{ground}{piece}</g>')
        else:
            parts.append(f'<g transform="translate({x:g} {y:g})">{piece}</g>')
    return "".join(parts)


def mark_layer(game: Game, position: Position, side: int, hints: Hints | None) -> str:
    """What is drawn above everything: the line that has won, and hints."""
    places = art_of(game).places
    rows = "".join(winning_line_svg(row, places) for row in winning_lines(game, position, side))
    return rows + (hints_svg(game, position, side, hints, places) if hints else "")


def vacated(game: Game) -> str:
    """The outline of a square that the last move has left."""
    if game.look.board in ("frame", "hexagons", "points", "pits"):
        return '<circle class="vacated" r="3.6"/>'
    return '<rect class="vacated" x="-4.5" y="-4.5" width="9" height="9" rx="1"/>'


def winning_line_svg(row: Sequence[int], places: Sequence[Place]) -> str:
    """A line through the squares that have won, and a little beyond."""
    (x, y), (u, v) = places[row[0]], places[row[-1]]
    long = max(1e-9, ((u - x) ** 2 + (v - y) ** 2) ** 0.5)
    dx, dy = 3 * (u - x) / long, 3 * (v - y) / long
    path = f"M{x - dx:.2f} {y - dy:.2f}L{u + dx:.2f} {v + dy:.2f}"
    return f'<path class="row casing" d="{path}"/><path class="row" d="{path}"/>'


def picture_title(game: Game, position: Position, side: int) -> str:
    """The title of the picture: the game, and who is to move or how it ended."""
    return f"{game_title(game)}: {status_text(game, position, side)}"


def game_title(game: Game) -> str:
    """The name of the game as a title."""
    return game.look.title or capital(game.name)


def status_text(game: Game, position: Position, side: int) -> str:
    """Who is to move, or how the game ended."""
    names, outcome = side_names(game.look), game.outcome(*position)
    if outcome == ONGOING:
        return f"{names[side]} to move"
    points = end_entry(game, position).margin
    by = f" by {abs(points)}" if points else ""
    return "draw" if outcome == DRAW else f"{names[side if outcome == WIN else 1 - side]} wins{by}"


def picture_description(game: Game, position: Position, side: int, hints: Hints | None) -> str:
    """The pieces and where they stand, and what the moves are worth, in words."""
    names, where = spoken_squares(game), dict[str, list[str]]()
    pieces = spoken_names(game.look, FIRST), spoken_names(game.look, SECOND)
    for square, at in enumerate(pieces_on(game, position, side)):
        if at is not None:
            piece = piece_name(game, at) if at[1] in nobodys(game) else pieces[at[0]][at[1]]
            where.setdefault(piece, []).append(names[square])
    words = [f"{piece} on {', '.join(squares)}." for piece, squares in where.items()] or ["The board is empty."]
    if game.texts is not None:
        words = [game.texts.draw(*position)]
    moves = [
        f"{move_name(game, position, side, move)} {value_text(hint.value)} {hint.text}".strip()
        for move, hint in best_first(hints or {}).items()
    ]
    return " ".join([*words, *([f"Moves: {', '.join(moves)}."] if moves else [])])


def spoken_squares(game: Game) -> list[str]:
    """What each square is called; where rows have no labels they are counted from the bottom."""
    width, height = game.shape
    names = square_names(game)
    if any(game.look.rows):
        return names
    return [
        f"{name} row {height - square // width}" if square < width * height else name
        for square, name in enumerate(names)
    ]
