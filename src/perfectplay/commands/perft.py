"""`perft`: the number of move sequences of each length, and of finished games, for people who write rules."""

from typing import TYPE_CHECKING, Annotated

from perfectplay.commands.kinds import GAME, Whole
from perfectplay.commands.terminal.arguments import GameLike, Progress, game_of
from perfectplay.commands.verb import Call, checked, on_command_line, verb

if TYPE_CHECKING:
    from perfectplay.commands.prove.counting import GameCount

Depth = Annotated[
    int | None, Whole("depth in plies (default: to the end of a small game)", 0, 10**6, metavar="DEPTH", argument=True)
]


@verb("know", "count the move sequences of each length", "perft tic-tac-toe", "perft connect-four 5")
def perft(game: Annotated[GameLike, GAME], depth: Depth = None, *, progress: Progress | None = None) -> list[int]:
    """The number of sequences of 0, 1, ..., `depth` legal moves from the start.

    Without a depth it counts to the end of a small game; TooBig names a depth for others. Sequences that lead to the
    same position are counted together, so the work grows with positions, not with sequences.
    """
    from perfectplay.commands.prove.counting import plies

    return [ply.sequences for ply in plies(game_of(game), depth, progress)]


@checked
def count_games(game: GameLike, depth: Depth = None, *, progress: Progress | None = None) -> "GameCount":
    """The number of different games that are over within `depth` plies, by result.

    Without a depth these are all games: 255,168 for tic-tac-toe. TooBig names a depth for games that are not small.
    """
    from perfectplay.commands.prove.counting import counted, plies

    game = game_of(game)
    return counted(game, depth, [*plies(game, depth, progress)])


@on_command_line("perft")
def show(call: Call) -> int:
    """Prints how many move sequences there are, ply by ply, as soon as a ply is counted, and how games end."""
    import json

    from perfectplay.commands.prove.counting import counted, plies
    from perfectplay.commands.terminal.progress import shown_progress
    from perfectplay.rules.loading import load_game
    from perfectplay.views.json_facts import facts_in

    given = call.options
    game, found = load_game(given.game), []
    if not given.json:
        print(f"{'ply':>4} {'sequences':>26} {'positions':>14} {'games over':>26}")
    with shown_progress() as progress:
        for number, ply in enumerate(plies(game, given.depth, progress)):
            found.append(ply)
            if ply.positions and not given.json:
                print(f"{number:>4} {ply.sequences:>26,} {ply.positions:>14,} {sum(ply.ended):>26,}", flush=True)
    games = counted(game, given.depth, found)
    if given.json:
        nodes = [ply.sequences for ply in found]
        facts = facts_in(games, "games", "wins", "draws", "ongoing", "complete")
        print(json.dumps({"game": given.game, "depth": games.depth, "nodes": nodes, "finished": facts}))
    else:
        print(f"\n{games}")
    return 0
