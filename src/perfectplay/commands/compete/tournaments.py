"""Tournaments: many games between several players, and what they prove."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from perfectplay.arena.tournaments.host import Host, judge_for
from perfectplay.arena.tournaments.played_game import PlayedGame, repeats_text
from perfectplay.arena.tournaments.standings import standings
from perfectplay.arena.tournaments.standings_result import Standings
from perfectplay.arena.tournaments.tournament import play_tournament, skipped
from perfectplay.arena.tournaments.tournament_record import RecordWriter
from perfectplay.commands.compete.tournament_plans import Event
from perfectplay.commands.matches.playing import Contestant, check_can_travel, maker_of, name_of
from perfectplay.game import Game
from perfectplay.players.registry import player_entry
from perfectplay.rules.loading import load_game
from perfectplay.solvers.oracle import table_oracle
from perfectplay.words import PerfectplayError


def label_of(player: Contestant) -> str:
    """The player's name in the results; a function that is called like a built-in player is told from it."""
    name = name_of(player)
    return name if isinstance(player, str) or player_entry(name) is None else f"{name}()"


def held(
    event: Event,
    *,
    players: Sequence[Contestant] = (),
    game: Game | None = None,
    jobs: int = 1,
    seconds: float | None = None,
    record: str | None = None,
) -> Iterator[PlayedGame]:
    """The games of the event that are not done, as they end and once they are in the record, if there is one.

    Players that are no names are given once more, with their game.
    """
    host = None
    if game is not None and not all(isinstance(player, str) for player in players):
        if jobs > 1:
            check_can_travel(game, players)
        makers = [maker_of(player) for player in players]
        host = Host(game, makers, event.tournament, [False] * len(makers), judge_for(game, seconds or 0.0))
    games = play_tournament(event.tournament, event.done, jobs, seconds or 0.0, host)
    if record is None:
        yield from games
        return
    with RecordWriter(record, event.tournament, event.size) as writer:
        for one in games:
            writer.write(one)
            yield one


def is_solved(name: str, game: Game | None) -> bool:
    """Whether the game, found by its name if it is not given, is solved or small; not if its file is gone."""
    try:
        return table_oracle(load_game(name) if game is None else game) is not None
    except PerfectplayError:
        return False


def result_of(event: Event, games: Iterable[PlayedGame], game: Game | None = None) -> Standings:
    """The standings after these games; the game is found by its name if it is not given."""
    played = list(games)
    result = standings(event.tournament, played)
    solved = is_solved(event.tournament.game, game)
    labels = event.tournament.labels
    pairs = Counter(tuple(sorted((one.first, one.second))) for one in skipped(event.tournament, played, solved))
    repeats = [repeats_text(labels[one], labels[other], count) for (one, other), count in pairs.items()]
    remarks = (*event.remarks, *repeats, *result.remarks)
    return replace(result, repeated=result.repeated + pairs.total(), remarks=remarks)
