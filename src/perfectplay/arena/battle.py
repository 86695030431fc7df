"""Battles: many games between two players, counted; repeatable from a seed, on any number of processes."""

import random
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import lru_cache
from math import sqrt
from multiprocessing import get_context
from typing import NamedTuple

from perfectplay.arena.referee import MOST_PLIES, Record, play_game
from perfectplay.game import Game
from perfectplay.loading import load_game
from perfectplay.players import Maker, Seat, player_maker
from perfectplay.words import FIRST, SECOND

CHUNK = 250
"""Games that a process plays between two reports."""


class Tally(NamedTuple):
    """What came of a number of games between A and B, whichever side each had."""

    games: int = 0
    wins: tuple[int, int] = (0, 0)
    draws: int = 0
    forfeits: tuple[int, int] = (0, 0)
    unfinished: int = 0
    plies: int = 0

    @property
    def mean_plies(self) -> float:
        """The mean length of a game."""
        return self.plies / self.games if self.games else 0.0


class Contest(NamedTuple):
    """Who fights whom at what; plain text and numbers, so that it can be sent to another process."""

    game: str
    players: tuple[str, str]
    seed: int
    swap: bool = False
    most_plies: int = MOST_PLIES


def counted(record: Record, swapped: bool) -> Tally:
    """One game as a tally; `swapped`: B moved first."""
    winner = None if record.winner is None else record.winner ^ swapped
    wins = (int(winner == 0), int(winner == 1))
    forfeits = (wins[1], wins[0]) if record.forfeit else (0, 0)
    return Tally(1, wins, int(winner is None), forfeits, int(record.unfinished), len(record.moves))


def added(a: Tally, b: Tally) -> Tally:
    """Two tallies as one."""
    wins = (a.wins[0] + b.wins[0], a.wins[1] + b.wins[1])
    forfeits = (a.forfeits[0] + b.forfeits[0], a.forfeits[1] + b.forfeits[1])
    return Tally(a.games + b.games, wins, a.draws + b.draws, forfeits, a.unfinished + b.unfinished, a.plies + b.plies)


def match(
    game: Game, players: tuple[Maker, Maker], seed: int, swap: bool = False, most_plies: int = MOST_PLIES
) -> Callable[[range], Tally]:
    """The function that plays the games of the given numbers; with `swap` B moves first in every odd one.

    Each game starts its players' dice afresh from the seed, its number and the player, so it comes out the same
    whatever was played before it, and where. Python's own dice are thrown in for bots that use them.
    """
    dice = (random.Random(), random.Random())
    straight = (players[0](Seat(game, FIRST, dice[0])), players[1](Seat(game, SECOND, dice[1])))
    crossed = (players[1](Seat(game, FIRST, dice[1])), players[0](Seat(game, SECOND, dice[0]))) if swap else straight

    def play(numbers: range) -> Tally:
        total = Tally()
        for number in numbers:
            dice[0].seed(f"{seed}/{number}/A")
            dice[1].seed(f"{seed}/{number}/B")
            random.seed(f"{seed}/{number}")
            swapped = swap and number % 2 == 1
            record = play_game(game, *(crossed if swapped else straight), most_plies, forfeits=True)
            total = added(total, counted(record, swapped))
        return total

    return play


@lru_cache(maxsize=1)
def named_match(contest: Contest) -> Callable[[range], Tally]:
    """The match of the contest, its game and players found by name; kept, so that players keep what they know."""
    makers = (player_maker(contest.players[0]), player_maker(contest.players[1]))
    return match(load_game(contest.game), makers, contest.seed, contest.swap, contest.most_plies)


def fight(contest: Contest, numbers: range) -> Tally:
    """The tally of these games of the contest: what a process is given to do."""
    return named_match(contest)(numbers)


def tallies(contest: Contest, games: int, jobs: int = 1) -> Iterator[Tally]:
    """The tallies of one part of the contest after another, as they come in; added up they are the result."""
    parts = [range(start, min(start + CHUNK, games)) for start in range(0, games, CHUNK)]
    if jobs == 1:
        for part in parts:
            yield fight(contest, part)
        return
    with ProcessPoolExecutor(min(jobs, len(parts)), mp_context=get_context("spawn")) as pool:
        pending = [pool.submit(fight, contest, part) for part in parts]
        try:
            for done in as_completed(pending):
                yield done.result()
        finally:
            pool.shutdown(cancel_futures=True)


def interval(count: int, games: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson): where the true share lies, nineteen times out of twenty."""
    z = 1.959964
    share, spread = count / games, z * z / games
    middle = (share + spread / 2) / (1 + spread)
    half = z * sqrt(share * (1 - share) / games + spread / games / 4) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)
