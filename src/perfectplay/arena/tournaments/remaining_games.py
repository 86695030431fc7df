"""How many games of a tournament are still to be played, for whoever looks at its record."""

from collections.abc import Sequence

from perfectplay.arena.tournaments.formats import FORMATS
from perfectplay.arena.tournaments.played_game import PlayedGame
from perfectplay.arena.tournaments.repeated_games import is_known
from perfectplay.arena.tournaments.sprt import sprt
from perfectplay.arena.tournaments.tournament import repeats, stages
from perfectplay.arena.tournaments.tournament_settings import Tournament


def remaining(tournament: Tournament, games: Sequence[PlayedGame], solved: bool) -> int:
    """The games that are left: none after a test is decided, and none that would repeat an earlier one.

    `solved` says whether the game is. More may turn out to be repetitions when they are played.
    """
    if tournament.sprt is not None and sprt(tournament, games).decided:
        return 0
    known = [is_known(name, solved) for name in tournament.players]
    numbered, scheduled = {game.number: game for game in games}, 0
    for fixtures in stages(tournament, numbered):
        scheduled += len(fixtures)
        played = [one for one in fixtures if one.number in numbered]
        settled = {one[1:] for one in played if repeats(numbered[one.number], one, known)}
        left = sum(one.number not in numbered and one[1:] not in settled for one in fixtures)
        if left:  # later stages depend on these games
            return left + FORMATS[tournament.format].total(tournament) - scheduled
    return 0
