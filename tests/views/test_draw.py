"""Pictures of matches: `match.svg`, `match.save_picture` and `perfectplay draw`."""

import re
import sys
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

import pytest

from command_line import complaint, output
from perfectplay import BadArgument, Match, MissingPackage, analyse
from perfectplay.commands.matches.match_pictures import MOST_FRAMES

GAME = "a1 b2 c3 a3 c1 b1 c2".split()
"""A game of tic-tac-toe in which both sides make mistakes, and X wins."""
SVG = "{http://www.w3.org/2000/svg}"


def texts(svg):
    """What is written in a picture, and its title and description."""
    return [one.text for one in ElementTree.fromstring(svg).iter() if one.text and not one.tag.endswith("style")]


def test_the_last_move_is_marked_what_it_has_left_and_hints_that_are_asked_for():
    match = Match("tic-tac-toe", GAME[:2])
    plain, hinted = match.svg(), match.svg(hints=True)
    assert plain.count('class="pp-new"') == 1
    assert "pp-hint" not in plain
    assert hinted.count("pp-hint pp-draw") == 7
    assert hinted == match.svg(hints=match.analyse())
    assert 'class="pp-new"' not in Match("tic-tac-toe").svg()
    assert Match("hexapawn").play("a1-a2").svg().count('class="pp-vacated"') == 1


def test_values_are_written_below_the_board():
    assert texts(Match("tic-tac-toe", GAME[:4]).svg(values=True))[-2:] == ["4. O a3", "X to move: win in 3 plies"]
    assert texts(Match("tic-tac-toe", GAME).svg(values=True))[-2:] == ["7. X c2", "X wins"]
    assert texts(Match("dots:1,2").play("b1").svg(values=True))[-1] == "O to move: win by 2"


def test_an_animated_svg_has_every_position_and_ends_with_the_result():
    match = Match("tic-tac-toe", GAME)
    root = ElementTree.fromstring(match.svg(animate=True, values=True, delay=0.5))
    groups = [one for one in root.iter(f"{SVG}g") if "animation-delay" in one.get("style", "")]
    assert len(groups) == 2 * 8  # pieces, then what is above the board
    assert [one.get("visibility") for one in groups[:8]] == ["hidden"] * 7 + ["visible"]
    shown = [one.text for group in groups[8:] for one in group.iter(f"{SVG}text")]
    assert [*shown[:2], *shown[-2:]] == ["Tic-tac-toe", "X to move: draw in 9 plies", "7. X c2", "X wins"]
    assert "script" not in {one.tag.removeprefix(SVG) for one in root.iter()}
    style = root.find(f"{SVG}style").text
    assert "prefers-reduced-motion" in style
    delays = [float(re.search(r"delay:(-?[0-9.]+)s", one.get("style"))[1]) for one in groups[:8]]
    assert delays == [0.5 * ply - 5.5 for ply in range(8)]  # 7 moves of half a second, and the last for two
    assert style.count("5.5s step-end") == 2


def test_two_animations_in_a_page_do_not_share_their_keyframes():
    drawn = (Match("tic-tac-toe", GAME).svg(animate=True, delay=delay) for delay in (1, 2))
    assert len({re.search(r"@keyframes ([\w-]+)", svg)[1] for svg in drawn}) == 2


def test_a_gif_has_a_frame_for_every_position_and_holds_the_last(tmp_path):
    pytest.importorskip("resvg_py")
    path = tmp_path / "game.gif"
    Match("tic-tac-toe", GAME).save_picture(path, values=True, delay=0.25, size=200)
    durations, frames = [], []
    with pytest.importorskip("PIL.Image").open(path) as image:
        for number in range(image.n_frames):
            image.seek(number)
            durations.append(image.info["duration"])
            frames.append(image.convert("RGB"))
    assert durations == [250] * 7 + [1000]
    assert {max(frame.size) for frame in frames} == {200}
    assert len({frame.tobytes() for frame in frames}) == 8
    assert {frame.getpixel((0, 0)) for frame in frames} == {(255, 255, 255)}
    assert [one.name for one in tmp_path.iterdir()] == ["game.gif"]
    with pytest.raises(BadArgument, match="8 frames of 8192 pixels"):  # more than memory holds
        Match("tic-tac-toe", GAME).save_picture(path, size=8192)


@pytest.mark.parametrize(("dark", "corner"), [(False, (255, 255, 255)), (True, (0x14, 0x17, 0x1C))])
def test_a_png_is_as_large_as_asked_in_light_and_dark(dark, corner, tmp_path):
    pytest.importorskip("resvg_py")
    path = tmp_path / "board.png"
    Match("connect-four").play(*"4453").save_picture(path, size=300, dark=dark)
    drawn = pytest.importorskip("PIL.Image").open(path)
    assert max(drawn.size) == 300
    assert drawn.convert("RGB").getpixel((0, 0)) == corner


@pytest.mark.parametrize(("name", "value"), [("size", 5), ("size", "big"), ("delay", 0), ("delay", float("nan"))])
def test_sizes_and_times_of_nonsense_are_refused(name, value, tmp_path):
    for draw in (Match("tic-tac-toe").svg, partial(Match("tic-tac-toe").save_picture, tmp_path / "board.gif")):
        with pytest.raises(BadArgument, match=f"{name}={value!r}"):
            draw(**{name: value})
    assert not [*tmp_path.iterdir()]


def test_hints_of_another_position_are_refused():
    with pytest.raises(BadArgument, match=r"hints are of .*X:\.\.\./"):
        Match("tic-tac-toe").play("b2").svg(hints=analyse("tic-tac-toe"))
    with pytest.raises(BadArgument, match="one position"):
        Match("tic-tac-toe").svg(hints=analyse("tic-tac-toe"), animate=True)


def test_a_line_of_a_thousand_moves_is_refused():
    match = Match("ponghauki")
    while len(match.moves) < MOST_FRAMES:
        match.play(match.legal_moves()[0])
    with pytest.raises(BadArgument, match=r"1,000 moves; at most 999"):
        match.svg(animate=True)


def test_a_path_that_is_none_or_ends_otherwise_is_refused(tmp_path):
    for path, said in ((tmp_path / "board.png", "does not move"), (3, "path=3")):
        with pytest.raises(BadArgument, match=said):
            Match("tic-tac-toe").save_picture(path, animate=True)


@pytest.mark.parametrize(("name", "module"), [("b.png", "resvg_py"), ("b.gif", "PIL.Image")])
def test_a_missing_package_is_named_and_nothing_is_written(name, module, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingPackage, match=r"perfectplay\[pictures\]"):
        Match("tic-tac-toe").save_picture(tmp_path / name)
    assert not [*tmp_path.iterdir()]


def test_the_command_draws_what_it_is_asked_for(tmp_path, capsys):
    path = tmp_path / "board.svg"
    words = output(capsys, f"draw tic-tac-toe b2 a1 --to {path} --hints --size 200")
    assert words == f"{path}: Tic-tac-toe: X to move\n"
    assert path.read_text() == Match("tic-tac-toe", ["b2", "a1"]).svg(hints=True, size=200, dark=False)
    words = output(capsys, f"draw tic-tac-toe {' '.join(GAME)} --animate --values --dark --to {path}")
    assert words == f"{path}: Tic-tac-toe: X wins, 8 frames\n"
    assert path.read_text() == Match("tic-tac-toe", GAME).svg(animate=True, values=True, dark=True)
    output(capsys, f"draw tic-tac-toe --position O:X../.../... --to {path}")
    assert "X on a1." in path.read_text()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("tic-tac-toe --to board.pdf", ".svg, .png or .gif"),
        ("tic-tac-toe b2 b2 --to board.svg", "'b2' is not a legal move"),
        ("tic-tac-toe --to board.gif --delay never", "'never' is not a time"),
        ("tic-tac-toe --to board.gif --delay 1e6", "--delay 1000000.0"),
        ("tic-tac-toe --to board.svg --position X:X", "X:X"),
        ("tic-tac-toe", "--to"),
        ("tic-tac-toe --to folder.svg", "folder.svg"),
    ],
)
def test_a_wrong_command_gets_one_line_and_writes_nothing(arguments, said, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("folder.svg").mkdir()
    assert said in complaint(capsys, f"draw {arguments}")
    assert [one.name for one in tmp_path.rglob("*")] == ["folder.svg"]
