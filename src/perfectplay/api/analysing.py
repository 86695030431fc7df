"""The value of a position and of each move: from a table, from a small game solved on the spot, or by search."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from perfectplay.api.arguments import Progress, check_seconds, whole
from perfectplay.api.evaluation import Evaluation, Probability, bounds_of
from perfectplay.api.solved_games import Standing, check_reached, move_probabilities_at, solved_lookup
from perfectplay.api.verdicts import verdict
from perfectplay.notation import move_name
from perfectplay.solvers.lookup_or_solve import entries_of_moves, lookup_for
from perfectplay.solvers.plausibility import check_before, check_turn
from perfectplay.solvers.steps import finished
from perfectplay.words import BadArgument, BadPosition, TooBig

if TYPE_CHECKING:
    from perfectplay.solvers.alphabeta import Limits

MANY = 20
"""More moves than this with the same evaluation are counted, not listed."""


@dataclass(frozen=True, kw_only=True)
class MoveAnalysis(Evaluation):
    """The value of a move for the side that makes it; `chosen` marks the moves with the greatest win probability."""

    move: str
    chosen: bool = False

    def __repr__(self) -> str:
        return f"<{self.move}: {self.text}>"

    def to_dict(self) -> dict[str, object]:
        """The move as in JSON."""
        return {"move": self.move, **self.fields()}


@dataclass(frozen=True, kw_only=True, repr=False)
class Analysis(Evaluation):
    """The value of a position and of each move, for the side to move; the best moves come first.

    `nodes` counts the positions searched; it is None without a search. `str()` draws the board and lists the moves.
    """

    match: Standing = field(compare=False)
    moves: tuple[MoveAnalysis, ...]
    nodes: int | None = None
    against: str | None = None

    @property
    def best(self) -> tuple[str, ...]:
        """The names of the best moves, as far as is proven."""
        if not self.moves:
            return ()
        first = self.moves[0]
        return tuple(move.move for move in self.moves if as_good_as(move, first))

    @property
    def verdict(self) -> str:
        """Who wins and how soon, in a sentence."""
        return verdict(self.match.game, self.match.turn, self, {move.move: move for move in self.moves})

    @property
    def complete(self) -> bool:
        """Whether the position and all its moves are known exactly."""
        return self.exact and all(move.exact for move in self.moves)

    def __repr__(self) -> str:
        return f"<Analysis of {self.match.text()}: {self.text}; best {' '.join(self.best) or 'none'}>"

    def __str__(self) -> str:
        lines = [str(self.match), "", self.verdict, *([""] if self.moves else []), *move_lines(self)]
        if self.against is not None and self.moves:
            mover = self.match.game.look.sides[self.match.turn]
            how = "playing only moves that preserve the result and choosing the likeliest win (marked *)"
            lines += ["", f"{mover}'s win probability against {self.against}, {how}."]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, object]:
        """The analysis as `perfectplay analyse` prints it in JSON."""
        facts = {"game": self.match.game.name, "position": self.match.text(), **self.fields()}
        facts["moves"] = [move.to_dict() for move in self.moves]
        return facts if self.nodes is None else {**facts, "exact": self.complete, "nodes": self.nodes}


def as_good_as(one: Evaluation, best: Evaluation) -> bool:
    """Whether the one is not proven to be worse than the best."""
    return one.fields() | {"chance": None} == best.fields() | {"chance": None} or (one.value == best.value == 0)


def move_lines(analysis: Analysis) -> Iterator[str]:
    """A line for each move; many searched moves with the same evaluation share a line."""
    wide = max((len(move.move) for move in analysis.moves), default=0)
    alike: dict[object, list[MoveAnalysis]] = {}
    for move in analysis.moves:
        alike.setdefault(move.text if analysis.nodes is not None else move.move, []).append(move)
    for moves in alike.values():
        if len(moves) > MANY:
            what = "moves" if len(moves) == len(analysis.moves) else "others"
            yield f"  {len(moves)} {what}: {moves[0].text}"
            continue
        for move in moves:
            text = f"  {move.move:<{wide}}  {move.text}"
            if move.probability is not None:
                text = f"{text:<{wide + 24}}  {move.probability}{' *' if move.chosen else ''}"
            yield text


def analysis_of(
    match: Standing,
    seconds: float | None = None,
    nodes: int | None = None,
    against: str | None = None,
    exact: bool = False,
    progress: Progress | None = None,
) -> Analysis:
    """The value of the position and of each move; see `perfectplay.analyse`."""
    check_seconds(seconds)
    whole("nodes", nodes, 1)
    found = looked_up(match, against, exact, progress)
    if found is not None:
        return found
    from perfectplay.solvers.alphabeta import Limits  # numba: only when it is wanted

    return searched(match, Limits(seconds, nodes), progress)


def looked_up(match: Standing, against: str | None, exact: bool, progress: Progress | None) -> Analysis | None:
    """The analysis where everything is known; None if the game is neither solved nor small."""
    if exact and against is None:
        raise BadArgument('exact=True is for win probabilities; add against="uniform", or another model')
    game = match.game
    try:
        lookup = lookup_for(game)
    except TooBig:
        if against is not None:
            solved_lookup(game, "win probabilities")
        return None
    check_reached(match, lookup)
    found = None if against is None else move_probabilities_at(game, match.position, against, exact, progress)
    here = lookup(match.position)
    return Analysis(
        **here._asdict(),
        probability=None if found is None else Probability(*found.here),
        match=match,
        moves=tuple(
            MoveAnalysis(
                **entry._asdict(),
                probability=None if found is None else Probability(*found.moves[move]),
                move=move_name(game, match.position, match.turn, move),
                chosen=found is not None and move in found.chosen,
            )
            for move, entry in entries_of_moves(game, lookup, match.position).items()
        ),
        against=against,
    )


def searched(match: Standing, limits: "Limits", progress: Progress | None = None) -> Analysis:
    """What a search, or a search for threats, proves within the limits."""
    from perfectplay.players.search_analysis import analysing  # numba: only when it is wanted

    game, position, side = match.game, match.position, match.turn
    check_turn(game, position, side)
    check_before(game, position, side)
    try:
        found = finished(analysing(game, position, limits), progress)
    except BadPosition:
        raise BadPosition(f"{match.text()} cannot be reached in {game.name} by legal play from the start") from None
    moves = tuple(
        MoveAnalysis(**bounds_of(known), move=move_name(game, position, side, move))  # type: ignore[arg-type]
        for move, known in found.moves.items()
    )
    return Analysis(**bounds_of(found.here), match=match, moves=moves, nodes=found.nodes)  # type: ignore[arg-type]
