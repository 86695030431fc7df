"""The result of a battle, as a record and as people read it."""

from collections.abc import Callable
from dataclasses import dataclass, field

from perfectplay.arena.battle import interval
from perfectplay.arena.tournaments.host import GameResult
from perfectplay.game import Game, after
from perfectplay.rules.notation import VALUE_NAMES, move_name, number_of
from perfectplay.solvers.oracle import Oracle, table_oracle
from perfectplay.words import FIRST, LOSS, SECOND, Brief, Move, Position, in_notebook

# Games that were lost in a battle: their moves, and the move that gave the result away where the game is solved.


@dataclass(frozen=True)
class GivenAway(metaclass=Brief):
    """The move that turned a game which was not lost into a lost one: the number of the ply, from 1, and its name.

    `before` is the value of the position to the loser before the move, and `better` are the best moves there.
    """

    ply: int
    move: str
    before: int
    better: tuple[str, ...]

    def to_dict(self) -> dict[str, object]:
        """The move as in JSON."""
        facts = {"ply": self.ply, "move": self.move, "before": VALUE_NAMES[self.before]}
        return {**facts, "better": list(self.better)}

    _repr_html_ = in_notebook


@dataclass(frozen=True)
class LostGame(metaclass=Brief):
    """A game of a battle that its first player lost: its number, from 1, the side of the loser, and all moves by name.

    `given_away` is the move that lost it; None if the game is not solved, if the loser forfeited, or if it was lost
    from the start. `forfeit` is the illegal move or the fault that lost it, if there is one.
    """

    number: int
    side: int
    moves: tuple[str, ...]
    numbers: tuple[Move, ...]
    """The numbers of the moves."""
    given_away: GivenAway | None = None
    solved: bool = True
    forfeit: str = ""
    margin: int | None = None
    """The points by which it was lost, in a game for points."""

    def to_dict(self) -> dict[str, object]:
        """The game as in JSON."""
        facts: dict[str, object] = {"game": self.number, "side": self.side, "moves": list(self.moves)}
        facts["given_away"] = None if self.given_away is None else self.given_away.to_dict()
        if self.margin is not None:
            facts["margin"] = self.margin
        return {**facts, "forfeit": self.forfeit} if self.forfeit else facts

    _repr_html_ = in_notebook


def lost_games(game: Game, kept: tuple[GameResult, ...]) -> tuple[LostGame, ...]:
    """The games that A lost, with the move that gave each away if the game is solved or small."""
    if not kept:
        return ()
    oracle = table_oracle(game)
    return tuple(lost_game(game, played, oracle) for played in kept)


def lost_game(game: Game, played: GameResult, oracle: Oracle | None) -> LostGame:
    """One game that A lost."""
    loser = SECOND if played.swapped else FIRST
    position, side, names, given_away = game.start, FIRST, [], None
    for ply, move in enumerate(played.record.moves, 1):
        names.append(move_name(game, position, side, move))
        if side == loser and oracle is not None:
            given_away = gives_away(oracle, position, side, move, ply) or given_away
        position, side = after(game, position, side, move)
    forfeit = played.record.forfeit
    if forfeit:
        given_away = None
    moves, margin = played.record.moves, played.record.margin
    points = None if margin is None else abs(margin)
    return LostGame(played.number + 1, loser, tuple(names), moves, given_away, oracle is not None, forfeit, points)


def gives_away(oracle: Oracle, position: Position, side: int, move: Move, ply: int) -> GivenAway | None:
    """The move, if it loses a position that was not lost."""
    game, study = oracle.game, oracle.study(position)
    if study.here.least == LOSS or study.moves[move].value != LOSS:
        return None
    better = tuple(move_name(game, position, side, best) for best in sorted(study.best))
    return GivenAway(ply, move_name(game, position, side, move), study.here.least, better)


@dataclass(frozen=True, kw_only=True)
class BattleResult(metaclass=Brief):
    """The result of a battle of A against B, whoever moved first: wins, draws, forfeits and the mean length.

    `str()` is a table with percentages, confidence intervals, and why the first forfeited game was lost.
    """

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
    seconds_per_move: tuple[float, float] = field(default=(0.0, 0.0), repr=False, compare=False)
    """The mean time that each player took for a move."""
    longest_seconds: tuple[float, float] = field(default=(0.0, 0.0), repr=False, compare=False)
    """The longest time that each player took for a move."""
    nodes_per_move: tuple[float | None, float | None] = field(default=(None, None), repr=False, compare=False)
    """The mean number of nodes that each player searched for a move; None for a player that does not tell."""
    losses: tuple[LostGame, ...] = field(default=(), repr=False)
    """The first games that A lost, as many as were asked for."""
    kept: tuple[GameResult, ...] = field(default=(), repr=False, compare=False)
    same: bool = field(default=False, repr=False, compare=False)
    """Whether no dice were thrown, so that the games of each side are one and the same."""
    mean_margin: float | None = field(default=None, repr=False)
    """The points by which A was ahead at the end, in the mean; None in a game that has no points."""

    @property
    def intervals(self) -> tuple[tuple[float, float], ...]:
        """The 95% confidence intervals of the rates of A's wins, draws and B's wins."""
        return tuple(interval(count, self.games) for count in (self.wins[0], self.draws, self.wins[1]))

    def __str__(self) -> str:
        return "\n".join(result_lines(self))

    def to_dict(self, times: bool = False) -> dict[str, object]:
        """The result as `perfectplay battle` prints it in JSON; with times and nodes per move if they are asked for.

        Without them the same seed gives the same result.
        """
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
        if self.mean_margin is not None:
            facts["mean_margin"] = self.mean_margin
        if any(self.unproven):
            facts["unproven"] = list(self.unproven)
        if times:
            for name in ("seconds_per_move", "longest_seconds"):
                facts[name] = [round(seconds, 7) for seconds in getattr(self, name)]
            facts["nodes_per_move"] = list(self.nodes_per_move)
        return {**facts, "losses": [game.to_dict() for game in self.losses]} if self.losses else facts

    _repr_html_ = in_notebook


def result_lines(result: BattleResult, bar: Callable[[float], str] = lambda share: "") -> list[str]:
    """The result as people read it; `bar` draws a share, if that is wanted."""
    a, b = shown_names(result)
    order = "taking turns to move first" if result.swap else f"{a} moves first"
    lines = [f"{result.game}: {a} against {b}, {games_text(result.games)}, {order}, seed {result.seed}"]
    if not result.games:
        return lines
    lines.append("")
    wide = max(len(a), len(b)) + 7
    counts = ((f"won by {a}", result.wins[0]), ("drawn", result.draws), (f"won by {b}", result.wins[1]))
    for (label, count), (low, high) in zip(counts, result.intervals, strict=True):
        share = count / result.games
        lines.append(f"{label:<{wide}} {count:>9,}  {share:>6.1%}  {bar(share)}95% CI {low:.1%} to {high:.1%}")
    lines += ["", f"mean length {result.mean_plies:.2f} plies"]
    if result.mean_margin is not None:
        lines.append(f"mean margin {result.mean_margin:+.2f} points for {a}")
    for label, mean, longest, nodes in zip(
        (a, b), result.seconds_per_move, result.longest_seconds, result.nodes_per_move, strict=True
    ):
        lines.append(move_times(label, mean, longest, nodes))
    if result.same:
        lines.append("no dice were thrown: all games in which the same player moves first are the same game")
    for label, count, fault in zip((a, b), result.forfeits, result.faults, strict=True):
        if fault is not None:
            lines += ["", f"{label} forfeited {games_text(count)}, first game {fault[0] + 1}: {fault[1]}"]
    return lines


def move_times(name: str, mean: float, longest: float, nodes: float | None) -> str:
    """The time per move of a player in a line, and its nodes per move if it tells them."""
    searched = "" if nodes is None else f"; {number_of(round(nodes), 'node')} per move"
    return f"{name}: {time_text(mean)} per move, {time_text(longest)} at most{searched}"


def time_text(seconds: float) -> str:
    """The time in milliseconds or seconds, with three digits."""
    if seconds < 0.9995:
        return f"{1000 * seconds:.3g} ms"
    return f"{seconds:.3g} s" if seconds < 999.5 else f"{seconds:,.0f} s"


def shown_names(result: BattleResult) -> tuple[str, str]:
    """The names of the players, told apart where they are the same."""
    a, b = result.players
    if a != b:
        return a, b
    return (f"{a} (A)", f"{b} (B)") if result.swap else (f"{a} (first)", f"{b} (second)")


def games_text(count: int) -> str:
    """1 game, 1,000 games."""
    return number_of(count, "game")
