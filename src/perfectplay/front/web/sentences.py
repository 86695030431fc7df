"""A verdict on a position in a sentence: X wins in 13 plies, if X opens on an edge."""

from itertools import combinations

from perfectplay.game import Game
from perfectplay.notation import kinds_of_squares, move_name
from perfectplay.solve.lookup_or_solve import best_moves
from perfectplay.words import DRAW, LOSS, WIN, Entry, Move, Position

PLACES = {"centre": "in the centre", "corner": "in a corner", "edge": "on an edge"}
NAMED = 4
"""More moves than this are not named one by one."""


def verdict(game: Game, position: Position, side: int, entry: Entry, moves: dict[Move, Entry]) -> str:
    """Who wins, how soon and by which moves, in a sentence."""
    mover, other = game.look.sides[side], game.look.sides[1 - side]
    if not moves:
        return "The game is drawn." if entry.value == DRAW else f"{mover if entry.value == WIN else other} has won."
    condition = by_which(game, position, side, moves)
    if entry.value == WIN:
        return f"{mover} wins in {plies(entry)}{condition}."
    if entry.value == LOSS:
        return f"{other} wins in {plies(entry)} at the latest, whatever {mover} plays."
    if entry.distance is None:
        return f"Drawn: with best play the game goes on for ever{condition}."
    return f"Drawn with best play{condition}."


def plies(entry: Entry) -> str:
    """1 ply, 13 plies."""
    return f"{entry.distance} {'ply' if entry.distance == 1 else 'plies'}"


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
        return f", if {mover} plays anything but {listed(worse)}"
    if len(names) > NAMED:
        return f", if {mover} plays one of {len(names)} moves"
    return f", if {mover} plays {listed(names)}"


def kinds(game: Game, best: set[Move], legal: set[Move]) -> str:
    """Where the best moves are, if all moves there are best."""
    places = {kind: legal & set(squares) for kind, squares in kinds_of_squares(game).items()}
    there = [kind for kind, squares in places.items() if squares]
    for count in (1, 2):
        for some in combinations(there, count):
            if set.union(*(places[kind] for kind in some)) == best:
                return listed([PLACES[kind] for kind in some])
    return ""


def listed(words: list[str]) -> str:
    """a1, b2 or c3."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
