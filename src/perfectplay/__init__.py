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
    >>> print(perfectplay.odds("tic-tac-toe", "random", "random", exact=True))
    tic-tac-toe: random against random: win 737/1260, draw 8/63, loss 121/420

Where an argument is called `game`, a Game, a name such as "lines:4,4,3" or the path of a file will do. Results have
`to_dict()`, which is what the command line prints with --json. All errors are a PerfectplayError.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from perfectplay.game import NEVER, Game, Images
from perfectplay.look import Look
from perfectplay.version import __version__
from perfectplay.words import (
    DRAW,
    FIRST,
    LOSS,
    ONGOING,
    SECOND,
    WIN,
    BadArgument,
    BadGame,
    BadPlayer,
    BadPosition,
    BadTable,
    BadWork,
    BotFault,
    BotSilent,
    Entry,
    IllegalMove,
    Lookup,
    MissingPackage,
    Move,
    NoGPU,
    NotCompiled,
    PerfectplayError,
    Player,
    Position,
    Sides,
    TooBig,
    WrongSystem,
)

if TYPE_CHECKING:
    from perfectplay.api.analysing import Analysis, MoveAnalysis
    from perfectplay.api.arguments import GameLike, Progress, load
    from perfectplay.api.battle_result import BattleResult
    from perfectplay.api.best_lines import BestLine
    from perfectplay.api.certificates import Certificate, Examined
    from perfectplay.api.certifying import certify, certify_all
    from perfectplay.api.checking import RuleCheck, RulesReport, Verification, check, verify
    from perfectplay.api.class_report import ClassReport
    from perfectplay.api.compared_players import ComparedPlayer
    from perfectplay.api.comparing import Comparison, compare
    from perfectplay.api.comparing_cycles import CyclicComparison
    from perfectplay.api.counting import GameCount, count_games, perft
    from perfectplay.api.evaluation import Evaluation, Probability
    from perfectplay.api.explaining import ExplainedMove, Explanation, Threat, explain
    from perfectplay.api.exporting import ExportReport, export
    from perfectplay.api.forfeits import Forfeit
    from perfectplay.api.kept import Kept, kept, remove_kept
    from perfectplay.api.listing import GameInfo, PlayerInfo, list_games, list_players
    from perfectplay.api.lost_games import GivenAway, LostGame
    from perfectplay.api.match import Match, analyse, analyze
    from perfectplay.api.match_result import Result
    from perfectplay.api.playing import battle
    from perfectplay.api.positions import canonical, legal_moves
    from perfectplay.api.probabilities import Odds, WinProbability, odds, win_probability
    from perfectplay.api.puzzling import Puzzle, PuzzleSet, puzzles
    from perfectplay.api.random_play import RandomGames, SampleGame
    from perfectplay.api.refutations import Counterexample, Failure, Mistake
    from perfectplay.api.reviewing import review
    from perfectplay.api.reviews import Review, ReviewedMove, ReviewedSide
    from perfectplay.api.seated_player import SeatedPlayer, player
    from perfectplay.api.site_exporting import SiteReport, export_site
    from perfectplay.api.solving import Book, make_book, open_table, search, solve, summarise
    from perfectplay.api.strategies import DecisionDiagram, FailingList, Strategy, StrategyRule, strategy
    from perfectplay.api.sweeping import Sweep, sweep
    from perfectplay.api.tournaments import tournament
    from perfectplay.api.trees import SearchTree, tree
    from perfectplay.arena.tournaments.standing_rows import Advantage, PairingStanding, PlayerStanding
    from perfectplay.arena.tournaments.standings import Standings
    from perfectplay.fingerprint import NoFingerprint
    from perfectplay.game_records import GameRecord, read_games
    from perfectplay.insight.sentences import Sentence
    from perfectplay.notebook.widgets import widget
    from perfectplay.solvers.ladder.search_tree import TreeNode
    from perfectplay.solvers.searcher import Searcher
    from perfectplay.solvers.steps import Step
    from perfectplay.table.summary import Summary
    from perfectplay.table.table import Table
    from perfectplay.table.trace import Iteration

HOMES = {
    "api.analysing": ("Analysis", "MoveAnalysis"),
    "api.arguments": ("GameLike", "Progress", "load"),
    "api.battle_result": ("BattleResult",),
    "api.best_lines": ("BestLine",),
    "api.listing": ("GameInfo", "PlayerInfo", "list_games", "list_players"),
    "api.certificates": ("Certificate", "Examined"),
    "api.certifying": ("certify", "certify_all"),
    "api.checking": ("RuleCheck", "RulesReport", "Verification", "check", "verify"),
    "api.class_report": ("ClassReport",),
    "api.compared_players": ("ComparedPlayer",),
    "api.comparing": ("Comparison", "compare"),
    "api.comparing_cycles": ("CyclicComparison",),
    "api.counting": ("GameCount", "count_games", "perft"),
    "api.evaluation": ("Evaluation", "Probability"),
    "api.explaining": ("ExplainedMove", "Explanation", "Threat", "explain"),
    "api.exporting": ("ExportReport", "export"),
    "api.forfeits": ("Forfeit",),
    "api.kept": ("Kept", "kept", "remove_kept"),
    "api.lost_games": ("GivenAway", "LostGame"),
    "api.match": ("Match", "analyse", "analyze"),
    "api.match_result": ("Result",),
    "api.playing": ("battle",),
    "api.positions": ("canonical", "legal_moves"),
    "api.probabilities": ("Odds", "WinProbability", "odds", "win_probability"),
    "api.puzzling": ("Puzzle", "PuzzleSet", "puzzles"),
    "api.random_play": ("RandomGames", "SampleGame"),
    "api.refutations": ("Counterexample", "Failure", "Mistake"),
    "api.reviewing": ("review",),
    "api.reviews": ("Review", "ReviewedMove", "ReviewedSide"),
    "api.seated_player": ("SeatedPlayer", "player"),
    "api.site_exporting": ("SiteReport", "export_site"),
    "api.solving": ("Book", "make_book", "open_table", "search", "solve", "summarise"),
    "api.strategies": ("DecisionDiagram", "FailingList", "Strategy", "StrategyRule", "strategy"),
    "api.sweeping": ("Sweep", "sweep"),
    "api.tournaments": ("tournament",),
    "api.trees": ("SearchTree", "tree"),
    "arena.tournaments.standing_rows": ("Advantage", "PairingStanding", "PlayerStanding"),
    "arena.tournaments.standings": ("Standings",),
    "fingerprint": ("NoFingerprint",),
    "game_records": ("GameRecord", "read_games"),
    "insight.sentences": ("Sentence",),
    "notebook.widgets": ("widget",),
    "solvers.ladder.search_tree": ("TreeNode",),
    "solvers.searcher": ("Searcher",),
    "solvers.steps": ("Step",),
    "table.summary": ("Summary",),
    "table.table": ("Table",),
    "table.trace": ("Iteration",),
}
"""Where names live that are imported when they are first used: most programs need few, and some need numba."""

LAZY = {name: module for module, names in HOMES.items() for name in names}

ALIASES = ("GameLike", "Lookup", "Move", "Player", "Position", "Progress")
"""Public names of types."""

HIDDEN = (*ALIASES, "MissingPackage")
"""Public names that help() leaves out: of aliases it would show the types, and an ImportError needs no page."""


def __getattr__(name: str) -> Any:
    """A public name, imported when it is first used."""
    if name == "rl":
        return import_module("perfectplay.rl")
    if name not in LAZY:
        raise AttributeError(f"module 'perfectplay' has no attribute {name!r}")
    value = getattr(import_module(f"perfectplay.{LAZY[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names that help() shows."""
    return [name for name in __all__ if name not in HIDDEN]


__all__ = [
    "DRAW",
    "FIRST",
    "LOSS",
    "NEVER",
    "ONGOING",
    "SECOND",
    "WIN",
    "Advantage",
    "Analysis",
    "BadArgument",
    "BadGame",
    "BadPlayer",
    "BadPosition",
    "BadTable",
    "BadWork",
    "BattleResult",
    "BestLine",
    "Book",
    "BotFault",
    "BotSilent",
    "Certificate",
    "ClassReport",
    "ComparedPlayer",
    "Comparison",
    "Counterexample",
    "CyclicComparison",
    "DecisionDiagram",
    "Entry",
    "Evaluation",
    "Examined",
    "ExplainedMove",
    "Explanation",
    "ExportReport",
    "FailingList",
    "Failure",
    "Forfeit",
    "Game",
    "GameCount",
    "GameInfo",
    "GameLike",
    "GameRecord",
    "GivenAway",
    "IllegalMove",
    "Images",
    "Iteration",
    "Kept",
    "Look",
    "Lookup",
    "LostGame",
    "Match",
    "MissingPackage",
    "Mistake",
    "Move",
    "MoveAnalysis",
    "NoFingerprint",
    "NoGPU",
    "NotCompiled",
    "Odds",
    "PairingStanding",
    "PerfectplayError",
    "Player",
    "PlayerInfo",
    "PlayerStanding",
    "Position",
    "Probability",
    "Progress",
    "Puzzle",
    "PuzzleSet",
    "RandomGames",
    "Result",
    "Review",
    "ReviewedMove",
    "ReviewedSide",
    "RuleCheck",
    "RulesReport",
    "SampleGame",
    "SearchTree",
    "Searcher",
    "SeatedPlayer",
    "Sentence",
    "Sides",
    "SiteReport",
    "Standings",
    "Step",
    "Strategy",
    "StrategyRule",
    "Summary",
    "Sweep",
    "Table",
    "Threat",
    "TooBig",
    "TreeNode",
    "Verification",
    "WinProbability",
    "WrongSystem",
    "__version__",
    "analyse",
    "analyze",
    "battle",
    "canonical",
    "certify",
    "certify_all",
    "check",
    "compare",
    "count_games",
    "explain",
    "export",
    "export_site",
    "kept",
    "legal_moves",
    "list_games",
    "list_players",
    "load",
    "make_book",
    "odds",
    "open_table",
    "perft",
    "player",
    "puzzles",
    "read_games",
    "remove_kept",
    "review",
    "search",
    "solve",
    "strategy",
    "summarise",
    "sweep",
    "tournament",
    "tree",
    "verify",
    "widget",
    "win_probability",
]
