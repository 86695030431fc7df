"""Exact results against imperfect opponents, computed without playing."""

from dataclasses import dataclass

from perfectplay.api.arguments import GameLike, Progress, game_of
from perfectplay.api.evaluation import Probability, Probable
from perfectplay.api.match import Match, match_of
from perfectplay.api.solved_games import check_reached, checked_players, move_probabilities_at, solved_lookup
from perfectplay.notation import move_name
from perfectplay.players import policy_named
from perfectplay.solvers.steps import finished
from perfectplay.words import Move


@dataclass(frozen=True)
class Odds(Probable):
    """The exact odds between two players: `win` is the probability that the first player wins."""

    game: str
    players: tuple[str, str]
    probability: Probability

    def __str__(self) -> str:
        return f"{self.game}: {self.players[0]} against {self.players[1]}: {self.probability}"

    def to_dict(self) -> dict[str, object]:
        """The odds as `perfectplay odds` prints them in JSON."""
        return {"game": self.game, "players": list(self.players), **self.probability.to_dict()}


@dataclass(frozen=True)
class WinProbability(Probable):
    """The win probability of the side to move against an imperfect opponent, with moves that keep the result.

    `moves` has the probabilities after each move, and `chosen` has the moves that win most often.
    """

    game: str
    position: str
    against: str
    probability: Probability
    moves: dict[str, Probability]
    chosen: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.position} against {self.against}: {self.probability}; best {' '.join(self.chosen) or 'none'}"

    def to_dict(self) -> dict[str, object]:
        """The probabilities as plain values."""
        return {
            "game": self.game,
            "position": self.position,
            "against": self.against,
            **self.probability.to_dict(),
            "moves": [{"move": name, **found.to_dict()} for name, found in self.moves.items()],
            "chosen": list(self.chosen),
        }


def odds(game: GameLike, first: str, second: str, *, exact: bool = False, progress: Progress | None = None) -> Odds:
    """The exact odds between two players of a solved game, as fractions with exact=True.

    The move probabilities of the players must be known: random, wins, blocks, perfect, streetwise, level:5, ...
    """
    from perfectplay.explain.game_graph import graphing  # numpy: only when it is wanted
    from perfectplay.explain.odds import computing_odds

    game = game_of(game)
    policies = [policy_named(name, game) for name in checked_players((first, second))]
    for policy in policies:
        policy.check(exact)
    solved_lookup(game, "odds")
    graph = finished(graphing(game, all(policy.symmetric for policy in policies)), progress)
    mine, theirs = (policy.probabilities(graph, exact) for policy in policies)
    return Odds(game.name, (first, second), Probability(*finished(computing_odds(graph, mine, theirs), progress)))


def win_probability(
    game: GameLike | Match,
    *moves: str | Move,
    position: str | None = None,
    against: str = "uniform",
    exact: bool = False,
    progress: Progress | None = None,
) -> WinProbability:
    """The win probability of the side to move against a model, here and after each move; the game must be solved.

    `against` is a model of an imperfect opponent: uniform, noisy:0.1, shallow:2, softmax:0.5, ...
    """
    match = match_of(game, moves, position)
    check_reached(match, solved_lookup(match.game, "win probabilities"))
    found = move_probabilities_at(match.game, match.position, against, exact, progress)
    names = {move: move_name(match.game, match.position, match.turn, move) for move in found.moves}
    return WinProbability(
        match.game.name,
        match.text(),
        against,
        Probability(*found.here),
        {names[move]: Probability(*chance) for move, chance in found.moves.items()},
        tuple(names[move] for move in found.chosen),
    )
