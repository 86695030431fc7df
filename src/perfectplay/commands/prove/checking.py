"""Checks of tables and rules, and their reports."""

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from perfectplay.commands.terminal.arguments import GameLike, load
from perfectplay.game import Game, is_own
from perfectplay.rules.loading import absolute_name, split_path
from perfectplay.rules.notation import number_of
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


def print_unmarked(why: str | None) -> None:
    """Says why the result of a check is not beside the table, if it should be."""
    if why is not None:
        print(f"perfectplay: the result of the check could not be saved beside the table: {why}", file=sys.stderr)


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


def checking(game: Game, walks: int, seed: int) -> Iterator[RuleCheck]:
    """One check after the other."""
    from perfectplay.compiler.checks.contract import findings  # not needed by those who only play
    from perfectplay.compiler.checks.sample_positions import positions_to_check

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
