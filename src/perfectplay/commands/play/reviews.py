"""The review of a game: each move judged, what was better and why, and a summary for each side."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from perfectplay.commands.play.match import Match
from perfectplay.insight.game_review import JudgedMove
from perfectplay.insight.judging import BEST
from perfectplay.rules.notation import number_of, plies_text, show_position
from perfectplay.words import FIRST, Brief, Turn, in_notebook


@dataclass(frozen=True)
class ReviewedMove(metaclass=Brief):
    """A move of a game: `ply` is its number from 1, `side` the name of the side that made it.

    `before` and `after` have value and distance, or points, of the positions before and after the move, for the side
    that made it; None where it is not proven. `judgement` is best, good, inaccuracy, mistake or blunder, None where it
    is not proven. `better` are the moves that were better, the best first, and `line` is best play with the first of
    them; both are empty for a best move. `why` is a sentence.
    """

    ply: int
    side: str
    move: str
    before: dict[str, object]
    after: dict[str, object]
    judgement: str | None
    better: tuple[str, ...] = ()
    line: tuple[str, ...] = ()
    why: str = ""
    turn: Turn = field(default=((0, 0), FIRST), repr=False, compare=False)
    """The position in which it was made, and the side to move there."""
    words: tuple[str, str] = field(default=("", ""), repr=False, compare=False)
    """What the position and the move are worth, in words, both counted from before the move."""
    told: str = field(default="", repr=False, compare=False)
    """The line in words: with dots if it is proven no farther, and where an endless draw repeats."""

    def to_dict(self) -> dict[str, object]:
        """The move as in JSON."""
        facts = {"ply": self.ply, "side": self.side, "move": self.move, "before": self.before, "after": self.after}
        judged = {"judgement": self.judgement, "better": list(self.better), "line": list(self.line), "why": self.why}
        return {**facts, **judged}

    _repr_html_ = in_notebook


@dataclass(frozen=True)
class ReviewedSide(metaclass=Brief):
    """A side in summary: how many of its moves were of each judgement, and what to practise, in a sentence.

    `accuracy` is 100 less the mean cost of a judged move: nothing for best, 10 for good, 25 for an inaccuracy, 50 for a
    mistake, 100 for a blunder. It is None if no move could be judged.
    """

    side: str
    moves: int
    best: int
    good: int
    inaccuracies: int
    mistakes: int
    blunders: int
    accuracy: float | None
    practise: str | None

    @property
    def unproven(self) -> int:
        """The number of moves that are not judged."""
        return self.moves - self.best - self.good - self.inaccuracies - self.mistakes - self.blunders

    def __str__(self) -> str:
        counts = [
            (self.best, "best", "best"),
            (self.good, "good", "good"),
            (self.inaccuracies, "inaccuracy", "inaccuracies"),
            (self.mistakes, "mistake", "mistakes"),
            (self.blunders, "blunder", "blunders"),
            (self.unproven, "not proven", "not proven"),
        ]
        listed = ", ".join(number_of(count, one, many) for count, one, many in counts if count)
        accuracy = "" if self.accuracy is None else f"; accuracy {self.accuracy:.0f}%"
        return (
            f"{self.side}: {number_of(self.moves, 'move')}, {listed}{accuracy}" if listed else f"{self.side}: no moves"
        )

    def to_dict(self) -> dict[str, object]:
        """The summary of a side as in JSON."""
        names = ("side", "moves", "best", "good", "inaccuracies", "mistakes", "blunders", "accuracy", "practise")
        return {name: getattr(self, name) for name in names}

    _repr_html_ = in_notebook


@dataclass(frozen=True, repr=False)
class Review(metaclass=Brief):
    """A game judged move by move, and a summary for each side; `str()` lists the moves.

    `turning_point` is the number of the last move that changed the result, None if nobody gave anything away. `source`
    says how values are known: table, search or threats. `players` has the names of the players, if a record tells them.
    """

    match: Match = field(compare=False)
    plies: tuple[ReviewedMove, ...]
    summary: tuple[ReviewedSide, ...]
    turning_point: int | None
    source: str
    players: tuple[str, str] = ("", "")
    judged: tuple[JudgedMove, ...] = field(default=(), compare=False)
    """The moves as the review found them."""

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.match.game.name

    @property
    def result(self) -> str:
        """How the game ended, in a few words."""
        found = self.match.result
        return "not finished" if found is None else "drawn" if found.winner is None else str(found)

    @property
    def heading(self) -> str:
        """The game, its length and its result."""
        return f"{self.game}: {plies_text(len(self.plies))}, {self.result}"

    @property
    def unproven(self) -> int:
        """The number of moves that are not judged."""
        return sum(side.unproven for side in self.summary)

    @property
    def note(self) -> str:
        """What is not proven, in a sentence; empty if all is."""
        if not self.unproven:
            return ""
        moves = "1 move is" if self.unproven == 1 else f"{self.unproven} moves are"
        how = "The search proved no more in its time" if self.source == "search" else "Only threats were searched"
        return f"{how}: {moves} not judged. The rest is proven."

    @property
    def turned(self) -> str:
        """Where the game was decided, in a sentence."""
        if self.turning_point is None:
            return (
                "Nobody gave anything away." if not self.unproven else "Nobody is proven to have given anything away."
            )
        made = self.plies[self.turning_point - 1]
        held = "" if made.before["value"] is None else f": there the {made.before['value']} could still be held"
        return f"The turning point is {made.ply}. {made.side} {made.move}{held}."

    def __repr__(self) -> str:
        return f"<Review of {self.heading}; {'; '.join(map(str, self.summary))}>"

    def __str__(self) -> str:
        wide = max(len(f"{made.side} {made.move}") for made in self.plies)
        lines = [self.heading, ""]
        for made in self.plies:
            lines += [f"{made.ply:>3}. {f'{made.side} {made.move}':<{wide}}  {judgement_text(made)}"]
            if made.better:
                lines += [f"       {made.why}", f"       {better_text(made)}"]
        lines += ["", *map(str, self.summary), self.turned]
        return "\n".join([*lines, self.note] if self.note else lines)

    def to_dict(self) -> dict[str, object]:
        """The review as `perfectplay review` prints it in JSON."""
        return {
            "game": self.game,
            **({"players": list(self.players)} if any(self.players) else {}),
            "position": show_position(self.match.game, *self.plies[0].turn),
            "plies": [made.to_dict() for made in self.plies],
            "summary": [side.to_dict() for side in self.summary],
            "turning_point": self.turning_point,
            "source": self.source,
        }

    _repr_html_ = in_notebook

    def to_html(self) -> str:
        """The review as one page that needs nothing else: boards, curve and reasons, to step through."""
        return reviews_html([self])


def judgement_text(made: ReviewedMove) -> str:
    """How good a move was and what became of the value: mistake, draw in 8 plies -> loss in 5 plies."""
    return f"{made.judgement or 'not proven':<10}  {judgement_words(made)}"


def judgement_words(made: ReviewedMove) -> str:
    """What became of the value: draw in 8 plies -> loss in 6 plies."""
    before, following = made.words
    return before if made.judgement in (BEST, None) else f"{before} -> {following}"


def better_text(made: ReviewedMove) -> str:
    """What was better, with its line."""
    some = [*made.better[:4], *([f"{len(made.better) - 4} more"] if len(made.better) > 4 else [])]
    return f"better: {', '.join(some)}; line: {made.told}"


def reviews_html(reviews: Sequence[Review]) -> str:
    """One page with these reviews, all of the same game."""
    from perfectplay.exports.page.review_page import review_page  # jinja2: only when it is wanted

    return review_page(reviews[0].match.game, [page_facts(review) for review in reviews])


def page_facts(review: Review) -> dict[str, object]:
    """The review as its page gets it: with the words that people read."""
    facts = review.to_dict()
    plies = [{**made.to_dict(), "words": judgement_words(made), "told": made.told} for made in review.plies]
    words = {"heading": review.heading, "turned": review.turned, "note": review.note}
    return {**facts, **words, "plies": plies, "sides": [str(side) for side in review.summary]}
