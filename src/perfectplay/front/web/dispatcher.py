"""Answers requests: the server itself if it can at once, else a worker."""

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from starlette.requests import Request

from perfectplay.front.web.allowed_names import LONGEST_NAME, AllowedNames
from perfectplay.front.web.api_answers import BadRequest, Later, RequestHandler, Values
from perfectplay.front.web.api_tasks import TASKS
from perfectplay.front.web.downloads import file_in
from perfectplay.front.web.open_tables import Tables
from perfectplay.front.web.solve_quota import Quota, SolveLimits
from perfectplay.front.web.worker_pool import POLL, Broken, Busy, IsGone, Refused, TooLong, TooMany, WorkerPool
from perfectplay.loading import shown_names
from perfectplay.page.game_data import Fields, rules_hash
from perfectplay.solvers.lookup_or_solve import lookup_if_solved
from perfectplay.words import PerfectplayError

PARAMETERS: dict[str, dict[str, bool]] = {
    "games": {},
    "card": {"game": True},
    "game": {"game": True},
    "line": {"game": True, "position": False, "moves": False, "first": False, "second": False, "partial": False},
    "analysis": {"game": True, "position": False, "chance": False, "seconds": False},
    "best-line": {"game": True, "position": False},
    "reply": {"game": True, "position": False, "player": True, "seconds": False},
    "forecast": {"game": True},
    "solve": {"game": True},
    "export": {"game": True, "format": True},
}
"""The parameters of each request, and whether they are required; with `rules` answers may be cached."""
LONGEST_MOVES = 4 << 10
"""Characters of a list of moves, at most."""
SEARCHES, WAITING, EACH = 2, 16, 8
"""Workers, requests that may wait for them, and requests of one client at once."""
FOR_EVER = "public, max-age=31536000, immutable"
"""Cached without revalidation."""
CHECKED = "no-cache"
"""Cached, but revalidated each time."""
NEVER = "no-store"
ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def checked(task: str, given: Mapping[str, str]) -> Values:
    """The parameters of a request, checked; empty ones are left out."""
    wanted = PARAMETERS[task]
    for name in given:
        if name not in wanted and name != "rules":
            raise BadRequest(f"{name[:40]!r} is not understood here; {task} takes {', '.join(wanted) or 'nothing'}")
    for name, needed in wanted.items():
        most = LONGEST_MOVES if name == "moves" else LONGEST_NAME
        if needed and not given.get(name):
            raise BadRequest(f"{name} is missing")
        if len(given.get(name, "")) > most:
            raise BadRequest(f"{name} is longer than {most} characters")
    return {name: value for name, value in given.items() if value}


class OtherRules(Exception):
    """The request is about rules that have changed."""


class Dispatcher:
    """The server's handler and the workers behind it."""

    def __init__(self, allowed: AllowedNames, limits: SolveLimits = SolveLimits()) -> None:  # noqa: B008 - never changed
        self.allowed = allowed
        self.quota = Quota(limits)
        self.tables = Tables()
        self.handler = RequestHandler(allowed, self.tables.solution, at_once=True, book=self.tables.books.get)
        self.searches = WorkerPool(allowed, SEARCHES, WAITING, EACH)
        self.solves = WorkerPool(allowed, size=1, waiting=2, each=2)  # one may still be ending
        self.known = lru_cache(maxsize=4096)(self.known_answer)

    async def open(self) -> None:
        """Prepares the game that the page opens with."""
        if not self.allowed.is_own(self.allowed.opens):
            game = self.allowed.game(self.allowed.opens)
            if await asyncio.to_thread(lookup_if_solved, game) is None:
                self.tables.note_unsolved(game)
            await self.tables.find(game)

    def stop(self) -> None:
        """Cancels all tasks: the server is about to end."""
        self.searches.stop()
        self.solves.stop()

    async def close(self) -> None:
        """Ends the workers."""
        await asyncio.gather(self.searches.close(), self.solves.close())

    def is_own(self, values: Values) -> bool:
        """Whether a request uses a user's own file, which runs only in workers."""
        return self.allowed.is_own(values.get("game", "")) or values.get("player", "") in self.allowed.players

    async def answer(self, task: str, values: Values, client: str, is_gone: IsGone) -> tuple[bytes, str]:
        """The answer as text, and how it may be cached."""
        rules = values.pop("rules", "")
        if self.is_own(values):
            return encoded(await self.searches.ask(client, task, values, is_gone)), NEVER
        try:
            body = self.at_once(task, values)
        except Later:
            game = self.allowed.game(values["game"])
            try:
                solved = await self.tables.find(game)
                if task == "analysis" and not solved:
                    await self.tables.find_book(game)
                elif not solved:
                    raise Later
                body = self.at_once(task, values)
            except Later:
                found = await self.searches.ask(client, task, values, is_gone)
                if task == "game" and not found["solved"]:
                    self.tables.note_unsolved(game)
                return encoded(found), NEVER
        if not rules or task in ("games", "game"):
            return body, CHECKED
        if rules != rules_hash(self.allowed.game(values["game"])):
            raise OtherRules
        return body, FOR_EVER

    def at_once(self, task: str, values: Values) -> bytes:
        """The server's own answer; raises Later if it has none."""
        if task in ("analysis", "best-line"):
            return self.known(task, tuple(sorted(values.items())))
        return encoded(TASKS[task](self.handler, values))

    def known_answer(self, task: str, values: tuple[tuple[str, str], ...]) -> bytes:
        """The same for answers that cannot change: they are cached."""
        return encoded(TASKS[task](self.handler, dict(values)))

    async def first_board(self, values: Values) -> Fields:
        """The data of the first board, as far as it is known at once; the page asks for the rest."""
        first: Fields = {"games": TASKS["games"](self.handler, {}), "game": None, "line": None}
        wanted = {name: values[name] for name in PARAMETERS["line"] if values.get(name)} | {"partial": "1"}
        wanted.setdefault("game", self.allowed.opens)
        with suppress(PerfectplayError, BadRequest, Later):
            if not self.is_own(checked("line", wanted)):
                await self.tables.find(self.allowed.game(wanted["game"]))
                first["game"] = TASKS["game"](self.handler, wanted)
                first["line"] = TASKS["line"](self.handler, wanted)
        return first

    async def cards(self, client: str, is_gone: IsGone) -> list[Fields]:
        """The cards of the gallery: the user's own games first, then those that come with the package."""
        opened = sorted(self.allowed.opened, key=lambda name: not self.allowed.is_own(name))
        found = []
        for name in dict.fromkeys([*opened, *shown_names()]):
            with suppress(PerfectplayError, BadRequest, Refused, Busy, TooMany, TooLong, Broken):
                found.append(json.loads((await self.answer("card", {"game": name}, client, is_gone))[0]))
        return found

    async def export(self, values: Values, client: str, is_gone: IsGone) -> bytes:
        """A file with the solution of a game."""
        if not self.is_own(values):
            self.allowed.game(values["game"])
        return file_in(await self.searches.ask(client, "export", values, is_gone))

    async def solving(self, values: Values, client: str) -> AsyncGenerator[Fields]:
        """The messages of a solve; raises NoRoom or TooSoon."""
        if not self.is_own(values):
            self.allowed.game(values["game"])
        room = self.quota.begin(client)
        async for heard in self.solves.follow(client, "solve", {**values, "room": str(room)}):
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
