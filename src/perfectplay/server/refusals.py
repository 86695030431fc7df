"""Errors as responses: each has a status and a sentence, and tells the client no more than it should know."""

import sys

from starlette.responses import Response

from perfectplay.server.allowed_names import AllowedNames
from perfectplay.server.api_answers import BadRequest
from perfectplay.server.dispatcher import NEVER, OtherRules
from perfectplay.server.game_faults import Suspended
from perfectplay.server.own_faults import tidy
from perfectplay.server.request_guard import MOST_BODY, refuse
from perfectplay.server.solve_quota import NoRoom
from perfectplay.server.worker_pool import Broken, Busy, Ended, Refused, TooLong
from perfectplay.words import PerfectplayError

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
