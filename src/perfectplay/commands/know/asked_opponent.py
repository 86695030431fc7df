"""Win probabilities against a model, or a bot in a user's own file, which is asked wherever it can be to move."""

from dataclasses import replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from perfectplay.arena.bot_makers import close, isolated_maker
from perfectplay.arena.examination import (
    REPEATS,
    SECONDS,
    Answers,
    AnswersDiffer,
    Examination,
    examine_sides,
    thrown_dice,
)
from perfectplay.arena.referee import fault_line
from perfectplay.commands.terminal.arguments import Progress
from perfectplay.game import Game
from perfectplay.players.registry import in_own_process, policy_named
from perfectplay.players.seat import Seat
from perfectplay.rules.notation import show_position
from perfectplay.solvers.steps import finished
from perfectplay.words import BadPlayer, Position

if TYPE_CHECKING:
    from perfectplay.commands.matches.match import Match
    from perfectplay.players.models.game_graph import Graph, Numbers
    from perfectplay.players.models.policies import Weigh
    from perfectplay.players.models.win_probability import MoveProbabilities, WinProbabilities


def probabilities_against(
    match: "Match", against: str, exact: bool = False, progress: Progress | None = None
) -> "MoveProbabilities":
    """The probabilities of the side to move, here and after each move, against a model or a bot in a file of its own.

    The bot must always answer the same and never forfeit; raises BadPlayer if it does not.
    """
    if not isinstance(against, str) or not in_own_process(against):
        return move_probabilities_at(match.game, match.position, against, exact, progress)
    from perfectplay.players.models import win_probability as models  # numpy: only when it is wanted
    from perfectplay.players.models.policies import Policy

    policy = Policy(as_played(asked_from(match, against, progress)), symmetric=False)
    found = finished(models.win_probabilities_against(match.game, policy, exact), progress)
    return models.move_probabilities(match.game, found, match.position)


def move_probabilities_at(
    game: Game, position: Position, against: str, exact: bool = False, progress: Progress | None = None
) -> "MoveProbabilities":
    """The probabilities of the side to move in a solved game, here and after each move."""
    from perfectplay.players.models import win_probability as models  # numpy: only when it is wanted

    if not isinstance(against, str):
        raise BadPlayer(f"{against!r} is not the name of a player whose probabilities are known, such as 'random'")
    kept = cached_probabilities(game, against, bool(exact))
    if not kept:
        kept.append(finished(models.win_probabilities_against(game, policy_named(against, game), exact), progress))
    return models.move_probabilities(game, kept[0], position)


@lru_cache(maxsize=8)
def cached_probabilities(game: Game, against: str, exact: bool) -> "list[WinProbabilities]":
    """A list that holds the probabilities in all positions of the game once they are computed."""
    return []


def asked_from(match: "Match", name: str, progress: Progress | None) -> Answers:
    """The answers of the bot as the other side, in all positions that can follow; raises BadPlayer if they differ."""
    game, side = match.game, 1 - match.turn
    here, maker = replace(game, start=match.position), isolated_maker(name, [])
    try:
        with thrown_dice(0) as (dice, throw):
            player = maker(Seat(game, side, dice, SECONDS))
            examination = Examination(here, side, player, REPEATS, throw, stop_when_varying=True, turn=match.turn)
            (answers,) = finished(examine_sides([examination], renew=partial(close, maker)), progress)
    except AnswersDiffer as differ:
        where = show_position(game, differ.args[0], side)
        raise BadPlayer(f"{name} answers differently from call to call in {where}: no win probabilities") from None
    finally:
        close(maker)
    for position, fault in answers.faults.items():
        line = fault_line(fault, name)
        raise BadPlayer(f"{name} forfeits in {show_position(game, position, side)}: {line}; no win probabilities")
    return answers


def as_played(answers: Answers) -> "Weigh":
    """The moves that were played in the positions asked about; any move elsewhere, where play does not lead."""

    def weigh(graph: "Graph", exact: bool) -> "Numbers":
        weights = graph.every.astype(int)
        for position, played in answers.moves.items():
            edges = graph.edges(graph.number(position))
            weights[edges] = [move in played for move in graph.moves[edges].tolist()]
        return graph.normalised(weights, exact)

    return weigh
