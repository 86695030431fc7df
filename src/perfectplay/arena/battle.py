"""Battles: many games between two players, counted; repeatable from a seed, on any number of processes."""

import random
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import sqrt
from multiprocessing import active_children, get_context, parent_process
from time import perf_counter
from typing import NamedTuple

from perfectplay.arena.bot_makers import close, isolated_maker
from perfectplay.arena.referee import MOST_PLIES, Record, play_game
from perfectplay.arena.stop_watch import StopWatch, Times
from perfectplay.child_processes import end_with_parent
from perfectplay.game import Game
from perfectplay.loading import load_game
from perfectplay.players import Maker, Seat
from perfectplay.words import FIRST, SECOND, BadPlayer, Player

REPORT = 0.2
"""Seconds that a process plays between two reports, about."""


Fault = tuple[int, str]
"""The number of a game and the illegal move, or the fault of the bot, that lost it."""


NO_TIME = (Times(), Times())


class Played(NamedTuple):
    """A game of the battle: its number, whether B moved first, and its record."""

    number: int
    swapped: bool
    record: Record


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
    kept: int = 0
    """How many lost games are kept."""
    lost: tuple[Played, ...] = ()
    """The first games that A lost."""
    scored: int = 0
    """The games that ended with a margin, in a game for points."""
    points: int = 0
    """The sum of these margins for A."""

    @property
    def mean_plies(self) -> float:
        """The mean length of a game."""
        return self.plies / self.games if self.games else 0.0

    @property
    def mean_margin(self) -> float | None:
        """The points by which A is ahead in the mean, None where there are none."""
        return self.points / self.scored if self.scored else None


class Contest(NamedTuple):
    """A battle's game, players and settings; plain text and numbers, so that it can be sent to another process."""

    game: str
    players: tuple[str, str]
    seed: int
    swap: bool = False
    most_plies: int = MOST_PLIES
    seconds: float | None = None
    losses: int = 0


def counted(played: Played, losses: int = 0) -> Tally:
    """The tally of one game, which is kept if A lost it and games are kept at all."""
    number, swapped, record = played
    winner = None if record.winner is None else record.winner ^ swapped
    wins = (int(winner == 0), int(winner == 1))
    lost = (played,) if losses and winner == 1 else ()
    tally = Tally(
        1, wins, int(winner is None), unfinished=int(record.unfinished), plies=len(record.moves), kept=losses, lost=lost
    )
    if record.margin is not None:
        tally = replace(tally, scored=1, points=-record.margin if swapped else record.margin)
    if not record.forfeit:
        return tally
    fault = (number, record.forfeit)
    return replace(tally, forfeits=(wins[1], wins[0]), faults=(fault, None) if winner == 1 else (None, fault))


def added(a: Tally, b: Tally) -> Tally:
    """Two tallies as one, with each player's earliest fault."""
    kept = max(a.kept, b.kept)
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
        kept,
        tuple(sorted(a.lost + b.lost)[:kept]) if a.lost or b.lost else (),
        a.scored + b.scored,
        a.points + b.points,
    )


def earlier(a: Fault | None, b: Fault | None) -> Fault | None:
    """The fault of the lower number, if there is one."""
    return min((fault for fault in (a, b) if fault is not None), default=None)


def summed(parts: Iterable[Tally]) -> Tally:
    """All tallies as one."""
    total = Tally()
    for part in parts:
        total = added(total, part)
    return total


def match(
    game: Game,
    players: tuple[Maker, Maker],
    seed: int,
    swap: bool = False,
    most_plies: int = MOST_PLIES,
    seconds: float | None = None,
    losses: int = 0,
) -> Callable[[range], Iterator[Tally]]:
    """The function that plays the games of the given numbers; with `swap` B moves first in every odd one.

    Each game starts its players' dice afresh from the seed, its number and the player, so it comes out the same
    whatever was played before it, and where. Python's own dice are thrown in for bots that use them. Of the games that
    A loses, the first `losses` are kept.
    """
    watches = (StopWatch(), StopWatch())
    dice = (random.Random(), random.Random())
    remarks: tuple[list[str], list[str]] = ([], [])

    def seated(who: int, side: int) -> Player:
        watch = watches[who]
        return watch.timed(players[who](Seat(game, side, dice[who], seconds, remarks[who].append, watch.searched)))

    straight = (seated(0, FIRST), seated(1, SECOND))
    crossed = (seated(1, FIRST), seated(0, SECOND)) if swap else straight

    def play(numbers: range) -> Iterator[Tally]:
        for number in numbers:
            dice[0].seed(f"{seed}/{number}/A")
            dice[1].seed(f"{seed}/{number}/B")
            random.seed(f"{seed}/{number}")
            swapped = swap and number % 2 == 1
            record = play_game(game, *(crossed if swapped else straight), most_plies, forfeits=True)
            unproven = len(remarks[0]), len(remarks[1])
            for said in remarks:
                said.clear()
            tally = counted(Played(number, swapped, record), losses)
            yield replace(tally, unproven=unproven, times=(watches[0].read(), watches[1].read()))

    return play


def seated_match(contest: Contest, makers: tuple[Maker, Maker]) -> Callable[[range], Iterator[Tally]]:
    """The match of the contest, its game found by name, between the players of these makers."""
    game, (_, _, seed, swap, most_plies, seconds, losses) = load_game(contest.game), contest
    return match(game, makers, seed, swap, most_plies, seconds, losses)


@lru_cache(maxsize=1)
def named_match(contest: Contest) -> Callable[[range], Iterator[Tally]]:
    """The match of the contest; kept, so that players keep what they know."""
    return seated_match(contest, (isolated_maker(contest.players[0]), isolated_maker(contest.players[1])))


def fight(contest: Contest, numbers: range) -> tuple[Tally, float]:
    """The tally of these games of the contest and the seconds they took: what a process is given to do."""
    begin = perf_counter()
    return summed(named_match(contest)(numbers)), perf_counter() - begin


def tallies(contest: Contest, games: int, jobs: int = 1) -> Iterator[Tally]:
    """The tallies of one part of the contest after another, as they come in; added up they are the result.

    An interrupt is raised after the tally of what was played until then. Bots of a user's own play in processes of
    their own, whatever the number of jobs.
    """
    if jobs == 1:
        yield from played_here(contest, games)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=begin_in_pool) as pool:
        try:
            yield from pooled(pool, contest, games, jobs)
        except BaseException as end:
            for process in active_children():
                process.terminate()
            if isinstance(end, BrokenProcessPool):
                raise BadPlayer("a process of the battle was ended from outside, or because memory ran out") from end
            raise


def played_here(contest: Contest, games: int) -> Iterator[Tally]:
    """The tallies of parts of the contest, all played in this process."""
    makers = isolated_maker(contest.players[0]), isolated_maker(contest.players[1])
    return in_parts(seated_match(contest, makers), makers, games)


def in_parts(play: Callable[[range], Iterator[Tally]], makers: tuple[Maker, Maker], games: int) -> Iterator[Tally]:
    """The tallies of parts that take about REPORT seconds; an interrupt is raised after what was played until then."""
    part, begin = Tally(), perf_counter()
    try:
        for tally in play(range(games)):
            part = added(part, tally)
            if perf_counter() - begin >= REPORT:
                yield part
                part, begin = Tally(), perf_counter()
        yield part
    except KeyboardInterrupt:
        yield part
        raise
    finally:
        for maker in makers:
            close(maker)


def pooled(pool: ProcessPoolExecutor, contest: Contest, games: int, jobs: int) -> Iterator[Tally]:
    """The tallies of the parts, with two parts a process under way.

    Parts grow or shrink until they take about REPORT seconds; what comes out does not depend on it.
    """
    start, size = 0, 1
    under_way: set[Future[tuple[Tally, float]]] = set()
    while start < games or under_way:
        while start < games and len(under_way) < 2 * jobs:
            stop = min(start + size, games)
            with interrupts_held():
                under_way.add(pool.submit(fight, contest, range(start, stop)))
            start = stop
        try:
            done, under_way = wait(under_way, return_when=FIRST_COMPLETED)
        except KeyboardInterrupt:
            yield from (future.result()[0] for future in under_way if future.done())
            raise
        for future in done:
            tally, seconds = future.result()
            size = next_size(tally.games, seconds)
            yield tally


def next_size(size: int, seconds: float) -> int:
    """The number of games in the next part, from the size of the last and the seconds that it took."""
    return size * 2 if seconds < REPORT / 2 else max(1, size // 2) if seconds > REPORT * 2 else size


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Puts Ctrl-C off; a process that is started meanwhile never sees it, not even while it loads."""
    if not hasattr(signal, "pthread_sigmask"):  # not on every system
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def begin_in_pool() -> None:
    """Prepares a process that plays for another: it ends when that one does, and leaves interrupts to it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    assert parent is not None
    end_with_parent(parent.sentinel)


def interval(count: int, games: int) -> tuple[float, float]:
    """The 95% confidence interval of a probability (Wilson)."""
    z = 1.959964
    rate, spread = count / games, z * z / games
    middle = (rate + spread / 2) / (1 + spread)
    half = z * sqrt(rate * (1 - rate) / games + spread / games / 4) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)
