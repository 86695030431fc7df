"""A connection to the server: whoever sends or reads too slowly is let go, and nobody holds too many at once.

uvicorn closes a connection that is idle after an answer, and nothing else: one that never sends a request, or half of
one, stays open for ever, and so does one that does not read its answer.
"""

import asyncio
from asyncio import TimerHandle
from typing import NamedTuple

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from perfectplay.front.web.request_guard import SAFE


class Patience(NamedTuple):
    """How long a client may take, in seconds, and how many connections there may be."""

    request: float = 10.0
    """From the connection, or from the first byte of a later request, to the end of the request."""
    idle: int = 5
    """From an answer to the next request."""
    reading: float = 20.0
    """That a client reads nothing of what waits for it."""
    connections: int = 128
    each: int = 48
    """Connections of one client: a browser opens six for each of its windows at most."""


class Connection(HttpToolsProtocol):
    """One client's connection."""

    patience = Patience()
    waiting: TimerHandle | None = None
    """Rings when a request has not come in time."""
    stalled: TimerHandle | None = None
    """Rings when nobody reads."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Lets the client in, unless there are too many."""
        super().connection_made(transport)
        host = self.client and self.client[0]
        mine = [one for one in self.connections if isinstance(one, Connection) and one.client and one.client[0] == host]
        if len(self.connections) > self.patience.connections or len(mine) > self.patience.each:
            self.refuse(503, "too many connections are open; close some, or try again in a few seconds")
            return
        self.wait_for_request()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forgets the client."""
        self.stop_waiting()
        self.resume_writing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Takes some more of a request; the time for it runs from its first byte."""
        if self.transport.is_closing():
            return
        self.wait_for_request()
        super().data_received(data)

    def on_message_begin(self) -> None:
        """Notes that another request begins, which may come together with the end of the one before."""
        self.wait_for_request()
        super().on_message_begin()

    def on_message_complete(self) -> None:
        """Notes that the request is here."""
        self.stop_waiting()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Goes on with the next request; what nobody reads is not kept for ever."""
        super().on_response_complete()
        if self.transport.is_closing():
            self.let_go()

    def send_400_response(self, msg: str) -> None:
        """Lets a client go that sends no HTTP."""
        super().send_400_response(msg)
        self.let_go()

    def pause_writing(self) -> None:
        """Gives the client some time to read."""
        super().pause_writing()
        if self.stalled is None:
            self.stalled = self.loop.call_later(self.patience.reading, self.transport.abort)

    def resume_writing(self) -> None:
        """Notes that the client reads."""
        if self.stalled is not None:
            self.stalled.cancel()
            self.stalled = None
        if self.flow is not None:
            super().resume_writing()

    def timeout_keep_alive_handler(self) -> None:
        """Lets a client go that asks for nothing more."""
        self.let_go()

    def wait_for_request(self) -> None:
        """Begins to count the time of a request, if it is not counted yet."""
        if self.waiting is None:
            self.waiting = self.loop.call_later(self.patience.request, self.overdue)

    def stop_waiting(self) -> None:
        """Ends that."""
        if self.waiting is not None:
            self.waiting.cancel()
            self.waiting = None

    def overdue(self) -> None:
        """Lets a client go whose request has not come; not one whose request is being answered."""
        self.waiting = None
        answering = self.cycle is not None and not self.cycle.response_complete
        if answering and not self.cycle.more_body:
            return
        if answering and self.cycle.response_started:
            self.let_go()
        else:
            self.refuse(408, "the request did not come in time")

    def refuse(self, status: int, text: str) -> None:
        """Answers without asking the application, and lets the client go."""
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
        """Closes the connection when what was written is read, or when it is not read in time."""
        self.transport.close()
        self.loop.call_later(self.patience.reading, self.transport.abort)


def connections_with(patience: Patience) -> type[Connection]:
    """The class of connections for which this holds."""
    return type("Connection", (Connection,), {"patience": patience})
