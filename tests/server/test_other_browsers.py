"""What most people do on the page, in each browser that is there: playwright installs Firefox and WebKit."""

import os

import pytest

test_page = pytest.importorskip("test_page", reason="browser tests need playwright: make test installs it")
expect = test_page.expect
pytestmark = pytest.mark.nightly


@pytest.fixture(scope="module", params=["chromium", "firefox", "webkit"])
def browser(request):
    with test_page.playwright.sync_playwright() as driver:
        kind = getattr(driver, request.param)
        program = (request.param == "chromium" and test_page.CHROMIUM) or kind.executable_path
        if not os.path.exists(program):
            pytest.skip(f"{request.param} is not installed: playwright install {request.param}")
        one = kind.launch(executable_path=program)
        yield one
        one.close()


def test_a_game_from_the_gallery_to_its_ending(browser, address):
    one = test_page.Visitor(browser, address)
    one.page.goto(f"{address}/")
    one.page.get_by_role("link", name="Connect four").click()
    expect(one.page.locator("[role=grid]")).to_be_visible()
    one.goto("?game=connect-four&second=human")
    for key in "4343434":
        before = len(one.moves())
        one.page.keyboard.press(key)
        one.has_moves(before + 1)
    expect(one.page.locator("#ending h2")).to_have_text("Red won with four in a row, after 7 moves.")
    expect(one.page.locator(".lines g")).to_have_count(1)
    one.goto("?hints=1&second=human&moves=b2,b1")
    expect(one.page.locator("#verdict")).to_contain_text("X wins in 5")
    expect(one.page.locator(".plot .mistake")).to_have_count(1)
    one.page.locator("#theme").click()
    expect(one.page.locator("html")).to_have_attribute("data-theme", "light")
    one.goto("?view=explore")
    expect(one.page.locator("#turn")).to_have_text("X to move")
    one.context.close()
    assert one.faults == []
    assert one.abroad == []
