"""Views of strategies in words, their decision diagrams, and search trees."""

import re
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from perfectplay.bridges.notebook.views.frame import (
    BOARD,
    board,
    boards,
    folded,
    framed,
    joined,
    listed,
    more,
    note,
    notes,
    table,
    tag,
)
from perfectplay.game import after
from perfectplay.insight.strategies.diagram_svg import DIAGRAM_STYLE, diagram_svg
from perfectplay.insight.strategies.strategy_html import MOST_DRAWN
from perfectplay.insight.strategies.strategy_words import (
    HOW_TO_READ,
    diagram_text,
    failure_heading,
    headline,
    mistake_text,
    proof,
    ways_text,
)
from perfectplay.rules.notation import number_of, played
from perfectplay.views.board_svg import changed_squares
from perfectplay.words import FIRST

if TYPE_CHECKING:
    from perfectplay.commands.learn.strategies import DecisionDiagram, Strategy
    from perfectplay.commands.learn.trees import SearchTree

MOST_BOARDS, MOST_QUESTIONS, MOST_NODES = 12, 60, 400
"""The boards of a game, the questions in a table, and the nodes of a tree that are drawn."""


def strategy_view(found: "Strategy") -> Markup:
    """The rules, the proof, the game that refutes a shorter list, and the decision diagram."""
    facts = found.to_dict()
    rules: list[Any] = facts["rules"]  # type: ignore[assignment]
    return framed(
        f"{found.game.name}: a strategy in words",
        tag("p", tag("strong", headline(found.game, facts))),
        joined((note(HOW_TO_READ), listed((rule["text"] for rule in rules), "ol"))) if rules else "",
        notes(proof(found.game, facts)),
        failing_parts(found, facts) if facts["shorter"] is not None else "",
        folded("A decision diagram", *diagram_parts(found.diagram)) if found.diagram is not None else "",
    )


def failing_parts(found: "Strategy", facts: dict[str, Any]) -> Markup:
    """The list that fails, and the game that refutes it, drawn move by move."""
    game, failing = found.game, facts["shorter"]
    figures = []
    for number, (position, side, move) in enumerate(played(game, game.start, FIRST, failing["moves"][:MOST_BOARDS])):
        following = after(game, position, side, move)
        changed = changed_squares(game, (position, side), following)
        words = f"{number + 1}. {game.look.sides[side]} {failing['moves'][number]}"
        figures.append((board(game, *following, changed, size=BOARD * 3 // 4), words))
    shorter = [rule["text"] for rule in failing["rules"]] if found.proven else []
    return joined(
        (
            tag("p", failure_heading(facts)),
            listed(shorter, "ol") if shorter else "",
            boards(figures),
            more(len(failing["moves"]) - MOST_BOARDS, "moves"),
            note(mistake_text(game, facts)),
        )
    )


def diagram_view(found: "DecisionDiagram") -> Markup:
    """The decision diagram on its own."""
    return framed("Decision diagram", *diagram_parts(found))


def diagram_parts(found: "DecisionDiagram") -> list[Markup]:
    """The diagram drawn if it is small, and as a table."""
    facts = found.to_dict()
    questions: list[Any] = facts["questions"]  # type: ignore[assignment]
    rows = [(str(one["question"]), one["square"], ways_text(one)) for one in questions[:MOST_QUESTIONS]]
    drawing = Markup("")
    if len(questions) <= MOST_DRAWN:
        style = Markup("<style>{}</style>").format(Markup(within(DIAGRAM_STYLE, ".ppv ")))
        drawing = tag("div", style, Markup(diagram_svg(questions)), style="overflow-x:auto")
    return [
        tag("p", diagram_text(facts)),
        drawing,
        folded(
            f"All {number_of(len(questions), 'question')} as a table",
            table(("question", "what stands on", "then"), rows),
            more(len(questions) - MOST_QUESTIONS, "questions"),
        ),
    ]


def tree_view(found: "SearchTree") -> Markup:
    """The drawn tree on white paper; a large one is told in numbers."""
    heading = f"{found.game.name if found.game else 'a tree of numbers'}: {found.algorithm}"
    if len(found.nodes) > MOST_NODES:
        facts = (
            f"{number_of(found.visited, 'node')} visited, {found.cut:,} cut; too many to draw here: to_html() has all"
        )
        return framed(heading, note(facts))
    top, style, rest = re.split(r">\s*<style>|</style>", found.to_svg(), maxsplit=2)
    label = Markup(' role="img" aria-label="{}"').format(f"The search tree of {heading}; print() tells it as text")
    scoped = within(style, ".ppv-tree ")
    drawn = Markup("").join(map(Markup, (top, label, "><style>", scoped, "</style>", rest)))
    return framed(heading, tag("div", drawn, class_="ppv-tree", style="overflow:auto;max-height:640px"))


def within(style: str, where: str) -> str:
    """The flat rules of a style, for elements below `where` only."""
    rules = re.findall(r"([^{}]+)\{([^{}]*)\}", re.sub(r"/\*.*?\*/", "", style, flags=re.S))
    return "".join(
        f"{','.join(where + one.strip() for one in heads.split(','))}{{{body.strip()}}}" for heads, body in rules
    )
