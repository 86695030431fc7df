"""The games of a tournament that its record does not have: still to be played, or left out as repetitions."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from perfectplay.arena.tournaments.formats import FORMATS
from perfectplay.arena.tournaments.played_game import PlayedGame
from perfectplay.arena.tournaments.sprt import sprt
from perfectplay.arena.tournaments.tournament import known_players, repeats, stages
from perfectplay.arena.tournaments.tournament_settings import Fixture, Tournament


class Missing(NamedTuple):
    """The games of a stage that were not played: those that would repeat an earlier one, and those that are left."""

    repeated: list[Fixture]
    left: list[Fixture]
    scheduled: int
    """The games of the stage, played or not."""


def missing(tournament: Tournament, games: Sequence[PlayedGame], solved: bool) -> Iterator[Missing]:
    """What is missing in one stage after another; `solved` says whether the game is.

    It ends with a stage in which games are left, since later stages depend on them.
    """
    known = known_players(tournament, solved)
    numbered = {game.number: game for game in games}
    for fixtures in stages(tournament, numbered):
        played = [one for one in fixtures if one.number in numbered]
        settled = {one[1:] for one in played if repeats(numbered[one.number], one, known)}
        found = Missing([], [], len(fixtures))
        for one in fixtures:
            if one.number not in numbered:
                (found.repeated if one[1:] in settled else found.left).append(one)
        yield found
        if found.left:
            return


def skipped(tournament: Tournament, games: Sequence[PlayedGame], solved: bool) -> list[Fixture]:
    """The games that were not played because they would have repeated an earlier one."""
    return [one for stage in missing(tournament, games, solved) for one in stage.repeated]


def remaining(tournament: Tournament, games: Sequence[PlayedGame], solved: bool) -> int:
    """The games that are left: none after a test is decided, and none that would repeat an earlier one.

    More may turn out to be repetitions when they are played.
    """
    if tournament.sprt is not None and sprt(tournament, games).decided:
        return 0
    found = [*missing(tournament, games, solved)]
    if not found or not found[-1].left:
        return 0
    later = FORMATS[tournament.format].total(tournament) - sum(stage.scheduled for stage in found)
    return len(found[-1].left) + later
