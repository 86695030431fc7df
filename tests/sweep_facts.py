"""Facts of sweeps for tests, made without solving: numbers follow from the sizes, and every way of knowing is there."""

from dataclasses import replace
from itertools import product

from perfectplay.insight.sweeps.measures import Estimate, Facts, Measure, Row, Skipped, Swept, Variant

HOSTILE = """<img src=x onerror=alert(1)>&"'"""
"""A text that does harm where it is not escaped."""
OWN_FILE = "./my game's.py:3"
"""A user's file with a blank and a quote in its path."""
MEASURES = (
    Measure(
        "fairness",
        "The first player's score between two equal players, half a point for a draw.",
        ("fairness", "fairness_random", "fairness_levels"),
        "",
        "share",
        0.5,
    ),
    Measure(
        "decisiveness",
        "The probability that a game between two equal players is not a draw.",
        ("decisiveness", "decisiveness_random", "decisiveness_levels"),
        "",
        "share",
    ),
    Measure(
        "depth",
        "The most steps of skill from random to perfect, each of which scores 60% or more.",
        ("depth",),
        "",
        "whole",
    ),
    Measure(
        "length",
        "The mean number of plies of a game under good play.",
        ("length", "length_spread", "length_random", "length_random_spread"),
        "",
    ),
)


def row(game, family, sizes, how="solved", **facts):
    """A row with nothing in it but what is given."""
    return Row(Variant(game, family, sizes), Facts(how=how, **{"seconds": 0.1, **facts}))


def solved_row(game, family, sizes, how="solved"):
    """A row that is known, with numbers that follow from its sizes."""
    width, height, k = (sizes.get(name, 3) for name in ("width", "height", "k"))
    area, misere = width * height, sizes.get("misere", False)
    value = "draw" if k > 3 or (area == 9 and not misere) else "loss" if misere and area % 2 else "win"
    fairness = {"win": 0.62, "draw": 0.53, "loss": 0.41}[value] + 0.3 / area
    measures = {
        "fairness": fairness,
        "fairness_levels": [fairness + (0.5 - fairness) / level for level in range(1, 11)],
        "decisiveness": 0.95 - 0.15 * (k - 2),
        "depth": area - k,
        "length": 2.0 + 0.8 * area,
        "length_spread": 1.2,
    }
    return row(
        game,
        family,
        sizes,
        how,
        value=value,
        distance=area if value == "draw" else max(3, area - k + (value == "win")),
        positions=3 ** min(area, 20) // 4 if how == "solved" else None,
        measures=measures if how == "solved" else {},
        seconds=0.001 * 3 ** (area / 3),
        why=None if how == "solved" else "10,761,680 positions do not fit in 256 MiB of memory",
    )


def lines(sizes=(2, 3, 4)):
    """A sweep of lines over widths, heights, lengths and both switches, with rows of every kind."""
    rows, skipped = [], []
    for width, height, k, misere in product(sizes, sizes, sizes, (False, True)):
        name = f"lines:{width},{height},{k}{',misere=true' if misere else ''}"
        if k > max(width, height):
            skipped.append(Skipped(name, f"a row of {k} does not fit on a {width} x {height} board"))
            continue
        named = {"width": width, "height": height, "k": k, "misere": misere}
        rows.append(solved_row(name, "lines", named, "searched" if (width, height, k) == (4, 4, 4) else "solved"))
    asked = f"lines:{sizes[0]}..{sizes[-1]},{sizes[0]}..{sizes[-1]},{sizes[0]}..{sizes[-1]},misere=false|true"
    return Swept((asked,), rows, skipped, MEASURES)


def mixed():
    """The same with bounds, an estimate, a failure, a missing measure, a game for points, and a user's own file."""
    swept = lines()
    late = "no result within 60 s"
    solved = {variant.game: facts for variant, facts in swept.rows}
    unknown = {"value": None, "distance": None, "positions": None, "measures": {}}
    estimates = {"fairness_random": Estimate(0.61, 0.58, 0.64), "decisiveness_random": Estimate(0.9, 0.88, 0.92)}
    other = {
        "lines:4,3,3,misere=true": {**unknown, "how": "bounds", "bounds": ("draw", "win"), "why": late},
        "lines:4,4,3,misere=true": {**unknown, "how": "estimated", "estimates": estimates, "why": late},
        "lines:3,4,4": {**unknown, "how": "failed", "why": "the rules raised ZeroDivisionError: division by zero"},
        "lines:3,3,3": {"measures": {**solved["lines:3,3,3"].measures, "fairness": None}},
    }
    rows = [Row(variant, replace(facts, **other.get(variant.game, {}))) for variant, facts in swept.rows]
    points = row("dots:2,2", "dots", {"width": 2, "height": 2}, value="win", margin=2, positions=81)
    even = row("dots:2,3", "dots", {"width": 2, "height": 3}, value="draw", margin=0, positions=2187)
    own = row(OWN_FILE, "./my game's.py", {"size": 3}, value="win", distance=5, positions=20)
    endless = row("hare:4", "hare", {"size": 4}, value="draw", positions=1_200_000)
    return swept._replace(asked=(*swept.asked, OWN_FILE), rows=[*rows, points, even, own, endless])


def single():
    """A sweep of one variant."""
    sizes = {"width": 3, "height": 3, "k": 3, "misere": False}
    only = solved_row("lines:3,3,3", "lines", sizes)
    return Swept(("lines:3,3,3",), [only], (), MEASURES)


def many():
    """A sweep of 300 variants: 10 widths, 10 heights, three lengths."""
    rows = []
    for width, height, k in product(range(2, 12), range(2, 12), (3, 4, 5)):
        sizes = {"width": width, "height": height, "k": k}
        rows.append(solved_row(f"lines:{width},{height},{k}", "lines", sizes))
    return Swept(("lines:2..11,2..11,3..5",), rows, (), MEASURES)


def hostile():
    """A sweep in which every text would do harm."""
    measure = Measure(HOSTILE, HOSTILE, (HOSTILE,), "")
    rows = [
        row(f"{HOSTILE}:{size}", HOSTILE, {HOSTILE: size}, value="win", measures={HOSTILE: size}, why=HOSTILE)
        for size in (1, 2)
    ]
    return Swept((HOSTILE,), rows, [Skipped(HOSTILE, HOSTILE)], (measure,))
