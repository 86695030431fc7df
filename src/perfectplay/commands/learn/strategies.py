"""The winning strategy of a solved game in words: the shortest list of rules that provably keeps the result."""

from dataclasses import dataclass, field

from perfectplay.commands.learn.strategy_document import strategy_document
from perfectplay.commands.terminal.arguments import GameLike, Progress, check_seconds, game_of
from perfectplay.game import Game, after
from perfectplay.insight.strategies.kept_result import Goal
from perfectplay.insight.strategies.rule_types import Rule
from perfectplay.insight.strategies.strategy_finding import SECONDS, Failing, FoundStrategy, strategy_finding
from perfectplay.rules.notation import VALUE_NAMES, move_name, number_of, show_position
from perfectplay.rules.rule_faults import rule_faults
from perfectplay.solvers.steps import finished
from perfectplay.solvers.worth import ENTRY
from perfectplay.views.document import Document
from perfectplay.views.json_facts import facts_in, json_facts
from perfectplay.views.result import ResultClass
from perfectplay.words import FIRST, SECOND, BadArgument, Entry

SIDES = {"first": FIRST, "second": SECOND}
"""The sides by the words for them."""
Facts = dict[str, object]


@dataclass(frozen=True, kw_only=True)
class StrategyRule(metaclass=ResultClass):
    """A rule of a strategy: its name, and what it says."""

    rule: str
    text: str

    to_dict = json_facts()


@dataclass(frozen=True, kw_only=True)
class FailingList(metaclass=ResultClass):
    """A list of rules that fails, and the shortest game in which it does.

    In `position` the list allows the last of the `moves`, after which the result is `after` for the side. If `repeats`
    is a number, play comes back to the position after that many moves instead, and the win is never reached.
    """

    rules: tuple[StrategyRule, ...]
    moves: tuple[str, ...]
    movers: tuple[str, ...]
    position: str
    after: str
    repeats: int | None
    errors: int
    positions: int
    probability: float

    def to_dict(self) -> Facts:
        """The list as in JSON."""
        errors = {"positions": self.errors, "of": self.positions, "probability": self.probability}
        return {**facts_in(self, "rules", "moves", "movers", "position", "after", "repeats"), "errors": errors}


@dataclass(frozen=True, kw_only=True)
class Strategy(metaclass=ResultClass):
    """The strategy of one side in words: rules in order, each of which keeps the moves that suit it best.

    If `proven`, any move that is left keeps the result against every reply; `shortest`: all shorter lists of the rules
    of the vocabulary fail. `failing` is the nearest shorter list, or where none is proven, the nearest of all.
    `complete`: all lists of up to that many rules fail; `exhausted`: all lists fail, however long they are.
    """

    game: Game = field(compare=False)
    side: str
    entry: Entry
    rules: tuple[StrategyRule, ...]
    proven: bool
    shortest: bool
    positions: int
    moves: int
    replies: int
    given_away: int
    vocabulary: int
    complete: int
    exhausted: bool
    refuted: int
    win_first: bool
    failing: FailingList | None

    def __repr__(self) -> str:
        rules = number_of(len(self.rules), "rule")
        return f"<Strategy of the {self.side} side of {self.game.name}: {rules}, {'' if self.proven else 'not '}proven>"

    def document(self) -> Document:
        """The rules, the proof, and the game that refutes a shorter list."""
        return strategy_document(self)

    def to_html(self) -> str:
        """The strategy as one page that loads nothing else."""
        from perfectplay.views.document_html import page

        return page(self.document())

    def to_dict(self) -> Facts:
        """The strategy as `perfectplay strategy` prints it in JSON."""
        failing = None if self.failing is None else self.failing.to_dict()
        return {
            "game": self.game.name,
            **facts_in(self, "side", ENTRY, "rules"),
            "length": len(self.rules),
            **facts_in(self, "proven", "shortest", "positions", "moves", "replies", "given_away", "win_first"),
            **facts_in(self, "vocabulary", "complete", "exhausted", "refuted"),
            "shorter": failing,
            "errors": None if self.proven or failing is None else failing["errors"],
        }


@rule_faults
def strategy(
    game: GameLike, side: str | None = None, *, seconds: float = SECONDS, progress: Progress | None = None
) -> Strategy:
    """The shortest list of rules that keeps the result for a side, "first" or "second".

    Without a side, it is that of the winner, and of a drawn game the first. Each of the three searches, for near rules,
    for all rules and for longer lists, ends after so many seconds.
    """
    check_seconds(seconds, optional=False)
    if side is not None and side not in SIDES:
        raise BadArgument(f"side={side!r} is neither 'first' nor 'second'")
    loaded = game_of(game)
    return named(finished(strategy_finding(loaded, None if side is None else SIDES[side], seconds), progress))


def named(found: FoundStrategy) -> Strategy:
    """What was found, with names for moves and squares."""
    goal = found.goal
    shown = found.reach or (found.failing and found.failing.reach)
    rules = found.rules if found.rules is not None or found.failing is None else found.failing.rules
    return Strategy(
        game=goal.game,
        side=[*SIDES][goal.side],
        entry=goal.entry,
        rules=named_rules(rules or ()),
        proven=found.rules is not None,
        shortest=found.shortest,
        positions=shown.positions if shown else 0,
        moves=int(shown.own_edges.sum()) if shown else 0,
        replies=shown.replies if shown else 0,
        given_away=int(shown.erring.sum()) if shown else 0,
        vocabulary=found.vocabulary,
        complete=found.complete,
        exhausted=found.exhausted,
        refuted=found.refuted,
        win_first=found.win_first,
        failing=None if found.failing is None else named_failing(goal, found.failing),
    )


def named_rules(rules: tuple[Rule, ...]) -> tuple[StrategyRule, ...]:
    """The rules without what they say of single moves."""
    return tuple(StrategyRule(rule=rule.name, text=rule.text) for rule in rules)


def named_failing(goal: Goal, found: Failing) -> FailingList:
    """The list with the game that refutes it by the names of its moves."""
    game, graph = goal.game, goal.graph
    position, side = game.start, FIRST
    names, movers, shown = [], [], ""
    for edge in found.play.edges:
        move = int(graph.moves[edge])
        names.append(move_name(game, position, side, move))
        movers.append([*SIDES][side])
        shown = show_position(game, position, side)
        position, side = after(game, position, side, move)
    last = found.play.edges[-1]
    return FailingList(
        rules=named_rules(found.rules),
        moves=tuple(names),
        movers=tuple(movers),
        position=shown,
        after=VALUE_NAMES[int(graph.results[last])] if found.play.repeats is None else "draw",
        repeats=found.play.repeats,
        errors=int(found.reach.erring.sum()),
        positions=found.reach.positions,
        probability=found.probability,
    )
