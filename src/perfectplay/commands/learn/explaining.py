"""Why a position stands as it does: who wins, how soon, and the reasons, in sentences whose claims can be checked."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from perfectplay.commands.know.best_lines import BestLine, named_line
from perfectplay.commands.know.positions import STANDING, reached
from perfectplay.commands.know.verdicts import hint_number, move_numbers
from perfectplay.commands.matches.match import Match
from perfectplay.insight.explanation import sentences_about
from perfectplay.insight.scene import Scene
from perfectplay.insight.sentences import Sentence, worth_fields
from perfectplay.rules.notation import VALUE_NAMES, entry_text
from perfectplay.solvers.oracle import Oracle
from perfectplay.solvers.worth import exact_worth
from perfectplay.views.document import Beside, Board, Cell, Document, Hint, Notes, Seen, Table, Valued, more
from perfectplay.views.json_facts import Fact, each, json_facts, unless_none
from perfectplay.views.result import ResultClass
from perfectplay.words import Entry, Move, entry_of

if TYPE_CHECKING:
    from fractions import Fraction

MOST_MOVES = 24
"""The moves that a table lists."""
SOURCES = {"search": "Found by search, without a table.", "threats": "Found by a search for threats, without a table."}
"""What is said of a source other than a table."""
VALUES = {name: value for value, name in VALUE_NAMES.items()}
"""The values by their names."""


@dataclass(frozen=True, kw_only=True)
class Threat(metaclass=ResultClass):
    """What the side not to move would do if the other passed: the moves, what they are worth to it, and how soon.

    `lines` has for each move that wins at once the lines that it completes; `double`: no single move answers.
    """

    side: str
    moves: tuple[str, ...]
    value: str
    plies: int | None
    lines: dict[str, list[str]]
    double: bool

    to_dict = json_facts()


@dataclass(frozen=True, kw_only=True)
class ExplainedMove(metaclass=ResultClass):
    """A move: what it is worth to the side that makes it, and whether it keeps the result; None if that is not proven.

    `refutation` is the best line after a move that worsens the result; `trap` is the depth from which on one sees that
    a move is worse which looks fine to a player of two plies.
    """

    move: str
    value: str | None
    distance: int | None
    margin: int | None = None
    keeps: bool | None
    refutation: tuple[str, ...] = ()
    trap: int | None = None

    to_dict = json_facts("move", "value", "distance", Fact("margin", rare=True), "keeps", "refutation", "trap")


@dataclass(frozen=True, kw_only=True)
class Explanation(metaclass=ResultClass):
    """Who wins, how soon and why, in sentences, each of which has its claims as data; `str()` draws the board, too.

    `source` says where the truth comes from: table, search or threats; after a search, what is not proven is None.
    `sharpness` is the share of moves that keep the result, `difficulty` the probability that a level goes wrong.
    """

    match: Match = field(compare=False)
    source: str
    value: str | None
    distance: int | None
    margin: int | None = None
    sentences: tuple[Sentence, ...]
    threats: Threat | None = None
    only_move: str | None = None
    safe_moves: tuple[str, ...] = ()
    zugzwang: bool = False
    sharpness: "Fraction | None" = None
    difficulty: "Fraction | None" = None
    moves: tuple[ExplainedMove, ...] = ()
    line: BestLine | None = None

    def __repr__(self) -> str:
        return f"<Explanation of {self.match.text()}: {self.sentences[0].text if self.sentences else ''}>"

    def document(self) -> Document:
        """The board, the reasons in sentences, where they come from, and for eyes what each move is worth."""
        game, position, side = self.match.game, self.match.position, self.match.turn
        numbers = move_numbers(game, position, side)
        hints = {numbers[move.move]: move_hint(self, move) for move in self.moves}
        rows = [move_row(self, move) for move in self.moves[:MOST_MOVES]]
        return Document(
            f"{game.name}: why",
            Beside(
                Board(game, position, side, hints=hints, large=True),
                [
                    Notes(*(sentence.text for sentence in self.sentences), strong=True),
                    Seen(
                        Table(rows, ("move", "value", "result", "refutation")),
                        more(len(self.moves) - MOST_MOVES, "moves"),
                    ),
                ],
            ),
            Notes(SOURCES.get(self.source)),
            silent=True,
        )

    to_dict = json_facts(
        *(STANDING, "value", "distance", Fact("margin", rare=True), "source", "sentences", "threats"),
        *("only_move", "safe_moves", "zugzwang"),
        *each("sharpness", "difficulty", encode=unless_none(float)),
        *("moves", "line"),
    )


def move_entry(found: Explanation, move: ExplainedMove) -> Entry | None:
    """The value of a move with its distance or points; None if they are not known."""
    value = VALUES.get(move.value or "")
    exact = found.source == "table" or (move.distance, move.margin) != (None, None)
    return entry_of(value, move.distance, move.margin) if exact and value is not None else None


def move_hint(found: Explanation, move: ExplainedMove) -> Hint:
    """What a move is worth, on the board."""
    entry = move_entry(found, move)
    number = "" if entry is None else hint_number(exact_worth(entry))
    return Hint(VALUES.get(move.value or ""), number, bool(move.keeps))


def move_row(found: Explanation, move: ExplainedMove) -> tuple[Cell, ...]:
    """A move in the table: what it is worth, whether it keeps the result, and what follows if it does not."""
    entry = move_entry(found, move)
    return (
        move.move,
        Valued(move.value, entry_text(entry) if entry is not None else move.value or "not proven"),
        "" if move.keeps is None else "kept" if move.keeps else "given away",
        " ".join(move.refutation) or ("" if move.trap is None else f"trap, seen from depth {move.trap}"),
    )


def explanation_by(oracle: Oracle, match: Match) -> Explanation:
    """The explanation of the position of a match by what this oracle knows."""
    scene = Scene(oracle, match.position, match.turn)
    with reached(match.game, match.position, match.turn):
        oracle.study(match.position)
    here = worth_fields(scene.study.here)
    if scene.over:
        return Explanation(match=match, source="rules", sentences=tuple(sentences_about(scene)), **here)  # type: ignore[arg-type]
    line = scene.oracle.line(scene.position)
    return Explanation(
        match=match,
        source=scene.oracle.source,
        sentences=tuple(sentences_about(scene)),
        threats=threat_of(scene),
        only_move=None if scene.only_move is None else scene.name(scene.only_move),
        safe_moves=tuple(scene.names(scene.study.keeping)),
        zugzwang=scene.zugzwang,
        sharpness=scene.sharpness,
        difficulty=scene.difficulty,
        moves=tuple(explained_move(scene, move) for move in scene.study.moves),
        line=named_line(match.game, match.position, match.turn, line) if line.moves else None,
        **here,  # type: ignore[arg-type]
    )


def threat_of(scene: Scene) -> Threat | None:
    """What the other side threatens, by name."""
    found = scene.threats
    if found is None:
        return None
    passed = scene.if_passed
    return Threat(
        side=scene.other,
        moves=tuple(passed.names(found.moves)),
        value=VALUE_NAMES[found.value],
        plies=found.plies,
        lines={passed.name(move): passed.lines(move) for move in sorted(found.moves)} if found.at_once else {},
        double=scene.double,
    )


def explained_move(scene: Scene, move: Move) -> ExplainedMove:
    """A move by name, with its refutation if it worsens the result."""
    study = scene.study
    bad = move in study.failing
    refutation: tuple[str, ...] = ()
    if bad:
        after = scene.after(move)
        refutation = named_line(scene.game, after.position, after.side, scene.oracle.line(after.position)).moves
    return ExplainedMove(
        move=scene.name(move),
        keeps=True if move in study.keeping else False if bad else None,
        refutation=refutation,
        trap=scene.traps.get(move),
        **worth_fields(study.moves[move]),  # type: ignore[arg-type]
    )
