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

from perfectplay.game import NEVER, Game, Images, Look
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
    from perfectplay.arena.tournaments.standing_rows import Advantage, PairingStanding, PlayerStanding
    from perfectplay.arena.tournaments.standings import Standings
    from perfectplay.bridges.notebook.widgets import widget
    from perfectplay.commands.compete.certificates import Certificate, Examined
    from perfectplay.commands.compete.certifying import certify, certify_all
    from perfectplay.commands.compete.class_report import ClassReport
    from perfectplay.commands.compete.compared_players import ComparedPlayer
    from perfectplay.commands.compete.comparing import Comparison, compare
    from perfectplay.commands.compete.comparing_cycles import CyclicComparison
    from perfectplay.commands.compete.tournaments import tournament
    from perfectplay.commands.know.analysing import Analysis, MoveAnalysis
    from perfectplay.commands.know.best_lines import BestLine
    from perfectplay.commands.know.evaluation import Evaluation, Probability
    from perfectplay.commands.know.positions import canonical, legal_moves
    from perfectplay.commands.know.refutations import Counterexample, Failure, Mistake
    from perfectplay.commands.learn.explaining import ExplainedMove, Explanation, Threat, explain
    from perfectplay.commands.learn.puzzling import Puzzle, PuzzleSet, puzzles
    from perfectplay.commands.learn.strategies import DecisionDiagram, FailingList, Strategy, StrategyRule, strategy
    from perfectplay.commands.learn.sweeping import Sweep, sweep
    from perfectplay.commands.learn.trees import SearchTree, tree
    from perfectplay.commands.listing import GameInfo, PlayerInfo, list_games, list_players
    from perfectplay.commands.odds.forfeits import Forfeit
    from perfectplay.commands.odds.probabilities import Odds, WinProbability, odds, win_probability
    from perfectplay.commands.play.battle_result import BattleResult
    from perfectplay.commands.play.lost_games import GivenAway, LostGame
    from perfectplay.commands.play.match import Match, analyse, analyze
    from perfectplay.commands.play.match_result import Result
    from perfectplay.commands.play.playing import battle
    from perfectplay.commands.play.reviewing import review
    from perfectplay.commands.play.reviews import Review, ReviewedMove, ReviewedSide
    from perfectplay.commands.play.seated_player import SeatedPlayer, player
    from perfectplay.commands.prove.checking import RuleCheck, RulesReport, Verification, check, verify
    from perfectplay.commands.prove.counting import GameCount, count_games, perft
    from perfectplay.commands.prove.kept import Kept, kept, remove_kept
    from perfectplay.commands.prove.random_play import RandomGames, SampleGame
    from perfectplay.commands.prove.solving import Book, make_book, open_table, search, solve, summarise
    from perfectplay.commands.publish.exporting import ExportReport, export
    from perfectplay.commands.publish.site_exporting import SiteReport, export_site
    from perfectplay.commands.terminal.arguments import GameLike, Progress, load
    from perfectplay.insight.ladder.search_tree import TreeNode
    from perfectplay.insight.sentences import Sentence
    from perfectplay.rules.fingerprint import NoFingerprint
    from perfectplay.rules.game_records import GameRecord, read_games
    from perfectplay.solvers.search.searcher import Searcher
    from perfectplay.solvers.steps import Step
    from perfectplay.solvers.table.summary import Summary
    from perfectplay.solvers.table.table import Table
    from perfectplay.solvers.table.trace import Iteration

HOMES = {
    "commands.know.analysing": ("Analysis", "MoveAnalysis"),
    "commands.terminal.arguments": ("GameLike", "Progress", "load"),
    "commands.play.battle_result": ("BattleResult",),
    "commands.know.best_lines": ("BestLine",),
    "commands.listing": ("GameInfo", "PlayerInfo", "list_games", "list_players"),
    "commands.compete.certificates": ("Certificate", "Examined"),
    "commands.compete.certifying": ("certify", "certify_all"),
    "commands.prove.checking": ("RuleCheck", "RulesReport", "Verification", "check", "verify"),
    "commands.compete.class_report": ("ClassReport",),
    "commands.compete.compared_players": ("ComparedPlayer",),
    "commands.compete.comparing": ("Comparison", "compare"),
    "commands.compete.comparing_cycles": ("CyclicComparison",),
    "commands.prove.counting": ("GameCount", "count_games", "perft"),
    "commands.know.evaluation": ("Evaluation", "Probability"),
    "commands.learn.explaining": ("ExplainedMove", "Explanation", "Threat", "explain"),
    "commands.publish.exporting": ("ExportReport", "export"),
    "commands.odds.forfeits": ("Forfeit",),
    "commands.prove.kept": ("Kept", "kept", "remove_kept"),
    "commands.play.lost_games": ("GivenAway", "LostGame"),
    "commands.play.match": ("Match", "analyse", "analyze"),
    "commands.play.match_result": ("Result",),
    "commands.play.playing": ("battle",),
    "commands.know.positions": ("canonical", "legal_moves"),
    "commands.odds.probabilities": ("Odds", "WinProbability", "odds", "win_probability"),
    "commands.learn.puzzling": ("Puzzle", "PuzzleSet", "puzzles"),
    "commands.prove.random_play": ("RandomGames", "SampleGame"),
    "commands.know.refutations": ("Counterexample", "Failure", "Mistake"),
    "commands.play.reviewing": ("review",),
    "commands.play.reviews": ("Review", "ReviewedMove", "ReviewedSide"),
    "commands.play.seated_player": ("SeatedPlayer", "player"),
    "commands.publish.site_exporting": ("SiteReport", "export_site"),
    "commands.prove.solving": ("Book", "make_book", "open_table", "search", "solve", "summarise"),
    "commands.learn.strategies": ("DecisionDiagram", "FailingList", "Strategy", "StrategyRule", "strategy"),
    "commands.learn.sweeping": ("Sweep", "sweep"),
    "commands.compete.tournaments": ("tournament",),
    "commands.learn.trees": ("SearchTree", "tree"),
    "arena.tournaments.standing_rows": ("Advantage", "PairingStanding", "PlayerStanding"),
    "arena.tournaments.standings": ("Standings",),
    "fingerprint": ("NoFingerprint",),
    "game_records": ("GameRecord", "read_games"),
    "insight.sentences": ("Sentence",),
    "bridges.notebook.widgets": ("widget",),
    "insight.ladder.search_tree": ("TreeNode",),
    "solvers.search.searcher": ("Searcher",),
    "solvers.steps": ("Step",),
    "solvers.table.summary": ("Summary",),
    "solvers.table.table": ("Table",),
    "solvers.table.trace": ("Iteration",),
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
