"""`perfectplay serve`: the page, on this machine."""

import asyncio
import errno
import os
import signal
import socket
import sys
import webbrowser
from argparse import Namespace
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import current_thread, main_thread
from types import FrameType
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from perfectplay.commands.terminal.signals import Ended
from perfectplay.players.registry import player_maker
from perfectplay.processes.linux_calls import adopt_orphans
from perfectplay.server.allowed_names import AllowedNames, allow
from perfectplay.server.game_faults import is_loopback
from perfectplay.words import PerfectplayError

if TYPE_CHECKING:
    import uvicorn

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


def serve(options: Namespace) -> int:
    """Serves the page until it is stopped."""
    allowed = allow([*options.opened, *watched_game(options.watch)], options.player or [])
    for name in allowed.players.values():
        player_maker(name)
    with closing(listening(options.host, options.port)) as listener:
        port = listener.getsockname()[1]
        shown = "127.0.0.1" if options.host in ("0.0.0.0", "") else "[::1]" if options.host == "::" else options.host
        address = f"http://{f'[{shown}]' if ':' in shown and not shown.startswith('[') else shown}:{port}/"
        if not options.host or not is_loopback(options.host):
            where = options.host or "this machine"
            warning = f"whoever reaches {where} can use this server and this machine's time"
            print(f"perfectplay: warning: {warning}", file=sys.stderr)
        page = f"{address}?{urlencode({'game': allowed.opens}, safe=',:/=')}" if options.opened else address
        said = ""
        if options.watch:
            page = f"{address}tournament"
            said = f"The tournament of {options.watch} is at {page}\n"
        print(f"perfectplay is at {address}\n{said}Ctrl-C ends it.", flush=True)
        if not options.no_browser and has_screen():
            webbrowser.open(page)
        names = frozenset({"localhost", options.host.lower(), *map(str.lower, options.name or ())})
        try:
            run(allowed, listener, names, options)
        except Ended as end:
            if end.number != signal.SIGINT:
                raise
            return 0  # Ctrl-C is how it is told to end
    return 0


def run(allowed: AllowedNames, listener: socket.socket, names: frozenset[str], options: Namespace) -> None:
    """Answers requests until somebody presses Ctrl-C."""
    from perfectplay.server.connection import ConnectionLimits
    from perfectplay.server.dispatcher import Dispatcher

    dispatcher = Dispatcher(allowed, options.disk, warms=True)
    limits = ConnectionLimits(connections=options.connections)
    server_for(dispatcher, names, limits, options.watch).run([listener])


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


def has_screen() -> bool:
    """Whether a browser could be shown to the person who typed the command."""
    if not (sys.stdout is not None and sys.stdout.isatty()):
        return False
    return sys.platform == "darwin" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
