"""The classroom: what each algorithm of the ladder does in one position, recorded once, for the page to replay."""

from perfectplay.commands.learn.trees import SearchTree, tree_of_game
from perfectplay.commands.play.match import Match, match_at
from perfectplay.exports.page.game_data import Fields
from perfectplay.exports.page.lesson_position import lesson_position, tree_nodes
from perfectplay.game import Game, images
from perfectplay.insight.ladder.recording import RECORDINGS
from perfectplay.insight.ladder.search_tree import FINISHED, TreeNode, finite
from perfectplay.rules.notation import show_position
from perfectplay.server.api_answers import BadRequest, Later, RequestHandler, Values, given_position
from perfectplay.views.board_squares import winning_lines
from perfectplay.words import ONGOING, BadPosition, TooBig

MOST = 1_000
"""The most nodes of plain minimax; more can neither be watched nor read."""
DEEPEST = 20
"""Plies to look ahead, at most."""


def lesson(handler: RequestHandler, values: Values) -> Fields:
    """The nodes and the steps of each algorithm; without a position in one that is small enough to watch."""
    game = handler.allowed.game(values["game"])
    depth = depth_in(values)
    if handler.at_once:
        raise Later
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


def depth_in(values: Values) -> int | None:
    """How many plies to look ahead; None: to the end."""
    text = values.get("depth", "")
    if not text:
        return None
    if not text.isascii() or not text.isdigit() or not 1 <= int(text[:9]) <= DEEPEST:
        raise BadRequest(f"depth must be a number from 1 to {DEEPEST}, not {text[:40]!r}")
    return int(text)


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
