"""Hints on a board: what each move is worth, by a shape, a pattern and a number, never by colour alone."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from math import hypot
from typing import NamedTuple

from perfectplay.game import Game
from perfectplay.rules.notation import VALUE_NAMES, pieces_on
from perfectplay.views.board_art import Place
from perfectplay.views.board_squares import Change, changes
from perfectplay.words import DRAW, LOSS, WIN, Move, Position

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


class Hint(NamedTuple):
    """What a move is worth: WIN, DRAW, LOSS or None if it is unknown, the number to show, whether no move is better."""

    value: int | None
    text: str = ""
    best: bool = False


Hints = Mapping[Move, tuple[int | None, str] | tuple[int | None, str, bool]]
"""For each move a Hint, or the same as a tuple, in which `best` may be missing."""


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
