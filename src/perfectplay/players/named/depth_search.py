"""What a minimax search of limited depth finds: from a table, by compiled search, or by the rules as they are."""

from collections.abc import Callable

from perfectplay.game import Game, legal_moves, move_entries
from perfectplay.rules.notation import plies_text
from perfectplay.solvers.lookup_or_solve import lookup_for
from perfectplay.solvers.scores import TOP, score_of
from perfectplay.solvers.search.lookahead import FixedDepth, PointsWithin
from perfectplay.solvers.search.tree_size import WALKABLE, about, estimated_tree
from perfectplay.words import Lookup, Move, Position, TooBig

MOST_SEARCHED = 10**9
"""The most positions within the depth of a compiled search, which looks at few of them: alpha-beta prunes the rest."""
AT_ONCE = 20_000
"""The most positions within the depth of a search for points that takes no compiler."""
FAR = 1 << 20
"""More plies than any distance in a table."""

Seen = Callable[[Position, int], dict[Move, int]]
"""The score of each move by a search of that many plies, the move counted: 0 where the game lasts longer."""


def seen_for(game: Game, deepest: int | None = None) -> Seen:
    """The search of limited depth for the game, the fastest that there is; all prefer the same moves.

    Raises TooBig if a search of `deepest` plies would take too long.
    """
    if game.margin is None:  # with margins, tables have no distances
        try:
            lookup = lookup_for(game)
            return lambda position, plies: looked_up(game, lookup, position, plies)
        except TooBig:
            pass
    elif deepest is not None and estimated_tree(game, longest=deepest + 1) <= AT_ONCE:
        return lambda position, plies: interpreted(game, position, plies)
    from perfectplay.solvers.search.search_analysis import searcher_of  # numba: only when it is wanted

    searcher = searcher_of(game)
    check_depth(game, deepest, WALKABLE if searcher is None else MOST_SEARCHED)
    return searcher.seen if searcher is not None else lambda position, plies: interpreted(game, position, plies)


def looked_up(game: Game, lookup: Lookup, position: Position, plies: int) -> dict[Move, int]:
    """The scores from a table: wins and losses within so many plies are what a search of that depth finds."""
    scores = {move: score_of(entry, FAR) for move, entry in move_entries(game, position, lookup).items()}
    return {move: score if FAR - abs(score) <= plies else 0 for move, score in scores.items()}


def interpreted(game: Game, position: Position, plies: int) -> dict[Move, int]:
    """The scores by the rules as they are."""
    if game.margin is not None:
        points = PointsWithin(game)
        return {move: points.after(position, move, plies) for move in legal_moves(game, position)}
    look, found = FixedDepth(game), {}
    for move in legal_moves(game, position):
        bounds = look.after(position, move, plies).bounds
        found[move] = bounds.low if bounds.exact and TOP - abs(bounds.low) <= plies else 0
    return found


def check_depth(game: Game, plies: int | None, most: int) -> None:
    """Raises TooBig if a search of that many plies would meet more positions than that."""
    if plies is None:
        return
    size = estimated_tree(game, longest=plies + 1)
    if size > most:
        tree = f"a game tree of {about(size)} nodes within {plies_text(plies)}"
        raise TooBig(f"{game.name} has {tree}, too large for this depth (at most {most:,}); choose a smaller one")


def greatest(scores: dict[Move, int]) -> list[Move]:
    """The moves with the greatest score, in order."""
    most = max(scores.values())
    return sorted(move for move, score in scores.items() if score == most)
