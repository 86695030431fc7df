"""Whether `outcome` looks at the side that has just moved, and takes the right one for the winner."""

import re
from collections.abc import Sequence

from perfectplay.compiler.checks.sample_positions import Finding, Met, sample_moves
from perfectplay.game import Game, legal_moves, moves_again
from perfectplay.rules.notation import move_name, show_position
from perfectplay.words import LOSS, ONGOING, WIN, Move, Position

TRIED = 10_000
"""The most moves made: a quarter of a second."""
LATE, LOST = 3, 5
"""The least number of positions before the end from which something follows."""
NEARLY_ALL = 0.9
"""The part of them that must agree."""
LOSERS = re.compile(r"mis[eè]re|\bloses?\b|\bavoid", re.IGNORECASE)
"""Words in a title or a summary of a game in which the last move may lose."""


def last_move_decides(game: Game, met: Sequence[Met]) -> str | Finding | None:
    """A game is decided by its last move, not earlier, and a last move can win."""
    ends = decided_ends(game, met)
    endings = [(before, outcome) for before, (move, outcome) in ends.items() if not is_stuck(game, before, move)]
    if len(endings) >= LATE and all(was_over(game, before, outcome) for before, outcome in endings):
        before, _ = endings[0]
        return (
            f"the game ends a move late: in {show_position(game, *before)} every move leads to the same result; "
            "outcome seems to look at mine: look at theirs, and return LOSS where the side that has just moved has won"
        )
    return wins_late(game, met) or last_move_loses(game, ends)


def decided_ends(game: Game, met: Sequence[Met]) -> dict[Met, tuple[Move, int]]:
    """The positions before an end that is a win or a loss of the next side, each with a move to it and the outcome."""
    ends: dict[Met, tuple[Move, int]] = {}
    for before, move, after in sample_moves(game, met, TRIED):
        outcome = game.outcome(*after.position)
        if before.side != after.side and outcome in (LOSS, WIN):
            ends.setdefault(before, (move, outcome))
    return ends


def is_stuck(game: Game, before: Met, move: Move) -> bool:
    """Whether the other side has lost and has no move, into which its own move may have brought it."""
    after = game.play(*before.position, move)
    return game.outcome(*after) == LOSS and game.moves(*after) == 0


def was_over(game: Game, before: Met, outcome: int) -> bool:
    """Whether the game had this outcome already before the last move, as it has after every move."""
    position = before.position
    after = ((move, game.play(*position, move)) for move in legal_moves(game, position))
    children = (words[::-1] if moves_again(game, position, move) else words for move, words in after)
    return all(is_seen_as(game, words, outcome) for words in (position[::-1], *children))


def is_seen_as(game: Game, position: Position, outcome: int) -> bool:
    """Whether this is the outcome, also of words that the rules may never meet."""
    try:
        return game.outcome(*position) == outcome
    except Exception:  # not a position that rules expect
        return False


def wins_late(game: Game, met: Sequence[Met]) -> Finding | None:
    """A note if a side that moves again, and would have won were it the other's turn, always wins by any move.

    Games in which a turn has several parts may be meant so, like one in which a mill wins and a stone is removed.
    """
    if game.again is None:
        return None
    moves = sample_moves(game, met, TRIED)
    extra = dict.fromkeys(after for before, _, after in moves if before.side == after.side)
    beaten = [
        one for one in extra if game.outcome(*one.position) == ONGOING and is_seen_as(game, one.position[::-1], LOSS)
    ]
    late = [one for one in beaten if was_over(game, one, LOSS)]
    if len(late) < LATE or len(late) < NEARLY_ALL * len(beaten):
        return None
    return Finding(
        "note",
        f"the game seems to end a move late after an extra turn: in {show_position(game, *late[0])} the side to move "
        "has won, whatever it plays; if it has won there, return WIN: after an extra turn, mine has just moved",
    )


def last_move_loses(game: Game, ends: dict[Met, tuple[Move, int]]) -> Finding | None:
    """A note if every last move loses, by stones of the side that makes it, and nothing tells that this is meant."""
    if len(ends) < LOST or any(
        outcome == LOSS or game.play(*before.position, move)[0] != before.position[1]
        for before, (move, outcome) in ends.items()
    ):
        return None
    module = getattr(game.outcome, "__globals__", {})
    about = (game.name, game.look.title, game.look.summary, game.look.note, module.get("__doc__"))
    if any(LOSERS.search(str(text)) for text in about):
        return None
    before, (move, _) = next(iter(ends.items()))
    where = f"{move_name(game, *before, move)} in {show_position(game, *before)}"
    return Finding(
        "note",
        f"a last move never wins: {where} loses; where the side that has just moved has won, outcome returns LOSS, "
        "since the side to move has lost; if a last move is to lose, say misère in the title",
    )
