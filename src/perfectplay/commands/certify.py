"""`certify`: proves that a player is perfect, or shows the shortest game that refutes it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

from perfectplay.commands.kinds import (
    BOT_SECONDS,
    FORCE,
    GAME,
    JOBS,
    SIDE_WORDS,
    Choice,
    Named,
    Whole,
    players as player_names,
    seed as seed_number,
)
from perfectplay.commands.terminal.arguments import GameLike, Progress, game_of
from perfectplay.commands.verb import Call, checked, on_command_line, verb
from perfectplay.solvers.steps import Step

if TYPE_CHECKING:
    from perfectplay.commands.compete.certificates import Certificate, ClassReport
    from perfectplay.commands.matches.playing import Contestant

REFUTED = 1
"""The exit code without a certificate."""

# How players are examined, one or several.

Side = Annotated[
    str,
    Choice("the side to examine (default: both)", (*SIDE_WORDS, "both")),
]
Repeats = Annotated[
    int, Whole("how often to ask in each position, to see whether answers differ (default: 3)", 1, 1000)
]
Limit = Annotated[float | None, BOT_SECONDS]
Seed = Annotated[int, seed_number("the seed of random choices (default: 0)")]


@checked
def certify(
    game: GameLike,
    player: "Contestant",
    *,
    side: Side = "both",
    repeats: Repeats = 3,
    seconds: Limit = 60.0,
    seed: Seed = 0,
    progress: Progress | None = None,
) -> "Certificate":
    """Asks a player in every position that it can meet against any opponent, and proves or refutes it.

    The game must be solved or small. `player` is a name, such as "minimax" or "./bots.py:my_ai", or a function. `side`
    is "first", "second" or "both". Each position is asked `repeats` times, in another order each time, and all answers
    are followed. A bot in a file of its own may take `seconds` for a move.
    """
    from perfectplay.commands.compete.certifying import certificate

    return certificate(game_of(game), player, side, seconds, repeats, seed, progress)


@verb(
    "check",
    "prove that your AI is perfect, or show the shortest game that refutes it",
    "certify tic-tac-toe perfect",
    "certify tic-tac-toe perfect --side second",
    name="certify",
    counted="players",
)
def certify_all(
    game: Annotated[GameLike, GAME],
    players: Annotated[
        "Sequence[Contestant]",
        player_names(
            "your function (./bots.py:my_ai), several, a pattern ('class/*.py:ai', './bots.py:*_ai'), or a name",
            repeats=True,
            least=1,
        ),
    ],
    *,
    side: Side = "both",
    repeats: Repeats = 3,
    seconds: Limit = 60.0,
    seed: Seed = 0,
    jobs: Annotated[int, JOBS] = 1,
    progress: Progress | None = None,
) -> "ClassReport":
    """Certifies several players and ranks them; one that cannot be loaded is a row that says so.

    A name may be a pattern: "class/*.py:ai". `jobs` is the number of processes; other arguments are those of `certify`.
    """
    from perfectplay.commands.compete.certificates import ranked
    from perfectplay.commands.compete.certifying import certificates, expanded

    rules, found = game_of(game), []
    everybody = expanded(players)
    for certificate in certificates(rules, everybody, jobs, side, seconds, repeats, seed):
        found.append(certificate)
        if progress is not None:
            progress(Step("players", len(found), len(everybody)))
    return ranked(rules.name, found)


@on_command_line("certify")
def show(
    call: Call,
    *,
    to: Annotated[str | None, Named("write a report with drawn boards", metavar="FILE.html")] = None,
    force: Annotated[bool, FORCE] = False,
) -> int:
    """Examines one player or several, prints the certificates or the refutations, and writes the report if wanted."""
    from perfectplay.commands.compete.certifying import expanded
    from perfectplay.commands.terminal.progress import shown_progress
    from perfectplay.rules.outputs import HTML, output_by_ending

    target = None if to is None else output_by_ending(to, [HTML], force)
    (game, names), terms = call.arguments()
    rules, players = game_of(game), expanded(names)
    del terms["jobs"]
    found: Any
    if len(players) > 1:
        found = call.result()
    else:
        with shown_progress("questions") as progress:
            found = certify(rules, *players, **terms, progress=progress)
    call.finish(found)
    if target is not None:
        target.write(found.to_html().encode())
    return 0 if found.perfect else REFUTED
