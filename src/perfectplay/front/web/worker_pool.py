"""The worker pool: a fixed number of processes with one task each; further tasks wait, but not for ever."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from weakref import WeakKeyDictionary

from perfectplay.front.web import api_worker
from perfectplay.front.web.allowed_names import AllowedNames
from perfectplay.front.web.api_answers import Values
from perfectplay.json_processes import JsonChild
from perfectplay.page.game_data import Fields

LINE = 1 << 24
"""The longest message of a worker, in bytes."""
MOST_WAITING = 20.0
"""Seconds that a request waits for a worker."""
LONGEST = 60.0
"""Seconds that a task may take: rules may have to be compiled before a search starts."""
ALONE = 12.0
"""Seconds that a task may still take when its client has gone: its result may be cached."""
POLL = 0.5
"""Seconds between two checks of the client's connection."""
ANSWERS = {"answer", "error", "broken"}
"""The fields of a task's last message."""
IsGone = Callable[[], Awaitable[bool]]
GRACE = 2.0
"""Seconds that a worker has to exit."""


class Busy(Exception):
    """All workers are busy, and others wait already."""


class TooMany(Exception):
    """One client has too many requests at once."""


class TooLong(Exception):
    """A worker did not finish in time."""


class Broken(Exception):
    """A worker failed; the server's terminal shows how. The line is for the person at this machine, if there is one."""

    def __init__(self, text: str, line: str = "") -> None:
        super().__init__(text)
        self.line = line


class Ended(Broken):
    """A worker process ended in the middle of its task."""


class Refused(Exception):
    """A worker refused a request: the kind of error and its message."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind, self.text = kind, text


class WorkerPool:
    """Workers for one kind of work."""

    def __init__(
        self, allowed: AllowedNames, size: int, waiting: int, each: int, version: Callable[[], str] = str
    ) -> None:
        self.allowed, self.size, self.waiting, self.each = allowed, size, waiting, each
        self.version = version
        """The version of the user's own files: a worker that was started with another one is replaced."""
        self.versions: WeakKeyDictionary[JsonChild, str] = WeakKeyDictionary()
        self.idle: list[tuple[str, JsonChild]] = []
        """Idle workers, each with the game of its last task."""
        self.busy: set[JsonChild] = set()
        self.stopped = False
        self.free = asyncio.Semaphore(size)
        self.clients: Counter[str] = Counter()
        self.ending: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def turn(self, client: str, game: str) -> AsyncIterator[JsonChild]:
        """A worker for one task; raises Busy or TooMany."""
        self.check_open()
        if self.clients[client] >= self.each:
            raise TooMany
        if self.clients.total() >= self.size + self.waiting:
            raise Busy
        self.clients[client] += 1
        try:
            try:
                await asyncio.wait_for(self.free.acquire(), MOST_WAITING)
            except TimeoutError:
                raise Busy from None
            try:
                self.check_open()
                process = await self.worker(game)
                self.busy.add(process)
                whole = False
                try:
                    self.check_open()  # the server may be about to end
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
                        self.let_go(process)
            finally:
                self.free.release()
        finally:
            self.clients[client] -= 1
            self.clients += Counter()  # drops clients without requests

    def let_go(self, process: JsonChild) -> None:
        """Ends a worker while others work."""
        self.ending = {task for task in self.ending if not task.done()}
        self.ending.add(asyncio.create_task(end(process)))

    def check_open(self) -> None:
        """Raises Busy when the pool is stopped."""
        if self.stopped:
            raise Busy

    async def worker(self, game: str) -> JsonChild:
        """A worker that has seen the game before, or any, or a new one."""
        while self.idle:
            best = max(range(len(self.idle)), key=lambda i: (self.idle[i][0] == game, i))
            _, process = self.idle.pop(best)
            if not process.ended and self.versions[process] == self.version():
                return process
            self.let_go(process)
        version = self.version()
        process = JsonChild(api_worker.__name__, LINE)
        self.versions[process] = version
        process.send(self.allowed._asdict())
        return process

    async def ask(self, client: str, task: str, values: Values, is_gone: IsGone) -> Fields:
        """A worker's answer; if the worker ends first, another one's. Raises Ended if that one ends too."""
        try:
            return await self.ask_once(client, task, values, is_gone)
        except Ended:
            return await self.ask_once(client, task, values, is_gone)

    async def ask_once(self, client: str, task: str, values: Values, is_gone: IsGone) -> Fields:
        """A worker's answer; if the client goes, it has only a little time left."""
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
        """A worker's progress messages and its answer; if the worker ends, another one's."""
        try:
            async for heard in self.follow_once(client, task, values):
                yield heard
        except Ended:
            async for heard in self.follow_once(client, task, values):
                yield heard

    async def follow_once(self, client: str, task: str, values: Values) -> AsyncGenerator[Fields]:
        """A worker's progress messages, and last its answer."""
        async with self.turn(client, values.get("game", "")) as process:
            process.send({"task": task, "values": values})
            while not ANSWERS & (heard := await hear(process)).keys():
                yield heard
        yield {"answer": answer_in(heard)}

    def stop(self) -> None:
        """Cancels all tasks; waiting requests get Busy."""
        self.stopped = True
        for process in self.busy:
            process.terminate()
        with suppress(RuntimeError):  # nothing runs yet
            asyncio.get_running_loop().call_later(GRACE / 2, self.kill)

    def kill(self) -> None:
        """Kills workers that did not exit."""
        for process in self.busy:
            process.kill()

    async def close(self) -> None:
        """Ends the idle workers."""
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
            how = await asyncio.to_thread(process.end_text)
            raise Ended(f"a worker {how}", f"the process that runs the rules {how}")
    heard: Fields = process.next_value()
    return heard


def answer_in(heard: Fields) -> Fields:
    """The answer in a worker's message; raises its error."""
    if "broken" in heard:
        raise Broken(heard["broken"], heard["line"])
    if "error" in heard:
        raise Refused(heard["error"], heard["text"])
    answer: Fields = heard["answer"]
    return answer


async def end(process: JsonChild) -> None:
    """Ends a worker; it is asked first, so that no temporary files stay."""
    process.terminate()
    await asyncio.to_thread(process.end, GRACE)
