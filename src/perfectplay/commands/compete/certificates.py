"""Certificates: what came of asking a player in every position that it can meet."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, repeat

from perfectplay.arena.project_check import FunctionCheck
from perfectplay.commands.compete.compared_players import ScoreSymmetry
from perfectplay.commands.know.probability import Probability
from perfectplay.commands.know.refutations import SIDE_NAMES, Counterexample, Failure, Mistake
from perfectplay.game import Game
from perfectplay.rules.notation import number_of
from perfectplay.views.document import (
    Boards,
    Cell,
    Document,
    Link,
    List,
    Notes,
    Part,
    Plain,
    Record,
    Result,
    Section,
    Seen,
    Table,
    Valued,
)
from perfectplay.views.numbers import per_cent, time_text

FAILURES, MISTAKES = 3, 10
"""The most failures, which are often the same, and the most mistakes that a certificate shows."""
DRAWN = 24
"""The same on a page."""


@dataclass(frozen=True, kw_only=True)
class Examined(Record):
    """What came of asking a player on one side, "first" or "second".

    `worst` is the worst result that an opponent can reach. `against_random` has the probabilities against an opponent
    who plays at random: exact, or estimated from games if the answers vary, or None if the player stopped answering.
    """

    side: str
    asked: int
    calls: int
    seconds: float
    perfect: bool
    loses: bool
    worst: str
    value: str
    """The value of the game to this side: what a perfect player reaches at least."""
    varying: int = 0
    """The positions in which the answers differed from call to call."""
    slow_wins: int = 0
    """The positions in which it wins later than it could."""
    faults: int = 0
    """The positions in which it failed."""
    failures: tuple[Failure, ...] = field(default=(), repr=False)
    """These positions, those that are reached soonest first, a thousand at most."""
    stopped: bool = False
    """Whether it stopped answering, so that some positions were not asked."""
    mistake_count: int = 0
    """The number of moves that give a result away."""
    mistakes: tuple[Mistake, ...] = field(default=(), repr=False)
    """These moves, those that are reached soonest first, a thousand at most."""
    counterexample: Counterexample | None = field(default=None, repr=False)
    against_random: Probability | None = field(default=None, repr=False)
    estimated_from: int | None = None
    """The games that `against_random` is estimated from, None if it is exact."""

    def to_dict(self) -> dict[str, object]:
        """What was found, as in JSON."""
        return {
            "side": self.side,
            "asked": self.asked,
            "calls": self.calls,
            "perfect": self.perfect,
            "loses": self.loses,
            "worst": self.worst,
            "value": self.value,
            "varying": self.varying,
            "slow_wins": self.slow_wins,
            "faults": self.faults,
            "stopped": self.stopped,
            "mistakes": self.mistake_count,
            "against_random": self.against_random and self.against_random.to_dict(),
            "estimated_from": self.estimated_from,
        }

    def row(self, game: Game) -> tuple[Cell, ...]:
        """What was found, in a table of both sides."""
        who = f"{game.look.sides[SIDE_NAMES.index(self.side)]}, moving {self.side}"
        return who, f"{self.asked:,}", Valued(self.worst, self.worst), self.chances

    @property
    def chances(self) -> str:
        """The probabilities against a random opponent, in words."""
        found = self.against_random
        if found is None:
            return "unknown"
        games = "" if self.estimated_from is None else f" (estimated from {self.estimated_from:,} games)"
        won, drawn, lost = (per_cent(float(number)) for number in (found.win, found.draw, found.loss))
        return f"{won} won, {drawn} drawn, {lost} lost{games}"


@dataclass(frozen=True, kw_only=True)
class Certificate(Result):
    """Whether a player is perfect, or loses, or what refutes it; true in a condition if it is perfect.

    A perfect player keeps the result of every position that it can meet, whatever its opponent plays.
    """

    game: str
    player: str
    sides: tuple[Examined, ...]
    known: bool = False
    """Whether the player's move probabilities are known, so that no answer was missed."""
    repeats: int = 1
    """How often it was asked in each position."""
    printed: str = field(default="", repr=False)
    """The beginning of what the player printed."""
    said: tuple[str, ...] = field(default=(), repr=False)
    """The remarks that the player made, or that were made about the way it was written."""
    unusable: str = ""
    """Why the player could not be examined; empty if it was."""
    functions: tuple[FunctionCheck, ...] = field(default=(), repr=False)
    """The functions of a whole project, each checked on every board; empty for other players."""
    first_move_calls: int | None = None
    """The calls of the player's own functions for the first move of the game, None if they cannot be counted or the
    player was examined as the second one only."""
    symmetry: ScoreSymmetry | None = None
    """Whether the player gives symmetric moves the same score; None if its file has no scores."""
    rules: Game | None = field(default=None, repr=False, compare=False)
    """The game, for drawing."""

    @property
    def perfect(self) -> bool:
        """Whether the player never lets a result slip, and all functions of a project are right."""
        return self.plays_perfectly and all(check.correct for check in self.functions)

    @property
    def plays_perfectly(self) -> bool:
        """Whether the player never lets a result slip."""
        return not self.unusable and all(side.perfect for side in self.sides)

    @property
    def loses(self) -> bool:
        """Whether the player loses some game."""
        return any(side.loses for side in self.sides)

    @property
    def mistakes(self) -> tuple[Mistake, ...]:
        """The moves that give a result away, a thousand at most on each side."""
        return tuple(mistake for side in self.sides for mistake in side.mistakes)

    @property
    def failures(self) -> tuple[Failure, ...]:
        """The positions in which the player fails, a thousand at most on each side."""
        return tuple(failure for side in self.sides for failure in side.failures)

    @property
    def mistake_count(self) -> int:
        """The number of moves that give a result away."""
        return sum(side.mistake_count for side in self.sides)

    @property
    def counterexample(self) -> Counterexample | None:
        """The shortest game that refutes the player, a lost one if there is any; None if it is perfect."""
        games = [side.counterexample for side in self.sides if side.counterexample is not None]
        return min(games, key=lambda game: (game.result != "loss", len(game.moves)), default=None)

    @property
    def asked(self) -> int:
        """The number of positions in which the player was asked."""
        return sum(side.asked for side in self.sides)

    @property
    def varying(self) -> int:
        """The number of positions in which the answers differed from call to call."""
        return sum(side.varying for side in self.sides)

    @property
    def faults(self) -> int:
        """The number of positions in which the player failed."""
        return sum(side.faults for side in self.sides)

    @property
    def stopped(self) -> bool:
        """Whether the player stopped answering, so that some positions were not asked."""
        return any(side.stopped for side in self.sides)

    @property
    def points_against_random(self) -> float | None:
        """The mean score against a random opponent, a draw counting half; None if it is not known."""
        found = [side.against_random for side in self.sides if side.against_random is not None]
        if not found or len(found) < len(self.sides):
            return None
        return float(sum(side.win + side.draw / 2 for side in found)) / len(found)

    @property
    def seconds_per_move(self) -> float:
        """The mean time of a move."""
        return sum(side.seconds for side in self.sides) / max(1, sum(side.calls for side in self.sides))

    @property
    def verdict(self) -> str:
        """What the certificate says, in a few words."""
        if self.unusable:
            return "cannot be examined"
        if self.perfect:
            return "is perfect: it never lets a result slip"
        if self.plays_perfectly:
            wrong = [check.name for check in self.functions if not check.correct]
            return f"plays perfectly, but not all is right: {', '.join(wrong)}"
        if self.stopped:
            return "is refuted: it stopped answering"
        if self.faults:
            return "is refuted: it fails"
        if self.loses and self.mistake_count:
            return "is refuted: it loses"
        return "never loses, but lets wins slip"

    @property
    def remarks(self) -> list[str]:
        """What was noticed about the player besides its moves, a sentence each."""
        slow = sum(side.slow_wins for side in self.sides)
        said = [self.unusable] if self.unusable else []
        if self.stopped:
            said.append("It stopped answering, so it was not asked in all positions.")
        if self.known:
            said.append("All moves that the player may choose are known, and all were followed.")
        if self.varying and not self.known:
            where = positions_text(self.varying)
            said.append(
                f"Its answers differ from call to call in {where}, by chance or by what it was asked before. "
                "All answers seen were followed; others may exist."
            )
        if self.repeats == 1 and self.sides and not self.known:
            said.append("It was asked once in each position: what is said here holds if it always answers the same.")
        if self.sides and self.rules is not None and self.rules.margin is not None:
            said.append("It is judged by wins, draws and losses, not by points.")
        if slow:
            said.append(f"It wins later than it could in {positions_text(slow)}.")
        if self.symmetry is not None:
            said.append(f"It {self.symmetry}.")
        said += [f"{remark[:1].upper()}{remark[1:]}." for remark in self.said]
        if self.printed:
            said.append(f"It prints, beginning with {self.printed.strip().partition(chr(10))[0][:30]!r}.")
        return said

    def side(self, name: str) -> Examined | None:
        """What was found on the side "first" or "second", None if the player was not asked there."""
        return next((side for side in self.sides if side.side == name), None)

    def __bool__(self) -> bool:
        return self.perfect

    def __repr__(self) -> str:
        return f"<Certificate of {self.game}: {self.player} {self.verdict}>"

    def document(self, failures: int = FAILURES, mistakes: int = MISTAKES) -> Document:
        """The verdict, each side, the game that refutes the player, some failures and mistakes, and the remarks."""
        verdict = Valued(self.mark, f"{self.game}: {self.player} {self.verdict}.")
        return Document(verdict, *self.parts(failures, mistakes))

    @property
    def mark(self) -> str:
        """The shape of the verdict."""
        return "right" if self.perfect else "wrong"

    def parts(self, failures: int, mistakes: int) -> Iterator[Part | None]:
        """What stands below the verdict, with at most so many failures and mistakes."""
        game = self.rules
        if game is not None:
            heads = ("side", "positions", "worst result", "against random")
            yield Table([side.row(game) for side in self.sides], heads)
            yield Table([(check.name, check.result) for check in self.functions], ("function", "result"))
            if self.counterexample is not None:
                yield self.counterexample.section(game)
            yield cases(game, "Positions in which it fails", self.faults, self.failures[:failures])
            yield cases(game, "Moves that give a result away", self.mistake_count, self.mistakes[:mistakes])
        yield Notes(*self.remarks, self.effort if self.sides else "")

    @property
    def effort(self) -> str:
        """How often it was asked, and how long it took."""
        count, questions = self.first_move_calls, number_of(sum(side.calls for side in self.sides), "question")
        calls = "" if count is None else f", {number_of(count, 'call')} for the first move"
        return f"{questions}, {time_text(self.seconds_per_move)} per move{calls}"

    def to_dict(self) -> dict[str, object]:
        """The certificate as `perfectplay certify` prints it in JSON."""
        first, second = self.side("first"), self.side("second")
        refuted = self.counterexample
        return {
            "game": self.game,
            "player": self.player,
            "side": self.sides[0].side if len(self.sides) == 1 else "both",
            "asked": self.asked,
            "perfect": self.perfect,
            "loses": self.loses,
            "mistakes": self.mistake_count,
            "counterexample": refuted and list(refuted.moves),
            "worst_as_first": first and first.worst,
            "worst_as_second": second and second.worst,
            "seconds_per_move": self.seconds_per_move,
            "verdict": self.verdict,
            "remarks": self.remarks,
            "points_against_random": self.points_against_random,
            "varying": self.varying,
            "calls": sum(side.calls for side in self.sides),
            "first_move_calls": self.first_move_calls,
            "printed": self.printed or None,
            "unusable": self.unusable or None,
            "sides": [side.to_dict() for side in self.sides],
            "positions": [mistake.to_dict() for mistake in self.mistakes],
            "failures": [failure.to_dict() for failure in self.failures],
            "game_that_refutes": refuted and refuted.to_dict(),
            "functions": [check.to_dict() for check in self.functions],
            "symmetric_scores": self.symmetry and self.symmetry.to_dict(),
        }

    def to_html(self) -> str:
        """The certificate as a page of its own, with what the player prints."""
        from perfectplay.views.document_html import page  # markupsafe: only when it is wanted

        return page(self.document(DRAWN, DRAWN).followed_by(*self.prints))

    @property
    def prints(self) -> list[Part]:
        """What the player prints; nothing if it is silent."""
        return [Section("What it prints", Plain(self.printed))] if self.printed else []


def cases(game: Game, heading: str, count: int, some: Sequence[Failure | Mistake]) -> Section | None:
    """Some of so many failures or mistakes: drawn, and as text a line each; nothing if there are none."""
    limit = "" if count <= len(some) else f", of which {len(some)} are shown"
    drawn = Seen(Boards([one.board(game) for one in some]), told=List([str(one) for one in some]))
    return Section(f"{heading}: {count:,}{limit}", drawn) if some else None


def positions_text(count: int) -> str:
    """1 position, 1,000 positions."""
    return number_of(count, "position")


# Certificates of several players of a game, ranked.


SCORE = "vs random: mean score against a random opponent, a draw counting half"
"""What the scores in the table are."""


@dataclass(frozen=True)
class ClassReport(Result):
    """The certificates of several players of a game, the best first; `ranks` has their places, equal ones shared.

    Perfect players come first, then those that never lose, then those that lose, then those that fail; among them the
    score against a random opponent decides.
    """

    game: str
    certificates: tuple[Certificate, ...]
    ranks: tuple[int, ...]

    @property
    def perfect(self) -> bool:
        """Whether every player is perfect."""
        return all(found.perfect for found in self.certificates)

    def __bool__(self) -> bool:
        return self.perfect

    def document(self) -> Document:
        """The players by rank, and what was noticed about each."""
        noticed = [
            (player, line)
            for found in self.certificates
            for player, line in zip(chain([found.player], repeat("")), noticed_lines(found), strict=False)
        ]
        return Document(self.heading, self.table(), Table(noticed), Notes(SCORE))

    @property
    def heading(self) -> str:
        """How many players there are, and how many are perfect."""
        perfect = sum(found.perfect for found in self.certificates)
        return f"{self.game}: {number_of(len(self.certificates), 'player')}, {perfect} perfect"

    def table(self, *, links: bool = False) -> Table:
        """The players by rank; each leads to its section if there are links."""
        heads = ("rank", "player", "mistakes", "vs random", "positions", "time/move", "calls", "result")
        rows = []
        for number, (rank, found) in enumerate(zip(self.ranks, self.certificates, strict=True)):
            player = Link(found.player, f"#player-{number}") if links else found.player
            rows.append((f"{rank}", player, *numbers(found), Valued(found.mark, found.verdict)))
        return Table(rows, heads)

    def to_dict(self) -> dict[str, object]:
        """The report as `perfectplay certify` prints it in JSON for several players."""
        players = zip(self.ranks, self.certificates, strict=True)
        return {"game": self.game, "players": [{"rank": rank, **found.to_dict()} for rank, found in players]}

    def to_html(self) -> str:
        """The report as a page of its own: the table, and each player's certificate with drawn boards."""
        from perfectplay.views.document_html import page  # markupsafe: only when it is wanted

        sections = [
            Section(
                found.player,
                Notes(Valued(found.mark, f"{found.verdict}."), strong=True),
                *found.parts(DRAWN, DRAWN),
                *found.prints,
                name=f"player-{number}",
            )
            for number, found in enumerate(self.certificates)
        ]
        return page(Document(self.heading, self.table(links=True), Notes(SCORE), *sections))


def numbers(found: Certificate) -> tuple[str, ...]:
    """The numbers in a player's row; empty for one that was not asked."""
    if not found.sides:
        return ("",) * 5
    points, calls = found.points_against_random, found.first_move_calls
    return (
        f"{found.mistake_count:,}",
        "" if points is None else per_cent(points),
        f"{found.asked:,}",
        time_text(found.seconds_per_move) if found.seconds_per_move else "",
        "" if calls is None else f"{calls:,}",
    )


def noticed_lines(found: Certificate) -> Iterator[str]:
    """The game that refutes the player, where it fails, and the remarks, a line each."""
    game = found.counterexample
    if game is not None:
        yield str(game)
    if found.failures and not (game and game.fault):
        yield f"fails in {positions_text(found.faults)}, first in {found.failures[0]}"
    yield from (remark.partition("\n")[0] for remark in found.remarks)


def ranked(game: str, certificates: list[Certificate]) -> ClassReport:
    """The certificates in order, with their places."""
    in_order = sorted(certificates, key=lambda found: (standing(found), found.player))
    ranks: list[int] = []
    for number, found in enumerate(in_order):
        same = number > 0 and standing(found) == standing(in_order[number - 1])
        ranks.append(ranks[-1] if same else number + 1)
    return ClassReport(game, tuple(in_order), tuple(ranks))


def standing(found: Certificate) -> tuple[int, float]:
    """What certificates are ordered by, the best first."""
    if found.unusable or found.stopped:
        group = 4
    elif found.faults:
        group = 3
    else:
        group = 0 if found.plays_perfectly else 2 if found.loses else 1
    return group, -round(found.points_against_random or 0.0, 9)
