"""Pictures and views in a real browser: they follow the page's theme, leave the page alone, and play a game."""

import re
import shutil

import pytest

from perfectplay import Match

CHROMIUM = shutil.which("chromium")
pytestmark = [pytest.mark.nightly, pytest.mark.skipif(CHROMIUM is None, reason="browser tests need chromium")]

LIGHT, DARK = "rgb(255, 255, 255)", "rgb(20, 23, 28)"
THEMES = {
    "<body>": {"light": LIGHT, "dark": DARK},
    '<body data-jp-theme-light="false">': {"light": DARK, "dark": DARK},
    '<body data-jp-theme-light="true">': {"light": LIGHT, "dark": LIGHT},
    '<body class="vscode-dark" data-vscode-theme-kind="vscode-dark">': {"light": DARK, "dark": DARK},
    '<body class="vscode-light" data-vscode-theme-kind="vscode-light">': {"light": LIGHT, "dark": LIGHT},
    '<body class="vscode-high-contrast">': {"light": DARK, "dark": DARK},
    '<html theme="dark"><body>': {"light": DARK, "dark": DARK},
    '<body data-md-color-scheme="slate">': {"light": DARK, "dark": DARK},
}
"""How pages say which theme they have, and what the picture's ground then is, by the theme of the system."""
RUDE = ".piece, .ground, .hint, .art { display: none } .frame { opacity: 0 } text { font-size: inherit }"
LEAST_CONTRAST = 4.5
"""What WCAG asks of text."""


@pytest.fixture(scope="module")
def browser():
    with pytest.importorskip("playwright.sync_api").sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield running
        running.close()


def style_of(page, selector, name):
    """The computed style of the first element that the selector finds."""
    return page.eval_on_selector(selector, f"(one) => getComputedStyle(one).getPropertyValue({name!r})")


def luminance(colour):
    """Of a colour as browsers write it."""
    red, green, blue = (int(part) / 255 for part in re.findall(r"\d+", colour)[:3])
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in (red, green, blue)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_colours_follow_the_page_and_else_the_system(browser):
    match = Match("connect-four").play("4")
    picture, fixed, view = match.svg(), match.svg(dark=True), match._repr_html_()
    for system in ("light", "dark"):
        page = browser.new_page(color_scheme=system)
        for body, expected in THEMES.items():
            page.set_content(f"{body}<div>{picture}</div><p>{fixed}</p>{view}")
            assert style_of(page, "div .pp-paper-ground", "fill") == expected[system], (body, system)
            assert style_of(page, "p .pp-paper-ground", "fill") == DARK
            text, ground = (luminance(style_of(page, ".ppv", name)) for name in ("color", "background-color"))
            assert (ground < 0.5) == (expected[system] == DARK), (body, system)
            assert (max(text, ground) + 0.05) / (min(text, ground) + 0.05) > LEAST_CONTRAST
        page.close()


def test_the_page_and_the_picture_leave_each_other_alone(browser):
    page = browser.new_page()
    own = '<svg><g class="piece red"><rect class="ground body" width="9" height="9"/></g></svg>'
    page.set_content(f"<style>rect {{ fill: rgb(1, 2, 3) }}</style>{own}")
    before = style_of(page, "rect", "fill"), style_of(page, "rect", "stroke")
    page.set_content(f"<style>rect {{ fill: rgb(1, 2, 3) }}{RUDE}</style>{own}{Match('reversi').svg(hints=False)}")
    assert (style_of(page, "rect", "fill"), style_of(page, "rect", "stroke")) == before
    assert style_of(page, "[role=img] .pp-ground", "fill") == "rgb(74, 148, 104)"
    assert style_of(page, "[role=img] .pp-body", "display") == "inline"
    page.close()


def test_an_animation_begins_with_the_first_position_and_stands_still_if_asked(browser):
    picture = Match("tic-tac-toe", ["b2", "a1"]).svg(animate=True, delay=100)
    shown = (
        "() => [...document.querySelectorAll('text')].filter((one) => getComputedStyle(one).visibility === 'visible')"
    )
    for motion, caption in (("no-preference", "Tic-tac-toe"), ("reduce", "2. O a1")):
        page = browser.new_page(reduced_motion=motion)
        page.set_content(picture)
        page.wait_for_function(f"(caption) => ({shown})().some((one) => one.textContent === caption)", arg=caption)
        texts = page.evaluate(f"({shown})().map((one) => one.textContent)")
        assert len([one for one in texts if one.endswith("to move")]) == 1
        page.close()
