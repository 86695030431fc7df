"""The messages between the referee and the process of a bot: a JSON object a line, each question with one answer.

    {"player": NAME, "game": NAME}                        -> {"ready": true}, or {"error": TEXT}
    {"sit": SIDE, "seconds": SECONDS}                     -> {"ready": true}, or {"error": TEXT}
    {"side": SIDE, "position": [MINE, THEIRS], "dice": D} -> any number of {"say": TEXT}, then one of
        {"move": NUMBER, "dice": D}, {"illegal": TEXT}, {"fault": TEXT, "cause": CAUSE}
    {..., "position": [MINE, THEIRS], "so_far": S}        -> the same, where somebody keeps the game until now
    {..., "position": [MINE, THEIRS], "count": true}      -> the same, with "calls": [COUNT, [FUNCTION, ...]]
    {..., "position": [MINE, THEIRS], "scores": true}     -> {"scores": [[NUMBER, SCORE], ...], "dice": D}, null if none
    {"project": true}                                     -> {"functions": [NAMES]}, none if the bot is no project
    {"check": NAME}                                       -> any number of {"say": TEXT}, the calls, then
        {"checked": NUMBER, "fault": TEXT}, or {"error": TEXT}
    {"end": true}                                         -> nothing; the process ends

`dice` is a pair: the state of the seat's own dice, and that of Python's module `random`, each null where it has not
changed since it was last sent or received. So a battle repeats, whichever process a bot runs in.
"""

import random
from array import array
from base64 import b64decode, b64encode
from random import Random
from typing import Any, cast

from perfectplay.players.seat import Clock, SoFar

Message = dict[str, Any]
State = tuple[Any, ...]
"""What `getstate` of Python's dice returns."""
PYTHONS = cast(Random, random)
"""The dice of Python's module `random`, which bots may use, too."""
LONGEST_TEXT = 2_000
"""Characters of a text from a bot, or about it."""


class Dice:
    """Dice that are in step with dice in another process: what has changed on one side is sent to the other."""

    def __init__(self) -> None:
        self.state: State | None = None

    def news(self, dice: Random) -> list[Any] | None:
        """The state of the dice as JSON takes it, if the other side does not know it."""
        state = dice.getstate()
        if state == self.state:
            return None
        self.state = version, numbers, gauss = state
        return [version, b64encode(array("I", numbers).tobytes()).decode(), gauss]

    def learn(self, dice: Random, news: list[Any] | None) -> None:
        """Sets the dice as the other side says."""
        if news is not None:
            version, numbers, gauss = news
            self.state = version, tuple(array("I", b64decode(numbers))), gauss
            dice.setstate(self.state)


def so_far_text(so_far: SoFar) -> list[Any]:
    """The game until now as JSON takes it."""
    return [so_far.begin, so_far.moves, so_far.clock]


def so_far_in(text: list[Any]) -> SoFar:
    """The game until now in a message."""
    (position, side), moves, times = text
    clock = None if times is None else Clock(tuple(times[0]), tuple(times[1]))
    return SoFar(((position[0], position[1]), side), tuple(moves), clock)
