"""The web application: requests in, answers out."""

import asyncio
import hashlib
import json
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from urllib.parse import urlencode

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from perfectplay import __version__
from perfectplay.exports.page import STATIC, report_style, style
from perfectplay.exports.page.cards import FILTERS, HEADLINE, LEAD
from perfectplay.exports.page.game_data import Fields, titled
from perfectplay.exports.page.page_bundle import template
from perfectplay.rules.families import groups
from perfectplay.server.allowed_names import AllowedNames
from perfectplay.server.api_answers import KINDS_OF_FILES, headers_for
from perfectplay.server.api_tasks import TASKS, WANTED, description
from perfectplay.server.api_worker import NoRoom
from perfectplay.server.connection import MOST_BODY, Guard, refuse
from perfectplay.server.dispatcher import CHECKED, FOR_EVER, NEVER, Dispatcher, OtherRules
from perfectplay.server.game_faults import Suspended, is_local, tidy
from perfectplay.server.parameters import BadRequest, Values, read
from perfectplay.server.watched_record import UnknownGame, WatchedRecord
from perfectplay.server.worker_pool import Broken, Busy, Ended, Refused, TooLong
from perfectplay.words import PerfectplayError

HERE = Path(__file__).parent
FIRST_SCRIPTS = (
    *("page", "match", "board", "clicks", "dom", "squares"),
    *("address", "api", "words", "controls", "sound", "theme"),
)
"""The scripts of the first board, which the browser loads at once; the rest follows."""
KINDS = {".js": "text/javascript", ".svg": "image/svg+xml"}

LAST = {"solve": "solved", "check": "checked"}
"""The last event of a task that is followed."""


def build_app(
    dispatcher: Dispatcher, names: frozenset[str] = frozenset({"localhost"}), watched: WatchedRecord | None = None
) -> Guard:
    """The application of a server with these host names, which may follow the record of a tournament."""
    files = static_files()
    version = hashlib.sha256(b"".join(content for content, _ in files.values())).hexdigest()[:12]
    page_template, gallery_template = template("page.html"), template("gallery.html")

    async def page(request: Request) -> Response:
        """The gallery, or the page of a game with the data of its first board."""
        if not request.query_params:
            return await gallery(request)
        asked = request.query_params.get("game", "")
        if dispatcher.allowed.sized(asked) != asked:
            return RedirectResponse(page_link({**request.query_params, "game": dispatcher.allowed.sized(asked)}), 307)
        first = await dispatcher.first_board(dict(request.query_params))
        text = page_template.render(
            first=first,
            named=page_title(dispatcher, asked or dispatcher.allowed.opens),
            home="./",
            static=f"/static/{version}",
            scripts=FIRST_SCRIPTS,
            version=__version__,
        )
        return HTMLResponse(text, headers={"cache-control": CHECKED})

    async def gallery(request: Request) -> Response:
        """All games as cards."""
        cards = await dispatcher.cards(request.is_disconnected)
        text = gallery_template.render(
            cards=[{**card, "link": page_link({"game": card["name"]})} for card in cards],
            filters=FILTERS,
            groups=groups(),
            headline=HEADLINE,
            lead=LEAD,
            home="./",
            static=f"/static/{version}",
            version=__version__,
            foot="Everything stays on the machine that serves this page.",
        )
        return HTMLResponse(text, headers={"cache-control": CHECKED})

    def asking(task: str) -> Callable[[Request], Awaitable[Response]]:
        """The endpoint of a task."""

        async def ask(request: Request) -> Response:
            own = False
            try:
                values = read(task, WANTED[task], request.query_params)
                own = dispatcher.is_own(values)
                found = await dispatcher.answer(task, values, request.is_disconnected)
                return sent(request, *found)
            except FAULTS as fault:
                return refusal(fault, dispatcher.allowed, own, is_local(request, names))

        return ask

    async def solve(request: Request) -> Response:
        """Solves a game, and streams its progress as long as the client listens."""
        return await follow(request, "solve", dispatcher.solving)

    async def check(request: Request) -> Response:
        """Checks the rules of a user's own game, and streams what is found as long as the client listens."""
        if not is_local(request, names):
            return refusal(NotLocal(), dispatcher.allowed)
        return await follow(request, "check", dispatcher.checking)

    async def follow(request: Request, task: str, begin: Callable[[Values], AsyncGenerator[Fields]]) -> Response:
        """The messages of a task as events."""
        values: Values = {}
        local = is_local(request, names)
        try:
            values = read(task, WANTED[task], await body_of(request))
            steps = begin(values)
            lines = dispatcher.while_connected(request, steps)
            first: Fields = await anext(lines, {})
        except FAULTS as fault:
            return refusal(fault, dispatcher.allowed, dispatcher.is_own(values), local)

        async def events() -> AsyncIterator[bytes]:
            try:
                yield told(task, first)
                async for heard in lines:
                    yield told(task, heard)
            except FAULTS as fault:
                text = said(fault, dispatcher.allowed, dispatcher.is_own(values), local)[1]
                yield event("refused", {"error": text})
            finally:
                await lines.aclose()
                await steps.aclose()

        return StreamingResponse(events(), media_type="text/event-stream", headers={"cache-control": NEVER})

    async def export(request: Request) -> Response:
        """A solved game as a file."""
        values: Values = {}
        try:
            values = read("export", WANTED["export"], request.query_params)
            data = await dispatcher.export(values, request.is_disconnected)
        except FAULTS as fault:
            return refusal(fault, dispatcher.allowed, dispatcher.is_own(values))
        headers = {"cache-control": NEVER, **headers_for(values)}
        return Response(data, media_type=KINDS_OF_FILES[values["format"]], headers=headers)

    async def static(request: Request) -> Response:
        """One of the page's files; its address changes with its content."""
        if request.path_params["name"] not in files:
            raise HTTPException(404)
        content, kind = files[request.path_params["name"]]
        return Response(content, media_type=kind, headers={"cache-control": FOR_EVER})

    async def openapi(request: Request) -> Response:
        """The OpenAPI description."""
        return JSONResponse(description())

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await dispatcher.open()
        yield
        await dispatcher.close()

    app = Starlette(
        routes=[
            *(Route(f"/api/{task}", asking(task)) for task in (*TASKS, "saved")),  # the most frequent first
            Route("/api/solve", solve, methods=["POST"]),
            Route("/api/check", check, methods=["POST"]),
            Route("/api/export", export),
            Route("/api/openapi.json", openapi),
            *watch_routes(watched, dispatcher.allowed, f"./static/{version}"),
            Route("/", page),
            Route(f"/static/{version}/{{name}}", static),
        ],
        exception_handlers={HTTPException: not_found, Exception: broke_down},
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False
    return Guard(app, names)


def page_title(dispatcher: Dispatcher, name: str) -> str:
    """What people call a game; the rules of a user's own file do not run for it."""
    if not dispatcher.is_own({"game": name}):
        with suppress(PerfectplayError):
            return dispatcher.allowed.game(name).look.title or titled(name)
    return titled(name)


def page_link(values: dict[str, str]) -> str:
    """The address of the page that shows this, as the page writes it."""
    return f"./?{urlencode(values, safe=',:/=')}"


def static_files() -> dict[str, tuple[bytes, str]]:
    """The page's files and their media types, held in memory: they are few and small."""
    found = {
        path.name: (path.read_bytes(), KINDS[path.suffix]) for path in sorted(STATIC.iterdir()) if path.suffix in KINDS
    }
    sheets = {"page.css": style(), "tournament.css": report_style("tournament")}
    return {**found, **{name: (text.encode(), "text/css") for name, text in sheets.items()}}


async def not_found(request: Request, fault: Exception) -> Response:
    """The response to an unknown address or method."""
    assert isinstance(fault, HTTPException)
    allowed = (fault.headers or {}).get("Allow", "")
    response = refuse(fault.status_code, f"only {allowed} is allowed here" if allowed else "not found")
    response.headers.update(fault.headers or {})
    return response


async def broke_down(request: Request, fault: Exception) -> Response:
    """The response to an internal error; the terminal shows it."""
    return refuse(500, TEXTS["Broken"])


async def body_of(request: Request) -> dict[str, str]:
    """The JSON object in the body of a request, its values as text."""
    body = b""
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > MOST_BODY:
                raise TooLarge
    except ClientDisconnect:
        raise BadRequest("the body is not whole") from None
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):  # not UTF-8, not JSON, or nothing but brackets
        found = None
    if not isinstance(found, dict) or not all(isinstance(value, str) for value in found.values()):
        raise BadRequest('the body must be a JSON object such as {"game": "drop:5,4,4"}')
    return found


def told(task: str, heard: Fields) -> bytes:
    """The message of a solve or a check as an event; a comment if it is empty."""
    if not heard:
        return b": waiting\n\n"
    return event(next((kind for kind in ("step", "finding") if kind in heard), LAST[task]), heard)


def event(kind: str, fields: Fields) -> bytes:
    """A server-sent event."""
    return f"event: {kind}\ndata: {json.dumps(fields)}\n\n".encode()


def sent(request: Request, body: bytes, keep: str) -> Response:
    """The response: cached for ever, or revalidated by its ETag."""
    if keep != CHECKED:
        return Response(body, media_type="application/json", headers={"cache-control": keep})
    mark = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
    headers = {"cache-control": keep, "etag": mark}
    if mark in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(body, media_type="application/json", headers=headers)


# The requests about a tournament that the server follows: its live page, what is new, and a game to be replayed.


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
                values = read(task, WANTED[task], request.query_params)
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
        return record.news(values.get("since", 0))

    def replay(record: WatchedRecord, values: Values) -> Fields:
        """A game, to be replayed."""
        return record.replay(values["number"], allowed)

    return [
        Route(f"/{PAGE}", page),
        Route("/api/tournament", asking("tournament", news)),
        Route("/api/tournament-game", asking("tournament-game", replay)),
    ]


# Errors as responses: each has a status and a sentence, and tells the client no more than it should know.


STATUS = {
    "BadRequest": 400,
    "BadPlayer": 400,
    "BadPosition": 400,
    "IllegalMove": 400,
    "NotLocal": 403,
    "BadGame": 404,
    "NeverReturns": 404,
    "OtherRules": 409,
    "TooLarge": 413,
    "BadTable": 422,
    "CannotKeep": 422,
    "NoRoom": 422,
    "Suspended": 422,
    "TooBig": 422,
    "TooLong": 422,
    "Gone": 422,
    "BrokenRules": 422,
    "Broken": 500,
    "Busy": 503,
    "Ended": 503,
}
"""The HTTP status of each error."""
TEXTS = {
    "BadTable": "the table of this game is damaged; see the server's terminal",
    "OtherRules": "the rules have changed; reload the page",
    "TooLarge": f"a request has at most {MOST_BODY:,} bytes",
    "TooLong": "this takes too long here; the command line has no such limit",
    "BrokenRules": "the rules of this game, or the player, failed; see the server's terminal",
    "Broken": "internal error; see the server's terminal",
    "Busy": "all workers are busy; try again in a few seconds",
    "Ended": "the worker process ended twice; try again",
}
"""Messages that hide details from the client."""


class TooLarge(Exception):
    """A request's body is too large."""


FAULTS = (PerfectplayError, BadRequest, Refused, Busy, Suspended, TooLong, NoRoom, Broken, TooLarge, OtherRules)


class NotLocal(Exception):
    """Only the person at this machine may ask this: the answer tells about a user's own file."""

    def __init__(self) -> None:
        super().__init__("rules are checked only for the machine that serves this page")


def said(fault: Exception, allowed: AllowedNames, own: bool = False, local: bool = False) -> tuple[int, str]:
    """The status and the message of an error; details that are not for the client go to the server's terminal.

    The person at this machine gets the line about a user's own file.
    """
    kind = fault.kind if isinstance(fault, Refused) else type(fault).__name__
    if isinstance(fault, Broken) or (isinstance(fault, PerfectplayError) and fault.__cause__ is not None):
        kind = "BrokenRules" if own else "Ended" if isinstance(fault, Ended) else "Broken"
    if kind in ("BrokenRules", "Broken", "Ended", "BadTable"):
        print(f"perfectplay: {fault}", file=sys.stderr)
    line = fault.line if isinstance(fault, Broken | Suspended) else str(fault)
    if own and local and line and kind in ("BrokenRules", "BadGame", "NeverReturns", "Suspended"):
        return STATUS[kind], tidy(line, allowed)
    return STATUS[kind], TEXTS.get(kind) or allowed.outward(" ".join(str(fault).split()))


def refusal(fault: Exception, allowed: AllowedNames, own: bool = False, local: bool = False) -> Response:
    """The response to a wrong request."""
    status, text = said(fault, allowed, own, local)
    response = refuse(status, text)
    response.headers["cache-control"] = NEVER
    if status == 503:
        response.headers["retry-after"] = "3"
    return response
