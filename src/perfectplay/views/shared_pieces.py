"""Pieces that look the same whoever has them: which belong to nobody, and what is new on a square."""

from functools import lru_cache

from perfectplay.game import Game
from perfectplay.rules.notation import piece_name, spots
from perfectplay.words import FIRST


@lru_cache(maxsize=64)
def nobodys(game: Game) -> frozenset[int]:
    """The kinds of pieces that belong to nobody: both sides have them under one text, and either word can hold them."""
    both = enumerate(zip(game.look.pieces.first, game.look.pieces.second, strict=False))
    free = {
        kind
        for square in spots(game, FIRST)
        for kind, spot in enumerate(square)
        if spot[1] & ~spot[0] == 0 and len(spot) < 3
    }
    return frozenset(kind for kind, (first, second) in both if first == second and kind in free)


def is_new(game: Game, before: tuple[int, int] | None, now: tuple[int, int] | None) -> bool:
    """Whether a square bears something new: another side's piece, if it looks different, or in a pit another count."""
    if now is None or before is None:
        return now is not None
    moved = before[0] != now[0] or game.look.board == "pits"
    return moved and piece_name(game, before) != piece_name(game, now)
