"""`perfectplay certify`: proves that a player is perfect, or shows the shortest game that refutes it."""

import json
from argparse import Namespace
from collections.abc import Iterator

from perfectplay.api.certifying import Certificate, Counterexample, Examined, certify, verdict
from perfectplay.api.evaluation import Probability
from perfectplay.front.draw_many import side_by_side
from perfectplay.front.progress import shown_progress
from perfectplay.game import Game
from perfectplay.loading import load_game
from perfectplay.notation import draw_position, played
from perfectplay.words import FIRST

REFUTED = 1
"""The exit code without a certificate."""
LISTED = 10
"""The most mistakes to list."""


def show_certify(options: Namespace) -> int:
    """Examines the player and prints the certificate or the refutation."""
    game = load_game(options.game)
    with shown_progress("questions") as progress:
        found = certify(
            game,
            options.players[0],
            side=options.side,
            seconds=options.seconds,
            repeats=options.repeats,
            seed=options.seed,
            progress=progress,
        )
    print(json.dumps(found.to_dict()) if options.json else "\n".join(as_text(game, found)))
    return 0 if found.perfect else REFUTED


def as_text(game: Game, found: Certificate) -> Iterator[str]:
    """The certificate as people read it, line by line."""
    yield f"{found.game}: {found.player} {verdict(found)}."
    yield ""
    for side in found.sides:
        yield side_text(game, side)
    yield from ([""] if found.functions else [])
    yield from map(str, found.functions)
    if found.counterexample is not None:
        yield ""
        yield from game_text(game, found.counterexample)
    if found.mistakes:
        yield ""
        count = len(found.mistakes)
        shown = "" if count <= LISTED else f", of which {LISTED} are shown"
        yield f"Moves that give a result away: {count:,}{shown}"
        yield from (f"  {mistake}" for mistake in found.mistakes[:LISTED])
    yield ""
    yield from remarks(found)


def side_text(game: Game, side: Examined) -> str:
    """What came of one side, in a line."""
    name = game.look.sides[side.side != "first"]
    chances = "" if side.against_random is None else f"; against random: {probability_text(side.against_random)}"
    return f"as {name}, moving {side.side}: {side.asked:,} positions, worst result: {side.worst}{chances}"


def probability_text(found: Probability) -> str:
    """The probabilities in per cent."""
    return f"{float(found.win):.2%} won, {float(found.draw):.2%} drawn, {float(found.loss):.2%} lost"


def game_text(game: Game, found: Counterexample) -> Iterator[str]:
    """The game that refutes the player, drawn move by move."""
    own = FIRST if found.side == "first" else 1 - FIRST
    name = game.look.sides[own]
    yield f"The shortest game that refutes it ({name} is the player, {found.result}):"
    pictures = []
    for number, (position, side, move) in enumerate(played(game, game.start, FIRST, found.moves)):
        after = game.play(*position, move)
        before_value, value = found.values[number], found.values[number + 1]
        drawn = draw_position(game, after, 1 - side).splitlines()
        label = f"{number + 1}. {game.look.sides[side]} {found.moves[number]}"
        slip = f"{before_value} becomes {value}" if side == own and before_value != value else ""
        pictures.append([*drawn, label + ("?" if slip else ""), slip])
    yield from side_by_side(pictures)
    if found.fault:
        yield ""
        yield found.fault
    if found.repeats is not None:
        yield f"From move {found.repeats + 1} on, the moves can repeat for ever."


def remarks(found: Certificate) -> Iterator[str]:
    """How the player was asked, and what was noticed."""
    calls = sum(side.calls for side in found.sides)
    if found.known:
        yield "All moves that the player may choose are known, and all were followed."
    elif found.varying:
        yield (
            f"Its answers differ from call to call in {found.varying:,} positions. All answers seen were followed; "
            "others may exist."
        )
    slow = sum(side.slow_wins for side in found.sides)
    if slow:
        yield f"It wins later than it could in {slow:,} positions: quicker wins are not preferred."
    yield f"{calls:,} calls, {1000 * found.seconds_per_move:.3g} ms per move."
