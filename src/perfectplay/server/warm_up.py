"""Compiles what players need in a process of its own, so that the first reply does not wait for it."""

import asyncio
from contextlib import suppress
from typing import NamedTuple

from perfectplay.server.api_answers import Values
from perfectplay.server.worker_pool import Broken, Busy, Refused, TooLong, WorkerPool

PATIENCE = 1.0
"""Seconds that replies wait for a player to get ready: code that is on disk is loaded in about that time."""


class Begun(NamedTuple):
    """A player that gets ready: the task, and when replies do not wait for it any more."""

    task: asyncio.Task[None]
    until: float


class WarmUp:
    """Players that get ready, one after the other, in the background."""

    def __init__(self, pool: WorkerPool, patience: float = PATIENCE) -> None:
        self.pool, self.patience = pool, patience
        self.begun: dict[tuple[str, str], Begun] = {}

    def begin(self, game: str, player: str) -> Begun:
        """Lets the player of a game get ready, if it does not already."""
        if (game, player) not in self.begun:
            task = asyncio.create_task(self.prepare({"game": game, "player": player}))
            self.begun[game, player] = Begun(task, asyncio.get_running_loop().time() + self.patience)
        return self.begun[game, player]

    async def prepare(self, values: Values) -> None:
        """Lets a worker compile; what it cannot do is told when the player is asked for a move."""
        with suppress(Broken, Busy, Refused, TooLong):
            await self.pool.ask("ready", values, still_there)

    async def request(self, values: Values) -> Values:
        """The request for a reply, marked as `quick` while its player is not ready."""
        task, until = self.begin(values["game"], values["player"])
        await asyncio.wait({task}, timeout=max(0.0, until - asyncio.get_running_loop().time()))
        return values if task.done() else {**values, "quick": "yes"}

    def stop(self) -> None:
        """Ends what is being compiled."""
        self.pool.stop()

    async def close(self) -> None:
        """Ends the worker."""
        self.stop()
        await asyncio.gather(*(begun.task for begun in self.begun.values()), return_exceptions=True)
        await self.pool.close()


async def still_there() -> bool:
    """Nobody waits, so nobody goes."""
    return False
