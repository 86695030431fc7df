"""Documents: what a result shows is said once, and reads well as text, in a notebook and as a page."""

from xml.etree import ElementTree

import pytest

from perfectplay.rules.loading import load_game
from perfectplay.views.document import (
    Bars,
    Beside,
    Board,
    Boards,
    Code,
    Curve,
    Document,
    Drawing,
    Folded,
    Hover,
    Interval,
    Line,
    Link,
    List,
    Notes,
    Plain,
    Section,
    Seen,
    Share,
    Strong,
    Table,
    Toned,
    Valued,
    game_boards,
    more,
)
from perfectplay.views.document_html import html, page
from perfectplay.views.document_text import text
from perfectplay.views.result import ResultClass

GAME = load_game("tic-tac-toe")
START = Board(GAME, GAME.start, 0, "the start")
NAME = '<b onclick="x">&'
"""A name that would do harm if it were not escaped."""
EVERYTHING = Document(
    Line("all of it, ", Strong("strong")),
    Notes("a note", "", NAME),
    Table([(Valued("win", "won"), "1", Share(0.5)), (Toned("bad", "bad"), "12", None)], ("", "games", ""), best=[0]),
    Boards([START, Board(GAME, (1, 2), 0, note=Code("b1"))]),
    Beside(Board(GAME, GAME.start, 0, large=True), [Notes("beside"), None]),
    Curve([0.0, 0.5, None, -1.0], ("X", "O"), "the values", {3: "??"}),
    Bars({0: (1, 0, 2), 3: (0, 4, 0)}),
    Drawing("<svg></svg>", "drawn\n"),
    Plain("  kept  as it is"),
    List(["one", Link("two", "#two")], first=1),
    Folded("more of it", Notes("folded")),
    Section("Below", Table([(Hover("word", "about it"), Interval(1, 2, 3))]), name="below"),
    Seen(Notes("for eyes alone")),
    more(3, "things"),
)


def test_a_title_alone_and_empty_parts():
    assert text(Document("alone", Notes("", None), None, Table([]), List([]), Folded("nothing", Notes()))) == "alone"


def test_columns_are_as_wide_as_needed_and_numbers_stand_right():
    rows = [("a", "1,234", "", "12.5%"), ("longer", "7", "", "100%")]
    assert text(Document("", Table(rows, ("name", "n", "empty", "share"), indent=2))).splitlines() == [
        "  name        n  share",
        "  a       1,234  12.5%",
        "  longer      7   100%",
    ]


def test_numbers_with_a_unit_stand_right_and_a_bar_for_eyes_is_no_column_of_text():
    rows = [("≥ 2.0", Share(0.5, silent=True), "73,450 positions"), ("11.5", Share(1, silent=True), "7 positions")]
    assert text(Document("", Table(rows))).splitlines() == ["≥ 2.0  73,450 positions", " 11.5       7 positions"]
    assert html(Document("", Table(rows))).count("<svg") == 2


def test_on_a_terminal_the_last_column_is_wrapped_below_itself():
    rows = [("a1", "keeps the draw and says more than a line can hold"), ("b2", "loses")]
    shown = text(Document("", Table(rows, indent=2)), width=30).splitlines()
    assert shown == ["  a1  keeps the draw and says", "      more than a line can", "      hold", "  b2  loses"]
    assert len(text(Document("", Table(rows))).splitlines()) == 2


def test_on_a_terminal_a_table_of_numbers_that_is_too_wide_continues_below_with_its_first_column():
    table = Table([("one", *"123456"), ("two", *"234567")], ("name", *("column" for _ in range(6))))
    shown = text(Document("", table), width=30)
    assert max(map(len, shown.splitlines())) <= 30
    assert shown.count("one") == shown.count("two") == shown.count("name") > 1
    assert text(Document("", table)).count("one") == 1


def test_on_a_terminal_bars_are_as_long_as_there_is_room():
    table = Table([("won by the first of the players", Share(0.5), "95% CI 10.0% to 90.0%")])
    assert text(Document("", table)).count("█") == 15
    assert text(Document("", table), width=80).count("█") == text(Document("", table), width=80).count("░") == 12
    assert len(text(Document("", table), width=80)) <= 80
    narrow = text(Document("", table), width=50)
    assert len(narrow) <= 50
    assert "95% CI 10.0% to 90.0%" in narrow
    assert narrow.count("█") == narrow.count("░") == 5
    assert "won by" in narrow
    assert "…" in narrow


def test_only_nothing_is_an_empty_bar_and_only_the_whole_a_full_one():
    shown = text(Document("", Table([(Share(size),) for size in (0.0, 0.001, 0.999, 1.0)]))).splitlines()
    assert [line.count("█") for line in shown] == [0, 1, 29, 30]


def test_coloured_lines_captions_and_headings_are_wrapped_like_others():
    long = "word " * 20
    parts = [Notes(Toned(long, "faint")), Section(long, Notes("below")), Board(GAME, GAME.start, 0, long, long)]
    plain = text(Document(long, *parts), width=40)
    assert max(map(len, plain.splitlines())) <= 40
    assert len(text(Document(long, *parts), width=40, colours=True).splitlines()) == len(plain.splitlines())


def test_everything_is_said_as_text():
    lines = text(EVERYTHING).splitlines()
    assert lines[:5] == ["all of it, strong", "", "a note", NAME, ""]
    assert "won      1  ███████████████░░░░░░░░░░░░░░░" in lines
    assert {"drawn", "  kept  as it is", "  1. one", "  2. two", "more of it", "folded", "word"} <= {*lines}
    assert "for eyes alone" not in lines
    assert lines[-1] == "and 3 more things"


def test_boards_stand_beside_each_other_as_the_width_allows():
    assert "the start" in text(EVERYTHING)
    document = Document("", game_boards(GAME, ["a1", "b1", "c1"], {2: "a mistake"}))
    assert text(document).splitlines()[0] == "1. X a1     2. O b1 ??  3. X c1"
    assert text(document).splitlines()[-1] == "            a mistake"
    assert [line for line in text(document, 12).splitlines() if ". " in line[:3]] == [
        "1. X a1",
        "2. O b1 ??",
        "3. X c1",
    ]


@pytest.mark.parametrize("width", [20, 40])
def test_words_are_wrapped_at_the_width(width):
    lines = text(
        Document("a title of some words", Notes("  a longer remark that has to be wrapped")), width
    ).splitlines()
    assert all(len(line) <= width for line in lines)
    assert all(line.startswith("  ") for line in lines[lines.index("") + 1 :])


def test_without_signs_it_is_ascii():
    assert text(EVERYTHING, signs=False).isascii()


def test_colours_change_no_place():
    import re

    painted = text(EVERYTHING, colours=True)
    assert "\x1b[1;31mbad\x1b[0m" in painted
    assert re.sub(r"\x1b\[[\d;]*m", "", painted) == text(EVERYTHING)


def test_a_curve_has_wins_above_and_losses_below():
    lines = text(Document("", Curve([1.0, 0.0, -1.0], ("X", "O"), "", {2: "??"}))).splitlines()
    assert (lines[0], lines[3], lines[6]) == ("X wins ┤●", "  draw ┤──●───", "O wins ┤    ◆")


def test_html_is_well_formed_and_escaped_and_loads_nothing():
    for shown in (html(EVERYTHING), page(EVERYTHING).partition("<body")[2].partition(">")[2].partition("</body>")[0]):
        ElementTree.fromstring(f"<div>{shown}</div>".replace("<br>", "<br/>"))
        assert NAME not in shown
        assert "&lt;b onclick" in shown
        assert "for eyes alone" in shown
        assert "<script" not in shown
        assert "http://" not in shown.replace("http://www.w3.org/2000/svg", "")
    assert page(EVERYTHING).startswith("<!doctype html>")
    assert "<title>all of it, strong</title>" in page(EVERYTHING)


def test_what_fails_to_be_drawn_shows_its_text_instead():
    class Broken(metaclass=ResultClass):
        def document(self):
            raise ArithmeticError

    assert Broken()._repr_html_() is None


def test_a_record_without_more_shows_its_facts():
    class SmallFact(metaclass=ResultClass):
        def to_dict(self):
            return {"first_move": "a1", "plies": 1234, "won": True, "nothing": None, "rest": [*range(20)]}

        def __str__(self):
            return "a1 wins"

    lines = text(SmallFact().document()).splitlines()
    assert lines[:3] == ["Small fact", "", "a1 wins"]
    assert "first move  a1" in lines
    assert "plies       1,234" in lines
    assert "won         yes" in lines
    assert lines[-1].endswith("11, 8 more")


def test_a_table_that_is_too_wide_continues_below_with_the_names_of_its_rows():
    names = ["a-rather-long-name-of-a-player", "another-rather-long-name-of-one"]
    table = Table([[name, *["-12.5"] * 4] for name in names], ("player", *"1234"), keys=1)
    lines = text(Document("", table), 30).splitlines()
    assert [line.split() for line in lines[::4]] == [["player", "1", "2"], ["player", "3", "4"]]
    assert all(len(line) <= 30 for line in lines)
    assert len({line.split()[0] for line in lines[1:3]}) == 2
    assert all(name in text(Document("", table)) for name in names)
    shown = html(Document("", table))
    assert all(f'title="{name}"' in shown for name in names)
    assert "−12.5" in shown
