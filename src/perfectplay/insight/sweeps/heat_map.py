"""Heat maps as SVG: a coloured grid of cells, each with its number printed, so that colour never tells it alone."""

from collections.abc import Iterable, Sequence
from html import escape
from math import log
from typing import NamedTuple

STEPS = 9
"""Shades of a scale; the middle one of a scale about a target stands for the target."""
HIGH, GAP, EDGE = 32, 3, 2
"""The height of a cell, the space between cells, and the space around a map."""
LINE, LETTER = 20, 6.9
"""The height of a line of labels, and the width of a letter, about."""
LEAST = 44
"""The least width of a cell."""
LEAST_PART = 0.2
"""How far a scale about a target goes on both sides at least, as a part of the target: small differences stay pale."""
HATCH = 7
"""The distance of the lines across a cell in which nothing is known."""
EVEN, ABOUT, RESULTS = "e", "a", "r"
"""Scales of one hue from least to most, of two hues about a target, and of results: 1, 0 and -1."""
PROVEN, BOUNDED, ESTIMATED, MISSING = "", "bounded", "estimated", "missing"
"""How a cell is drawn: filled, with a dotted or a dashed edge, or hatched."""
Ramp = tuple[str, ...]
COLOURS: dict[str, tuple[Ramp, Ramp]] = {
    EVEN: (("#e9eef8", "#7fa6e3", "#143a80"), ("#242d3d", "#33599f", "#a9c8ff")),
    ABOUT: (
        ("#9c3d0b", "#eba77f", "#f1ede3", "#8fb4ec", "#1b56ad"),
        ("#ffa976", "#9a522b", "#343942", "#3563ad", "#93bcff"),
    ),
}
"""The colours between which the shades lie, in light and in dark."""
RESULT_COLOURS = {1: ("#2a66c0", "#7fb0ff"), 0: ("#dedbd2", "#434955"), -1: ("#f4b48d", "#9a4a20")}


class Scale(NamedTuple):
    """The numbers at both ends of the shades; on a logarithmic one, equal ratios are equal steps."""

    kind: str
    low: float = 0
    high: float = 1
    logarithmic: bool = False


class HeatCell(NamedTuple):
    """A cell: its printed text, its number where it has a shade, its title, the address it opens, how it is drawn."""

    text: str
    number: float | None = None
    title: str = ""
    link: str = ""
    mark: str = PROVEN


def scale_of(numbers: Iterable[float], target: float | None = None) -> Scale:
    """The scale for these numbers, as wide on both sides of a target; logarithmic where they differ by far."""
    values = sorted(numbers) or [0.0]
    low, high = values[0], values[-1]
    if target is not None:
        wide = max(high - target, target - low, target * LEAST_PART)
        return Scale(ABOUT, target - wide, target + wide)
    return Scale(EVEN, low, high, low > 0 and high > 100 * low)


def shade(scale: Scale, number: float) -> str:
    """The class of the number's shade."""
    if scale.kind == RESULTS:
        return f"{RESULTS}{number + 1:.0f}"
    low, high, at = (log(one) if scale.logarithmic else one for one in (scale.low, scale.high, number))
    part = (at - low) / (high - low) if high > low else 0.5
    return f"{scale.kind}{min(STEPS - 1, max(0, round(part * (STEPS - 1))))}"


def heat_map(
    columns: Sequence[str],
    rows: Sequence[str],
    cells: Sequence[Sequence[HeatCell]],
    scale: Scale,
    x: str = "",
    y: str = "",
    label: str = "",
    wide: float = 0,
) -> str:
    """The map as an SVG element that takes its colours from STYLE.

    `x` and `y` name the axes, `label` the whole; `wide` is the width of cells, by default what their texts need.
    """
    wide = wide or width_for(cell for line in cells for cell in line)
    left = EDGE + (10 + LETTER * max(len(y), *map(len, rows)) if y else 0)
    top = EDGE + (2 * LINE if x else LINE if y else 0)
    grid = max(len(columns) * (wide + GAP) - GAP, LETTER * len(x))
    width = left + grid + EDGE
    height = top + len(rows) * (HIGH + GAP) - GAP + EDGE
    across = [left + at * (wide + GAP) for at in range(len(columns))]
    down = [top + at * (HIGH + GAP) for at in range(len(rows))]
    labels = [text_at(x, left + grid / 2, EDGE + 13, "name")] if x else []
    labels += [text_at(one, at + wide / 2, top - 7, "label") for one, at in zip(columns, across, strict=True)]
    labels += [text_at(one, left - 8, at + HIGH / 2 + 4.5, "label row") for one, at in zip(rows, down, strict=True)]
    labels += [text_at(y, left - 8, top - 7, "name row")] if y else []
    shapes = [
        cell_svg(one, scale, (x_at, y_at), wide)
        for line, y_at in zip(cells, down, strict=True)
        for one, x_at in zip(line, across, strict=True)
    ]
    role = "group" if any(one.link for line in cells for one in line) else "img"
    return svg([*filter(None, labels), *shapes], (width, height), f'role="{role}" aria-label="{escape(label)}"')


def width_for(cells: Iterable[HeatCell]) -> float:
    """The width that the texts of these cells need."""
    return max([LEAST, *(14 + LETTER * len(one.text) for one in cells)])


def svg(parts: Iterable[str], size: tuple[float, float], attributes: str) -> str:
    """A drawing of this size, with attributes that say what it shows."""
    wide, high = (f"{one:g}" for one in size)
    box = f'width="{wide}" height="{high}" viewBox="0 0 {wide} {high}"'
    return f'<svg class="pp-heat" {box} {attributes}>{"".join(parts)}</svg>'


def text_at(text: str, x: float, y: float, kind: str = "") -> str:
    """A text, centred unless its kind says otherwise; nothing if it is empty."""
    attribute = f' class="{kind}"' if kind else ""
    return f'<text{attribute} x="{x:g}" y="{y:g}">{escape(text)}</text>' if text else ""


def cell_svg(cell: HeatCell, scale: Scale, at: tuple[float, float], wide: float) -> str:
    """A cell at this place."""
    x, y = at
    kinds = ["cell", *([shade(scale, cell.number)] if cell.number is not None else ["bare"])]
    title = f"<title>{escape(cell.title)}</title>" if cell.title else ""
    parts = [
        title,
        f'<rect x="{x:g}" y="{y:g}" width="{wide:g}" height="{HIGH}" rx="5"/>',
        hatching(x, y, wide) if cell.mark == MISSING else "",
        text_at(cell.text, x + wide / 2, y + HIGH / 2 + 4.5),
    ]
    attributes = f'class="{" ".join([*kinds, *filter(None, [cell.mark])])}"'
    if not cell.link:
        return f"<g {attributes}>{''.join(parts)}</g>"
    return f'<a {attributes} href="{escape(cell.link)}">{"".join(parts)}</a>'


def hatching(x: float, y: float, wide: float) -> str:
    """Lines across a cell."""
    ends = range(HATCH, int(wide + HIGH), HATCH)
    lines = "".join(
        f"M{x + min(d, wide):g} {y + max(0, d - wide):g}L{x + max(0, d - HIGH):g} {y + min(d, HIGH):g}" for d in ends
    )
    return f'<path d="{lines}"/>'


def scale_svg(scale: Scale) -> str:
    """The shades of a scale side by side, from least to most, without labels."""
    swatches = (
        f'<g class="cell {scale.kind}{at}"><rect x="{at * 20}" y="0" width="20" height="14"/></g>'
        for at in range(STEPS)
    )
    return svg(swatches, (20 * STEPS, 14), 'aria-hidden="true"')


def sample_svg(cell: HeatCell, scale: Scale) -> str:
    """A cell that stands alone, for a legend."""
    wide = width_for([cell])
    return svg([cell_svg(cell, scale, (EDGE, EDGE), wide)], (wide + 2 * EDGE, HIGH + 2 * EDGE), 'aria-hidden="true"')


def mix(low: str, high: str, part: float) -> str:
    """The colour between two."""
    pairs = ((int(low[at : at + 2], 16), int(high[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in pairs)


def ramp(colours: Ramp) -> list[str]:
    """The shades between these colours, evenly."""
    parts = [at * (len(colours) - 1) / (STEPS - 1) for at in range(STEPS)]
    return [mix(colours[int(p)], colours[min(int(p) + 1, len(colours) - 1)], p - int(p)) for p in parts]


def luminance(colour: str) -> float:
    """The relative luminance, 0 for black and 1 for white."""
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def ink_on(colour: str) -> str:
    """Black or white, whichever is legible: its contrast is at least 4.5."""
    return "#000000" if luminance(colour) > 0.179 else "#ffffff"


def shades() -> dict[str, tuple[str, str]]:
    """The colours of every class of shade, in light and in dark."""
    colours = {f"{RESULTS}{value + 1}": pair for value, pair in RESULT_COLOURS.items()}
    for kind, (light, dark) in COLOURS.items():
        colours |= {f"{kind}{at}": pair for at, pair in enumerate(zip(ramp(light), ramp(dark), strict=True))}
    return colours


def shade_rules() -> str:
    """The rules of style of every shade."""
    return "".join(
        f".pp-heat .{name}{{color:{ink_on(light)};color:light-dark({ink_on(light)},{ink_on(dark)})}}"
        f".pp-heat .{name} rect{{fill:{light};fill:light-dark({light},{dark})}}"
        for name, (light, dark) in shades().items()
    )


STYLE = (
    ".pp-heat{display:block;overflow:visible;flex:none;print-color-adjust:exact;-webkit-print-color-adjust:exact;"
    "forced-color-adjust:none}"
    ".pp-heat text{font:12px/1 system-ui,sans-serif;text-anchor:middle;fill:currentColor;"
    "font-variant-numeric:tabular-nums}"
    ".pp-heat .row{text-anchor:end}.pp-heat .label{font-weight:600}.pp-heat .name{opacity:.85;font-size:11.5px}"
    ".pp-heat .cell text{font-weight:600}.pp-heat .bare rect{fill:none}"
    ".pp-heat .cell path{fill:none;stroke:currentColor;opacity:.28}"
    ".pp-heat .missing rect{stroke:currentColor;stroke-opacity:.28}"
    ".pp-heat .missing text{paint-order:stroke;stroke:var(--pp-heat-paper,Canvas);stroke-width:5px}"
    ".pp-heat .bounded rect{stroke:currentColor;stroke-width:1.6;stroke-dasharray:1.6 2.6}"
    ".pp-heat .estimated rect{stroke:currentColor;stroke-width:1.6;stroke-dasharray:6 3}"
    ".pp-heat a{color:inherit;text-decoration:none}.pp-heat a:hover text{text-decoration:underline}"
    ".pp-heat a:hover rect{stroke:currentColor;stroke-width:2}"
) + shade_rules()
"""The style of every map, which stands once on a page; nothing in it touches anything else."""
