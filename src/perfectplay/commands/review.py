"""`review`: each move of a game judged, or of recorded games."""

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

from perfectplay.commands.kinds import FORCE, GAME, POSITION, SEARCH_THREADS, Named, Seconds, Whole
from perfectplay.commands.terminal.arguments import GameLike, MoveLike, Progress
from perfectplay.commands.verb import Call, checked, on_command_line, verb
from perfectplay.processes.folders import PathLike

if TYPE_CHECKING:
    from perfectplay.commands.matches.match import Match
    from perfectplay.commands.matches.reviews import Review, Reviews
    from perfectplay.rules.game_records import GameRecord

MOVES = Named(
    "the moves of the game; or one file with recorded games, - for standard input", metavar="MOVE", argument=True
)
SECONDS = Seconds("time limit of all searches of a game (default: 7)")


@verb(
    "know",
    "judge each move of a game: what was better, and why",
    "review tic-tac-toe a1 b1 b2 c3 a3 a2 c1",
    'review tic-tac-toe "a1 b1 b2 c3" --to review.html',
)
def review(
    game: Annotated["GameLike | Match", GAME],
    *moves: Annotated[MoveLike, MOVES],
    position: Annotated[str | None, POSITION] = None,
    seconds: Annotated[float | None, SECONDS] = None,
    threads: Annotated[int | None, SEARCH_THREADS] = None,
    progress: Progress | None = None,
) -> "Review":
    """A game judged move by move, from the start or from a position as text; a match is judged with its own moves.

    Values come from the table if the game is solved or small, else from searches of so many seconds in all, 7 if not
    given; what they do not prove is not judged. Hard positions are searched by `threads`, by default one per core.
    """
    from perfectplay.commands.matches.match import match_of, move_list
    from perfectplay.commands.matches.reviewing import review_of

    match = match_of(game, (), position)
    return review_of(match.game, match._history[0], [*match.moves, *move_list(moves)], seconds, threads, progress)


@checked
def review_games(
    game: GameLike,
    games: "PathLike | Iterable[GameRecord]",
    *,
    seconds: Annotated[float | None, SECONDS] = None,
    threads: Annotated[int | None, SEARCH_THREADS] = None,
    progress: Progress | None = None,
) -> "Reviews":
    """Recorded games judged move by move: those of a file, as `read_games` reads it, or some of these.

    The time of searches, 7 seconds if not given, is that of each game.
    """
    from perfectplay.commands.matches.reviewing import review_records
    from perfectplay.commands.terminal.arguments import game_of
    from perfectplay.processes.folders import path_of
    from perfectplay.rules.game_records import read_games

    records = read_games(path_of("games", games)) if isinstance(games, str | os.PathLike) else games
    return review_records(game_of(game), records, seconds, threads, progress)


@on_command_line("review")
def show(
    call: Call,
    *,
    game_number: Annotated[int | None, Whole("review only the Nth game of the file", 1, 10**9, metavar="N")] = None,
    to: Annotated[str | None, Named("write a page with drawn boards, to step through: .html", metavar="FILE")] = None,
    force: Annotated[bool, FORCE] = False,
) -> int:
    """Reviews the games and prints what was found, and writes it to a page if one is wanted."""
    from perfectplay.commands.matches.reviewing import review_records
    from perfectplay.commands.matches.reviews import MOST_DRAWN
    from perfectplay.commands.terminal.arguments import game_of
    from perfectplay.commands.terminal.progress import shown_progress, waiting
    from perfectplay.rules.outputs import HTML, output_by_ending
    from perfectplay.solvers.oracle import oracle_for
    from perfectplay.views.document import Notes, Toned

    options = call.options
    target = None if to is None else output_by_ending(to, [HTML], force)
    game, records = game_of(options.game), records_of(options.moves, options.position, game_number)
    with waiting(f"loading what is known of {game.name}; the first time some code is compiled, some seconds"):
        oracle_for(game).ready()  # which takes no time from the searches
    with shown_progress("plies") as progress:
        found = review_records(game, records, options.seconds, options.threads, progress)
    remark = "--game-number 1 shows the first game in full." if len(found) > 1 else ""
    if target is None and len(found) == 1 and len(found.games[0].faulty) > MOST_DRAWN:
        remark = "--to review.html draws every move."
    code = call.finish(found if len(found) > 1 else found.games[0], below=Notes(Toned(remark, "faint")))
    if target is not None:
        target.write(found.to_html().encode())
        if not options.json:
            print(f"\n{to} has the boards.")
    return code


def records_of(moves: list[str], position: str | None, number: int | None) -> "list[GameRecord]":
    """The games that the command line names: one by its moves, or those of a file; only the Nth, if it is given."""
    from perfectplay.rules.game_records import GameRecord
    from perfectplay.rules.notation import number_of
    from perfectplay.words import BadArgument

    if not moves:
        raise BadArgument("there is nothing to review; name the moves of a game, or a file with recorded games")
    records = records_in(moves[0]) if len(moves) == 1 else None
    if records is None:
        records = [GameRecord(tuple(moves), position=position or "")]
    elif position:
        raise BadArgument("--position is for moves on the command line; in a file write: # position: TEXT")
    elif not records:
        raise BadArgument(f"the record {moves[0]!r} has no moves; write a game a line, such as: b2 a1 c3")
    if number is None:
        return records
    if number > len(records):
        raise BadArgument(f"--game-number {number} is too large: the record has {number_of(len(records), 'game')}")
    return records[number - 1 : number]


def records_in(name: str) -> "list[GameRecord] | None":
    """The games of the file or link of this name; None if it looks like a move."""
    from pathlib import Path

    from perfectplay.rules.game_records import STDIN, games_in, read_games
    from perfectplay.words import BadArgument

    if "://" in name:
        return list(games_in(name, "the link"))
    if name == STDIN or Path(name).is_file():
        return read_games(name)
    if "/" in name or Path(name).suffix in (".txt", ".json", ".jsonl"):
        raise BadArgument(f"the record {name!r} cannot be read: there is no such file")
    return None
