"""Checks every request (from our own page, small) and marks every answer as safe to show."""

import re
from functools import lru_cache
from ipaddress import ip_address

from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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
