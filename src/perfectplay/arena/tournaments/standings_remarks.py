"""What a reader of a tournament's result should know, in sentences."""

from collections import Counter
from collections.abc import Iterator, Sequence

from perfectplay.arena.tournaments.played_game import PlayedGame
from perfectplay.arena.tournaments.ratings import Ratings
from perfectplay.arena.tournaments.tournament_settings import Tournament
from perfectplay.players.bots.bot_program import MOST_STARTS
from perfectplay.rules.notation import number_of
from perfectplay.words import Cause, spelled


def remarks(tournament: Tournament, games: Sequence[PlayedGame], found: Ratings, repeated: int) -> Iterator[str]:
    """What is to be said of the games that count, their ratings, and those that repeat others."""
    if repeated:
        yield (
            f"{number_of(repeated, 'game')} repeated an earlier one move for move and did not count: these players "
            "always answer alike. More openings make more different games."
        )
    if games:
        yield from about_ratings(found)
        yield from about_regret(games)
    unfinished = sum(game.unfinished for game in games)
    if unfinished:
        draws = "counts as a draw" if unfinished == 1 else "count as draws"
        yield f"{number_of(unfinished, 'game')} ended after {tournament.max_plies:,} plies and {draws}."
    yield from about_failed_starts(games)


def about_ratings(found: Ratings) -> Iterator[str]:
    """Where ratings rest on more than results."""
    given = "everybody was given a draw against an average opponent, and ratings are only estimates"
    if found.groups > 1:
        yield (
            "Some players won every game against all the others, or have not met them, so that results alone give no "
            f"finite ratings: {given}."
        )
    elif found.prior:
        yield (f"Results alone give no finite first-move advantage, as where one side wins every game: {given}.")
    if found.sided:
        yield "Each pairing was played from one side only, so ratings include the first-move advantage."


def about_regret(games: Sequence[PlayedGame]) -> Iterator[str]:
    """Where regret is not known, or not of every move; a forfeit is one."""
    moves = sum(len(game.moves) + (game.cause is not None) for game in games)
    judged = sum(side.judged for game in games for side in game.deeds)
    if moves and not judged:
        yield "Regret is not known, because the game is not solved."
    elif judged < moves:
        yield f"Regret is known of {judged:,.0f} of {number_of(moves, 'move')}: those whose values are proven."


def about_failed_starts(games: Sequence[PlayedGame]) -> Iterator[str]:
    """Which bots were out."""
    failed = Counter(
        game.players[1 - game.winner] for game in games if game.cause is Cause.START and game.winner is not None
    )
    for name, count in sorted(failed.items()):
        if count >= MOST_STARTS:
            out = f"after {spelled(MOST_STARTS)} failed starts a bot is out"
            yield f"{name} lost {number_of(count, 'game')} without a start; {out}."
