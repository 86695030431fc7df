"""Why a position stands as it does and where a game went wrong, with the squares that the page draws it on."""

from collections.abc import Sequence
from functools import lru_cache

from perfectplay.commands.know.best_lines import named_line
from perfectplay.commands.learn.explaining import Explanation, explanation_by
from perfectplay.commands.learn.puzzling import scan_of
from perfectplay.commands.learn.trees import SearchTree, tree_of_game
from perfectplay.commands.matches.match import Match, match_at
from perfectplay.commands.matches.reviewing import SECONDS, review_from
from perfectplay.exports.page.game_data import Fields
from perfectplay.exports.page.lesson_position import lesson_position, tree_nodes
from perfectplay.game import Game, after, images
from perfectplay.insight.ladder.recorder import FINISHED, TreeNode, finite
from perfectplay.insight.ladder.recording import RECORDINGS
from perfectplay.insight.puzzles.puzzle_choice import page_puzzles
from perfectplay.insight.puzzles.puzzle_kinds import USUAL
from perfectplay.insight.threats import threats
from perfectplay.rules.notation import move_name, parse_move, show_position
from perfectplay.server.analysis_facts import as_seen
from perfectplay.server.api_answers import RequestHandler, given_position
from perfectplay.server.parameters import SECONDS as SECONDS_OF_SEARCH, Values
from perfectplay.solvers.oracle import Oracle, SearchOracle, TableOracle, oracle_for
from perfectplay.solvers.table.table_folder import kept_table
from perfectplay.views.board_squares import change_of, changes, winning_lines
from perfectplay.words import FIRST, ONGOING, BadPosition, Move, Position, TooBig, Turn

DRAWN = 24
"""Moves of a line that are drawn, at most."""


def oracle_of(handler: RequestHandler, game: Game, seconds: float) -> Oracle:
    """What is known of a game by its table, else by searches of so many seconds; sides are named as on the board."""
    table = handler.table(game)
    return SearchOracle(as_seen(game), seconds) if table is None else TableOracle(as_seen(game), table.lookup)


def explain(handler: RequestHandler, values: Values) -> Fields:
    """Who wins and why: threats, the best line, the refutation of each bad move, and how all of it is drawn."""
    game, seconds = handler.allowed.game(values["game"]), values.get("seconds", SECONDS_OF_SEARCH)
    position, side = given_position(handler, game, values)
    oracle = oracle_of(handler, game, seconds)
    found = explanation_by(oracle, match_at(oracle.game, position, side))
    about = {"game": values["game"], "position": show_position(game, position, side)}
    return {**found.to_dict(), **about, "drawn": drawn(oracle, position, side, found)}


def review(handler: RequestHandler, values: Values) -> Fields:
    """Each move of a game judged: what was better and why, and a summary for each side."""
    game, names = handler.allowed.game(values["game"]), values["moves"]
    turn = given_position(handler, game, values)
    found = review_from(oracle_of(handler, game, SECONDS), turn, names).to_dict()
    return {**found, "game": values["game"], "position": show_position(game, *turn)}


def drawn(oracle: Oracle, position: Position, side: int, found: Explanation) -> Fields:
    """The squares of all that is drawn: threats, the best line, and for each bad move what follows."""
    game, turn = oracle.game, (position, side)
    moving = moves_pieces(game, turn)
    threat = None if found.threats is None else threats(oracle, position, side)
    carried_out = [] if threat is None else [((threat.position, 1 - side), move) for move in threat.moves]
    bad: dict[str, Sequence[str]] = {one.move: one.refutation for one in found.moves if one.refutation}
    if found.value == "loss" and oracle.proves:  # every move loses: what follows each of them
        bad = {one.move: line_after(oracle, turn, one.move) for one in found.moves}
    return {
        "threats": [drawn_move(game, *one, moving) for one in carried_out],
        "line": drawn_line(game, turn, () if found.line is None else found.line.moves, moving),
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


# The puzzles of a game for the page: those that a page of it in one file has, too.


MOST_CLASSES = 300_000
"""Larger games take too long for a request."""


def puzzles(handler: RequestHandler, values: Values) -> Fields:
    """Positions in which exactly one move keeps the result, the easiest first; the game is solved and not too large."""
    game = handler.allowed.game(values["game"])
    if handler.table(game) is None:
        raise TooBig(f"{game.name} is not solved yet, and puzzles come from the solution")
    table = kept_table(game)
    if table is not None and table.header.classes > MOST_CLASSES:
        raise TooBig(f"{game.name} is too big for puzzles here; run: perfectplay puzzles {game.name} --to FILE.html")
    return {"game": values["game"], "kind": USUAL, "puzzles": made(game)}


@lru_cache(maxsize=8)
def made(game: Game) -> list[dict[str, object]]:
    """The puzzles, kept for the next who asks."""
    return page_puzzles(oracle_for(game), scan_of(game))


# The classroom: what each algorithm of the ladder does in one position, recorded once, for the page to replay.


MOST = 1_000
"""The most nodes of plain minimax; more can neither be watched nor read."""


def lesson(handler: RequestHandler, values: Values) -> Fields:
    """The nodes and the steps of each algorithm; without a position in one that is small enough to watch."""
    game = handler.allowed.game(values["game"])
    depth: int | None = values.get("depth")
    chosen = "position" not in values
    if chosen:
        position, side, usual = lesson_position(game)
        depth = depth or usual
    else:
        position, side = given_position(handler, game, values)
    shown = show_position(game, position, side)
    if game.outcome(*position) != ONGOING:
        raise BadPosition(f"{shown} is the end of the game; there is nothing to search")
    if tree_nodes(game, position, depth, MOST) > MOST:
        less = "play more moves first, or look fewer moves ahead"
        raise TooBig(f"the search tree of this position has more than {MOST:,} nodes, too many to watch; {less}")
    match = match_at(game, position, side)
    names = [name for name in RECORDINGS if name != "symmetry" or images(game).count > 1]
    return {
        "game": values["game"],
        "position": shown,
        "side": side,
        "depth": depth,
        "chosen": chosen,
        "algorithms": [recorded_fields(match, name, depth) for name in names],
    }


def recorded_fields(match: Match, algorithm: str, depth: int | None) -> Fields:
    """What one algorithm does, or why it does nothing: there is no table."""
    try:
        found = tree_of_game(match, algorithm, depth)
    except TooBig as why:
        return {"name": algorithm, "stopped": str(why)}
    return {
        "name": algorithm,
        "score_of_a_win": found.top,
        "score": found.score,
        "visited": found.visited,
        "cut": found.cut,
        "repeated": found.repeated,
        "nodes": [node_fields(match.game, node) for node in found.nodes],
        "steps": step_fields(found),
    }


def node_fields(game: Game, node: TreeNode) -> Fields:
    """A node as `tree` writes it, without what is empty; with the lines that have won."""
    rows = winning_lines(game, *node.board) if node.board and node.kind == FINISHED else []
    fields = {**node.to_dict(), "side": node.board and node.board[1], "rows": rows or None}
    return {name: value for name, value in fields.items() if value is not None and name not in ("number", "player")}


def step_fields(tree: SearchTree) -> list[Fields]:
    """The steps without what is empty; an open side of a window is left out."""
    found = ({**step._asdict(), "alpha": finite(step.alpha), "beta": finite(step.beta)} for step in tree.steps)
    return [{name: value for name, value in step.items() if value is not None} for step in found]
