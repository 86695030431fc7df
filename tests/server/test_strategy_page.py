"""The page of a strategy: it loads nothing, works at every width, and says everything to a screen reader."""

import pytest

import perfectplay

test_page = pytest.importorskip("test_page", reason="browser tests need playwright: make test installs it")
expect = test_page.expect

pytestmark = [pytest.mark.nightly, pytest.mark.skipif(test_page.CHROMIUM is None, reason="browser tests need chromium")]


@pytest.fixture(scope="module", params=["hexapawn", "chomp:3,3"])
def found(request):
    return perfectplay.strategy(request.param)


@pytest.fixture
def opened(browser, found, tmp_path):
    """The page, opened from a file; fails if it asks for anything else, or complains."""
    path = tmp_path / "strategy.html"
    path.write_text(found.to_html(), encoding="utf-8")
    page = browser.new_page(viewport={"width": 420, "height": 800})
    asked, said = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.goto(path.as_uri())
    yield page
    assert asked == [path.as_uri()]
    assert said == []
    page.close()


def test_the_page_shows_the_list_the_game_and_the_diagram(opened, found):
    expect(opened.locator("ol.rules li")).to_have_text([rule.text for rule in found.rules])
    expect(opened.locator("ol.boards li")).to_have_count(len(found.failing.moves))
    opened.locator("summary").click()
    expect(opened.locator("tbody tr")).to_have_count(found.diagram.nodes)
    assert opened.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.skipif(not test_page.AXE.exists(), reason="accessibility checks need axe-core: npm ci")
def test_accessibility(opened):
    opened.locator("summary").click()
    opened.evaluate(test_page.AXE.read_text(encoding="utf-8"))
    for scheme in ("light", "dark"):
        opened.emulate_media(color_scheme=scheme)
        found = opened.evaluate("axe.run()")
        assert [(fault["id"], fault["nodes"][0]["html"]) for fault in found["violations"]] == []
        assert found["passes"]
