"""Tournaments: many games between several players, and what they prove."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from perfectplay.arena.tournaments.host import Host, judge_for
from perfectplay.arena.tournaments.played_game import PlayedGame, repeats_text
from perfectplay.arena.tournaments.standings import standings
from perfectplay.arena.tournaments.standings_result import Standings
from perfectplay.arena.tournaments.tournament import play_tournament, skipped
from perfectplay.arena.tournaments.tournament_record import RecordWriter
from perfectplay.commands.compete.tournament_plans import Event, OpeningsLike, Wishes, clock, limits_of, planned
from perfectplay.commands.matches.playing import Contestant, check_can_travel, maker_of, name_of
from perfectplay.commands.terminal.arguments import GameLike, Progress, check_seconds, game_of, whole
from perfectplay.game import Game
from perfectplay.players.registry import player_entry
from perfectplay.rules.loading import load_game
from perfectplay.rules.rule_faults import rule_faults
from perfectplay.solvers.oracle import table_oracle
from perfectplay.solvers.steps import Step
from perfectplay.words import PerfectplayError


@rule_faults
def tournament(
    game: GameLike,
    players: Sequence[Contestant],
    *,
    format: str = "round-robin",  # noqa: A002 - the field's word
    games: int | None = None,
    rounds: int | None = None,
    time: str | None = None,
    movetime: float | None = None,
    openings: OpeningsLike = None,
    sprt: tuple[float, float] | None = None,
    seed: int | None = None,
    jobs: int = 1,
    max_plies: int = 1000,
    memory: int | str | None = None,
    sandbox: bool = False,
    seconds: float | None = None,
    record: str | os.PathLike[str] | None = None,
    resume: bool = False,
    progress: Progress | None = None,
) -> Standings:
    """Plays a tournament between players given by name, as programs (`cmd:./mybot`) or as functions.

    `format` is round-robin, gauntlet or swiss; `games` is per pairing, half of them from each side. `time` is a clock
    such as "10+0.1", `movetime` the seconds of a move. `openings` is how many balanced openings each pairing plays from
    both sides, or a file of them. `sprt=(elo0, elo1)` ends a match of two as soon as it is decided. Every move is
    judged by the table, or by searches of `seconds` per game where there is none. Each game is added to the file
    `record` as it ends; `resume` resumes from it.
    """
    rules, sizes = game_of(game), (clock(time, movetime), openings, sprt, seed, max_plies, limits_of(memory, sandbox))
    wishes, file = Wishes(format, games, rounds, *sizes), None if record is None else os.fspath(record)
    event = planned(rules, tuple(map(label_of, players)), wishes, file if resume else None, progress)
    played = [*event.done]
    for one in held(event, players=players, game=rules, jobs=jobs, seconds=seconds, record=file):
        played.append(one)
        if progress is not None:
            progress(Step("games", len(played), event.total))
    return result_of(event, played, rules)


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
    whole("jobs", jobs, 1, 1024, optional=False)
    check_seconds(seconds)
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
