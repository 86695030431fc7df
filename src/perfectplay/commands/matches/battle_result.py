"""The result of a battle, as a record and as people read it."""

from dataclasses import dataclass, field

from perfectplay.arena.battle import interval
from perfectplay.arena.tournaments.host import GameResult
from perfectplay.commands.know.probability import counted_rows
from perfectplay.game import Game
from perfectplay.rules.notation import VALUE_NAMES, either, move_name, number_of, plies_text, replay
from perfectplay.solvers.oracle import Oracle
from perfectplay.views.document import Document, Notes, Section, Table, game_boards
from perfectplay.views.json_facts import Fact, digits, each, facts_in, json_facts
from perfectplay.views.numbers import interval_text, time_text
from perfectplay.views.result import ResultClass
from perfectplay.words import FIRST, LOSS, SECOND, Move, Position

# Games that were lost in a battle: their moves, and the move that gave the result away where the game is solved.


@dataclass(frozen=True)
class GivenAway(metaclass=ResultClass):
    """The move that turned a game which was not lost into a lost one: the number of the ply, from 1, and its name.

    `before` is the value of the position to the loser before the move, and `better` are the best moves there.
    """

    ply: int
    move: str
    before: int
    better: tuple[str, ...]

    to_dict = json_facts("ply", "move", Fact("before", encode=VALUE_NAMES.__getitem__), "better")


@dataclass(frozen=True)
class LostGame(metaclass=ResultClass):
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

    to_dict = json_facts(
        *(Fact("number", "game"), "side", "moves", "given_away"), *each("margin", "forfeit", rare=True)
    )


def lost_game(game: Game, played: GameResult, oracle: Oracle | None) -> LostGame:
    """One game that A lost, with the move that gave it away if the game is solved or small."""
    loser = SECOND if played.swapped else FIRST
    names, given_away = [], None
    for ply, (position, side, move) in enumerate(replay(game, game.start, FIRST, played.record.moves), 1):
        names.append(move_name(game, position, side, move))
        if side == loser and oracle is not None:
            given_away = gives_away(oracle, position, side, move, ply) or given_away
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
class BattleResult(metaclass=ResultClass):
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
    rules: Game | None = field(default=None, repr=False, compare=False)
    """The game itself, which draws the lost games."""

    @property
    def intervals(self) -> tuple[tuple[float, float], ...]:
        """The 95% confidence intervals of the rates of A's wins, draws and B's wins."""
        return tuple(interval(count, self.games) for count in (self.wins[0], self.draws, self.wins[1]))

    def document(self) -> Document:
        """Who met whom, how often each won, the times, the forfeits, and the lost games that were kept."""
        a, b = shown_names(self)
        order = "taking turns to move first" if self.swap else f"{a} moves first"
        title = f"{self.game}: {a} against {b}, {number_of(self.games, 'game')}, {order}, seed {self.seed}"
        if not self.games:
            return Document(title)
        counts = (self.wins[0], self.draws, self.wins[1])
        sure = [f"95% CI {interval_text(*one)}" for one in self.intervals]
        times = zip((a, b), self.seconds_per_move, self.longest_seconds, self.nodes_per_move, strict=True)
        faults = zip((a, b), self.forfeits, self.faults, strict=True)
        points = "" if self.mean_margin is None else f"mean margin {self.mean_margin:+.2f} points for {a}"
        same = "no dice were thrown: all games in which the same player moves first are the same game"
        return Document(
            title,
            Table(counted_rows((f"won by {a}", "drawn", f"won by {b}"), counts, sure)),
            Notes(
                f"mean length {self.mean_plies:.2f} plies",
                points,
                *(move_times(*one) for one in times),
                same if self.same else "",
            ),
            *(
                Notes(f"{name} forfeited {number_of(count, 'game')}, first game {fault[0] + 1}: {fault[1]}")
                for name, count, fault in faults
                if fault is not None
            ),
            *(lost_section(self.rules, a, lost) for lost in self.losses),
        )

    def to_dict(self, times: bool = False) -> dict[str, object]:
        """The result as `perfectplay battle` prints it in JSON; with times and nodes per move if they are asked for.

        Without them the same seed gives the same result.
        """
        timed = each("seconds_per_move", "longest_seconds", encode=digits(7)) + each("nodes_per_move")
        return facts_in(
            self,
            *("game", "players", "games", "wins", "draws", "forfeits", "mean_plies", "seed"),
            *each("mean_margin", "unproven", rare=True),
            *(timed if times else ()),
            Fact("losses", rare=True),
        )


def lost_section(game: Game | None, loser: str, lost: LostGame) -> Section:
    """A lost game: who lost it and by which move, and the board after each turn."""
    side = "" if game is None else f" played {game.look.sides[lost.side]} and"
    points = "" if lost.margin is None else f" by {lost.margin}"
    given = lost.given_away
    marked = {} if given is None else {given.ply: ""}
    return Section(
        f"game {lost.number}: {loser}{side} lost{points} in {plies_text(len(lost.moves))}{why_lost(lost)}",
        game_boards(game, lost.moves, marked) if game is not None else Notes(" ".join(lost.moves)),
        Notes(lost.forfeit),
    )


def why_lost(lost: LostGame) -> str:
    """By which move the game was lost, or why that cannot be told."""
    given = lost.given_away
    if given is not None:
        keeps = f"{either(given.better)} would have {'won' if given.before > 0 else 'drawn'}"
        return f"; {given.ply}. {given.move} gave the {VALUE_NAMES[given.before]} away, {keeps}"
    if lost.forfeit:
        return ", by forfeit"
    return "; it was lost from the start" if lost.solved else "; the game is not solved, so the mistake is not known"


def move_times(name: str, mean: float, longest: float, nodes: float | None) -> str:
    """The time per move of a player in a line, and its nodes per move if it tells them."""
    searched = "" if nodes is None else f"; {number_of(round(nodes), 'node')} per move"
    return f"{name}: {time_text(mean)} per move, {time_text(longest)} at most{searched}"


def shown_names(result: BattleResult) -> tuple[str, str]:
    """The names of the players, told apart where they are the same."""
    a, b = result.players
    if a != b:
        return a, b
    return (f"{a} (A)", f"{b} (B)") if result.swap else (f"{a} (first)", f"{b} (second)")
