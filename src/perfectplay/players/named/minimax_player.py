"""`minimax`: looks at every game that can still be played; `minimax:4` looks four plies ahead."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from perfectplay.bits import bit_numbers
from perfectplay.compiler.line_rules import is_searchable
from perfectplay.game import Game, best_moves, legal_moves
from perfectplay.players.named.perfect import BEST
from perfectplay.players.player_kind import PlayerKind, PlayerName
from perfectplay.players.seat import Maker, Seat
from perfectplay.rules.notation import plies_text
from perfectplay.solvers.oracle import SearchOracle, table_oracle
from perfectplay.solvers.scores import TOP, score_of
from perfectplay.solvers.search.lookahead import FixedDepth, PointsWithin
from perfectplay.solvers.search.tree_size import WALKABLE, about, check_walkable, estimate_tree
from perfectplay.solvers.worth import Study
from perfectplay.words import ONGOING, Entry, Move, Player, Position, TooBig, entry_of

if TYPE_CHECKING:
    from perfectplay.players.models.policies import Policy

DEEPEST, DEEPEST_SERVED = 100, 6
"""The deepest search that a name can ask for, and the deepest that a request to a server can."""


def minimax_player(seat: Seat) -> Player:
    """A player that never gives the result away, wins as soon and loses as late as possible."""
    game, rng = seat.game, seat.rng
    check_walkable(game, instead=f"the player {'perfect' if is_searchable(game) else 'mcts'}")

    nodes = [0]

    def count_outcome(mine: int, theirs: int) -> int:
        nodes[0] += 1
        return game.outcome(mine, theirs)

    counting = replace(game, outcome=count_outcome)

    @cache
    def choices(position: Position) -> list[Move]:
        nodes[0] = 1
        best = best_moves(minimax_moves(counting, position))
        seat.searched(nodes[0])
        return best

    return lambda position: rng.choice(choices(position))


def depth_in(name: PlayerName) -> int | None:
    """The depth in the name, None if it has none: to the end of the game."""
    return name.whole_number(1, DEEPEST) if ":" in name.text else None


def minimax_maker(name: PlayerName) -> Maker:
    """The maker of the players that search to the depth in their name."""
    depth = depth_in(name)
    return minimax_player if depth is None else lambda seat: searching_player(seat, depth)


def searching_player(seat: Seat, depth: int) -> Player:
    """A player that looks that many plies ahead and takes what lies beyond for a draw."""
    scores_within, rng = depth_search(seat.game, depth), seat.rng
    return lambda position: rng.choice(greatest(scores_within(position, depth)))


def minimax_policy(name: PlayerName, game: Game) -> "Policy":
    """The best moves, or the best within the depth: a full search finds every win and loss within its depth."""
    from perfectplay.players.models import policies  # numpy: only when it is wanted

    depth = depth_in(name)
    return BEST.policy(name, game) if depth is None else policies.Policy(policies.shallow(depth))


MINIMAX = PlayerKind(
    "minimax",
    "searches all games that can still be played; with a depth, that many plies, in any game, the rest being draws",
    minimax_maker,
    "minimax:4",
    bare=True,
    policy=minimax_policy,
    aliases=("minimax_ai", "minmax_ai"),
    served=lambda name: (depth_in(name) or 0) <= DEEPEST_SERVED,
    compiles=True,
)


# What a minimax search of limited depth finds: from a table, by compiled search, or by the rules as they are.


MOST_SEARCHED = 10**9
"""The most positions within the depth of a compiled search, which looks at few of them: alpha-beta prunes the rest."""
AT_ONCE = 20_000
"""The most positions within the depth of a search for points that takes no compiler."""
FAR = 1 << 20
"""More plies than any distance in a table."""

DepthSearch = Callable[[Position, int], dict[Move, int]]
"""The score of each move by a search of that many plies, the move counted: 0 where the game lasts longer."""


def depth_search(game: Game, deepest: int | None = None) -> DepthSearch:
    """The search of limited depth for the game, the fastest that there is; all prefer the same moves.

    Raises TooBig if a search of `deepest` plies would take too long.
    """
    if game.margin is None:  # with margins, tables have no distances
        table = table_oracle(game)
        if table is not None:
            return lambda position, plies: table_scores(table.study(position), plies)
    elif deepest is not None and estimate_tree(game, longest=deepest + 1) <= AT_ONCE:
        return lambda position, plies: rule_scores(game, position, plies)
    searcher = SearchOracle(game).searcher
    check_depth(game, deepest, WALKABLE if searcher is None else MOST_SEARCHED)
    return searcher.seen if searcher is not None else lambda position, plies: rule_scores(game, position, plies)


def table_scores(study: Study, plies: int) -> dict[Move, int]:
    """The scores from a table: wins and losses within so many plies are what a search of that depth finds."""
    scores = {move: score_of(worth.entry, FAR) for move, worth in study.moves.items() if worth.entry is not None}
    return {move: score if FAR - abs(score) <= plies else 0 for move, score in scores.items()}


def rule_scores(game: Game, position: Position, plies: int) -> dict[Move, int]:
    """The scores by the rules as they are."""
    if game.margin is not None:
        points = PointsWithin(game)
        return {move: points.after(position, move, plies) for move in legal_moves(game, position)}
    look, scores = FixedDepth(game), {}
    for move in legal_moves(game, position):
        bounds = look.after(position, move, plies).bounds
        scores[move] = bounds.low if bounds.exact and TOP - abs(bounds.low) <= plies else 0
    return scores


def check_depth(game: Game, plies: int | None, most: int) -> None:
    """Raises TooBig if a search of that many plies would meet more positions than that."""
    if plies is None:
        return
    size = estimate_tree(game, longest=plies + 1)
    if size > most:
        tree = f"a game tree of {about(size)} nodes within {plies_text(plies)}"
        raise TooBig(f"{game.name} has {tree}, too large for this depth (at most {most:,}); choose a smaller one")


def greatest(scores: dict[Move, int]) -> list[Move]:
    """The moves with the greatest score, in order."""
    most = max(scores.values())
    return sorted(move for move, score in scores.items() if score == most)


# Plain minimax: the reference for all other solvers.


def minimax(game: Game, position: Position) -> Entry:
    """The value and distance of the position, or its margin, from its whole game tree; the game must end."""
    outcome = game.outcome(*position)
    if outcome != ONGOING:
        return entry_of(outcome, 0, None if game.margin is None else game.margin(*position))
    return max(minimax_moves(game, position).values(), key=Entry.preference)


def minimax_moves(game: Game, position: Position) -> dict[Move, Entry]:
    """The entry of each legal move, from the mover's view."""
    return {
        move: minimax(game, game.play(*position, move)).before(game.again is not None and game.again(*position, move))
        for move in bit_numbers(game.moves(*position))
    }
