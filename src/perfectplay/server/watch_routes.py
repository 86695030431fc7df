"""The requests about a tournament that the server follows: its live page, what is new, and a game to be replayed."""

import asyncio
from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from perfectplay.exports.page.game_data import Fields
from perfectplay.server.allowed_names import AllowedNames
from perfectplay.server.api_answers import BadRequest, Values
from perfectplay.server.dispatcher import NEVER, checked
from perfectplay.server.request_guard import refuse
from perfectplay.server.watched_record import UnknownGame, WatchedRecord

DIGITS = 12
"""Digits of a number in a request, at most."""
PAGE = "tournament"
"""The path of the live page."""
Answer = Callable[[WatchedRecord, Values], Fields]
"""Answers a request."""
NOT_WATCHED = "no tournament is followed here; start the server with: perfectplay serve --watch FILE"


def watch_routes(watched: WatchedRecord | None, allowed: AllowedNames, static: str) -> list[Route]:
    """The routes; without a record they all answer that there is none."""

    async def page(request: Request) -> Response:
        """The live page."""
        if watched is None:
            return refuse(404, NOT_WATCHED)
        text = await asyncio.to_thread(watched.whole_page, {"home": "./", "static": static})
        return HTMLResponse(text, headers={"cache-control": NEVER})

    def asking(task: str, answer: Answer) -> Callable[[Request], Awaitable[Response]]:
        """The endpoint of a task."""

        async def ask(request: Request) -> Response:
            try:
                values = checked(task, request.query_params)
                for name, text in values.items():
                    check_number(name, text)
                if watched is None:
                    return refuse(404, NOT_WATCHED)
                found = await asyncio.to_thread(answer, watched, values)
            except BadRequest as fault:
                return refuse(400, str(fault))
            except UnknownGame as fault:
                return refuse(404, str(fault))
            return JSONResponse(found, headers={"cache-control": NEVER})

        return ask

    def news(record: WatchedRecord, values: Values) -> Fields:
        """How the tournament stands, and the games that are new."""
        return record.news(int(values.get("since", "0")))

    def replay(record: WatchedRecord, values: Values) -> Fields:
        """A game, to be replayed."""
        return record.replay(int(values["number"]), allowed)

    return [
        Route(f"/{PAGE}", page),
        Route("/api/tournament", asking("tournament", news)),
        Route("/api/tournament-game", asking("tournament-game", replay)),
    ]


def check_number(name: str, text: str) -> None:
    """Raises BadRequest if a parameter is no whole number."""
    if not (text.isascii() and text.isdigit() and len(text) <= DIGITS):
        raise BadRequest(f"{name} must be a whole number, not {text[:40]!r}")
