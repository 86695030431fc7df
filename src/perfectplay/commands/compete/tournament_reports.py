"""Reports of tournaments: the standings and every game with its values, as one HTML page."""

from collections.abc import Sequence

from perfectplay.arena.tournaments.played_game import PlayedGame
from perfectplay.arena.tournaments.sprt import Sprt
from perfectplay.arena.tournaments.standings import evidence, standings
from perfectplay.arena.tournaments.standings_result import Standings
from perfectplay.arena.tournaments.tournament_settings import Tournament
from perfectplay.exports.page.tournament_games import LATE, REPEATED, Report
from perfectplay.game import Game
from perfectplay.rules.loading import load_game
from perfectplay.solvers.oracle import table_oracle


def report_html(
    tournament: Tournament, games: Sequence[PlayedGame], result: Standings | None = None, rules: Game | None = None
) -> str:
    """The report as one page that needs nothing else: tables, plots and boards to step through.

    The result of the games is computed if it is not given, and the game is found by its name.
    """
    from perfectplay.exports.page.tournament_page import tournament_page  # jinja2: only when it is wanted

    game = load_game(tournament.game) if rules is None else rules
    return tournament_page(game, report_of(tournament, games, result), table_oracle(game, 0))


def report_of(tournament: Tournament, games: Sequence[PlayedGame], result: Standings | None = None) -> Report:
    """What the page shows."""
    named = [game for game in games if {*game.players} <= {*tournament.labels}]
    ordered = sorted(named, key=lambda game: game.number)
    found = standings(tournament, ordered) if result is None else result
    return Report(tournament, found, ordered, uncounted(ordered, found.sprt))


def uncounted(games: Sequence[PlayedGame], test: Sprt | None) -> dict[int, str]:
    """Why games do not count in the standings, by their numbers."""
    last = test.last if test is not None and test.decided else None
    early = [game for game in games if last is None or game.number <= last]
    used, asked = ({game.number for game in some} for some in (evidence(early), early))
    return {game.number: REPEATED if game.number in asked else LATE for game in games if game.number not in used}
