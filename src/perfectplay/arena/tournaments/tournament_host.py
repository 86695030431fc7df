"""The host of a tournament whose game and players are found by name."""

from collections.abc import Sequence
from dataclasses import replace

from perfectplay.arena.bot_makers import isolated_maker
from perfectplay.arena.tournaments.host import Host, Judge
from perfectplay.arena.tournaments.played_game import PlayedGame
from perfectplay.arena.tournaments.regret import Prices, regret_of
from perfectplay.arena.tournaments.tournament_settings import Tournament
from perfectplay.game import Game
from perfectplay.players.registry import in_own_process
from perfectplay.rules.loading import load_game
from perfectplay.rules.notation import read_position, replay
from perfectplay.solvers.oracle import Oracle, SearchOracle, table_oracle
from perfectplay.words import FIRST, Move, PerfectplayError, Turn


def named_host(tournament: Tournament, judge_seconds: float | None = None, lenient: bool = False) -> Host:
    """The host of the tournament; moves are judged by the table, or by searches of so many seconds per game, if any."""
    game = load_game(tournament.game)
    makers = [isolated_maker(name, []) for name in tournament.players]
    built_in = [not in_own_process(name) for name in tournament.players]
    return Host(
        game, makers, tournament, built_in, None if judge_seconds is None else judge_for(game, judge_seconds), lenient
    )


def judge_for(game: Game, seconds: float) -> Judge | None:
    """What judges the moves of a game: its table, or searches of so many seconds per game; None if neither can."""
    table = table_oracle(game)
    if table is None and not seconds:
        return None

    def judge(begin: Turn, moves: tuple[Move, ...], forfeited: bool) -> Prices:
        oracle = SearchOracle(game, seconds) if table is None else table
        return regret_of(oracle, begin, moves, forfeited)

    return judge


def judge_again(tournament: Tournament, games: Sequence[PlayedGame], game: Game | None = None) -> Sequence[PlayedGame]:
    """The games of a record, their moves judged if they were not when they were played, and the game is solved now."""
    if not any(lacks_prices(one) for one in games):
        return games
    try:
        rules = load_game(tournament.game) if game is None else game
        oracle = table_oracle(rules)
        return (
            games
            if oracle is None
            else [with_prices(rules, oracle, one) if lacks_prices(one) else one for one in games]
        )
    except PerfectplayError:  # rules that are gone, or are others now: the record still stands
        return games


def lacks_prices(game: PlayedGame) -> bool:
    """Whether nothing is known of the moves of a recorded game, or of its forfeit."""
    if game.cause is not None and game.forfeit_regret is None:
        return True
    return bool(game.moves) and all(regret is None for regret in game.regret)


def with_prices(rules: Game, oracle: Oracle, game: PlayedGame) -> PlayedGame:
    """A recorded game with what each of its moves and its forfeit gave away."""
    turn = read_position(rules, game.position) if game.position else (rules.start, FIRST)
    moves = [move for _, _, move in replay(rules, *turn, game.moves)]
    regret, wasted, points, values, forfeit = regret_of(oracle, turn, moves, game.cause is not None)
    return replace(game, regret=regret, wasted=wasted, points=points, values=values, forfeit_regret=forfeit)
