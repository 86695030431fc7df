"""The web server of the page: where it listens, and how it ends."""

import asyncio
import errno
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import current_thread, main_thread
from types import FrameType
from typing import TYPE_CHECKING

from perfectplay.processes.linux_calls import adopt_orphans
from perfectplay.words import PerfectplayError

if TYPE_CHECKING:
    import uvicorn

    from perfectplay.server.allowed_names import AllowedNames
    from perfectplay.server.connection import ConnectionLimits
    from perfectplay.server.dispatcher import Dispatcher

PORT = 8000
OTHERS = 20
"""So many ports after the usual one are tried, if none was asked for."""
GRACE = 2
"""Seconds that requests have to come to an end when the server stops."""

NOT_HERE = (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT)
"""The errors for an address that this machine does not have."""


class CannotServe(PerfectplayError):
    """The server cannot listen where it was told to."""


def answer(
    listener: socket.socket,
    allowed: "AllowedNames",
    hosts: frozenset[str],
    connections: int,
    disk: int,
    watch: str | None,
) -> None:
    """Answers requests until somebody presses Ctrl-C."""
    from perfectplay.server.connection import ConnectionLimits
    from perfectplay.server.dispatcher import Dispatcher

    dispatcher = Dispatcher(allowed, disk, warms=True)
    server_for(dispatcher, hosts, ConnectionLimits(connections=connections), watch).run([listener])


def watched_game(path: str | None) -> list[str]:
    """The game of the record at this path, if it is there; raises BadArgument if the file is no record."""
    from perfectplay.arena.tournaments.tournament_record import read_record

    if path is None or not Path(path).exists() or (Path(path).is_file() and not Path(path).stat().st_size):
        return []
    return [read_record(path).tournament.game]


def server_for(
    dispatcher: "Dispatcher", names: frozenset[str], limits: "ConnectionLimits", watch: str | None = None
) -> "uvicorn.Server":
    """The server that answers for a dispatcher under these names, and follows the record of a tournament."""
    import uvicorn  # only when it is wanted

    from perfectplay.server.app import build_app
    from perfectplay.server.connection import connections_with
    from perfectplay.server.watched_record import WatchedRecord

    class Server(uvicorn.Server):
        """A server that does not wait for searches when it is to end."""

        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            dispatcher.stop()
            super().handle_exit(sig, frame)

        @contextmanager
        def capture_signals(self) -> Iterator[None]:
            """Ends by SIGHUP, too, as by those that uvicorn knows; each is raised again when the server has ended.

            What workers leave behind becomes a child of the server, which no other process may be there to collect.
            """
            with super().capture_signals():
                if current_thread() is not main_thread():  # no other hears signals
                    yield
                    return
                adopt_orphans()
                asyncio.get_running_loop().add_signal_handler(signal.SIGCHLD, dispatcher.collect_ended)
                usual = signal.getsignal(signal.SIGHUP)
                if usual is not signal.SIG_IGN:
                    signal.signal(signal.SIGHUP, self.handle_exit)
                try:
                    yield
                finally:
                    signal.signal(signal.SIGHUP, usual)

    config = uvicorn.Config(
        build_app(dispatcher, names, None if watch is None else WatchedRecord(watch)),
        http=connections_with(limits),
        ws="none",
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=limits.idle,
        timeout_graceful_shutdown=GRACE,
    )
    return Server(config)


def listening(host: str, port: int | None) -> socket.socket:
    """A socket that listens there: at the port asked for, or at the first of some that is free."""
    fault: OSError | None = None
    for wanted in range(PORT, PORT + OTHERS) if port is None else [port]:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # named so, or answers wait 40 ms
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind((host, wanted))
            listener.listen(128)
            return listener
        except (OSError, UnicodeError) as error:
            listener.close()
            if not isinstance(error, OSError) or isinstance(error, socket.gaierror) or error.errno in NOT_HERE:
                what = "is not an address of this machine; try 127.0.0.1, or 0.0.0.0 for all its addresses"
                raise CannotServe(f"cannot listen at --host {host!r}: it {what}") from None
            fault = error
    assert fault is not None
    what = f"port {PORT} and those after it" if port is None else f"port {port}"
    raise CannotServe(f"cannot listen at {host}, {what}: {fault.strerror or fault}; try another --port") from None
