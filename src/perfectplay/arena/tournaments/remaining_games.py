"""The games of a tournament that its record does not have: still to be played, or left out as repetitions."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from perfectplay.arena.tournaments.formats import FORMATS
from perfectplay.arena.tournaments.played_game import PlayedGame
from perfectplay.arena.tournaments.sprt import sprt
from perfectplay.arena.tournaments.tournament import deterministic_players, repeats, stages
from perfectplay.arena.tournaments.tournament_settings import Fixture, Tournament


class Remainder(NamedTuple):
    """The games of a stage that were not played: those that would repeat an earlier one, and those that are left."""

    repetitions: list[Fixture]
    open: list[Fixture]
    total: int
    """The games of the stage, played or not."""


def remainders(tournament: Tournament, games: Sequence[PlayedGame], solved: bool) -> Iterator[Remainder]:
    """What is missing in one stage after another; `solved` says whether the game is.

    It ends with a stage in which games are left, since later stages depend on them.
    """
    deterministic = deterministic_players(tournament, solved)
    numbered = {game.number: game for game in games}
    for fixtures in stages(tournament, numbered):
        past = [one for one in fixtures if one.number in numbered]
        groups = {one[1:] for one in past if repeats(numbered[one.number], one, deterministic)}
        rest = Remainder([], [], len(fixtures))
        for one in fixtures:
            if one.number not in numbered:
                (rest.repetitions if one[1:] in groups else rest.open).append(one)
        yield rest
        if rest.open:
            return


def skipped(tournament: Tournament, games: Sequence[PlayedGame], solved: bool) -> list[Fixture]:
    """The games that were not played because they would have repeated an earlier one."""
    return [one for stage in remainders(tournament, games, solved) for one in stage.repetitions]


def remaining(tournament: Tournament, games: Sequence[PlayedGame], solved: bool) -> int:
    """The games that are left: none after a test is decided, and none that would repeat an earlier one.

    More may turn out to be repetitions when they are played.
    """
    if tournament.sprt is not None and sprt(tournament, games).decided:
        return 0
    stages = [*remainders(tournament, games, solved)]
    if not stages or not stages[-1].open:
        return 0
    later = FORMATS[tournament.format].total(tournament) - sum(stage.total for stage in stages)
    return len(stages[-1].open) + later
