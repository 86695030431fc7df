"""Battles: many games between two players, counted; repeatable from a seed, on any number of processes."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import sqrt
from time import perf_counter
from typing import TypeVar

from perfectplay.arena.referee import MOST_PLIES
from perfectplay.arena.stop_watch import Times
from perfectplay.arena.tournaments.game_workers import REPORT, GameWorkers
from perfectplay.arena.tournaments.host import GameResult, Host, named_host
from perfectplay.arena.tournaments.tournament_settings import Fixture, TimeControl, Tournament
from perfectplay.game import Game
from perfectplay.players.seat import Maker
from perfectplay.words import FIRST, SECOND

Fault = tuple[int, str]
"""The number of a game and the illegal move, or the fault of the bot, that lost it."""


FIXED_SIDES = "fixed-sides"
"""The format of a battle in which A always moves first."""
NO_TIME = (Times(), Times())
T = TypeVar("T")


@dataclass(frozen=True)
class Tally:
    """The results of games between A and B, on either side; equal for equal games, whatever time they took."""

    games: int = 0
    wins: tuple[int, int] = (0, 0)
    draws: int = 0
    forfeits: tuple[int, int] = (0, 0)
    unfinished: int = 0
    plies: int = 0
    faults: tuple[Fault | None, Fault | None] = (None, None)
    unproven: tuple[int, int] = (0, 0)
    """Moves that a searching player could not prove to be best in time."""
    times: tuple[Times, Times] = field(default=NO_TIME, compare=False)
    losses: int = 0
    """How many lost games are kept."""
    lost: tuple[GameResult, ...] = ()
    """The first games that A lost."""
    scored: int = 0
    """The games that ended with a margin, in a game for points."""
    points: int = 0
    """The sum of these margins for A."""
    thrown: int = field(default=0, compare=False)
    """The games in which dice decided something."""

    @property
    def mean_plies(self) -> float:
        """The mean length of a game."""
        return self.plies / self.games if self.games else 0.0

    @property
    def mean_margin(self) -> float | None:
        """The points by which A is ahead in the mean, None where there are none."""
        return self.points / self.scored if self.scored else None


def tally_of(game: GameResult, losses: int = 0) -> Tally:
    """The tally of one game, which is kept if A lost it and games are kept at all."""
    record, swapped = game.record, game.swapped
    winner = None if record.winner is None else record.winner ^ swapped
    wins = (int(winner == 0), int(winner == 1))
    tally = Tally(
        1,
        wins,
        int(winner is None),
        unfinished=int(record.unfinished),
        plies=len(record.moves),
        unproven=in_order(game.unproven, swapped),
        times=in_order(times_of(game), swapped),
        losses=losses,
        lost=(game,) if losses and winner == 1 else (),
        thrown=int(game.thrown),
    )
    if record.margin is not None:
        tally = replace(tally, scored=1, points=-record.margin if swapped else record.margin)
    if not record.forfeit:
        return tally
    fault = (game.number, record.forfeit)
    return replace(tally, forfeits=(wins[1], wins[0]), faults=(fault, None) if winner == 1 else (None, fault))


def in_order(pair: tuple[T, T], swapped: bool) -> tuple[T, T]:
    """A pair of the first and the second side as a pair of A and B."""
    return (pair[1], pair[0]) if swapped else pair


def times_of(game: GameResult) -> tuple[Times, Times]:
    """The times of the moves of the first and the second side."""
    times: tuple[list[float], list[float]] = ([], [])
    for side, seconds in zip(game.record.movers, game.record.seconds, strict=True):
        times[side].append(seconds)
    first, second = (
        Times(len(each), sum(each), max(each, default=0.0), nodes)
        for each, nodes in zip(times, game.nodes, strict=True)
    )
    return first, second


def add(a: Tally, b: Tally) -> Tally:
    """Two tallies as one, with each player's earliest fault."""
    losses = max(a.losses, b.losses)
    return Tally(
        a.games + b.games,
        (a.wins[0] + b.wins[0], a.wins[1] + b.wins[1]),
        a.draws + b.draws,
        (a.forfeits[0] + b.forfeits[0], a.forfeits[1] + b.forfeits[1]),
        a.unfinished + b.unfinished,
        a.plies + b.plies,
        (earlier(a.faults[0], b.faults[0]), earlier(a.faults[1], b.faults[1])),
        (a.unproven[0] + b.unproven[0], a.unproven[1] + b.unproven[1]),
        (a.times[0].plus(b.times[0]), a.times[1].plus(b.times[1])),
        losses,
        tuple(sorted(a.lost + b.lost)[:losses]) if a.lost or b.lost else (),
        a.scored + b.scored,
        a.points + b.points,
        a.thrown + b.thrown,
    )


def earlier(a: Fault | None, b: Fault | None) -> Fault | None:
    """The fault of the lower number, if there is one."""
    return min((fault for fault in (a, b) if fault is not None), default=None)


def sum_of(parts: Iterable[Tally]) -> Tally:
    """All tallies as one."""
    total = Tally()
    for part in parts:
        total = add(total, part)
    return total


def battle_of(
    game: str,
    players: tuple[str, str],
    seed: int,
    games: int = 1,
    swap: bool = False,
    max_plies: int = MOST_PLIES,
    seconds: float | None = None,
) -> Tournament:
    """The tournament that a battle of A and B is; with `swap` B moves first in every odd game, else never."""
    kind = "round-robin" if swap else FIXED_SIDES
    return Tournament(game, players, seed, kind, games, time=TimeControl(seconds), max_plies=max_plies)


def fixture_of(tournament: Tournament, number: int) -> Fixture:
    """The game of that number in a battle."""
    swapped = number % 2 == 1 and tournament.format != FIXED_SIDES
    return Fixture(number, int(swapped), int(not swapped))


def match(
    game: Game, players: tuple[Maker, Maker], seed: int, swap: bool = False
) -> Callable[[Iterable[int]], Iterator[Tally]]:
    """The function that plays the games of the given numbers; with `swap` B moves first in every odd one.

    Each game comes out the same whatever was played before it.
    """
    play = seat_players(Host(game, players, battle_of(game.name, ("A", "B"), seed, swap=swap), (False, False)))
    return lambda numbers: map(tally_of, play(numbers))


def seat_players(host: Host) -> Callable[[Iterable[int]], Iterator[GameResult]]:
    """The function that plays the games of the given numbers in full; its players sit down at once."""
    terms = host.tournament
    for number in (0, 1):
        fixture = fixture_of(terms, number)
        host.player(fixture.first, FIRST)
        host.player(fixture.second, SECOND)
    return lambda numbers: (host.play(fixture_of(terms, number)) for number in numbers)


def tallies(
    battle: Tournament,
    jobs: int = 1,
    losses: int = 0,
    past: Sequence[GameResult] = (),
    keep: Callable[[GameResult], object] = lambda game: None,
    host: Host | None = None,
) -> Iterator[Tally]:
    """The tallies of one part of the battle after another, as they come in; added up they are the result.

    `past` games are not played again, and each other one is given to `keep`. An interrupt is raised after the
    tally of what was played until then. Bots of a user's own play in processes of their own, whatever the number of
    jobs. The game and the players are found by name, unless a host has them.
    """
    yield sum_of(tally_of(game, losses) for game in past)
    before = {game.number for game in past}
    numbers = [number for number in range(battle.games) if number not in before] if before else range(battle.games)

    def tallies_of(games: Iterable[GameResult]) -> Iterator[Tally]:
        for game in games:
            keep(game)
            yield tally_of(game, losses)

    if jobs == 1:
        host = named_host(battle) if host is None else host
        try:
            yield from in_parts(tallies_of(seat_players(host)(numbers)))
        finally:
            host.close()
        return
    with GameWorkers(battle, jobs) as workers:
        yield from in_parts(tallies_of(workers.play(fixture_of(battle, number) for number in numbers)))


def in_parts(tallies: Iterable[Tally]) -> Iterator[Tally]:
    """The tallies of parts that take about REPORT seconds; an interrupt is raised after what was played until then."""
    part, begin = Tally(), perf_counter()
    try:
        for tally in tallies:
            part = add(part, tally)
            if perf_counter() - begin >= REPORT:
                yield part
                part, begin = Tally(), perf_counter()
        yield part
    except KeyboardInterrupt:
        yield part
        raise


def interval(count: int, games: int) -> tuple[float, float]:
    """The 95% confidence interval of a probability (Wilson)."""
    z = 1.959964
    rate, shrinkage = count / games, z * z / games
    middle = (rate + shrinkage / 2) / (1 + shrinkage)
    half = z * sqrt(rate * (1 - rate) / games + shrinkage / games / 4) / (1 + shrinkage)
    return max(0.0, middle - half), min(1.0, middle + half)
