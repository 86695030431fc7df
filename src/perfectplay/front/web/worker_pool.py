"""The worker processes: a fixed number, each at one task; who comes when all are busy waits, and not for ever."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

from perfectplay.front.web import api_worker
from perfectplay.front.web.allowed_names import Menu
from perfectplay.front.web.api_answers import Values
from perfectplay.json_processes import JsonChild
from perfectplay.page.game_data import Fields

LINE = 1 << 24
"""The longest answer of a worker, in bytes."""
PATIENCE = 20.0
"""Seconds that somebody waits for a worker."""
LONGEST = 60.0
"""Seconds that a task may take: a search has its own limit, but rules are compiled first."""
ALONE = 12.0
"""Seconds that a task is left when its client has gone: what it finds out may still be of use."""
POLL = 0.5
"""Seconds between two looks whether the client is still there."""
ANSWERS = {"answer", "error", "broken"}
"""What a worker's last line about a task has in it."""
IsGone = Callable[[], Awaitable[bool]]
GRACE = 2.0
"""Seconds that a worker has to put things away."""


class Busy(Exception):
    """All workers are at work, and others wait already."""


class TooMany(Exception):
    """One client asks for too much at once."""


class TooLong(Exception):
    """A worker was not done in time."""


class Broken(Exception):
    """A worker broke down; what happened is for the server's terminal."""


class Ended(Broken):
    """A worker is gone in the middle of its task, for whatever reason: it was killed, or its task ended it."""


class Refused(Exception):
    """A worker says what was wrong with a request: the kind of error and its text."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind, self.text = kind, text


class WorkerPool:
    """Workers for one kind of work."""

    def __init__(self, menu: Menu, size: int, waiting: int, each: int) -> None:
        self.menu, self.size, self.waiting, self.each = menu, size, waiting, each
        self.idle: list[tuple[str, JsonChild]] = []
        """Workers without a task, each with the game of its last one."""
        self.busy: set[JsonChild] = set()
        self.stopped = False
        self.free = asyncio.Semaphore(size)
        self.clients: Counter[str] = Counter()
        self.ending: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def turn(self, client: str, game: str) -> AsyncIterator[JsonChild]:
        """A worker for one task; raises Busy or TooMany when there is none to be had."""
        self.check_open()
        if self.clients[client] >= self.each:
            raise TooMany
        if self.clients.total() >= self.size + self.waiting:
            raise Busy
        self.clients[client] += 1
        try:
            try:
                await asyncio.wait_for(self.free.acquire(), PATIENCE)
            except TimeoutError:
                raise Busy from None
            try:
                self.check_open()
                process = await self.worker(game)
                self.busy.add(process)
                whole = False
                try:
                    self.check_open()  # the server may have been told to end meanwhile
                    yield process
                    whole = True
                except Broken:
                    if self.stopped:
                        raise Busy from None
                    raise
                finally:
                    self.busy.discard(process)
                    if whole and not process.ended:
                        self.idle.append((game, process))
                    else:
                        self.ending = {task for task in self.ending if not task.done()}
                        self.ending.add(asyncio.create_task(end(process)))
            finally:
                self.free.release()
        finally:
            self.clients[client] -= 1
            self.clients += Counter()  # forgets those who ask for nothing

    def check_open(self) -> None:
        """Raises Busy when no more work is taken."""
        if self.stopped:
            raise Busy

    async def worker(self, game: str) -> JsonChild:
        """A worker that has seen the game before, or any, or a new one."""
        while self.idle:
            best = max(range(len(self.idle)), key=lambda i: (self.idle[i][0] == game, i))
            _, process = self.idle.pop(best)
            if not process.ended:
                return process
            process.end()
        process = JsonChild(api_worker.__name__, LINE)
        process.send(self.menu._asdict())
        return process

    async def ask(self, client: str, task: str, values: Values, is_gone: IsGone) -> Fields:
        """The answer of a worker; if that is gone before it has answered, of another. Raises Ended if both are."""
        try:
            return await self.ask_once(client, task, values, is_gone)
        except Ended:
            return await self.ask_once(client, task, values, is_gone)

    async def ask_once(self, client: str, task: str, values: Values, is_gone: IsGone) -> Fields:
        """The answer of a worker; when nobody waits for it any more, it is not waited for much longer."""
        async with self.turn(client, values.get("game", "")) as process:
            process.send({"task": task, "values": values})
            heard = asyncio.ensure_future(hear(process))
            left = LONGEST
            try:
                while not heard.done():
                    if left <= 0:
                        raise TooLong
                    await asyncio.wait({heard}, timeout=POLL)
                    left -= POLL
                    if left > ALONE and await is_gone():
                        left = ALONE
            finally:
                heard.cancel()
            answer = heard.result()
        return answer_in(answer)

    async def follow(self, client: str, task: str, values: Values) -> AsyncGenerator[Fields]:
        """What a worker says on its way, and last the answer; if that is gone, what another says."""
        try:
            async for heard in self.follow_once(client, task, values):
                yield heard
        except Ended:
            async for heard in self.follow_once(client, task, values):
                yield heard

    async def follow_once(self, client: str, task: str, values: Values) -> AsyncGenerator[Fields]:
        """What a worker says on its way, and last the answer."""
        async with self.turn(client, values.get("game", "")) as process:
            process.send({"task": task, "values": values})
            while not ANSWERS & (heard := await hear(process)).keys():
                yield heard
        yield {"answer": answer_in(heard)}

    def stop(self) -> None:
        """Breaks off all tasks; whoever waits is told that the workers are busy."""
        self.stopped = True
        for process in self.busy:
            process.terminate()
        with suppress(RuntimeError):  # nothing runs yet
            asyncio.get_running_loop().call_later(GRACE / 2, self.kill)

    def kill(self) -> None:
        """Ends tasks that did not let themselves be broken off."""
        for process in self.busy:
            process.kill()

    async def close(self) -> None:
        """Ends the workers that have no task."""
        await asyncio.gather(*(end(process) for _, process in self.idle), *self.ending)
        self.idle.clear()


async def hear(process: JsonChild) -> Fields:
    """The next message of a worker; raises Ended if it is gone."""
    loop = asyncio.get_running_loop()
    while not process.has_line:
        readable = asyncio.Event()
        loop.add_reader(process.source, readable.set)
        try:
            await readable.wait()
        finally:
            loop.remove_reader(process.source)
        if not process.read():
            raise Ended(f"a worker {await asyncio.to_thread(process.end_text)}")
    heard: Fields = process.next_value()
    return heard


def answer_in(heard: Fields) -> Fields:
    """The answer in a worker's line; raises what went wrong."""
    if "broken" in heard:
        raise Broken(heard["broken"])
    if "error" in heard:
        raise Refused(heard["error"], heard["text"])
    answer: Fields = heard["answer"]
    return answer


async def end(process: JsonChild) -> None:
    """Ends a worker: first it is asked to, so that nothing half-written stays."""
    process.terminate()
    await asyncio.to_thread(process.end, GRACE)
