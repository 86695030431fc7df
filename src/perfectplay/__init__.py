"""Write the rules of a two-player game once, in plain Python; then play it, solve it, explain it."""

from perfectplay.game import Game, Images, Look, canonical, legal_moves, perft
from perfectplay.loading import load_game as load
from perfectplay.words import (
    DRAW,
    LOSS,
    ONGOING,
    WIN,
    BadGame,
    BadPlayer,
    BadPosition,
    Entry,
    IllegalMove,
    Lookup,
    Move,
    PerfectplayError,
    Player,
    Position,
    Sides,
    TooBig,
)

__version__ = "0.1.0"

__all__ = [
    "DRAW",
    "LOSS",
    "ONGOING",
    "WIN",
    "BadGame",
    "BadPlayer",
    "BadPosition",
    "Entry",
    "Game",
    "IllegalMove",
    "Images",
    "Look",
    "Lookup",
    "Move",
    "PerfectplayError",
    "Player",
    "Position",
    "Sides",
    "TooBig",
    "canonical",
    "legal_moves",
    "load",
    "perft",
]
