"""`threats`: an engine for large boards: searches near marks, and for wins by fours and open threes."""

from collections.abc import Callable

from perfectplay.players.player_kind import LINE_GAMES, PlayerKind, served_plain
from perfectplay.players.seat import Maker, Seat, thinking_time
from perfectplay.solvers.search.threat_engine import Engine, threats_fault
from perfectplay.words import Move, Player, Position


def threats_maker(seconds: float | None = None) -> Maker:
    """The maker of players that think for `seconds` per move; None leaves it to their seat."""
    return lambda seat: threats_player(seat, lambda position: thinking_time(seat, position, seconds))


def threats_player(seat: Seat, time_for: Callable[[Position], float]) -> Player:
    """A player that thinks about a position as long as the function says."""
    engine = Engine(seat.game, seat.rng, seat.stop)

    def choose(position: Position) -> Move:
        move = engine.choose(position, time_for(position))
        seat.searched(engine.clock.nodes)
        return move

    return choose


THREATS = PlayerKind(
    "threats",
    "an engine for large boards, with that many seconds per move",
    lambda name: threats_maker(name.seconds()),
    "threats:0.5",
    bare=True,
    games=LINE_GAMES,
    fault=lambda game, solved: threats_fault(game),
    label="Threats",
    timed=True,
    served=served_plain,
    compiles=True,
)
