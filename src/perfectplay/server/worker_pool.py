"""The worker pool: a fixed number of processes with one task each; further tasks wait, but not for ever."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import NamedTuple
from weakref import WeakKeyDictionary

from perfectplay.exports.page.game_data import Fields
from perfectplay.processes.json_processes import JsonChild
from perfectplay.rules.loading import NeverReturns
from perfectplay.server import api_worker
from perfectplay.server.game_faults import FaultRecord, GameFaults
from perfectplay.server.parameters import Values

LINE = 1 << 24
"""The longest message of a worker, in bytes."""
MOST_WAITING = 20.0
"""Seconds that a request waits for a worker."""
SLICE = 10.0
"""Seconds after which a suspect game loses its worker to a game that waits."""
QUIET = 120.0
"""Seconds that a solve may take from one message to the next."""
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


class TooLong(Exception):
    """A worker did not finish in time."""


class Gone(TooLong):
    """A worker did not finish soon after its client had gone."""


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
    """Workers for one kind of work, shared so that no game of a user's own, and none with faults, holds them all."""

    def __init__(self, faults: FaultRecord, size: int, waiting: int) -> None:
        self.faults, self.size, self.waiting = faults, size, waiting
        self.versions: WeakKeyDictionary[JsonChild, str] = WeakKeyDictionary()
        """The version of the user's own files that each worker was started with; it is replaced when they change."""
        self.idle: list[tuple[str, JsonChild]] = []
        """Idle workers, each with the game of its last task."""
        self.busy: set[JsonChild] = set()
        self.stopped = False
        self.at_work: list[GameFaults] = []
        """The game of each task that has a worker."""
        self.queue: list[tuple[GameFaults, asyncio.Future[None]]] = []
        """The games of tasks that wait, and what tells them that it is their turn."""
        self.ending: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def turn(self, task: str, values: Values, last: bool = True) -> AsyncIterator[tuple[JsonChild, GameFaults]]:
        """A worker that has been given the task, and the faults of its game; raises Busy or Suspended.

        Of a user's own game and player the one with more faults decides how long the request may take, and when.
        Unless it is the `last` try, a worker that ends is no fault of the game: something else may have killed it.
        """
        runs = self.faults.of(values)
        game = max(runs, key=lambda one: (len(one.lines), one.suspect))
        async with self.place(game):
            if self.stopped:
                raise Busy
            for one in runs:
                if one.suspension:
                    raise one.suspension
            process = self.worker(values.get("game", ""))
            self.busy.add(process)
            reusable = False
            try:
                process.send({"task": task, "values": values})
                yield process, game
                reusable = True
                for one in runs:
                    self.faults.note_answer(one)
            except (Broken, Refused, TooLong) as fault:
                if self.stopped:
                    raise Busy from None
                reusable = not is_limit(fault)
                if last or not isinstance(fault, Ended):
                    self.judge(runs, fault)
                raise
            finally:
                self.busy.discard(process)
                if reusable and not process.ended:
                    self.idle.append((values.get("game", ""), process))
                else:
                    self.let_go(process)

    def judge(self, runs: list[GameFaults], fault: Exception) -> None:
        """Notes whether the game ran into a limit: by its rules, or else by its player if that is a user's own."""
        if isinstance(fault, Gone):
            return
        if is_limit(fault):
            self.faults.note(runs[0 if isinstance(fault, Refused) else -1], str(fault))
            return
        for one in runs:
            one.answered = True

    @asynccontextmanager
    async def place(self, game: GameFaults) -> AsyncIterator[None]:
        """One of the places of the pool, when it is this game's turn; raises Busy."""
        turn = asyncio.get_running_loop().create_future()
        waits = (game, turn)
        self.queue.append(waits)
        self.admit()
        try:
            if not turn.done() and not self.is_full(game):
                await asyncio.wait({turn}, timeout=MOST_WAITING)
            if not turn.done():
                raise Busy
            yield
        finally:
            if turn.done():
                self.at_work.remove(game)
            else:
                self.queue.remove(waits)
            self.admit()

    def admit(self) -> None:
        """Gives free places to those that wait, in their order, first to clean games."""
        for waits in sorted(self.queue, key=lambda waits: not waits[0].clean):
            game, turn = waits
            if self.fits(game):
                self.queue.remove(waits)
                self.at_work.append(game)
                turn.set_result(None)

    def fits(self, game: GameFaults) -> bool:
        """Whether the game may have a worker now.

        A suspect game has one at a time; all suspects together, and each file of the user's, leave one to others.
        """
        if len(self.at_work) >= self.size:
            return False
        most = max(1, self.size - 1)
        its = sum(other.name == game.name for other in self.at_work)
        if game.suspect:
            return not its and sum(other.suspect for other in self.at_work) < most
        return not game.own or its < most

    def gives_way(self, game: GameFaults) -> bool:
        """Whether a suspect has to leave its worker to a clean game, which may have none otherwise."""
        wanted = any(other.clean and other.name != game.name for other, _ in self.queue)
        game.displaced |= game.suspect and wanted
        return game.suspect and wanted

    def is_full(self, game: GameFaults) -> bool:
        """Whether too many wait; suspects and files of the user's take at most half of the room."""
        if game.own or game.suspect:
            return sum(other.own or other.suspect for other, _ in self.queue) > max(1, self.waiting // 2)
        return len(self.queue) > self.waiting

    def let_go(self, process: JsonChild) -> None:
        """Ends a worker while others work."""
        self.ending = {task for task in self.ending if not task.done()}
        self.ending.add(asyncio.create_task(end(process)))

    def worker(self, game: str) -> JsonChild:
        """A worker that has seen the game before, or any, or a new one."""
        version = self.faults.own.all_saved()
        while self.idle:
            best = max(range(len(self.idle)), key=lambda i: (self.idle[i][0] == game, i))
            _, process = self.idle.pop(best)
            if not process.ended and self.versions[process] == version:
                return process
            self.let_go(process)
        process = JsonChild(api_worker.__name__, LINE)
        self.versions[process] = version
        process.send(self.faults.own.allowed._asdict())
        return process

    async def ask(self, task: str, values: Values, is_gone: IsGone) -> Fields:
        """A worker's answer; if the worker ends first, another one's. Raises Ended if that one ends too."""
        try:
            return await self.ask_once(task, values, is_gone, last=False)
        except Ended:
            return await self.ask_once(task, values, is_gone, last=True)

    async def ask_once(self, task: str, values: Values, is_gone: IsGone, last: bool) -> Fields:
        """A worker's answer; if the client goes, it has only a little time left."""
        async with self.turn(task, values, last) as (process, game):
            heard = asyncio.ensure_future(hear(process))
            left, gone = game.limit, False
            try:
                while not heard.done():
                    if game.limit - left >= SLICE and self.gives_way(game):
                        raise Busy
                    if left <= 0:
                        raise Gone if gone else TooLong(f"{task} took longer than {game.limit:g} s")
                    await asyncio.wait({heard}, timeout=POLL)
                    left -= POLL
                    if left > ALONE and await is_gone():
                        left, gone = ALONE, True
            finally:
                heard.cancel()
            return answer_in(heard.result())

    async def follow(self, task: str, values: Values) -> AsyncGenerator[Fields]:
        """A worker's progress messages and its answer; if the worker ends, another one's."""
        try:
            async for heard in self.follow_once(task, values, last=False):
                yield heard
        except Ended:
            async for heard in self.follow_once(task, values, last=True):
                yield heard

    async def follow_once(self, task: str, values: Values, last: bool) -> AsyncGenerator[Fields]:
        """A worker's progress messages, and last its answer; a solve may take any time while it gets on."""
        async with self.turn(task, values, last) as (process, game):
            loop = asyncio.get_running_loop()
            limit = game.limit if game.lines or task != "solve" else QUIET
            end = loop.time() + limit
            while True:
                try:
                    async with asyncio.timeout_at(end):
                        heard = await hear(process)
                except TimeoutError:
                    raise TooLong(f"{task} took longer than {limit:g} s") from None
                if ANSWERS & heard.keys():
                    break
                yield heard
                if task == "solve":
                    end = loop.time() + limit
            answer = answer_in(heard)
        yield {"answer": answer}

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


def is_limit(fault: Exception) -> bool:
    """Whether a worker ran into a limit; its process has ended, or is about to, or has to be ended."""
    return isinstance(fault, Ended | TooLong) or (isinstance(fault, Refused) and fault.kind == NeverReturns.__name__)


async def end(process: JsonChild) -> None:
    """Ends a worker; it is asked first, so that no temporary files stay."""
    process.terminate()
    await asyncio.to_thread(process.end, GRACE)


# Compiles what players need in a process of its own, so that the first reply does not wait for it.


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
