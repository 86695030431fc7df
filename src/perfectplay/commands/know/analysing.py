"""The value of a position and of each move: from a table, from a small game solved on the spot, or by search."""

from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from perfectplay.commands.know.asked_opponent import probabilities_against
from perfectplay.commands.know.best_lines import BestLine, named_line
from perfectplay.commands.know.positions import STANDING, reached
from perfectplay.commands.know.probability import Probability, Prospect
from perfectplay.commands.know.verdicts import hint_number, move_numbers, verdict
from perfectplay.commands.terminal.arguments import Progress
from perfectplay.game import legal_moves
from perfectplay.rules.notation import VALUE_NAMES, move_name
from perfectplay.solvers.oracle import LINE_NODES, SearchOracle, solved_oracle, table_oracle
from perfectplay.solvers.search.search_clock import Limits
from perfectplay.solvers.steps import finished
from perfectplay.solvers.table.table_file import mark_field, read_mark
from perfectplay.solvers.table.table_folder import kept_path
from perfectplay.solvers.validity.plausibility import check_before, check_turn
from perfectplay.solvers.worth import WORTH, Study, Worth
from perfectplay.views.document import (
    Beside,
    Board,
    Cell,
    Document,
    Hint,
    Hover,
    Notes,
    Share,
    Strong,
    Table,
    Valued,
)
from perfectplay.views.json_facts import Fact, each, facts_in, json_facts
from perfectplay.views.numbers import per_cent
from perfectplay.views.result import ResultClass
from perfectplay.words import DRAW, BadArgument, Move, TooBig

if TYPE_CHECKING:
    from perfectplay.commands.matches.match import Match
    from perfectplay.players.models.win_probability import MoveProbabilities

MANY = 20
"""More moves than this with the same evaluation are counted, not listed."""
HEADS = ("move", "value", "", "win", "draw", "loss", "", "Grundy value", "tie-break")
"""What is known of moves, where it is more than their values."""
TIE_BREAK = "tie-break: 2 for each threat that the move leaves, 1 for a corner; the player tricky decides by it"


@dataclass(frozen=True, kw_only=True)
class MoveAnalysis(Prospect, metaclass=ResultClass):
    """The value of a move for the side that makes it; `chosen` marks the moves with the greatest win probability.

    `tie_break` is the number by which the player `tricky` chooses among equally good moves, if it was asked for;
    `grundy` is the Grundy value of the position after the move, if the game is impartial.
    """

    move: str
    chosen: bool = False
    tie_break: int | None = None
    grundy: int | None = None

    def __repr__(self) -> str:
        return f"<{self.move}: {self.text}>"

    to_dict = json_facts("move", WORTH, *each("tie_break", "grundy", rare=True))


@dataclass(frozen=True, kw_only=True, repr=False)
class Analysis(Prospect, metaclass=ResultClass):
    """The value of a position and of each move, for the side to move; the best moves come first.

    `nodes` counts the positions searched, `nodes_here` those for the value of the position alone, where it is searched
    before its moves; both are None without a search. `line` is best play of both sides, as far as it
    is proven; None where no move is proven to be best. `grundy` is the Grundy value of the position if the game is
    impartial; None in other games, and where `no_grundy` says why. `table` is the file of the game's table, if one is
    kept, and `checked` the part of its classes that has been checked, 1 for all; None if that is not known. `str()`
    draws the board and lists the moves.
    """

    match: "Match" = field(compare=False)
    moves: tuple[MoveAnalysis, ...]
    nodes: int | None = None
    nodes_here: int | None = None
    against: str | None = None
    line: BestLine | None = None
    grundy: int | None = None
    no_grundy: str = ""
    table: Path | None = None
    checked: float | None = None

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

    def document(self) -> Document:
        """The board with what each move is worth, the verdict, the moves in a table, and the best line."""
        game, position, side = self.match.game, self.match.position, self.match.turn
        grundy = self.no_grundy if self.grundy is None else f"Its Grundy value is {self.grundy}."
        line, ties, odds = "", "", ""
        if self.line is not None and self.line.moves:
            line = f"best line{'' if self.against is None else ' against a perfect opponent'}: {self.line}"
        if any(move.tie_break is not None for move in self.moves):
            ties = TIE_BREAK
        if self.against is not None and self.moves:
            how = "playing only moves that preserve the result and choosing the likeliest win (marked *)"
            odds = f"{game.look.sides[side]}'s win probability against {self.against}, {how}."
        return Document(
            f"{game.name}: {self.text}",
            Beside(
                Board(game, position, side, hints=hints_of(self), large=True),
                [Notes(Strong(self.verdict), grundy, strong=True), moves_table(self)],
            ),
            Notes(line),
            Notes(ties),
            Notes(odds),
            silent=True,
        )

    def to_dict(self) -> dict[str, object]:
        """The analysis as `perfectplay analyse` prints it in JSON."""
        return facts_in(
            self,
            *(STANDING, WORTH),
            *(() if self.grundy is None and not self.no_grundy else each("grundy")),
            *("moves", "line"),
            *(() if self.table is None else each("checked", encode=mark_field)),
            *(() if self.nodes is None else (Fact("complete", "exact"), "nodes", "nodes_here")),
        )


def as_good_as(one: Worth, best: Worth) -> bool:
    """Whether the one is not proven to be worse than the best."""
    return (one.bounds, one.entry) == (best.bounds, best.entry) or (one.value == best.value == DRAW)


def moves_table(analysis: Analysis) -> Table:
    """The moves with all that is known of them; many searched moves with the same evaluation share a row."""
    best = analysis.best if analysis.value is not None else ()
    more = any((move.probability, move.grundy, move.tie_break) != (None, None, None) for move in analysis.moves)
    alike: dict[str, list[MoveAnalysis]] = {}
    for move in analysis.moves:
        alike.setdefault(move.move if more or analysis.nodes is None else move.text, []).append(move)
    rows: list[tuple[Cell, ...]] = []
    for moves in alike.values():
        if len(moves) > MANY:
            what = "moves" if len(moves) == len(analysis.moves) else "others"
            rows.append((f"{len(moves)} {what}", moves[0].text))
        else:
            rows += [move_row(move, move.move in best) for move in moves]
    marked = [number for number, row in enumerate(rows) if isinstance(row[0], Strong)]
    return Table(rows, HEADS if more else (), marked, indent=2)


def move_row(move: MoveAnalysis, best: bool) -> tuple[Cell, ...]:
    """A move in the table."""
    odds = move.probability
    chances: tuple[Cell, ...] = (None,) * 4
    if odds is not None:
        chances = Share(float(odds.win), silent=True), *map(chance, (odds.win, odds.draw, odds.loss))
    return (
        Strong(move.move) if best else move.move,
        Valued(None if move.value is None else VALUE_NAMES[move.value], move.text),
        *chances,
        "*" if move.chosen else "",
        *("" if number is None else f"{number}" for number in (move.grundy, move.tie_break)),
    )


def chance(number: Fraction | float) -> Cell:
    """A probability; of a fraction also how much that is in per cent."""
    words = per_cent(number)
    return Hover(words, per_cent(float(number))) if isinstance(number, Fraction) else words


def analysis_of(
    match: "Match",
    limits: Limits,
    against: str | None = None,
    exact: bool = False,
    tie_break: bool = False,
    progress: Progress | None = None,
) -> Analysis:
    """The value of the position and of each move; see `perfectplay.analyse`."""
    found = looked_up(match, against, exact, progress)
    return completed(searched(match, limits, progress) if found is None else found, tie_break)


def completed(analysis: Analysis, tie_break: bool = False) -> Analysis:
    """The analysis with what needs neither a table nor a search: Grundy values, and tie-breaks if they are wanted."""
    found = with_grundy_values(analysis)
    return with_tie_breaks(found) if tie_break else found


def with_grundy_values(analysis: Analysis) -> Analysis:
    """The analysis with Grundy values if the game is impartial, or else with the reason why there are none."""
    match = analysis.match
    if not match.game.impartial:
        return analysis
    from perfectplay.players.models.grundy import grundy_values

    try:
        here, after = grundy_values(match.game, match.position)
    except TooBig as fault:
        return replace(analysis, no_grundy=f"No Grundy values: {fault}.")
    values = {move_name(match.game, match.position, match.turn, move): value for move, value in after.items()}
    return replace(
        analysis, grundy=here, moves=tuple(replace(move, grundy=values[move.move]) for move in analysis.moves)
    )


def with_tie_breaks(analysis: Analysis) -> Analysis:
    """The analysis with the number of each move by which `tricky` chooses among equally good ones."""
    from perfectplay.players.named.perfect import trick

    game, position, side = analysis.match.game, analysis.match.position, analysis.match.turn
    numbers = {
        move_name(game, position, side, move): trick(game, position, move) for move in legal_moves(game, position)
    }
    return replace(analysis, moves=tuple(replace(move, tie_break=numbers[move.move]) for move in analysis.moves))


def looked_up(match: "Match", against: str | None, exact: bool, progress: Progress | None) -> Analysis | None:
    """The analysis where everything is known; None if the game is neither solved nor small."""
    if exact and against is None:
        raise BadArgument('exact=True is for win probabilities; add against="uniform", or another model')
    game = match.game
    oracle = table_oracle(game) if against is None else solved_oracle(game, "win probabilities")
    if oracle is None:
        return None
    with reached(game, match.position, match.turn):
        oracle.lookup(match.position)
    found = None if against is None else probabilities_against(match, against, exact, progress)
    line = named_line(game, match.position, match.turn, oracle.line(match.position))
    known, table = analysis_from(match, oracle.study(match.position), found), kept_path(game)
    return replace(known, against=against, line=line, table=table, checked=None if table is None else read_mark(table))


def searched(match: "Match", limits: Limits, progress: Progress | None = None) -> Analysis:
    """What a search, or a search for threats, proves within the limits."""
    game, position, side = match.game, match.position, match.turn
    check_turn(game, position, side)
    check_before(game, position, side)
    oracle = SearchOracle(game)
    with reached(game, position, side):
        study = finished(oracle.studying(position, limits), progress)
    known = replace(analysis_from(match, study), nodes=study.nodes, nodes_here=study.nodes_here)
    line = oracle.searched_line(position, study, line_limits(study, limits))
    return replace(known, line=named_line(game, position, side, line)) if line.moves or not study.moves else known


def line_limits(study: Study, limits: Limits) -> Limits | None:
    """The limits of the search for the best line: those that are set, or else as many nodes as the study took.

    None, so no search, where an opening book knows the position and its moves.
    """
    if not study.nodes:
        return None
    return limits if limits.set or limits.stopped else Limits(None, max(LINE_NODES, study.nodes), limits.threads)


def analysis_from(match: "Match", study: Study, probabilities: "MoveProbabilities | None" = None) -> Analysis:
    """The study with the names of its moves, and with the probabilities of a win, if there are any."""
    chances = {} if probabilities is None else {move: Probability(*one) for move, one in probabilities.moves.items()}
    moves = tuple(
        MoveAnalysis(
            bounds=worth.bounds,
            entry=worth.entry,
            move=move_name(match.game, match.position, match.turn, move),
            probability=chances.get(move),
            chosen=probabilities is not None and move in probabilities.chosen,
        )
        for move, worth in study.moves.items()
    )
    here = None if probabilities is None else Probability(*probabilities.here)
    return Analysis(bounds=study.here.bounds, entry=study.here.entry, match=match, moves=moves, probability=here)


def hints_of(analysis: Analysis) -> dict[Move, Hint]:
    """For each move its value and number, and whether it is one of the best."""
    game, position, side = analysis.match.game, analysis.match.position, analysis.match.turn
    numbers = move_numbers(game, position, side)
    best = set(analysis.best) if analysis.value is not None else set()
    return {
        numbers[one.move]: Hint(one.value, hint_number(one), one.move in best and one.value is not None)
        for one in analysis.moves
    }
