"""Certificates: what came of asking a player in every position that it can meet."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, repeat

from perfectplay.arena.project_check import FunctionCheck
from perfectplay.commands.compete.compared_players import ScoreSymmetry
from perfectplay.commands.kinds import SIDE_WORDS
from perfectplay.commands.know.probability import Probability
from perfectplay.commands.know.refutations import Counterexample, Failure, Mistake
from perfectplay.game import Game
from perfectplay.rules.notation import VALUE_NAMES, number_of, parse_move, read_position, replay
from perfectplay.views.document import (
    Board,
    Boards,
    Cell,
    Document,
    Link,
    List,
    Notes,
    Part,
    Plain,
    Section,
    Seen,
    Table,
    Valued,
    game_boards,
)
from perfectplay.views.game_pieces import whose_pieces
from perfectplay.views.json_facts import Fact, each, json_facts, or_none, unless_none
from perfectplay.views.numbers import per_cent, time_text
from perfectplay.views.result import ResultClass
from perfectplay.words import FIRST

FAILURES, MISTAKES = 3, 10
"""The most failures, which are often the same, and the most mistakes that are shown."""
DRAWN = 24
"""The same on a page."""
SCORE = "vs random: mean score against a random opponent, a draw counting half"
"""What the scores in the table of several players are."""
VALUES = {name: value for value, name in VALUE_NAMES.items()}


@dataclass(frozen=True, kw_only=True)
class Examined(metaclass=ResultClass):
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

    to_dict = json_facts(
        *("side", "asked", "calls", "perfect", "loses", "worst", "value", "varying", "slow_wins", "faults"),
        *("stopped", Fact("mistake_count", "mistakes"), "against_random", "estimated_from"),
    )


def calls_in(sides: Iterable[Examined]) -> int:
    """The number of questions that the player answered."""
    return sum(side.calls for side in sides)


def worst_as(name: str, sides: Iterable[Examined]) -> str | None:
    """The worst result on the side "first" or "second", None if the player was not asked there."""
    return next((side.worst for side in sides if side.side == name), None)


@dataclass(frozen=True, kw_only=True)
class Certificate(metaclass=ResultClass):
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
        return sum(side.seconds for side in self.sides) / max(1, calls_in(self.sides))

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
            where = number_of(self.varying, "position")
            said.append(
                f"Its answers differ from call to call in {where}, by chance or by what it was asked before. "
                "All answers seen were followed; others may exist."
            )
        if self.repeats == 1 and self.sides and not self.known:
            said.append("It was asked once in each position: what is said here holds if it always answers the same.")
        if self.sides and self.rules is not None and self.rules.margin is not None:
            said.append("It is judged by wins, draws and losses, not by points.")
        if slow:
            said.append(f"It wins later than it could in {number_of(slow, 'position')}.")
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

    def document(self) -> Document:
        """The verdict, each side, the game that refutes the player, some failures and mistakes, and the remarks."""
        return Document(headline(self), *parts(self, FAILURES, MISTAKES))

    to_dict = json_facts(
        *("game", "player", Fact("sides", "side", lambda sides: sides[0].side if len(sides) == 1 else "both")),
        *("asked", "perfect", "loses", Fact("mistake_count", "mistakes")),
        Fact("counterexample", encode=unless_none(lambda refuting: [*refuting.moves])),
        *(Fact("sides", f"worst_as_{side}", partial(worst_as, side)) for side in ("first", "second")),
        *("seconds_per_move", "verdict", "remarks", "points_against_random", "varying"),
        *(Fact("sides", "calls", calls_in), "first_move_calls"),
        *each("printed", "unusable", encode=or_none),
        *("sides", Fact("mistakes", "positions"), "failures"),
        *(Fact("counterexample", "game_that_refutes"), "functions", Fact("symmetry", "symmetric_scores")),
    )

    def to_html(self) -> str:
        """The certificate as a page of its own, with what the player prints."""
        from perfectplay.views.document_html import page  # markupsafe: only when it is wanted

        return page(Document(headline(self), *parts(self, DRAWN, DRAWN), prints(self)))


def mark(found: Certificate) -> str:
    """The shape of the verdict."""
    return "right" if found.perfect else "wrong"


def headline(found: Certificate) -> Valued:
    """The verdict."""
    return Valued(mark(found), f"{found.game}: {found.player} {found.verdict}.")


def parts(found: Certificate, failures: int, mistakes: int) -> Iterator[Part | None]:
    """What stands below the verdict."""
    game = found.rules
    if game is not None:
        sides = [side_row(game, side) for side in found.sides]
        yield Table(sides, ("side", "positions", "worst result", "against random"))
        yield Table([(check.name, check.result) for check in found.functions], ("function", "result"))
        if found.counterexample is not None or found.failures or found.mistakes:
            yield Seen(Notes(whose_pieces(game.look)))
        if found.counterexample is not None:
            yield refuting_game(game, found.counterexample)
        failed = [
            (str(one), Board(game, *read_position(game, one.position), note=one.reason))
            for one in found.failures[:failures]
        ]
        yield cases("Positions in which it fails", found.faults, failed)
        wrong = [(str(one), mistake_board(game, one)) for one in found.mistakes[:mistakes]]
        yield cases("Moves that give a result away", found.mistake_count, wrong)
    yield Notes(*found.remarks, effort(found) if found.sides else "")


def side_row(game: Game, side: Examined) -> tuple[Cell, ...]:
    """What came of one side."""
    who = f"{game.look.sides[SIDE_WORDS.index(side.side)]}, moving {side.side}"
    chances, odds = side.against_random, "unknown"
    if chances is not None:
        games = "" if side.estimated_from is None else f" (estimated from {side.estimated_from:,} games)"
        won, drawn, lost = (per_cent(float(number)) for number in (chances.win, chances.draw, chances.loss))
        odds = f"{won} won, {drawn} drawn, {lost} lost{games}"
    return who, f"{side.asked:,}", Valued(side.worst, side.worst), odds


def refuting_game(game: Game, found: Counterexample) -> Section:
    """The game that refutes the player, board by board, its mistakes marked."""
    own = SIDE_WORDS.index(found.side)
    movers = [side for _, side, _ in replay(game, game.start, FIRST, found.moves)]
    changes = zip(movers, found.values, found.values[1:], strict=False)
    mistakes = {
        ply: f"{before} becomes {after}"
        for ply, (side, before, after) in enumerate(changes, 1)
        if side == own and before != after
    }
    endless = "" if found.repeats is None else f"From move {found.repeats + 1} on, the moves can repeat for ever."
    return Section(
        f"The shortest game that refutes it ({game.look.sides[own]} is the player, {found.result}):",
        game_boards(game, found.moves, mistakes),
        Plain(found.fault),
        Notes(endless),
    )


def cases(heading: str, count: int, some: Sequence[tuple[str, Board]]) -> Section | None:
    """Some of so many failures or mistakes: drawn, and as text a line each; nothing if there are none."""
    limit = "" if count <= len(some) else f", of which {len(some)} are shown"
    drawn = Seen(Boards([board for _, board in some]), told=List([line for line, _ in some]))
    return Section(f"{heading}: {count:,}{limit}", drawn) if some else None


def mistake_board(game: Game, found: Mistake) -> Board:
    """The position, with what the move and the better ones are worth."""
    position, side = read_position(game, found.position)
    worth = {found.move: (VALUES[found.after], "", False)}
    worth |= dict.fromkeys(found.better, (VALUES[found.before], "", True))
    hints = {parse_move(game, position, side, name): hint for name, hint in worth.items()}
    better = f"{found.before} becomes {found.after}; better: {' '.join(found.better)}"
    return Board(game, position, side, note=f"{game.look.sides[side]} {found.move}: {better}", hints=hints)


def effort(found: Certificate) -> str:
    """How often the player was asked, and how long it took."""
    count, questions = found.first_move_calls, number_of(calls_in(found.sides), "question")
    calls = "" if count is None else f", {number_of(count, 'call')} for the first move"
    return f"{questions}, {time_text(found.seconds_per_move)} per move{calls}"


def prints(found: Certificate) -> Section | None:
    """What the player prints; nothing if it is silent."""
    return Section("What it prints", Plain(found.printed)) if found.printed else None


# Certificates of several players of a game, ranked.


@dataclass(frozen=True)
class ClassReport(metaclass=ResultClass):
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
            row
            for found in self.certificates
            for row in zip(chain([found.player], repeat("")), lines(found), strict=False)
        ]
        return Document(class_heading(self), class_table(self), Table(noticed), Notes(SCORE))

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
                Notes(Valued(mark(found), f"{found.verdict}."), strong=True),
                *parts(found, DRAWN, DRAWN),
                prints(found),
                name=f"player-{number}",
            )
            for number, found in enumerate(self.certificates)
        ]
        return page(Document(class_heading(self), class_table(self, links=True), Notes(SCORE), *sections))


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


def class_heading(report: ClassReport) -> str:
    """How many players there are, and how many are perfect."""
    perfect = sum(found.perfect for found in report.certificates)
    return f"{report.game}: {number_of(len(report.certificates), 'player')}, {perfect} perfect"


def class_table(report: ClassReport, *, links: bool = False) -> Table:
    """The players by rank; each leads to its section if there are links."""
    rows = []
    for number, (rank, found) in enumerate(zip(report.ranks, report.certificates, strict=True)):
        player = Link(found.player, f"#player-{number}") if links else found.player
        rows.append((f"{rank}", player, *numbers(found), Valued(mark(found), found.verdict)))
    return Table(rows, ("rank", "player", "mistakes", "vs random", "positions", "time/move", "calls", "result"))


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


def lines(found: Certificate) -> Iterator[str]:
    """The game that refutes the player, where it fails, and the remarks, a line each."""
    game = found.counterexample
    if game is not None:
        yield str(game)
    if found.failures and not (game and game.fault):
        yield f"fails in {number_of(found.faults, 'position')}, first in {found.failures[0]}"
    yield from (remark.partition("\n")[0] for remark in found.remarks)
