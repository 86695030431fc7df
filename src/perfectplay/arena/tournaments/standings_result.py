"""The result of a tournament: players by rank, pairings, and what it shows; the tables are those of its report, too."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import floor, log10
from typing import Any, NamedTuple

from perfectplay.arena.tournaments.sprt import Sprt
from perfectplay.rules.notation import number_of
from perfectplay.views.document import (
    Cell,
    Document,
    Folded,
    Hover,
    Interval,
    List,
    Notes,
    Part,
    Section,
    Seen,
    Table,
    Valued,
)
from perfectplay.views.json_facts import Fact, each, facts_in, json_facts, unless_none
from perfectplay.views.names import visible
from perfectplay.views.numbers import decimal, elo, likelihood, per_cent, time_text
from perfectplay.views.result import ResultClass
from perfectplay.words import Cause

MOST_MET = 16
"""The players of a crosstable that is shown at once."""
TICKS = 5
"""Ticks of a scale, about."""


class FirstFault(NamedTuple):
    """The first game that a player forfeited for some cause, and what it did there, in a line."""

    game: int
    said: str


def fault_fields(faults: Mapping[str, FirstFault], times: bool) -> dict[str, object]:
    """These games by cause, as in JSON; without times nothing of the clock is said."""
    return {
        cause: {"game": one.game, "fault": one.said if times or cause != Cause.TIME else cause}
        for cause, one in faults.items()
    }


def rounded(digits: int) -> Callable[[Any], Any]:
    """Numbers with so many digits after the point, never -0; None stays None."""
    return unless_none(lambda number: round(number, digits) + 0.0)


@dataclass(frozen=True, kw_only=True)
class PlayerStanding(metaclass=ResultClass):
    """A player's place and what it rests on; what is not known is None, such as regret where a game is not solved.

    `score` is a point a win and half a point a draw. `low` and `high` are the 95% confidence interval of the rating;
    `superiority` is the likelihood that it is stronger than the next in rank. `judged_moves` are those of which the
    regret is proven: `optimal_moves`, `blunders` and `regret_per_move` are about them. A forfeit counts as a move that
    gives away all that the position is worth, and is never optimal.
    """

    rank: int
    name: str
    score: float
    rating: float
    low: float
    high: float
    superiority: float | None
    games: int
    wins: int
    draws: int
    losses: int
    forfeits: Mapping[str, int] = field(default_factory=dict)
    """How often it forfeited, by cause."""
    first_faults: Mapping[str, FirstFault] = field(default_factory=dict)
    """The first of these games, by cause."""
    moves: int = 0
    seconds_per_move: float | None = None
    longest_seconds: float | None = None
    judged_moves: int = 0
    optimal_moves: int | None = None
    regret_per_move: float | None = None
    regret_per_game: float | None = None
    """The mean over games in which every move of the player is judged."""
    regret_error: float | None = None
    """Half of the width of its 95% confidence interval."""
    blunders: int | None = None
    blunder_kinds: Mapping[str, int] | None = None
    blunders_per_100: float | None = None
    longest_wasted: int | None = None
    """The most plies by which a move made a win longer or a loss shorter than need be."""
    points_per_move: float | None = None
    """The points given away by a move, in the mean, in a game for points."""

    @property
    def optimal_share(self) -> float | None:
        """The share of optimal moves among those that are judged."""
        return None if self.optimal_moves is None else self.optimal_moves / self.judged_moves

    def to_dict(self, times: bool = True) -> dict[str, object]:
        """The row in JSON; without times it is the same for the same games."""
        return facts_in(
            self,
            "name",
            *each("rating", "low", "high", encode=rounded(2)),
            *("games", "wins", "draws", "losses", "forfeits", "moves", "optimal_moves"),
            *(Fact("regret_per_move", encode=rounded(6)), "blunders", "rank", "score"),
            *(Fact("superiority", encode=rounded(4)), "judged_moves"),
            *each("regret_per_game", "regret_error", encode=rounded(6)),
            *("blunder_kinds", Fact("blunders_per_100", encode=rounded(4)), "longest_wasted"),
            Fact("first_faults", encode=partial(fault_fields, times=times)),
            Fact("points_per_move", encode=rounded(6), rare=True),
            *(each("seconds_per_move", "longest_seconds", encode=rounded(7)) if times else ()),
        )


@dataclass(frozen=True)
class PairingStanding(metaclass=ResultClass):
    """The games of two players in which `first` moved first; wins and losses are those of `first`."""

    first: str
    second: str
    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0

    def __str__(self) -> str:
        won = f"{number_of(self.wins, 'win')}, {number_of(self.draws, 'draw')}"
        games = f"{number_of(self.games, 'game')}, {won}, {number_of(self.losses, 'loss', 'losses')}"
        return f"{self.first} first against {self.second}: {games}"

    to_dict = json_facts()


@dataclass(frozen=True)
class Advantage(metaclass=ResultClass):
    """What moving first is worth in Elo, with its 95% confidence interval, and what the first side scored.

    The Elo numbers are None where sides and players cannot be told apart, the share where there are no games.
    """

    elo: float | None = None
    low: float | None = None
    high: float | None = None
    share: float | None = None

    def __str__(self) -> str:
        if self.share is None:
            return ""
        worth = ""
        if self.elo is not None and self.low is not None and self.high is not None:
            worth = f"; moving first is worth {elo(self.elo)} Elo (95% CI {elo(self.low)} to {elo(self.high)})"
        return f"The first side scored {self.share:.1%}{worth}."

    to_dict = json_facts(*each("elo", "low", "high", encode=rounded(2)), Fact("share", encode=rounded(6)))


@dataclass(frozen=True, kw_only=True)
class Standings(metaclass=ResultClass):
    """The result of a tournament: the players by rank, the pairings, and what else is to be said.

    Players are ranked by rating, which is the order of the scores where everybody has met everybody as often on either
    side. `repeated` games repeat an earlier one move for move and count for nothing; `late` ones ended after the test
    was decided, and how many they are depends on the time that games take.
    """

    game: str
    players: tuple[PlayerStanding, ...]
    pairings: tuple[PairingStanding, ...]
    seed: int
    format: str
    games: int
    advantage: Advantage
    repeated: int = 0
    unfinished: int = 0
    prior: bool = False
    sprt: Sprt | None = None
    late: int = 0
    remarks: tuple[str, ...] = ()

    def __repr__(self) -> str:
        ranks = ", ".join(f"{player.rank}. {player.name} {player.score:g}" for player in self.players)
        return f"<Standings of {self.game} after {number_of(self.games, 'game')}: {ranks}>"

    def document(self) -> Document:
        """The players by rank, what they scored against each other, and what else is to be said."""
        players = [replace(player, name=visible(player.name)) for player in self.players]
        met = [replace(one, first=visible(one.first), second=visible(one.second)) for one in self.pairings]
        games = f"{number_of(len(players), 'player')}, {number_of(self.games, 'game')}"
        return Document(
            f"{visible(self.game)}: {games}, {self.format}, seed {self.seed}",
            results_table(players),
            Seen(Notes("Error bars and +/- are 95% confidence intervals.")),
            players_table(players, QUALITY),
            met_table(players, met) if len(players) > 2 and met else None,
            listed("forfeits", forfeit_lines(players)),
            listed("blunders", blunder_lines(players)),
            Notes(str(self.advantage), *(map(str, met) if len({frozenset(pair(one)) for one in met}) == 1 else ())),
            Notes(*self.test_lines),
            *(Notes(visible(remark)) for remark in self.remarks),
        )

    @property
    def test_lines(self) -> list[str]:
        """The state of a sequential test, and how many games were left out since they ended after its decision."""
        if self.sprt is None:
            return []
        are = "is" if self.late == 1 else "are"
        left_out = f"{number_of(self.late, 'game')} that ended after the decision {are} not counted."
        return [str(self.sprt), left_out] if self.late else [str(self.sprt)]

    def to_dict(self, times: bool = True) -> dict[str, object]:
        """The result in JSON; without times it is the same for the same games."""
        return {
            "game": self.game,
            "players": [player.to_dict(times) for player in self.players],
            **facts_in(self, "pairings", "seed", "format", "games", Fact("advantage", "first_move_advantage")),
            **facts_in(self, "repeated", "unfinished", "sprt", "remarks", *(["late"] if times else [])),
        }


class Column(NamedTuple):
    """A column: its title, the text of each player's cell, empty where there is nothing to tell, and its meaning."""

    title: str
    cell: Callable[[PlayerStanding], str]
    about: str = ""


GAMES = Column("games", lambda player: f"{player.games}")
RATING = Column("rating", lambda player: elo(player.rating))
LOS = Column(
    "LOS",
    lambda player: likelihood(player.superiority),
    "likelihood of superiority: that it is stronger than the player below",
)
TIME = Column("time/move", lambda player: "" if player.seconds_per_move is None else time_text(player.seconds_per_move))
FORFEITS = Column("forfeits", lambda player: str(sum(player.forfeits.values()) or ""))
OPTIMAL = Column(
    "optimal",
    lambda player: "" if player.optimal_share is None else per_cent(player.optimal_share, 1),
    "share of moves that give nothing away",
)
REGRET = Column(
    "regret/move",
    lambda player: decimal(player.regret_per_move, 4),
    "value that a move gives away on average: a win is 1, a draw ½",
)
BLUNDERS = Column(
    "blunders/100",
    lambda player: decimal(player.blunders_per_100, 2),
    "moves that give away the result, per 100 moves",
)
RESULTS = (
    GAMES,
    Column("score", lambda player: f"{player.score:.1f}"),
    Column("W", lambda player: f"{player.wins}"),
    Column("D", lambda player: f"{player.draws}"),
    Column("L", lambda player: f"{player.losses}"),
    RATING,
    Column("+/-", lambda player: f"{(player.high - player.low) / 2:.0f}"),
    LOS,
    FORFEITS,
)
"""What the players scored."""
QUALITY = (
    TIME,
    OPTIMAL,
    REGRET,
    Column("regret/game", lambda player: decimal(player.regret_per_game, 3)),
    Column("+/-", lambda player: decimal(player.regret_error, 3)),
    BLUNDERS,
    Column("wasted", lambda player: decimal(player.longest_wasted, 0)),
    Column("points/move", lambda player: decimal(player.points_per_move, 3)),
)
"""How well they moved."""


def known(columns: Iterable[Column], players: Sequence[PlayerStanding]) -> list[Column]:
    """The columns in which there is something to tell."""
    return [column for column in columns if any(map(column.cell, players))]


def results_table(players: Sequence[PlayerStanding]) -> Table:
    """What the players scored, with their ratings; the number of games is in it if it is not the same for all."""
    scale = rating_scale(players)
    bars = [Interval(*map(scale.place, (player.low, player.rating, player.high))) for player in players]
    equal = len({player.games for player in players}) < 2
    table = players_table(players, [column for column in RESULTS if not (equal and column is GAMES)])
    place = [*table.heads].index("+/-") + 1
    rows = [[*row[:place], bar, *row[place:]] for row, bar in zip(table.rows, bars, strict=True)]
    return replace(table, rows=rows, heads=[*table.heads[:place], "", *table.heads[place:]])


def players_table(players: Sequence[PlayerStanding], columns: Iterable[Column]) -> Table:
    """The players by rank, with those of the columns in which there is something to tell; empty without any."""
    told = known(columns, players)
    rows = [[f"{player.rank}", player.name, *(column.cell(player) for column in told)] for player in players]
    return Table(rows if told else [], ("#", "player", *(column.title for column in told)), keys=2)


class Met(NamedTuple):
    """How often a player won against another one, drew and lost, from either side."""

    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        """The games of the two."""
        return sum(self)

    @property
    def score(self) -> float:
        """The points of the player."""
        return self.wins + self.draws / 2

    @property
    def kind(self) -> str:
        """Whether that is more or less than half: win, draw or loss."""
        return "draw" if self.wins == self.losses else "win" if self.wins > self.losses else "loss"

    def __str__(self) -> str:
        return f"{self.wins:,} won, {self.draws:,} drawn, {self.losses:,} lost"


def crosstable(players: Sequence[PlayerStanding], pairings: Iterable[PairingStanding]) -> list[list[Met | None]]:
    """What each player did against each other one; None for itself and for those that it has not met."""
    counts: dict[tuple[str, str], Counter[int]] = {}
    for one in pairings:
        results = (one.wins, one.draws, one.losses)
        for names, mine in ((pair(one), results), (pair(one)[::-1], results[::-1])):
            counts.setdefault(names, Counter()).update(dict(enumerate(mine)))
    met = {names: Met(*(count[kind] for kind in range(3))) for names, count in counts.items()}
    return [[met.get((mine.name, theirs.name)) for theirs in players] for mine in players]


def met_table(players: Sequence[PlayerStanding], pairings: Iterable[PairingStanding]) -> Part:
    """The crosstable; columns have the numbers of the lines."""
    rows: list[list[Cell]] = [
        [f"{number}", player.name, *("-" if place == number else score(met) for place, met in enumerate(row, 1))]
        for number, (player, row) in enumerate(zip(players, crosstable(players, pairings), strict=True), 1)
    ]
    table = Table(rows, ("#", "player", *(str(number) for number in range(1, len(rows) + 1))), keys=2)
    return table if len(rows) <= MOST_MET else Folded("crosstable", table)


def score(met: Met | None) -> Cell:
    """A score of the crosstable, with the shape of more or less than half."""
    return None if met is None else Hover(Valued(met.kind, f"{met.score:.1f}"), str(met))


def pair(one: PairingStanding) -> tuple[str, str]:
    """The two that met."""
    return one.first, one.second


def listed(heading: str, lines: Sequence[str]) -> Part | None:
    """The lines below a heading; nothing if there are none."""
    return Section(heading, List(lines)) if lines else None


def forfeit_lines(players: Sequence[PlayerStanding]) -> list[str]:
    """Who forfeited how often, and why: a line for each player and cause, with the first fault."""
    return [
        f"{player.name}: {count:,} {cause}{first_fault_text(count, player.first_faults.get(cause))}"
        for player in players
        for cause, count in player.forfeits.items()
    ]


def first_fault_text(count: int, fault: FirstFault | None) -> str:
    """Where and how the first of so many faults happened, as the end of a line; empty if that is not known."""
    if fault is None:
        return ""
    where = f", {'first ' if count > 1 else ''}in game {fault.game}"
    return f"{where}: {visible(fault.said)}" if fault.said else where


def blunder_lines(players: Sequence[PlayerStanding]) -> list[str]:
    """Which results each player gave away how often."""
    return [f"{player.name}: {kinds}" for player in players if (kinds := kinds_of_blunders(player))]


def kinds_of_blunders(player: PlayerStanding) -> str:
    """A player's blunders by kind: 3 win to draw, 1 draw to loss."""
    return ", ".join(f"{count:,} {kind}" for kind, count in (player.blunder_kinds or {}).items() if count)


class RatingScale(NamedTuple):
    """A scale on which there is room for all ratings and intervals: its ends and its step."""

    low: float
    high: float
    step: float

    @property
    def ticks(self) -> list[float]:
        """The ratings that it names."""
        return [self.low + i * self.step for i in range(round((self.high - self.low) / self.step) + 1)]

    def place(self, rating: float) -> float:
        """Where a rating is, in per cent of the width."""
        return round(2 + 96 * (rating - self.low) / (self.high - self.low), 2)


def rating_scale(players: Sequence[PlayerStanding]) -> RatingScale:
    """The scale of these players' ratings."""
    least, most = min(player.low for player in players), max(player.high for player in players)
    step = round_step((most - least or 100) / TICKS)
    return RatingScale(floor(least / step) * step, -floor(-most / step) * step, step)


def round_step(width: float) -> float:
    """A round number of about this size: 1, 2 or 5 times a power of ten."""
    power = 10.0 ** floor(log10(width))
    return next(power * times for times in (1, 2, 5, 10) if power * times >= width)
