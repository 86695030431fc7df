"""Sweeps as maps: which sizes become axes, what stands in the cells, and what is said of the whole."""

import pytest

from perfectplay.insight.sweeps.measures import Estimate, Swept
from perfectplay.insight.sweeps.sweep_maps import maps
from perfectplay.insight.sweeps.sweep_words import (
    cell_text,
    column_of,
    columns_of,
    headline,
    number_text,
    reasons,
    short_number,
    sweep_remarks,
)
from sweep_facts import lines, many, mixed, row, single, solved_row


def swept(rows):
    """Facts of a sweep with these rows."""
    return Swept(rows=rows, measures=lines().measures)


def test_maps_lie_over_two_sizes_with_the_others_beside_them():
    facts = lines()
    found = maps(facts, "value")
    sizes = [f"lines{misere}, k={k}" for misere in ("", ", misere") for k in (2, 3, 4)]
    assert [one.title for one in found] == sizes
    for one in found:
        assert (one.x, one.columns, one.y, one.rows) == ("width", ("2", "3", "4"), "height", ("2", "3", "4"))
    plain_board, skipped = found[1].cells[1][1], found[2].cells[0][0]
    assert plain_board == ("lines:3,3,3", "D9", 0.0, "solved", "lines:3,3,3: draw in 9 plies, solved", "")
    assert skipped == ("", "", None, "", "lines:2,2,4: a row of 4 does not fit on a 2 x 2 board", "missing")
    assert found[5].cells[0][0].words.startswith("lines:2,2,4,misere=true: ")
    assert maps(facts._replace(skipped=()), "value")[2].cells[0][0].words == "no variant"


def test_axes_can_be_chosen_and_are_not_where_a_family_lacks_them():
    chosen = maps(lines(), "value", axes=("k", "width"))
    assert {(one.x, one.y) for one in chosen} == {("k", "width")}
    assert chosen[0].title == "lines, height=2"
    assert maps(lines(), "value", axes=("misere", "k"))[0].columns == ("false", "true")
    for axes in (("k", "stones"), ("k", "k")):
        assert maps(lines(), "value", axes=axes) == maps(lines(), "value")


def test_one_varying_size_gives_one_row_and_none_gives_one_cell():
    line = [solved_row(f"lines:3,{n},3", "lines", {"width": 3, "height": n, "k": 3}) for n in (5, 3, 4)]
    [one] = maps(swept(line), "positions")
    assert (one.title, one.x, one.y, one.rows, one.columns) == ("lines", "height", "", ("",), ("3", "4", "5"))
    [only] = maps(single(), "value")
    assert (only.title, only.x, only.columns, only.y, only.rows) == ("lines", "", ("",), "", ("",))
    assert only.cells[0][0].text == "D9"


def test_switches_become_axes_only_where_no_number_varies():
    def variant(**sizes):
        return row(f"wild:{sizes}", "wild", {"size": 3, **sizes}, value="win")

    switched = [variant(misere=misere, wild=wild) for misere in (True, False) for wild in (False, True)]
    [one] = maps(swept(switched), "value")
    assert (one.x, one.columns, one.y, one.rows) == ("misere", ("false", "true"), "wild", ("false", "true"))
    sized = [variant(size=size, misere=misere) for size in (3, 4) for misere in (False, True)]
    titles = [(found.title, found.x, found.y) for found in maps(swept(sized), "value")]
    assert titles == [("wild", "size", ""), ("wild, misere", "size", "")]


def test_every_variant_of_every_family_has_its_cell():
    for facts in (lines(), mixed(), many()):
        for column in columns_of(facts):
            shown = [cell.game for one in maps(facts, column.name) for line in one.cells for cell in line if cell.game]
            assert sorted(shown) == sorted(one.variant.game for one in facts.rows)


def test_cells_say_how_they_are_known():
    facts = mixed()
    cells = {
        name: {cell.game: cell for one in maps(facts, name) for line in one.cells for cell in line}
        for name in ("value", "fairness", "fairness_random")
    }
    bounded = cells["value"]["lines:4,3,3,misere=true"]
    assert (bounded.text, bounded.number, bounded.how) == ("D..W", None, "bounds")
    assert bounded.words.endswith("draw to win, bounded")
    other, same = (cells[name]["lines:4,4,3,misere=true"] for name in ("fairness", "fairness_random"))
    assert (other.text, other.number, other.how) == ("–", None, "estimated")  # what random players do is something else
    assert (same.text, same.number, same.how) == ("≈61.0%", 0.61, "estimated")
    assert same.words.endswith("61.0% in random games, 95% confidence interval 58.0% to 64.0%")
    assert (cells["fairness"]["lines:3,3,3"].text, cells["fairness"]["lines:3,3,3"].how) == ("–", "solved")
    assert cells["value"]["lines:4,4,4"].words.endswith("proven by search")
    assert [cells["value"][game].text for game in ("dots:2,2", "dots:2,3", "hare:4")] == ["W+2", "D", "D"]


def test_columns_of_which_nothing_is_known_are_left_out():
    known = "fairness decisiveness depth length value positions seconds"
    assert [one.name for one in columns_of(lines())] == known.split()
    assert "fairness_random" in [one.name for one in columns_of(mixed())]
    assert "depth" not in [one.name for one in columns_of(swept([row("nim", "nim", {}, value="win")]))]


@pytest.mark.parametrize(
    ("form", "texts"),
    [
        ("share", {0.573: "57.3%", 0.0001: "<0.1%", 0.99999: ">99.9%", 1: "100.0%"}),
        ("whole", {5478: "5,478"}),
        ("number", {7.9: "7.90", 15.23: "15.2"}),
        ("seconds", {0.124: "0.12 s", 83.2: "83 s"}),
    ],
)
def test_numbers_are_written_by_their_form(form, texts):
    assert {number: number_text(number, form) for number in texts} == texts


def test_large_numbers_are_short_in_cells():
    short = {120_000: "120k", 1_234_567: "1.2M", 99_400_000: "99M", 3.4e9: "3.4B", 5e15: "5e15"}
    assert {number: short_number(number) for number in short} == short
    large = row("drop", "drop", {}, positions=4_531_985_219_092)
    assert cell_text(large, column_of((), "positions"), short=True) == "4.5T"
    assert cell_text(large, column_of((), "positions")) == "4,531,985,219,092"


def test_the_headline_counts_variants_by_how_they_are_known():
    rows = mixed().rows
    assert headline(rows).startswith(f"{len(rows)} variants of 4 games: ")
    assert headline(rows).endswith("2 proven by search, 1 bounded, 1 estimated, 1 failed")
    assert headline(many().rows) == "300 variants of lines, all solved"
    assert headline(single().rows) == "1 variant of lines, solved"
    assert headline([]) == "No variant"


def test_what_stands_out_is_what_is_proven():
    facts = swept(
        [
            solved_row("small", "lines", {"width": 2, "height": 2, "k": 2}),
            solved_row("large", "lines", {"width": 4, "height": 4, "k": 4}),
            solved_row("same", "lines", {"width": 4, "height": 4, "k": 4}),
            row("guessed", "lines", {}, "estimated", estimates={"fairness_random": Estimate(0.5, 0.4, 0.6)}),
        ]
    )
    found = sweep_remarks(facts)
    assert found[0] == "Of 3 variants with a proven result, the first player wins 1 and 2 are drawn."
    assert "Fairest: large and 1 other (54.9%); least fair: small (69.5%)." in found
    assert "Longest games: large and 1 other (14.8 plies); shortest games: small (5.20 plies)." in found
    assert sweep_remarks(single()) == []


def test_reasons_are_told_once_for_all_variants_that_share_them():
    found = reasons(mixed())
    told = list(dict.fromkeys(what for what, _, _ in found))
    assert told == ["failed", "proven by search", "bounded", "estimated", "skipped"]
    assert found[0] == ("failed", "the rules raised ZeroDivisionError: division by zero", ["lines:3,4,4"])
    assert ("skipped", "a row of 3 does not fit on a 2 x 2 board", ["lines:2,2,3", "lines:2,2,3,misere=true"]) in found
