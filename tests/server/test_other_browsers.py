"""What most people do on the page, in each browser that is there: playwright installs Firefox and WebKit."""

import os

import pytest

from visitors import CHROMIUM, expect, playwright

pytestmark = pytest.mark.nightly


@pytest.fixture(scope="module", params=["chromium", "firefox", "webkit"])
def browser(request):
    with playwright.sync_playwright() as driver:
        kind = getattr(driver, request.param)
        program = (request.param == "chromium" and CHROMIUM) or kind.executable_path
        if not os.path.exists(program):
            pytest.skip(f"{request.param} is not installed: playwright install {request.param}")
        one = kind.launch(executable_path=program)
        yield one
        one.close()


def test_a_game_from_the_gallery_to_its_ending(visit):
    one = visit("/", see="#cards")
    one.page.get_by_role("link", name="Connect four").click()
    expect(one.page.locator("[role=grid]")).to_be_visible()
    one.goto("?game=connect-four&second=human")
    for count, key in enumerate("4343434", 1):
        one.press(key)
        one.has_moves(count)
    one.see("#ending h2", "Red won with four in a row, after 7 moves.")
    one.goto("?hints=1&second=human&moves=b2,b1").see("#verdict", "X wins in 5")
    one.goto("?view=explore").turn("X to move")
