"""What an analysis says about each move, as the hints that boards show."""

from perfectplay.game import Game, legal_moves
from perfectplay.rules.notation import move_name
from perfectplay.solvers.worth import Worth
from perfectplay.words import DRAW, LOSS, WIN, Move, Position


def move_numbers(game: Game, position: Position, side: int) -> dict[str, Move]:
    """The number of each legal move by its name."""
    return {move_name(game, position, side, move): move for move in legal_moves(game, position)}


def hint_number(move: Worth) -> str:
    """The number in a hint: the points, the plies to the end, or a bound of either; ∞ if best play never ends."""
    low, high = move.at_least, move.at_most
    if low is None or high is None:
        if move.margin is not None:
            return signed(move.margin)
        return "∞" if move.distance is None else str(move.distance)
    if low.margin is not None and high.margin is not None:
        return f"≥{low.margin}" if move.value == WIN else f"≤{signed(high.margin)}" if move.value == LOSS else ""
    if move.distance is not None:
        return str(move.distance)
    ends = (low.distance, high.distance)
    return "" if move.value in (None, DRAW) or None in ends else f"≤{max(end or 0 for end in ends)}"


def signed(points: int) -> str:
    """Points with their sign: +4, −2, 0."""
    return f"{points:+d}".replace("-", "−") if points else "0"
