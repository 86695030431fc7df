"""Plays games of a tournament in this process; players are made when they are first wanted, and kept."""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple
from zlib import crc32

from perfectplay.arena.bot_makers import close, isolated_maker, new_game, printed
from perfectplay.arena.referee import Record, UnderWay, play_game
from perfectplay.arena.tournaments.played_game import RESULTS, PlayedGame
from perfectplay.arena.tournaments.regret import Prices, regret_of
from perfectplay.arena.tournaments.tournament_settings import Fixture, Opening, Tournament
from perfectplay.game import Game, after
from perfectplay.players.bots.bot_fault import fault_in
from perfectplay.players.registry import in_own_process
from perfectplay.players.seat import Clock, Maker, Seat, SoFar
from perfectplay.rules.loading import load_game
from perfectplay.rules.notation import move_name, read_position, replay, show_position
from perfectplay.solvers.oracle import Oracle, SearchOracle, table_oracle
from perfectplay.words import FIRST, SECOND, BadPlayer, BotFault, Cause, Move, PerfectplayError, Player, Position, Turn

Judge = Callable[[Turn, tuple[Move, ...], bool], Prices]
"""Tells what each move of a game gave away, and whether a forfeit came after them: then what that did."""
NO_PRICES = Prices()


class GameResult(NamedTuple):
    """A game that was played, its moves by number; pairs are of the first and the second side."""

    fixture: Fixture
    record: Record
    nodes: tuple[int | None, int | None] = (None, None)
    unproven: tuple[int, int] = (0, 0)
    thrown: bool = False
    printed: tuple[str, str] = ("", "")
    prices: Prices = NO_PRICES

    @property
    def number(self) -> int:
        """The number of the game."""
        return self.fixture.number

    @property
    def swapped(self) -> bool:
        """Whether the player that was named later has the first side."""
        return self.fixture.first > self.fixture.second


def game_result_in(facts: Sequence[Any]) -> GameResult:
    """A game that came through JSON."""
    fixture, played, *more, prices = facts
    record = Record(*with_tuples(played))
    if record.cause is not None:
        record = record._replace(cause=Cause(record.cause))
    return GameResult._make((Fixture(*fixture), record, *with_tuples(more), Prices(*with_tuples(prices))))


def with_tuples(facts: Sequence[Any]) -> Iterator[Any]:
    """The facts, what came as lists as tuples."""
    return (tuple(one) if isinstance(one, list) else one for one in facts)


class Begin(NamedTuple):
    """Where the players begin, and the opening that led there."""

    turn: Turn
    before: Turn
    opening: tuple[Move, ...] = ()


def begin_of(game: Game, opening: Opening | None) -> Begin:
    """Where players begin after the opening; raises what reading a position or a move does."""
    before = (game.start, FIRST) if opening is None or not opening.position else read_position(game, opening.position)
    turn, moves = before, []
    for position, side, move in replay(game, *before, opening.moves if opening else ()):
        turn = after(game, position, side, move)
        moves.append(move)
    return Begin(turn, before, tuple(moves))


class Host:
    """Plays fixtures of one tournament, each the same whatever was played before it, and where.

    Each game starts its players' dice afresh from the seed, its number and the player. Python's own dice are thrown in
    for bots that use them. `built_in` says of each player whether it is one of ours, which use no dice but these. With
    `lenient`, a player that cannot be started loses the game; else BadPlayer is raised.
    """

    def __init__(
        self,
        game: Game,
        makers: Sequence[Maker],
        tournament: Tournament,
        built_in: Sequence[bool],
        judge: Judge | None = None,
        lenient: bool = False,
    ) -> None:
        self.game, self.makers, self.tournament, self.built_in = game, makers, tournament, built_in
        self.judge, self.lenient = judge, lenient
        self.dice = [WatchedDice() for _ in makers]
        self.unproven = [0 for _ in makers]
        self.nodes: list[int | None] = [None for _ in makers]
        self.players: dict[tuple[int, int], Player] = {}
        self.start = begin_of(game, None)
        self.begins = [begin_of(game, opening) for opening in tournament.openings]
        self.under_way = UnderWay(self.start.turn)

    def play(self, fixture: Fixture) -> GameResult:
        """The game of the fixture."""
        first, second = fixture.first, fixture.second
        begin = self.start if fixture.opening is None else self.begins[fixture.opening]
        self.prepare(fixture.number, first, second)
        pythons = self.pythons(first, second)
        now = self.under_way = UnderWay(begin.turn, self.clock(), begin.before, begin.opening)
        players = self.player(first, FIRST), self.player(second, SECOND)
        for who, name in self.letters(first, second):
            new_game(self.makers[who], crc32(self.seed(fixture.number, name).encode()) >> 1)
        record = play_game(self.game, *players, self.tournament.max_plies, forfeits=True, under_way=now)
        return GameResult(
            fixture,
            record,
            (self.nodes[first], self.nodes[second]),
            (self.unproven[first], self.unproven[second]),
            self.dice[first].thrown or self.dice[second].thrown or self.pythons(first, second) != pythons,
            (printed(self.makers[first]), printed(self.makers[second])),
            NO_PRICES if self.judge is None else self.judge(begin.turn, record.moves, record.cause is not None),
        )

    def prepare(self, number: int, first: int, second: int) -> None:
        """Starts the dice and the counters of a game."""
        for who, name in self.letters(first, second):
            self.dice[who].seed(self.seed(number, name))
            self.unproven[who], self.nodes[who] = 0, None
        random.seed(f"{self.tournament.seed}/{number}")

    def letters(self, first: int, second: int) -> Iterator[tuple[int, str]]:
        """Two players, the one that was named earlier as A."""
        return zip(sorted((first, second)), "AB", strict=True)

    def seed(self, number: int, name: str) -> str:
        """The seed of a player's dice in that game."""
        return f"{self.tournament.seed}/{number}/{name}"

    def pythons(self, *players: int) -> object:
        """The state of Python's own dice, where one of these players may throw them."""
        return None if all(self.built_in[who] for who in players) else random.getstate()

    def clock(self) -> Clock | None:
        """The clock of a game that begins; None where there is only a time per move, or none."""
        _, base, increment = self.tournament.time
        return None if base is None else Clock((base, base), (increment, increment))

    def player(self, who: int, side: int) -> Player:
        """That player on that side."""
        if (who, side) not in self.players:
            try:
                self.players[who, side] = self.makers[who](self.seat(who, side))
            except BadPlayer as fault:
                if not self.lenient:
                    raise
                return self.failing(side, fault)
        return self.players[who, side]

    def seat(self, who: int, side: int) -> Seat:
        """The seat of that player."""

        def remarked(text: str) -> None:
            self.unproven[who] += 1

        def searched(nodes: int) -> None:
            self.nodes[who] = (self.nodes[who] or 0) + nodes

        def so_far() -> SoFar:
            return self.under_way.so_far()

        terms = self.tournament
        return Seat(self.game, side, self.dice[who], terms.time.movetime, remarked, searched, so_far, terms.limits)

    def failing(self, side: int, fault: BadPlayer) -> Player:
        """A player that could not be started: it forfeits when it is to move."""

        def fail(position: Position) -> Move:
            raise (
                fault
                if isinstance(fault, BotFault)
                else fault_in(self.game, position, side, str(fault), cause=Cause.START)
            )

        return fail

    def close(self) -> None:
        """Ends the processes of bots."""
        for maker in self.makers:
            close(maker)


# Dice that note whether a real choice was thrown; the numbers are those of Python's own.


class WatchedDice(random.Random):
    """`thrown` says whether a number of more than one outcome has come since the dice were last seeded.

    To choose among one takes a number, too, and decides nothing: a player with one best move throws no dice.
    """

    thrown: bool

    def seed(self, a: Any = None, version: int = 2) -> None:
        """Starts the dice afresh: nothing has been thrown yet."""
        super().seed(a, version)
        self.thrown = False

    def setstate(self, state: Any) -> None:
        """Sets the dice as they are elsewhere: thrown, if they are not as they are here."""
        self.thrown = self.thrown or state != self.getstate()
        super().setstate(state)

    def random(self) -> float:
        """A number from 0 up to 1."""
        self.thrown = True
        return super().random()

    def getrandbits(self, k: int, /) -> int:
        """A number of k bits."""
        self.thrown = self.thrown or k > 0
        return super().getrandbits(k)

    def _randbelow(self, n: int) -> int:
        """A number below n: what Python's choice, sample, shuffle and randrange are made of."""
        thrown = self.thrown or n > 1
        number: int = super()._randbelow(n)  # type: ignore[misc]
        self.thrown = thrown
        return number

    def choices(
        self,
        population: Any,
        weights: Sequence[float | Fraction] | None = None,
        *,
        cum_weights: Sequence[float | Fraction] | None = None,
        k: int = 1,
    ) -> list[Any]:
        """So many elements, each chosen by weight."""
        thrown = self.thrown
        elements = super().choices(population, weights, cum_weights=cum_weights, k=k)
        weighed = [*weights] if weights is not None else [*steps_of(cum_weights)] if cum_weights is not None else None
        outcomes = len(population) if weighed is None else sum(weight > 0 for weight in weighed)
        self.thrown = thrown or (k > 0 and outcomes > 1)
        return elements


def steps_of(sums: Sequence[float | Fraction]) -> Iterator[float | Fraction]:
    """The numbers of which these are the sums, one after another."""
    before: float | Fraction = 0
    for total in sums:
        yield total - before
        before = total


@contextmanager
def pythons_dice(seed: str) -> Iterator[Callable[[], bool]]:
    """Python's own dice, from a seed, and whether they have been used since; afterwards they are as before."""
    before = random.getstate()
    random.seed(seed)
    seeded = random.getstate()
    try:
        yield lambda: random.getstate() != seeded
    finally:
        random.setstate(before)


# The host of a tournament whose game and players are found by name.


def named_host(tournament: Tournament, judge_seconds: float | None = None, lenient: bool = False) -> Host:
    """The host of the tournament; moves are judged by the table, or by searches of so many seconds per game, if any."""
    game = load_game(tournament.game)
    makers = [isolated_maker(name, []) for name in tournament.players]
    built_in = [not in_own_process(name) for name in tournament.players]
    return Host(
        game, makers, tournament, built_in, None if judge_seconds is None else judge_for(game, judge_seconds), lenient
    )


def judge_for(game: Game, seconds: float) -> Judge | None:
    """What judges the moves of a game: its table, or searches of so many seconds per game; None if neither can."""
    table = table_oracle(game)
    if table is None and not seconds:
        return None

    def judge(begin: Turn, moves: tuple[Move, ...], forfeited: bool) -> Prices:
        oracle = SearchOracle(game, seconds) if table is None else table
        return regret_of(oracle, begin, moves, forfeited)

    return judge


def judge_again(tournament: Tournament, games: Sequence[PlayedGame], game: Game | None = None) -> Sequence[PlayedGame]:
    """The games of a record, their moves judged if they were not when they were played, and the game is solved now."""
    if not any(lacks_prices(one) for one in games):
        return games
    try:
        rules = load_game(tournament.game) if game is None else game
        oracle = table_oracle(rules)
        return (
            games
            if oracle is None
            else [with_prices(rules, oracle, one) if lacks_prices(one) else one for one in games]
        )
    except PerfectplayError:  # rules that are gone, or are others now: the record still stands
        return games


def lacks_prices(game: PlayedGame) -> bool:
    """Whether nothing is known of the moves of a recorded game, or of its forfeit."""
    if game.cause is not None and game.forfeit_regret is None:
        return True
    return bool(game.moves) and all(regret is None for regret in game.regret)


def with_prices(rules: Game, oracle: Oracle, game: PlayedGame) -> PlayedGame:
    """A recorded game with what each of its moves and its forfeit gave away."""
    turn = read_position(rules, game.position) if game.position else (rules.start, FIRST)
    moves = [move for _, _, move in replay(rules, *turn, game.moves)]
    return replace(game, **regret_of(oracle, turn, moves, game.cause is not None)._asdict())


# Games with moves by number, as they are played, and by name, as they are recorded.


class GameNames:
    """Turns games with moves by number into records with moves by name."""

    def __init__(self, game: Game, tournament: Tournament) -> None:
        self.game, self.tournament, self.labels = game, tournament, tournament.labels
        self.begins = [begin_of(game, opening) for opening in tournament.openings]

    def to_record(self, game: GameResult) -> PlayedGame:
        """The record of the game."""
        fixture, record, opening = game.fixture, game.record, Opening()
        turn, text = (self.game.start, FIRST), ""
        if fixture.opening is not None:
            opening, turn = self.tournament.openings[fixture.opening], self.begins[fixture.opening].turn
            text = show_position(self.game, *turn)
        return PlayedGame(
            game.number,
            self.tournament.game,
            (self.labels[fixture.first], self.labels[fixture.second]),
            move_names(self.game, turn, record.moves),
            RESULTS[record.winner],
            opening.moves,
            text,
            record.seconds,
            record.movers,
            record.cause,
            record.forfeit,
            margin=record.margin,
            printed=game.printed,
            unfinished=record.unfinished,
            thrown=game.thrown,
            nodes=game.nodes,
            unproven=game.unproven,
            **game.prices._asdict(),
        )

    def from_record(self, game: PlayedGame) -> GameResult:
        """The game of a record; raises what reading a position or a move does, or ValueError for a foreign player."""
        turn = read_position(self.game, game.position) if game.position else (self.game.start, FIRST)
        moves = tuple(move for _, _, move in replay(self.game, *turn, game.moves))
        first, second = (self.labels.index(name) for name in game.players)
        record = Record(
            moves, game.winner, game.fault, game.unfinished, game.margin, game.cause, game.movers, game.clock
        )
        prices = Prices(game.regret, game.wasted, game.points, game.values, game.forfeit_regret)
        fixture = Fixture(game.number, first, second)
        return GameResult(fixture, record, game.nodes, game.unproven, game.thrown, game.printed, prices)


def move_names(game: Game, turn: Turn, moves: Iterable[Move]) -> tuple[str, ...]:
    """The names of moves that are made one after another."""
    names = []
    for move in moves:
        names.append(move_name(game, *turn, move))
        turn = after(game, *turn, move)
    return tuple(names)
