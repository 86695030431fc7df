"""Players, named or functions, asked in every position that they can meet."""

from collections.abc import Sequence
from functools import partial

from perfectplay.arena.bot_makers import close
from perfectplay.arena.encounter import thrown_dice
from perfectplay.arena.examination import REPEATS, SECONDS, Answers, ChancesAt, Examination, examine_sides
from perfectplay.commands.play.playing import Contestant, maker_of
from perfectplay.commands.terminal.arguments import Progress
from perfectplay.game import Game
from perfectplay.players.registry import player_entry
from perfectplay.players.seat import Seat, nobody
from perfectplay.solvers.steps import finished


def examine(
    game: Game,
    player: Contestant,
    sides: Sequence[int],
    seconds: float | None = SECONDS,
    repeats: int = REPEATS,
    seed: int = 0,
    known: ChancesAt | None = None,
    printed: list[str] | None = None,
    said: list[str] | None = None,
    progress: Progress | None = None,
    stop_when_varying: bool = False,
) -> list[Answers]:
    """The answers of the player on each of the sides, whatever its opponent plays.

    `known` gives its move probabilities, if they are known. What a bot prints is put into the list `printed`, and its
    remarks into the list `said`. With `stop_when_varying`, AnswersDiffer is raised as soon as answers differ.
    """
    maker = maker_of(player, printed)
    try:
        say = nobody if said is None else said.append
        with thrown_dice(seed) as (dice, throw):
            seated = [(side, maker(Seat(game, side, dice, seconds, say))) for side in sides]
            examinations = [
                Examination(game, side, play, repeats, throw, known, stop_when_varying) for side, play in seated
            ]
            return finished(examine_sides(examinations, renew=partial(close, maker)), progress)
    finally:
        close(maker)


def probabilities_of(game: Game, player: Contestant) -> ChancesAt | None:
    """The function from a position to the moves that the player may play, None if only asking it can tell."""
    named = player_entry(player) if isinstance(player, str) else None
    if named is None or named.kind.policy is None:
        return None
    from perfectplay.players.named.policy_player import probabilities_function  # numpy: only when it is wanted

    at = probabilities_function(game, named.kind.policy, named.name, True)
    return lambda position: {move: chance for move, chance in at(position).items() if chance > 0}
