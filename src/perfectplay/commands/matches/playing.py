"""Battles: many games between two players, named or functions."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from perfectplay.arena.battle import FIXED_SIDES, Tally, add, sum_of, tallies, tally_of
from perfectplay.arena.bot_makers import isolated_maker
from perfectplay.arena.bot_process import try_rules
from perfectplay.arena.tournaments.host import GameNames, GameResult, Host
from perfectplay.arena.tournaments.played_game import PlayedGame, is_deterministic
from perfectplay.arena.tournaments.tournament_record import RecordWriter, check_same, read_record
from perfectplay.arena.tournaments.tournament_settings import Tournament
from perfectplay.commands.matches.battle_result import BattleResult, lost_game
from perfectplay.commands.matches.seated_player import SeatedPlayer
from perfectplay.commands.terminal.arguments import loads_by_name
from perfectplay.game import Game
from perfectplay.players.bots.bot_fault import fault_in
from perfectplay.players.bots.classic_player import Classic, GridFunction, StateFunction
from perfectplay.players.bots.player_functions import POSITION, Form, checked_player, recognised
from perfectplay.players.registry import in_own_process
from perfectplay.players.seat import Maker, Seat
from perfectplay.rules.loading import describe_fault, line_of
from perfectplay.solvers.oracle import table_oracle
from perfectplay.words import (
    BadArgument,
    BadPlayer,
    BotFault,
    IllegalMove,
    Move,
    Player,
    Position,
)

Contestant = str | Player | Classic | GridFunction | StateFunction | Maker
"""A player's name, or a function: of a position, to a move's number; of (board, side) or of a board, to (row, column);
of a state, to a state; or of a seat, to a function of a position."""


def with_losses(game: Game, result: BattleResult) -> BattleResult:
    """The result with the lost games that were kept."""
    oracle = table_oracle(game) if result.kept else None
    return replace(result, losses=tuple(lost_game(game, one, oracle) for one in result.kept), rules=game)


def battling(
    game: Game,
    players: tuple[Contestant, Contestant],
    battle: Tournament,
    jobs: int,
    losses: int,
    record: str | os.PathLike[str] | None,
    resume: bool,
) -> Iterator[BattleResult]:
    """The result so far, several times per second; the last one is that of the whole battle."""
    a, b = players
    total, known = Tally(), only_dice_differ(a) and only_dice_differ(b)
    yield result_of(battle, total)
    if jobs > 1:
        check_can_travel(game, players)
        host = None
    else:
        built_in = [isinstance(player, str) and not in_own_process(player) for player in players]
        host = Host(game, (maker_of(a), maker_of(b)), battle, built_in)
    with battle_record(game, battle, record, resume) as (done, keep):
        for part in tallies(battle, jobs, losses, done, keep, host):
            total = add(total, part)
            yield result_of(battle, total, known)


def name_of(player: Contestant) -> str:
    """The player's name in a result."""
    if isinstance(player, str):
        return player
    if not callable(player):
        raise BadPlayer(f"{player!r} is neither the name of a player nor a function from a position to a move")
    return str(getattr(player, "name", None) or getattr(player, "__name__", None) or type(player).__name__)


def check_can_travel(game: Game, players: Sequence[Contestant]) -> None:
    """Raises BadArgument unless other processes find the game and the players by name."""
    if not all(isinstance(player, str) for player in players):
        raise BadArgument("jobs above 1 is for players by name: a function stays in its process")
    if not loads_by_name(game):
        raise BadArgument(f"jobs above 1 is for games that load by name or file, and {game.name!r} does not")


def maker_of(player: Contestant, printed: list[str] | None = None) -> Maker:
    """The function that makes the player for a seat; a function plays for either side.

    The beginning of what a bot in a file of its own prints is put into the list `printed`, if there is one.
    """
    if isinstance(player, str):
        return isolated_maker(player, printed)
    if isinstance(player, SeatedPlayer):
        return lambda seat: player.in_seat(seat.side)
    form, unclear = recognised(player, name_of(player), otherwise=POSITION)

    def make(seat: Seat) -> Player:
        choose = checked_player(form.maker(player)(seat), name_of(player), unclear)
        return lambda position: guarded_move(seat, position, choose, player, form)

    return make


def guarded_move(seat: Seat, position: Position, choose: Player, function: Contestant, form: Form) -> Move:
    """The move that the function of this form chooses; an exception becomes a fault, which costs it the game."""
    try:
        return choose(position)
    except (IllegalMove, BotFault):
        raise
    except (Exception, SystemExit) as fault:
        try_rules(seat.game, position)
        code = getattr(function, "__code__", None)
        line = "" if code is None else line_of(fault, Path(code.co_filename))
        text = f"{name_of(function)} raised an error{line}: {describe_fault(fault)}{form.hint_at(fault)}"
        raise fault_in(seat.game, position, seat.side, text) from fault


def only_dice_differ(player: Contestant) -> bool:
    """Whether the player is known to play the same in the same position unless it throws dice."""
    return isinstance(player, str) and not in_own_process(player) and is_deterministic(player, solved=True)


def result_of(battle: Tournament, total: Tally, known: bool = False) -> BattleResult:
    """The tally as a result; `known`: without dice, games would be the same."""
    return BattleResult(
        game=battle.game,
        players=(battle.players[0], battle.players[1]),
        games=total.games,
        wins=total.wins,
        draws=total.draws,
        forfeits=total.forfeits,
        mean_plies=total.mean_plies,
        seed=battle.seed,
        swap=battle.format != FIXED_SIDES,
        unproven=total.unproven,
        unfinished=total.unfinished,
        faults=total.faults,
        seconds_per_move=(total.times[0].mean, total.times[1].mean),
        longest_seconds=(total.times[0].longest, total.times[1].longest),
        nodes_per_move=(total.times[0].mean_nodes, total.times[1].mean_nodes),
        kept=total.lost,
        same=known and total.games > 2 and not total.thrown,
        mean_margin=total.mean_margin,
    )


# The record of a battle, which is that of a tournament of two: written as games end, resumed, and read.


Kept = tuple[Sequence[GameResult], Callable[[GameResult], object]]
"""The games that the record already has, and what adds one to it."""


def recorded_seed(record: str | os.PathLike[str] | None) -> int | None:
    """The seed of a record that is there."""
    return read_record(record).tournament.seed if record is not None and Path(record).exists() else None


@contextmanager
def battle_record(
    game: Game, battle: Tournament, record: str | os.PathLike[str] | None, resume: bool
) -> Iterator[Kept]:
    """The record of the battle while it is played; raises BadArgument if it is that of another one."""
    if record is None:
        yield (), lambda played: None
        return
    names, done, size = GameNames(game, battle), [], 0
    if resume and Path(record).exists():
        before = read_record(record)
        check_same(record, before.tournament, battle)
        done, size = [names.from_record(one) for one in before.games], before.size
    with RecordWriter(record, battle, size) as writer:
        yield done, lambda played: writer.write(names.to_record(played))


def up_to_decision(tournament: Tournament, games: Sequence[PlayedGame]) -> Sequence[PlayedGame]:
    """The games without those that ended after a sequential test was decided."""
    if tournament.sprt is None:
        return games
    from perfectplay.arena.tournaments.sprt import sprt  # numpy: only when it is wanted

    test = sprt(tournament, games)
    return [one for one in games if test.last is None or not test.decided or one.number <= test.last]


def tally_in(game: Game, record: str | os.PathLike[str], a: str, b: str, losses: int = 0) -> tuple[Tournament, Tally]:
    """The tally of the games between A and B in the record of a tournament, and the battle that these games are."""
    tournament, games, _ = read_record(record)
    for name in (a, b):
        if name not in tournament.labels:
            there = ", ".join(tournament.labels)
            raise BadArgument(f"{name!r} does not play in {os.fspath(record)!r}; there are {there}")
    if tournament.game != game.name:
        raise BadArgument(f"the record {os.fspath(record)!r} is of {tournament.game}, not of {game.name}")
    between = Tournament(game.name, (a, b), tournament.seed, max_plies=tournament.max_plies)
    names = GameNames(game, between)
    counted_games = up_to_decision(tournament, games)
    played = [names.from_record(one) for one in counted_games if {*one.players} == {a, b}]
    if not played:
        raise BadArgument(f"{a!r} and {b!r} have not met in {os.fspath(record)!r}")
    return between, sum_of(tally_of(one, losses) for one in played)
