"""`easy`, `medium`, `hard`: three levels of any game; on boards of lines too large for that, `routes`."""

from typing import TYPE_CHECKING

from perfectplay.compiler.line_rules import lines_fault
from perfectplay.game import Game
from perfectplay.players.line_games.open_lines_player import Depth, routes_maker
from perfectplay.players.named.level_player import LEVEL
from perfectplay.players.player_kind import PlayerKind, PlayerName
from perfectplay.players.seat import THINKING_SECONDS, Maker, Seat
from perfectplay.solvers.lookup_or_solve import is_solved
from perfectplay.words import Player

if TYPE_CHECKING:
    from perfectplay.players.models.policies import Policy


def difficulty(name: str, level: int, about: str, depth_of: Depth, seconds: float | None) -> PlayerKind:
    """The kind of players of that level, which search a large board of lines to a depth that depends on the board."""
    as_level = PlayerName(f"{LEVEL.name}:{level}", str(level), LEVEL.example)
    searching = routes_maker(name, depth_of, seconds)

    def make(seat: Seat) -> Player:
        suits = not lines_fault(seat.game) and not is_solved(seat.game)
        return searching(seat) if suits else LEVEL.maker(as_level)(seat)

    def maker(_: PlayerName) -> Maker:
        return make

    def policy(_: PlayerName, game: Game) -> "Policy":
        assert LEVEL.policy is not None
        return LEVEL.policy(as_level, game)

    return PlayerKind(name, f"{as_level.text}; on large boards of lines {about}", maker, policy=policy, compiles=True)


EASY = difficulty("easy", 3, "routes:3", lambda squares: min(3, squares), None)
MEDIUM = difficulty(
    "medium",
    6,
    "routes, half as deep as there are open squares, as far as its time allows",
    lambda squares: max(1, squares // 2),
    THINKING_SECONDS,
)
HARD = difficulty(
    "hard",
    9,
    "routes, one ply less deep than there are open squares, as far as its time allows",
    lambda squares: max(1, squares - 1),
    THINKING_SECONDS,
)
