"""Search trees: every node that an algorithm visits, with its score, to be drawn or printed."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Any

from perfectplay.commands.matches.match import Match
from perfectplay.insight.ladder.bounds import LONGER
from perfectplay.insight.ladder.recorder import GameSource, NumberSource, RecordedTree, TreeNode, TreeStep
from perfectplay.insight.ladder.recording import RECORDINGS, record
from perfectplay.insight.trees.tree_svg import tree_html, tree_svg
from perfectplay.insight.trees.tree_words import legend, node_lines, title
from perfectplay.rules.notation import draw_position, number_of
from perfectplay.solvers.search.tree_size import Cycle, cycle_text, tree_or_cycle
from perfectplay.views.document import Document, Drawing, Notes, Seen
from perfectplay.views.json_facts import Fact, json_facts
from perfectplay.views.result import ResultClass
from perfectplay.words import BadArgument, BadPosition, TooBig

MOST, MOST_DRAWN = 5_000, 400
"""The most nodes of a tree, and of one that its document draws."""


@dataclass(frozen=True, kw_only=True)
class SearchTree(RecordedTree, metaclass=ResultClass):
    """The nodes that an algorithm visits from a position on, or in a tree of numbers, and those that it cuts off.

    `nodes` lists them in the order of their visits, the root first; `steps` has what the search does, one by one.
    Scores are for the maximiser, who is the first side in a game. `str()` draws the tree as text; a notebook shows the
    drawing.
    """

    def to_svg(self) -> str:
        """The tree as an SVG drawing, with boards."""
        return tree_svg(self)

    def to_html(self) -> str:
        """The tree as one HTML page that loads nothing else: branches fold, and the page zooms."""
        return tree_html(self)

    def document(self) -> Document:
        """The tree, drawn, or as text the board and a line for each node; and what it all means."""
        drawn = len(self.nodes) <= MOST_DRAWN
        nodes, lines = number_of(len(self.nodes), "node"), [*node_lines(self)]
        if self.game is not None and self.root.board is not None:
            lines = [draw_position(self.game, *self.root.board), "", *lines]
        return Document(
            title(self),
            Drawing(tree_svg(self, worded=False) if drawn else "", "\n".join(lines)),
            None if drawn else Seen(Notes(f"{nodes} are too many to draw here: to_html() has all")),
            Notes(*legend(self)),
        )

    to_dict = json_facts(
        *("game", "algorithm", "depth", "score", Fact("top", "score_of_a_win"), "visited", "cut", "repeated", "nodes")
    )

    def _repr_svg_(self) -> str:
        return self.to_svg()


def tree_of_game(match: Match, algorithm: str, depth: int | None) -> SearchTree:
    """The tree from the position of the match."""
    game = match.game
    if match.is_over:
        raise BadPosition(f"position {match.text()}: the game is over, there is no tree")
    if depth is None and RECORDINGS[algorithm].searches:
        cycle = tree_or_cycle(replace(game, start=match.position))
        if isinstance(cycle, Cycle):
            endless = f"{game.name} can repeat for ever, {cycle_text(game, cycle, match.turn)}"
            raise TooBig(f"{endless}: its tree never ends; set depth=...")
    found = record(GameSource(game, match.position, match.turn), algorithm, depth, MOST)
    if game.margin is not None:
        nodes, steps, top = found.nodes, found.steps, None
    else:
        plies = (int(LONGER - abs(node.score)) for node in found.nodes if node.score)  # taken off a win or a loss
        farthest = max([*(node.depth for node in found.nodes), *plies])
        top = 10 ** len(str(farthest))
        nodes = [replace(node, **scaled(node, top)) for node in found.nodes]
        steps = [step._replace(**scaled(step, top)) for step in found.steps]
    return SearchTree(algorithm=algorithm, nodes=tuple(nodes), steps=tuple(steps), game=game, depth=depth, top=top)


def scaled(seen: TreeNode | TreeStep, top: int) -> dict[str, Any]:
    """Its scores where a win is worth `top`, less some plies."""

    def scale(score: float | None) -> float | None:
        if score in (None, 0, inf, -inf):
            return score
        less = top - (LONGER - abs(score))
        return less if score > 0 else -less

    return {name: scale(getattr(seen, name)) for name in ("score", "alpha", "beta")}


def tree_of_numbers(leaves: Iterable[float], branching: int, minimise: bool, algorithm: str) -> SearchTree:
    """The tree with these numbers at its leaves."""
    numbers = checked_leaves(leaves)
    if why := RECORDINGS[algorithm].no_numbers:
        raise BadArgument(f"algorithm={algorithm!r} {why} in a tree of numbers; use 'minimax' or 'alpha-beta'")
    source = NumberSource(numbers, branching, minimise)
    if branching**source.levels != len(numbers) or source.levels == 0:
        sizes = ", ".join(str(branching**level) for level in (1, 2, 3))
        raise BadArgument(f"a tree with branching={branching} has {sizes}, ... leaves, not {len(numbers):,}")
    found = record(source, algorithm, None, MOST)
    return SearchTree(algorithm=algorithm, nodes=tuple(found.nodes), steps=tuple(found.steps))


def checked_leaves(leaves: object) -> Sequence[float]:
    """The numbers; raises BadArgument if one is none."""
    if isinstance(leaves, str) or not isinstance(leaves, Iterable):
        raise BadArgument(f"leaves={leaves!r} is not a list of numbers, such as [3, 5, 6, 9]")
    numbers: list[float] = list(leaves)
    for number in numbers:
        if isinstance(number, bool) or not isinstance(number, int | float) or not -inf < number < inf:
            raise BadArgument(f"leaves has {number!r}, which is not a number")
    return numbers
