"""Certificates as documents: the same for the terminal and for notebooks, and pages with more boards."""

from collections.abc import Iterator, Sequence
from itertools import chain, repeat
from typing import TYPE_CHECKING

from perfectplay.commands.know.refutations import SIDE_NAMES, Counterexample, Failure, Mistake
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
from perfectplay.views.numbers import per_cent, time_text
from perfectplay.words import FIRST

if TYPE_CHECKING:
    from perfectplay.commands.compete.certificates import Certificate, ClassReport, Examined

FAILURES, MISTAKES = 3, 10
"""The most failures, which are often the same, and the most mistakes that are shown."""
DRAWN = 24
"""The same on a page."""
SCORE = "vs random: mean score against a random opponent, a draw counting half"
"""What the scores in the table of several players are."""
VALUES = {name: value for value, name in VALUE_NAMES.items()}


# One player.


def certificate_document(found: "Certificate", failures: int = FAILURES, mistakes: int = MISTAKES) -> Document:
    """The verdict and all that it rests on, with at most so many failures and mistakes."""
    title = f"{found.game}: {found.player} {found.verdict}."
    return Document(Valued(mark(found), title), *parts(found, failures, mistakes))


def certificate_page(found: "Certificate") -> Document:
    """The same with more boards, and what the player prints."""
    return certificate_document(found, DRAWN, DRAWN).followed_by(prints(found))


def mark(found: "Certificate") -> str:
    """The shape of the verdict."""
    return "right" if found.perfect else "wrong"


def parts(found: "Certificate", failures: int, mistakes: int) -> Iterator[Part | None]:
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
        failed = [(str(one), failure_board(game, one)) for one in found.failures[:failures]]
        yield cases("Positions in which it fails", found.faults, failed)
        wrong = [(str(one), mistake_board(game, one)) for one in found.mistakes[:mistakes]]
        yield cases("Moves that give a result away", found.mistake_count, wrong)
    yield Notes(*found.remarks, effort(found) if found.sides else "")


def side_row(game: Game, side: "Examined") -> tuple[Cell, ...]:
    """What came of one side."""
    who = f"{game.look.sides[SIDE_NAMES.index(side.side)]}, moving {side.side}"
    return who, f"{side.asked:,}", Valued(side.worst, side.worst), chances_text(side)


def chances_text(side: "Examined") -> str:
    """The probabilities against a random opponent."""
    chances = side.against_random
    if chances is None:
        return "unknown"
    games = "" if side.estimated_from is None else f" (estimated from {side.estimated_from:,} games)"
    won, drawn, lost = (per_cent(float(number)) for number in (chances.win, chances.draw, chances.loss))
    return f"{won} won, {drawn} drawn, {lost} lost{games}"


def refuting_game(game: Game, found: Counterexample) -> Section:
    """The game that refutes the player, board by board, its mistakes marked."""
    own = SIDE_NAMES.index(found.side)
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


def failure_board(game: Game, found: Failure) -> Board:
    """The position, with what happens there."""
    return Board(game, *read_position(game, found.position), note=found.reason)


def mistake_board(game: Game, found: Mistake) -> Board:
    """The position, with what the move and the better ones are worth."""
    position, side = read_position(game, found.position)
    worth = {found.move: (VALUES[found.after], "", False)}
    worth |= dict.fromkeys(found.better, (VALUES[found.before], "", True))
    hints = {parse_move(game, position, side, name): hint for name, hint in worth.items()}
    better = f"{found.before} becomes {found.after}; better: {' '.join(found.better)}"
    return Board(game, position, side, note=f"{game.look.sides[side]} {found.move}: {better}", hints=hints)


def effort(found: "Certificate") -> str:
    """How often the player was asked, and how long it took."""
    count, questions = found.first_move_calls, number_of(sum(side.calls for side in found.sides), "question")
    calls = "" if count is None else f", {number_of(count, 'call')} for the first move"
    return f"{questions}, {time_text(found.seconds_per_move)} per move{calls}"


def prints(found: "Certificate") -> Section | None:
    """What the player prints; nothing if it is silent."""
    return Section("What it prints", Plain(found.printed)) if found.printed else None


# Several players of a game.


def class_document(report: "ClassReport") -> Document:
    """The players by rank, and what was noticed about each."""
    noticed = [
        row
        for found in report.certificates
        for row in zip(chain([found.player], repeat("")), lines(found), strict=False)
    ]
    return Document(class_heading(report), class_table(report), Table(noticed), Notes(SCORE))


def class_page(report: "ClassReport") -> Document:
    """The players by rank, each with a link to its certificate."""
    sections = [
        Section(
            found.player,
            Notes(Valued(mark(found), f"{found.verdict}."), strong=True),
            *parts(found, DRAWN, DRAWN),
            prints(found),
            name=f"player-{number}",
        )
        for number, found in enumerate(report.certificates)
    ]
    return Document(class_heading(report), class_table(report, links=True), Notes(SCORE), *sections)


def class_heading(report: "ClassReport") -> str:
    """How many players there are, and how many are perfect."""
    perfect = sum(found.perfect for found in report.certificates)
    return f"{report.game}: {number_of(len(report.certificates), 'player')}, {perfect} perfect"


def class_table(report: "ClassReport", *, links: bool = False) -> Table:
    """The players by rank; each leads to its section if there are links."""
    rows = []
    for number, (rank, found) in enumerate(zip(report.ranks, report.certificates, strict=True)):
        player = Link(found.player, f"#player-{number}") if links else found.player
        rows.append((f"{rank}", player, *numbers(found), Valued(mark(found), found.verdict)))
    return Table(rows, ("rank", "player", "mistakes", "vs random", "positions", "time/move", "calls", "result"))


def numbers(found: "Certificate") -> tuple[str, ...]:
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


def lines(found: "Certificate") -> Iterator[str]:
    """The game that refutes the player, where it fails, and the remarks, a line each."""
    game = found.counterexample
    if game is not None:
        yield str(game)
    if found.failures and not (game and game.fault):
        yield f"fails in {number_of(found.faults, 'position')}, first in {found.failures[0]}"
    yield from (remark.partition("\n")[0] for remark in found.remarks)
