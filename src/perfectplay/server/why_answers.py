"""Why a position stands as it does and where a game went wrong, with the squares that the page draws it on."""

from collections.abc import Sequence

from perfectplay.commands.know.best_lines import named_line
from perfectplay.commands.learn.explaining import explanation_by
from perfectplay.commands.play.match import match_at
from perfectplay.commands.play.reviewing import SECONDS, review_from
from perfectplay.exports.page.game_data import Fields
from perfectplay.game import Game, after
from perfectplay.insight.threats import threats
from perfectplay.rules.notation import move_name, parse_move, show_position
from perfectplay.server.analysis_facts import as_seen
from perfectplay.server.api_answers import Later, RequestHandler, Values, given_position, moves_in, seconds_in
from perfectplay.solvers.oracle import Oracle, SearchOracle, TableOracle
from perfectplay.views.board_squares import change_of, changes, winning_lines
from perfectplay.words import FIRST, Move, Position, Turn

DRAWN = 24
"""Moves of a line that are drawn, at most."""


def oracle_of(handler: RequestHandler, game: Game, seconds: float) -> Oracle:
    """What is known of a game by its table, else by searches of so many seconds; sides are named as on the board."""
    lookup = handler.solution(game)
    oracle = SearchOracle(game, seconds) if lookup is None else TableOracle(game, lookup)
    oracle.game = as_seen(game)
    return oracle


def explain(handler: RequestHandler, values: Values) -> Fields:
    """Who wins and why: threats, the best line, the refutation of each bad move, and how all of it is drawn."""
    game, seconds = handler.allowed.game(values["game"]), seconds_in(values)
    if handler.at_once:
        raise Later
    position, side = given_position(handler, game, values)
    oracle = oracle_of(handler, game, seconds)
    found = explanation_by(oracle, match_at(oracle.game, position, side)).to_dict()
    about = {"game": values["game"], "position": show_position(game, position, side)}
    return {**found, **about, "drawn": drawn(oracle, position, side, found)}


def review(handler: RequestHandler, values: Values) -> Fields:
    """Each move of a game judged: what was better and why, and a summary for each side."""
    game, names = handler.allowed.game(values["game"]), moves_in(values)
    if handler.at_once:
        raise Later
    turn = given_position(handler, game, values)
    found = review_from(oracle_of(handler, game, SECONDS), turn, names).to_dict()
    return {**found, "game": values["game"], "position": show_position(game, *turn)}


def drawn(oracle: Oracle, position: Position, side: int, found: Fields) -> Fields:
    """The squares of all that is drawn: threats, the best line, and for each bad move what follows."""
    game, turn = oracle.game, (position, side)
    moving = moves_pieces(game, turn)
    threat = threats(oracle, position, side) if found["threats"] else None
    carried_out = [] if threat is None else [((threat.position, 1 - side), move) for move in threat.moves]
    bad = {one["move"]: one["refutation"] for one in found["moves"] if one["refutation"]}
    if found["value"] == "loss" and oracle.proves:  # every move loses: what follows each of them
        bad = {one["move"]: line_after(oracle, turn, one["move"]) for one in found["moves"]}
    return {
        "threats": [drawn_move(game, *one, moving) for one in carried_out],
        "line": drawn_line(game, turn, (found["line"] or {}).get("moves", ()), moving),
        "moves": {move: drawn_line(game, turn, [move, *line], moving) for move, line in bad.items()},
    }


def line_after(oracle: Oracle, turn: Turn, name: str) -> Sequence[str]:
    """Best play after a move."""
    position, side = after(oracle.game, *turn, parse_move(oracle.game, *turn, name))
    return named_line(oracle.game, position, side, oracle.line(position)).moves


def moves_pieces(game: Game, turn: Turn) -> bool:
    """Whether pieces go from square to square, at the start or here; where all moves leave the same, pieces vanish."""
    return any(len({tuple(one.left) for one in changes(game, *at).values()}) > 1 for at in ((game.start, FIRST), turn))


def drawn_line(game: Game, turn: Turn, names: Sequence[str], moving: bool) -> list[Fields]:
    """The squares of the moves of a line."""
    found = []
    for name in names[:DRAWN]:
        move = parse_move(game, *turn, name)
        found.append(drawn_move(game, turn, move, moving))
        turn = after(game, *turn, move)
    return found


def drawn_move(game: Game, turn: Turn, move: Move, moving: bool) -> Fields:
    """The squares that a move goes to and comes from, and the lines that it completes."""
    following = after(game, *turn, move)
    change = change_of(game, turn, following)
    return {
        "move": move_name(game, *turn, move),
        "side": turn[1],
        "to": change.to,
        "from": [*change.left] if moving else [],
        "rows": winning_lines(game, *following) if following[1] != turn[1] else [],
    }
