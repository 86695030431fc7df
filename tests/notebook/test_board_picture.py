"""Pictures of boards: complete, alone or among others, in light and dark, with hints that need no colour."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from perfectplay import load
from perfectplay.families import SHIPPED
from perfectplay.game import after, legal_moves
from perfectplay.pictures.board_picture import board_picture
from perfectplay.pictures.board_svg import changed_squares

SVG = "{http://www.w3.org/2000/svg}"
PAGE_STYLE = Path(__file__).parents[2] / "src" / "perfectplay" / "page" / "static" / "page.css"


def picture(match, **how):
    """The picture of a match, read as XML."""
    return ElementTree.fromstring(board_picture(match.game, match.position, match.turn, **how))


def kinds(root):
    """The classes of the picture's elements, without their prefix."""
    return [name.removeprefix("pp-") for one in root.iter() for name in one.get("class", "").split()]


@pytest.mark.parametrize("name", SHIPPED)
def test_every_shipped_game_is_drawn_with_its_last_move_and_hints(name):
    game = load(name)
    move = legal_moves(game, game.start)[0]
    begin, turn = (game.start, 0), after(game, game.start, 0, move)
    hints = {one: (one % 3 - 1, str(one)) for one in legal_moves(game, turn[0])}
    for dark in (None, True, False):
        text = board_picture(game, *turn, changed=changed_squares(game, begin, turn), hints=hints, dark=dark)
        root = ElementTree.fromstring(text)
        assert root.tag == f"{SVG}svg"
        assert root[0].tag == f"{SVG}title"
        assert root[0].text and root[1].text
        assert not [one for one in root.iter() if one.get("id")]  # so no two in a page can be the same
        assert "var(" not in text
        used = {f".{one}" for element in root.iter() for one in element.get("class", "").split()}
        assert used <= {*re.findall(r"\.pp-[\w-]+", text)}
