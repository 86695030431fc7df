"""The proof of a position and of its moves, in full or in part."""

from typing import NamedTuple

from perfectplay.solvers.scores import Bounds
from perfectplay.words import DRAW, LOSS, Entry, Move, entry_of


class Proof(NamedTuple):
    """Bounds on the score of a position, and the length of a draw."""

    bounds: Bounds
    draw: int | None = None

    @property
    def value(self) -> int | None:
        """The value, if known."""
        return self.bounds.value()

    @property
    def distance(self) -> int | None:
        """The plies to the end, if known."""
        return self.draw if self.bounds == (0, 0) and self.margin is None else self.bounds.distance()

    @property
    def margin(self) -> int | None:
        """The points by which the side to move will be ahead, if known; None where the game has no points."""
        return self.bounds.margin()

    @property
    def exact(self) -> bool:
        """Whether value and distance, or the margin, are known."""
        return self.margin is not None or (self.value is not None and self.distance is not None)

    @property
    def entry(self) -> Entry:
        """The entry; right only if the proof is exact."""
        return entry_of(self.value or DRAW, self.distance, self.margin)

    def before(self, again: bool = False) -> "Proof":
        """The same one ply earlier, from the other side's view, or from that of the same side if it moves again."""
        return Proof(self.bounds.before(again), None if self.draw is None else self.draw + 1)

    def narrowed(self, other: "Proof") -> "Proof":
        """The combination with another true answer about the same position."""
        low, high = max(self.bounds.low, other.bounds.low), min(self.bounds.high, other.bounds.high)
        bounds = self.bounds._replace(low=low, high=high)
        return Proof(bounds, self.draw if other.draw is None else other.draw)


class Analysis(NamedTuple):
    """The proofs of a position and of its moves, best move first, and the nodes that they took.

    `nodes_here` of them went into the position alone; None if it was not searched before its moves.
    """

    here: Proof
    moves: dict[Move, Proof]
    nodes: int
    nodes_here: int | None = None

    @property
    def exact(self) -> bool:
        """Whether the position and all its moves are exact."""
        return self.here.exact and all(proof.exact for proof in self.moves.values())

    @property
    def best(self) -> set[Move]:
        """The moves that have the position's value and are not proven slower; if it is open, those proven best."""
        scores = {move: proof.bounds for move, proof in self.moves.items()}
        if self.here.value is not None:
            least = max((bounds.low for bounds in scores.values()), default=0)
            return {move for move, at in scores.items() if at.value() == self.here.value and at.high >= least}
        return {one for one in scores if all(scores[one].low >= scores[move].high for move in scores if move != one)}

    def narrowed(self, other: "Analysis") -> "Analysis":
        """The combination with another true analysis of the same position."""
        moves = best_first({move: proof.narrowed(other.moves[move]) for move, proof in self.moves.items()})
        return Analysis(self.here.narrowed(other.here), moves, self.nodes + other.nodes)


def best_of(moves: list[Proof]) -> Proof:
    """The proof of a position from those of its moves."""
    low, high = max(proof.bounds.low for proof in moves), max(proof.bounds.high for proof in moves)
    bounds = moves[0].bounds._replace(low=low, high=high)
    draws = [proof.draw for proof in moves if proof.bounds == (0, 0) and proof.draw is not None]
    return Proof(bounds, min(draws, default=None) if bounds == (0, 0) else None)


def best_first(moves: dict[Move, Proof]) -> dict[Move, Proof]:
    """The moves, best first: by the proven score, then by the possible score; of draws, the shorter first.

    Proven losses are last, however long they take: an open move may be better.
    """
    order = {move: (proof.value != LOSS, *proof.bounds.promise(), -(proof.draw or 0)) for move, proof in moves.items()}
    return dict(sorted(moves.items(), key=lambda item: order[item[0]], reverse=True))
