"""Plays a tournament: stage by stage, on any number of processes; the same games come out whatever their number."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import NamedTuple

from perfectplay.arena.tournaments.formats import FORMATS
from perfectplay.arena.tournaments.game_workers import GameWorkers
from perfectplay.arena.tournaments.host import GameNames, GameResult, Host, named_host
from perfectplay.arena.tournaments.played_game import PlayedGame, is_deterministic, would_repeat
from perfectplay.arena.tournaments.sprt import sprt
from perfectplay.arena.tournaments.tournament_settings import Fixture, Tournament
from perfectplay.rules.loading import load_game
from perfectplay.solvers.oracle import table_oracle
from perfectplay.words import FIRST

CHECK = 0.05
"""Seconds between two looks whether a sequential test is decided, at least."""
LOOKING = 10
"""A look takes no more than a tenth of the time, however many games there are."""

Group = tuple[int, int, int | None]
"""Games that can repeat each other: the players on their sides, and the opening."""


def play_tournament(
    tournament: Tournament,
    past: Sequence[PlayedGame] = (),
    jobs: int = 1,
    judge_seconds: float | None = 0.0,
    host: Host | None = None,
) -> Iterator[PlayedGame]:
    """The games of the tournament that are not done yet, as they end.

    Moves are judged by the table of the game, or by searches of `judge_seconds` per game; None leaves that out. Games
    that would repeat an earlier one move for move are not played, and a test that is decided ends the tournament. The
    game and the players are found by name, unless a host has them.
    """
    game = load_game(tournament.game) if host is None else host.game
    names = GameNames(game, tournament)
    deterministic = deterministic_players(tournament, table_oracle(game) is not None)
    games = {one.number: one for one in past}
    with open_host(tournament, jobs, judge_seconds, host) as play:
        for fixtures in stages(tournament, games):
            repetitions: set[Group] = set()
            for part in parts(fixtures):
                for fixture in part:
                    if fixture.number in games and repeats(games[fixture.number], fixture, deterministic):
                        repetitions.add(fixture[1:])
                waiting = {
                    one: one.number for one in fixtures if one.number not in games and one[1:] not in repetitions
                }
                test = Test(tournament, games, set(waiting.values()))
                if test.is_decided():
                    return
                for result in play([one for one in part if one in waiting]):
                    one = games[result.number] = names.to_record(result)
                    if repeats(one, result.fixture, deterministic):
                        repetitions.add(result.fixture[1:])
                    yield one
                    if test.is_decided(result.number):
                        return


def deterministic_players(tournament: Tournament, solved: bool) -> list[bool]:
    """Which players play the same in the same position unless they throw dice; `solved` says whether the game is."""
    return [is_deterministic(name, solved) for name in tournament.players]


def stages(tournament: Tournament, games: dict[int, PlayedGame]) -> Iterator[list[Fixture]]:
    """The fixtures of one stage after another, which depend on the games until then."""
    generator = FORMATS[tournament.format].stages(tournament)
    try:
        fixtures = next(generator)
        while True:
            yield fixtures
            fixtures = generator.send(list(games.values()))
    except StopIteration:
        return


def parts(fixtures: Sequence[Fixture]) -> tuple[list[Fixture], list[Fixture]]:
    """The fixtures that are the first of their group, and the others: these may turn out to be repetitions."""
    groups: set[Group] = set()
    first: list[Fixture] = []
    others: list[Fixture] = []
    for fixture in fixtures:
        (others if fixture[1:] in groups else first).append(fixture)
        groups.add(fixture[1:])
    return first, others


def repeats(game: PlayedGame, fixture: Fixture, deterministic: Sequence[bool]) -> bool:
    """Whether the other games of the group would be the same."""
    return would_repeat(game, deterministic[fixture.first] and deterministic[fixture.second])


class Test:
    """The sequential test of a match of two, if there is one, while its games come in."""

    def __init__(self, tournament: Tournament, games: Mapping[int, PlayedGame], pending: set[int]) -> None:
        self.tournament, self.games, self.pending = tournament, games, pending
        self.next_look = 0.0

    def is_decided(self, number: int | None = None) -> bool:
        """Whether the test is over, now that the game of that number has ended; looked at now and then."""
        if self.tournament.sprt is None:
            return False
        self.pending.discard(-1 if number is None else number)
        begin = monotonic()
        if begin < self.next_look:
            return False
        state = sprt(self.tournament, self.games.values(), self.pending)
        self.next_look = monotonic() + max(CHECK, LOOKING * (monotonic() - begin))
        return state.decided


@contextmanager
def open_host(
    tournament: Tournament, jobs: int, judge_seconds: float | None, host: Host | None
) -> Iterator[Callable[[Iterable[Fixture]], Iterator[GameResult]]]:
    """What plays fixtures, here or in other processes; all players have been tried, and bots end with the block."""
    host = named_host(tournament, judge_seconds) if host is None else host
    try:
        for who in range(len(host.makers)):  # BadPlayer for one that cannot play this game; no program is started
            host.player(who, FIRST)
        host.lenient = True
        if jobs == 1:
            yield lambda fixtures: map(host.play, fixtures)
            return
        host.close()
        with GameWorkers(tournament, jobs, judge_seconds, lenient=True) as workers:
            yield workers.play
    finally:
        host.close()


# The games of a tournament that its record does not have: still to be played, or left out as repetitions.


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
