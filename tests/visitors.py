"""Somebody at the page in a real browser, who notes what goes wrong there."""

import shutil
from urllib.parse import parse_qs, urlsplit

import pytest

from homes import ROOT

playwright = pytest.importorskip("playwright.sync_api", reason="browser tests need playwright: make test installs it")
expect = playwright.expect
expect.set_options(timeout=15_000)

CHROMIUM = shutil.which("chromium")
AXE = ROOT / "node_modules/axe-core/axe.min.js"
HURRY = "const usual = setTimeout; window.setTimeout = (act, wait) => usual(act, wait / 10);"
"""A script with which the page waits a tenth of the time between the moves of a game that is watched."""
DESK, PHONE = {"width": 1200, "height": 900}, {"width": 360, "height": 740}
SCHEMES = ("light", "dark")

needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="browser tests need chromium: apt-get install chromium")
needs_axe = pytest.mark.skipif(not AXE.exists(), reason="accessibility checks need axe-core: npm ci")
nightly = [pytest.mark.nightly, needs_browser]
"""The marks of a file that opens nothing but browsers."""


class Visitor:
    """Somebody at the page of a server, or at one in a file, who is offline."""

    def __init__(self, browser, address, **more):
        self.address, self.faults, self.abroad = address, [], []
        look = {"viewport": DESK, "reduced_motion": "reduce", "offline": address.startswith("file:")}
        self.context = browser.new_context(**{**look, **more})
        self.page = self.context.new_page()
        self.page.set_default_timeout(20_000)
        self.page.on("console", lambda told: self.complain(told.text) if told.type == "error" else None)
        self.page.on("pageerror", lambda fault: self.faults.append(str(fault)))
        self.page.on("request", lambda asked: self.note(asked.url))

    def complain(self, text):
        if "ERR_CONNECTION_REFUSED" not in text:  # the server may end before the page is closed
            self.faults.append(text)

    def note(self, url):
        if not url.startswith((self.address, "blob:", "data:")):
            self.abroad.append(url)

    def goto(self, query="", see="[role=grid]"):
        """Opens a game, tic-tac-toe if the query of a server names none; or what else is to be seen there."""
        if self.address.startswith("http") and see == "[role=grid]":
            query = "/" + (query if "game=" in query else "?game=tic-tac-toe" + query.replace("?", "&", 1))
        self.page.goto(self.address + query)
        expect(self.page.locator(see).first).to_be_visible()
        return self

    def see(self, place, text):
        """Waits until this is said there."""
        expect(self.page.locator(place)).to_contain_text(text, timeout=60_000)
        return self

    def square(self, name):
        return self.page.locator(f'[role=gridcell][aria-label^="{name},"]')

    def labelled(self, name, label):
        """Waits until a square is called so, aloud."""
        expect(self.square(name)).to_have_attribute("aria-label", f"{name}, {label}")

    def play(self, *names):
        for name in names:
            before = len(self.moves())
            self.square(name).click()
            self.has_moves(before + 1)
        return self

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)

    def choose(self, game):
        """Opens another game by the menu behind Variant."""
        if not self.page.locator("#game").is_visible():
            self.page.locator("#variant summary").click()
        self.page.locator("#game").select_option(game)

    def turn(self, text):
        return self.see("#turn", text)

    def state(self):
        """What the address of the page says."""
        url = urlsplit(self.page.url)
        return {name: values[0] for name, values in parse_qs(url.query or url.fragment).items()}

    def moves(self):
        return [move for move in self.state().get("moves", "").split(",") if move]

    def has_moves(self, least):
        """Waits until so many moves have been made."""
        count = "new URLSearchParams(location.search || location.hash.slice(1)).get('moves')?.split(',').length"
        self.page.wait_for_function(f"least => {count} >= least", arg=least, timeout=60_000)

    def position(self):
        return self.page.locator("#position-text").input_value()


def fits(page):
    """Whether nothing has to be scrolled sideways."""
    return page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def no_barriers(page, schemes=SCHEMES, scope="document"):
    """Asserts that axe finds nothing wrong, in light and dark colours."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    for scheme in schemes:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        found = page.evaluate(f"axe.run({scope})")
        faults = [(fault["id"], [node["html"][:200] for node in fault["nodes"][:3]]) for fault in found["violations"]]
        assert (scheme, faults) == (scheme, [])
        assert found["passes"]
