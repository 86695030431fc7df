"""`check`: whether a game's rules satisfy the contract."""

from typing import TYPE_CHECKING, Annotated

from perfectplay.commands.kinds import GAME, Whole, seed
from perfectplay.commands.terminal.arguments import GameLike, game_of
from perfectplay.commands.verb import Call, on_command_line, verb
from perfectplay.words import BadGame

if TYPE_CHECKING:
    from perfectplay.commands.prove.checking import RulesReport


@verb(
    "check",
    "check the rules of your own game for mistakes",
    "check tic-tac-toe",
    "check connect-four --walks 10 --json",
)
def check(
    game: Annotated[GameLike, GAME],
    *,
    walks: Annotated[int, Whole("number of random games to play (default: 50)", 1, 10**6)] = 50,
    seed: Annotated[int, seed("seed of the random games (default: 1)")] = 1,
) -> "RulesReport":
    """Checks that a game's rules satisfy the contract: in all positions of a small game, else in random games."""
    from perfectplay.commands.prove.checking import RulesReport, checking
    from perfectplay.commands.prove.random_play import random_games

    game = game_of(game)
    return RulesReport(game.name, tuple(checking(game, walks, seed)), random_games(game, walks, seed))


@on_command_line("check")
def show(call: Call) -> int:
    """Prints each check as soon as the rules pass it, and how random games go; raises BadGame if they fail one."""
    from perfectplay.commands.prove.checking import RulesReport, check_rows, checking
    from perfectplay.commands.prove.random_play import random_games, sample_section
    from perfectplay.commands.terminal import streams
    from perfectplay.rules.loading import load_game
    from perfectplay.views.document import Document, Table

    given = call.options
    game, checks = load_game(given.game), []
    for one in checking(game, given.walks, given.seed):
        checks.append(one)
        if not given.json:
            streams.show(Document(None, Table([(f"{status.text:<5}", line) for status, line in check_rows(one)])))
    report = RulesReport(given.game, tuple(checks), random_games(game, given.walks, given.seed))
    if given.json:
        call.finish(report)
    elif report.games is not None:
        streams.show(Document(report.games.line, sample_section(game, report.games.sample)))
    if not report.ok:
        where = "its faults" if given.json else "FAULT above"
        raise BadGame(f"{given.game} breaks the contract, see {where}")
    return 0
