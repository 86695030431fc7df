"""A strategy in words: the rules, the proof, and the nearest list that fails."""

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from perfectplay.game import Game
from perfectplay.rules.notation import in_turn, number_of
from perfectplay.words import FIRST, SECOND

Facts = dict[str, Any]
HOW_TO_READ = (
    "Begin with all legal moves. Each rule keeps those that suit it best, in this order. "
    "Then play any move that is left."
)


def strategy_text(game: Game, found: Facts) -> str:
    """The strategy as `perfectplay strategy` prints it; `found` is what JSON shows."""
    return "\n".join(paragraphs(game, found))


def side_names(game: Game, found: Facts) -> tuple[str, str]:
    """The names of our side and of the other."""
    side = FIRST if found["side"] == "first" else SECOND
    return game.look.sides[side], game.look.sides[1 - side]


def paragraphs(game: Game, found: Facts) -> Iterator[str]:
    """The lines of the text."""
    yield headline(game, found)
    yield ""
    if found["rules"]:
        yield HOW_TO_READ
        yield ""
        yield from (f"  {number}. {rule['text']}" for number, rule in enumerate(found["rules"], 1))
        yield ""
    yield from proof(game, found)
    yield from failure(game, found)


def headline(game: Game, found: Facts) -> str:
    """What the side keeps, and with how many rules."""
    name, _ = side_names(game, found)
    keeps = "wins" if found["value"] == "win" else "holds the draw"
    if found["proven"]:
        rules = f"with {number_of(found['length'], 'rule')}" if found["rules"] else "whatever it plays"
        return f"{found['game']}: {name}, who moves {found['side']}, {keeps} {rules}."
    able = "can win" if found["value"] == "win" else "can hold the draw"
    best = f"this list of {number_of(found['length'], 'rule')} comes nearest" if found["rules"] else "none helps"
    return f"{found['game']}: {name}, who moves {found['side']}, {able}, but no list of rules was found; {best}."


def proof(game: Game, found: Facts) -> Iterator[str]:
    """What was checked, and whether shorter lists were."""
    name, _ = side_names(game, found)
    if found["proven"]:
        checked = f"{number_of(found['positions'], 'position')} with {name} to move"
        replies = f"{number_of(found['moves'], 'move')} and {number_of(found['replies'], 'reply', 'replies')} followed"
        yield f"Proven: {checked}, {replies}. None gives the result away."
        if found["win_first"]:
            yield "It stays proven if you take every win at once before anything else."
        if found["rules"]:
            yield shorter_lists(found)
        return
    errors = found["errors"]
    yield (
        f"It errs in {errors['positions']:,} of {number_of(errors['of'], 'position')}: "
        "there it allows a move that gives the result away."
    )
    yield f"Against random replies that happens in {100 * errors['probability']:.2f}% of all games."
    yield refuted_lists(found)


def shorter_lists(found: Facts) -> str:
    """Whether shorter lists were all refuted."""
    made = f"of the {found['vocabulary']} rules for this game"
    if found["shortest"] and found["length"] == 1:
        return "Shortest: a list needs at least one rule."
    if found["shortest"]:
        return f"Shortest: all {found['refuted']:,} shorter lists {made} fail."
    tried = f"All lists of up to {number_of(found['complete'], 'rule')} {made} fail"
    return f"{tried}; longer ones that are still shorter than this were not all tried."


def refuted_lists(found: Facts) -> str:
    """How many lists were refuted where none was found."""
    made = f"of the {found['vocabulary']} rules for this game"
    if found["exhausted"]:
        return f"No list {made} keeps the result, however long it is: all were refuted."
    short = f"All {found['refuted']:,} lists of up to {number_of(found['complete'], 'rule')} {made} fail"
    return f"{short}; of longer ones some were tried."


def failure(game: Game, found: Facts) -> Iterator[str]:
    """The list that fails, with the game that refutes it."""
    failing = found["shorter"]
    if failing is None:
        return
    yield ""
    yield failure_heading(found)
    if found["proven"]:
        yield from (f"  {number}. {rule['text']}" for number, rule in enumerate(failing["rules"], 1))
    yield f"  {game_text(game, failing)}"
    yield f"  {mistake_text(game, found)}"


def failure_heading(found: Facts) -> str:
    """What the game that follows shows."""
    if not found["proven"]:
        return "The shortest game in which it fails:"
    count = len(found["shorter"]["rules"])
    if not count:
        return "Without any rule the result can be lost:"
    return f"The nearest list of {number_of(count, 'rule')} fails:"


def game_text(game: Game, failing: Facts) -> str:
    """The moves of a game, with their sides."""
    made = groupby(zip(failing["movers"], failing["moves"], strict=True), key=lambda one: one[0])
    turns = (
        (game.look.sides[FIRST if side == "first" else SECOND], [move for _, move in moves]) for side, moves in made
    )
    return ", ".join(f"{mover} {in_turn(moves)}" for mover, moves in turns)


def mistake_text(game: Game, found: Facts) -> str:
    """What goes wrong in the game that refutes a list."""
    failing, (name, other) = found["shorter"], side_names(game, found)
    if failing["repeats"] is not None:
        return f"Then it goes on from move {failing['repeats'] + 1} again, for ever: {name} never wins."
    lost = f"{other} wins" if failing["after"] == "loss" else "it is a draw"
    return f"In {failing['position']} the list allows {failing['moves'][-1]}, and {lost}."
