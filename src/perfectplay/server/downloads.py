"""Downloads of a game: a single page, JSON or C, as `perfectplay export` writes them."""

import re
from base64 import b64decode, b64encode
from io import BytesIO

from perfectplay.exports.formats import ExportOptions, format_for
from perfectplay.exports.page.game_data import Fields
from perfectplay.game import Game
from perfectplay.server.api_answers import BadRequest, RequestHandler, Values
from perfectplay.solvers.steps import finished
from perfectplay.solvers.table.table_folder import kept_table
from perfectplay.words import TooBig

KINDS = {"html": "text/html; charset=utf-8", "json.gz": "application/gzip", "h": "text/plain; charset=utf-8"}
"""The formats and their media types."""
MOST_CLASSES = 100_000
"""Larger games take too long for a request."""


def export(handler: RequestHandler, values: Values) -> Fields:
    """The file in base64, for a worker's message."""
    kind = values["format"]
    if kind not in KINDS:
        raise BadRequest(f"no export here is called {kind[:20]!r}; there are {', '.join(KINDS)}")
    game, chosen, sink = handler.allowed.game(values["game"]), format_for(kind), BytesIO()
    try:
        check_size(game, solved=handler.solution(game) is not None)
        finished(chosen.write(game, sink, kind, ExportOptions()))
    except TooBig:
        if chosen.search is None:
            raise
        finished(chosen.search(game, sink))  # a page that searches takes no table
    return {"data": b64encode(sink.getvalue()).decode()}


def check_size(game: Game, solved: bool) -> None:
    """Raises TooBig for a game that is not solved, or would take too long."""
    if not solved:
        raise TooBig(f"{game.name} is not solved yet")
    table = kept_table(game)
    if table is not None and table.header.classes > MOST_CLASSES:
        raise TooBig(f"{game.name} is too big to export here; run: perfectplay export {game.name} --to FILE")


def file_in(answer: Fields) -> bytes:
    """The file in a worker's answer."""
    return b64decode(answer["data"])


def headers_for(values: Values) -> dict[str, str]:
    """Headers that make the browser save the file, with its name."""
    plain = re.sub(r"[^A-Za-z0-9.]+", "-", values["game"].replace(".py", "")).strip("-.") or "game"
    return {"content-disposition": f'attachment; filename="{plain}.{values["format"]}"'}
