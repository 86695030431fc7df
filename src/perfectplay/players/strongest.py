"""Which player plays a game best."""

from contextlib import suppress

from perfectplay.compiler.line_rules import lines_fault
from perfectplay.game import Game
from perfectplay.players.difficulties import HARD
from perfectplay.players.line_games.threats_player import THREATS
from perfectplay.players.monte_carlo.mcts_player import MCTS
from perfectplay.players.named.one_ply_players import BLOCKS
from perfectplay.players.named.perfect import PERFECT
from perfectplay.players.registry import player_maker
from perfectplay.players.seat import Seat
from perfectplay.solvers.lookup_or_solve import is_solved
from perfectplay.words import Player


def by_strength(game: Game, solved: bool) -> list[str]:
    """The players for the game, the strongest first, as far as its sizes tell: its rules may still not compile.

    A solved game is played perfectly. A game whose words compile is searched, and `perfect` thinks like the next in the
    list where it finds no proof. On a board of straight lines the threat search is stronger than random games.
    """
    on_lines = () if lines_fault(game) else (THREATS, HARD)
    return [kind.name for kind in (PERFECT, *on_lines, MCTS, BLOCKS) if not kind.fault(game, solved)]


def strongest(seat: Seat) -> tuple[str, Player]:
    """The strongest player that can sit down there, and its name: one whose rules must compile may not."""
    *names, last = by_strength(seat.game, is_solved(seat.game))
    for name in names:
        with suppress(Exception):  # what a compiler says of rules that it cannot take
            return name, player_maker(name)(seat)
    return last, player_maker(last)(seat)
