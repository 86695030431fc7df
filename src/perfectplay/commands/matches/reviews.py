"""The review of a game: each move judged, what was better and why, and a summary for each side."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from perfectplay.commands.know.verdicts import signed
from perfectplay.commands.matches.match import Match
from perfectplay.game import after
from perfectplay.insight.game_review import BEST, BLUNDER, COSTS, FLAWLESS, GOOD, INACCURACY, MISTAKE, JudgedMove
from perfectplay.rules.notation import number_of, plies_text, show_position
from perfectplay.solvers.worth import Worth
from perfectplay.views.document import (
    Board,
    Boards,
    Cell,
    Curve,
    Document,
    Folded,
    Line,
    Notes,
    Part,
    Seen,
    Strong,
    Table,
    Toned,
    Valued,
    more,
)
from perfectplay.views.document_text import FARTHEST, NEAREST
from perfectplay.views.game_pieces import whose_pieces
from perfectplay.views.json_facts import Fact, facts_in, json_facts
from perfectplay.views.result import ResultClass
from perfectplay.views.scoped_style import changed_squares
from perfectplay.words import FIRST, Turn

SIGNS = {INACCURACY: "?!", MISTAKE: "?", BLUNDER: "??"}
"""How chess players mark moves that give something away."""
TONES = {BEST: "good", GOOD: "fair", INACCURACY: "poor", MISTAKE: "bad", BLUNDER: "bad", None: "faint"}
"""The tone of each judgement."""
MOST_DRAWN = 6
"""The most moves that are drawn: the turning point and the worst of the others."""
COUNTED = ("best", "good", "inaccuracies", "mistakes", "blunders", "not proven")
"""What the moves of a side are counted as."""
LEAST_LONGEST = 8
"""The distance that counts as far on the curve of values, at least."""


@dataclass(frozen=True)
class ReviewedMove(metaclass=ResultClass):
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

    @property
    def sign(self) -> str:
        """What chess players write behind the move; nothing if it gave nothing away."""
        return SIGNS.get(self.judgement or "", "")

    @property
    def text(self) -> str:
        """What became of the value: draw in 8 plies -> loss in 6 plies."""
        here, following = self.words
        return here if self.judgement in (BEST, None) else f"{here} -> {following}"

    to_dict = json_facts("ply", "side", "move", "before", "after", "judgement", "better", "line", "why")


def reasons_of(made: ReviewedMove) -> tuple[Cell, ...]:
    """Why it was not the best move, and what was better, with its line."""
    some = [*made.better[:4], *([f"{len(made.better) - 4} more"] if len(made.better) > 4 else [])]
    return made.why, Toned(f"better: {', '.join(some)}; line: {made.told}", "faint")


@dataclass(frozen=True)
class ReviewedSide(metaclass=ResultClass):
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
        named = zip(counts_of(self), (*COSTS, "not proven"), COUNTED, strict=True)
        listed = ", ".join(number_of(count, one, many) for count, one, many in named if count)
        accuracy = "" if self.accuracy is None else f"; accuracy {self.accuracy:.0f}%"
        return (
            f"{self.side}: {number_of(self.moves, 'move')}, {listed}{accuracy}" if listed else f"{self.side}: no moves"
        )

    to_dict = json_facts()


def counts_of(side: ReviewedSide) -> tuple[int, ...]:
    """How many of its moves are what the heads `COUNTED` say."""
    return side.best, side.good, side.inaccuracies, side.mistakes, side.blunders, side.unproven


@dataclass(frozen=True, repr=False)
class Review(metaclass=ResultClass):
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

    @property
    def heights(self) -> list[float | None]:
        """The values over the game as heights: those of the positions before the moves, and of the last.

        Wins of the first side are above 0, its losses below. A drawn position is 0, and one of which nothing is proven
        None.
        """
        last = self.plies[-1]
        known = [(made.before, made.turn[1]) for made in self.plies] + [(last.after, last.turn[1])]
        points = any("margin" in facts for facts, _ in known)
        most = max([1 if points else LEAST_LONGEST, *(size(facts) for facts, _ in known)])
        return [height(facts, side == FIRST, size(facts) / most, points) for facts, side in known]

    @property
    def faulty(self) -> list[ReviewedMove]:
        """The moves that gave something away."""
        return [made for made in self.plies if made.sign]

    def document(self) -> Document:
        """The curve of values, the moves, the worst of them on boards, and a summary of each side."""
        costly = sorted(self.faulty, key=lambda made: (made.ply != self.turning_point, -COSTS[str(made.judgement)]))
        drawn = sorted(costly[:MOST_DRAWN], key=lambda made: made.ply)
        return Document(
            f"{self.heading}; {' against '.join(self.players)}" if any(self.players) else self.heading,
            Seen(Notes(whose_pieces(self.match.game.look))),
            value_curve(self),
            Notes(self.turned, strong=True),
            Folded("All moves", moves_table(self.plies, drawn)),
            *(part for made in drawn for part in fault_parts(self, made)),
            more(len(self.faulty) - MOST_DRAWN, "moves that gave something away"),
            *summary_parts(self.summary),
            Notes(self.note),
        )

    def to_dict(self) -> dict[str, object]:
        """The review as `perfectplay review` prints it in JSON."""
        return {
            **facts_in(self, "game", Fact("players", rare=True)),
            "position": show_position(self.match.game, *self.plies[0].turn),
            **facts_in(self, "plies", "summary", "turning_point", "source"),
        }

    def to_html(self) -> str:
        """The review as one page that needs nothing else: boards, curve and reasons, to step through."""
        return reviews_html([self])


@dataclass(frozen=True, repr=False)
class Reviews(metaclass=ResultClass):
    """The reviews of recorded games of one game; `summary` sums them up for each player, or for each side.

    They are in `games`, and looping over the result gives them one by one; `str()` has a line for each.
    """

    games: tuple[Review, ...]
    summary: tuple[ReviewedSide, ...]

    def __len__(self) -> int:
        return len(self.games)

    def __iter__(self) -> Iterator[Review]:
        return iter(self.games)

    def __repr__(self) -> str:
        return f"<Reviews of {number_of(len(self), 'game')}; {'; '.join(map(str, self.summary))}>"

    def document(self) -> Document:
        """A line for each game, then the summary over all."""
        rows = [
            (f"{number}", review.result, plies_text(len(review.plies)), accuracies(review), turning(review))
            for number, review in enumerate(self, 1)
        ]
        unproven = sum(review.unproven for review in self)
        return Document(
            f"{self.games[0].game}: {number_of(len(self), 'game')}" if self.games else None,
            Table(rows),
            *summary_parts(self.summary),
            Notes(f"{number_of(unproven, 'move')} not proven in the time of the searches." if unproven else ""),
        )

    def to_dict(self) -> list[dict[str, object]]:
        """The reviews as `perfectplay review` prints those of several games in JSON."""
        return [review.to_dict() for review in self]

    def to_html(self) -> str:
        """The reviews as one page that needs nothing else."""
        return reviews_html(self.games)


def accuracies(review: Review) -> str:
    """How accurate the two sides of a game were, by player if the record tells them."""
    pairs = zip(review.players, review.summary, strict=True)
    return ", ".join(
        f"{player} ({one.side}) {rate(one.accuracy)}" if player else f"{one.side} {rate(one.accuracy)}"
        for player, one in pairs
    )


def rate(accuracy: float | None) -> str:
    """An accuracy in per cent."""
    return "not judged" if accuracy is None else f"{accuracy:.0f}%"


def turning(review: Review) -> str:
    """The move that decided a game."""
    if review.turning_point is None:
        return ""
    made = review.plies[review.turning_point - 1]
    return f"decided by {made.ply}. {made.side} {made.move} ({made.judgement})"


def value_curve(review: Review) -> Curve:
    """The values over the game, with signs at the moves that gave something away."""
    told = [f"{made.ply}. {made.side} {made.move} {made.judgement}: {made.text}" for made in review.faulty]
    label = f"The value after each ply; {'; '.join(told) or 'nobody gave anything away'}"
    first, second = review.match.game.look.sides
    return Curve(review.heights, (first, second), label, {made.ply: f"{made.ply}{made.sign}" for made in review.faulty})


def size(facts: dict[str, Any]) -> int:
    """The points by which a position is won or lost, or the plies to its end."""
    number = facts.get("margin") if "margin" in facts else facts["distance"]
    return abs(number) if isinstance(number, int) else 0


def height(facts: dict[str, Any], mine: bool, share: float, points: bool) -> float | None:
    """The height of a position; `share` is its distance, or its points, as a share of the most."""
    if facts["value"] is None:
        return None
    if facts["value"] == "draw":
        return 0.0
    near = share if points else 1 - share
    up = FARTHEST + (NEAREST - FARTHEST) * near
    return up if (facts["value"] == "win") == mine else -up


def moves_table(plies: Sequence[ReviewedMove], drawn: Sequence[ReviewedMove]) -> Table:
    """All moves, with the reasons below those that are not drawn."""
    rows = [
        (
            f"{made.ply}",
            f"{made.side} {made.move}{made.sign}",
            Toned(made.judgement or "not proven", TONES[made.judgement]),
            Valued(str(made.after["value"]), made.text),
        )
        for made in plies
    ]
    below = {at: reasons_of(made) for at, made in enumerate(plies) if made.better and made not in drawn}
    return Table(rows, ("ply", "move", "judgement", "value"), below=below)


def fault_parts(review: Review, made: ReviewedMove) -> tuple[Part, Part]:
    """A move that gave something away: the reasons, and the boards before it, with what was better, and after it."""
    game, one = review.match.game, review.judged[made.ply - 1]
    study, following = one.scene.study, after(game, *made.turn, one.move)
    hints = {one.move: hint(study.moves[one.move], False), **{move: hint(study.here, True) for move in one.better}}
    judged = Toned(f"{made.judgement}", TONES[made.judgement])
    return (
        Notes(
            Line(Strong(f"{made.ply}. {made.side} {made.move}{made.sign}"), " ", judged, f": {made.text}"),
            *reasons_of(made),
        ),
        Boards(
            [
                Board(game, *made.turn, f"before, {made.side} to move", hints=hints),
                Board(game, *following, f"after {made.move}", changed=changed_squares(game, made.turn, following)),
            ]
        ),
    )


def hint(worth: Worth, best: bool) -> tuple[int | None, str, bool]:
    """A hint without a distance: those before and after a move would differ by a ply."""
    return worth.value, "" if worth.margin is None else signed(worth.margin), best


def summary_parts(sides: Sequence[ReviewedSide]) -> tuple[Part, Part]:
    """How many moves of each judgement each side made, and what to practise."""
    rows: list[tuple[Cell, ...]] = []
    for one in sides:
        counts = (f"{count:,}" if count else "" for count in counts_of(one))
        accuracy = "" if one.accuracy is None else f"{one.accuracy:.0f}%"
        rows.append((Strong(one.side), f"{one.moves:,}", *counts, accuracy))
    advised = [one for one in sides if one.practise not in (None, FLAWLESS)]
    return Table(rows, ("side", "moves", *COUNTED, "accuracy")), Notes(
        *(f"To practise for {one.side}: {one.practise}" for one in advised)
    )


def reviews_html(reviews: Sequence[Review]) -> str:
    """One page with these reviews, all of the same game."""
    from perfectplay.exports.page.review_page import review_page  # jinja2: only when it is wanted

    return review_page(reviews[0].match.game, [page_facts(review) for review in reviews])


def page_facts(review: Review) -> dict[str, object]:
    """The review as its page gets it: with the words that people read."""
    facts = review.to_dict()
    plies = [{**made.to_dict(), "words": made.text, "told": made.told} for made in review.plies]
    words = {"heading": review.heading, "turned": review.turned, "note": review.note, "curve": review.heights}
    return {**facts, **words, "plies": plies, "sides": [str(side) for side in review.summary]}
