"""Views of strategies in words, and search trees."""

import re
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from perfectplay.bridges.notebook.views.frame import BOARD, board, boards, framed, listed, more, note, notes
from perfectplay.game import after
from perfectplay.insight.strategies.strategy_words import (
    HOW_TO_READ,
    failure_heading,
    headline,
    mistake_text,
    proof,
)
from perfectplay.rules.notation import number_of, replay
from perfectplay.views.charts import joined, tag
from perfectplay.views.scoped_style import changed_squares
from perfectplay.words import FIRST

if TYPE_CHECKING:
    from perfectplay.commands.learn.strategies import Strategy
    from perfectplay.commands.learn.trees import SearchTree

MOST_BOARDS, MOST_NODES = 12, 400
"""The boards of a game and the nodes of a tree that are drawn."""


def strategy_view(found: "Strategy") -> Markup:
    """The rules, the proof, and the game that refutes a shorter list."""
    facts = found.to_dict()
    rules: list[Any] = facts["rules"]  # type: ignore[assignment]
    return framed(
        f"{found.game.name}: a strategy in words",
        tag("p", tag("strong", headline(found.game, facts))),
        joined((note(HOW_TO_READ), listed((rule["text"] for rule in rules), "ol"))) if rules else "",
        notes(proof(found.game, facts)),
        failing_parts(found, facts) if facts["shorter"] is not None else "",
    )


def failing_parts(found: "Strategy", facts: dict[str, Any]) -> Markup:
    """The list that fails, and the game that refutes it, drawn move by move."""
    game, failing = found.game, facts["shorter"]
    figures = []
    for number, (position, side, move) in enumerate(replay(game, game.start, FIRST, failing["moves"][:MOST_BOARDS])):
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
