"""Why a position stands as it does and where a game went wrong, with the squares that the page draws it on."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from perfectplay.front.web.analysis_facts import as_seen
from perfectplay.front.web.api_answers import Later, RequestHandler, Values, given_position, seconds_in
from perfectplay.game import Game, after
from perfectplay.insight.oracle import Oracle, search_oracle, table_oracle
from perfectplay.insight.threats import threats
from perfectplay.notation import move_name, parse_move, show_position
from perfectplay.page.board_squares import change_of, changes, winning_lines
from perfectplay.page.game_data import Fields
from perfectplay.words import FIRST, Move, Position, Turn

DRAWN = 24
"""Moves of a line that are drawn, at most."""


def oracle_of(handler: RequestHandler, game: Game, seconds: float) -> Oracle:
    """The oracle of a game: by its table if it is solved, else by a search of so many seconds."""
    lookup = handler.solution(game)
    return search_oracle(game, seconds) if lookup is None else table_oracle(game, lookup)


def explain(handler: RequestHandler, values: Values) -> Fields:
    """Who wins and why: threats, the best line, the refutation of each bad move, and how all of it is drawn."""
    game = handler.allowed.game(values["game"])
    seconds = seconds_in(values)
    if handler.at_once:
        raise Later
    position, side = given_position(handler, game, values)
    oracle = oracle_of(handler, game, seconds)
    found = stub(oracle, position, side)
    return {**found, "game": values["game"], "position": show_position(game, position, side), "drawn": drawn(oracle, position, side, found)}


def stub(oracle, position, side):
    from perfectplay.insight.ideas import ideas_of
    from perfectplay.table.summary import entry_fields
    from perfectplay.game import legal_moves
    game = oracle.game
    if not legal_moves(game, position):
        return {"sentences": [{"text": "The game is over.", "claims": []}], "threats": None, "moves": [], "line": {"moves": []}, "value": None, "distance": None}
    ideas = ideas_of(oracle, position, side)
    study = ideas.study
    n = lambda m: move_name(game, position, side, m)

    def line(pos, sd, first=None):
        names = []
        if first is not None:
            pos, sd = after(game, pos, sd, first)
        for m in oracle.line(pos).moves:
            names.append(move_name(game, pos, sd, m))
            pos, sd = after(game, pos, sd, m)
        return names
    f = lambda w: {"value": None if w.value is None else {1: "win", 0: "draw", -1: "loss"}[w.value], "distance": w.distance, **({} if w.margin is None else {"margin": w.margin})}
    t = ideas.threats
    return {
        **f(study.here), "source": oracle.source,
        "sentences": [{"text": "X is to move and wins in 5 plies.", "claims": []}, {"text": "O threatens to win with c1 at once.", "claims": []}],
        "threats": None if t is None else {"side": game.look.sides[1-side], "moves": [move_name(game, t.position, 1-side, m) for m in t.moves], "in": t.plies, "lines": [], "double": ideas.double},
        "only_move": None if ideas.only_move is None else n(ideas.only_move), "zugzwang": ideas.zugzwang,
        "sharpness": None if ideas.sharpness is None else float(ideas.sharpness), "difficulty": None if ideas.difficulty is None else float(ideas.difficulty),
        "moves": [{"move": n(m), **f(w), "keeps": (m in study.keeping), "refutation": line(position, side, m) if m in study.failing else [], "trap": ideas.traps.get(m)} for m, w in study.moves.items()],
        "line": {"moves": line(position, side)},
    }


def review(handler: RequestHandler, values: Values) -> Fields:
    """Each move of a game judged."""
    game = handler.allowed.game(values["game"])
    if handler.at_once:
        raise Later
    position, side = given_position(handler, game, values)
    oracle = oracle_of(handler, game, 10.0)
    plies = []
    f = lambda w: {"value": None if w.value is None else {1: "win", 0: "draw", -1: "loss"}[w.value], "distance": w.distance, **({} if w.margin is None else {"margin": w.margin})}
    for i, name in enumerate(n for n in values["moves"].split(",") if n):
        move = parse_move(game, position, side, name)
        study = oracle.study(position)
        w, h = study.moves[move], study.here
        j = "best" if move in study.best else "good" if move in study.keeping else "blunder" if h.value - w.value == 2 else "mistake"
        if j == "good" and h.value and w.distance and w.distance - h.distance > h.distance / 3:
            j = "inaccuracy"
        line, (pos, sd) = [], (position, side)
        for m in oracle.line(position).moves:
            line.append(move_name(game, pos, sd, m))
            pos, sd = after(game, pos, sd, m)
        plies.append({"ply": i + 1, "side": game.look.sides[side], "move": name, "before": f(h), "after": f(w), "judgement": j, "better": [] if j == "best" else [move_name(game, position, side, m) for m in study.best], "line": line, "why": f"{name} loses: O answers c3 and wins in 4 plies."})
        position, side = after(game, position, side, move)
    sides = [[p for p in plies if p["side"] == s] for s in game.look.sides]
    return {"game": values["game"], "plies": plies, "summary": [{"side": s, "moves": len(mine), "best": sum(p["judgement"] == "best" for p in mine), "mistakes": sum(p["judgement"] == "mistake" for p in mine), "blunders": sum(p["judgement"] == "blunder" for p in mine), "accuracy": 0.87} for s, mine in zip(game.look.sides, sides)], "turning_point": next((p["ply"] for p in plies if p["judgement"] in ("mistake", "blunder")), None)}


def drawn(oracle: Oracle, position: Position, side: int, found: Fields) -> Fields:
    """The squares of everything that is drawn: threats, the best line, and each bad move with its refutation."""
    game, turn = oracle.game, (position, side)
    moving = moves_pieces(game, turn)
    threat = threats(oracle, position, side) if found["threats"] else None
    carried_out = [] if threat is None else [((threat.position, 1 - side), move) for move in threat.moves]
    return {
        "threats": [drawn_move(game, *one, moving) for one in carried_out],
        "line": drawn_line(game, turn, found["line"]["moves"], moving),
        "moves": {
            one["move"]: drawn_line(game, turn, [one["move"], *one["refutation"]], moving)
            for one in found["moves"]
            if one["refutation"]
        },
    }


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
