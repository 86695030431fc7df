"""`serve`: the page, on this machine."""

import os
import sys
from collections.abc import Sequence
from typing import Annotated

from perfectplay.commands.kinds import Flag, Named, Size, Whole
from perfectplay.commands.verb import verb


@verb(
    "play",
    "play and explore games in the browser",
    "serve",
    "serve tic-tac-toe nim --no-browser",
    prints=True,
    runs_rules=False,  # the server handles signals itself, and its workers run the rules
    kept="tables that were solved from the page are kept",
)
def serve(
    *games: Annotated[
        str, Named("games to open, by name or file (default: tic-tac-toe)", metavar="GAME", argument=True)
    ],
    players: Annotated[
        Sequence[str],
        Named(
            "a player of your own: a function (./bots.py:my_ai) or a program (cmd:./mybot)",
            metavar="PLAYER",
            flag="--player",
            repeats=True,
        ),
    ] = (),
    watch: Annotated[
        str | None,
        Named("follow the tournament that writes this record, and open its live page", metavar="FILE"),
    ] = None,
    host: Annotated[str, Named("address to listen on (default: this machine only)")] = "127.0.0.1",
    port: Annotated[int | None, Whole("port (default: 8000 or the next free port; 0: any free port)", 0, 65535)] = None,
    browser: Annotated[bool, Flag("do not open a browser", flag="--no-browser")] = True,
    names: Annotated[
        Sequence[str],
        Named(
            "a host name under which browsers may reach the server, such as games.example.org",
            metavar="NAME",
            flag="--name",
            repeats=True,
            rare=True,
        ),
    ] = (),
    connections: Annotated[int, Whole("maximum number of open connections (default: 128)", 1, 10_000, rare=True)] = 128,
    disk: Annotated[
        int, Size("disk space for tables solved from the page (default: 4G)", metavar="SIZE", rare=True)
    ] = 4 << 30,
) -> int:
    """Serves the page until it is stopped."""
    import signal
    import webbrowser
    from contextlib import closing
    from urllib.parse import urlencode

    from perfectplay.commands.terminal.signals import Ended
    from perfectplay.players.registry import player_maker
    from perfectplay.server.allowed_names import allow
    from perfectplay.server.game_faults import is_loopback
    from perfectplay.server.web_server import answer, listening, watched_game

    allowed = allow([*games, *watched_game(watch)], players)
    for name in allowed.players.values():
        player_maker(name)
    with closing(listening(host, port)) as listener:
        port = listener.getsockname()[1]
        shown = "127.0.0.1" if host in ("0.0.0.0", "") else "[::1]" if host == "::" else host
        address = f"http://{f'[{shown}]' if ':' in shown and not shown.startswith('[') else shown}:{port}/"
        if not host or not is_loopback(host):
            warning = f"whoever reaches {host or 'this machine'} can use this server and this machine's time"
            print(f"perfectplay: warning: {warning}", file=sys.stderr)
        page = f"{address}?{urlencode({'game': allowed.opens}, safe=',:/=')}" if games else address
        said = ""
        if watch:
            page = f"{address}tournament"
            said = f"The tournament of {watch} is at {page}\n"
        hosts = frozenset({"localhost", host.lower(), *map(str.lower, names)})
        try:
            print(f"perfectplay is at {address}\n{said}Ctrl-C ends it.", flush=True)
            if browser and has_screen():
                webbrowser.open(page)
            answer(listener, allowed, hosts, connections, disk, watch)
        except Ended as end:
            if end.number != signal.SIGINT:
                raise
            return 0  # Ctrl-C is how it is told to end
    return 0


def has_screen() -> bool:
    """Whether a browser could be shown to the person who typed the command."""
    if not (sys.stdout is not None and sys.stdout.isatty()):
        return False
    return sys.platform == "darwin" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
