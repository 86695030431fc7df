"""The cards of the gallery: a game's picture, its name, its rules in a line, and what is known about it."""

from functools import lru_cache
from math import dist
from random import Random

from perfectplay.exports.page.game_data import Fields, titled
from perfectplay.game import COMPILED_BITS, Game, after, legal_moves
from perfectplay.rules.board_layout import squares_by_row
from perfectplay.rules.notation import moves_are_squares, pieces_on
from perfectplay.views.board_art import SQUARE, places_of
from perfectplay.views.game_pieces import is_new
from perfectplay.views.scoped_style import position_svg
from perfectplay.words import DRAW, FIRST, ONGOING, WIN, Entry, Move, Position, Turn

HEADLINE = "Every game, played perfectly."
LEAD = "Pick a game. Play it, and see the exact result of every move."
"""What stands above the cards."""
FILTERS = (
    ("", "All games"),
    ("solved", "Solved"),
    ("endless", "Endless"),
    ("small", "Small boards"),
    ("large", "Large boards"),
    ("yours", "Yours"),
)
"""The filters of the gallery: the tag of a card, and what the filter is called."""
SMALL = 36
"""Squares of a board that still counts as small."""
LONG = 400
"""Plies of a random game in which positions would repeat if they can."""
MOST_SOLVABLE = 32
"""Squares of a board on which a game may be solved here."""


def card(name: str, game: Game, about: Fields, entry: Entry | None, own: bool) -> Fields:
    """A game as the gallery shows it; `entry` is the start's entry in a table, None without one."""
    known = result_text(entry) if entry else about["known"]
    solvable = game.bits <= COMPILED_BITS and game.key is not None and squares_of(game) <= MOST_SOLVABLE
    return {
        "name": name,
        "title": game.look.title or titled(name),
        "about": game.look.summary or about["rules"].partition("\n")[0],
        "known": known or ("Not solved yet" if solvable else "Too big to solve"),
        "value": {"F": "win", "S": "loss", "D": "draw"}.get(known[:1], ""),
        "group": about["group"],
        "names": [name, *about["names"]],
        "tags": tags(game, bool(known), own),
        "picture": position_svg(game, *typical_position(game)),
    }


def squares_of(game: Game) -> int:
    """How many squares there are, those beside the board too, without places that are no squares."""
    return sum(map(len, squares_by_row(game)))


def result_text(entry: Entry) -> str:
    """The value of a game with best play, in words."""
    if entry.value == DRAW:
        return "Draw, endless" if entry.endless else "Draw"
    who = "First" if entry.value == WIN else "Second"
    return f"{who} player wins {f'in {entry.distance}' if entry.margin is None else f'by {abs(entry.margin)}'}"


def tags(game: Game, solved: bool, own: bool) -> list[str]:
    """What a card can be filtered by."""
    small = squares_of(game) <= SMALL
    found = {"solved": solved, "endless": repeats(game), "small": small, "large": not small, "yours": own}
    return [name for name, there in found.items() if there]


@lru_cache(maxsize=256)
def repeats(game: Game) -> bool:
    """Whether positions repeat in some random games that go on as long as they can, so that a game may be endless."""
    if game.plies_left is not None:
        return False
    for seed in range(20):
        states = long_game(game, Random(seed))
        if len({*states}) < len(states):
            return True
    return False


def long_game(game: Game, dice: Random) -> list[Turn]:
    """The positions of a random game in which nobody ends it who can help it, each with the side to move."""
    position, side = game.start, FIRST
    states = [(position, side)]
    while len(states) < LONG:
        moves = legal_moves(game, position)
        turns = (after(game, position, side, move) for move in dice.sample(moves, len(moves)))
        ongoing = next((turn for turn in turns if game.outcome(*turn[0]) == ONGOING), None)
        if ongoing is None:
            break
        position, side = ongoing
        states.append(ongoing)
    return states


# A position for the picture of a game: as it may stand in the middle of a game between people.


PLAYED = 0.45
"""How much of the game has been played."""
LONGEST = 54
"""The most plies of the game; a small board has at most as many as it has squares."""
LOOKED_AT = 40
"""Moves looked at in a position, where a move must be made to see where it goes."""


@lru_cache(maxsize=256)
def typical_position(game: Game) -> Turn:
    """A position and its side to move, the same for the same game."""
    dice = Random(f"{game.look.title} {game.look.summary} {game.shape}")
    most = min(LONGEST, game.shape[0] * game.shape[1])
    position, side = game.start, FIRST
    states = [(position, side)]
    while len(states) <= most:
        turn = natural_turn(game, position, side, dice)
        if turn is None:
            break
        position, side = turn
        states.append(turn)
    return states[round(PLAYED * (len(states) - 1))]


def natural_turn(game: Game, position: Position, side: int, dice: Random) -> Turn | None:
    """The turn after a move near what stands, which neither ends the game nor lets the other side win at once."""
    moves = legal_moves(game, position)
    if not moves_are_squares(game):
        moves = dice.sample(moves, min(LOOKED_AT, len(moves)))
    ongoing = None
    for move in nearest_first(game, position, side, moves, dice):
        turn = after(game, position, side, move)
        if game.outcome(*turn[0]) != ONGOING:
            continue
        if not (game.wins and game.wins(*turn[0])):
            return turn
        ongoing = ongoing or turn
    return ongoing


def nearest_first(game: Game, position: Position, side: int, moves: list[Move], dice: Random) -> list[Move]:
    """The moves, those first that go near the pieces, or to the middle of an empty board; about as near, any first."""
    places = places_of(game)
    old = pieces_on(game, position, side)
    standing = [place for place, at in zip(places, old, strict=True) if at]
    middle = tuple(sum(axis) / len(axis) for axis in zip(*(standing or places), strict=True))

    def far(move: Move) -> float:
        squares = [move]
        if not moves_are_squares(game):
            new = pieces_on(game, *after(game, position, side, move))
            squares = [square for square, at in enumerate(new) if is_new(game, old[square], at)]
        there = places[squares[0]] if squares else middle
        nearest = min((dist(there, place) for place in standing if place != there), default=0.0)
        near = (nearest + dist(there, middle) / 3) / SQUARE
        return near + 1.5 * dice.random() if standing else near

    return sorted(moves, key=far)
