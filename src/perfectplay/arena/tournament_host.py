"""The host of a tournament whose game and players are found by name."""

from perfectplay.arena.bot_makers import isolated_maker
from perfectplay.arena.host import Host, Judge
from perfectplay.arena.tournament_settings import Tournament
from perfectplay.game import Game
from perfectplay.insight.oracle import Oracle, search_oracle, table_oracle
from perfectplay.loading import load_game
from perfectplay.players import is_bot
from perfectplay.solvers.lookup_or_solve import lookup_for
from perfectplay.words import TooBig


def named_host(tournament: Tournament, judged: float | None, lenient: bool) -> Host:
    """The host of the tournament; moves are judged by the table, or by searches of so many seconds per game."""
    game = load_game(tournament.game)
    makers = [isolated_maker(name) for name in tournament.players]
    built_in = [not is_bot(name) for name in tournament.players]
    return Host(game, makers, tournament, built_in, judge_for(game, judged), lenient)
