"""Players without known move probabilities: asked in every position of a game, as long as they answer the same."""

import numpy as np

from perfectplay.arena.bot_makers import close
from perfectplay.arena.question_dice import thrown_dice
from perfectplay.arena.referee import fault_line, play_move
from perfectplay.commands.play.playing import maker_of
from perfectplay.players import Seat
from perfectplay.players.registry import thinks_by_the_clock
from perfectplay.rl.solved_positions import Numbers, SolvedPositions
from perfectplay.solvers.steps import Step, Steps
from perfectplay.words import BadPlayer, BotFault, IllegalMove

TIMES = 2
"""How often a player is asked in each position."""


def asked_edges(positions: SolvedPositions, name: str, side: int, seconds: float | None) -> Steps[Numbers]:
    """The edges that a player of that name chooses on that side; raises BadPlayer where it fails or varies."""
    if thinks_by_the_clock(name):
        raise BadPlayer(
            f"{name} thinks by the clock, so its answers may differ; evaluate a player that always answers the same"
        )
    graph, maker = positions.graph, maker_of(name)
    there = np.flatnonzero(graph.going & (positions.plies[side] >= 0))
    found = np.full(there.size, -1)
    try:
        with thrown_dice(0) as (dice, throw):
            player = maker(Seat(positions.game, side, dice, seconds))
            for asked in range(TIMES * there.size):
                place = asked % there.size
                number = int(there[place])
                throw(asked)
                try:
                    move = int(player(positions.position(number)))
                    play_move(positions.game, positions.position(number), side, move)
                except (IllegalMove, BotFault) as fault:
                    reason = fault_line(str(fault), name)
                    raise BadPlayer(f"{name} has no move in {positions.text(number, side)}: {reason}") from None
                edges = graph.edges(number)
                edge = edges.start + int(np.flatnonzero(graph.moves[edges] == move)[0])
                if found[place] not in (-1, edge):
                    raise BadPlayer(
                        f"{name} answers differently from call to call in {positions.text(number, side)}: "
                        "only a player that always answers the same can be evaluated by asking it"
                    )
                found[place] = edge
                yield Step("questions", asked + 1, TIMES * there.size)
    finally:
        close(maker)
    return found
