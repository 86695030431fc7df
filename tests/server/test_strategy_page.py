"""The page of a strategy: it loads nothing, works at every width, and says everything to a screen reader."""

import pytest

import perfectplay
import visitors
from visitors import expect, fits, needs_axe, no_barriers

pytestmark = [*visitors.nightly, needs_axe]


@pytest.mark.parametrize("name", ["hexapawn", "chomp:3,3"])
def test_the_page_shows_the_list_and_the_game(shown, name):
    found = perfectplay.strategy(name)
    page = shown(found.to_html(), viewport={"width": 420, "height": 800})
    expect(page.locator("ol.rules li")).to_have_text([rule.text for rule in found.rules])
    expect(page.locator("ol.boards li")).to_have_count(len(found.failing.moves))
    assert fits(page)
    no_barriers(page)
