"""Whether `play` returns the position as the next side sees it, on a board that stands still.

A move changes little. So the board after it is drawn as the rules say, as it would be if the other side were to move,
and turned or mirrored. Where a drawing that the rules do not mean changes at most half as much, over and over, the
words have not been swapped, `again` and `play` disagree, or the board turns. Single moves tell nothing.
"""

import dis
from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

from perfectplay.bits import Permutation, turns_and_mirrors
from perfectplay.compiler.checks.board_checks import LOOKED_AT, places_to_look
from perfectplay.compiler.checks.findings import Finding
from perfectplay.compiler.checks.sample_positions import Met, sample_moves
from perfectplay.game import Game
from perfectplay.rules.board_layout import EMPTY
from perfectplay.rules.notation import board_rows, move_name, show_position
from perfectplay.words import SECOND, Move

FEWEST = 200
"""The moves looked at in any case."""
LEAST = 5
"""The least number of moves that must speak against the rules."""
OFTEN, NEARLY_ALWAYS = 0.25, 0.9
"""The part of the telling moves that must do so for a fault, and for a board that turns; with less there is a note."""
TURNS = ("mirrored", "upside down", "turned by 180 degrees", "transposed", *["turned by 90 degrees"] * 2, "transposed")
"""The turns and mirror images of a board but the board itself; boards that are not square have three."""


class Change(NamedTuple):
    """A move, and how much it changes: as the rules say, for the other side to move, and on turned boards."""

    before: Met
    move: Move
    after: Met
    changes: tuple[int, ...]

    def tells(self, against: int, of: int) -> bool:
        """Whether much more changes in the one way to draw boards than in the other."""
        more, less = self.changes[against], self.changes[of]
        return more >= 2 * less and more >= less + 2


def next_side_sees(game: Game, met: Sequence[Met]) -> str | Finding | None:
    """Play returns the position as seen by the side that moves next, and the board stands still."""
    moves = list(sample_moves(game, met, max(LOOKED_AT // places_to_look(game), FEWEST)))
    if game.again is not None:
        for before, move, _ in moves:
            answer: object = game.again(*before.position, move)
            if not isinstance(answer, int):
                return f"again is {answer!r} {of_move(game, before, move)}; it must be True or False"
    if not (reads_theirs(game.moves) or reads_theirs(game.outcome)):
        return None  # all that there is belongs to nobody, or to the side to move
    turns, boards = turns_and_mirrors(*game.shape)[1:], cache(lambda one: square_contents(game, one))
    return finding_of_moves(game, [change_of_move(boards, turns, *one) for one in moves])


def finding_of_moves(game: Game, moves: Sequence[Change]) -> str | Finding | None:
    """What speaks against the rules: a fault, a note, or None."""
    for again in (False, True):
        here = [one for one in moves if (one.before.side == one.after.side) is again]
        ways = range(2, len(here[0].changes)) if here and not again else range(0)
        turn = min(ways, key=lambda way: total(here, way), default=1)
        if total(here, turn) < total(here, 1) and part_against(here, turn) >= NEARLY_ALWAYS:
            return Finding("note", turning(game, next(one for one in here if one.tells(0, turn)), TURNS[turn - 2]))
        if part_against(here, 1):
            clearest = min((one for one in here if one.tells(0, 1)), key=lambda one: one.changes[0])
            sure = part_against(here, 1) >= OFTEN
            line = wrong_side(game, clearest, sure)
            if sure or unusual(here):
                return line if sure else Finding("note", line)
    return None


def unusual(moves: Sequence[Change]) -> bool:
    """Whether moves that speak against the rules change more than all that speak for them; mere pushes do not."""
    most = max((one.changes[0] for one in moves if one.tells(1, 0)), default=0)
    return sum(one.tells(0, 1) and one.changes[0] > most for one in moves) >= LEAST


def total(moves: Sequence[Change], way: int) -> int:
    """The changes in all, if boards are drawn in that way."""
    return sum(one.changes[way] for one in moves)


def part_against(moves: Sequence[Change], way: int) -> float:
    """The part of the telling moves that tell that boards are to be drawn in that way; 0 if these are few."""
    wrong, right = (sum(one.tells(*ways) for one in moves) for ways in ((0, way), (way, 0)))
    return wrong / (wrong + right) if wrong >= LEAST else 0.0


def change_of_move(
    boards: Callable[[Met], list[str]], turns: Sequence[Permutation], before: Met, move: Move, after: Met
) -> Change:
    """The move with what it changes; a turned board is turned for the second side."""
    here, there, other = (boards(one) for one in (before, after, Met(after.position, 1 - after.side)))
    still, turned = (here, there) if after.side == SECOND else (there, here)
    pairs = [(here, there), (here, other)]
    pairs += [(still, [*(turned[at] for at in turn), *turned[len(turn) :]]) for turn in turns]
    return Change(before, move, after, tuple(sum(map(apart, *pair)) for pair in pairs))


def square_contents(game: Game, met: Met) -> list[str]:
    """The pieces by square, as text."""
    return [name for row in board_rows(game, *met) for name in row]


@cache
def apart(one: str, other: str) -> int:
    """The difference between two texts of a square: between numbers, where no piece is 0, else 1."""
    if one == other:
        return 0
    numbers = [0 if text == EMPTY else int(text) for text in (one, other) if text == EMPTY or text.isdecimal()]
    return abs(numbers[0] - numbers[1]) if len(numbers) == 2 else 1


def reads_theirs(rule: Callable[[int, int], int]) -> bool:
    """Whether the function looks at its second argument."""
    code = getattr(rule, "__code__", None)
    if code is None or code.co_argcount < 2:
        return False
    values = [step.argval for step in dis.get_instructions(code)]  # a step may load two names at once
    return any(code.co_varnames[1] in (value if isinstance(value, tuple) else (value,)) for value in values)


def wrong_side(game: Game, one: Change, sure: bool) -> str:
    """The line for a position that is not seen by the side that moves next, or only seems not to be."""
    returns = "play returns" if sure else "play seems to return"
    where, mover = of_move(game, one.before, one.move), one.before.side
    if mover == one.after.side:
        fault = f"{returns} the position seen by {game.look.sides[1 - mover]}"
        return f"again is true {where}, but {fault}; return (mine, theirs) there, or let again be false"
    if game.again is not None:
        fault = f"{returns} the position seen by {game.look.sides[mover]}"
        return f"again is false {where}, but {fault}; {SWAP}, or let again be true"
    leads = f"{where}, it leads to {show_position(game, *one.after)}"
    swaps = "does not swap" if sure else "may not swap"
    otherwise = "if the same side moves again, give again; if pieces belong to nobody, give both sides the same texts"
    return f"play {swaps} the sides: {leads}; {SWAP}; {otherwise}"


SWAP = "return (theirs, mine) as they are after the move"


def of_move(game: Game, met: Met, move: Move) -> str:
    """`for a1 in X:.../.../...`."""
    return f"for {move_name(game, *met, move)} in {show_position(game, *met)}"


def turning(game: Game, one: Change, how: str) -> str:
    """The line for a board that turns."""
    name, here, there = (
        move_name(game, *one.before, one.move),
        *(show_position(game, *at) for at in (one.before, one.after)),
    )
    return (
        f"the board seems to be {how} for {game.look.sides.second}: {name} leads from {here} to {there}; "
        "if play turns the board, give cells=Sides(first, second), the squares as each side sees them"
    )
