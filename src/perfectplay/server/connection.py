"""A connection to the server: slow clients are disconnected, the slowest at once when others want its place.

uvicorn only closes connections that are idle after an answer. One that sends no request or half of one, or does not
read its answer, would stay open for ever.
"""

import asyncio
import re
from asyncio import TimerHandle
from functools import lru_cache
from ipaddress import ip_address
from typing import NamedTuple

from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol


class ConnectionLimits(NamedTuple):
    """How many seconds a client may take, and how many connections may be open."""

    request: float = 10.0
    """From the connection, or from the first byte of a later request, to the end of the request."""
    idle: int = 5
    """From an answer to the next request."""
    reading: float = 20.0
    """Without reading what is waiting."""
    connections: int = 128


class Connection(HttpToolsProtocol):
    """One client's connection."""

    limits = ConnectionLimits()
    waiting: TimerHandle | None = None
    """Fires when a request is late."""
    stalled: TimerHandle | None = None
    """Fires when the client does not read."""
    since = 0.0
    """When the server began to wait for the client, if it does."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accepts the client; where there are too many, the one that the server has waited for longest has to go."""
        super().connection_made(transport)
        others = [one for one in self.connections if isinstance(one, Connection) and not one.transport.is_closing()]
        if len(others) > self.limits.connections:
            slow = [one for one in others if one is not self and one.waits_for_client]
            if not slow:
                self.refuse(503, "too many connections are open; close some, or try again in a few seconds")
                return
            min(slow, key=lambda one: one.since).transport.abort()
        self.wait_for_request()

    @property
    def waits_for_client(self) -> bool:
        """Whether it is the client's turn: to send a request, the rest of one, or to read."""
        answering = self.cycle is not None and not self.cycle.response_complete
        return self.waiting is not None or self.stalled is not None or not answering

    def connection_lost(self, exc: Exception | None) -> None:
        """Forgets the client."""
        self.stop_waiting()
        self.resume_writing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Takes more of a request; its time runs from the first byte."""
        if self.transport.is_closing():
            return
        self.wait_for_request()
        super().data_received(data)

    def on_message_begin(self) -> None:
        """Starts the time of the next request, which may arrive with the end of the one before."""
        self.wait_for_request()
        super().on_message_begin()

    def on_message_complete(self) -> None:
        """Notes that the request is here."""
        self.stop_waiting()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Continues with the next request."""
        super().on_response_complete()
        self.since = self.loop.time()
        if self.transport.is_closing():
            self.let_go()

    def send_400_response(self, msg: str) -> None:
        """Disconnects a client that sends no HTTP."""
        super().send_400_response(msg)
        self.let_go()

    def pause_writing(self) -> None:
        """Gives the client some time to read."""
        super().pause_writing()
        if self.stalled is None:
            self.since = self.loop.time()
            self.stalled = self.loop.call_later(self.limits.reading, self.transport.abort)

    def resume_writing(self) -> None:
        """Notes that the client reads."""
        if self.stalled is not None:
            self.stalled.cancel()
            self.stalled = None
        if self.flow is not None:
            super().resume_writing()

    def timeout_keep_alive_handler(self) -> None:
        """Disconnects an idle client."""
        self.let_go()

    def wait_for_request(self) -> None:
        """Starts the time of a request unless it runs already."""
        if self.waiting is None:
            self.since = self.loop.time()
            self.waiting = self.loop.call_later(self.limits.request, self.overdue)

    def stop_waiting(self) -> None:
        """Stops it."""
        if self.waiting is not None:
            self.waiting.cancel()
            self.waiting = None

    def overdue(self) -> None:
        """Disconnects a client whose request is late, unless it is being answered."""
        self.waiting = None
        answering = self.cycle is not None and not self.cycle.response_complete
        if answering and not self.cycle.more_body:
            return
        if answering and self.cycle.response_started:
            self.let_go()
        else:
            self.refuse(408, "the request did not come in time")

    def refuse(self, status: int, text: str) -> None:
        """Responds without the application and disconnects."""
        body = b'{"error":"%s"}' % text.encode()
        headers = (
            *SAFE,
            (b"content-type", b"application/json"),
            (b"content-length", b"%d" % len(body)),
            (b"connection", b"close"),
            *([(b"retry-after", b"3")] if status == 503 else []),
        )
        lines = b"".join(b"%s: %s\r\n" % header for header in headers)
        self.transport.write(STATUS_LINE[status] + lines + b"\r\n" + body)
        self.let_go()

    def let_go(self) -> None:
        """Closes the connection when everything is read, or after a while."""
        self.transport.close()
        self.loop.call_later(self.limits.reading, self.transport.abort)


def connections_with(limits: ConnectionLimits) -> type[Connection]:
    """The class of connections with these limits."""
    return type("Connection", (Connection,), {"limits": limits})


# Checks every request (from our own page, small) and marks every answer as safe to show.


MOST_BODY = 64 << 10
LONGEST_QUERY = 16 << 10
HOST = re.compile(r"(?P<name>\[[0-9a-fA-F:.]+\]|[^:\[\]]+)(?::[0-9]{1,5})?")
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",  # boards are painted from SVG that the page itself has drawn
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
SAFE = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)


class Guard:
    """The application behind checks of requests and security headers."""

    def __init__(self, app: ASGIApp, names: frozenset[str]) -> None:
        self.app, self.names = app, names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuses a request or passes it on."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return

        async def send_safe(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *SAFE]
            await send(message)

        refused = self.refusal(scope)
        await (refused or self.app)(scope, receive, send_safe)

    def refusal(self, scope: Scope) -> Response | None:
        """The response to a refused request."""
        headers: dict[bytes, bytes] = dict(scope["headers"])
        host = headers.get(b"host", b"")
        if (
            not is_known(host.decode("latin-1"), self.names)
            or sum(name == b"host" for name, _ in scope["headers"]) != 1
        ):
            return refuse(400, "unknown host name; open the address that the server printed")
        foreign = headers.get(b"sec-fetch-site") in (b"cross-site", b"same-site")
        if (foreign or headers.get(b"origin", b"//" + host).partition(b"//")[2] != host) and scope["path"] != "/":
            return refuse(403, "requests from other sites' pages are not answered")
        if len(scope["query_string"]) > LONGEST_QUERY:
            return refuse(400, f"the address is longer than {LONGEST_QUERY:,} characters")
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or int(length) > MOST_BODY:
            return refuse(413, f"a request has at most {MOST_BODY:,} bytes")
        return None


@lru_cache(maxsize=64)
def is_known(host: str, names: frozenset[str]) -> bool:
    """Whether the host of a request is an address or one of the server's names.

    DNS rebinding cannot change what an address means.
    """
    found = HOST.fullmatch(host)
    if found is None:
        return False
    name = found["name"].strip("[]").lower()
    if name in names:
        return True
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def refuse(status: int, text: str) -> Response:
    """An error response; the rest of a request that is too long is not read."""
    return JSONResponse({"error": text}, status, headers={"connection": "close"} if status == 413 else None)
