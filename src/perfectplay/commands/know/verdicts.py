"""What is said of a position: a verdict in a sentence, who wins, how soon and by which moves; hints on the board."""

from collections.abc import Mapping
from itertools import combinations

from perfectplay.game import Game, best_moves, legal_moves
from perfectplay.rules.notation import either, kinds_of_squares, move_name, plies_text
from perfectplay.solvers.worth import OPEN, Worth
from perfectplay.words import DRAW, LOSS, WIN, Entry, Move, Position

PLACES = {"centre": "in the centre", "corner": "in a corner", "edge": "on an edge"}
NAMED = 4
"""More moves than this are not named one by one."""


def verdict(game: Game, side: int, here: Worth, moves: Mapping[str, Worth]) -> str:
    """Who wins and how soon, in a sentence, or what is known about it; the moves are given by name."""
    mover, other = game.look.sides[side], game.look.sides[1 - side]
    if here.entry is not None:
        return exact_verdict(game, side, here.entry, over=not moves)
    if here.value in (WIN, LOSS):
        winner = mover if here.value == WIN else other
        what = "how soon" if here.at_least is None or here.at_least.margin is None else "by how many"
        return f"{mover} moves; {winner} wins {here.text.partition(' ')[2]}; {what} exactly is not proven."
    if here.value is not None:
        return f"{mover} moves and draws; how long that takes is not proven."
    first = must(mover, here, moves)
    return f"{first and first + ' '}Not proven within the limit. {mover} moves: {here.text.removeprefix(OPEN)}."


def exact_verdict(game: Game, side: int, entry: Entry, over: bool = False) -> str:
    """Who wins and how soon, or by how many points, in a sentence."""
    mover, winner = game.look.sides[side], game.look.sides[side if entry.value == WIN else 1 - side]
    if over or entry.distance == 0:
        return f"The game is over: {'drawn' if entry.value == DRAW else f'{winner} has won{by_points(entry)}'}."
    if entry.margin is not None:
        if entry.value == LOSS:
            return f"{mover} moves; {winner} wins{by_points(entry)} with best play."
        return f"{mover} moves and {'draws' if entry.value == DRAW else f'wins{by_points(entry)}'} with best play."
    if entry.distance is None:
        return f"{mover} moves and draws: best play never ends."
    plies = plies_text(entry.distance)
    if entry.value == DRAW:
        return f"{mover} moves and draws, in {plies} with best play."
    return f"{mover} moves; {winner} wins in {plies} with best play."


def by_points(entry: Entry) -> str:
    """` by 4` if the entry has a margin; else empty."""
    return f" by {abs(entry.margin)}" if entry.margin else ""


def must(mover: str, here: Worth, moves: Mapping[str, Worth]) -> str:
    """The only moves that are not proven to lose, in a sentence; empty if there are too many."""
    kept = [name for name, known in moves.items() if known.value != LOSS]
    if here.value is not None or len(kept) > NAMED or len(kept) == len(moves):
        return ""
    return f"{mover} must play {either(kept)}: every other move loses."


def verdict_by_moves(game: Game, position: Position, side: int, entry: Entry, moves: dict[Move, Entry]) -> str:
    """Who wins, how soon and by which moves, in a sentence: X wins in 13 plies, if X opens on an edge."""
    mover, winner = game.look.sides[side], game.look.sides[side if entry.value == WIN else 1 - side]
    if not moves:
        return "The game is drawn." if entry.value == DRAW else f"{winner} has won{by_points(entry)}."
    condition = by_which(game, position, side, moves)
    how = f" in {plies_text(entry.distance or 0)}" if entry.margin is None else by_points(entry)
    if entry.value == WIN:
        return f"{mover} wins{how}{condition}."
    if entry.value == LOSS and entry.margin is not None:
        return f"{winner} wins{how} at least, whatever {mover} plays."
    if entry.value == LOSS:
        return f"{winner} wins{how} at the latest, whatever {mover} plays."
    if entry.endless:
        return f"Drawn: best play never ends{condition}."
    return f"Drawn with best play{condition}."


def by_which(game: Game, position: Position, side: int, moves: dict[Move, Entry]) -> str:
    """The moves that keep the value."""
    best = best_moves(moves)
    mover = game.look.sides[side]
    if len(best) == len(moves):
        return "" if len(moves) == 1 else f", whatever {mover} plays"
    opening = position == game.start
    where = kinds(game, set(best), set(moves)) if opening or len(best) > NAMED else ""
    if where:
        return f", if {mover} {'opens' if opening else 'plays'} {where}"
    names = [move_name(game, position, side, move) for move in sorted(best)]
    worse = [move_name(game, position, side, move) for move in sorted(set(moves) - set(best))]
    if len(names) > NAMED and len(worse) <= NAMED:
        return f", if {mover} plays anything but {either(worse)}"
    if len(names) > NAMED:
        return f", if {mover} plays one of {len(names)} moves"
    return f", if {mover} plays {either(names)}"


def kinds(game: Game, best: set[Move], legal: set[Move]) -> str:
    """Where the best moves are, if all moves there are best."""
    places = {kind: legal & set(squares) for kind, squares in kinds_of_squares(game).items()}
    there = [kind for kind, squares in places.items() if squares]
    for count in (1, 2):
        for some in combinations(there, count):
            if set.union(*(places[kind] for kind in some)) == best:
                return either([PLACES[kind] for kind in some])
    return ""


# Hints on a board: what is known of each move, in a few letters.


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
