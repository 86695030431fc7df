"""A strategy in words: the rules, the proof, and the nearest list that fails."""

from collections.abc import Iterator
from html import escape
from itertools import groupby
from typing import Any

from perfectplay.arena.certificate_html import PAGE_STYLE, picture
from perfectplay.game import Game, after
from perfectplay.rules.notation import in_turn, number_of, replay
from perfectplay.rules.outputs import META
from perfectplay.views.scoped_style import STYLE, changed_squares
from perfectplay.words import FIRST, SECOND

Facts = dict[str, Any]
HOW_TO_READ = (
    "Begin with all legal moves. Each rule keeps those that suit it best, in this order. "
    "Then play any move that is left."
)


def strategy_text(game: Game, facts: Facts) -> str:
    """The strategy as `perfectplay strategy` prints it; `facts` is the strategy as in JSON."""
    return "\n".join(paragraphs(game, facts))


def side_names(game: Game, facts: Facts) -> tuple[str, str]:
    """The names of our side and of the other."""
    side = FIRST if facts["side"] == "first" else SECOND
    return game.look.sides[side], game.look.sides[1 - side]


def paragraphs(game: Game, facts: Facts) -> Iterator[str]:
    """The lines of the text."""
    yield headline(game, facts)
    yield ""
    if facts["rules"]:
        yield HOW_TO_READ
        yield ""
        yield from (f"  {number}. {rule['text']}" for number, rule in enumerate(facts["rules"], 1))
        yield ""
    yield from proof(game, facts)
    yield from failure(game, facts)


def headline(game: Game, facts: Facts) -> str:
    """The result that the side keeps, and the number of rules."""
    name, _ = side_names(game, facts)
    keeps = "wins" if facts["value"] == "win" else "holds the draw"
    if facts["proven"]:
        rules = f"with {number_of(facts['length'], 'rule')}" if facts["rules"] else "whatever it plays"
        return f"{facts['game']}: {name}, who moves {facts['side']}, {keeps} {rules}."
    able = "can win" if facts["value"] == "win" else "can hold the draw"
    best = f"this list of {number_of(facts['length'], 'rule')} comes nearest" if facts["rules"] else "none helps"
    return f"{facts['game']}: {name}, who moves {facts['side']}, {able}, but no list of rules was found; {best}."


def proof(game: Game, facts: Facts) -> Iterator[str]:
    """The figures of the proof, and whether shorter lists were refuted."""
    name, _ = side_names(game, facts)
    if facts["proven"]:
        checked = f"{number_of(facts['positions'], 'position')} with {name} to move"
        replies = f"{number_of(facts['moves'], 'move')} and {number_of(facts['replies'], 'reply', 'replies')} followed"
        yield f"Proven: {checked}, {replies}. None gives the result away."
        if facts["win_first"]:
            yield "It stays proven if you take every win at once before anything else."
        if facts["rules"]:
            yield shorter_lists(facts)
        return
    errors = facts["errors"]
    yield (
        f"It errs in {errors['positions']:,} of {number_of(errors['of'], 'position')}: "
        "there it allows a move that gives the result away."
    )
    yield f"Against random replies that happens in {100 * errors['probability']:.2f}% of all games."
    yield refuted_lists(facts)


def shorter_lists(facts: Facts) -> str:
    """Whether shorter lists were all refuted."""
    which = f"of the {facts['vocabulary']} rules for this game"
    if facts["shortest"] and facts["length"] == 1:
        return "Shortest: a list needs at least one rule."
    if facts["shortest"]:
        return f"Shortest: all {facts['refuted']:,} shorter lists {which} fail."
    tried = f"All lists of up to {number_of(facts['complete'], 'rule')} {which} fail"
    return f"{tried}; longer ones that are still shorter than this were not all tried."


def refuted_lists(facts: Facts) -> str:
    """The lists that were refuted where none was found."""
    which = f"of the {facts['vocabulary']} rules for this game"
    if facts["exhausted"]:
        return f"No list {which} keeps the result, however long it is: all were refuted."
    short = f"All {facts['refuted']:,} lists of up to {number_of(facts['complete'], 'rule')} {which} fail"
    return f"{short}; of longer ones some were tried."


def failure(game: Game, facts: Facts) -> Iterator[str]:
    """The list that fails, with the game that refutes it."""
    failing = facts["shorter"]
    if failing is None:
        return
    yield ""
    yield failure_heading(facts)
    if facts["proven"]:
        yield from (f"  {number}. {rule['text']}" for number, rule in enumerate(failing["rules"], 1))
    yield f"  {game_text(game, failing)}"
    yield f"  {mistake_text(game, facts)}"


def failure_heading(facts: Facts) -> str:
    """The heading of the game that refutes a list."""
    if not facts["proven"]:
        return "The shortest game in which it fails:"
    count = len(facts["shorter"]["rules"])
    if not count:
        return "Without any rule the result can be lost:"
    return f"The nearest list of {number_of(count, 'rule')} fails:"


def game_text(game: Game, failing: Facts) -> str:
    """The moves of a game, with their sides."""
    runs = groupby(zip(failing["movers"], failing["moves"], strict=True), key=lambda one: one[0])
    turns = (
        (game.look.sides[FIRST if side == "first" else SECOND], [move for _, move in moves]) for side, moves in runs
    )
    return ", ".join(f"{mover} {in_turn(moves)}" for mover, moves in turns)


def mistake_text(game: Game, facts: Facts) -> str:
    """The mistake in the game that refutes a list."""
    failing, (name, other) = facts["shorter"], side_names(game, facts)
    if failing["repeats"] is not None:
        return f"Then it goes on from move {failing['repeats'] + 1} again, for ever: {name} never wins."
    lost = f"{other} wins" if failing["after"] == "loss" else "it is a draw"
    return f"In {failing['position']} the list allows {failing['moves'][-1]}, and {lost}."


# A strategy as one page that loads nothing else: the rules, the proof, the game that refutes a shorter list, drawn.


STRATEGY_STYLE = """
.rules { font-size: 1.25rem; line-height: 1.6; padding: .8rem 1rem .8rem 3rem; border: 1px solid #8886;
  border-radius: 8px } .rules li::marker { font-weight: 600 }
"""


def strategy_html(game: Game, facts: Facts) -> str:
    """The page; `facts` is the strategy as in JSON."""
    title = f"{facts['game']}: a strategy in words"
    style = f"{PAGE_STYLE}{STRATEGY_STYLE}{STYLE}"
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n{META}\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(parts(game, facts, title))
        + "\n</main>\n</body>\n</html>\n"
    )


def parts(game: Game, facts: Facts, title: str) -> Iterator[str]:
    """The elements of the page."""
    yield f"<h1>{escape(title)}</h1>"
    yield f"<p><strong>{escape(headline(game, facts))}</strong></p>"
    if facts["rules"]:
        yield f"<p>{HOW_TO_READ}</p>"
        yield rules_list(facts["rules"], "rules")
    yield "<h2>The proof</h2>" if facts["proven"] else "<h2>How often it fails</h2>"
    yield from (f"<p>{escape(line)}</p>" for line in proof(game, facts))
    if facts["shorter"] is not None:
        yield from failure_parts(game, facts)


def rules_list(rules: list[Facts], kind: str = "") -> str:
    """The rules, numbered."""
    items = "".join(f"<li>{escape(rule['text'])}</li>" for rule in rules)
    return f'<ol class="{kind}">{items}</ol>' if kind else f"<ol>{items}</ol>"


def failure_parts(game: Game, facts: Facts) -> Iterator[str]:
    """The list that fails, and the game that refutes it, drawn move by move."""
    failing = facts["shorter"]
    yield "<h2>The game that refutes it</h2>" if not facts["proven"] else "<h2>Why not fewer rules?</h2>"
    yield f"<p>{escape(failure_heading(facts))}</p>"
    if facts["proven"] and failing["rules"]:
        yield rules_list(failing["rules"])
    yield '<ol class="boards">'
    steps = replay(game, game.start, FIRST, failing["moves"])
    for number, (position, side, move) in enumerate(steps):
        following = after(game, position, side, move)
        wrong = number + 1 == len(failing["moves"]) and failing["repeats"] is None
        caption = f"{number + 1}. {escape(game.look.sides[side])} {escape(failing['moves'][number])}"
        note = ' <span class="slip">?</span>' if wrong else ""
        yield f"<li>{picture(game, *following, changed_squares(game, (position, side), following))}{caption}{note}</li>"
    yield "</ol>"
    yield f"<p>{escape(mistake_text(game, facts))}</p>"
