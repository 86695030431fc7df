"""The rules that a strategy may be made of, computed for any game: those that tell some moves apart."""

from collections.abc import Iterable

import numpy as np

from perfectplay.insight.strategies.look_ahead_rules import deeper_rules, look_ahead_rules
from perfectplay.insight.strategies.rule_types import OwnMoves, Rule
from perfectplay.insight.strategies.square_contents import Board
from perfectplay.insight.strategies.square_rules import square_rules


def vocabulary(moves: OwnMoves, board: Board, deeper: bool = False) -> list[Rule]:
    """The rules of this game that differ from each other, the easiest first."""
    rules = [*look_ahead_rules(moves), *square_rules(moves, board)]
    return distinct(moves, [*rules, *deeper_rules(moves)] if deeper else rules)


def distinct(moves: OwnMoves, rules: Iterable[Rule]) -> list[Rule]:
    """The rules with scores as ranks within each position; of those that always agree the easiest."""
    found: dict[bytes, Rule] = {}
    for rule in sorted(rules, key=lambda one: one.effort):
        scores = np.asarray(rule.scores)
        ranks = moves.ranks(scores.astype(np.int64) if scores.dtype == bool else scores)
        if ranks.any():
            found.setdefault(ranks.tobytes(), rule._replace(scores=-ranks))
    return list(found.values())
