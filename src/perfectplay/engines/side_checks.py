"""Whether `play` returns the position as the next side sees it, on a board that stands still.

A move changes a few squares. So the board after it is drawn as the rules say, as it would be if the other side were to
move, and turned or mirrored. Where the drawing that the rules do not mean changes fewer squares, over and over, the
words have not been swapped, `again` and `play` disagree, or the board turns. Single moves tell nothing: seeds go
around a whole board of kalah.
"""

import dis
from collections.abc import Callable, Sequence
from operator import ne
from typing import NamedTuple

from perfectplay.bits import turns_and_mirrors
from perfectplay.engines.board_checks import places_to_look
from perfectplay.engines.findings import Finding
from perfectplay.engines.sample_positions import Met, moves_made
from perfectplay.game import Game
from perfectplay.notation import board_rows, move_name, show_position
from perfectplay.words import SECOND, Move

LOOKED_AT = 40_000
"""The most places for a piece looked at: a quarter of a second."""
FEWEST = 200
"""The moves looked at in any case."""
LEAST = 6
"""The least number of moves that must speak against the rules."""
OFTEN, NEARLY_ALWAYS = 0.35, 0.9
"""The part of the telling moves that must do so; in kalah up to 0.15 do by chance."""
TURNS = ("mirrored", "upside down", "turned by 180 degrees", "transposed", *["turned by 90 degrees"] * 2, "transposed")
"""What turns and mirrors a board, but for the first, which does nothing; boards that are not square have three."""


class Drawn(NamedTuple):
    """A move, and how many squares change: as the rules say, for the other side to move, and on a turned board."""

    before: Met
    move: Move
    after: Met
    changes: tuple[int, ...]


def next_side_sees(game: Game, met: Sequence[Met]) -> str | Finding | None:
    """Play returns the position as seen by the side that moves next, and the board stands still."""
    moves = list(moves_made(game, met, max(LOOKED_AT // places_to_look(game), FEWEST)))
    if game.again is not None:
        for before, move, _ in moves:
            told: object = game.again(*before.position, move)
            if not isinstance(told, int):
                return f"again is {told!r} {of_move(game, before, move)}; it must be True or False"
    if not (reads_theirs(game.moves) or reads_theirs(game.outcome)):
        return None  # all that there is belongs to nobody, or to the side to move
    return found_in(game, [drawn_move(game, *one) for one in moves])


def found_in(game: Game, moves: Sequence[Drawn]) -> str | Finding | None:
    """What the drawn boards tell."""
    for again in (False, True):
        here = [one for one in moves if (one.before.side == one.after.side) is again]
        turns = range(2, len(here[0].changes)) if here and not again else range(0)
        turn = min(turns, key=lambda at: total(here, at), default=1)
        turned = against(here, turn, NEARLY_ALWAYS) if total(here, turn) < total(here, 1) else []
        if turned:
            return Finding("note", turning(game, turned[0], TURNS[turn - 2]))
        wrong = against(here, 1, OFTEN)
        if wrong:
            return wrong_side(game, min(wrong, key=lambda one: one.changes[0]))
    return None


def total(moves: Sequence[Drawn], at: int) -> int:
    """How many squares change in all, if boards are drawn in that way."""
    return sum(one.changes[at] for one in moves)


def against(moves: Sequence[Drawn], at: int, part: float) -> list[Drawn]:
    """The moves that change fewer squares if boards are drawn in that way; none unless that is so again and again."""
    wrong = [one for one in moves if one.changes[at] < one.changes[0]]
    telling = sum(one.changes[at] != one.changes[0] for one in moves)
    return wrong if len(wrong) >= max(LEAST, part * telling) else []


def drawn_move(game: Game, before: Met, move: Move, after: Met) -> Drawn:
    """The move with the squares that it changes; a turned board is turned for the second side."""
    here, there, other = (drawn(game, one) for one in (before, after, Met(after.position, 1 - after.side)))
    still, turned = (here, there) if after.side == SECOND else (there, here)
    turns = [[turned[at] for at in turn] for turn in turns_and_mirrors(*game.shape)[1:]]
    pairs = [(here, there), (here, other), *((still, board) for board in turns)]
    return Drawn(before, move, after, tuple(sum(map(ne, *pair)) for pair in pairs))


def drawn(game: Game, met: Met) -> list[str]:
    """What stands on each square."""
    return [name for row in board_rows(game, *met) for name in row]


def reads_theirs(rule: Callable[[int, int], int]) -> bool:
    """Whether the function looks at its second argument."""
    code = getattr(rule, "__code__", None)
    if code is None or code.co_argcount < 2:
        return False
    return any(code.co_varnames[1] in named(step.argval) for step in dis.get_instructions(code))


def named(value: object) -> tuple[object, ...]:
    """The names that a step of compiled Python code has: it may load two at once."""
    return value if isinstance(value, tuple) else (value,)


def wrong_side(game: Game, one: Drawn) -> str:
    """The line for a position that is not seen by the side that moves next."""
    where, mover = of_move(game, one.before, one.move), one.before.side
    if mover == one.after.side:
        seen = f"play returns the position seen by {game.look.sides[1 - mover]}"
        return f"again is true {where}, but {seen}; return (mine, theirs) where the same side moves again"
    if game.again is not None:
        return f"again is false {where}, but play returns the position seen by {game.look.sides[mover]}; {SWAP}"
    leads = f"{where}, it leads to {show_position(game, *one.after)}"
    return f"play does not swap the sides: {leads}; {SWAP}; if pieces belong to nobody, give both sides the same texts"


SWAP = "return (theirs, mine) as they are after the move"


def of_move(game: Game, met: Met, move: Move) -> str:
    """`for a1 in X:.../.../...`."""
    return f"for {move_name(game, *met, move)} in {show_position(game, *met)}"


def turning(game: Game, one: Drawn, how: str) -> str:
    """The line for a board that turns."""
    name, here, there = (
        move_name(game, *one.before, one.move),
        *(show_position(game, *at) for at in (one.before, one.after)),
    )
    return (
        f"the board seems to be {how} for {game.look.sides.second}: {name} leads from {here} to {there}; "
        "if play turns the board, give cells=Sides(first, second), the squares as each side sees them"
    )
