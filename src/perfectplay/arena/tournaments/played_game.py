"""A game of a tournament as it is recorded: one JSON object, a line of the record file."""

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from typing import Any, NamedTuple

from perfectplay.players.player_kind import PERSON
from perfectplay.players.registry import may_be_served, player_entry
from perfectplay.rules.notation import number_of
from perfectplay.views.json_facts import Fact, digits, each, facts_in
from perfectplay.words import FIRST, SECOND, Cause

# What a side did in a game, as numbers that can be added up: time, optimal moves, blunders, distance wasted.


Amount = float | None


class Deeds(NamedTuple):
    """Sums over the moves of a side, as numbers of one type; `longest` and `wasted` are greatest values.

    A forfeit is a move, too: it gives away the value of the position and is never optimal. `judged_moves` are those of
    which the regret is proven, `timed_moves` those with a time, `wasted_moves` those with a distance, `point_moves`
    those with points, `blunders` those with regret. A game is `whole` if all moves of the side are judged, and there
    is at least one; `whole_regret` is the regret in it, and `whole_squares` its square.
    """

    moves: float = 0
    timed_moves: float = 0
    seconds: float = 0.0
    longest: float = 0.0
    judged_moves: float = 0
    optimal: float = 0
    blunders: float = 0
    regret: float = 0.0
    win_to_draw: float = 0
    win_to_loss: float = 0
    draw_to_loss: float = 0
    wasted_moves: float = 0
    wasted: float = 0
    point_moves: float = 0
    points: float = 0
    whole: float = 0
    whole_regret: float = 0.0
    whole_squares: float = 0.0


GREATEST = [Deeds._fields.index(name) for name in ("longest", "wasted")]
"""The places of fields that are greatest values; all others are sums."""


def deeds_of(
    movers: Sequence[int],
    clock: Sequence[float],
    regret: Sequence[Amount],
    values: Sequence[Amount],
    wasted: Sequence[int | None],
    points: Sequence[int | None],
    forfeit: tuple[int, Amount] | None = None,
) -> tuple[Deeds, Deeds]:
    """What each side did in a game; each sequence has an entry for each move, or none at all.

    `forfeit` is the side that forfeited the game, and its regret.
    """
    rows: list[tuple[Any, ...]] = [(*row, True) for row in zip_longest(movers, clock, regret, values, wasted, points)]
    if forfeit is not None:
        loser, value = forfeit
        rows.append((loser, None, value, value, None, None, False))
    first, second = (deeds_in([row for row in rows if row[0] == side]) for side in (0, 1))
    return first, second


def deeds_in(rows: Sequence[tuple[Any, ...]]) -> Deeds:
    """The sums over the moves of one side."""
    if not rows:
        return Deeds()
    _, clock, regret, values, wasted, points, legal = zip(*rows, strict=True)
    times, regrets, plies, lost = without_none(clock), without_none(regret), without_none(wasted), without_none(points)
    wrong = [(value, less) for value, less in zip(values, regret, strict=True) if less]
    whole = len(regrets) == len(rows)
    return Deeds(
        len(rows),
        len(times),
        sum(times),
        max(times, default=0.0),
        len(regrets),
        sum(less == 0 and is_legal for less, is_legal in zip(regret, legal, strict=True)),
        len(wrong),
        sum(regrets),
        sum(value == 1 and less < 1 for value, less in wrong),
        sum(less == 1 for _, less in wrong),
        sum(value == 0.5 for value, _ in wrong),
        len(plies),
        max(plies, default=0),
        len(lost),
        sum(lost),
        whole,
        sum(regrets) if whole else 0.0,
        sum(regrets) ** 2 if whole else 0.0,
    )


def without_none(column: Iterable[Amount]) -> list[float]:
    """The entries that are known."""
    return [one for one in column if one is not None]


RESULTS = {FIRST: "1-0", SECOND: "0-1", None: "1/2-1/2"}
"""The result of a game by its winner, as game records write it."""
WINNERS = {text: winner for winner, text in RESULTS.items()}


@dataclass(frozen=True)
class PlayedGame:
    """A finished game: who played, what was played, how long each move took, and what each move gave away.

    `opening` are the moves that were made for the players; `position` is the text of the position that they played
    from, empty for the start; `moves` are only those of the players. `clock` has the seconds of each of them, `regret`
    what each gave away: None where that is not proven. `thrown` says whether a player threw dice where it had a choice.
    """

    number: int
    game: str
    players: tuple[str, str]
    moves: tuple[str, ...]
    result: str
    opening: tuple[str, ...] = ()
    position: str = ""
    clock: tuple[float, ...] = ()
    movers: tuple[int, ...] = ()
    """The side that made each move."""
    cause: Cause | None = None
    """Why the loser forfeited the game; None for a game that was played to its end."""
    fault: str = ""
    """What the loser did, and the position in which it did."""
    regret: tuple[float | None, ...] = ()
    wasted: tuple[int | None, ...] = ()
    """By how many plies each move made a win longer or a loss shorter than need be."""
    margin: int | None = None
    printed: tuple[str, str] = ("", "")
    """The beginning of what each bot wrote to standard error during the game."""
    unfinished: bool = False
    """Whether the game was called a draw because it went on too long."""
    thrown: bool = False
    nodes: tuple[int | None, int | None] = (None, None)
    """The nodes that each player searched, if it told."""
    unproven: tuple[int, int] = (0, 0)
    """The moves that each player could not prove to be best in its time."""
    values: tuple[float | None, ...] = ()
    """What the position before each move was worth to its mover: win 1, draw 1/2, loss 0; None if not proven."""
    points: tuple[int | None, ...] = ()
    """The points that each move gave away, in a game for points."""
    forfeit_regret: float | None = None
    """What the forfeit gave away: the value of the position in which it happened; None if that is not proven."""

    @cached_property
    def deeds(self) -> tuple[Deeds, Deeds]:
        """What each side did in the game, as sums over its moves and a forfeit."""
        loser = None if self.cause is None or self.winner is None else 1 - self.winner
        forfeit = None if loser is None else (loser, self.forfeit_regret)
        return deeds_of(self.movers, self.clock, self.regret, self.values, self.wasted, self.points, forfeit)

    @cached_property
    def packed_deeds(self) -> bytes:
        """The same as numbers of double precision, so that those of many games are added up fast."""
        return array("d", [*self.deeds[0], *self.deeds[1]]).tobytes()

    @property
    def winner(self) -> int | None:
        """The side that won, None for a draw."""
        return WINNERS[self.result]

    def to_dict(self) -> dict[str, object]:
        """The game as a line of the record."""
        return facts_in(
            self,
            *("number", "game", "players", "opening", "position", "moves", "movers", Fact("clock", encode=digits(6))),
            *("result", "cause", "regret", "wasted", Fact("thrown", "dice")),
            *each("fault", "margin", "unfinished", rare=True),
            Fact("printed", "stderr", rare=True),
            *each("nodes", "unproven", "values", rare=True),
            *(each("points") if any(one is not None for one in self.points) else ()),
            Fact("forfeit_regret", rare=True),
        )


def played_game(facts: dict[str, Any]) -> PlayedGame:
    """The game in a line of the record; raises KeyError, TypeError or ValueError if it is none."""
    if facts["result"] not in WINNERS:
        raise ValueError(f"the result {facts['result']!r} is none of {', '.join(WINNERS)}")
    return PlayedGame(
        int(facts["number"]),
        str(facts["game"]),
        pair([str(name) for name in facts["players"]]),
        tuple(map(str, facts["moves"])),
        facts["result"],
        tuple(map(str, facts.get("opening", ()))),
        str(facts.get("position", "")),
        amounts(map(float, facts.get("clock", ()))),
        tuple(map(int, facts.get("movers", ()))),
        None if facts.get("cause") is None else Cause(facts["cause"]),
        str(facts.get("fault", "")),
        amounts(facts.get("regret", ()), most=1),
        amounts(facts.get("wasted", ())),
        facts.get("margin"),
        pair(facts.get("stderr", ("", ""))),
        bool(facts.get("unfinished")),
        bool(facts.get("dice")),
        pair(facts.get("nodes", (None, None))),
        pair(facts.get("unproven", (0, 0))),
        amounts(facts.get("values", ()), most=1),
        amounts(facts.get("points", ())),
        *amounts([facts.get("forfeit_regret")], most=1),
    )


def amounts(values: Iterable[Any], most: int = 10**15) -> tuple[Any, ...]:
    """The numbers, None where nothing is known; raises ValueError for anything but numbers from 0 to `most`."""
    numbers = tuple(values)
    for one in numbers:
        if one is not None and not (isinstance(one, int | float) and 0 <= one <= most):
            raise ValueError(f"{one!r} is not a number from 0 to {most:,}")
    return numbers


def pair(values: Sequence[Any]) -> tuple[Any, Any]:
    """Two values as a pair."""
    first, second = values
    return first, second


# Games that repeat: two players who throw no dice play the same game again, and that is no new evidence.


Group = tuple[str, tuple[str, str], str]
"""Games that can repeat each other: same game, same players on the same sides, same position to play from."""


def group_of(game: PlayedGame) -> Group:
    """The group of a game."""
    return game.game, game.players, game.position


def evidence_games(games: Iterable[PlayedGame]) -> list[PlayedGame]:
    """The games that are evidence, in the order of their numbers, each number once.

    A game in which no dice were thrown is left out if all games of its group went the same way, and it is not the first
    of them. As soon as two games of a group differ, its players do not always repeat, and all its games count.
    """
    numbered = {game.number: game for game in games}
    ordered = [numbered[number] for number in sorted(numbered)]
    courses: dict[Group, set[object]] = {}  # what games of a group have in common if they are the same
    for game in ordered:
        courses.setdefault(group_of(game), set()).add((game.moves, game.result, game.cause))
    met: set[Group] = set()
    evidence = []
    for game in ordered:
        group = group_of(game)
        if game.thrown or group not in met or len(courses[group]) > 1:
            evidence.append(game)
        met.add(group)
    return evidence


def would_repeat(game: PlayedGame, both_deterministic: bool) -> bool:
    """Whether the rest of the game's group need not be played, since it would be the same game again.

    `both_deterministic`: both players are known to play the same in the same position unless they throw dice.
    """
    return both_deterministic and not game.thrown and game.cause is None


def is_deterministic(name: str, solved: bool) -> bool:
    """Whether the player of that name plays the same in the same position of a game, unless it throws dice.

    Programs, functions and files of a user's own may do anything; people, too. Players that use up their time depend on
    it, and where the game is not solved, those that search do.
    """
    entry = player_entry(name)
    return solved and entry is not None and may_be_served(name) and entry.kind is not PERSON and not entry.kind.timed


def repeats_text(first: str, second: str, games: int) -> str:
    """A remark on two players so many of whose games were not played, since they would repeat earlier ones."""
    count = "one game" if games == 1 else number_of(games, "game")
    alike = "without dice they play the same game again; give them more openings"
    return f"{first} and {second} did not play {count}: {alike}."
