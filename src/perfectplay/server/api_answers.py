"""The answers to requests, plain values from plain text. The same functions run in the server and in its workers.

The server answers what is instant, by the tables that it has open; a worker solves small games and searches large ones.
"""

import re
import time
from base64 import b64decode, b64encode
from collections.abc import Callable
from functools import lru_cache
from io import BytesIO
from random import Random
from typing import NamedTuple

from perfectplay.arena.referee import fault_line, play_move
from perfectplay.exports.formats import ExportOptions, format_for
from perfectplay.exports.page.game_data import MOST_SECONDS, Fields
from perfectplay.exports.page.shown_position import here
from perfectplay.game import COMPILED_BITS, Game, after, legal_moves
from perfectplay.players.player_kind import HUMAN
from perfectplay.players.registry import player_maker
from perfectplay.players.seat import Maker, Seat, SoFar
from perfectplay.players.stand_in import needs_compiler, stand_in
from perfectplay.rules.notation import move_name, parse_position, replay, show_position
from perfectplay.server.allowed_names import AllowedNames
from perfectplay.server.analysis_facts import add_probabilities, study_facts
from perfectplay.server.parameters import SECONDS, BadRequest, Values
from perfectplay.solvers.memory.interpreted import forecast_count
from perfectplay.solvers.oracle import Cost, Oracle, SearchOracle, TableOracle
from perfectplay.solvers.search.search_clock import Limits
from perfectplay.solvers.steps import finished
from perfectplay.solvers.table.table_folder import kept_table
from perfectplay.solvers.unsolved import is_hopeless
from perfectplay.solvers.validity.plausibility import check_before, check_turn
from perfectplay.solvers.worth import Study
from perfectplay.views.board_squares import change_of
from perfectplay.words import (
    FIRST,
    ONGOING,
    BadPlayer,
    BadPosition,
    BotFault,
    IllegalMove,
    Move,
    Position,
    TooBig,
)


class RequestHandler(NamedTuple):
    """What answers a request needs: the names that are allowed, and the oracles of games.

    There is none of a game as long as it is not known whether the game is solved.
    """

    allowed: AllowedNames
    oracle: Callable[[Game], Oracle | None]

    def knows(self, game: Game) -> bool:
        """Whether it can be said at once whether the game is solved."""
        return self.oracle(game) is not None

    def table(self, game: Game) -> TableOracle | None:
        """The oracle of a solved game, None for others."""
        oracle = self.oracle(game)
        return oracle if isinstance(oracle, TableOracle) else None


QUICK = 4_000
"""Squares to look at that the server handles itself: some milliseconds."""
LONGEST_LINE = 200
"""Plies of a line of best play, at most."""
ENDLESS_LINE = 12
"""The same for an endless line."""
READY_PLIES, READY_SECONDS = 4, 0.05
"""The position in which a player that gets ready makes a move, and its time for that."""


def given_position(handler: RequestHandler, game: Game, values: Values) -> tuple[Position, int]:
    """The position in the request, the start if there is none; raises BadPosition for an impossible one."""
    text = values.get("position", "")
    if not text:
        return game.start, FIRST
    position, side = parse_position(game, text)
    check_turn(game, position, side)
    table = handler.table(game)
    if table is None:
        check_before(game, position, side)
        return position, side
    try:
        table.lookup(position)
    except BadPosition:
        raise BadPosition(f"{text} cannot be reached by legal play from the start") from None
    return position, side


def line(handler: RequestHandler, values: Values) -> Fields:
    """The positions of a game, move by move, and the legal moves of the last."""
    game = handler.allowed.game(values["game"])
    names = values.get("moves", ())
    check_seats(handler, values)
    position, side = given_position(handler, game, values)
    plies: list[Fields] = [{"position": show_position(game, position, side), "side": side}]
    refused: Fields = {}
    try:
        for before, mover, move in replay(game, position, side, names):
            position, side = after(game, before, mover, move)
            change = change_of(game, (before, mover), (position, side))
            name = move_name(game, before, mover, move)
            shown = show_position(game, position, side)
            plies.append({"position": shown, "side": side, "move": name, "to": change.to, "from": [*change.left]})
    except IllegalMove:
        if "partial" not in values:
            raise
        refused = {"refused": {"move": names[len(plies) - 1], "number": len(plies)}}
    return {"game": values["game"], "plies": plies, "here": here(game, position, side), **refused}


def line_is_instant(handler: RequestHandler, values: Values) -> bool:
    """Whether the boards are few and small."""
    game = handler.allowed.game(values["game"])
    few = (len(values.get("moves", ())) + 1) * weight(game) <= QUICK
    return few and ("position" not in values or handler.knows(game))


def check_seats(handler: RequestHandler, values: Values) -> None:
    """Raises BadPlayer where a name of the request is neither human nor a player."""
    for name in (values.get("first", HUMAN), values.get("second", HUMAN)):
        if name != HUMAN and name not in handler.allowed.players:
            player_maker(handler.allowed.player(name))


def weight(game: Game) -> int:
    """How many squares and kinds of pieces a drawn board looks at."""
    width, height = game.shape
    return width * height * len(game.look.pieces.first)


def analysis(handler: RequestHandler, values: Values) -> Fields:
    """The value of a position and of each move: from a table, from an opening book, or as far as a search proves it."""
    game = handler.allowed.game(values["game"])
    oracle, model = asked_oracle(handler, game), values.get("chance", "")
    seconds = values.get("seconds", SECONDS)
    position, side = given_position(handler, game, values)
    if model and not oracle.proves:
        raise TooBig("win probabilities need a solved game")
    study = finished(oracle.studying(position, Limits(seconds)))
    facts = {"game": values["game"], **study_facts(game, position, side, study), **origin(oracle, position, study)}
    return add_probabilities(facts, game, position, side, handler.allowed.player(model)) if model else facts


def asked_oracle(handler: RequestHandler, game: Game) -> Oracle:
    """The oracle of a game, of which it is known by now whether it is solved."""
    oracle = handler.oracle(game)
    assert oracle is not None
    return oracle


def origin(oracle: Oracle, position: Position, study: Study) -> Fields:
    """Where a study comes from, and what it took."""
    if oracle.proves:
        return {"source": "table"}
    book = {} if oracle.book is None else {"book": oracle.book.header.plies}
    if oracle.cost(position) == Cost.INSTANT:
        return {"source": "book", **book}
    return {"source": "search", "nodes": study.nodes, **book}


def analysis_is_instant(handler: RequestHandler, values: Values) -> bool:
    """Whether a table or the opening book answers."""
    game = handler.allowed.game(values["game"])
    oracle = handler.oracle(game)
    if values.get("chance") or oracle is None:
        return False
    if oracle.proves or oracle.book is None:
        return oracle.proves
    return oracle.cost(given_position(handler, game, values)[0]) == Cost.INSTANT


def forecast(handler: RequestHandler, values: Values) -> Fields:
    """About how many positions a game has, null if that is not known, and whether solving it here may succeed."""
    game = handler.allowed.game(values["game"])
    compiles = game.bits <= COMPILED_BITS and game.key is not None
    positions = forecast_count(game) if compiles else None
    return {"game": values["game"], "positions": positions, "solvable": compiles and not is_hopeless(game)}


def best_line(handler: RequestHandler, values: Values) -> Fields:
    """A line of best play: to the end, or some plies of an endless one."""
    game = handler.allowed.game(values["game"])
    oracle = asked_oracle(handler, game)
    position, side = given_position(handler, game, values)
    entry = oracle.study(position).here.entry if oracle.proves else None
    endless = entry is not None and entry.endless
    best = provably_best(oracle)
    names: list[str] = []
    while game.outcome(*position) == ONGOING and len(names) < (ENDLESS_LINE if endless else LONGEST_LINE):
        move = best(position)
        if move is None:
            break
        names.append(move_name(game, position, side, move))
        position, side = after(game, position, side, move)
    return {"game": values["game"], "moves": names, "ends": game.outcome(*position) != ONGOING}


def best_line_is_instant(handler: RequestHandler, values: Values) -> bool:
    """Whether the game is solved."""
    return handler.table(handler.allowed.game(values["game"])) is not None


def provably_best(oracle: Oracle) -> Callable[[Position], Move | None]:
    """A function that gives a best move as long as there is time to prove it, then None."""
    if not isinstance(oracle, SearchOracle):
        return lambda position: next(iter(oracle.study(position).moves))
    end = time.monotonic() + MOST_SECONDS

    def best(position: Position) -> Move | None:
        choice = finished(oracle.choosing(position, Limits(max(0.01, end - time.monotonic()))))
        return choice.moves[0] if choice.proven else None

    return best


def reply(handler: RequestHandler, values: Values) -> Fields:
    """The move of a player of that name; a `quick` one does not wait for a compiler."""
    game = handler.allowed.game(values["game"])
    name = handler.allowed.player(values["player"])
    begin = position, side = given_position(handler, game, values)
    moves: list[Move] = []
    for before, mover, move in replay(game, position, side, values.get("moves", ())):
        position, side = after(game, before, mover, move)
        moves.append(move)
    if game.outcome(*position) != ONGOING:
        raise BadPosition(f"{show_position(game, position, side)} is the end of the game; nobody is to move")
    quick = "quick" in values and needs_compiler(asked_oracle(handler, game), name, position)
    seat = seated(game, name, side, values.get("seconds", SECONDS), quick)
    try:
        move = seat.move(position, SoFar(begin, tuple(moves)) if "moves" in values else None)
        play_move(game, position, side, move)
    except (IllegalMove, BotFault) as fault:  # a fault of the player, not of the request
        raise BadPlayer(f"{name} {fault_line(str(fault), name)}") from fault
    return {"game": values["game"], "move": move_name(game, position, side, move), "note": " ".join(seat.remarks)}


class SeatedPlayer:
    """A player in its seat, its remarks on the latest move, and what it was told of the game before it."""

    def __init__(self, game: Game, name: str, side: int, seconds: float, quick: bool) -> None:
        self.remarks: list[str] = []
        self.told: SoFar | None = None
        seat = Seat(game, side, Random(), seconds, self.remarks.append, so_far=lambda: self.told, lazy=True)
        self.player = stand_in(seat) if quick else kept_maker(name)(seat)

    def move(self, position: Position, told: SoFar | None) -> Move:
        """The player's move."""
        self.remarks.clear()
        self.told = told
        return self.player(position)


@lru_cache(maxsize=16)
def seated(game: Game, name: str, side: int, seconds: float, quick: bool) -> SeatedPlayer:
    """The player in its seat, or who plays for it at once, cached for the next move."""
    return SeatedPlayer(game, name, side, seconds, quick)


def get_ready(handler: RequestHandler, values: Values) -> Fields:
    """Compiles what the player needs, or loads it: it makes a move in a position early in a game."""
    game, rng = handler.allowed.game(values["game"]), Random(1)
    position = game.start
    for _ in range(READY_PLIES):
        if not (legal := legal_moves(game, position)):
            break
        position = game.play(*position, rng.choice(legal))
    if legal_moves(game, position):
        kept_maker(handler.allowed.player(values["player"]))(Seat(game, FIRST, rng, READY_SECONDS))(position)
    return {}


@lru_cache(maxsize=16)
def kept_maker(name: str) -> Maker:
    """The maker of the player, cached so that a program plays both sides in one process."""
    return player_maker(name)


# Downloads of a game: a single page, JSON or C, as `perfectplay export` writes them.


KINDS_OF_FILES = {"html": "text/html; charset=utf-8", "json.gz": "application/gzip", "h": "text/plain; charset=utf-8"}
"""The formats and their media types."""
MOST_CLASSES = 100_000
"""Larger games take too long for a request."""


def export(handler: RequestHandler, values: Values) -> Fields:
    """The file in base64, for a worker's message."""
    kind = values["format"]
    if kind not in KINDS_OF_FILES:
        raise BadRequest(f"no export here is called {kind[:20]!r}; there are {', '.join(KINDS_OF_FILES)}")
    game, chosen, sink = handler.allowed.game(values["game"]), format_for(kind), BytesIO()
    try:
        check_size(game, solved=handler.table(game) is not None)
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
