"""Heat maps: legible on every shade, well-formed, and told by more than colour."""

import re
from xml.etree import ElementTree

import pytest

from perfectplay.insight.sweeps.heat_map import (
    ABOUT,
    BOUNDED,
    ESTIMATED,
    MISSING,
    RESULTS,
    STEPS,
    STYLE,
    HeatCell,
    Scale,
    heat_map,
    scale_of,
    scale_svg,
    shade,
)
from sweep_facts import HOSTILE

RULE = r"\.pp-heat \.(\w\d) rect\{fill:\S+?;fill:light-dark\((\S+?),(\S+?)\)\}"
INK = r"\.pp-heat \.(\w\d)\{color:\S+?;color:light-dark\((\S+?),(\S+?)\)\}"


def contrast(one, other):
    """The contrast of two colours by WCAG."""

    def light(colour):
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    dark, bright = sorted((light(one), light(other)))
    return (bright + 0.05) / (dark + 0.05)


def test_texts_are_legible_on_every_shade_in_light_and_dark():
    fills = {name: pair for name, *pair in re.findall(RULE, STYLE)}
    inks = {name: pair for name, *pair in re.findall(INK, STYLE)}
    assert fills.keys() == inks.keys()
    assert len(fills) == 2 * STEPS + 3
    for name, pair in fills.items():
        assert min(map(contrast, pair, inks[name])) >= 4.5, name


@pytest.mark.parametrize(("kind", "middle"), [("e", 0), ("a", STEPS // 2)])
def test_shades_differ_the_more_the_farther_they_are_from_the_middle(kind, middle):
    for theme in (1, 2):
        fills = {found[0]: found[theme] for found in re.findall(RULE, STYLE)}
        contrasts = [contrast(fills[f"{kind}{at}"], fills[f"{kind}{middle}"]) for at in range(middle, STEPS)]
        assert contrasts == sorted({*contrasts})


def test_scales_end_at_the_least_and_the_most():
    even = scale_of([2, 4, 6])
    assert [shade(even, number) for number in (2, 4, 6)] == ["e0", "e4", "e8"]
    wide = scale_of([1, 100, 10_000])
    assert wide.logarithmic
    assert shade(wide, 100) == "e4"
    assert shade(scale_of([7, 7]), 7) == "e4"


def test_a_target_is_in_the_middle():
    about = scale_of([0.45, 0.9], 0.5)
    assert about == Scale(ABOUT, pytest.approx(0.1), pytest.approx(0.9))
    assert [shade(about, number) for number in (0.1, 0.5, 0.9)] == ["a0", "a4", "a8"]


def drawn(*cells, **about):
    """A map with these cells in one row, parsed."""
    columns = [str(at) for at in range(len(cells))]
    return ElementTree.fromstring(heat_map(columns, ["3"], [cells], Scale(RESULTS), label="map", **about))


def test_cells_differ_in_more_than_colour():
    root = drawn(
        HeatCell("W3", 1), HeatCell("D..W", mark=BOUNDED), HeatCell("≈61%", mark=ESTIMATED), HeatCell("–", mark=MISSING)
    )
    kinds = [one.get("class") for one in root.iter("g")]
    assert kinds == ["cell r2", "cell bare bounded", "cell bare estimated", "cell bare missing"]
    assert [one.find("path") is not None for one in root.iter("g")] == [False, False, False, True]
    assert root.get("role") == "img"
    bounded, estimated = (
        re.search(rf"\.{mark} rect\{{[^}}]*dasharray:([^}};]*)", STYLE) for mark in (BOUNDED, ESTIMATED)
    )
    assert bounded[1] != estimated[1]


def test_a_cell_with_an_address_is_a_link():
    address = "http://127.0.0.1:8000/?game=lines:3,3,3&x=1"
    root = drawn(HeatCell("W3", 1, "lines:3,3,3: win", address), HeatCell("D", 0))
    assert root.get("role") == "group"
    [link] = root.iter("a")
    assert (link.get("href"), link.findtext("title")) == (address, "lines:3,3,3: win")


def test_every_text_is_escaped_and_fits():
    root = drawn(HeatCell(HOSTILE, 1, HOSTILE, HOSTILE), x=HOSTILE, y=HOSTILE)
    assert [one.text for one in root.iter("text")].count(HOSTILE) == 3
    [rect] = root.iter("rect")
    assert float(rect.get("x")) + float(rect.get("width")) <= float(root.get("width"))


def test_a_legend_has_every_shade():
    root = ElementTree.fromstring(scale_svg(scale_of([1, 2])))
    assert [one.get("class") for one in root.iter("g")] == [f"cell e{at}" for at in range(STEPS)]
