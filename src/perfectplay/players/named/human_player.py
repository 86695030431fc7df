"""`human`: a person, whom only a front end can ask."""

from perfectplay.players.player_kind import PlayerKind, PlayerName, never_served
from perfectplay.players.seat import Maker
from perfectplay.words import BadPlayer

HUMAN = "human"


def refuse(name: PlayerName) -> Maker:
    """Nobody: a library cannot ask a person."""
    raise BadPlayer("human can only play in the terminal and on the page")


PERSON = PlayerKind(HUMAN, "a person at the terminal", refuse, aliases=("human_player",), served=never_served)
