"""Write the rules of a two-player game once, in plain Python; then play it, solve it, explain it.

A tour: play some moves, and see what each reply is worth.

    >>> import perfectplay
    >>> match = perfectplay.Match("tic-tac-toe").play("b2", "b1")
    >>> print(match)
      a b c
    1 . O .
    2 . X .
    3 . . .
    >>> match.analyse().best[0], match.analyse().text
    ('a1', 'win in 5 plies')
    >>> match.play("zz")
    Traceback (most recent call last):
    perfectplay.words.IllegalMove: 'zz' is not a legal move; legal are a1 c1 a2 c2 a3 b3 c3, in X:.O./.X./...

Solve a game completely, and look positions up.

    >>> table = perfectplay.solve("tactic-toe")
    >>> print(table.summary())
    tactic-toe: win in 13 plies; 73,450 positions: 45,709 won, 7,585 drawn (all endless), 20,156 lost
    >>> table.lookup(perfectplay.load("tactic-toe").start)
    Entry(value=1, distance=13)

Let players fight, or compute the exact result without playing.

    >>> perfectplay.battle("tic-tac-toe", "perfect", "random", games=100, seed=1).wins
    (97, 0)
    >>> print(perfectplay.odds("tic-tac-toe", "random", "random", exact=True).probability)
    win 737/1260, draw 8/63, loss 121/420

Where an argument is called `game`, a Game, a name such as "lines:4,4,3" or the path of a file will do. Results have
`to_dict()`, which is what the command line prints with --json. All errors are a PerfectplayError.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from perfectplay.game import NEVER as NEVER, Game as Game, Images as Images, Look as Look
from perfectplay.words import (
    DRAW as DRAW,
    FIRST as FIRST,
    LOSS as LOSS,
    ONGOING as ONGOING,
    SECOND as SECOND,
    WIN as WIN,
    BadArgument as BadArgument,
    BadGame as BadGame,
    BadPlayer as BadPlayer,
    BadPosition as BadPosition,
    BadTable as BadTable,
    BadWork as BadWork,
    BotFault as BotFault,
    BotSilent as BotSilent,
    Entry as Entry,
    IllegalMove as IllegalMove,
    Lookup as Lookup,
    MissingPackage as MissingPackage,
    Move as Move,
    NoGPU as NoGPU,
    NotCompiled as NotCompiled,
    PerfectplayError as PerfectplayError,
    Player as Player,
    Position as Position,
    Sides as Sides,
    TooBig as TooBig,
    WrongSystem as WrongSystem,
    late_names,
)

__version__ = "0.2.0"

# Public names, each imported when it is first used: most programs need few, and some need numba.
if TYPE_CHECKING:
    from perfectplay.arena.tournaments.standings_result import (
        Advantage as Advantage,
        PairingStanding as PairingStanding,
        PlayerStanding as PlayerStanding,
        Standings as Standings,
    )
    from perfectplay.bridges.notebook.widgets import widget as widget
    from perfectplay.commands.analyse import analyse as analyse, analyze as analyze, search as search
    from perfectplay.commands.battle import battle as battle
    from perfectplay.commands.book import make_book as make_book
    from perfectplay.commands.certify import certify as certify, certify_all as certify_all
    from perfectplay.commands.chances.probabilities import (
        Forfeit as Forfeit,
        Odds as Odds,
        WinProbability as WinProbability,
        win_probability as win_probability,
    )
    from perfectplay.commands.check import check as check
    from perfectplay.commands.compare import compare as compare
    from perfectplay.commands.compete.certificates import (
        Certificate as Certificate,
        ClassReport as ClassReport,
        Examined as Examined,
    )
    from perfectplay.commands.compete.compared_players import ComparedPlayer as ComparedPlayer
    from perfectplay.commands.compete.comparing import Comparison as Comparison
    from perfectplay.commands.compete.comparing_cycles import CyclicComparison as CyclicComparison
    from perfectplay.commands.draw import draw as draw
    from perfectplay.commands.explain import explain as explain
    from perfectplay.commands.export import export as export
    from perfectplay.commands.games import list_games as list_games
    from perfectplay.commands.know.analysing import Analysis as Analysis, MoveAnalysis as MoveAnalysis
    from perfectplay.commands.know.best_lines import BestLine as BestLine
    from perfectplay.commands.know.positions import canonical as canonical, legal_moves as legal_moves
    from perfectplay.commands.know.probability import Probability as Probability
    from perfectplay.commands.know.refutations import (
        Counterexample as Counterexample,
        Failure as Failure,
        Mistake as Mistake,
    )
    from perfectplay.commands.learn.explaining import (
        ExplainedMove as ExplainedMove,
        Explanation as Explanation,
        Threat as Threat,
    )
    from perfectplay.commands.learn.puzzling import Puzzle as Puzzle, PuzzleSet as PuzzleSet
    from perfectplay.commands.learn.strategies import (
        FailingList as FailingList,
        Strategy as Strategy,
        StrategyRule as StrategyRule,
    )
    from perfectplay.commands.learn.sweeping import Sweep as Sweep
    from perfectplay.commands.learn.trees import SearchTree as SearchTree
    from perfectplay.commands.listing import GameInfo as GameInfo, PlayerInfo as PlayerInfo
    from perfectplay.commands.matches.battle_result import (
        BattleResult as BattleResult,
        GivenAway as GivenAway,
        LostGame as LostGame,
    )
    from perfectplay.commands.matches.match import Match as Match, Result as Result
    from perfectplay.commands.matches.reviews import (
        Review as Review,
        ReviewedMove as ReviewedMove,
        ReviewedSide as ReviewedSide,
        Reviews as Reviews,
    )
    from perfectplay.commands.matches.seated_player import SeatedPlayer as SeatedPlayer, player as player
    from perfectplay.commands.odds import odds as odds
    from perfectplay.commands.perft import count_games as count_games, perft as perft
    from perfectplay.commands.players import list_players as list_players
    from perfectplay.commands.prove.checking import (
        RuleCheck as RuleCheck,
        RulesReport as RulesReport,
        Verification as Verification,
    )
    from perfectplay.commands.prove.counting import GameCount as GameCount
    from perfectplay.commands.prove.kept import Kept as Kept
    from perfectplay.commands.prove.random_play import RandomGames as RandomGames, SampleGame as SampleGame
    from perfectplay.commands.prove.solving import Book as Book, open_table as open_table
    from perfectplay.commands.publish.exporting import ExportReport as ExportReport, SiteReport as SiteReport
    from perfectplay.commands.puzzles import puzzles as puzzles
    from perfectplay.commands.review import review as review, review_games as review_games
    from perfectplay.commands.site import export_site as export_site
    from perfectplay.commands.solve import solve as solve, summarise as summarise
    from perfectplay.commands.strategy import strategy as strategy
    from perfectplay.commands.sweep import sweep as sweep
    from perfectplay.commands.tables import kept as kept, remove_kept as remove_kept
    from perfectplay.commands.terminal.arguments import GameLike as GameLike, Progress as Progress, load as load
    from perfectplay.commands.tournament import tournament as tournament
    from perfectplay.commands.tree import tree as tree
    from perfectplay.commands.verify import verify as verify
    from perfectplay.insight.ladder.recorder import TreeNode as TreeNode
    from perfectplay.insight.sentences import Sentence as Sentence
    from perfectplay.rules.fingerprint import NoFingerprint as NoFingerprint
    from perfectplay.rules.game_records import GameRecord as GameRecord, read_games as read_games
    from perfectplay.solvers.search.searcher import Searcher as Searcher
    from perfectplay.solvers.steps import Step as Step
    from perfectplay.solvers.table.summary import Iteration as Iteration, Summary as Summary
    from perfectplay.solvers.table.table import Table as Table

ALIASES = ("GameLike", "Lookup", "Move", "Player", "Position", "Progress")
"""Public names of types."""

HIDDEN = (*ALIASES, "MissingPackage")
"""Public names that help() leaves out: of aliases it would show the types, and an ImportError needs no page."""


def __getattr__(name: str) -> Any:
    """A public name, imported when it is first used; `__all__`, too, is made of the imports above."""
    if name == "rl":
        return import_module("perfectplay.rl")
    homes = late_names(__name__)
    if name == "__all__":
        return sorted([*homes, "__version__"])
    if name not in homes:
        raise AttributeError(f"module 'perfectplay' has no attribute {name!r}")
    value = getattr(import_module(homes[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names that help() shows."""
    return [name for name in __getattr__("__all__") if name not in HIDDEN]
