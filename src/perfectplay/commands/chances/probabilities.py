"""Exact results against imperfect opponents, computed without playing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from math import inf
from typing import TYPE_CHECKING

from perfectplay.arena.bot_makers import close
from perfectplay.arena.examination import (
    REPEATS,
    SECONDS,
    Answers,
    AnswersDiffer,
    ChancesAt,
    Encounter,
    Examination,
    ForfeitsOnly,
    choices_of,
    examine_sides,
    forfeited_states,
    thrown_dice,
)
from perfectplay.arena.referee import fault_line
from perfectplay.commands.battle import battle
from perfectplay.commands.know.asked_opponent import probabilities_against
from perfectplay.commands.know.positions import reached
from perfectplay.commands.know.probability import Probability, Probable, probability_rows
from perfectplay.commands.matches.battle_result import BattleResult
from perfectplay.commands.matches.match import Match, match_of
from perfectplay.commands.matches.playing import Contestant, maker_of, name_of
from perfectplay.commands.terminal.arguments import GameLike, Progress
from perfectplay.game import Game
from perfectplay.players.registry import in_own_process, player_entry, policy_named
from perfectplay.players.seat import Seat, nobody
from perfectplay.rules.notation import move_name, number_of, read_position, show_position
from perfectplay.rules.rule_faults import rule_faults
from perfectplay.solvers.oracle import solved_oracle
from perfectplay.solvers.steps import finished
from perfectplay.views.document import Beside, Board, Document, Notes, Strong, Table, more
from perfectplay.views.json_facts import Fact, each, json_facts
from perfectplay.views.numbers import interval_text, per_cent
from perfectplay.views.result import ResultClass
from perfectplay.words import FIRST, BadPlayer, Move, Position, Sides

if TYPE_CHECKING:
    from perfectplay.players.models.policies import Policy

MOST_MOVES = 24
"""The moves that a table lists."""


# Forfeits: how often a player loses by an illegal move, an exception or a timeout, and why.


@dataclass(frozen=True)
class Forfeit(metaclass=ResultClass):
    """How often a player forfeits the game, as a probability, and the reason of the first time.

    `side` is 0 if it moves first, 1 if second. Where games were played, `games` is the number of forfeited ones, and
    `first_game` the number of the first of them, from 1.
    """

    player: str
    side: int
    probability: Fraction | float
    reason: str
    games: int | None = None
    first_game: int | None = None

    def __str__(self) -> str:
        return self.line(self.player)

    def line(self, name: str) -> str:
        """The forfeits in a line, the player called by that name."""
        if self.games is None:
            return f"{name} forfeits with probability {per_cent(self.probability)}: {self.reason}"
        return f"{name} forfeited {number_of(self.games, 'game')}, first game {self.first_game}: {self.reason}"

    to_dict = json_facts("player", "side", "probability", "reason", *each("games", "first_game", rare=True))


def played_forfeits(result: BattleResult) -> tuple[Forfeit, ...]:
    """The forfeits in the games of a battle in which A always moved first."""
    return tuple(
        Forfeit(name, side, count / result.games, fault_line(fault[1], name), count, fault[0] + 1)
        for side, (name, count, fault) in enumerate(zip(result.players, result.forfeits, result.faults, strict=True))
        if fault is not None
    )


def exact_forfeits(
    encounter: Encounter,
    names: Sequence[str],
    faults: Sequence[Mapping[Position, str]],
    exact: bool,
    progress: Progress | None,
) -> tuple[Forfeit, ...]:
    """The forfeits between two players, given where each of them fails; with the position nearest to the start."""
    game = encounter.game
    nearest: dict[int, Position] = {}
    for position, turn in forfeited_states(encounter) if any(faults) else ():
        nearest.setdefault(turn, position)
    if not nearest:
        return ()
    chances = of_encounter(game, ForfeitsOnly(*encounter), exact, progress)
    by_side = (chances.loss, chances.win) if encounter.side == FIRST else (chances.win, chances.loss)
    return tuple(
        Forfeit(
            names[side],
            side,
            by_side[side],
            f"{fault_line(faults[side][here], names[side])} in {show_position(game, here, side)}",
        )
        for side, here in sorted(nearest.items())
    )


@dataclass(frozen=True)
class Odds(Probable, metaclass=ResultClass):
    """The exact odds between two players: `win` is the probability that the first player wins.

    Odds that were estimated have the number of `games` that were played, and 95% confidence intervals. `forfeits` has
    how often a player loses because it has no legal move, and why; it is empty if there are no such games.
    """

    game: str
    players: tuple[str, str]
    probability: Probability
    games: int | None = None
    intervals: tuple[tuple[float, float], ...] | None = None
    forfeits: tuple[Forfeit, ...] = ()

    def document(self) -> Document:
        """Who moves first, the three probabilities, and the forfeits."""
        a, b = self.players
        how = "" if self.games is None else f", estimated from {number_of(self.games, 'game')}"
        first, second = (a, b) if a != b else (f"first {a}", f"second {b}")
        odds = self.probability
        remarks = [f"95% CI {interval_text(*one)}" for one in self.intervals or ()] or [
            f"{float(number):.12f}" for number in (odds.win, odds.draw, odds.loss)
        ]
        return Document(
            f"{self.game}: {a} moves first, {b} second{how}",
            Table(probability_rows(odds, (f"{first} wins", "drawn", f"{second} wins"), remarks), indent=2),
            Notes(*(forfeit.line((first, second)[forfeit.side]) for forfeit in self.forfeits)),
        )

    to_dict = json_facts(
        *("game", "players", Fact("probability", spread=True)), *each("games", "intervals", "forfeits", rare=True)
    )


@dataclass(frozen=True)
class WinProbability(Probable, metaclass=ResultClass):
    """The win probability of the side to move against an imperfect opponent, with moves that keep the result.

    `moves` has the probabilities after each move, and `chosen` has the moves that win most often.
    """

    game: str
    position: str
    against: str
    probability: Probability
    moves: dict[str, Probability]
    chosen: tuple[str, ...]
    rules: Game | None = field(default=None, repr=False, compare=False)

    def __repr__(self) -> str:
        won, drawn, lost = map(per_cent, (self.probability.win, self.probability.draw, self.probability.loss))
        best = f"best {' '.join(self.chosen) or 'none'}"
        at = f"{self.position} against {self.against}"
        return f"<WinProbability: {at}: win {won}, draw {drawn}, loss {lost}; {best}>"

    def document(self) -> Document:
        """The board, the three probabilities here, and those after each move."""
        moves = [
            (
                Strong(name) if name in self.chosen else name,
                *(per_cent(number) for number in (one.win, one.draw, one.loss)),
                "*" if name in self.chosen else "",
            )
            for name, one in sorted(self.moves.items(), key=lambda item: -item[1].win)
        ]
        at = None if self.rules is None else read_position(self.rules, self.position)
        return Document(
            f"{self.game}: win probability against {self.against}",
            Beside(
                None if self.rules is None or at is None else Board(self.rules, *at, large=True),
                [
                    Table(probability_rows(self.probability), indent=2),
                    Table(moves[:MOST_MOVES], ("move", "win", "draw", "loss", ""), indent=2),
                    more(len(moves) - MOST_MOVES, "moves"),
                ],
            ),
            Notes("Only moves that preserve the result are played; * marks those that win most often."),
        )

    to_dict = json_facts(
        *("game", "position", "against", Fact("probability", spread=True)),
        Fact("moves", encode=lambda moves: [{"move": name, **one.to_dict()} for name, one in moves.items()]),
        "chosen",
    )


def computed(
    game: Game,
    players: tuple[Contestant, Contestant],
    exact: bool,
    seconds: float | None,
    progress: Progress | None,
) -> Odds:
    """The odds between two players whose move probabilities are known, or that always answer the same."""
    from perfectplay.players.named.policy_player import probabilities_by  # numpy: only when it is wanted

    found = [policy_of(game, player, exact) for player in players]
    solved_oracle(game, "odds")
    mine, theirs = found
    names = (name_of(players[0]), name_of(players[1]))
    if mine is not None and theirs is not None:
        return Odds(game.name, names, between_policies(game, (mine, theirs), exact, progress))
    choices: list[ChancesAt] = []
    faults: list[dict[Position, str]] = []
    for side, (player, policy) in enumerate(zip(players, found, strict=True)):
        if policy is None:
            answers = asked_everywhere(game, player, side, seconds, progress)
            choices.append(choices_of(answers))
            faults.append(answers.faults)
        else:
            choices.append(probabilities_by(game, policy, exact))
            faults.append({})
    encounter = Encounter(game, Sides(*choices), FIRST)
    chances = of_encounter(game, encounter, exact, progress)
    return Odds(game.name, names, chances, forfeits=exact_forfeits(encounter, names, faults, exact, progress))


def policy_of(game: Game, player: Contestant, exact: bool) -> "Policy | None":
    """The policy that a named player follows, None for a function or a bot, which must be asked."""
    if not isinstance(player, str) or in_own_process(player):
        name_of(player)
        return None
    policy = policy_named(player, game)
    policy.check(exact)
    return policy


def between_policies(
    game: Game, policies: "tuple[Policy, Policy]", exact: bool, progress: Progress | None
) -> Probability:
    """The odds between two players that follow policies."""
    from perfectplay.players.models.game_graph import graphing  # numpy: only when it is wanted
    from perfectplay.players.models.odds import computing_odds

    graph = finished(graphing(game, all(policy.symmetric for policy in policies)), progress)
    mine, theirs = (policy.probabilities(graph, exact) for policy in policies)
    return Probability(*finished(computing_odds(graph, mine, theirs), progress))


def of_encounter(
    game: Game, encounter: Encounter | ForfeitsOnly, exact: bool, progress: Progress | None
) -> Probability:
    """The odds between two players whose choices are known."""
    from perfectplay.players.models.odds import computing_chain_odds  # numpy: only when it is wanted

    largest = inf if exact else 0
    return Probability(*finished(computing_chain_odds(encounter, (game.start, FIRST), largest), progress))


def asked_everywhere(
    game: Game, player: Contestant, side: int, seconds: float | None, progress: Progress | None
) -> Answers:
    """The answers of a player that always answers the same; raises BadPlayer at the first that differs."""
    name = name_of(player)
    try:
        (answers,) = examine(game, player, (side,), seconds, printed=[], progress=progress, stop_when_varying=True)
    except AnswersDiffer as differ:
        where = show_position(game, differ.args[0], side)
        raise BadPlayer(
            f"{name} answers differently from call to call in {where}: no exact odds; games=10000 estimates them"
        ) from None
    if answers.stopped:
        raise BadPlayer(f"{name} stopped answering: {next(reversed(answers.faults.values()))}")
    return answers


def estimated(
    game: Game,
    players: tuple[Contestant, Contestant],
    games: int,
    seed: int,
    seconds: float | None,
    progress: Progress | None = None,
) -> Odds:
    """The odds as they come out in so many games."""
    found = battle(game, *players, games=games, seed=seed, seconds=seconds, progress=progress)
    chances = Probability(found.wins[0] / games, found.draws / games, found.wins[1] / games)
    return Odds(game.name, found.players, chances, games, found.intervals, played_forfeits(found))


@rule_faults
def win_probability(
    game: GameLike | Match,
    *moves: str | Move,
    position: str | None = None,
    against: str = "uniform",
    exact: bool = False,
    progress: Progress | None = None,
) -> WinProbability:
    """The win probability of the side to move against a model, here and after each move; the game must be solved.

    `against` is a model of an imperfect opponent: uniform, noisy:0.1, shallow:2, softmax:0.5, ...; or a bot in a file
    of its own, ./bots.py:my_ai, that always answers the same.
    """
    match = match_of(game, moves, position)
    oracle = solved_oracle(match.game, "win probabilities")
    with reached(match.game, match.position, match.turn):
        oracle.lookup(match.position)
    found = probabilities_against(match, against, exact, progress)
    names = {move: move_name(match.game, match.position, match.turn, move) for move in found.moves}
    return WinProbability(
        match.game.name,
        match.text(),
        against,
        Probability(*found.here),
        {names[move]: Probability(*chance) for move, chance in found.moves.items()},
        tuple(names[move] for move in found.chosen),
        match.game,
    )


# Players, named or functions, asked in every position that they can meet.


def examine(
    game: Game,
    player: Contestant,
    sides: Sequence[int],
    seconds: float | None = SECONDS,
    repeats: int = REPEATS,
    seed: int = 0,
    known: ChancesAt | None = None,
    printed: list[str] | None = None,
    said: list[str] | None = None,
    progress: Progress | None = None,
    stop_when_varying: bool = False,
) -> list[Answers]:
    """The answers of the player on each of the sides, whatever its opponent plays.

    `known` gives its move probabilities, if they are known. What a bot prints is put into the list `printed`, and its
    remarks into the list `said`. With `stop_when_varying`, AnswersDiffer is raised as soon as answers differ.
    """
    maker = maker_of(player, printed)
    try:
        say = nobody if said is None else said.append
        with thrown_dice(seed) as (dice, throw):
            seated = [(side, maker(Seat(game, side, dice, seconds, say))) for side in sides]
            examinations = [
                Examination(game, side, play, repeats, throw, known, stop_when_varying) for side, play in seated
            ]
            return finished(examine_sides(examinations, renew=partial(close, maker)), progress)
    finally:
        close(maker)


def probabilities_of(game: Game, player: Contestant) -> ChancesAt | None:
    """The function from a position to the moves that the player may play, None if only asking it can tell."""
    named = player_entry(player) if isinstance(player, str) else None
    if named is None or named.kind.policy is None:
        return None
    from perfectplay.players.named.policy_player import probabilities_function  # numpy: only when it is wanted

    at = probabilities_function(game, named.kind.policy, named.name, True)
    return lambda position: {move: chance for move, chance in at(position).items() if chance > 0}
