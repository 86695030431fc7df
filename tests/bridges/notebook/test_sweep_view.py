"""A sweep draws itself in a notebook: well-formed HTML without scripts, with maps, a table, and what is left out."""

import re
from xml.etree import ElementTree

from perfectplay.commands.learn import sweeping as documents
from perfectplay.commands.learn.sweeping import MOST_MAPS, MOST_ROWS, sweep_document
from perfectplay.views.document_html import html as html_of
from perfectplay.views.document_text import text
from sweep_facts import HOSTILE, hostile, lines, many, mixed, single


def parsed(facts):
    """The view of these facts, which is well-formed, loads nothing and runs nothing."""
    html = html_of(sweep_document(facts))
    assert not re.search(r"<script|https?:|url\(|javascript:|@import", html)
    root = ElementTree.fromstring(html)
    for one in root.iter():
        assert not [name for name in one.attrib if name.startswith("on") or name == "href"]
        if one.tag == "svg":
            assert one.get("aria-hidden") == "true" or (one.get("role") == "img" and one.get("aria-label"))
    return root


def words(root):
    """The text that people read, without the style."""
    return " ".join(
        text.strip() for one in root.iter() if one.tag != "style" for text in (one.text or "", one.tail or "")
    )


def maps_in(root):
    """The maps, without the drawings of the legend."""
    return [one for one in root.iter("svg") if one.get("class") == "pp-heat" and one.get("role") == "img"]


def test_a_sweep_shows_the_maps_of_its_first_measure_and_its_variants():
    root, facts = parsed(lines()), lines()
    assert f"{len(facts.rows)} variants of lines: " in words(root)
    assert [one.get("aria-label") for one in maps_in(root)][1] == "fairness of lines, k=3 by width and height"
    rows = [["".join(cell.itertext()) for cell in row] for row in root.iter("tr")]
    assert rows[0][:4] == ["variant", "result", "known", "fairness"]
    plain_board = next(row for row in rows if row[0] == "lines:3,3,3")
    assert plain_board[:4] == ["lines:3,3,3", "draw in 9 plies", "● solved", "56.3%"]


def test_an_estimate_stands_in_a_column_of_its_own():
    facts = mixed()._replace(rows=[row for row in mixed().rows if row.facts.how == "estimated"])
    assert "fairness (random)" in words(parsed(facts))
    assert "≈61.0%" in words(parsed(facts))


def test_what_is_not_proven_is_told():
    assert "a row of 3 does not fit on a 2 x 2 board" in words(parsed(mixed()))


def test_a_map_is_a_table_as_text_in_colours_where_there_are_any():
    document = sweep_document(lines(), "value", ("k", "width"))
    plain, coloured = text(document), text(document, colours=True)
    assert "lines, height=3: width by k 2 3 4 2 W5 W4 · 3 D9 D9 · 4 W11 W10 D12 " in " ".join(plain.split())
    assert "; · no variant of these sizes" in plain
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured).split() == plain.split()
    assert "48;5;" in coloured


def test_a_large_sweep_is_cut_and_says_so(monkeypatch):
    monkeypatch.setattr(documents, "MOST_CELLS", 240)
    root, facts = parsed(many()), many()
    drawn = maps_in(root)
    cells = sum(len(list(one.iter("rect"))) for one in drawn)
    assert len(drawn) <= MOST_MAPS
    assert 0 < cells <= 240
    assert f"{len(facts.rows) - MOST_ROWS} more variants" in words(root)
    assert "1 more map: a report (.html) has them all" in words(root)


def test_a_single_variant_and_hostile_names_are_drawn():
    assert "1 variant of lines, solved" in words(parsed(single()))
    root = parsed(hostile())
    assert not list(root.iter("img"))
    assert HOSTILE in words(root)
