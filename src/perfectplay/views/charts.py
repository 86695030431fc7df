"""Small drawings in HTML: bars for probabilities, error bars, the curve of a game, a histogram of distances."""

from collections.abc import Iterable, Mapping, Sequence
from math import ceil

from markupsafe import Markup, escape

BAR, HIGH = 150, 12
"""The width and the height of a bar."""
STRIPE = 4
"""The distance of stripes and dots."""
CURVE = (440, 130)
"""The width and the height of a curve."""
MOST_COLUMNS = 60
"""The most columns of a histogram; more distances share them."""
MOST_TOLD = 20
"""The distances that a histogram tells in words."""


def tag(name: str, *inside: object, **attributes: object) -> Markup:
    """An element; texts inside and attributes are escaped, `class_` is the attribute class."""
    words = [
        Markup(' {}="{}"').format(key.rstrip("_").replace("_", "-"), value)
        for key, value in attributes.items()
        if value is not None and value != ""
    ]
    return Markup("<{0}{1}>{2}</{0}>").format(Markup(name), joined(words), joined(inside))


def joined(parts: Iterable[object]) -> Markup:
    """The parts one after the other, texts escaped."""
    return Markup("").join(escape(part) for part in parts)


def drawing(width: float, height: float, parts: object, label: str = "") -> Markup:
    """An SVG element; without a label it repeats what stands beside it, and screen readers pass over it."""
    about = {"role": "img", "aria_label": label} if label else {"aria_hidden": "true"}
    return tag(
        "svg",
        parts,
        width=f"{width:g}",
        height=f"{height:g}",
        viewBox=f"0 0 {width:g} {height:g}",
        class_="ppv-s",
        **about,
    )


def path(shape: str, kind: str, width: float = 1) -> Markup:
    """A path of a class of the style."""
    return tag("path", d=shape, class_=kind, stroke_width=f"{width:g}")


def patterned(x: float, y: float, wide: float, high: float, kind: str) -> Markup:
    """A rectangle that tells the value by its pattern: full for a win, striped for a draw, dotted for a loss."""
    box = f"M{x:.4g} {y:.4g}h{wide:.4g}v{high:.4g}h{-wide:.4g}z"
    if wide <= 0 or high <= 0:
        return Markup("")
    if kind == "win":
        return path(box, "ppv-win", 0)
    across = [x + STRIPE * (i + 0.5) for i in range(ceil(wide / STRIPE)) if STRIPE * (i + 0.5) < wide]
    if kind == "draw":
        lines = "".join(f"M{at:.4g} {y:.4g}v{high:.4g}" for at in across)
        return joined((path(lines, "ppv-draw", 1.6), outlined(box, "ppv-draw")))
    down = [y + STRIPE * (i + 0.5) for i in range(int(high / STRIPE))]
    dots = "".join(f"M{at - 0.6:.4g} {low:.4g}h1.2" for at in across for low in down)
    return joined((path(dots, "ppv-loss", 1.4), path(box, "ppv-loss")))


def outlined(box: str, kind: str) -> Markup:
    """The outline of a rectangle."""
    return tag("path", d=box, class_=kind, stroke_width="1", style="fill:none")


def bar(share: float, kind: str) -> Markup:
    """A probability as a bar of the pattern of its value."""
    rest = path(f"M.5 .5h{BAR}v{HIGH}h-{BAR}z", "ppv-grid")
    return drawing(BAR + 1, HIGH + 1, joined((rest, patterned(0.5, 0.5, BAR * min(1.0, max(0.0, share)), HIGH, kind))))


def error_bar(low: float, value: float, high: float) -> Markup:
    """A rating with its interval; the numbers are places from 0 to 100."""
    x, left, right = (BAR * place / 100 for place in (value, low, high))
    middle = HIGH / 2
    whisker = f"M{left:.4g} {middle}H{right:.4g}M{left:.4g} 2v8M{right:.4g} 2v8"
    dot = tag("circle", cx=f"{x:.4g}", cy=f"{middle:g}", r="3", class_="ppv-win")
    return drawing(BAR + 1, HIGH, joined((path(f"M0 {middle}H{BAR}", "ppv-grid"), path(whisker, "ppv-line", 1.3), dot)))


def curve(heights: Sequence[float | None], sides: tuple[str, str], label: str, letters: Mapping[int, str]) -> Markup:
    """Values over a game: the first side's wins above, the other's below; not proven ones leave gaps."""
    (width, height), left = CURVE, 8 + 6.2 * max(len(f"{side} wins") for side in sides)
    step = (width - left - 12) / max(1, len(heights) - 1)

    def place(number: int, up: float) -> tuple[float, float]:
        return left + number * step, height / 2 - up * (height / 2 - 12)

    lines = [path(f"M{left:.4g} {place(0, up)[1]:.4g}H{width}", "ppv-grid") for up in (1, 0, -1)]
    words = [
        tag("text", text, x="0", y=f"{place(0, up)[1] + 4:.4g}")
        for text, up in ((f"{sides[0]} wins", 1), ("draw", 0), (f"{sides[1]} wins", -1))
    ]
    points = [(number, place(number, up)) for number, up in enumerate(heights) if up is not None]
    shape = "".join(
        f"{'L' if number and heights[number - 1] is not None else 'M'}{x:.4g} {y:.4g}" for number, (x, y) in points
    )
    marks = [point(x, y, letters.get(number, "")) for number, (x, y) in points]
    return drawing(width, height, joined([*lines, *words, path(shape, "ppv-line", 1.6), *marks]), label)


def point(x: float, y: float, letter: str) -> Markup:
    """A point of a curve, large with a letter where something happened."""
    dot = tag("circle", cx=f"{x:.4g}", cy=f"{y:.4g}", r="4" if letter else "2", class_="ppv-dot")
    high = y - 7 if y > 20 else y + 15
    word = tag("text", letter, x=f"{x:.4g}", y=f"{high:.4g}", text_anchor="middle", font_weight="700")
    return joined((dot, word if letter else ""))


def histogram(columns: Mapping[int, tuple[int, int, int]]) -> Markup:
    """How many positions are won, drawn and lost by distance: columns of three patterns, one above the other."""
    width, height = CURVE
    told = [
        f"{distance}: {won:,} won, {drawn:,} drawn, {lost:,} lost"
        for distance, (won, drawn, lost) in sorted(columns.items())[:MOST_TOLD]
    ]
    last = max(columns)
    group = ceil((last + 1) / MOST_COLUMNS)
    sums = [
        [sum(columns.get(distance, (0, 0, 0))[i] for distance in range(at, at + group)) for i in range(3)]
        for at in range(0, last + 1, group)
    ]
    most = max(1, *(sum(one) for one in sums))
    step = width / len(sums)
    parts = []
    for number, counts in enumerate(sums):
        base = height - 16.0
        for kind, count in zip(("win", "draw", "loss"), counts, strict=True):
            high = (height - 20) * count / most
            base -= high
            parts.append(patterned(number * step + 1, base, min(step - 2, 26), high, kind))
    ends = [tag("text", "0 plies", x="0", y=f"{height - 3}")]
    ends += [tag("text", f"{last} plies", x=f"{width}", y=f"{height - 3}", text_anchor="end")] if last else []
    return drawing(width, height, joined([*parts, *ends]), f"Positions by plies to the end; {'; '.join(told)}")
