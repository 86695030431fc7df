"""What goes wrong in a user's own file, in one line, for the person at the machine that serves the page."""

import re
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING

from perfectplay.rules.loading import describe_fault, line_of, split_path
from perfectplay.server.allowed_names import AllowedNames

if TYPE_CHECKING:
    from starlette.requests import Request

FORWARDED = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip")
"""Headers of proxies: whose request it is, nobody knows."""


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches the host."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def is_local(request: "Request", names: frozenset[str]) -> bool:
    """Whether the request comes from this machine to a server, of these names, that no other machine reaches."""
    host = request.headers.get("host", "").rpartition(":")[0] or request.headers.get("host", "")
    asked = (request.client.host if request.client else "", host.strip("[]").lower(), *names)
    return all(map(is_loopback, asked)) and not any(name in request.headers for name in FORWARDED)


def fault_line(fault: BaseException, allowed: AllowedNames) -> str:
    """The file, the line and the error, if it came through a user's own file; else nothing."""
    for name, path in (*allowed.games.items(), *allowed.players.items()):
        file = split_path(path)[0] or Path()
        where = line_of(fault, file)
        if where:
            return f"{name.partition(':')[0]}{where} does not work: {describe_fault(fault)}"
    return ""


def tidy(text: str, allowed: AllowedNames) -> str:
    """The text in one line, with files called as on the page."""
    text = allowed.outward(" ".join(text.split()))
    for name in (*allowed.games, *allowed.players):
        file = re.escape(name.partition(":")[0])
        text = re.sub(rf"'(?:\./)?({file}(?::[^']*)?)'|\./({file})", lambda found: found[1] or found[2], text)
    return text
