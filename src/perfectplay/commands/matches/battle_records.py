"""The record of a battle, which is that of a tournament of two: written as games end, resumed, and read."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from perfectplay.arena.battle import Tally, sum_of, tally_of
from perfectplay.arena.tournaments.host import GameNames, GameResult
from perfectplay.arena.tournaments.played_game import PlayedGame
from perfectplay.arena.tournaments.tournament_record import RecordWriter, check_same, read_record
from perfectplay.arena.tournaments.tournament_settings import Tournament
from perfectplay.game import Game
from perfectplay.words import BadArgument

Kept = tuple[Sequence[GameResult], Callable[[GameResult], object]]
"""The games that the record already has, and what adds one to it."""


def recorded_seed(record: str | os.PathLike[str] | None) -> int | None:
    """The seed of a record that is there."""
    return read_record(record).tournament.seed if record is not None and Path(record).exists() else None


@contextmanager
def battle_record(
    game: Game, battle: Tournament, record: str | os.PathLike[str] | None, resume: bool
) -> Iterator[Kept]:
    """The record of the battle while it is played; raises BadArgument if it is that of another one."""
    if record is None:
        yield (), lambda played: None
        return
    names, done, size = GameNames(game, battle), [], 0
    if resume and Path(record).exists():
        before = read_record(record)
        check_same(record, before.tournament, battle)
        done, size = [names.from_record(one) for one in before.games], before.size
    with RecordWriter(record, battle, size) as writer:
        yield done, lambda played: writer.write(names.to_record(played))


def up_to_decision(tournament: Tournament, games: Sequence[PlayedGame]) -> Sequence[PlayedGame]:
    """The games without those that ended after a sequential test was decided."""
    if tournament.sprt is None:
        return games
    from perfectplay.arena.tournaments.sprt import sprt  # numpy: only when it is wanted

    test = sprt(tournament, games)
    return [one for one in games if test.last is None or not test.decided or one.number <= test.last]


def tally_in(game: Game, record: str | os.PathLike[str], a: str, b: str, losses: int = 0) -> tuple[Tournament, Tally]:
    """The tally of the games between A and B in the record of a tournament, and the battle that these games are."""
    tournament, games, _ = read_record(record)
    for name in (a, b):
        if name not in tournament.labels:
            there = ", ".join(tournament.labels)
            raise BadArgument(f"{name!r} does not play in {os.fspath(record)!r}; there are {there}")
    if tournament.game != game.name:
        raise BadArgument(f"the record {os.fspath(record)!r} is of {tournament.game}, not of {game.name}")
    between = Tournament(game.name, (a, b), tournament.seed, max_plies=tournament.max_plies)
    names = GameNames(game, between)
    counted_games = up_to_decision(tournament, games)
    played = [names.from_record(one) for one in counted_games if {*one.players} == {a, b}]
    if not played:
        raise BadArgument(f"{a!r} and {b!r} have not met in {os.fspath(record)!r}")
    return between, sum_of(tally_of(one, losses) for one in played)
