"""Facts of sweeps for tests, made without solving: numbers follow from the sizes, and every way of knowing is there."""

from itertools import product

HOSTILE = """<img src=x onerror=alert(1)>&"'"""
"""A text that does harm where it is not escaped."""
OWN_FILE = "./my game's.py:3"
"""A user's file with a blank and a quote in its path."""
MEASURES = [
    {
        "name": "fairness",
        "columns": ["fairness", "fairness_random", "fairness_levels"],
        "sentence": "The first player's score between two equal players, half a point for a draw.",
        "form": "share",
        "target": 0.5,
    },
    {
        "name": "decisiveness",
        "columns": ["decisiveness", "decisiveness_random", "decisiveness_levels"],
        "sentence": "The probability that a game between two equal players is not a draw.",
        "form": "share",
        "target": None,
    },
    {
        "name": "depth",
        "columns": ["depth"],
        "sentence": "The most steps of skill from random to perfect, each of which scores 60% or more.",
        "form": "whole",
        "target": None,
    },
    {
        "name": "length",
        "columns": ["length", "length_spread", "length_random", "length_random_spread"],
        "sentence": "The mean number of plies of a game under good play.",
        "form": "number",
        "target": None,
    },
]


def row(game, family, sizes, how="solved", **facts):
    """A row with nothing in it but what is given."""
    empty = {"value": None, "distance": None, "margin": None, "positions": None, "bounds": None, "estimates": {}}
    return {
        "game": game,
        "family": family,
        "sizes": sizes,
        "how": how,
        **empty,
        "measures": {},
        "seconds": 0.1,
        "why": None,
        **facts,
    }


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
            skipped.append({"game": name, "why": f"a row of {k} does not fit on a {width} x {height} board"})
            continue
        named = {"width": width, "height": height, "k": k, "misere": misere}
        rows.append(solved_row(name, "lines", named, "searched" if (width, height, k) == (4, 4, 4) else "solved"))
    asked = f"lines:{sizes[0]}..{sizes[-1]},{sizes[0]}..{sizes[-1]},{sizes[0]}..{sizes[-1]},misere=false|true"
    return {"asked": [asked], "rows": rows, "skipped": skipped, "measures": MEASURES}


def mixed():
    """The same with bounds, an estimate, a failure, a missing measure, a game for points, and a user's own file."""
    facts = lines()
    rows = {one["game"]: one for one in facts["rows"]}
    late = "no result within 60 s"
    unknown = {"value": None, "distance": None, "positions": None, "measures": {}}
    rows["lines:4,3,3,misere=true"].update(unknown, how="bounds", bounds=["draw", "win"], why=late)
    estimates = {"fairness_random": [0.61, 0.58, 0.64], "decisiveness_random": [0.9, 0.88, 0.92]}
    rows["lines:4,4,3,misere=true"].update(unknown, how="estimated", estimates=estimates, why=late)
    rows["lines:3,4,4"].update(unknown, how="failed", why="the rules raised ZeroDivisionError: division by zero")
    rows["lines:3,3,3"]["measures"]["fairness"] = None
    points = row("dots:2,2", "dots", {"width": 2, "height": 2}, value="win", margin=2, positions=81)
    even = row("dots:2,3", "dots", {"width": 2, "height": 3}, value="draw", margin=0, positions=2187)
    own = row(OWN_FILE, "./my game's.py", {"size": 3}, value="win", distance=5, positions=20)
    endless = row("hare:4", "hare", {"size": 4}, value="draw", positions=1_200_000)
    return {**facts, "asked": [*facts["asked"], OWN_FILE], "rows": [*facts["rows"], points, even, own, endless]}


def single():
    """A sweep of one variant."""
    sizes = {"width": 3, "height": 3, "k": 3, "misere": False}
    only = solved_row("lines:3,3,3", "lines", sizes)
    return {"asked": ["lines:3,3,3"], "rows": [only], "skipped": [], "measures": MEASURES}


def many():
    """A sweep of 300 variants: 10 widths, 10 heights, three lengths."""
    rows = []
    for width, height, k in product(range(2, 12), range(2, 12), (3, 4, 5)):
        sizes = {"width": width, "height": height, "k": k}
        rows.append(solved_row(f"lines:{width},{height},{k}", "lines", sizes))
    return {"asked": ["lines:2..11,2..11,3..5"], "rows": rows, "skipped": [], "measures": MEASURES}


def hostile():
    """A sweep in which every text would do harm."""
    measure = {"name": HOSTILE, "columns": [HOSTILE], "sentence": HOSTILE, "form": "number", "target": None}
    rows = [
        row(f"{HOSTILE}:{size}", HOSTILE, {HOSTILE: size}, value="win", measures={HOSTILE: size}, why=HOSTILE)
        for size in (1, 2)
    ]
    return {"asked": [HOSTILE], "rows": rows, "skipped": [{"game": HOSTILE, "why": HOSTILE}], "measures": [measure]}
