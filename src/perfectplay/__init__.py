"""Write the rules of a two-player game once, in plain Python; then play it, solve it, explain it."""

from typing import TYPE_CHECKING

import perfectplay.solve  # noqa: F401
from perfectplay.game import Game, Images, Look, canonical, legal_moves, perft
from perfectplay.loading import load_game as load
from perfectplay.solve import search
from perfectplay.table import open_table
from perfectplay.words import (
    DRAW,
    LOSS,
    ONGOING,
    WIN,
    BadGame,
    BadPlayer,
    BadPosition,
    BadTable,
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

if TYPE_CHECKING:  # at run time perfectplay.solve is the package, which can be called
    from perfectplay.solve import solve

__version__ = "0.2.0"

__all__ = [
    "DRAW",
    "LOSS",
    "ONGOING",
    "WIN",
    "BadGame",
    "BadPlayer",
    "BadPosition",
    "BadTable",
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
    "open_table",
    "perft",
    "search",
    "solve",
]
