"""Players by name, and battles of many games between two of them."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from secrets import randbelow
from typing import NamedTuple

from perfectplay.api.arguments import GameLike, Progress, check_seconds, game_of, same_rules, whole
from perfectplay.api.match import Match
from perfectplay.arena.battle import Contest, Tally, added, in_parts, interval, match, tallies
from perfectplay.arena.bot_process import close, isolated_maker
from perfectplay.arena.referee import MOST_PLIES, play_move
from perfectplay.game import Game
from perfectplay.loading import load_game
from perfectplay.notation import move_name
from perfectplay.players import Maker, Seat
from perfectplay.solvers.steps import Step
from perfectplay.words import FIRST, SECOND, BadArgument, BadPlayer, Brief, Move, PerfectplayError, Player, Position


class SeatedPlayer(metaclass=Brief):
    """A player of one game: a call with a position returns a legal move; `choose` returns its name."""

    def __init__(self, name: str, game: Game, side: int, seed: int | None, seconds: float | None) -> None:
        self.name, self.game, self.side = name, game, side
        self._maker = isolated_maker(name)
        self._rng, self._seconds = random.Random(seed), seconds
        self._seated: dict[int, Player] = {}
        self._in_seat(side)

    def __call__(self, position: Position) -> Move:
        """The player's move, by number, in a position in which its side is to move."""
        return self._in_seat(self.side)(position)

    def choose(self, match: Match) -> str:
        """The name of the move that the player makes now, whichever side is to move."""
        if not same_rules(match.game, self.game):
            raise BadArgument(f"{self.name} plays {self.game.name}, not {match.game.name}")
        if match.is_over:
            raise BadArgument(f"the game is over in {match.text()}; nobody is to move")
        move = self._in_seat(match.turn)(match.position)
        play_move(self.game, match.position, match.turn, move)
        return move_name(self.game, match.position, match.turn, move)

    def close(self) -> None:
        """Ends the processes of a player from your own file; the next move starts them again."""
        close(self._maker)

    def _in_seat(self, side: int) -> Player:
        if side not in self._seated:
            self._seated[side] = self._maker(Seat(self.game, side, self._rng, self._seconds))
        return self._seated[side]

    def __repr__(self) -> str:
        return f"<{self.name}, player of {self.game.name}>"


def player(
    name: str, game: GameLike, *, side: int = FIRST, seed: int | None = None, seconds: float | None = None
) -> SeatedPlayer:
    """The player of that name, such as perfect, level:5 or ./bots.py:my_ai; list_players() lists them.

    `seed` makes its random choices repeatable; `seconds` is its time per move.
    """
    if not isinstance(name, str):
        raise BadPlayer(f"{name!r} is not the name of a player, such as 'perfect'")
    if side not in (FIRST, SECOND):
        raise BadArgument(f"side={side!r} is neither FIRST, 0, nor SECOND, 1")
    check_seconds(seconds)
    return SeatedPlayer(name, game_of(game), side, seed, seconds)


@dataclass(frozen=True, kw_only=True)
class BattleResult(metaclass=Brief):
    """The result of a battle of A against B, whoever moved first: wins, draws, forfeits and the mean length."""

    game: str
    players: tuple[str, str]
    games: int
    wins: tuple[int, int]
    draws: int
    forfeits: tuple[int, int]
    mean_plies: float
    seed: int
    swap: bool = field(default=False, repr=False)
    unproven: tuple[int, int] = field(default=(0, 0), repr=False)
    """The moves of each player that it could not prove to be best in its time, for players that search."""
    unfinished: int = field(default=0, repr=False)
    """Games that counted as draws because they reached `max_plies`."""
    faults: tuple[tuple[int, str] | None, tuple[int, str] | None] = field(default=(None, None), repr=False)
    """For each player the number of the first game it forfeited, and why."""

    @property
    def intervals(self) -> tuple[tuple[float, float], ...]:
        """The 95% confidence intervals of the rates of A's wins, draws and B's wins."""
        return tuple(interval(count, self.games) for count in (self.wins[0], self.draws, self.wins[1]))

    def to_dict(self) -> dict[str, object]:
        """The result as `perfectplay battle` prints it in JSON."""
        facts: dict[str, object] = {
            "game": self.game,
            "players": list(self.players),
            "games": self.games,
            "wins": list(self.wins),
            "draws": self.draws,
            "forfeits": list(self.forfeits),
            "mean_plies": self.mean_plies,
            "seed": self.seed,
        }
        return {**facts, "unproven": list(self.unproven)} if any(self.unproven) else facts


class Terms(NamedTuple):
    """The settings of a battle."""

    seed: int
    swap: bool
    max_plies: int
    seconds: float | None


def battle(
    game: GameLike,
    a: str | Player,
    b: str | Player,
    *,
    games: int = 1000,
    seed: int | None = None,
    swap: bool = False,
    jobs: int = 1,
    max_plies: int = MOST_PLIES,
    seconds: float | None = None,
    progress: Progress | None = None,
) -> BattleResult:
    """Plays many games between two players, given by name or as functions from a position to a move number.

    A moves first; with swap=True, B moves first in every second game. The same seed gives the same games, with any
    number of processes (`jobs`). A game is a draw after `max_plies`; an illegal move forfeits it.
    """
    result = None
    for result in battling(
        game, a, b, games=games, seed=seed, swap=swap, jobs=jobs, max_plies=max_plies, seconds=seconds
    ):
        if progress is not None:
            progress(Step("games", result.games, games))
    assert result is not None
    return result


def battling(
    game: GameLike,
    a: str | Player,
    b: str | Player,
    *,
    games: int,
    seed: int | None,
    swap: bool,
    jobs: int,
    max_plies: int,
    seconds: float | None,
) -> Iterator[BattleResult]:
    """The result so far, several times per second; the last one is that of the whole battle."""
    whole("games", games, 1, 10**9)
    whole("seed", seed, 0, 2**63 - 1)
    whole("jobs", jobs, 1, 1024)
    whole("max_plies", max_plies, 1, 10**9)
    check_seconds(seconds)
    game = game_of(game)
    terms = Terms(randbelow(2**32) if seed is None else seed, swap, max_plies, seconds)
    players = (a, b)
    names = (name_of(a), name_of(b))
    total = Tally()
    yield result_of(game, names, terms, total)
    if jobs > 1:
        check_can_travel(game, players)
        parts = tallies(Contest(game.name, names, *terms), games, jobs)
    else:
        parts = played_here(game, players, terms, games)
    for part in parts:
        total = added(total, part)
        yield result_of(game, names, terms, total)


def name_of(player: str | Player) -> str:
    """The player's name in a result."""
    if isinstance(player, str):
        return player
    if not callable(player):
        raise BadPlayer(f"{player!r} is neither the name of a player nor a function from a position to a move")
    return str(getattr(player, "name", None) or getattr(player, "__name__", None) or type(player).__name__)


def check_can_travel(game: Game, players: tuple[str | Player, str | Player]) -> None:
    """Raises BadArgument unless other processes find the game and the players by name."""
    if not all(isinstance(player, str) for player in players):
        raise BadArgument("jobs above 1 is for players by name: a function stays in its process")
    try:
        same = same_rules(load_game(game.name), game)
    except PerfectplayError:
        same = False
    if not same:
        raise BadArgument(f"jobs above 1 is for games that load by name or file, and {game.name!r} does not")


def played_here(game: Game, players: tuple[str | Player, str | Player], terms: Terms, games: int) -> Iterator[Tally]:
    """The tallies of parts of the battle, all played in this process."""
    makers = maker_of(players[0]), maker_of(players[1])
    return in_parts(match(game, makers, *terms), makers, games)


def maker_of(player: str | Player) -> Maker:
    """The function that makes the player for a seat; a function plays for either side."""
    return isolated_maker(player) if isinstance(player, str) else lambda seat: player


def result_of(game: Game, names: tuple[str, str], terms: Terms, total: Tally) -> BattleResult:
    """The tally as a result."""
    return BattleResult(
        game=game.name,
        players=names,
        games=total.games,
        wins=total.wins,
        draws=total.draws,
        forfeits=total.forfeits,
        mean_plies=total.mean_plies,
        seed=terms.seed,
        swap=terms.swap,
        unproven=total.unproven,
        unfinished=total.unfinished,
        faults=total.faults,
    )
