"""`bot`: a player as a UGI engine on standard input and output, for tournament managers."""

import os
import sys
import time
from collections.abc import Iterator
from select import POLLERR, poll, select
from threading import Lock
from typing import Annotated

from perfectplay.commands.kinds import GAME, MOVE_SECONDS, players as player_names, seed as seed_number
from perfectplay.commands.terminal import streams
from perfectplay.commands.verb import verb

CHUNK = 1 << 16
LONGEST_LINE = 1 << 24
"""Bytes of a command, at most; a longer one is no command."""
TO_FINISH, TO_QUIT = 60.0, 2.0
"""Seconds that a search has to give its answer when the input ends, and when the engine is told to quit."""
BETWEEN = 0.05
"""Seconds from one look at whether it has to the next."""


@verb(
    "compete",
    "let a player take part in other programs' tournaments (UGI on standard input and output)",
    "bot tic-tac-toe perfect",
    "bot connect-four perfect --seconds 2",
    prints=True,
    json=False,
)
def bot(
    game: Annotated[str, GAME],
    player: Annotated[str, player_names("a player's name, or your own (./bots.py:my_ai)")],
    *,
    seed: Annotated[int | None, seed_number("make random choices repeatable (default: a random seed)")] = None,
    seconds: Annotated[float | None, MOVE_SECONDS] = None,
) -> int:
    """Answers a manager until it says quit or its end of the line is closed."""
    from secrets import randbelow

    from perfectplay.arena.bot_makers import close, isolated_maker
    from perfectplay.arena.ugi_engine import UgiEngine
    from perfectplay.players.registry import knows_values, plain_name
    from perfectplay.rules.loading import load_game
    from perfectplay.solvers.oracle import table_oracle

    rules, name = load_game(game), plain_name(player)
    maker, wire = isolated_maker(name), Wire()
    seed = randbelow(2**32) if seed is None else seed
    truth = (lambda: table_oracle(rules, 0)) if knows_values(name) else (lambda: None)
    engine = UgiEngine(rules, name, maker, seed, wire.tell, seconds, truth, wire.wake)
    told_to_quit = False
    interrupt: KeyboardInterrupt | None = None
    try:
        told_to_quit = sys.stdin is not None and not all(engine.hear(line) for line in wire.lines())
        engine.end(stop=told_to_quit)
        end = time.monotonic() + (TO_QUIT if told_to_quit else TO_FINISH)
        while not engine.has_ended(BETWEEN) and time.monotonic() < end and is_read():
            pass
    except KeyboardInterrupt as asked:
        engine.end()
        interrupt = asked
    close(maker)
    if engine.failure is not None:
        raise engine.failure
    if interrupt is not None:
        raise interrupt
    if not engine.has_ended(0):  # a search that does not stop
        os._exit(0)
    return 0


class Wire:
    """The lines between a manager and the engine."""

    def __init__(self) -> None:
        self.turn = Lock()
        self.waking, self.wakes = os.pipe()

    def tell(self, line: str) -> None:
        """Writes a line at once; when nobody reads any more, the engine ends."""
        with self.turn:
            try:
                print(line, flush=True)
            except OSError:
                streams.abandon()
                self.wake()

    def wake(self) -> None:
        """Ends the input, from any thread."""
        os.write(self.wakes, b"!")

    def lines(self) -> Iterator[str]:
        """What the manager says, line by line, until the input ends."""
        waiting, source = b"", sys.stdin.fileno()
        while self.waking not in (ready := select([source, self.waking], [], [])[0]) and source in ready:
            heard = os.read(source, CHUNK)
            *whole, waiting = (waiting + (heard or b"\n")).split(b"\n")
            waiting = waiting if len(waiting) < LONGEST_LINE else b""
            yield from (line.decode(errors="replace") for line in whole)
            if not heard:
                return


def is_read() -> bool:
    """Whether somebody still reads what this process writes, as far as the system tells."""
    output = poll()
    output.register(sys.stdout.fileno(), 0)
    return not any(event & POLLERR for _, event in output.poll(0))
