"""Who plays a game best."""

from perfectplay.engines.row_rules import rows_fault
from perfectplay.game import COMPILED_BITS, Game
from perfectplay.players.threats import threats_fault


def strongest(game: Game) -> str:
    """The name of the strongest player for the game: perfect, if its rules compile or it is small."""
    if game.bits <= COMPILED_BITS:
        return "perfect"
    if not threats_fault(game):
        return "threats"
    return "blocks" if rows_fault(game) else "hard"
