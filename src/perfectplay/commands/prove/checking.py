"""Checks of tables and rules: verify and check."""

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from perfectplay.commands.terminal.arguments import GameLike, Progress, game_of, load, whole
from perfectplay.game import Game, is_own
from perfectplay.rules.loading import absolute_name, split_path
from perfectplay.rules.notation import number_of
from perfectplay.rules.rule_faults import rule_faults
from perfectplay.solvers.steps import finished
from perfectplay.views.document import Document, Section, Table as Rows, Valued
from perfectplay.views.json_facts import Fact, json_facts
from perfectplay.views.result import ResultClass
from perfectplay.words import BadArgument, BadTable, PerfectplayError

if TYPE_CHECKING:
    from perfectplay.commands.prove.random_play import RandomGames
    from perfectplay.solvers.table.table import Table

DOUBTED_WALKS, DOUBTED = 20, 2_000
"""Random games, and positions of them, in which rules are looked at before a solve."""
UNDOUBTED = "nothing in random games makes the rules look wrong"
"""What is remembered of rules that were looked at."""
SHOWN_STATUS = {
    "ok": Valued("right", "ok"),
    "skipped": Valued(None, "skip"),
    "note": Valued(None, "note"),
    "fault": Valued("wrong", "FAULT"),
}


@dataclass(frozen=True)
class Verification(metaclass=ResultClass):
    """A verified table: how many canonical positions were checked, and which.

    `unmarked` says why that could not be saved beside the table, where it should be.
    """

    table: str
    checked: int
    which: str
    unmarked: str | None = None

    def __str__(self) -> str:
        return f"{self.table} is right: verified {self.checked:,} {self.which}"

    to_dict = json_facts("table", "checked", "which", Fact("unmarked", rare=True))


@rule_faults
def verify(
    table: "Table | GameLike", *, sample: int | None = None, seed: int = 1, progress: Progress | None = None
) -> Verification:
    """Checks a table by the rules alone, independently of the solver; raises BadTable at the first wrong entry.

    `table` is a table, the path of one, or a game whose table is kept. `sample` limits the check to that many
    canonical positions, chosen at random; `seed` makes the choice repeatable.
    """
    from perfectplay.solvers.validity.verify import verify_sample, verify_table

    whole("sample", sample, 1)
    found = table_of(table)
    name = found.reader.name
    if found.header.plies is not None:
        from perfectplay.solvers.search.book import SAMPLE, verify_book  # numba: only when it is wanted

        most = SAMPLE if sample is None else sample
        count = finished(verify_book(found, most, seed), progress)
        return Verification(name, count, f"canonical positions; at the last ply, at most {most:,} were searched again")
    if sample is not None and sample < len(found):
        count, which = finished(verify_sample(found, sample, seed), progress), "canonical positions chosen at random"
    else:
        count, which = finished(verify_table(found), progress), "canonical positions, all of them"
    return Verification(name, count, which, found.note_checked(count / len(found)))


def table_of(table: "Table | GameLike") -> "Table":
    """The table itself, the one in that file, or the table or opening book of that game."""
    from perfectplay.solvers.table.table import Table, table_in_file

    if isinstance(table, Table):
        return table
    if isinstance(table, Game):
        return kept_table_of(table, table.name)
    if not isinstance(table, str | os.PathLike):
        raise BadArgument(f"{table!r} is neither a table, the path of one, nor a game")
    text = os.fspath(table)
    if Path(text).is_file() and split_path(text)[0] is None:
        return table_in_file(text)
    try:
        game = load(table)
    except PerfectplayError as fault:
        raise BadTable(f"{text!r} is neither a table nor a game: {fault}") from None
    return kept_table_of(game, text)


def kept_table_of(game: Game, name: str) -> "Table":
    """The game's table or opening book that is kept; raises BadTable if there is none."""
    from perfectplay.solvers.table.table import table_in_file
    from perfectplay.solvers.table.table_folder import book_of, kept_tables, place_of_book, table_path
    from perfectplay.solvers.table.table_header import Header
    from perfectplay.solvers.unsolved import why_unsolved

    if table_path(game).exists():
        return table_in_file(table_path(game), game)
    book = book_of(game)
    if book is not None:
        return book
    if place_of_book(game).exists():
        return table_in_file(place_of_book(game), game)
    for kept in kept_tables():  # of earlier rules, or under an old name
        if isinstance(kept.header, Header) and kept.header.game in (name, absolute_name(name)):
            return table_in_file(kept.path, game)
    raise BadTable(why_unsolved(game))


@dataclass(frozen=True)
class RuleCheck(metaclass=ResultClass):
    """One check of the rules: `status` is ok, skipped if it does not apply, note or fault.

    `fault` says what is wrong. `note` says what is allowed but worth knowing: the rules run, but do not compile, or the
    board seems to be drawn with rows and columns swapped.
    """

    sentence: str
    status: str
    fault: str | None = None
    note: str | None = None

    def __str__(self) -> str:
        return "\n".join(f"{status.text:<6} {line}" for status, line in check_rows(self))

    to_dict = json_facts(Fact("sentence", "check"), "status", "fault", "note")


def check_rows(found: RuleCheck) -> list[tuple[Valued, str]]:
    """The status beside the sentence, and below it what is wrong or worth knowing."""
    line = found.fault or found.note
    return [(SHOWN_STATUS[found.status], found.sentence), *([(Valued(None, ""), line)] if line else [])]


@dataclass(frozen=True)
class RulesReport(metaclass=ResultClass):
    """Whether the rules of a game satisfy the contract, check by check, and how random games go.

    `games` is None if no random game can be played.
    """

    game: str
    checks: tuple[RuleCheck, ...]
    games: "RandomGames | None" = None

    @property
    def ok(self) -> bool:
        """Whether no check has found a fault."""
        return not self.faults

    @property
    def faults(self) -> tuple[RuleCheck, ...]:
        """The checks that failed."""
        return tuple(check for check in self.checks if check.fault is not None)

    def __repr__(self) -> str:
        faults = "; ".join(f"{check.sentence} {check.fault}" for check in self.faults)
        return f"<RulesReport of {self.game}: {len(self.checks)} checks, {faults or 'no faults'}>"

    def document(self) -> Document:
        """Each check, and how random games go."""
        count = len(self.faults)
        said = f"{count} of {number_of(len(self.checks), 'check')} failed" if count else "no faults"
        played = None if self.games is None else self.games.document()
        return Document(
            Valued("right" if self.ok else "wrong", f"{self.game}: {said}"),
            Rows([row for check in self.checks for row in check_rows(check)]),
            None if played is None else Section(played.title, *played.parts),
        )

    to_dict = json_facts("game", "ok", "checks", "games")


@rule_faults
def check(game: GameLike, *, walks: int = 50, seed: int = 1) -> RulesReport:
    """Checks that a game's rules satisfy the contract: in all positions of a small game, else in random games."""
    game = game_of(game)
    from perfectplay.commands.prove.random_play import random_games  # solve imports this file, too, and plays none

    return RulesReport(game.name, tuple(checking(game, walks, seed)), random_games(game, walks, seed))


def checking(game: Game, walks: int, seed: int) -> Iterator[RuleCheck]:
    """One check after the other."""
    from perfectplay.compiler.checks.contract import findings  # not needed by those who only play
    from perfectplay.compiler.checks.sample_positions import positions_to_check

    whole("walks", walks, 1, 10**6, optional=False)
    met = positions_to_check(game, walks, seed)
    for rule, (status, line) in findings(game, met):
        sentence = (rule.__doc__ or "").partition("\n")[0]
        yield RuleCheck(sentence, status, line if status == "fault" else None, line if status == "note" else None)


def doubts(game: Game) -> list[str]:
    """What `check` faults in the rules of a user's game although engines run them; found in about a second."""
    from perfectplay.compiler.checks.board_checks import next_side_sees
    from perfectplay.compiler.checks.contract import moves_matter
    from perfectplay.compiler.checks.outcome_checks import last_move_decides
    from perfectplay.compiler.checks.sample_positions import positions_to_check
    from perfectplay.compiler.known_rules import digest_of, is_known, remember

    found: list[object] = []
    if is_own(game) or is_known(digest_of(game), UNDOUBTED):
        return []
    with suppress(Exception):  # whatever the rules do: an engine says so
        met = positions_to_check(game, DOUBTED_WALKS, 1, most=DOUBTED)
        found.extend(rule(game, met) for rule in (moves_matter, next_side_sees, last_move_decides))
        if not any(isinstance(line, str) for line in found):
            remember(digest_of(game), UNDOUBTED)
    return [line for line in found if isinstance(line, str)]
