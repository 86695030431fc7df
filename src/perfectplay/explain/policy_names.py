"""Policies by name, as people write them: uniform, slips:0.1, streetwise:shallow:2."""

import re
from fractions import Fraction
from pathlib import Path

from perfectplay.explain import policies
from perfectplay.explain.learned_policy import learned
from perfectplay.explain.level_policies import LEVELS, level
from perfectplay.explain.policies import Policy
from perfectplay.game import Game
from perfectplay.notation import moves_are_squares
from perfectplay.words import BadPlayer, Move, Sides

PLAIN = {
    "uniform": Policy(policies.uniform),
    "random": Policy(policies.uniform),
    "wins": Policy(policies.wins),
    "blocks": Policy(policies.blocks),
    "tricky": Policy(policies.tricky),
    "minimax": Policy(policies.perfect),
    "perfect": Policy(policies.perfect),
}
NUMBER = re.compile(r"-?\d{0,12}(\.\d{1,12})?|\d{1,12}/\d{1,12}")
"""A number as people write it, 0.25 or 1/4; no more digits than anybody means."""
MOST_NESTED = 4
"""How many street-smart players may expect each other."""
EXAMPLES = {
    "weighted": "weighted:centre=3",
    "slips": "slips:0.1",
    "shallow": "shallow:2",
    "softmax": "softmax:0.5",
    "learned": "learned:games.txt",
    "level": "level:5",
    "streetwise": "streetwise:slips:0.1",
}


def policy_named(text: str, game: Game) -> Policy:
    """The policy of that name for that game; raises BadPlayer if there is none or it cannot be."""
    name, colon, rest = text.partition(":")
    if text in PLAIN:
        return PLAIN[text]
    if name == "streetwise":
        if rest.count("streetwise") > MOST_NESTED:
            raise BadPlayer(f"a streetwise player expects at most {MOST_NESTED} others behind its name")
        model = policy_named(rest if colon else "uniform", game)
        return model._replace(shares=policies.streetwise(model.shares))
    if name not in EXAMPLES or not rest:
        there = ", ".join([*PLAIN, *EXAMPLES.values()])
        wanted = f"write {EXAMPLES[name]}" if name in EXAMPLES else f"there are {there}"
        raise BadPlayer(f"no model or player of known shares is called {text!r}; {wanted}")
    match name:
        case "weighted":
            return Policy(policies.weighted(weights_in(text, rest, game)), symmetric=False)
        case "slips":
            return Policy(policies.slips(number_in(text, rest, 0, 1)))
        case "shallow":
            return Policy(policies.shallow(whole_number_in(text, rest, 0, 10**6)))
        case "softmax":
            return Policy(policies.softmax(float(number_in(text, rest, Fraction(1, 1000), 10**6))), exact=False)
        case "level":
            return Policy(level(whole_number_in(text, rest, 1, LEVELS)))
        case _:
            return Policy(learned(game, Path(rest)))


def number_in(text: str, part: str, least: Fraction | int, most: int) -> Fraction:
    """The number in a name, as it stands there."""
    try:
        number = Fraction(part) if part and NUMBER.fullmatch(part) else Fraction(-1)
    except (ValueError, ZeroDivisionError):
        number = Fraction(-1)
    if not least <= number <= most:
        name = text.partition(":")[0]
        raise BadPlayer(f"{text!r} needs a number from {float(least):g} to {most}, such as {EXAMPLES[name]}")
    return number


def whole_number_in(text: str, part: str, least: int, most: int) -> int:
    """The whole number in a name."""
    number = number_in(text, part, least, most)
    if number.denominator != 1:
        raise BadPlayer(f"{text!r} needs a whole number from {least} to {most}")
    return number.numerator


def weights_in(text: str, rest: str, game: Game) -> dict[Move, Fraction]:
    """The weights of moves: by the move's name, or on a board of squares centre, corner and edge."""
    names = game.move_names
    if isinstance(names, Sides) or callable(names):
        raise BadPlayer(f"{text!r}: the moves of {game.name} have no names that stay the same; try slips:0.1")
    places = {name: [move] for move, name in enumerate(names)}
    places |= kinds_of_squares(game)
    found: dict[Move, Fraction] = {}
    for part in rest.split(","):
        place, _, number = part.partition("=")
        if place not in places:
            known = " ".join([*list(places)[:12], "..."] if len(places) > 12 else places)
            raise BadPlayer(f"{text!r}: no move is called {place!r}; weigh one of {known}")
        found |= dict.fromkeys(places[place], number_in(text, number, Fraction(1, 1000), 10**6))
    return found


def kinds_of_squares(game: Game) -> dict[str, list[Move]]:
    """The squares in the centre, in the corners and between these on the edge."""
    if not moves_are_squares(game):
        return {}
    width, height = game.shape
    kinds: dict[str, list[Move]] = {"centre": [], "corner": [], "edge": []}
    for move in range(width * height):
        x, y = move % width, move // width
        if 2 * x in (width - 2, width - 1, width) and 2 * y in (height - 2, height - 1, height):
            kinds["centre"].append(move)
        elif x in (0, width - 1) and y in (0, height - 1):
            kinds["corner"].append(move)
        elif x in (0, width - 1) or y in (0, height - 1):
            kinds["edge"].append(move)
    return kinds
