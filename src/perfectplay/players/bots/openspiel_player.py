"""`openspiel:mcts` and `openspiel:minimax`: algorithms of OpenSpiel play our games."""

from collections.abc import Callable
from typing import Any

from perfectplay.compiler.line_rules import is_searchable
from perfectplay.game import legal_moves
from perfectplay.players.player_kind import PlayerKind, PlayerName, never_served, number_in
from perfectplay.players.seat import Maker, Seat, thinking_time
from perfectplay.solvers.search.tree_size import check_walkable
from perfectplay.words import BadPlayer, Move, Player, Position, require

EXPLORATION = 2.0
"""The weight of moves that were seldom tried, as in the examples of OpenSpiel."""
MEMORY = 500
"""Megabytes of a tree."""
MOST_SIMULATIONS, DEEPEST = 100_000_000, 100
MOST_POINTS = 1_000_000
"""Points that no game reaches."""


def openspiel_maker(name: PlayerName) -> Maker:
    """The maker of players by that algorithm: `openspiel:mcts:1000`; raises BadPlayer if there is none."""
    algorithm, colon, number = name.parameter.partition(":")
    if algorithm not in ALGORITHMS:
        raise BadPlayer(f"{name.text!r} names no algorithm that plays; there are {', '.join(USAGES)}")
    make, least, most = ALGORITHMS[algorithm]
    count = number_in(number)
    if colon and (count is None or count.denominator != 1 or not least <= count <= most):
        raise BadPlayer(f"{name.text!r} needs a whole number from {least} to {most:,}, such as {USAGES[algorithm]}")
    require("open_spiel", "openspiel", f"the player {name.text}")
    return lambda seat: make(seat, int(count) if colon and count is not None else None)


def state_function(seat: Seat, points: int = 0) -> tuple[Any, Callable[[Position], Any]]:
    """The game of the seat in OpenSpiel, and the function from a position to its state there."""
    from perfectplay.players.bots.openspiel_states import handed_over

    game = handed_over(seat.game, points)
    return game, lambda position: game.new_initial_state().at(position, seat.side)


def mcts_player(seat: Seat, simulations: int | None) -> Player:
    """A player by OpenSpiel's Monte Carlo tree search: that many random games per move, or as its time allows."""
    import pyspiel

    game, state_of = state_function(seat)

    def choose(position: Position) -> Move:
        seconds = thinking_time(seat, position, None if simulations is None else float("inf"))
        bot = pyspiel.MCTSBot(
            game,
            pyspiel.RandomRolloutEvaluator(1, seat.rng.getrandbits(31)),
            EXPLORATION,
            simulations or MOST_SIMULATIONS,
            MEMORY,
            True,  # proves what it can
            seat.rng.getrandbits(31),
            False,  # silent
            max_wall_clock_time=-1.0 if seconds == float("inf") else seconds,
        )
        root = bot.mcts_search(state_of(position))
        seat.searched(root.explore_count)
        best = root.best_child()  # none if the time was over before the first game
        return seat.rng.choice(legal_moves(seat.game, position)) if best is None else int(best.action)

    return choose


def minimax_player(seat: Seat, depth: int | None) -> Player:
    """A player by OpenSpiel's alpha-beta search: to the end of the game, or that many plies deep, the rest draws."""
    from open_spiel.python.algorithms import minimax

    if depth is None:
        check_walkable(seat.game, instead=f"the player {'perfect' if is_searchable(seat.game) else 'mcts'}")
    game, state_of = state_function(seat, MOST_POINTS if seat.game.margin else 0)
    deepest = game.max_game_length() if depth is None else depth

    def choose(position: Position) -> Move:
        _, move = minimax.alpha_beta_search(
            game, state=state_of(position), value_function=lambda state: 0.0, maximum_depth=deepest
        )
        return int(move)

    return choose


Algorithm = tuple[Callable[[Seat, int | None], Player], int, int]
"""How its players are made, and the least and the greatest number that may follow its name."""
ALGORITHMS: dict[str, Algorithm] = {
    "mcts": (mcts_player, 1, MOST_SIMULATIONS),
    "minimax": (minimax_player, 1, DEEPEST),
}
USAGES = {"mcts": "openspiel:mcts:1000", "minimax": "openspiel:minimax:4"}

OPENSPIEL = PlayerKind(
    "openspiel",
    "an algorithm of OpenSpiel: its Monte Carlo tree search, or its alpha-beta search as openspiel:minimax",
    openspiel_maker,
    "openspiel:mcts",
    served=never_served,
)
