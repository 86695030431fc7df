"""Answers requests: the server itself if it can at once, else a worker."""

import asyncio
import json
import os
from collections.abc import AsyncGenerator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from starlette.requests import Request

from perfectplay.exports.page.game_data import Fields, rules_hash
from perfectplay.game import Game
from perfectplay.processes.process_keeper import descendants
from perfectplay.rules.families import shown_names
from perfectplay.server.allowed_names import AllowedNames
from perfectplay.server.api_answers import RequestHandler, file_in
from perfectplay.server.api_tasks import TASKS, WANTED
from perfectplay.server.api_worker import DISK, Quota
from perfectplay.server.catalogue import about, broken_card, check_own
from perfectplay.server.game_faults import FaultRecord, OwnFiles, Suspended
from perfectplay.server.parameters import BadRequest, Values, read
from perfectplay.server.worker_pool import POLL, Broken, Busy, IsGone, Refused, TooLong, WarmUp, WorkerPool, still_there
from perfectplay.solvers.oracle import Oracle, SearchOracle, TableOracle, table_oracle
from perfectplay.solvers.table.table import Table
from perfectplay.solvers.table.table_folder import book_of, kept_table, tables_stamp
from perfectplay.words import PerfectplayError

SEARCHES, WAITING = 3, 16
"""Workers, and requests that may wait for them."""
LISTED_SOON = 2.0
"""Seconds that a page waits for the list of own files that have changed."""
FOR_EVER = "public, max-age=31536000, immutable"
"""Cached without revalidation."""
CHECKED = "no-cache"
"""Cached, but revalidated each time."""
NEVER = "no-store"
ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


class OtherRules(Exception):
    """The request is about rules that have changed."""


class Dispatcher:
    """The server's handler and the workers behind it; with `warms`, players get ready before they are asked."""

    def __init__(self, allowed: AllowedNames, disk: int = DISK, warms: bool = False) -> None:
        self.allowed, self.warms = allowed, warms
        self.quota = Quota(disk)
        self.tables = Tables()
        self.handler = RequestHandler(allowed, self.tables.oracle)
        self.own = OwnFiles(allowed)
        self.faults = faults = FaultRecord(self.own)
        self.searches = WorkerPool(faults, SEARCHES, WAITING)
        self.solves = WorkerPool(faults, size=1, waiting=2)  # one may still be ending
        self.checks = WorkerPool(faults, size=1, waiting=WAITING)
        self.warm_up = WarmUp(WorkerPool(faults, size=1, waiting=WAITING))
        self.listed: tuple[str, Fields] = ("", {})
        """The list of games, and the version of the user's own files that it is of."""
        self.listing: asyncio.Task[None] | None = None
        """Lists the games of a newer version, by which it is called."""
        self.known = lru_cache(maxsize=4096)(self.known_answer)

    async def open(self) -> None:
        """Prepares the game that the page opens with, and the list of games."""
        if self.allowed.games:
            self.listed = self.own.all_saved(), TASKS["games"].answer(self.handler, {})
        if not self.allowed.is_own(self.allowed.opens):
            game = self.allowed.game(self.allowed.opens)
            if await asyncio.to_thread(table_oracle, game, 0) is None:
                self.tables.note_unsolved(game)
            await self.tables.find(game)

    @property
    def pools(self) -> tuple[WorkerPool, ...]:
        """All workers."""
        return self.searches, self.solves, self.checks, self.warm_up.pool

    def collect_ended(self) -> None:
        """Collects workers that have ended, and what such workers have left behind, so that no zombie stays."""
        workers = [worker for pool in self.pools for worker in pool.versions]
        left = descendants(os.getpid(), [worker.pid for worker in workers if not worker.ended])
        for process in left:
            with suppress(ChildProcessError):  # not a child of this process
                os.waitpid(process, os.WNOHANG)

    def stop(self) -> None:
        """Cancels all tasks: the server is about to end."""
        for pool in self.pools:
            pool.stop()

    async def close(self) -> None:
        """Ends the workers."""
        if self.listing is not None:
            self.listing.cancel()
            await asyncio.wait({self.listing})
        await asyncio.gather(*(pool.close() for pool in (self.searches, self.solves, self.checks, self.warm_up)))

    def is_own(self, values: Values) -> bool:
        """Whether a request uses a user's own file, which runs only in workers."""
        return self.allowed.is_own(values.get("game", "")) or values.get("player", "") in self.allowed.players

    async def answer(self, task: str, values: Values, is_gone: IsGone) -> tuple[bytes, str]:
        """The answer as text, and how it may be cached."""
        rules = values.pop("rules", "")
        if task == "saved":
            check_own(self.allowed, values["game"])
            return encoded({"game": values["game"], "saved": self.own.saved(values["game"])}), NEVER
        if self.is_own(values) or (task == "games" and self.allowed.games):
            return encoded(await self.asked(task, values, is_gone)), NEVER
        if not self.is_instant(task, values):
            game = self.allowed.game(values["game"])
            solved = await self.tables.find(game)
            if task == "analysis" and not solved:
                await self.tables.find_book(game)
            if not self.is_instant(task, values):
                if task == "reply" and self.warms and not solved:
                    values = await self.warm_up.request(values)
                fields = await self.searches.ask(task, values, is_gone)
                if task == "game" and not fields["solved"]:
                    self.tables.note_unsolved(game)
                return encoded(fields), NEVER
        body = self.at_once(task, values)
        if not rules or task in ("games", "game"):
            return body, CHECKED
        if rules != rules_hash(self.allowed.game(values["game"])):
            raise OtherRules
        return body, FOR_EVER

    async def asked(self, task: str, values: Values, is_gone: IsGone) -> Fields:
        """A worker's answer; with the data of a user's own game goes which version of its file they are of."""
        name = values.get("game", "")
        before = self.own.saved(name) if self.allowed.is_own(name) else ""
        found = await self.searches.ask(task, values, is_gone)
        data = found["game"] if task == "reload" else found
        if task in ("game", "reload") and before:
            unchanged = self.own.saved(name) == before
            self.own.note_imports(name, data["own"].pop("files"))
            data["own"]["saved"] = self.own.saved(name) if unchanged else before
        return found

    async def checking(self, values: Values) -> AsyncGenerator[Fields]:
        """The findings of a check of a user's own game."""
        check_own(self.allowed, values["game"])
        async for heard in self.checks.follow("check", values):
            yield heard

    async def catalogue(self) -> Fields:
        """All games; the user's own as a worker has listed them, since only workers load these."""
        if not self.allowed.games:
            return TASKS["games"].answer(self.handler, {})
        version = self.own.all_saved()
        if version != self.listed[0]:
            if self.listing is None or self.listing.get_name() != version or self.listing.done():
                if self.listing is not None:
                    self.listing.cancel()
                self.listing = asyncio.create_task(self.list_games(version), name=version)
            await asyncio.wait({self.listing}, timeout=LISTED_SOON)
        return self.listed[1]

    async def list_games(self, version: str) -> None:
        """Lists the games in a worker, however long pages wait; if that fails, the next page tries again."""
        with suppress(Broken, Busy, Refused, Suspended, TooLong):
            self.listed = version, await self.asked("games", {}, still_there)

    def is_instant(self, task: str, values: Values) -> bool:
        """Whether the server itself can answer without keeping others waiting; raises what is wrong with the values."""
        TASKS[task].check(self.handler, values)
        return TASKS[task].is_instant(self.handler, values)

    def at_once(self, task: str, values: Values) -> bytes:
        """The server's own answer to what is instant."""
        if task in ("analysis", "best-line"):
            return self.known(task, tuple(sorted(values.items())))
        return encoded(TASKS[task].answer(self.handler, values))

    def known_answer(self, task: str, values: tuple[tuple[str, str], ...]) -> bytes:
        """The same for answers that cannot change: they are cached."""
        return encoded(TASKS[task].answer(self.handler, dict(values)))

    async def first_board(self, values: Values) -> Fields:
        """The data of the first board, as far as it is known at once; the page asks for the rest."""
        first: Fields = {"games": await self.catalogue(), "game": None, "line": None}
        wanted = {name: values[name] for name in WANTED["line"].all if values.get(name)} | {"partial": "1"}
        wanted.setdefault("game", self.allowed.opens)
        with suppress(PerfectplayError, BadRequest):
            asked = read("line", WANTED["line"], wanted)
            if not self.is_own(asked):
                await self.tables.find(self.allowed.game(wanted["game"]))
                if not self.is_instant("game", asked):
                    return first
                first["game"] = TASKS["game"].answer(self.handler, asked)
                if not self.is_instant("line", asked):
                    return first
                first["line"] = TASKS["line"].answer(self.handler, asked)
                if self.warms and not first["game"]["solved"]:
                    best = next(player["name"] for player in first["game"]["players"] if player["best"])
                    self.warm_up.begin(wanted["game"], best)
        return first

    async def cards(self, is_gone: IsGone) -> list[Fields]:
        """The cards of the gallery: the user's own games first, then those that come with the package.

        It does not wait for a file that others wait for already.
        """
        opened = sorted(self.allowed.opened, key=lambda name: not self.allowed.is_own(name))
        found = []
        for name in dict.fromkeys([*opened, *shown_names()]):
            try:
                (game,) = self.faults.of({"game": name})
                if game.suspect and not self.searches.fits(game):
                    raise Busy
                if name in opened:
                    found.append(json.loads((await self.answer("card", {"game": name}, is_gone))[0]))
                else:
                    found.append(await self.told_card(name))
            except (PerfectplayError, BadRequest, Refused, Busy, Suspended, TooLong, Broken):
                found += [broken_card(name)] if self.allowed.is_own(name) else []
        return found

    async def told_card(self, name: str) -> Fields:
        """The card of a game that comes with the package, by its file or its table; it waits for no worker."""
        if not about(self.handler, name)["known"]:
            await self.tables.find(self.allowed.game(name))
        return await asyncio.to_thread(TASKS["card"].answer, self.handler, {"game": name})

    async def export(self, values: Values, is_gone: IsGone) -> bytes:
        """A file with the solution of a game."""
        if not self.is_own(values):
            self.allowed.game(values["game"])
        return file_in(await self.searches.ask("export", values, is_gone))

    async def solving(self, values: Values) -> AsyncGenerator[Fields]:
        """The messages of a solve; raises NoRoom."""
        if not self.is_own(values):
            self.allowed.game(values["game"])
        room = self.quota.room()
        async for heard in self.solves.follow("solve", {**values, "room": str(room)}):
            if "writes" in heard:
                self.quota.kept.update(map(Path, heard["writes"]))
            else:
                yield heard

    async def while_connected(self, request: Request, lines: AsyncGenerator[Fields]) -> AsyncGenerator[Fields]:
        """The messages as long as the client listens; an empty one when there is nothing new."""
        while True:
            heard = asyncio.ensure_future(anext(lines))
            try:
                while not heard.done():
                    await asyncio.wait({heard}, timeout=POLL)
                    if await request.is_disconnected():
                        return
                    if not heard.done():
                        yield {}
                yield heard.result()
            except StopAsyncIteration:
                return
            finally:
                heard.cancel()
                await asyncio.wait({heard})


def encoded(fields: Fields) -> bytes:
    """The answer as text."""
    return ENCODER.encode(fields).encode(errors="replace")


# The tables that the server has open: opened once, so that a look-up takes no time.


MOST_OPEN = 32
KEPT = 1 << 15
"""Entries cached for each table, some megabytes: nearby positions share children."""


class Tables:
    """The solved games that the server knows."""

    def __init__(self) -> None:
        self.open: dict[Game, TableOracle] = {}
        self.without: dict[Game, int] = {}
        """Games that a worker found neither solved nor small, and the stamp of their tables then."""
        self.books: dict[Game, Table | None] = {}

    def knows(self, game: Game) -> bool:
        """Whether it is known if the game is solved."""
        return game in self.open or self.without.get(game) == tables_stamp(game)

    def oracle(self, game: Game) -> Oracle | None:
        """What is known of the game at once; None as long as it is not known whether it is solved."""
        if game in self.open:
            return self.open[game]
        return SearchOracle(game, book=self.books.get(game)) if self.knows(game) else None

    def note_unsolved(self, game: Game) -> None:
        """Remembers that the game has no table, until one comes to the table folder."""
        self.without[game] = tables_stamp(game)
        forget_oldest(self.without)

    async def find(self, game: Game) -> bool:
        """Whether the game's table is open now; it is opened if it is in the table folder."""
        if game not in self.open and tables_stamp(game) and self.without.get(game) != tables_stamp(game):
            table = await asyncio.to_thread(kept_table, game)
            if table is not None:
                self.open[game] = TableOracle(game, lru_cache(maxsize=KEPT)(table.lookup))
                forget_oldest(self.open)
        return game in self.open

    async def find_book(self, game: Game) -> None:
        """Opens the game's opening book, if there is one and no table."""
        if game not in self.open and game not in self.books:
            self.books[game] = await asyncio.to_thread(book_of, game)
            forget_oldest(self.books)


def forget_oldest(kept: dict[Game, TableOracle] | dict[Game, int] | dict[Game, Table | None]) -> None:
    """Drops the oldest until few are left."""
    while len(kept) > MOST_OPEN:
        del kept[next(iter(kept))]
