"""Whether `outcome` looks at the side that has just moved, and takes the right one for the winner."""

import re
from collections.abc import Sequence

from perfectplay.engines.findings import Finding
from perfectplay.engines.sample_positions import Met, moves_made
from perfectplay.game import Game, legal_moves
from perfectplay.notation import move_name, show_position
from perfectplay.words import LOSS, WIN, Move

TRIED = 10_000
"""The most moves made: a quarter of a second."""
LATE, LOST = 3, 5
"""The least number of positions before the end from which something follows."""
LOSERS = re.compile(r"mis[eè]re|\bloses?\b|\bavoid", re.IGNORECASE)
"""How a game tells that the last move may lose."""


def last_move_decides(game: Game, met: Sequence[Met]) -> str | Finding | None:
    """A game is decided by its last move, not earlier, and a last move can win."""
    ends = decided_ends(game, met)
    told = [(before, outcome) for before, (move, outcome) in ends.items() if not is_stuck(game, before, move)]
    if len(told) >= LATE and all(was_over(game, before, outcome) for before, outcome in told):
        before, _ = told[0]
        return (
            f"the game ends a move late: in {show_position(game, *before)} every move leads to the same result; "
            "outcome seems to look at mine: look at theirs, and return LOSS where the side that has just moved has won"
        )
    return last_move_loses(game, ends)


def decided_ends(game: Game, met: Sequence[Met]) -> dict[Met, tuple[Move, int]]:
    """The positions before an end that is a win or a loss of the next side, each with a move to it and the outcome."""
    found: dict[Met, tuple[Move, int]] = {}
    for before, move, after in moves_made(game, met, TRIED):
        outcome = game.outcome(*after.position)
        if before.side != after.side and outcome in (LOSS, WIN):
            found.setdefault(before, (move, outcome))
    return found


def is_stuck(game: Game, before: Met, move: Move) -> bool:
    """Whether the other side has lost and has no move, into which its own move may have brought it."""
    after = game.play(*before.position, move)
    return game.outcome(*after) == LOSS and game.moves(*after) == 0


def was_over(game: Game, before: Met, outcome: int) -> bool:
    """Whether the game had this outcome already before the last move, as it has after every move."""
    try:
        fixed = game.outcome(*before.position[::-1]) == outcome
    except Exception:  # not a position that rules expect
        return False
    position = before.position
    return fixed and all(game.outcome(*game.play(*position, m)) == outcome for m in legal_moves(game, position))


def last_move_loses(game: Game, ends: dict[Met, tuple[Move, int]]) -> Finding | None:
    """A note if every last move loses, by stones of the side that makes it, and nothing tells that this is meant."""
    if len(ends) < LOST or any(
        outcome == LOSS or game.play(*before.position, move)[0] != before.position[1]
        for before, (move, outcome) in ends.items()
    ):
        return None
    about = (game.name, game.look.title, game.look.summary, game.look.note, globals_of(game).get("__doc__"))
    if any(LOSERS.search(str(text)) for text in about):
        return None
    before, (move, _) = next(iter(ends.items()))
    where = f"{move_name(game, *before, move)} in {show_position(game, *before)}"
    return Finding(
        "note",
        f"a last move never wins: {where} loses; where the side that has just moved has won, outcome returns LOSS, "
        "since the side to move has lost; if a last move is to lose, say misère in the title",
    )


def globals_of(game: Game) -> dict[str, object]:
    """What the file of the rules defines."""
    return getattr(game.outcome, "__globals__", {})
