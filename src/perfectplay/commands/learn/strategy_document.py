"""A strategy as a document: the rules, the proof, and the nearest list that fails."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from perfectplay.rules.notation import in_turn, number_of
from perfectplay.views.document import Boards, Document, List, Notes, Part, Section, Seen, game_boards
from perfectplay.views.game_pieces import whose_pieces
from perfectplay.words import WIN

if TYPE_CHECKING:
    from perfectplay.commands.learn.strategies import FailingList, Strategy, StrategyRule

MOST_BOARDS = 24
"""The boards that are drawn of a game; of a longer one the last."""
HOW_TO_READ = (
    "Begin with all legal moves. Each rule keeps those that suit it best, in this order. "
    "Then play any move that is left."
)


def strategy_document(found: "Strategy") -> Document:
    """The rules in order, the proof, and the game that refutes a shorter list."""
    return Document(
        headline(found),
        Notes(HOW_TO_READ if found.rules else ""),
        numbered(found.rules),
        Notes(*proof(found), strong=True),
        None if found.failing is None else failure(found, found.failing),
    )


def numbered(rules: "Sequence[StrategyRule]") -> List:
    """The rules with their numbers."""
    return List([rule.text for rule in rules], first=1)


def side_names(found: "Strategy") -> tuple[str, str]:
    """The names of our side and of the other."""
    sides = found.game.look.sides
    return (sides.first, sides.second) if found.side == "first" else (sides.second, sides.first)


def headline(found: "Strategy") -> str:
    """The result that the side keeps, and the number of rules."""
    who = f"{found.game.name}: {side_names(found)[0]}, who moves {found.side},"
    rules, wins = number_of(len(found.rules), "rule"), found.entry.value == WIN
    if found.proven:
        keeps = "wins" if wins else "holds the draw"
        return f"{who} {keeps} {f'with {rules}' if found.rules else 'whatever it plays'}."
    able = "can win" if wins else "can hold the draw"
    best = f"this list of {rules} comes nearest" if found.rules else "none helps"
    return f"{who} {able}, but no list of rules was found; {best}."


def proof(found: "Strategy") -> Iterator[str]:
    """The figures of the proof, and whether shorter lists were refuted; or how often the nearest list errs."""
    if found.proven:
        checked = f"{number_of(found.positions, 'position')} with {side_names(found)[0]} to move"
        replies = f"{number_of(found.moves, 'move')} and {number_of(found.replies, 'reply', 'replies')} followed"
        yield f"Proven: {checked}, {replies}. None gives the result away."
        if found.win_first:
            yield "It stays proven if you take every win at once before anything else."
        if found.rules:
            yield shorter_lists(found)
        return
    if found.failing is not None:
        errors, of = found.failing.errors, number_of(found.failing.positions, "position")
        yield f"It errs in {errors:,} of {of}: there it allows a move that gives the result away."
        yield f"Against random replies that happens in {100 * found.failing.probability:.2f}% of all games."
    yield refuted_lists(found)


def shorter_lists(found: "Strategy") -> str:
    """Whether shorter lists were all refuted."""
    which = f"of the {found.vocabulary} rules for this game"
    if found.shortest and len(found.rules) == 1:
        return "Shortest: a list needs at least one rule."
    if found.shortest:
        return f"Shortest: all {found.refuted:,} shorter lists {which} fail."
    tried = f"All lists of up to {number_of(found.complete, 'rule')} {which} fail"
    return f"{tried}; longer ones that are still shorter than this were not all tried."


def refuted_lists(found: "Strategy") -> str:
    """The lists that were refuted where none was found."""
    which = f"of the {found.vocabulary} rules for this game"
    if found.exhausted:
        return f"No list {which} keeps the result, however long it is: all were refuted."
    short = f"All {found.refuted:,} lists of up to {number_of(found.complete, 'rule')} {which} fail"
    return f"{short}; of longer ones some were tried."


def failure(found: "Strategy", failing: "FailingList") -> Section:
    """The list that fails, and the game that refutes it."""
    heading = "The shortest game in which it fails:"
    if found.proven:
        count = number_of(len(failing.rules), "rule")
        heading = f"The nearest list of {count} fails:" if failing.rules else "Without any rule the result can be lost:"
    return Section(
        heading,
        numbered(failing.rules) if found.proven else None,
        *refutation(found, failing),
        Notes(mistake_text(found, failing)),
    )


def refutation(found: "Strategy", failing: "FailingList") -> Iterator[Part]:
    """The board after each turn of the game; of a long game its moves, and the last boards."""
    wrong = {} if failing.repeats is not None else {len(failing.moves): ""}
    drawn = game_boards(found.game, failing.moves, wrong)
    if len(drawn.boards) > MOST_BOARDS:
        sides = found.game.look.sides
        runs = groupby(zip(failing.movers, failing.moves, strict=True), key=lambda one: one[0])
        turns = ((sides.first if side == "first" else sides.second, [move for _, move in run]) for side, run in runs)
        yield Notes(", ".join(f"{mover} {in_turn(moves)}" for mover, moves in turns))
    yield Seen(Notes(whose_pieces(found.game.look)))
    yield Boards(drawn.boards[-MOST_BOARDS:])


def mistake_text(found: "Strategy", failing: "FailingList") -> str:
    """The mistake in the game that refutes a list."""
    name, other = side_names(found)
    if failing.repeats is not None:
        return f"Then it goes on from move {failing.repeats + 1} again, for ever: {name} never wins."
    lost = f"{other} wins" if failing.after == "loss" else "it is a draw"
    return f"In {failing.position} the list allows {failing.moves[-1]}, and {lost}."
